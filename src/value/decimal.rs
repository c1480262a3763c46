//! Decimal128 as sign, coefficient and exponent (IEEE 754-2008, binary integer decimal encoding as BSON stores it).

use std::cmp::Ordering;

use bson::Decimal128;

/// The largest coefficient: 34 nines.
pub(super) const MAX_COEFFICIENT: u128 = 10_u128.pow(34) - 1;
/// The least exponent of a coefficient.
pub(super) const MIN_EXPONENT: i32 = -6176;

/// A decimal, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decimal {
    /// Not a number.
    NaN,
    /// Beyond all numbers, `true` for below.
    Infinity(bool),
    /// `coefficient * 10^exponent`, negated where asked.
    Finite(Finite),
}

/// A finite decimal: at most 34 digits and an exponent from -6176 to 6111. Zeros keep their sign and exponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finite {
    /// Whether it is below zero, or the negative zero.
    pub negative: bool,
    /// The digits.
    pub coefficient: u128,
    /// The power of ten.
    pub exponent: i32,
}

impl Decimal {
    /// Takes BSON's bytes apart; coefficients beyond 34 digits are not canonical and read as zero.
    #[must_use]
    pub fn from_bson(number: Decimal128) -> Self {
        let bits = u128::from_le_bytes(number.bytes());
        let negative = bits >> 127 == 1;
        match bits >> 122 & 0x1f {
            0x1f => return Self::NaN,
            0x1e => return Self::Infinity(negative),
            _ => {}
        }
        // A combination field beginning with two ones shifts the exponent and means a coefficient beyond 34 digits.
        let large = bits >> 125 & 3 == 3;
        let biased = if large { bits >> 111 } else { bits >> 113 } & 0x3fff;
        let coefficient = if large { 0 } else { bits & ((1 << 113) - 1) };
        let coefficient = if coefficient > MAX_COEFFICIENT { 0 } else { coefficient };
        let exponent = i32::try_from(biased).unwrap_or_default() + MIN_EXPONENT;
        Self::Finite(Finite { negative, coefficient, exponent })
    }

    /// Puts BSON's bytes together.
    #[must_use]
    pub fn to_bson(self) -> Decimal128 {
        let bits = match self {
            Self::NaN => 0x1f << 122,
            Self::Infinity(negative) => u128::from(negative) << 127 | 0x1e << 122,
            Self::Finite(Finite { negative, coefficient, exponent }) => {
                let biased = u128::from((exponent - MIN_EXPONENT).unsigned_abs());
                u128::from(negative) << 127 | biased << 113 | coefficient
            }
        };
        Decimal128::from_bytes(bits.to_le_bytes())
    }

    /// A whole number as a decimal with exponent zero.
    #[must_use]
    pub fn from_long(number: i64) -> Self {
        Self::Finite(Finite { negative: number < 0, coefficient: u128::from(number.unsigned_abs()), exponent: 0 })
    }

    /// Whether it is not a number.
    #[must_use]
    pub fn is_nan(self) -> bool {
        self == Self::NaN
    }

    /// Whether it is zero of either sign.
    #[must_use]
    pub fn is_zero(self) -> bool {
        matches!(self, Self::Finite(Finite { coefficient: 0, .. }))
    }

    /// Whether it is below zero; false for NaN and for the negative zero.
    #[must_use]
    pub fn is_negative(self) -> bool {
        match self {
            Self::NaN => false,
            Self::Infinity(negative) => negative,
            Self::Finite(finite) => finite.negative && finite.coefficient != 0,
        }
    }

    /// Compares by value: NaN below everything, zeros of both signs equal, `1.0` equal to `1`.
    #[must_use]
    pub fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::NaN, Self::NaN) => Ordering::Equal,
            (Self::NaN, _) => Ordering::Less,
            (_, Self::NaN) => Ordering::Greater,
            _ => self.sign().cmp(&other.sign()).then_with(|| {
                let magnitudes = self.compare_magnitude(other);
                if self.sign() < 0 { magnitudes.reverse() } else { magnitudes }
            }),
        }
    }

    fn sign(self) -> i8 {
        match self {
            _ if self.is_negative() => -1,
            _ if self.is_zero() => 0,
            _ => 1,
        }
    }

    fn compare_magnitude(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Infinity(_), Self::Infinity(_)) => Ordering::Equal,
            (Self::Infinity(_), _) => Ordering::Greater,
            (_, Self::Infinity(_)) => Ordering::Less,
            (Self::Finite(left), Self::Finite(right)) => left.compare_magnitude(right),
            _ => Ordering::Equal,
        }
    }
}

impl Finite {
    fn compare_magnitude(self, other: Self) -> Ordering {
        if self.coefficient == 0 || other.coefficient == 0 {
            return (self.coefficient != 0).cmp(&(other.coefficient != 0));
        }
        let tops = self.top_exponent().cmp(&other.top_exponent());
        tops.then_with(|| self.normalised().cmp(&other.normalised()))
    }

    /// The power of ten of the first digit.
    fn top_exponent(self) -> i32 {
        self.exponent + digits(self.coefficient)
    }

    /// The coefficient shifted left to 34 digits.
    fn normalised(self) -> u128 {
        self.coefficient * 10_u128.pow(u32::try_from(34 - digits(self.coefficient)).unwrap_or_default())
    }
}

/// How many decimal digits a number has; zero has none.
pub(super) fn digits(number: u128) -> i32 {
    number.checked_ilog10().map_or(0, |log| i32::try_from(log).expect("at most 38") + 1)
}
