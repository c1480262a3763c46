//! `$sort`, with the limit that follows it.

use crate::error::{CommandError, Result};
use crate::query::{Collation, SortKey, SortPattern};
use crate::value::{Bson, Document, field_path};

use super::flow::{Run, Stream, each, gathered, listed};
use super::row::Row;

/// The stage.
#[derive(Debug, Clone)]
pub struct Sort {
    /// As written.
    pub pattern: Document,
    /// How many are kept, where a `$limit` follows.
    pub limit: Option<u64>,
}

impl Sort {
    /// Parses the stage.
    ///
    /// # Errors
    /// 15973 for what is no document, 15976 for an empty one, and the refusals of sort patterns.
    pub fn parse(value: &Bson) -> Result<Self> {
        let Bson::Document(pattern) = value else {
            return Err(CommandError::new(15973, "the $sort key specification must be an object"));
        };
        if pattern.is_empty() {
            return Err(CommandError::new(15976, "$sort stage must have at least one sort key"));
        }
        sort_pattern(pattern)?;
        Ok(Self { pattern: pattern.clone(), limit: None })
    }

    /// The stage as explain shows it.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        let mut key = Document::new();
        key.insert("sortKey", self.pattern.clone());
        if let Some(limit) = self.limit {
            key.insert("limit", i64::try_from(limit).unwrap_or(i64::MAX));
        }
        Bson::Document(key)
    }

    /// Opens the stage.
    pub fn open<'s>(&'s self, input: Stream<'s>, run: Run<'s>) -> Result<Stream<'s>> {
        let pattern = SortPattern::parse(&self.pattern, run.context.collation().clone())?;
        let limit = self.limit.and_then(|limit| usize::try_from(limit).ok());
        Ok(gathered(input, move |mut input| {
            let weighed = each(move || {
                let row = input.next()?;
                if let (Some(meter), Some(row)) = (run.meter, &row) {
                    meter.add_bytes(row.raw().as_bytes().len());
                }
                Ok(row)
            });
            Ok(listed(sorted(&pattern, limit, weighed)?))
        }))
    }
}

/// Reads an order as stages take one: each name is a path, so that there is no `$natural` (`SortPattern::SortPattern`,
/// `src/mongo/db/query/sort_pattern.cpp`).
///
/// # Errors
/// 16410 for `$natural`, and the refusals of sort patterns.
pub fn sort_pattern(pattern: &Document) -> Result<SortPattern> {
    if pattern.contains_key("$natural") {
        field_path("$natural").map_err(|error| error.inside_field("$natural"))?;
    }
    SortPattern::parse(pattern, Collation::simple())
}

/// Draws everything and sorts it; equal keys keep their order. With a limit only so many are held.
pub fn sorted<'s>(pattern: &SortPattern, limit: Option<usize>, mut input: Stream<'s>) -> Result<Vec<Row<'s>>> {
    let mut keyed: Vec<(SortKey, usize, Row<'s>)> = Vec::new();
    let mut seen = 0;
    while let Some(row) = input.next()? {
        let key = pattern.key(row.raw())?;
        keyed.push((key, seen, row));
        seen += 1;
        if limit.is_some_and(|limit| keyed.len() >= 2 * limit.max(1) + 64) {
            shorten(pattern, &mut keyed, limit.unwrap_or(usize::MAX));
        }
    }
    shorten(pattern, &mut keyed, limit.unwrap_or(usize::MAX));
    Ok(keyed.into_iter().map(|(_, _, row)| row).collect())
}

fn shorten(pattern: &SortPattern, keyed: &mut Vec<(SortKey, usize, Row<'_>)>, limit: usize) {
    keyed.sort_by(|(left, a, _), (right, b, _)| pattern.compare(left, right).then(a.cmp(b)));
    keyed.truncate(limit);
}
