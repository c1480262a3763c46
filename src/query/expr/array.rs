//! Arrays: elements, parts, positions, and arrays made of others.

use crate::error::{CommandError, Result};
use crate::value::{ArrayBuilder, ArrayView, DocumentBuilder, View};

use super::env::Env;
use super::node::Node;
use super::number::{Number, as_i32};
use super::table::{Call, Operator, Shape};
use super::value::{Value, count};

pub(super) const OPERATORS: &[Operator] = &[
    Operator { name: "$arrayElemAt", shape: Shape::Exactly(2), run: elem_at },
    Operator { name: "$first", shape: Shape::Exactly(1), run: first },
    Operator { name: "$last", shape: Shape::Exactly(1), run: last },
    Operator { name: "$concatArrays", shape: Shape::Any, run: concat },
    Operator { name: "$in", shape: Shape::Exactly(2), run: contains },
    Operator { name: "$indexOfArray", shape: Shape::Between(2, 4), run: index_of },
    Operator { name: "$isArray", shape: Shape::Exactly(1), run: is_array },
    Operator { name: "$range", shape: Shape::Between(2, 3), run: range },
    Operator { name: "$reverseArray", shape: Shape::Exactly(1), run: reverse },
    Operator { name: "$size", shape: Shape::Exactly(1), run: size },
    Operator { name: "$slice", shape: Shape::Between(2, 3), run: slice },
    Operator { name: "$arrayToObject", shape: Shape::Exactly(1), run: to_object },
];

/// The element at a position counted from the front, or from the back where negative.
fn element<'a>(array: &Value<'a>, at: i64) -> Value<'a> {
    let pick = |view: ArrayView<'_>| match usize::try_from(at) {
        Ok(at) => Some(at),
        Err(_) => view.len().checked_sub(usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX)),
    };
    match array {
        Value::View(View::Array(view)) => pick(*view).and_then(|at| view.get(at)).into(),
        other => {
            let view = other.array();
            let found = view.and_then(|view| view.get(pick(view)?));
            found.map_or(Value::Missing, |view| Value::View(view).into_owned())
        }
    }
}

fn elem_at<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (array, at) = (call.value(0, env)?, call.value(1, env)?);
    if array.is_nullish() || at.is_nullish() {
        return Ok(Value::NULL);
    }
    if array.array().is_none() {
        let found = array.type_name();
        return Err(CommandError::new(
            28689,
            format!("$arrayElemAt's first argument must be an array, but is {found}"),
        ));
    }
    if at.view().and_then(Number::of).is_none() {
        let found = at.type_name();
        return Err(CommandError::new(
            28690,
            format!("$arrayElemAt's second argument must be a numeric value, but is {found}"),
        ));
    }
    let Some(index) = at.view().and_then(as_i32) else {
        let shown = at.shown();
        return Err(CommandError::new(
            28691,
            format!("$arrayElemAt's second argument must be representable as a 32-bit integer: {shown}"),
        ));
    };
    Ok(element(&array, i64::from(index)))
}

fn first<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    end(call, env, 0)
}

fn last<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    end(call, env, -1)
}

fn end<'a>(call: &'a Call, env: &Env<'a>, at: i64) -> Result<Value<'a>> {
    let array = call.value(0, env)?;
    if array.is_nullish() {
        return Ok(Value::NULL);
    }
    if array.array().is_none() {
        let (name, found) = (call.name(), array.type_name());
        return Err(CommandError::new(28689, format!("{name}'s argument must be an array, but is {found}")));
    }
    Ok(element(&array, at))
}

fn concat<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let mut all = ArrayBuilder::new();
    for at in 0..call.operands.len() {
        let value = call.value(at, env)?;
        if value.is_nullish() {
            return Ok(Value::NULL);
        }
        let Some(array) = value.array() else {
            return Err(CommandError::new(
                28664,
                format!("$concatArrays only supports arrays, not {}", value.type_name()),
            ));
        };
        array.iter().for_each(|item| all.push(item));
    }
    Ok(all.finish().into())
}

