//! Which paths an update may change, so that indexes on others are left alone (`src/mongo/db/update_index_data.cpp`).

use super::parse::Operators;
use super::tree::{Fields, Node};
use crate::value::{Path, array_index};

/// Paths that an update may change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Touched {
    /// Any path.
    #[default]
    All,
    /// These paths, what lies above them and below; without positions and the positional operators.
    Paths(Vec<Path>),
}

impl Touched {
    /// The paths of update operators.
    pub(super) fn of(operators: &Operators) -> Self {
        let mut paths = Vec::new();
        gather(&operators.tree, &mut Vec::new(), &mut paths);
        Self::Paths(paths)
    }

    /// Whether a value at a path may have changed.
    #[must_use]
    pub fn touches(&self, path: &Path) -> bool {
        let Self::Paths(paths) = self else { return true };
        paths.iter().any(|touched| {
            let names = path.parts().iter().filter(|part| array_index(part).is_none());
            touched.parts().iter().zip(names).all(|(own, other)| own == other)
        })
    }
}

fn gather(fields: &Fields, place: &mut Vec<Box<str>>, paths: &mut Vec<Path>) {
    for (name, node) in &fields.named {
        let named = array_index(&name.0).is_none();
        if named {
            place.push(name.0.clone());
        }
        gather_node(node, place, paths);
        if named {
            place.pop();
        }
    }
    fields.matched.iter().for_each(|node| gather_node(node, place, paths));
}

fn gather_node(node: &Node, place: &mut Vec<Box<str>>, paths: &mut Vec<Path>) {
    match node {
        Node::Leaf(_) => paths.push(Path::from_parts(place.clone())),
        Node::Fields(fields) => gather(fields, place, paths),
        Node::Elements(elements) => elements.values().for_each(|node| gather_node(node, place, paths)),
    }
}
