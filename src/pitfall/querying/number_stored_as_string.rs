//! A number compared with numbers kept as text, or the other way round.

use super::asks::{Ask, each_ask, literals};
use super::conversion::to_numbers;
use super::kinds::{Kind, counted, kinds, meets_converted, number, types, whole_number};
use crate::pitfall::case::Case;
use crate::pitfall::exchange::{exchanged, field};
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::proof::written;
use crate::query::{Filter, InList, Test};
use crate::value::{Bson, Path, View};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "number-stored-as-string",
    level: Level::WrongResult,
    weight: 20,
    title: Words::new("\"500\" is not 500", "\"500\" ist nicht 500"),
    explanation: Words::new(
        "Values are compared within their type: a number never equals a string, and a range sees only its own type. No \
         error is raised.",
        "Verglichen wird nur innerhalb eines Typs: Eine Zahl ist nie gleich einem String, und ein Bereich sieht nur seinen \
         eigenen Typ. Ein Fehler erscheint nicht.",
    ),
    message: Words::new(
        "You compare `{name}` with a {asked}; {n stored values} {n|is|are} of type {stored}. {missed documents} would match after \
         conversion{example}.",
        "Du vergleichst `{name}` mit dem Typ {asked}; {n} gespeicherte Werte haben den Typ {stored}. Nach der Umwandlung \
         kämen {missed Dokumente} hinzu{example}.",
    ),
    cure: Words::new(
        "Store numbers as numbers, then ask with numbers.",
        "Speichere Zahlen als Zahlen und frage mit Zahlen.",
    ),
    example: "db.c.find({specs: {$elemMatch: {k: \"volume\", v: 500}}}) // stored v: \"500\"",
    detect: |case| each_ask(case, sight),
};

/// Said where the documents found are right, though a stored value is not compared.
const BY_CHANCE: Words = Words::new(
    "You compare `{name}` with a {asked}; {n} stored {n|value is|values are} of type {stored} and never compared with it. After \
     conversion such a value would match, in a document that is found by another one.",
    "Du vergleichst `{name}` mit dem Typ {asked}; {n} {n|gespeicherter Wert hat|gespeicherte Werte haben} den Typ {stored} und \
     {n|wird|werden} nie damit verglichen. Nach der Umwandlung würde ein solcher Wert passen, in einem Dokument, das durch \
     einen anderen gefunden wird.",
);

/// The kind that all literals of the tests have.
pub(super) fn asked_kind(ask: &Ask<'_>) -> Option<Kind> {
    let mut kinds = ask.tests.iter().flat_map(|test| literals(test)).map(Kind::of);
    let first = kinds.next()??;
    kinds.all(|kind| kind == Some(first)).then_some(first)
}

fn sight(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Sighting> {
    let asked = asked_kind(ask).filter(|kind| *kind != Kind::Date && !ask.negated)?;
    let other = if asked == Kind::Number { Kind::Text } else { Kind::Number };
    let types = types(case, question.collection, ask);
    let stored = kinds(&types);
    let n = stored.get(&other).copied().unwrap_or_default();
    if n == 0 || stored.contains_key(&asked) && ask.tests.iter().any(|test| super::asks::is_range(test)) {
        return None;
    }
    let numbers = in_numbers(&question.tree, ask)?;
    let matcher = question.matcher(&numbers)?;
    let verdict = Verdict::by(case, question, |document| meets_converted(&matcher, document, ask, &as_number));
    let right = verdict.is_right();
    if verdict.missed.is_empty() && !(right && is_hidden(case, question, ask)) {
        return None;
    }
    let fix = if asked == Kind::Text { case.with_filter(question, &written(&numbers)) } else { None };
    let mut evidence = vec![Evidence::Counts { of: ask.name(), counts: counted(&types) }];
    evidence.extend(verdict.evidence(Vec::new()));
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("name", ask.name()),
            ("asked", asked.name().into()),
            ("stored", other.name().into()),
            ("n", n.to_string()),
            ("missed", verdict.missed.len().to_string()),
            ("example", verdict.bracketed()),
        ],
        evidence,
        fix: fix.or_else(|| to_numbers(case, question, ask)),
        level: verdict.level(),
        words: right.then_some(BY_CHANCE),
        ..Sighting::default()
    })
}

/// Whether some stored value would meet the tests after conversion and does not meet them as it is.
fn is_hidden(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> bool {
    let all = |with: &dyn Fn(&Test) -> Test| {
        let tests = ask.tests.iter().map(|test| field(Path::default(), with(test))).collect();
        question.matcher(&Filter::And(tests))
    };
    let (Some(own), Some(other)) = (all(&Test::clone), all(&with_numbers)) else { return false };
    let hidden = |value: View<'_>| {
        let number = as_number(&value.to_bson()).unwrap_or_else(|| value.to_bson());
        !own.matches_value(value) && other.matches_value((&number).into())
    };
    case.seen(question).iter().any(|document| ask.values(document).into_iter().any(hidden))
}

fn as_number(value: &Bson) -> Option<Bson> {
    value.as_str().and_then(whole_number).map(number)
}

/// The filter with the ask's texts as numbers; none where one of them is no number.
pub(super) fn in_numbers(filter: &Filter, ask: &Ask<'_>) -> Option<Filter> {
    let readable = |literal: &&Bson| literal.as_str().is_none_or(|text| whole_number(text).is_some());
    ask.tests.iter().flat_map(|test| literals(test)).all(|literal| readable(&literal)).then(|| {
        exchanged(filter, &|test| ask.tests.iter().any(|mine| std::ptr::eq(*mine, test)).then(|| with_numbers(test)))
    })
}

fn with_numbers(test: &Test) -> Test {
    let read = |literal: &Bson| as_number(literal).unwrap_or_else(|| literal.clone());
    match test {
        Test::Compare(comparison, literal) => Test::Compare(*comparison, read(literal)),
        Test::In(list) => {
            Test::In(InList { values: list.values.iter().map(read).collect(), regexes: list.regexes.clone() })
        }
        other => other.clone(),
    }
}
