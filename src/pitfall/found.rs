//! Which stored documents meet a filter: found as the engine finds them, through an index where one narrows the search.

use crate::plan::{CanonicalQuery, Mode, PlanCache, answer};
use crate::query::{Collation, Filter, Predicate, Test};
use crate::store::{Collection, RecordId};
use crate::value::{Path, RawDocument, doc};

/// Documents with their records, in record order.
pub type Found<'a> = Vec<(RecordId, &'a RawDocument)>;

/// The documents of a collection that meet a filter; none where the filter cannot be asked.
#[must_use]
pub fn found<'a>(held: &'a Collection, filter: &Filter, collation: &Collation) -> Option<Found<'a>> {
    let mut query = CanonicalQuery::new(filter.clone().normalised());
    query.set_collation(collation.clone());
    if !narrows(held, &query.filter) {
        query.hint = Some(doc! {"$natural": 1}.into());
    }
    let mut cache = PlanCache::default();
    let records = answer(Some(held), held.namespace(), &query, &mut cache, Mode::Explain, &mut (), |hits| {
        Ok(hits.map(|hit| hit.record()).collect::<Vec<_>>())
    });
    let (mut records, _) = records.ok()?;
    records.sort_unstable();
    Some(records.into_iter().filter_map(|record| Some((record, held.get(record)?))).collect())
}

/// Whether an index begins with a path that every match is asked about.
fn narrows(held: &Collection, filter: &Filter) -> bool {
    let mut asked = Vec::new();
    positive(filter, &Path::default(), &mut asked);
    let first = held.indexes().iter().filter_map(|index| index.info().parts.first());
    first.into_iter().any(|part| asked.contains(&part.path))
}

/// The paths of the comparisons that every match meets.
fn positive(filter: &Filter, above: &Path, asked: &mut Vec<Path>) {
    match filter {
        Filter::And(parts) => parts.iter().for_each(|part| positive(part, above, asked)),
        Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) => {
            positive(inner, &above.join(path), asked);
        }
        Filter::Field(Predicate { path, test: Test::Compare(..) | Test::In(_) }) => asked.push(above.join(path)),
        _ => {}
    }
}
