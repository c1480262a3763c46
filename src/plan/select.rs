//! Which index may serve which predicate (`src/mongo/db/query/planner_ixselect.cpp`).

use std::collections::BTreeSet;

use crate::query::{Collation, Comparison, Filter, InList, Test};
use crate::value::{Bson, Path};

use super::build::is_null_and_empty_array;
use super::collated::is_collatable;
use super::entry::{Entry, PATH_PART};
use super::subset::is_subset;
use super::tree::{Kind, Node};

/// What the planner knows of a predicate (`RelevantTag`).
#[derive(Debug, Clone, Default)]
pub(super) struct Relevant {
    /// The path from the document, where some index has it.
    pub path: Path,
    /// Indexes that have the path for their first part.
    pub first: Vec<usize>,
    /// Indexes that have it for a later part.
    pub later: Vec<usize>,
    /// The innermost `$elemMatch` around it: its node and the length of its path from the document.
    pub elem_match: Option<(usize, usize)>,
}

/// What is known of every node, by its number.
pub(super) type Ratings = Vec<Option<Relevant>>;

/// The paths a filter asks for.
pub(super) fn fields(node: &Node<'_>) -> BTreeSet<Path> {
    let mut found = BTreeSet::new();
    collect_fields(node, &Path::default(), &mut found);
    found
}

fn collect_fields(node: &Node<'_>, prefix: &Path, found: &mut BTreeSet<Path>) {
    if node.uses_own_path() {
        found.insert(prefix.join(&node.path));
    } else if node.is_elem_match_object() && !node.path.is_empty() {
        let inside = prefix.join(&node.path);
        node.children.iter().for_each(|child| collect_fields(child, &inside, found));
    } else if node.is_logical() && !matches!(node.kind, Kind::Nor) {
        node.children.iter().for_each(|child| collect_fields(child, prefix, found));
    }
}

/// Whether a filter asks for the path of these parts: one of its [`fields`].
pub(super) fn asks_for(node: &Node<'_>, parts: &[Box<str>]) -> bool {
    if node.uses_own_path() {
        return node.path.parts() == parts;
    }
    let inner = if node.is_elem_match_object() && !node.path.is_empty() {
        parts.strip_prefix(node.path.parts())
    } else {
        (node.is_logical() && !matches!(node.kind, Kind::Nor)).then_some(parts)
    };
    inner.is_some_and(|parts| node.children.iter().any(|child| asks_for(child, parts)))
}

/// The query's own collation, and the `$elemMatch` a node stands in.
#[derive(Clone, Copy)]
struct Context<'a> {
    collation: &'a Collation,
    /// The path of the `$elemMatch` from the document, and whether it is the one with operators.
    elem_match: Option<(&'a Path, bool)>,
    under_not: bool,
}

/// Rates every predicate against every index.
pub(super) fn rate(root: &Node<'_>, entries: &[Entry], collation: &Collation) -> Ratings {
    let mut ratings = vec![None; root.id + 1];
    let context = Context { collation, elem_match: None, under_not: false };
    Rater { entries, ratings: &mut ratings }.node(root, &Path::default(), context);
    ratings
}

struct Rater<'a> {
    entries: &'a [Entry],
    ratings: &'a mut Ratings,
}

