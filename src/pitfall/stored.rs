//! What a later filter of a pipeline asks of the stored documents, where the stages before it leave alone what it reads.

use crate::pitfall::elements::{conjuncts, prefixed};
use crate::pitfall::exchange::{field, replaced};
use crate::query::{Filter, Predicate, Test};
use crate::value::{Bson, Document, Path, View, exact_long};

/// A filter on stored documents.
#[derive(Debug)]
pub struct Stored {
    /// The filter.
    pub tree: Filter,
    /// The arrays that were taken apart before it, the last one first: of each it speaks of one element.
    pub unwound: Vec<Path>,
}

/// The filter as one on stored documents; none where a stage in between makes or mixes what it reads.
#[must_use]
pub fn stored(filter: Filter, before: &[Document]) -> Option<Stored> {
    let mut stored = Stored { tree: filter, unwound: Vec::new() };
    for stage in before.iter().rev() {
        let (name, operand) = stage.iter().next()?;
        match name.as_str() {
            "$match" | "$sort" | "$limit" | "$skip" | "$sample" => {}
            "$project" if leaves(operand.as_document()?, &stored.tree) => {}
            "$set" | "$addFields" | "$unset" if !makes(operand, &stored.tree) => {}
            "$lookup" | "$graphLookup" if !makes(operand.as_document()?.get("as")?, &stored.tree) => {}
            "$unwind" => unwind(&mut stored, operand)?,
            _ => return None,
        }
    }
    stored.tree = stored.tree.normalised();
    Some(stored)
}

impl Stored {
    /// A filter of this kind as it is typed behind the stages that take arrays apart.
    #[must_use]
    pub fn typed(unwound: &[Path], filter: Filter) -> Filter {
        unwound.iter().rev().fold(filter, |filter, array| {
            replaced(&filter, &|part| match part {
                Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) if path == array => {
                    Some(prefixed(inner, array))
                }
                _ => None,
            })
        })
    }
}

/// What is asked below the array is asked of one element.
fn unwind(stored: &mut Stored, operand: &Bson) -> Option<()> {
    let path = operand.as_str().or_else(|| operand.as_document()?.get_str("path").ok())?;
    let array = Path::new(path.strip_prefix('$')?);
    let index = operand.as_document().and_then(|own| own.get("includeArrayIndex"));
    if index.is_some_and(|index| makes(index, &stored.tree)) {
        return None;
    }
    let (inside, outside): (Vec<&Filter>, Vec<&Filter>) =
        conjuncts(&stored.tree).iter().partition(|part| touches(part, &array));
    if inside.is_empty() {
        return Some(());
    }
    let element: Vec<Filter> = inside.into_iter().map(|part| below(part, &array)).collect::<Option<_>>()?;
    let element = Test::ElemMatchObject(Box::new(Filter::And(element).normalised()));
    let all = outside.into_iter().cloned().chain([field(array.clone(), element)]).collect();
    stored.tree = Filter::And(all).normalised();
    stored.unwound.push(array);
    Some(())
}

fn touches(filter: &Filter, array: &Path) -> bool {
    paths(filter).iter().any(|path| path.is_prefix_of(array) || array.is_prefix_of(path))
}

/// The filter with every path begun at the array's element; none where a path does not lie below the array.
fn below(filter: &Filter, array: &Path) -> Option<Filter> {
    let all = |parts: &[Filter]| parts.iter().map(|part| below(part, array)).collect::<Option<Vec<_>>>();
    Some(match filter {
        Filter::And(parts) => Filter::And(all(parts)?),
        Filter::Or(parts) => Filter::Or(all(parts)?),
        Filter::Nor(parts) => Filter::Nor(all(parts)?),
        Filter::Not(inner) => Filter::Not(Box::new(below(inner, array)?)),
        Filter::Field(Predicate { path, test }) => {
            let rest = path.parts().strip_prefix(array.parts()).filter(|rest| !rest.is_empty())?;
            field(Path::from_parts(rest.to_vec()), test.clone())
        }
        _ => return None,
    })
}

/// The paths that a filter reads; an expression reads everything.
#[must_use]
pub fn paths(filter: &Filter) -> Vec<Path> {
    match filter {
        Filter::And(parts) | Filter::Or(parts) | Filter::Nor(parts) => parts.iter().flat_map(paths).collect(),
        Filter::Not(inner) => paths(inner),
        Filter::Field(predicate) => vec![predicate.path.clone()],
        _ => vec![Path::default()],
    }
}

/// Whether a projection hands on unchanged whatever the filter reads.
#[must_use]
pub fn leaves(projection: &Document, filter: &Filter) -> bool {
    let is = |value: &Bson, wanted: i64| match value {
        Bson::Boolean(kept) => i64::from(*kept) == wanted,
        number => exact_long(View::from(number)) == Some(wanted),
    };
    if projection.iter().all(|(_, value)| is(value, 0)) {
        return !makes(&Bson::Document(projection.clone()), filter);
    }
    let kept = |name: &str| projection.get(name).is_some_and(|value| is(value, 1));
    paths(filter).iter().all(|path| path.parts().first().is_some_and(|first| &**first == "_id" || kept(first)))
}

/// Whether a stage writes something that the filter reads.
#[must_use]
pub fn makes(operand: &Bson, filter: &Filter) -> bool {
    let names: Vec<&str> = match operand {
        Bson::Document(fields) => fields.keys().map(String::as_str).collect(),
        Bson::Array(list) => list.iter().filter_map(Bson::as_str).collect(),
        other => other.as_str().into_iter().collect(),
    };
    names.iter().any(|name| touches(filter, &Path::new(name)))
}
