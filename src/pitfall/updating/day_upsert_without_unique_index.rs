//! An upsert per person and day that no unique index stands behind.

use std::collections::BTreeMap;

use super::change::{Change, each_change};
use crate::engine::{Command, CreateIndexes, IndexRequest};
use crate::error::CommandPath;
use crate::pitfall::case::shown;
use crate::pitfall::days::day;
use crate::pitfall::elements::{conjuncts, value_at};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::query::{Comparison, Filter, Predicate, Test};
use crate::value::{Bson, Document, Path, RawDocument, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "day-upsert-without-unique-index",
    level: Level::Risk,
    weight: 8,
    title: Words::new("Counter per day without a unique key", "Tageszähler ohne eindeutigen Schlüssel"),
    explanation: Words::new(
        "Two writers at the same moment may both find nothing and both insert; only a unique index stops the second. Values \
         as keys had this uniqueness built in.",
        "Zwei Schreiber im selben Augenblick finden beide nichts und fügen beide ein; nur ein eindeutiger Index hält den \
         zweiten auf. Bei Werten als Schlüsseln war diese Eindeutigkeit eingebaut.",
    ),
    message: Words::new(
        "Nothing keeps {pair} unique: no unique index among {indexes}, and {doubles} of {n pairs} {doubles|is|are} there more than once.",
        "Nichts hält {pair} eindeutig: kein eindeutiger Index unter {indexes}, und {doubles} von {n Paaren} gibt es mehrfach.",
    ),
    cure: Words::new(
        "`createIndex({person: 1, date: 1}, {unique: true})` before the first upsert.",
        "`createIndex({person: 1, date: 1}, {unique: true})` vor dem ersten Upsert.",
    ),
    example: r#"db.c.updateOne({person: "p1", date: "20140201"}, {$inc: {steps: 712}}, {upsert: true})"#,
    detect: |case| each_change(case, sight),
};

fn sight(case: &Case<'_>, change: &Change<'_>) -> Option<Sighting> {
    if !change.upsert {
        return None;
    }
    let asked: Vec<(&Path, &Bson)> = conjuncts(&change.question.tree).iter().filter_map(equality).collect();
    let fields: Vec<String> = asked.iter().map(|(path, _)| path.to_string()).collect();
    let dated = asked.iter().any(|(_, value)| is_day(value));
    let counted = asked.len() > 1 && change.operators.contains_key("$inc");
    let collection = case.after.collection(change.question.collection)?;
    let unique = collection.indexes().iter().any(|index| {
        (index.info().unique || index.name() == "_id_")
            && index.info().key_pattern.keys().all(|key| fields.contains(key))
    });
    if unique || !(dated || counted) || change.refusal().is_some() {
        return None;
    }
    let documents = case.present(change.question.collection);
    let times = times(&documents, &asked);
    let doubles = times.values().filter(|times| **times > 1).count();
    let names = collection.indexes().iter().map(|index| format!("`{}`", index.name())).collect::<Vec<_>>();
    Some(Sighting {
        span: case.span(change.question.ran, &CommandPath::argument("filter")),
        values: vec![
            ("pair", format!("({})", fields.join(", "))),
            ("indexes", names.join(", ")),
            ("doubles", doubles.to_string()),
            ("n", times.len().to_string()),
        ],
        evidence: vec![Evidence::Counts {
            of: fields.join(", "),
            counts: vec![
                ("documents".into(), documents.len() as u64),
                ("pairs".into(), times.len() as u64),
                ("pairs more than once".into(), doubles as u64),
            ],
        }],
        fix: (doubles == 0).then(|| cured(case, change, &fields)).flatten(),
        ..Sighting::default()
    })
}

fn equality(part: &Filter) -> Option<(&Path, &Bson)> {
    match part {
        Filter::Field(Predicate { path, test: Test::Compare(Comparison::Eq, value) }) => Some((path, value)),
        _ => None,
    }
}

fn is_day(value: &Bson) -> bool {
    matches!(value, Bson::DateTime(_)) || value.as_str().is_some_and(|text| day(text).is_some())
}

/// How often each combination of the fields' values stands in the data.
fn times(documents: &[&RawDocument], asked: &[(&Path, &Bson)]) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    for document in documents {
        let values: Vec<Bson> = asked
            .iter()
            .map(|(path, _)| value_at(document, path).map_or(Bson::Null, |value| value.to_bson()))
            .collect();
        *times.entry(shown(&Bson::Array(values))).or_default() += 1;
    }
    times
}

/// The text with the unique index made first.
fn cured(case: &Case<'_>, change: &Change<'_>, fields: &[String]) -> Option<String> {
    let keys: Document = fields.iter().map(|field| (field.clone(), Bson::Int32(1))).collect();
    let request = IndexRequest { keys, options: doc! {"unique": true} };
    let create = CreateIndexes { collection: change.question.collection.to_owned(), indexes: vec![request] };
    case.with_before(change.question.ran, &[Command::CreateIndexes(create)])
}