impl Rater<'_> {
    fn node(&mut self, node: &Node<'_>, prefix: &Path, context: Context<'_>) {
        if node.gives_bounds() {
            let named = if node.is_not() { &node.children[0] } else { node };
            let relevant = self.relevant(node, [prefix, &named.path], context);
            if node.is_not() {
                self.ratings[named.id] = Some(relevant.clone());
            }
            self.ratings[node.id] = Some(relevant);
        } else if node.is_elem_match_object() && !node.path.is_empty() {
            let path = prefix.join(&node.path);
            let inside = Context { elem_match: Some((&path, false)), under_not: false, ..context };
            node.children.iter().for_each(|child| self.node(child, &path, inside));
        } else if node.is_logical() && !matches!(node.kind, Kind::Nor) {
            let inside = Context { under_not: context.under_not || node.is_not(), ..context };
            node.children.iter().for_each(|child| self.node(child, prefix, inside));
        }
    }

    /// `path` is in two pieces: up to the innermost `$elemMatch`, and from there.
    fn relevant(&self, node: &Node<'_>, path: [&Path; 2], context: Context<'_>) -> Relevant {
        let [outer, inner] = path.map(Path::parts);
        let mut relevant = Relevant::default();
        for (number, entry) in self.entries.iter().enumerate() {
            for (position, part) in entry.parts.iter().enumerate() {
                if part.path.parts().strip_prefix(outer) == Some(inner) {
                    let question = Question { entry, position, path: &part.path };
                    if question.compatible(node, context) {
                        let list = if position == 0 { &mut relevant.first } else { &mut relevant.later };
                        list.push(number);
                        relevant.path = part.path.clone();
                    }
                }
            }
        }
        relevant
    }
}

/// One part of one index, asked whether it may serve a predicate.
struct Question<'a> {
    entry: &'a Entry,
    position: usize,
    path: &'a Path,
}

impl Question<'_> {
    fn compatible(&self, node: &Node<'_>, context: Context<'_>) -> bool {
        let entry = self.entry;
        if compares_collatable(node) && context.collation != &entry.collation {
            return false;
        }
        if context.under_not && cannot_be_negated(node) {
            return false;
        }
        if entry.wildcard.is_some() && self.behind_unknown_path() {
            return false;
        }
        if matches!(node.kind, Kind::Implied(_)) && entry.part_is_multikey(self.path) {
            return false;
        }
        let in_elem_match_value = context.elem_match.is_some_and(|(_, value)| value);
        if entry.is_sparse() && !sparse_serves(node, in_elem_match_value) {
            return false;
        }
        if node.is_not() && !self.negation(&node.children[0], context) {
            return false;
        }
        if matches!(node.kind, Kind::ElemMatchValue(_)) && !self.elem_match_value(node, context) {
            return false;
        }
        if entry.wildcard.is_some() && !wildcard_serves(node) {
            return false;
        }
        let regex = matches!(node.test(), Some(Test::Regex(_)));
        !regex || !entry.has_collation() || context.collation == &entry.collation
    }

    /// A wildcard index scanned for the parts before `$**` alone cannot serve a part behind it.
    fn behind_unknown_path(&self) -> bool {
        self.entry.parts[..=self.position].iter().any(|part| part.path.is(PATH_PART))
    }

    fn negation(&self, inside: &Node<'_>, context: Context<'_>) -> bool {
        let rim = matches!(inside.comparison(), Some((Comparison::Gt, Bson::MinKey) | (Comparison::Lt, Bson::MaxKey)));
        if self.entry.multikey && rim {
            return false;
        }
        let not_null =
            matches!(inside.comparison(), Some((Comparison::Eq | Comparison::Lte | Comparison::Gte, Bson::Null)));
        let null_allowed = self.not_null_allowed(context);
        if not_null && !null_allowed {
            return false;
        }
        if let Some(Test::In(list)) = inside.test() {
            // Let pass before what concerns arrays, as `canUseIndexForNin` is in the server: a document whose path goes
            // through an empty array matches, but has null for its key, and is not found by the index there either.
            if is_null_and_empty_array(list) {
                return true;
            }
            if !list.regexes.is_empty() || (!null_allowed && list.values.contains(&Bson::Null)) {
                return false;
            }
        }
        if compares_array(inside) {
            return false;
        }
        not_null || self.compatible(inside, Context { under_not: true, ..context })
    }

    /// Whether "not null" may use the part: an array's elements may be null and the document match all the same.
    fn not_null_allowed(&self, context: Context<'_>) -> bool {
        let at = &self.entry.parts[self.position].multikey_at;
        if !self.entry.multikey || at.is_empty() {
            return true;
        }
        match context.elem_match {
            None => false,
            Some((_, true)) => true,
            Some((path, false)) => at.iter().all(|component| *component < path.parts().len()),
        }
    }

    fn elem_match_value(&self, node: &Node<'_>, context: Context<'_>) -> bool {
        let parts = self.path.parts();
        let numeric = parts.last().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
        if parts.len() > 1 && numeric {
            return false;
        }
        let inside = Context { elem_match: Some((self.path, true)), ..context };
        node.children.iter().all(|child| self.compatible(child, inside))
    }
}

