//! Sums and averages over values that are text.

use super::pipe::{Pipe, number, pipes, read_path, stage};
use crate::pitfall::case::shown;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::value::{Bson, Document, doc, equal};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "avg-ignores-strings",
    level: Level::WrongResult,
    weight: 12,
    title: Words::new("$avg and $sum skip strings", "$avg und $sum übergehen Strings"),
    explanation: Words::new(
        "`$sum` and `$avg` ignore what is no number: of text alone the sum is 0 and the average null. For `$max` and `$min` \
         text is greater than any number.",
        "`$sum` und `$avg` übergehen, was keine Zahl ist: Aus lauter Text wird die Summe 0 und der Mittelwert null. Für `$max` \
         und `$min` ist Text größer als jede Zahl.",
    ),
    message: Words::new(
        "{n} of {m values} of `{path}` are strings: `{operator}` gives {learner} in group {group}; with the strings read as \
         numbers it gives {meant}.",
        "{n} von {m Werten} von `{path}` sind Strings: `{operator}` ergibt {learner} in Gruppe {group}; mit den Strings als \
         Zahlen gelesen {meant}.",
    ),
    cure: Words::new(
        "`$toInt` or `$convert` first; better: store numbers.",
        "Zuerst `$toInt` oder `$convert`; besser: Zahlen speichern.",
    ),
    example: r#"db.c.aggregate([{$group: {_id: "$month", avg: {$avg: "$v"}}}]) // v: "10800""#,
    detect,
};

/// An accumulator over a stored value.
struct Gathered<'a> {
    stage: usize,
    field: &'a str,
    operator: &'a str,
    operand: &'a str,
}

/// Said where the texts make no difference.
const BY_CHANCE: Words = Words::new(
    "{n} of {m values} of `{path}` are strings, which `{operator}` does not read as numbers; group {group} stays {learner} \
     all the same.",
    "{n} von {m Werten} von `{path}` sind Strings, die `{operator}` nicht als Zahlen liest; Gruppe {group} bleibt dabei \
     {learner}.",
);

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let pipes = pipes(case);
    let pipes = pipes.iter().filter(|pipe| pipe.succeeded());
    pipes.filter_map(|pipe| gathered(pipe).into_iter().find_map(|gathered| sight(case, pipe, &gathered))).collect()
}

/// The accumulators of a pipeline's first group that work on numbers.
fn gathered<'a>(pipe: &Pipe<'a>) -> Vec<Gathered<'a>> {
    let groups = pipe.stages().iter().enumerate().find(|(_, document)| stage(document).0 == "$group");
    let fields = groups.into_iter().flat_map(|(at, document)| {
        stage(document).1.as_document().into_iter().flatten().map(move |(field, value)| (at, field, value))
    });
    let read = |(stage, field, value): (usize, &'a String, &'a Bson)| {
        let (operator, operand) = value.as_document()?.iter().next()?;
        let numeric = ["$sum", "$avg", "$max", "$min"].contains(&operator.as_str());
        let operand = operand.as_str().filter(|operand| numeric && read_path(operand).is_some())?;
        Some(Gathered { stage, field, operator, operand })
    };
    fields.filter_map(read).collect()
}

