//! A value written anew in the learner's own words: what was typed keeps its quotes, its numbers and its order.

use crate::engine::{Command, Modify};
use crate::error::CommandPath;
use crate::pitfall::Case;
use crate::pitfall::edit::key_text;
use crate::shell::{Ran, Script, Syntax, literal};
use crate::value::{Bson, Document, View, identical};

/// The entries and elements of a command as they were typed.
#[derive(Debug, Default)]
pub(super) struct Wording {
    words: Vec<Word>,
}

/// A value that was typed.
#[derive(Debug)]
struct Word {
    /// The name it stands under, and how that was typed; an element of a list has none.
    name: Option<(String, String)>,
    value: Bson,
    text: String,
    /// Where it stands.
    at: usize,
    /// Whether the text says the value itself; else it names a variable or reckons.
    plain: bool,
}

/// A piece of text, and where the learner has what it says.
type Told = (Option<usize>, String);

impl Wording {
    /// The words of a command.
    pub fn of(case: &Case<'_>, ran: &Ran) -> Self {
        let mut wording = Self::default();
        for (at, value) in arguments(ran.command.explained()) {
            if let Some(node) = ran.places.literal(&at) {
                wording.collect(case.script, node, &value);
            }
        }
        wording
    }

    fn collect(&mut self, script: &Script, node: crate::shell::NodeId, value: &Bson) {
        match (&script.node(node).syntax, value) {
            (Syntax::Object(entries), Bson::Document(document)) => {
                for (name, value) in document {
                    let Some(entry) = entries.iter().rev().find(|entry| entry.key.as_ref() == Some(name)) else {
                        continue;
                    };
                    let (Some(node), Some(key)) = (entry.value, script.text().get(entry.key_span.clone())) else {
                        continue;
                    };
                    self.keep(script, node, Some((name.clone(), key.to_owned())), value);
                }
            }
            (Syntax::Array(items), Bson::Array(list)) if items.len() == list.len() => {
                items.iter().zip(list).for_each(|(node, value)| self.keep(script, *node, None, value));
            }
            _ => {}
        }
    }

    fn keep(&mut self, script: &Script, node: crate::shell::NodeId, name: Option<(String, String)>, value: &Bson) {
        let plain = !matches!(script.node(node).syntax, Syntax::Name(_) | Syntax::Member { .. } | Syntax::Other(_));
        let text = script.source(node).to_owned();
        self.words.push(Word { name, value: value.clone(), text, at: script.node(node).span.start, plain });
        self.collect(script, node, value);
    }

    /// A value, its parts in their own order.
    pub fn value(&self, value: &Bson) -> String {
        self.told(None, value).1
    }

    /// A filter, its conditions in the order they were typed in.
    pub fn filter(&self, filter: &Document) -> String {
        self.conditions(None, filter).1
    }

    /// A stage of a pipeline.
    pub fn stage(&self, stage: &Document) -> String {
        match stage.iter().next() {
            Some((name, Bson::Document(filter))) if name == "$match" => format!("{{$match: {}}}", self.filter(filter)),
            _ => self.value(&Bson::Document(stage.clone())),
        }
    }

    /// A value under a name.
    fn told(&self, name: Option<&str>, value: &Bson) -> Told {
        if let Some(word) = self.word(name, value) {
            return (Some(word.at), word.text.clone());
        }
        match value {
            Bson::Document(document) => {
                let entries = document.iter().map(|(name, value)| self.entry(name, self.told(Some(name), value)));
                (None, braces(entries.collect()))
            }
            Bson::Array(list) => (None, brackets(list.iter().map(|value| self.told(None, value)).collect())),
            other => (None, literal(other)),
        }
    }