fn contains<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (wanted, list) = (call.value(0, env)?, call.value(1, env)?);
    let Some(array) = list.array() else {
        return Err(CommandError::new(
            40081,
            format!("$in requires an array as a second argument, found: {}", list.type_name()),
        ));
    };
    let found = array.iter().any(|item| env.context.compare(&wanted, &Value::View(item)).is_eq());
    Ok(found.into())
}

/// An optional bound of `$indexOfArray` and the string searches.
pub(super) fn search_bound(call: &Call, value: &Value<'_>, which: &str) -> Result<usize> {
    let name = call.name();
    let Some(number) = value.view().and_then(as_i32) else {
        let (found, shown) = (value.type_name(), value.shown());
        return Err(CommandError::new(
            40096,
            format!(
                "{name} requires an integral {which} index, found a value of type: {found}, with value: \"{shown}\""
            ),
        ));
    };
    usize::try_from(number)
        .map_err(|_| CommandError::new(40097, format!("{name} requires a nonnegative {which} index, found: {number}")))
}

fn index_of<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let list = call.value(0, env)?;
    if list.is_nullish() {
        return Ok(Value::NULL);
    }
    let Some(array) = list.array() else {
        let found = list.type_name();
        return Err(CommandError::new(
            40090,
            format!("$indexOfArray requires an array as a first argument, found: {found}"),
        ));
    };
    let wanted = call.value(1, env)?;
    let bound = |at: usize, which: &str, absent: usize| {
        if call.given(at) { search_bound(call, &call.value(at, env)?, which) } else { Ok(absent) }
    };
    let (from, to) = (bound(2, "starting", 0)?, bound(3, "ending", usize::MAX)?);
    let mut places = array.iter().enumerate().skip(from).take(to.saturating_sub(from));
    let found = places.find(|(_, item)| env.context.compare(&wanted, &Value::View(*item)).is_eq());
    Ok(found.map_or(Value::from(-1), |(at, _)| count(at)))
}

fn is_array<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    Ok(call.value(0, env)?.array().is_some().into())
}

fn range_bound(value: &Value<'_>, code: i32, which: &str) -> Result<i64> {
    if value.view().and_then(Number::of).is_none() {
        let found = value.type_name();
        return Err(CommandError::new(
            code,
            format!("$range requires a numeric {which} value, found value of type: {found}"),
        ));
    }
    value.view().and_then(as_i32).map(i64::from).ok_or_else(|| {
        let shown = value.shown();
        let article = if which == "ending" { "an" } else { "a" };
        CommandError::new(
            code + 1,
            format!(
                "$range requires {article} {which} value that can be represented as a 32-bit integer, found value: {shown}"
            ),
        )
    })
}

fn range<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let start = range_bound(&call.value(0, env)?, 34443, "starting")?;
    let end = range_bound(&call.value(1, env)?, 34445, "ending")?;
    let step = if call.given(2) { range_bound(&call.value(2, env)?, 34447, "step")? } else { 1 };
    if step == 0 {
        return Err(CommandError::new(34449, "$range requires a non-zero step value"));
    }
    let mut numbers = ArrayBuilder::new();
    let mut at = start;
    while (step > 0 && at < end) || (step < 0 && at > end) {
        numbers.push(View::Int32(i32::try_from(at).unwrap_or_default()));
        super::misc::check_size(numbers.size(), "$range")?;
        at += step;
    }
    Ok(numbers.finish().into())
}

fn reverse<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let value = call.value(0, env)?;
    if value.is_nullish() {
        return Ok(Value::NULL);
    }
    let Some(array) = value.array() else {
        let found = value.type_name();
        return Err(CommandError::new(
            34435,
            format!("The argument to $reverseArray must be an array, but was of type: {found}"),
        ));
    };
    let items: Vec<View<'_>> = array.iter().collect();
    Ok(items.into_iter().rev().collect::<ArrayBuilder>().finish().into())
}

