//! Both ends of a range met by different elements of one array.

use super::asks::{levels, parts, simple};
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::{all_elements, all_values};
use crate::pitfall::exchange::{field, replaced};
use crate::pitfall::grain::each_question;
use crate::pitfall::made;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting, rewrite};
use crate::proof::written;
use crate::query::{Comparison, Filter, Matcher, Test, TypeSet};
use crate::value::{Bson, Path, RawDocument, View, doc, type_code};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "range-cross-element",
    level: Level::WrongResult,
    weight: 20,
    title: Words::new(
        "Both ends of a range met by different elements",
        "Bereichsgrenzen von verschiedenen Elementen erfüllt",
    ),
    explanation: Words::new(
        "On a path through an array each end of the range may be met by another element. On a multikey index only one end \
         becomes a bound.",
        "Auf einem Pfad durch ein Array darf jede Grenze von einem anderen Element erfüllt werden. In einem Multikey-Index \
         wird nur eine davon zur Schranke.",
    ),
    message: Words::new(
        "No single value at `{path}` in _id {id} lies between {low} and {high}: {values} meet one end each. So it is in {n} \
         of {m} returned {m|document|documents}.",
        "Kein einzelner Wert von `{path}` in _id {id} liegt zwischen {low} und {high}: {values} erfüllen je eine Grenze. So \
         ist es bei {n} von {m} gefundenen {m|Dokument|Dokumenten}.",
    ),
    cure: Words::new(
        "Ask both ends of one element with `$elemMatch`.",
        "Verlange beide Grenzen mit `$elemMatch` von einem Element.",
    ),
    example: r#"db.c.find({"specs.k": "width", "specs.v": {$gte: 10, $lte: 20}})"#,
    detect: |case| each_question(case, sightings),
};

/// Said where the documents found are right, though one holds values on both outer sides of the range.
const BY_CHANCE: Words = Words::new(
    "Each end of the range from {low} to {high} at `{path}` may be met by another element: _id {id} holds {values}, and so \
     on both outer sides of it. {n} of {m returned documents} {n|has|have} no value in between.",
    "Jede Grenze des Bereichs von {low} bis {high} an `{path}` darf von einem anderen Element erfüllt werden: _id {id} \
     enthält {values} und damit Werte auf beiden Seiten außerhalb. {n} von {m gefundenen Dokumenten} {n|hat|haben} keinen Wert \
     dazwischen.",
);

/// A lower and an upper end asked of one path.
struct Range<'f> {
    array: Path,
    path: Path,
    low: &'f Bson,
    high: &'f Bson,
    ends: [&'f Test; 2],
}

fn sightings(case: &Case<'_>, question: &Question<'_>) -> Vec<Sighting> {
    let ranges = ranges(&question.tree);
    ranges.iter().filter_map(|range| sight(case, question, range)).collect()
}

fn ranges(filter: &Filter) -> Vec<Range<'_>> {
    let mut found = Vec::new();
    for level in levels(filter) {
        let tests = || level.parts.iter().filter_map(|part| simple(part)).filter(|(_, negated)| !negated);
        for (low, _) in tests() {
            let Test::Compare(Comparison::Gt | Comparison::Gte, least) = &low.test else { continue };
            let high = tests().find_map(|(high, _)| match &high.test {
                Test::Compare(Comparison::Lt | Comparison::Lte, most) if high.path == low.path => {
                    Some((&high.test, most))
                }
                _ => None,
            });
            let Some((high, most)) = high else { continue };
            found.push(Range {
                array: level.array.clone(),
                path: low.path.clone(),
                low: least,
                high: most,
                ends: [&low.test, high],
            });
        }
    }
    found
}

fn sight(case: &Case<'_>, question: &Question<'_>, range: &Range<'_>) -> Option<Sighting> {
    let profile = case.profile(question.collection)?;
    let whole = range.array.join(&range.path);
    let outer = range.array.parts().len();
    let crosses = (outer + 1..=whole.parts().len())
        .any(|length| profile.arrays().contains_key(&Path::from_parts(whole.parts()[..length].to_vec()).to_string()));
    if !crosses {
        return None;
    }
    let tied = rewrite_tied(case, question, range);
    let meant = tied.as_ref().map_or_else(|| within(&question.tree, range, true), Clone::clone);
    let verdict = Verdict::of(case, question, &meant)?;
    let right = verdict.is_right();
    let around = || on_both_sides(case, question, range);
    let document = verdict.extra.first().copied().or_else(|| if right { around() } else { None })?;
    let cured = tied.unwrap_or_else(|| within(&question.tree, range, false));
    let fits = Verdict::of(case, question, &cured)?.meant.len() == verdict.meant.len();
    let values = found_values(question, document, range);
    let mut evidence = verdict.evidence(values.iter().map(|value| (whole.to_string(), value.clone())).collect());
    if right {
        evidence.extend(around_made(case, question, range, &meant));
    }
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("path", whole.to_string()),
            ("id", shown(&id(document))),
            ("low", shown(range.low)),
            ("high", shown(range.high)),
            ("values", values.join(", ")),
            ("n", verdict.extra.len().to_string()),
            ("m", verdict.learner.len().to_string()),
        ],
        evidence,
        fix: if fits { case.with_filter(question, &written(&cured)) } else { None },
        level: verdict.level(),
        words: right.then_some(BY_CHANCE),
        ..Sighting::default()
    })
}

