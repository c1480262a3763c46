//! An update, parsed once and applied to many documents.

use super::apply::{self, Scene, shown_id};
use super::filters::ArrayFilters;
use super::parse::{self, Operators};
use super::rename;
use super::storage;
use super::touched::Touched;
use crate::error::{CommandError, ErrorCode, Result};
use crate::query::Collation;
use crate::value::{Bson, DocView, Document, Path, RawDocument, RawDocumentBuf, check_updated, identical_documents};

/// Update operators or a replacement. Pipelines belong to the engine, which ends them with [`super::finished`].
#[derive(Debug, Clone)]
pub struct UpdateProgram {
    change: Change,
    filters: ArrayFilters,
    collation: Collation,
}

#[derive(Debug, Clone)]
enum Change {
    Operators(Box<Operators>),
    Replacement(Document),
}

/// The circumstances of one application.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Application {
    /// The position that `$` stands for: [`crate::query::Witness::position`] of the match.
    pub position: Option<usize>,
    /// Whether the document is being made by an upsert.
    pub insert: bool,
    /// Milliseconds since 1970, for `$currentDate`.
    pub now: i64,
    /// What tells the timestamps of one second apart.
    pub tick: u32,
}

impl UpdateProgram {
    /// Reads update operators; error places begin with the argument, `update` or `arrayFilters`.
    ///
    /// # Errors
    /// MongoDB's refusals: unknown operators, wrong operands, conflicting paths, unused array filters …
    pub fn operators(update: &Document, array_filters: &[Document], collation: &Collation) -> Result<Self> {
        let placed = |error: CommandError| error.inside_field("update");
        storage::check_names(update).map_err(placed)?;
        let filters =
            ArrayFilters::parse(array_filters, collation).map_err(|error| error.inside_field("arrayFilters"))?;
        let operators = parse::operators(update, &filters, collation).map_err(placed)?;
        Ok(Self { change: Change::Operators(Box::new(operators)), filters, collation: collation.clone() })
    }

    /// Takes a whole new document; error places begin with the argument.
    ///
    /// # Errors
    /// `FailedToParse` where array filters are given, `DollarPrefixedFieldName` for a name beginning with `$`.
    pub fn replacement(document: &Document, array_filters: &[Document]) -> Result<Self> {
        if !array_filters.is_empty() {
            let message = "arrayFilters may not be specified for replacement-style updates";
            return Err(CommandError::new(ErrorCode::FailedToParse, message).inside_field("arrayFilters"));
        }
        let placed = |error: CommandError| error.inside_field("update");
        storage::check_names(document).and_then(|()| storage::check_replacement(document)).map_err(placed)?;
        let change = Change::Replacement(document.clone());
        Ok(Self { change, filters: ArrayFilters::default(), collation: Collation::simple() })
    }

    /// Whether the update is a whole new document.
    #[must_use]
    pub fn is_replacement(&self) -> bool {
        matches!(self.change, Change::Replacement(_))
    }

    /// The paths that may change.
    #[must_use]
    pub fn touched(&self) -> &Touched {
        match &self.change {
            Change::Operators(operators) => &operators.touched,
            Change::Replacement(_) => &Touched::All,
        }
    }

    /// The document after the update; none where nothing changes.
    ///
    /// # Errors
    /// MongoDB's refusals for this document; the document given stays as it is in any case.
    pub fn apply(&self, document: &RawDocument, application: Application) -> Result<Option<RawDocumentBuf>> {
        match &self.change {
            Change::Operators(operators) => self.operate(operators, document, application),
            Change::Replacement(replacement) => replace(replacement, document, application.insert),
        }
    }

    fn operate(
        &self,
        operators: &Operators,
        document: &RawDocument,
        application: Application,
    ) -> Result<Option<RawDocumentBuf>> {
        let scene = Scene {
            insert: application.insert,
            position: application.position,
            now: application.now,
            tick: application.tick,
            collation: &self.collation,
            filters: &self.filters,
            document,
            renames: renamed(operators, document)?,
        };
        let Some(after) = apply::apply(&operators.tree, &scene)?.finish() else { return Ok(None) };
        storage::check_id_kept(document, &after)?;
        storage::check_id(&after)?;
        check_updated(after.as_bytes().len(), application.insert)?;
        Ok(Some(after))
    }
}

/// The values that `$rename` moves.
fn renamed(operators: &Operators, document: &RawDocument) -> Result<Vec<(Path, Bson)>> {
    let mut renames = Vec::new();
    if operators.renames.is_empty() {
        return Ok(renames);
    }
    let id = shown_id(document);
    for (source, target) in &operators.renames {
        if let Some(value) = rename::source_value(document.into(), source, &id)? {
            rename::check_target(document.into(), target, &id)?;
            renames.push((source.clone(), value));
        }
    }
    Ok(renames)
}

/// A replacement without an `_id` keeps the old one, in front.
fn replace(replacement: &Document, old: &RawDocument, upsert: bool) -> Result<Option<RawDocumentBuf>> {
    let (before, replacement) = (DocView::from(old), DocView::from(replacement));
    let after = storage::with_id_first(before, replacement);
    if before.get("_id").is_some() {
        storage::check_id_replaced(before, (&after).into())?;
    }
    storage::check_storable(&after, upsert)?;
    Ok(if identical_documents(old, &after) { None } else { Some(after) })
}
