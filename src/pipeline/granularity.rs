//! The preferred numbers of `$bucketAuto` (`granularity_rounder_preferred_numbers.cpp`).

use crate::error::{CommandError, Result};
use crate::query::expr::Number;
use crate::value::{Packed, View, type_alias};

/// A series of preferred numbers between one power of ten (or two) and the next.
#[derive(Debug, Clone)]
pub struct Granularity {
    name: &'static str,
    /// Increasing, from 1 to below 10; empty for the powers of two.
    series: Vec<f64>,
}

const R40: [u32; 40] = [
    100, 106, 112, 118, 125, 132, 140, 150, 160, 170, 180, 190, 200, 212, 224, 236, 250, 265, 280, 300, 315, 335, 355,
    375, 400, 425, 450, 475, 500, 530, 560, 600, 630, 670, 710, 750, 800, 850, 900, 950,
];
/// What R80 has between the numbers of R40.
const R80_BETWEEN: [u32; 40] = [
    103, 109, 115, 122, 128, 136, 145, 155, 165, 175, 185, 195, 206, 218, 230, 243, 258, 272, 290, 307, 325, 345, 365,
    387, 412, 437, 462, 487, 515, 545, 575, 615, 650, 690, 730, 775, 825, 875, 925, 975,
];
const E24: [u32; 24] = [
    100, 110, 120, 130, 150, 160, 180, 200, 220, 240, 270, 300, 330, 360, 390, 430, 470, 510, 560, 620, 680, 750, 820,
    910,
];

impl Granularity {
    /// The series of that name.
    ///
    /// # Errors
    /// 40257 for any other name.
    pub fn parse(name: &str) -> Result<Self> {
        let every = |table: &[u32], step: usize| table.iter().step_by(step).copied().collect::<Vec<_>>();
        let (name, hundredths) = match name {
            "POWERSOF2" => ("POWERSOF2", Vec::new()),
            "1-2-5" => ("1-2-5", vec![100, 200, 500]),
            "R5" => ("R5", every(&R40, 8)),
            "R10" => ("R10", every(&R40, 4)),
            "R20" => ("R20", every(&R40, 2)),
            "R40" => ("R40", R40.to_vec()),
            "R80" => ("R80", R40.iter().zip(R80_BETWEEN).flat_map(|(a, b)| [*a, b]).collect()),
            "E6" => ("E6", every(&E24, 4)),
            "E12" => ("E12", every(&E24, 2)),
            "E24" => ("E24", E24.to_vec()),
            "E48" => ("E48", geometric(48)),
            "E96" => ("E96", geometric(96)),
            "E192" => ("E192", geometric(192)),
            _ => return Err(CommandError::new(40257, format!("Unknown rounding granularity '{name}'"))),
        };
        Ok(Self { name, series: hundredths.into_iter().map(|number| f64::from(number) / 100.0).collect() })
    }

    /// Refuses what has no place among preferred numbers.
    ///
    /// # Errors
    /// 40258 to 40262 for what is no number, NaN, or negative.
    pub fn check(&self, value: View<'_>) -> Result<()> {
        let name = self.name;
        let Some(number) = Number::of(value).map(Number::to_double) else {
            let found = type_alias(value);
            return Err(CommandError::new(
                40258,
                format!(
                    "$bucketAuto can specify a 'granularity' with numeric boundaries only, but found a value with type: {found}"
                ),
            ));
        };
        if number.is_nan() {
            return Err(CommandError::new(
                40259,
                format!(
                    "$bucketAuto can specify a 'granularity' of '{name}' with numeric boundaries only, but found a NaN"
                ),
            ));
        }
        if number < 0.0 {
            return Err(CommandError::new(
                40260,
                "$bucketAuto can specify a 'granularity' with non-negative numbers only, but found a negative number",
            ));
        }
        Ok(())
    }

    /// The least preferred number above a value.
    #[must_use]
    pub fn up(&self, value: View<'_>) -> Packed {
        self.neighbour(value, true)
    }

    /// The greatest preferred number below a value.
    #[must_use]
    pub fn down(&self, value: View<'_>) -> Packed {
        self.neighbour(value, false)
    }

    fn neighbour(&self, value: View<'_>, up: bool) -> Packed {
        let number = Number::of(value).map_or(0.0, Number::to_double);
        let found = if number == 0.0 {
            0.0
        } else if self.series.is_empty() {
            power_of_two(number, up)
        } else {
            self.preferred(number, up)
        };
        let whole = matches!(value, View::Int32(_) | View::Int64(_)) && found.fract() == 0.0 && found.abs() < 2e9;
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below two thousand million")]
        let found = if whole { View::Int32(found as i32) } else { View::Double(found) };
        Packed::new(found)
    }

    fn preferred(&self, number: f64, up: bool) -> f64 {
        let mut scale = 10_f64.powf(number.log10().floor() - 1.0);
        let mut below = 0.0;
        loop {
            for step in &self.series {
                let candidate = (step * scale * 1e9).round() / 1e9;
                if up && candidate > number {
                    return candidate;
                }
                if !up && candidate >= number {
                    return below;
                }
                below = candidate;
            }
            scale *= 10.0;
        }
    }
}

fn power_of_two(number: f64, up: bool) -> f64 {
    let exponent = number.log2();
    if up { (exponent.floor() + 1.0).exp2() } else { (exponent.ceil() - 1.0).exp2() }
}

/// Numbers in equal ratios, rounded to three digits.
fn geometric(count: u32) -> Vec<u32> {
    (0..count)
        .map(|at| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 100 and 1000")]
            let number = (100.0 * 10_f64.powf(f64::from(at) / f64::from(count))).round() as u32;
            // The one number of the E192 series that tradition rounds up.
            if number == 919 { 920 } else { number }
        })
        .collect()
}
