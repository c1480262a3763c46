//! Stages that rebuild one design's documents from another's, so that the rest of a pipeline runs as it was written.

use crate::value::{Bson, Document, doc};

use crate::design::form::{Design, Place};

/// Stages that turn documents of `to` into documents of `from`. The leading matches, as written for `from`, follow where
/// rows are rebuilt, since an entity has rows that were not asked for.
pub(super) fn bridge(from: &Design, to: &Design, matches: &[Document]) -> Vec<Document> {
    let mut stages = elements_of(to);
    stages.extend(from_elements(from));
    if from.form.place() == Place::Rows {
        stages.extend(matches.iter().cloned());
    }
    stages
}

/// Stages that give every document its attributes as an array of pairs.
fn elements_of(design: &Design) -> Vec<Document> {
    let layout = &design.layout;
    let array = layout.array.as_str();
    match design.form.place() {
        Place::Elements => Vec::new(),
        Place::Nested => {
            vec![set(array, pairs_of(design, doc! {"$objectToArray": format!("${array}")}, "$$pair.k".into()))]
        }
        Place::Root => vec![set(array, root_pairs(design))],
        Place::Rows => {
            let mut group = doc! {"_id": owner_path(design)};
            for name in layout.common.iter().filter(|name| **name != "_id") {
                group.insert(name.clone(), doc! {"$first": format!("${name}")});
            }
            group.insert(array, doc! {"$push": row_pair(design)});
            vec![doc! {"$group": group}]
        }
    }
}

/// The path by which rows of one entity are gathered.
pub(super) fn owner_path(design: &Design) -> String {
    match design.layout.owner.as_str() {
        "_id" => "$_id.entity".into(),
        owner => format!("${owner}"),
    }
}

/// A row's parts as one element.
pub(super) fn row_pair(design: &Design) -> Document {
    let layout = &design.layout;
    [&layout.key, &layout.value].into_iter().map(|part| (part.clone(), format!("${part}").into())).collect()
}

pub(super) fn set(name: &str, value: impl Into<Bson>) -> Document {
    doc! {"$set": Document::from_iter([(name.to_owned(), value.into())])}
}

/// `{$map: …}` from `{k, v}` pairs of `$objectToArray` to the layout's names.
fn pairs_of(design: &Design, input: Document, key: Bson) -> Document {
    let layout = &design.layout;
    let pair = Document::from_iter([(layout.key.clone(), key), (layout.value.clone(), "$$pair.v".into())]);
    doc! {"$map": {"input": input, "as": "pair", "in": pair}}
}

/// The root fields that are attributes, as pairs; a prefix is taken off.
fn root_pairs(design: &Design) -> Document {
    let layout = &design.layout;
    let length = i32::try_from(layout.prefix.chars().count()).unwrap_or(i32::MAX);
    let (chosen, key) = if layout.prefix.is_empty() {
        let mut common = vec!["_id".to_owned()];
        common.extend(layout.common.iter().cloned());
        (doc! {"$not": [{"$in": ["$$pair.k", common]}]}, Bson::from("$$pair.k"))
    } else {
        let begins = doc! {"$eq": [{"$substrCP": ["$$pair.k", 0, length]}, layout.prefix.clone()]};
        let rest = doc! {"$substrCP": ["$$pair.k", length, {"$strLenCP": "$$pair.k"}]};
        (begins, Bson::Document(rest))
    };
    let all = doc! {"$objectToArray": "$$ROOT"};
    pairs_of(design, doc! {"$filter": {"input": all, "as": "pair", "cond": chosen}}, key)
}

/// Stages that turn an array of pairs into the design's own form.
fn from_elements(design: &Design) -> Vec<Document> {
    let layout = &design.layout;
    let array = layout.array.as_str();
    match design.form.place() {
        Place::Elements => Vec::new(),
        Place::Nested => vec![set(array, object_of(design))],
        Place::Root => {
            vec![doc! {"$replaceWith": {"$mergeObjects": ["$$ROOT", object_of(design)]}}]
        }
        Place::Rows => {
            let parts = [&layout.key, &layout.value];
            let parts: Document =
                parts.into_iter().map(|part| (part.clone(), format!("${array}.{part}").into())).collect();
            vec![doc! {"$unwind": format!("${array}")}, doc! {"$set": parts}]
        }
    }
}

fn object_of(design: &Design) -> Document {
    let layout = &design.layout;
    let key = format!("$$pair.{}", layout.key);
    let key = if layout.prefix.is_empty() || design.form.place() != Place::Root {
        Bson::String(key)
    } else {
        Bson::Document(doc! {"$concat": [layout.prefix.clone(), key]})
    };
    let input = doc! {"$ifNull": [format!("${}", layout.array), []]};
    let pair = doc! {"k": key, "v": format!("$$pair.{}", layout.value)};
    doc! {"$arrayToObject": {"$map": {"input": input, "as": "pair", "in": pair}}}
}
