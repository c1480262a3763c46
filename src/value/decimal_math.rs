//! Arithmetic on decimals: results rounded to 34 digits, half to even, as IEEE 754-2008 and the server do.

use super::decimal::{Decimal, Finite, MAX_COEFFICIENT, MIN_EXPONENT, digits};

/// The greatest exponent of a coefficient.
const MAX_EXPONENT: i32 = 6111;

const TEN_34: u128 = 10_u128.pow(34);
const TEN_17: u128 = 10_u128.pow(17);

/// A coefficient of up to 68 digits: `high * 10^34 + low`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Wide {
    high: u128,
    low: u128,
}

impl Wide {
    fn product(left: u128, right: u128) -> Self {
        let (a, b) = (left / TEN_17, left % TEN_17);
        let (c, d) = (right / TEN_17, right % TEN_17);
        let middle = a * d + b * c;
        let low = b * d + middle % TEN_17 * TEN_17;
        Self { high: a * c + middle / TEN_17 + low / TEN_34, low: low % TEN_34 }
    }

    fn plus(self, other: Self) -> Self {
        let low = self.low + other.low;
        Self { high: self.high + other.high + low / TEN_34, low: low % TEN_34 }
    }

    /// The difference; the other one is not greater.
    fn minus(self, other: Self) -> Self {
        let borrow = u128::from(self.low < other.low);
        Self { high: self.high - other.high - borrow, low: self.low + borrow * TEN_34 - other.low }
    }

    fn digits(self) -> i32 {
        if self.high == 0 { digits(self.low) } else { 34 + digits(self.high) }
    }

    /// The digits without the last `count`, and how what was cut off compares with half a unit (none for nothing cut).
    fn cut(self, count: u32) -> (Self, Option<std::cmp::Ordering>) {
        let unit = |count: u32| 10_u128.pow(count);
        let half = |count: u32| if count == 0 { (0, 0) } else { (5 * unit(count - 1), unit(count)) };
        let (kept, rest, lost) = if count >= 34 {
            let count = count - 34;
            let (half, _) = half(count);
            let cut = self.high % unit(count);
            let order = if count == 0 { self.low.cmp(&(TEN_34 / 2)) } else { cut.cmp(&half).then(self.low.cmp(&0)) };
            (Self { high: 0, low: self.high / unit(count) }, order, cut != 0 || self.low != 0)
        } else {
            let (half, whole) = half(count);
            let cut = if count == 0 { 0 } else { self.low % whole };
            let kept_low = self.low / unit(count);
            let carried = self.high % unit(count) * unit(34 - count);
            let low = if count == 0 { self.low } else { kept_low + carried };
            (Self { high: self.high / unit(count), low }, cut.cmp(&half), cut != 0)
        };
        (kept, lost.then_some(rest))
    }
}

/// Rounds to what a decimal holds; too large becomes infinite, too small zero.
fn rounded(negative: bool, wide: Wide, exponent: i32, truncate: bool) -> Decimal {
    let excess = (wide.digits() - 34).max(MIN_EXPONENT - exponent).max(0);
    let count = u32::try_from(excess.min(68)).unwrap_or_default();
    let (kept, lost) = wide.cut(count);
    let (mut coefficient, mut exponent) = (kept.low, exponent.saturating_add(excess));
    let up = match lost {
        Some(std::cmp::Ordering::Greater) => true,
        Some(std::cmp::Ordering::Equal) => coefficient % 2 == 1,
        _ => false,
    };
    if up && !truncate {
        coefficient += 1;
        if coefficient > MAX_COEFFICIENT {
            coefficient /= 10;
            exponent += 1;
        }
    }
    while exponent > MAX_EXPONENT && coefficient != 0 && coefficient * 10 <= MAX_COEFFICIENT {
        coefficient *= 10;
        exponent -= 1;
    }
    if coefficient == 0 {
        exponent = exponent.clamp(MIN_EXPONENT, MAX_EXPONENT);
    }
    if exponent > MAX_EXPONENT {
        return Decimal::Infinity(negative);
    }
    Decimal::Finite(Finite { negative, coefficient, exponent })
}

/// The nearest decimal of 68 digits, given by halves.
pub(super) fn from_many_digits(negative: bool, (high, low): (u128, u128), exponent: i32) -> Decimal {
    rounded(negative, Wide { high, low }, exponent, false)
}

impl Decimal {
    /// The same magnitude with the other sign.
    #[must_use]
    pub fn negate(self) -> Self {
        match self {
            Self::NaN => Self::NaN,
            Self::Infinity(negative) => Self::Infinity(!negative),
            Self::Finite(finite) => Self::Finite(Finite { negative: !finite.negative, ..finite }),
        }
    }

