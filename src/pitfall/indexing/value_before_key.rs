//! An index that has the value in front of the key.

use crate::pitfall::indexing::asked::{Asked, compound, each_asked};
use crate::pitfall::indexing::conditions::{Condition, conditions};
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::store::{AttributeFacts, Index};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "value-before-key",
    level: Level::Cost,
    weight: 9,
    title: Words::new("Index order value, key", "Index mit dem Wert vor dem Schlüssel"),
    explanation: Words::new(
        "A range on the leading value walks through the values of all attributes; a query by key alone cannot use the \
         index at all. For equality on both there is no difference.",
        "Ein Bereich auf dem führenden Wert läuft durch die Werte aller Attribute; eine Abfrage nur nach dem Schlüssel \
         kann den Index gar nicht nutzen. Bei Gleichheit auf beiden gibt es keinen Unterschied.",
    ),
    message: Words::new(
        "`{index}` has the value first: {keys entries} and {docs documents} were read for {n results}.",
        "In `{index}` steht der Wert vorn: Für {n Ergebnisse} wurden {keys Einträge} und {docs Dokumente} gelesen.",
    ),
    cure: Words::new("Key first, value second.", "Erst der Schlüssel, dann der Wert."),
    example: r#"db.c.createIndex({"specs.v": 1, "specs.k": 1}); db.c.find({specs: {$elemMatch: {k: "ram", v: {$gte: 8}}}})"#,
    detect: |case| each_asked(case, sight),
};

fn sight(case: &Case<'_>, asked: &Asked<'_>) -> Option<Sighting> {
    let conditions = conditions(&asked.question.tree);
    let mut arrays = case.attributes(asked.question.collection).iter();
    let (array, index) = arrays.find_map(|array| Some((array, hindered(asked, array, &conditions)?)))?;
    let keys = compound(array);
    let [read, docs, found] = asked.cost();
    let gain = asked.gain(case, &keys, Some(index))?;
    Some(Sighting {
        span: asked.span.clone(),
        values: vec![
            ("index", index.name().to_owned()),
            ("keys", read.to_string()),
            ("docs", docs.to_string()),
            ("n", found.to_string()),
        ],
        evidence: vec![gain.evidence],
        fix: asked.with_keys_instead(case, index, &keys),
        level: Some(gain.level),
        ..Sighting::default()
    })
}

/// The index whose order is in the way of these conditions: not entered at all, or entered by a range of values.
fn hindered<'a>(asked: &Asked<'a>, array: &AttributeFacts, conditions: &[Condition<'_>]) -> Option<&'a Index> {
    let index = asked.indexes().find(|index| is_value_first(index, array))?;
    let keyed = conditions.iter().any(|condition| condition.on_key(array) && condition.is_equality());
    let values: Vec<&Condition<'_>> = conditions.iter().filter(|condition| condition.on_value(array)).collect();
    let unused = values.is_empty() && asked.reads_all();
    let ranged = !values.is_empty()
        && values.iter().all(|condition| condition.is_range())
        && asked.scan().is_some_and(|scan| scan.index.name == index.name());
    (keyed && (unused || ranged)).then_some(index)
}

fn is_value_first(index: &Index, array: &AttributeFacts) -> bool {
    let paths: Vec<String> = index.info().parts.iter().map(|part| part.path.to_string()).collect();
    let place = |field: &str| paths.iter().position(|path| *path == format!("{}.{field}", array.path));
    matches!((place(&array.value), place(&array.key)), (Some(0), Some(_)))
}
