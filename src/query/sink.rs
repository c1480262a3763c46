//! Why a document matched: which predicate was met by which value, in which array elements.

use super::filter::Predicate;
use super::matcher::FieldNode;
use crate::value::{ArrayStep, Bson, Path, View};

/// One predicate that was met.
#[derive(Debug, Clone, Copy)]
pub struct Decision<'a> {
    /// The predicate, made ready.
    pub(super) field: &'a FieldNode,
    /// The array elements gone through, outermost first.
    pub steps: &'a [ArrayStep],
    /// The value that met it; none for a missing one.
    pub value: Option<View<'a>>,
    /// Whether the server takes the position of `$` from it: not below `$or`, `$nor` and `$not`.
    pub positional: bool,
}

impl Decision<'_> {
    /// The predicate.
    #[must_use]
    pub fn predicate(&self) -> Predicate {
        self.field.predicate()
    }
}

/// Who wants to know why a document matched.
pub trait Sink {
    /// Whether decisions are wanted at all; where not, none are put together.
    const WANTED: bool = true;

    /// A predicate was met.
    fn decided(&mut self, decision: Decision<'_>);

    /// A predicate inside the element of an `$elemMatch` was met, which has been told before.
    fn reasoned(&mut self, reason: Reason);

    /// How many decisions are held.
    fn mark(&self) -> usize;

    /// Forgets the decisions after a mark: the AND around them failed.
    fn rewind(&mut self, mark: usize);
}

/// Nobody.
impl Sink for () {
    const WANTED: bool = false;

    fn decided(&mut self, _: Decision<'_>) {}

    fn reasoned(&mut self, _: Reason) {}

    fn mark(&self) -> usize {
        0
    }

    fn rewind(&mut self, _: usize) {}
}

/// Every decision about one document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Witness {
    /// In the order the server judges.
    pub reasons: Vec<Reason>,
}

/// One kept decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    /// The predicate.
    pub predicate: Predicate,
    /// Where the predicate's path begins: of one inside `$elemMatch`, the place of the element; else empty.
    pub within: Path,
    /// The array elements gone through, outermost first.
    pub steps: Vec<ArrayStep>,
    /// The value that met it; none for a missing one.
    pub value: Option<Bson>,
    /// Whether the server takes the position of `$` from it.
    pub positional: bool,
}

impl Witness {
    /// The position that `$` stands for: the outermost array element of the last predicate that has one.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        self.reasons
            .iter()
            .rev()
            .find(|reason| reason.positional && !reason.steps.is_empty())
            .map(|reason| reason.steps[0].index)
    }
}

impl Reason {
    /// The path with the positions of array elements put in, such as `specs.3.k`.
    #[must_use]
    pub fn place(&self) -> Path {
        self.within.join(&place(&self.predicate.path, &self.steps))
    }
}

/// A path with the positions of the array elements gone through put in.
pub(super) fn place(path: &Path, steps: &[ArrayStep]) -> Path {
    let mut parts: Vec<Box<str>> = Vec::new();
    let own = path.parts();
    for depth in 0..=own.len() {
        let here = steps.iter().filter(|step| step.depth == depth && !step.named);
        parts.extend(here.map(|step| step.index.to_string().into()));
        parts.extend(own.get(depth).cloned());
    }
    Path::from_parts(parts)
}

impl Sink for Witness {
    fn decided(&mut self, decision: Decision<'_>) {
        self.reasons.push(Reason {
            predicate: decision.predicate(),
            within: Path::default(),
            steps: decision.steps.to_vec(),
            value: decision.value.map(|value| value.to_bson()),
            positional: decision.positional,
        });
    }

    fn reasoned(&mut self, reason: Reason) {
        self.reasons.push(reason);
    }

    fn mark(&self) -> usize {
        self.reasons.len()
    }

    fn rewind(&mut self, mark: usize) {
        self.reasons.truncate(mark);
    }
}
