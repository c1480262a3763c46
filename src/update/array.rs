//! `$addToSet`, `$pop`, and the culling behind `$pull` and `$pullAll`
//! (`src/mongo/db/update/addtoset_node.cpp`, `pop_node.cpp`, `array_culling_node.cpp`).

use super::apply::{Place, Scene};
use super::leaf::Effect;
use crate::error::{ErrorCode, Result, refuse};
use crate::value::{self, Bson, View, is_number, shown, type_alias};

/// The values of `$addToSet`: the items of `$each`, or the operand itself.
pub(super) fn set_items(operand: &Bson) -> Result<Vec<Bson>> {
    let Some((each, rest)) = each(operand) else {
        return Ok(vec![operand.clone()]);
    };
    let Bson::Array(items) = each else {
        let kind = type_alias(each.into());
        let message = format!("The argument to $each in $addToSet must be an array but it was of type {kind}");
        return refuse(ErrorCode::TypeMismatch, message);
    };
    match rest {
        Some(name) => {
            let message = format!("Found unexpected fields after $each in $addToSet: {{{name}}}");
            refuse(ErrorCode::BadValue, message)
        }
        None => Ok(items.clone()),
    }
}

/// `$each` as the first name of the operand, and the name of a second field.
fn each(operand: &Bson) -> Option<(&Bson, Option<&str>)> {
    let Bson::Document(document) = operand else {
        return None;
    };
    let mut fields = document.iter();
    let (name, value) = fields.next()?;
    (name == "$each").then(|| (value, fields.next().map(|(name, _)| name.as_str())))
}

/// The values without repeats, first ones first.
pub(super) fn distinct(values: &[Bson], scene: &Scene<'_>) -> Vec<Bson> {
    let mut set = Vec::new();
    for value in values {
        add(value, &mut set, scene);
    }
    set
}

fn add(value: &Bson, set: &mut Vec<Bson>, scene: &Scene<'_>) {
    if !set.iter().any(|item| scene.collation.compare(item.into(), value.into()).is_eq()) {
        set.push(value.clone());
    }
}

pub(super) fn add_to_set(
    values: &[Bson],
    old: View<'_>,
    place: &Place<'_>,
    scene: &Scene<'_>,
) -> Result<Effect<'static>> {
    let View::Array(items) = old else {
        let kind = type_alias(old);
        let message = format!(
            "Cannot apply $addToSet to non-array field. Field named '{}' has non-array type {kind}",
            place.name
        );
        return refuse(ErrorCode::BadValue, message);
    };
    let mut set = owned(items.iter());
    let length = set.len();
    for value in values {
        add(value, &mut set, scene);
    }
    Ok(if set.len() == length { Effect::Keep } else { Effect::put(Bson::Array(set)) })
}

fn owned<'v>(items: impl Iterator<Item = View<'v>>) -> Vec<Bson> {
    items.map(|item| item.to_bson()).collect()
}

/// The end that `$pop` takes from: -1 the first element, 1 the last.
pub(super) fn pop_end(name: &str, operand: &Bson) -> Result<bool> {
    if !is_number(operand.into()) {
        let message = format!("Expected a number in: {name}: {}", shown(operand));
        return refuse(ErrorCode::FailedToParse, message);
    }
    match value::exact_long(operand.into()) {
        Some(1) => Ok(false),
        Some(-1) => Ok(true),
        Some(other) => refuse(ErrorCode::FailedToParse, format!("$pop expects 1 or -1, found: {other}")),
        None => {
            let message = format!("Expected an integer: {name}: {}", shown(operand));
            refuse(ErrorCode::FailedToParse, message)
        }
    }
}

pub(super) fn pop(first: bool, old: View<'_>, place: &Place<'_>) -> Result<Effect<'static>> {
    let View::Array(items) = old else {
        let kind = type_alias(old);
        let message = format!("Path '{place}' contains an element of non-array type '{kind}'");
        return refuse(ErrorCode::TypeMismatch, message);
    };
    if items.is_empty() {
        return Ok(Effect::Keep);
    }
    let kept = items.iter().skip(usize::from(first)).take(items.len() - 1);
    Ok(Effect::put(Bson::Array(owned(kept))))
}

/// Keeps the elements that are not taken.
pub(super) fn cull(operator: &str, old: View<'_>, takes: impl Fn(View<'_>) -> bool) -> Result<Effect<'static>> {
    let View::Array(items) = old else {
        return refuse(ErrorCode::BadValue, format!("Cannot apply {operator} to a non-array value"));
    };
    let kept = owned(items.iter().filter(|item| !takes(*item)));
    Ok(if kept.len() == items.len() { Effect::Keep } else { Effect::put(Bson::Array(kept)) })
}
