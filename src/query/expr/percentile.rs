//! `$median` and `$percentile` as expressions, and the operands they share with the accumulators.

use crate::error::{CommandError, ErrorCode, Result};
use crate::value::{Bson, Document};

use super::accumulator::{Accumulator, fractions};
use super::env::{Context, Env, Scope};
use super::forms::Form;
use super::node::{Expression, Node};
use super::parse;
use super::value::Value;

/// Reads `{input, method}` or `{input, p, method}`.
///
/// # Errors
/// 40414 and 40415 for fields missing or unknown, 7750300 and 7750301 for operands that are none.
pub fn parse_quantile(name: &str, value: &Bson, scope: &Scope) -> Result<(Accumulator, Expression, Vec<f64>)> {
    let Bson::Document(document) = value else {
        let found = crate::value::type_alias(value.into());
        let code = if name == "$median" { 7_436_100 } else { 7_436_200 };
        return Err(CommandError::new(code, format!("specification must be an object; found {name}: {found}")));
    };
    let median = name == "$median";
    let known: &[&str] = if median { &["input", "method"] } else { &["input", "p", "method"] };
    if let Some(wrong) = document.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(
            CommandError::new(40415, format!("BSON field '{name}.{wrong}' is an unknown field.")).inside_field(wrong)
        );
    }
    let need = |field: &str| {
        document.get(field).ok_or_else(|| {
            CommandError::new(40414, format!("BSON field '{name}.{field}' is missing but a required field"))
        })
    };
    let input = need("input")?;
    let p = if median { None } else { Some(need("p")?) };
    match need("method")? {
        Bson::String(method) if method == "approximate" => {}
        Bson::String(_) => {
            let message = "Currently only 'approximate' can be used as percentile 'method'.";
            return Err(CommandError::new(ErrorCode::BadValue, message).inside_field("method"));
        }
        other => return Err(wrong_type(name, "method", other)),
    }
    let which = if median { Accumulator::Median } else { Accumulator::Percentile };
    let p = p.map(|p| constant_fractions(p, scope).map_err(|error| error.inside_field("p"))).transpose()?;
    let input = parse::field("input", input, scope)?;
    Ok((which, Expression(input), p.unwrap_or_default()))
}

fn wrong_type(name: &str, field: &str, value: &Bson) -> CommandError {
    let found = crate::value::type_alias(value.into());
    let message = format!("BSON field '{name}.{field}' is the wrong type '{found}', expected type 'string'");
    CommandError::new(ErrorCode::TypeMismatch, message).inside_field(field)
}

/// The fractions may be written as an expression that reads no document.
fn constant_fractions(p: &Bson, scope: &Scope) -> Result<Vec<f64>> {
    let node = parse::operand(p, scope)?;
    let mut node = node;
    super::fold::fold(&mut node, &Context::default())?;
    match node {
        Node::Constant(value) => fractions(&value),
        _ => Err(CommandError::new(7_750_300, "The $percentile 'p' field must be an array of constant values")),
    }
}

/// Parses the expression form.
pub(super) fn parse(name: &str, value: &Bson, scope: &Scope) -> Result<Form> {
    let (which, input, p) = parse_quantile(name, value, scope)?;
    Ok(Form::Percentile { which, input: input.0, p })
}

/// An array gives its numbers, a number itself; without any number the answer is null.
pub(super) fn evaluate<'a>(which: Accumulator, input: &'a Node, p: &[f64], env: &Env<'a>) -> Result<Value<'a>> {
    let value = input.evaluate(env)?;
    let mut tally = which.start(0, p);
    let context: &Context = env.context;
    match value.array() {
        Some(array) => {
            for item in array.iter() {
                tally.add(&Value::View(item), context)?;
            }
        }
        None => tally.add(&value, context)?,
    }
    Ok(tally.value())
}

/// The written operands.
pub(super) fn to_document(which: Accumulator, input: &Node, p: &[f64]) -> Document {
    let mut fields = Document::from_iter([("input".to_owned(), input.to_bson())]);
    if which == Accumulator::Percentile {
        fields.insert("p", Bson::Array(p.iter().map(|p| Bson::Double(*p)).collect()));
    }
    fields.insert("method", "approximate");
    fields
}
