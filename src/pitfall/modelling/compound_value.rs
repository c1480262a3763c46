//! Objects as values of attributes.

use crate::pitfall::literal::literals;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Question, Sighting};
use crate::store::AttributeFacts;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "compound-value",
    level: Level::Risk,
    weight: 6,
    title: Words::new("Objects as values", "Objekte als Werte"),
    explanation: Words::new(
        "Equality compares whole objects in the order of their fields, a range compares them field by field, and a part such \
         as `v.w` needs an index path of its own.",
        "Gleichheit vergleicht ganze Objekte in der Reihenfolge ihrer Felder, ein Bereich vergleicht Feld für Feld, und ein \
         Teil wie `v.w` braucht einen eigenen Indexpfad.",
    ),
    message: Words::new(
        "`{key}` stores objects in {n elements}; an index on `{path}` compares them as a whole.",
        "`{key}` speichert in {n Elementen} Objekte; ein Index auf `{path}` vergleicht sie als Ganzes.",
    ),
    cure: Words::new(
        "One attribute per part: `{k: \"width\", v: 10, u: \"cm\"}`, `{k: \"height\", …}`.",
        "Ein Attribut je Teil: `{k: \"width\", v: 10, u: \"cm\"}`, `{k: \"height\", …}`.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "dimensions", v: {w: 10, h: 20}}}})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let pairs =
        case.filters().flat_map(|asked| case.attributes(asked.collection).iter().map(move |array| (asked, array)));
    pairs.filter_map(|(question, array)| sight(case, question, array)).collect()
}

fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let asked = literals(&question.filter, &format!("{}.{}", array.path, array.key));
    let (key, facts) = asked
        .iter()
        .find_map(|key| Some((key, array.keys.get(key)?)).filter(|(_, facts)| facts.types.contains_key("object")))?;
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("key", key.clone()),
            ("n", facts.types["object"].to_string()),
            ("path", format!("{}.{}", array.path, array.value)),
        ],
        evidence: vec![Evidence::Counts {
            of: key.clone(),
            counts: facts.types.iter().map(|(name, times)| ((*name).to_owned(), *times)).collect(),
        }],
        ..Sighting::default()
    })
}
