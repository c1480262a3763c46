//! Documents as Extended JSON: written out, or one document per row where there are many.

use std::sync::Arc;

use bson::Bson;
use serde_json::Value;

use crate::tui::long::Long;
use crate::tui::page::{Line, Page, Target};
use crate::tui::pages::documents::{Reading, opened};
use crate::tui::role::Role;
use crate::value::{JsonMode, to_json};

/// A list as one JSON array.
#[must_use]
pub fn page(items: &[Bson]) -> Page {
    let value = items.iter().map(|item| to_json(item, JsonMode::Relaxed)).collect();
    Page { lines: written(&value), long: None }
}

/// A long list as JSON Lines: a document per row, unfolded where it was switched.
#[must_use]
pub fn long(items: &Arc<Vec<Bson>>, reading: &Reading) -> Page {
    let fold = |number: usize, line: Line| line.target(Target::Fold(number.to_string()));
    let open = opened(items.len(), reading).map(|number| {
        let mut lines = written(&to_json(&items[number], JsonMode::Relaxed));
        lines[0].target = Some(Target::Fold(number.to_string()));
        (number, lines)
    });
    let row = move |item: &Bson, number: usize| {
        let mut line = Line::new().code();
        brief(&mut line, &to_json(item, JsonMode::Relaxed));
        fold(number, line)
    };
    Page { lines: Vec::new(), long: Some(Long::new(items, open.collect(), row)) }
}

/// A value over several lines, as JSON is usually set.
fn written(value: &Value) -> Vec<Line> {
    let mut lines = Vec::new();
    let last = spread(&mut lines, Line::new().code(), value, 0);
    lines.push(last);
    lines
}

/// Writes a value behind what its first line holds and gives its last line, to which a comma may come.
fn spread(lines: &mut Vec<Line>, mut line: Line, value: &Value, depth: usize) -> Line {
    let (signs, parts): (_, Vec<(Option<&String>, &Value)>) = match value {
        Value::Array(items) if !items.is_empty() => (["[", "]"], items.iter().map(|item| (None, item)).collect()),
        Value::Object(fields) if !fields.is_empty() => {
            (["{", "}"], fields.iter().map(|(name, value)| (Some(name), value)).collect())
        }
        leaf => {
            brief(&mut line, leaf);
            return line;
        }
    };
    line.push(Role::Code, signs[0]);
    lines.push(line);
    let last = parts.len() - 1;
    for (at, (name, value)) in parts.into_iter().enumerate() {
        let mut part = indented(depth + 1);
        if let Some(name) = name {
            part.push(Role::Field, Value::from(name.as_str()).to_string());
            part.push(Role::Code, ": ");
        }
        let end = spread(lines, part, value, depth + 1);
        lines.push(if at == last { end } else { end.and(Role::Code, ",") });
    }
    indented(depth).and(Role::Code, signs[1])
}

fn indented(depth: usize) -> Line {
    Line::of(Role::Code, "  ".repeat(depth)).code().hang(2 * depth + 2)
}

/// A value in one line.
fn brief(line: &mut Line, value: &Value) {
    match value {
        Value::Array(items) => {
            line.push(Role::Code, "[");
            for (at, item) in items.iter().enumerate() {
                line.push(Role::Code, if at == 0 { "" } else { ", " });
                brief(line, item);
            }
            line.push(Role::Code, "]");
        }
        Value::Object(fields) => {
            line.push(Role::Code, "{");
            for (at, (name, value)) in fields.iter().enumerate() {
                line.push(Role::Code, if at == 0 { "" } else { ", " });
                line.push(Role::Field, Value::from(name.as_str()).to_string());
                line.push(Role::Code, ": ");
                brief(line, value);
            }
            line.push(Role::Code, "}");
        }
        Value::String(_) => line.push(Role::Literal, value.to_string()),
        Value::Number(_) => line.push(Role::Number, value.to_string()),
        Value::Null | Value::Bool(_) => line.push(Role::Keyword, value.to_string()),
    }
}
