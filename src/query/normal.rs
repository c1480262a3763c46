//! The normal form of a filter: what the server's optimiser and sorter leave, and what explain prints.

use std::cmp::Ordering;

use super::filter::{Comparison, Filter, InList, Predicate, Test};
use crate::error::{CommandError, ErrorCode, Result};
use crate::value::{self, Bson, Path};

impl Filter {
    /// Simplifies as the server does (`MatchExpression::optimize`), then sorts (`MatchExpression::sortTree`).
    #[must_use]
    pub fn normalised(self) -> Self {
        let mut filter = optimised(self);
        if filter.is_true() {
            return Self::And(Vec::new());
        }
        sort(&mut filter);
        filter
    }

    fn is_true(&self) -> bool {
        match self {
            Self::Constant(truth) => *truth,
            Self::And(parts) => parts.is_empty(),
            Self::Expr(expression) => expression.as_constant().is_some_and(|value| value::is_true(value.into())),
            _ => false,
        }
    }

    fn is_false(&self) -> bool {
        match self {
            Self::Constant(truth) => !truth,
            Self::Field(Predicate { test: Test::In(list), .. }) => list.values.is_empty() && list.regexes.is_empty(),
            _ => false,
        }
    }
}

fn optimised(filter: Filter) -> Filter {
    match filter {
        Filter::And(parts) => and(parts.into_iter().map(optimised).collect()),
        Filter::Or(parts) => or(parts.into_iter().map(optimised).collect()),
        Filter::Nor(parts) => nor(parts.into_iter().map(optimised).collect()),
        Filter::Not(part) => Filter::Not(Box::new(optimised(*part))),
        Filter::Field(predicate) => field(predicate),
        other => other,
    }
}

/// Moves the parts of an inner AND (or OR) behind the others.
fn absorbed(parts: Vec<Filter>, is_inner: impl Fn(&Filter) -> bool) -> Vec<Filter> {
    if !parts.iter().any(&is_inner) {
        return parts;
    }
    let (inner, mut own): (Vec<_>, Vec<_>) = parts.into_iter().partition(is_inner);
    own.extend(inner.into_iter().flat_map(|part| match part {
        Filter::And(parts) | Filter::Or(parts) => parts,
        other => vec![other],
    }));
    own
}

fn and(parts: Vec<Filter>) -> Filter {
    let mut parts = absorbed(parts, |part| matches!(part, Filter::And(_)));
    parts.retain(|part| !part.is_true());
    if parts.len() == 1 {
        return parts.remove(0);
    }
    if parts.iter().any(Filter::is_false) { Filter::Constant(false) } else { Filter::And(parts) }
}

fn or(parts: Vec<Filter>) -> Filter {
    let mut parts = absorbed(parts, |part| matches!(part, Filter::Or(_)));
    parts.retain(|part| !part.is_false());
    if parts.is_empty() {
        return Filter::Constant(false);
    }
    if parts.iter().any(Filter::is_true) {
        return Filter::Constant(true);
    }
    equalities_joined(parts)
}

fn nor(mut parts: Vec<Filter>) -> Filter {
    if parts.len() == 1 { Filter::Not(Box::new(parts.remove(0))) } else { Filter::Nor(parts) }
}

/// Replaces the equalities and regexes on the path of the first of them by one `$in`, where there is more than one; what
/// is left stays an OR inside the OR, as in the server.
fn equalities_joined(mut parts: Vec<Filter>) -> Filter {
    let first = parts.iter().find_map(joinable).cloned();
    let fits = |part: &Filter| joinable(part).is_some() && joinable(part) == first.as_ref();
    let count = parts.iter().filter(|part| fits(part)).count();
    match first.clone() {
        Some(path) if count > 1 => {
            let (same, mut others): (Vec<_>, Vec<_>) = parts.into_iter().partition(fits);
            let joined = in_of(path, same);
            match others.len() {
                0 => joined,
                1 => Filter::Or(vec![joined, others.remove(0)]),
                _ => Filter::Or(vec![joined, Filter::Or(others)]),
            }
        }
        _ if parts.len() == 1 => parts.remove(0),
        _ => Filter::Or(parts),
    }
}

fn joinable(part: &Filter) -> Option<&Path> {
    match part {
        Filter::Field(Predicate { path, test: Test::Compare(Comparison::Eq, _) | Test::Regex(_) }) => Some(path),
        _ => None,
    }
}

fn in_of(path: Path, same: Vec<Filter>) -> Filter {
    let mut list = InList::default();
    for part in same {
        match part {
            Filter::Field(Predicate { test: Test::Compare(_, literal), .. }) => list.values.push(literal),
            Filter::Field(Predicate { test: Test::Regex(regex), .. }) => list.regexes.push(regex),
            _ => {}
        }
    }
    list.sort();
    Filter::Field(Predicate { path, test: Test::In(list) })
}

