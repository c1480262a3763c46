//! Elements without a value, made from missing fields.

use crate::engine::Modify;
use crate::error::CommandPath;
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::value_at;
use crate::pitfall::grain::each_question;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::shell::literal;
use crate::value::{Bson, Document, Path, RawDocument, View, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "null-attributes-created",
    level: Level::WrongResult,
    weight: 9,
    title: Words::new("Missing fields become empty attributes", "Fehlende Felder werden leere Attribute"),
    explanation: Words::new(
        "For a missing field the element becomes `{k: \"ram\"}` without a value, and `\"specs.k\": \"ram\"` then finds \
         products that have no RAM.",
        "Für ein fehlendes Feld entsteht das Element `{k: \"ram\"}` ohne Wert, und `\"specs.k\": \"ram\"` findet dann \
         Produkte ohne RAM.",
    ),
    message: Words::new(
        "{n documents} got an attribute `{key}` without a value, such as _id {id}.",
        "{n Dokumente} bekamen ein Attribut `{key}` ohne Wert, etwa _id {id}.",
    ),
    cure: Words::new(
        "`$objectToArray` on an object of the fields, where missing ones drop out, or `$filter` afterwards.",
        "`$objectToArray` auf ein Objekt der Felder, wo fehlende herausfallen, oder danach `$filter`.",
    ),
    example: r#"db.c.updateMany({}, [{$set: {specs: [{k: "color", v: "$color"}, {k: "ram", v: "$ram"}]}}])"#,
    detect: |case| each_question(case, sight),
};

/// An array of key-value objects as a pipeline writes it.
struct Written<'a> {
    at: CommandPath,
    pairs: Vec<Pair<'a>>,
}

/// One object: a key that is text, and a value read from a field.
struct Pair<'a> {
    key: &'a str,
    field: &'a str,
    names: [&'a str; 2],
}

fn sight(case: &Case<'_>, question: &Question<'_>) -> Option<Sighting> {
    let Modify::Pipeline(stages) = question.modify()? else { return None };
    let written = stages.iter().enumerate().find_map(|(position, stage)| written(position, stage))?;
    let documents = &question.ran.result.as_ref().ok()?.writes.documents;
    let lacking = |document: &&RawDocument| written.pairs.iter().any(|pair| lacks(document, pair));
    let before: Vec<&RawDocument> =
        documents.iter().filter_map(|document| document.before.as_deref()).filter(lacking).collect();
    let first = *before.first()?;
    let pair = written.pairs.iter().find(|pair| lacks(first, pair))?;
    let after = documents.iter().find(|document| document.before.as_deref() == Some(first))?.after.as_deref()?;
    Some(Sighting {
        span: case.span(question.ran, &written.at),
        values: vec![("n", before.len().to_string()), ("key", pair.key.to_owned()), ("id", shown(&id(first)))],
        evidence: vec![Evidence::Write {
            before: Document::try_from(first).ok(),
            after: Document::try_from(after).ok(),
        }],
        fix: object_form(case, question, &written),
        ..Sighting::default()
    })
}

/// Whether the field is missing or null.
fn lacks(document: &RawDocument, pair: &Pair<'_>) -> bool {
    matches!(value_at(document, &Path::new(pair.field)), None | Some(View::Null))
}

fn written(position: usize, stage: &Document) -> Option<Written<'_>> {
    let (name, fields) = stage.iter().next().filter(|(name, _)| *name == "$set" || *name == "$addFields")?;
    fields.as_document()?.iter().find_map(|(target, value)| {
        let pairs: Vec<Pair<'_>> = value.as_array()?.iter().map(pair).collect::<Option<_>>()?;
        let at = CommandPath::argument("update").index(position).field(name).field(target);
        (!pairs.is_empty()).then_some(Written { at, pairs })
    })
}

fn pair(element: &Bson) -> Option<Pair<'_>> {
    let fields: Vec<(&String, &str)> =
        element.as_document()?.iter().map(|(name, value)| Some((name, value.as_str()?))).collect::<Option<_>>()?;
    let [(key_name, key), (value_name, field)] = fields.as_slice() else { return None };
    let field = field.strip_prefix('$').filter(|path| !path.starts_with('$'))?;
    (!key.starts_with('$')).then_some(Pair { key, field, names: [key_name, value_name] })
}

/// `$objectToArray` over the fields, where the elements are `{k, v}`; null values are filtered out as well.
fn object_form(case: &Case<'_>, question: &Question<'_>, written: &Written<'_>) -> Option<String> {
    let plain = written.pairs.iter().all(|pair| pair.names == ["k", "v"]);
    let node = question.ran.places.literal(&written.at).filter(|_| plain)?;
    let object: Document =
        written.pairs.iter().map(|pair| (pair.key.to_owned(), Bson::from(format!("${}", pair.field)))).collect();
    let form = doc! {"$filter": {
        "input": {"$objectToArray": object},
        "as": "s",
        "cond": {"$ne": ["$$s.v", Bson::Null]},
    }};
    case.replaced(&case.script.node(node).span, &literal(&Bson::Document(form)))
}
