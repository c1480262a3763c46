//! Elements counted where documents seem to be meant.

use super::pipe::{Pipe, each_pipe, number, stage, unwound};
use crate::pitfall::case::shown;
use crate::pitfall::elements::{condition, wanted};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::query::Filter;
use crate::value::{Bson, Document, Path, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "counts-elements-not-documents",
    level: Level::WrongResult,
    weight: 12,
    title: Words::new("Elements counted instead of documents", "Elemente gezählt statt Dokumente"),
    explanation: Words::new(
        "After `$unwind` each element is a document of its own: whoever has two of them counts twice.",
        "Nach `$unwind` ist jedes Element ein eigenes Dokument: Wer zwei davon hat, zählt doppelt.",
    ),
    message: Words::new(
        "{n elements} {n|was|were} counted, of {m documents}; _id {id} counts {times times}{group}.",
        "{n Elemente} {n|wurde|wurden} gezählt, aus {m Dokumenten}; _id {id} zählt {times}-mal{group}.",
    ),
    cure: Words::new(
        "Collect `_id` with `$addToSet` and take `$size`, or `countDocuments` with `$elemMatch`.",
        "Sammle `_id` mit `$addToSet` und nimm `$size`, oder `countDocuments` mit `$elemMatch`.",
    ),
    example: r#"db.c.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$count: "products"}])"#,
    detect: |case| each_pipe(case, sight),
};

/// One stage that counts: the groups' key, the fields that count, and the other fields.
struct Counting<'a> {
    key: Bson,
    counts: Vec<&'a str>,
    others: bool,
}

fn sight(case: &Case<'_>, pipe: &Pipe<'_>) -> Option<Sighting> {
    let stages = pipe.stages();
    let at = stages.iter().position(|document| unwound(document).is_some())?;
    let after = |from: usize, wanted: &dyn Fn(&Document) -> bool| {
        stages[from..].iter().position(wanted).map(|place| from + place)
    };
    let matched = after(at + 1, &|document| stage(document).0 == "$match")?;
    let place = after(matched + 1, &|document| counting(document).is_some())?;
    let kept = stages[at + 1..place]
        .iter()
        .all(|document| ["$match", "$sort", "$unwind", "$set", "$addFields"].contains(&stage(document).0));
    let counting = counting(&stages[place]).filter(|_| kept)?;
    if asks_single(case, pipe, &stages[at], &stages[at + 1..place]) {
        return None;
    }
    let single = doc! {"$group": {"_id": {"g": counting.key.clone(), "d": "$_id"}, "n": {"$sum": 1}}};
    let per_group = doc! {"$group": {"_id": "$_id.g", "elements": {"$sum": "$n"}, "documents": {"$sum": 1}, "most": {"$max": {"n": "$n", "d": "$_id.d"}}}};
    let rows = pipe.rows(case, place, vec![single, per_group])?;
    let figure = |row: &Document, name: &str| row.get(name).and_then(number).unwrap_or(0);
    let total = |name: &str| rows.iter().map(|row| figure(row, name)).sum::<i64>();
    let groups = rows.iter().any(|row| figure(row, "documents") > 1) || counting.key == Bson::Null;
    let doubled = rows.iter().find(|row| figure(row, "elements") > figure(row, "documents")).filter(|_| groups)?;
    let most = doubled.get_document("most").ok()?;
    let key = doubled.get("_id").filter(|key| !matches!(key, Bson::Null));
    let listed = |name: &str| {
        rows.iter()
            .map(|row| doc! {"_id": row.get("_id").cloned().unwrap_or(Bson::Null), "n": figure(row, name)}.into())
            .collect()
    };
    Some(Sighting {
        span: pipe.span(case, place),
        values: vec![
            ("n", total("elements").to_string()),
            (
                "m",
                if counting.key == Bson::Null {
                    total("documents").to_string()
                } else {
                    documents(pipe, case, place)?.to_string()
                },
            ),
            ("id", most.get("d").map(shown).unwrap_or_default()),
            ("times", figure(most, "n").to_string()),
            ("group", key.map(|key| format!(" ({})", shown(key))).unwrap_or_default()),
        ],
        evidence: std::iter::once(Evidence::Results { learner: listed("elements"), meant: listed("documents") })
            .chain(most.get("d").and_then(|id| pipe.stored(case, id)))
            .collect(),
        fix: cured(pipe, place, &counting).and_then(|stages| pipe.with_pipeline(case, &stages)),
        ..Sighting::default()
    })
}

