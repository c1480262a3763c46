//! Numbers kept as text in a range or a sort: compared byte by byte.

use super::asks::{Ask, each_ask, is_range, literals};
use super::conversion::{asked_in_numbers, field_to_numbers};
use super::kinds::{leading_number, meets_converted, number, whole_number};
use super::sorting::{Sorting, sortings};
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::conversion::in_front;
use crate::pitfall::days::day;
use crate::pitfall::elements::value_at;
use crate::pitfall::exchange::exchanged;
use crate::pitfall::made;
use crate::pitfall::verdict::{Verdict, proof};
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::query::{Filter, Test};
use crate::value::{Bson, Path, RawDocument, View};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "numeric-strings-compared-as-text",
    level: Level::WrongResult,
    weight: 20,
    title: Words::new("Numbers compared as text", "Zahlen als Text verglichen"),
    explanation: Words::new(
        "Strings compare byte by byte: \"9\" is greater than \"100\", \"1000\" is not greater than \"9\".",
        "Strings werden Byte für Byte verglichen: \"9\" ist größer als \"100\", \"1000\" nicht größer als \"9\".",
    ),
    message: Words::new(
        "As text, {high} comes after {low}. Read as numbers, {n documents} {n|is|are} judged wrongly, such as _id {id}.",
        "Als Text kommt {high} nach {low}. Als Zahlen gelesen {n|wird|werden} {n Dokumente} falsch beurteilt, etwa _id {id}.",
    ),
    cure: Words::new(
        "Convert once with a pipeline update, then compare numbers.",
        "Wandle die Werte einmal mit einem Pipeline-Update um und vergleiche Zahlen.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "volume", v: {$gt: "100"}}}})"#,
    detect,
};

/// Said where no document is judged otherwise.
const BY_CHANCE: Words = Words::new(
    "As text, {high} comes after {low}; read as numbers it is the other way round. {n documents} {n|is|are} judged otherwise now.",
    "Als Text kommt {high} nach {low}, als Zahl gelesen ist es umgekehrt. Jetzt {n|wird|werden} {n Dokumente} anders beurteilt.",
);

const EQUALLY_LONG: Words = Words::new(
    "{n values} at `{path}` {n|is a number|are numbers} kept as text, each {length} {length|digit|digits} long: so long as \
     that stays, text order is number order.",
    "{n Werte} an `{path}` {n|ist eine Zahl|sind Zahlen} als Text, je {length} {length|Ziffer|Ziffern} lang: Solange das so \
     bleibt, ist die Reihenfolge als Text die der Zahlen.",
);

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let ranged = each_ask(case, sight);
    ranged.into_iter().chain(sortings(case).iter().filter_map(|sorting| sorted(case, sorting))).collect()
}

/// A sort by a path whose values are all numbers kept as text.
fn sorted(case: &Case<'_>, sorting: &Sorting<'_>) -> Option<Sighting> {
    let question = &sorting.question;
    let path = Path::new(sorting.sort.keys().next()?);
    let types = &case.profile(question.collection)?.path(&path.to_string())?.types;
    if !types.keys().all(|name| *name == "string") {
        return None;
    }
    let mut texts: Vec<(String, f64, &RawDocument)> = Vec::new();
    for document in case.matching(question, &question.tree) {
        let Some(View::String(text)) = value_at(document, &path) else { continue };
        texts.push((text.to_owned(), leading_number(text)?, document));
    }
    texts.sort_by(|left, right| left.0.cmp(&right.0));
    let Some(pair) = texts.windows(2).find(|pair| pair[0].1 > pair[1].1) else {
        let texts: Vec<(String, f64)> = texts.into_iter().map(|(text, number, _)| (text, number)).collect();
        return equally_long(&texts, []).map(|values| hint(case.span(question.ran, &sorting.at), &path, values));
    };
    let (low, high) = (Bson::from(pair[0].0.clone()), Bson::from(pair[1].0.clone()));
    let mut numbers: Vec<&(String, f64, &RawDocument)> = texts.iter().collect();
    numbers.sort_by(|left, right| left.1.total_cmp(&right.1));
    let wrong = texts.iter().zip(&numbers).filter(|(text, number)| text.0 != number.0).count();
    let listed = |list: Vec<&(String, f64, &RawDocument)>| list.iter().map(|own| Bson::from(own.0.as_str())).collect();
    Some(Sighting {
        span: case.span(question.ran, &sorting.at),
        values: vec![
            ("low", shown(&low)),
            ("high", shown(&high)),
            ("n", wrong.to_string()),
            ("id", shown(&id(pair[0].2))),
        ],
        evidence: [Evidence::Orders { stored: listed(texts.iter().collect()), meant: listed(numbers) }]
            .into_iter()
            .chain(pair.iter().filter_map(|own| proof(own.2, vec![(path.to_string(), own.0.clone())])))
            .collect(),
        fix: texts
            .iter()
            .all(|(text, ..)| whole_number(text).is_some())
            .then(|| field_to_numbers(case, question.collection, &path))
            .flatten()
            .map(|update| in_front(case, question.ran, &update, case.script.text())),
        ..Sighting::default()
    })
}

