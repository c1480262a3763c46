//! Running an update tree over a document's bytes (`src/mongo/db/update/update_object_node.cpp`, `modifier_node.cpp`).

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use super::filters::ArrayFilters;
use super::leaf::{Clock, Effect, Leaf};
use super::path::Name;
use super::storage::check_dollar_field;
use super::tree::{Fields, Node};
use crate::error::{ErrorCode, Result, refuse};
use crate::query::Collation;
use crate::value::{
    Bson, DocView, Inside, Path, RawDocument, Splice, Spot, View, array_index, check_nesting_at, shown,
};

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
    /// What tells the timestamps of one second apart.
    pub(super) tick: u32,
    pub(super) collation: &'a Collation,
    pub(super) filters: &'a ArrayFilters,
    /// The document as it was.
    pub(super) document: &'a RawDocument,
    /// Values of `$rename` sources, read before anything is changed.
    pub(super) renames: Vec<(Path, Bson)>,
}

/// A document's `_id` as messages show it.
pub(super) fn shown_id(document: &RawDocument) -> String {
    DocView::from(document).get("_id").map_or("no id".into(), |id| format!("_id: {}", shown(id)))
}

impl Scene<'_> {
    /// The clock as `$currentDate` writes it.
    pub(super) fn clock(&self, clock: Clock) -> Bson {
        match clock {
            Clock::Date => Bson::DateTime(bson::DateTime::from_millis(self.now)),
            Clock::Timestamp => {
                let time = u32::try_from(self.now / 1000).unwrap_or_default();
                Bson::Timestamp(bson::Timestamp { time, increment: self.tick })
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

    /// The document's `_id` as messages show it.
    pub(super) fn id(&self) -> String {
        shown_id(self.document)
    }
}

/// A path on its way down, each part on the one above it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'p> {
    above: Option<&'p Place<'p>>,
    /// The last part.
    pub(super) name: &'p str,
}

impl Place<'_> {
    fn depth(&self) -> usize {
        1 + self.above.map_or(0, Place::depth)
    }
}

impl Display for Place<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(above) = self.above {
            write!(f, "{above}.")?;
        }
        f.write_str(self.name)
    }
}

/// Runs the tree over the scene's document; gives what is to be changed.
pub(super) fn apply<'d>(fields: &Fields, scene: &Scene<'d>) -> Result<Splice<'d>> {
    let mut run = Run { scene, splice: Splice::new(scene.document) };
    let mut whole = Holder::document(run.splice.whole(), None);
    run.fields(fields, &mut whole)?;
    Ok(run.splice)
}

/// A document or array whose members are changed.
struct Holder<'h> {
    inside: Inside,
    /// Of an array: its elements as they were.
    array: Option<View<'h>>,
    /// Of an array: how many elements were added.
    added: usize,
    place: Option<&'h Place<'h>>,
}

impl<'h> Holder<'h> {
    fn document(inside: Inside, place: Option<&'h Place<'h>>) -> Self {
        Self { inside, array: None, added: 0, place }
    }

    /// The path of a member.
    fn at<'p>(&self, name: &'p str) -> Place<'p>
    where
        'h: 'p,
    {
        Place { above: self.place, name }
    }
}

struct Run<'s, 'd> {
    scene: &'s Scene<'s>,
    splice: Splice<'d>,
}

