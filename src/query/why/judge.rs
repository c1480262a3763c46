//! Judging a document part by part.

use std::ops::ControlFlow;

use super::tree::{Asked, Element, Origin, Seen, Why};
use crate::error::Result;
use crate::query::expr::{Expression, Reads};
use crate::query::filter::{Comparison, InList, Predicate, Test};
use crate::query::matcher::{FieldNode, Judge, Matcher, Node};
use crate::query::schema::{Fault, Schema};
use crate::query::sink::place;
use crate::query::test::Check;
use crate::value::{ArrayStep, ArrayView, Bson, DocView, Path, Trail, View, walk};

impl Matcher {
    /// Says why a document matches or not.
    ///
    /// # Errors
    /// The error of an `$expr` that fails on the document.
    pub fn why<'a>(&self, document: impl Into<DocView<'a>>) -> Result<Why> {
        self.check()?;
        let why = self.judging().why(&self.root, View::Document(document.into()), &Path::default());
        self.check().map(|()| why)
    }
}

/// A part that joins others.
fn joined(asked: Asked, parts: Vec<Why>, holds: impl Fn(&[Why]) -> bool) -> Why {
    Why { holds: holds(&parts), asked, parts, seen: Vec::new() }
}

fn all(parts: &[Why]) -> bool {
    parts.iter().all(|part| part.holds)
}

fn any(parts: &[Why]) -> bool {
    parts.iter().any(|part| part.holds)
}

fn none(parts: &[Why]) -> bool {
    !any(parts)
}

impl Judge<'_> {
    /// Judges a node on a document, or on an element read as one, which lies at a place.
    fn why(self, node: &Node, document: View<'_>, within: &Path) -> Why {
        let each = |parts: &[Node]| parts.iter().map(|part| self.why(part, document, within)).collect();
        match node {
            Node::And(conjunction) => joined(Asked::All, each(&conjunction.parts), all),
            Node::Or(parts) => joined(Asked::Any, each(parts), any),
            Node::Nor(parts) => joined(Asked::Neither, each(parts), none),
            Node::Not(part) => joined(Asked::Not, each(std::slice::from_ref(&**part)), none),
            Node::Field(field) => self.why_field(field, document, within),
            Node::Expr(expression) => self.why_expression(expression, document),
            Node::Schema(schema, _) => why_schema(schema, document, within),
            Node::Constant(truth) => constant(*truth),
        }
    }

    /// Judges a node of the value form of `$elemMatch` on an element.
    fn why_element(self, node: &Node, value: View<'_>, within: &Path) -> Why {
        let each = |parts: &[Node]| parts.iter().map(|part| self.why_element(part, value, within)).collect();
        match node {
            Node::And(conjunction) => joined(Asked::All, each(&conjunction.parts), all),
            Node::Or(parts) => joined(Asked::Any, each(parts), any),
            Node::Nor(parts) => joined(Asked::Neither, each(parts), none),
            Node::Not(part) => joined(Asked::Not, each(std::slice::from_ref(&**part)), none),
            Node::Field(field) => {
                let seen = self.look(field, Some(value), within.clone(), None);
                tested(field.predicate(), seen)
            }
            Node::Expr(expression) => Why { holds: false, ..unread(expression) },
            Node::Schema(schema, _) => why_schema(schema, value, within),
            Node::Constant(truth) => constant(*truth),
        }
    }

    fn why_field(self, field: &FieldNode, document: View<'_>, within: &Path) -> Why {
        let path = &field.path;
        let mut seen = Vec::new();
        let mut visit = |value: Option<View<'_>>, trail: &Trail<'_>| {
            let steps = trail.steps();
            let here = within.join(&place(path, &steps));
            let found = self.look(field, value, here, outermost(path, &steps));
            if found.iter().any(|seen| seen.holds) {
                seen = found;
                return ControlFlow::Break(());
            }
            seen.extend(found);
            ControlFlow::Continue(())
        };
        // Whether the walk was broken off is what `seen` holds.
        _ = walk(document, path.parts(), field.leaf, &mut visit);
        tested(field.predicate(), seen)
    }

    /// What a value that a path led to shows: itself, or of an array asked by `$elemMatch` its elements; where one passes,
    /// that one alone.
    fn look(self, field: &FieldNode, value: Option<View<'_>>, here: Path, element: Option<Element>) -> Vec<Seen> {
        match (&field.check, value) {
            (Check::Object(_) | Check::Value(_), Some(View::Array(array))) if !array.is_empty() => {
                self.elements(field, array, &here, element.as_ref())
            }
            _ => {
                let holds = self.check(&field.check, value).is_some();
                let item = value.filter(|_| holds).and_then(|value| self.item(&field.check, value));
                let value = value.map(|value| value.to_bson());
                vec![Seen { origin: Origin::Place(here), value, holds, element, item, parts: Vec::new() }]
            }
        }
    }

    fn elements(self, field: &FieldNode, array: ArrayView<'_>, here: &Path, outer: Option<&Element>) -> Vec<Seen> {
        let mut seen = Vec::new();
        for (index, value) in array.iter().enumerate() {
            let place = here.join(&Path::new(&index.to_string()));
            let own = || Element { array: field.path.clone(), index };
            let (holds, parts) = self.element_parts(&field.check, value, &place);
            let element = Some(outer.cloned().unwrap_or_else(own));
            let one =
                Seen { origin: Origin::Place(place), value: Some(value.to_bson()), holds, element, item: None, parts };
            if holds {
                return vec![one];
            }
            seen.push(one);
        }
        seen
    }

    /// Whether an element passes, and how it answers each condition.
    fn element_parts(self, check: &Check, value: View<'_>, place: &Path) -> (bool, Vec<Why>) {
        let parts = match (check, value) {
            (Check::Object(wanted), View::Document(_) | View::Array(_)) => match &wanted.node {
                Node::And(conjunction) => conjunction.parts.iter().map(|part| self.why(part, value, place)).collect(),
                one => vec![self.why(one, value, place)],
            },
            (Check::Value(nodes), _) => nodes.iter().map(|node| self.why_element(node, value, place)).collect(),
            _ => return (false, Vec::new()),
        };
        (all(&parts), parts)
    }

    /// The entry of an `$in` that a value meets.
    fn item(self, check: &Check, value: View<'_>) -> Option<Bson> {
        let Check::In(list, _) = check else { return None };
        let meets = |test: Test| Check::new(&test).is_ok_and(|check| self.check(&check, Some(value)).is_some());
        let literal = list.values.iter().find(|item| meets(Test::Compare(Comparison::Eq, (*item).clone())));
        let regex = || {
            list.regexes
                .iter()
                .find(|regex| meets(Test::In(InList { values: vec![], regexes: vec![(*regex).clone()] })))
        };
        literal.cloned().or_else(|| regex().map(crate::query::filter::Regex::to_bson))
    }

    fn why_expression(self, expression: &Expression, document: View<'_>) -> Why {
        let holds = self.expression(expression, Some(document));
        let View::Document(document) = document else { return Why { holds, ..unread(expression) } };
        self.operands(expression, document, holds)
    }

    /// The parts of a logical expression, or the operands of any other with the fields they read.
    fn operands(self, expression: &Expression, document: DocView<'_>, holds: bool) -> Why {
        let operands = expression.operands();
        if expression.joins() {
            let part = |operand: &Expression| {
                let truth = self.value(operand, document).is_some_and(|value| crate::value::is_true((&value).into()));
                self.operands(operand, document, truth)
            };
            return Why { holds, parts: operands.iter().map(part).collect(), ..unread(expression) };
        }
        let mut shown: Vec<Expression> = operands.into_iter().filter(|one| one.as_constant().is_none()).collect();
        if shown.is_empty() {
            shown.push(expression.clone());
        }
        let mut reads = Reads::default();
        expression.reads(&mut reads);
        let paths = reads.paths.into_iter().map(Expression::path);
        let fresh: Vec<Expression> = paths.filter(|path| !shown.contains(path)).collect();
        shown.extend(fresh);
        let seen = shown.iter().map(|one| operand(one, self.value(one, document), holds)).collect();
        Why { holds, seen, ..unread(expression) }
    }

    /// The value of a part of an expression; none where it is missing or fails.
    fn value(self, expression: &Expression, document: DocView<'_>) -> Option<Bson> {
        let env = self.context.env(document.into());
        let value = expression.evaluate(&env).ok()?;
        value.view().map(|view| view.to_bson())
    }
}

