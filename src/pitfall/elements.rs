//! The elements of an array of documents, told apart by a key field, and the condition that a filter sets to one of them.

use crate::pitfall::Case;
use crate::pitfall::rewrite::below;
use crate::query::{Collation, Comparison, Filter, Matcher, Predicate, Test};
use crate::store::{AttributeFacts, Profile};
use crate::value::{Bson, DocView, Path, RawDocument, View, member};

/// Usual names of key fields; they hold for arrays whose keys do not repeat yet, or whose values were all made equal.
pub const KEY_NAMES: [&str; 8] = ["k", "key", "name", "attr", "location", "lang", "code", "date"];

/// One element of an attribute array that has a key.
#[derive(Debug, Clone, Copy)]
pub struct Attribute<'a> {
    /// The key.
    pub key: &'a str,
    /// The value, if there is one.
    pub value: Option<View<'a>>,
    /// The unit, if there is one.
    pub unit: Option<&'a str>,
}

/// The attributes that a document holds in an attribute array.
#[must_use]
pub fn attributes<'a>(document: &'a RawDocument, array: &AttributeFacts) -> Vec<Attribute<'a>> {
    let elements = all_elements(document, &Path::new(&array.path));
    elements.into_iter().filter_map(|element| attribute(element, array)).collect()
}

fn attribute<'a>(element: View<'a>, array: &AttributeFacts) -> Option<Attribute<'a>> {
    let unit = array.unit.as_ref().and_then(|unit| key_of(element, unit));
    Some(Attribute { key: key_of(element, &array.key)?, value: member(element, &array.value), unit })
}

/// The key field of an array of documents: a usual name that the elements have as text, else
/// the field whose texts repeat.
#[must_use]
pub fn key_field(case: &Case<'_>, collection: &str, array: &str) -> Option<String> {
    key_of_facts(case.profile(collection)?, array)
}

/// The key field of an array of documents, by the facts of its collection.
#[must_use]
pub fn key_of_facts(profile: &Profile, array: &str) -> Option<String> {
    let facts = profile.arrays().get(array)?;
    let texts = |name: &str| facts.fields.get(name).map_or(0, |field| field.texts.values().sum::<u64>());
    let usual = KEY_NAMES.into_iter().find(|name| facts.elements > 0 && texts(name) * 10 >= facts.elements * 9);
    let own = || profile.attribute_array(array).map(|facts| facts.key.clone());
    usual.map(str::to_owned).or_else(own)
}

/// The value at a path through documents; a numeric part names a position.
#[must_use]
pub fn value_at<'d>(document: &'d RawDocument, path: &Path) -> Option<View<'d>> {
    path.parts().iter().try_fold(View::Document(document.into()), |value, part| member(value, part))
}

/// The elements of the array at a path.
#[must_use]
pub fn elements<'d>(document: &'d RawDocument, path: &Path) -> Option<Vec<View<'d>>> {
    let Some(View::Array(array)) = value_at(document, path) else { return None };
    Some(array.iter().collect())
}

/// The text under an element's key field.
#[must_use]
pub fn key_of<'d>(element: View<'d>, key: &str) -> Option<&'d str> {
    let Some(View::String(text)) = member(element, key) else { return None };
    Some(text)
}

/// The conditions that hold together on a filter's outer AND level.
#[must_use]
pub fn conjuncts(filter: &Filter) -> &[Filter] {
    if let Filter::And(parts) = filter { parts.as_slice() } else { std::slice::from_ref(filter) }
}

/// What a filter asks of one element of the array: the conditions below the array on the filter's outer AND level, those
/// of an `$elemMatch` included; none where no positive one is there.
#[must_use]
pub fn condition(filter: &Filter, array: &Path) -> Option<Filter> {
    let parts: Vec<Filter> = conjuncts(filter).iter().filter_map(|part| of_element(part, array)).collect();
    let positive = parts.iter().any(|part| !matches!(part, Filter::Not(_)));
    positive.then(|| Filter::And(parts).normalised())
}

fn of_element(part: &Filter, array: &Path) -> Option<Filter> {
    if let Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) = part
        && path == array
    {
        return Some((**inner).clone());
    }
    let (path, _) = below(part, array)?;
    Some(with_path(part, &path))
}