/// Whether one key is asked for that no document has twice.
fn asks_single(case: &Case<'_>, pipe: &Pipe<'_>, unwind: &Document, behind: &[Document]) -> bool {
    let array = unwound(unwind).and_then(|array| case.profile(pipe.collection)?.attribute_array(array));
    let Some(array) = array else { return false };
    let filters = behind.iter().filter_map(|document| Filter::parse(document.get_document("$match").ok()?).ok());
    let conditions = filters.filter_map(|filter| condition(&filter, &Path::new(&array.path)));
    let mut keys = conditions.filter_map(|asked| wanted(&asked, &Path::new(&array.key))?.as_str().map(str::to_owned));
    keys.any(|key| array.keys.get(&key).is_none_or(|facts| facts.duplicates == 0))
}

/// How many documents reach a stage with some element.
fn documents(pipe: &Pipe<'_>, case: &Case<'_>, at: usize) -> Option<usize> {
    Some(pipe.rows(case, at, vec![doc! {"$group": {"_id": "$_id"}}])?.len())
}

fn counting(document: &Document) -> Option<Counting<'_>> {
    match stage(document) {
        ("$count", Bson::String(name)) => Some(Counting { key: Bson::Null, counts: vec![name], others: false }),
        ("$sortByCount", key) => Some(Counting { key: key.clone(), counts: vec!["count"], others: false }),
        ("$group", Bson::Document(group)) => {
            let ones = |value: &Bson| value.as_document().is_some_and(is_one);
            let counts: Vec<&str> =
                group.iter().filter(|(_, value)| ones(value)).map(|(name, _)| name.as_str()).collect();
            let key = group.get("_id")?.clone();
            let others = group.len() > counts.len() + 1;
            (!counts.is_empty() && key.as_str() != Some("$_id")).then_some(Counting { key, counts, others })
        }
        _ => None,
    }
}

/// `{$sum: 1}` or `{$count: {}}`.
fn is_one(accumulator: &Document) -> bool {
    accumulator.get("$sum").is_some_and(|one| number(one) == Some(1)) || accumulator.contains_key("$count")
}

/// The stages with documents counted.
fn cured(pipe: &Pipe<'_>, at: usize, counting: &Counting<'_>) -> Option<Vec<Document>> {
    let (name, operand) = stage(&pipe.stages()[at]);
    if name == "$count" {
        return Some(pipe.spliced(at..at, vec![doc! {"$group": {"_id": "$_id"}}]));
    }
    if name == "$sortByCount" {
        let group = doc! {"$group": {"_id": operand.clone(), "count": {"$addToSet": "$_id"}}};
        let sizes = doc! {"$set": {"count": {"$size": "$count"}}};
        return Some(pipe.spliced(at..at + 1, vec![group, sizes, doc! {"$sort": {"count": -1}}]));
    }
    if name != "$group" || counting.others && counting.counts.is_empty() {
        return None;
    }
    let mut group = operand.as_document()?.clone();
    let mut sizes = Document::new();
    for name in &counting.counts {
        group.insert(*name, doc! {"$addToSet": "$_id"});
        sizes.insert(*name, doc! {"$size": format!("${name}")});
    }
    Some(pipe.spliced(at..at + 1, vec![doc! {"$group": group}, doc! {"$set": sizes}]))
}
