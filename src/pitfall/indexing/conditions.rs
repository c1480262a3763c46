//! What a filter asks of which path: its conditions on the levels that must all hold.

use crate::query::{Comparison, Filter, Test};
use crate::store::AttributeFacts;
use crate::value::{Bson, Path};

/// One condition with its whole path, and the number of the `$elemMatch` that binds it.
#[derive(Debug, Clone)]
pub(super) struct Condition<'f> {
    pub path: String,
    pub test: &'f Test,
    pub element: Option<usize>,
}

/// The conditions of a filter that every match meets; negations and alternatives are not among them.
pub(super) fn conditions(filter: &Filter) -> Vec<Condition<'_>> {
    let mut found = Gather { list: Vec::new(), elements: 0 };
    found.take(filter, &Path::default(), None);
    found.list
}

struct Gather<'f> {
    list: Vec<Condition<'f>>,
    elements: usize,
}

impl<'f> Gather<'f> {
    fn take(&mut self, filter: &'f Filter, before: &Path, element: Option<usize>) {
        match filter {
            Filter::And(parts) => parts.iter().for_each(|part| self.take(part, before, element)),
            Filter::Field(predicate) => {
                let path = before.join(&predicate.path);
                if let Test::ElemMatchObject(inner) = &predicate.test {
                    self.elements += 1;
                    let number = self.elements;
                    self.take(inner, &path, element.or(Some(number)));
                } else {
                    self.list.push(Condition { path: path.to_string(), test: &predicate.test, element });
                }
            }
            _ => {}
        }
    }
}

impl Condition<'_> {
    /// Whether it names values one by one.
    pub fn is_equality(&self) -> bool {
        matches!(self.test, Test::Compare(Comparison::Eq, _))
            || matches!(self.test, Test::In(list) if list.regexes.is_empty())
    }

    /// Whether it names one end of a range.
    pub fn is_range(&self) -> bool {
        matches!(self.test, Test::Compare(comparison, _) if *comparison != Comparison::Eq)
    }

    /// The one value it asks for.
    pub fn value(&self) -> Option<&Bson> {
        match self.test {
            Test::Compare(Comparison::Eq, value) => Some(value),
            Test::In(list) => list.values.first().filter(|_| list.values.len() == 1 && list.regexes.is_empty()),
            _ => None,
        }
    }

    /// Whether it asks for text.
    pub fn is_text(&self) -> bool {
        match self.test {
            Test::Compare(_, value) => matches!(value, Bson::String(_)),
            Test::In(list) => list.values.iter().any(|value| matches!(value, Bson::String(_))),
            _ => false,
        }
    }

    /// Whether it is on the key field of an attribute array.
    pub fn on_key(&self, array: &AttributeFacts) -> bool {
        self.on(array, &array.key)
    }

    /// Whether it is on the value field of an attribute array.
    pub fn on_value(&self, array: &AttributeFacts) -> bool {
        self.on(array, &array.value)
    }

    fn on(&self, array: &AttributeFacts, field: &str) -> bool {
        let rest = self.path.strip_prefix(&array.path).and_then(|rest| rest.strip_prefix('.'));
        rest == Some(field)
    }
}