fn sight(case: &Case<'_>, pipe: &Pipe<'_>, gathered: &Gathered<'_>) -> Option<Sighting> {
    let path = read_path(gathered.operand)?;
    let stored = case.profile(pipe.collection)?.path(&path);
    if stored.is_some_and(|facts| !facts.types.contains_key("string")) {
        return None;
    }
    let converted = doc! {"$convert": {"input": gathered.operand, "to": "double", "onError": null, "onNull": null}};
    let types = types(case, pipe, gathered)?;
    let strings = types.iter().find(|(name, _)| name == "string").map(|(_, count)| *count)?;
    let cured = with_operand(pipe, gathered, converted.clone());
    let learner = pipe.rows(case, gathered.stage + 1, Vec::new())?;
    let meant = pipe.tried(case, cured[..=gathered.stage].to_vec())?;
    let value = |row: &Document| row.get(gathered.field).cloned().unwrap_or(Bson::Null);
    let other = |row: &Document| meant.iter().find(|other| other.get("_id") == row.get("_id")).map(value);
    let mixed = types.iter().any(|(name, _)| ["int", "long", "double", "decimal"].contains(&name.as_str()));
    let ordered = ["$max", "$min"].contains(&gathered.operator);
    let misread = learner.iter().find_map(|row| {
        let meant = other(row)?;
        let other = !equal((&value(row)).into(), (&meant).into());
        let differs = match (ordered, mixed) {
            (false, _) => other,
            // Beside numbers a text is the greatest value, whatever number it is.
            (true, true) => other && !matches!(meant, Bson::Null),
            (true, false) => is_misread(&value(row), &meant),
        };
        differs.then_some((row, meant))
    });
    let right = misread.is_none();
    if right && (ordered || !some_is_number(case, pipe, gathered, &converted)) {
        return None;
    }
    let (row, meant) = misread.or_else(|| learner.first().map(|row| (row, value(row))))?;
    let text = vec![doc! {"$match": {"$expr": {"$eq": [{"$type": gathered.operand}, "string"]}}}, doc! {"$limit": 1}];
    let stored = || pipe.stored(case, pipe.rows(case, gathered.stage, text)?.first()?.get("_id")?);
    let own = if right { None } else { stored() };
    Some(Sighting {
        span: pipe.span(case, gathered.stage),
        values: vec![
            ("n", strings.to_string()),
            ("m", types.iter().map(|(_, count)| count).sum::<u64>().to_string()),
            ("path", path.clone()),
            ("operator", gathered.operator.to_owned()),
            ("learner", figure(&value(row))),
            ("group", row.get("_id").map(figure).unwrap_or_default()),
            ("meant", figure(&meant)),
        ],
        evidence: vec![
            Evidence::Counts { of: path, counts: types },
            Evidence::Results { learner: vec![value(row)], meant: vec![meant] },
        ]
        .into_iter()
        .chain(own)
        .collect(),
        level: right.then_some(Level::Risk),
        words: right.then_some(BY_CHANCE),
        fix: pipe.with_pipeline(case, &cured),
        ..Sighting::default()
    })
}

/// A value as the result shows it: a whole double without its type.
fn figure(value: &Bson) -> String {
    value.as_f64().map_or_else(|| shown(value), |number| number.to_string())
}

/// Whether one of the texts that arrive can be read as a number.
fn some_is_number(case: &Case<'_>, pipe: &Pipe<'_>, gathered: &Gathered<'_>, converted: &Document) -> bool {
    let text = doc! {"$eq": [{"$type": gathered.operand}, "string"]};
    let number = doc! {"$ne": [converted.clone(), null]};
    let stages = vec![doc! {"$match": {"$expr": {"$and": [text, number]}}}, doc! {"$limit": 1}];
    pipe.rows(case, gathered.stage, stages).is_some_and(|rows| !rows.is_empty())
}

/// The values that arrive, by type.
fn types(case: &Case<'_>, pipe: &Pipe<'_>, gathered: &Gathered<'_>) -> Option<Vec<(String, u64)>> {
    let by_type = doc! {"$group": {"_id": {"$type": gathered.operand}, "n": {"$sum": 1}}};
    let rows = pipe.rows(case, gathered.stage, vec![by_type])?;
    let count = |row: &Document| u64::try_from(row.get("n").and_then(number)?).ok();
    Some(rows.iter().filter_map(|row| Some((row.get_str("_id").ok()?.to_owned(), count(row)?))).collect())
}

/// Whether the greatest or smallest value is another one when text is read as numbers.
fn is_misread(found: &Bson, meant: &Bson) -> bool {
    let read = found.as_str().and_then(|text| text.parse::<f64>().ok()).map(Bson::Double);
    !matches!(meant, Bson::Null) && !equal(read.as_ref().unwrap_or(found).into(), meant.into())
}

fn with_operand(pipe: &Pipe<'_>, gathered: &Gathered<'_>, operand: Document) -> Vec<Document> {
    let mut stages = pipe.stages().to_vec();
    if let Ok(group) = stages[gathered.stage].get_document_mut("$group") {
        group.insert(gathered.field, doc! {gathered.operator: operand});
    }
    stages
}
