//! Every operator that the engine answers is asked in some case: the engine's own lists against what the cases of
//! `tests/conformance` and `tests/cases` run.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::rc::Rc;

use pegboard::engine::{BulkOperation, Command, Database, Host, Modify, Run};
use pegboard::error::CommandError;
use pegboard::pipeline::{STAGES, accumulators, window_functions};
use pegboard::query::{ROOT_OPERATORS, expr, field_operators};
use pegboard::shell::{Limits, Shell};
use pegboard::update::{OPERATORS, PUSH_MODIFIERS};
use pegboard::value::{Bson, Document, Source};

use crate::expectation::{self, Case};

/// The operators of the commands that were answered, by the position they stood in.
#[derive(Default)]
struct Seen {
    filter: BTreeSet<String>,
    update: BTreeSet<String>,
    stage: BTreeSet<String>,
    accumulator: BTreeSet<String>,
    window: BTreeSet<String>,
    expression: BTreeSet<String>,
    projection: BTreeSet<String>,
}

/// A database that notes the operators of what it answers.
#[derive(Clone)]
struct Noting {
    inner: Database,
    seen: Rc<RefCell<Seen>>,
}

impl Host for Noting {
    fn run(&mut self, command: &Command) -> Result<Run, CommandError> {
        let run = self.inner.run(command)?;
        self.seen.borrow_mut().command(command);
        Ok(run)
    }

    fn source(&mut self) -> &mut Source {
        self.inner.source()
    }

    fn use_database(&mut self, name: &str) {
        self.inner.use_database(name);
    }

    fn database_names(&self) -> Vec<String> {
        self.inner.database_names()
    }
}

fn documents(value: &Bson) -> impl Iterator<Item = &Document> {
    value.as_array().into_iter().flatten().filter_map(Bson::as_document)
}

impl Seen {
    fn command(&mut self, command: &Command) {
        match command {
            Command::Find(find) => {
                self.filter(&find.filter);
                let operands = find.projection.iter().flat_map(|fields| fields.values()).filter_map(Bson::as_document);
                self.projection.extend(operands.flat_map(|operand| operand.keys().cloned()));
            }
            Command::Count(count) => self.filter(&count.filter),
            Command::Distinct(distinct) => self.filter(&distinct.filter),
            Command::Aggregate(aggregate) => self.pipeline(aggregate.pipeline.iter()),
            Command::Update(update) => self.change(&update.spec.filter, Some(&update.spec.modify)),
            Command::FindAndModify(modify) => self.change(&modify.filter, modify.modify.as_ref()),
            Command::Delete(delete) => self.filter(&delete.filter),
            Command::BulkWrite(bulk) => bulk.operations.iter().for_each(|operation| self.bulk(operation)),
            Command::Explain { command, .. } => self.command(command),
            _ => {}
        }
    }

    fn bulk(&mut self, operation: &BulkOperation) {
        match operation {
            BulkOperation::Insert(_) => {}
            BulkOperation::Update(spec) => self.change(&spec.filter, Some(&spec.modify)),
            BulkOperation::Delete { filter, .. } => self.filter(filter),
        }
    }

    fn change(&mut self, filter: &Document, modify: Option<&Modify>) {
        self.filter(filter);
        match modify {
            Some(Modify::Operators(operators)) => self.update(operators),
            Some(Modify::Pipeline(stages)) => self.pipeline(stages.iter()),
            Some(Modify::Replacement(_)) | None => {}
        }
    }

    fn filter(&mut self, filter: &Document) {
        for (name, value) in filter {
            if name.starts_with('$') {
                self.filter.insert(name.clone());
            }
            match value {
                value if name == "$expr" => self.expression(value),
                Bson::Document(inner) => self.filter(inner),
                value => documents(value).for_each(|inner| self.filter(inner)),
            }
        }
    }

    fn update(&mut self, operators: &Document) {
        for (name, fields) in operators {
            self.update.insert(name.clone());
            for (_, operand) in fields.as_document().into_iter().flatten() {
                let Bson::Document(operand) = operand else { continue };
                if name == "$pull" {
                    self.filter(operand);
                }
                self.update.extend(operand.keys().filter(|key| key.starts_with('$')).cloned());
            }
        }
    }

