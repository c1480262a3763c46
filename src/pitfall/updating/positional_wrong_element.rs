//! `$` points at an element that meets only one of several conditions.

use super::change::{Change, Cut, Target, each_target, pairs, shown_id, write};
use crate::pitfall::case::shown;
use crate::pitfall::elements::{elements, key_field, key_of, meeting, wanted};
use crate::pitfall::{Case, Level, Pitfall, Sighting, rewrite};
use crate::proof::written;
use crate::query::Filter;
use crate::value::{Path, RawDocument, View, equal};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "positional-wrong-element",
    level: Level::WrongResult,
    weight: 15,
    title: Words::new("specs.$ hits another element", "specs.$ trifft ein anderes Element"),
    explanation: Words::new(
        "The position comes from one of the filter's conditions on the array. Where different elements meet them, another \
         attribute is overwritten.",
        "Die Position kommt von einer der Bedingungen an das Array. Erfüllen verschiedene Elemente sie, so wird ein anderes \
         Attribut überschrieben.",
    ),
    message: Words::new(
        "The changed element, position {at} of `{array}` in _id {id}, is {other}, not {meant}; {n documents} {n|was|were} changed \
         like that.",
        "Das geänderte Element, Position {at} von `{array}` in _id {id}, ist {other}, nicht {meant}; so {n|wurde|wurden} {n Dokumente} \
         geändert.",
    ),
    cure: Words::new(
        "Put the conditions into one `$elemMatch` in the filter.",
        "Setze die Bedingungen im Filter in ein gemeinsames `$elemMatch`.",
    ),
    example: r#"db.c.updateOne({"specs.k": "cut", "specs.v": "L"}, {$set: {"specs.$.v": "XL"}})"#,
    detect: |case| each_target(case, sight),
};

fn sight(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>) -> Option<Sighting> {
    let cut = target.cut().filter(|cut| cut.positional == "$")?;
    let condition = change.condition(&cut.array)?;
    let hits: Vec<_> = pairs(&change.question)
        .filter_map(|(before, after)| Some((wrong(before, after, &cut, &condition)?, before, after)))
        .collect();
    let ((at, element), before, after) = *hits.first()?;
    let key = key_field(case, change.question.collection, &cut.array.to_string());
    let other = key.as_ref().and_then(|key| key_of(element, key)).map(|key| format!("`{key}`"));
    let asked = key.as_ref().and_then(|key| wanted(&condition, &Path::new(key))).map(|key| format!("`{}`", plain(key)));
    let bound = rewrite::bound(case, &change.question, &change.question.tree, &cut.array);
    Some(Sighting {
        span: change.span(case, target),
        values: vec![
            ("at", at.to_string()),
            ("array", cut.array.to_string()),
            ("id", shown_id(before)),
            ("other", other.unwrap_or_else(|| shown(&element.to_bson()))),
            ("meant", asked.unwrap_or_else(|| shown(&written(&condition).into()))),
            ("n", hits.len().to_string()),
        ],
        evidence: vec![write(before, after)],
        fix: bound.and_then(|bound| case.with_filter(&change.question, &written(&bound))),
        ..Sighting::default()
    })
}

fn plain(key: &crate::value::Bson) -> String {
    key.as_str().map_or_else(|| shown(key), str::to_owned)
}

/// The first element that was changed although it does not meet all conditions.
fn wrong<'d>(before: &'d RawDocument, after: &RawDocument, cut: &Cut, condition: &Filter) -> Option<(usize, View<'d>)> {
    let (old, new) = (elements(before, &cut.array)?, elements(after, &cut.array)?);
    let meant = meeting(&old, condition);
    let changed = |at: &usize| new.get(*at).is_some_and(|new| !equal(old[*at], *new));
    let at = (0..old.len()).find(changed)?;
    (!meant.contains(&at)).then(|| (at, old[at]))
}
