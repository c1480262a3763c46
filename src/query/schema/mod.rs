//! `$jsonSchema`: JSON Schema draft 4 with MongoDB's `bsonType` (manual: *$jsonSchema*; server:
//! `src/mongo/db/matcher/schema/json_schema_parser.cpp`).
//!
//! A keyword speaks of values of its own type only: `minimum` lets every text pass, `required` every number.

mod check;
mod fault;
mod keyword;
mod parse;

pub(super) use fault::Fault;
pub(super) use parse::Schema;
