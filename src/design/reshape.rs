//! Between facts and documents, in both directions and for every design; what a design cannot hold is reported.

use std::collections::HashMap;

use crate::value::{Bson, Document, doc};

use super::facts::{Attribute, Entity};
use super::form::{Design, Place};
use super::loss::{Loss, LossKind};

/// Something made by reshaping, with what was lost on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Reshaped<T> {
    /// What was made.
    pub made: T,
    /// What it does not hold as it was.
    pub losses: Vec<Loss>,
}

/// Writes documents of one design as documents of another.
#[must_use]
pub fn reshape(from: &Design, to: &Design, documents: &[Document]) -> Reshaped<Vec<Document>> {
    let read = read(from, documents);
    let mut losses = read.losses;
    let mut made = Vec::with_capacity(documents.len());
    for entity in &read.made {
        let mut poured = pour(to, entity);
        made.append(&mut poured.made);
        losses.append(&mut poured.losses);
    }
    Reshaped { made, losses }
}

/// Writes one entity in a design: one document, or one for each attribute in [`Rows`](super::Form::Rows).
#[must_use]
pub fn pour(design: &Design, entity: &Entity) -> Reshaped<Vec<Document>> {
    let mut losses = Losses { entity: &entity.id, list: Vec::new() };
    let made = match design.form.place() {
        Place::Root => vec![pour_root(design, entity, &mut losses)],
        Place::Nested => {
            let mut document = root(design, entity, &mut losses);
            document.insert(design.layout.array.clone(), fields("", &entity.attributes, &mut losses));
            vec![document]
        }
        Place::Elements => vec![pour_elements(design, entity, &mut losses)],
        Place::Rows => pour_rows(design, entity, &mut losses),
    };
    Reshaped { made, losses: losses.list }
}

/// Reads documents of a design as facts; rows of one owner become one entity.
#[must_use]
pub fn read(design: &Design, documents: &[Document]) -> Reshaped<Vec<Entity>> {
    if design.form.place() == Place::Rows {
        return Reshaped { made: read_rows(design, documents), losses: Vec::new() };
    }
    let mut all = Reshaped { made: Vec::with_capacity(documents.len()), losses: Vec::new() };
    for document in documents {
        let id = document.get("_id").cloned().unwrap_or(Bson::Null);
        let mut losses = Losses { entity: &id, list: Vec::new() };
        let (common, attributes) = match design.form.place() {
            Place::Root => read_root(design, document),
            Place::Nested => read_nested(design, document, &mut losses),
            Place::Elements | Place::Rows => read_elements(design, document, &mut losses),
        };
        all.losses.append(&mut losses.list);
        all.made.push(Entity { id, common, attributes });
    }
    all
}

/// Losses of the entity at hand.
struct Losses<'a> {
    entity: &'a Bson,
    list: Vec<Loss>,
}

impl Losses<'_> {
    fn note(&mut self, key: &str, kind: LossKind) {
        self.list.push(Loss { entity: self.entity.clone(), key: key.into(), kind });
    }
}

/// `_id` and the common fields, without one that bears the array's name.
fn root(design: &Design, entity: &Entity, losses: &mut Losses<'_>) -> Document {
    let mut document = doc! {"_id": entity.id.clone()};
    for (name, value) in &entity.common {
        if *name == design.layout.array {
            losses.note(name, LossKind::NameTaken);
        } else {
            document.insert(name.clone(), value.clone());
        }
    }
    document
}

fn pour_root(design: &Design, entity: &Entity, losses: &mut Losses<'_>) -> Document {
    let mut document = doc! {"_id": entity.id.clone()};
    for (name, value) in &entity.common {
        if !design.is_common(name) {
            losses.note(name, LossKind::BecomesAttribute);
        }
        document.insert(name.clone(), value.clone());
    }
    for (name, value) in fields(&design.layout.prefix, &entity.attributes, losses) {
        if design.is_common(&name) || entity.common.contains_key(&name) {
            losses.note(&name[design.layout.prefix.len()..], LossKind::NameTaken);
        } else {
            document.insert(name, value);
        }
    }
    document
}

