//! Operands of single operators, read and refused as the server does.

use super::filter::{Bits, InList, Regex, Test, TypeSet};
use super::parse::is_expression;
use crate::error::{CommandError, ErrorCode, Result, refuse};
use crate::value::{self, Bson, Document, View, shown};

fn number_refusal<T>(message: String) -> Result<T> {
    Err(CommandError::new(ErrorCode::FailedToParse, message))
}

/// A whole number of any numeric type, as the server's parser takes one; the name is for its messages.
pub(super) fn whole_number(name: &str, value: &Bson) -> Result<i64> {
    let written = || format!("{name}: {}", shown(value));
    match (value, value::exact_long(View::from(value))) {
        (Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_), Some(number)) => Ok(number),
        (Bson::Double(number), None) if number.is_nan() => {
            number_refusal(format!("Expected an integer, but found NaN in: {}", written()))
        }
        (Bson::Double(number), None) if number.abs() < 9_223_372_036_854_775_808.0 => {
            number_refusal(format!("Expected an integer: {}", written()))
        }
        (Bson::Double(_) | Bson::Decimal128(_), None) => {
            number_refusal(format!("Cannot represent as a 64-bit integer: {}", written()))
        }
        _ => number_refusal(format!("Expected a number in: {}", written())),
    }
}

pub(super) fn in_list(name: &str, value: &Bson) -> Result<InList> {
    let Bson::Array(items) = value else {
        return refuse(ErrorCode::BadValue, format!("{name} needs an array"));
    };
    let mut list = InList::default();
    for (at, item) in items.iter().enumerate() {
        in_item(item, &mut list).map_err(|error| error.inside_index(at))?;
    }
    list.sort();
    Ok(list)
}

fn in_item(item: &Bson, list: &mut InList) -> Result<()> {
    match item {
        Bson::Document(document) if is_expression(document) => refuse(ErrorCode::BadValue, "cannot nest $ under $in"),
        Bson::Undefined => refuse(ErrorCode::BadValue, "cannot compare to undefined"),
        Bson::RegularExpression(regex) => {
            list.regexes.push(Regex::checked(regex.pattern.as_str(), regex.options.as_str())?);
            Ok(())
        }
        _ => {
            list.values.push(item.clone());
            Ok(())
        }
    }
}

pub(super) fn type_set(value: &Bson) -> Result<TypeSet> {
    let mut set = TypeSet::default();
    match value {
        Bson::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                type_item(item, &mut set).map_err(|error| error.inside_index(at))?;
            }
            if items.is_empty() {
                return number_refusal("$type must match at least one type".into());
            }
        }
        _ => type_item(value, &mut set)?,
    }
    set.codes.sort_unstable();
    set.codes.dedup();
    Ok(set)
}

fn type_item(item: &Bson, set: &mut TypeSet) -> Result<()> {
    match item {
        Bson::String(alias) if alias == "number" => set.all_numbers = true,
        Bson::String(alias) => match value::type_code_of_alias(alias) {
            Some(code) => set.codes.push(code),
            None => return refuse(ErrorCode::BadValue, format!("Unknown type name alias: {alias}")),
        },
        Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_) => set.codes.push(type_number(item)?),
        _ => return refuse(ErrorCode::BadValue, "type must be represented as a number or a string"),
    }
    Ok(())
}

fn type_number(item: &Bson) -> Result<i32> {
    match value::exact_long(View::from(item)).and_then(|code| i32::try_from(code).ok()) {
        Some(0) => {
            refuse(ErrorCode::BadValue, "$type must not be 0 (EOO). Use {$exists:false} instead to check for existence")
        }
        Some(code) if value::is_type_code(code) => Ok(code),
        _ => refuse(ErrorCode::BadValue, format!("Invalid numerical type code: {}", shown(item))),
    }
}

pub(super) fn modulus(value: &Bson) -> Result<Test> {
    let Bson::Array(items) = value else {
        return refuse(ErrorCode::BadValue, "malformed mod, needs to be an array");
    };
    match items.len() {
        0 | 1 => return refuse(ErrorCode::BadValue, "malformed mod, not enough elements"),
        2 => {}
        _ => return refuse(ErrorCode::BadValue, "malformed mod, too many elements"),
    }
    let divisor = mod_part("divisor", &items[0]).map_err(|error| error.inside_index(0))?;
    let remainder = mod_part("remainder", &items[1]).map_err(|error| error.inside_index(1))?;
    if divisor == 0 {
        return refuse(ErrorCode::BadValue, "divisor cannot be 0").map_err(|error| error.inside_index(0));
    }
    Ok(Test::Mod(divisor, remainder))
}

