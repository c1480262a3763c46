//! Real numbers with 108 places behind the point, for functions of decimals: all four rules cut off what lies behind.

use std::cmp::Ordering;
use std::fmt::Write as _;

/// How many digits a limb holds.
const LIMB_DIGITS: usize = 9;
const BASE: u64 = 1_000_000_000;
/// How many limbs lie behind the point.
const FRACTION: usize = 12;
/// How many digits lie behind the point.
pub(super) const PLACES: usize = LIMB_DIGITS * FRACTION;

/// Sign and limbs of nine digits, the least first, without zeros at the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fixed {
    negative: bool,
    limbs: Vec<u32>,
}

fn limb(number: u64) -> u32 {
    u32::try_from(number).expect("a limb is below 10^9")
}

fn trimmed(mut limbs: Vec<u32>) -> Vec<u32> {
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
    limbs
}

fn compare(left: &[u32], right: &[u32]) -> Ordering {
    left.len().cmp(&right.len()).then_with(|| left.iter().rev().cmp(right.iter().rev()))
}

fn sum(left: &[u32], right: &[u32]) -> Vec<u32> {
    let mut limbs = Vec::with_capacity(left.len().max(right.len()) + 1);
    let mut carry = 0;
    for at in 0..left.len().max(right.len()) {
        let digit = |limbs: &[u32]| u64::from(limbs.get(at).copied().unwrap_or(0));
        let total = digit(left) + digit(right) + carry;
        limbs.push(limb(total % BASE));
        carry = total / BASE;
    }
    limbs.push(limb(carry));
    trimmed(limbs)
}

/// The difference; the right side is not greater.
fn difference(left: &[u32], right: &[u32]) -> Vec<u32> {
    let mut borrow = 0;
    let limbs = left.iter().enumerate().map(|(at, digit)| {
        let taken = u64::from(right.get(at).copied().unwrap_or(0)) + borrow;
        let digit = u64::from(*digit);
        borrow = u64::from(digit < taken);
        limb(digit + borrow * BASE - taken)
    });
    trimmed(limbs.collect())
}

impl Fixed {
    fn of(negative: bool, limbs: Vec<u32>) -> Self {
        let limbs = trimmed(limbs);
        Self { negative: negative && !limbs.is_empty(), limbs }
    }

    /// A small whole number.
    pub fn whole(number: u32) -> Self {
        Self::one().times_small(number)
    }

    fn one() -> Self {
        let mut limbs = vec![0; FRACTION];
        limbs.push(1);
        Self { negative: false, limbs }
    }

    /// The number of digits before the point, a point, and digits behind it; what is no digit is passed over.
    pub fn read(text: &str) -> Self {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = whole.chars().chain(fraction.chars().chain(std::iter::repeat('0')).take(PLACES));
        let digits: Vec<u32> = digits.filter_map(|digit| digit.to_digit(10)).collect();
        let limbs = digits.rchunks(LIMB_DIGITS).map(|chunk| chunk.iter().fold(0, |limb, digit| limb * 10 + digit));
        Self::of(text.starts_with('-'), limbs.collect())
    }

    /// `coefficient * 10^exponent`; digits beyond the last place are cut off.
    pub fn decimal(negative: bool, coefficient: u128, exponent: i32) -> Self {
        let places = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
        let digits = coefficient.to_string();
        let text = if exponent >= 0 {
            digits + &"0".repeat(places)
        } else {
            let digits = format!("{digits:0>width$}", width = places.min(2 * PLACES) + 1);
            let point = digits.len().saturating_sub(places);
            format!("{}.{}", &digits[..point], &digits[point..])
        };
        let magnitude = Self::read(&text);
        Self { negative: negative && !magnitude.is_zero(), ..magnitude }
    }

    /// A double, to a hundred places.
    pub fn double(number: f64) -> Self {
        Self::read(&format!("{number:.100}"))
    }

    pub fn to_double(&self) -> f64 {
        let text = format!("{}e-{PLACES}", self.digits());
        let magnitude: f64 = text.parse().unwrap_or(f64::NAN);
        if self.negative { -magnitude } else { magnitude }
    }

