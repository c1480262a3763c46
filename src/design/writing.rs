//! What one more entity and one changed value cost a design, measured by doing it on a copy.

use crate::engine::{Command, Database, Host, Insert, Modify, Run, Update, UpdateSpec};
use crate::store::Direction;
use crate::value::{Bson, Document, doc};

use super::bench::{Member, documents_of};
use super::duel::Writing;
use super::facts::Entity;
use super::form::{Design, Place};
use super::reshape::{owner_of, pour, read};

/// Measures both on a copy, with the first entity of the home design; none without data.
pub(super) fn writing(database: &Database, home: &Member, member: &Member) -> Option<Writing> {
    let entity = first_entity(database, home)?;
    measure_writing(database, &member.design, &member.collection, &entity)
}

/// Measures both on a copy, with an entity of the collection.
pub(super) fn measure_writing(
    database: &Database,
    design: &Design,
    collection: &str,
    entity: &Entity,
) -> Option<Writing> {
    let mut copy = database.clone();
    let more = pour(design, &another(&mut copy, design, entity)).made;
    let insert = Insert { collection: collection.into(), documents: more, ordered: true };
    let inserted = copy.run(&Command::Insert(insert)).ok()?;
    let mut writing = Writing {
        insert_entries: touched(&inserted),
        insert_documents: u64::try_from(inserted.writes.documents.len()).ok()?,
        ..Writing::default()
    };
    let mut copy = database.clone();
    let (old, new) = (pour(design, entity).made, pour(design, &changed(entity)).made);
    for (old, new) in old.into_iter().zip(new).filter(|(old, new)| old != new) {
        let run = copy.run(&replacement(collection, &old, new)).ok()?;
        writing.change_entries += touched(&run);
        let after = run.writes.documents.iter().filter_map(|change| change.after.as_ref());
        for document in after {
            writing.change_documents += 1;
            writing.change_bytes += u64::try_from(document.as_bytes().len()).unwrap_or(u64::MAX);
        }
    }
    Some(writing)
}

fn touched(run: &Run) -> u64 {
    run.writes.keys.iter().map(|(_, added, removed)| added + removed).sum()
}

/// The entity of the first document; of rows, with all rows of its owner.
fn first_entity(database: &Database, home: &Member) -> Option<Entity> {
    let first = database.collection(&home.collection)?.scan(Direction::Ascending).next();
    let first = Document::try_from(first?.1).ok()?;
    let documents = if home.design.form.place() == Place::Rows {
        let owner = owner_of(&home.design, &first);
        let rows = documents_of(database, &home.collection);
        rows.into_iter().filter(|row| owner_of(&home.design, row) == owner).collect()
    } else {
        vec![first]
    };
    read(&home.design, &documents).made.into_iter().next()
}

/// The same entity once more, under an `_id` and an owner of its own.
fn another(database: &mut Database, design: &Design, entity: &Entity) -> Entity {
    let id = Bson::ObjectId(database.source().object_id());
    let mut entity = Entity { id: id.clone(), ..entity.clone() };
    if let Some(owner) = entity.common.get_mut(&design.layout.owner) {
        *owner = id;
    }
    entity
}

/// The same entity with its first value changed.
fn changed(entity: &Entity) -> Entity {
    let mut entity = entity.clone();
    if let Some(first) = entity.attributes.first_mut() {
        first.value = match &first.value {
            Bson::Int32(number) => Bson::Int32(number.wrapping_add(1)),
            Bson::Int64(number) => Bson::Int64(number.wrapping_add(1)),
            Bson::Double(number) => Bson::Double(number + 1.0),
            Bson::String(text) => Bson::String(format!("{text}+")),
            _ => Bson::Int32(1),
        };
    }
    entity
}

fn replacement(collection: &str, old: &Document, new: Document) -> Command {
    let spec = UpdateSpec {
        filter: doc! {"_id": old.get("_id").cloned().unwrap_or(Bson::Null)},
        modify: Modify::Replacement(new),
        multi: false,
        upsert: false,
        array_filters: Vec::new(),
        collation: None,
        hint: None,
        variables: None,
    };
    Command::Update(Update { collection: collection.into(), spec })
}
