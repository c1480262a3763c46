//! `$unset` of an array position, which leaves null in its place.

use super::change::{Change, Target, changes, pairs, shown_id, write};
use crate::pitfall::elements::elements;
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::proof::written;
use crate::value::{Bson, Document, Path, RawDocument, View};
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
        "Position {at} of `{array}` in _id {id} is now `null`; {n} documents were changed like that.",
        "Position {at} von `{array}` in _id {id} ist jetzt `null`; so wurden {n} Dokumente geändert.",
    ),
    cure: Words::new("`$pull` removes the element.", "`$pull` entfernt das Element."),
    example: r#"db.c.updateOne({_id: 1, "specs.k": "color"}, {$unset: {"specs.$": ""}})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let changes = changes(case);
    changes.iter().filter_map(|change| change.targets().find_map(|target| sight(case, change, &target))).collect()
}

fn sight(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>) -> Option<Sighting> {
    if target.operator != "$unset" {
        return None;
    }
    let (_, parents) = target.path.parts().split_last()?;
    let array = Path::from_parts(parents.to_vec());
    let emptied: Vec<_> = pairs(&change.question)
        .filter_map(|(before, after)| Some((new_null(before, after, &array)?, before, after)))
        .collect();
    let (at, before, after) = *emptied.first()?;
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

/// The first position that became null.
fn new_null(before: &RawDocument, after: &RawDocument, array: &Path) -> Option<usize> {
    let (before, after) = (elements(before, array)?, elements(after, array)?);
    let null = |value: Option<&View<'_>>| matches!(value, Some(View::Null));
    (0..after.len()).find(|at| null(after.get(*at)) && !null(before.get(*at)))
}

fn cured(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>, array: &Path) -> Option<String> {
    let cut = target.cut().filter(|cut| cut.array == *array)?;
    let pulled = |condition: Document| change.with_target(target, "$pull", &array.to_string(), condition.into());
    if cut.positional == "$" {
        return change.with_update(case, pulled(written(&change.condition(array)?)).into());
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
