//! Index bounds as bytes: where a scan is placed, and whether a key lies inside (`IndexBoundsChecker`).

use std::cmp::Ordering;

use crate::plan::collated::sort_key_bytes;
use crate::plan::{IndexScan, OrderedIntervals};
use crate::store::{Direction, KeyBuilder, KeyOrder, KeyPart, KeyRef};
use crate::value::{Bson, View};

/// Values as they stand in the index's keys.
pub(in crate::plan) fn encode_key<'v>(
    values: impl Iterator<Item = &'v Bson>,
    parts: &[KeyPart],
    collated: bool,
) -> Vec<u8> {
    let mut builder = KeyBuilder::default();
    for (value, part) in values.zip(parts) {
        push(&mut builder, value, part.direction, collated);
    }
    builder.into_bytes()
}

fn push(builder: &mut KeyBuilder, value: &Bson, direction: Direction, collated: bool) {
    let digits = |text: &str| sort_key_bytes(text);
    builder.push(View::from(value), direction, if collated { Some(&digits) } else { None });
}

/// Where to place a cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Seek {
    pub key: Vec<u8>,
    pub inclusive: bool,
}

/// What the bounds say of a key.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Inside,
    /// The next key that may lie inside is there.
    SeekTo(Seek),
    Done,
}

/// The bounds of one scan.
#[derive(Debug)]
pub(super) enum Checker {
    /// One run of keys, which the cursor itself ends at this edge.
    Run { start: Seek, edge: Vec<u8>, point: bool },
    /// Several: every key is checked, part by part.
    Parts { parts: Vec<Vec<Edges>>, order: KeyOrder, backward: bool },
    /// No key at all.
    Nothing,
}

/// An interval of one part, in scan order.
#[derive(Debug)]
pub(super) struct Edges {
    start: Vec<u8>,
    start_inclusive: bool,
    end: Vec<u8>,
    end_inclusive: bool,
}

impl Checker {
    pub fn new(scan: &IndexScan) -> Self {
        let collated = scan.index.collation.is_some();
        let backward = scan.direction == Direction::Descending;
        if let Some(range) = &scan.bounds.range {
            return between(scan, &range.start, &range.end);
        }
        let lists = scan.bounds.parts.iter().map(|(_, list)| list);
        if lists.clone().any(|list| list.0.is_empty()) {
            return Self::Nothing;
        }
        if let Some(run) = single_run(lists, &scan.parts, collated, backward) {
            return run;
        }
        let encode = |value: &Bson, part: &KeyPart| {
            let mut builder = KeyBuilder::default();
            push(&mut builder, value, part.direction, collated);
            builder.into_bytes()
        };
        let parts = scan.bounds.parts.iter().zip(scan.parts.iter()).map(|((_, list), part)| {
            let edges = list.0.iter().map(|interval| Edges {
                start: encode(&interval.start, part),
                start_inclusive: interval.start_inclusive,
                end: encode(&interval.end, part),
                end_inclusive: interval.end_inclusive,
            });
            edges.collect()
        });
        Self::Parts { parts: parts.collect(), order: super::row::key_order(scan), backward }
    }

    /// Where the scan begins; asked once.
    pub fn start(&mut self) -> Option<Seek> {
        match self {
            Self::Nothing => None,
            Self::Run { start, .. } => Some(std::mem::take(start)),
            Self::Parts { parts, .. } => {
                let mut seek = Seek { key: Vec::new(), inclusive: true };
                extend(&mut seek, parts, 0);
                Some(seek)
            }
        }
    }

    /// Of a run: where the cursor is to end; asked once.
    pub fn edge(&mut self) -> Option<Vec<u8>> {
        if let Self::Run { edge, .. } = self { Some(std::mem::take(edge)) } else { None }
    }

    /// Whether the scan is one run, all keys of which lie inside.
    pub fn is_run(&self) -> bool {
        matches!(self, Self::Run { .. })
    }

    /// Whether all keys inside are one key: no record can come twice then.
    pub fn is_point(&self) -> bool {
        matches!(self, Self::Run { point: true, .. })
    }

