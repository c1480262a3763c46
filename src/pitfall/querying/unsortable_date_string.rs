//! A range or sort on date text that begins with the day or month.

use jiff::civil::Date;

use super::asks::{Ask, each_ask, is_range, literals};
use super::conversion::{asked_in_dates, field_to_dates};
use super::kinds::meets_converted;
use super::sorting::{Sorting, sortings};
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::conversion::in_front;
use crate::pitfall::days::{day, midnight};
use crate::pitfall::elements::all_values;
use crate::pitfall::exchange::exchanged;
use crate::pitfall::made;
use crate::pitfall::verdict::{Verdict, proof};
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::query::{SortPattern, Test};
use crate::store::Direction;
use crate::value::{Bson, Path, RawDocument, View};
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

/// Said where text order happens to be time order.
const BY_CHANCE: Words = Words::new(
    "{n values} of `{path}` {n|is a text that begins|are texts that begin} with the day or the month, such as {low}: \
     order as text need not be order in time.",
    "{n Werte} von `{path}` {n|ist ein Text, der mit Tag oder Monat beginnt|sind Texte, die mit Tag oder Monat \
     beginnen}, etwa {low}: Die Reihenfolge als Text muss nicht die in der Zeit sein.",
);

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let ranged = each_ask(case, ranged);
    ranged.into_iter().chain(sortings(case).iter().filter_map(|sorting| sorted(case, sorting))).collect()
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
    let (_, first) = stored.first()?;
    let asked = limits.iter().map(|text| (*text, *first));
    let days = in_text_order(stored.iter().copied().chain(asked))?;
    let in_dates = exchanged(&question.tree, &|test| match test {
        Test::Compare(comparison, literal) if is_mine(test) => Some(Test::Compare(*comparison, as_date(literal)?)),
        _ => None,
    });
    let matcher = question.matcher(&in_dates)?;
    let verdict = Verdict::by(case, question, |document| meets_converted(&matcher, document, ask, &as_date));
    let mut evidence: Vec<Evidence> =
        inverted(&days).map(|pair| orders(pair[0].text, pair[1].text)).into_iter().collect();
    evidence.extend(verdict.evidence(Vec::new()));
    if verdict.is_right() {
        let as_dates = |document: &RawDocument| {
            let written = |value| day(text(value)?).map(|(_, notation)| notation);
            let known = day(days[0].text).map(|(_, notation)| notation);
            let values = ask.values(document);
            let all = !values.is_empty() && values.into_iter().all(|value| written(value) == known);
            all.then(|| meets_converted(&matcher, document, ask, &as_date))
        };
        evidence.extend(made::judged(case, question, &in_dates, &as_dates));
    }
    let format = one_format(days.iter().map(|own| own.text));
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: values(&days, stored.len(), &ask.path, verdict.misjudged()),
        evidence,
        fix: format.and_then(|format| asked_in_dates(case, question, ask, &in_dates, &format)),
        level: verdict.level(),
        words: verdict.is_right().then_some(BY_CHANCE),
        ..Sighting::default()
    })
}

fn sorted(case: &Case<'_>, sorting: &Sorting<'_>) -> Option<Sighting> {
    let question = &sorting.question;
    let sort = SortPattern::parse(sorting.sort, question.collation.clone()).ok()?;
    let path = &sort.parts.first()?.path;
    let facts = case.profile(question.collection)?.path(&path.to_string())?;
    facts.types.get("string")?;
    let documents = case.matching(question, &question.tree);
    let texts = texts_at(documents.iter().copied(), path);
    let days = in_text_order(texts.iter().map(|(text, document)| (text.as_str(), *document)))?;
    let wrong = inverted(&days);
    if wrong.is_none() && question.names_one() {
        return None;
    }
    let mut evidence: Vec<Evidence> = wrong.map(|pair| orders(pair[0].text, pair[1].text)).into_iter().collect();
    let shows = |own: &Day<'_>| proof(own.document, vec![(path.to_string(), shown(&own.text.into()))]);
    evidence.extend(wrong.into_iter().flatten().filter_map(shows));
    if wrong.is_none() {
        evidence.extend(made::shown_by(case, question.collection, question.command, &|database| {
            let held = database.collection(question.collection).into_iter();
            let documents = held.flat_map(|held| held.scan(Direction::Ascending)).map(|(_, document)| document);
            let texts = texts_at(documents, path);
            let dates = texts.iter().filter(|(text, _)| unsorted(text).is_some());
            let days = in_text_order(dates.map(|(text, document)| (text.as_str(), *document)));
            days.is_some_and(|days| inverted(&days).is_some())
        }));
    }
    let update = one_format(days.iter().map(|own| own.text))
        .and_then(|format| field_to_dates(case, question.collection, path, &format));
    Some(Sighting {
        span: case.span(question.ran, &sorting.at),
        values: values(&days, days.len(), path, wrong.map(|pair| pair[0].document)),
        evidence,
        fix: update.map(|update| in_front(case, question.ran, &update, case.script.text())),
        level: wrong.is_none().then_some(Level::Risk),
        words: wrong.is_none().then_some(BY_CHANCE),
        ..Sighting::default()
    })
}

/// The first text that each document has at a path.
fn texts_at<'d>(documents: impl Iterator<Item = &'d RawDocument>, path: &Path) -> Vec<(String, &'d RawDocument)> {
    let first = |document: &'d RawDocument| {
        let values = all_values(View::Document(document.into()), path);
        Some((text(*values.first()?)?.to_owned(), document))
    };
    documents.filter_map(first).collect()
}

/// The message's values: the first two texts whose order is turned, or the first text.
fn values(
    days: &[Day<'_>],
    stored: usize,
    path: &Path,
    misjudged: Option<&RawDocument>,
) -> Vec<(&'static str, String)> {
    let [low, high] =
        inverted(days).map_or([days[0].text, days[days.len() - 1].text], |pair| [pair[0].text, pair[1].text]);
    vec![
        ("low", shown(&low.into())),
        ("high", shown(&high.into())),
        ("id", misjudged.map(|document| shown(&id(document))).unwrap_or_default()),
        ("n", stored.to_string()),
        ("path", path.to_string()),
    ]
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

/// A text that is a date, and the document that holds it.
struct Day<'t> {
    text: &'t str,
    date: Date,
    document: &'t RawDocument,
}

/// The texts in their order as text; none where there are none, or one of them is no date that begins with day or month.
fn in_text_order<'t>(texts: impl Iterator<Item = (&'t str, &'t RawDocument)>) -> Option<Vec<Day<'t>>> {
    let day = |(text, document)| Some(Day { text: unsorted(text)?, date: day(text)?.0, document });
    let mut days = texts.map(day).collect::<Option<Vec<_>>>()?;
    days.sort_by(|left, right| left.text.cmp(right.text));
    (!days.is_empty()).then_some(days)
}

/// Two neighbours in text order whose order in time is the other way round.
fn inverted<'d, 't>(days: &'d [Day<'t>]) -> Option<&'d [Day<'t>]> {
    days.windows(2).find(|pair| pair[0].date > pair[1].date)
}

fn orders(low: &str, high: &str) -> Evidence {
    Evidence::Orders { stored: vec![low.into(), high.into()], meant: vec![high.into(), low.into()] }
}

fn as_date(value: &Bson) -> Option<Bson> {
    midnight(day(value.as_str()?)?.0)
}
