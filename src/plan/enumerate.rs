//! Every useful way of assigning predicates to indexes (`src/mongo/db/query/plan_enumerator.cpp`).

use std::collections::BTreeMap;

use super::entry::Entry;
use super::select::{Ratings, Relevant};
use super::tree::{Destination, Node, Tag};
use crate::value::Path;

/// The server gives up an `$or` after so many enumerations (`internalQueryEnumerationMaxOrSolutions`).
///
/// They come in the order of an odometer. Another order, in which all branches first take the same choice, is switched on by
/// `internalQueryEnumerationPreferLockstepOrEnumeration`, which is off by default in 7.0 (`query_knobs.idl`; the note in
/// that branch's `and_or_lockstep` test for SERVER-83091) and on only in later versions.
const MAX_OR_SOLUTIONS: usize = 10;

type Memo = usize;

/// Room for so many predicates is made at once.
const FEW: usize = 4;

/// Predicates with the index that each may use; there are few, in order of the indexes.
#[derive(Default)]
struct Preds(Vec<(usize, usize)>);

impl Preds {
    /// The predicates of one index, as they were added.
    fn of(&self, index: usize) -> &[(usize, usize)] {
        let from = self.0.partition_point(|(known, _)| *known < index);
        let behind = self.0[from..].iter().position(|(known, _)| *known != index);
        &self.0[from..behind.map_or(self.0.len(), |count| from + count)]
    }

    fn add(&mut self, index: usize, pred: usize) {
        let behind = self.0.partition_point(|(known, _)| *known <= index);
        self.0.insert(behind, (index, pred));
    }

    /// The predicates of each index in turn.
    fn by_index(&self) -> impl Iterator<Item = &[(usize, usize)]> {
        self.0.chunk_by(|(one, _), (other, _)| one == other)
    }
}

/// A predicate beside an `$or`, and the branches taken so far on the way into it.
#[derive(Debug, Clone, Default)]
struct Route {
    branches: Vec<usize>,
    crossed_elem_match: bool,
}

/// Predicates outside of the `$or` that is looked at, by node.
type Outside = BTreeMap<usize, Route>;

#[derive(Debug, Clone, Default)]
struct Context {
    /// The innermost `$elemMatch` object: its node and the length of its path from the document.
    elem_match: Option<(usize, usize)>,
    outside: Outside,
}

/// The predicates that one index serves.
#[derive(Debug, Clone, Default)]
struct Assignment {
    index: usize,
    preds: Vec<(usize, usize)>,
    pushed: Vec<(usize, Destination)>,
}

#[derive(Debug, Clone)]
enum Choice {
    Subnode(Memo),
    Index(Assignment),
}

#[derive(Debug, Clone)]
enum State {
    And { choices: Vec<Choice>, counter: usize },
    Array { subnodes: Vec<Memo>, counter: usize },
    Or { subnodes: Vec<Memo>, counter: usize },
}

/// Walks through the assignments.
pub(super) struct Enumerator<'a, 'q> {
    /// The rated tree, until the last assignment takes it.
    root: Option<Node<'q>>,
    entries: &'a [Entry],
    ratings: &'a mut Ratings,
    states: Vec<State>,
    /// By the node's number.
    by_node: Vec<Option<Memo>>,
    /// Whether an `$or` had more assignments than are looked at.
    pub or_limit_reached: bool,
}

/// What the tree of one assignment is tagged with.
#[derive(Debug, Default)]
pub(super) struct Tags {
    /// By the node's number.
    pub own: Vec<Option<Tag>>,
    pub pushed: BTreeMap<usize, Vec<Destination>>,
}

impl<'a, 'q> Enumerator<'a, 'q> {
    /// Prepares the enumeration over a rated tree.
    pub fn new(root: Node<'q>, entries: &'a [Entry], ratings: &'a mut Ratings) -> Self {
        let by_node = vec![None; root.id + 1];
        let mut this = Self { root: None, entries, ratings, states: Vec::new(), by_node, or_limit_reached: false };
        if this.prepare(&root, &Context::default()) {
            this.root = Some(root);
        }
        this
    }

    fn allocate(&mut self, node: &Node<'_>, state: State) -> Memo {
        self.states.push(state);
        self.by_node[node.id] = Some(self.states.len() - 1);
        self.states.len() - 1
    }