fn sight(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Sighting> {
    let mut limits = ask.tests.iter().filter(|test| is_range(test)).flat_map(|test| literals(test)).peekable();
    limits.peek()?;
    if ask.negated || !limits.all(|literal| as_number(literal).is_some()) {
        return None;
    }
    let Some((low, high)) = out_of_order(case, question, ask) else {
        let limits = ask.tests.iter().flat_map(|test| literals(test)).filter_map(Bson::as_str);
        return equally_long(&texts(case, question, ask)?, limits)
            .map(|values| hint(case.span(question.ran, &question.at), &ask.path, values));
    };
    let numbers = in_numbers(&question.tree, ask);
    let matcher = question.matcher(&numbers)?;
    let verdict = Verdict::by(case, question, |document| meets_converted(&matcher, document, ask, &as_number));
    let mut evidence =
        vec![Evidence::Orders { stored: vec![low.clone(), high.clone()], meant: vec![high.clone(), low.clone()] }];
    evidence.extend(verdict.evidence(Vec::new()));
    if verdict.is_right() {
        let as_numbers = |document: &RawDocument| {
            let texts = ask.values(document);
            let all = texts.iter().all(|value| matches!(value, View::String(text) if leading_number(text).is_some()));
            (all && !texts.is_empty()).then(|| meets_converted(&matcher, document, ask, &as_number))
        };
        evidence.extend(made::judged(case, question, &numbers, &as_numbers));
    }
    let wrong = verdict.extra.len() + verdict.missed.len();
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![("low", shown(&low)), ("high", shown(&high)), ("n", wrong.to_string()), ("id", verdict.example())],
        evidence,
        fix: if is_whole(case, question, ask) { asked_in_numbers(case, question, ask, &numbers) } else { None },
        level: verdict.level(),
        words: verdict.is_right().then_some(BY_CHANCE),
        ..Sighting::default()
    })
}

/// Whether all texts, stored and asked for, are nothing but numbers, which a conversion can read.
fn is_whole(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> bool {
    let is_number = |value: View<'_>| !matches!(value, View::String(text) if whole_number(text).is_none());
    let asked = ask.tests.iter().flat_map(|test| literals(test));
    asked.into_iter().all(|literal| is_number(literal.into()))
        && case.seen(question).iter().all(|document| ask.values(document).into_iter().all(is_number))
}

fn as_number(value: &Bson) -> Option<Bson> {
    value.as_str().and_then(leading_number).map(number)
}

/// Two texts, stored or asked for, whose order as text is not their order as numbers; none where some stored text is no
/// number.
fn out_of_order(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<(Bson, Bson)> {
    let mut texts = texts(case, question, ask)?;
    let limits = ask.tests.iter().flat_map(|test| literals(test)).filter_map(Bson::as_str);
    texts.extend(limits.filter_map(|text| Some((text.to_owned(), leading_number(text)?))));
    texts.sort_by(|left, right| left.0.cmp(&right.0));
    let pair = texts.windows(2).find(|pair| pair[0].1 > pair[1].1)?;
    Some((Bson::from(pair[0].0.clone()), Bson::from(pair[1].0.clone())))
}

/// The stored texts with the numbers that they are; none where some is no number, or none is there.
fn texts(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Vec<(String, f64)>> {
    let mut texts: Vec<(String, f64)> = Vec::new();
    for document in case.seen(question).iter().copied() {
        for value in ask.values(document) {
            let View::String(text) = value else { continue };
            texts.push((text.to_owned(), leading_number(text)?));
        }
    }
    (!texts.is_empty()).then_some(texts)
}

/// How many texts there are and how long each is, where all are digits and equally long, those asked for as well; texts
/// that are days are no numbers.
fn equally_long<'t>(texts: &'t [(String, f64)], asked: impl IntoIterator<Item = &'t str>) -> Option<(usize, usize)> {
    let length = texts.first()?.0.len();
    let all = texts.iter().map(|(text, _)| text.as_str()).chain(asked);
    let digits =
        |text: &str| text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit()) && day(text).is_none();
    (texts.len() > 1 && all.into_iter().all(digits)).then_some((texts.len(), length))
}

fn hint(span: std::ops::Range<usize>, path: &Path, (texts, length): (usize, usize)) -> Sighting {
    Sighting {
        span,
        values: vec![("n", texts.to_string()), ("path", path.to_string()), ("length", length.to_string())],
        evidence: vec![Evidence::Counts { of: path.to_string(), counts: vec![("string".to_owned(), texts as u64)] }],
        level: Some(Level::Hint),
        words: Some(EQUALLY_LONG),
        ..Sighting::default()
    }
}

fn in_numbers(filter: &Filter, ask: &Ask<'_>) -> Filter {
    exchanged(filter, &|test| {
        let Test::Compare(comparison, literal) = test else { return None };
        let mine = ask.tests.iter().any(|own| std::ptr::eq(*own, test));
        mine.then(|| Test::Compare(*comparison, as_number(literal).unwrap_or_else(|| literal.clone())))
    })
}
