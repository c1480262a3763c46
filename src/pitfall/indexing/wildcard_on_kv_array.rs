//! A wildcard index on an array of keys and values.

use crate::pitfall::indexing::asked::{Asked, compound, each_asked};
use crate::pitfall::indexing::conditions::conditions;
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "wildcard-on-kv-array",
    level: Level::Cost,
    weight: 8,
    title: Words::new("Wildcard index on a k/v array", "Wildcard-Index auf einem k/v-Array"),
    explanation: Words::new(
        "A wildcard index stores each path separately. One query uses one path; key and value are never combined.",
        "Ein Wildcard-Index speichert jeden Pfad für sich. Eine Abfrage nutzt einen Pfad; Schlüssel und Wert werden nie \
         verbunden.",
    ),
    message: Words::new(
        "The wildcard index followed `{path}` alone: {keys entries} {keys|was|were} read for {n results}.",
        "Der Wildcard-Index folgte nur `{path}`: {keys Einträge} {keys|wurde|wurden} für {n Ergebnisse} gelesen.",
    ),
    cure: Words::new(
        "A compound index for arrays; wildcard is for attributes as fields of a sub-document.",
        "Für Arrays ein zusammengesetzter Index; Wildcard passt zu Attributen als Felder eines Unterdokuments.",
    ),
    example: r#"db.c.createIndex({"specs.$**": 1}); db.c.find({specs: {$elemMatch: {k: "color", v: "red"}}})"#,
    detect: |case| each_asked(case, sight),
};

fn sight(case: &Case<'_>, asked: &Asked<'_>) -> Option<Sighting> {
    let scan = asked.scan().filter(|scan| scan.index.parts.iter().any(|part| part.wildcard))?;
    let conditions = conditions(&asked.question.tree);
    let array = case.attributes(asked.question.collection).iter().find(|array| {
        conditions.iter().any(|condition| condition.on_key(array))
            && conditions.iter().any(|condition| condition.on_value(array))
    })?;
    let fields = [&array.key, &array.value].map(|field| format!("{}.{field}", array.path));
    let path = fields.into_iter().find(|path| scan.bounds.part(path).is_some())?;
    let keys = compound(array);
    let [read, _, found] = asked.cost();
    if read <= found {
        return None;
    }
    let gain = asked.gain(case, &keys, None)?;
    Some(Sighting {
        span: asked.span.clone(),
        values: vec![("path", path), ("keys", read.to_string()), ("n", found.to_string())],
        evidence: vec![gain.evidence],
        fix: asked.with_creation(case, &keys),
        level: Some(gain.level),
        ..Sighting::default()
    })
}
