//! A data set before it is poured into a design: entities with common fields and attributes.

use crate::value::{Bson, Document};

use super::form::{Design, Form, Layout};

/// One attribute of an entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// The key, such as `ram`; of dated values the date.
    pub key: String,
    /// The value.
    pub value: Bson,
    /// The unit, such as `GB`.
    pub unit: Option<String>,
}

impl Attribute {
    /// An attribute without a unit.
    #[must_use]
    pub fn new(key: &str, value: impl Into<Bson>) -> Self {
        Self { key: key.into(), value: value.into(), unit: None }
    }

    /// The same attribute with a unit.
    #[must_use]
    pub fn in_unit(mut self, unit: &str) -> Self {
        self.unit = Some(unit.into());
        self
    }
}

/// One thing of the world: a product, a film, a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    /// The `_id`; in rows, part of each row's `_id`.
    pub id: Bson,
    /// The fields that every design keeps at the root, without `_id`.
    pub common: Document,
    /// The attributes in order.
    pub attributes: Vec<Attribute>,
}

/// Facts with the names they are poured under.
#[derive(Debug, Clone, PartialEq)]
pub struct DataSet {
    /// The name it is loaded by; also the collection.
    pub name: String,
    /// What it is, in one line.
    pub about: crate::words::Words,
    /// The names its designs use.
    pub layout: Layout,
    /// The form the learner works on.
    pub home: Form,
    /// The forms beside it.
    pub twins: Vec<Form>,
    /// The facts.
    pub entities: Vec<Entity>,
}

impl DataSet {
    /// The design the learner works on.
    #[must_use]
    pub fn home_design(&self) -> Design {
        Design::new(self.home, &self.layout)
    }

    /// The designs beside it.
    #[must_use]
    pub fn twin_designs(&self) -> Vec<Design> {
        self.twins.iter().map(|&form| Design::new(form, &self.layout)).collect()
    }

    /// All keys, the most frequent first, equal ones by name.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        ranked_keys(self.entities.iter().flat_map(|entity| entity.attributes.iter().map(|held| held.key.as_str())))
    }
}

/// Different keys, the most frequent first, equal ones by name.
pub(super) fn ranked_keys<'a>(keys: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut counts = std::collections::BTreeMap::<&str, u64>::new();
    for key in keys {
        *counts.entry(key).or_default() += 1;
    }
    let mut ranked: Vec<_> = counts.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    ranked.into_iter().map(|(key, _)| key.to_owned()).collect()
}
