//! What a filter asks of value paths: AND level by AND level, with the keys asked beside each value.

use crate::pitfall::case::Case;
use crate::pitfall::elements::{all_elements, all_values};
use crate::pitfall::grain::each_question;
use crate::pitfall::{Question, Sighting, rewrite};
use crate::query::{Comparison, Filter, Predicate, Test};
use crate::store::AttributeFacts;
use crate::value::{Bson, Path, RawDocument, View};

/// Parts of a filter that hold together, of the document or of one array element.
#[derive(Debug)]
pub(super) struct AndLevel<'f> {
    /// The array whose element it speaks of; empty for the document.
    pub array: Path,
    /// The parts.
    pub parts: Vec<&'f Filter>,
    /// Whether it stands below a negation.
    pub negated: bool,
}

/// What one AND level asks of one value.
#[derive(Debug)]
pub(super) struct Ask<'f> {
    /// The value's path from the document.
    pub path: Path,
    /// The attribute array that it lies in.
    pub array: Option<&'f AttributeFacts>,
    /// The keys that the level names.
    pub keys: Vec<&'f str>,
    /// The tests the value has to pass.
    pub tests: Vec<&'f Test>,
    /// The tests it must not pass.
    pub refused: Vec<&'f Test>,
    /// Whether the level names the unit.
    pub names_unit: bool,
    /// Whether the level says anything of the key, be it no equality.
    pub names_key: bool,
    /// Whether key and value are asked of one element.
    pub bound: bool,
    /// Whether the level stands below a negation.
    pub negated: bool,
}

/// The parts of a filter that hold together.
pub(super) fn parts(filter: &Filter) -> Vec<&Filter> {
    if let Filter::And(parts) = filter { parts.iter().collect() } else { vec![filter] }
}

/// The predicate of a part on one path, and whether it is negated.
pub(super) fn simple(part: &Filter) -> Option<(&Predicate, bool)> {
    match part {
        Filter::Field(predicate) => Some((predicate, false)),
        Filter::Not(inner) => simple(inner).map(|(predicate, negated)| (predicate, !negated)),
        _ => None,
    }
}

/// Every AND level of a filter.
pub(super) fn levels(filter: &Filter) -> Vec<AndLevel<'_>> {
    let mut found = Vec::new();
    collect(filter, &Path::default(), false, &mut found);
    found
}

fn collect<'f>(filter: &'f Filter, array: &Path, negated: bool, found: &mut Vec<AndLevel<'f>>) {
    let parts = parts(filter);
    for part in &parts {
        descend(part, array, negated, found);
    }
    found.push(AndLevel { array: array.clone(), parts, negated });
}

fn descend<'f>(part: &'f Filter, array: &Path, negated: bool, found: &mut Vec<AndLevel<'f>>) {
    match part {
        Filter::Or(branches) => branches.iter().for_each(|branch| collect(branch, array, negated, found)),
        Filter::Nor(branches) => branches.iter().for_each(|branch| collect(branch, array, !negated, found)),
        Filter::Not(inner) if simple(inner).is_some() => descend(inner, array, !negated, found),
        Filter::Not(inner) => collect(inner, array, !negated, found),
        Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) => {
            collect(inner, &array.join(path), negated, found);
        }
        _ => {}
    }
}

/// What a question asks of values: of attribute arrays, and of other paths.
pub(super) fn asks<'f>(case: &'f Case<'_>, question: &'f Question<'_>) -> Vec<Ask<'f>> {
    let arrays = case.attributes(question.collection);
    let levels = levels(&question.tree);
    levels.iter().flat_map(|level| of_level(level, arrays)).collect()
}