fn size<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let value = call.value(0, env)?;
    let Some(array) = value.array() else {
        let found = value.type_name();
        return Err(CommandError::new(
            17124,
            format!("The argument to $size must be an array, but was of type: {found}"),
        ));
    };
    Ok(count(array.len()))
}

fn slice_number(value: &Value<'_>, code: i32, which: &str) -> Result<i64> {
    if value.view().and_then(Number::of).is_none() {
        let found = value.type_name();
        let numeric = if which == "Second" { "a numeric value" } else { "numeric" };
        return Err(CommandError::new(
            code,
            format!("{which} argument to $slice must be {numeric}, but is of type: {found}"),
        ));
    }
    value.view().and_then(as_i32).map(i64::from).ok_or_else(|| {
        let shown = value.shown();
        CommandError::new(
            code + 1,
            format!("{which} argument to $slice can't be represented as a 32-bit integer: {shown}"),
        )
    })
}

fn slice<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let (list, second) = (call.value(0, env)?, call.value(1, env)?);
    if list.is_nullish() || second.is_nullish() {
        return Ok(Value::NULL);
    }
    let Some(array) = list.array() else {
        let found = list.type_name();
        return Err(CommandError::new(
            28724,
            format!("First argument to $slice must be an array, but is of type: {found}"),
        ));
    };
    let second = slice_number(&second, 28725, "Second")?;
    let length = i64::try_from(array.len()).unwrap_or(i64::MAX);
    let (start, end) = if call.given(2) {
        let third = call.value(2, env)?;
        if third.is_nullish() {
            return Ok(Value::NULL);
        }
        let wanted = slice_number(&third, 28727, "Third")?;
        if wanted <= 0 {
            return Err(CommandError::new(
                28729,
                format!("Third argument to $slice must be positive: {}", third.shown()),
            ));
        }
        let start = if second < 0 { (length + second).max(0) } else { second.min(length) };
        (start, (start + wanted).min(length))
    } else if second >= 0 {
        (0, second.min(length))
    } else {
        ((length + second).max(0), length)
    };
    let (start, end) = (usize::try_from(start).unwrap_or(0), usize::try_from(end).unwrap_or(0));
    Ok(array.iter().skip(start).take(end - start).collect::<ArrayBuilder>().finish().into())
}

/// Fields in order of first appearance, each with the last value of its name.
struct Pairs<'v>(Vec<(&'v str, View<'v>)>);

impl<'v> Pairs<'v> {
    fn set(&mut self, key: &'v str, value: View<'v>) {
        match self.0.iter_mut().find(|(known, _)| *known == key) {
            Some(place) => place.1 = value,
            None => self.0.push((key, value)),
        }
    }
}

fn to_object<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let value = call.value(0, env)?;
    if value.is_nullish() {
        return Ok(Value::NULL);
    }
    let Some(array) = value.array() else {
        let found = value.type_name();
        return Err(CommandError::new(40386, format!("$arrayToObject requires an array input, found: {found}")));
    };
    let mut pairs = Pairs(Vec::new());
    let tuples = match array.iter().next() {
        Some(View::Array(_)) => true,
        Some(View::Document(_)) | None => false,
        Some(other) => {
            let found = crate::value::type_alias(other);
            return Err(CommandError::new(
                40398,
                format!("Unrecognised input type format for $arrayToObject: {found}"),
            ));
        }
    };
    for item in array.iter() {
        let (key, value) = if tuples { tuple_pair(item)? } else { object_pair(item)? };
        if key.contains('\0') {
            let code = if tuples { 4_940_400 } else { 4_940_401 };
            return Err(CommandError::new(code, "Key field cannot contain an embedded null byte"));
        }
        pairs.set(key, value);
    }
    let mut object = DocumentBuilder::packed();
    pairs.0.into_iter().for_each(|(key, value)| object.append(key, value));
    Ok(object.finish_packed().into())
}