fn with_path(filter: &Filter, path: &Path) -> Filter {
    match filter {
        Filter::Not(inner) => Filter::Not(Box::new(with_path(inner, path))),
        Filter::Field(predicate) => Filter::Field(Predicate { path: path.clone(), test: predicate.test.clone() }),
        other => other.clone(),
    }
}

/// The same filter asked below a prefix: `k: "ram"` becomes `e.k: "ram"`.
#[must_use]
pub fn prefixed(filter: &Filter, prefix: &Path) -> Filter {
    let all = |parts: &[Filter]| parts.iter().map(|part| prefixed(part, prefix)).collect();
    match filter {
        Filter::And(parts) => Filter::And(all(parts)),
        Filter::Or(parts) => Filter::Or(all(parts)),
        Filter::Nor(parts) => Filter::Nor(all(parts)),
        Filter::Not(part) => Filter::Not(Box::new(prefixed(part, prefix))),
        Filter::Field(predicate) => {
            Filter::Field(Predicate { path: prefix.join(&predicate.path), test: predicate.test.clone() })
        }
        other => other.clone(),
    }
}

/// Which elements meet a condition.
#[must_use]
pub fn meeting(elements: &[View<'_>], condition: &Filter) -> Vec<usize> {
    let Ok(matcher) = Matcher::new(condition, Collation::simple()) else { return Vec::new() };
    let meets = |element: &View<'_>| matcher.matches_element(*element);
    elements.iter().enumerate().filter(|(_, element)| meets(element)).map(|(position, _)| position).collect()
}

/// The value that a filter's outer AND level wants a path to equal.
#[must_use]
pub fn wanted<'f>(filter: &'f Filter, path: &Path) -> Option<&'f Bson> {
    match filter {
        Filter::And(parts) => parts.iter().find_map(|part| wanted(part, path)),
        Filter::Field(Predicate { path: own, test: Test::Compare(Comparison::Eq, value) }) if own == path => {
            Some(value)
        }
        _ => None,
    }
}

/// The elements of all arrays at a path, which may lead through arrays.
#[must_use]
pub fn all_elements<'d>(document: &'d RawDocument, path: &Path) -> Vec<View<'d>> {
    let mut found = Vec::new();
    each_element(document, path, &mut |element| found.push(element));
    found
}

/// Each element of all arrays at a path, which may lead through arrays.
pub fn each_element<'d>(document: &'d RawDocument, path: &Path, at: &mut dyn FnMut(View<'d>)) {
    reach(View::Document(DocView::Raw(document)), path.parts(), &mut |value| {
        if let View::Array(array) = value {
            array.iter().for_each(&mut *at);
        }
    });
}

/// The values at a path, which may lead through arrays; of an array there its elements.
#[must_use]
pub fn all_values<'d>(root: View<'d>, path: &Path) -> Vec<View<'d>> {
    let mut found = Vec::new();
    each_value(root, path, &mut |value| found.push(value));
    found
}

/// Each value at a path, which may lead through arrays; of an array there its elements.
pub fn each_value<'d>(root: View<'d>, path: &Path, at: &mut dyn FnMut(View<'d>)) {
    reach(root, path.parts(), &mut |value| match value {
        View::Array(array) => array.iter().for_each(&mut *at),
        other => at(other),
    });
}

fn reach<'d>(value: View<'d>, parts: &[Box<str>], at: &mut dyn FnMut(View<'d>)) {
    match (value, parts.split_first()) {
        (_, None) => at(value),
        (View::Document(document), Some((first, rest))) => {
            if let Some(inner) = document.get(first) {
                reach(inner, rest, at);
            }
        }
        (View::Array(array), Some(_)) => {
            let documents = array.iter().filter(|element| matches!(element, View::Document(_)));
            documents.for_each(|element| reach(element, parts, at));
        }
        _ => {}
    }
}

/// Letters and digits in lower case: what stays of a text when spelling is set aside.
#[must_use]
pub fn folded(text: &str) -> String {
    text.trim().chars().filter(|letter| !"_- ".contains(*letter)).flat_map(char::to_lowercase).collect()
}
