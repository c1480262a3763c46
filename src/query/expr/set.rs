//! Arrays as sets: order and repeats do not count.

use std::cmp::Ordering;

use crate::error::{CommandError, Result};
use crate::value::{ArrayView, View};

use super::env::Env;
use super::gather::list;
use super::table::{Call, Operator, Shape};
use super::value::Value;

pub(super) const OPERATORS: &[Operator] = &[
    Operator { name: "$setEquals", shape: Shape::Between(2, usize::MAX), run: equals },
    Operator { name: "$setIntersection", shape: Shape::Any, run: intersection },
    Operator { name: "$setUnion", shape: Shape::Any, run: union },
    Operator { name: "$setDifference", shape: Shape::Exactly(2), run: difference },
    Operator { name: "$setIsSubset", shape: Shape::Exactly(2), run: is_subset },
    Operator { name: "$anyElementTrue", shape: Shape::Exactly(1), run: any_true },
    Operator { name: "$allElementsTrue", shape: Shape::Exactly(1), run: all_true },
];

/// The different elements, sorted.
fn elements<'v>(value: &'v Value<'_>, env: &Env<'_>) -> Vec<View<'v>> {
    let mut items: Vec<View<'v>> = value.array().into_iter().flat_map(ArrayView::iter).collect();
    items.sort_by(|left, right| order(env, *left, *right));
    items.dedup_by(|left, right| order(env, *left, *right).is_eq());
    items
}

fn order(env: &Env<'_>, left: View<'_>, right: View<'_>) -> Ordering {
    env.context.collation().compare(left, right)
}

fn contains(set: &[View<'_>], wanted: View<'_>, env: &Env<'_>) -> bool {
    set.binary_search_by(|item| order(env, *item, wanted)).is_ok()
}

fn need_arrays(call: &Call, values: &[Value<'_>], code: i32) -> Result<()> {
    match values.iter().position(|value| value.array().is_none()) {
        None => Ok(()),
        Some(at) => {
            let (name, found) = (call.name(), values[at].type_name());
            let which = if name == "$setEquals" { format!("{}-th argument", at + 1) } else { "One argument".into() };
            Err(CommandError::new(code, format!("All operands of {name} must be arrays. {which} is of type: {found}")))
        }
    }
}

fn equals<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let values = call.values(env)?;
    need_arrays(call, &values, 17044)?;
    let first = elements(&values[0], env);
    let same = |other: &Value<'_>| {
        let other = elements(other, env);
        first.len() == other.len() && first.iter().zip(&other).all(|(a, b)| order(env, *a, *b).is_eq())
    };
    Ok(values[1..].iter().all(same).into())
}

fn intersection<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let values = call.values(env)?;
    if values.iter().any(Value::is_nullish) {
        return Ok(Value::NULL);
    }
    need_arrays(call, &values, 17047)?;
    let Some((first, rest)) = values.split_first() else {
        return Ok(list([]));
    };
    let others: Vec<_> = rest.iter().map(|value| elements(value, env)).collect();
    let kept = elements(first, env).into_iter();
    Ok(list(kept.filter(|item| others.iter().all(|other| contains(other, *item, env)))))
}

fn union<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let values = call.values(env)?;
    if values.iter().any(Value::is_nullish) {
        return Ok(Value::NULL);
    }
    need_arrays(call, &values, 17043)?;
    let mut all: Vec<View<'_>> = values.iter().flat_map(|value| elements(value, env)).collect();
    all.sort_by(|left, right| order(env, *left, *right));
    all.dedup_by(|left, right| order(env, *left, *right).is_eq());
    Ok(list(all))
}

/// The elements of the first that the second lacks, in their order.
fn difference<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (left, right) = (call.value(0, env)?, call.value(1, env)?);
    if left.is_nullish() || right.is_nullish() {
        return Ok(Value::NULL);
    }
    let need = |value: &Value<'_>, code, which| {
        let found = value.type_name();
        CommandError::new(
            code,
            format!("both operands of $setDifference must be arrays. {which} argument is of type: {found}"),
        )
    };
    let array = left.array().ok_or_else(|| need(&left, 17048, "First"))?;
    right.array().ok_or_else(|| need(&right, 17049, "Second"))?;
    let without = elements(&right, env);
    let mut kept: Vec<View<'_>> = Vec::new();
    for item in array.iter().filter(|item| !contains(&without, *item, env)) {
        if !kept.iter().any(|known| order(env, *known, item).is_eq()) {
            kept.push(item);
        }
    }
    Ok(list(kept))
}

fn is_subset<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (left, right) = (call.value(0, env)?, call.value(1, env)?);
    for (value, code, which) in [(&left, 17046, "First"), (&right, 17042, "Second")] {
        if value.array().is_none() {
            let found = value.type_name();
            return Err(CommandError::new(
                code,
                format!("both operands of $setIsSubset must be arrays. {which} argument is of type: {found}"),
            ));
        }
    }
    let whole = elements(&right, env);
    Ok(elements(&left, env).into_iter().all(|item| contains(&whole, item, env)).into())
}

fn truths<'a>(call: &'a Call, env: &Env<'a>, code: i32) -> Result<Vec<bool>> {
    let value = call.value(0, env)?;
    let Some(array) = value.array() else {
        let (name, found) = (call.name(), value.type_name());
        return Err(CommandError::new(code, format!("{name}'s argument must be an array, but is {found}")));
    };
    Ok(array.iter().map(crate::value::is_true).collect())
}

fn any_true<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    Ok(truths(call, env, 17041)?.contains(&true).into())
}

fn all_true<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    Ok((!truths(call, env, 17040)?.contains(&false)).into())
}
