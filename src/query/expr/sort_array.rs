//! `$sortArray`: by value, or by fields of its documents.

use crate::error::{CommandError, Result};
use crate::query::{ElementOrder, SortPattern};
use crate::value::{ArrayBuilder, Bson, View, truncated_long, type_alias};

use super::env::{Env, Scope};
use super::forms::Form;
use super::node::Node;
use super::parse;
use super::value::Value;

/// What is sorted by.
#[derive(Debug, Clone)]
pub(super) struct SortBy {
    order: ElementOrder,
    /// A pattern as it was written, or 1 or -1.
    written: Bson,
}

impl SortBy {
    pub(super) fn to_bson(&self) -> Bson {
        self.written.clone()
    }

    fn whole(descending: bool) -> Self {
        Self { order: ElementOrder::Whole(descending), written: Bson::Int32(if descending { -1 } else { 1 }) }
    }
}

/// Parses the form.
pub(super) fn parse(value: &Bson, scope: &Scope) -> Result<Form> {
    let Bson::Document(given) = value else {
        let found = type_alias(value.into());
        return Err(CommandError::new(
            2_942_500,
            format!("$sortArray requires an object as an argument, found: {found}"),
        ));
    };
    if let Some(name) = given.keys().find(|name| !["input", "sortBy"].contains(&name.as_str())) {
        return Err(
            CommandError::new(2_942_501, format!("$sortArray found an unknown argument: {name}")).inside_field(name)
        );
    }
    let input = given
        .get("input")
        .ok_or_else(|| CommandError::new(2_942_502, "$sortArray requires 'input' to be specified"))?;
    let by = given
        .get("sortBy")
        .ok_or_else(|| CommandError::new(2_942_503, "$sortArray requires 'sortBy' to be specified"))?;
    let by = sort_by(by).map_err(|error| error.inside_field("sortBy"))?;
    Ok(Form::SortArray { input: parse::field("input", input, scope)?, by })
}

fn sort_by(value: &Bson) -> Result<SortBy> {
    match value {
        Bson::Document(pattern) if pattern.is_empty() => {
            Err(CommandError::new(2_942_505, "expected at least one sort key in $sortArray"))
        }
        Bson::Document(pattern) => {
            SortPattern::parse(pattern, crate::query::Collation::simple())?;
            Ok(SortBy { order: ElementOrder::of(pattern), written: value.clone() })
        }
        other => match truncated_long(other.into()) {
            Some(1) => Ok(SortBy::whole(false)),
            Some(-1) => Ok(SortBy::whole(true)),
            _ => {
                Err(CommandError::new(2_942_506, "$sort key ordering must be 1 (for ascending) or -1 (for descending)"))
            }
        },
    }
}

/// Sorts; equal elements keep their order.
pub(super) fn evaluate<'a>(input: &'a Node, by: &'a SortBy, env: &Env<'a>) -> Result<Value<'a>> {
    let list = input.evaluate(env)?;
    if list.is_nullish() {
        return Ok(Value::NULL);
    }
    let Some(array) = list.array() else {
        let found = list.type_name();
        return Err(CommandError::new(
            2_942_504,
            format!("The input argument to $sortArray must be an array, but was of type: {found}"),
        ));
    };
    let mut items: Vec<View<'_>> = array.iter().collect();
    let collation = env.context.collation();
    items.sort_by(|left, right| by.order.compare(*left, *right, collation));
    Ok(items.into_iter().collect::<ArrayBuilder>().finish().into())
}
