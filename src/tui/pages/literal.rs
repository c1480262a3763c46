//! One value without inner structure, as mongosh shows it.

use crate::value::View;

/// A scalar in mongosh's notation; documents and arrays are left to the caller and give `…`.
#[must_use]
pub fn literal(value: View<'_>) -> String {
    match value {
        View::MinKey => "MinKey()".into(),
        View::MaxKey => "MaxKey()".into(),
        View::Undefined => "undefined".into(),
        View::Null => "null".into(),
        View::Int32(number) => number.to_string(),
        View::Int64(number) => format!("Long('{number}')"),
        View::Double(number) => double(number),
        View::Decimal(number) => format!("Decimal128('{number}')"),
        View::String(text) | View::Symbol(text) => quoted(text),
        View::ObjectId(id) => format!("ObjectId('{id}')"),
        View::Boolean(truth) => truth.to_string(),
        View::DateTime(millis) => match bson::DateTime::from_millis(millis).try_to_rfc3339_string() {
            Ok(text) => format!("ISODate('{text}')"),
            Err(_) => format!("Date({millis})"),
        },
        View::Timestamp { time, increment } => format!("Timestamp({{ t: {time}, i: {increment} }})"),
        View::Regex { pattern, options } => format!("/{pattern}/{options}"),
        View::Binary { subtype, bytes } => format!("Binary(subtype {subtype}, {} bytes)", bytes.len()),
        View::Code(code) | View::CodeWithScope(code, _) => format!("Code('{code}')"),
        View::DbPointer(_) => "DBPointer".into(),
        View::Document(_) | View::Array(_) => "…".into(),
    }
}

/// A double as JavaScript writes it: whole numbers without a fraction.
fn double(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "Infinity".into() } else { "-Infinity".into() };
    }
    number.to_string()
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
}
