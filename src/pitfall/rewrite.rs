//! The bound rewrite: what a filter over an attribute array seems to ask, with its conditions tied to one element.

use crate::query::{Comparison, Filter, Predicate, Test};
use crate::value::{Bson, Path, array_index};

/// The filter with sibling predicates below the array moved into one `$elemMatch`, on every AND level that has two or
/// more of them; none where no level has. Negative predicates go along with the positive ones.
#[must_use]
pub fn bound(filter: &Filter, array: &Path) -> Option<Filter> {
    let rewritten = bind_level(filter, array);
    (rewritten != *filter).then(|| rewritten.normalised())
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
    if siblings.len() < 2 || !positive || wants_several(&siblings) {
        return Filter::And(parts.iter().map(|part| bind_level(part, array)).collect());
    }
    let inner = Filter::And(siblings.into_iter().map(|(path, part)| moved(part, path)).collect());
    let element = Test::ElemMatchObject(Box::new(inner));
    let rest = parts.iter().filter(|part| below(part, array).is_none()).map(|part| bind_level(part, array));
    let bound = Filter::Field(Predicate { path: array.clone(), test: element });
    Filter::And(std::iter::once(bound).chain(rest).collect())
}

/// Whether one path is to equal several values, which takes several elements.
fn wants_several(siblings: &[(Path, &Filter)]) -> bool {
    let equal = |part: &Filter| match part {
        Filter::Field(Predicate { test: Test::Compare(Comparison::Eq, value), .. }) => Some(value.clone()),
        _ => None,
    };
    let equalities: Vec<(&Path, Bson)> =
        siblings.iter().filter_map(|(path, part)| Some((path, equal(part)?))).collect();
    equalities.iter().any(|(path, value)| equalities.iter().any(|(other, more)| path == other && value != more))
}

fn moved(filter: &Filter, path: Path) -> Filter {
    match filter {
        Filter::Not(inner) => Filter::Not(Box::new(moved(inner, path))),
        Filter::Field(predicate) => Filter::Field(Predicate { path, test: predicate.test.clone() }),
        other => other.clone(),
    }
}