fn operand(expression: &Expression, value: Option<Bson>, holds: bool) -> Seen {
    let origin = Origin::Operand(expression.to_bson());
    Seen { origin, value, holds, element: None, item: None, parts: Vec::new() }
}

fn unread(expression: &Expression) -> Why {
    Why { holds: false, asked: Asked::Expression(expression.to_bson()), parts: Vec::new(), seen: Vec::new() }
}

fn constant(truth: bool) -> Why {
    Why { holds: truth, asked: Asked::Constant(truth), parts: Vec::new(), seen: Vec::new() }
}

fn tested(predicate: Predicate, seen: Vec<Seen>) -> Why {
    let holds = seen.iter().any(|seen| seen.holds);
    Why { holds, asked: Asked::Test(predicate), parts: Vec::new(), seen }
}

/// The outermost array element that a path went through without naming its position.
fn outermost(path: &Path, steps: &[ArrayStep]) -> Option<Element> {
    let step = steps.iter().find(|step| !step.named)?;
    Some(Element { array: Path::from_parts(path.parts()[..step.depth].to_vec()), index: step.index })
}

fn why_schema(schema: &Schema, value: View<'_>, within: &Path) -> Why {
    let seen = schema.faults(value, within).into_iter().map(|Fault { place, keyword, value }| Seen {
        origin: Origin::Rule(place, keyword),
        value,
        holds: false,
        element: None,
        item: None,
        parts: Vec::new(),
    });
    Why { holds: schema.allows(value), asked: Asked::Schema, parts: Vec::new(), seen: seen.collect() }
}
