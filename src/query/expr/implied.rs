//! What follows from an expression about single paths, for an index to use (`src/mongo/db/matcher/rewrite_expr.cpp`).

use crate::query::Comparison;
use crate::value::{Bson, Path};

use super::node::{Expression, Node, Reference};
use super::table::Call;

/// A comparison of a path with a constant, in the expression language: without type brackets.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// The path.
    pub path: Path,
    /// `$eq`, `$lt`, `$lte`, `$gt` or `$gte`, with the path on the left.
    pub comparison: Comparison,
    /// The constant.
    pub value: Bson,
}

/// What has to hold for an expression to be true.
#[derive(Debug, Clone, PartialEq)]
pub enum Implied {
    /// One comparison.
    Bound(Bound),
    /// All of these, at least two.
    All(Vec<Implied>),
    /// One of these, at least two.
    Any(Vec<Implied>),
}

impl Expression {
    /// What comparisons have to hold for the expression to be true: of an `$and` those of the operands that have any, of an
    /// `$or` only where each operand has some (server: `RewriteExpr`).
    #[must_use]
    pub fn implied(&self) -> Option<Implied> {
        self.0.implied()
    }
}

impl Node {
    fn implied(&self) -> Option<Implied> {
        let Self::Call(call) = self else { return None };
        match call.name() {
            "$and" | "$or" if is_one_truth(call) => None,
            "$and" => one_or(Implied::All, call.operands.iter().flatten().filter_map(Self::implied).collect()),
            "$or" => {
                let parts = call.operands.iter().flatten().map(Self::implied).collect::<Option<Vec<_>>>()?;
                one_or(Implied::Any, parts)
            }
            name => bound(comparison(name)?, call).map(Implied::Bound),
        }
    }
}

/// Whether one operand beside constants is left, which the server no longer takes for an `$and` or `$or`.
fn is_one_truth(call: &Call) -> bool {
    let (constants, others): (Vec<_>, Vec<_>) =
        call.operands.iter().flatten().partition(|node| matches!(node, Node::Constant(_)));
    others.len() == 1 && !constants.is_empty()
}

fn one_or(several: fn(Vec<Implied>) -> Implied, mut parts: Vec<Implied>) -> Option<Implied> {
    match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ => Some(several(parts)),
    }
}

fn bound(comparison: Comparison, call: &Call) -> Option<Bound> {
    let [Some(left), Some(right)] = call.operands.as_slice() else { return None };
    let (path, comparison, value) = match (left, right) {
        (Node::Path(Reference::Current | Reference::Root, path), Node::Constant(value)) => (path, comparison, value),
        (Node::Constant(value), Node::Path(Reference::Current | Reference::Root, path)) => {
            (path, mirrored(comparison), value)
        }
        _ => return None,
    };
    // An index cannot tell these from what it holds for arrays and missing fields.
    let told_apart = !matches!(value, Bson::Array(_) | Bson::Undefined | Bson::RegularExpression(_));
    (told_apart && !path.is_empty()).then(|| Bound { path: path.clone(), comparison, value: value.clone() })
}

fn comparison(name: &str) -> Option<Comparison> {
    Some(match name {
        "$eq" => Comparison::Eq,
        "$lt" => Comparison::Lt,
        "$lte" => Comparison::Lte,
        "$gt" => Comparison::Gt,
        "$gte" => Comparison::Gte,
        _ => return None,
    })
}

fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Eq => Comparison::Eq,
        Comparison::Lt => Comparison::Gt,
        Comparison::Lte => Comparison::Gte,
        Comparison::Gt => Comparison::Lt,
        Comparison::Gte => Comparison::Lte,
    }
}
