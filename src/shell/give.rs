//! BSON values as the JavaScript objects a mongosh script works with.

use rquickjs::object::Property;
use rquickjs::{Array, BigInt, IntoJs, Object, Result, Value};

use super::tools::Tools;
use crate::value::{ArrayView, DocView, View, base64};

/// A document as a fresh object, fields in stored order (JavaScript itself puts integer-like names first).
pub(super) fn document<'js>(tools: &Tools<'js>, document: DocView<'_>) -> Result<Object<'js>> {
    let object = Object::new(tools.ctx().clone())?;
    for (name, field) in document.iter() {
        let field = value(tools, field)?;
        if name == "__proto__" {
            object.prop(name, Property::from(field).configurable().enumerable().writable())?;
        } else {
            object.set(name, field)?;
        }
    }
    Ok(object)
}

fn array<'js>(tools: &Tools<'js>, array: ArrayView<'_>) -> Result<Array<'js>> {
    let made = Array::new(tools.ctx().clone())?;
    for (at, element) in array.iter().enumerate() {
        made.set(at, value(tools, element)?)?;
    }
    Ok(made)
}

/// A value; ints and doubles become numbers, everything else without a JavaScript type an object of its BSON class.
pub(super) fn value<'js>(tools: &Tools<'js>, value: View<'_>) -> Result<Value<'js>> {
    let ctx = tools.ctx().clone();
    match value {
        View::Null => Ok(Value::new_null(ctx)),
        View::Undefined => Ok(Value::new_undefined(ctx)),
        View::Boolean(truth) => Ok(Value::new_bool(ctx, truth)),
        View::Int32(number) => Ok(Value::new_int(ctx, number)),
        // `new_number` makes an int of minus zero.
        View::Double(number) if number == 0.0 => Ok(Value::new_float(ctx, number)),
        View::Double(number) => Ok(Value::new_number(ctx, number)),
        View::String(text) => text.into_js(&ctx),
        View::Document(inner) => document(tools, inner).map(Object::into_value),
        View::Array(inner) => array(tools, inner).map(Array::into_value),
        View::DateTime(millis) => tools.date(millis),
        View::Regex { pattern, options } => regex(tools, pattern, options),
        View::ObjectId(id) => tools.boxed("oid", id.to_hex()),
        View::Int64(number) => tools.boxed("long", BigInt::from_i64(ctx, number)?),
        View::Decimal(number) => tools.boxed("decimal", number.to_string()),
        View::Timestamp { time, increment } => tools.boxed("ts", vec![f64::from(time), f64::from(increment)]),
        View::MinKey => tools.boxed("min", 0),
        View::MaxKey => tools.boxed("max", 0),
        View::Symbol(text) => tools.boxed("symbol", text),
        View::DbPointer { id, .. } => tools.boxed("oid", id.to_hex()),
        View::Code(code) => tools.boxed("code", vec![code]),
        View::CodeWithScope(code, scope) => code_with_scope(tools, code, scope),
        View::Binary { subtype, bytes } => binary(tools, subtype, bytes),
    }
}

fn code_with_scope<'js>(tools: &Tools<'js>, code: &str, scope: DocView<'_>) -> Result<Value<'js>> {
    let parts = Array::new(tools.ctx().clone())?;
    parts.set(0, code)?;
    parts.set(1, document(tools, scope)?)?;
    tools.boxed("code", parts)
}

fn binary<'js>(tools: &Tools<'js>, subtype: u8, bytes: &[u8]) -> Result<Value<'js>> {
    let parts = Array::new(tools.ctx().clone())?;
    parts.set(0, i32::from(subtype))?;
    parts.set(1, base64(bytes))?;
    tools.boxed("bin", parts)
}

/// A regex that JavaScript cannot hold (option `x`) stays a `BSONRegExp`.
fn regex<'js>(tools: &Tools<'js>, pattern: &str, options: &str) -> Result<Value<'js>> {
    if options.chars().all(|option| matches!(option, 'i' | 'm' | 's')) {
        return tools.regexp(pattern, options);
    }
    tools.boxed("regex", vec![pattern, options])
}
