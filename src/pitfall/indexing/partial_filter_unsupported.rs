//! A partial index whose filter is refused, often because it tries to pick elements.

use crate::engine::IndexRequest;
use crate::error::ErrorCode;
use crate::pitfall::indexing::asked::{Asked, asked, compound};
use crate::pitfall::indexing::conditions::conditions;
use crate::pitfall::indexing::made::{Made, inside, made};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::store::{AttributeFacts, Index, IndexSpec};
use crate::value::Document;
use crate::words::Words;

const OPTION: &str = "partialFilterExpression";

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "partial-filter-unsupported",
    level: Level::Refused,
    weight: 9,
    title: Words::new("Partial index per attribute", "Partieller Index je Attribut"),
    explanation: Words::new(
        "Only equality, `$exists: true`, ranges, `$type`, `$and`, `$or` and `$in` are allowed. Even a legal filter chooses \
         documents, not elements: all elements of a chosen document are indexed.",
        "Erlaubt sind nur Gleichheit, `$exists: true`, Bereiche, `$type`, `$and`, `$or` und `$in`. Auch ein erlaubter Filter \
         wählt Dokumente, nicht Elemente: Alle Elemente eines gewählten Dokuments werden indiziert.",
    ),
    message: Words::new(
        "The filter of a partial index picks among the {n documents}, never among the elements in them: {outcome}.",
        "Der Filter eines partiellen Index wählt unter den {n Dokumenten}, nie unter deren Elementen: {outcome}.",
    ),
    cure: Words::new(
        "The plain compound index already separates the keys. Use partial indexes for conditions on the document.",
        "Der einfache zusammengesetzte Index trennt die Schlüssel schon. Nimm partielle Indexe für Bedingungen am Dokument.",
    ),
    example: r#"db.c.createIndex({"specs.v": 1}, {partialFilterExpression: {specs: {$elemMatch: {k: "color"}}}})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let refused = made(case).into_iter().filter_map(|made| sight(case, &made));
    refused.chain(asked(case).iter().filter_map(|asked| unused(case, asked))).collect()
}

/// A question that reads everything beside a partial index on an attribute array, whose filter it does not imply.
fn unused(case: &Case<'_>, asked: &Asked<'_>) -> Option<Sighting> {
    let conditions = conditions(&asked.question.tree);
    let arrays = case.attributes(asked.question.collection);
    let index = asked.indexes().find(|index| {
        let first = index.info().parts.first().map(|part| part.path.to_string()).unwrap_or_default();
        let entered = conditions.iter().any(|condition| condition.path == first);
        let filtered = index.info().partial_filter.is_some() && entered;
        filtered && asked.reads_all() && arrays.iter().any(|array| inside(array, &first))
    })?;
    let [_, docs, _] = asked.cost();
    let all = case.documents(asked.question.collection).len();
    let within = |array: &&AttributeFacts| index.info().parts.iter().any(|part| inside(array, &part.path.to_string()));
    let array = arrays.iter().find(within)?;
    let gain = asked.gain(case, &compound(array), Some(index))?;
    Some(Sighting {
        span: asked.span.clone(),
        values: vec![
            ("n", all.to_string()),
            ("outcome", format!("`{}`, COLLSCAN, totalDocsExamined {docs}", index.name())),
        ],
        evidence: vec![gain.evidence, entries_of(index, all)],
        fix: asked.with_keys_instead(case, index, &compound(array)),
        level: Some(gain.level),
        ..Sighting::default()
    })
}

fn entries_of(index: &Index, documents: usize) -> Evidence {
    let counts = vec![("entries".to_owned(), index.info().entries), ("documents".to_owned(), documents as u64)];
    Evidence::Counts { of: index.name().to_owned(), counts }
}

fn sight(case: &Case<'_>, made: &Made<'_>) -> Option<Sighting> {
    let error = made.refusal().filter(|error| error.code == ErrorCode::CannotCreateIndex)?;
    let blamed = made.request.options.contains_key(OPTION) && is_to_blame(made.request);
    let documents = case.after.collection(made.collection).map_or(0, crate::store::Collection::len);
    blamed.then(|| Sighting {
        span: made.ran.places.span(&error.at).unwrap_or_else(|| made.span(case)),
        values: vec![
            ("n", documents.to_string()),
            ("outcome", format!("{} ({})", error.code.name(), error.code.number())),
        ],
        evidence: vec![Evidence::Refusal { code: error.code.number(), message: error.message.clone() }],
        fix: made.replaced(case, &[plain(case, made)]),
        ..Sighting::default()
    })
}

/// Whether the index would be granted without its filter.
fn is_to_blame(request: &IndexRequest) -> bool {
    let mut options = request.options.clone();
    options.remove(OPTION);
    IndexSpec::parse(&request.keys, &request.options).is_err() && IndexSpec::parse(&request.keys, &options).is_ok()
}

/// The index without a filter; inside an attribute array the compound one, which separates the keys.
fn plain(case: &Case<'_>, made: &Made<'_>) -> IndexRequest {
    let within = |path: &String| case.attributes(made.collection).iter().find(|array| inside(array, path));
    let array = made.request.keys.keys().find_map(within);
    let mut options = made.request.options.clone();
    options.remove(OPTION);
    match array {
        Some(array) => IndexRequest { keys: compound(array), options: Document::new() },
        None => IndexRequest { keys: made.request.keys.clone(), options },
    }
}
