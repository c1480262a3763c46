//! A filter, or the part of it that asks of nothing the stage in front of it makes, moves in front of that stage
//! (`DocumentSource::pushMatchBefore`, `src/mongo/db/pipeline/document_source.cpp`; `splitMatchExpressionBy`,
//! `src/mongo/db/matcher/expression_algo.cpp`).

use crate::query::expr::{Expression, Reads};
use crate::query::{Collation, Filter, Matcher, Predicate, Test};
use crate::value::{Bson, Document, Path, View, array_index, doc};

use super::group::Group;
use super::matching::Match;
use super::reads::filter_reads;
use super::shape::Shape;
use super::stage::Stage;
use super::whole::{Pipeline, Placed};

/// Sorting fewer documents is the same as leaving some out of the sorted ones, unless a limit counts them.
pub fn pass_sort(pipeline: &mut Pipeline, at: usize) -> Option<usize> {
    let stages = &mut pipeline.stages;
    let (Stage::Sort(sort), Stage::Match(_)) = (&stages[at].stage, &stages[at + 1].stage) else { return None };
    sort.limit.is_none().then(|| {
        stages.swap(at, at + 1);
        at.saturating_sub(1)
    })
}

/// The part of a filter whose paths mean the same in front of the stage, under the names that they have there.
pub fn pass_stage(pipeline: &mut Pipeline, at: usize) -> Option<usize> {
    let stages = &mut pipeline.stages;
    let Stage::Match(stage) = &stages[at + 1].stage else { return None };
    let before = at.checked_sub(1).map(|before| &stages[before].stage);
    let origins = Origins::of(&stages[at].stage, before)?;
    let (free, bound) = split(stage.filter.clone(), &|part| origins.carry(part));
    let free = renamed(free?, &|path| origins.of_path(path).unwrap_or_else(|| path.clone())).normalised();
    let place = stages[at + 1].place.clone();
    match bound {
        None => _ = stages.remove(at + 1),
        Some(bound) => stages[at + 1].stage = Stage::Match(Match::new(bound.normalised())),
    }
    stages.insert(at, Placed { stage: Stage::Match(Match::new(free)), place });
    Some(at.saturating_sub(1))
}

/// What a filter surely asks of the documents before `$redact` has taken parts of them away is asked there as well; the
/// filter stays (`DocumentSourceRedact::doOptimizeAt`).
pub fn ask_before_redact(pipeline: &mut Pipeline, at: usize) -> Option<usize> {
    let stages = &mut pipeline.stages;
    let Stage::Match(stage) = &stages[at + 1].stage else { return None };
    let (safe, place) = (safe_from_redact(&stage.filter)?.normalised(), stages[at + 1].place.clone());
    let Stage::Redact(redact) = &mut stages[at].stage else { return None };
    if std::mem::replace(&mut redact.filtered_before, true) {
        return None;
    }
    stages.insert(at, Placed { stage: Stage::Match(Match::new(safe)), place });
    Some(at.saturating_sub(1))
}