/// The attributes as fields; values of one key are gathered in an array.
fn fields(prefix: &str, attributes: &[Attribute], losses: &mut Losses<'_>) -> Document {
    let mut fields = Document::new();
    let mut repeated: Vec<&str> = Vec::new();
    for held in attributes {
        let name = format!("{prefix}{}", held.key);
        if held.key.is_empty() || held.key.contains('\0') || name.starts_with('$') {
            losses.note(&held.key, LossKind::UnwritableKey);
            continue;
        }
        if held.unit.is_some() {
            losses.note(&held.key, LossKind::Unit);
        }
        match fields.get_mut(&name) {
            None => {
                if held.key.contains('.') {
                    losses.note(&held.key, LossKind::DottedKey);
                }
                fields.insert(name, held.value.clone());
            }
            Some(Bson::Array(values)) if repeated.contains(&held.key.as_str()) => values.push(held.value.clone()),
            Some(first) => {
                losses.note(&held.key, LossKind::RepeatedKey);
                repeated.push(&held.key);
                *first = Bson::Array(vec![first.clone(), held.value.clone()]);
            }
        }
    }
    fields
}

fn pour_elements(design: &Design, entity: &Entity, losses: &mut Losses<'_>) -> Document {
    let mut document = root(design, entity, losses);
    let elements = entity.attributes.iter().map(|held| Bson::Document(pair(design, held, losses))).collect();
    document.insert(design.layout.array.clone(), Bson::Array(elements));
    document
}

/// `{k, v, u?}` under the layout's names.
fn pair(design: &Design, held: &Attribute, losses: &mut Losses<'_>) -> Document {
    let layout = &design.layout;
    let mut pair = Document::new();
    pair.insert(layout.key.clone(), held.key.clone());
    pair.insert(layout.value.clone(), held.value.clone());
    match (&held.unit, &layout.unit) {
        (Some(unit), Some(name)) => {
            pair.insert(name.clone(), unit.clone());
        }
        (Some(_), None) => losses.note(&held.key, LossKind::Unit),
        (None, _) => {}
    }
    pair
}

fn pour_rows(design: &Design, entity: &Entity, losses: &mut Losses<'_>) -> Vec<Document> {
    if entity.attributes.is_empty() {
        losses.note("", LossKind::NoRow);
    }
    let mut seen = HashMap::<&str, i32>::new();
    let mut rows = Vec::with_capacity(entity.attributes.len());
    for held in &entity.attributes {
        let times = seen.entry(&held.key).and_modify(|times| *times += 1).or_insert(1);
        let mut id = doc! {"entity": entity.id.clone(), "key": held.key.clone()};
        if *times > 1 {
            id.insert("n", *times);
        }
        let mut row = doc! {"_id": id};
        row.extend(entity.common.clone());
        for (name, value) in pair(design, held, losses) {
            if row.contains_key(&name) {
                losses.note(&name, LossKind::NameTaken);
            }
            row.insert(name, value);
        }
        rows.push(row);
    }
    rows
}

fn read_root(design: &Design, document: &Document) -> (Document, Vec<Attribute>) {
    let mut common = Document::new();
    let mut attributes = Vec::new();
    for (name, value) in document.iter().filter(|(name, _)| *name != "_id") {
        if design.is_common(name) {
            common.insert(name.clone(), value.clone());
        } else {
            attributes.push(Attribute::new(&name[design.layout.prefix.len()..], value.clone()));
        }
    }
    (common, attributes)
}

