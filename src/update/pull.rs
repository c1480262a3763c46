//! `$pull`: which elements its operand takes (`src/mongo/db/update/pull_node.cpp`).

use super::apply::Scene;
use crate::error::Result;
use crate::query::{Collation, Filter, Matcher};
use crate::value::{Bson, View, doc};

/// The three ways an operand is read.
#[derive(Debug, Clone)]
pub(super) enum Pull {
    /// A document of fields, or of `$and`, `$or` and `$nor`: the filter that an element has to match as a document.
    Object(Box<Matcher>),
    /// Operators or a regular expression: the tests an element has to pass.
    Tests(Box<Matcher>),
    /// Anything else: the element equals it.
    Equal(Bson),
}

impl Pull {
    pub(super) fn parse(operand: &Bson, collation: &Collation) -> Result<Self> {
        match operand {
            Bson::Document(document) if !Filter::begins_with_path_operator(document) => {
                let filter = Filter::parse(document)?;
                Ok(Self::Object(Box::new(Matcher::new(&filter, collation.clone())?)))
            }
            Bson::Document(_) | Bson::RegularExpression(_) => {
                let filter = Filter::parse(&doc! {"": operand.clone()})?;
                Ok(Self::Tests(Box::new(Matcher::new(&filter, collation.clone())?)))
            }
            _ => Ok(Self::Equal(operand.clone())),
        }
    }

    pub(super) fn takes(&self, item: View<'_>, scene: &Scene<'_>) -> bool {
        match self {
            Self::Object(matcher) => matches!(item, View::Document(document) if matcher.matches(document)),
            Self::Tests(matcher) => matcher.matches_field_value(item),
            Self::Equal(value) => scene.collation.compare(item, value.into()).is_eq(),
        }
    }
}
