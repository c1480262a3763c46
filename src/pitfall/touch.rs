//! What a command names: its collection, and every path it speaks of with the value beside it.

use crate::engine::{BulkOperation, Command, Modify, UpdateSpec};
use crate::error::{CommandPath, Step};
use crate::pitfall::question::named_array;
use crate::shell::Ran;
use crate::store::AttributeFacts;
use crate::value::{Bson, Document};

/// Of an insert, the first documents speak for the rest.
const READ: usize = 20;

/// A command with the paths it names.
#[derive(Debug, Clone)]
pub struct Touch<'a> {
    /// The command's run.
    pub ran: &'a Ran,
    /// The command; of an explain, the one explained.
    pub command: &'a Command,
    /// The collection.
    pub collection: &'a str,
    /// The paths it names.
    pub mentions: Vec<Mention<'a>>,
}

/// A path that a command names; positions of update operators are left out.
#[derive(Debug, Clone)]
pub struct Mention<'a> {
    /// The path.
    pub path: String,
    /// The value beside it; a field path of a pipeline names itself.
    pub value: &'a Bson,
    /// Where it is named.
    pub part: Part,
}

/// The part of a command that names a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A filter.
    Filter,
    /// A sort, an index key, the path of `distinct`.
    Order,
    /// A document or value to be stored.
    Stored,
    /// A pipeline.
    Pipeline,
}

/// What a run's command names; none where it names no paths of a collection.
#[must_use]
pub fn of(ran: &Ran) -> Option<Touch<'_>> {
    let command = ran.command.explained();
    let collection = command.collection()?;
    let mut mentions = Vec::new();
    gather(command, &mut mentions);
    Some(Touch { ran, command, collection, mentions })
}

/// What a command names.
#[must_use]
pub fn mentions(command: &Command) -> Vec<Mention<'_>> {
    let mut mentions = Vec::new();
    gather(command.explained(), &mut mentions);
    mentions
}

impl Touch<'_> {
    /// Whether a path, or one below it, is named in one of these parts.
    #[must_use]
    pub fn names(&self, path: &str, parts: &[Part]) -> bool {
        self.mentions.iter().any(|mention| parts.contains(&mention.part) && lies_at(&mention.path, path))
    }

    /// The attribute keys it names as literals in one of these parts, each once.
    #[must_use]
    pub fn keys(&self, array: &AttributeFacts, parts: &[Part]) -> Vec<&str> {
        let place = format!("{}.{}", array.path, array.key);
        let named = self.mentions.iter().filter(|mention| parts.contains(&mention.part) && mention.path == place);
        let mut keys: Vec<&str> = named.filter_map(|mention| mention.value.as_str()).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Where a key is named first; the filter where it is not named.
    #[must_use]
    pub fn place_of_key(&self, array: &AttributeFacts, key: &str) -> CommandPath {
        let place = format!("{}.{}", array.path, array.key);
        let named = self.mentions.iter().find(|mention| mention.path == place && mention.value.as_str() == Some(key));
        let at = named.and_then(|mention| place_of(self.command, mention.value));
        at.unwrap_or_else(|| CommandPath::argument("filter"))
    }
}

/// Where a value of a command stands in it.
fn place_of(command: &Command, value: &Bson) -> Option<CommandPath> {
    let mut at = Vec::new();
    arguments(command).into_iter().find_map(|(argument, documents)| {
        at.clear();
        at.push(Step::Field(argument.to_owned()));
        let found = match documents {
            Argument::One(document) => leads_to(document, value, &mut at),
            Argument::List(list) => list.iter().enumerate().any(|(position, document)| {
                at.truncate(1);
                at.push(Step::Index(position));
                leads_to(document, value, &mut at)
            }),
        };
        found.then(|| CommandPath(at.clone()))
    })
}

/// The documents that a command was given.
enum Argument<'a> {
    One(&'a Document),
    List(&'a [Document]),
}

/// The arguments of a command that name paths.
fn arguments(command: &Command) -> Vec<(&'static str, Argument<'_>)> {
    let mut found: Vec<(&'static str, Argument<'_>)> = Vec::new();
    match command.modify() {
        Some(Modify::Operators(change) | Modify::Replacement(change)) => found.push(("update", Argument::One(change))),
        Some(Modify::Pipeline(stages)) => found.push(("update", Argument::List(stages))),
        None => {}
    }
    found.extend(command.filter().map(|filter| ("filter", Argument::One(filter))));
    match command {
        Command::Insert(insert) => found.push(("documents", Argument::List(&insert.documents))),
        Command::Aggregate(aggregate) => found.push(("pipeline", Argument::List(&aggregate.pipeline))),
        Command::Update(update) => found.push(("arrayFilters", Argument::List(&update.spec.array_filters))),
        Command::FindAndModify(modify) => found.push(("arrayFilters", Argument::List(&modify.array_filters))),
        _ => {}
    }
    found
}

/// Whether a value stands in a document; the steps to it are added.
fn leads_to(document: &Document, value: &Bson, at: &mut Vec<Step>) -> bool {
    let depth = at.len();
    document.iter().any(|(name, own)| {
        at.truncate(depth);
        at.push(Step::Field(name.clone()));
        holds(own, value, at)
    })
}

fn holds(own: &Bson, value: &Bson, at: &mut Vec<Step>) -> bool {
    let depth = at.len();
    match own {
        _ if std::ptr::eq(own, value) => true,
        Bson::Document(inner) => leads_to(inner, value, at),
        Bson::Array(list) => list.iter().enumerate().any(|(position, own)| {
            at.truncate(depth);
            at.push(Step::Index(position));
            holds(own, value, at)
        }),
        _ => false,
    }
}

/// Whether a path is another one or below it.
fn lies_at(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| above.is_empty() || rest.is_empty() || rest.starts_with('.'))
}

