//! `$push` with `$each`, `$position`, `$sort` and `$slice` (`src/mongo/db/update/push_node.cpp`).

use super::apply::{Place, Scene};
use super::leaf::Effect;
use crate::error::{ErrorCode, Result, refuse};
use crate::query::ElementOrder;
use crate::value::{self, Bson, Document, View, type_alias};

/// The modifiers of `$push` (manual: `$push`); `$addToSet` knows the first.
pub const PUSH_MODIFIERS: [&str; 4] = ["$each", "$position", "$slice", "$sort"];

/// What is pushed and how the array is kept.
#[derive(Debug, Clone)]
pub(super) struct Push {
    values: Vec<Bson>,
    position: i64,
    sort: Option<ElementOrder>,
    slice: i64,
}

impl Push {
    pub(super) fn parse(operand: &Bson) -> Result<Self> {
        let mut push = Self { values: Vec::new(), position: i64::MAX, sort: None, slice: i64::MAX };
        match operand {
            Bson::Document(clauses) if clauses.contains_key("$each") => {
                for (name, value) in clauses {
                    push.clause(name, value).map_err(|error| error.inside_field(name))?;
                }
            }
            _ => push.values.push(operand.clone()),
        }
        Ok(push)
    }

    fn clause(&mut self, name: &str, value: &Bson) -> Result<()> {
        let kind = type_alias(value.into());
        match (name, value) {
            ("$each", Bson::Array(items)) => self.values.clone_from(items),
            ("$each", _) => {
                return refuse(
                    ErrorCode::BadValue,
                    format!("The argument to $each in $push must be an array but it was of type: {kind}"),
                );
            }
            ("$slice", _) => match value::exact_long(value.into()) {
                Some(slice) => self.slice = slice,
                None => {
                    return refuse(
                        ErrorCode::BadValue,
                        format!("The value for $slice must be an integer value but was given type: {kind}"),
                    );
                }
            },
            ("$position", _) => match value::exact_long(value.into()) {
                Some(position) => self.position = position,
                None => {
                    return refuse(
                        ErrorCode::BadValue,
                        format!("The value for $position must be an integer value, not of type: {kind}"),
                    );
                }
            },
            ("$sort", _) => self.sort = Some(order(value)?),
            _ => return refuse(ErrorCode::BadValue, format!("Unrecognized clause in $push: {name}")),
        }
        Ok(())
    }

    pub(super) fn on_value(&self, old: View<'_>, place: &Place<'_>, scene: &Scene<'_>) -> Result<Effect<'static>> {
        let View::Array(items) = old else {
            let kind = type_alias(old);
            return refuse(
                ErrorCode::BadValue,
                format!("The field '{place}' must be an array but is of type {kind} in document {{{}}}", scene.id()),
            );
        };
        let items: Vec<Bson> = items.iter().map(|item| item.to_bson()).collect();
        let length = items.len();
        let pushed = self.pushed(items, scene);
        let untouched = self.values.is_empty() && self.sort.is_none() && pushed.len() == length;
        Ok(if untouched { Effect::Keep } else { Effect::put(Bson::Array(pushed)) })
    }

    pub(super) fn on_missing(&self, scene: &Scene<'_>) -> Bson {
        Bson::Array(self.pushed(Vec::new(), scene))
    }

    fn pushed(&self, mut items: Vec<Bson>, scene: &Scene<'_>) -> Vec<Bson> {
        let at = place_of(self.position, items.len());
        items.splice(at..at, self.values.iter().cloned());
        if let Some(order) = &self.sort {
            items.sort_by(|left, right| order.compare(left.into(), right.into(), scene.collation));
        }
        let keep = usize::try_from(self.slice.unsigned_abs()).unwrap_or(usize::MAX);
        if keep < items.len() {
            if self.slice >= 0 {
                items.truncate(keep);
            } else {
                items.drain(..items.len() - keep);
            }
        }
        items
    }
}

/// A negative position counts from the end; one beyond either end stands for that end.
fn place_of(position: i64, length: usize) -> usize {
    let distance = usize::try_from(position.unsigned_abs()).unwrap_or(usize::MAX);
    if position >= 0 { distance.min(length) } else { length.saturating_sub(distance) }
}

fn direction(value: &Bson) -> Result<bool> {
    match value::exact_long(value.into()) {
        Some(1) => Ok(false),
        Some(-1) => Ok(true),
        _ => refuse(ErrorCode::BadValue, "The $sort element value must be either 1 or -1"),
    }
}

fn order(value: &Bson) -> Result<ElementOrder> {
    match value {
        Bson::Document(pattern) => {
            check_pattern(pattern)?;
            Ok(ElementOrder::of(pattern))
        }
        Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_) => {
            Ok(ElementOrder::Whole(direction(value)?))
        }
        _ => refuse(
            ErrorCode::BadValue,
            "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields",
        ),
    }
}

fn check_pattern(pattern: &Document) -> Result<()> {
    if pattern.is_empty() {
        return refuse(ErrorCode::BadValue, "The $sort pattern is empty when it should be a set of fields.");
    }
    for (name, value) in pattern {
        direction(value)?;
        if name.is_empty() {
            return refuse(ErrorCode::BadValue, "The $sort field cannot be empty");
        }
        if name.split('.').any(str::is_empty) {
            return refuse(
                ErrorCode::BadValue,
                format!("The $sort field is a dotted field but has an empty part: {name}"),
            );
        }
    }
    Ok(())
}
