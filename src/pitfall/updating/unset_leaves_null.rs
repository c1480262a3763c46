//! `$unset` of an array position, which leaves null in its place.

use super::change::{Change, Target, each_target, pairs, shown_id, write};
use crate::pitfall::elements::elements;
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::proof::written;
use crate::value::{Bson, Document, Path, RawDocument, View, array_index, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "unset-leaves-null",
    level: Level::WrongResult,
    weight: 12,
    title: Words::new("$unset on an element", "$unset auf ein Element"),
    explanation: Words::new(
        "`$unset` keeps the array's length: the element becomes null, the index gets an entry for it, and `$arrayToObject` refuses the array.",
        "`$unset` lässt die Länge des Arrays, wie sie ist: Das Element wird null, der Index bekommt dafür einen Eintrag, und `$arrayToObject` lehnt das Array ab.",
    ),
    message: Words::new(
        "Position {at} of `{array}` in _id {id} is now `null`; {n documents} {n|was|were} changed like that.",
        "Position {at} von `{array}` in _id {id} ist jetzt `null`; so {n|wurde|wurden} {n Dokumente} geändert.",
    ),
    cure: Words::new("`$pull` removes the element.", "`$pull` entfernt das Element."),
    example: r#"db.c.updateOne({_id: 1, "specs.k": "color"}, {$unset: {"specs.$": ""}})"#,
    detect: |case| each_target(case, sight),
};

/// Said where no element was there to be emptied.
const BY_CHANCE: Words = Words::new(
    "No element was met, so {n documents} {n|was|were} changed. Where one is met, `$unset` on `{name}` leaves `null` in its place.",
    "Kein Element wurde getroffen, also {n Dokumente} geändert. Wo eines getroffen wird, lässt `$unset` auf `{name}` an \
     seiner Stelle `null` zurück.",
);

fn sight(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>) -> Option<Sighting> {
    if target.operator != "$unset" {
        return None;
    }
    let (_, parents) = target.path.parts().split_last()?;
    let array = Path::from_parts(parents.to_vec());
    let emptied: Vec<_> = pairs(&change.question)
        .filter_map(|(before, after)| Some((new_null(before, after, &array)?, before, after)))
        .collect();
    let Some((at, before, after)) = emptied.first().copied() else { return beside(case, change, target, &array) };
    Some(Sighting {
        span: change.span(case, target),
        values: vec![
            ("at", at.to_string()),
            ("array", array.to_string()),
            ("id", shown_id(before)),
            ("n", emptied.len().to_string()),
        ],
        evidence: vec![write(before, after)],
        fix: cured(case, change, target, &array),
        ..Sighting::default()
    })
}

/// The sighting where the path ends in a position of an array, but no element was there.
fn beside(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>, array: &Path) -> Option<Sighting> {
    let (last, _) = target.path.parts().split_last()?;
    let stored = case.profile(change.question.collection)?.arrays().contains_key(&array.to_string());
    let idle = change.question.ran.result.as_ref().is_ok_and(|run| run.writes.documents.is_empty());
    let positional = last.starts_with('$') || array_index(last).is_some();
    (stored && idle && positional).then(|| Sighting {
        span: change.span(case, target),
        values: vec![("n", "0".into()), ("name", target.name.to_owned())],
        fix: cured(case, change, target, array),
        level: Some(Level::Risk),
        words: Some(BY_CHANCE),
        ..Sighting::default()
    })
}

/// The first position that became null.
fn new_null(before: &RawDocument, after: &RawDocument, array: &Path) -> Option<usize> {
    let (before, after) = (elements(before, array)?, elements(after, array)?);
    let null = |value: Option<&View<'_>>| matches!(value, Some(View::Null));
    (0..after.len()).find(|at| null(after.get(*at)) && !null(before.get(*at)))
}

fn cured(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>, array: &Path) -> Option<String> {
    let Some(cut) = target.cut() else { return without_position(case, change, target, array) };
    if cut.array != *array {
        return None;
    }
    let pulled = |condition: Document| change.with_target(target, "$pull", &array.to_string(), condition.into());
    if cut.positional == "$" {
        return change.with_update(case, &pulled(written(&change.condition(array)?)).into());
    }
    let name = cut.positional.strip_prefix("$[")?.strip_suffix(']')?;
    let front = format!("{name}.");
    let (own, rest): (Vec<_>, Vec<_>) =
        change.array_filters.iter().cloned().partition(|filter| filter.keys().any(|path| path.starts_with(&front)));
    let [own] = own.as_slice() else { return None };
    let short = |(path, value): (&String, &Bson)| Some((path.strip_prefix(&front)?.to_owned(), value.clone()));
    let condition = own.iter().map(short).collect::<Option<Document>>()?;
    change.with_command(case, &change.command(pulled(condition), rest))
}

/// A pipeline that leaves out the element at a fixed position.
fn without_position(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>, array: &Path) -> Option<String> {
    let at = i32::try_from(array_index(target.path.parts().last()?)?).ok()?;
    let single = change.operators.len() == 1 && change.targets().count() == 1 && change.array_filters.is_empty();
    let list = format!("${array}");
    let behind = doc! {"$slice": [&list, at + 1, {"$max": [1, {"$size": &list}]}]};
    let parts = if at == 0 {
        behind
    } else {
        doc! {"$concatArrays": [{"$slice": [&list, at]}, behind]}
    };
    let kept = doc! {"$cond": [{"$isArray": &list}, parts, &list]};
    let stage = doc! {"$set": {array.to_string(): kept}};
    single.then(|| change.with_update(case, &Bson::Array(vec![stage.into()]))).flatten()
}
