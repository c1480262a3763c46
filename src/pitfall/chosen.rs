//! Which commands of a text are looked at: a text may run thousands of them, and one may hold a million values.

use crate::engine::{Command, Database, Modify};
use crate::pitfall::moments::changes_data;
use crate::shell::Ran;
use crate::value::{Bson, Document};

/// A command that holds more values than this is not looked at: every pitfall would go through them all.
const VALUES: usize = 5_000;
/// So many commands of a text are looked at where there is little data.
const MOST: usize = 100;
/// So many commands are looked at however much data there is.
const LEAST: usize = 10;
/// What the commands looked at may ask together: their number times the documents of the largest collection.
const DOCUMENTS: usize = 200_000;

/// The commands of a text that are looked at.
#[derive(Debug, Default)]
pub(super) struct Chosen<'a> {
    /// Those before, which are not, though what they changed counts.
    pub earlier: &'a [Ran],
    /// The commands; none where all are.
    pub ran: Option<Vec<Ran>>,
    /// How many are left out.
    pub left_out: usize,
}

/// Chooses the last commands of a text, as many as the data allows, and of those all that are not too long. Where the first
/// commands are `lost`, only the data as they are at the end are known, so only what looked at those is chosen.
pub(super) fn chosen<'a>(ran: &'a [Ran], lost: usize, data: &Database) -> Chosen<'a> {
    let largest = ran.iter().rev().take(MOST).filter_map(|ran| documents(ran, data)).max().unwrap_or_default();
    let most = DOCUMENTS.checked_div(largest).unwrap_or(MOST).clamp(LEAST, MOST);
    let is_long_change = |ran: &Ran| changes(&ran.command) && is_long(&ran.command);
    let is_in_the_way = |ran: &Ran| is_long_change(ran) || (lost > 0 && changes_data(ran));
    let behind = ran.iter().rposition(is_in_the_way).map_or(0, |at| at + 1);
    let (earlier, last) = ran.split_at(behind.max(ran.len().saturating_sub(most)));
    if earlier.is_empty() && !last.iter().any(|ran| is_long(&ran.command)) {
        return Chosen::default();
    }
    let kept: Vec<Ran> = last.iter().filter(|ran| !is_long(&ran.command)).cloned().collect();
    Chosen { earlier, left_out: lost + ran.len() - kept.len(), ran: Some(kept) }
}

fn changes(command: &Command) -> bool {
    matches!(command, Command::Update(_) | Command::FindAndModify(_) | Command::Delete(_))
}

fn documents(ran: &Ran, data: &Database) -> Option<usize> {
    Some(data.collection(ran.command.collection()?)?.len())
}

/// Whether a command holds more values than can be gone through again and again; what it stores does not count.
pub(super) fn is_long(command: &Command) -> bool {
    let mut left = VALUES;
    !parts(command.explained()).into_iter().all(|part| fits(part, &mut left))
}

/// The documents of a command that are gone through.
fn parts(command: &Command) -> Vec<&Document> {
    match command {
        Command::Find(find) => std::iter::once(&find.filter).chain(&find.projection).collect(),
        Command::Count(count) => vec![&count.filter],
        Command::Distinct(distinct) => vec![&distinct.filter],
        Command::Delete(delete) => vec![&delete.filter],
        Command::Aggregate(aggregate) => aggregate.pipeline.iter().collect(),
        Command::Update(update) => {
            let filters = std::iter::once(&update.spec.filter).chain(&update.spec.array_filters);
            filters.chain(modified(&update.spec.modify)).collect()
        }
        Command::FindAndModify(modify) => {
            let filters = std::iter::once(&modify.filter).chain(&modify.array_filters);
            filters.chain(modify.modify.iter().flat_map(modified)).collect()
        }
        _ => Vec::new(),
    }
}

fn modified(modify: &Modify) -> &[Document] {
    match modify {
        Modify::Operators(change) | Modify::Replacement(change) => std::slice::from_ref(change),
        Modify::Pipeline(stages) => stages,
    }
}

/// Whether the values of a document are no more than are left.
fn fits(document: &Document, left: &mut usize) -> bool {
    document.values().all(|value| value_fits(value, left))
}

fn value_fits(value: &Bson, left: &mut usize) -> bool {
    *left = left.saturating_sub(1);
    *left > 0
        && match value {
            Bson::Document(inner) => fits(inner, left),
            Bson::Array(items) => items.iter().all(|item| value_fits(item, left)),
            _ => true,
        }
}
