//! `$meta`: what is known of a document beside its fields (`ExpressionMeta`, `src/mongo/db/pipeline/expression.cpp`).

use crate::error::{CommandError, ErrorCode, Result};
use crate::value::{Bson, View};

use super::env::{Env, Scope};
use super::forms::Form;
use super::value::Value;

/// What a document that a plan found is known by (`DocumentMetadataFields`).
#[derive(Debug, Clone, Default)]
pub struct Metadata {
    /// The number of its record.
    pub record_id: Option<i64>,
    /// The index key it was found by, a document; none where no index was read.
    pub index_key: Option<Bson>,
    /// The values it was sorted by, an array; none where nothing was sorted.
    pub sort_key: Option<Bson>,
}

/// One kind of metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetaField {
    /// `recordId`
    RecordId,
    /// `indexKey`
    IndexKey,
    /// `sortKey`
    SortKey,
    /// One that no document here has: it gives nothing, as on a server whose plan does not make it.
    Absent(&'static str),
}

/// Kinds that only search, `$sample` and time series give.
const ABSENT: [&str; 9] = [
    "randVal",
    "searchHighlights",
    "searchScore",
    "searchScoreDetails",
    "searchSequenceToken",
    "searchSortValues",
    "timeseriesBucketMaxTime",
    "timeseriesBucketMinTime",
    "vectorSearchScore",
];

impl MetaField {
    fn name(self) -> &'static str {
        match self {
            Self::RecordId => "recordId",
            Self::IndexKey => "indexKey",
            Self::SortKey => "sortKey",
            Self::Absent(name) => name,
        }
    }

    pub(super) fn to_bson(self) -> Bson {
        self.name().into()
    }

    pub(super) fn evaluate<'a>(self, env: &Env<'a>) -> Value<'a> {
        let value = env.metadata.and_then(|known| match self {
            Self::RecordId => known.record_id.map(View::Int64),
            Self::IndexKey => known.index_key.as_ref().map(View::from),
            Self::SortKey => known.sort_key.as_ref().map(View::from),
            Self::Absent(_) => None,
        });
        value.map_or(Value::Missing, Value::View)
    }
}

/// Refuses the metadata of `$text` and `$geoNear`, which no query here has (`DepsTracker::setNeedsMetadata`).
pub(in crate::query) fn check_available(kind: &str) -> Result<()> {
    let shown = match kind {
        "textScore" => "text score",
        "geoNearDistance" => "$geoNear distance",
        "geoNearPoint" => "$geoNear point",
        _ => return Ok(()),
    };
    Err(CommandError::new(40218, format!("query requires {shown} metadata, but it is not available")))
}

/// Parses the form. Pipelines do not carry what a plan knows, so that only a `find` can ask for it.
pub(super) fn parse(value: &Bson, scope: &Scope) -> Result<Form> {
    let Bson::String(kind) = value else {
        return Err(CommandError::new(17307, "$meta only supports string arguments"));
    };
    check_available(kind)?;
    let field = match kind.as_str() {
        "recordId" => MetaField::RecordId,
        "indexKey" => MetaField::IndexKey,
        "sortKey" => MetaField::SortKey,
        other => match ABSENT.iter().find(|known| **known == other) {
            Some(known) => return Ok(Form::Meta(MetaField::Absent(known))),
            None => return Err(CommandError::new(17308, format!("Unsupported argument to $meta: {kind}"))),
        },
    };
    if !scope.knows_metadata() {
        let message = format!("{{$meta: \"{kind}\"}} is answered by this store in the projection of a find only");
        return Err(CommandError::new(ErrorCode::NotImplemented, message));
    }
    Ok(Form::Meta(field))
}
