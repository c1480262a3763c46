//! A partial index whose filter is refused, often because it tries to pick elements.

use crate::engine::IndexRequest;
use crate::error::ErrorCode;
use crate::pitfall::indexing::asked::compound;
use crate::pitfall::indexing::made::{Made, inside, made};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::store::IndexSpec;
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
        "The filter of a partial index picks among the {n} documents, never among the elements in them, and this one is refused.",
        "Der Filter eines partiellen Index wählt unter den {n} Dokumenten, nie unter deren Elementen, und dieser wird abgelehnt.",
    ),
    cure: Words::new(
        "The plain compound index already separates the keys. Use partial indexes for conditions on the document.",
        "Der einfache zusammengesetzte Index trennt die Schlüssel schon. Nimm partielle Indexe für Bedingungen am Dokument.",
    ),
    example: r#"db.c.createIndex({"specs.v": 1}, {partialFilterExpression: {specs: {$elemMatch: {k: "color"}}}})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    made(case).iter().filter_map(|made| sight(case, made)).collect()
}

fn sight(case: &Case<'_>, made: &Made<'_>) -> Option<Sighting> {
    let error = made.refusal().filter(|error| error.code == ErrorCode::CannotCreateIndex)?;
    let blamed = made.request.options.contains_key(OPTION) && is_to_blame(made.request);
    let documents = case.after.collection(made.collection).map_or(0, crate::store::Collection::len);
    blamed.then(|| Sighting {
        span: made.ran.places.span(&error.at).unwrap_or_else(|| made.span(case)),
        values: vec![("n", documents.to_string())],
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
