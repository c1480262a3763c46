//! Index bounds and values in MongoDB's own notation, as explain prints them (`BSONElement::toString`).

use std::fmt::Write;

use crate::value::{Bson, DocView, View};

use super::bounds::{IndexBounds, Interval, OrderedIntervals};

/// Longer strings are cut in bounds, as the server does.
const LONGEST_STRING: usize = 159;
const CUT_STRING: usize = 70;
const LONGEST_BINARY: usize = 80;

impl Interval {
    /// The interval as explain shows it, such as `(4.0, inf.0]`.
    #[must_use]
    pub fn notation(&self) -> String {
        let mut text = String::from(if self.start_inclusive { "[" } else { "(" });
        write_value(&mut text, View::from(&self.start));
        text.push_str(", ");
        write_value(&mut text, View::from(&self.end));
        text.push(if self.end_inclusive { ']' } else { ')' });
        text
    }
}

impl OrderedIntervals {
    /// Each interval as explain shows it.
    #[must_use]
    pub fn notation(&self) -> Vec<String> {
        self.0.iter().map(Interval::notation).collect()
    }
}

impl IndexBounds {
    /// Explain's `indexBounds`: an array of interval texts by field, or `startKey` and `endKey` of a `min`/`max` scan.
    #[must_use]
    pub fn to_document(&self) -> bson::Document {
        if let Some(range) = &self.range {
            return bson::doc! { "startKey": range.start.clone(), "endKey": range.end.clone() };
        }
        self.parts.iter().map(|(path, intervals)| (path.dotted(), Bson::from(intervals.notation()))).collect()
    }
}

/// A value as the server's `toString` writes it.
#[must_use]
pub fn value_notation(value: &Bson) -> String {
    let mut text = String::new();
    write_value(&mut text, View::from(value));
    text
}

fn write_value(out: &mut String, value: View<'_>) {
    // Writing to a string cannot fail.
    let _ = match value {
        View::MinKey => write!(out, "MinKey"),
        View::MaxKey => write!(out, "MaxKey"),
        View::Undefined => write!(out, "undefined"),
        View::Null => write!(out, "null"),
        View::Int32(number) => write!(out, "{number}"),
        View::Int64(number) => write!(out, "{number}"),
        View::Double(number) => write!(out, "{}", double_notation(number)),
        View::Decimal(number) => write!(out, "{number}"),
        View::Boolean(truth) => write!(out, "{truth}"),
        View::DateTime(millis) => write!(out, "new Date({millis})"),
        View::Timestamp { time, increment } => write!(out, "Timestamp({time}, {increment})"),
        View::ObjectId(id) => write!(out, "ObjectId('{id}')"),
        View::DbPointer { namespace, id } => write!(out, "DBRef('{namespace}',{id})"),
        View::Regex { pattern, options } => write!(out, "/{pattern}/{options}"),
        View::Code(code) => write!(out, "{code}"),
        View::CodeWithScope(code, scope) => {
            let _ = write!(out, "CodeWScope( {code}, ");
            write_document(out, scope);
            write!(out, ")")
        }
        View::String(text) => {
            write_string(out, text);
            Ok(())
        }
        // Bounds of a collated index hold the sort key's digits here.
        View::Symbol(digits) => write!(out, "CollationKey(0x{digits})"),
        View::Binary { subtype, bytes } => {
            write_binary(out, subtype, bytes);
            Ok(())
        }
        View::Document(document) => {
            write_document(out, document);
            Ok(())
        }
        View::Array(array) => {
            write_list(out, '[', ']', array.iter().map(|item| (None, item)));
            Ok(())
        }
    };
}

fn write_document(out: &mut String, document: DocView<'_>) {
    write_list(out, '{', '}', document.iter().map(|(name, value)| (Some(name), value)));
}

fn write_list<'a>(out: &mut String, open: char, close: char, items: impl Iterator<Item = (Option<&'a str>, View<'a>)>) {
    out.push(open);
    let mut any = false;
    for (name, value) in items {
        out.push_str(if any { ", " } else { " " });
        if let Some(name) = name {
            out.push_str(name);
            out.push_str(": ");
        }
        write_value(out, value);
        any = true;
    }
    if any {
        out.push(' ');
    }
    out.push(close);
}

fn write_string(out: &mut String, text: &str) {
    out.push('"');
    if text.len() > LONGEST_STRING {
        let end = (0..=CUT_STRING).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
        out.push_str(&text[..end]);
        out.push_str("...");
    } else {
        out.push_str(text);
    }
    out.push('"');
}

fn write_binary(out: &mut String, subtype: u8, bytes: &[u8]) {
    let shown = if bytes.len() > LONGEST_BINARY { &bytes[..CUT_STRING] } else { bytes };
    let _ = write!(out, "BinData({subtype}, ");
    for byte in shown {
        let _ = write!(out, "{byte:02X}");
    }
    out.push_str(if shown.len() < bytes.len() { "...)" } else { ")" });
}

/// `%.16g`, with `.0` behind what shows no point: `4.0`, `inf.0`, `nan.0`, `1e+21.0`.
fn double_notation(number: f64) -> String {
    let text = general(number);
    if text.contains('.') { text } else { format!("{text}.0") }
}

/// C's `%.16g`: sixteen significant digits, trailing zeros dropped, an exponent outside of 1e-4 … 1e16.
fn general(number: f64) -> String {
    const DIGITS: i32 = 16;
    if number.is_nan() {
        return "nan".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf".into() } else { "-inf".into() };
    }
    let scientific = format!("{number:.15e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..DIGITS).contains(&exponent) {
        let decimals = usize::try_from(DIGITS - 1 - exponent).unwrap_or_default();
        return trimmed(&format!("{number:.decimals$}")).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}
