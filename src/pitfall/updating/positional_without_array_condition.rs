//! `$` in an update whose filter says nothing of the array.

use super::change::{Change, Cut, Target, each_target};
use crate::pitfall::elements::{Attribute, attributes};
use crate::pitfall::touch::Part;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::shell::literal;
use crate::value::{Bson, RawDocument, View, equal, type_code};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "positional-without-array-condition",
    level: Level::Refused,
    weight: 12,
    title: Words::new("specs.$ without a condition on the array", "specs.$ ohne Bedingung an das Array"),
    explanation: Words::new(
        "`$` repeats the position that the filter found; without a condition on the array there is none (error 2).",
        "`$` wiederholt die Position, die der Filter fand; ohne Bedingung an das Array gibt es keine (Fehler 2).",
    ),
    message: Words::new(
        "`{path}` repeats a position found by the filter, and your filter {filter} does not look into `{array}` (\
         {n documents} {n|matches|match} it).",
        "`{path}` wiederholt eine Position aus dem Filter, und dein Filter {filter} sieht nicht in `{array}` hinein (\
         {n Dokumente} passen).",
    ),
    cure: Words::new(
        "Name the element in the filter: `{_id: 1, \"specs.k\": \"color\"}`.",
        "Nenne das Element im Filter: `{_id: 1, \"specs.k\": \"color\"}`.",
    ),
    example: r#"db.c.updateOne({_id: 1}, {$set: {"specs.$.v": "blue"}})"#,
    detect: |case| each_target(case, sight),
};

fn sight(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>) -> Option<Sighting> {
    let cut = target.cut().filter(|cut| cut.positional == "$" && !is_asked(case, change, cut))?;
    let found = change.matching(case);
    let matching = found.len();
    if change.upsert && matching == 0 {
        return None;
    }
    let counts = Evidence::Counts {
        of: cut.array.to_string(),
        counts: vec![("documents that match".into(), matching as u64), ("conditions on the array".into(), 0)],
    };
    let refusal =
        change.refusal().map(|error| Evidence::Refusal { code: error.code.number(), message: error.message.clone() });
    Some(Sighting {
        span: change.span(case, target),
        values: vec![
            ("path", target.name.to_owned()),
            ("filter", literal(&Bson::Document(change.question.filter.clone().into_owned()))),
            ("array", cut.array.to_string()),
            ("n", matching.to_string()),
        ],
        fix: cured(case, change, target, &cut, found.first().copied()),
        level: refusal.is_none().then_some(Level::Risk),
        evidence: refusal.into_iter().chain([counts]).collect(),
        ..Sighting::default()
    })
}

/// The filter with the key of an element named: the one that holds the operand's value in some document, else one whose
/// value has its type, else the first.
fn cured(
    case: &Case<'_>,
    change: &Change<'_>,
    target: &Target<'_>,
    cut: &Cut,
    document: Option<&RawDocument>,
) -> Option<String> {
    let array = case.profile(change.question.collection)?.attribute_array(&cut.array.to_string())?;
    let held = attributes(document?, array);
    let operand = View::from(target.operand);
    let documents = case.documents(change.question.collection);
    let known = |key: &str| {
        let mut all = documents.iter().flat_map(|document| attributes(document, array));
        all.any(|own| own.key == key && own.value.is_some_and(|value| equal(value, operand)))
    };
    let alike = |own: &&Attribute<'_>| own.value.is_some_and(|value| type_code(value) == type_code(operand));
    let key = held.iter().find(|own| known(own.key)).or_else(|| held.iter().find(alike)).or_else(|| held.first())?.key;
    let mut filter = change.question.filter.clone().into_owned();
    filter.insert(format!("{}.{}", array.path, array.key), key);
    case.with_filter(&change.question, &filter)
}

/// Whether the filter names the array or something in it.
fn is_asked(case: &Case<'_>, change: &Change<'_>, cut: &Cut) -> bool {
    let own = |ran| std::ptr::eq(ran, change.question.ran);
    let mut touches = case.touches().iter().filter(|touch| own(touch.ran));
    touches.any(|touch| touch.names(&cut.array.to_string(), &[Part::Filter]))
}