    /// The same magnitude, not negative.
    #[must_use]
    pub fn abs(self) -> Self {
        match self {
            Self::Infinity(_) => Self::Infinity(false),
            Self::Finite(finite) => Self::Finite(Finite { negative: false, ..finite }),
            Self::NaN => Self::NaN,
        }
    }

    /// The sum; opposite infinities give NaN.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "the four operations read alike as methods")]
    pub fn add(self, other: Self) -> Self {
        match (self, other) {
            (Self::NaN, _) | (_, Self::NaN) => Self::NaN,
            (Self::Infinity(a), Self::Infinity(b)) => {
                if a == b {
                    self
                } else {
                    Self::NaN
                }
            }
            (Self::Infinity(_), _) => self,
            (_, Self::Infinity(_)) => other,
            (Self::Finite(a), Self::Finite(b)) => {
                if a.exponent >= b.exponent {
                    a.plus(b)
                } else {
                    b.plus(a)
                }
            }
        }
    }

    /// The product; zero times infinity gives NaN.
    #[must_use]
    pub fn multiply(self, other: Self) -> Self {
        match (self, other) {
            (Self::NaN, _) | (_, Self::NaN) => Self::NaN,
            (Self::Finite(a), Self::Finite(b)) => rounded(
                a.negative != b.negative,
                Wide::product(a.coefficient, b.coefficient),
                a.exponent + b.exponent,
                false,
            ),
            _ if self.is_zero() || other.is_zero() => Self::NaN,
            _ => Self::Infinity(self.has_minus() != other.has_minus()),
        }
    }

    /// The quotient; by zero it is infinite, zero by zero NaN.
    #[must_use]
    pub fn divide(self, other: Self) -> Self {
        let negative = self.has_minus() != other.has_minus();
        match (self, other) {
            (Self::NaN, _) | (_, Self::NaN) | (Self::Infinity(_), Self::Infinity(_)) => Self::NaN,
            (Self::Infinity(_), _) => Self::Infinity(negative),
            (_, Self::Infinity(_)) => Self::Finite(Finite { negative, coefficient: 0, exponent: MIN_EXPONENT }),
            (Self::Finite(a), Self::Finite(b)) => a.over(b, negative),
        }
    }

    /// What is left of a division to a whole number, with the dividend's sign.
    #[must_use]
    pub fn remainder(self, other: Self) -> Self {
        match (self, other) {
            (Self::Finite(a), Self::Finite(b)) if b.coefficient != 0 => a.modulo(b),
            (Self::Finite(_), Self::Infinity(_)) => self,
            _ => Self::NaN,
        }
    }

    /// Rounded half to even, or cut off, at so many places behind the point; negative places lie before it.
    #[must_use]
    pub fn round_at(self, place: i32, truncate: bool) -> Self {
        let Self::Finite(finite) = self else {
            return self;
        };
        let shift = -place - finite.exponent;
        if shift <= 0 {
            let room = 34 - digits(finite.coefficient);
            if finite.coefficient != 0 && -shift > room {
                return self;
            }
            let coefficient = if finite.coefficient == 0 { 0 } else { finite.coefficient * power(-shift) };
            return Self::Finite(Finite { coefficient, exponent: -place, ..finite });
        }
        if shift > 35 {
            return Self::Finite(Finite { coefficient: 0, exponent: -place, ..finite });
        }
        let (kept, lost) = Wide { high: 0, low: finite.coefficient }.cut(u32::try_from(shift).unwrap_or_default());
        let up = match lost {
            Some(std::cmp::Ordering::Greater) => true,
            Some(std::cmp::Ordering::Equal) => kept.low % 2 == 1,
            _ => false,
        };
        let coefficient = kept.low + u128::from(up && !truncate);
        Self::Finite(Finite { coefficient, exponent: -place, ..finite })
    }

    /// The nearest double.
    #[must_use]
    pub fn to_double(self) -> f64 {
        match self {
            Self::NaN => f64::NAN,
            Self::Infinity(negative) => {
                if negative {
                    f64::NEG_INFINITY
                } else {
                    f64::INFINITY
                }
            }
            Self::Finite(finite) => {
                let text = format!("{}e{}", finite.coefficient, finite.exponent);
                let magnitude: f64 = text.parse().unwrap_or(f64::NAN);
                if finite.negative { -magnitude } else { magnitude }
            }
        }
    }

    /// A double by its first fifteen digits, trailing zeros included, as the server converts (`0.1` is `0.100000000000000`).
    #[must_use]
    pub fn from_double(number: f64) -> Self {
        from_digits(number, 15)
    }

    /// A double by its first 34 digits, as the server takes it for rounding.
    #[must_use]
    pub fn from_double_exactly(number: f64) -> Self {
        from_digits(number, 34)
    }

