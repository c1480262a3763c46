//! `$graphLookup`: documents of a collection that hang together, breadth first
//! (`src/mongo/db/pipeline/document_source_graph_lookup.cpp`).

use std::collections::{HashSet, VecDeque};

use crate::error::{CommandError, ErrorCode, Result};
use crate::query::Filter;
use crate::query::expr::{Expression, Reads, Scope, Value};
use crate::value::{
    Bson, DocView, Document, Path, RawDocumentBuf, View, exact_long, field_path, type_alias, values_along,
};

use super::flow::{Run, Stream, drain, each};
use super::landing::Landing;
use super::leading::Leading;
use super::row::{Row, with_path};
use super::unwind::Unwind;
use crate::query::expr::key_of;

/// The stage.
#[derive(Debug, Clone)]
pub struct GraphLookup {
    from: String,
    start: Expression,
    connect_from: Path,
    connect_to: Path,
    pub into: Landing,
    max_depth: Option<i64>,
    depth_field: Option<Path>,
    restrict: Option<Filter>,
    written: Document,
}

impl GraphLookup {
    /// Parses the stage.
    ///
    /// # Errors
    /// `FailedToParse` for what is no document or names no collection, 40100 to 40105 and 40185 for other operands that are
    /// missing, unknown or of the wrong type.
    pub fn parse(value: &Bson, scope: &Scope) -> Result<Self> {
        let Bson::Document(written) = value else {
            return Err(CommandError::new(
                ErrorCode::FailedToParse,
                format!(
                    "the $graphLookup stage specification must be an object, but found {}",
                    type_alias(value.into())
                ),
            ));
        };
        check_from(written)?;
        for (name, value) in written {
            check_operand(name, value).map_err(|error| error.inside_field(name))?;
        }
        let missing = || {
            let message = "$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and 'connectToField' to be specified.";
            CommandError::new(40105, message)
        };
        let text = |name: &str| written.get_str(name).map_err(|_| missing());
        let restrict = match written.get("restrictSearchWithMatch") {
            Some(Bson::Document(filter)) => Some(Filter::parse_with(filter, scope)?),
            _ => None,
        };
        let start = written.get("startWith").ok_or_else(missing)?;
        Ok(Self {
            from: text("from")?.to_owned(),
            start: Expression::parse(start, scope).map_err(|error| error.inside_field("startWith"))?,
            connect_from: field_path(text("connectFromField")?)?,
            connect_to: field_path(text("connectToField")?)?,
            into: Landing::new(field_path(text("as")?)?),
            max_depth: written.get("maxDepth").and_then(|depth| exact_long(depth.into())),
            depth_field: written.get_str("depthField").ok().map(field_path).transpose()?,
            restrict,
            written: written.clone(),
        })
    }

    /// The stage as explain shows it.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        let mut shown = Document::new();
        for name in [
            "from",
            "as",
            "connectToField",
            "connectFromField",
            "startWith",
            "depthField",
            "maxDepth",
            "restrictSearchWithMatch",
        ] {
            shown.extend(self.written.get(name).map(|value| (name.to_owned(), value.clone())));
        }
        shown.extend(self.into.shown());
        Bson::Document(shown)
    }

    /// Adds what the stage reads of its own documents.
    pub fn reads(&self, reads: &mut Reads) {
        self.start.reads(reads);
    }

    /// The stage that does the work of a `$unwind` behind it as well; none unless that is of what it writes.
    #[must_use]
    pub fn with_unwind(&self, unwind: &Unwind) -> Option<Self> {
        Some(Self { into: self.into.with_unwind(unwind)?, ..self.clone() })
    }

    /// Opens the stage.
    #[must_use]
    pub fn open<'s>(&'s self, mut input: Stream<'s>, run: Run<'s>) -> Stream<'s> {
        let mut pending = VecDeque::new();
        each(move || {
            while pending.is_empty() {
                let Some(row) = input.next()? else { return Ok(None) };
                let found = self.search(&row, run)?;
                pending.extend(self.into.rows(row.raw().into(), &found));
            }
            Ok(pending.pop_front())
        })
    }

    fn search(&self, row: &Row<'_>, run: Run<'_>) -> Result<Vec<RawDocumentBuf>> {
        let start = self.start.evaluate(&run.context.env(row.root()))?;
        let mut seen = Seen { run, values: HashSet::new(), ids: HashSet::new() };
        let mut frontier = seen.fresh(starts(&start));
        let mut found = Vec::new();
        let mut depth = 0;
        while !frontier.is_empty() && self.max_depth.is_none_or(|most| depth <= most) {
            let mut next = Vec::new();
            for document in self.step(std::mem::take(&mut frontier), run)? {
                let view = DocView::Raw(&document);
                if !seen.ids.insert(key_of(view.get("_id"), run.context.collation())) {
                    continue;
                }
                next.extend(seen.fresh(values_along(view, &self.connect_from)));
                found.push(match &self.depth_field {
                    Some(field) => with_path(view, field.parts(), Some(View::Int64(depth))),
                    None => document,
                });
            }
            frontier = next;
            depth += 1;
        }
        Ok(found)
    }

    /// The documents that the frontier leads to.
    fn step(&self, frontier: Vec<Bson>, run: Run<'_>) -> Result<Vec<RawDocumentBuf>> {
        let connected = Filter::any_of(&self.connect_to, frontier)?;
        let filter = match &self.restrict {
            Some(restrict) => Filter::And(vec![connected, restrict.clone()]).normalised(),
            None => connected,
        };
        let leading = Leading { filter: Some(filter), id_hack: true, ..Leading::default() };
        let rows = drain(run.reader.open(&self.from, &leading, run.context, run.meter)?)?;
        Ok(rows.into_iter().map(Row::into_raw).collect())
    }
}

