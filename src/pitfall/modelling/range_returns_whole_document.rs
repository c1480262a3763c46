//! Days asked for, the whole history returned.

use crate::engine::Command;
use crate::pitfall::as_expression::as_expression;
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::days::begins_with_day;
use crate::pitfall::elements::value_at;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::query::{Comparison, Filter, Matcher, Predicate, Test};
use crate::value::{Bson, Path, RawDocument, View, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "range-returns-whole-document",
    level: Level::Cost,
    weight: 12,
    title: Words::new("Days asked, whole history returned", "Nach Tagen gefragt, alles bekommen"),
    explanation: Words::new(
        "A filter chooses documents: it finds who walked in February and returns all their days.",
        "Ein Filter wählt Dokumente aus: Er findet, wer im Februar gelaufen ist, und gibt alle Tage zurück.",
    ),
    message: Words::new(
        "{n elements} of `{path}` came back, {m} lie in the range asked for; the longest array is that of _id {id}.",
        "{n Elemente} von `{path}` kamen zurück, {m} liegen im gefragten Bereich; das längste Array hat _id {id}.",
    ),
    cure: Words::new(
        "One document per day, or `$filter` in a pipeline, which still reads everything.",
        "Ein Dokument je Tag oder `$filter` in einer Pipeline, die aber weiterhin alles liest.",
    ),
    example: r#"db.c.find({days: {$elemMatch: {date: {$gte: "20140201", $lt: "20140301"}}}})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let questions = case.questions();
    let whole = questions
        .iter()
        .filter(|question| matches!(question.command, Command::Find(find) if find.projection.is_none()));
    whole.filter_map(|question| sight(case, question)).collect()
}

fn sight(case: &Case<'_>, question: &Question<'_>) -> Option<Sighting> {
    let arrays = case.profile(question.collection)?.arrays();
    let (path, inner) = arrays.keys().find_map(|path| Some((path, asked(&question.tree, &Path::new(path))?)))?;
    let matcher = question.matcher(&inner)?;
    let found = case.matching(question, &question.tree);
    let array = Path::new(path);
    let counts: Vec<(usize, usize)> = found.iter().map(|document| count(document, &array, &matcher)).collect();
    let (all, wanted) = counts.iter().fold((0, 0), |(all, wanted), (more, in_range)| (all + more, wanted + in_range));
    let longest = counts.iter().zip(&found).max_by_key(|((length, _), _)| *length)?.1;
    (wanted < all).then(|| Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("n", all.to_string()),
            ("m", wanted.to_string()),
            ("path", path.clone()),
            ("id", shown(&id(longest))),
        ],
        evidence: vec![Evidence::Counts {
            of: path.clone(),
            counts: vec![
                ("elements returned".into(), all as u64),
                ("elements in range".into(), wanted as u64),
                ("bytes returned".into(), found.iter().map(|document| document.as_bytes().len() as u64).sum()),
            ],
        }],
        fix: as_expression(&inner.clone().normalised(), "e").and_then(|condition| {
            let kept = doc! {"$filter": {"input": format!("${path}"), "as": "e", "cond": condition}};
            case.with_projection(question, doc! {path: kept})
        }),
        ..Sighting::default()
    })
}

/// What is asked of one element of the array, where that is a range of days.
fn asked(filter: &Filter, array: &Path) -> Option<Filter> {
    let parts = match filter {
        Filter::And(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let inside: Vec<Filter> = parts.iter().filter_map(|part| of_element(part, array)).collect();
    let inner = Filter::And(inside);
    has_range(&inner).then_some(inner)
}

fn of_element(part: &Filter, array: &Path) -> Option<Filter> {
    let Filter::Field(predicate) = part else { return None };
    match &predicate.test {
        Test::ElemMatchObject(inner) if predicate.path == *array => Some(inner.as_ref().clone()),
        test => {
            let tail = predicate.path.parts().strip_prefix(array.parts()).filter(|tail| !tail.is_empty())?;
            Some(Filter::Field(Predicate { path: Path::from_parts(tail.to_vec()), test: test.clone() }))
        }
    }
}

fn has_range(filter: &Filter) -> bool {
    match filter {
        Filter::And(parts) => parts.iter().any(has_range),
        Filter::Field(predicate) => match &predicate.test {
            Test::Compare(comparison, Bson::DateTime(_)) => *comparison != Comparison::Eq,
            Test::Compare(comparison, Bson::String(text)) => *comparison != Comparison::Eq && begins_with_day(text),
            _ => false,
        },
        _ => false,
    }
}

/// The elements of the array, and those in the range.
fn count(document: &RawDocument, path: &Path, matcher: &Matcher) -> (usize, usize) {
    let Some(View::Array(array)) = value_at(document, path) else { return (0, 0) };
    let wanted = array.iter().filter(|element| matches!(element, View::Document(inner) if matcher.matches(*inner)));
    (array.len(), wanted.count())
}
