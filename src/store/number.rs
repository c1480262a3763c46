//! Numbers inside index keys: four BSON types, one order by value, as in the server's `key_string.cpp`.

use std::cmp::Ordering;

use bson::Decimal128;

use crate::value::{Decimal, Finite};

/// The class byte of NaN, the least number.
const NAN: u8 = 30;
/// The class byte of zero; negative classes mirror the positive ones around it.
const ZERO: u8 = 41;
/// The class byte of numbers between zero and one.
const SMALL: u8 = 42;
/// The class byte of numbers from 2^63 up.
const LARGE: u8 = 51;

/// The class bytes that begin a number.
pub(super) const CLASSES: std::ops::RangeInclusive<u8> = NAN..=LARGE;

/// How many bytes of a decimal's own digits follow where no double has its value.
const REST: usize = 17;

const TWO_63: f64 = 9_223_372_036_854_775_808.0;

/// Appends a whole number.
pub(super) fn push_integer(out: &mut Vec<u8>, number: i64) {
    let magnitude = number.unsigned_abs();
    if magnitude == 0 {
        out.push(ZERO);
    } else if magnitude >> 63 == 0 {
        push_whole(out, number < 0, magnitude, None);
    } else {
        push_double(out, -TWO_63);
    }
}

/// Appends a double.
pub(super) fn push_double(out: &mut Vec<u8>, number: f64) {
    let magnitude = number.abs();
    if number.is_nan() {
        out.push(NAN);
    } else if magnitude == 0.0 {
        out.push(ZERO);
    } else if !(1.0..TWO_63).contains(&magnitude) {
        push_extreme(out, number < 0.0, magnitude, None);
    } else {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was checked above")]
        let whole = magnitude.trunc() as u64;
        let fraction = magnitude.fract();
        push_whole(out, number < 0.0, whole, (fraction != 0.0).then_some(Fraction::Double(fraction)));
    }
}

/// Appends a decimal.
pub(super) fn push_decimal(out: &mut Vec<u8>, number: Decimal128) {
    match Decimal::from_bson(number) {
        Decimal::NaN => out.push(NAN),
        Decimal::Infinity(negative) => push_extreme(out, negative, f64::INFINITY, None),
        Decimal::Finite(Finite { coefficient: 0, .. }) => out.push(ZERO),
        Decimal::Finite(Finite { negative, coefficient, exponent }) => {
            push_finite(out, negative, coefficient, exponent);
        }
    }
}

fn push_finite(out: &mut Vec<u8>, negative: bool, coefficient: u128, exponent: i32) {
    let rest = rest_of(coefficient, exponent);
    match split(coefficient, exponent) {
        Some((whole, 0, _)) if whole > 0 => push_whole(out, negative, whole, None),
        Some((whole, remainder, unit)) if whole > 0 => {
            push_whole(out, negative, whole, Some(Fraction::Decimal { remainder, unit, rest }));
        }
        _ => {
            let (nearest, exact) = truncated(coefficient, exponent);
            push_extreme(out, negative, nearest, (!exact).then_some(rest));
        }
    }
}

/// What stands behind the point of a number from one up.
#[derive(Clone, Copy)]
enum Fraction {
    Double(f64),
    Decimal { remainder: u128, unit: u128, rest: [u8; REST] },
}

/// Whole part in as few bytes as hold it, a bit that says whether a fraction follows, and the fraction.
fn push_whole(out: &mut Vec<u8>, negative: bool, whole: u64, fraction: Option<Fraction>) {
    let shifted = (whole << 1) | u64::from(fraction.is_some());
    let zeros = shifted.leading_zeros() / 8;
    let size = 8 - zeros as usize;
    let start = out.len();
    out.push(SMALL + u8::try_from(size).unwrap_or(8));
    out.extend_from_slice(&shifted.to_be_bytes()[zeros as usize..]);
    if let Some(fraction) = fraction {
        push_fraction(out, zeros, fraction);
    }
    finish(out, start, negative);
}

/// The bytes the whole part left free hold the fraction's bits and a last bit that says whether digits follow.
fn push_fraction(out: &mut Vec<u8>, free: u32, fraction: Fraction) {
    let bits = (free * 8).saturating_sub(1);
    let (grid, rest) = match fraction {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 2^55")]
        #[expect(clippy::cast_precision_loss, reason = "a power of two is exact")]
        Fraction::Double(part) => ((part * (1_u64 << bits) as f64) as u64, None),
        Fraction::Decimal { mut remainder, unit, rest } => {
            let mut grid = 0_u64;
            for _ in 0..bits {
                remainder *= 2;
                let over = remainder >= unit;
                remainder -= if over { unit } else { 0 };
                grid = (grid << 1) | u64::from(over);
            }
            (grid, (remainder != 0).then_some(rest))
        }
    };
    let marked = (grid << 1) | u64::from(rest.is_some());
    out.extend_from_slice(&marked.to_be_bytes()[8 - free as usize..]);
    out.extend_from_slice(rest.as_ref().map_or(&[], |rest| rest));
}

/// A number below one or from 2^63 up, by the bits of the double just below it.
fn push_extreme(out: &mut Vec<u8>, negative: bool, magnitude: f64, rest: Option<[u8; REST]>) {
    let start = out.len();
    out.push(if magnitude < 1.0 { SMALL } else { LARGE });
    out.extend_from_slice(&((magnitude.to_bits() << 1) | u64::from(rest.is_some())).to_be_bytes());
    out.extend_from_slice(rest.as_ref().map_or(&[], |rest| rest));
    finish(out, start, negative);
}

