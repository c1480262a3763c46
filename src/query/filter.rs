//! The filter as a tree, normalised the way the server's parser leaves it (`src/mongo/db/matcher/expression*.h`).
//!
//! `$ne`, `$nin` and `$exists: false` are a [`Filter::Not`] around the positive test; `$all` is a [`Filter::And`];
//! an implicit AND of one part is that part. The planner, the matcher, the rephraser and the pitfalls read this tree.

use super::expr::Expression;
use crate::value::{Bson, Path};

/// A filter, parsed.
#[derive(Debug, Clone, PartialEq)]
pub enum Filter {
    /// Every part matches; the empty list matches everything.
    And(Vec<Filter>),
    /// Some part matches; never empty.
    Or(Vec<Filter>),
    /// No part matches; never empty.
    Nor(Vec<Filter>),
    /// The part does not match.
    Not(Box<Filter>),
    /// One test on one path.
    Field(Predicate),
    /// `$expr`.
    Expr(Box<Expression>),
    /// `$jsonSchema`, as it was written.
    JsonSchema(bson::Document),
    /// `$alwaysTrue`, `$alwaysFalse`.
    Constant(bool),
}

/// One test on one path. Inside [`Test::ElemMatchValue`] the path is empty and names the element itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Predicate {
    /// The dotted path from the document (inside `$elemMatch`: from the element).
    pub path: Path,
    /// What is asked of the value or values there.
    pub test: Test,
}

/// What is asked of a value. The order of the variants is not the server's.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// `$eq`, `$lt`, `$lte`, `$gt`, `$gte` against a literal.
    Compare(Comparison, Bson),
    /// `$in`.
    In(InList),
    /// `$exists: true`.
    Exists,
    /// `$type`.
    Type(TypeSet),
    /// `$mod`: divisor and remainder.
    Mod(i64, i64),
    /// `$regex` or a regex literal.
    Regex(Regex),
    /// `$size`.
    Size(i64),
    /// `$bitsAllSet` and its three sisters.
    Bits(Bits, Vec<u32>),
    /// `$elemMatch` with field names: some element, itself a document or array, matches the filter.
    ElemMatchObject(Box<Filter>),
    /// `$elemMatch` with operators: some element passes all of them.
    ElemMatchValue(Vec<Filter>),
}

/// The five comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `$eq`
    Eq,
    /// `$lt`
    Lt,
    /// `$lte`
    Lte,
    /// `$gt`
    Gt,
    /// `$gte`
    Gte,
}

/// The operand of `$in`: literals in MongoDB's order without repeats, and the regexes beside them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InList {
    /// Literals, sorted, each once.
    pub values: Vec<Bson>,
    /// Regular expressions.
    pub regexes: Vec<Regex>,
}

/// A regular expression as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regex {
    /// The pattern, PCRE's language.
    pub pattern: String,
    /// The option letters, sorted.
    pub options: String,
}

/// The operand of `$type`: BSON type numbers, and whether `"number"` was asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeSet {
    /// BSON type numbers; -1 is minKey, 127 maxKey.
    pub codes: Vec<i32>,
    /// Any of the four numeric types.
    pub all_numbers: bool,
}

/// Which bits are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bits {
    /// `$bitsAllSet`
    AllSet,
    /// `$bitsAllClear`
    AllClear,
    /// `$bitsAnySet`
    AnySet,
    /// `$bitsAnyClear`
    AnyClear,
}

impl Filter {
    /// The filter on a document that lies at a path, where it only tests fields of that; none where it tests anything else, the
    /// document as a whole, or elements of an array (server: `DocumentSourceMatch::descendMatchOnPath`).
    #[must_use]
    pub fn below(&self, outer: &Path) -> Option<Self> {
        let all = |parts: &[Self]| parts.iter().map(|part| part.below(outer)).collect::<Option<Vec<_>>>();
        Some(match self {
            Self::And(parts) => Self::And(all(parts)?),
            Self::Or(parts) => Self::Or(all(parts)?),
            Self::Nor(parts) => Self::Nor(all(parts)?),
            Self::Not(part) => Self::Not(Box::new(part.below(outer)?)),
            Self::Field(Predicate { test: Test::ElemMatchObject(_) | Test::ElemMatchValue(_), .. }) => return None,
            Self::Field(predicate) => {
                let path = predicate.path.below(outer)?;
                Self::Field(Predicate { path, test: predicate.test.clone() })
            }
            Self::Expr(_) | Self::JsonSchema(_) | Self::Constant(_) => return None,
        })
    }

    /// Whether `$expr` stands anywhere in it.
    #[must_use]
    pub fn has_expression(&self) -> bool {
        match self {
            Self::And(parts) | Self::Or(parts) | Self::Nor(parts) => parts.iter().any(Self::has_expression),
            Self::Not(part) => part.has_expression(),
            Self::Expr(_) => true,
            // It stands at the top level only.
            Self::Field(_) | Self::JsonSchema(_) | Self::Constant(_) => false,
        }
    }

    /// The paths of all predicates, from the document; what lies inside `$elemMatch` is not among them.
    #[must_use]
    pub fn paths(&self) -> Vec<&Path> {
        match self {
            Self::And(parts) | Self::Or(parts) | Self::Nor(parts) => parts.iter().flat_map(Self::paths).collect(),
            Self::Not(part) => part.paths(),
            Self::Field(predicate) => vec![&predicate.path],
            Self::Expr(_) | Self::JsonSchema(_) | Self::Constant(_) => Vec::new(),
        }
    }
}
