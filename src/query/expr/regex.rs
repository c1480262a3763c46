//! `$regexMatch`, `$regexFind`, `$regexFindAll`.

use std::rc::Rc;

use fancy_regex::Captures;

use crate::error::{CommandError, Result};
use crate::query::{CompiledRegex, Regex};
use crate::value::{ArrayBuilder, DocumentBuilder, View};

use super::env::Env;
use super::table::{Call, Named, Operator, Refusal, Shape};
use super::value::Value;

macro_rules! regex_operands {
    ($name:literal) => {
        &Named {
            no_document: Refusal(51103, concat!($name, " expects an object of named arguments but found: {}")),
            unknown: Refusal(31024, concat!($name, " found an unknown argument: {}")),
            fields: &[
                ("input", Some(Refusal(31022, concat!($name, " requires 'input' parameter")))),
                ("regex", Some(Refusal(31023, concat!($name, " requires 'regex' parameter")))),
                ("options", None),
            ],
        }
    };
}

pub(super) const OPERATORS: &[Operator] = &[
    Operator { name: "$regexMatch", shape: Shape::Named(regex_operands!("$regexMatch")), run: is_match },
    Operator { name: "$regexFind", shape: Shape::Named(regex_operands!("$regexFind")), run: find },
    Operator { name: "$regexFindAll", shape: Shape::Named(regex_operands!("$regexFindAll")), run: find_all },
];

/// Text and pattern, or none where one of them is nullish.
fn operands<'a>(call: &'a Call, env: &Env<'a>) -> Result<Option<(Value<'a>, Rc<CompiledRegex>)>> {
    let name = call.name();
    let (input, regex, options) = (call.value(0, env)?, call.value(1, env)?, call.value(2, env)?);
    if !input.is_nullish() && input.string().is_none() {
        return Err(CommandError::new(51104, format!("{name} needs 'input' to be of type string")));
    }
    let written = match options.view() {
        None | Some(View::Null | View::Undefined) => None,
        Some(View::String(text)) => Some(text),
        Some(_) => return Err(CommandError::new(51106, format!("{name} needs 'options' to be of type string"))),
    };
    let (pattern, flags) = match regex.view() {
        None | Some(View::Null | View::Undefined) => return Ok(None),
        Some(View::String(pattern)) => (pattern, written.unwrap_or_default()),
        Some(View::Regex { pattern, options: "" }) => (pattern, written.unwrap_or_default()),
        Some(View::Regex { .. }) if written.is_some() => {
            let message = format!("{name} found regex option(s) specified in both 'regex' and 'option' fields");
            return Err(CommandError::new(51107, message));
        }
        Some(View::Regex { pattern, options }) => (pattern, options),
        Some(_) => return Err(CommandError::new(51105, format!("{name} needs 'regex' to be of type string or regex"))),
    };
    let regex = Regex { pattern: pattern.to_owned(), options: flags.to_owned() };
    let compiled = env.context.compiled(regex).map_err(|error| match error.code.number() {
        51091 => CommandError::new(51111, format!("Invalid Regex in {name}: {}", error.message)),
        _ => error,
    })?;
    if input.is_nullish() {
        return Ok(None);
    }
    Ok(Some((input, compiled)))
}

/// The first match from a byte on.
fn found<'t>(call: &Call, regex: &CompiledRegex, text: &'t str, from: usize) -> Result<Option<Captures<'t>>> {
    regex.engine(text).captures_from_pos(text, from).map_err(|_| gave_up(call))
}

fn gave_up(call: &Call) -> CommandError {
    let message = "Error occurred while executing the regular expression in";
    CommandError::new(51156, format!("{message} {}. Result code: match limit exceeded", call.name()))
}

fn is_match<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let Some((input, regex)) = operands(call, env)? else {
        return Ok(false.into());
    };
    let text = input.string().unwrap_or_default();
    regex.engine(text).is_match(text).map(Value::from).map_err(|_| gave_up(call))
}

/// A match as the server describes it: the text, its place in code points, and what the groups caught.
fn describe(out: &mut DocumentBuilder, text: &str, captures: &Captures<'_>) {
    let Some(whole) = captures.get(0) else {
        return;
    };
    let place = text[..whole.start()].chars().count();
    out.append("match", View::String(whole.as_str()));
    out.append("idx", View::Int32(i32::try_from(place).unwrap_or(i32::MAX)));
    let groups = captures.iter().skip(1).map(|group| group.map_or(View::Null, |group| View::String(group.as_str())));
    let groups = groups.collect::<ArrayBuilder>().finish();
    out.append("captures", groups.view());
}

fn find<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let Some((input, regex)) = operands(call, env)? else {
        return Ok(Value::NULL);
    };
    let text = input.string().unwrap_or_default();
    let Some(captures) = found(call, &regex, text, 0)? else {
        return Ok(Value::NULL);
    };
    let mut out = DocumentBuilder::packed();
    describe(&mut out, text, &captures);
    Ok(out.finish_packed().into())
}

/// Where the search goes on behind a match: behind the next character, where the match is empty.
fn behind(text: &str, start: usize, end: usize) -> usize {
    if start < end { end } else { end + text[end..].chars().next().map_or(0, char::len_utf8) }
}

fn find_all<'a>(call: &'a Call, env: &Env<'a>) -> Result<Value<'a>> {
    let mut all = ArrayBuilder::new();
    if let Some((input, regex)) = operands(call, env)? {
        let text = input.string().unwrap_or_default();
        let mut from = 0;
        while let Some(captures) = found(call, &regex, text, from)? {
            all.push_document(|out| describe(out, text, &captures));
            from = captures.get(0).map_or(text.len(), |whole| behind(text, whole.start(), whole.end()));
            // Only the empty text is searched at its end.
            if from >= text.len() {
                break;
            }
        }
    }
    Ok(all.finish().into())
}
