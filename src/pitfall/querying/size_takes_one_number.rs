//! A `$size` with a comparison.

use crate::engine::Command;
use crate::error::CommandPath;
use crate::pitfall::case::{Case, id};
use crate::pitfall::question::explained;
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
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    case.ran.iter().filter_map(|ran| sight(case, ran)).collect()
}

fn sight(case: &Case<'_>, ran: &Ran) -> Option<Sighting> {
    let error = ran.result.as_ref().err()?;
    let (collection, filter) = filter_of(explained(&ran.command))?;
    let (array, operand) = filter.iter().find_map(|(path, tests)| {
        let operand = tests.as_document()?.get("$size")?;
        is_wrong(operand).then_some((path, operand))
    })?;
    let at_least = least(operand);
    let mut cured = filter.clone();
    let wanted = at_least.filter(|least| *least > 0).map(|least| format!("{array}.{}", least - 1));
    let mut evidence = vec![Evidence::Refusal { code: error.code.number(), message: error.message.clone() }];
    if let Some(path) = &wanted {
        cured.remove(array);
        cured.insert(path, doc! {"$exists": true});
        let meant = found(case, collection, &cured)?;
        evidence.push(Evidence::Results { learner: Vec::new(), meant });
    }
    let place = CommandPath::argument("filter");
    let node = ran.places.literal(&place);
    let fix = wanted
        .as_ref()
        .and(node)
        .and_then(|node| case.replaced(&case.script.node(node).span, &literal(&Bson::Document(cured))));
    Some(Sighting {
        span: case.span(ran, &place.field(array)),
        values: vec![
            ("operand", literal(operand)),
            ("code", error.code.number().to_string()),
            ("advice", wanted.map(|path| format!("`{path}`: {{$exists: true}}")).unwrap_or_default()),
        ],
        evidence,
        fix,
        level: None,
    })
}

/// The `_id`s that another filter finds.
fn found(case: &Case<'_>, collection: &str, filter: &Document) -> Option<Vec<Bson>> {
    let matcher = Matcher::new(&Filter::parse(filter).ok()?, Collation::simple()).ok()?;
    let documents = case.documents(collection);
    Some(documents.iter().filter(|document| matcher.matches(**document)).map(|document| id(document)).collect())
}

/// The collection and filter of a command that was refused.
fn filter_of(command: &Command) -> Option<(&str, &Document)> {
    match command {
        Command::Find(find) => Some((&find.collection, &find.filter)),
        Command::Count(count) => Some((&count.collection, &count.filter)),
        Command::Distinct(distinct) => Some((&distinct.collection, &distinct.filter)),
        Command::Delete(delete) => Some((&delete.collection, &delete.filter)),
        Command::Update(update) => Some((&update.collection, &update.spec.filter)),
        Command::FindAndModify(modify) => Some((&modify.collection, &modify.filter)),
        _ => None,
    }
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