    /// The digits of the magnitude, of which the last 108 stand behind the point; at least one.
    pub fn digits(&self) -> String {
        let mut text = self.limbs.iter().rev().fold(String::new(), |mut text, limb| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{limb:09}");
            text
        });
        let zeros = text.bytes().take_while(|digit| *digit == b'0').count();
        text.drain(..zeros);
        if text.is_empty() { "0".into() } else { text }
    }

    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    pub fn is_negative(&self) -> bool {
        self.negative
    }

    pub fn negated(&self) -> Self {
        Self { negative: !self.negative && !self.is_zero(), limbs: self.limbs.clone() }
    }

    pub fn abs(&self) -> Self {
        Self { negative: false, limbs: self.limbs.clone() }
    }

    pub fn plus(&self, other: &Self) -> Self {
        if self.negative == other.negative {
            return Self::of(self.negative, sum(&self.limbs, &other.limbs));
        }
        match compare(&self.limbs, &other.limbs) {
            Ordering::Less => Self::of(other.negative, difference(&other.limbs, &self.limbs)),
            _ => Self::of(self.negative, difference(&self.limbs, &other.limbs)),
        }
    }

    pub fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    pub fn times(&self, other: &Self) -> Self {
        let mut product = vec![0_u64; self.limbs.len() + other.limbs.len() + 1];
        for (at, left) in self.limbs.iter().enumerate() {
            let mut carry = 0;
            for (place, right) in other.limbs.iter().enumerate() {
                let total = product[at + place] + u64::from(*left) * u64::from(*right) + carry;
                product[at + place] = total % BASE;
                carry = total / BASE;
            }
            product[at + other.limbs.len()] += carry;
        }
        let kept = product.into_iter().skip(FRACTION).map(limb).collect();
        Self::of(self.negative != other.negative, kept)
    }

    pub fn times_small(&self, factor: u32) -> Self {
        let mut carry = 0;
        let mut limbs: Vec<u32> = Vec::with_capacity(self.limbs.len() + 2);
        for digit in &self.limbs {
            let total = u64::from(*digit) * u64::from(factor) + carry;
            limbs.push(limb(total % BASE));
            carry = total / BASE;
        }
        limbs.extend([limb(carry % BASE), limb(carry / BASE)]);
        Self::of(self.negative, limbs)
    }

    pub fn over_small(&self, divisor: u32) -> Self {
        let mut rest = 0;
        let mut limbs: Vec<u32> = self
            .limbs
            .iter()
            .rev()
            .map(|digit| {
                let total = rest * BASE + u64::from(*digit);
                rest = total % u64::from(divisor);
                limb(total / u64::from(divisor))
            })
            .collect();
        limbs.reverse();
        Self::of(self.negative, limbs)
    }

    /// One divided by the number, which is not zero, by Newton's method: each round doubles the digits that are right.
    pub fn inverse(&self) -> Self {
        let mut inverse = Self::double(1.0 / self.to_double());
        for _ in 0..4 {
            let rest = Self::whole(2).minus(&self.times(&inverse));
            inverse = inverse.times(&rest);
        }
        inverse
    }

    /// The square root of a number from 1 on, below 100.
    pub fn root(&self) -> Self {
        let mut inverse = Self::double(1.0 / self.to_double().sqrt());
        for _ in 0..4 {
            let rest = Self::whole(3).minus(&self.times(&inverse).times(&inverse));
            inverse = inverse.times(&rest).over_small(2);
        }
        self.times(&inverse)
    }

    /// The nearest whole number, and its rest by four.
    pub fn nearest(&self) -> (Self, u32) {
        let half = Self::one().over_small(2);
        let shifted = self.abs().plus(&half);
        let mut limbs = shifted.limbs;
        limbs.iter_mut().take(FRACTION).for_each(|limb| *limb = 0);
        let least = limbs.get(FRACTION).copied().unwrap_or(0) % 4;
        let rest = if self.negative { (4 - least) % 4 } else { least };
        (Self::of(self.negative, limbs), rest)
    }
}
