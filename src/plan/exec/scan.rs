//! Scans of an index: IXSCAN, `COUNT_SCAN`, `DISTINCT_SCAN`.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use crate::plan::{IndexScan, Work};
use crate::query::Matcher;
use crate::store::{Cursor, EntryPlace, Index, RecordId};
use crate::value::Bson;

use super::bounds::{Checker, Seek, Verdict};
use super::row::{Row, key_document, key_order};
use super::stage::Outcome;
use super::watch::{WalkStep, Watcher};

/// Spreads record ids, which count up, over a hash table.
#[derive(Default)]
pub(super) struct RecordHasher(u64);

impl Hasher for RecordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}

/// The records seen so far.
pub(super) type Seen = HashSet<RecordId, BuildHasherDefault<RecordHasher>>;

/// Room for so many records is made at once.
const FEW_RECORDS: usize = 56;

/// A scan under way.
pub(super) struct Scanning<'c> {
    pub scan: &'c IndexScan,
    cursor: Cursor<'c>,
    checker: Checker,
    filter: Option<Matcher>,
    seen: Seen,
    state: State,
}

enum State {
    Fresh,
    Next,
    Seek(Seek),
    End,
}

impl<'c> Scanning<'c> {
    pub fn new(scan: &'c IndexScan, index: &'c Index, filter: Option<Matcher>) -> Self {
        let (mut cursor, mut checker) = (index.cursor(scan.direction), Checker::new(scan));
        if let Some(edge) = checker.edge() {
            cursor.end_at(edge);
        }
        Self { scan, cursor, checker, filter, seen: Seen::default(), state: State::Fresh }
    }

    fn seek<W: Watcher>(&mut self, to: &Seek, stage: usize, work: &mut Work, watcher: &mut W) {
        work.seeks += 1;
        self.cursor.seek(&to.key, to.inclusive);
        if W::WANTED {
            watcher.step(WalkStep::Seek { stage, key: self.decoded(&to.key), inclusive: to.inclusive });
        }
    }

    fn decoded(&self, bytes: &[u8]) -> Vec<Bson> {
        key_order(self.scan).decode_prefix(bytes)
    }

    /// Goes to the next entry; none at the end of the bounds, where those are one run.
    #[inline]
    fn step<W: Watcher>(&mut self, stage: usize, work: &mut Work, watcher: &mut W) -> Option<EntryPlace<'c>> {
        if let State::Next = self.state {
            self.cursor.advance();
        } else {
            self.jump(stage, work, watcher)?;
        }
        self.cursor.place()
    }

    /// Goes to where the scan begins or goes on behind a gap; none at its end.
    fn jump<W: Watcher>(&mut self, stage: usize, work: &mut Work, watcher: &mut W) -> Option<()> {
        let to = match std::mem::replace(&mut self.state, State::Next) {
            State::Fresh => self.checker.start()?,
            State::Seek(to) => to,
            State::Next | State::End => return None,
        };
        self.seek(&to, stage, work, watcher);
        Some(())
    }

    fn row(&self, entry: EntryPlace<'c>) -> Row<'c> {
        Row { record: entry.id(), document: None, entry: Some((entry, self.scan)) }
    }

    /// One unit of an IXSCAN.
    pub fn work<W: Watcher>(&mut self, stage: usize, work: &mut Work, watcher: &mut W) -> Outcome<'c> {
        let Some(entry) = self.step(stage, work, watcher) else {
            self.state = State::End;
            return Outcome::Eof;
        };
        work.keys_examined += 1;
        let verdict = if self.checker.is_run() { Verdict::Inside } else { self.checker.check(entry.key()) };
        if W::WANTED {
            self.tell_key(stage, entry, verdict == Verdict::Inside, watcher);
        }
        match verdict {
            Verdict::Inside => {}
            Verdict::SeekTo(to) => {
                self.state = State::Seek(to);
                return Outcome::NeedTime;
            }
            Verdict::Done => {
                self.state = State::End;
                return Outcome::Eof;
            }
        }
        if self.scan.dedup && self.is_repeated(entry.id(), work) {
            if W::WANTED {
                watcher.step(WalkStep::DuplicateDropped { stage, record: entry.id() });
            }
            return Outcome::NeedTime;
        }
        let passes = |filter: &Matcher| filter.matches(&key_document(entry.key(), self.scan));
        if !self.filter.as_ref().is_none_or(passes) {
            if W::WANTED {
                watcher.step(WalkStep::Rejected { stage, record: entry.id() });
            }
            return Outcome::NeedTime;
        }
        Outcome::Advanced(self.row(entry))
    }

    #[inline]
    fn is_repeated(&mut self, record: RecordId, work: &mut Work) -> bool {
        work.dups_tested += 1;
        let repeated = !self.checker.is_point() && !self.see(record);
        work.dups_dropped += u64::from(repeated);
        repeated
    }

    /// Remembers a record; false if it was seen before.
    fn see(&mut self, record: RecordId) -> bool {
        if self.seen.is_empty() {
            self.seen.reserve(FEW_RECORDS);
        }
        self.seen.insert(record)
    }

    fn tell_key<W: Watcher>(&self, stage: usize, entry: EntryPlace<'c>, inside: bool, watcher: &mut W) {
        let key = entry.key().decode(key_order(self.scan));
        watcher.step(WalkStep::KeyExamined { stage, key, record: entry.id(), inside });
    }

    /// One unit of a `COUNT_SCAN`, which counts the look that found the end as a key, as the server's does.
    pub fn count<W: Watcher>(&mut self, stage: usize, work: &mut Work, watcher: &mut W) -> Outcome<'c> {
        let entry = self.step(stage, work, watcher);
        work.keys_examined += 1;
        let Some(entry) = entry else {
            self.state = State::End;
            return Outcome::Eof;
        };
        if W::WANTED {
            self.tell_key(stage, entry, true, watcher);
        }
        if self.scan.dedup && !self.checker.is_point() && !self.see(entry.id()) {
            return Outcome::NeedTime;
        }
        Outcome::Advanced(self.row(entry))
    }

    /// One unit of a `DISTINCT_SCAN`: behind a key inside the bounds, the next other value of the part is looked for.
    pub fn distinct<W: Watcher>(&mut self, part: usize, stage: usize, work: &mut Work, watcher: &mut W) -> Outcome<'c> {
        let Some(entry) = self.step(stage, work, watcher) else {
            self.state = State::End;
            return Outcome::Eof;
        };
        work.keys_examined += 1;
        let key = entry.key();
        let verdict = self.checker.check(key);
        if W::WANTED {
            self.tell_key(stage, entry, verdict == Verdict::Inside, watcher);
        }
        match verdict {
            Verdict::Inside => {
                let length = key.parts(key_order(self.scan)).take(part + 1).map(<[u8]>::len).sum();
                self.state = State::Seek(Seek { key: key.bytes()[..length].to_vec(), inclusive: false });
                Outcome::Advanced(self.row(entry))
            }
            Verdict::SeekTo(to) => {
                self.state = State::Seek(to);
                Outcome::NeedTime
            }
            Verdict::Done => {
                self.state = State::End;
                Outcome::Eof
            }
        }
    }
}