    fn has_minus(self) -> bool {
        match self {
            Self::NaN => false,
            Self::Infinity(negative) => negative,
            Self::Finite(finite) => finite.negative,
        }
    }
}

fn from_digits(number: f64, count: usize) -> Decimal {
    if number.is_nan() {
        return Decimal::NaN;
    }
    let negative = number.is_sign_negative();
    if number.is_infinite() {
        return Decimal::Infinity(negative);
    }
    if number == 0.0 {
        return Decimal::Finite(Finite { negative, coefficient: 0, exponent: 0 });
    }
    let text = format!("{:.*e}", count - 1, number.abs());
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let coefficient = mantissa.replace('.', "").parse().unwrap_or_default();
    let places = i32::try_from(count - 1).unwrap_or_default();
    Decimal::Finite(Finite { negative, coefficient, exponent: power.parse::<i32>().unwrap_or_default() - places })
}

fn power(exponent: i32) -> u128 {
    10_u128.pow(u32::try_from(exponent).unwrap_or_default().min(38))
}

impl Finite {
    /// Adds a number whose exponent is not greater.
    fn plus(self, small: Self) -> Decimal {
        if self.coefficient == 0 {
            let negative = small.negative && (self.negative || small.coefficient != 0);
            return Decimal::Finite(Self { negative, ..small });
        }
        let shift = self.exponent - small.exponent;
        let (left, right, exponent) = if shift <= 34 {
            (Wide::product(self.coefficient, power(shift)), Wide { high: 0, low: small.coefficient }, small.exponent)
        } else {
            // With 34 digits and as many zeros behind them, all digits of the sum and what rounds them are there.
            let room = 34 - digits(self.coefficient);
            let (aligned, exponent) = (self.coefficient * power(room), self.exponent - room);
            if small.coefficient == 0 {
                return Decimal::Finite(Self { coefficient: aligned, exponent, ..self });
            }
            (Wide { high: aligned, low: 0 }, small.moved(exponent - 34), exponent - 34)
        };
        if self.negative == small.negative {
            return rounded(self.negative, left.plus(right), exponent, false);
        }
        match left.cmp(&right) {
            std::cmp::Ordering::Equal => rounded(false, Wide { high: 0, low: 0 }, exponent, false),
            std::cmp::Ordering::Greater => rounded(self.negative, left.minus(right), exponent, false),
            std::cmp::Ordering::Less => rounded(small.negative, right.minus(left), exponent, false),
        }
    }

    /// The coefficient at another exponent. Digits that are cut off leave a trace where the last digit kept would else
    /// look like a tie or like nothing.
    fn moved(self, exponent: i32) -> Wide {
        let distance = exponent - self.exponent;
        if distance <= 0 {
            return Wide::product(self.coefficient, power(-distance));
        }
        let unit = if distance > 34 { TEN_34 } else { power(distance) };
        let (kept, cut) = (self.coefficient / unit, self.coefficient % unit);
        let trace = cut != 0 && kept % 5 == 0;
        Wide { high: 0, low: kept + u128::from(trace) }
    }

    fn over(self, other: Self, negative: bool) -> Decimal {
        let ideal = self.exponent - other.exponent;
        if other.coefficient == 0 {
            return if self.coefficient == 0 { Decimal::NaN } else { Decimal::Infinity(negative) };
        }
        let mut quotient = self.coefficient / other.coefficient;
        let mut rest = self.coefficient % other.coefficient;
        let mut exponent = ideal;
        while rest != 0 && digits(quotient) < 35 {
            rest *= 10;
            quotient = quotient * 10 + rest / other.coefficient;
            rest %= other.coefficient;
            exponent -= 1;
        }
        // One more digit stands for everything behind.
        let wide = Wide::product(quotient, 10).plus(Wide { high: 0, low: u128::from(rest != 0) });
        if rest == 0 {
            return rounded(negative, Wide { high: quotient / TEN_34, low: quotient % TEN_34 }, exponent, false);
        }
        rounded(negative, wide, exponent - 1, false)
    }

    fn modulo(self, other: Self) -> Decimal {
        let gap = self.exponent - other.exponent;
        if gap < 0 {
            if digits(other.coefficient) - gap > 38 {
                return Decimal::Finite(self);
            }
            let divisor = other.coefficient * power(-gap);
            return Decimal::Finite(Self { coefficient: self.coefficient % divisor, ..self });
        }
        let mut rest = self.coefficient % other.coefficient;
        for _ in 0..gap {
            rest = rest * 10 % other.coefficient;
        }
        Decimal::Finite(Self { coefficient: rest, exponent: other.exponent, ..self })
    }
}