fn mod_part(name: &str, value: &Bson) -> Result<i64> {
    match value {
        Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_) => {}
        _ => return refuse(ErrorCode::BadValue, format!("malformed mod, {name} not a number")),
    }
    match value::truncated_long(View::from(value)) {
        Some(number) => Ok(number),
        None => refuse(
            ErrorCode::BadValue,
            format!("malformed mod, {name} value is invalid :: caused by :: Unable to coerce NaN/Inf to integral type"),
        ),
    }
}

pub(super) fn size(value: &Bson) -> Result<Test> {
    match whole_number("$size", value) {
        Err(error) => refuse(ErrorCode::BadValue, format!("Failed to parse $size. {}", error.message)),
        Ok(size) if size < 0 => refuse(
            ErrorCode::BadValue,
            format!("Failed to parse $size. Expected a non-negative number in: $size: {}", shown(value)),
        ),
        Ok(size) => Ok(Test::Size(size)),
    }
}

pub(super) fn regex(value: &Bson, siblings: &Document) -> Result<Test> {
    let options = match siblings.get("$options") {
        None => None,
        Some(Bson::String(options)) => Some(options.as_str()),
        Some(_) => return refuse(ErrorCode::BadValue, "$options has to be a string"),
    };
    let regex = match value {
        Bson::String(pattern) => Regex::checked(pattern, options.unwrap_or_default())?,
        Bson::RegularExpression(regex) => {
            let own = regex.options.as_str();
            if options.is_some() && !own.is_empty() {
                return Err(CommandError::new(51074, "options set in both $regex and $options"));
            }
            Regex::checked(regex.pattern.as_str(), options.unwrap_or(own))?
        }
        _ => return refuse(ErrorCode::BadValue, "$regex has to be a string"),
    };
    Ok(Test::Regex(regex))
}

pub(super) fn bits(name: &str, value: &Bson) -> Result<Test> {
    let which = match name {
        "$bitsAllSet" => Bits::AllSet,
        "$bitsAllClear" => Bits::AllClear,
        "$bitsAnySet" => Bits::AnySet,
        _ => Bits::AnyClear,
    };
    let positions = match value {
        Bson::Array(items) => {
            let place = |(at, item)| bit_position(item).map_err(|error: CommandError| error.inside_index(at));
            items.iter().enumerate().map(place).collect::<Result<Vec<_>>>()?
        }
        Bson::Binary(binary) => set_bits(binary.bytes.iter().copied()),
        Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_) => {
            set_bits(bit_mask(name, value)?.to_le_bytes())
        }
        _ => {
            return refuse(
                ErrorCode::BadValue,
                format!("{name} takes an Array, a number, or a BinData but received: {name}: {}", shown(value)),
            );
        }
    };
    Ok(Test::Bits(which, positions))
}

fn bit_mask(name: &str, value: &Bson) -> Result<i64> {
    match whole_number(name, value) {
        Err(error) => refuse(ErrorCode::BadValue, error.message),
        Ok(mask) if mask < 0 => number_refusal(format!("Expected a non-negative number in: {name}: {}", shown(value))),
        Ok(mask) => Ok(mask),
    }
}

fn bit_position(item: &Bson) -> Result<u32> {
    match whole_number("", item).ok().and_then(|position| i32::try_from(position).ok()) {
        None => refuse(ErrorCode::BadValue, format!("bit positions must be an integer but got: {}", shown(item))),
        Some(position) => u32::try_from(position)
            .or_else(|_| refuse(ErrorCode::BadValue, format!("bit positions must be >= 0 but got: {position}"))),
    }
}

fn set_bits(bytes: impl IntoIterator<Item = u8>) -> Vec<u32> {
    let bytes = (0_u32..).step_by(8).zip(bytes);
    bytes.flat_map(|(first, byte)| (0..8).filter(move |bit| byte >> bit & 1 == 1).map(move |bit| first + bit)).collect()
}
