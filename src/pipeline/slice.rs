//! `$limit`, `$skip`, `$count` and `$sample`.

use crate::error::{CommandError, Result};
use crate::value::{Bson, View, exact_long, is_number, type_alias};

use super::flow::{Run, Stream, drain, each, gathered, listed};
use super::group::need_document;

/// Parses the number of `$limit`.
///
/// # Errors
/// 2107201, 5107201 and 15958: no whole number, a negative one, zero.
pub fn parse_limit(value: &Bson) -> Result<u64> {
    let limit = whole(value, "limit", 5_107_201)?;
    if limit == 0 {
        return Err(CommandError::new(15958, "the limit must be positive"));
    }
    Ok(limit)
}

/// Parses the number of `$skip`.
///
/// # Errors
/// 5107200: no whole number, or a negative one.
pub fn parse_skip(value: &Bson) -> Result<u64> {
    whole(value, "skip", 5_107_200)
}

fn whole(value: &Bson, stage: &str, code: i32) -> Result<u64> {
    let view = View::from(value);
    let shown = crate::query::expr::show_stored_value(view);
    let number = is_number(view);
    let refusal = |what: String| Err(CommandError::new(code, format!("invalid argument to ${stage} stage: {what}")));
    if !number {
        return refusal(format!("Expected a number in: ${stage}: {shown}"));
    }
    match exact_long(view) {
        Some(number) => {
            u64::try_from(number).or_else(|_| refusal(format!("Expected a non-negative number in: ${stage}: {shown}")))
        }
        None => refusal(format!("Expected an integer: ${stage}: {shown}")),
    }
}

/// Lets so many pass.
pub fn limit(mut left: u64, mut input: Stream<'_>) -> Stream<'_> {
    each(move || {
        if left == 0 {
            return Ok(None);
        }
        left -= 1;
        input.next()
    })
}

/// Passes so many over.
pub fn skip(mut left: u64, mut input: Stream<'_>) -> Stream<'_> {
    each(move || {
        while left > 0 {
            left -= 1;
            if input.next()?.is_none() {
                left = 0;
            }
        }
        input.next()
    })
}

/// Parses the name of `$count`.
///
/// # Errors
/// 40156 to 40160: no text, empty text, a dollar sign in front, a NUL byte, a dot.
pub fn parse_count(value: &Bson) -> Result<&str> {
    let Bson::String(name) = value else {
        return Err(CommandError::new(40156, "the count field must be a non-empty string"));
    };
    match name.as_str() {
        "" => Err(CommandError::new(40157, "the count field must be a non-empty string")),
        name if name.starts_with('$') => Err(CommandError::new(40158, "the count field cannot be a $-prefixed path")),
        name if name.contains('\0') => Err(CommandError::new(40159, "the count field cannot contain a null byte")),
        name if name.contains('.') => Err(CommandError::new(40160, "the count field cannot contain '.'")),
        name => Ok(name),
    }
}

/// Parses the size of `$sample`.
///
/// # Errors
/// 28745 to 28749: no document, an unknown option, no number, a number below one, no size.
pub fn parse_sample(value: &Bson) -> Result<u64> {
    let document = need_document(value, 28745, "the $sample stage specification must be an object, found ")?;
    let mut size = None;
    for (name, value) in document {
        if name != "size" {
            return Err(CommandError::new(28748, format!("unrecognized option to $sample: {name}")).inside_field(name));
        }
        if !is_number(value.into()) {
            let found = type_alias(value.into());
            return Err(CommandError::new(28746, format!("size argument to $sample must be a number, found {found}"))
                .inside_field(name));
        }
        let whole = crate::value::truncated_long(value.into()).unwrap_or(0);
        match u64::try_from(whole) {
            Ok(positive @ 1..) => size = Some(positive),
            _ => {
                return Err(
                    CommandError::new(28747, "size argument to $sample must be a positive integer").inside_field(name)
                );
            }
        }
    }
    size.ok_or_else(|| CommandError::new(28749, "$sample stage must specify a size"))
}

/// Draws so many at random, each document once.
pub fn sample<'s>(size: u64, input: Stream<'s>, run: Run<'s>) -> Stream<'s> {
    gathered(input, move |input| {
        let mut rows = drain(input)?;
        let wanted = usize::try_from(size).unwrap_or(usize::MAX).min(rows.len());
        for at in 0..wanted {
            let other = at + chance(run, rows.len() - at);
            rows.swap(at, other);
        }
        rows.truncate(wanted);
        Ok(listed(rows))
    })
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "below the bound"
)]
fn chance(run: Run<'_>, below: usize) -> usize {
    ((run.context.random() * below as f64) as usize).min(below.saturating_sub(1))
}