fn finish(out: &mut [u8], start: usize, negative: bool) {
    if negative {
        out[start] = 2 * ZERO - out[start];
        out[start + 1..].iter_mut().for_each(|byte| *byte = !*byte);
    }
}

/// A number read back: its value where a double or a long holds it.
pub(super) enum Number {
    Integer(i64),
    Double(f64),
}

/// Reads a number; `next` gives the bytes behind the class byte. Of a decimal that no double equals, only its place is read.
pub(super) fn read(class: u8, mut next: impl FnMut() -> u8) -> Number {
    let negative = class < ZERO;
    let mirrored = if negative { 2 * ZERO - class } else { class };
    let mut next = || if negative { !next() } else { next() };
    match class {
        NAN => Number::Double(f64::NAN),
        ZERO => Number::Integer(0),
        _ if mirrored == SMALL || mirrored == LARGE => read_extreme(negative, &mut next),
        _ => read_whole(negative, usize::from(mirrored - SMALL), &mut next),
    }
}

fn read_bytes(count: usize, next: &mut impl FnMut() -> u8) -> u64 {
    (0..count).fold(0, |number, _| (number << 8) | u64::from(next()))
}

fn skip_rest(marked: u64, next: &mut impl FnMut() -> u8) {
    if marked & 1 == 1 {
        (0..REST).for_each(|_| {
            next();
        });
    }
}

fn read_extreme(negative: bool, next: &mut impl FnMut() -> u8) -> Number {
    let marked = read_bytes(8, next);
    skip_rest(marked, next);
    let magnitude = f64::from_bits(marked >> 1);
    Number::Double(if negative { -magnitude } else { magnitude })
}

fn read_whole(negative: bool, size: usize, next: &mut impl FnMut() -> u8) -> Number {
    let shifted = read_bytes(size, next);
    let whole = shifted >> 1;
    if shifted & 1 == 0 {
        let magnitude = whole.cast_signed();
        return Number::Integer(if negative { -magnitude } else { magnitude });
    }
    let free = 8 - size;
    // Without a free byte only a decimal can have a fraction, and its digits always follow.
    let marked = if free == 0 { 1 } else { read_bytes(free, next) };
    skip_rest(marked, next);
    #[expect(clippy::cast_precision_loss, reason = "where the value is a double's, both parts fit it exactly")]
    let magnitude = whole as f64 + (marked >> 1) as f64 / (1_u64 << (free * 8).saturating_sub(1)) as f64;
    Number::Double(if negative { -magnitude } else { magnitude })
}

/// Whole part, remainder and the unit the remainder is counted in; none where the whole part is 2^63 or more.
fn split(coefficient: u128, exponent: i32) -> Option<(u64, u128, u128)> {
    let power = 10_u128.checked_pow(exponent.unsigned_abs());
    let (whole, remainder, unit) = match (exponent >= 0, power) {
        (true, power) => (coefficient.checked_mul(power?)?, 0, 1),
        (false, Some(unit)) => (coefficient / unit, coefficient % unit, unit),
        (false, None) => (0, coefficient, 1),
    };
    u64::try_from(whole).ok().filter(|whole| whole >> 63 == 0).map(|whole| (whole, remainder, unit))
}

/// The digits of a positive decimal in a form whose byte order is the order by value.
fn rest_of(coefficient: u128, exponent: i32) -> [u8; REST] {
    let digits = coefficient.checked_ilog10().unwrap_or_default();
    let leading = i32::try_from(digits).unwrap_or_default() + exponent;
    let place = u16::try_from(leading + 0x4000).unwrap_or_default();
    let scaled = coefficient * 10_u128.pow(33_u32.saturating_sub(digits));
    let mut rest = [0; REST];
    rest[..2].copy_from_slice(&place.to_be_bytes());
    rest[2..].copy_from_slice(&scaled.to_be_bytes()[1..]);
    rest
}

/// The greatest double not above a positive decimal, and whether the two are equal.
fn truncated(coefficient: u128, exponent: i32) -> (f64, bool) {
    let nearest: f64 = format!("{coefficient}e{exponent}").parse().unwrap_or(f64::INFINITY);
    if nearest.is_infinite() {
        return (f64::MAX, false);
    }
    match compare_exactly(nearest, coefficient, exponent) {
        Ordering::Equal => (nearest, true),
        Ordering::Less => (nearest, false),
        Ordering::Greater => (nearest.next_down(), false),
    }
}

/// Compares a double's full decimal expansion, at most 767 digits, with a decimal.
fn compare_exactly(double: f64, coefficient: u128, exponent: i32) -> Ordering {
    if double == 0.0 {
        return Ordering::Less;
    }
    let expansion = format!("{double:.770e}");
    let (digits, place) = expansion.split_once('e').unwrap_or((&expansion, "0"));
    let own = coefficient.to_string();
    let own_place = i32::try_from(own.len()).unwrap_or_default() - 1 + exponent;
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    let place: i32 = place.parse().unwrap_or_default();
    place.cmp(&own_place).then_with(|| digits.trim_end_matches('0').cmp(own.trim_end_matches('0')))
}