    fn pipeline<'d>(&mut self, stages: impl Iterator<Item = &'d Document>) {
        for (name, value) in stages.flatten() {
            self.stage.insert(name.clone());
            self.stage(name, value);
        }
    }

    fn stage(&mut self, name: &str, value: &Bson) {
        let Bson::Document(operands) = value else { return self.expression(value) };
        match name {
            "$match" => self.filter(operands),
            "$facet" => operands.values().for_each(|stages| self.pipeline(documents(stages))),
            "$group" => self.gathered(operands),
            "$lookup" | "$unionWith" => operands.get("pipeline").into_iter().for_each(|stages| {
                self.pipeline(documents(stages));
            }),
            "$bucket" | "$bucketAuto" | "$setWindowFields" => {
                operands.get_document("output").into_iter().for_each(|output| self.gathered(output));
                operands.iter().filter(|(name, _)| *name != "output").for_each(|(_, value)| self.expression(value));
            }
            _ => self.expression(value),
        }
    }

    /// Fields, each with one accumulator or window function.
    fn gathered(&mut self, fields: &Document) {
        for (field, value) in fields {
            match value {
                Bson::Document(gather) if field != "_id" => {
                    let names = gather.keys().filter(|name| name.starts_with('$'));
                    let (window, plain): (Vec<_>, Vec<_>) = names.cloned().partition(|name| is_window(name));
                    self.window.extend(window);
                    self.accumulator.extend(plain);
                    gather.values().for_each(|operand| self.expression(operand));
                }
                other => self.expression(other),
            }
        }
    }

    fn expression(&mut self, value: &Bson) {
        match value {
            Bson::Array(items) => items.iter().for_each(|item| self.expression(item)),
            Bson::Document(fields) => {
                self.expression.extend(fields.keys().filter(|name| name.starts_with('$')).cloned());
                fields.values().for_each(|field| self.expression(field));
            }
            _ => {}
        }
    }
}

/// The functions of `$setWindowFields` that are no accumulators.
fn windows_only() -> impl Iterator<Item = &'static str> {
    window_functions().filter(|name| accumulators().all(|other| other != *name))
}

fn is_window(name: &str) -> bool {
    windows_only().any(|known| known == name)
}

fn files(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the cases are there");
    let paths = entries.filter_map(|entry| entry.ok()?.path().to_str().map(str::to_owned));
    paths.filter(|path| std::path::Path::new(path).extension().is_some_and(|kind| kind == "json")).collect()
}

fn seen() -> Seen {
    let seen = Rc::new(RefCell::new(Seen::default()));
    for file in ["tests/conformance", "tests/cases"].into_iter().flat_map(files) {
        for case in expectation::read::<Case>(&file) {
            let inner = Database::new(Source::seeded(1));
            let mut shell = Shell::new(Noting { inner, seen: seen.clone() }, Limits::default());
            let lines: Vec<&str> = case.setup.iter().chain([&case.script]).map(String::as_str).collect();
            _ = shell.run(&lines.join("\n"));
        }
    }
    seen.take()
}

#[test]
fn every_operator_is_in_a_case() {
    let seen = seen();
    let mut missing = Vec::new();
    let mut check = |kind: &str, names: &mut dyn Iterator<Item = &'static str>, seen: &BTreeSet<String>| {
        missing.extend(names.filter(|name| !seen.contains(*name)).map(|name| format!("{kind} {name}")));
    };
    check("query operator", &mut ROOT_OPERATORS.into_iter().chain(field_operators()), &seen.filter);
    check("update operator", &mut OPERATORS.into_iter().chain(PUSH_MODIFIERS), &seen.update);
    check("stage", &mut STAGES.into_iter(), &seen.stage);
    check("accumulator", &mut accumulators(), &seen.accumulator);
    check("window function", &mut windows_only(), &seen.window);
    check("projection operator", &mut ["$elemMatch", "$meta", "$slice"].into_iter(), &seen.projection);
    // `$meta` is answered in the projection of `find` only.
    check("expression", &mut expr::operators().filter(|name| *name != "$meta"), &seen.expression);
    assert!(missing.is_empty(), "in no case that is answered:\n{}", missing.join("\n"));
}
