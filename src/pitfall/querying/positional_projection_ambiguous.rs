//! A positional projection beside several conditions on arrays.

use crate::engine::Command;
use crate::error::CommandPath;
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::{all_elements, condition, conjuncts};
use crate::pitfall::grain::each_question;
use crate::pitfall::made;
use crate::pitfall::verdict::proof;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting, rewrite};
use crate::proof::written;
use crate::query::{Filter, Predicate, Test};
use crate::store::Direction;
use crate::value::{Bson, Document, Path, RawDocument, View, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "positional-projection-ambiguous",
    level: Level::WrongResult,
    weight: 8,
    title: Words::new("specs.$ with several array conditions", "specs.$ mit mehreren Array-Bedingungen"),
    explanation: Words::new(
        "The position comes from one of the conditions; the element shown may satisfy only that one.",
        "Die Position stammt von einer der Bedingungen; das gezeigte Element erfüllt vielleicht nur diese.",
    ),
    message: Words::new(
        "`{array}.$` shows element {at} of _id {id}, {element}, which does not meet all your conditions. So it is in {n} of {m results}.",
        "`{array}.$` zeigt in _id {id} das Element {at}, {element}, das nicht alle deine Bedingungen erfüllt. So ist es in {n} von {m Ergebnissen}.",
    ),
    cure: Words::new("Use one `$elemMatch` in the filter.", "Nimm ein einziges `$elemMatch` im Filter."),
    example: r#"db.c.find({"specs.k": "cut", "specs.v": "L"}, {"specs.$": 1})"#,
    detect: |case| each_question(case, sightings),
};

/// Said where every element shown meets all conditions.
const BY_CHANCE: Words = Words::new(
    "`{array}.$` shows the element that one of your {conditions conditions} found. So far it meets the others too: {n} of \
     {m results} {n|shows|show} one that does not.",
    "`{array}.$` zeigt das Element, das eine deiner {conditions Bedingungen} gefunden hat. Bisher erfüllt es auch die \
     anderen: In {n} von {m Ergebnissen} ist es eines, das sie nicht erfüllt.",
);

const NOWHERE: Words = Words::new(
    "`{array}.$` repeats a position that the filter finds, and your filter does not look into `{array}` (error {code}); \
     {n documents} {n|matches|match} it. Name the element in the filter, or show it with `$elemMatch` in the projection.",
    "`{array}.$` wiederholt eine Position, die der Filter findet, und dein Filter sieht nicht in `{array}` hinein (Fehler \
     {code}); {n Dokumente} {n|passt|passen}. Nenne das Element im Filter oder zeige es mit `$elemMatch` in der Projektion.",
);

const IN_BRANCHES: Words = Words::new(
    "`{array}.$` repeats a position that the filter finds, and conditions inside `$or` give none (error {code}); {n documents} \
     {n|matches|match} the filter. Show the element with `$elemMatch` in the projection.",
    "`{array}.$` wiederholt eine Position, die der Filter findet, und Bedingungen in `$or` geben keine (Fehler {code}); \
     {n Dokumente} {n|passt|passen} zum Filter. Zeige das Element mit `$elemMatch` in der Projektion.",
);

/// The positional projection needs an element that the filter has found.
const NO_POSITION: i32 = 51246;

fn sightings(case: &Case<'_>, question: &Question<'_>) -> Vec<Sighting> {
    let Command::Find(find) = question.command else { return Vec::new() };
    let positional = find.projection.iter().flat_map(|projection| projection.keys());
    let arrays = positional.filter_map(|name| name.strip_suffix(".$"));
    arrays.filter_map(|array| refused(case, question, array).or_else(|| sight(case, question, array))).collect()
}

/// The projection of a filter that finds no position.
fn refused(case: &Case<'_>, question: &Question<'_>, array: &str) -> Option<Sighting> {
    let error = question.ran.result.as_ref().err().filter(|error| error.code.number() == NO_POSITION)?;
    let place = CommandPath::argument("projection").field(&format!("{array}.$"));
    let asked = asked(&question.tree, &Path::new(array));
    Some(Sighting {
        span: case.span(question.ran, &place),
        values: vec![
            ("array", array.to_owned()),
            ("n", case.matching(question, &question.tree).len().to_string()),
            ("code", NO_POSITION.to_string()),
        ],
        evidence: vec![Evidence::Refusal { code: NO_POSITION, message: error.message.clone() }],
        level: Some(Level::Refused),
        words: Some(if asked.is_some() { IN_BRANCHES } else { NOWHERE }),
        fix: asked.and_then(|asked| shown_by(case, question, array, &asked)),
        ..Sighting::default()
    })
}

