//! Two indexes, on the key and on the value, where one on both is needed.

use crate::pitfall::indexing::asked::{Asked, compound, each_asked};
use crate::pitfall::indexing::conditions::conditions;
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::store::{AttributeFacts, Index};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "two-single-indexes",
    level: Level::Cost,
    weight: 12,
    title: Words::new(
        "Two single-field indexes instead of one compound",
        "Zwei einfache Indexe statt eines zusammengesetzten",
    ),
    explanation: Words::new(
        "One of them is chosen; the other condition is checked after the fetch.",
        "Einer von beiden wird gewählt; die andere Bedingung wird erst am geholten Dokument geprüft.",
    ),
    message: Words::new(
        "The plan used `{index}` and checked the rest on {docs documents} for {n results}.",
        "Der Plan nahm `{index}` und prüfte den Rest an {docs Dokumenten} für {n Ergebnisse}.",
    ),
    cure: Words::new(
        "One compound index, key first; drop the two.",
        "Ein zusammengesetzter Index, Schlüssel zuerst; lösche die zwei.",
    ),
    example: r#"db.c.createIndex({"specs.k": 1}); db.c.createIndex({"specs.v": 1})"#,
    detect: |case| each_asked(case, sight),
};

fn sight(case: &Case<'_>, asked: &Asked<'_>) -> Option<Sighting> {
    let scan = asked.scan()?;
    let conditions = conditions(&asked.question.tree);
    let array = case.attributes(asked.question.collection).iter().find(|array| {
        conditions.iter().any(|condition| condition.on_key(array))
            && conditions.iter().any(|condition| condition.on_value(array))
    })?;
    let [key, value] = [&array.key, &array.value].map(|field| single(asked, array, field));
    let both = asked.indexes().any(|index| holds(index, array, &array.key) && holds(index, array, &array.value));
    let used = [key?.name(), value?.name()].contains(&scan.index.name.as_str());
    if both || !used || asked.hint().is_some() {
        return None;
    }
    let keys = compound(array);
    let [_, docs, found] = asked.cost();
    let gain = asked.gain(case, &keys, None)?;
    Some(Sighting {
        span: asked.span.clone(),
        values: vec![("index", scan.index.name.clone()), ("docs", docs.to_string()), ("n", found.to_string())],
        evidence: vec![gain.evidence],
        fix: asked.with_creation(case, &keys),
        level: Some(if docs == found { Level::Hint } else { gain.level }),
        ..Sighting::default()
    })
}

/// The index on this field of the elements alone.
fn single<'a>(asked: &Asked<'a>, array: &AttributeFacts, field: &str) -> Option<&'a Index> {
    asked.indexes().find(|index| index.info().parts.len() == 1 && holds(index, array, field))
}

fn holds(index: &Index, array: &AttributeFacts, field: &str) -> bool {
    let path = format!("{}.{field}", array.path);
    index.info().parts.iter().any(|part| !part.wildcard && part.path.to_string() == path)
}
