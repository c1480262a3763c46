//! The window of a window function: by position, or by the value sorted by.

use std::cmp::Ordering;
use std::ops::Range;

use crate::error::{CommandError, ErrorCode, Result};
use crate::query::SortKey;
use crate::query::expr::{Context, Expression, Number, Scope, Sum, Unit, Zone};
use crate::value::{Bson, Document, View, compare, exact_long, type_alias};

use super::window_function::Ordered;

/// A window.
#[derive(Debug, Clone)]
pub enum Window {
    /// The whole partition.
    Whole,
    /// So many documents before and behind; none reaches to the end.
    Documents(Option<i64>, Option<i64>),
    /// So far below and above the value sorted by; none reaches to the end.
    Range { low: Option<Number>, high: Option<Number>, unit: Option<Unit> },
}

fn failed(message: impl Into<String>) -> CommandError {
    CommandError::new(ErrorCode::FailedToParse, message)
}

impl Window {
    /// Parses `window`.
    ///
    /// # Errors
    /// `FailedToParse`, 5339900 for bounds the wrong way round, 5339901 and 5339902 for bounds that need an order.
    pub fn parse(value: &Bson, sort: Option<&Document>) -> Result<Self> {
        let Bson::Document(written) = value else {
            let found = type_alias(value.into());
            return Err(failed(format!("'window' field must be an object, found {found}")));
        };
        if let Some(name) = written.keys().find(|name| !["documents", "range", "unit"].contains(&name.as_str())) {
            return Err(
                failed(format!("'window' field that is not 'documents', 'range' or 'unit': {name}")).inside_field(name)
            );
        }
        match (written.get("documents"), written.get("range"), written.get("unit")) {
            (Some(_), Some(_), _) => Err(failed("Window bounds can specify either 'documents' or 'unit', not both.")),
            (Some(_), None, Some(_)) => Err(failed("Window bounds can only specify 'unit' with range-based bounds.")),
            (Some(bounds), None, None) => documents(bounds, sort).map_err(|error| error.inside_field("documents")),
            (None, Some(bounds), unit) => range(bounds, unit, sort).map_err(|error| error.inside_field("range")),
            (None, None, Some(_)) => Err(failed("Window bounds can only specify 'unit' with range-based bounds.")),
            (None, None, None) => Ok(Self::Whole),
        }
    }

    /// The positions that the window of a row covers.
    ///
    /// # Errors
    /// A range over what is neither number nor date.
    pub fn span(&self, rows: &Ordered<'_>, at: usize) -> Result<Range<usize>> {
        let length = rows.rows.len();
        match self {
            Self::Whole => Ok(0..length),
            Self::Documents(low, high) => {
                let place = |offset: i64| i64::try_from(at).unwrap_or(i64::MAX).saturating_add(offset);
                let start = low.map_or(0, |low| usize::try_from(place(low).max(0)).unwrap_or(0)).min(length);
                let end =
                    high.map_or(length, |high| usize::try_from(place(high).saturating_add(1).max(0)).unwrap_or(0));
                Ok(start..end.min(length).max(start))
            }
            Self::Range { low, high, unit } => range_span(*low, *high, *unit, rows, at),
        }
    }
}

fn pair(bounds: &Bson) -> Result<(&Bson, &Bson)> {
    match bounds {
        Bson::Array(items) if items.len() == 2 => Ok((&items[0], &items[1])),
        other => {
            let shown = crate::query::expr::show_stored_value(other.into());
            Err(failed(format!("Window bounds must be a 2-element array: {shown}")))
        }
    }
}

/// One bound: a keyword, or a constant expression that a window of its kind can take (`parseBound`); the present row is zero.
fn bound(value: &Bson, kind: &str, fits: fn(&Bson) -> bool) -> Result<Option<Number>> {
    match value {
        Bson::String(word) if word == "unbounded" => return Ok(None),
        Bson::String(word) if word == "current" => return Ok(Some(Number::Int(0))),
        Bson::String(_) => return Err(failed("Window bounds must be 'unbounded', 'current', or a number.")),
        _ => {}
    }
    let mut expression = Expression::parse(value, &Scope::default())?;
    expression.fold(&Context::default())?;
    let constant = expression.as_constant().ok_or_else(|| failed("Window bounds expression must be a constant."))?;
    match Number::of(constant.into()).filter(|_| fits(constant)) {
        Some(number) => Ok(Some(number)),
        None => Err(failed(format!("{kind}, found {}", crate::query::expr::show_stored_value(constant.into())))),
    }
}

