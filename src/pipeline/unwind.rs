//! `$unwind`: one document per array element.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::error::Result;
use crate::value::{Bson, Document, Path, View, field_path};

use super::flow::{Run, Stream, each};
use super::refuse;
use super::row::{Row, with_path};

/// The stage.
#[derive(Debug, Clone)]
pub struct Unwind {
    pub path: Path,
    index: Option<Path>,
    keep_empty: bool,
}

impl Unwind {
    /// Parses the stage.
    ///
    /// # Errors
    /// 15981, 28808 to 28822: wrong types, a missing or bare path, options that are unknown.
    pub fn parse(value: &Bson) -> Result<Self> {
        match value {
            Bson::String(text) => Ok(Self { path: dollar_path(text)?, index: None, keep_empty: false }),
            Bson::Document(document) => Self::options(document),
            other => {
                let found = crate::value::type_alias(other.into());
                Err(refuse(
                    15981,
                    format!("expected either a string or an object as specification for $unwind stage, got {found}"),
                ))
            }
        }
    }

    fn options(document: &Document) -> Result<Self> {
        let (mut path, mut index, mut keep_empty) = (None, None, false);
        for (name, value) in document {
            let found = crate::value::type_alias(value.into());
            let placed = |error: crate::error::CommandError| error.inside_field(name);
            match (name.as_str(), value) {
                ("path", Bson::String(text)) => path = Some(dollar_path(text).map_err(placed)?),
                ("path", _) => {
                    return Err(placed(refuse(
                        28808,
                        format!("expected a string as the path for $unwind stage, got {found}"),
                    )));
                }
                ("preserveNullAndEmptyArrays", Bson::Boolean(keep)) => keep_empty = *keep,
                ("preserveNullAndEmptyArrays", _) => {
                    let message = format!(
                        "expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage, got {found}"
                    );
                    return Err(placed(refuse(28809, message)));
                }
                ("includeArrayIndex", Bson::String(text)) if text.is_empty() => {
                    let message = "expected a non-empty string for the includeArrayIndex  option to $unwind stage";
                    return Err(placed(refuse(28810, message.to_owned() + ", got \"\"")));
                }
                ("includeArrayIndex", Bson::String(text)) if text.starts_with('$') => {
                    let message =
                        format!("includeArrayIndex option to $unwind stage should not be prefixed with a '$': {text}");
                    return Err(placed(refuse(28822, message)));
                }
                ("includeArrayIndex", Bson::String(text)) => index = Some(field_path(text).map_err(placed)?),
                ("includeArrayIndex", _) => {
                    let message = format!(
                        "expected a non-empty string for the includeArrayIndex  option to $unwind stage, got {found}"
                    );
                    return Err(placed(refuse(28810, message)));
                }
                _ => return Err(placed(refuse(28811, format!("unrecognized option to $unwind stage: {name}")))),
            }
        }
        let path = path.ok_or_else(|| refuse(28812, "no path specified to $unwind stage"))?;
        Ok(Self { path, index, keep_empty })
    }

    /// The stage as explain shows it.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        let mut shown = Document::from_iter([("path".to_owned(), Bson::String(format!("${}", self.path)))]);
        if self.keep_empty {
            shown.insert("preserveNullAndEmptyArrays", true);
        }
        if let Some(index) = &self.index {
            shown.insert("includeArrayIndex", index.to_string());
        }
        Bson::Document(shown)
    }

    /// The paths that the stage writes.
    #[must_use]
    pub fn writes(&self) -> Vec<&Path> {
        std::iter::once(&self.path).chain(&self.index).collect()
    }

    /// Opens the stage.
    #[must_use]
    pub fn open<'s>(&'s self, mut input: Stream<'s>, _: Run<'s>) -> Stream<'s> {
        let top: Rc<str> = self.path.parts()[0].as_ref().into();
        let mut pending = VecDeque::new();
        each(move || {
            loop {
                if let Some(row) = pending.pop_front() {
                    return Ok(Some(row));
                }
                let Some(row) = input.next()? else {
                    return Ok(None);
                };
                self.apart(row.settled(), &top, &mut pending);
            }
        })
    }

    /// Adds one row per element; what is no array counts as its only element.
    fn apart<'s>(&self, row: Row<'s>, top: &Rc<str>, rows: &mut VecDeque<Row<'s>>) {
        match self.lookup(&row) {
            Some(View::Array(array)) if !array.is_empty() => {
                let items = array.iter().enumerate();
                rows.extend(items.map(|(at, item)| self.element(&row, top, Some(item), i64::try_from(at).ok())));
            }
            Some(View::Array(_)) if self.keep_empty => rows.push_back(self.element(&row, top, None, None)),
            None | Some(View::Null | View::Undefined) if !self.keep_empty => {}
            Some(View::Array(_)) => {}
            None | Some(_) => rows.push_back(self.numbered(row, None)),
        }
    }

    /// The value at the path; arrays on the way are not entered.
    fn lookup<'r>(&self, row: &'r Row<'_>) -> Option<View<'r>> {
        let (first, rest) = self.path.parts().split_first()?;
        rest.iter().try_fold(row.root().field(first)?, |value, part| match value {
            View::Document(document) => document.get(part),
            _ => None,
        })
    }

    fn element<'s>(&self, row: &Row<'s>, top: &Rc<str>, value: Option<View<'_>>, at: Option<i64>) -> Row<'s> {
        let changed = match value {
            Some(value) if self.path.parts().len() == 1 => row.with_field(top, value),
            value => Row::from(with_path(row.raw().into(), self.path.parts(), value)),
        };
        self.numbered(changed, at)
    }

    fn numbered<'s>(&self, row: Row<'s>, at: Option<i64>) -> Row<'s> {
        match &self.index {
            None => row,
            Some(path) => {
                let number = at.map_or(View::Null, View::Int64);
                with_path(row.raw().into(), path.parts(), Some(number)).into()
            }
        }
    }
}

fn dollar_path(text: &str) -> Result<Path> {
    match text.strip_prefix('$') {
        Some(path) => field_path(path),
        None => Err(refuse(28818, format!("path option to $unwind stage should be prefixed with a '$': {text}"))),
    }
}