    /// Judges a key that the cursor gave.
    pub fn check(&self, key: KeyRef<'_>) -> Verdict {
        let Self::Parts { parts, order, backward } = self else { return Verdict::Inside };
        let mut offset = 0;
        for ((at, edges), bytes) in parts.iter().enumerate().zip(key.parts(*order)) {
            match place(edges, bytes, *backward) {
                Place::Inside => offset += bytes.len(),
                Place::Before(interval) => {
                    let mut seek = Seek { key: key.bytes()[..offset].to_vec(), inclusive: true };
                    enter(&mut seek, &edges[interval]);
                    extend(&mut seek, parts, at + 1);
                    return Verdict::SeekTo(seek);
                }
                Place::Behind if !room_before(&parts[..at], key, *order, *backward) => return Verdict::Done,
                Place::Behind => {
                    return Verdict::SeekTo(Seek { key: key.bytes()[..offset].to_vec(), inclusive: false });
                }
            }
        }
        Verdict::Inside
    }
}

enum Place {
    Inside,
    Before(usize),
    Behind,
}

/// Whether some leading part may still move on: it has a further interval, or its value is not the end of the last one
/// (`spaceLeftToAdvance`).
fn room_before(leading: &[Vec<Edges>], key: KeyRef<'_>, order: KeyOrder, backward: bool) -> bool {
    leading.iter().zip(key.parts(order)).any(|(edges, value)| {
        let last = edges.len() - 1;
        let in_last = matches!(place(&edges[..last], value, backward), Place::Behind);
        !in_last || edges[last].end != value
    })
}

/// Where the value stands among the intervals of its part.
fn place(edges: &[Edges], value: &[u8], backward: bool) -> Place {
    let compare = |one: &[u8], other: &[u8]| if backward { other.cmp(one) } else { one.cmp(other) };
    let first = edges.partition_point(|interval| match compare(&interval.end, value) {
        Ordering::Less => true,
        Ordering::Equal => !interval.end_inclusive,
        Ordering::Greater => false,
    });
    match edges.get(first) {
        None => Place::Behind,
        Some(interval) => match compare(&interval.start, value) {
            Ordering::Less => Place::Inside,
            Ordering::Equal if interval.start_inclusive => Place::Inside,
            _ => Place::Before(first),
        },
    }
}

fn enter(seek: &mut Seek, interval: &Edges) {
    seek.key.extend_from_slice(&interval.start);
    seek.inclusive = interval.start_inclusive;
}

/// Adds the starts of the parts from one on, up to the first that does not belong to its interval.
fn extend(seek: &mut Seek, parts: &[Vec<Edges>], from: usize) {
    for edges in &parts[from..] {
        if !seek.inclusive {
            return;
        }
        enter(seek, &edges[0]);
    }
}

/// The end of a run that ends with keys that begin with these bytes, or before them. No part begins with 0xff, so a key
/// with it behind lies beyond all that begin with the key.
fn edge(mut key: Vec<u8>, inclusive: bool, backward: bool) -> Vec<u8> {
    if inclusive != backward {
        key.push(0xff);
    }
    key
}

fn between(scan: &IndexScan, start: &bson::Document, end: &bson::Document) -> Checker {
    let backward = scan.direction == Direction::Descending;
    let encode = |document: &bson::Document| encode_key(document.values(), &scan.parts, false);
    // Turned around, the start that belongs to the range is where the scan ends.
    let start = Seek { key: encode(start), inclusive: !backward };
    Checker::Run { start, edge: edge(encode(end), backward, backward), point: false }
}

/// One run: points, then at most one range, then parts that are open (`IndexBoundsBuilder::isSingleInterval`).
fn single_run<'b>(
    lists: impl Iterator<Item = &'b OrderedIntervals>,
    parts: &[KeyPart],
    collated: bool,
    backward: bool,
) -> Option<Checker> {
    let mut start = KeyBuilder::default();
    // Where the range ends: the start up to there, and another value.
    let mut end: Option<Vec<u8>> = None;
    let (mut start_inclusive, mut end_inclusive) = (true, true);
    for (list, part) in lists.zip(parts) {
        let [interval] = list.0.as_slice() else { return None };
        if end.is_some() {
            if !interval.is_all() {
                return None;
            }
            continue;
        }
        let shared = start.bytes().len();
        push(&mut start, &interval.start, part.direction, collated);
        if !interval.is_point() {
            let mut last = KeyBuilder::default();
            push(&mut last, &interval.end, part.direction, collated);
            end = Some([&start.bytes()[..shared], last.bytes()].concat());
            (start_inclusive, end_inclusive) = (interval.start_inclusive, interval.end_inclusive);
        }
    }
    let point = end.is_none();
    let edge = edge(end.unwrap_or_else(|| start.bytes().to_vec()), end_inclusive, backward);
    let start = Seek { key: start.into_bytes(), inclusive: start_inclusive };
    Some(Checker::Run { start, edge, point })
}
