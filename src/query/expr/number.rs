//! Numbers in expressions: the four types, their promotion, and exact sums.

use crate::value::{Decimal, View};

use super::value::Value;

/// A number of one of BSON's four types.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// 32 bits.
    Int(i32),
    /// 64 bits.
    Long(i64),
    /// Binary floating point.
    Double(f64),
    /// Decimal floating point.
    Decimal(Decimal),
}

/// The operands of a binary operator, brought to the wider of their types.
pub(crate) enum Pair {
    Int(i32, i32),
    Long(i64, i64),
    Double(f64, f64),
    Decimal(Decimal, Decimal),
}

impl Number {
    /// The number, if the value is one.
    pub(crate) fn of(view: View<'_>) -> Option<Self> {
        Some(match view {
            View::Int32(number) => Self::Int(number),
            View::Int64(number) => Self::Long(number),
            View::Double(number) => Self::Double(number),
            View::Decimal(number) => Self::Decimal(Decimal::from_bson(number)),
            _ => return None,
        })
    }

    /// The number as a view.
    pub(crate) fn view(self) -> View<'static> {
        match self {
            Self::Int(number) => View::Int32(number),
            Self::Long(number) => View::Int64(number),
            Self::Double(number) => View::Double(number),
            Self::Decimal(number) => View::Decimal(number.to_bson()),
        }
    }

    /// The nearest double.
    #[expect(clippy::cast_precision_loss, reason = "the server rounds to the nearest double as well")]
    pub(crate) fn to_double(self) -> f64 {
        match self {
            Self::Int(number) => f64::from(number),
            Self::Long(number) => number as f64,
            Self::Double(number) => number,
            Self::Decimal(number) => number.to_double(),
        }
    }

    /// The number as a decimal; a double gives its first fifteen digits, as in the server.
    pub(crate) fn to_decimal(self) -> Decimal {
        match self {
            Self::Int(number) => Decimal::from_long(i64::from(number)),
            Self::Long(number) => Decimal::from_long(number),
            Self::Double(number) => Decimal::from_double(number),
            Self::Decimal(number) => number,
        }
    }

    /// Both numbers in the wider type.
    pub(crate) fn pair(self, other: Self) -> Pair {
        match (self, other) {
            (Self::Decimal(_), _) | (_, Self::Decimal(_)) => Pair::Decimal(self.to_decimal(), other.to_decimal()),
            (Self::Double(a), b) => Pair::Double(a, b.to_double()),
            (a, Self::Double(b)) => Pair::Double(a.to_double(), b),
            (Self::Int(a), Self::Int(b)) => Pair::Int(a, b),
            (Self::Int(a), Self::Long(b)) => Pair::Long(i64::from(a), b),
            (Self::Long(a), Self::Int(b)) => Pair::Long(a, i64::from(b)),
            (Self::Long(a), Self::Long(b)) => Pair::Long(a, b),
        }
    }
}

impl From<Number> for Value<'_> {
    fn from(number: Number) -> Self {
        Value::View(number.view())
    }
}

/// An int if it fits, else a long.
pub(super) fn int_or_long(number: i64) -> Number {
    i32::try_from(number).map_or(Number::Long(number), Number::Int)
}

/// The value as a 32-bit integer, where it is a whole number in range.
pub(super) fn as_i32(view: View<'_>) -> Option<i32> {
    i32::try_from(crate::value::exact_long(view)?).ok()
}

/// A sum whose result does not depend on the order of small and large doubles (server: `DoubleDoubleSummation`), in the
/// widest type that was added.
#[derive(Debug, Clone)]
pub struct Sum {
    /// Rounded sum and what rounding lost.
    high: f64,
    low: f64,
    /// The sum of what is no double, exact while it fits.
    whole: i128,
    decimal: Decimal,
    widest: Widest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Widest {
    Int,
    Long,
    Double,
    Decimal,
}

impl Default for Sum {
    fn default() -> Self {
        Self { high: 0.0, low: 0.0, whole: 0, decimal: Decimal::from_long(0), widest: Widest::Int }
    }
}

impl Sum {
    /// Adds a number.
    pub(crate) fn add(&mut self, number: Number) {
        let width = match number {
            Number::Int(int) => {
                self.whole += i128::from(int);
                Widest::Int
            }
            Number::Long(long) => {
                self.whole += i128::from(long);
                Widest::Long
            }
            Number::Double(double) => {
                self.add_double(double);
                Widest::Double
            }
            Number::Decimal(decimal) => {
                self.decimal = self.decimal.add(decimal);
                Widest::Decimal
            }
        };
        self.widest = self.widest.max(width);
    }

    /// Knuth's two-sum: the error of each rounding is kept.
    fn add_double(&mut self, term: f64) {
        let sum = self.high + term;
        let part = sum - self.high;
        self.low += (self.high - (sum - part)) + (term - part);
        self.high = sum;
    }

    fn doubles(&self) -> f64 {
        let total = self.high + self.low;
        if total.is_nan() { self.high } else { total }
    }

    #[expect(clippy::cast_precision_loss, reason = "the exact sum is rounded once, at the end")]
    fn double_total(&self) -> f64 {
        if self.whole == 0 {
            return self.doubles();
        }
        let mut all = self.clone();
        let head = self.whole as f64;
        #[expect(clippy::cast_possible_truncation, reason = "a rounded sum of longs lies well inside 128 bits")]
        let rest = self.whole - head as i128;
        all.add_double(head);
        all.add_double(rest as f64);
        all.doubles()
    }

    /// The sum in the widest type added; an int that does not fit becomes a long, a long a double.
    pub(crate) fn total(&self) -> Number {
        match self.widest {
            Widest::Decimal => Number::Decimal(self.decimal_total()),
            Widest::Double => Number::Double(self.double_total()),
            narrow => match i64::try_from(self.whole) {
                Ok(total) if narrow == Widest::Int => int_or_long(total),
                Ok(total) => Number::Long(total),
                Err(_) => Number::Double(self.double_total()),
            },
        }
    }

    fn decimal_total(&self) -> Decimal {
        let mut total = self.decimal;
        if self.whole != 0 {
            let whole = i64::try_from(self.whole).map_or_else(|_| Number::Double(self.double_total()), Number::Long);
            total = total.add(whole.to_decimal());
        }
        if self.high != 0.0 || self.low != 0.0 || self.high.is_nan() {
            total = total.add(Decimal::from_double(self.doubles()));
        }
        total
    }

    /// The sum divided by a count: a decimal if one was added, else a double.
    pub(crate) fn mean(&self, count: i64) -> Number {
        match self.widest {
            Widest::Decimal => Number::Decimal(self.decimal_total().divide(Decimal::from_long(count))),
            #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
            _ => Number::Double(self.double_total() / count as f64),
        }
    }
}
