//! Running an update tree over a document (`src/mongo/db/update/update_object_node.cpp`, `modifier_node.cpp`).

use super::filters::ArrayFilters;
use super::leaf::{Clock, Effect, Leaf};
use super::path::Name;
use super::tree::{Fields, Node};
use crate::error::{CommandError, ErrorCode, Result};
use crate::query::Collation;
use crate::value::{Bson, Document, Path, array_index, shown};

/// How many nulls an array may be filled up with.
const MAX_PADDING: usize = 1_500_000;

/// What operators may know beside the value they change.
pub(super) struct Scene<'a> {
    /// Whether the document is being made by an upsert.
    pub(super) insert: bool,
    /// The position that `$` stands for.
    pub(super) position: Option<usize>,
    /// Milliseconds since 1970.
    pub(super) now: i64,
    pub(super) collation: &'a Collation,
    pub(super) filters: &'a ArrayFilters,
    /// The document's `_id` as messages show it.
    pub(super) id: String,
    /// Values of `$rename` sources, read before anything is changed.
    pub(super) renames: Vec<(Path, Bson)>,
}

impl Scene<'_> {
    /// The clock as `$currentDate` writes it.
    pub(super) fn clock(&self, clock: Clock) -> Bson {
        match clock {
            Clock::Date => Bson::DateTime(bson::DateTime::from_millis(self.now)),
            Clock::Timestamp => {
                let time = u32::try_from(self.now / 1000).unwrap_or_default();
                Bson::Timestamp(bson::Timestamp { time, increment: 1 })
            }
        }
    }

    /// The value that a rename target takes over.
    pub(super) fn renamed(&self, leaf: &Leaf) -> Option<&Bson> {
        match leaf {
            Leaf::RenameTo(source) => self.renames.iter().find(|(path, _)| path == source).map(|(_, value)| value),
            _ => None,
        }
    }
}

fn refuse<T>(code: ErrorCode, message: String) -> Result<T> {
    Err(CommandError::new(code, message))
}

/// Runs the tree; returns whether anything changed.
pub(super) fn apply(fields: &Fields, document: &mut Document, scene: &Scene<'_>) -> Result<bool> {
    let mut run = Run { scene, place: Vec::new(), changed: false };
    run.fields(fields, &mut Holder::Document(document))?;
    Ok(run.changed)
}

/// A document or array whose members are changed.
enum Holder<'d> {
    Document(&'d mut Document),
    Array(&'d mut Vec<Bson>),
}

impl Holder<'_> {
    fn get_mut(&mut self, name: &str) -> Option<&mut Bson> {
        match self {
            Self::Document(document) => document.get_mut(name),
            Self::Array(array) => array.get_mut(array_index(name)?),
        }
    }

    fn remove(&mut self, name: &str) {
        match self {
            Self::Document(document) => {
                document.remove(name);
            }
            Self::Array(_) => {
                if let Some(value) = self.get_mut(name) {
                    *value = Bson::Null;
                }
            }
        }
    }
}

struct Run<'s> {
    scene: &'s Scene<'s>,
    /// The path so far, for messages.
    place: Vec<Box<str>>,
    changed: bool,
}

