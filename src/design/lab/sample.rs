//! The facts of the lab and the questions asked of them: keys and values drawn evenly, the same ones in every run.
//!
//! Drawn and not counted out: with a pattern in the numbers a key would meet only some values, and the figures would say
//! more about common divisors than about a design.

use std::collections::BTreeSet;

use crate::design::facts::{Attribute, Entity};
use crate::engine::{Command, Find};
use crate::value::{Bson, Source, doc};

use super::LabPlan;

/// So many keys are asked about, from all over; fewer where there are fewer.
const ASKED: usize = 64;

/// The seed of the questions; entities are drawn from their numbers.
const QUESTIONS: u64 = u64::MAX / 2;

/// The name of a key.
pub(super) fn key(number: usize) -> String {
    format!("key{number:03}")
}

/// The facts of one entity, drawn from its number.
pub(super) fn entity(plan: &LabPlan, number: u64) -> Entity {
    let mut chance = Source::seeded(number);
    let keys = distinct(&mut chance, plan.attributes, plan.keys);
    let attributes = keys.into_iter().map(|at| Attribute::new(&key(at), value(&mut chance, plan))).collect();
    let id = Bson::Int64(i64::try_from(number).unwrap_or(i64::MAX));
    Entity { id, common: doc! {"name": format!("thing {number}")}, attributes }
}

/// The questions: for keys from all over, with and without an index, one value each.
pub(super) fn questions(plan: &LabPlan) -> Vec<Command> {
    let mut chance = Source::seeded(QUESTIONS);
    let asked = ASKED.min(plan.keys);
    let question = |turn: usize| {
        let wanted = doc! {"k": key(turn * plan.keys / asked), "v": value(&mut chance, plan)};
        let filter = doc! {"specs": {"$elemMatch": wanted}};
        Command::Find(Find { collection: "things".into(), filter, ..Find::default() })
    };
    (0..asked).map(question).collect()
}

fn value(chance: &mut Source, plan: &LabPlan) -> i32 {
    i32::try_from(below(chance, plan.values)).unwrap_or(i32::MAX)
}

fn below(chance: &mut Source, end: usize) -> usize {
    let end = u64::try_from(end.max(1)).unwrap_or(u64::MAX);
    usize::try_from(chance.next_u64() % end).unwrap_or_default()
}

/// So many different numbers below the end, every choice as likely as any other (Floyd's sampling).
fn distinct(chance: &mut Source, wanted: usize, end: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for last in end.saturating_sub(wanted)..end {
        let drawn = below(chance, last + 1);
        if !found.insert(drawn) {
            found.insert(last);
        }
    }
    found
}
