//! A date compared with dates kept as text, or the other way round.

use super::asks::{Ask, asks, literals};
use super::kinds::{Kind, counted, kinds, meets_converted, types};
use super::number_stored_as_string::asked_kind;
use crate::engine::Command;
use crate::pitfall::case::Case;
use crate::pitfall::days::{Notation, day, day_of, midnight};
use crate::pitfall::exchange::exchanged;
use crate::pitfall::made;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::proof::written;
use crate::query::{Filter, InList, Test};
use crate::value::{Bson, RawDocument, View};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "date-string-vs-date",
    level: Level::WrongResult,
    weight: 16,
    title: Words::new("Date literal against date strings", "Datum gegen Datums-Strings"),
    explanation: Words::new(
        "Dates and strings are never compared with each other: the result is empty, and no error is raised.",
        "Datumswerte und Strings werden nie miteinander verglichen: Das Ergebnis ist leer, ein Fehler erscheint nicht.",
    ),
    message: Words::new(
        "`{path}` holds {n values} of type {stored}, you compare with a {asked}. After conversion {missed documents} would match{example}.",
        "`{path}` enthält {n Werte} vom Typ {stored}, du vergleichst mit dem Typ {asked}. Nach der Umwandlung kämen {missed Dokumente} hinzu{example}.",
    ),
    cure: Words::new(
        "Store BSON dates; until then compare in the stored notation.",
        "Speichere BSON-Datumswerte; bis dahin vergleiche in der gespeicherten Schreibweise.",
    ),
    example: r#"db.c.find({"days.date": {$gte: ISODate("2024-02-01")}}) // stored "20240201""#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    case.filters().flat_map(|question| sightings(case, question)).collect()
}

fn sightings(case: &Case<'_>, question: &Question<'_>) -> Vec<Sighting> {
    let asks = asks(case, question);
    asks.iter().filter_map(|ask| sight(case, question, ask, &asks)).collect()
}

fn sight(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>, all: &[Ask<'_>]) -> Option<Sighting> {
    let asked = asked_kind(ask).filter(|kind| *kind != Kind::Number && !ask.negated)?;
    let other = if asked == Kind::Date { Kind::Text } else { Kind::Date };
    let types = types(case, question.collection, ask);
    let stored = kinds(&types);
    let n = *stored.get(&other)?;
    let other_kind = in_other_kind(case, question, ask, asked)?;
    // Where both kinds are stored, both are asked.
    let both = stored.contains_key(&asked);
    let cured = if both { Filter::Or(vec![question.tree.clone(), other_kind]).normalised() } else { other_kind };
    let in_dates = exchanged(&question.tree, &|test| is_mine(ask, test).then(|| mapped(test, &as_date)));
    let matcher = question.matcher(&in_dates)?;
    let verdict = Verdict::by(case, question, |document| meets_converted(&matcher, document, ask, &as_date));
    // Where both kinds are stored, only what is missed counts, and a filter that asks both is right.
    let asks_both = || all.iter().any(|own| own.path == ask.path && asked_kind(own) == Some(other));
    if verdict.missed.is_empty() && (!verdict.is_right() || both && asks_both()) {
        return None;
    }
    let mut evidence = vec![Evidence::Counts { of: ask.path.to_string(), counts: counted(&types) }];
    evidence.extend(verdict.evidence(Vec::new()));
    if verdict.is_right() {
        let notation = stored_notation(case, question, ask);
        let as_dates = |document: &RawDocument| {
            let readable = |value: View<'_>| match value {
                View::String(text) => other == Kind::Text && day(text).map(|(_, own)| own) == notation,
                _ => other == Kind::Date && matches!(value, View::DateTime(_)),
            };
            let values = ask.values(document);
            let all = !values.is_empty() && values.into_iter().all(readable);
            all.then(|| meets_converted(&matcher, document, ask, &as_date))
        };
        evidence.extend(made::judged(case, question, &cured, &as_dates));
    }
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("path", ask.path.to_string()),
            ("n", n.to_string()),
            ("stored", other.name().into()),
            ("asked", asked.name().into()),
            ("missed", verdict.missed.len().to_string()),
            ("example", verdict.bracketed()),
        ],
        evidence,
        // An upsert makes a document of the equalities that were typed.
        fix: if upserts(question.command) { None } else { case.with_filter(question, &written(&cured)) },
        level: verdict.level(),
        ..Sighting::default()
    })
}

fn is_mine(ask: &Ask<'_>, test: &Test) -> bool {
    ask.tests.iter().any(|mine| std::ptr::eq(*mine, test))
}

/// The filter with the ask's literals in the stored kind; none where they cannot be written so.
fn in_other_kind(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>, asked: Kind) -> Option<Filter> {
    let notation = stored_notation(case, question, ask);
    let other = |literal: &Bson| match literal {
        Bson::DateTime(date) => Some(notation?.write(day_of(date.timestamp_millis())?).into()),
        text => as_date(text),
    };
    let known = ask.tests.iter().flat_map(|test| literals(test)).all(|literal| other(literal).is_some());
    let writable = known && (asked == Kind::Text || notation.is_some_and(Notation::sorts));
    writable.then(|| exchanged(&question.tree, &|test| is_mine(ask, test).then(|| mapped(test, &other))))
}

/// The notation of the first stored text.
fn stored_notation(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Notation> {
    case.seen(question).iter().find_map(|document| {
        ask.values(document).into_iter().find_map(|value| match value {
            View::String(text) => day(text).map(|(_, notation)| notation),
            _ => None,
        })
    })
}

fn as_date(value: &Bson) -> Option<Bson> {
    let (day, _) = day(value.as_str()?)?;
    midnight(day)
}

fn mapped(test: &Test, with: &dyn Fn(&Bson) -> Option<Bson>) -> Test {
    let read = |literal: &Bson| with(literal).unwrap_or_else(|| literal.clone());
    match test {
        Test::Compare(comparison, literal) => Test::Compare(*comparison, read(literal)),
        Test::In(list) => {
            Test::In(InList { values: list.values.iter().map(read).collect(), regexes: list.regexes.clone() })
        }
        other => other.clone(),
    }
}

fn upserts(command: &Command) -> bool {
    match command {
        Command::Update(update) => update.spec.upsert,
        Command::FindAndModify(modify) => modify.upsert,
        _ => false,
    }
}
