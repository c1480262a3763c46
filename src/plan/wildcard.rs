//! Wildcard indexes: one expansion for each path asked for, and bounds on path and value
//! (`src/mongo/db/query/planner_wildcard_helpers.cpp`).

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::store::{Direction, Index, KeyPart};
use crate::value::{Bson, Path};

use super::bounds::{IndexBounds, Interval, OrderedIntervals, Tightness};
use super::build::Translated;
use super::entry::{Entry, PATH_PART};

/// Queries that step into more arrays by position than this are left to other plans.
const MAX_ARRAY_INDEXES: usize = 8;

/// The expansions of a wildcard index, which the entry is of, for the paths of a query.
pub(super) fn expand(entry: &Entry, fields: &BTreeSet<Path>, index: &Index) -> Vec<Entry> {
    let Some(position) = entry.wildcard else { return Vec::new() };
    let multikey = index.array_paths();
    let covered = fields.iter().filter(|path| index.wildcard_paths().is_some_and(|paths| paths.covers(path)));
    let mut expansions: Vec<Entry> = covered.filter_map(|path| expansion(entry, position, path, multikey)).collect();
    let prefix = entry.parts[..position].iter().any(|part| fields.contains(&part.path));
    if prefix {
        expansions.extend(expansion(entry, position, &Path::new(PATH_PART), multikey));
    }
    expansions
}

fn expansion(entry: &Entry, position: usize, path: &Path, multikey: &BTreeSet<Path>) -> Option<Entry> {
    let multikey_at = multikey_components(path, multikey);
    let indexes = array_indexes(&multikey_at, path);
    let adjacent = indexes.iter().any(|at| path.parts().get(at + 1).is_some_and(|part| is_position(part)));
    if indexes.len() > MAX_ARRAY_INDEXES || adjacent {
        return None;
    }
    let mut expanded = entry.clone();
    expanded.multikey = !multikey_at.is_empty();
    Arc::make_mut(&mut expanded.parts)[position] =
        KeyPart { path: path.clone(), direction: entry.parts[position].direction, multikey_at, wildcard: true };
    Some(expanded)
}

fn is_position(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) && (part == "0" || !part.starts_with('0'))
}

/// Which leading parts of the path hold an array; positions in arrays are not part of the paths kept.
fn multikey_components(path: &Path, multikey: &BTreeSet<Path>) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    for at in 0..path.parts().len() {
        let prefix = path_of(&path.parts()[..=at]);
        let plain = without(&prefix, &array_indexes(&found, &prefix));
        if multikey.contains(&prefix) || multikey.contains(&plain) {
            found.push(at);
        }
    }
    found
}

fn path_of(parts: &[Box<str>]) -> Path {
    Path::from_parts(parts.to_vec())
}

/// The positions of parts that may be positions in an array: digits behind a part that holds one.
fn array_indexes(multikey_at: &[usize], path: &Path) -> Vec<usize> {
    let position = |at: &usize| path.parts().get(at + 1).is_some_and(|part| is_position(part));
    multikey_at.iter().filter(|at| position(at)).map(|at| at + 1).collect()
}

fn without(path: &Path, skipped: &[usize]) -> Path {
    let kept: Vec<Box<str>> =
        path.parts().iter().enumerate().filter(|(at, _)| !skipped.contains(at)).map(|(_, part)| part.clone()).collect();
    path_of(&kept)
}

/// Whether bounds reach into the type bracket of documents, whose leaves have keys of their own.
fn reaches_documents(bounds: &OrderedIntervals) -> bool {
    bounds.ascending().overlaps_between(&Bson::Document(bson::Document::new()), &Bson::Array(Vec::new()))
}

/// Bounds on values that include documents are widened to all values, as a document's leaves are keys elsewhere.
pub(super) fn widen(entry: &Entry, bounds: OrderedIntervals, tightness: Tightness) -> Translated {
    let part = entry.wildcard.map(|position| &entry.parts[position]);
    if reaches_documents(&bounds) && !bounds.is_all() {
        return (OrderedIntervals::all(), Tightness::InexactFetch);
    }
    let stepped = part.is_some_and(|part| !array_indexes(&part.multikey_at, &part.path).is_empty());
    (bounds, if stepped { Tightness::InexactFetch } else { tightness })
}

/// Whether a finished scan reads the leaves below its path too.
pub(super) fn scans_subtree(entry: &Entry, bounds: &IndexBounds) -> bool {
    let value = entry.wildcard.and_then(|position| bounds.parts.get(position));
    value.is_some_and(|(_, intervals)| reaches_documents(intervals))
}

/// Puts the path's own part and its bounds in front of the wildcard part. Gives whether records may come twice though
/// the path holds no array.
pub(super) fn finish(entry: &mut Entry, bounds: &mut Vec<Option<OrderedIntervals>>) -> bool {
    let Some(position) = entry.wildcard.filter(|_| !entry.finished) else { return false };
    let part = entry.parts[position].clone();
    let path_part = KeyPart {
        path: Path::new(PATH_PART),
        direction: Direction::Ascending,
        multikey_at: Vec::new(),
        wildcard: false,
    };
    let mut parts = entry.parts.to_vec();
    parts.insert(position, path_part);
    entry.parts = parts.into();
    entry.wildcard = Some(position + 1);
    entry.finished = true;
    if part.path == Path::new(PATH_PART) {
        bounds[position] = Some(OrderedIntervals::all());
        bounds.insert(position, Some(all_paths()));
        return true;
    }
    let subtree = bounds[position].as_ref().is_none_or(reaches_documents);
    bounds.insert(position, Some(path_bounds(&part, subtree)));
    subtree
}

/// `[MinKey, MinKey]` of documents without any path, and all paths.
fn all_paths() -> OrderedIntervals {
    let texts = Interval::range(Bson::String(String::new()), true, Bson::Document(bson::Document::new()), false);
    OrderedIntervals(vec![Interval::point(Bson::MinKey), texts])
}

fn path_bounds(part: &KeyPart, subtree: bool) -> OrderedIntervals {
    let indexes = array_indexes(&part.multikey_at, &part.path);
    let mut paths = BTreeSet::new();
    for choice in 0..1_usize << indexes.len() {
        let skipped: Vec<usize> =
            indexes.iter().enumerate().filter(|(bit, _)| choice >> bit & 1 == 1).map(|(_, at)| *at).collect();
        paths.insert(without(&part.path, &skipped));
    }
    let shortest = |path: &Path| !paths.iter().any(|other| other != path && other.is_prefix_of(path));
    let mut intervals = OrderedIntervals::default();
    for path in paths.iter().filter(|path| !subtree || shortest(path)) {
        let text = path.to_string();
        intervals.0.push(Interval::point(text.as_str().into()));
        if subtree {
            // A dot is followed by a slash in the order of characters.
            intervals.0.push(Interval::range(format!("{text}.").into(), true, format!("{text}/").into(), false));
        }
    }
    intervals.0.sort_by(|one, other| super::bounds::order(&one.start, &other.start));
    intervals
}
