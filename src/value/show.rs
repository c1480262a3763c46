//! Values as the server's error messages write them (`BSONElement::toString`).

use std::fmt::{self, Display, Formatter};

use super::view::{ArrayView, DocView, View};

/// A value written as in the server's messages, such as `{ a: 1, b: [ "x" ] }`.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a>(pub View<'a>);

/// A value written as in the server's messages.
pub fn shown<'a>(value: impl Into<View<'a>>) -> Shown<'a> {
    Shown(value.into())
}

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            View::MinKey => f.write_str("MinKey"),
            View::MaxKey => f.write_str("MaxKey"),
            View::Undefined => f.write_str("undefined"),
            View::Null => f.write_str("null"),
            View::Int32(number) => write!(f, "{number}"),
            View::Int64(number) => write!(f, "{number}"),
            View::Double(number) => double(number, f),
            View::Decimal(number) => write!(f, "{number}"),
            View::String(text) | View::Symbol(text) => write!(f, "\"{text}\""),
            View::Document(document) => braces(document, f),
            View::Array(array) => brackets(array, f),
            View::Binary { subtype, bytes } => binary(subtype, bytes, f),
            View::ObjectId(id) => write!(f, "ObjectId('{id}')"),
            View::Boolean(truth) => write!(f, "{truth}"),
            View::DateTime(millis) => write!(f, "new Date({millis})"),
            View::Timestamp { time, increment } => write!(f, "Timestamp({time}, {increment})"),
            View::Regex { pattern, options } => write!(f, "/{pattern}/{options}"),
            View::DbPointer { namespace, id } => write!(f, "DBRef('{namespace}', {id})"),
            View::Code(code) => f.write_str(code),
            View::CodeWithScope(code, scope) => write!(f, "CodeWScope( {code}, {})", Shown(View::Document(scope))),
        }
    }
}

fn double(number: f64, f: &mut Formatter<'_>) -> fmt::Result {
    match number {
        _ if number.is_nan() => f.write_str("nan.0"),
        _ if number.is_infinite() => f.write_str(if number < 0.0 { "-inf.0" } else { "inf.0" }),
        _ if number.fract() == 0.0 && number.abs() < 1e16 => write!(f, "{number:.1}"),
        _ => write!(f, "{number}"),
    }
}

fn braces(document: DocView<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    if document.is_empty() {
        return f.write_str("{}");
    }
    f.write_str("{ ")?;
    for (at, (name, value)) in document.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        write!(f, "{comma}{name}: {}", Shown(value))?;
    }
    f.write_str(" }")
}

fn brackets(array: ArrayView<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    if array.is_empty() {
        return f.write_str("[]");
    }
    f.write_str("[ ")?;
    for (at, value) in array.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        write!(f, "{comma}{}", Shown(value))?;
    }
    f.write_str(" ]")
}

fn binary(subtype: u8, bytes: &[u8], f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "BinData({subtype}, ")?;
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02X}"))?;
    f.write_str(")")
}
