//! Values as bytes that are equal exactly when the values compare equal: what `$group` hashes.

use crate::query::Collation;
use crate::value::{Decimal, View, canonical_type, exact_long};

/// Appends the bytes of a value; a missing one stands for itself.
pub fn write_key(out: &mut Vec<u8>, value: Option<View<'_>>, collation: &Collation) {
    let Some(value) = value else {
        return out.push(0xFF);
    };
    out.push(canonical_type(value).to_le_bytes()[0]);
    match value {
        View::String(text) | View::Symbol(text) => write_text(out, text, collation),
        View::Int32(_) | View::Int64(_) | View::Double(_) | View::Decimal(_) => write_number(out, value),
        View::Document(document) => {
            for (name, value) in document.iter() {
                write_bytes(out, name.as_bytes());
                write_key(out, Some(value), collation);
            }
            out.push(0xFE);
        }
        View::Array(array) => {
            array.iter().for_each(|item| write_key(out, Some(item), collation));
            out.push(0xFE);
        }
        View::Binary { subtype, bytes } => {
            out.push(subtype);
            write_bytes(out, bytes);
        }
        View::ObjectId(id) => out.extend_from_slice(&id.bytes()),
        View::DbPointer { namespace, id } => {
            write_bytes(out, namespace.as_bytes());
            out.extend_from_slice(&id.bytes());
        }
        View::Boolean(truth) => out.push(u8::from(truth)),
        View::DateTime(millis) => out.extend_from_slice(&millis.to_le_bytes()),
        View::Timestamp { time, increment } => {
            out.extend_from_slice(&time.to_le_bytes());
            out.extend_from_slice(&increment.to_le_bytes());
        }
        View::Regex { pattern, options } => {
            write_bytes(out, pattern.as_bytes());
            write_bytes(out, options.as_bytes());
        }
        View::Code(code) => write_bytes(out, code.as_bytes()),
        View::CodeWithScope(code, scope) => {
            write_bytes(out, code.as_bytes());
            write_key(out, Some(View::Document(scope)), collation);
        }
        View::MinKey | View::Undefined | View::Null | View::MaxKey => {}
    }
}

/// Appends the bytes of text as they are without a collation.
pub fn write_text_key(out: &mut Vec<u8>, text: &[u8]) {
    out.push(canonical_type(View::String("")).to_le_bytes()[0]);
    write_bytes(out, text);
}

/// The bytes of one value.
#[must_use]
pub fn key_of(value: Option<View<'_>>, collation: &Collation) -> Vec<u8> {
    let mut out = Vec::new();
    write_key(&mut out, value, collation);
    out
}

fn write_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
    out.extend_from_slice(bytes);
}

fn write_text(out: &mut Vec<u8>, text: &str, collation: &Collation) {
    if collation.is_simple() {
        write_bytes(out, text.as_bytes());
    } else {
        write_bytes(out, &collation.sort_key(text));
    }
}

/// Whole numbers by value, others as the double or decimal they are, a decimal that is exactly a double as the double.
fn write_number(out: &mut Vec<u8>, value: View<'_>) {
    if let Some(whole) = exact_long(value) {
        out.push(1);
        return out.extend_from_slice(&whole.to_le_bytes());
    }
    let double = match value {
        View::Double(double) => Some(double),
        View::Decimal(decimal) => {
            let near = Decimal::from_bson(decimal).to_double();
            crate::value::equal(View::Double(near), value).then_some(near)
        }
        _ => None,
    };
    match (double, value) {
        (Some(double), _) if double.is_nan() => out.push(2),
        (Some(double), _) => {
            out.push(3);
            out.extend_from_slice(&double.to_bits().to_le_bytes());
        }
        (None, View::Decimal(decimal)) => write_decimal(out, Decimal::from_bson(decimal)),
        _ => {}
    }
}

fn write_decimal(out: &mut Vec<u8>, decimal: Decimal) {
    let Decimal::Finite(mut finite) = decimal else {
        return;
    };
    while finite.coefficient != 0 && finite.coefficient % 10 == 0 {
        finite.coefficient /= 10;
        finite.exponent += 1;
    }
    out.push(4);
    out.push(u8::from(finite.negative));
    out.extend_from_slice(&finite.coefficient.to_le_bytes());
    out.extend_from_slice(&finite.exponent.to_le_bytes());
}
