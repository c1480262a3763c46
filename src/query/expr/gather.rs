//! Accumulators as expressions: over the elements of an array, or over the operands.

use crate::error::{CommandError, Result};
use crate::value::{ArrayBuilder, View, exact_long};

use super::accumulator::Accumulator;
use super::env::Env;
use super::number::Number;
use super::table::{Call, Named, Operator, Refusal, Shape};
use super::value::Value;

pub(super) const OPERATORS: &[Operator] = &[
    Operator { name: "$sum", shape: Shape::Any, run: gather },
    Operator { name: "$avg", shape: Shape::Any, run: gather },
    Operator { name: "$min", shape: Shape::Any, run: gather },
    Operator { name: "$max", shape: Shape::Any, run: gather },
    Operator { name: "$stdDevPop", shape: Shape::Any, run: gather },
    Operator { name: "$stdDevSamp", shape: Shape::Any, run: gather },
    Operator { name: "$firstN", shape: Shape::Named(&N_OPERANDS), run: gather_n },
    Operator { name: "$lastN", shape: Shape::Named(&N_OPERANDS), run: gather_n },
    Operator { name: "$minN", shape: Shape::Named(&N_OPERANDS), run: gather_n },
    Operator { name: "$maxN", shape: Shape::Named(&N_OPERANDS), run: gather_n },
];

const N_OPERANDS: Named = Named {
    no_document: Refusal(5_787_900, "specification must be an object; found {}"),
    unknown: Refusal(5_787_901, "Unknown argument for 'n' operator: {}"),
    fields: &[
        ("n", Some(Refusal(5_787_906, "Missing value for 'n'"))),
        ("input", Some(Refusal(5_787_907, "Missing value for 'input'"))),
    ],
};

fn which(call: &Call) -> Accumulator {
    Accumulator::of_name(call.name()).expect("the table names accumulators only")
}

fn gather<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let mut tally = which(call).start(0, &[]);
    if call.operands.len() == 1 {
        let value = call.value(0, env)?;
        if let Some(array) = value.array() {
            for item in array.iter() {
                tally.add(&Value::View(item), env.context)?;
            }
            return Ok(tally.value());
        }
        tally.add(&value, env.context)?;
        return Ok(tally.value());
    }
    for at in 0..call.operands.len() {
        tally.add(&call.value(at, env)?, env.context)?;
    }
    Ok(tally.value())
}

/// The operand `n` of the N forms: a whole number above zero.
///
/// # Errors
/// 5787902, 5787903, 5787908.
pub fn positive_n(value: &Value<'_>) -> Result<usize> {
    let shown = || value.shown();
    if value.view().and_then(Number::of).is_none() {
        return Err(CommandError::new(
            5_787_902,
            format!("Value for 'n' must be of integral type, but found {}", shown()),
        ));
    }
    match value.view().and_then(exact_long) {
        None => {
            Err(CommandError::new(5_787_903, format!("Value for 'n' must be of integral type, but found {}", shown())))
        }
        Some(whole) => match usize::try_from(whole) {
            Ok(n @ 1..) => Ok(n),
            _ => Err(CommandError::new(5_787_908, format!("'n' must be greater than 0, found {whole}"))),
        },
    }
}

fn gather_n<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let n = positive_n(&call.value(0, env)?)?;
    let input = call.value(1, env)?;
    let Some(array) = input.array() else {
        return Err(CommandError::new(5_788_200, "Input must be an array"));
    };
    let mut tally = which(call).start(n, &[]);
    for item in array.iter() {
        tally.add(&Value::View(item), env.context)?;
    }
    Ok(tally.value())
}

/// Views as an array.
pub(super) fn list<'v>(views: impl IntoIterator<Item = View<'v>>) -> Value<'static> {
    views.into_iter().collect::<ArrayBuilder>().finish().into()
}
