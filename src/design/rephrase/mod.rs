//! One command, written for the documents of another design.
//!
//! A filter is read as what it asks of the facts and written again for the other design; the operands stay as the learner
//! wrote them. What cannot be asked there is a [`NoCounterpart`], which is content. The law: a document matches a filter
//! exactly when the reshaped document matches the rephrased filter, as long as reshaping lost nothing.

mod ask;
mod bridge;
mod change;
mod expr;
mod index;
mod pipeline;
mod read;
mod select;
mod write;

use std::cell::OnceCell;
use std::ops::Deref;

use crate::engine::{Command, Delete, Insert, Modify, Update};
use crate::value::Document;

pub use index::index_counterparts;

use super::form::{Design, Place};
use super::reason::{NoCounterpart, Note};
use super::reshape::reshape;
use ask::Ask;

/// Between which designs a command is rephrased, and what is known of the data.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The design the command was written for.
    pub from: &'a Design,
    /// The design it is written for.
    pub to: &'a Design,
    /// The collection of that design.
    pub collection: &'a str,
    /// All keys in the data, the most frequent first: what a value without its key has to list where keys are names.
    pub keys: &'a Keys<'a>,
}

/// Keys that are looked for in the data only when a counterpart has to list them.
pub struct Keys<'a> {
    find: &'a dyn Fn() -> Vec<String>,
    found: OnceCell<Vec<String>>,
}

impl<'a> Keys<'a> {
    /// Keys that this gives when they are asked for.
    #[must_use]
    pub fn new(find: &'a dyn Fn() -> Vec<String>) -> Self {
        Self { find, found: OnceCell::new() }
    }
}

impl Deref for Keys<'_> {
    type Target = [String];

    fn deref(&self) -> &[String] {
        self.found.get_or_init(self.find)
    }
}

/// A command for another design.
#[derive(Debug, Clone, PartialEq)]
pub struct Rephrased {
    /// The command.
    pub command: Command,
    /// What it does not share with the original.
    pub notes: Vec<Note>,
}

/// Writes a command for another design.
///
/// # Errors
/// The reason why the design cannot be asked, or told, this.
pub fn rephrase(ground: &Ground<'_>, command: &Command) -> Result<Rephrased, NoCounterpart> {
    match command {
        Command::Find(find) => select::find(ground, find),
        Command::Count(count) => select::count(ground, count),
        Command::Distinct(distinct) => select::distinct(ground, distinct),
        Command::Aggregate(aggregate) => pipeline::aggregate(ground, aggregate),
        Command::Insert(insert) => Ok(rephrased(Command::Insert(inserted(ground, insert)))),
        Command::Update(update) => updated(ground, update),
        Command::Delete(delete) => deleted(ground, delete),
        Command::CreateIndexes(create) => index::create(ground, create),
        Command::EstimatedCount { .. } if same_documents(ground) => {
            Ok(rephrased(Command::EstimatedCount { collection: ground.collection.into() }))
        }
        Command::Explain { command, verbosity } => {
            let inner = rephrase(ground, command)?;
            let command = Command::Explain { command: Box::new(inner.command), verbosity: *verbosity };
            Ok(Rephrased { command, notes: inner.notes })
        }
        Command::DropCollection { .. } => {
            Ok(rephrased(Command::DropCollection { collection: ground.collection.into() }))
        }
        Command::FindAndModify(_) | Command::BulkWrite(_) => Err(NoCounterpart::ChangeByReplacement),
        _ => Err(NoCounterpart::NotAboutFacts),
    }
}

/// Writes a filter for another design.
///
/// # Errors
/// The reason why the design cannot be asked this.
pub fn rephrase_filter(ground: &Ground<'_>, filter: &Document) -> Result<(Document, Vec<Note>), NoCounterpart> {
    let ask = read::read_filter(ground.from, filter)?;
    let mut writer = ground.writer();
    let filter = writer.filter(&ask)?;
    Ok((filter, writer.notes))
}

impl<'a> Ground<'a> {
    fn writer(&self) -> write::Writer<'a> {
        write::Writer { design: self.to, keys: self.keys, notes: Vec::new() }
    }
}

fn rephrased(command: Command) -> Rephrased {
    Rephrased { command, notes: Vec::new() }
}

/// Whether an entity is one document on both sides, or a row on both.
fn same_documents(ground: &Ground<'_>) -> bool {
    (ground.from.form.place() == Place::Rows) == (ground.to.form.place() == Place::Rows)
}

fn inserted(ground: &Ground<'_>, insert: &Insert) -> Insert {
    let documents = insert.documents.iter().flat_map(|document| {
        let mut made = reshape(ground.from, ground.to, std::slice::from_ref(document)).made;
        if !document.contains_key("_id") {
            for document in &mut made {
                document.remove("_id");
            }
        }
        made
    });
    Insert { collection: ground.collection.into(), documents: documents.collect(), ordered: insert.ordered }
}

fn updated(ground: &Ground<'_>, update: &Update) -> Result<Rephrased, NoCounterpart> {
    let mut spec = update.spec.clone();
    spec.hint = None;
    match &update.spec.modify {
        Modify::Pipeline(_) => return Err(NoCounterpart::ChangeByReplacement),
        Modify::Replacement(document) => {
            if !same_documents(ground) {
                return Err(NoCounterpart::ChangeByReplacement);
            }
            let made = inserted(ground, &Insert { documents: vec![document.clone()], ..Insert::default() }).documents;
            spec.modify = Modify::Replacement(made.into_iter().next().unwrap_or_default());
            spec.filter = rephrase_filter(ground, &spec.filter)?.0;
        }
        Modify::Operators(operators) => return change::update(ground, spec, operators),
    }
    Ok(rephrased(Command::Update(Update { collection: ground.collection.into(), spec })))
}

/// Rows of an entity go with it; a row by itself is an attribute, and taking it out is a change elsewhere.
fn deleted(ground: &Ground<'_>, delete: &Delete) -> Result<Rephrased, NoCounterpart> {
    let ask: Ask = read::read_filter(ground.from, &delete.filter)?;
    let mut delete = Delete { collection: ground.collection.into(), hint: None, ..delete.clone() };
    if !same_documents(ground) {
        if ask.about_attributes() || !delete.multi && ground.from.form.place() == Place::Rows {
            return Err(NoCounterpart::ChangeByReplacement);
        }
        delete.multi = true;
    }
    let mut writer = ground.writer();
    delete.filter = writer.filter(&ask)?;
    Ok(Rephrased { command: Command::Delete(delete), notes: writer.notes })
}
