//! Truth, comparison and choice: `$and`, `$eq`, `$cond` and their like.

use std::cmp::Ordering;

use crate::error::Result;

use super::env::Env;
use super::table::{Call, Operator, Shape};
use super::value::Value;

pub(super) const OPERATORS: &[Operator] = &[
    Operator { name: "$and", shape: Shape::Any, run: and },
    Operator { name: "$or", shape: Shape::Any, run: or },
    Operator { name: "$not", shape: Shape::Exactly(1), run: not },
    Operator { name: "$cmp", shape: Shape::Exactly(2), run: |call, env| Ok((order(call, env)? as i32).into()) },
    Operator { name: "$eq", shape: Shape::Exactly(2), run: |call, env| Ok(order(call, env)?.is_eq().into()) },
    Operator { name: "$ne", shape: Shape::Exactly(2), run: |call, env| Ok(order(call, env)?.is_ne().into()) },
    Operator { name: "$gt", shape: Shape::Exactly(2), run: |call, env| Ok(order(call, env)?.is_gt().into()) },
    Operator { name: "$gte", shape: Shape::Exactly(2), run: |call, env| Ok(order(call, env)?.is_ge().into()) },
    Operator { name: "$lt", shape: Shape::Exactly(2), run: |call, env| Ok(order(call, env)?.is_lt().into()) },
    Operator { name: "$lte", shape: Shape::Exactly(2), run: |call, env| Ok(order(call, env)?.is_le().into()) },
    Operator { name: "$cond", shape: Shape::Exactly(3), run: cond },
    Operator { name: "$ifNull", shape: Shape::Between(2, usize::MAX), run: if_null },
];

fn and<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    for at in 0..call.operands.len() {
        if !call.value(at, env)?.is_true() {
            return Ok(false.into());
        }
    }
    Ok(true.into())
}

fn or<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    for at in 0..call.operands.len() {
        if call.value(at, env)?.is_true() {
            return Ok(true.into());
        }
    }
    Ok(false.into())
}

fn not<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    Ok((!call.value(0, env)?.is_true()).into())
}

fn order<'a>(call: &'a Call, env: &Env<'a>) -> Result<Ordering> {
    let (left, right) = (call.value(0, env)?, call.value(1, env)?);
    Ok(env.context.compare(&left, &right))
}

fn cond<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let chosen = if call.value(0, env)?.is_true() { 1 } else { 2 };
    call.value(chosen, env)
}

/// The first operand that is not nullish; the last one as it is.
fn if_null<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let last = call.operands.len() - 1;
    for at in 0..last {
        let value = call.value(at, env)?;
        if !value.is_nullish() {
            return Ok(value);
        }
    }
    call.value(last, env)
}
