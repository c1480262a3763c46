//! What commands gave, so far as two statements can be compared by it.

use crate::engine::{Command, Database, Reply, Run};
use crate::shell::Ran;
use crate::store::Direction;
use crate::value::{Bson, Document, View, compare, encode, identical};

/// What commands gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Gave {
    /// The rows of the last answer that has some.
    pub rows: Option<Vec<Bson>>,
    /// The documents stored afterwards, where something was written.
    pub stored: Option<Vec<Bson>>,
}

/// How strictly two answers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measure {
    /// Whether rows have to be equal as a whole; else their `_id`s.
    pub whole: bool,
    /// Whether their order counts.
    pub ordered: bool,
}

impl Measure {
    /// The measure for two commands: the order counts where the first sorts, whole rows where both are of one kind.
    #[must_use]
    pub fn of(first: &Command, second: &Command) -> Self {
        let whole = std::mem::discriminant(first) == std::mem::discriminant(second);
        Self { whole, ordered: sorts(first) }
    }
}

fn sorts(command: &Command) -> bool {
    match command {
        Command::Find(find) => find.sort.as_ref().is_some_and(|sort| !sort.is_empty()),
        Command::Aggregate(aggregate) => aggregate.pipeline.iter().any(|stage| stage.contains_key("$sort")),
        Command::Explain { command, .. } => sorts(command),
        _ => false,
    }
}

impl Gave {
    /// What runs gave and left in a collection; none where one of them was refused.
    #[must_use]
    pub fn of(ran: &[Ran], after: &Database, collection: &str) -> Option<Self> {
        let runs: Vec<&Run> = ran.iter().map(|ran| ran.result.as_deref().ok()).collect::<Option<_>>()?;
        Some(Self::of_runs(&runs, after, collection))
    }

    /// What runs gave and left in a collection.
    #[must_use]
    pub fn of_runs(runs: &[&Run], after: &Database, collection: &str) -> Self {
        let wrote = runs.iter().any(|run| !run.writes.documents.is_empty());
        let rows = runs.iter().rev().find_map(|run| rows(&run.reply));
        Self { rows, stored: wrote.then(|| stored(after, collection)) }
    }

    /// Whether another answer says the same: of statements that write by what is stored, else by the rows.
    #[must_use]
    pub fn same(&self, other: &Self, measure: Measure, writes: bool) -> bool {
        if writes {
            return same_rows(self.stored.as_deref(), other.stored.as_deref());
        }
        let part = |rows: &Vec<Bson>| {
            let part = |row: &Bson| match row.as_document().filter(|_| !measure.whole) {
                Some(row) => row.get("_id").cloned().unwrap_or(Bson::Null),
                None => row.clone(),
            };
            let mut rows: Vec<Bson> = rows.iter().map(part).collect();
            if !measure.ordered {
                sort(&mut rows);
            }
            rows
        };
        same_rows(self.rows.as_ref().map(part).as_deref(), other.rows.as_ref().map(part).as_deref())
    }
}

/// Whether two lists hold the same in the same order. NaN, which is equal to nothing, is the same as itself.
fn same_rows(one: Option<&[Bson]>, other: Option<&[Bson]>) -> bool {
    let same = |(one, other): (&Bson, &Bson)| one == other || identical(one.into(), other.into());
    match (one, other) {
        (Some(one), Some(other)) => one.len() == other.len() && one.iter().zip(other).all(same),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Sorts rows so that two lists of the same rows are in the same order: what MongoDB holds for equal, as 1 and 1.0, by its
/// bytes.
fn sort(rows: &mut [Bson]) {
    let bytes = |row: &Bson| encode([("", row)].into_iter()).document.into_bytes();
    rows.sort_by(|a, b| compare(View::from(a), View::from(b)).then_with(|| bytes(a).cmp(&bytes(b))));
}

fn rows(reply: &Reply) -> Option<Vec<Bson>> {
    match reply {
        Reply::Documents(list) => {
            Some(list.iter().filter_map(|raw| Document::try_from(raw.as_ref()).ok()).map(Bson::Document).collect())
        }
        Reply::Values(values) => Some(values.clone()),
        Reply::Count(count) => Some(vec![Bson::Int64(i64::try_from(*count).unwrap_or(i64::MAX))]),
        _ => None,
    }
}

/// The documents of a collection by `_id`.
fn stored(database: &Database, collection: &str) -> Vec<Bson> {
    let held = database.collection(collection).into_iter().flat_map(|held| held.scan(Direction::Ascending));
    let mut all: Vec<Bson> =
        held.filter_map(|(_, document)| Document::try_from(document).ok()).map(Bson::Document).collect();
    let id = |value: &Bson| value.as_document().and_then(|document| document.get("_id")).cloned().unwrap_or(Bson::Null);
    all.sort_by(|a, b| compare(View::from(&id(a)), View::from(&id(b))));
    all
}
