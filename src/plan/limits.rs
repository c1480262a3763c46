//! The least and the greatest value of each type (`BSONObjBuilder::appendMinForType`, `appendMaxForType`).

use crate::value::{Bson, Document, View, canonical_type};

/// The least value of the type; `min_of` and `max_of` bracket a comparison with that type.
pub(super) fn min_of(value: &Bson) -> Bson {
    match value {
        Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_) => Bson::Double(f64::NAN),
        Bson::String(_) | Bson::Symbol(_) => Bson::String(String::new()),
        Bson::Document(_) => Bson::Document(Document::new()),
        Bson::Array(_) => Bson::Array(Vec::new()),
        Bson::Binary(_) => empty_binary(),
        Bson::ObjectId(_) => Bson::ObjectId(bson::oid::ObjectId::from_bytes([0; 12])),
        Bson::Boolean(_) => Bson::Boolean(false),
        Bson::DateTime(_) => Bson::DateTime(bson::DateTime::MIN),
        Bson::Timestamp(_) => Bson::Timestamp(bson::Timestamp { time: 0, increment: 0 }),
        Bson::RegularExpression(_) => View::Regex { pattern: "", options: "" }.to_bson(),
        Bson::JavaScriptCode(_) => Bson::JavaScriptCode(String::new()),
        Bson::JavaScriptCodeWithScope(_) => empty_scope(),
        alone => alone.clone(),
    }
}

/// The greatest value of the type, or the least of the next one where the type has no greatest.
pub(super) fn max_of(value: &Bson) -> Bson {
    match value {
        Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_) => Bson::Double(f64::INFINITY),
        Bson::String(_) | Bson::Symbol(_) => Bson::Document(Document::new()),
        Bson::Document(_) => Bson::Array(Vec::new()),
        Bson::Array(_) => empty_binary(),
        Bson::Binary(_) => Bson::ObjectId(bson::oid::ObjectId::from_bytes([0; 12])),
        Bson::ObjectId(_) => Bson::ObjectId(bson::oid::ObjectId::from_bytes([0xFF; 12])),
        Bson::Boolean(_) => Bson::Boolean(true),
        Bson::DateTime(_) => Bson::DateTime(bson::DateTime::MAX),
        Bson::Timestamp(_) => Bson::Timestamp(bson::Timestamp { time: u32::MAX, increment: u32::MAX }),
        Bson::RegularExpression(_) => Bson::JavaScriptCode(String::new()),
        Bson::JavaScriptCode(_) => empty_scope(),
        Bson::JavaScriptCodeWithScope(_) => Bson::MaxKey,
        alone => alone.clone(),
    }
}

/// A value of the BSON type with this number, to ask for the type's limits.
pub(super) fn sample(code: i32) -> Option<Bson> {
    Some(match code {
        -1 => Bson::MinKey,
        1 | 16 | 18 | 19 => Bson::Double(0.0),
        2 | 14 => Bson::String(String::new()),
        3 => Bson::Document(Document::new()),
        4 => Bson::Array(Vec::new()),
        5 => empty_binary(),
        6 => Bson::Undefined,
        7 => Bson::ObjectId(bson::oid::ObjectId::from_bytes([0; 12])),
        8 => Bson::Boolean(false),
        9 => Bson::DateTime(bson::DateTime::MIN),
        10 => Bson::Null,
        11 => View::Regex { pattern: "", options: "" }.to_bson(),
        13 => Bson::JavaScriptCode(String::new()),
        15 => empty_scope(),
        17 => Bson::Timestamp(bson::Timestamp { time: 0, increment: 0 }),
        127 => Bson::MaxKey,
        _ => return None,
    })
}

/// Whether two values are of one type in MongoDB's order.
pub(super) fn same_type(left: &Bson, right: &Bson) -> bool {
    canonical_type(View::from(left)) == canonical_type(View::from(right))
}

fn empty_binary() -> Bson {
    Bson::Binary(bson::Binary { subtype: bson::spec::BinarySubtype::Generic, bytes: Vec::new() })
}

fn empty_scope() -> Bson {
    Bson::JavaScriptCodeWithScope(bson::JavaScriptCodeWithScope { code: String::new(), scope: Document::new() })
}
