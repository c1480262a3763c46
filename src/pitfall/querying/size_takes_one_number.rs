//! A `$size` with a comparison.

use crate::engine::Command;
use crate::error::CommandPath;
use crate::pitfall::case::{Case, id};
use crate::pitfall::grain::each_run;
use crate::pitfall::{Evidence, Level, Pitfall, Sighting};
use crate::query::{Collation, Filter, Matcher};
use crate::shell::{Ran, literal};
use crate::value::{Bson, Document, View, doc, exact_long};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "size-takes-one-number",
    level: Level::Refused,
    weight: 6,
    title: Words::new("$size with a comparison", "$size mit einem Vergleich"),
    explanation: Words::new(
        "`$size` takes one whole number and tests for exactly that length. It never uses an index.",
        "`$size` nimmt eine ganze Zahl und prüft genau diese Länge. Einen Index nutzt es nie.",
    ),
    message: Words::new(
        "The server refuses {operand} (code {code}): `$size` only tests for an exact length. {advice}",
        "Der Server lehnt {operand} ab (Code {code}): `$size` prüft nur eine genaue Länge. {advice}",
    ),
    cure: Words::new(
        "Test that the last element of the wanted number exists, such as `{\"specs.2\": {$exists: true}}` for three or more.",
        "Prüfe, ob das letzte Element der gewünschten Anzahl existiert, etwa `{\"specs.2\": {$exists: true}}` für drei oder mehr.",
    ),
    example: "db.c.find({specs: {$size: {$gt: 2}}})",
    detect: |case| each_run(case, sight),
};

fn sight(case: &Case<'_>, ran: &Ran) -> Option<Sighting> {
    let error = ran.result.as_ref().err()?;
    let (collection, filter, (array, operand), place) = filters_of(ran.command.explained())
        .into_iter()
        .find_map(|(collection, filter, place)| Some((collection, filter, wrong_size(filter)?, place)))?;
    let at_least = least(operand);
    let wanted = at_least.filter(|least| *least > 0).map(|least| format!("{array}.{}", least - 1));
    let mut evidence = vec![Evidence::Refusal { code: error.code.number(), message: error.message.clone() }];
    let cured = wanted.as_ref().map(|path| replaced(filter, (array, operand), path)).unwrap_or_default();
    if wanted.is_some() {
        let meant = found(case, collection, &cured)?;
        evidence.push(Evidence::Results { learner: Vec::new(), meant });
    }
    let fix = wanted.as_ref().and_then(|_| case.with_filter_at(ran, &place, &cured));
    Some(Sighting {
        span: case.span(ran, &place.field(array)),
        values: vec![
            ("operand", literal(operand)),
            ("code", error.code.number().to_string()),
            ("advice", wanted.map(|path| format!("`{path}`: {{$exists: true}}")).unwrap_or_default()),
        ],
        evidence,
        fix,
        ..Sighting::default()
    })
}

/// The `_id`s that another filter finds.
fn found(case: &Case<'_>, collection: &str, filter: &Document) -> Option<Vec<Bson>> {
    let matcher = Matcher::new(&Filter::parse(filter).ok()?, Collation::simple()).ok()?;
    let documents = case.documents(collection);
    Some(documents.iter().filter(|document| matcher.matches(**document)).map(|document| id(document)).collect())
}

/// The first path with an operand of `$size` that is no length, also in alternatives and elements.
fn wrong_size(filter: &Document) -> Option<(&str, &Bson)> {
    filter.iter().find_map(|(path, tests)| match tests {
        Bson::Document(tests) => match tests.get("$size").filter(|operand| is_wrong(operand)) {
            Some(operand) => Some((path.as_str(), operand)),
            None => wrong_size(tests),
        },
        Bson::Array(parts) if path.starts_with('$') => parts.iter().filter_map(Bson::as_document).find_map(wrong_size),
        _ => None,
    })
}

/// The filter with the test that an element exists in place of the wrong `$size`.
fn replaced(filter: &Document, wrong: (&str, &Bson), with: &str) -> Document {
    let (path, operand) = wrong;
    let inside = |value: &Bson| match value {
        Bson::Document(inner) => Bson::Document(replaced(inner, wrong, with)),
        other => other.clone(),
    };
    let entry = |(name, value): (&String, &Bson)| match value {
        Bson::Document(tests) if name == path && tests.get("$size") == Some(operand) => {
            (with.to_owned(), doc! {"$exists": true}.into())
        }
        Bson::Array(parts) if name.starts_with('$') => {
            (name.clone(), parts.iter().map(inside).collect::<Vec<_>>().into())
        }
        other => (name.clone(), inside(other)),
    };
    filter.iter().map(entry).collect()
}

/// The collection and the filters of a command that was refused, with their places.
fn filters_of(command: &Command) -> Vec<(&str, &Document, CommandPath)> {
    let Command::Aggregate(aggregate) = command else {
        let one = |(collection, filter)| (collection, filter, CommandPath::argument("filter"));
        return command.collection().zip(command.filter()).map(one).into_iter().collect();
    };
    let Some(collection) = aggregate.collection.as_deref() else { return Vec::new() };
    let stages = aggregate.pipeline.iter().enumerate();
    let filters = stages.filter_map(|(at, stage)| Some((at, stage.get_document("$match").ok()?)));
    let place = |at: usize| CommandPath::argument("pipeline").index(at).field("$match");
    filters.map(|(at, filter)| (collection, filter, place(at))).collect()
}

fn is_wrong(operand: &Bson) -> bool {
    exact_long(View::from(operand)).is_none_or(|number| number < 0)
}

/// The least length that a comparison asks for.
fn least(operand: &Bson) -> Option<i64> {
    let operators = operand.as_document()?;
    let (name, number) = operators.iter().next().filter(|_| operators.len() == 1)?;
    let number = exact_long(View::from(number))?;
    match name.as_str() {
        "$gte" => Some(number),
        "$gt" => number.checked_add(1),
        _ => None,
    }
}
