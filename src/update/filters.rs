//! Array filters: which elements `$[id]` stands for (`src/mongo/db/matcher/expression_with_placeholder.cpp`).

use std::collections::{BTreeMap, BTreeSet};

use super::path::{Part, UpdatePath};
use crate::error::{CommandError, ErrorCode, Result, refuse};
use crate::query::{Collation, Filter, Matcher};
use crate::value::{Bson, Document, DocumentBuilder, View, shown, value_bytes};

/// The filters by identifier.
#[derive(Debug, Clone, Default)]
pub(super) struct ArrayFilters(BTreeMap<Box<str>, Matcher>);

impl ArrayFilters {
    /// Reads `arrayFilters`; error places are counted from the list.
    pub(super) fn parse(filters: &[Document], collation: &Collation) -> Result<Self> {
        let mut parsed = BTreeMap::new();
        for (at, filter) in filters.iter().enumerate() {
            let (identifier, matcher) = one(filter, collation).map_err(|error| error.inside_index(at))?;
            if parsed.insert(identifier.clone(), matcher).is_some() {
                let message = format!("Found multiple array filters with the same top-level field name {identifier}");
                return refuse(ErrorCode::FailedToParse, message).map_err(|error: CommandError| error.inside_index(at));
            }
        }
        Ok(Self(parsed))
    }

    /// Whether the element meets the filter of an identifier; the empty one is `$[]`.
    pub(super) fn meets(&self, identifier: &str, element: View<'_>) -> bool {
        if identifier.is_empty() {
            return true;
        }
        let wrapped = || {
            let mut document = DocumentBuilder::with_capacity(identifier.len() + value_bytes(element) + 7);
            document.append(identifier, element);
            document.finish()
        };
        self.0.get(identifier).is_some_and(|matcher| matcher.matches(&wrapped()))
    }

    /// Whether an identifier has a filter.
    pub(super) fn check_known(&self, path: &UpdatePath) -> Result<()> {
        for part in &path.parts {
            if let Part::Filtered(identifier) = part
                && !self.0.contains_key(identifier)
            {
                let text = &path.text;
                let message = format!("No array filter found for identifier '{identifier}' in path '{text}'");
                return refuse(ErrorCode::BadValue, message);
            }
        }
        Ok(())
    }

    /// Refuses a filter that no path uses.
    pub(super) fn check_used(&self, used: &BTreeSet<Box<str>>, update: &Document) -> Result<()> {
        match self.0.keys().find(|identifier| !used.contains(*identifier)) {
            None => Ok(()),
            Some(identifier) => refuse(
                ErrorCode::FailedToParse,
                format!(
                    "The array filter for identifier '{identifier}' was not used in the update {}",
                    shown(View::Document(update.into()))
                ),
            ),
        }
    }
}

fn one(document: &Document, collation: &Collation) -> Result<(Box<str>, Matcher)> {
    let context = |error: CommandError| CommandError {
        message: format!("Error parsing array filter :: caused by :: {}", error.message),
        ..error
    };
    let filter = Filter::parse(document).map_err(context)?;
    if names_expr(document) {
        return refuse(ErrorCode::QueryFeatureNotAllowed, "$expr is not allowed in this context").map_err(context);
    }
    let mut names = BTreeSet::new();
    filter.paths().iter().for_each(|path| {
        names.extend(path.parts().first().cloned());
    });
    let mut names = names.into_iter();
    let Some(identifier) = names.next() else {
        let message = "Cannot use an expression without a top-level field name in arrayFilters";
        return refuse(ErrorCode::FailedToParse, message);
    };
    if let Some(other) = names.next() {
        let message = format!("Expected a single top-level field name, found '{identifier}' and '{other}'");
        return refuse(ErrorCode::FailedToParse, message).map_err(context);
    }
    if !is_identifier(&identifier) {
        let message = format!(
            "The top-level field name must be an alphanumeric string beginning with a lowercase letter, found \
             '{identifier}'"
        );
        return refuse(ErrorCode::BadValue, message).map_err(context);
    }
    Ok((identifier, Matcher::new(&filter, collation.clone())?))
}

/// Whether `$expr` stands in the filter or in a part of it.
fn names_expr(document: &Document) -> bool {
    let inside = |value: &Bson| matches!(value, Bson::Document(part) if names_expr(part));
    document.iter().any(|(name, value)| match (name.as_str(), value) {
        ("$expr", _) => true,
        ("$and" | "$or" | "$nor", Bson::Array(parts)) => parts.iter().any(inside),
        _ => false,
    })
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric())
}