fn gather<'a>(command: &'a Command, out: &mut Vec<Mention<'a>>) {
    match command {
        Command::Find(find) => {
            document(&find.filter, Part::Filter, out);
            find.sort.iter().for_each(|sort| document(sort, Part::Order, out));
        }
        Command::Count(count) => document(&count.filter, Part::Filter, out),
        Command::Delete(delete) => document(&delete.filter, Part::Filter, out),
        Command::Distinct(distinct) => {
            out.push(Mention { path: distinct.key.clone(), value: &Bson::Null, part: Part::Order });
            document(&distinct.filter, Part::Filter, out);
        }
        Command::Insert(insert) => {
            insert.documents.iter().take(READ).for_each(|inserted| document(inserted, Part::Stored, out));
        }
        Command::Update(update) => {
            change(&update.spec.modify, out);
            document(&update.spec.filter, Part::Filter, out);
            identified(Some(&update.spec.modify), &update.spec.array_filters, out);
        }
        Command::FindAndModify(modify) => {
            modify.modify.iter().for_each(|modify| change(modify, out));
            identified(modify.modify.as_ref(), &modify.array_filters, out);
            modify.sort.iter().for_each(|sort| document(sort, Part::Order, out));
            document(&modify.filter, Part::Filter, out);
        }
        Command::BulkWrite(bulk) => bulk.operations.iter().take(READ).for_each(|operation| operated(operation, out)),
        Command::CreateIndexes(create) => {
            create.indexes.iter().for_each(|index| document(&index.keys, Part::Order, out));
        }
        Command::Aggregate(aggregate) => pipeline(&aggregate.pipeline, out),
        _ => {}
    }
}

fn operated<'a>(operation: &'a BulkOperation, out: &mut Vec<Mention<'a>>) {
    match operation {
        BulkOperation::Insert(inserted) => document(inserted, Part::Stored, out),
        BulkOperation::Update(spec) => {
            let UpdateSpec { filter, modify, array_filters, .. } = spec.as_ref();
            document(filter, Part::Filter, out);
            identified(Some(modify), array_filters, out);
            change(modify, out);
        }
        BulkOperation::Delete { filter, .. } => document(filter, Part::Filter, out),
    }
}

fn change<'a>(modify: &'a Modify, out: &mut Vec<Mention<'a>>) {
    match modify {
        Modify::Operators(change) | Modify::Replacement(change) => document(change, Part::Stored, out),
        Modify::Pipeline(stages) => pipeline(stages, out),
    }
}

/// The paths of array filters: what an identifier stands for is the array before it in the update.
fn identified<'a>(modify: Option<&'a Modify>, filters: &'a [Document], out: &mut Vec<Mention<'a>>) {
    let Some(Modify::Operators(operators)) = modify else { return };
    for (name, value) in filters.iter().flatten() {
        let (head, rest) = name.split_once('.').unwrap_or((name, ""));
        if let Some(array) = named_array(operators, &format!("$[{head}]")) {
            walk(value, &joined(&array.to_string(), rest), Part::Filter, out);
        }
    }
}

fn pipeline<'a>(stages: &'a [Document], out: &mut Vec<Mention<'a>>) {
    for (name, value) in stages.iter().flatten() {
        let part = match name.as_str() {
            "$match" => Part::Filter,
            "$sort" => Part::Order,
            _ => Part::Pipeline,
        };
        walk(value, "", part, out);
    }
}

fn document<'a>(document: &'a Document, part: Part, out: &mut Vec<Mention<'a>>) {
    document.iter().for_each(|(name, value)| walk(value, &joined("", name), part, out));
}

fn walk<'a>(value: &'a Bson, path: &str, part: Part, out: &mut Vec<Mention<'a>>) {
    match value {
        Bson::Document(inner) => inner.iter().for_each(|(name, value)| walk(value, &joined(path, name), part, out)),
        Bson::Array(list) => list.iter().for_each(|value| walk(value, path, part, out)),
        Bson::String(text) if part == Part::Pipeline && text.starts_with('$') => {
            let read = text.strip_prefix('$').filter(|rest| !rest.starts_with('$')).unwrap_or(path);
            out.push(Mention { path: read.to_owned(), value, part });
        }
        leaf => out.push(Mention { path: path.to_owned(), value: leaf, part }),
    }
}

/// The path one name deeper; operators and positional parts add nothing.
fn joined(path: &str, name: &str) -> String {
    let parts = name.split('.').filter(|part| !part.starts_with('$') && !part.is_empty());
    let all: Vec<&str> = std::iter::once(path).filter(|path| !path.is_empty()).chain(parts).collect();
    all.join(".")
}