/// The first document that holds a value below the range and one above it.
fn on_both_sides<'c>(case: &Case<'c>, question: &Question<'_>, range: &Range<'_>) -> Option<&'c RawDocument> {
    let meets = |end: &Test| question.matcher(&field(Path::default(), end.clone()));
    let [Some(low), Some(high)] = range.ends.map(meets) else { return None };
    let beyond = |values: &[View<'_>], own: &Matcher, other: &Matcher| {
        values.iter().any(|value| own.matches_value(*value) && !other.matches_value(*value))
    };
    case.seen(question).iter().copied().find(|document| {
        let values = values_at(document, range);
        beyond(&values, &low, &high) && beyond(&values, &high, &low)
    })
}

/// A document made of which no value lies in the range, though both ends are met.
fn around_made(case: &Case<'_>, question: &Question<'_>, range: &Range<'_>, meant: &Filter) -> Vec<Evidence> {
    let both = range.ends.iter().map(|end| field(Path::default(), (*end).clone())).collect();
    let (Some(matcher), Some(inside)) = (question.matcher(meant), question.matcher(&Filter::And(both))) else {
        return Vec::new();
    };
    let outside = |document: &RawDocument| !values_at(document, range).into_iter().any(|own| inside.matches_value(own));
    made::judged(case, question, meant, &|document| outside(document).then(|| matcher.matches(document)))
}

/// The filter with the range and its siblings tied to one element of an attribute array.
fn rewrite_tied(case: &Case<'_>, question: &Question<'_>, range: &Range<'_>) -> Option<Filter> {
    let whole = range.array.join(&range.path);
    let arrays = case.profile(question.collection)?.arrays();
    let held = arrays.iter().filter(|(name, facts)| facts.documents > 0 && Path::new(name).is_prefix_of(&whole));
    let inner = held.map(|(name, _)| Path::new(name)).find(|array| array.parts().len() < whole.parts().len())?;
    if range.array.is_empty() { rewrite::bound(case, question, &question.tree, &inner) } else { None }
}

/// The filter with the two ends asked of one element of the array at their path; with `or_scalar` also of a bare value.
fn within(filter: &Filter, range: &Range<'_>, or_scalar: bool) -> Filter {
    replaced(filter, &|part| {
        let mine = |part: &&Filter| {
            matches!(part, Filter::Field(predicate) if range.ends.iter().any(|end| std::ptr::eq(*end, &raw const predicate.test)))
        };
        let siblings = parts(part);
        if siblings.len() < 2 || siblings.iter().filter(|part| mine(part)).count() < 2 {
            return None;
        }
        let ends = || range.ends.iter().map(|end| (*end).clone());
        let element = ends().map(|end| field(Path::default(), end)).collect();
        let tied = field(range.path.clone(), Test::ElemMatchValue(element));
        let mut rest: Vec<Filter> = siblings.iter().filter(|part| !mine(part)).map(|part| (*part).clone()).collect();
        rest.push(if or_scalar { Filter::Or(vec![tied, scalar(range)]) } else { tied });
        Some(Filter::And(rest))
    })
    .normalised()
}

fn scalar(range: &Range<'_>) -> Filter {
    let array =
        TypeSet { codes: vec![type_code(View::Array(crate::value::ArrayView::Owned(&[])))], all_numbers: false };
    let mut all: Vec<Filter> = range.ends.iter().map(|end| field(range.path.clone(), (*end).clone())).collect();
    all.push(Filter::Not(Box::new(field(range.path.clone(), Test::Type(array)))));
    Filter::And(all)
}

/// The values at the path that meet an end; an end asks only values of its own type.
fn found_values(question: &Question<'_>, document: &RawDocument, range: &Range<'_>) -> Vec<String> {
    let ends: Vec<Matcher> =
        range.ends.iter().filter_map(|end| question.matcher(&field(Path::new("v"), (*end).clone()))).collect();
    let meets = |value: &Bson| ends.iter().any(|end| end.matches(&doc! {"v": value.clone()}));
    values_at(document, range).iter().map(View::to_bson).filter(meets).map(|value| shown(&value)).collect()
}

fn values_at<'d>(document: &'d RawDocument, range: &Range<'_>) -> Vec<View<'d>> {
    if range.array.is_empty() {
        return all_values(View::Document(document.into()), &range.path);
    }
    all_elements(document, &range.array).into_iter().flat_map(|element| all_values(element, &range.path)).collect()
}
