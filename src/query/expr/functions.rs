//! Functions of one number: roots, logarithms, powers, rounding to whole numbers, trigonometry.

use crate::error::{CommandError, Result};
use crate::value::{Decimal, View, compare, equal};

use super::env::Env;
use super::number::{Number, Pair, int_or_long};
use super::table::{Call, Operator, Shape};
use super::value::Value;

const fn unary(name: &'static str) -> Operator {
    Operator { name, shape: Shape::Exactly(1), run: one_number }
}

pub(super) const OPERATORS: &[Operator] = &[
    unary("$abs"),
    unary("$ceil"),
    unary("$floor"),
    unary("$exp"),
    unary("$ln"),
    unary("$log10"),
    unary("$sqrt"),
    unary("$sin"),
    unary("$cos"),
    unary("$tan"),
    unary("$asin"),
    unary("$acos"),
    unary("$atan"),
    unary("$sinh"),
    unary("$cosh"),
    unary("$tanh"),
    unary("$asinh"),
    unary("$acosh"),
    unary("$atanh"),
    unary("$degreesToRadians"),
    unary("$radiansToDegrees"),
    Operator { name: "$atan2", shape: Shape::Exactly(2), run: atan2 },
    Operator { name: "$log", shape: Shape::Exactly(2), run: log },
    Operator { name: "$pow", shape: Shape::Exactly(2), run: pow },
];

fn one_number<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let value = call.value(0, env)?;
    if value.is_nullish() {
        return Ok(Value::NULL);
    }
    let name = call.name();
    let Some(number) = value.view().and_then(Number::of) else {
        return Err(CommandError::new(28765, format!("{name} only supports numeric types, not {}", value.type_name())));
    };
    match name {
        "$abs" => absolute(number).map(Value::from),
        "$ceil" | "$floor" => Ok(whole(number, name == "$ceil").into()),
        _ => {
            check_domain(name, number, &value)?;
            Ok(exact(number, |decimal| decimal.function(name), || real(name, number.to_double())).into())
        }
    }
}

/// A result in the type of the operand: a decimal gives a decimal, of all its digits where there is such an answer.
fn exact(operand: Number, precise: impl FnOnce(Decimal) -> Option<Decimal>, double: impl FnOnce() -> f64) -> Number {
    match operand {
        Number::Decimal(decimal) => Number::Decimal(precise(decimal).unwrap_or_else(|| Decimal::from_double(double()))),
        _ => Number::Double(double()),
    }
}

fn absolute(number: Number) -> Result<Number> {
    Ok(match number {
        Number::Int(int) => int_or_long(i64::from(int).abs()),
        Number::Long(i64::MIN) => return Err(CommandError::new(28680, "can't take $abs of long long min")),
        Number::Long(long) => Number::Long(long.abs()),
        Number::Double(double) => Number::Double(double.abs()),
        Number::Decimal(decimal) => Number::Decimal(decimal.abs()),
    })
}

fn whole(number: Number, up: bool) -> Number {
    match number {
        Number::Double(double) => Number::Double(if up { double.ceil() } else { double.floor() }),
        Number::Decimal(decimal) => Number::Decimal(whole_decimal(decimal, up)),
        other => other,
    }
}

fn whole_decimal(number: Decimal, up: bool) -> Decimal {
    let cut = number.round_at(0, true);
    if cut.compare(number).is_eq() || number.is_nan() || number.is_negative() == up {
        return cut;
    }
    cut.add(Decimal::from_long(if up { 1 } else { -1 }))
}

fn real(name: &str, x: f64) -> f64 {
    match name {
        "$exp" => x.exp(),
        "$ln" => x.ln(),
        "$log10" => x.log10(),
        "$sqrt" => x.sqrt(),
        "$sin" => x.sin(),
        "$cos" => x.cos(),
        "$tan" => x.tan(),
        "$asin" => x.asin(),
        "$acos" => x.acos(),
        "$atan" => x.atan(),
        "$sinh" => x.sinh(),
        "$cosh" => x.cosh(),
        "$tanh" => x.tanh(),
        "$asinh" => x.asinh(),
        "$acosh" => x.acosh(),
        "$atanh" => x.atanh(),
        "$degreesToRadians" => x * (std::f64::consts::PI / 180.0),
        _ => x * (180.0 / std::f64::consts::PI),
    }
}

/// Whether a number lies above zero, as near to it as decimals come.
fn is_positive(number: Number) -> bool {
    compare(number.view(), View::Int32(0)).is_gt()
}

/// Refuses an operand outside of where the function is defined; NaN passes.
fn check_domain(name: &str, number: Number, value: &Value<'_>) -> Result<()> {
    let (x, shown) = (number.to_double(), value.shown());
    if x.is_nan() {
        return Ok(());
    }
    let range = match name {
        "$ln" if !is_positive(number) => {
            return Err(CommandError::new(28766, format!("$ln's argument must be a positive number, but is {shown}")));
        }
        "$log10" if !is_positive(number) => {
            return Err(CommandError::new(
                28761,
                format!("$log10's argument must be a positive number, but is {shown}"),
            ));
        }
        "$sqrt" if x < 0.0 => {
            return Err(CommandError::new(28714, "$sqrt's argument must be greater than or equal to 0"));
        }
        "$sin" | "$cos" | "$tan" if x.is_infinite() => "(-inf,inf)",
        "$asin" | "$acos" | "$atanh" if x.abs() > 1.0 => "[-1,1]",
        "$acosh" if x < 1.0 => "[1,inf]",
        _ => return Ok(()),
    };
    Err(CommandError::new(50989, format!("cannot apply {name} to {shown}, value must be in {range}")))
}

