//! The bound rewrite: what a filter over an attribute array seems to ask, with its conditions tied to one element.

use crate::query::{Comparison, Filter, InList, Predicate, Test};
use crate::value::{Bson, Path, array_index, identical_documents};

/// The filter with sibling predicates below the array moved into one `$elemMatch`, on every AND level that has two or
/// more of them; none where no level has. Negative predicates go along with the positive ones.
#[must_use]
pub fn bound(filter: &Filter, array: &Path) -> Option<Filter> {
    let rewritten = bind_level(filter, array);
    (!same(&rewritten, filter)).then(|| rewritten.normalised())
}

/// Whether two filters are one; NaN, which is equal to nothing, is what it is.
#[must_use]
pub fn same(one: &Filter, other: &Filter) -> bool {
    one == other || identical_documents(&one.to_document(), &other.to_document())
}

/// The path of a predicate from the array's element, where it lies below the array and names a field first.
#[must_use]
pub fn below<'f>(filter: &'f Filter, array: &Path) -> Option<(Path, &'f Filter)> {
    let inner = if let Filter::Not(inner) = filter { inner } else { filter };
    let Filter::Field(predicate) = inner else { return None };
    let tail = predicate.path.parts().strip_prefix(array.parts())?;
    let named = array_index(tail.first()?).is_none();
    named.then(|| (Path::from_parts(tail.to_vec()), filter))
}

fn bind_level(filter: &Filter, array: &Path) -> Filter {
    match filter {
        Filter::And(parts) => bind_siblings(parts, array),
        Filter::Or(parts) => Filter::Or(parts.iter().map(|part| bind_level(part, array)).collect()),
        Filter::Nor(parts) => Filter::Nor(parts.iter().map(|part| bind_level(part, array)).collect()),
        Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) => {
            let inside = array.parts().strip_prefix(path.parts()).filter(|inside| !inside.is_empty());
            let bound = |inside: &[Box<str>]| bind_level(inner, &Path::from_parts(inside.to_vec()));
            let test = Test::ElemMatchObject(Box::new(inside.map_or_else(|| (**inner).clone(), bound)));
            Filter::Field(Predicate { path: path.clone(), test })
        }
        other => other.clone(),
    }
}

fn bind_siblings(parts: &[Filter], array: &Path) -> Filter {
    let siblings: Vec<(Path, &Filter)> = parts.iter().filter_map(|part| below(part, array)).collect();
    let positive = siblings.iter().any(|(_, part)| matches!(part, Filter::Field(_)));
    let elements = elements(&siblings);
    if siblings.len() < 2 || !positive || elements.is_empty() {
        return Filter::And(parts.iter().map(|part| bind_level(part, array)).collect());
    }
    let rest = parts.iter().filter(|part| below(part, array).is_none()).map(|part| bind_level(part, array));
    let bound = elements.into_iter().map(|inner| {
        let test = Test::ElemMatchObject(Box::new(Filter::And(inner)));
        Filter::Field(Predicate { path: array.clone(), test })
    });
    Filter::And(bound.chain(rest).collect())
}

/// What is asked of each element: of one, all siblings together. Where one path is to equal several values, as many
/// elements are meant: each of the values in one of them, beside one of the values that are asked of the other paths.
fn elements(siblings: &[(Path, &Filter)]) -> Vec<Vec<Filter>> {
    let several: Vec<&(Path, &Filter)> = siblings
        .iter()
        .filter(|(path, part)| equal(part).is_some_and(|own| values(siblings, path).iter().any(|more| *more != own)))
        .collect();
    if several.is_empty() {
        return vec![siblings.iter().map(|(path, part)| moved(part, path.clone())).collect()];
    }
    let others = |path: &Path| siblings.iter().any(|(other, _)| other != path);
    let meant = several.iter().filter(|(path, _)| others(path));
    meant.map(|(path, part)| beside(siblings, path, part)).collect()
}

/// One part, and what is asked of other paths in the same element.
fn beside(siblings: &[(Path, &Filter)], path: &Path, part: &Filter) -> Vec<Filter> {
    let others = siblings.iter().filter(|(other, _)| other != path).map(|(other, part)| {
        let list = InList { values: values(siblings, other).into_iter().cloned().collect(), regexes: Vec::new() };
        let any = || Filter::Field(Predicate { path: other.clone(), test: Test::In(list.clone()) });
        if equal(part).is_some() && list.values.len() > 1 { any() } else { moved(part, other.clone()) }
    });
    let mut all = vec![moved(part, path.clone())];
    others.for_each(|other| {
        if !all.contains(&other) {
            all.push(other);
        }
    });
    all
}

/// The values that a path is to equal.
fn values<'f>(siblings: &[(Path, &'f Filter)], path: &Path) -> Vec<&'f Bson> {
    siblings.iter().filter(|(own, _)| own == path).filter_map(|(_, part)| equal(part)).collect()
}

fn equal(part: &Filter) -> Option<&Bson> {
    match part {
        Filter::Field(Predicate { test: Test::Compare(Comparison::Eq, value), .. }) => Some(value),
        _ => None,
    }
}

fn moved(filter: &Filter, path: Path) -> Filter {
    match filter {
        Filter::Not(inner) => Filter::Not(Box::new(moved(inner, path))),
        Filter::Field(predicate) => Filter::Field(Predicate { path, test: predicate.test.clone() }),
        other => other.clone(),
    }
}