/// Each value that a filter asks for, be it of documents or of elements.
pub(super) fn each_ask(
    case: &Case<'_>,
    sight: impl Fn(&Case<'_>, &Question<'_>, &Ask<'_>) -> Option<Sighting>,
) -> Vec<Sighting> {
    case.filters().flat_map(|question| asked(case, question, &sight)).collect()
}

/// Each value that a filter which chooses documents asks for.
pub(super) fn each_ask_of_documents(
    case: &Case<'_>,
    sight: impl Fn(&Case<'_>, &Question<'_>, &Ask<'_>) -> Option<Sighting>,
) -> Vec<Sighting> {
    each_question(case, |case, question| asked(case, question, &sight))
}

fn asked(
    case: &Case<'_>,
    question: &Question<'_>,
    sight: &impl Fn(&Case<'_>, &Question<'_>, &Ask<'_>) -> Option<Sighting>,
) -> Vec<Sighting> {
    asks(case, question).iter().filter_map(|ask| sight(case, question, ask)).collect()
}

fn of_level<'f>(level: &AndLevel<'f>, arrays: &'f [AttributeFacts]) -> Vec<Ask<'f>> {
    let mut found: Vec<Ask<'f>> = Vec::new();
    for array in arrays {
        let path = Path::new(&array.path);
        let rest = path.parts().strip_prefix(level.array.parts()).map(|rest| Path::from_parts(rest.to_vec()));
        let Some(rest) = rest else { continue };
        if rest.is_empty() {
            let inside = level.parts.iter().filter_map(|part| Some((simple(part)?.0.path.clone(), *part)));
            found.extend(of_array(array, &inside.collect::<Vec<_>>(), level, &rest, true));
        } else {
            let inside = level.parts.iter().filter_map(|part| rewrite::below(part, &rest));
            found.extend(of_array(array, &inside.collect::<Vec<_>>(), level, &rest, false));
        }
    }
    if level.array.is_empty() {
        let is_plain =
            |part: &&&Filter| !arrays.iter().any(|array| rewrite::below(part, &Path::new(&array.path)).is_some());
        plain(level.parts.iter().filter(is_plain).copied(), level.negated, &mut found);
    }
    found
}

fn of_array<'f>(
    array: &'f AttributeFacts,
    inside: &[(Path, &'f Filter)],
    level: &AndLevel<'f>,
    rest: &Path,
    bound: bool,
) -> Option<Ask<'f>> {
    let value = Path::new(&array.value);
    let named = |name: &str| inside.iter().any(|(path, _)| path.to_string() == name);
    let mut ask = Ask {
        path: Path::new(&array.path).join(&value),
        array: Some(array),
        keys: Vec::new(),
        tests: Vec::new(),
        refused: Vec::new(),
        names_unit: array.unit.as_deref().is_some_and(|unit| names(level, &rest.join(&Path::new(unit)))),
        names_key: named(&array.key),
        bound,
        negated: level.negated,
    };
    for (path, part) in inside {
        let Some((predicate, negated)) = simple(part) else { continue };
        if path.to_string() == array.key && !negated {
            ask.keys.extend(texts(&predicate.test));
        } else if *path == value {
            if negated { &mut ask.refused } else { &mut ask.tests }.push(&predicate.test);
        }
    }
    (!ask.tests.is_empty() || !ask.refused.is_empty()).then_some(ask)
}

/// Whether a part of the level speaks of the path, be it in alternatives.
fn names(level: &AndLevel<'_>, path: &Path) -> bool {
    level.parts.iter().any(|part| part.paths().contains(&path))
}

fn plain<'f>(parts: impl Iterator<Item = &'f Filter>, negated: bool, found: &mut Vec<Ask<'f>>) {
    for (predicate, refused) in parts.filter_map(simple) {
        if matches!(predicate.test, Test::ElemMatchObject(_) | Test::Exists | Test::Size(_)) {
            continue;
        }
        let known = found.iter().position(|ask| ask.array.is_none() && ask.path == predicate.path);
        let at = known.unwrap_or_else(|| {
            found.push(Ask::plain(predicate.path.clone(), negated));
            found.len() - 1
        });
        let ask = &mut found[at];
        if refused { &mut ask.refused } else { &mut ask.tests }.push(&predicate.test);
    }
}

/// The texts an equality or `$in` names.
pub(super) fn texts(test: &Test) -> Vec<&str> {
    match test {
        Test::Compare(Comparison::Eq, Bson::String(text)) => vec![text],
        Test::In(list) => list.values.iter().filter_map(Bson::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The keys of an attribute array that a filter names, positively, anywhere.
pub(super) fn keys_named<'f>(filter: &'f Filter, array: &AttributeFacts) -> Vec<&'f str> {
    let (path, key) = (Path::new(&array.path), Path::new(&array.key));
    let mut found = Vec::new();
    for level in levels(filter).iter().filter(|level| !level.negated) {
        for (predicate, negated) in level.parts.iter().filter_map(|part| simple(part)) {
            if !negated && level.array.join(&predicate.path) == path.join(&key) {
                found.extend(texts(&predicate.test));
            }
        }
    }
    found
}

/// The literals that a test compares with.
pub(super) fn literals(test: &Test) -> Vec<&Bson> {
    match test {
        Test::Compare(_, literal) => vec![literal],
        Test::In(list) => list.values.iter().collect(),
        _ => Vec::new(),
    }
}

/// Whether a test asks for more or less than a literal.
pub(super) fn is_range(test: &Test) -> bool {
    matches!(test, Test::Compare(comparison, _) if *comparison != Comparison::Eq)
}

impl Ask<'_> {
    fn plain(path: Path, negated: bool) -> Self {
        Self {
            path,
            array: None,
            keys: Vec::new(),
            tests: Vec::new(),
            refused: Vec::new(),
            names_unit: false,
            names_key: false,
            bound: false,
            negated,
        }
    }

    /// The attribute's key where one is named, else the path.
    pub(super) fn name(&self) -> String {
        if self.keys.is_empty() { self.path.to_string() } else { self.keys.join(", ") }
    }

    /// The value field's name in the array element; empty outside of arrays.
    pub(super) fn value(&self) -> &str {
        self.array.map_or("", |array| &array.value)
    }

    /// The value's path from the array element.
    pub(super) fn tail(&self) -> Path {
        self.array.map_or_else(Path::default, |array| Path::new(&array.value))
    }

    /// Whether an element has a key that is asked for.
    pub(super) fn has_key(&self, element: View<'_>) -> bool {
        let (Some(array), View::Document(element)) = (self.array, element) else { return false };
        let key = element.get(&array.key);
        self.keys.is_empty() || matches!(key, Some(View::String(key)) if self.keys.contains(&key))
    }

    /// The values that a document holds in the place asked for.
    pub(super) fn values<'d>(&self, document: &'d RawDocument) -> Vec<View<'d>> {
        let Some(array) = self.array else { return all_values(View::Document(document.into()), &self.path) };
        let elements = all_elements(document, &Path::new(&array.path));
        let asked = elements.into_iter().filter(|element| self.has_key(*element));
        asked.flat_map(|element| all_values(element, &self.tail())).collect()
    }
}
