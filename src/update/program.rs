//! An update, parsed once and applied to many documents.

use super::apply::{self, Scene};
use super::filters::ArrayFilters;
use super::parse::{self, Operators};
use super::rename;
use super::storage;
use crate::error::{CommandError, ErrorCode, Result};
use crate::query::Collation;
use crate::value::{Document, identical_documents, shown};

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
}

impl UpdateProgram {
    /// Reads update operators; error places are counted from the update document, those of array filters from
    /// `arrayFilters`.
    ///
    /// # Errors
    /// MongoDB's refusals: unknown operators, wrong operands, conflicting paths, unused array filters …
    pub fn operators(update: &Document, array_filters: &[Document], collation: &Collation) -> Result<Self> {
        let filters =
            ArrayFilters::parse(array_filters, collation).map_err(|error| error.inside_field("arrayFilters"))?;
        let operators = parse::operators(update, &filters, collation)?;
        Ok(Self { change: Change::Operators(Box::new(operators)), filters, collation: collation.clone() })
    }

    /// Takes a whole new document.
    ///
    /// # Errors
    /// `FailedToParse` where array filters are given, `DollarPrefixedFieldName` for a name beginning with `$`.
    pub fn replacement(document: &Document, array_filters: &[Document]) -> Result<Self> {
        if !array_filters.is_empty() {
            let message = "arrayFilters may not be specified for replacement-style updates";
            return Err(CommandError::new(ErrorCode::FailedToParse, message));
        }
        storage::check_replacement(document)?;
        let change = Change::Replacement(document.clone());
        Ok(Self { change, filters: ArrayFilters::default(), collation: Collation::simple() })
    }

    /// Whether the update is a whole new document.
    #[must_use]
    pub fn is_replacement(&self) -> bool {
        matches!(self.change, Change::Replacement(_))
    }

    /// The document after the update; none where nothing changes.
    ///
    /// # Errors
    /// MongoDB's refusals for this document; the document given stays as it is in any case.
    pub fn apply(&self, document: &Document, application: Application) -> Result<Option<Document>> {
        match &self.change {
            Change::Operators(operators) => self.operate(operators, document, application),
            Change::Replacement(replacement) => replace(replacement, document),
        }
    }

    fn operate(
        &self,
        operators: &Operators,
        document: &Document,
        application: Application,
    ) -> Result<Option<Document>> {
        let id = document.get("_id").map_or("no id".into(), |id| format!("_id: {}", shown(id)));
        let mut renames = Vec::new();
        for (source, target) in &operators.renames {
            if let Some(value) = rename::source_value(document, source, &id)? {
                rename::check_target(document, target, &id)?;
                renames.push((source.clone(), value));
            }
        }
        let scene = Scene {
            insert: application.insert,
            position: application.position,
            now: application.now,
            collation: &self.collation,
            filters: &self.filters,
            id,
            renames,
        };
        let mut after = document.clone();
        if !apply::apply(&operators.tree, &mut after, &scene)? {
            return Ok(None);
        }
        storage::check_id_kept(document, &after)?;
        storage::check_storable(&after)?;
        Ok(Some(after))
    }
}

/// A replacement without an `_id` keeps the old one, in front.
fn replace(replacement: &Document, old: &Document) -> Result<Option<Document>> {
    let mut after = Document::new();
    if let Some(id) = replacement.get("_id").or_else(|| old.get("_id")) {
        after.insert("_id", id.clone());
    }
    after.extend(
        replacement.iter().filter(|(name, _)| *name != "_id").map(|(name, value)| (name.clone(), value.clone())),
    );
    if old.contains_key("_id") {
        storage::check_id_replaced(old, &after)?;
    }
    storage::check_storable(&after)?;
    Ok(if identical_documents(old, &after) { None } else { Some(after) })
}
