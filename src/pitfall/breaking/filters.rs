//! Breaks of filters: conditions untied, a key or unit forgotten, a number as text, a negation moved.

use super::table::Facts;
use crate::pitfall::edit::key_text;
use crate::pitfall::entries::{Change, entries, key, objects, only, span, value, without};
use crate::shell::{Entry, Script, Syntax};

/// Every `array: {$elemMatch: {…}}` with the entry of the array and the conditions.
fn elem_matches(script: &Script) -> impl Iterator<Item = (&Entry, &[Entry])> {
    objects(script).flat_map(|(_, entries)| entries).filter_map(move |entry| {
        let inner = only(script, entry.value?).filter(|inner| key(inner) == "$elemMatch")?;
        let named = !key(entry).starts_with('$') && entry.key.is_some();
        named.then_some((entry, entries(script, inner.value?)?))
    })
}

fn is_operator(entry: &Entry) -> bool {
    key(entry).starts_with('$')
}

/// `{a: {$elemMatch: {k: …, v: …}}}` becomes `{"a.k": …, "a.v": …}`.
pub(super) fn split(script: &Script, _: &Facts) -> Vec<Vec<Change>> {
    let pairs = elem_matches(script).filter(|(_, inner)| inner.len() > 1 && !inner.iter().any(is_operator));
    let one = |(entry, inner): (&Entry, &[Entry])| {
        let part = |part: &Entry| format!("\"{}.{}\": {}", key(entry), key(part), value(script, part));
        let parts: Vec<String> = inner.iter().map(part).collect();
        vec![Change::new(span(script, entry), parts.join(", "))]
    };
    pairs.map(one).collect()
}

/// `{a: {$elemMatch: {$gt: …, $lt: …}}}` becomes `{a: {$gt: …, $lt: …}}`.
pub(super) fn loosen(script: &Script, _: &Facts) -> Vec<Vec<Change>> {
    let ranges = elem_matches(script).filter(|(_, inner)| inner.len() > 1 && inner.iter().all(is_operator));
    let one = |(entry, inner): (&Entry, &[Entry])| {
        let part = |part: &Entry| format!("{}: {}", key(part), value(script, part));
        let parts: Vec<String> = inner.iter().map(part).collect();
        vec![Change::new(span(script, entry), format!("{}: {{{}}}", key_text(key(entry)), parts.join(", ")))]
    };
    ranges.map(one).collect()
}

/// A number asked for becomes text.
pub(super) fn text(script: &Script, _: &Facts) -> Vec<Vec<Change>> {
    let numbers = objects(script).flat_map(|(_, entries)| entries).filter_map(|entry| {
        let id = entry.value?;
        matches!(script.node(id).syntax, Syntax::Number).then(|| script.node(id).span.clone())
    });
    numbers.map(|span| vec![Change::new(span.clone(), format!("{:?}", &script.text()[span]))]).collect()
}

/// The unit is left out of an `$elemMatch`.
pub(super) fn forget_unit(script: &Script, facts: &Facts) -> Vec<Vec<Change>> {
    let unit = |entry: &Entry| facts.units.iter().any(|unit| unit == key(entry));
    let one = |(_, inner): (&Entry, &[Entry])| {
        let at = inner.iter().position(unit).filter(|_| inner.len() > 1)?;
        Some(vec![without(script, inner, at)])
    };
    elem_matches(script).filter_map(one).collect()
}

/// The key is left out of an `$elemMatch`.
pub(super) fn forget_key(script: &Script, facts: &Facts) -> Vec<Vec<Change>> {
    let own = |entry: &Entry| facts.keys.iter().any(|name| name == key(entry));
    let one = |(_, inner): (&Entry, &[Entry])| {
        let at = inner.iter().position(own).filter(|_| inner.len() > 1)?;
        Some(vec![without(script, inner, at)])
    };
    elem_matches(script).filter_map(one).collect()
}

/// Absence asked of one element instead of all: `{"a.k": {$ne: …}}` and `{a: {$not: {$elemMatch: {k: …}}}}` become
/// `{a: {$elemMatch: {k: {$ne: …}}}}`.
pub(super) fn negate_inside(script: &Script, _: &Facts) -> Vec<Vec<Change>> {
    let all = objects(script).flat_map(|(_, entries)| entries);
    all.filter_map(|entry| dotted(script, entry).or_else(|| denied(script, entry))).map(|change| vec![change]).collect()
}

fn dotted(script: &Script, entry: &Entry) -> Option<Change> {
    let (array, field) = key(entry).rsplit_once('.').filter(|(array, _)| !array.starts_with('$'))?;
    let test = only(script, entry.value?).filter(|test| key(test) == "$ne")?;
    let condition = format!("{{{}: {{$ne: {}}}}}", key_text(field), value(script, test));
    Some(Change::new(span(script, entry), format!("{}: {{$elemMatch: {condition}}}", key_text(array))))
}

fn denied(script: &Script, entry: &Entry) -> Option<Change> {
    let not = only(script, entry.value?).filter(|not| key(not) == "$not")?;
    let elem_match = only(script, not.value?).filter(|inner| key(inner) == "$elemMatch")?;
    let inner = entries(script, elem_match.value?).filter(|inner| !inner.iter().any(is_operator))?;
    let (last, before) = inner.split_last()?;
    let kept = before.iter().map(|entry| format!("{}: {}", key_text(key(entry)), value(script, entry)));
    let denied = format!("{}: {{$ne: {}}}", key_text(key(last)), value(script, last));
    let parts: Vec<String> = kept.chain([denied]).collect();
    let condition = parts.join(", ");
    Some(Change::new(span(script, entry), format!("{}: {{$elemMatch: {{{condition}}}}}", key_text(key(entry)))))
}

/// An end of a range is taken in or left out.
pub(super) fn shift_end(script: &Script, _: &Facts) -> Vec<Vec<Change>> {
    let other = |name: &str| {
        Some(match name {
            "$gt" => "$gte",
            "$gte" => "$gt",
            "$lt" => "$lte",
            "$lte" => "$lt",
            _ => return None,
        })
    };
    let ends = objects(script).flat_map(|(_, entries)| entries);
    ends.filter_map(|entry| Some(vec![Change::new(entry.key_span.clone(), other(key(entry))?)])).collect()
}
