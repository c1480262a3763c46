//! Constant folding, variables with values, and what an expression reads.

use std::collections::BTreeSet;

use crate::error::Result;
use crate::value::{Document, Path, View, is_true};

use super::env::Context;
use super::meta::MetaField;
use super::node::{Expression, Node, Reference};
use super::table::Call;

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

    /// The expression with other names for the paths of the document.
    #[must_use]
    pub fn renamed(mut self, name: &impl Fn(&Path) -> Path) -> Self {
        self.0.rename(name);
        self
    }

    /// Whether the expression gives another value each time.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.0.any(&|node| matches!(node, Node::Form(form) if form.is_random()))
    }

    /// Whether the expression does nothing but compare paths and constants and join the truths.
    #[must_use]
    pub fn only_compares(&self) -> bool {
        const COMPARISONS: [&str; 10] = ["$and", "$or", "$not", "$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$cmp"];
        !self.0.any(&|node| match node {
            Node::Constant(_) | Node::Path(..) => false,
            Node::Call(call) => !COMPARISONS.contains(&call.name()),
            _ => true,
        })
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

    fn rename(&mut self, name: &impl Fn(&Path) -> Path) {
        match self {
            Self::Path(Reference::Current | Reference::Root, path) => *path = name(path),
            _ => self.children_mut().into_iter().for_each(|child| child.rename(name)),
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

/// Replaces every part that reads nothing by its value, `$$NOW` among them (`Expression::optimize`).
pub(super) fn fold(node: &mut Node, context: &Context) -> Result<()> {
    for child in node.children_mut() {
        fold(child, context)?;
    }
    if let Node::Call(call) = node {
        drop_idle_operands(call);
    }
    let constant = match &*node {
        Node::Path(Reference::Now, path) => path.is_empty(),
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

/// Drops the constants of an `$and` or `$or` that do not decide, and all others beside one that does. Where one other
/// operand is left the server writes it as a truth value, which it does not look into; the constants stay here to tell
/// (`ExpressionAnd::optimize`, `ExpressionOr::optimize`).
fn drop_idle_operands(call: &mut Call) {
    let deciding = match call.name() {
        "$and" => false,
        "$or" => true,
        _ => return,
    };
    let truth = |node: &Option<Node>| match node {
        Some(Node::Constant(value)) => Some(is_true(View::from(value))),
        _ => None,
    };
    if let Some(at) = call.operands.iter().position(|operand| truth(operand) == Some(deciding)) {
        call.operands = vec![call.operands.swap_remove(at)];
    } else if call.operands.iter().filter(|operand| truth(operand).is_none()).count() > 1 {
        call.operands.retain(|operand| truth(operand).is_none());
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
    /// The filter in normal form with each `$expr` folded (`ExprMatchExpression::getOptimizer`).
    ///
    /// # Errors
    /// A constant part that fails, fails here.
    pub fn folded(self, context: &Context) -> Result<Self> {
        let fold = |mut expression: Expression| expression.fold(context).map(|()| expression);
        self.with_expressions(&fold).map(Self::normalised)
    }

    /// The filter with the context's variables as constants inside `$expr`, then folded: so the planner sees their values
    /// (`ExpressionFieldPath::optimize`).
    ///
    /// # Errors
    /// A constant part that fails, fails here.
    pub fn bound(self, context: &Context) -> Result<Self> {
        let bind = |mut expression: Expression| {
            expression.0.bind(context);
            expression.fold(context).map(|()| expression)
        };
        self.with_expressions(&bind).map(Self::normalised)
    }

    fn with_expressions(self, change: &impl Fn(Expression) -> Result<Expression>) -> Result<Self> {
        let each = |part: Self| part.with_expressions(change);
        let all = |parts: Vec<Self>| parts.into_iter().map(each).collect::<Result<Vec<Self>>>();
        Ok(match self {
            Self::And(parts) => Self::And(all(parts)?),
            Self::Or(parts) => Self::Or(all(parts)?),
            Self::Nor(parts) => Self::Nor(all(parts)?),
            Self::Not(part) => Self::Not(Box::new(part.with_expressions(change)?)),
            Self::Expr(expression) => Self::Expr(Box::new(change(*expression)?)),
            other => other,
        })
    }
}
