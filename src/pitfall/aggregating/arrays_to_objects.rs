//! Where a pipeline turns arrays into objects, and what arrays arrive there.

use super::pipe::Pipe;
use crate::pitfall::Case;
use crate::value::{Bson, Document, doc};

/// One `$arrayToObject` in a stage.
pub(super) struct Conversion<'a> {
    /// The stage's position.
    pub(super) stage: usize,
    /// The operand.
    pub(super) input: &'a Bson,
}

/// Every `$arrayToObject` of a pipeline, in order.
pub(super) fn conversions<'a>(pipe: &Pipe<'a>) -> Vec<Conversion<'a>> {
    let mut found = Vec::new();
    for (stage, document) in pipe.stages().iter().enumerate() {
        search(document, &mut |input| found.push(Conversion { stage, input }));
    }
    found
}

fn search<'a>(document: &'a Document, found: &mut impl FnMut(&'a Bson)) {
    for (name, value) in document {
        if name == "$arrayToObject" {
            found(value);
        }
        inside(value, found);
    }
}

fn inside<'a>(value: &'a Bson, found: &mut impl FnMut(&'a Bson)) {
    match value {
        Bson::Document(inner) => search(inner, found),
        Bson::Array(items) => items.iter().for_each(|item| inside(item, found)),
        _ => {}
    }
}

impl Conversion<'_> {
    /// The arrays that arrive, as `{_id, list}`; none where the operand needs variables of its surroundings.
    pub(super) fn inputs(&self, case: &Case<'_>, pipe: &Pipe<'_>) -> Option<Vec<Document>> {
        pipe.rows(case, self.stage, vec![doc! {"$project": {"list": self.input.clone()}}])
    }

    /// The pipeline with another operand.
    pub(super) fn rewritten(&self, pipe: &Pipe<'_>, input: &Bson) -> Vec<Document> {
        let mut stages = pipe.stages().to_vec();
        stages[self.stage] = replaced(&stages[self.stage], self.input, input);
        stages
    }
}

fn replaced(document: &Document, old: &Bson, new: &Bson) -> Document {
    let field = |(name, value): (&String, &Bson)| {
        let value = if name == "$arrayToObject" && value == old { new.clone() } else { deeper(value, old, new) };
        (name.clone(), value)
    };
    document.iter().map(field).collect()
}

fn deeper(value: &Bson, old: &Bson, new: &Bson) -> Bson {
    match value {
        Bson::Document(inner) => replaced(inner, old, new).into(),
        Bson::Array(items) => Bson::Array(items.iter().map(|item| deeper(item, old, new)).collect()),
        other => other.clone(),
    }
}

/// The keys and values of an array that arrived, of both forms that `$arrayToObject` takes.
pub(super) fn parts(row: &Document) -> Vec<(String, Bson)> {
    let Ok(list) = row.get_array("list") else { return Vec::new() };
    list.iter().filter_map(part).collect()
}

fn part(element: &Bson) -> Option<(String, Bson)> {
    match element {
        Bson::Document(pair) => Some((pair.get_str("k").ok()?.to_owned(), pair.get("v")?.clone())),
        Bson::Array(pair) => Some((pair.first()?.as_str()?.to_owned(), pair.get(1)?.clone())),
        _ => None,
    }
}
