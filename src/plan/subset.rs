//! Whether every document one filter matches is matched by another (`isSubsetOf`, `src/mongo/db/matcher/expression_algo.cpp`).

use std::cmp::Ordering;

use crate::query::{Collation, Comparison, Filter, Predicate, Test, TypeSet};
use crate::value::{Bson, Path, View, canonical_type, is_nan};

use super::bounds::order;
use super::collated::is_collatable;

/// Whether every match of `left`, which compares text by the first collation, is certain to match `right`, which does so
/// by the second; false where it cannot be told.
pub(super) fn is_subset(left: (&Filter, &Collation), right: (&Filter, &Collation)) -> bool {
    Sides { collation: (left.1 == right.1).then_some(left.1) }.subset(left.0, right.0)
}

/// What two filters have in common to compare by.
#[derive(Clone, Copy)]
struct Sides<'c> {
    /// The collation of both; none where they have different ones, and then nothing is known of text (`collatorsMatch`).
    collation: Option<&'c Collation>,
}

impl Sides<'_> {
    fn subset(self, left: &Filter, right: &Filter) -> bool {
        if let Filter::And(parts) = right {
            return parts.iter().all(|part| self.subset(left, part));
        }
        if left == right && (self.collation.is_some() || is_uncollated(right)) {
            return true;
        }
        match left {
            Filter::And(parts) if parts.iter().any(|part| self.subset(part, right)) => return true,
            Filter::Or(parts) => return parts.iter().all(|part| self.subset(part, right)),
            _ => {}
        }
        match right {
            Filter::Or(parts) => parts.iter().any(|part| self.subset(left, part)),
            Filter::Field(predicate) => self.subset_of_test(left, predicate),
            Filter::Constant(truth) => *truth,
            Filter::Not(inner) => {
                matches!(&**inner, Filter::Field(Predicate { path, test: Test::Exists }) if lacks(left, path))
            }
            _ => false,
        }
    }

    fn subset_of_test(self, left: &Filter, right: &Predicate) -> bool {
        match (&right.test, left) {
            (Test::Exists, _) => has(left, &right.path),
            (Test::Compare(operator, value), Filter::Field(own)) if own.path == right.path => match &own.test {
                Test::Compare(own_operator, own_value) => self.implies(*own_operator, own_value, *operator, value),
                Test::In(list) => {
                    let each = |own: &Bson| self.implies(Comparison::Eq, own, *operator, value);
                    list.regexes.is_empty() && !list.values.is_empty() && list.values.iter().all(each)
                }
                _ => false,
            },
            (Test::In(list), Filter::Field(own)) if own.path == right.path => {
                let listed = |value: &Bson| list.values.iter().any(|listed| self.equal(listed, value));
                match &own.test {
                    Test::Compare(Comparison::Eq, value) => listed(value),
                    Test::In(narrower) => {
                        narrower.values.iter().all(listed)
                            && narrower.regexes.iter().all(|regex| list.regexes.contains(regex))
                    }
                    Test::Regex(regex) => list.regexes.contains(regex),
                    _ => false,
                }
            }
            (Test::Type(types), Filter::Field(own)) if own.path == right.path => {
                matches!(&own.test, Test::Type(narrower) if within(narrower, types))
            }
            _ => false,
        }
    }

    /// How two values of one type bracket compare; none where that depends on which of two collations is asked.
    fn order(self, left: &Bson, right: &Bson) -> Option<Ordering> {
        match self.collation {
            Some(collation) => Some(collation.compare(left.into(), right.into())),
            None => (!is_collatable(left)).then(|| order(left, right)),
        }
    }

    fn equal(self, left: &Bson, right: &Bson) -> bool {
        self.order(left, right).is_some_and(Ordering::is_eq)
    }

    /// Whether a value that passes the first comparison passes the second.
    fn implies(self, left: Comparison, own: &Bson, right: Comparison, value: &Bson) -> bool {
        // Type bracketing: a comparison says nothing of other types.
        let bracket = canonical_type(View::from(own)) == canonical_type(View::from(value));
        let rim = matches!(value, Bson::MinKey | Bson::MaxKey);
        if !bracket && !rim {
            return false;
        }
        let nan = [own, value].map(|value| is_nan(value.into()));
        if nan.contains(&true) {
            return nan == [true, true]
                && matches!(left, Comparison::Eq | Comparison::Lte | Comparison::Gte)
                && matches!(right, Comparison::Eq | Comparison::Lte | Comparison::Gte);
        }
        let Some(compared) = self.order(own, value) else { return false };
        match right {
            Comparison::Eq => left == Comparison::Eq && compared.is_eq(),
            Comparison::Lt => match left {
                Comparison::Eq | Comparison::Lte => compared.is_lt(),
                Comparison::Lt => compared.is_le(),
                _ => false,
            },
            Comparison::Lte => matches!(left, Comparison::Eq | Comparison::Lt | Comparison::Lte) && compared.is_le(),
            Comparison::Gt => match left {
                Comparison::Eq | Comparison::Gte => compared.is_gt(),
                Comparison::Gt => compared != Ordering::Less,
                _ => false,
            },
            Comparison::Gte => matches!(left, Comparison::Eq | Comparison::Gt | Comparison::Gte) && compared.is_ge(),
        }
    }
}

/// Whether no collation has a say in a test; what holds other filters is told part by part.
fn is_uncollated(filter: &Filter) -> bool {
    match filter {
        Filter::Field(predicate) => match &predicate.test {
            Test::Compare(_, value) => !is_collatable(value),
            Test::In(list) => !list.values.iter().any(is_collatable),
            Test::Exists | Test::Type(_) | Test::Mod(..) | Test::Regex(_) | Test::Size(_) | Test::Bits(..) => true,
            Test::ElemMatchObject(_) | Test::ElemMatchValue(_) => false,
        },
        _ => false,
    }
}

/// Whether every type of the first set is in the second.
fn within(narrower: &TypeSet, types: &TypeSet) -> bool {
    let listed = |code: &i32| types.codes.contains(code) || (types.all_numbers && matches!(code, 1 | 16 | 18 | 19));
    (types.all_numbers || !narrower.all_numbers) && narrower.codes.iter().all(listed)
}

/// Whether a match is certain to have the field.
fn has(left: &Filter, path: &Path) -> bool {
    match left {
        Filter::Field(own) if &own.path == path => match &own.test {
            Test::Compare(_, Bson::Null | Bson::Undefined) => false,
            Test::In(list) => !list.values.contains(&Bson::Null),
            // These may hold for an empty array too, which exists all the same.
            _ => true,
        },
        // "Not null" is only met by a value.
        Filter::Not(inner) => matches!(
            &**inner,
            Filter::Field(Predicate { path: own, test: Test::Compare(Comparison::Eq, Bson::Null) }) if own == path
        ),
        Filter::And(parts) => parts.iter().any(|part| has(part, path)),
        _ => false,
    }
}

/// Whether a match is certain not to have the field.
fn lacks(left: &Filter, path: &Path) -> bool {
    match left {
        Filter::Not(inner) => {
            matches!(&**inner, Filter::Field(Predicate { path: own, test: Test::Exists }) if own == path)
        }
        Filter::And(parts) => parts.iter().any(|part| lacks(part, path)),
        _ => false,
    }
}
