//! One design with its collection: filled, kept in step with what was written elsewhere, and what it could not hold.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::{Command, Database, Delete, Host, Insert, Modify, Reply, Run, Update, UpdateSpec};
use crate::error::CommandError;
use crate::store::Direction;
use crate::value::{Bson, Document, RawDocument, doc};

use super::changes::Changes;
use crate::design::facts::{Entity, ranked_keys};
use crate::design::form::{Design, Place};
use crate::design::loss::Loss;
use crate::design::reason::Note;
use crate::design::reshape::{bytes_of, pour, read};

/// The designs of one data set; the first is home.
#[derive(Debug, Clone)]
pub(in crate::design) struct Family {
    pub(in crate::design) members: Vec<Member>,
}

/// One design with its collection.
#[derive(Debug, Clone)]
pub(in crate::design) struct Member {
    pub(in crate::design) design: Design,
    pub(in crate::design) collection: String,
    /// What it does not hold, by entity.
    pub(in crate::design) losses: BTreeMap<Vec<u8>, Vec<Loss>>,
    /// The latest write that it refused.
    pub(in crate::design) refusal: Option<CommandError>,
}

impl Family {
    pub(super) fn position(&self, collection: &str) -> Option<usize> {
        self.members.iter().position(|member| member.collection == collection)
    }
}

impl Member {
    pub(super) fn fill(&mut self, database: &mut Database, entities: &[Entity]) {
        let mut documents = Vec::with_capacity(entities.len());
        for entity in entities {
            documents.append(&mut self.poured(entity));
        }
        if documents.is_empty() {
            let create = Command::CreateCollection { collection: self.collection.clone(), options: doc! {} };
            self.refusal = database.run(&create).err();
        } else {
            self.insert(database, documents);
        }
    }

    /// The documents of an entity; its losses are kept.
    fn poured(&mut self, entity: &Entity) -> Vec<Document> {
        let poured = pour(&self.design, entity);
        let id = bytes_of(&entity.id);
        if poured.losses.is_empty() {
            self.losses.remove(&id);
        } else {
            self.losses.insert(id, poured.losses);
        }
        poured.made
    }

    fn insert(&mut self, database: &mut Database, documents: Vec<Document>) {
        let insert = Insert { collection: self.collection.clone(), documents, ordered: false };
        let result = database.run(&Command::Insert(insert));
        self.note(result);
    }

    fn note(&mut self, result: Result<Run, CommandError>) {
        let failure = match result {
            Err(error) => Some(error),
            Ok(run) => match run.reply {
                Reply::Inserted { mut failures, .. } if !failures.is_empty() => Some(failures.remove(0).error),
                _ => None,
            },
        };
        if failure.is_some() {
            self.refusal = failure;
        }
    }

    pub(super) fn apply(&mut self, database: &mut Database, changes: &Changes) {
        let mut now = changes.now.clone();
        if changes.rows && self.design.form.place() != Place::Rows {
            self.keep_ids(database, &mut now);
        }
        let in_place = !changes.rows && self.design.form.place() != Place::Rows;
        let (mut gone, mut fresh) = (Vec::new(), Vec::new());
        let kept: BTreeSet<_> = now.iter().filter(|_| in_place).map(|entity| bytes_of(&entity.id)).collect();
        let known: BTreeSet<_> = changes.gone.iter().map(|(id, _)| bytes_of(id)).collect();
        for (id, owner) in &changes.gone {
            if !kept.contains(&bytes_of(id)) {
                self.losses.remove(&bytes_of(id));
                gone.push(if self.design.layout.owner == "_id" { id.clone() } else { owner.clone() });
            }
        }
        self.remove(database, gone);
        for entity in &now {
            let documents = self.poured(entity);
            match <[Document; 1]>::try_from(documents) {
                Ok([document]) if in_place && known.contains(&bytes_of(&entity.id)) => {
                    self.replace(database, &entity.id, document);
                }
                Ok(documents) => fresh.extend(documents),
                Err(documents) => fresh.extend(documents),
            }
        }
        if !fresh.is_empty() {
            self.insert(database, fresh);
        }
    }

    /// Takes away all documents of these owners.
    fn remove(&mut self, database: &mut Database, owners: Vec<Bson>) {
        if owners.is_empty() {
            return;
        }
        let path = match (self.design.form.place(), self.design.layout.owner.as_str()) {
            (Place::Rows, "_id") => "_id.entity",
            (_, owner) => owner,
        };
        let filter = Document::from_iter([(path.to_owned(), Bson::Document(doc! {"$in": owners}))]);
        let delete = Delete { collection: self.collection.clone(), filter, multi: true, ..Delete::default() };
        let result = database.run(&Command::Delete(delete));
        self.note(result);
    }

    fn replace(&mut self, database: &mut Database, id: &Bson, document: Document) {
        let spec = UpdateSpec {
            filter: doc! {"_id": id.clone()},
            modify: Modify::Replacement(document),
            multi: false,
            upsert: true,
            array_filters: Vec::new(),
            collation: None,
            hint: None,
            variables: None,
        };
        let result = database.run(&Command::Update(Update { collection: self.collection.clone(), spec }));
        self.note(result);
    }

    /// An entity rebuilt from rows keeps the `_id` its document already has.
    fn keep_ids(&self, database: &Database, entities: &mut [Entity]) {
        let documents = documents_of(database, &self.collection);
        for entity in entities {
            let owner = entity.common.get(&self.design.layout.owner);
            let known = documents.iter().find(|document| document.get(&self.design.layout.owner) == owner);
            if let Some(known) = known.filter(|_| owner.is_some()) {
                entity.id = id_of(known);
            }
        }
    }

    /// What is lost here, all entities together.
    pub(in crate::design) fn all_losses(&self) -> Vec<Loss> {
        self.losses.values().flatten().cloned().collect()
    }

    /// A note for the latest write that was refused here.
    pub(in crate::design) fn refusal_note(&self) -> Option<Note> {
        self.refusal.as_ref().map(|error| Note::Refused(error.message.clone()))
    }
}

/// All keys in a member's data, the most frequent first.
pub(in crate::design) fn keys_of(database: &Database, member: &Member) -> Vec<String> {
    let entities = read(&member.design, &documents_of(database, &member.collection)).made;
    ranked_keys(entities.iter().flat_map(|entity| entity.attributes.iter().map(|held| held.key.as_str())))
}

/// All documents of a collection.
pub(in crate::design) fn documents_of(database: &Database, collection: &str) -> Vec<Document> {
    let collection = database.collection(collection);
    let records = collection.into_iter().flat_map(|found| found.scan(Direction::Ascending));
    records.filter_map(|(_, raw)| decoded(raw)).collect()
}

pub(super) fn decoded(raw: &RawDocument) -> Option<Document> {
    Document::try_from(raw).ok()
}

pub(super) fn id_of(document: &Document) -> Bson {
    document.get("_id").cloned().unwrap_or(Bson::Null)
}