/// Whether text or what may hold text is compared with (`boundsGeneratingNodeContainsComparisonToType`).
fn compares_collatable(node: &Node<'_>) -> bool {
    match &node.kind {
        Kind::Implied(implied) => is_collatable(&implied.value),
        Kind::Not | Kind::ElemMatchValue(_) => node.children.iter().any(compares_collatable),
        _ => match node.test() {
            Some(Test::Compare(_, value)) => is_collatable(value),
            Some(Test::In(list)) => list.values.iter().any(is_collatable),
            _ => false,
        },
    }
}

fn compares_array(node: &Node<'_>) -> bool {
    let array = |value: &Bson| matches!(value, Bson::Array(_));
    match node.test() {
        Some(Test::Compare(_, value)) => array(value),
        Some(Test::In(list)) => list.values.iter().any(array),
        _ => false,
    }
}

/// Bounds of these cannot be turned inside out (`Indexability::nodeCannotUseIndexUnderNot`).
fn cannot_be_negated(node: &Node<'_>) -> bool {
    matches!(node.kind, Kind::ElemMatchValue(_))
        || matches!(node.test(), Some(Test::Regex(_) | Test::Mod(..) | Test::Type(_)))
}

/// Whether an index without the documents that lack the field can answer (`nodeIsSupportedBySparseIndex`).
fn sparse_serves(node: &Node<'_>, in_elem_match_value: bool) -> bool {
    if node.is_not() {
        return matches!(node.children[0].comparison(), Some((Comparison::Eq, Bson::Null)));
    }
    if let Kind::Implied(bound) = &node.kind {
        // In the expression language a missing field is below everything.
        return !matches!(bound.comparison, Comparison::Lt | Comparison::Lte);
    }
    match node.test() {
        Some(Test::Compare(Comparison::Eq | Comparison::Gte | Comparison::Lte, Bson::Null)) => in_elem_match_value,
        Some(Test::In(list)) => in_elem_match_value || !list.values.contains(&Bson::Null),
        _ => true,
    }
}

/// Whether an index on leaves only can answer (`nodeIsSupportedByWildcardIndex`).
fn wildcard_serves(node: &Node<'_>) -> bool {
    match node.test() {
        Some(Test::Compare(operator, Bson::Document(document))) => {
            document.is_empty() && matches!(operator, Comparison::Eq | Comparison::Lte)
        }
        Some(Test::Compare(operator, Bson::Array(items))) => items.is_empty() && *operator == Comparison::Eq,
        Some(Test::In(list)) => !holds_composite(list),
        _ => true,
    }
}

fn holds_composite(list: &InList) -> bool {
    list.values.iter().any(|value| match value {
        Bson::Document(document) => !document.is_empty(),
        Bson::Array(items) => !items.is_empty(),
        _ => false,
    })
}

fn remove(ratings: &mut Ratings, id: usize, index: usize) {
    if let Some(Some(relevant)) = ratings.get_mut(id) {
        relevant.first.retain(|known| *known != index);
        relevant.later.retain(|known| *known != index);
    }
}

