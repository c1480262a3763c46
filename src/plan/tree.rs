//! The planner's own tree over a filter: the same parts, with room for index assignments.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::query::expr::{Bound, Expression, Implied};
use crate::query::{Comparison, Filter, MatchType, Predicate, Test};
use crate::value::{Bson, Path};

/// Which index a node uses, and for which part of its key (`IndexTag`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag {
    /// The position in the list of relevant indexes.
    pub index: usize,
    /// The part of the key.
    pub position: usize,
}

/// Where a predicate beside an `$or` is also used inside of it (`OrPushdownTag::Destination`).
#[derive(Debug, Clone)]
pub(super) struct Destination {
    /// The branches to take, outermost `$or` first.
    pub route: Vec<usize>,
    /// What to use there.
    pub tag: Tag,
}

/// One node.
#[derive(Debug, Clone)]
pub(super) struct Node<'q> {
    pub kind: Kind<'q>,
    /// The node's own path: from the document, or from the element inside `$elemMatch`.
    pub path: Cow<'q, Path>,
    pub children: Vec<Node<'q>>,
    /// The same number in all copies of the tree; those below a node have lesser ones.
    pub id: usize,
    pub tag: Option<Tag>,
    pub destinations: Vec<Destination>,
}

/// What a node is.
#[derive(Debug, Clone)]
pub(super) enum Kind<'q> {
    And,
    Or,
    Nor,
    Not,
    ElemMatchObject,
    /// `$elemMatch` with operators; its children are the operators.
    ElemMatchValue(&'q Predicate),
    Test(&'q Predicate),
    /// A comparison that follows from `$expr` (`$_internalExprEq` and its sisters).
    Implied(Box<Bound>),
    /// `$expr`, `$jsonSchema`, constants: never indexed.
    Opaque(&'q Filter),
}

impl<'q> Node<'q> {
    /// The tree of a filter in normal form.
    pub fn of(filter: &'q Filter) -> Self {
        let mut next = 0;
        let mut root = Self::build(filter, &mut next);
        root.flatten();
        root
    }

    fn new(kind: Kind<'q>, path: Cow<'q, Path>, children: Vec<Self>, next: &mut usize) -> Self {
        *next += 1;
        Self { kind, path, children, id: *next - 1, tag: None, destinations: Vec::new() }
    }

    fn logical(kind: Kind<'q>, parts: &'q [Filter], next: &mut usize) -> Self {
        let children = parts.iter().map(|part| Self::build(part, next)).collect();
        Self::new(kind, Cow::Owned(Path::default()), children, next)
    }

    fn build(filter: &'q Filter, next: &mut usize) -> Self {
        match filter {
            Filter::And(parts) => Self::logical(Kind::And, parts, next),
            Filter::Or(parts) => Self::logical(Kind::Or, parts, next),
            Filter::Nor(parts) => Self::logical(Kind::Nor, parts, next),
            Filter::Not(part) => Self::logical(Kind::Not, std::slice::from_ref(part), next),
            Filter::Field(predicate) => Self::of_predicate(predicate, next),
            Filter::Expr(expression) => Self::of_expression(filter, expression, next),
            other => Self::new(Kind::Opaque(other), Cow::Owned(Path::default()), Vec::new(), next),
        }
    }

    fn of_predicate(predicate: &'q Predicate, next: &mut usize) -> Self {
        let (kind, children) = match &predicate.test {
            Test::ElemMatchObject(inner) => (Kind::ElemMatchObject, vec![Self::build(inner, next)]),
            Test::ElemMatchValue(parts) => {
                (Kind::ElemMatchValue(predicate), parts.iter().map(|part| Self::build(part, next)).collect())
            }
            _ => (Kind::Test(predicate), Vec::new()),
        };
        Self::new(kind, Cow::Borrowed(&predicate.path), children, next)
    }

    /// `$expr` beside the comparisons that follow from it, as the server rewrites it.
    fn of_expression(filter: &'q Filter, expression: &Expression, next: &mut usize) -> Self {
        let opaque = Self::new(Kind::Opaque(filter), Cow::Owned(Path::default()), Vec::new(), next);
        match expression.implied() {
            None => opaque,
            Some(implied) => {
                let children = vec![opaque, Self::of_implied(&implied, next)];
                Self::new(Kind::And, Cow::Owned(Path::default()), children, next)
            }
        }
    }

    fn of_implied(implied: &Implied, next: &mut usize) -> Self {
        let (kind, parts) = match implied {
            Implied::Bound(bound) => {
                let path = Cow::Owned(bound.path.clone());
                return Self::new(Kind::Implied(Box::new(bound.clone())), path, Vec::new(), next);
            }
            Implied::All(parts) => (Kind::And, parts),
            Implied::Any(parts) => (Kind::Or, parts),
        };
        let children = parts.iter().map(|part| Self::of_implied(part, next)).collect();
        Self::new(kind, Cow::Owned(Path::default()), children, next)
    }

    /// Takes the parts of an inner AND into the outer one, which `$expr` may have brought about.
    fn flatten(&mut self) {
        self.children.iter_mut().for_each(Self::flatten);
        if self.is_and() && self.children.iter().any(Self::is_and) {
            let parts = std::mem::take(&mut self.children);
            for part in parts {
                if part.is_and() {
                    self.children.extend(part.children);
                } else {
                    self.children.push(part);
                }
            }
            // What was sorted as a filter is sorted with what follows from it, as an OR of comparisons goes to the front.
            self.children.sort_by_key(Self::match_type);
        }
    }

    pub fn is_and(&self) -> bool {
        matches!(self.kind, Kind::And)
    }

    pub fn is_or(&self) -> bool {
        matches!(self.kind, Kind::Or)
    }

    pub fn is_not(&self) -> bool {
        matches!(self.kind, Kind::Not)
    }

    pub fn is_elem_match_object(&self) -> bool {
        matches!(self.kind, Kind::ElemMatchObject)
    }

    pub fn is_logical(&self) -> bool {
        matches!(self.kind, Kind::And | Kind::Or | Kind::Nor | Kind::Not)
    }

    /// The operator and operand of a comparison.
    pub fn comparison(&self) -> Option<(Comparison, &Bson)> {
        match &self.kind {
            Kind::Test(Predicate { test: Test::Compare(operator, value), .. }) => Some((*operator, value)),
            _ => None,
        }
    }

    pub fn test(&self) -> Option<&'q Test> {
        match self.kind {
            Kind::Test(predicate) | Kind::ElemMatchValue(predicate) => Some(&predicate.test),
            _ => None,
        }
    }

    /// Whether an index on the node's own path can give bounds (`Indexability::nodeCanUseIndexOnOwnField`).
    pub fn uses_own_path(&self) -> bool {
        !self.path.is_empty()
            && match &self.kind {
                Kind::ElemMatchValue(_) => self.children.iter().all(Self::is_sargable_operator),
                _ => self.is_sargable(),
            }
    }

    fn is_sargable(&self) -> bool {
        match &self.kind {
            Kind::Test(predicate) => !matches!(predicate.test, Test::Size(_) | Test::Bits(..)),
            Kind::Implied(_) => true,
            _ => false,
        }
    }

    /// An operator inside `$elemMatch`, or its negation.
    fn is_sargable_operator(&self) -> bool {
        match self.kind {
            Kind::Not => self.children.first().is_some_and(Self::is_sargable),
            _ => self.is_sargable(),
        }
    }

    /// A negation whose inside can give bounds (`Indexability::isBoundsGeneratingNot`).
    pub fn is_bounds_not(&self) -> bool {
        self.is_not() && self.children.first().is_some_and(Self::uses_own_path)
    }

    pub fn gives_bounds(&self) -> bool {
        self.is_bounds_not() || self.uses_own_path()
    }

    /// The tag of a leaf; a negation's is its child's.
    pub fn own_tag(&self) -> Option<Tag> {
        if self.is_not() { self.children.first().and_then(|child| child.tag) } else { self.tag }
    }

    /// Sorts siblings for access planning: by index, by key part, by path, by kind (`sortUsingTags`).
    pub fn sort_by_tags(&mut self) {
        self.children.iter_mut().for_each(Self::sort_by_tags);
        self.children.sort_by(Self::compare_tagged);
    }

    fn compare_tagged(&self, other: &Self) -> Ordering {
        let key = |node: &Self| node.tag.map_or((usize::MAX, usize::MAX), |tag| (tag.index, tag.position));
        key(self)
            .cmp(&key(other))
            .then_with(|| self.path.compare_dotted(&other.path))
            .then_with(|| self.match_type().cmp(&other.match_type()))
    }

    fn match_type(&self) -> MatchType {
        match &self.kind {
            Kind::And => MatchType::And,
            Kind::Or => MatchType::Or,
            Kind::ElemMatchObject => MatchType::ElemMatchObject,
            Kind::Not => MatchType::Not,
            Kind::Nor => MatchType::Nor,
            Kind::Opaque(filter) => filter.match_type(),
            Kind::Implied(bound) => match bound.comparison {
                Comparison::Eq => MatchType::InternalExprEq,
                Comparison::Gt => MatchType::InternalExprGt,
                Comparison::Gte => MatchType::InternalExprGte,
                Comparison::Lt => MatchType::InternalExprLt,
                Comparison::Lte => MatchType::InternalExprLte,
            },
            Kind::ElemMatchValue(predicate) | Kind::Test(predicate) => predicate.test.match_type(),
        }
    }

    /// Whether the tree is that of the filter, with nothing taken out and the parts in the same order: what
    /// [`Node::to_filter`] would make is this very filter then.
    pub fn is_of(&self, filter: &Filter) -> bool {
        let all = |parts: &[Filter]| {
            parts.len() == self.children.len() && self.children.iter().zip(parts).all(|(node, part)| node.is_of(part))
        };
        match (&self.kind, filter) {
            // An AND of one part, or of none, is written without the AND.
            (Kind::And, Filter::And(parts)) => parts.len() > 1 && all(parts),
            (Kind::Or, Filter::Or(parts)) | (Kind::Nor, Filter::Nor(parts)) => all(parts),
            (Kind::Not, Filter::Not(part)) => all(std::slice::from_ref(part)),
            (Kind::ElemMatchObject, Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) })) => {
                *self.path == *path && all(std::slice::from_ref(inner))
            }
            (Kind::Test(own) | Kind::ElemMatchValue(own), Filter::Field(predicate)) => std::ptr::eq(*own, predicate),
            (Kind::Opaque(own), other) => std::ptr::eq(*own, other),
            _ => false,
        }
    }

    /// The filter this tree stands for; none where it says nothing. Comparisons implied by `$expr` are left out, as the
    /// expression itself is part of the filter.
    pub fn to_filter(&self) -> Option<Filter> {
        let parts = || self.children.iter().filter_map(Self::to_filter).collect::<Vec<_>>();
        match &self.kind {
            Kind::And => join(parts()),
            Kind::Or => Some(parts()).filter(|parts| !parts.is_empty()).map(Filter::Or),
            Kind::Nor => Some(Filter::Nor(parts())),
            Kind::Not => parts().pop().map(|part| Filter::Not(Box::new(part))),
            Kind::ElemMatchObject => {
                let inner = parts().pop().unwrap_or(Filter::And(Vec::new()));
                let test = Test::ElemMatchObject(Box::new(inner));
                Some(Filter::Field(Predicate { path: self.path.clone().into_owned(), test }))
            }
            Kind::ElemMatchValue(predicate) => {
                Some(Filter::Field(Predicate { path: predicate.path.clone(), test: Test::ElemMatchValue(parts()) }))
            }
            Kind::Test(predicate) => Some(Filter::Field((*predicate).clone())),
            Kind::Implied(_) => None,
            Kind::Opaque(filter) => Some((*filter).clone()),
        }
    }
}

/// An AND of the parts: none of none, one alone of one.
pub(super) fn join(mut parts: Vec<Filter>) -> Option<Filter> {
    match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ => Some(Filter::And(parts)),
    }
}