impl Filter {
    /// The filter for any of these values at a path, in normal form; regular expressions are meant as values.
    ///
    /// # Errors
    /// `BadValue` for undefined, which nothing is compared with.
    pub fn any_of(path: &Path, values: Vec<Bson>) -> Result<Self> {
        if values.contains(&Bson::Undefined) {
            return Err(CommandError::new(ErrorCode::BadValue, "cannot compare to undefined"));
        }
        let has_regex = values.iter().any(|value| matches!(value, Bson::RegularExpression(_)));
        if values.len() == 1 || has_regex {
            let test = |value| Test::Compare(Comparison::Eq, value);
            let equal = |value| Self::Field(Predicate { path: path.clone(), test: test(value) });
            let mut all: Vec<Self> = values.into_iter().map(equal).collect();
            return Ok(if all.len() == 1 { all.remove(0) } else { Self::Or(all).normalised() });
        }
        let mut list = InList { values, regexes: Vec::new() };
        list.sort();
        Ok(field(Predicate { path: path.clone(), test: Test::In(list) }))
    }
}

impl InList {
    /// Sorts the literals in MongoDB's order and drops repeats.
    pub(super) fn sort(&mut self) {
        self.values.sort_by(|a, b| value::compare(a.into(), b.into()));
        self.values.dedup_by(|a, b| value::equal((&*a).into(), (&*b).into()));
        self.regexes.sort_by(|a, b| (&a.pattern, &a.options).cmp(&(&b.pattern, &b.options)));
        self.regexes.dedup();
    }
}

fn field(predicate: Predicate) -> Filter {
    let Predicate { path, test } = predicate;
    let test = match test {
        Test::In(mut list) => match (list.values.len(), list.regexes.len()) {
            (1, 0) => Test::Compare(Comparison::Eq, list.values.remove(0)),
            (0, 1) => Test::Regex(list.regexes.remove(0)),
            _ => Test::In(list),
        },
        Test::ElemMatchObject(inner) => Test::ElemMatchObject(Box::new(optimised(*inner))),
        Test::ElemMatchValue(parts) => Test::ElemMatchValue(parts.into_iter().map(optimised).collect()),
        other => other,
    };
    Filter::Field(Predicate { path, test })
}

fn sort(filter: &mut Filter) {
    match filter {
        Filter::And(parts) | Filter::Or(parts) | Filter::Nor(parts) => {
            parts.iter_mut().for_each(sort);
            parts.sort_by(compare);
        }
        Filter::Not(part) => sort(part),
        Filter::Field(Predicate { test: Test::ElemMatchObject(inner), .. }) => sort(inner),
        Filter::Field(Predicate { test: Test::ElemMatchValue(parts), .. }) => {
            parts.iter_mut().for_each(sort);
            parts.sort_by(compare);
        }
        _ => {}
    }
}

/// The server's order of siblings: kind, path, operand, then children (`matchExpressionComparator`).
fn compare(left: &Filter, right: &Filter) -> Ordering {
    left.match_type()
        .cmp(&right.match_type())
        .then_with(|| compare_paths(left, right))
        .then_with(|| compare_operands(left, right))
        .then_with(|| compare_children(children(left), children(right)))
}

/// Parts of one kind have both a path or both none.
fn compare_paths(left: &Filter, right: &Filter) -> Ordering {
    match (left, right) {
        (Filter::Field(left), Filter::Field(right)) => left.path.compare_dotted(&right.path),
        _ => Ordering::Equal,
    }
}

fn compare_operands(left: &Filter, right: &Filter) -> Ordering {
    let (Filter::Field(left), Filter::Field(right)) = (left, right) else {
        return Ordering::Equal;
    };
    match (&left.test, &right.test) {
        (Test::Compare(_, a), Test::Compare(_, b)) => value::compare(a.into(), b.into()),
        (Test::Size(a), Test::Size(b)) => a.cmp(b),
        (Test::Mod(a, c), Test::Mod(b, d)) => a.cmp(b).then(c.cmp(d)),
        (Test::Regex(a), Test::Regex(b)) => (&a.pattern, &a.options).cmp(&(&b.pattern, &b.options)),
        (Test::In(a), Test::In(b)) => compare_lists(&a.values, &b.values),
        (Test::Bits(_, a), Test::Bits(_, b)) => a.cmp(b),
        (Test::Type(a), Test::Type(b)) => a.codes.cmp(&b.codes),
        _ => Ordering::Equal,
    }
}

fn compare_lists(left: &[Bson], right: &[Bson]) -> Ordering {
    let pairs = left.iter().zip(right).map(|(a, b)| value::compare(a.into(), b.into()));
    pairs.into_iter().find(|order| order.is_ne()).unwrap_or_else(|| left.len().cmp(&right.len()))
}

fn children(filter: &Filter) -> &[Filter] {
    match filter {
        Filter::And(parts) | Filter::Or(parts) | Filter::Nor(parts) => parts,
        Filter::Not(part) => std::slice::from_ref(part),
        Filter::Field(Predicate { test: Test::ElemMatchObject(inner), .. }) => std::slice::from_ref(inner),
        Filter::Field(Predicate { test: Test::ElemMatchValue(parts), .. }) => parts,
        _ => &[],
    }
}

fn compare_children(left: &[Filter], right: &[Filter]) -> Ordering {
    let pairs = left.iter().zip(right).map(|(a, b)| compare(a, b));
    pairs.into_iter().find(|order| order.is_ne()).unwrap_or_else(|| left.len().cmp(&right.len()))
}
