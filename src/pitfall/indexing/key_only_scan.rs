//! A question by key alone, for a key that most documents have.

use crate::pitfall::case::shown;
use crate::pitfall::indexing::asked::{Asked, compound, each_asked};
use crate::pitfall::indexing::conditions::conditions;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::plan::IndexScan;
use crate::store::{AttributeFacts, Index};
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

/// Said where the question asks for the value too, and the index does not hold it.
const KEY_ALONE: Words = Words::new(
    "{share} % of the documents have {key}, and `{index}` holds no value beside the key: it led to {docs} of {all documents} \
     for {n results}.",
    "{share} % der Dokumente haben {key}, und `{index}` enthält neben dem Schlüssel keinen Wert: Er führte zu {docs} von \
     {all Dokumenten} für {n Ergebnisse}.",
);

fn sight(case: &Case<'_>, asked: &Asked<'_>) -> Option<Sighting> {
    let scan = asked.scan()?;
    let mut arrays = case.attributes(asked.question.collection).iter();
    let (array, (key, valued)) = arrays.find_map(|array| Some((array, only_key(asked, scan, array)?)))?;
    scan.bounds.part(&format!("{}.{}", array.path, array.key)).filter(|bounds| bounds.is_point())?;
    let having = array.keys.get(&key)?.documents;
    let all = asked.collection.len() as u64;
    let [_, docs, found] = asked.cost();
    if having * 2 <= all || docs * 2 <= all {
        return None;
    }
    let keys = compound(array);
    let gain = if valued { Some(asked.gain(case, &keys, None)?) } else { None };
    let level = gain.as_ref().map(|gain| gain.level);
    let counts = Evidence::Counts {
        of: format!("{}.{}", array.path, array.key),
        counts: vec![(key.clone(), having), ("documents".to_owned(), all)],
    };
    Some(Sighting {
        span: asked.span.clone(),
        values: vec![
            ("share", (having * 100 / all).to_string()),
            ("key", shown(&Bson::String(key))),
            ("index", scan.index.name.clone()),
            ("docs", docs.to_string()),
            ("all", all.to_string()),
            ("n", found.to_string()),
        ],
        evidence: std::iter::once(counts).chain(gain.map(|gain| gain.evidence)).collect(),
        fix: valued.then(|| asked.with_creation(case, &keys)).flatten(),
        level: level.or_else(|| asked.is_small().then_some(Level::Hint)),
        words: valued.then_some(KEY_ALONE),
        ..Sighting::default()
    })
}

/// The key that alone narrows the scan, and whether the question asks for its value as well: it asks for nothing else, or
/// the index holds nothing else and no other index holds the value.
fn only_key(asked: &Asked<'_>, scan: &IndexScan, array: &AttributeFacts) -> Option<(String, bool)> {
    let conditions = conditions(&asked.question.tree);
    let (keys, rest): (Vec<_>, Vec<_>) = conditions.iter().partition(|condition| condition.on_key(array));
    let [only] = keys.as_slice() else { return None };
    let valued = !rest.is_empty();
    let value = format!("{}.{}", array.path, array.value);
    let holds_value = |index: &Index| index.info().parts.iter().any(|part| part.path.to_string() == value);
    let fits = if valued {
        let unheld = scan.parts.len() == 1 && asked.hint().is_none() && !asked.indexes().any(holds_value);
        unheld && rest.iter().all(|condition| condition.on_value(array))
    } else {
        asked.question.filter.len() == 1
    };
    let key = only.value().filter(|_| fits).and_then(Bson::as_str)?;
    Some((key.to_owned(), valued))
}