/// Both bounds, the lower one not above the upper one (`checkBoundsForward`).
fn forward(bounds: &Bson, kind: &str, fits: fn(&Bson) -> bool) -> Result<(Option<Number>, Option<Number>)> {
    let (low, high) = pair(bounds)?;
    let (low, high) = (bound(low, kind, fits)?, bound(high, kind, fits)?);
    if let (Some(low), Some(high)) = (&low, &high)
        && compare(low.view(), high.view()).is_gt()
    {
        let [low, high] = [low, high].map(|bound| crate::query::expr::show_stored_value(bound.view()));
        return Err(CommandError::new(5_339_900, format!("Lower bound must not exceed upper bound: [{low}, {high}]")));
    }
    Ok((low, high))
}

fn is_whole(value: &Bson) -> bool {
    exact_long(value.into()).is_some()
}

fn documents(bounds: &Bson, sort: Option<&Document>) -> Result<Window> {
    let (low, high) = forward(bounds, "Numeric document-based bounds must be an integer", is_whole)?;
    if sort.is_none() && (low.is_some() || high.is_some()) {
        return Err(CommandError::new(5_339_901, "Document-based bounds require a sortBy"));
    }
    let place = |bound: Option<Number>| bound.and_then(|bound| exact_long(bound.view()));
    Ok(Window::Documents(place(low), place(high)))
}

fn range(bounds: &Bson, unit: Option<&Bson>, sort: Option<&Document>) -> Result<Window> {
    let (unit, (low, high)) = match unit {
        None => (None, forward(bounds, "Range-based bounds expression must be a number", |_| true)?),
        Some(Bson::String(unit)) => {
            let ends = forward(bounds, "With 'unit', range-based bounds must be an integer", is_whole)?;
            (Some(Unit::parse(unit)?), ends)
        }
        Some(_) => return Err(failed("'unit' must be a string")),
    };
    let ascending =
        sort.is_some_and(|sort| sort.len() == 1 && sort.values().all(|way| exact_long(way.into()) == Some(1)));
    if !ascending {
        return Err(CommandError::new(5_339_902, "Range-based bounds require sortBy a single field"));
    }
    Ok(Window::Range { low, high, unit })
}

/// The rows whose value lies within the reach of a row's own; the keys lie in order.
fn range_span(
    low: Option<Number>,
    high: Option<Number>,
    unit: Option<Unit>,
    rows: &Ordered<'_>,
    at: usize,
) -> Result<Range<usize>> {
    let reach = Reach::of(rows.key(at), unit)?;
    let beyond = |edge: Number, within: fn(Ordering) -> bool| -> Result<usize> {
        let edge = reach.edge(edge)?;
        Ok(rows.keys().partition_point(|key| within(compare_keys(key, edge))))
    };
    let start = low.map_or(Ok(0), |low| beyond(low, Ordering::is_lt))?;
    let end = high.map_or(Ok(rows.rows.len()), |high| beyond(high, Ordering::is_le))?;
    Ok(start..end.max(start))
}

fn compare_keys(key: &SortKey, edge: View<'_>) -> Ordering {
    compare(key.0.first().map_or(View::Null, View::from), edge)
}

/// From where the edges of a range are reckoned.
enum Reach {
    Number(Number),
    /// Milliseconds since 1970.
    Date(i64, Unit),
}

impl Reach {
    fn of(key: Option<&Bson>, unit: Option<Unit>) -> Result<Self> {
        let refused = |code, wanted: &str| {
            let found = key.map_or("missing", |key| type_alias(View::from(key)));
            CommandError::new(
                code,
                format!("Invalid range: Expected the sortBy field to be a {wanted}, but it was {found}"),
            )
        };
        match (key, unit) {
            (Some(Bson::DateTime(date)), Some(unit)) => Ok(Self::Date(date.timestamp_millis(), unit)),
            (_, Some(_)) => Err(refused(5_429_513, "Date")),
            (Some(Bson::DateTime(_)), None) => Err(CommandError::new(
                5_429_513,
                "Invalid range: For windows that involve date ranges, a unit must be provided",
            )),
            (key, None) => {
                let number = key.and_then(|key| Number::of(View::from(key)));
                number.map(Self::Number).ok_or_else(|| refused(5_429_414, "number"))
            }
        }
    }

    fn edge(&self, by: Number) -> Result<View<'static>> {
        match *self {
            Self::Number(number) => {
                let mut sum = Sum::default();
                sum.add(number);
                sum.add(by);
                Ok(sum.total().view())
            }
            Self::Date(millis, unit) => {
                let amount = exact_long(by.view());
                let shifted = amount.and_then(|amount| unit.shift(millis, amount, &Zone::UTC));
                shifted.map(View::DateTime).ok_or_else(|| CommandError::new(5_166_406, "dateAdd overflowed"))
            }
        }
    }
}