/// The root fields without `_id` and the array.
fn common_fields(design: &Design, document: &Document) -> Document {
    let common = document.iter().filter(|(name, _)| *name != "_id" && **name != design.layout.array);
    common.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn read_nested(design: &Design, document: &Document, losses: &mut Losses<'_>) -> (Document, Vec<Attribute>) {
    let attributes = match document.get(&design.layout.array) {
        Some(Bson::Document(held)) => held.iter().map(|(key, value)| Attribute::new(key, value.clone())).collect(),
        None => Vec::new(),
        Some(_) => {
            losses.note(&design.layout.array, LossKind::NotAPair);
            Vec::new()
        }
    };
    (common_fields(design, document), attributes)
}

fn read_elements(design: &Design, document: &Document, losses: &mut Losses<'_>) -> (Document, Vec<Attribute>) {
    let attributes = match document.get(&design.layout.array) {
        Some(Bson::Array(elements)) => {
            elements.iter().filter_map(|element| read_pair(design, element, losses)).collect()
        }
        None => Vec::new(),
        Some(_) => {
            losses.note(&design.layout.array, LossKind::NotAPair);
            Vec::new()
        }
    };
    (common_fields(design, document), attributes)
}

fn read_pair(design: &Design, element: &Bson, losses: &mut Losses<'_>) -> Option<Attribute> {
    let layout = &design.layout;
    let pair = element.as_document();
    let key = pair.and_then(|pair| pair.get_str(&layout.key).ok());
    let value = pair.and_then(|pair| pair.get(&layout.value));
    let (Some(pair), Some(key), Some(value)) = (pair, key, value) else {
        losses.note(key.unwrap_or_default(), LossKind::NotAPair);
        return None;
    };
    let unit = layout.unit.as_ref().and_then(|name| pair.get_str(name).ok()).map(str::to_owned);
    if pair.len() > 2 + usize::from(unit.is_some()) {
        losses.note(key, LossKind::ExtraField);
    }
    Some(Attribute { key: key.to_owned(), value: value.clone(), unit })
}

fn read_rows(design: &Design, rows: &[Document]) -> Vec<Entity> {
    let mut places = HashMap::<Vec<u8>, usize>::new();
    let mut entities: Vec<Entity> = Vec::new();
    for row in rows {
        let owner = owner_of(design, row);
        let at = *places.entry(bytes_of(&owner)).or_insert_with(|| {
            entities.push(entity_of_row(design, row, owner));
            entities.len() - 1
        });
        let layout = &design.layout;
        if let (Ok(key), Some(value)) = (row.get_str(&layout.key), row.get(&layout.value)) {
            let unit = layout.unit.as_ref().and_then(|name| row.get_str(name).ok()).map(str::to_owned);
            entities[at].attributes.push(Attribute { key: key.to_owned(), value: value.clone(), unit });
        }
    }
    entities
}

fn entity_of_row(design: &Design, row: &Document, owner: Bson) -> Entity {
    let layout = &design.layout;
    let own = [Some("_id"), Some(&layout.key), Some(&layout.value), layout.unit.as_deref()];
    let common = row.iter().filter(|(name, _)| !own.contains(&Some(name.as_str())));
    let common = common.map(|(name, value)| (name.clone(), value.clone())).collect();
    Entity { id: row_entity(row).unwrap_or(owner), common, attributes: Vec::new() }
}

/// Whose row it is: the owner field, or the entity named in the row's `_id`.
pub(super) fn owner_of(design: &Design, document: &Document) -> Bson {
    let id = || row_entity(document).or_else(|| document.get("_id").cloned());
    let owner = design.layout.owner.as_str();
    if owner == "_id" { id() } else { document.get(owner).cloned().or_else(id) }.unwrap_or(Bson::Null)
}

fn row_entity(row: &Document) -> Option<Bson> {
    row.get_document("_id").ok()?.get("entity").cloned()
}

/// The value's bytes, for use as a key of a map.
pub(super) fn bytes_of(value: &Bson) -> Vec<u8> {
    doc! {"": value.clone()}.to_vec().unwrap_or_default()
}
