//! One operator with its operand, and what it makes of the value it finds.

use std::borrow::Cow;

use super::apply::{Place, Scene};
use super::arithmetic::{self, Arithmetic};
use super::array;
use super::bits::BitStep;
use super::pull::Pull;
use super::push::Push;
use crate::error::Result;
use crate::value::{self, Bson, Path, View};

/// An operator ready to run.
#[derive(Debug, Clone)]
pub(super) enum Leaf {
    Set(Bson),
    SetOnInsert(Bson),
    Unset,
    Arithmetic(Arithmetic, Bson),
    Min(Bson),
    Max(Bson),
    CurrentDate(Clock),
    Bit(Vec<BitStep>),
    Push(Push),
    AddToSet(Vec<Bson>),
    Pop {
        first: bool,
    },
    Pull(Pull),
    PullAll(Vec<Bson>),
    /// At the target of `$rename`: the value found at this path before.
    RenameTo(Path),
    /// At the source of `$rename`.
    RenameFrom,
}

/// What `$currentDate` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clock {
    Date,
    Timestamp,
}

/// What becomes of a value.
#[derive(Debug)]
pub(super) enum Effect<'l> {
    Keep,
    Put(Cow<'l, Bson>),
    Remove,
}

impl<'l> Effect<'l> {
    /// Puts a value.
    pub(super) fn put(value: Bson) -> Self {
        Self::Put(Cow::Owned(value))
    }

    /// Puts a value unless it is what is there, down to the bytes.
    pub(super) fn put_if_new(value: Cow<'l, Bson>, old: View<'_>) -> Self {
        if value::identical((&*value).into(), old) { Self::Keep } else { Self::Put(value) }
    }
}

impl Leaf {
    /// What becomes of a value that is there; `place` is its path for messages.
    pub(super) fn on_value<'l>(&'l self, old: View<'_>, place: &Place<'_>, scene: &'l Scene<'_>) -> Result<Effect<'l>> {
        Ok(match self {
            Self::Set(value) => Effect::put_if_new(Cow::Borrowed(value), old),
            Self::SetOnInsert(value) if scene.insert => Effect::put_if_new(Cow::Borrowed(value), old),
            Self::SetOnInsert(_) => Effect::Keep,
            Self::Unset | Self::RenameFrom => Effect::Remove,
            Self::Arithmetic(which, operand) => arithmetic::on_value(*which, operand, old, place, scene)?,
            Self::Min(value) if scene.collation.compare(value.into(), old).is_lt() => Effect::Put(Cow::Borrowed(value)),
            Self::Max(value) if scene.collation.compare(value.into(), old).is_gt() => Effect::Put(Cow::Borrowed(value)),
            Self::Min(_) | Self::Max(_) => Effect::Keep,
            Self::CurrentDate(clock) => Effect::put(scene.clock(*clock)),
            Self::Bit(steps) => super::bits::on_value(steps, old, place, scene)?,
            Self::Push(push) => push.on_value(old, place, scene)?,
            Self::AddToSet(values) => array::add_to_set(values, old, place, scene)?,
            Self::Pop { first } => array::pop(*first, old, place)?,
            Self::Pull(pull) => array::cull("$pull", old, |item| pull.takes(item, scene))?,
            Self::PullAll(values) => {
                let same = |item: View<'_>, value: &Bson| scene.collation.compare(item, value.into()).is_eq();
                array::cull("$pullAll", old, |item| values.iter().any(|value| same(item, value)))?
            }
            Self::RenameTo(_) => match scene.renamed(self) {
                Some(value) => Effect::put_if_new(Cow::Borrowed(value), old),
                None => Effect::Keep,
            },
        })
    }

    /// The value made where there is none.
    pub(super) fn on_missing<'l>(&'l self, scene: &'l Scene<'_>) -> Option<Cow<'l, Bson>> {
        match self {
            Self::Set(value) | Self::Min(value) | Self::Max(value) => Some(Cow::Borrowed(value)),
            Self::SetOnInsert(value) => scene.insert.then_some(Cow::Borrowed(value)),
            Self::Arithmetic(which, operand) => Some(Cow::Owned(arithmetic::on_missing(*which, operand))),
            Self::CurrentDate(clock) => Some(Cow::Owned(scene.clock(*clock))),
            Self::Bit(steps) => Some(Cow::Owned(super::bits::on_missing(steps))),
            Self::Push(push) => Some(Cow::Owned(push.on_missing(scene))),
            Self::AddToSet(values) => Some(Cow::Owned(Bson::Array(array::distinct(values, scene)))),
            Self::RenameTo(_) => scene.renamed(self).map(Cow::Borrowed),
            Self::Unset | Self::Pop { .. } | Self::Pull(_) | Self::PullAll(_) | Self::RenameFrom => None,
        }
    }

    /// Whether the operator makes a value where there is none.
    pub(super) fn creates(&self) -> bool {
        !matches!(self, Self::Unset | Self::Pop { .. } | Self::Pull(_) | Self::PullAll(_) | Self::RenameFrom)
    }

    /// Whether a path that cannot be followed is simply nothing to do (server: `allowNonViablePath`, which of the
    /// operators that make nothing only `$unset` has).
    pub(super) fn allows_blocked_path(&self, scene: &Scene<'_>) -> bool {
        match self {
            Self::Unset | Self::RenameFrom => true,
            Self::SetOnInsert(_) => !scene.insert,
            Self::RenameTo(_) => scene.renamed(self).is_none(),
            _ => false,
        }
    }
}
