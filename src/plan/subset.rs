//! Whether every document one filter matches is matched by another (`isSubsetOf`, `src/mongo/db/matcher/expression_algo.cpp`).

use std::cmp::Ordering;

use crate::query::{Comparison, Filter, Predicate, Test};
use crate::value::{Bson, Path, View, canonical_type};

use super::bounds::order;

/// Whether every match of `left` is certain to match `right`; false where it cannot be told.
pub(super) fn is_subset(left: &Filter, right: &Filter) -> bool {
    if let Filter::And(parts) = right {
        return parts.iter().all(|part| is_subset(left, part));
    }
    if left == right {
        return true;
    }
    match left {
        Filter::And(parts) if parts.iter().any(|part| is_subset(part, right)) => return true,
        Filter::Or(parts) => return parts.iter().all(|part| is_subset(part, right)),
        _ => {}
    }
    match right {
        Filter::Or(parts) => parts.iter().any(|part| is_subset(left, part)),
        Filter::Field(predicate) => is_subset_of_test(left, predicate),
        Filter::Constant(truth) => *truth,
        Filter::Not(inner) => {
            matches!(&**inner, Filter::Field(Predicate { path, test: Test::Exists }) if lacks(left, path))
        }
        _ => false,
    }
}

fn is_subset_of_test(left: &Filter, right: &Predicate) -> bool {
    match (&right.test, left) {
        (Test::Exists, _) => has(left, &right.path),
        (Test::Compare(operator, value), Filter::Field(own)) if own.path == right.path => match &own.test {
            Test::Compare(own_operator, own_value) => implies(*own_operator, own_value, *operator, value),
            Test::In(list) => {
                let each = |own: &Bson| implies(Comparison::Eq, own, *operator, value);
                list.regexes.is_empty() && !list.values.is_empty() && list.values.iter().all(each)
            }
            _ => false,
        },
        (Test::In(list), Filter::Field(own)) if own.path == right.path => match &own.test {
            Test::Compare(Comparison::Eq, value) => list.values.iter().any(|listed| order(listed, value).is_eq()),
            Test::In(narrower) => {
                let listed = |value: &Bson| list.values.iter().any(|listed| order(listed, value).is_eq());
                narrower.values.iter().all(listed) && narrower.regexes.iter().all(|regex| list.regexes.contains(regex))
            }
            Test::Regex(regex) => list.regexes.contains(regex),
            _ => false,
        },
        (Test::Type(types), Filter::Field(own)) if own.path == right.path => match &own.test {
            Test::Type(narrower) => {
                (types.all_numbers || !narrower.all_numbers)
                    && narrower.codes.iter().all(|code| {
                        types.codes.contains(code) || (types.all_numbers && matches!(code, 1 | 16 | 18 | 19))
                    })
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether a value that passes the first comparison passes the second.
fn implies(left: Comparison, own: &Bson, right: Comparison, value: &Bson) -> bool {
    // Type bracketing: a comparison says nothing of other types.
    let bracket = canonical_type(View::from(own)) == canonical_type(View::from(value));
    let rim = matches!(value, Bson::MinKey | Bson::MaxKey);
    if !bracket && !rim {
        return false;
    }
    if is_nan(own) || is_nan(value) {
        return is_nan(own)
            && is_nan(value)
            && matches!(left, Comparison::Eq | Comparison::Lte | Comparison::Gte)
            && matches!(right, Comparison::Eq | Comparison::Lte | Comparison::Gte);
    }
    let compared = order(own, value);
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

fn is_nan(value: &Bson) -> bool {
    matches!(value, Bson::Double(number) if number.is_nan())
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
