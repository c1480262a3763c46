//! Carries predicates beside an `$or` into its branches, where the enumerator found an index for both
//! (`resolveOrPushdowns`, `src/mongo/db/query/index_tag.cpp`).

use std::borrow::Cow;

use crate::value::Path;

use super::tree::{Destination, Kind, Node};

/// Resolves all destinations in a tagged tree.
pub(super) fn resolve(tree: &mut Node<'_>) {
    if tree.is_and()
        && let Some(target) = indexed_or(tree)
    {
        let mut at = 0;
        while at < tree.children.len() {
            let destinations = take_destinations(&mut tree.children[at]);
            let mut copied = Vec::new();
            for (node, to) in destinations {
                copied.push((node.id, push(&node, &mut tree.children[target], &to)));
            }
            let child = &tree.children[at];
            let whole = copied.iter().any(|(id, complete)| *complete && *id == named(child).id);
            // Every branch now asks for it, so it need not be asked again, unless an index outside serves it.
            if whole && at != target && !child.is_elem_match_object() && child.own_tag().is_none() {
                tree.children.remove(at);
                return resolve(tree);
            }
            at += 1;
        }
    }
    tree.children.iter_mut().for_each(resolve);
}

fn named<'a, 'q>(node: &'a Node<'q>) -> &'a Node<'q> {
    if node.is_not() { node.children.first().unwrap_or(node) } else { node }
}

fn indexed_or(node: &Node<'_>) -> Option<usize> {
    node.children.iter().position(|child| child.is_or() && child.tag.is_some())
}

/// The predicates with destinations in a child of the AND, with their paths from the AND's own level.
fn take_destinations<'q>(child: &mut Node<'q>) -> Vec<(Node<'q>, Vec<Destination>)> {
    let mut found = Vec::new();
    if child.is_not() {
        if let Some(inside) = child.children.first_mut() {
            let destinations = std::mem::take(&mut inside.destinations);
            if !destinations.is_empty() {
                found.push((child.clone(), destinations));
            }
        }
    } else if child.is_elem_match_object() {
        let prefix = child.path.clone().into_owned();
        child.children.iter_mut().for_each(|inner| take_nested(inner, &prefix, &mut found));
    } else {
        let destinations = std::mem::take(&mut child.destinations);
        if !destinations.is_empty() {
            found.push((child.clone(), destinations));
        }
    }
    found
}

fn take_nested<'q>(node: &mut Node<'q>, prefix: &Path, found: &mut Vec<(Node<'q>, Vec<Destination>)>) {
    let destinations = std::mem::take(&mut node.destinations);
    if !destinations.is_empty() {
        // The copy gives bounds on the path from the document; the whole $elemMatch is tested afterwards.
        let mut copy = node.clone();
        copy.path = Cow::Owned(prefix.join(&node.path));
        found.push((copy, destinations));
    }
    let inside = if node.is_elem_match_object() { prefix.join(&node.path) } else { prefix.clone() };
    node.children.iter_mut().for_each(|child| take_nested(child, &inside, found));
}

fn with_tag<'q>(node: &Node<'q>, destination: &Destination) -> Node<'q> {
    let mut copy = node.clone();
    copy.destinations.clear();
    copy.tag = Some(destination.tag);
    if copy.is_not() {
        copy.children.iter_mut().for_each(|child| child.tag = Some(destination.tag));
    }
    copy
}

/// Copies the predicate to its destinations below the target; whether all of the target's branches have it then.
fn push<'q>(node: &Node<'q>, target: &mut Node<'q>, destinations: &[Destination]) -> bool {
    let Some(first) = destinations.first() else { return false };
    if target.is_or() {
        let mut complete = true;
        for (branch, child) in target.children.iter_mut().enumerate() {
            let there: Vec<Destination> = destinations.iter().filter_map(|to| below(to, branch)).collect();
            complete &= push(node, child, &there);
        }
        return complete;
    }
    if target.is_and() {
        let deeper = indexed_or(target).filter(|_| destinations.iter().any(|to| !to.route.is_empty()));
        if let Some(inner) = deeper {
            return push(node, &mut target.children[inner], destinations);
        }
        target.children.push(with_tag(node, first));
        return true;
    }
    let alone = target.clone();
    let tag = alone.tag;
    target.kind = Kind::And;
    target.path = Cow::Owned(Path::default());
    target.destinations = Vec::new();
    target.children = vec![alone, with_tag(node, first)];
    target.tag = tag;
    true
}

/// The rest of the way behind a branch.
fn below(destination: &Destination, branch: usize) -> Option<Destination> {
    let (first, rest) = destination.route.split_first()?;
    (*first == branch).then(|| Destination { route: rest.to_vec(), tag: destination.tag })
}
