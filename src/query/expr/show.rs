//! Values inside error messages, in the server's own notation (`Value::toString`).

use std::fmt::Write as _;

use crate::value::{DocView, View};

/// Writes a value as the server's messages do: `"text"`, `[1, 2]`, `{a: 1}`, `2020-01-01T00:00:00.000Z`.
#[must_use]
pub fn show(view: View<'_>) -> String {
    let mut out = String::new();
    write(&mut out, view);
    out
}

fn write(out: &mut String, view: View<'_>) {
    match view {
        View::String(text) | View::Symbol(text) => _ = write!(out, "\"{text}\""),
        View::Document(document) => {
            out.push('{');
            for (at, (name, value)) in document.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                _ = write!(out, "{name}: ");
                write(out, value);
            }
            out.push('}');
        }
        View::Array(array) => {
            out.push('[');
            for (at, value) in array.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                write(out, value);
            }
            out.push(']');
        }
        other => out.push_str(&show_scalar(other)),
    }
}

fn show_scalar(view: View<'_>) -> String {
    match view {
        View::MinKey => "MinKey".into(),
        View::MaxKey => "MaxKey".into(),
        View::Undefined => "undefined".into(),
        View::Null => "null".into(),
        View::Int32(number) => number.to_string(),
        View::Int64(number) => number.to_string(),
        View::Double(number) => show_double(number),
        View::Decimal(number) => number.to_string(),
        View::Binary { subtype, bytes } => {
            let mut out = format!("BinData({subtype}, \"");
            for byte in bytes {
                _ = write!(out, "{byte:02X}");
            }
            out + "\")"
        }
        View::ObjectId(id) => id.to_hex(),
        View::Boolean(truth) => truth.to_string(),
        View::DateTime(millis) => crate::value::calendar::iso_text(millis),
        View::Timestamp { time, increment } => format!("Timestamp({time}, {increment})"),
        View::Regex { pattern, options } => format!("/{pattern}/{options}"),
        View::DbPointer { namespace, id } => format!("DBRef(\"{namespace}\", {})", id.to_hex()),
        View::Code(code) => format!("Code(\"{code}\")"),
        View::CodeWithScope(code, _) => format!("CodeWScope(\"{code}\")"),
        View::String(_) | View::Symbol(_) | View::Document(_) | View::Array(_) => show(view),
    }
}

/// A double as the server prints it: sixteen significant digits, an exponent for the very large and the very small.
pub fn show_double(number: f64) -> String {
    if number.is_nan() {
        return "NaN".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity".into() } else { "-Infinity".into() };
    }
    let text = format!("{number:.15e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    if (-5..16).contains(&exponent) {
        let places = usize::try_from(15 - exponent).unwrap_or_default();
        let plain = format!("{number:.places$}");
        return if places > 0 { plain.trim_end_matches('0').trim_end_matches('.').to_owned() } else { plain };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// Writes a document as the server's messages show BSON as it was sent: `{ a: 1, b: [ "x" ] }` (`BSONObj::toString`).
#[must_use]
pub fn show_stored<'a>(document: impl Into<DocView<'a>>) -> String {
    let mut out = String::new();
    write_stored(&mut out, View::Document(document.into()));
    out
}

/// Writes one value in that notation.
#[must_use]
pub fn show_stored_value(view: View<'_>) -> String {
    let mut out = String::new();
    write_stored(&mut out, view);
    out
}

fn write_stored(out: &mut String, view: View<'_>) {
    match view {
        View::Document(document) if document.is_empty() => out.push_str("{}"),
        View::Document(document) => {
            out.push('{');
            for (at, (name, value)) in document.iter().enumerate() {
                _ = write!(out, "{} {name}: ", if at == 0 { "" } else { "," });
                write_stored(out, value);
            }
            out.push_str(" }");
        }
        View::Array(array) if array.is_empty() => out.push_str("[]"),
        View::Array(array) => {
            out.push('[');
            for (at, value) in array.iter().enumerate() {
                out.push_str(if at == 0 { " " } else { ", " });
                write_stored(out, value);
            }
            out.push_str(" ]");
        }
        View::Double(number) if number.fract() == 0.0 && number.abs() < 1e15 => _ = write!(out, "{number:.1}"),
        View::DateTime(millis) => _ = write!(out, "new Date({millis})"),
        View::ObjectId(id) => _ = write!(out, "ObjectId('{}')", id.to_hex()),
        View::Decimal(number) => _ = write!(out, "{number}"),
        other => out.push_str(&show(other)),
    }
}
