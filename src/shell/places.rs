//! From a place in a command back to the bytes the learner typed.

use std::sync::Arc;

use super::read::Origin;
use super::script::{Entry, NodeId, Script, Span, Syntax};
use crate::error::{CommandPath, Step};

/// Where one argument of a command came from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Place {
    /// The argument's name in the command.
    pub(super) argument: String,
    /// The literals it was written as.
    pub(super) origin: Origin,
    /// The call that was given it, and its position there.
    pub(super) call: Option<NodeId>,
    pub(super) position: usize,
    /// For an option: the options literal and the option's name there.
    pub(super) option: Option<(Origin, String)>,
}

/// Where the parts of a command stand in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Places {
    pub(super) script: Arc<Script>,
    /// The number of the script's first node among all literals of the session.
    pub(super) base: u32,
    pub(super) list: Vec<Place>,
}

impl Places {
    /// The bytes of what a path names: the key of a field, the whole of an array element or argument. A value that was
    /// not written as a literal gives the innermost part that was; a path of another text gives none.
    #[must_use]
    pub fn span(&self, path: &CommandPath) -> Option<Span> {
        let (place, steps) = self.place(path)?;
        self.inside(&place.origin, steps).or_else(|| self.whole(place))
    }

    /// The literal that a path's value was written as.
    #[must_use]
    pub fn literal(&self, path: &CommandPath) -> Option<NodeId> {
        let (place, steps) = self.place(path)?;
        let origin = steps.iter().try_fold(&place.origin, |origin, step| origin.part(step))?;
        self.node(origin)
    }

    /// The bytes of a path's value, where that stands in a literal.
    #[must_use]
    pub fn value(&self, path: &CommandPath) -> Option<Span> {
        Some(self.script.node(self.written_at(path)?).span.clone())
    }

    /// What a path's value was written as, where it stands in a literal.
    pub(super) fn written(&self, path: &CommandPath) -> Option<&Syntax> {
        Some(&self.script.node(self.written_at(path)?).syntax)
    }

    fn written_at(&self, path: &CommandPath) -> Option<NodeId> {
        let (last, above) = path.0.split_last()?;
        let around = self.literal(&CommandPath(above.to_vec()))?;
        match (&self.script.node(around).syntax, last) {
            (Syntax::Object(entries), Step::Field(name)) => {
                entries.iter().rev().find(|entry| entry.key.as_ref() == Some(name))?.value
            }
            (Syntax::Array(items), Step::Index(at)) => items.get(*at).copied(),
            _ => None,
        }
    }

    /// The places of a command that stands as a part of this one: what lies at each path here, under its name there.
    #[must_use]
    pub fn of_part(&self, parts: impl IntoIterator<Item = (CommandPath, String)>) -> Self {
        let found = |(path, argument): (CommandPath, String)| {
            let (place, steps) = self.place(&path)?;
            let origin = steps.iter().try_fold(&place.origin, part)?.clone();
            Some(Place { argument, origin, call: None, position: 0, option: None })
        };
        let list = parts.into_iter().filter_map(found).collect();
        Self { script: Arc::clone(&self.script), base: self.base, list }
    }

    /// The argument that a path begins with and the steps into it; an argument may itself be a part (`documents.0`).
    fn place<'a>(&self, path: &'a CommandPath) -> Option<(&Place, &'a [Step])> {
        let rest = |place: &Place| {
            let mut steps = path.0.as_slice();
            for name in place.argument.split('.') {
                let (first, behind) = steps.split_first()?;
                let same = match first {
                    Step::Field(field) => same_name(name, field),
                    Step::Index(at) => name.parse() == Ok(*at),
                };
                steps = if same { behind } else { return None };
            }
            Some(steps)
        };
        self.list.iter().rev().find_map(|place| Some((place, rest(place)?)))
    }

    /// Walks as far as literals go. A step the literal does not have is passed over: the command may wrap what was typed.
    fn inside(&self, origin: &Origin, steps: &[Step]) -> Option<Span> {
        let mut best = None;
        let mut origin = Some(origin);
        for step in steps {
            let Some(here) = origin else { break };
            let wrapped = self.wrapped(here, step);
            let here = wrapped.unwrap_or(here);
            let found = self.node(here).and_then(|id| part_span(&self.script, id, step));
            if found.is_some() || part(here, step).is_some() {
                best = found.or(best);
                origin = part(here, step);
            }
        }
        best
    }

    /// The only part of a literal, where that has what the literal itself has not: `{updateOne: {filter: …}}`.
    fn wrapped<'a>(&self, origin: &'a Origin, step: &Step) -> Option<&'a Origin> {
        let Syntax::Object(entries) = &self.script.node(self.node(origin)?).syntax else { return None };
        let [Entry { key: Some(only), .. }] = entries.as_slice() else { return None };
        let inner = origin.part(&Step::Field(only.clone()))?;
        let missing = part_span(&self.script, self.node(origin)?, step).is_none();
        (missing && part_span(&self.script, self.node(inner)?, step).is_some()).then_some(inner)
    }

    fn whole(&self, place: &Place) -> Option<Span> {
        if let Some(id) = self.node(&place.origin) {
            return Some(self.script.node(id).span.clone());
        }
        if let Some((options, name)) = &place.option {
            let step = Step::Field(name.clone());
            if let Some(span) = self.node(options).and_then(|id| part_span(&self.script, id, &step)) {
                return Some(span);
            }
        }
        let Syntax::Call { arguments, .. } = &self.script.node(place.call?).syntax else { return None };
        let argument = arguments.get(place.position).or_else(|| arguments.last());
        argument.map(|id| self.script.node(*id).span.clone())
    }

    fn node(&self, origin: &Origin) -> Option<NodeId> {
        let id = origin.literal?.checked_sub(self.base)?;
        ((id as usize) < self.script.nodes.len()).then_some(NodeId(id))
    }
}

/// The origin of a part, which may be written under another name.
fn part<'a>(origin: &'a Origin, step: &Step) -> Option<&'a Origin> {
    let Step::Field(name) = step else { return origin.part(step) };
    origin
        .part(step)
        .or_else(|| other_names(name).iter().find_map(|other| origin.part(&Step::Field((*other).to_owned()))))
}

/// What commands and bulk operations call a part of a command.
fn other_names(name: &str) -> &'static [&'static str] {
    match name {
        "filter" => &["q", "query"],
        "update" => &["u", "replacement"],
        "projection" => &["fields"],
        _ => &[],
    }
}

/// Option names are camel case for the learner and may be snake case in an error's path.
fn same_name(left: &str, right: &str) -> bool {
    if other_names(right).contains(&left) {
        return true;
    }
    let letters = |name: &str| {
        name.chars().filter(|letter| *letter != '_').map(|letter| letter.to_ascii_lowercase()).collect::<String>()
    };
    letters(left) == letters(right)
}

fn part_span(script: &Script, id: NodeId, step: &Step) -> Option<Span> {
    match (&script.node(id).syntax, step) {
        (Syntax::Object(entries), Step::Field(name)) => key_span(entries, name),
        (Syntax::Array(elements), Step::Index(at)) => elements.get(*at).map(|id| script.node(*id).span.clone()),
        _ => None,
    }
}

/// Of a key written twice the last counts, as in JavaScript.
fn key_span(entries: &[Entry], name: &str) -> Option<Span> {
    let named = |name: &str| entries.iter().rev().find(|entry| entry.key.as_deref() == Some(name));
    let entry = named(name).or_else(|| other_names(name).iter().find_map(|other| named(other)));
    entry.map(|entry| entry.key_span.clone())
}