impl<'d> Run<'_, 'd> {
    fn fields(&mut self, fields: &Fields, holder: &mut Holder<'_>) -> Result<()> {
        let matched = match (&fields.matched, self.scene.position) {
            (None, _) => None,
            (Some(node), Some(position)) => Some((node, Name(position.to_string().into()))),
            (Some(_), None) => {
                let message = "The positional operator did not find the match needed from the query.";
                return refuse(ErrorCode::BadValue, message);
            }
        };
        let mut waiting = matched;
        for (name, node) in &fields.named {
            match waiting.take_if(|(_, position)| &*position <= name) {
                Some((own, position)) if position == *name => {
                    let merged = own.merged(node, &holder.at(&name.0).to_string())?;
                    self.child(&name.0, &merged, holder)?;
                    continue;
                }
                Some((own, position)) => self.child(&position.0, own, holder)?,
                None => {}
            }
            self.child(&name.0, node, holder)?;
        }
        waiting.map_or(Ok(()), |(node, position)| self.child(&position.0, node, holder))
    }

    fn child(&mut self, name: &str, node: &Node, holder: &mut Holder<'_>) -> Result<()> {
        let spot = match holder.array {
            None => self.splice.find(holder.inside, name),
            Some(_) => array_index(name).and_then(|index| self.splice.spots(holder.inside).nth(index)),
        };
        match spot {
            Some(spot) => self.there(&holder.at(name), node, &spot, holder.array.is_some()),
            None => self.missing(name, node, holder),
        }
    }

    /// Does what is to be done at a field or element that is there.
    fn there(&mut self, place: &Place<'_>, node: &Node, spot: &Spot<'d>, element: bool) -> Result<()> {
        match (node, spot.value) {
            (Node::Leaf(leaf), _) => self.leaf(place, leaf, spot, element),
            (Node::Fields(fields), View::Document(_)) => {
                self.inside(spot, |run| run.fields(fields, &mut Holder::document(spot.inside(), Some(place))))
            }
            (Node::Fields(fields), array @ View::Array(_)) => self.inside(spot, |run| {
                let mut holder = Holder { array: Some(array), ..Holder::document(spot.inside(), Some(place)) };
                run.fields(fields, &mut holder)
            }),
            (Node::Fields(fields), scalar) => self.blocked(place, fields, scalar),
            (Node::Elements(elements), View::Array(_)) => self.inside(spot, |run| run.elements(place, elements, spot)),
            (Node::Elements(_), other) => refuse(
                ErrorCode::BadValue,
                format!("Cannot apply array updates to non-array element {}: {}", place.name, shown(other)),
            ),
        }
    }

    /// Changes what lies in a field, whose length follows.
    fn inside(&mut self, spot: &Spot<'d>, change: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let before = self.splice.edits();
        let done = change(self);
        self.splice.close(spot.inside(), before);
        done
    }

    fn missing(&mut self, name: &str, node: &Node, holder: &mut Holder<'_>) -> Result<()> {
        if let Some(array) = holder.array.filter(|_| array_index(name).is_none()) {
            let way = Way { name: holder.place.map_or("", |place| place.name), value: array, part: name };
            return self.not_viable(&holder.at(name), node, way);
        }
        match node {
            Node::Leaf(leaf) => match leaf.on_missing(self.scene) {
                Some(value) => self.create(name, View::from(&*value), holder),
                None => Ok(()),
            },
            Node::Fields(fields) => self.made(name, fields, holder),
            Node::Elements(_) => must_exist(&holder.at(name)),
        }
    }

    fn leaf(&mut self, place: &Place<'_>, leaf: &Leaf, spot: &Spot<'d>, element: bool) -> Result<()> {
        match leaf.on_value(spot.value, place, self.scene)? {
            Effect::Keep => {}
            Effect::Put(value) => {
                let value = View::from(&*value);
                check_nesting_at(value, place.depth())?;
                self.check_name(place, value)?;
                self.splice.replace(spot, value);
            }
            Effect::Remove if element => self.splice.replace(spot, View::Null),
            Effect::Remove => self.splice.remove(spot),
        }
        Ok(())
    }

    /// Makes a missing embedded document, if something in it is made.
    fn made(&mut self, name: &str, fields: &Fields, holder: &mut Holder<'_>) -> Result<()> {
        let place = holder.at(name);
        let mut fresh = Run { scene: self.scene, splice: Splice::of_empty() };
        let mut whole = Holder::document(fresh.splice.whole(), Some(&place));
        fresh.fields(fields, &mut whole)?;
        match fresh.splice.finish() {
            Some(made) => self.create(name, View::Document(DocView::from(&made)), holder),
            None => Ok(()),
        }
    }

    fn create(&mut self, name: &str, value: View<'_>, holder: &mut Holder<'_>) -> Result<()> {
        check_nesting_at(value, holder.at(name).depth())?;
        let (Some(View::Array(array)), Some(index)) = (holder.array, array_index(name)) else {
            self.check_name(&holder.at(name), value)?;
            self.splice.append(holder.inside, name, value);
            return Ok(());
        };
        let length = array.len() + holder.added;
        if index.saturating_sub(length) > MAX_PADDING {
            let message = format!("can't backfill more than {MAX_PADDING} elements");
            return refuse(ErrorCode::CannotBackfillArray, message);
        }
        for position in length..index {
            self.splice.append(holder.inside, &position.to_string(), View::Null);
        }
        self.splice.append(holder.inside, name, value);
        holder.added += (index + 1).saturating_sub(length);
        Ok(())
    }

    /// A scalar stands in the way: an error for the first operator that would have to go through it.
    fn blocked(&self, place: &Place<'_>, fields: &Fields, scalar: View<'_>) -> Result<()> {
        self.below(fields, |next, node| {
            let way = Way { name: place.name, value: scalar, part: next };
            self.not_viable(&Place { above: Some(place), name: next }, node, way)
        })
    }

    /// Refuses the first operator at a place, or below it, that needs the way to it
    /// (`update_leaf_node.cpp`, `checkViability`; `ModifierNode::applyToNonexistentElement`).
    fn not_viable(&self, place: &Place<'_>, node: &Node, way: Way<'_>) -> Result<()> {
        match node {
            Node::Elements(_) => must_exist(place),
            Node::Fields(fields) => {
                self.below(fields, |next, node| self.not_viable(&Place { above: Some(place), name: next }, node, way))
            }
            Node::Leaf(leaf) if leaf.allows_blocked_path(self.scene) => Ok(()),
            Node::Leaf(leaf) if leaf.creates() => way.cannot_create(),
            Node::Leaf(_) => way.cannot_traverse(place),
        }
    }

    /// Visits what is done below a place, `$` last under the position it stands for.
    fn below(&self, fields: &Fields, mut visit: impl FnMut(&str, &Node) -> Result<()>) -> Result<()> {
        fields.named.iter().try_for_each(|(name, node)| visit(&name.0, node))?;
        let position = self.scene.position.map_or("$".into(), |position| position.to_string());
        fields.matched.iter().try_for_each(|node| visit(&position, node))
    }

    /// Refuses a value put into a field of the document itself whose name begins with `$`; the document that an upsert
    /// makes may have one (manual: *Dollar-Prefixed Field Names*; `storage_validation.cpp`, `scanDocument`).
    fn check_name(&self, place: &Place<'_>, value: View<'_>) -> Result<()> {
        match place.above {
            None if !self.scene.insert => check_dollar_field(self.scene.document.into(), place.name, value),
            _ => Ok(()),
        }
    }

    fn elements(&mut self, place: &Place<'_>, filters: &BTreeMap<Box<str>, Node>, array: &Spot<'d>) -> Result<()> {
        for element in self.splice.spots(array.inside()) {
            let mut met = filters
                .iter()
                .filter(|(identifier, _)| self.scene.filters.meets(identifier, element.value))
                .map(|(_, node)| node);
            let Some(first) = met.next() else { continue };
            let rest: Vec<&Node> = met.collect();
            let place = Place { above: Some(place), name: element.name };
            if rest.is_empty() {
                self.there(&place, first, &element, true)?;
                continue;
            }
            let text = place.to_string();
            let merged = rest.into_iter().try_fold(first.clone(), |merged, node| merged.merged(node, &text))?;
            self.there(&place, &merged, &element, true)?;
        }
        Ok(())
    }
}

fn must_exist(place: &Place<'_>) -> Result<()> {
    let message = format!("The path '{place}' must exist in the document in order to apply array updates.");
    refuse(ErrorCode::BadValue, message)
}

/// The part of a path that cannot be followed, and the value that has no such part with its name.
#[derive(Debug, Clone, Copy)]
struct Way<'w> {
    name: &'w str,
    value: View<'w>,
    part: &'w str,
}

impl Way<'_> {
    fn cannot_create(&self) -> Result<()> {
        let message =
            format!("Cannot create field '{}' in element {{{}: {}}}", self.part, self.name, shown(self.value));
        refuse(ErrorCode::PathNotViable, message)
    }

    fn cannot_traverse(&self, place: &Place<'_>) -> Result<()> {
        let element = format!("{{{}: {}}}", self.name, shown(self.value));
        let message = format!("Cannot use the part ({}) of ({place}) to traverse the element ({element})", self.part);
        refuse(ErrorCode::PathNotViable, message)
    }
}
