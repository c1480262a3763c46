//! Roots, exponentials, logarithms and trigonometry of decimals to all 34 digits (`src/mongo/platform/decimal128.cpp`).

use super::decimal::{Decimal, Finite, digits};
use super::decimal_math::from_many_digits;
use super::fixed::{Fixed, PLACES};

const PI: &str =
    "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651";
const LN_10: &str =
    "2.30258509299404568401799145468436420760110148862877297603332790096757260967735248023599720508959829834196778404";

/// Operands with more digits before the point are not reduced exactly.
const MOST_WHOLE_DIGITS: i32 = 40;
/// Below `10^-18` what an odd function differs from its operand by lies behind its 34 digits.
const LEAST_PLACE: i32 = -18;
/// Beyond it no exponential is a decimal.
const MOST_EXPONENT: f64 = 15_000.0;

/// A number as digits and a power of ten.
struct Scaled {
    value: Fixed,
    scale: i32,
}

impl From<Fixed> for Scaled {
    fn from(value: Fixed) -> Self {
        Self { value, scale: 0 }
    }
}

impl Decimal {
    /// The value of a function, named as its operator is; none where a double's answer is as good or the only one: for NaN,
    /// for infinities, and for operands of more than forty digits before the point.
    #[must_use]
    pub fn function(self, name: &str) -> Option<Self> {
        let Self::Finite(number) = self else { return None };
        let place = number.exponent.saturating_add(digits(number.coefficient)) - 1;
        match name {
            "$sqrt" => return root(number).map(decimal),
            "$ln" => return logarithm(number).map(|value| decimal(value.into())),
            "$log10" => return common_logarithm(number).map(|value| decimal(value.into())),
            "$degreesToRadians" => {
                return Some(self.multiply(constant(1_745_329_251_994_329_576_923_690_768_488_613, -35)));
            }
            "$radiansToDegrees" => {
                return Some(self.multiply(constant(5_729_577_951_308_232_087_679_815_481_410_517, -32)));
            }
            _ => {}
        }
        if place > MOST_WHOLE_DIGITS {
            return None;
        }
        let odd = !matches!(name, "$exp" | "$cos" | "$cosh" | "$acos" | "$acosh");
        if odd && (place < LEAST_PLACE || number.coefficient == 0) {
            return Some(self);
        }
        let x = fixed(number);
        let value: Scaled = match name {
            "$exp" => exponential(&x)?,
            "$sin" => sine_and_cosine(&x).0.into(),
            "$cos" => sine_and_cosine(&x).1.into(),
            "$tan" => tangent(&x).into(),
            "$asin" => arc_sine(&x)?.into(),
            "$acos" => half_pi().minus(&arc_sine(&x)?).into(),
            "$atan" => arc_tangent(&x).into(),
            "$sinh" => hyperbolic(&x, true)?,
            "$cosh" => hyperbolic(&x, false)?,
            "$tanh" => hyperbolic_tangent(&x)?.into(),
            "$asinh" => area_sine(&x)?.into(),
            "$acosh" => area_cosine(&x)?.into(),
            "$atanh" => area_tangent(&x)?.into(),
            _ => return None,
        };
        Some(decimal(value))
    }

    /// The logarithm to a base; none as in [`Decimal::function`].
    #[must_use]
    pub fn logarithm(self, base: Self) -> Option<Self> {
        let (Self::Finite(number), Self::Finite(base)) = (self, base) else { return None };
        let (above, below) = (logarithm(number)?, logarithm(base)?);
        (!below.is_zero()).then(|| decimal(above.times(&below.inverse()).into()))
    }

    /// A power; none as in [`Decimal::function`], and for a base that is not above zero.
    #[must_use]
    pub fn power(self, exponent: Self) -> Option<Self> {
        let (Self::Finite(base), Self::Finite(exponent)) = (self, exponent) else { return None };
        if exponent.exponent.saturating_add(digits(exponent.coefficient)) > MOST_WHOLE_DIGITS {
            return None;
        }
        exponential(&logarithm(base)?.times(&fixed(exponent))).map(decimal)
    }

    /// The angle of a point, `self` being its height; none as in [`Decimal::function`], and on the axes.
    #[must_use]
    pub fn angle(self, x: Self) -> Option<Self> {
        let (Self::Finite(high), Self::Finite(wide)) = (self, x) else { return None };
        let place = |number: Finite| number.exponent.saturating_add(digits(number.coefficient)) - 1;
        let ready = |number: Finite| number.coefficient != 0 && place(number).abs() <= MOST_WHOLE_DIGITS;
        if !ready(high) || !ready(wide) {
            return None;
        }
        let (high, wide) = (fixed(high), fixed(wide));
        let slope = arc_tangent(&high.times(&wide.inverse()));
        Some(decimal(match (wide.is_negative(), high.is_negative()) {
            (false, _) => slope.into(),
            (true, false) => slope.plus(&Fixed::read(PI)).into(),
            (true, true) => slope.minus(&Fixed::read(PI)).into(),
        }))
    }
}