/// Where the paths behind a stage come from.
enum Origins<'s> {
    /// From the same paths, unless they touch these.
    Apart(Vec<&'s Path>),
    /// As a projection leaves and copies them; the second is a group in front of it.
    Shape(&'s Shape, Option<&'s Group>),
    /// From the key of a group.
    Group(&'s Group),
}

impl<'s> Origins<'s> {
    fn of(stage: &'s Stage, before: Option<&'s Stage>) -> Option<Self> {
        Some(match stage {
            Stage::Unwind(unwind) => Self::Apart(unwind.writes()),
            Stage::Lookup(lookup) => Self::Apart(lookup.into.writes()),
            Stage::GraphLookup(lookup) => Self::Apart(lookup.into.writes()),
            Stage::Project(shape) | Stage::AddFields(shape, _) => {
                let group = match before {
                    Some(Stage::Group(group)) => Some(group),
                    _ => None,
                };
                Self::Shape(shape, group)
            }
            Stage::Group(group) => Self::Group(group),
            _ => return None,
        })
    }

    /// The path in front of the stage that holds the same value.
    fn of_path(&self, path: &Path) -> Option<Path> {
        match self {
            Self::Apart(written) => is_apart(path, written).then(|| path.clone()),
            Self::Shape(shape, group) => shape.origin(path).or_else(|| {
                // A part of a key that is written out lies in a document, never in the elements of an array.
                shape.copied_from(path).filter(|source| group.is_some_and(|group| group.writes_out(source)))
            }),
            Self::Group(group) => group.origin(path),
        }
    }

    /// Whether a filter can be asked in front of the stage.
    fn carry(&self, filter: &Filter) -> bool {
        let mut reads = Reads::default();
        filter_reads(filter, &mut reads);
        let known = !reads.whole && reads.paths.iter().all(|path| self.of_path(path).is_some());
        known
            && match self {
                Self::Group(group) => !tells_equals_apart(filter) && takes_null_for_missing(filter, group),
                _ => true,
            }
    }
}

/// Whether no written path is touched.
pub fn is_apart(path: &Path, written: &[&Path]) -> bool {
    !written.iter().any(|written| written.is_prefix_of(path) || path.is_prefix_of(written))
}

/// Whether a filter may tell values apart that a group takes for one: missing and null, or 1 and 1.0. What asks whether
/// the key exists does not move in the server either.
fn tells_equals_apart(filter: &Filter) -> bool {
    match filter {
        Filter::And(parts) | Filter::Or(parts) | Filter::Nor(parts) => parts.iter().any(tells_equals_apart),
        Filter::Not(part) => tells_equals_apart(part),
        Filter::Field(predicate) => match &predicate.test {
            Test::Exists | Test::Type(_) => true,
            Test::ElemMatchObject(inner) => tells_equals_apart(inner),
            Test::ElemMatchValue(parts) => parts.iter().any(tells_equals_apart),
            _ => false,
        },
        Filter::Expr(expression) => !expression.only_compares(),
        Filter::JsonSchema(_) => true,
        Filter::Constant(_) => false,
    }
}

/// Whether a filter on a key that is one path says the same of a missing value as of null, which the group makes of it.
fn takes_null_for_missing(filter: &Filter, group: &Group) -> bool {
    if group.key.as_path().is_none() {
        return true;
    }
    let Ok(matcher) = Matcher::new(filter, Collation::simple()) else { return false };
    matcher.matches(&Document::new()) == matcher.matches(&doc! {"_id": Bson::Null})
}

/// A filter as the part that may be split off and the rest. An AND falls into its parts, a NOR into those that are free as a
/// whole; of anything else all moves or nothing.
fn split(filter: Filter, is_free: &impl Fn(&Filter) -> bool) -> (Option<Filter>, Option<Filter>) {
    if is_free(&filter) {
        return (Some(filter), None);
    }
    match filter {
        Filter::And(parts) => {
            let (free, bound): (Vec<_>, Vec<_>) = parts.into_iter().map(|part| split(part, is_free)).unzip();
            let all = |parts: Vec<Option<Filter>>| some(parts.into_iter().flatten().collect(), Filter::And);
            (all(free), all(bound))
        }
        Filter::Nor(parts) => {
            let (free, bound) = parts.into_iter().partition(is_free);
            (some(free, Filter::Nor), some(bound, Filter::Nor))
        }
        other => (None, Some(other)),
    }
}

fn some(parts: Vec<Filter>, of: fn(Vec<Filter>) -> Filter) -> Option<Filter> {
    (!parts.is_empty()).then(|| of(parts))
}

/// A filter with other names for its paths.
fn renamed(filter: Filter, name: &impl Fn(&Path) -> Path) -> Filter {
    let all = |parts: Vec<Filter>| parts.into_iter().map(|part| renamed(part, name)).collect();
    match filter {
        Filter::And(parts) => Filter::And(all(parts)),
        Filter::Or(parts) => Filter::Or(all(parts)),
        Filter::Nor(parts) => Filter::Nor(all(parts)),
        Filter::Not(part) => Filter::Not(Box::new(renamed(*part, name))),
        Filter::Field(predicate) => Filter::Field(Predicate { path: name(&predicate.path), ..predicate }),
        Filter::Expr(expression) => Filter::Expr(Box::new(Expression::renamed(*expression, name))),
        other => other,
    }
}

/// What has to hold of a document before `$redact` for the filter to match what it leaves of it; none where nothing must
/// (`redactSafePortion`, `src/mongo/db/pipeline/document_source_match.cpp`).
fn safe_from_redact(filter: &Filter) -> Option<Filter> {
    match filter {
        Filter::And(parts) => some(parts.iter().filter_map(safe_from_redact).collect(), Filter::And),
        Filter::Or(parts) => parts.iter().map(safe_from_redact).collect::<Option<Vec<_>>>().map(Filter::Or),
        Filter::Field(Predicate { path, test }) => {
            let named = path.parts().iter().all(|part| array_index(part).is_none());
            let test = safe_test(test).filter(|_| named)?;
            Some(Filter::Field(Predicate { path: path.clone(), test }))
        }
        _ => None,
    }
}

fn safe_test(test: &Test) -> Option<Test> {
    let whole =
        |value: &Bson| !matches!(View::from(value), View::Array(_) | View::Document(_) | View::Null | View::Undefined);
    match test {
        Test::Compare(_, value) => whole(value).then(|| test.clone()),
        Test::In(list) => list.values.iter().all(whole).then(|| test.clone()),
        Test::Type(_) | Test::Mod(..) | Test::Regex(_) => Some(test.clone()),
        Test::ElemMatchObject(inner) => safe_from_redact(inner).map(|inner| Test::ElemMatchObject(Box::new(inner))),
        Test::ElemMatchValue(parts) => {
            let safe: Vec<Filter> = parts.iter().filter_map(safe_from_redact).collect();
            (!safe.is_empty()).then_some(Test::ElemMatchValue(safe))
        }
        Test::Exists | Test::Size(_) | Test::Bits(..) => None,
    }
}

impl Match {
    /// A match that was not typed by itself; the filter is in normal form.
    pub fn new(filter: Filter) -> Self {
        Self { filter, simple_id: false }
    }

    /// Both matches as one.
    pub fn merged(&self, other: &Self) -> Self {
        Self::new(Filter::And(vec![self.filter.clone(), other.filter.clone()]).normalised())
    }

    /// Whether everything matches.
    pub fn is_empty(&self) -> bool {
        matches!(&self.filter, Filter::And(parts) if parts.is_empty())
    }
}
