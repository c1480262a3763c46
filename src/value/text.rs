//! Values as the server prints them in messages and index bounds (`BSONElement::toString`): `{ a: 5.0, b: "x" }`.

use std::fmt::Write;

use super::view::{ArrayView, DocView, View};

/// A value in the server's own notation, as its messages and index bounds show it: `"ram"`, `5.0`, `inf.0`,
/// `new Date(0)`, `[ 1, 2 ]`. Text is quoted but not escaped.
#[must_use]
pub fn server_text(value: View<'_>) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    out
}

fn write_value(out: &mut String, value: View<'_>) {
    // Writing to a String cannot fail.
    let _ = match value {
        View::MinKey => out.write_str("MinKey"),
        View::MaxKey => out.write_str("MaxKey"),
        View::Undefined => out.write_str("undefined"),
        View::Null => out.write_str("null"),
        View::Int32(number) => write!(out, "{number}"),
        View::Int64(number) => write!(out, "{number}"),
        View::Double(number) => out.write_str(&double_text(number)),
        View::Decimal(number) => write!(out, "{number}"),
        View::String(text) | View::Symbol(text) => write!(out, "\"{text}\""),
        View::Document(document) => {
            write_document(out, document);
            Ok(())
        }
        View::Array(array) => {
            write_array(out, array);
            Ok(())
        }
        View::Binary { subtype, bytes } => {
            let hex = bytes.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02X}"));
            write!(out, "BinData({subtype}, {hex})")
        }
        View::ObjectId(id) => write!(out, "ObjectId('{id}')"),
        View::Boolean(truth) => write!(out, "{truth}"),
        View::DateTime(millis) => write!(out, "new Date({millis})"),
        View::Timestamp { time, increment } => write!(out, "Timestamp({time}, {increment})"),
        View::Regex { pattern, options } => write!(out, "/{pattern}/{options}"),
        View::DbPointer(id) => write!(out, "DBRef('', {id})"),
        View::Code(code) => out.write_str(code),
        View::CodeWithScope(code, scope) => {
            let scope = server_text(View::Document(scope));
            write!(out, "CodeWScope( {code}, {scope})")
        }
    };
}

fn write_document(out: &mut String, document: DocView<'_>) {
    out.push('{');
    for (at, (name, value)) in document.iter().enumerate() {
        out.push_str(if at == 0 { " " } else { ", " });
        out.push_str(name);
        out.push_str(": ");
        write_value(out, value);
    }
    out.push_str(if document.is_empty() { "}" } else { " }" });
}

fn write_array(out: &mut String, array: ArrayView<'_>) {
    out.push('[');
    for (at, value) in array.iter().enumerate() {
        out.push_str(if at == 0 { " " } else { ", " });
        write_value(out, value);
    }
    out.push_str(if array.is_empty() { "]" } else { " ]" });
}

/// A double as the server writes it: 16 significant digits at most, and `.0` behind whatever has neither point nor exponent.
fn double_text(number: f64) -> String {
    if number.is_nan() {
        return "nan.0".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf.0".into() } else { "-inf.0".into() };
    }
    let exact = number.abs();
    if exact != 0.0 && !(1e-5..1e16).contains(&exact) {
        return with_exponent(&format!("{number:e}"));
    }
    let text = format!("{number}");
    if text.contains('.') { text } else { text + ".0" }
}

/// An exponent in C's manner: a sign and two digits at least.
fn with_exponent(text: &str) -> String {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}
