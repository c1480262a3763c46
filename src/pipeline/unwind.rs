//! `$unwind`: one document per array element.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::error::{CommandError, Result};
use crate::value::{
    Bson, DocView, Document, Followed, Path, RawDocument, RawDocumentBuf, RawValue, View, doc, field_path,
};

use super::flow::{Flow, Run, Stream, Viewer};
use super::row::{Row, with_path};

/// The stage.
#[derive(Debug, Clone)]
pub struct Unwind {
    pub path: Path,
    /// Where the element's position goes.
    pub index: Option<Path>,
    /// Whether a document without an element is kept.
    pub keep_empty: bool,
    /// The smallest limit that was put in front.
    pub limit_before: Option<u64>,
}

impl Unwind {
    /// Parses the stage.
    ///
    /// # Errors
    /// 15981, 28808 to 28822: wrong types, a missing or bare path, options that are unknown.
    pub fn parse(value: &Bson) -> Result<Self> {
        match value {
            Bson::String(text) => {
                Ok(Self { path: dollar_path(text)?, index: None, keep_empty: false, limit_before: None })
            }
            Bson::Document(document) => Self::options(document),
            other => {
                let found = crate::value::type_alias(other.into());
                Err(CommandError::new(
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
                    return Err(placed(CommandError::new(
                        28808,
                        format!("expected a string as the path for $unwind stage, got {found}"),
                    )));
                }
                ("preserveNullAndEmptyArrays", Bson::Boolean(keep)) => keep_empty = *keep,
                ("preserveNullAndEmptyArrays", _) => {
                    let message = format!(
                        "expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage, got {found}"
                    );
                    return Err(placed(CommandError::new(28809, message)));
                }
                ("includeArrayIndex", Bson::String(text)) if text.is_empty() => {
                    let message = "expected a non-empty string for the includeArrayIndex  option to $unwind stage";
                    return Err(placed(CommandError::new(28810, message.to_owned() + ", got \"\"")));
                }
                ("includeArrayIndex", Bson::String(text)) if text.starts_with('$') => {
                    let message =
                        format!("includeArrayIndex option to $unwind stage should not be prefixed with a '$': {text}");
                    return Err(placed(CommandError::new(28822, message)));
                }
                ("includeArrayIndex", Bson::String(text)) => index = Some(field_path(text).map_err(placed)?),
                ("includeArrayIndex", _) => {
                    let message = format!(
                        "expected a non-empty string for the includeArrayIndex  option to $unwind stage, got {found}"
                    );
                    return Err(placed(CommandError::new(28810, message)));
                }
                _ => {
                    return Err(placed(CommandError::new(
                        28811,
                        format!("unrecognized option to $unwind stage: {name}"),
                    )));
                }
            }
        }
        let path = path.ok_or_else(|| CommandError::new(28812, "no path specified to $unwind stage"))?;
        Ok(Self { path, index, keep_empty, limit_before: None })
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

    /// The rows of a document whose array holds these documents, which need never stand in it together.
    #[must_use]
    pub fn spread<'s>(&self, document: DocView<'_>, items: &[RawDocumentBuf]) -> Vec<Row<'s>> {
        if items.is_empty() && self.keep_empty {
            // As if there had been an empty array, so that the documents around it are there.
            let there = with_path(document, self.path.parts(), Some(View::Null));
            return vec![self.numbered(with_path((&there).into(), self.path.parts(), None).into(), None)];
        }
        let row = |(at, item): (usize, &RawDocumentBuf)| {
            let row = with_path(document, self.path.parts(), Some(View::Document(item.into()))).into();
            self.numbered(row, i64::try_from(at).ok())
        };
        items.iter().enumerate().map(row).collect()
    }

    /// What the explain of a stage that does this one's work says of it.
    #[must_use]
    pub fn absorbed(&self) -> Document {
        let mut shown = doc! {"preserveNullAndEmptyArrays": self.keep_empty};
        shown.extend(self.index.iter().map(|index| ("includeArrayIndex".to_owned(), index.to_string().into())));
        shown
    }

