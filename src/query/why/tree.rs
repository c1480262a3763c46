//! The answer to why: a part of the filter, whether it holds, and what was looked at.

use serde_json::{Map, Value, json};

use crate::query::filter::{Filter, Predicate};
use crate::value::{Bson, JsonMode, Path, to_json};

/// A part of a filter judged on one document.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// Whether the part holds.
    pub holds: bool,
    /// What the part asks.
    pub asked: Asked,
    /// The parts of it, all judged even where the first one settles it.
    pub parts: Vec<Why>,
    /// The values looked at: of a test that holds the one that met it, of one that does not hold all of them.
    pub seen: Vec<Seen>,
}

/// What a part of a filter asks.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    /// That every part holds; no parts always do.
    All,
    /// That some part holds.
    Any,
    /// That no part holds.
    Neither,
    /// That its only part does not hold.
    Not,
    /// That some value at a path passes a test; the path is counted from the document or the element it stands in.
    Test(Predicate),
    /// That an expression of `$expr` is true; as explain shows it.
    Expression(Bson),
    /// That the document keeps a `$jsonSchema`.
    Schema,
    /// `$alwaysTrue`, `$alwaysFalse`.
    Constant(bool),
}

/// A value that was looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// Where it is.
    pub origin: Origin,
    /// The value; none for a missing one.
    pub value: Option<Bson>,
    /// Whether it passes; of an operand of `$expr`, whether the expression is true.
    pub holds: bool,
    /// The outermost array element it lies in, if the path went through an array.
    pub element: Option<Element>,
    /// The entry of `$in` that it met.
    pub item: Option<Bson>,
    /// Of an element of `$elemMatch`, how it answers the conditions inside.
    pub parts: Vec<Why>,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    /// A place of the document, with the positions of array elements put in, such as `specs.1.v`.
    Place(Path),
    /// An operand of `$expr` or a field that one reads.
    Operand(Bson),
    /// A place of the document and the keyword of `$jsonSchema` that it breaks.
    Rule(Path, &'static str),
}

/// One element of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// The array's path, positions of outer arrays left out.
    pub array: Path,
    /// The position, from 0.
    pub index: usize,
}

impl Why {
    /// The tree as JSON; values as relaxed Extended JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("holds".into(), self.holds.into());
        object.insert("asked".into(), self.asked.name().into());
        if let Some(written) = self.asked.written() {
            object.insert("filter".into(), relaxed(&written));
        }
        list(&mut object, "parts", self.parts.iter().map(Self::to_json).collect());
        list(&mut object, "seen", self.seen.iter().map(Seen::to_json).collect());
        object.into()
    }

    /// Every part of the tree, from the root down, also those inside elements.
    pub fn all(&self) -> impl Iterator<Item = &Self> {
        let mut waiting = vec![self];
        std::iter::from_fn(move || {
            let next = waiting.pop()?;
            let inside = next.seen.iter().flat_map(|seen| &seen.parts);
            let behind: Vec<&Self> = next.parts.iter().chain(inside).collect();
            waiting.extend(behind.into_iter().rev());
            Some(next)
        })
    }
}

impl Asked {
    /// The stable name in JSON.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Any => "any",
            Self::Neither => "none",
            Self::Not => "not",
            Self::Test(_) => "test",
            Self::Expression(_) => "expression",
            Self::Schema => "schema",
            Self::Constant(_) => "constant",
        }
    }

    /// The part as explain shows it; none for what only joins other parts.
    #[must_use]
    pub fn written(&self) -> Option<Bson> {
        match self {
            Self::Test(predicate) if predicate.path.is_empty() => Some(Bson::Document(predicate.test.to_document())),
            Self::Test(predicate) => Some(Bson::Document(Filter::Field(predicate.clone()).to_document())),
            Self::Expression(expression) => Some(expression.clone()),
            Self::Constant(truth) => Some(Bson::Document(Filter::Constant(*truth).to_document())),
            Self::All | Self::Any | Self::Neither | Self::Not | Self::Schema => None,
        }
    }
}

impl Seen {
    fn to_json(&self) -> Value {
        let mut object = Map::new();
        match &self.origin {
            Origin::Place(place) => _ = object.insert("place".into(), place.to_string().into()),
            Origin::Operand(expression) => _ = object.insert("operand".into(), relaxed(expression)),
            Origin::Rule(place, keyword) => {
                object.insert("place".into(), place.to_string().into());
                object.insert("keyword".into(), (*keyword).into());
            }
        }
        object.insert("missing".into(), self.value.is_none().into());
        if let Some(value) = &self.value {
            object.insert("value".into(), relaxed(value));
        }
        object.insert("holds".into(), self.holds.into());
        if let Some(Element { array, index }) = &self.element {
            object.insert("element".into(), json!({"array": array.to_string(), "index": index}));
        }
        if let Some(item) = &self.item {
            object.insert("item".into(), relaxed(item));
        }
        list(&mut object, "parts", self.parts.iter().map(Why::to_json).collect());
        object.into()
    }
}

fn relaxed(value: &Bson) -> Value {
    to_json(value, JsonMode::Relaxed)
}

fn list(object: &mut Map<String, Value>, name: &str, items: Vec<Value>) {
    if !items.is_empty() {
        object.insert(name.into(), items.into());
    }
}
