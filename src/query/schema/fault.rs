//! The rules of a schema that a value breaks, each at its place.

use super::parse::{Dependency, Elements, Others, Properties, Rule, Schema};
use crate::value::{ArrayView, Bson, DocView, Path, View};

/// A broken rule.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::query) struct Fault {
    /// The place of the value that breaks it.
    pub(in crate::query) place: Path,
    /// The rule's keyword.
    pub(in crate::query) keyword: &'static str,
    /// The value; none for a missing one.
    pub(in crate::query) value: Option<Bson>,
}

fn fault(place: Path, keyword: &'static str, value: Option<View<'_>>) -> Vec<Fault> {
    vec![Fault { place, keyword, value: value.map(|value| value.to_bson()) }]
}

fn below(place: &Path, name: &str) -> Path {
    place.join(&Path::from_parts(vec![name.into()]))
}

impl Schema {
    /// The broken rules, as deep inside the value as they can be told; none exactly where the value is allowed.
    pub(in crate::query) fn faults(&self, value: View<'_>, place: &Path) -> Vec<Fault> {
        self.rules.iter().filter(|rule| !rule.allows(value)).flat_map(|rule| rule.faults(value, place)).collect()
    }
}

impl Rule {
    /// The faults of a rule that is broken.
    fn faults(&self, value: View<'_>, place: &Path) -> Vec<Fault> {
        match (self, value) {
            (Self::Properties(properties), View::Document(document)) => properties.faults(document, place),
            (Self::Elements(elements), View::Array(array)) => elements.faults(array, place),
            (Self::AllOf(schemas), _) => schemas.iter().flat_map(|schema| schema.faults(value, place)).collect(),
            (Self::Required(names), View::Document(document)) => lacking(names, "required", document, place),
            (Self::Dependencies(all), View::Document(document)) => {
                all.iter().flat_map(|(name, dependency)| dependency.faults(name, document, place)).collect()
            }
            _ => fault(place.clone(), self.keyword(value), Some(value)),
        }
    }

    /// The keyword that a value breaks.
    fn keyword(&self, value: View<'_>) -> &'static str {
        match (self, value) {
            (Self::Type(_), _) => "bsonType",
            (Self::Enum(_), _) => "enum",
            (Self::Bound(bound), _) if bound.upper => "maximum",
            (Self::Bound(_), _) => "minimum",
            (Self::MultipleOf(_), _) => "multipleOf",
            (Self::Length(least, _), _) => pair(*least, "minLength", "maxLength"),
            (Self::Pattern(_), _) => "pattern",
            (Self::Required(_), _) => "required",
            (Self::Fields(least, _), _) => pair(*least, "minProperties", "maxProperties"),
            (Self::Properties(_), _) => "properties",
            (Self::Dependencies(_), _) => "dependencies",
            (Self::Items(least, _), _) => pair(*least, "minItems", "maxItems"),
            (Self::Unique, _) => "uniqueItems",
            (Self::Elements(_), _) => "items",
            (Self::AllOf(_), _) => "allOf",
            (Self::AnyOf(_), _) => "anyOf",
            (Self::OneOf(_), _) => "oneOf",
            (Self::Not(_), _) => "not",
        }
    }
}

/// Of a rule with a least and a greatest number, of which one is given: the keyword of the given one.
fn pair(least: i64, lower: &'static str, upper: &'static str) -> &'static str {
    if least > 0 { lower } else { upper }
}

fn lacking(names: &[String], keyword: &'static str, document: DocView<'_>, place: &Path) -> Vec<Fault> {
    let missing = names.iter().filter(|name| document.get(name).is_none());
    missing.flat_map(|name| fault(below(place, name), keyword, None)).collect()
}

impl Properties {
    fn faults(&self, document: DocView<'_>, place: &Path) -> Vec<Fault> {
        document.iter().flat_map(|(name, value)| self.of_field(name, value, &below(place, name))).collect()
    }

    fn of_field(&self, name: &str, value: View<'_>, place: &Path) -> Vec<Fault> {
        let own = self.named.iter().filter(|(known, _)| known == name).map(|(_, schema)| schema);
        let fitting = self.patterns.iter().filter(|(pattern, _)| pattern.is_match(name)).map(|(_, schema)| schema);
        let schemas: Vec<&Schema> = own.chain(fitting).collect();
        if schemas.is_empty() {
            return self.others.faults("additionalProperties", value, place);
        }
        schemas.into_iter().flat_map(|schema| schema.faults(value, place)).collect()
    }
}

impl Others {
    fn faults(&self, keyword: &'static str, value: View<'_>, place: &Path) -> Vec<Fault> {
        match self {
            Self::Allowed => Vec::new(),
            Self::Refused => fault(place.clone(), keyword, Some(value)),
            Self::Schema(schema) => schema.faults(value, place),
        }
    }
}

impl Dependency {
    fn faults(&self, name: &str, document: DocView<'_>, place: &Path) -> Vec<Fault> {
        match self {
            _ if document.get(name).is_none() => Vec::new(),
            Self::Fields(names) => lacking(names, "dependencies", document, place),
            Self::Schema(schema) => schema.faults(View::Document(document), place),
        }
    }
}

impl Elements {
    fn faults(&self, array: ArrayView<'_>, place: &Path) -> Vec<Fault> {
        let of = |(at, element): (usize, View<'_>)| {
            let place = below(place, &at.to_string());
            match self {
                Self::All(schema) => schema.faults(element, &place),
                Self::Each(schemas, others) => match schemas.get(at) {
                    Some(schema) => schema.faults(element, &place),
                    None => others.faults("additionalItems", element, &place),
                },
            }
        };
        array.iter().enumerate().flat_map(of).collect()
    }
}