fn constant(coefficient: u128, exponent: i32) -> Decimal {
    Decimal::Finite(Finite { negative: false, coefficient, exponent })
}

fn fixed(number: Finite) -> Fixed {
    Fixed::decimal(number.negative, number.coefficient, number.exponent)
}

/// The nearest decimal. A result that is exact sheds the zeros behind the point, any other one keeps 34 digits.
fn decimal(Scaled { value, scale }: Scaled) -> Decimal {
    if value.is_zero() {
        return Decimal::from_long(0);
    }
    let digits = value.digits();
    let length = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let last = i32::try_from(PLACES).unwrap_or(i32::MAX);
    let padded = format!("{digits:0<68}");
    let part = |from: usize, to: usize| padded[from..to].parse::<u128>().unwrap_or_default();
    let rounded = from_many_digits(value.is_negative(), (part(0, 34), part(34, 68)), length - last - 68 + scale);
    let behind = &padded[34..60];
    let exact = behind.bytes().all(|digit| digit == b'0') || behind.bytes().all(|digit| digit == b'9');
    match rounded {
        Decimal::Finite(mut number) if exact => {
            while number.exponent < 0 && number.coefficient != 0 && number.coefficient % 10 == 0 {
                number.coefficient /= 10;
                number.exponent += 1;
            }
            Decimal::Finite(number)
        }
        other => other,
    }
}

fn half_pi() -> Fixed {
    Fixed::read(PI).over_small(2)
}

/// `1 ≤ mantissa < 10`, and its power of ten, of a number above zero.
fn normalised(number: Finite) -> Option<(Fixed, i32)> {
    if number.negative || number.coefficient == 0 {
        return None;
    }
    let behind = digits(number.coefficient) - 1;
    Some((Fixed::decimal(false, number.coefficient, -behind), number.exponent + behind))
}

fn root(number: Finite) -> Option<Scaled> {
    if number.coefficient == 0 {
        return Some(Fixed::whole(0).into());
    }
    let (mantissa, power) = normalised(number)?;
    let odd = power.rem_euclid(2) == 1;
    let even = if odd { mantissa.times_small(10) } else { mantissa };
    Some(Scaled { value: even.root(), scale: power.div_euclid(2) })
}

/// By its series, once the powers of ten are taken out.
fn exponential(x: &Fixed) -> Option<Scaled> {
    if x.to_double().abs() > MOST_EXPONENT {
        return None;
    }
    let ten = Fixed::read(LN_10);
    let (tens, _) = x.times(&ten.inverse()).nearest();
    let rest = x.minus(&tens.times(&ten));
    let (mut total, mut term) = (Fixed::whole(1), Fixed::whole(1));
    for factor in 1..u32::MAX {
        term = term.times(&rest).over_small(factor);
        if term.is_zero() {
            break;
        }
        total = total.plus(&term);
    }
    #[expect(clippy::cast_possible_truncation, reason = "a whole number below 15,000")]
    let scale = tens.to_double().round() as i32;
    Some(Scaled { value: total, scale })
}

/// A number that is not too large with its power of ten multiplied in.
fn unscaled(number: &Scaled) -> Fixed {
    let ten = if number.scale < 0 { Fixed::whole(10).inverse() } else { Fixed::whole(10) };
    (0..number.scale.unsigned_abs()).fold(number.value.clone(), |value, _| value.times(&ten))
}

/// Of a mantissa: each round triples the digits that are right.
fn logarithm_of_mantissa(mantissa: &Fixed) -> Option<Fixed> {
    let mut value = Fixed::double(mantissa.to_double().ln());
    for _ in 0..3 {
        let there = unscaled(&exponential(&value)?);
        let step = mantissa.minus(&there).times(&mantissa.plus(&there).inverse()).times_small(2);
        value = value.plus(&step);
    }
    Some(value)
}

fn with_power(mantissa: &Fixed, power: i32) -> Option<Fixed> {
    let tens = Fixed::decimal(power < 0, u128::from(power.unsigned_abs()), 0);
    Some(logarithm_of_mantissa(mantissa)?.plus(&tens.times(&Fixed::read(LN_10))))
}

fn logarithm(number: Finite) -> Option<Fixed> {
    let (mantissa, power) = normalised(number)?;
    with_power(&mantissa, power)
}

fn common_logarithm(number: Finite) -> Option<Fixed> {
    let (mantissa, power) = normalised(number)?;
    let behind = logarithm_of_mantissa(&mantissa)?.times(&Fixed::read(LN_10).inverse());
    Some(behind.plus(&Fixed::decimal(power < 0, u128::from(power.unsigned_abs()), 0)))
}

