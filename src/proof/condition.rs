//! Parts of a filter as they are typed.

use super::plain::plain;
use crate::query::Asked;
use crate::shell::literal;
use crate::value::{Bson, Document};

/// A test as it is typed, without the braces around it.
pub(super) fn condition(asked: &Asked, negated: bool) -> String {
    let Some(Bson::Document(written)) = asked.written() else { return String::new() };
    let negation = |(path, test): (String, Bson)| {
        if path.starts_with('$') {
            ("$not".to_owned(), Bson::Document(Document::from_iter([(path, test)])))
        } else {
            (path, Bson::Document(Document::from_iter([("$not".to_owned(), test)])))
        }
    };
    let written = if negated { written.into_iter().map(negation).collect() } else { written };
    let typed = literal(&Bson::Document(plain(&written)));
    typed
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
        .map_or(typed.clone(), |inner| inner.trim().to_owned())
}

/// An expression without the `$const` around its literals where it means the same.
pub(super) fn bare(expression: &Bson) -> Bson {
    match expression {
        Bson::Document(fields) => match fields.get("$const").filter(|_| fields.len() == 1) {
            Some(Bson::String(text)) if text.starts_with('$') => {
                Bson::Document(Document::from_iter([("$literal".to_owned(), Bson::String(text.clone()))]))
            }
            Some(literal) => literal.clone(),
            None => Bson::Document(fields.iter().map(|(name, inner)| (name.clone(), bare(inner))).collect()),
        },
        Bson::Array(items) => Bson::Array(items.iter().map(bare).collect()),
        other => other.clone(),
    }
}