impl Run<'_> {
    fn fields(&mut self, fields: &Fields, holder: &mut Holder<'_>) -> Result<()> {
        let matched = match (&fields.matched, self.scene.position) {
            (None, _) => None,
            (Some(node), Some(position)) => Some((node, Name(position.to_string().into()))),
            (Some(_), None) => {
                let message = "The positional operator did not find the match needed from the query.";
                return refuse(ErrorCode::BadValue, message.into());
            }
        };
        for (name, node) in &fields.named {
            match &matched {
                Some((own, position)) if position == name => {
                    let merged = own.merged(node, &self.path_to(&name.0))?;
                    self.child(&name.0, &merged, holder)?;
                }
                _ => self.child(&name.0, node, holder)?,
            }
        }
        match matched {
            Some((node, position)) if !fields.named.contains_key(&position) => self.child(&position.0, node, holder),
            _ => Ok(()),
        }
    }

    fn path_to(&self, name: &str) -> String {
        self.place.iter().map(|part| &**part).chain([name]).collect::<Vec<_>>().join(".")
    }

    fn child(&mut self, name: &str, node: &Node, holder: &mut Holder<'_>) -> Result<()> {
        match node {
            Node::Leaf(leaf) => self.leaf(name, leaf, holder),
            Node::Fields(fields) => match holder.get_mut(name) {
                Some(Bson::Document(inner)) => self.inside(name, fields, &mut Holder::Document(inner)),
                Some(Bson::Array(inner)) => self.inside(name, fields, &mut Holder::Array(inner)),
                Some(scalar) => self.blocked(name, fields, scalar),
                None => self.made(name, fields, holder),
            },
            Node::Elements(elements) => match holder.get_mut(name) {
                Some(Bson::Array(inner)) => self.elements(name, elements, inner),
                Some(other) => refuse(
                    ErrorCode::BadValue,
                    format!("Cannot apply array updates to non-array element {name}: {}", shown(&*other)),
                ),
                None => self.must_exist(name),
            },
        }
    }

    fn must_exist(&self, name: &str) -> Result<()> {
        let place = self.path_to(name);
        let message = format!("The path '{place}' must exist in the document in order to apply array updates.");
        refuse(ErrorCode::BadValue, message)
    }

    fn inside(&mut self, name: &str, fields: &Fields, holder: &mut Holder<'_>) -> Result<()> {
        self.place.push(name.into());
        let done = self.fields(fields, holder);
        self.place.pop();
        done
    }

    fn leaf(&mut self, name: &str, leaf: &Leaf, holder: &mut Holder<'_>) -> Result<()> {
        let place = self.path_to(name);
        let effect = match holder.get_mut(name) {
            Some(old) => match leaf.on_value(old, &place, self.scene)? {
                Effect::Put(value) => {
                    *old = value;
                    self.changed = true;
                    return Ok(());
                }
                effect => effect,
            },
            None => match leaf.on_missing(self.scene)? {
                Some(value) => return self.create(name, value, holder),
                None => Effect::Keep,
            },
        };
        if let Effect::Remove = effect {
            holder.remove(name);
            self.changed = true;
        }
        Ok(())
    }

    /// Makes a missing embedded document, if something in it is made.
    fn made(&mut self, name: &str, fields: &Fields, holder: &mut Holder<'_>) -> Result<()> {
        let mut fresh = Document::new();
        let changed = self.changed;
        self.inside(name, fields, &mut Holder::Document(&mut fresh))?;
        self.changed = changed;
        if fresh.is_empty() { Ok(()) } else { self.create(name, Bson::Document(fresh), holder) }
    }

    fn create(&mut self, name: &str, value: Bson, holder: &mut Holder<'_>) -> Result<()> {
        match holder {
            Holder::Document(document) => {
                document.insert(name, value);
            }
            Holder::Array(array) => {
                let Some(index) = array_index(name) else {
                    return self.cannot_create(name, &Bson::Array(array.clone()));
                };
                if index.saturating_sub(array.len()) > MAX_PADDING {
                    let message = format!("can't backfill more than {MAX_PADDING} elements");
                    return refuse(ErrorCode::CannotBackfillArray, message);
                }
                array.resize(index, Bson::Null);
                array.push(value);
            }
        }
        self.changed = true;
        Ok(())
    }

    fn cannot_create(&self, name: &str, holder: &Bson) -> Result<()> {
        let own = self.place.last().map_or("", |part| &**part);
        let message = format!("Cannot create field '{name}' in element {{{own}: {}}}", shown(holder));
        refuse(ErrorCode::PathNotViable, message)
    }

    /// A scalar stands in the way: an error for the first operator that would have to go through it.
    fn blocked(&mut self, name: &str, fields: &Fields, scalar: &Bson) -> Result<()> {
        self.place.push(name.into());
        let mut matched = fields.matched.iter().map(|node| ("$", &**node));
        let result = fields.named.iter().map(|(name, node)| (&*name.0, node)).chain(matched.by_ref()).try_for_each(
            |(next, node)| match node {
                Node::Elements(_) => self.must_exist(next),
                _ if node.leaves().iter().all(|leaf| leaf.allows_blocked_path(self.scene)) => Ok(()),
                _ => self.cannot_create(next, scalar),
            },
        );
        self.place.pop();
        result
    }

    fn elements(
        &mut self,
        name: &str,
        filters: &std::collections::BTreeMap<Box<str>, Node>,
        array: &mut Vec<Bson>,
    ) -> Result<()> {
        self.place.push(name.into());
        for index in 0..array.len() {
            let mut met = filters.iter().filter(|(identifier, _)| self.scene.filters.meets(identifier, &array[index]));
            let position = index.to_string();
            let Some((_, first)) = met.next() else {
                continue;
            };
            let rest: Vec<&Node> = met.map(|(_, node)| node).collect();
            let mut holder = Holder::Array(array);
            if rest.is_empty() {
                self.child(&position, first, &mut holder)?;
                continue;
            }
            let place = self.path_to(&position);
            let merged = rest.into_iter().try_fold(first.clone(), |merged, node| merged.merged(node, &place))?;
            self.child(&position, &merged, &mut holder)?;
        }
        self.place.pop();
        Ok(())
    }
}

impl Node {
    fn leaves(&self) -> Vec<&Leaf> {
        match self {
            Self::Leaf(leaf) => vec![leaf],
            Self::Fields(fields) => {
                fields.named.values().chain(fields.matched.as_deref()).flat_map(Self::leaves).collect()
            }
            Self::Elements(elements) => elements.values().flat_map(Self::leaves).collect(),
        }
    }
}