    fn memo(&self, node: &Node<'_>) -> Option<Memo> {
        self.by_node[node.id]
    }

    fn relevant(&self, id: usize) -> &Relevant {
        self.ratings[id].as_ref().expect("a predicate that gives bounds was rated")
    }

    fn prepare(&mut self, node: &Node<'_>, context: &Context) -> bool {
        if node.is_or() {
            return self.prepare_or(node, context);
        }
        if node.is_elem_match_object() && !node.path.is_empty() {
            return self.prepare_array(node, context);
        }
        (node.gives_bounds() || node.is_and()) && self.prepare_and(node, context)
    }

    /// Every branch of an `$or` has to be served.
    fn prepare_or(&mut self, node: &Node<'_>, context: &Context) -> bool {
        for (branch, child) in node.children.iter().enumerate() {
            let mut inner = context.clone();
            inner.outside.retain(|_, route| !route.crossed_elem_match);
            inner.outside.values_mut().for_each(|route| route.branches.push(branch));
            if !self.prepare(child, &inner) {
                return false;
            }
        }
        let subnodes = node.children.iter().filter_map(|child| self.memo(child)).collect();
        self.allocate(node, State::Or { subnodes, counter: 0 });
        true
    }

    fn prepare_array(&mut self, node: &Node<'_>, context: &Context) -> bool {
        let inner = self.inside_elem_match(node, context);
        let mut subnodes = Vec::new();
        for child in &node.children {
            if self.prepare(child, &inner) {
                subnodes.extend(self.memo(child));
            }
        }
        let any = !subnodes.is_empty();
        if any {
            self.allocate(node, State::Array { subnodes, counter: 0 });
        }
        any
    }

    fn inside_elem_match(&self, node: &Node<'_>, context: &Context) -> Context {
        let length = context.elem_match.map_or(0, |(_, length)| length) + node.path.parts().len();
        let mut inner = Context { elem_match: Some((node.id, length)), outside: context.outside.clone() };
        for (pred, route) in &mut inner.outside {
            if self.relevant(*pred).elem_match.map(|(id, _)| id) != Some(node.id) {
                route.crossed_elem_match = true;
            }
        }
        inner
    }

    fn prepare_and(&mut self, node: &Node<'_>, context: &Context) -> bool {
        let mut indexed = Vec::with_capacity(FEW);
        self.collect_preds(node, context.elem_match, &mut indexed);
        let mut subnodes = Vec::new();
        if node.children.iter().any(may_have_subnodes) {
            let mut inner = context.clone();
            inner.outside.extend(indexed.iter().map(|pred| (*pred, Route::default())));
            self.prepare_subnodes(node, &inner, &mut subnodes);
        }
        let (mut first, mut later) = (Preds::default(), Preds::default());
        for pred in &indexed {
            let relevant = self.relevant(*pred);
            relevant.first.iter().for_each(|index| first.add(*index, *pred));
            relevant.later.iter().for_each(|index| later.add(*index, *pred));
        }
        let mut choices = Vec::new();
        choices.extend(subnodes.into_iter().map(Choice::Subnode));
        self.choose_indexes(first, later, &context.outside, &mut choices);
        let any = !choices.is_empty();
        if any {
            self.allocate(node, State::And { choices, counter: 0 });
        }
        any
    }

    /// The predicates that are joined by AND with the node, through `$and` and `$elemMatch`.
    fn collect_preds(&mut self, node: &Node<'_>, elem_match: Option<(usize, usize)>, found: &mut Vec<usize>) {
        if node.uses_own_path() {
            let relevant = self.ratings[node.id].as_mut().expect("a predicate that gives bounds was rated");
            relevant.elem_match = elem_match;
            found.push(node.id);
        } else if node.is_bounds_not() {
            self.collect_preds(&node.children[0], elem_match, found);
        } else if node.is_elem_match_object() {
            let length = elem_match.map_or(0, |(_, length)| length) + node.path.parts().len();
            for child in &node.children {
                self.collect_preds(child, Some((node.id, length)), found);
            }
        } else if node.is_and() {
            node.children.iter().for_each(|child| self.collect_preds(child, elem_match, found));
        }
    }

