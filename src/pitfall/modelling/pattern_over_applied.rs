//! A field that everybody has, kept in the attribute array.

use crate::pitfall::literal::literals;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Question, Sighting};
use crate::store::{AttributeFacts, KeyFacts};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "pattern-over-applied",
    level: Level::Cost,
    weight: 9,
    title: Words::new("Common fields pushed into the array", "Gemeinsame Felder ins Array geschoben"),
    explanation: Words::new(
        "Fields that every document has lose simple syntax, sorting, covering, validation and `$lookup` in an array.",
        "Felder, die jedes Dokument hat, verlieren im Array die einfache Schreibweise, Sortieren, abgedeckte Abfragen, \
         Validierung und `$lookup`.",
    ),
    message: Words::new(
        "`{key}` is present in {percent} % of the {n documents}: a plain field would be simpler and sortable.",
        "`{key}` ist in {percent} % der {n Dokumente} vorhanden: Ein einfaches Feld wäre einfacher und sortierbar.",
    ),
    cure: Words::new(
        "Keep such fields as normal fields; the array is for the rare and unpredictable ones.",
        "Lass solche Felder normale Felder sein; das Array ist für die seltenen und unvorhersehbaren.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "price", v: {$lt: 10}}}})"#,
    detect,
};

/// With fewer documents, a key in all of them says nothing.
const ENOUGH: u64 = 20;
/// An array with fewer distinct keys is no place for the rare and unpredictable.
const FEW: usize = 4;

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let questions = case.questions();
    let asked = questions.iter().filter(|question| question.reads());
    let pairs = asked.flat_map(|asked| case.attributes(asked.collection).iter().map(move |array| (asked, array)));
    pairs.filter_map(|(question, array)| sight(case, question, array)).collect()
}

fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let documents = case.profile(question.collection)?.documents();
    let common = |facts: &KeyFacts| {
        let everywhere = facts.documents * 10 > documents * 9 && facts.types.len() == 1 && facts.duplicates == 0;
        documents >= ENOUGH && (everywhere || array.keys.len() < FEW)
    };
    let asked = literals(&question.filter, &format!("{}.{}", array.path, array.key));
    let (key, facts) = asked.iter().find_map(|key| Some((key, array.keys.get(key).filter(|facts| common(facts))?)))?;
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("key", key.clone()),
            ("percent", (facts.documents * 100 / documents).to_string()),
            ("n", documents.to_string()),
        ],
        evidence: vec![Evidence::Counts {
            of: array.path.clone(),
            counts: array.keys.iter().take(20).map(|(key, facts)| (key.clone(), facts.documents)).collect(),
        }],
        ..Sighting::default()
    })
}
