//! BSON type numbers and the names that `$type` knows (manual: *BSON Types*).

use super::view::View;

/// Number and alias of each type a value can have.
const TYPES: [(i32, &str); 21] = [
    (-1, "minKey"),
    (1, "double"),
    (2, "string"),
    (3, "object"),
    (4, "array"),
    (5, "binData"),
    (6, "undefined"),
    (7, "objectId"),
    (8, "bool"),
    (9, "date"),
    (10, "null"),
    (11, "regex"),
    (12, "dbPointer"),
    (13, "javascript"),
    (14, "symbol"),
    (15, "javascriptWithScope"),
    (16, "int"),
    (17, "timestamp"),
    (18, "long"),
    (19, "decimal"),
    (127, "maxKey"),
];

/// The BSON type number of a value; -1 is minKey, 127 maxKey.
#[must_use]
pub fn type_code(value: View<'_>) -> i32 {
    match value {
        View::MinKey => -1,
        View::Double(_) => 1,
        View::String(_) => 2,
        View::Document(_) => 3,
        View::Array(_) => 4,
        View::Binary { .. } => 5,
        View::Undefined => 6,
        View::ObjectId(_) => 7,
        View::Boolean(_) => 8,
        View::DateTime(_) => 9,
        View::Null => 10,
        View::Regex { .. } => 11,
        View::DbPointer { .. } => 12,
        View::Code(_) => 13,
        View::Symbol(_) => 14,
        View::CodeWithScope(..) => 15,
        View::Int32(_) => 16,
        View::Timestamp { .. } => 17,
        View::Int64(_) => 18,
        View::Decimal(_) => 19,
        View::MaxKey => 127,
    }
}

/// The name of a value's type as error messages and `$type` (aggregation) give it, such as `objectId`.
#[must_use]
pub fn type_alias(value: View<'_>) -> &'static str {
    alias_of_type_code(type_code(value)).unwrap_or("missing")
}

/// The name of the type with a number.
#[must_use]
pub fn alias_of_type_code(code: i32) -> Option<&'static str> {
    TYPES.iter().find(|(number, _)| *number == code).map(|(_, alias)| *alias)
}

/// The type number behind an alias; `number` is not one type and has none.
#[must_use]
pub fn type_code_of_alias(alias: &str) -> Option<i32> {
    TYPES.iter().find(|(_, name)| *name == alias).map(|(number, _)| *number)
}

/// Whether a type with this number exists.
#[must_use]
pub fn is_type_code(code: i32) -> bool {
    TYPES.iter().any(|(number, _)| *number == code)
}
