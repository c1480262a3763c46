//! One index across two arrays.

use crate::engine::IndexRequest;
use crate::error::{CommandError, ErrorCode};
use crate::pitfall::case::{id, shown};
use crate::pitfall::indexing::made::{Made, made};
use crate::pitfall::indexing::refused::refused;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::shell::Ran;
use crate::value::{Bson, Document, RawDocument, View};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "parallel-arrays",
    level: Level::Refused,
    weight: 9,
    title: Words::new("Two arrays in one index", "Zwei Arrays in einem Index"),
    explanation: Words::new(
        "An index may cross one array only; the number of entries would be a product. Creation fails, or later the first \
         insert that has both arrays.",
        "Ein Index darf nur ein Array durchlaufen; sonst wäre die Zahl der Einträge ein Produkt. Das Anlegen scheitert, oder \
         später das erste Einfügen mit beiden Arrays.",
    ),
    message: Words::new(
        "`{a}` and `{b}` are both arrays in the document with _id {id}; one index cannot hold both.",
        "`{a}` und `{b}` sind im Dokument mit _id {id} beide Arrays; ein Index kann nicht beide enthalten.",
    ),
    cure: Words::new(
        "Move one into the other as attributes, or use two indexes.",
        "Nimm das eine als Attribute ins andere auf, oder lege zwei Indexe an.",
    ),
    example: r#"db.c.createIndex({"specs.k": 1, tags: 1}) // both are arrays"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let creations = made(case).into_iter().filter_map(|made| creation(case, &made));
    creations.chain(case.ran.iter().filter_map(|ran| writing(case, ran))).collect()
}

fn creation(case: &Case<'_>, made: &Made<'_>) -> Option<Sighting> {
    let error = made.refusal().filter(|error| error.code == ErrorCode::CannotIndexParallelArrays)?;
    let documents = case.after.collection(made.collection)?;
    let mut found = documents.scan(crate::store::Direction::Ascending).filter_map(|(_, document)| {
        let pair = two_arrays(&made.request.keys, document)?;
        Some((id(document), pair))
    });
    let (id, pair) = found.next()?;
    Some(Sighting {
        span: made.span(case),
        fix: made.replaced(case, &apart(made.request, &pair.1)),
        ..sighting(error, &id, &pair)
    })
}

/// A document that an index refused on its way in.
fn writing(case: &Case<'_>, ran: &Ran) -> Option<Sighting> {
    let refused = refused(case, ran).filter(|refused| refused.error.code == ErrorCode::CannotIndexParallelArrays)?;
    let indexes = case.after.collection(refused.collection)?.indexes();
    let crossing =
        |document: &RawDocument| indexes.iter().find_map(|index| two_arrays(&index.info().key_pattern, document));
    let (document, pair) = refused.documents.iter().find_map(|document| Some((document, crossing(document)?)))?;
    let span = ran.span.clone().unwrap_or_default();
    Some(Sighting { span, ..sighting(refused.error, &id(document), &pair) })
}

fn sighting(error: &CommandError, id: &Bson, (a, b): &(String, String)) -> Sighting {
    Sighting {
        values: vec![("a", a.clone()), ("b", b.clone()), ("id", shown(id))],
        evidence: vec![Evidence::Refusal { code: error.code.number(), message: error.message.clone() }],
        ..Sighting::default()
    }
}

/// The first two different arrays that the key paths cross in a document.
fn two_arrays(keys: &Document, document: &RawDocument) -> Option<(String, String)> {
    let arrays: Vec<String> = keys.keys().filter_map(|path| first_array(document, path)).collect();
    let first = arrays.first()?;
    let second = arrays.iter().find(|array| *array != first)?;
    Some((first.clone(), second.clone()))
}

/// The first prefix of a path that holds an array.
fn first_array(document: &RawDocument, path: &str) -> Option<String> {
    let mut here = View::Document(document.into());
    let mut passed: Vec<&str> = Vec::new();
    for name in path.split('.') {
        let View::Document(inner) = here else { return None };
        here = inner.get(name)?;
        passed.push(name);
        if matches!(here, View::Array(_)) {
            return Some(passed.join("."));
        }
    }
    None
}

/// Two indexes: the paths of the second array apart from all others.
fn apart(request: &IndexRequest, array: &str) -> [IndexRequest; 2] {
    let within = |path: &str| path == array || path.strip_prefix(array).is_some_and(|rest| rest.starts_with('.'));
    let (second, first): (Document, Document) = request.keys.clone().into_iter().partition(|(path, _)| within(path));
    let mut options = request.options.clone();
    options.remove("name");
    [first, second].map(|keys| IndexRequest { keys, options: options.clone() })
}