    fn prepare_subnodes(&mut self, node: &Node<'_>, context: &Context, found: &mut Vec<Memo>) {
        for child in &node.children {
            if child.is_or() {
                if self.prepare(child, context) {
                    found.extend(self.memo(child));
                }
            } else if child.is_elem_match_object() {
                let inner = self.inside_elem_match(child, context);
                self.prepare_subnodes(child, &inner, found);
            } else if child.is_and() {
                self.prepare_subnodes(child, context, found);
            }
        }
    }

    /// One choice for each index with a predicate on its first part, several where arrays forbid joining predicates.
    fn choose_indexes(&self, mut first: Preds, mut later: Preds, outside: &Outside, choices: &mut Vec<Choice>) {
        for pred in outside.keys() {
            let relevant = self.relevant(*pred);
            for (indexes, leading) in [(&relevant.first, true), (&relevant.later, false)] {
                for index in indexes {
                    if !first.of(*index).is_empty() || !later.of(*index).is_empty() {
                        let list = if leading { &mut first } else { &mut later };
                        list.add(*index, *pred);
                    }
                }
            }
        }
        for leading in first.by_index() {
            let index = leading[0].0;
            self.first_choices(&self.entries[index], leading, |start| {
                let assignment = self.assigned(index, start, later.of(index), outside);
                // An assignment of outside predicates alone belongs to the outside.
                if !assignment.preds.is_empty() {
                    choices.push(Choice::Index(assignment));
                }
            });
        }
    }

    /// The predicates that one index serves, from those on its first part and those that could use the others.
    fn assigned(
        &self,
        index: usize,
        start: &[(usize, usize)],
        could: &[(usize, usize)],
        outside: &Outside,
    ) -> Assignment {
        let entry = &self.entries[index];
        let preds = Vec::with_capacity(start.len() + could.len());
        let mut assignment = Assignment { index, preds, pushed: Vec::new() };
        for (_, pred) in start {
            assign(&mut assignment, *pred, 0, outside);
        }
        if entry.multikey {
            self.assign_safely(entry, start, could, outside, &mut assignment);
        } else {
            for (_, pred) in could {
                let position = entry.position_of(&self.relevant(*pred).path).unwrap_or_default();
                assign(&mut assignment, *pred, position, outside);
            }
        }
        assignment
    }

    /// Which predicates on the first part may be joined: all where it holds no array; otherwise one, or those of one
    /// `$elemMatch` below which there is no array.
    fn first_choices(&self, entry: &Entry, leading: &[(usize, usize)], mut found: impl FnMut(&[(usize, usize)])) {
        let at = &entry.parts[0].multikey_at;
        if !entry.multikey || at.is_empty() || matches!(leading, [_]) {
            return found(leading);
        }
        // Those of no `$elemMatch` are first in this order.
        let context = |(_, pred): &(usize, usize)| self.relevant(*pred).elem_match;
        let mut leading = leading.to_vec();
        leading.sort_by_key(context);
        for group in leading.chunk_by(|one, other| context(one) == context(other)) {
            match context(&group[0]) {
                Some((_, length)) if at.iter().all(|component| *component < length) => found(group),
                _ => group.chunks(1).for_each(&mut found),
            }
        }
    }

    /// Adds predicates on later parts where no array lies between them and those assigned already.
    fn assign_safely(
        &self,
        entry: &Entry,
        start: &[(usize, usize)],
        could: &[(usize, usize)],
        outside: &Outside,
        assignment: &mut Assignment,
    ) {
        let mut used = Used::default();
        for (_, pred) in start {
            used.admits(self.relevant(*pred), &entry.parts[0].multikey_at);
        }
        for (position, part) in entry.parts.iter().enumerate() {
            for (_, pred) in could {
                let relevant = self.relevant(*pred);
                let here = relevant.path == part.path;
                if here && (part.multikey_at.is_empty() || used.admits(relevant, &part.multikey_at)) {
                    assign(assignment, *pred, position, outside);
                }
            }
        }
    }

    fn tag(&self, memo: Memo, tags: &mut Tags) {
        match &self.states[memo] {
            State::Or { subnodes, .. } => subnodes.iter().for_each(|subnode| self.tag(*subnode, tags)),
            State::Array { subnodes, counter } => self.tag(subnodes[*counter], tags),
            State::And { choices, counter } => match &choices[*counter] {
                Choice::Subnode(subnode) => self.tag(*subnode, tags),
                Choice::Index(assignment) => {
                    for (pred, position) in &assignment.preds {
                        tags.own[*pred] = Some(Tag { index: assignment.index, position: *position });
                    }
                    for (pred, destination) in &assignment.pushed {
                        tags.pushed.entry(*pred).or_default().push(destination.clone());
                    }
                }
            },
        }
    }

