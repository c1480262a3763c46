//! Documents: `$mergeObjects`, `$objectToArray`, and fields by computed or awkward names.

use crate::error::{CommandError, CommandPath, Result};
use crate::value::{ArrayBuilder, Bson, DocView, DocumentBuilder, View, type_alias};

use super::env::{Env, Scope};
use super::node::{Node, Reference};
use super::parse;
use super::table::{self, Call, Named, Operator, Refusal, Shape};
use super::value::Value;

pub(super) const OPERATORS: &[Operator] = &[
    Operator { name: "$mergeObjects", shape: Shape::Any, run: merge },
    Operator { name: "$objectToArray", shape: Shape::Exactly(1), run: to_array },
    Operator { name: "$getField", shape: Shape::Named(&GET_FIELD), run: get_field },
    Operator { name: "$setField", shape: Shape::Named(&SET_FIELD), run: set_field },
    Operator { name: "$unsetField", shape: Shape::Named(&UNSET_FIELD), run: set_field },
];

const GET_FIELD: Named = Named {
    no_document: Refusal(3_041_700, "$getField requires an object as an argument, found: {}"),
    unknown: Refusal(3_041_701, "$getField found an unknown argument: {}"),
    fields: &[
        ("field", Some(Refusal(3_041_702, "$getField requires 'field' to be specified"))),
        ("input", Some(Refusal(3_041_703, "$getField requires 'input' to be specified"))),
    ],
};

const SET_FIELD: Named = Named {
    no_document: Refusal(4_161_100, "$setField only supports an object as its argument"),
    unknown: Refusal(4_161_101, "$setField found an unknown argument: {}"),
    fields: &[
        ("field", Some(Refusal(4_161_102, "$setField requires 'field' to be specified"))),
        ("input", Some(Refusal(4_161_109, "$setField requires 'input' to be specified"))),
        ("value", Some(Refusal(4_161_103, "$setField requires 'value' to be specified"))),
    ],
};

const UNSET_FIELD: Named = Named {
    no_document: Refusal(4_161_100, "$unsetField only supports an object as its argument"),
    unknown: Refusal(4_161_101, "$unsetField found an unknown argument: {}"),
    fields: &[
        ("field", Some(Refusal(4_161_102, "$unsetField requires 'field' to be specified"))),
        ("input", Some(Refusal(4_161_109, "$unsetField requires 'input' to be specified"))),
    ],
};

/// Adds the fields of a document to others; a field that is there keeps its place and takes the new value.
pub(crate) fn merge_into<'v>(fields: &mut Vec<(&'v str, View<'v>)>, document: DocView<'v>) {
    for (name, value) in document.iter() {
        match fields.iter_mut().find(|(known, _)| *known == name) {
            Some(place) => place.1 = value,
            None => fields.push((name, value)),
        }
    }
}

fn merge<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    // One operand may itself be an array of documents, as in the accumulator's form.
    let values = call.values(env)?;
    let mut fields = Vec::new();
    for value in &values {
        if value.is_nullish() {
            continue;
        }
        match value.as_document() {
            Some(document) => merge_into(&mut fields, document),
            None => return Err(not_an_object(value)),
        }
    }
    let mut merged = DocumentBuilder::packed();
    for (name, value) in fields {
        merged.append(name, value);
    }
    Ok(merged.finish_packed().into())
}

/// What `$mergeObjects` says of an operand that is no document.
pub(crate) fn not_an_object(value: &Value<'_>) -> crate::error::CommandError {
    let (shown, found) = (value.shown(), value.type_name());
    CommandError::new(40400, format!("$mergeObjects requires object inputs, but input {shown} is of type {found}"))
}

fn to_array<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let value = call.value(0, env)?;
    if value.is_nullish() {
        return Ok(Value::NULL);
    }
    let Some(document) = value.as_document() else {
        let found = value.type_name();
        return Err(CommandError::new(40390, format!("$objectToArray requires a document input, found: {found}")));
    };
    let mut pairs = ArrayBuilder::new();
    for (name, value) in document.iter() {
        pairs.push_document(|pair| {
            pair.append("k", View::String(name));
            pair.append("v", value);
        });
    }
    Ok(pairs.finish().into())
}

