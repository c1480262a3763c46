//! Text in the bounds of a collated index: the sort key stands for it, as it does in the index.

use std::fmt::Write;

use crate::query::Collation;
use crate::value::Bson;

/// Whether comparing the value may depend on a collation (`CollationIndexKey::isCollatableType`).
pub(super) fn is_collatable(value: &Bson) -> bool {
    matches!(value, Bson::String(_) | Bson::Symbol(_) | Bson::Array(_) | Bson::Document(_))
}

/// The value with all text replaced by its sort key. It is kept as a symbol of hexadecimal digits: they order as the bytes
/// do, and among the other types a symbol stands where text does.
pub(super) fn collated(value: &Bson, collation: &Collation) -> Bson {
    match value {
        Bson::String(text) | Bson::Symbol(text) => Bson::Symbol(hexadecimal(&collation.sort_key(text))),
        Bson::Document(document) => {
            let fields = document.iter().map(|(name, value)| (name.clone(), collated(value, collation)));
            Bson::Document(fields.collect())
        }
        Bson::Array(items) => Bson::Array(items.iter().map(|item| collated(item, collation)).collect()),
        other => other.clone(),
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The bytes of a sort key from its digits.
pub(super) fn sort_key_bytes(digits: &str) -> Vec<u8> {
    let pair = |at: usize| digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    (0..digits.len()).step_by(2).filter_map(pair).collect()
}