/// Takes back assignments that would lose or repeat documents.
pub(super) fn strip_invalid(
    root: &Node<'_>,
    (filter, collation): (&Filter, &Collation),
    entries: &[Entry],
    ratings: &mut Ratings,
) {
    for (index, entry) in entries.iter().enumerate() {
        if let Some(position) = entry.wildcard
            && entry.parts.len() > 1
            && !entry.parts[position].path.is(PATH_PART)
        {
            strip_wildcard(root, &entry.parts[position].path, index, ratings);
        }
        if let Some(partial) = &entry.partial {
            let covered = |filter: &Filter| is_subset((filter, collation), (partial, &entry.collation));
            if !covered(filter) {
                strip_partial(root, index, &covered, false, ratings);
            }
        }
    }
}

/// `covered` tells whether all that a filter matches is in the index.
fn strip_partial(
    node: &Node<'_>,
    index: usize,
    covered: &impl Fn(&Filter) -> bool,
    closed: bool,
    ratings: &mut Ratings,
) {
    remove(ratings, node.id, index);
    let closed = closed || node.is_not() || matches!(node.kind, Kind::Nor) || node.is_elem_match_object();
    for child in &node.children {
        // One branch of an $or may lie inside the index's filter by itself.
        let spared = !closed && node.is_or() && child.to_filter().is_some_and(|branch| covered(&branch));
        if !spared {
            strip_partial(child, index, covered, closed, ratings);
        }
    }
}

fn assigned(ratings: &Ratings, id: usize, index: usize) -> Option<&Relevant> {
    let relevant = ratings.get(id)?.as_ref()?;
    (relevant.first.contains(&index) || relevant.later.contains(&index)).then_some(relevant)
}

/// An expansion of a compound wildcard index is of use only where its own path is asked for.
fn strip_wildcard(node: &Node<'_>, path: &Path, index: usize, ratings: &mut Ratings) {
    if node.is_and() || node.is_elem_match_object() {
        let mut found = Vec::new();
        let used = collect_conjunct(node, path, index, ratings, &mut found);
        if !used {
            for id in &found {
                remove(ratings, *id, index);
            }
        }
        return;
    }
    if assigned(ratings, node.id, index).is_some_and(|relevant| &relevant.path != path) {
        remove(ratings, node.id, index);
        node.children.iter().for_each(|child| remove(ratings, child.id, index));
    }
    node.children.iter().for_each(|child| strip_wildcard(child, path, index, ratings));
}

fn collect_conjunct(node: &Node<'_>, path: &Path, index: usize, ratings: &mut Ratings, found: &mut Vec<usize>) -> bool {
    let conjunct = node.is_and() || node.is_elem_match_object() || node.gives_bounds();
    if !conjunct {
        strip_wildcard(node, path, index, ratings);
        return false;
    }
    let mut used = false;
    if let Some(relevant) = assigned(ratings, node.id, index) {
        found.push(node.id);
        used = &relevant.path == path;
    }
    for child in &node.children {
        used |= collect_conjunct(child, path, index, ratings, found);
    }
    used
}

/// An equality on a unique index of one part is the best there is: nothing else is considered then.
pub(super) fn strip_unneeded(node: &Node<'_>, entries: &[Entry], ratings: &mut Ratings) {
    if node.is_and() {
        for child in &node.children {
            let equality = matches!(child.comparison(), Some((Comparison::Eq, _)));
            let relevant = ratings.get(child.id).and_then(Option::as_ref).filter(|_| equality);
            let unique = |index: &&usize| entries[**index].info.unique && entries[**index].parts.len() == 1;
            if let Some(index) = relevant.and_then(|relevant| relevant.first.iter().find(unique).copied()) {
                clear(node, ratings);
                if let Some(Some(relevant)) = ratings.get_mut(child.id) {
                    relevant.first.push(index);
                }
                return;
            }
        }
    }
    node.children.iter().for_each(|child| strip_unneeded(child, entries, ratings));
}

fn clear(node: &Node<'_>, ratings: &mut Ratings) {
    if let Some(Some(relevant)) = ratings.get_mut(node.id) {
        relevant.first.clear();
        relevant.later.clear();
    }
    node.children.iter().for_each(|child| clear(child, ratings));
}
