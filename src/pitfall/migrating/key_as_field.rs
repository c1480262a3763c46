//! A key written as a field of an array's elements, where the elements hold it as a value.

use crate::pitfall::elements::{elements, wanted};
use crate::pitfall::updating::change::{Change, Target, pairs, shown_id, write};
use crate::pitfall::{Case, Sighting};
use crate::store::AttributeFacts;
use crate::value::{Document, Path, View, array_index, doc, member};
use crate::words::Words;

const FIELD: Words = Words::new(
    "This made `{name}` a field of {n elements} of `{array}`, such as in _id {id}. There it is a value of `{key}`: no condition on \
     `{array}.{value}` finds what was written.",
    "Das machte `{name}` zu einem Feld von {n Elementen} von `{array}`, etwa in _id {id}. Dort ist es ein Wert von `{key}`: keine \
     Bedingung an `{array}.{value}` findet, was geschrieben wurde.",
);

/// Operators that make a field where there is none.
const MAKING: [&str; 5] = ["$set", "$inc", "$mul", "$min", "$max"];

/// An element's new field whose name is a key of its array, in a document that was changed.
pub(super) fn key_as_field(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>) -> Option<Sighting> {
    let place = Place::of(target).filter(|_| MAKING.contains(&target.operator))?;
    let profile = case.profile(change.question.collection)?;
    let facts = profile.attribute_array(&place.array.to_string())?;
    let is_key = facts.keys.contains_key(place.name) && place.name != facts.value && place.name != facts.key;
    if !is_key {
        return None;
    }
    let with_field = |element: &View<'_>| member(*element, place.name).is_some();
    let mut made = Vec::new();
    for (before, after) in pairs(&change.question) {
        if elements(before, &place.array)?.iter().any(with_field) {
            return None;
        }
        let count = elements(after, &place.array)?.iter().filter(|element| with_field(element)).count();
        made.push((count, before, after));
    }
    let (_, before, after) = *made.iter().find(|(count, ..)| *count > 0)?;
    Some(Sighting {
        span: change.span(case, target),
        values: vec![
            ("name", place.name.to_owned()),
            ("n", made.iter().map(|(count, ..)| count).sum::<usize>().to_string()),
            ("array", facts.path.clone()),
            ("id", shown_id(before)),
            ("key", facts.key.clone()),
            ("value", facts.value.clone()),
        ],
        evidence: vec![write(before, after)],
        fix: cured(case, change, target, &place, facts),
        words: Some(FIELD),
        ..Sighting::default()
    })
}

/// A field of one element: its array, the position, its name.
struct Place<'t> {
    array: Path,
    positional: &'t str,
    name: &'t str,
}

impl<'t> Place<'t> {
    fn of(target: &'t Target<'_>) -> Option<Self> {
        let [array @ .., positional, name] = target.path.parts() else { return None };
        let is_position = positional.starts_with('$') || array_index(positional).is_some();
        let plain = !array.is_empty() && array.iter().all(|part| !part.starts_with('$')) && !name.starts_with('$');
        (is_position && plain).then(|| Self { array: Path::from_parts(array.to_vec()), positional, name })
    }
}

/// The value of the element with that key written instead.
fn cured(
    case: &Case<'_>,
    change: &Change<'_>,
    target: &Target<'_>,
    place: &Place<'_>,
    facts: &AttributeFacts,
) -> Option<String> {
    let asked = change.condition(&place.array);
    let names_key = asked
        .is_some_and(|asked| wanted(&asked, &Path::new(&facts.key)).and_then(|key| key.as_str()) == Some(place.name));
    let (positional, filter): (String, Option<Document>) = match place.positional {
        "$" if names_key => ("$".to_owned(), None),
        named if named.starts_with("$[") && named != "$[]" => (named.to_owned(), None),
        _ => {
            let name = change.free_identifier();
            (format!("$[{name}]"), Some(doc! {format!("{name}.{}", facts.key): place.name}))
        }
    };
    let path = place.array.join(&Path::new(&positional)).join(&Path::new(&facts.value)).to_string();
    let operators = change.with_target(target, target.operator, &path, target.operand.clone());
    let filters = change.array_filters.iter().cloned().chain(filter).collect();
    change.with_command(case, &change.command(operators, filters))
}