/// The collection is looked for before anything else is parsed (`DocumentSourceGraphLookUp::LiteParsed::parse`).
fn check_from(written: &Document) -> Result<()> {
    let failed = |message| Err(CommandError::new(ErrorCode::FailedToParse, message));
    match written.get("from") {
        Some(Bson::String(_)) => Ok(()),
        Some(other) => {
            let found = type_alias(other.into());
            failed(format!("$graphLookup 'from' field must be a string, but found {found}"))
                .map_err(|error| error.inside_field("from"))
        }
        None => {
            let shown = crate::query::expr::show_stored(written);
            failed(format!("missing 'from' option to $graphLookup stage specification: {shown}"))
        }
    }
}

fn check_operand(name: &str, value: &Bson) -> Result<()> {
    let found = type_alias(value.into());
    match (name, value) {
        ("startWith", _) => Ok(()),
        ("restrictSearchWithMatch", Bson::Document(_)) => Ok(()),
        ("restrictSearchWithMatch", _) => {
            Err(CommandError::new(40185, format!("restrictSearchWithMatch must be an object, found {found}")))
        }
        ("maxDepth", Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_)) => {
            let shown = crate::query::expr::show_stored_value(value.into());
            match exact_long(value.into()) {
                Some(0..) => Ok(()),
                Some(_) => {
                    Err(CommandError::new(40101, format!("maxDepth requires a nonnegative argument, found: {shown}")))
                }
                None => {
                    Err(CommandError::new(40102, format!("maxDepth could not be represented as a long long: {shown}")))
                }
            }
        }
        ("maxDepth", _) => Err(CommandError::new(40100, format!("maxDepth must be numeric, found type: {found}"))),
        ("from" | "as" | "connectFromField" | "connectToField" | "depthField", Bson::String(_)) => Ok(()),
        ("from" | "as" | "connectFromField" | "connectToField" | "depthField", _) => {
            Err(CommandError::new(40103, format!("expected string as argument for {name}, found: {found}")))
        }
        _ => Err(CommandError::new(40104, format!("Unknown argument to $graphLookup: {name}"))),
    }
}

/// Where the search starts: of an array at its elements; a missing value leads nowhere.
fn starts<'v>(value: &'v Value<'_>) -> Vec<View<'v>> {
    match value.array() {
        Some(array) => array.iter().collect(),
        None => value.view().into_iter().collect(),
    }
}

/// Values and documents met already.
struct Seen<'r> {
    run: Run<'r>,
    values: HashSet<Vec<u8>>,
    ids: HashSet<Vec<u8>>,
}

impl Seen<'_> {
    /// Those values that were not met before.
    fn fresh(&mut self, items: Vec<View<'_>>) -> Vec<Bson> {
        let mut fresh = Vec::new();
        for item in items {
            if self.values.insert(key_of(Some(item), self.run.context.collation())) {
                fresh.push(item.to_bson());
            }
        }
        fresh
    }
}
