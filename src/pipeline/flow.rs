//! Streams of documents, and what the stages of one run share.

use std::cell::Cell;

use crate::error::Result;
use crate::query::expr::Context;
use crate::value::RawDocumentBuf;

use super::leading::Leading;
use super::meter::Meter;
use super::row::Row;

/// A stream of documents, drawn one by one.
pub trait Flow<'s> {
    /// The next document; none at the end, and ever after.
    ///
    /// # Errors
    /// Whatever an expression or a limit refuses.
    fn next(&mut self) -> Result<Option<Row<'s>>>;

    /// Shows all documents that are left, until the viewer has seen enough. A stream that gives many like documents need not
    /// make each of them.
    ///
    /// # Errors
    /// As [`Flow::next`].
    fn visit(&mut self, viewer: &mut Viewer<'_>) -> Result<()> {
        while let Some(row) = self.next()? {
            if !viewer(&row) {
                break;
            }
        }
        Ok(())
    }
}

/// Looks at a document; false if it wants to see no more.
pub type Viewer<'v> = dyn FnMut(&Row<'_>) -> bool + 'v;

/// A stream of some kind.
pub type Stream<'s> = Box<dyn Flow<'s> + 's>;

/// Reads collections for a pipeline; the engine does it through the planner.
pub trait Reader {
    /// Opens a collection with the leading part of a pipeline; a collection that does not exist is empty. A meter learns what
    /// that costs.
    ///
    /// # Errors
    /// What the planner refuses.
    fn open<'s>(
        &'s self,
        collection: &str,
        leading: &Leading,
        context: &Context,
        meter: Option<&Meter>,
    ) -> Result<Stream<'s>>;

    /// The documents of `$collStats`, `$indexStats` or `$planCacheStats`.
    ///
    /// # Errors
    /// What that stage refuses.
    fn statistics(
        &self,
        collection: &str,
        stage: &str,
        options: &crate::value::Document,
    ) -> Result<Vec<RawDocumentBuf>>;

    /// The name of the database.
    fn database(&self) -> &str;
}

/// What the stages of one run share.
#[derive(Clone, Copy)]
pub struct Run<'s> {
    /// Collections.
    pub reader: &'s dyn Reader,
    /// Variables, clock, chance, collation.
    pub context: &'s Context,
    /// The collection the pipeline started from.
    pub collection: &'s str,
    /// What is counted of the stage that is opened.
    pub meter: Option<&'s Meter>,
}

/// A stream over documents that are there already.
pub struct Listed<'s, I: Iterator<Item = Row<'s>>>(pub I);

impl<'s, I: Iterator<Item = Row<'s>>> Flow<'s> for Listed<'s, I> {
    fn next(&mut self) -> Result<Option<Row<'s>>> {
        Ok(self.0.next())
    }
}

/// A stream made by a function.
pub struct Each<F>(pub F);

impl<'s, F: FnMut() -> Result<Option<Row<'s>>>> Flow<'s> for Each<F> {
    fn next(&mut self) -> Result<Option<Row<'s>>> {
        (self.0)()
    }
}

/// Boxes a function as a stream.
pub fn each<'s>(next: impl FnMut() -> Result<Option<Row<'s>>> + 's) -> Stream<'s> {
    Box::new(Each(next))
}

/// Boxes a list as a stream.
#[must_use]
pub fn listed(rows: Vec<Row<'_>>) -> Stream<'_> {
    Box::new(Listed(rows.into_iter()))
}

/// Boxes what is made of a whole stream, which is drawn when the first document is asked for.
pub fn gathered<'s>(input: Stream<'s>, make: impl FnOnce(Stream<'s>) -> Result<Stream<'s>> + 's) -> Stream<'s> {
    let mut start = Some((input, make));
    let mut output = listed(Vec::new());
    each(move || {
        if let Some((input, make)) = start.take() {
            output = make(input)?;
        }
        output.next()
    })
}

/// Draws everything.
///
/// # Errors
/// The stream's own.
pub fn drain(mut stream: Stream<'_>) -> Result<Vec<Row<'_>>> {
    let mut rows = Vec::new();
    while let Some(row) = stream.next()? {
        rows.push(row);
    }
    Ok(rows)
}

/// Counts what passes.
pub struct Counted<'s> {
    pub inner: Stream<'s>,
    pub count: &'s Cell<u64>,
}

impl<'s> Flow<'s> for Counted<'s> {
    fn next(&mut self) -> Result<Option<Row<'s>>> {
        let row = self.inner.next()?;
        if row.is_some() {
            self.count.set(self.count.get() + 1);
        }
        Ok(row)
    }

    fn visit(&mut self, viewer: &mut Viewer<'_>) -> Result<()> {
        let count = self.count;
        self.inner.visit(&mut |row| {
            count.set(count.get() + 1);
            viewer(row)
        })
    }
}
