//! A range or sort on date text that begins with the day or month.

use super::asks::{Ask, asks, is_range, literals};
use super::conversion::{asked_in_dates, field_to_dates};
use super::kinds::meets_converted;
use super::sorting::{Sorting, sortings};
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::conversion::behind;
use crate::pitfall::days::{day, midnight};
use crate::pitfall::exchange::exchanged;
use crate::pitfall::made;
use crate::pitfall::verdict::{Verdict, proof};
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::query::{SortPattern, Test};
use crate::value::{Bson, RawDocument, View};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "unsortable-date-string",
    level: Level::WrongResult,
    weight: 15,
    title: Words::new("Date text that does not sort", "Datumstext, der sich nicht sortieren lässt"),
    explanation: Words::new(
        "Text is compared character by character: `10/2/2014` comes before `2/2/2014`.",
        "Text wird Zeichen für Zeichen verglichen: `10/2/2014` kommt vor `2/2/2014`.",
    ),
    message: Words::new(
        "As text {low} comes before {high}, as dates it is the other way round; _id {id} is affected.",
        "Als Text kommt {low} vor {high}, als Datum ist es umgekehrt; betroffen ist _id {id}.",
    ),
    cure: Words::new(
        "Use a BSON date, or at least YYYY-MM-DD, which sorts like time.",
        "Nimm ein BSON-Datum oder wenigstens JJJJ-MM-TT, das sich wie die Zeit sortiert.",
    ),
    example: r#"db.c.find({date: {$gte: "1/2/2014", $lt: "1/3/2014"}})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let ranged = case.filters().flat_map(|question| sightings(case, question));
    ranged.chain(sortings(case).iter().filter_map(|sorting| sorted(case, sorting))).collect()
}

fn sightings(case: &Case<'_>, question: &Question<'_>) -> Vec<Sighting> {
    let asks = asks(case, question);
    asks.iter().filter_map(|ask| ranged(case, question, ask)).collect()
}

fn ranged(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Sighting> {
    let is_mine = |test: &Test| is_range(test) && ask.tests.iter().any(|mine| std::ptr::eq(*mine, test));
    let mut limits = ask.tests.iter().filter(|test| is_range(test)).flat_map(|test| literals(test)).peekable();
    limits.peek()?;
    let limits: Vec<&str> = limits.map(|literal| unsorted(literal.as_str()?)).collect::<Option<_>>()?;
    let documents = case.seen(question);
    let texts =
        documents.iter().flat_map(|document| ask.values(document).into_iter().map(move |value| (value, *document)));
    let stored: Vec<(&str, &RawDocument)> =
        texts.filter_map(|(value, document)| Some((text(value)?, document))).collect();
    let (low, high, _) = out_of_order(stored.iter().copied().chain(limits.iter().map(|text| (*text, documents[0]))))?;
    let in_dates = exchanged(&question.tree, &|test| match test {
        Test::Compare(comparison, literal) if is_mine(test) => Some(Test::Compare(*comparison, as_date(literal)?)),
        _ => None,
    });
    let matcher = question.matcher(&in_dates)?;
    let verdict = Verdict::by(case, question, |document| meets_converted(&matcher, document, ask, &as_date));
    let mut evidence = vec![orders(low, high)];
    evidence.extend(verdict.evidence(Vec::new()));
    if verdict.is_right() {
        evidence.extend(made::judged(case, question, &|document| meets_converted(&matcher, document, ask, &as_date)));
    }
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![("low", shown(&low.into())), ("high", shown(&high.into())), ("id", verdict.example())],
        evidence,
        fix: one_format(stored.iter().map(|(text, _)| *text).chain(limits))
            .and_then(|format| asked_in_dates(case, question, ask, &in_dates, &format)),
        level: verdict.level(),
        ..Sighting::default()
    })
}

fn sorted(case: &Case<'_>, sorting: &Sorting<'_>) -> Option<Sighting> {
    let (question, place) = (&sorting.question, &sorting.at);
    let sort = SortPattern::parse(sorting.sort, question.collation.clone()).ok()?;
    let path = &sort.parts.first()?.path;
    let facts = case.profile(question.collection)?.path(&path.to_string())?;
    facts.types.get("string")?;
    let documents = case.matching(question, &question.tree);
    let single = |document: &'_ RawDocument| -> Option<String> {
        let values = crate::pitfall::elements::all_values(View::Document(document.into()), path);
        text(*values.first()?).map(str::to_owned)
    };
    let texts: Vec<(String, &RawDocument)> =
        documents.iter().filter_map(|document| Some((single(document)?, *document))).collect();
    let (low, high, document) = out_of_order(texts.iter().map(|(text, document)| (text.as_str(), *document)))?;
    let mut evidence = vec![orders(low, high)];
    evidence.extend(proof(document, vec![(path.to_string(), shown(&low.into()))]));
    Some(Sighting {
        span: case.span(question.ran, place),
        values: vec![("low", shown(&low.into())), ("high", shown(&high.into())), ("id", shown(&id(document)))],
        evidence,
        fix: one_format(texts.iter().map(|(text, _)| text.as_str()))
            .and_then(|format| field_to_dates(question.collection, path, &format))
            .map(|update| behind(&update, case.script.text())),
        ..Sighting::default()
    })
}

/// The format of `$dateFromString` that reads all texts; none where they are written in several ways.
fn one_format<'t>(texts: impl Iterator<Item = &'t str>) -> Option<String> {
    let mut formats = texts.map(|text| {
        let (_, notation) = day(text)?;
        Some(notation.format(text))
    });
    let first = formats.next()??;
    formats.all(|format| format.as_ref() == Some(&first)).then_some(first)
}

fn text(value: View<'_>) -> Option<&str> {
    if let View::String(text) = value { Some(text) } else { None }
}

/// The text, where it is a date whose text order is not time order.
fn unsorted(text: &str) -> Option<&str> {
    day(text).filter(|(_, notation)| !notation.sorts()).map(|_| text)
}

/// Two neighbours in text order whose order in time is the other way round; none where some text is no such date.
fn out_of_order<'t>(
    texts: impl Iterator<Item = (&'t str, &'t RawDocument)>,
) -> Option<(&'t str, &'t str, &'t RawDocument)> {
    let mut days =
        texts.map(|(text, document)| Some((unsorted(text)?, day(text)?.0, document))).collect::<Option<Vec<_>>>()?;
    days.sort_by(|left, right| left.0.cmp(right.0));
    days.windows(2).find(|pair| pair[0].1 > pair[1].1).map(|pair| (pair[0].0, pair[1].0, pair[0].2))
}

fn orders(low: &str, high: &str) -> Evidence {
    Evidence::Orders { stored: vec![low.into(), high.into()], meant: vec![high.into(), low.into()] }
}

fn as_date(value: &Bson) -> Option<Bson> {
    midnight(day(value.as_str()?)?.0)
}
