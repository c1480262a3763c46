//! The commands of a text that its outcome lists: the last ones, where there are too many to keep.

use std::collections::VecDeque;

use super::session::Ran;
use crate::engine::Reply;

/// So many commands are kept …
const MOST: usize = 20_000;

/// … and so many bytes of the documents they gave and wrote, but always the last command.
const MOST_BYTES: usize = 64 << 20;

/// The last commands of a text, numbered as they ran.
#[derive(Default)]
pub(super) struct Listed {
    list: VecDeque<Ran>,
    /// How many earlier commands are no longer kept.
    gone: usize,
    bytes: usize,
}

impl Listed {
    /// Adds the next command, and lets go of the first ones where the list is full.
    pub(super) fn push(&mut self, ran: Ran) {
        self.bytes += bytes(&ran);
        self.list.push_back(ran);
        while self.list.len() > MOST || (self.bytes > MOST_BYTES && self.list.len() > 1) {
            let first = self.list.pop_front();
            self.bytes -= first.as_ref().map_or(0, bytes);
            self.gone += 1;
        }
    }

    /// The number of the last command.
    pub(super) fn last(&self) -> usize {
        (self.gone + self.list.len()).saturating_sub(1)
    }

    /// The command of a number, where it is kept.
    pub(super) fn get(&self, number: usize) -> Option<&Ran> {
        self.list.get(number.checked_sub(self.gone)?)
    }

    /// The commands kept, and how many ran before them.
    pub(super) fn take(&mut self) -> (Vec<Ran>, usize) {
        let all = std::mem::take(self);
        (all.list.into(), all.gone)
    }
}

/// Bytes of the documents that a command gave or wrote.
fn bytes(ran: &Ran) -> usize {
    let Ok(run) = &ran.result else { return 0 };
    let given = match &run.reply {
        Reply::Documents(documents) => documents.iter().map(|document| document.as_bytes().len()).sum(),
        _ => 0,
    };
    let written = run.writes.documents.iter().flat_map(|document| [&document.before, &document.after]).flatten();
    given + written.map(|document| document.as_bytes().len()).sum::<usize>()
}