/// Parses `$getField`: a name, or a document of `field` and `input`.
pub(super) fn parse_get_field(value: &Bson, scope: &Scope) -> Result<Node> {
    let operator = table::find("$getField").expect("the table holds $getField");
    let named = matches!(value, Bson::Document(given) if given.keys().next().is_none_or(|name| !name.starts_with('$')));
    let node = if named {
        table::parse_call(operator, value, scope)?
    } else {
        let field = parse::operand(value, scope)?;
        let input = Node::Path(Reference::Current, crate::value::Path::default());
        Node::Call(Call { operator, operands: vec![Some(field), Some(input)], listed: false })
    };
    check_field_constant("$getField", node, [5_654_601, 5_654_602, 5_654_600])
}

/// Parses `$setField` and `$unsetField`.
pub(super) fn parse_set_field(name: &str, value: &Bson, scope: &Scope) -> Result<Node> {
    let operator = table::find(name).expect("the table holds both");
    if name == "$setField" {
        check_value_given(value)?;
    }
    let node = table::parse_call(operator, value, scope)?;
    check_field_constant(name, node, [4_161_106, 4_161_107, 4_161_108])
}

/// `value` is missed before `input` is.
fn check_value_given(value: &Bson) -> Result<()> {
    let Bson::Document(given) = value else { return Ok(()) };
    let known = |name: &String| SET_FIELD.fields.iter().any(|(field, _)| field == name);
    match SET_FIELD.fields[2] {
        (name, Some(refusal))
            if given.contains_key("field") && !given.contains_key(name) && given.keys().all(known) =>
        {
            Err(refusal.error(""))
        }
        _ => Ok(()),
    }
}

/// The name of the field has to be known when the expression is parsed, and to be text; the codes are those for what has
/// to be computed, for another type, and for a path.
fn check_field_constant(name: &str, node: Node, [computed, other_type, path_code]: [i32; 3]) -> Result<Node> {
    let Node::Call(Call { operands, .. }) = &node else {
        return Ok(node);
    };
    let here = CommandPath::argument("field");
    match &operands[0] {
        Some(Node::Constant(Bson::String(_))) => Ok(node),
        Some(Node::Constant(other)) => {
            let found = type_alias(other.into());
            let message = format!("{name} requires 'field' to evaluate to type String, but got {found}");
            Err(CommandError::new(other_type, message).at(here))
        }
        Some(Node::Path(_, path)) => {
            let message = format!(
                "'${path}' is a field path reference which is not allowed in this context. Did you mean {{$literal: '${path}'}}?"
            );
            Err(CommandError::new(path_code, message).at(here))
        }
        _ => {
            let message = format!("{name} requires 'field' to evaluate to a constant, but got a non-constant argument");
            Err(CommandError::new(computed, message).at(here))
        }
    }
}

fn field_name(call: &Call) -> &str {
    match &call.operands[0] {
        Some(Node::Constant(Bson::String(name))) => name,
        _ => "",
    }
}

fn get_field<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let input = call.value(1, env)?;
    if let Value::View(View::Document(document)) = input {
        return Ok(document.get(field_name(call)).into());
    }
    match input.view() {
        Some(View::Null | View::Undefined) => Ok(Value::NULL),
        Some(View::Document(document)) => Ok(Value::from(document.get(field_name(call))).into_owned()),
        _ => Ok(Value::Missing),
    }
}

/// A missing value takes the field away.
fn set_field<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (input, value) = (call.value(1, env)?, call.value(2, env)?);
    if input.is_nullish() {
        return Ok(Value::NULL);
    }
    let Some(document) = input.as_document() else {
        let (name, found) = (call.name(), input.type_name());
        return Err(CommandError::new(
            4_161_105,
            format!("{name} requires 'input' to evaluate to type Object, but got {found}"),
        ));
    };
    let name = field_name(call);
    let mut changed = DocumentBuilder::packed();
    let mut written = false;
    for (known, old) in document.iter() {
        if known != name {
            changed.append(known, old);
        } else if let Some(new) = value.view() {
            changed.append(name, new);
            written = true;
        }
    }
    if let (false, Some(new)) = (written, value.view()) {
        changed.append(name, new);
    }
    Ok(changed.finish_packed().into())
}