fn numbers<'a>(
    call: &'a Call,
    env: &Env<'a>,
    codes: (i32, i32),
    names: (&str, &str),
) -> Result<Option<(Number, Number)>> {
    let (left, right) = (call.value(0, env)?, call.value(1, env)?);
    if left.is_nullish() || right.is_nullish() {
        return Ok(None);
    }
    let need = |value: &Value<'_>, code, which| {
        let number = value.view().and_then(Number::of);
        number.ok_or_else(|| {
            CommandError::new(code, format!("{}'s {which} must be numeric, not {}", call.name(), value.type_name()))
        })
    };
    Ok(Some((need(&left, codes.0, names.0)?, need(&right, codes.1, names.1)?)))
}

fn atan2<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let Some((y, x)) = numbers(call, env, (51044, 51045), ("first argument", "second argument"))? else {
        return Ok(Value::NULL);
    };
    let wider = if matches!(x, Number::Decimal(_)) { x } else { y };
    let precise = |_| y.to_decimal().angle(x.to_decimal());
    Ok(exact(wider, precise, || y.to_double().atan2(x.to_double())).into())
}

fn log<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let Some((argument, base)) = numbers(call, env, (28756, 28757), ("argument", "base"))? else {
        return Ok(Value::NULL);
    };
    let shown = |number: Number| super::show::show(number.view());
    let fits = |number: Number| is_positive(number) || number.to_double().is_nan();
    if !fits(argument) {
        return Err(CommandError::new(
            28758,
            format!("$log's argument must be a positive number, but is {}", shown(argument)),
        ));
    }
    if !fits(base) || equal(base.view(), View::Int32(1)) {
        return Err(CommandError::new(
            28759,
            format!("$log's base must be a positive number not equal to 1, but is {}", shown(base)),
        ));
    }
    let wider = if matches!(base, Number::Decimal(_)) { base } else { argument };
    let precise = |_| argument.to_decimal().logarithm(base.to_decimal());
    Ok(exact(wider, precise, || argument.to_double().ln() / base.to_double().ln()).into())
}

fn pow<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let Some((base, exponent)) = numbers(call, env, (28762, 28763), ("base", "exponent"))? else {
        return Ok(Value::NULL);
    };
    let zero = equal(base.view(), View::Int32(0));
    if zero && exponent.to_double() < 0.0 {
        return Err(CommandError::new(28764, "$pow cannot take a base of 0 and a negative exponent"));
    }
    Ok(power(base, exponent).into())
}

/// Whole powers of whole numbers stay whole while they fit; everything else is computed in double precision.
fn power(base: Number, exponent: Number) -> Number {
    match base.pair(exponent) {
        Pair::Int(a, b) => whole_power(i64::from(a), i64::from(b), true),
        Pair::Long(a, b) => whole_power(a, b, false),
        Pair::Double(a, b) => Number::Double(a.powf(b)),
        Pair::Decimal(a, b) => Number::Decimal(decimal_power(a, b)),
    }
}

fn whole_power(base: i64, exponent: i64, int: bool) -> Number {
    let exact = u32::try_from(exponent).ok().and_then(|exponent| base.checked_pow(exponent));
    let special = match (base, exponent) {
        (1, _) => Some(1),
        (-1, _) => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        _ => exact,
    };
    match special {
        Some(result) if int => int_or_long(result),
        Some(result) => Number::Long(result),
        None => Number::Double(Number::Long(base).to_double().powf(Number::Long(exponent).to_double())),
    }
}

fn decimal_power(base: Decimal, exponent: Decimal) -> Decimal {
    let whole = crate::value::exact_long(View::Decimal(exponent.to_bson())).filter(|power| power.abs() <= 4096);
    let product = |power: i64| (0..power).fold(Decimal::from_long(1), |product, _| product.multiply(base));
    match whole {
        Some(power @ 0..) if is_short(product(power)) => product(power),
        Some(power) if base.is_zero() || base.is_nan() => {
            let product = product(power.abs());
            if power < 0 { Decimal::from_long(1).divide(product) } else { product }
        }
        _ => {
            let sign = if base.is_negative() && whole.is_some_and(|power| power % 2 != 0) { -1 } else { 1 };
            let base = if whole.is_some() { base.abs() } else { base };
            let double = || Decimal::from_double(base.to_double().powf(exponent.to_double()));
            base.power(exponent).unwrap_or_else(double).multiply(Decimal::from_long(sign))
        }
    }
}

/// Whether no digit was rounded away while it was made: it has fewer than a decimal holds.
fn is_short(number: Decimal) -> bool {
    matches!(number, Decimal::Finite(finite) if finite.coefficient < 10_u128.pow(33))
}
