//! Index requests for another design: which indexes there serve the questions that this one serves here.
//!
//! An index on pairs serves every key. Its honest counterpart among fields is therefore one index for every key in the
//! data, up to the ceiling of 64, and not only for the keys asked so far; the other way round, any one field's index
//! becomes the one index that serves all keys.

use crate::engine::{Command, CreateIndexes, IndexRequest};
use crate::value::{Bson, Document};

use super::read::touches;
use super::{Ground, Rephrased, rephrase_filter};
use crate::design::form::{Form, Place};
use crate::design::reason::{NoCounterpart, Note};

/// MongoDB's ceiling of 64 indexes, less `_id_`.
const MOST_INDEXES: usize = 63;

/// What an index says of attributes.
#[derive(Debug, Clone, PartialEq)]
enum Part {
    Common(String, Bson),
    Key(Bson),
    Value(String, Bson),
    Unit(Bson),
    Field(String, Bson),
    Wildcard(Bson),
}

pub(super) fn create(ground: &Ground<'_>, create: &CreateIndexes) -> Result<Rephrased, NoCounterpart> {
    let mut notes = Vec::new();
    let mut indexes = Vec::new();
    for request in &create.indexes {
        let (mut made, mut more) = index_counterparts(ground, request)?;
        indexes.append(&mut made);
        notes.append(&mut more);
    }
    let command = CreateIndexes { collection: ground.collection.into(), indexes };
    Ok(Rephrased { command: Command::CreateIndexes(command), notes })
}

/// The indexes of the other design that serve the same questions as this one.
///
/// # Errors
/// The reason why none does.
pub fn index_counterparts(
    ground: &Ground<'_>,
    request: &IndexRequest,
) -> Result<(Vec<IndexRequest>, Vec<Note>), NoCounterpart> {
    let parts = parts(ground, &request.keys)?;
    let about = parts.iter().any(|part| !matches!(part, Part::Common(..)));
    let mut notes = Vec::new();
    let keys = if !about || ground.from.form.place() == ground.to.form.place() && ground.from.form == ground.to.form {
        vec![request.keys.clone()]
    } else {
        written(ground, &parts, &mut notes)?
    };
    let options = options(ground, &request.options, about)?;
    Ok((keys.into_iter().map(|keys| IndexRequest { keys, options: options.clone() }).collect(), notes))
}

fn parts(ground: &Ground<'_>, keys: &Document) -> Result<Vec<Part>, NoCounterpart> {
    keys.iter().map(|(path, order)| part(ground, path, order)).collect()
}

fn part(ground: &Ground<'_>, path: &str, order: &Bson) -> Result<Part, NoCounterpart> {
    let design = ground.from;
    let layout = &design.layout;
    if path == "$**" || path == format!("{}.$**", layout.array) {
        return match design.form.place() {
            Place::Root | Place::Nested => Ok(Part::Wildcard(order.clone())),
            Place::Elements | Place::Rows => Err(NoCounterpart::IndexHasNoUse),
        };
    }
    if !touches(design, path) {
        return Ok(Part::Common(path.into(), order.clone()));
    }
    if let Some((key, _)) = design.attribute_of(path) {
        return Ok(Part::Field(key.into(), order.clone()));
    }
    let inside = match design.form.place() {
        Place::Rows => Some(path),
        _ => path.strip_prefix(layout.array.as_str()).and_then(|tail| tail.strip_prefix('.')),
    };
    let inside = inside.ok_or(NoCounterpart::WholeElement)?;
    if inside == layout.key {
        Ok(Part::Key(order.clone()))
    } else if Some(inside) == layout.unit.as_deref() {
        Ok(Part::Unit(order.clone()))
    } else if inside == layout.value || inside.starts_with(&format!("{}.", layout.value)) {
        Ok(Part::Value(inside[layout.value.len()..].into(), order.clone()))
    } else {
        Err(NoCounterpart::UnknownPart(path.into()))
    }
}

/// Names stay with their index, uniqueness with the documents it was asked for; a partial filter is rephrased.
fn options(ground: &Ground<'_>, options: &Document, about: bool) -> Result<Document, NoCounterpart> {
    let mut kept = options.clone();
    for name in ["name", "wildcardProjection", "v"] {
        kept.remove(name);
    }
    if about {
        kept.remove("unique");
    }
    if let Ok(filter) = options.get_document("partialFilterExpression") {
        kept.insert("partialFilterExpression", rephrase_filter(ground, filter)?.0);
    }
    Ok(kept)
}

