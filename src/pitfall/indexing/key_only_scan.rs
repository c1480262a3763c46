//! A question by key alone, for a key that most documents have.

use crate::pitfall::case::shown;
use crate::pitfall::indexing::asked::{Asked, each_asked};
use crate::pitfall::indexing::conditions::conditions;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::store::AttributeFacts;
use crate::value::Bson;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "key-only-scan",
    level: Level::Cost,
    weight: 6,
    title: Words::new("Key alone is not selective", "Der Schlüssel allein engt nicht ein"),
    explanation: Words::new(
        "Nearly everything is read through the index, which is slower than a scan.",
        "Fast alles wird über den Index gelesen; das ist langsamer als alles der Reihe nach zu lesen.",
    ),
    message: Words::new(
        "{share} % of the documents have {key}: the index led to {docs} of {all documents}.",
        "{share} % der Dokumente haben {key}: Der Index führte zu {docs} von {all Dokumenten}.",
    ),
    cure: Words::new(
        "Add the value, or make such a common attribute a normal field.",
        "Nimm den Wert dazu, oder mach ein so häufiges Attribut zum normalen Feld.",
    ),
    example: r#"db.c.find({"specs.k": "color"})"#,
    detect: |case| each_asked(case, sight),
};

fn sight(case: &Case<'_>, asked: &Asked<'_>) -> Option<Sighting> {
    let scan = asked.scan()?;
    let mut arrays = case.attributes(asked.question.collection).iter();
    let (array, key) = arrays.find_map(|array| Some((array, only_key(asked, array)?)))?;
    scan.bounds.part(&format!("{}.{}", array.path, array.key)).filter(|bounds| bounds.is_point())?;
    let having = array.keys.get(&key)?.documents;
    let all = asked.collection.len() as u64;
    let [_, docs, _] = asked.cost();
    (having * 2 > all && docs * 2 > all).then(|| Sighting {
        span: asked.span.clone(),
        values: vec![
            ("share", (having * 100 / all).to_string()),
            ("key", shown(&Bson::String(key.clone()))),
            ("docs", docs.to_string()),
            ("all", all.to_string()),
        ],
        evidence: vec![Evidence::Counts {
            of: format!("{}.{}", array.path, array.key),
            counts: vec![(key, having), ("documents".to_owned(), all)],
        }],
        level: asked.is_small().then_some(Level::Hint),
        ..Sighting::default()
    })
}

/// The key asked for, where the question asks for nothing else.
fn only_key(asked: &Asked<'_>, array: &AttributeFacts) -> Option<String> {
    let conditions = conditions(&asked.question.tree);
    let [only] = conditions.as_slice() else { return None };
    let plain = asked.question.filter.len() == 1 && only.on_key(array);
    only.value().filter(|_| plain).and_then(Bson::as_str).map(str::to_owned)
}
