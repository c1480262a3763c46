//! Old and new shape side by side.

use crate::pitfall::case::{Case, shown};
use crate::pitfall::elements::{attributes, value_at};
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Level, Pitfall, Question, Sighting};
use crate::proof::written;
use crate::query::{Comparison, Filter, Predicate, Test};
use crate::store::AttributeFacts;
use crate::value::{Bson, Path, RawDocument};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "mixed-schema",
    level: Level::WrongResult,
    weight: 20,
    title: Words::new("Old and new shape side by side", "Alte und neue Form nebeneinander"),
    explanation: Words::new(
        "While a migration runs, some documents hold the field and others the attribute. A filter that names one shape finds \
         that part only.",
        "Während einer Migration haben manche Dokumente das Feld und andere das Attribut. Ein Filter, der eine Form nennt, \
         findet nur diesen Teil.",
    ),
    message: Words::new(
        "{fields} documents still keep `{key}` as a field and {attributes} as an attribute; this filter names one of the two \
         and misses {n} documents.",
        "{fields} Dokumente haben `{key}` noch als Feld und {attributes} als Attribut; dieser Filter nennt nur eine Form und \
         übersieht {n} Dokumente.",
    ),
    cure: Words::new(
        "Finish the migration, or ask with `$or` over both shapes while it runs; mark documents with a schema version.",
        "Schließe die Migration ab oder frage bis dahin mit `$or` nach beiden Formen; markiere Dokumente mit einer \
         Schemaversion.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "color", v: "red"}}})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let questions = case.questions();
    let pairs =
        questions.iter().flat_map(|asked| case.attributes(asked.collection).iter().map(move |array| (asked, array)));
    pairs.filter_map(|(question, array)| sight(case, question, array)).collect()
}

fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let profile = case.profile(question.collection)?;
    let key = array.keys.keys().find(|key| {
        profile.path(key).is_some() && both_shapes(&question.tree, array, key).is_some_and(|both| both != question.tree)
    })?;
    let meant = both_shapes(&question.tree, array, key)?;
    let (fields, attributes) = shapes(case, question, array, key);
    if fields == 0 || attributes == 0 {
        return None;
    }
    let verdict = Verdict::of(case, question, &meant)?;
    let field = Path::new(key);
    let flat = verdict.missed.first().and_then(|document| value_at(document, &field));
    let deciding = flat.map(|value| (key.clone(), shown(&value.to_bson()))).into_iter().collect();
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("key", key.clone()),
            ("fields", fields.to_string()),
            ("attributes", attributes.to_string()),
            ("n", verdict.missed.len().to_string()),
        ],
        fix: case.with_filter(question, &written(&meant.normalised())),
        level: verdict.level(),
        evidence: verdict.evidence(deciding),
        ..Sighting::default()
    })
}

/// How many documents have the key as a field only, and how many as an attribute only.
fn shapes(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts, key: &str) -> (usize, usize) {
    let field = Path::new(key);
    let shape = |document: &&RawDocument| {
        (value_at(document, &field).is_some(), attributes(document, array).iter().any(|element| element.key == key))
    };
    let shapes: Vec<(bool, bool)> = case.documents(question.collection).iter().map(shape).collect();
    let count = |wanted| shapes.iter().filter(|shape| **shape == wanted).count();
    (count((true, false)), count((false, true)))
}

/// The filter with each positive condition on one shape of the key widened to both; none where it names both already or
/// where a negation is in the way.
fn both_shapes(filter: &Filter, array: &AttributeFacts, key: &str) -> Option<Filter> {
    match filter {
        Filter::And(parts) => {
            parts.iter().map(|part| both_shapes(part, array, key)).collect::<Option<Vec<_>>>().map(Filter::And)
        }
        Filter::Field(predicate) => Some(match (flat(predicate, array, key), paired(predicate, array, key)) {
            (Some(other), _) | (_, Some(other)) => Filter::Or(vec![filter.clone(), other]),
            _ => filter.clone(),
        }),
        Filter::Expr(_) | Filter::Constant(_) => Some(filter.clone()),
        Filter::Or(_) | Filter::Nor(_) | Filter::Not(_) | Filter::JsonSchema(_) => None,
    }
}

/// The field's condition for an `$elemMatch` that names the key.
fn flat(predicate: &Predicate, array: &AttributeFacts, key: &str) -> Option<Filter> {
    let Test::ElemMatchObject(inner) = &predicate.test else { return None };
    let parts = match inner.as_ref() {
        Filter::And(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    if predicate.path != Path::new(&array.path) || !parts.iter().any(|part| names(part, array, key)) {
        return None;
    }
    let path = Path::new(key);
    let rest: Vec<Filter> = parts
        .iter()
        .filter(|part| !names(part, array, key))
        .map(|part| match part {
            Filter::Field(inner) if inner.path == Path::new(&array.value) => {
                Some(Filter::Field(Predicate { path: path.clone(), test: inner.test.clone() }))
            }
            _ => None,
        })
        .collect::<Option<_>>()?;
    Some(if rest.is_empty() { Filter::Field(Predicate { path, test: Test::Exists }) } else { Filter::And(rest) })
}

fn names(filter: &Filter, array: &AttributeFacts, key: &str) -> bool {
    let Filter::Field(predicate) = filter else { return false };
    predicate.path == Path::new(&array.key)
        && matches!(&predicate.test, Test::Compare(Comparison::Eq, Bson::String(text)) if text == key)
}

/// The `$elemMatch` for a condition on the field.
fn paired(predicate: &Predicate, array: &AttributeFacts, key: &str) -> Option<Filter> {
    if predicate.path != Path::new(key) {
        return None;
    }
    let named = Test::Compare(Comparison::Eq, Bson::from(key));
    let parts = vec![
        Filter::Field(Predicate { path: Path::new(&array.key), test: named }),
        Filter::Field(Predicate { path: Path::new(&array.value), test: predicate.test.clone() }),
    ];
    let test = Test::ElemMatchObject(Box::new(Filter::And(parts)));
    Some(Filter::Field(Predicate { path: Path::new(&array.path), test }))
}
