//! An update path that goes through an array without saying which element.

use super::change::{Change, Target, each_change, shown_id};
use crate::engine::Command;
use crate::error::ErrorCode;
use crate::pitfall::case::shown;
use crate::pitfall::edit::key_text;
use crate::pitfall::elements::elements;
use crate::pitfall::exchange::equals;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::proof::written;
use crate::query::Filter;
use crate::value::{Bson, Document, Path, RawDocument, array_index};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "set-through-array",
    level: Level::Refused,
    weight: 12,
    title: Words::new("Update path through an array without a position", "Änderungspfad durch ein Array ohne Position"),
    explanation: Words::new(
        "An array has positions, not fields: an update has to say which element it means (error 28, PathNotViable).",
        "Ein Array hat Positionen, keine Felder: Eine Änderung muss sagen, welches Element sie meint (Fehler 28, PathNotViable).",
    ),
    message: Words::new(
        "`{array}` is an array of {n elements} in _id {id}, so `{path}` names no place. Say which element: `{cured}`.",
        "`{array}` ist in _id {id} ein Array mit {n Elementen}, daher nennt `{path}` keinen Ort. Sag, welches Element: `{cured}`.",
    ),
    cure: Words::new(
        "`specs.$.v` with the key in the filter, or `specs.$[e].v` with `arrayFilters`.",
        "`specs.$.v` mit dem Schlüssel im Filter, oder `specs.$[e].v` mit `arrayFilters`.",
    ),
    example: r#"db.c.updateOne({_id: 1, "specs.k": "color"}, {$set: {"specs.v": "blue"}})"#,
    detect: |case| each_change(case, sight),
};

/// Said where the path names an attribute's key as if it were a field.
const KEY: Words = Words::new(
    "`{array}` is an array of {n} {n|element|elements} in _id {id}, so `{path}` names no place: a key is no field. Ask for it in the \
     filter, `{key}`, and say `{cured}`.",
    "`{array}` ist in _id {id} ein Array mit {n} {n|Element|Elementen}, daher nennt `{path}` keinen Ort: Ein Schlüssel ist kein Feld. \
     Frage im Filter danach, `{key}`, und schreibe `{cured}`.",
);

fn sight(case: &Case<'_>, change: &Change<'_>) -> Option<Sighting> {
    let error = change.refusal().filter(|error| error.code == ErrorCode::PathNotViable)?;
    let matching = change.matching(case);
    // Of a pull another pitfall speaks: no position would help it.
    let (target, array, document) = change.targets().filter(|target| !target.pulls()).find_map(|target| {
        let found = matching.iter().find_map(|document| Some((crossed(&target, document)?, *document)))?;
        Some((target, found.0, found.1))
    })?;
    let length = elements(document, &array)?.len();
    let rest = Path::from_parts(target.path.parts()[array.parts().len()..].to_vec());
    let named = attribute(case, change, &array, &rest);
    let place = named.as_ref().map_or(&rest, |named| &named.value);
    let cured = array.join(&Path::new("$")).join(place).to_string();
    let update = change.with_target(&target, target.operator, &cured, target.operand.clone());
    let fix = match &named {
        Some(named) => keyed(case, change, update, named),
        None => change.condition(&array).and_then(|_| change.with_update(case, &update.into())),
    };
    Some(Sighting {
        span: change.span(case, &target),
        values: vec![
            ("array", array.to_string()),
            ("n", length.to_string()),
            ("id", shown_id(document)),
            ("path", target.name.to_owned()),
            ("cured", cured),
            ("key", named.as_ref().map(|named| named.condition.clone()).unwrap_or_default()),
        ],
        evidence: vec![
            Evidence::Refusal { code: error.code.number(), message: error.message.clone() },
            Evidence::Document { document: Document::try_from(document).ok()?, deciding: Vec::new(), made: false },
        ],
        fix,
        words: named.is_some().then_some(KEY),
        ..Sighting::default()
    })
}

/// The array that a path enters by a field name.
fn crossed(target: &Target<'_>, document: &RawDocument) -> Option<Path> {
    let parts = target.path.parts();
    let named = |at: &usize| !parts[*at].starts_with('$') && array_index(&parts[*at]).is_none();
    let prefixes = (1..parts.len()).filter(named).map(|at| Path::from_parts(parts[..at].to_vec()));
    prefixes.into_iter().find(|prefix| elements(document, prefix).is_some())
}

/// An attribute whose key was written as a field.
struct Named {
    /// The value's path from the element.
    value: Path,
    /// What the filter has to ask.
    asked: Filter,
    /// The same as text.
    condition: String,
}

/// The attribute that a path below an attribute array names by its key.
fn attribute(case: &Case<'_>, change: &Change<'_>, array: &Path, rest: &Path) -> Option<Named> {
    let (name, behind) = rest.parts().split_first()?;
    let facts = case.attributes(change.question.collection).iter().find(|facts| facts.path == array.to_string())?;
    let is_value = [&facts.value, &facts.key].into_iter().chain(&facts.unit).any(|field| **field == **name);
    if is_value || !facts.keys.contains_key(&**name) {
        return None;
    }
    let key = format!("{}.{}", facts.path, facts.key);
    let value = behind.first().filter(|first| ***first == *facts.value).map_or_else(
        || Path::new(&facts.value).join(&Path::from_parts(behind.to_vec())),
        |_| Path::from_parts(behind.to_vec()),
    );
    let condition = format!("{}: {}", key_text(&key), shown(&Bson::String(name.to_string())));
    Some(Named { value, asked: equals(&key, &**name), condition })
}

/// The text with the key asked for in the filter and another update; none where the filter asks for other elements.
fn keyed(case: &Case<'_>, change: &Change<'_>, update: Document, named: &Named) -> Option<String> {
    let mut command = change.command(update, change.array_filters.to_vec());
    let filter = Filter::And(vec![change.question.tree.clone(), named.asked.clone()]).normalised();
    let paths = named.asked.paths();
    if change.question.tree.paths().iter().any(|path| paths.contains(path)) {
        return None;
    }
    match &mut command {
        Command::Update(update) => update.spec.filter = written(&filter),
        Command::FindAndModify(modify) => modify.filter = written(&filter),
        _ => {}
    }
    change.with_command(case, &command)
}
