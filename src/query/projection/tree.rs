//! The paths of a projection as a tree.

use super::slice::Slice;
use crate::error::{CommandError, Result};
use crate::query::Matcher;
use crate::query::expr::{Expression, MetaField, Reads};
use crate::value::Path;

/// What is done with one field.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Keep,
    Drop,
    Branch(Branch),
    Slice(Slice),
    /// The positional operator behind this path.
    Matched,
    /// `$elemMatch`: the field as a filter with that operator, and the name.
    Element(Box<Matcher>),
    Computed(Box<Expression>),
}

/// Fields in the order of the projection.
#[derive(Debug, Clone, Default)]
pub(super) struct Branch {
    pub(super) fields: Vec<(Box<str>, Node)>,
}

fn collision<T>(code: i32, message: String) -> Result<T> {
    Err(CommandError::new(code, message))
}

impl Branch {
    pub(super) fn get(&self, name: &str) -> Option<&Node> {
        self.fields.iter().find(|(own, _)| &**own == name).map(|(_, node)| node)
    }

    fn get_mut(&mut self, name: &str) -> Option<&mut Node> {
        self.fields.iter_mut().find(|(own, _)| &**own == name).map(|(_, node)| node)
    }

    /// Puts a node at a path; a path may not end on or go through another one.
    pub(super) fn insert(&mut self, path: &Path, parts: &[Box<str>], node: Node) -> Result<()> {
        let (first, rest) = parts.split_first().expect("a checked path has parts");
        match (self.get_mut(first), rest.is_empty()) {
            (None, true) => self.fields.push((first.clone(), node)),
            (None, false) => {
                let mut inner = Self::default();
                inner.insert(path, rest, node)?;
                self.fields.push((first.clone(), Node::Branch(inner)));
            }
            (Some(_), true) => return collision(31250, format!("Path collision at {path}")),
            (Some(Node::Branch(inner)), false) => inner.insert(path, rest, node)?,
            (Some(_), false) => {
                let tail = rest.join(".");
                return collision(31249, format!("Path collision at {path} remaining portion {tail}"));
            }
        }
        Ok(())
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.fields.retain(|(own, _)| &**own != name);
    }

    /// Whether something below is put in after the rest.
    pub(super) fn computes(&self) -> bool {
        self.fields.iter().any(|(_, node)| match node {
            Node::Element(_) | Node::Computed(_) => true,
            Node::Branch(inner) => inner.computes(),
            _ => false,
        })
    }

    pub(super) fn is_positional(&self) -> bool {
        self.fields.iter().any(|(_, node)| match node {
            Node::Matched => true,
            Node::Branch(inner) => inner.is_positional(),
            _ => false,
        })
    }

    /// Whether something below reads metadata of that kind.
    pub(super) fn asks_for(&self, field: MetaField) -> bool {
        self.fields.iter().any(|(_, node)| match node {
            Node::Computed(expression) => expression.asks_for(field),
            Node::Branch(inner) => inner.asks_for(field),
            _ => false,
        })
    }

    /// Adds the paths that are read. What a slice or an expression gives below a path depends on which of its parts are
    /// arrays, so that the first part is read as a whole (`DepsAnalysisVisitor` of `projection_ast`).
    pub(super) fn reads(&self, outer: &Path, reads: &mut Reads) {
        for (name, node) in &self.fields {
            let path = outer.join(&Path::from_parts(vec![name.clone()]));
            let first = || Path::from_parts(vec![path.parts()[0].clone()]);
            match node {
                Node::Drop => {}
                Node::Branch(inner) => inner.reads(&path, reads),
                Node::Computed(expression) => {
                    expression.reads(reads);
                    if path.parts().len() > 1 {
                        reads.paths.insert(first());
                    }
                }
                Node::Matched => reads.whole = true,
                Node::Slice(_) => _ = reads.paths.insert(first()),
                Node::Keep | Node::Element(_) => _ = reads.paths.insert(path),
            }
        }
    }
}