    /// Opens the stage.
    #[must_use]
    pub fn open<'s>(&'s self, input: Stream<'s>, _: Run<'s>) -> Stream<'s> {
        let top = self.path.parts()[0].as_ref().into();
        Box::new(Unwinding { stage: self, top, input, pending: VecDeque::new() })
    }

    /// Adds one row per element; what is no array counts as its only element.
    fn apart<'s>(&self, row: Row<'s>, top: &Rc<str>, rows: &mut VecDeque<Row<'s>>) {
        let Some(value) = self.lookup(row.raw()).filter(|value| !is_nullish(*value)) else {
            return if self.keep_empty {
                rows.push_back(self.numbered(row, None));
            };
        };
        let Some(items) = value.elements() else {
            return rows.push_back(self.numbered(row, None));
        };
        let before = rows.len();
        rows.extend(items.enumerate().map(|(at, item)| self.element(&row, top, Some(item), i64::try_from(at).ok())));
        if rows.len() == before && self.keep_empty {
            rows.push_back(self.element(&row, top, None, None));
        }
    }

    /// Shows one row per element, which is the same row with one value after the other laid over it where that will do.
    fn show(&self, row: &Row<'_>, top: &Rc<str>, viewer: &mut Viewer<'_>) -> bool {
        let base = row.raw();
        let items = self.lookup(base).and_then(Followed::elements);
        let laid = items.filter(|_| self.index.is_none() && self.path.parts().len() == 1);
        let mut laid = laid.map(Iterator::peekable);
        let Some(first) = laid.as_mut().and_then(|items| items.peek().copied()) else {
            let mut rows = VecDeque::new();
            self.apart(base.into(), top, &mut rows);
            return rows.iter().all(viewer);
        };
        let mut shown = Row::from(base).with_field(top, first);
        laid.into_iter().flatten().all(|item| {
            shown.lay(item);
            viewer(&shown)
        })
    }

    /// The value at the path; arrays on the way are not entered.
    fn lookup<'r>(&self, document: &'r RawDocument) -> Option<RawValue<'r>> {
        let mut parts = self.path.parts().iter();
        parts.try_fold(
            RawValue::document(document),
            |value, part| {
                if value.is_document() { value.member(part) } else { None }
            },
        )
    }

    fn element<'s>(&self, row: &Row<'s>, top: &Rc<str>, value: Option<RawValue<'_>>, at: Option<i64>) -> Row<'s> {
        let changed = match value {
            Some(value) if self.path.parts().len() == 1 => row.with_field(top, value),
            value => Row::from(with_path(row.raw().into(), self.path.parts(), value.and_then(Followed::view))),
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

/// The stage at work.
struct Unwinding<'s> {
    stage: &'s Unwind,
    /// The first part of the path.
    top: Rc<str>,
    input: Stream<'s>,
    pending: VecDeque<Row<'s>>,
}

impl<'s> Flow<'s> for Unwinding<'s> {
    fn next(&mut self) -> Result<Option<Row<'s>>> {
        loop {
            if let Some(row) = self.pending.pop_front() {
                return Ok(Some(row));
            }
            let Some(row) = self.input.next()? else {
                return Ok(None);
            };
            self.stage.apart(row.settled(), &self.top, &mut self.pending);
        }
    }

    fn visit(&mut self, viewer: &mut Viewer<'_>) -> Result<()> {
        if !self.pending.drain(..).all(|row| viewer(&row)) {
            return Ok(());
        }
        let (stage, top) = (self.stage, &self.top);
        self.input.visit(&mut |row| stage.show(row, top, viewer))
    }
}

fn is_nullish(value: RawValue<'_>) -> bool {
    matches!(value.view(), None | Some(View::Null | View::Undefined))
}

fn dollar_path(text: &str) -> Result<Path> {
    match text.strip_prefix('$') {
        Some(path) => field_path(path),
        None => {
            Err(CommandError::new(28818, format!("path option to $unwind stage should be prefixed with a '$': {text}")))
        }
    }
}
