//! Which documents a write is about.

use crate::engine::{Database, UpdateSpec};
use crate::error::Result;
use crate::query::expr::Context;
use crate::query::{Collation, Filter, Matcher, SortPattern, Witness};
use crate::store::{Direction, RecordId};
use crate::value::{Bson, Document, RawDocument};

/// A document to be written, and the array position that `$` stands for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub(super) id: RecordId,
    pub(super) position: Option<usize>,
}

/// How a write looks for its documents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search<'a> {
    pub(super) filter: &'a Document,
    pub(super) sort: Option<&'a Document>,
    pub(super) multi: bool,
    pub(super) collation: Option<&'a Document>,
    pub(super) hint: Option<&'a Bson>,
    pub(super) variables: Option<&'a Document>,
}

impl<'a> Search<'a> {
    pub(super) fn of_update(spec: &'a UpdateSpec) -> Self {
        Self {
            filter: &spec.filter,
            sort: None,
            multi: spec.multi,
            collation: spec.collation.as_ref(),
            hint: spec.hint.as_ref(),
            variables: spec.variables.as_ref(),
        }
    }
}

/// Finds the documents, before any of them is written: no write is seen by the search that led to it.
pub(super) fn targets(database: &Database, name: &str, search: &Search<'_>) -> Result<Vec<Target>> {
    let collation = Collation::parse(search.collation).map_err(|error| error.inside_field("collation"))?;
    let mut context = Context::new(database.source.clone()).with_collation(collation.clone());
    if let Some(variables) = search.variables {
        context.bind(variables).map_err(|error| error.inside_field("let"))?;
    }
    let placed = |error: crate::error::CommandError| error.inside_field("filter");
    let filter = Filter::parse_with(search.filter, &context.scope()).map_err(placed)?;
    let matcher = Matcher::with_context(&filter, context).map_err(placed)?;
    let Some(collection) = database.catalog.get(name) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for (id, document) in collection.scan(Direction::Ascending).filter(|(_, document)| matcher.matches(*document)) {
        found.push((id, document));
        if !search.multi && search.sort.is_none() {
            break;
        }
    }
    matcher.check()?;
    if let Some(pattern) = search.sort {
        let pattern = SortPattern::parse(pattern, collation).map_err(|error| error.inside_field("sort"))?;
        let mut keyed = found
            .into_iter()
            .map(|(id, document)| Ok((pattern.key(document)?, id, document)))
            .collect::<Result<Vec<_>>>()?;
        keyed.sort_by(|(left, ..), (right, ..)| pattern.compare(left, right));
        found = keyed.into_iter().map(|(_, id, document)| (id, document)).collect();
        found.truncate(if search.multi { usize::MAX } else { 1 });
    }
    let target = |(id, document): (RecordId, &RawDocument)| {
        let mut witness = Witness::default();
        matcher.judge(document, &mut witness);
        Target { id, position: witness.position() }
    };
    Ok(found.into_iter().map(target).collect())
}
