//! `$slice` of a projection.

use crate::error::{Result, refuse};
use crate::value::{self, ArrayBuilder, ArrayView, Bson, Packed, type_alias};

/// Which elements of an array are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slice {
    /// How many elements are passed over; a negative number counts from the end. None for the one-number form.
    pub skip: Option<i32>,
    /// How many are kept; in the one-number form a negative number keeps the last ones.
    pub limit: i32,
}

/// A number cut to an int, as the server's `numberInt` does.
fn int(value: &Bson) -> i32 {
    let number = value::truncated_long(value.into());
    number.map_or(0, |number| i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX }))
}

impl Slice {
    /// Reads the operand of `find`'s form; the aggregation form has arrays that begin with an expression.
    pub(super) fn parse(operand: &Bson) -> Result<Self> {
        match operand {
            _ if crate::value::is_number(operand.into()) => Ok(Self { skip: None, limit: int(operand) }),
            Bson::Array(parts) => Self::pair(parts),
            _ => refuse(31273, "$slice only supports numbers and [skip, limit] arrays"),
        }
    }

    fn pair(parts: &[Bson]) -> Result<Self> {
        let [skip, limit] = parts else {
            return refuse(31272, "$slice array argument should be of form [skip, limit]");
        };
        if !crate::value::is_number(skip.into()) {
            let kind = type_alias(skip.into());
            return refuse(31257, format!("$slice expects the skip argument to be a number, got {kind}"));
        }
        if !crate::value::is_number(limit.into()) {
            let kind = type_alias(limit.into());
            return refuse(31258, format!("$slice expects the limit argument to be a number, got {kind}"));
        }
        if int(limit) <= 0 {
            return refuse(31259, format!("$slice limit must be positive, got {}", int(limit)));
        }
        Ok(Self { skip: Some(int(skip)), limit: int(limit) })
    }

    /// The elements kept.
    #[must_use]
    pub fn of(self, array: ArrayView<'_>) -> Packed {
        let length = array.len();
        let from_end = |count: i32| length.saturating_sub(count.unsigned_abs() as usize);
        let count = self.limit.unsigned_abs() as usize;
        let start = match self.skip {
            None if self.limit < 0 => from_end(self.limit),
            None => 0,
            Some(skip) if skip < 0 => from_end(skip),
            Some(skip) => skip.unsigned_abs() as usize,
        };
        array.iter().skip(start).take(count).collect::<ArrayBuilder>().finish()
    }
}