fn tuple_pair(item: View<'_>) -> Result<(&str, View<'_>)> {
    let View::Array(pair) = item else {
        let found = crate::value::type_alias(item);
        return Err(CommandError::new(
            40396,
            format!(
                "$arrayToObject requires a consistent input format. Elements mustall be arrays or all be objects. Array was detected, now found: {found}"
            ),
        ));
    };
    let length = pair.len();
    let (Some(key), Some(value), 2) = (pair.get(0), pair.get(1), length) else {
        return Err(CommandError::new(
            40397,
            format!("$arrayToObject requires an array of size 2 arrays,found array of size: {length}"),
        ));
    };
    let View::String(key) = key else {
        let found = crate::value::type_alias(key);
        return Err(CommandError::new(
            40395,
            format!(
                "$arrayToObject requires an array of key-value pairs, where the key must be of type string. Found key type: {found}"
            ),
        ));
    };
    Ok((key, value))
}

fn object_pair(item: View<'_>) -> Result<(&str, View<'_>)> {
    let View::Document(pair) = item else {
        let found = crate::value::type_alias(item);
        return Err(CommandError::new(
            40391,
            format!(
                "$arrayToObject requires a consistent input format. Elements mustall be arrays or all be objects. Object was detected, now found: {found}"
            ),
        ));
    };
    let length = pair.iter().count();
    if length != 2 {
        return Err(CommandError::new(
            40392,
            format!("$arrayToObject requires an object keys of 'k' and 'v'. Found incorrect number of keys:{length}"),
        ));
    }
    let (Some(key), Some(value)) = (pair.get("k"), pair.get("v")) else {
        let shown = super::show::show(item);
        return Err(CommandError::new(
            40393,
            format!(
                "$arrayToObject requires an object with keys 'k' and 'v'. Missing either or both keys from: {shown}"
            ),
        ));
    };
    let View::String(key) = key else {
        let found = crate::value::type_alias(key);
        return Err(CommandError::new(
            40394,
            format!(
                "$arrayToObject requires an object with keys 'k' and 'v', where the value of 'k' must be of type string. Found type: {found}"
            ),
        ));
    };
    Ok((key, value))
}

/// `$zip`: the arrays side by side, as long as the shortest, or as the longest with defaults.
pub(super) fn zip<'a>(inputs: &'a [Node], longest: bool, defaults: &'a [Node], env: &Env<'a>) -> Result<Value<'a>> {
    let mut lists = Vec::with_capacity(inputs.len());
    for node in inputs {
        let value = node.evaluate(env)?;
        if value.is_nullish() {
            return Ok(Value::NULL);
        }
        if value.array().is_none() {
            let shown = value.shown();
            return Err(CommandError::new(34468, format!("$zip found a non-array expression in input: {shown}")));
        }
        lists.push(value);
    }
    let fill = defaults.iter().map(|node| node.evaluate(env)).collect::<Result<Vec<_>>>()?;
    let columns: Vec<Vec<View<'_>>> =
        lists.iter().filter_map(Value::array).map(|array| array.iter().collect()).collect();
    let lengths = columns.iter().map(Vec::len);
    let rows = if longest { lengths.max() } else { lengths.min() }.unwrap_or(0);
    let mut zipped = ArrayBuilder::new();
    for row in 0..rows {
        let cell = |(at, column): (usize, &Vec<View<'_>>)| {
            let default = fill.get(at).map_or(View::Null, |value| value.or_null());
            column.get(row).copied().map_or_else(|| default.to_bson(), |view| view.to_bson())
        };
        let cells: Vec<crate::value::Bson> = columns.iter().enumerate().map(cell).collect();
        zipped.push(View::Array(ArrayView::Owned(&cells)));
    }
    Ok(zipped.finish().into())
}
