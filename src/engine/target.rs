//! Which documents a write is about: found through the planner, as a read finds them.

use crate::engine::read::Asked;
use crate::engine::{Database, Modify};
use crate::error::Result;
use crate::plan::{CanonicalQuery, Explain, Mode, Purpose, Writing};
use crate::query::{Matcher, Witness};
use crate::store::RecordId;
use crate::value::{Bson, Document};

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

/// Finds documents to be changed, before any of them is: no write is seen by the search that led to it.
pub(super) fn targets(database: &mut Database, name: &str, search: &Search<'_>) -> Result<Vec<Target>> {
    let mut asked = Asked::filter(search.filter);
    asked.sort = search.sort;
    asked.limit = (!search.multi).then_some(1);
    asked.collation = search.collation;
    asked.hint = search.hint;
    asked.variables = search.variables;
    let query = asked.canonical(Purpose::Update(Writing::default()), &database.source)?;
    Ok(found(database, name, &query, false)?.0)
}

/// What a query finds, with its explain; positions only where they are asked for.
pub(super) fn found(
    database: &mut Database,
    name: &str,
    query: &CanonicalQuery,
    positions: bool,
) -> Result<(Vec<Target>, Box<Explain>)> {
    let matcher = positions.then(|| Matcher::with_context(&query.filter, query.context.clone())).transpose()?;
    let position = |document: Option<&bson::RawDocument>| {
        let mut witness = Witness::default();
        matcher.as_ref()?.judge(document?, &mut witness);
        witness.position()
    };
    database.reader().answer(name, query, Mode::Answer, &mut (), |hits| {
        Ok(hits.map(|hit| Target { id: hit.record(), position: position(hit.document()) }).collect())
    })
}

/// Whether update operators speak of `$`, the element that matched.
pub(super) fn is_positional(modify: &Modify) -> bool {
    let Modify::Operators(update) = modify else { return false };
    let operands = update.values().filter_map(Bson::as_document);
    let mut paths = operands.flat_map(|operand| operand.iter());
    let names_it = |path: &str| path.split('.').any(|part| part == "$");
    // A `$rename` has a second path, in its value.
    paths.any(|(path, value)| names_it(path) || value.as_str().is_some_and(names_it))
}