    /// How a value was typed: under the same name at best, else under one that ends with it, else anywhere.
    fn word(&self, name: Option<&str>, value: &Bson) -> Option<&Word> {
        let same = |word: &&Word| identical(View::from(&word.value), View::from(value));
        let named = |wanted: &dyn Fn(&str) -> bool| {
            let fits = |word: &&Word| word.name.as_ref().is_some_and(|(own, _)| wanted(own));
            self.words.iter().filter(same).find(fits)
        };
        let name = name.unwrap_or_default();
        named(&|own| own == name)
            .or_else(|| named(&|own| is_end(own, name) || is_end(name, own)))
            .or_else(|| self.words.iter().filter(same).find(|word| word.plain))
    }

    fn entry(&self, name: &str, (at, value): Told) -> Told {
        let typed = self.words.iter().filter_map(|word| word.name.as_ref()).find(|(own, _)| own == name);
        let key = typed.map_or_else(|| key_text(name), |(_, key)| key.clone());
        (at, if key == value { key } else { format!("{key}: {value}") })
    }

    /// Conditions that hold together.
    fn conditions(&self, name: Option<&str>, filter: &Document) -> Told {
        let whole = Bson::Document(filter.clone());
        if let Some(word) = self.word(name, &whole) {
            return (Some(word.at), word.text.clone());
        }
        let entry = |(name, value): (&String, &Bson)| {
            let told = match (name.as_str(), value) {
                ("$and" | "$or" | "$nor", Bson::Array(parts)) => self.all(parts),
                (_, Bson::Document(tests)) if is_tests(tests) => self.tests(name, tests),
                _ => self.told(Some(name), value),
            };
            self.entry(name, told)
        };
        together(filter.iter().map(entry).collect())
    }

    /// A list whose order says nothing.
    fn listed(&self, name: &str, list: &[Bson]) -> Told {
        let named = |word: &&Word| word.name.as_ref().is_some_and(|(own, _)| own == name);
        let same = |word: &&Word| matches!(&word.value, Bson::Array(typed) if same_values(typed, list));
        match self.words.iter().filter(named).find(same) {
            Some(word) => (Some(word.at), word.text.clone()),
            None => self.told(Some(name), &Bson::Array(list.to_vec())),
        }
    }

    fn all(&self, parts: &[Bson]) -> Told {
        let part = |part: &Bson| match part {
            Bson::Document(filter) => self.conditions(None, filter),
            other => self.told(None, other),
        };
        let parts = ordered(parts.iter().map(part).collect());
        (first(&parts), brackets(parts))
    }

    /// The operators on one path.
    fn tests(&self, name: &str, tests: &Document) -> Told {
        if let Some(word) = self.word(Some(name), &Bson::Document(tests.clone())) {
            return (Some(word.at), word.text.clone());
        }
        let test = |(name, operand): (&String, &Bson)| {
            let told = match (name.as_str(), operand) {
                ("$elemMatch" | "$not", Bson::Document(inner)) if is_tests(inner) => self.tests(name, inner),
                ("$elemMatch", Bson::Document(inner)) => self.conditions(Some(name), inner),
                ("$all", Bson::Array(parts)) if parts.iter().any(|part| part.as_document().is_some_and(is_tests)) => {
                    let part = |part: &Bson| match part {
                        Bson::Document(tests) if is_tests(tests) => self.tests("", tests),
                        other => self.told(None, other),
                    };
                    let parts = ordered(parts.iter().map(part).collect());
                    (first(&parts), brackets(parts))
                }
                ("$in" | "$nin", Bson::Array(list)) => self.listed(name, list),
                _ => self.told(Some(name), operand),
            };
            self.entry(name, told)
        };
        together(tests.iter().map(test).collect())
    }
}

/// Whether two lists hold the same values, in whatever order.
fn same_values(one: &[Bson], other: &[Bson]) -> bool {
    let within = |value: &Bson, list: &[Bson]| list.iter().any(|held| identical(View::from(held), View::from(value)));
    one.len() == other.len()
        && one.iter().all(|value| within(value, other))
        && other.iter().all(|value| within(value, one))
}

