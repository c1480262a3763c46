//! What a filter asks of the facts, whatever design it was written for.

use crate::value::{Bson, Document};

/// A question about one entity.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Ask {
    /// Every part holds.
    All(Vec<Ask>),
    /// Some part holds.
    Any(Vec<Ask>),
    /// No part holds.
    Nor(Vec<Ask>),
    /// An entry of the filter that speaks of common fields only, as it was written.
    Common(String, Bson),
    /// Some attribute is like this.
    Has(Held),
    /// No attribute is like this.
    Lacks(Held),
}

/// What one attribute has to be like.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Held {
    /// Its key.
    pub key: KeyAsk,
    /// Tests of its value, or of what lies at a path inside it, as they were written.
    pub value: Vec<(Option<String>, Bson)>,
    /// The test of its unit.
    pub unit: Option<Bson>,
    /// Whether it was one dotted predicate, judged over all elements by itself.
    pub dotted: bool,
}

/// What the key has to be.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum KeyAsk {
    /// This one.
    Named(String),
    /// One of these.
    OneOf(Vec<String>),
    /// What passes a test, such as a range.
    Tested(Bson),
    /// Whatever it is.
    Any,
}

impl Held {
    /// An attribute with a key of that kind, and nothing else asked.
    pub(super) fn of(key: KeyAsk) -> Self {
        Self { key, value: Vec::new(), unit: None, dotted: false }
    }

    /// The attribute of that name, with a test of its value.
    pub(super) fn with(key: &str, rest: Option<&str>, test: Bson) -> Self {
        let value = vec![(rest.map(str::to_owned), test)];
        Self { value, ..Self::of(KeyAsk::Named(key.into())) }
    }

    /// Whether nothing but the key is asked.
    pub(super) fn key_only(&self) -> bool {
        self.value.is_empty() && self.unit.is_none()
    }
}

impl KeyAsk {
    /// Reads what a filter says of the key.
    pub(super) fn read(test: &Bson) -> Self {
        let names =
            |list: &[Bson]| list.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>();
        match (test, operators(test)) {
            (Bson::String(name), _) => Self::Named(name.clone()),
            (_, Some(tests)) if tests.len() == 1 => match tests.iter().next() {
                Some((op, Bson::String(name))) if op == "$eq" => Self::Named(name.clone()),
                Some((op, Bson::Array(list))) if op == "$in" => {
                    names(list).map_or_else(|| Self::Tested(test.clone()), Self::OneOf)
                }
                Some((op, Bson::Boolean(true))) if op == "$exists" => Self::Any,
                _ => Self::Tested(test.clone()),
            },
            _ => Self::Tested(test.clone()),
        }
    }

    /// Whether it is one test, which means the same on a dotted path as inside an `$elemMatch`: of several, each would
    /// look for an element of its own.
    pub(super) fn is_single(&self) -> bool {
        match self {
            Self::Tested(test) => operators(test).is_none_or(|tests| tests.len() == 1 || tests.contains_key("$regex")),
            Self::Named(_) | Self::OneOf(_) | Self::Any => true,
        }
    }

    /// The test a filter writes for it; none where any key will do.
    pub(super) fn test(&self) -> Option<Bson> {
        match self {
            Self::Named(name) => Some(Bson::String(name.clone())),
            Self::OneOf(names) => {
                let names = names.iter().cloned().map(Bson::String).collect();
                Some(Bson::Document(Document::from_iter([("$in".to_owned(), Bson::Array(names))])))
            }
            Self::Tested(test) => Some(test.clone()),
            Self::Any => None,
        }
    }
}

impl Ask {
    /// Whether an attribute is asked for anywhere inside.
    pub(super) fn about_attributes(&self) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) | Self::Nor(parts) => parts.iter().any(Self::about_attributes),
            Self::Common(..) => false,
            Self::Has(_) | Self::Lacks(_) => true,
        }
    }

    /// The attributes asked for, wherever they stand.
    pub(super) fn held(&self) -> Vec<&Held> {
        match self {
            Self::All(parts) | Self::Any(parts) | Self::Nor(parts) => parts.iter().flat_map(Self::held).collect(),
            Self::Common(..) => Vec::new(),
            Self::Has(held) | Self::Lacks(held) => vec![held],
        }
    }

    /// The parts as one question; nested conjunctions are opened.
    pub(super) fn all(parts: Vec<Self>) -> Self {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Self::All(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match <[Self; 1]>::try_from(flat) {
            Ok([only]) => only,
            Err(flat) => Self::All(flat),
        }
    }

    /// The alternatives as one question.
    pub(super) fn any(parts: Vec<Self>) -> Self {
        match <[Self; 1]>::try_from(parts) {
            Ok([only]) => only,
            Err(parts) => Self::Any(parts),
        }
    }

    /// The opposite.
    pub(super) fn negated(self) -> Self {
        match self {
            Self::Has(held) => Self::Lacks(held),
            Self::Lacks(held) => Self::Has(held),
            Self::Nor(parts) => Self::any(parts),
            Self::Any(parts) => Self::Nor(parts),
            other => Self::Nor(vec![other]),
        }
    }
}

/// The operators of a test such as `{$gte: 8}`; none for a literal.
pub(super) fn operators(test: &Bson) -> Option<&Document> {
    test.as_document().filter(|tests| tests.keys().next().is_some_and(|first| first.starts_with('$')))
}

/// The operators of a test one by one; `$options` stays with its `$regex`. A literal is an equality.
pub(super) fn single_tests(test: &Bson) -> Vec<(String, Bson)> {
    let Some(tests) = operators(test) else { return vec![("$eq".into(), test.clone())] };
    tests.iter().filter(|(op, _)| *op != "$options").map(|(op, operand)| (op.clone(), operand.clone())).collect()
}

/// One operator as a test again, with the `$options` that stood beside it; `$eq` becomes the bare literal where it can.
pub(super) fn as_test(op: &str, operand: &Bson, whole: &Bson) -> Bson {
    let bare = operand.as_document().is_none() && !matches!(operand, Bson::RegularExpression(_));
    if op == "$eq" && (bare || operators(whole).is_none()) {
        return operand.clone();
    }
    let mut test = Document::from_iter([(op.to_owned(), operand.clone())]);
    if let (true, Some(options)) = (op == "$regex", whole.as_document().and_then(|tests| tests.get("$options"))) {
        test.insert("$options", options.clone());
    }
    Bson::Document(test)
}

/// Whether a value that is not there passes the test.
pub(super) fn passes_missing(test: &Bson) -> bool {
    let Some(tests) = operators(test) else { return *test == Bson::Null };
    tests.iter().all(|(op, operand)| match op.as_str() {
        "$eq" | "$gte" | "$lte" => *operand == Bson::Null,
        "$in" => operand.as_array().is_some_and(|list| list.contains(&Bson::Null)),
        "$ne" => *operand != Bson::Null,
        "$nin" => operand.as_array().is_some_and(|list| !list.contains(&Bson::Null)),
        "$not" => !passes_missing(operand),
        "$exists" => !truthy(operand),
        "$options" => true,
        _ => false,
    })
}

/// Whether a flag such as the operand of `$exists` or a projection counts as true.
pub(super) fn truthy(flag: &Bson) -> bool {
    crate::value::is_true(flag.into())
}