/// What the filter asks of one element: on its outer AND level, and in the branches of an `$or` there.
fn asked(filter: &Filter, array: &Path) -> Option<Filter> {
    let own = condition(filter, array);
    let branched = conjuncts(filter).iter().filter_map(|part| match part {
        Filter::Or(branches) => branches.iter().map(|branch| asked(branch, array)).collect::<Option<Vec<_>>>(),
        _ => None,
    });
    let all: Vec<Filter> = own.into_iter().chain(branched.map(Filter::Or)).collect();
    (!all.is_empty()).then(|| Filter::And(all).normalised())
}

fn sight(case: &Case<'_>, question: &Question<'_>, array: &str) -> Option<Sighting> {
    let path = Path::new(array);
    let asking = |part: &&Filter| elem_match(part, &path).is_some() || rewrite::below(part, &path).is_some();
    let conditions = conjuncts(&question.tree).iter().filter(asking).count();
    if conditions < 2 {
        return None;
    }
    let matcher = question.matcher(&condition(&question.tree, &path)?)?;
    let shows_half = |document: &RawDocument| {
        shown_at(case, question, document, &path).is_some_and(|(_, element)| !matcher.matches_element(element))
    };
    let documents = case.matching(question, &question.tree);
    let half: Vec<&RawDocument> = documents.iter().copied().filter(|document| shows_half(document)).collect();
    let Some(first) = half.first() else {
        return Some(Sighting {
            span: case.span(question.ran, &CommandPath::argument("projection")),
            values: vec![
                ("array", array.to_owned()),
                ("conditions", conditions.to_string()),
                ("n", half.len().to_string()),
                ("m", documents.len().to_string()),
            ],
            evidence: made::shown_by(case, question.collection, question.command, &|database| {
                let held = database.collection(question.collection).into_iter();
                let mut documents = held.flat_map(|held| held.scan(Direction::Ascending)).map(|(_, document)| document);
                documents.any(&shows_half)
            }),
            fix: cured(case, question, array),
            level: Some(Level::Risk),
            words: Some(BY_CHANCE),
            ..Sighting::default()
        });
    };
    let (at, element) = shown_at(case, question, first, &path)?;
    let element = shown(&element.to_bson());
    Some(Sighting {
        span: case.span(question.ran, &CommandPath::argument("projection")),
        values: vec![
            ("array", array.to_owned()),
            ("at", at.to_string()),
            ("id", shown(&id(first))),
            ("element", element.clone()),
            ("n", half.len().to_string()),
            ("m", documents.len().to_string()),
        ],
        evidence: proof(first, vec![(format!("{array}.{at}"), element)]).into_iter().collect(),
        fix: cured(case, question, array),
        ..Sighting::default()
    })
}

/// The inside of an `$elemMatch` on the array.
fn elem_match<'f>(part: &'f Filter, array: &Path) -> Option<&'f Filter> {
    match part {
        Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) if path == array => Some(inner),
        _ => None,
    }
}

/// One `$elemMatch` in the filter; where it has several, the projection names the first one's element.
fn cured(case: &Case<'_>, question: &Question<'_>, array: &str) -> Option<String> {
    let path = Path::new(array);
    let Some(first) = conjuncts(&question.tree).iter().find_map(|part| elem_match(part, &path)) else {
        return case.with_filter(question, &written(&rewrite::bound(case, question, &question.tree, &path)?));
    };
    shown_by(case, question, array, first)
}

/// The text with the positional projection exchanged for one that names the element by a condition.
fn shown_by(case: &Case<'_>, question: &Question<'_>, array: &str, condition: &Filter) -> Option<String> {
    let Command::Find(find) = question.command else { return None };
    let positional = format!("{array}.$");
    let entry = |(name, value): (&String, &Bson)| {
        let mine = *name == positional;
        if mine {
            (array.to_owned(), doc! {"$elemMatch": written(condition)}.into())
        } else {
            (name.clone(), value.clone())
        }
    };
    let projection: Document = find.projection.iter().flatten().map(entry).collect();
    case.with_argument(question.ran, "projection", &Bson::Document(projection))
}

/// The element that the positional projection shows, with its position.
fn shown_at<'d>(
    case: &Case<'_>,
    question: &Question<'_>,
    document: &'d RawDocument,
    array: &Path,
) -> Option<(usize, View<'d>)> {
    let at = case.witness(question, document)?.position()?;
    Some((at, all_elements(document, array).get(at).copied()?))
}
