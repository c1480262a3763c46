//! A query in the form the planner works on (`CanonicalQuery`).

use std::sync::Arc;

use crate::query::expr::{Context, MetaField};
use crate::query::{Collation, Filter, Projection};
use crate::store::Direction;
use crate::value::{Bson, Document, Source, is_below_zero};

use super::sorts::Order;

/// What the results are for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Documents are given back.
    #[default]
    Find,
    /// Results are only counted.
    Count,
    /// An empty document stands for each result: the pipeline that takes them reads no field
    /// (`shouldProduceEmptyDocs`, `pipeline_d.cpp`).
    EmptyDocuments,
    /// The values of one path are asked for.
    Distinct(String),
    /// One document of each value of a path is wanted: the first in the order asked for, or the last.
    OnePerValue {
        /// The path, dotted.
        path: String,
        /// Whether it is the last one.
        last: bool,
    },
    /// The documents found are changed; of a limit of 1 the first one only.
    Update(Writing),
    /// The documents found are deleted; of a limit of 1 the first one only.
    Delete(Writing),
}

/// What a write does beside changing or deleting what it finds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Writing {
    /// Whether a document is made where none is found.
    pub upsert: bool,
    /// What is given back.
    pub gives: Gives,
    /// What of it is given back; empty gives all of it.
    pub fields: Document,
}

/// Which documents a write gives back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Gives {
    /// None.
    #[default]
    Nothing,
    /// The one found, as it was; nothing where one was made.
    Before,
    /// The one found, as it is afterwards, or the one made.
    After,
}

/// Whether a filter, as it was typed, asks for one `_id` and nothing else; an operator will not do, `$eq` neither
/// (`CanonicalQuery::isSimpleIdQuery`).
#[must_use]
pub fn is_simple_id(typed: &Document) -> bool {
    let mut fields = typed.iter();
    let (Some(("_id", value)), None) = (fields.next().map(|(name, value)| (name.as_str(), value)), fields.next())
    else {
        return false;
    };
    match value {
        Bson::Document(inner) => !inner.keys().next().is_some_and(|name| name.starts_with('$')),
        other => !matches!(other, Bson::Array(_) | Bson::Null | Bson::Undefined | Bson::RegularExpression(_)),
    }
}

/// A question: filter in normal form, order, window, and what the asker demands of the plan.
#[derive(Debug, Clone)]
pub struct CanonicalQuery<'q> {
    /// The filter, in normal form.
    pub filter: Arc<Filter>,
    /// The order asked for.
    pub sort: Option<Document>,
    /// What is given of a document.
    pub projection: Option<Projection>,
    /// Whether one `_id` asked for may be looked up at once (`IDHACK`): not where the filter was typed in another form than
    /// `{_id: value}`, as the server looks at it as it was typed (`CanonicalQuery::isSimpleIdQuery`).
    pub id_hack: bool,
    /// The filter as it was typed, for the plan cache to tell; none where it was not typed by itself.
    pub typed: Option<&'q Document>,
    /// How many results to pass over.
    pub skip: Option<u64>,
    /// How many results to give at most.
    pub limit: Option<u64>,
    /// An index name, a key pattern, or `{$natural: ±1}`.
    pub hint: Option<Bson>,
    /// Inclusive lower bound on the hinted index.
    pub min: Option<Document>,
    /// Exclusive upper bound on the hinted index.
    pub max: Option<Document>,
    /// Whether index keys are given in place of documents.
    pub return_key: bool,
    /// Whether record ids are shown.
    pub show_record_id: bool,
    /// How text is compared.
    pub collation: Collation,
    /// Variables and clock of expressions in the filter.
    pub context: Context,
    /// What the results are for.
    pub purpose: Purpose,
}

impl Purpose {
    /// Whether it only matters how many results there are (`QueryPlannerParams::IS_COUNT`).
    pub(super) fn is_count_like(&self) -> bool {
        matches!(self, Self::Count | Self::EmptyDocuments)
    }

    /// What a write does, of one.
    pub(super) fn writing(&self) -> Option<&Writing> {
        match self {
            Self::Update(writing) | Self::Delete(writing) => Some(writing),
            _ => None,
        }
    }

    /// Whether documents are changed or deleted.
    pub(super) fn is_write(&self) -> bool {
        self.writing().is_some()
    }
}

impl CanonicalQuery<'_> {
    /// The question for everything a filter, in normal form, matches.
    #[must_use]
    pub fn new(filter: Filter) -> Self {
        Self::within(filter, Context::new(Source::default()))
    }

    /// The question for everything a filter, in normal form, matches, with variables, clock and collation.
    #[must_use]
    pub fn within(filter: Filter, context: Context) -> Self {
        Self {
            filter: Arc::new(filter),
            sort: None,
            projection: None,
            id_hack: true,
            typed: None,
            skip: None,
            limit: None,
            hint: None,
            min: None,
            max: None,
            return_key: false,
            show_record_id: false,
            collation: context.collation().clone(),
            context,
            purpose: Purpose::Find,
        }
    }

    /// Compares text, here and in expressions, by a collation.
    pub fn set_collation(&mut self, collation: Collation) {
        self.context = self.context.clone().with_collation(collation.clone());
        self.collation = collation;
    }

    /// Whether the projection asks for metadata of that kind.
    #[must_use]
    pub fn asks_for(&self, field: MetaField) -> bool {
        self.projection.as_ref().is_some_and(|projection| projection.asks_for(field))
    }

    /// Whether every document matches.
    #[must_use]
    pub fn matches_all(&self) -> bool {
        matches!(&*self.filter, Filter::And(parts) if parts.is_empty())
    }

    /// The filter, unless every document matches.
    pub(super) fn filter_if_any(&self) -> Option<Arc<Filter>> {
        (!self.matches_all()).then(|| Arc::clone(&self.filter))
    }

    /// The order asked for, where an index could give it.
    pub(super) fn order(&self) -> Option<Order> {
        self.sort.as_ref().filter(|sort| !sort.is_empty()).and_then(Order::of)
    }

    /// The direction that a `$natural` hint or sort forces.
    pub(super) fn natural(&self) -> Option<Direction> {
        let hint = self.hint.as_ref().and_then(Bson::as_document);
        let value = [hint, self.sort.as_ref()].into_iter().flatten().find_map(|pattern| pattern.get("$natural"))?;
        let backward = is_below_zero(value.into()) == Some(true);
        Some(if backward { Direction::Descending } else { Direction::Ascending })
    }

    /// Whether results that are only an index key will do: a count, or a projection of `_id` alone.
    pub(super) fn needs_no_document(&self) -> bool {
        if self.purpose.is_count_like() {
            return true;
        }
        let required = self.projection.as_ref().and_then(Projection::required);
        required.is_some_and(|paths| matches!(paths.as_slice(), [only] if only.is("_id")))
    }
}
