//! What operators and methods do, in a line and an example each, for completion.

mod accumulator;
mod expression;
mod filter;
mod method;
mod stage;
mod update;

use super::complete::Offer;
use crate::words::Words;

/// Name, what it does in English and in German, an example.
type Entry = (&'static str, &'static str, &'static str, &'static str);

/// Where an operator stands: the same name does other things elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// In a filter.
    Filter,
    /// At the root of an update.
    Update,
    /// Inside `$push` and `$addToSet`.
    Modifier,
    /// In a projection of `find`.
    Projection,
    /// In a pipeline.
    Stage,
    /// In an expression.
    Expression,
    /// In `$group` and its like.
    Accumulator,
    /// In `output` of `$setWindowFields`.
    Window,
}

/// What something does, and how it is written.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// In a line.
    pub does: Words,
    /// As it stands in its place, over the fields of products.
    pub example: &'static str,
}

/// What is offered at a place, by its name with or without quotes and bracket; none where nothing is written of it.
#[must_use]
pub fn about(offer: Offer, name: &str) -> Option<About> {
    let bare = name.trim_matches(['"', '\'', '`', '(', ')']);
    let found = tables(offer).iter().copied().flatten().find(|(known, ..)| *known == bare)?;
    let (_, en, de, example) = *found;
    Some(About { does: Words::new(en, de), example })
}

/// Every operator and method that something is written of.
pub fn all_about() -> impl Iterator<Item = (Offer, &'static str)> {
    use Role::{Accumulator, Expression, Filter, Modifier, Projection, Stage, Update, Window};
    let roles = [Filter, Update, Modifier, Projection, Stage, Expression, Accumulator, Window];
    let offers = roles.map(Offer::Operator).into_iter().chain([Offer::Method]);
    offers.flat_map(|offer| tables(offer).iter().copied().flatten().map(move |(name, ..)| (offer, *name)))
}

fn tables(offer: Offer) -> &'static [&'static [Entry]] {
    match offer {
        Offer::Operator(Role::Filter) => &[filter::ENTRIES],
        Offer::Operator(Role::Update) => &[update::ENTRIES],
        Offer::Operator(Role::Modifier) => &[update::MODIFIERS],
        Offer::Operator(Role::Projection) => &[update::PROJECTION],
        Offer::Operator(Role::Stage) => &[stage::ENTRIES],
        Offer::Operator(Role::Expression) => &[expression::ENTRIES],
        Offer::Operator(Role::Accumulator) => &[accumulator::ENTRIES, accumulator::GROUP_ONLY],
        Offer::Operator(Role::Window) => &[accumulator::ENTRIES, accumulator::WINDOW],
        Offer::Method => &[method::ENTRIES],
        _ => &[],
    }
}
