//! Judging a value by a schema.

use super::parse::{Bound, Dependency, Elements, Others, Properties, Rule, Schema};
use crate::query::test::has_type;
use crate::value::{self, ArrayView, Bson, Decimal, DocView, View};

impl Schema {
    /// Whether a value keeps every rule.
    pub(in crate::query) fn allows(&self, value: View<'_>) -> bool {
        self.rules.iter().all(|rule| rule.allows(value))
    }
}

impl Rule {
    pub(super) fn allows(&self, value: View<'_>) -> bool {
        match (self, value) {
            (Self::Type(set), _) => has_type(set, value),
            (Self::Enum(values), _) => values.iter().any(|allowed| same(allowed.into(), value)),
            (Self::AllOf(schemas), _) => schemas.iter().all(|schema| schema.allows(value)),
            (Self::AnyOf(schemas), _) => schemas.iter().any(|schema| schema.allows(value)),
            (Self::OneOf(schemas), _) => schemas.iter().filter(|schema| schema.allows(value)).count() == 1,
            (Self::Not(schema), _) => !schema.allows(value),
            (Self::Bound(bound), _) if value::is_number(value) => bound.allows(value),
            (Self::MultipleOf(divisor), _) if value::is_number(value) => is_multiple(value, divisor),
            (Self::Length(least, most), View::String(text)) => within(text.chars().count(), *least, *most),
            (Self::Pattern(pattern), View::String(text)) => pattern.is_match(text),
            (Self::Required(names), View::Document(document)) => names.iter().all(|name| document.get(name).is_some()),
            (Self::Fields(least, most), View::Document(document)) => within(document.iter().count(), *least, *most),
            (Self::Properties(properties), View::Document(document)) => properties.allow(document),
            (Self::Dependencies(dependencies), View::Document(document)) => {
                dependencies.iter().all(|(name, dependency)| dependency.allows(name, document))
            }
            (Self::Items(least, most), View::Array(array)) => within(array.len(), *least, *most),
            (Self::Unique, View::Array(array)) => all_differ(array),
            (Self::Elements(elements), View::Array(array)) => elements.allow(array),
            _ => true,
        }
    }
}

fn within(count: usize, least: i64, most: i64) -> bool {
    i64::try_from(count).is_ok_and(|count| (least..=most).contains(&count))
}

/// Documents are the same whatever the order of their fields.
fn same(left: View<'_>, right: View<'_>) -> bool {
    match (left, right) {
        (View::Document(a), View::Document(b)) => {
            a.iter().count() == b.iter().count()
                && a.iter().all(|(name, value)| b.get(name).is_some_and(|other| same(value, other)))
        }
        (View::Array(a), View::Array(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| same(x, y)),
        _ => value::equal(left, right),
    }
}

impl Bound {
    fn allows(&self, value: View<'_>) -> bool {
        let order = value::compare(value, (&self.limit).into());
        let order = if self.upper { order.reverse() } else { order };
        if self.exclusive { order.is_gt() } else { order.is_ge() }
    }
}

fn decimal(value: View<'_>) -> Decimal {
    match value {
        View::Decimal(number) => Decimal::from_bson(number),
        View::Double(number) => Decimal::from_double(number),
        _ => Decimal::from_long(value::truncated_long(value).unwrap_or_default()),
    }
}

fn is_multiple(value: View<'_>, divisor: &Bson) -> bool {
    decimal(value).remainder(decimal(divisor.into())).is_zero()
}

impl Properties {
    fn allow(&self, document: DocView<'_>) -> bool {
        document.iter().all(|(name, value)| {
            let mut own = self.named.iter().filter(|(known, _)| known == name).map(|(_, schema)| schema).peekable();
            let mut fitting = self.patterns.iter().filter(|(pattern, _)| pattern.is_match(name)).peekable();
            let known = own.peek().is_some() || fitting.peek().is_some();
            own.all(|schema| schema.allows(value))
                && fitting.all(|(_, schema)| schema.allows(value))
                && (known || self.others.allow(value))
        })
    }
}

impl Others {
    fn allow(&self, value: View<'_>) -> bool {
        match self {
            Self::Allowed => true,
            Self::Refused => false,
            Self::Schema(schema) => schema.allows(value),
        }
    }
}

impl Dependency {
    fn allows(&self, name: &str, document: DocView<'_>) -> bool {
        document.get(name).is_none()
            || match self {
                Self::Fields(names) => names.iter().all(|name| document.get(name).is_some()),
                Self::Schema(schema) => schema.allows(View::Document(document)),
            }
    }
}

impl Elements {
    fn allow(&self, array: ArrayView<'_>) -> bool {
        match self {
            Self::All(schema) => array.iter().all(|element| schema.allows(element)),
            Self::Each(schemas, others) => array.iter().enumerate().all(|(at, element)| match schemas.get(at) {
                Some(schema) => schema.allows(element),
                None => others.allow(element),
            }),
        }
    }
}

fn all_differ(array: ArrayView<'_>) -> bool {
    let elements: Vec<_> = array.iter().collect();
    elements.iter().enumerate().all(|(at, element)| !elements[..at].iter().any(|earlier| same(*earlier, *element)))
}