    /// Goes to the next state; true when all were seen and it stands at the first again.
    fn advance(&mut self, memo: Memo) -> bool {
        let moved_on = match &mut self.states[memo] {
            State::Or { subnodes, counter } => {
                *counter += 1;
                if *counter >= MAX_OR_SOLUTIONS {
                    self.or_limit_reached = true;
                    return true;
                }
                let subnodes = subnodes.clone();
                subnodes.into_iter().any(|subnode| !self.advance(subnode))
            }
            State::Array { subnodes, counter } => {
                let subnode = subnodes[*counter];
                !self.advance(subnode)
            }
            State::And { choices, counter } => match choices[*counter] {
                Choice::Subnode(subnode) => !self.advance(subnode),
                Choice::Index(_) => false,
            },
        };
        if moved_on {
            return false;
        }
        let (counter, length) = match &mut self.states[memo] {
            State::Or { .. } => return true,
            State::Array { subnodes, counter } => (counter, subnodes.len()),
            State::And { choices, counter } => (counter, choices.len()),
        };
        *counter = (*counter + 1) % length;
        *counter == 0
    }
}

/// The trees, each with one assignment.
impl<'q> Iterator for Enumerator<'_, 'q> {
    type Item = Node<'q>;

    fn next(&mut self) -> Option<Node<'q>> {
        let memo = self.memo(self.root.as_ref()?)?;
        let mut tags = Tags { own: vec![None; self.ratings.len()], ..Tags::default() };
        self.tag(memo, &mut tags);
        let is_last = self.advance(memo);
        let mut tree = if is_last { self.root.take() } else { self.root.clone() }?;
        apply(&mut tree, &mut tags);
        Some(tree)
    }
}

/// Which `$elemMatch` the prefixes that hold arrays were reached through.
#[derive(Default)]
struct Used<'r>(Vec<(&'r Path, usize, Option<usize>)>);

impl<'r> Used<'r> {
    /// The `$elemMatch`, or none, that a known prefix was reached through.
    fn context(&self, prefix: &[Box<str>]) -> Option<&Option<usize>> {
        let known = self.0.iter().find(|(path, component, _)| path.parts()[..=*component] == *prefix);
        known.map(|(_, _, context)| context)
    }

    /// Whether the predicate may join those admitted before; it counts as admitted then (`canAssignPredToIndex`).
    fn admits(&mut self, relevant: &'r Relevant, multikey_at: &[usize]) -> bool {
        for component in multikey_at {
            match self.context(&relevant.path.parts()[..=*component]) {
                None => {
                    let outside = relevant.elem_match.filter(|(_, length)| component < length);
                    self.0.push((&relevant.path, *component, outside.map(|(id, _)| id)));
                    if outside.is_none() {
                        break;
                    }
                }
                Some(context) => {
                    if context.is_none() || *context != relevant.elem_match.map(|(id, _)| id) {
                        return false;
                    }
                }
            }
        }
        true
    }
}

/// Whether a part of an AND may hold an `$or` that is enumerated by itself.
fn may_have_subnodes(node: &Node<'_>) -> bool {
    node.is_or() || node.is_and() || node.is_elem_match_object()
}

fn assign(assignment: &mut Assignment, pred: usize, position: usize, outside: &Outside) {
    match outside.get(&pred) {
        None => assignment.preds.push((pred, position)),
        Some(route) => {
            let tag = Tag { index: assignment.index, position };
            assignment.pushed.push((pred, Destination { route: route.branches.clone(), tag }));
        }
    }
}

fn apply(node: &mut Node<'_>, tags: &mut Tags) {
    node.tag = tags.own.get(node.id).copied().flatten();
    node.destinations = tags.pushed.remove(&node.id).unwrap_or_default();
    node.children.iter_mut().for_each(|child| apply(child, tags));
    // A node that is served by its children bears the tag of the first index among them.
    if !node.uses_own_path() {
        node.tag = node.children.iter().filter_map(|child| child.tag).min_by_key(|tag| tag.index);
    }
}
