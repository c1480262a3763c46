//! An index that the text asked for.

use std::ops::Range;

use crate::engine::{Command, CreateIndexes, IndexRequest};
use crate::error::{CommandError, CommandPath};
use crate::pitfall::Case;
use crate::shell::{Ran, to_statement};
use crate::store::{AttributeFacts, Collection, Index};

/// One index asked for.
pub(super) struct Made<'a> {
    pub ran: &'a Ran,
    pub command: &'a CreateIndexes,
    pub collection: &'a str,
    pub request: &'a IndexRequest,
}

/// The indexes a text asked for, in order, whether they were granted or not.
pub(super) fn made<'a>(case: &Case<'a>) -> Vec<Made<'a>> {
    case.ran.iter().flat_map(of).collect()
}

/// The indexes a text asked for that are there now.
pub(super) fn standing<'a>(case: &Case<'a>) -> Vec<(Made<'a>, &'a Collection, &'a Index)> {
    let granted = made(case).into_iter().filter(|made| made.ran.result.is_ok());
    granted
        .filter_map(|made| {
            let collection = case.after.collection(made.collection)?;
            let same = |index: &&Index| index.info().key_pattern == made.request.keys;
            let index = collection.indexes().iter().find(same)?;
            Some((made, collection, index))
        })
        .collect()
}

fn of(ran: &Ran) -> Vec<Made<'_>> {
    let Command::CreateIndexes(command) = ran.command.explained() else { return Vec::new() };
    let requests = command.indexes.iter();
    requests.map(|request| Made { ran, command, collection: &command.collection, request }).collect()
}

impl Made<'_> {
    /// The bytes of its key pattern.
    pub fn span(&self, case: &Case<'_>) -> Range<usize> {
        case.span(self.ran, &CommandPath::argument("keys"))
    }

    /// The refusal, if it was refused.
    pub fn refusal(&self) -> Option<&CommandError> {
        self.ran.result.as_ref().err()
    }

    /// The text with another index asked for in its place; none where one call asked for several.
    pub fn replaced(&self, case: &Case<'_>, requests: &[IndexRequest]) -> Option<String> {
        let span = self.ran.span.clone().filter(|_| self.command.indexes.len() == 1)?;
        let statements: Vec<String> = requests.iter().map(|request| self.statement(request)).collect();
        case.replaced(&span, &statements.join("; "))
    }

    /// The text with the same index asked for without one option.
    pub fn without(&self, case: &Case<'_>, option: &str) -> Option<String> {
        let mut request = self.request.clone();
        request.options.remove(option);
        self.replaced(case, &[request])
    }

    fn statement(&self, request: &IndexRequest) -> String {
        let indexes = vec![request.clone()];
        to_statement(&Command::CreateIndexes(CreateIndexes { collection: self.collection.into(), indexes }))
    }
}

/// Whether a path lies inside an attribute array.
pub(super) fn inside(array: &AttributeFacts, path: &str) -> bool {
    path.strip_prefix(&array.path).is_some_and(|rest| rest.starts_with('.'))
}
