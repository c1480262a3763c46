//! Old and new shape side by side.

use super::key_as_field::key_as_field;
use crate::pitfall::case::{Case, shown};
use crate::pitfall::elements::{attributes, value_at};
use crate::pitfall::grain::{each_array, each_run};
use crate::pitfall::put::puts;
use crate::pitfall::updating::change::each_target;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::wording::Wording;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::proof::written;
use crate::query::{Comparison, Filter, Predicate, Test};
use crate::shell::Ran;
use crate::store::AttributeFacts;
use crate::value::{Bson, Document, Path, RawDocument, RawDocumentBuf, doc};
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
        "{fields documents} still keep `{key}` as a field and {attributes} as an attribute; this filter names one of the two \
         and misses {n documents}.",
        "{fields Dokumente} {fields|hat|haben} `{key}` noch als Feld und {attributes} als Attribut; dieser Filter nennt nur eine Form und \
         übersieht {n Dokumente}.",
    ),
    cure: Words::new(
        "Finish the migration, or ask with `$or` over both shapes while it runs; mark documents with a schema version.",
        "Schließe die Migration ab oder frage bis dahin mit `$or` nach beiden Formen; markiere Dokumente mit einer \
         Schemaversion.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "color", v: "red"}}})"#,
    detect,
};

const ELEMENT: Words = Words::new(
    "{element} has no `{key}`, which {n} of {m elements} in `{array}` {n|has|have}: no condition on `{array}.{key}` finds it.",
    "{element} hat kein `{key}`, das aber {n} von {m Elementen} in `{array}` {n|hat|haben}: keine Bedingung an `{array}.{key}` \
     findet es.",
);

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    [each_array(case, sight), each_run(case, odd), each_target(case, key_as_field)].concat()
}

/// The first element of a write that has another shape than those of its array.
fn odd(case: &Case<'_>, ran: &Ran) -> Option<Sighting> {
    let (collection, puts) = puts(ran).filter(|(_, puts)| !puts.is_empty())?;
    let before = case.facts_before(collection);
    let facts = before.as_deref().or_else(|| case.profile(collection))?;
    puts.iter().find_map(|put| {
        let array = facts.attribute_array(&put.array)?;
        let keyed = |element: &Bson| element.as_document().is_some_and(|own| own.get_str(&array.key).is_ok());
        let written = ran.result.as_ref().ok()?.writes.documents.iter().find(|written| written.after.is_some())?;
        if keyed(put.element) {
            return None;
        }
        let own = facts.arrays().get(&array.path)?;
        let with = own.fields.get(&array.key).map_or(0, |field| field.elements);
        let document = |raw: &Option<RawDocumentBuf>| Document::try_from(&**raw.as_ref()?).ok();
        let node = ran.places.literal(&put.at);
        Some(Sighting {
            span: case.span(ran, &put.at),
            values: vec![
                ("element", format!("`{}`", shown(put.element))),
                ("key", array.key.clone()),
                ("array", array.path.clone()),
                ("n", with.to_string()),
                ("m", own.elements.to_string()),
            ],
            evidence: vec![
                Evidence::Counts {
                    of: format!("{}.{}", array.path, array.key),
                    counts: vec![("there".to_owned(), with), ("missing".to_owned(), own.elements.saturating_sub(with))],
                },
                Evidence::Write { before: document(&written.before), after: document(&written.after) },
            ],
            fix: node.zip(shaped(put.element, array)).and_then(|(node, element)| {
                case.replaced(&case.script.node(node).span, &Wording::of(case, ran).value(&element.into()))
            }),
            words: Some(ELEMENT),
            ..Sighting::default()
        })
    })
}

/// The element in the shape of the others; none where nothing says what is key and what value.
fn shaped(element: &Bson, array: &AttributeFacts) -> Option<Document> {
    let pair = |key: Bson, value: &Bson| Some(doc! {&array.key: key, &array.value: value.clone()});
    match element {
        Bson::Array(list) => match list.as_slice() {
            [Bson::String(key), value] => pair(Bson::from(key.as_str()), value),
            _ => None,
        },
        Bson::Document(own) => {
            let fields: Vec<(&String, &Bson)> = own.iter().collect();
            match fields.as_slice() {
                [(name, value)] if **name != array.value => pair(Bson::from(name.as_str()), value),
                [(_, key @ Bson::String(_)), (_, value), rest @ ..] => {
                    let mut shaped = pair((*key).clone(), value)?;
                    shaped.extend(rest.iter().map(|(name, value)| ((*name).clone(), (*value).clone())));
                    Some(shaped)
                }
                _ => None,
            }
        }
        _ => None,
    }
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
