//! Changing documents: update operators, array filters, replacements, and what an upsert starts from.
//!
//! An [`UpdateProgram`] is parsed once and applied to the bytes of many documents. Applying gives a new document or says
//! that nothing changes; a failed update has changed nothing, since the document given is only read.

mod apply;
mod arithmetic;
mod array;
mod bits;
mod filters;
mod leaf;
mod parse;
mod path;
mod program;
mod pull;
mod push;
mod rename;
mod storage;
mod touched;
mod tree;
mod upsert;

pub use parse::OPERATORS;
pub use program::{Application, UpdateProgram};
pub use push::PUSH_MODIFIERS;
pub use storage::{check_id, finished};
pub use touched::Touched;
pub use upsert::upsert_seed;