/// The arguments of a command that may be literals.
fn arguments(command: &Command) -> Vec<(CommandPath, Bson)> {
    let one = |name: &str, value: &Document| (CommandPath::argument(name), Bson::Document(value.clone()));
    let listed = |list: &[Document]| Bson::Array(list.iter().cloned().map(Bson::Document).collect());
    let stages = |name: &str, list: &[Document]| {
        let stage = |(at, stage): (usize, &Document)| (CommandPath::argument(name).index(at), stage.clone().into());
        list.iter().enumerate().map(stage).collect::<Vec<_>>()
    };
    let change = |modify: &Modify| match modify {
        Modify::Operators(update) => vec![one("update", update)],
        Modify::Replacement(document) => vec![one("replacement", document), one("update", document)],
        Modify::Pipeline(list) => stages("update", list),
    };
    let optional = |name: &str, value: &Option<Document>| value.as_ref().map(|value| one(name, value));
    match command {
        Command::Find(find) => {
            let more = [("projection", &find.projection), ("sort", &find.sort)];
            let more = more.into_iter().filter_map(|(name, value)| optional(name, value));
            std::iter::once(one("filter", &find.filter)).chain(more).collect()
        }
        Command::Count(count) => vec![one("filter", &count.filter)],
        Command::Distinct(distinct) => vec![one("filter", &distinct.filter)],
        Command::Delete(delete) => vec![one("filter", &delete.filter)],
        Command::Aggregate(aggregate) => {
            // A filter inside a stage is a pipeline of its own and was typed without the stage.
            let filter = |(at, stage): (usize, &Document)| {
                let filter = stage.get_document("$match").ok()?;
                Some((CommandPath::argument("pipeline").index(at).field("$match"), filter.clone().into()))
            };
            let filters = aggregate.pipeline.iter().enumerate().filter_map(filter);
            stages("pipeline", &aggregate.pipeline).into_iter().chain(filters).collect()
        }
        Command::Update(update) => {
            let spec = &update.spec;
            let filters = (CommandPath::argument("arrayFilters"), listed(&spec.array_filters));
            [vec![one("filter", &spec.filter), filters], change(&spec.modify)].concat()
        }
        Command::FindAndModify(modify) => {
            let filters = (CommandPath::argument("arrayFilters"), listed(&modify.array_filters));
            let own = vec![one("filter", &modify.filter), filters];
            [own, modify.modify.as_ref().map(change).unwrap_or_default()].concat()
        }
        Command::Insert(insert) => stages("documents", &insert.documents),
        _ => Vec::new(),
    }
}

/// Whether a path ends with another one.
fn is_end(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|front| front.ends_with('.')) && !end.is_empty()
}

/// Whether a document holds operators on one value.
fn is_tests(document: &Document) -> bool {
    let joins = |name: &String| matches!(name.as_str(), "$and" | "$or" | "$nor" | "$expr");
    document.keys().next().is_some_and(|name| name.starts_with('$')) && !document.keys().any(joins)
}

/// Parts in the order they were typed in; what was not typed stays behind what stands before it.
fn ordered(parts: Vec<Told>) -> Vec<Told> {
    let mut last = 0;
    let mut placed: Vec<(usize, Told)> = Vec::new();
    for part in parts {
        last = part.0.unwrap_or(last);
        placed.push((last, part));
    }
    placed.sort_by_key(|(at, _)| *at);
    placed.into_iter().map(|(_, part)| part).collect()
}

fn first(parts: &[Told]) -> Option<usize> {
    parts.iter().filter_map(|(at, _)| *at).min()
}

fn together(entries: Vec<Told>) -> Told {
    let entries = ordered(entries);
    (first(&entries), braces(entries))
}

fn braces(parts: Vec<Told>) -> String {
    format!("{{{}}}", joined(parts))
}

fn brackets(parts: Vec<Told>) -> String {
    format!("[{}]", joined(parts))
}

fn joined(parts: Vec<Told>) -> String {
    parts.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(", ")
}