fn written(ground: &Ground<'_>, parts: &[Part], notes: &mut Vec<Note>) -> Result<Vec<Document>, NoCounterpart> {
    let had_unit = parts.iter().any(|part| matches!(part, Part::Unit(_)));
    let named = parts.iter().any(|part| matches!(part, Part::Field(..)));
    let place = ground.to.form.place();
    if had_unit && matches!(place, Place::Root | Place::Nested) {
        notes.push(Note::UnitNotIndexed);
    }
    match place {
        Place::Elements | Place::Rows => {
            if named {
                notes.push(Note::OneIndexForAll);
            }
            Ok(vec![on_parts(ground, parts)])
        }
        Place::Nested if ground.to.form == Form::Wildcard => {
            notes.push(Note::OneIndexForAll);
            Ok(vec![with_attribute(ground, parts, |_| format!("{}.$**", ground.to.layout.array), "")])
        }
        Place::Nested => on_map(ground, parts),
        Place::Root => Ok(on_fields(ground, parts, named, notes)),
    }
}

/// Key, unit and value each as a part of its own, in the order asked; a field's index becomes key and value.
fn on_parts(ground: &Ground<'_>, parts: &[Part]) -> Document {
    let layout = &ground.to.layout;
    let path = |part: &str| ground.to.part_path(part);
    let mut keys = Document::new();
    for part in parts {
        match part {
            Part::Common(name, order) => keys.insert(name.clone(), order.clone()),
            Part::Key(order) => keys.insert(path(&layout.key), order.clone()),
            Part::Value(rest, order) => keys.insert(format!("{}{rest}", path(&layout.value)), order.clone()),
            Part::Unit(order) => layout.unit.as_ref().and_then(|unit| keys.insert(path(unit), order.clone())),
            Part::Field(_, order) | Part::Wildcard(order) => {
                keys.insert(path(&layout.key), 1);
                keys.insert(path(&layout.value), order.clone())
            }
        };
    }
    keys
}

/// Common parts where they stood, and one path in the place of all that concerned the attribute.
fn with_attribute(ground: &Ground<'_>, parts: &[Part], path: impl Fn(&str) -> String, key: &str) -> Document {
    let mut keys = Document::new();
    let by_value = parts.iter().find_map(|part| match part {
        Part::Value(_, order) | Part::Field(_, order) | Part::Wildcard(order) => Some(order.clone()),
        _ => None,
    });
    let wildcard = ground.to.form == Form::Wildcard;
    for part in parts {
        if let Part::Common(name, order) = part {
            keys.insert(name.clone(), order.clone());
        } else {
            // A wildcard part is ascending or descending over all its paths; presence alone is ascending.
            let order = by_value.clone().filter(|_| !wildcard).unwrap_or(Bson::Int32(1));
            keys.insert(path(key), order);
        }
    }
    keys
}

/// One index for each key in the data, or for the one field asked.
fn on_fields(ground: &Ground<'_>, parts: &[Part], named: bool, notes: &mut Vec<Note>) -> Vec<Document> {
    let path = |key: &str| format!("{}{key}", ground.to.layout.prefix);
    if named {
        let mut keys = Document::new();
        for part in parts {
            match part {
                Part::Common(name, order) => keys.insert(name.clone(), order.clone()),
                Part::Field(key, order) => keys.insert(path(key), order.clone()),
                _ => None,
            };
        }
        return vec![keys];
    }
    let writer = ground.writer();
    let usable: Vec<_> = ground.keys.iter().filter(|key| writer.reach(key).is_ok()).collect();
    let left_out = usable.len().saturating_sub(MOST_INDEXES);
    notes.push(Note::IndexPerKey(usable.len() - left_out));
    if left_out > 0 {
        notes.push(Note::IndexesLeftOut(left_out));
    }
    usable.into_iter().take(MOST_INDEXES).map(|key| with_attribute(ground, parts, path, key)).collect()
}

/// Names have no index together; what stands before them can have one.
fn on_map(ground: &Ground<'_>, parts: &[Part]) -> Result<Vec<Document>, NoCounterpart> {
    let mut keys = Document::new();
    for part in parts {
        match part {
            Part::Common(name, order) => keys.insert(name.clone(), order.clone()),
            Part::Field(key, order) => keys.insert(format!("{}.{key}", ground.to.layout.array), order.clone()),
            _ => None,
        };
    }
    if keys.is_empty() { Err(NoCounterpart::IndexPerName { keys: ground.keys.len() }) } else { Ok(vec![keys]) }
}
