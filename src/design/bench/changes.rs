//! What a write on one design means for the others: entities that went, and entities as they are now.

use crate::engine::{Database, WrittenDocument};
use crate::value::{Bson, Document, RawDocumentBuf};

use super::member::{decoded, documents_of, id_of};
use crate::design::facts::Entity;
use crate::design::form::{Design, Place};
use crate::design::reshape::{bytes_of, owner_of, read};

/// What a write did, as entities that went and entities as they are now.
pub(super) struct Changes {
    /// Whole entities to take away: `_id` and owner.
    pub(super) gone: Vec<(Bson, Bson)>,
    /// Entities as they are now.
    pub(super) now: Vec<Entity>,
    /// Whether the writing side keeps rows.
    pub(super) rows: bool,
}

impl Changes {
    pub(super) fn of(design: &Design, database: &Database, collection: &str, written: &[WrittenDocument]) -> Self {
        let side = |document: &Option<RawDocumentBuf>| document.as_deref().and_then(decoded);
        if design.form.place() == Place::Rows {
            let touched = written.iter().flat_map(|change| [side(&change.before), side(&change.after)]).flatten();
            return Self::of_rows(design, database, collection, touched.map(|row| owner_of(design, &row)).collect());
        }
        let gone = written.iter().filter_map(|change| side(&change.before));
        let gone = gone.map(|document| (id_of(&document), owner_of(design, &document))).collect();
        let now: Vec<_> = written.iter().filter_map(|change| side(&change.after)).collect();
        Self { gone, now: read(design, &now).made, rows: false }
    }

    /// Rows tell of an entity together: those of every owner touched are read again.
    fn of_rows(design: &Design, database: &Database, collection: &str, mut owners: Vec<Bson>) -> Self {
        owners.sort_by_key(bytes_of);
        owners.dedup();
        let wanted: Vec<_> = owners.iter().map(bytes_of).collect();
        let of_owner = |row: &Document| wanted.binary_search(&bytes_of(&owner_of(design, row))).is_ok();
        let rows: Vec<_> = documents_of(database, collection).into_iter().filter(of_owner).collect();
        let gone = owners.into_iter().map(|owner| (owner.clone(), owner)).collect();
        Self { gone, now: read(design, &rows).made, rows: true }
    }
}
