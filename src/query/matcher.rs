//! Judging documents: a filter made ready to run.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::collation::Collation;
use super::expr::{Context, Expression};
use super::filter::{Filter, Predicate, Test};
use super::schema::Schema;
use super::sink::{Decision, Sink};
use super::test::Check;
use crate::error::{CommandError, Result};
use crate::value::{ArrayView, DocView, Leaf, Trail, View, walk};

/// A filter with its collation, ready to judge documents.
#[derive(Debug, Clone)]
pub struct Matcher {
    root: Node,
    context: Context,
    failure: RefCell<Option<CommandError>>,
}

#[derive(Debug, Clone)]
pub(super) enum Node {
    And(Vec<Node>),
    Or(Vec<Node>),
    Nor(Vec<Node>),
    Not(Box<Node>),
    Field(Box<FieldNode>),
    Expr(Box<Expression>),
    Schema(Box<Schema>),
    Constant(bool),
}

#[derive(Debug, Clone)]
pub(super) struct FieldNode {
    predicate: Predicate,
    leaf: Leaf,
    check: Check,
}

impl Matcher {
    /// Makes a filter ready.
    ///
    /// # Errors
    /// Refuses a regular expression that does not compile; a parsed filter has none.
    pub fn new(filter: &Filter, collation: Collation) -> Result<Self> {
        Self::with_context(filter, Context::default().with_collation(collation))
    }

    /// Makes a filter ready whose `$expr` sees the context's variables, clock and chance; the collation is the context's.
    ///
    /// # Errors
    /// Refuses a regular expression that does not compile; a parsed filter has none.
    pub fn with_context(filter: &Filter, context: Context) -> Result<Self> {
        Ok(Self { root: Node::new(filter)?, context, failure: RefCell::new(None) })
    }

    /// The first error of an `$expr` since the last call: such a document counts as no match, and the command fails.
    ///
    /// # Errors
    /// That error.
    pub fn check(&self) -> Result<()> {
        self.failure.borrow_mut().take().map_or(Ok(()), Err)
    }

    fn judging(&self) -> Judge<'_> {
        Judge { collation: self.context.collation(), context: &self.context, failure: &self.failure }
    }

    /// Whether the document matches.
    #[must_use]
    pub fn matches<'a>(&self, document: impl Into<DocView<'a>>) -> bool {
        self.judge(document, &mut ())
    }

    /// Judges a document and tells the sink which elements decided.
    pub fn judge<'a>(&self, document: impl Into<DocView<'a>>, sink: &mut impl Sink) -> bool {
        let judge = self.judging();
        judge.document(&self.root, View::Document(document.into()), true, sink)
    }

    /// Judges a single value, as the value form of `$elemMatch` and `$pull` do: paths are not looked up.
    #[must_use]
    pub fn matches_value(&self, value: View<'_>) -> bool {
        self.judging().element(&self.root, value)
    }

    /// Judges a value that is itself read as a document, as the object form of `$elemMatch` does; false for scalars.
    #[must_use]
    pub fn matches_element(&self, value: View<'_>) -> bool {
        let judge = self.judging();
        matches!(value, View::Document(_) | View::Array(_)) && judge.document(&self.root, value, false, &mut ())
    }
}

impl Node {
    pub(super) fn new(filter: &Filter) -> Result<Self> {
        let all = |parts: &[Filter]| parts.iter().map(Self::new).collect::<Result<Vec<_>>>();
        Ok(match filter {
            Filter::And(parts) => Self::And(all(parts)?),
            Filter::Or(parts) => Self::Or(all(parts)?),
            Filter::Nor(parts) => Self::Nor(all(parts)?),
            Filter::Not(part) => Self::Not(Box::new(Self::new(part)?)),
            Filter::Field(predicate) => Self::Field(Box::new(FieldNode::new(predicate)?)),
            Filter::Constant(truth) => Self::Constant(*truth),
            Filter::Expr(expression) => Self::Expr(expression.clone()),
            Filter::JsonSchema(schema) => Self::Schema(Box::new(Schema::parse(schema)?)),
        })
    }
}

impl FieldNode {
    fn new(predicate: &Predicate) -> Result<Self> {
        let leaf = match predicate.test {
            Test::Size(_) | Test::ElemMatchObject(_) | Test::ElemMatchValue(_) => Leaf::Whole,
            _ => Leaf::Elements,
        };
        Ok(Self { predicate: predicate.clone(), leaf, check: Check::new(&predicate.test)? })
    }
}

/// One judgement under way.
#[derive(Clone, Copy)]
pub(super) struct Judge<'m> {
    pub(super) collation: &'m Collation,
    context: &'m Context,
    failure: &'m RefCell<Option<CommandError>>,
}

impl Judge<'_> {
    fn document(self, node: &Node, document: View<'_>, positional: bool, sink: &mut impl Sink) -> bool {
        match node {
            Node::And(parts) => {
                let mark = sink.mark();
                let all = parts.iter().all(|part| self.document(part, document, positional, sink));
                if !all {
                    sink.rewind(mark);
                }
                all
            }
            Node::Or(parts) => parts.iter().any(|part| self.document(part, document, false, sink)),
            Node::Nor(parts) => !parts.iter().any(|part| self.document(part, document, false, &mut ())),
            Node::Not(part) => !self.document(part, document, false, &mut ()),
            Node::Field(field) => self.field(field, document, positional, sink),
            Node::Expr(expression) => self.expression(expression, document),
            Node::Schema(schema) => schema.allows(document),
            Node::Constant(truth) => *truth,
        }
    }

    fn expression(self, expression: &Expression, document: View<'_>) -> bool {
        let View::Document(document) = document else {
            return false;
        };
        match expression.evaluate(&self.context.env(document.into())) {
            Ok(value) => value.is_true(),
            Err(error) => {
                self.failure.borrow_mut().get_or_insert(error.inside_field("$expr"));
                false
            }
        }
    }

    fn field<S: Sink>(self, field: &FieldNode, document: View<'_>, positional: bool, sink: &mut S) -> bool {
        let mut visit = |value: Option<View<'_>>, trail: &Trail<'_>| {
            let Some(element) = self.check(&field.check, value) else {
                return ControlFlow::Continue(());
            };
            if S::WANTED {
                let mut steps = trail.steps();
                steps.extend(element.step(field.predicate.path.parts().len()));
                sink.decided(Decision { predicate: &field.predicate, steps: &steps, value, positional });
            }
            ControlFlow::Break(())
        };
        walk(document, field.predicate.path.parts(), field.leaf, &mut visit).is_break()
    }

    /// Whether a single value passes, without looking paths up.
    pub(super) fn element(self, node: &Node, value: View<'_>) -> bool {
        match node {
            Node::And(parts) => parts.iter().all(|part| self.element(part, value)),
            Node::Or(parts) => parts.iter().any(|part| self.element(part, value)),
            Node::Nor(parts) => !parts.iter().any(|part| self.element(part, value)),
            Node::Not(part) => !self.element(part, value),
            Node::Field(field) => self.check(&field.check, Some(value)).is_some(),
            Node::Expr(_) => false,
            Node::Schema(schema) => schema.allows(value),
            Node::Constant(truth) => *truth,
        }
    }

    /// The position of the first array element that is a document or array and matches as a document.
    pub(super) fn object_element(self, node: &Node, array: ArrayView<'_>) -> Option<usize> {
        array.iter().position(|element| {
            matches!(element, View::Document(_) | View::Array(_)) && self.document(node, element, false, &mut ())
        })
    }
}
