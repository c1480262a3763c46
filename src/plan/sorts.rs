//! The orders a plan gives its results in (`computeSortsForScan`, `src/mongo/db/query/query_solution.cpp`).

use crate::query::Collation;
use crate::store::{Direction, KeyPart};
use crate::value::{Bson, Document, Path, is_below_zero};

use super::bounds::{IndexBounds, Interval, OrderedIntervals};
use super::entry::{PATH_PART, sign};
use super::solution::{Scan, Solution};

/// A sort pattern: paths with 1 or -1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Order(pub Vec<(Path, i32)>);

impl Order {
    /// Reads a sort pattern; none where it asks for something no index orders by, such as `$meta`.
    pub fn of(pattern: &Document) -> Option<Self> {
        let part = |(name, value): (&String, &Bson)| {
            let descending = is_below_zero(value.into())?;
            Some((Path::new(name), if descending { -1 } else { 1 }))
        };
        pattern.iter().map(part).collect::<Option<Vec<_>>>().map(Self)
    }

    /// The order of an index's keys.
    pub fn of_parts(parts: &[KeyPart]) -> Self {
        Self(parts.iter().map(|part| (part.path.clone(), sign(part.direction))).collect())
    }

    pub fn reversed(&self) -> Self {
        Self(self.0.iter().map(|(path, direction)| (path.clone(), -direction)).collect())
    }

    pub fn is_prefix_of(&self, other: &Self) -> bool {
        other.0.starts_with(&self.0)
    }
}

/// The orders a plan provides: a pattern, and fields of one value that may stand anywhere in it.
#[derive(Debug, Clone, Default)]
pub(super) struct Provided {
    base: Order,
    constant: Vec<Path>,
}

impl Provided {
    pub fn contains(&self, wanted: &Order) -> bool {
        let mut asked = wanted.0.iter().filter(|(path, _)| !self.constant.contains(path));
        let mut given = self.base.0.iter();
        let any = !self.base.0.is_empty() || !self.constant.is_empty();
        any && asked.all(|part| given.next() == Some(part))
    }
}

/// The orders a plan provides.
pub(super) fn provided(solution: &Solution, collation: &Collation) -> Provided {
    match solution {
        Solution::IxScan(scan) | Solution::DistinctScan(scan, _) => of_scan(scan, collation),
        Solution::Merge { pattern, .. } | Solution::Sort { pattern, .. } => {
            Provided { base: Order::of(pattern).unwrap_or_default(), constant: Vec::new() }
        }
        Solution::Fetch { input, .. }
        | Solution::Skip(_, input)
        | Solution::Limit(_, input)
        | Solution::Projection { input, .. } => provided(input, collation),
        _ => Provided::default(),
    }
}

fn of_scan(scan: &Scan, collation: &Collation) -> Provided {
    let mut constant = constant_fields(scan);
    let (mut unordered, mut ignored) = (Vec::new(), Vec::new());
    for part in scan.entry.parts.iter() {
        let collated = collation != &scan.entry.collation && may_hold_text(&scan.bounds, &part.path);
        if collated || (scan.entry.multikey && !orders_multikey(part, scan)) {
            let set_aside = match constant.iter().position(|path| *path == part.path) {
                Some(at) => {
                    constant.remove(at);
                    &mut ignored
                }
                None => &mut unordered,
            };
            set_aside.push(&part.path);
        }
    }
    let turn = if scan.direction == Direction::Descending { -1 } else { 1 };
    let mut base = Vec::new();
    for part in ordered_parts(scan) {
        if unordered.contains(&&part.path) {
            break;
        }
        if !constant.contains(&part.path) && !ignored.contains(&&part.path) {
            base.push((part.path.clone(), sign(part.direction) * turn));
        }
    }
    Provided { base: Order(base), constant }
}

/// The parts whose order shows: of a wildcard index none from `$_path` on, unless one path is read.
fn ordered_parts(scan: &Scan) -> Vec<&KeyPart> {
    let hidden = Path::new(PATH_PART);
    let several_paths = scan.bounds.at(&hidden).is_some_and(|paths| paths.0.len() != 1);
    let mut parts = Vec::new();
    for part in scan.entry.parts.iter() {
        if scan.entry.wildcard.is_some() && part.path == hidden {
            if several_paths {
                break;
            }
            continue;
        }
        parts.push(part);
    }
    parts
}

fn constant_fields(scan: &Scan) -> Vec<Path> {
    let points = scan.bounds.parts.iter().filter(|(_, intervals)| intervals.is_point()).map(|(path, _)| path.clone());
    let same = scan.bounds.range.iter().flat_map(|range| {
        range
            .start
            .iter()
            .filter(|(name, value)| range.end.get(name.as_str()) == Some(value))
            .map(|(name, _)| Path::new(name))
    });
    points.chain(same).collect()
}

/// Whether a part over an array orders documents all the same: all its values are read, and so are those of the other
/// array parts that begin with the same path (SERVER-31898).
fn orders_multikey(part: &KeyPart, scan: &Scan) -> bool {
    if part.multikey_at.is_empty() {
        return true;
    }
    let all = |part: &KeyPart| scan.bounds.at(&part.path).is_some_and(OrderedIntervals::is_all);
    let shares = |other: &KeyPart| {
        !other.multikey_at.is_empty() && other.path.parts().first() == part.path.parts().first() && !all(other)
    };
    scan.bounds.range.is_none() && all(part) && !scan.entry.parts.iter().any(shares)
}

/// Whether the bounds on a part let text through.
pub(super) fn may_hold_text(bounds: &IndexBounds, path: &Path) -> bool {
    let texts = OrderedIntervals(vec![Interval::range(
        Bson::String(String::new()),
        true,
        Bson::Document(Document::new()),
        false,
    )]);
    let nested = OrderedIntervals(vec![Interval::range(
        Bson::Document(Document::new()),
        true,
        Bson::Binary(bson::Binary { subtype: bson::spec::BinarySubtype::Generic, bytes: Vec::new() }),
        false,
    )]);
    bounds.at(path).is_none_or(|intervals| {
        let intervals = intervals.ascending();
        !intervals.intersect(&texts).0.is_empty() || !intervals.intersect(&nested).0.is_empty()
    })
}