fn logarithm_of(x: &Fixed) -> Option<Fixed> {
    if x.is_zero() || x.is_negative() {
        return None;
    }
    let digits = x.digits();
    let power = i32::try_from(digits.len()).ok()? - 1 - i32::try_from(PLACES).ok()?;
    with_power(&Fixed::read(&format!("{}.{}", &digits[..1], &digits[1..])), power)
}

/// By their series, once quarter turns are taken out.
fn sine_and_cosine(x: &Fixed) -> (Fixed, Fixed) {
    let quarter = half_pi();
    let (turns, quadrant) = x.times(&quarter.inverse()).nearest();
    let rest = x.minus(&turns.times(&quarter));
    let (sine, cosine) = series(&rest);
    match quadrant {
        0 => (sine, cosine),
        1 => (cosine, sine.negated()),
        2 => (sine.negated(), cosine.negated()),
        _ => (cosine.negated(), sine),
    }
}

fn series(x: &Fixed) -> (Fixed, Fixed) {
    let (mut sine, mut cosine, mut term) = (Fixed::whole(0), Fixed::whole(1), Fixed::whole(1));
    for factor in 1..u32::MAX {
        term = term.times(x).over_small(factor);
        if term.is_zero() {
            break;
        }
        let signed = if factor % 4 < 2 { term.clone() } else { term.negated() };
        if factor % 2 == 1 { sine = sine.plus(&signed) } else { cosine = cosine.plus(&signed) }
    }
    (sine, cosine)
}

fn tangent(x: &Fixed) -> Fixed {
    let (sine, cosine) = sine_and_cosine(x);
    sine.times(&cosine.inverse())
}

/// From the double's answer, with the first terms of the series of what is left.
fn arc_tangent(x: &Fixed) -> Fixed {
    if x.to_double().abs() > 1.0 {
        let rest = arc_tangent(&x.abs().inverse());
        let angle = half_pi().minus(&rest);
        return if x.is_negative() { angle.negated() } else { angle };
    }
    let near = Fixed::double(x.to_double().atan());
    let slope = tangent(&near);
    let left = x.minus(&slope).times(&Fixed::whole(1).plus(&x.times(&slope)).inverse());
    let square = left.times(&left);
    let third = left.times(&square);
    let fifth = third.times(&square);
    let seventh = fifth.times(&square);
    near.plus(&left).minus(&third.over_small(3)).plus(&fifth.over_small(5)).minus(&seventh.over_small(7))
}

/// None beyond one.
fn arc_sine(x: &Fixed) -> Option<Fixed> {
    let rest = Fixed::whole(1).minus(&x.times(x));
    if rest.is_zero() {
        return Some(if x.is_negative() { half_pi().negated() } else { half_pi() });
    }
    (!rest.is_negative()).then(|| arc_tangent(&x.times(&rest.root().inverse())))
}

/// The hyperbolic sine, or cosine.
fn hyperbolic(x: &Fixed, sine: bool) -> Option<Scaled> {
    let grows = exponential(&x.abs())?;
    if grows.scale > MOST_WHOLE_DIGITS {
        let half = grows.value.over_small(2);
        let value = if sine && x.is_negative() { half.negated() } else { half };
        return Some(Scaled { value, scale: grows.scale });
    }
    let (grows, falls) = (unscaled(&grows), unscaled(&exponential(&x.abs().negated())?));
    let double = if sine { grows.minus(&falls) } else { grows.plus(&falls) };
    let value = double.over_small(2);
    Some(Scaled::from(if sine && x.is_negative() { value.negated() } else { value }))
}

fn hyperbolic_tangent(x: &Fixed) -> Option<Fixed> {
    let size = x.abs();
    let value = if size.to_double() > f64::from(MOST_WHOLE_DIGITS) {
        Fixed::whole(1)
    } else {
        let (grows, falls) = (unscaled(&exponential(&size)?), unscaled(&exponential(&size.negated())?));
        grows.minus(&falls).times(&grows.plus(&falls).inverse())
    };
    Some(if x.is_negative() { value.negated() } else { value })
}

fn area_sine(x: &Fixed) -> Option<Fixed> {
    let size = x.abs();
    let value = logarithm_of(&size.plus(&size.times(&size).plus(&Fixed::whole(1)).root()))?;
    Some(if x.is_negative() { value.negated() } else { value })
}

/// None below one.
fn area_cosine(x: &Fixed) -> Option<Fixed> {
    let square = x.times(x).minus(&Fixed::whole(1));
    if square.is_negative() { None } else { logarithm_of(&x.plus(&square.root())) }
}

/// None at one and beyond.
fn area_tangent(x: &Fixed) -> Option<Fixed> {
    let (above, below) = (Fixed::whole(1).plus(x), Fixed::whole(1).minus(x));
    if above.is_zero() || below.is_zero() || below.is_negative() || above.is_negative() {
        return None;
    }
    Some(logarithm_of(&above.times(&below.inverse()))?.over_small(2))
}
