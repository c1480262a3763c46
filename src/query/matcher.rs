//! Judging documents: a filter made ready to run.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use super::collation::Collation;
use super::expr::{Context, Expression};
use super::filter::{Comparison, Filter, Predicate, Test};
use super::schema::Schema;
use super::sink::{Decision, Reason, Sink, Witness, place};
use super::test::{Check, Passed};
use crate::error::{CommandError, Result};
use crate::value::{
    ArrayStep, Bson, DocView, Document, Followed, Leaf, Name, NameHead, Path, RawValue, SharedDocument, Trail, View,
    walk, walk_value,
};

/// A filter with its collation, ready to judge documents.
#[derive(Debug, Clone)]
pub struct Matcher {
    pub(super) root: Node,
    context: Context,
    failure: RefCell<Option<CommandError>>,
}

#[derive(Debug, Clone)]
pub(super) enum Node {
    And(All),
    Or(Vec<Node>),
    Nor(Vec<Node>),
    Not(Box<Node>),
    Field(Box<FieldNode>),
    Expr(Box<Expression>),
    Schema(Box<Schema>, Document),
    Constant(bool),
}

/// Parts that all have to hold.
#[derive(Debug, Clone)]
pub(super) struct All {
    pub(super) parts: Vec<Node>,
    /// The part that said no last: it is likely to say no again, so it is asked first.
    doubtful: Cell<usize>,
    /// Whether the parts are asked as they stand: one with `$expr` may fail where it is asked.
    fixed: bool,
}

/// A predicate made ready.
#[derive(Debug, Clone)]
pub(super) struct FieldNode {
    pub(super) path: Path,
    /// Of a path of one part.
    head: Option<NameHead>,
    pub(super) leaf: Leaf,
    pub(super) check: Check,
    /// Whether the last document did not pass: the next is likely not to.
    refused: Cell<bool>,
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

    pub(super) fn judging(&self) -> Judge<'_> {
        Judge { collation: self.context.collation(), context: &self.context, failure: &self.failure }
    }

    /// Whether the document matches.
    #[must_use]
    pub fn matches<'a>(&self, document: impl Into<DocView<'a>>) -> bool {
        self.judge(document, &mut ())
    }

    /// Whether a document that is kept matches.
    #[must_use]
    pub fn matches_stored(&self, document: &SharedDocument) -> bool {
        self.judging().document(&self.root, RawValue::stored(document), true, &mut ())
    }

    /// Judges a document and tells the sink which elements decided.
    pub fn judge<'a>(&self, document: impl Into<DocView<'a>>, sink: &mut impl Sink) -> bool {
        let judge = self.judging();
        match document.into() {
            DocView::Raw(raw) => judge.document(&self.root, RawValue::document(raw), true, sink),
            owned @ DocView::Owned(_) => judge.document(&self.root, View::Document(owned), true, sink),
        }
    }

    /// Judges a single value, as the value form of `$elemMatch` does: paths are not looked up, an array is one value.
    #[must_use]
    pub fn matches_value(&self, value: View<'_>) -> bool {
        self.judging().element(&self.root, value)
    }

    /// Judges a value as that of a field, as `$pull` does: paths are not looked up, an array also gives its elements.
    #[must_use]
    pub fn matches_field_value(&self, value: View<'_>) -> bool {
        let judge = self.judging();
        Judge::single(&self.root, &|field| {
            let mut visit = |value: Option<View<'_>>, _: &Trail<'_>| match judge.check(&field.check, value) {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            };
            walk_value(value, field.leaf, &mut visit).is_break()
        })
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
            Filter::And(parts) => {
                let parts = all(parts)?;
                Self::And(All { fixed: parts.iter().any(Self::may_fail), parts, doubtful: Cell::new(0) })
            }
            Filter::Or(parts) => Self::Or(all(parts)?),
            Filter::Nor(parts) => Self::Nor(all(parts)?),
            Filter::Not(part) => Self::Not(Box::new(Self::new(part)?)),
            Filter::Field(predicate) => Self::Field(Box::new(FieldNode::new(predicate)?)),
            Filter::Constant(truth) => Self::Constant(*truth),
            Filter::Expr(expression) => Self::Expr(expression.clone()),
            Filter::JsonSchema(schema) => Self::Schema(Box::new(Schema::parse(schema)?), schema.clone()),
        })
    }

    fn may_fail(&self) -> bool {
        match self {
            Self::And(all) => all.fixed,
            Self::Or(parts) | Self::Nor(parts) => parts.iter().any(Self::may_fail),
            Self::Not(part) => part.may_fail(),
            Self::Expr(_) => true,
            // `$expr` stands at the top level only.
            Self::Field(_) | Self::Schema(..) | Self::Constant(_) => false,
        }
    }

    /// The parts that all have to hold.
    pub(super) fn conjuncts(&self) -> &[Self] {
        match self {
            Self::And(all) => &all.parts,
            other => std::slice::from_ref(other),
        }
    }

    /// The name and the text of an equality on a path of one part.
    pub(super) fn equal_text(&self) -> Option<(&str, &str)> {
        let Self::Field(field) = self else { return None };
        match (field.path.parts(), &field.check) {
            ([name], Check::Compare(Comparison::Eq, Bson::String(text))) => Some((name, text)),
            _ => None,
        }
    }

    /// The filter it was made from.
    pub(super) fn filter(&self) -> Filter {
        let all = |parts: &[Self]| parts.iter().map(Self::filter).collect();
        match self {
            Self::And(conjunction) => Filter::And(all(&conjunction.parts)),
            Self::Or(parts) => Filter::Or(all(parts)),
            Self::Nor(parts) => Filter::Nor(all(parts)),
            Self::Not(part) => Filter::Not(Box::new(part.filter())),
            Self::Field(field) => Filter::Field(field.predicate()),
            Self::Expr(expression) => Filter::Expr(expression.clone()),
            Self::Schema(_, schema) => Filter::JsonSchema(schema.clone()),
            Self::Constant(truth) => Filter::Constant(*truth),
        }
    }
}

