//! Constant folding, and what an expression reads.

use std::collections::BTreeSet;

use crate::error::Result;
use crate::value::{Bson, Document, Path, View};

use super::env::Context;
use super::meta::MetaField;
use super::node::{Expression, Node, Reference};

/// What a part of a pipeline reads of its documents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reads {
    /// Dotted paths.
    pub paths: BTreeSet<Path>,
    /// Whether the whole document is needed.
    pub whole: bool,
}

impl Expression {
    /// Adds what the expression reads.
    pub fn reads(&self, reads: &mut Reads) {
        self.0.reads(reads);
    }

    /// Whether the expression gives another value each time.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.0.any(&|node| matches!(node, Node::Form(form) if form.is_random()))
    }

    /// Whether the expression reads metadata of that kind.
    #[must_use]
    pub fn asks_for(&self, field: MetaField) -> bool {
        self.0.any(&|node| matches!(node, Node::Form(form) if form.metadata() == Some(field)))
    }
}

impl Node {
    pub(super) fn children(&self) -> Vec<&Node> {
        match self {
            Self::Constant(_) | Self::Path(..) => Vec::new(),
            Self::Object(fields) => fields.iter().map(|(_, node)| node).collect(),
            Self::Array(items) => items.iter().collect(),
            Self::Call(call) => call.operands.iter().flatten().collect(),
            Self::Form(form) => form.children(),
        }
    }

    fn children_mut(&mut self) -> Vec<&mut Node> {
        match self {
            Self::Constant(_) | Self::Path(..) => Vec::new(),
            Self::Object(fields) => fields.iter_mut().map(|(_, node)| node).collect(),
            Self::Array(items) => items.iter_mut().collect(),
            Self::Call(call) => call.operands.iter_mut().flatten().collect(),
            Self::Form(form) => form.children_mut(),
        }
    }

    fn any(&self, test: &impl Fn(&Node) -> bool) -> bool {
        test(self) || self.children().into_iter().any(|child| child.any(test))
    }

    fn reads(&self, reads: &mut Reads) {
        match self {
            Self::Path(Reference::Current | Reference::Root, path) if path.is_empty() => reads.whole = true,
            Self::Path(Reference::Current | Reference::Root, path) => {
                reads.paths.insert(path.clone());
            }
            _ => self.children().into_iter().for_each(|child| child.reads(reads)),
        }
    }
}

/// Replaces every part that reads nothing by its value.
pub(super) fn fold(node: &mut Node, context: &Context) -> Result<()> {
    for child in node.children_mut() {
        fold(child, context)?;
    }
    let constant = match &*node {
        Node::Constant(_) | Node::Path(..) => false,
        Node::Form(form) if form.is_random() || form.metadata().is_some() => false,
        Node::Form(form) if form.binds() => false,
        other => other.children().into_iter().all(|child| matches!(child, Node::Constant(_))),
    };
    if !constant {
        return Ok(());
    }
    let value = {
        let nothing = Document::new();
        node.evaluate(&context.env((&nothing).into()))?.view().map(|view: View<'_>| view.to_bson())
    };
    if let Some(value) = value {
        *node = Node::Constant(value);
    }
    Ok(())
}

/// A comparison of a path with a constant that has to hold for an expression to be true.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// The path.
    pub path: Path,
    /// `$eq`, `$lt`, `$lte`, `$gt` or `$gte`, with the path on the left.
    pub comparison: crate::query::Comparison,
    /// The constant.
    pub value: Bson,
}

impl Expression {
    /// The comparisons of a path with a constant that must hold for the expression to be true: the expression itself or
    /// the operands of an `$and` (server: `RewriteExpr`).
    #[must_use]
    pub fn bounds(&self) -> Vec<Bound> {
        let mut bounds = Vec::new();
        self.0.collect_bounds(&mut bounds);
        bounds
    }
}

impl Node {
    fn collect_bounds(&self, bounds: &mut Vec<Bound>) {
        let Self::Call(call) = self else {
            return;
        };
        if call.name() == "$and" {
            return call.operands.iter().flatten().for_each(|part| part.collect_bounds(bounds));
        }
        let Some(comparison) = comparison(call.name()) else {
            return;
        };
        let [Some(left), Some(right)] = call.operands.as_slice() else {
            return;
        };
        match (left, right) {
            (Self::Path(Reference::Current, path), Self::Constant(value)) => {
                bounds.push(Bound { path: path.clone(), comparison, value: value.clone() });
            }
            (Self::Constant(value), Self::Path(Reference::Current, path)) => {
                bounds.push(Bound { path: path.clone(), comparison: mirrored(comparison), value: value.clone() });
            }
            _ => {}
        }
    }
}

fn comparison(name: &str) -> Option<crate::query::Comparison> {
    use crate::query::Comparison;
    Some(match name {
        "$eq" => Comparison::Eq,
        "$lt" => Comparison::Lt,
        "$lte" => Comparison::Lte,
        "$gt" => Comparison::Gt,
        "$gte" => Comparison::Gte,
        _ => return None,
    })
}

fn mirrored(comparison: crate::query::Comparison) -> crate::query::Comparison {
    use crate::query::Comparison;
    match comparison {
        Comparison::Eq => Comparison::Eq,
        Comparison::Lt => Comparison::Gt,
        Comparison::Lte => Comparison::Gte,
        Comparison::Gt => Comparison::Lt,
        Comparison::Gte => Comparison::Lte,
    }
}

impl Expression {
    /// The expression with the context's variables as constants, so that the planner sees their values.
    #[must_use]
    pub fn bound(&self, context: &Context) -> Self {
        let mut bound = self.clone();
        bound.0.bind(context);
        bound
    }
}

impl Node {
    /// Variables bound further inside hide those of the context.
    fn bind(&mut self, context: &Context) {
        match self {
            Self::Path(Reference::User(name), path) => {
                let nothing = Document::new();
                let env = context.env((&nothing).into());
                if let Some(value) = context.scope().contains(name).then(|| env.variable(name)).flatten() {
                    let value = super::node::follow(Some(value), path.parts()).view().map(|view| view.to_bson());
                    if let Some(value) = value {
                        *self = Self::Constant(value);
                    }
                }
            }
            Self::Form(form) if form.binds() => {}
            _ => self.children_mut().into_iter().for_each(|child| child.bind(context)),
        }
    }
}

impl crate::query::Filter {
    /// The filter with the context's variables as constants inside `$expr`.
    #[must_use]
    pub fn bound(self, context: &Context) -> Self {
        let all = |parts: Vec<Self>| parts.into_iter().map(|part| part.bound(context)).collect();
        match self {
            Self::And(parts) => Self::And(all(parts)),
            Self::Or(parts) => Self::Or(all(parts)),
            Self::Nor(parts) => Self::Nor(all(parts)),
            Self::Not(part) => Self::Not(Box::new(part.bound(context))),
            Self::Expr(expression) => Self::Expr(Box::new(expression.bound(context))),
            other => other,
        }
    }
}
