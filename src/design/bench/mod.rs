//! The bench: a host that answers from the home design and keeps twins beside it.
//!
//! All designs live in one database: the home collection under the data set's name, each twin as `NAME_FORM`
//! (`products_flat`), so that a rephrased statement can be typed and run. Whatever is typed against any of them is asked of
//! the others: a read is rephrased when the duel is looked at; a write is replayed at once as reshaped documents.
//!
//! Indexes: no design begins with one of its own. An index made in one design gives the others what serves the same
//! questions: `{specs.k, specs.v}` serves every key, so the flat design gets one index for every key in the data, up to the
//! ceiling of 64, and the wildcard design its one wildcard index. Keys that come later have no index in the flat
//! design until someone makes one. An index dropped here is dropped there when no other index here needs it.

mod changes;
mod commands;
mod host;
mod member;

pub(super) use commands::is_read;
pub use host::{Bench, twin_collection};
pub(super) use member::{Family, Member, documents_of, keys_of};