impl FieldNode {
    fn new(predicate: &Predicate) -> Result<Self> {
        let leaf = match predicate.test {
            Test::Size(_) | Test::ElemMatchObject(_) | Test::ElemMatchValue(_) => Leaf::Whole,
            _ => Leaf::Elements,
        };
        let path = predicate.path.clone();
        let head = if let [name] = path.parts() { Some(NameHead::of(name)) } else { None };
        Ok(Self { path, head, leaf, check: Check::new(&predicate.test)?, refused: Cell::new(false) })
    }

    /// The name, where the path is no more than that.
    #[inline]
    fn name(&self) -> Option<Name<'_>> {
        let head = self.head?;
        self.path.parts().first().map(|text| head.name(text))
    }

    /// The predicate it was made from.
    pub(super) fn predicate(&self) -> Predicate {
        Predicate { path: self.path.clone(), test: self.check.test() }
    }
}

/// One judgement under way.
#[derive(Clone, Copy)]
pub(super) struct Judge<'m> {
    pub(super) collation: &'m Collation,
    pub(super) context: &'m Context,
    failure: &'m RefCell<Option<CommandError>>,
}

impl Judge<'_> {
    fn document<'a, V: Followed<'a>>(self, node: &Node, document: V, positional: bool, sink: &mut impl Sink) -> bool {
        match node {
            Node::And(all) => self.all(all, document, positional, sink),
            Node::Or(parts) => parts.iter().any(|part| self.document(part, document, false, sink)),
            Node::Nor(parts) => !parts.iter().any(|part| self.document(part, document, false, &mut ())),
            Node::Not(part) => !self.document(part, document, false, &mut ()),
            Node::Field(field) => self.field(field, document, positional, sink),
            Node::Expr(expression) => self.expression(expression, document.view()),
            Node::Schema(schema, _) => document.view().is_some_and(|document| schema.allows(document)),
            Node::Constant(truth) => *truth,
        }
    }

    fn all<'a, V: Followed<'a>, S: Sink>(self, all: &All, document: V, positional: bool, sink: &mut S) -> bool {
        if S::WANTED || all.fixed {
            let mark = sink.mark();
            let holds = all.parts.iter().all(|part| self.document(part, document, positional, sink));
            if !holds {
                sink.rewind(mark);
            }
            return holds;
        }
        let first = all.doubtful.get();
        if all.parts.get(first).is_some_and(|part| !self.part(part, document)) {
            return false;
        }
        for (at, part) in all.parts.iter().enumerate() {
            if at != first && !self.part(part, document) {
                all.doubtful.set(at);
                return false;
            }
        }
        true
    }

    /// Judges a part of an AND when nobody wants to know why.
    #[inline]
    pub(super) fn part<'a, V: Followed<'a>>(self, part: &Node, document: V) -> bool {
        match part {
            Node::Field(field) => self.field(field, document, false, &mut ()),
            other => self.document(other, document, false, &mut ()),
        }
    }

    pub(super) fn expression(self, expression: &Expression, document: Option<View<'_>>) -> bool {
        let Some(View::Document(document)) = document else {
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

    fn field<'a, V: Followed<'a>, S: Sink>(
        self,
        field: &FieldNode,
        document: V,
        positional: bool,
        sink: &mut S,
    ) -> bool {
        if !S::WANTED
            && let Some(holds) = self.directly(field, document)
        {
            return holds;
        }
        let mut visit = |value: Option<V>, trail: &Trail<'_>| {
            let Some(passed) = self.check(&field.check, value) else {
                return ControlFlow::Continue(());
            };
            if S::WANTED {
                self.tell(field, value.and_then(V::view), trail.steps(), passed, positional, sink);
            }
            ControlFlow::Break(())
        };
        walk(document, field.path.parts(), field.leaf, &mut visit).is_break()
    }

    /// The judgement of a path of one part, unless it leads to an array whose elements are asked too; none of other paths.
    #[inline]
    fn directly<'a, V: Followed<'a>>(self, field: &FieldNode, document: V) -> Option<bool> {
        let name = field.name()?;
        if field.refused.get() && self.lacks_text(field, document) {
            return Some(false);
        }
        let value = document.named(name);
        if field.leaf == Leaf::Elements && value.is_some_and(V::is_array) {
            return None;
        }
        let holds = self.check(&field.check, value).is_some();
        field.refused.set(!holds);
        Some(holds)
    }

    /// Whether a document has a text nowhere that some element of an array has to hold.
    fn lacks_text<'a, V: Followed<'a>>(self, field: &FieldNode, document: V) -> bool {
        let Check::Object(wanted) = &field.check else { return false };
        self.collation.is_simple() && wanted.text().is_some_and(|text| document.lacks(text))
    }

    /// Tells the sink of a value that passed, and what decided inside the element of an `$elemMatch`.
    fn tell(
        self,
        field: &FieldNode,
        value: Option<View<'_>>,
        mut steps: Vec<ArrayStep>,
        passed: Passed,
        positional: bool,
        sink: &mut impl Sink,
    ) {
        steps.extend(passed.step(field.path.parts().len()));
        sink.decided(Decision { field, steps: &steps, value, positional });
        let (Passed::Element(index), Some(View::Array(array))) = (passed, value) else { return };
        let Some(element) = array.get(index) else { return };
        let here = place(&field.path, &steps);
        for reason in self.inside(&field.check, element).reasons {
            sink.reasoned(Reason { within: here.join(&reason.within), positional: false, ..reason });
        }
    }

    /// What decided inside an element that an `$elemMatch` chose.
    fn inside(self, check: &Check, element: View<'_>) -> Witness {
        let mut inner = Witness::default();
        match check {
            Check::Object(wanted) => _ = self.document(&wanted.node, element, false, &mut inner),
            Check::Value(nodes) => {
                for node in nodes {
                    if let Node::Field(field) = node
                        && let Some(passed) = self.check(&field.check, Some(element))
                    {
                        self.tell(field, Some(element), Vec::new(), passed, false, &mut inner);
                    }
                }
            }
            _ => {}
        }
        inner
    }

    /// Whether a single value passes, without looking paths up.
    pub(super) fn element<'a, V: Followed<'a>>(self, node: &Node, value: V) -> bool {
        Self::single(node, &|field| self.check(&field.check, Some(value)).is_some())
    }

    /// Whether a value that its tests know passes; `$expr` and `$jsonSchema` do not stand beside a path.
    fn single(node: &Node, passes: &impl Fn(&FieldNode) -> bool) -> bool {
        match node {
            Node::And(all) => all.parts.iter().all(|part| Self::single(part, passes)),
            Node::Or(parts) => parts.iter().any(|part| Self::single(part, passes)),
            Node::Nor(parts) => !parts.iter().any(|part| Self::single(part, passes)),
            Node::Not(part) => !Self::single(part, passes),
            Node::Field(field) => passes(field),
            Node::Expr(_) | Node::Schema(..) => false,
            Node::Constant(truth) => *truth,
        }
    }

    /// Whether an array's element is a document or array and matches as a document.
    pub(super) fn object<'a, V: Followed<'a>>(self, node: &Node, element: V) -> bool {
        (element.is_document() || element.is_array()) && self.document(node, element, false, &mut ())
    }
}
