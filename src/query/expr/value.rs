//! What an expression computes: nothing, something borrowed, or something new.

use crate::value::{ArrayView, Bson, DocView, Packed, RawDocumentBuf, View, type_alias};

/// A computed value. A missing one is not `null`: it leaves no field behind.
#[derive(Debug, Clone)]
pub enum Value<'a> {
    /// No value.
    Missing,
    /// A scalar, or something borrowed from a document, a variable or the expression itself.
    View(View<'a>),
    /// Something new.
    Packed(Packed),
}

impl Value<'_> {
    /// `null`.
    pub const NULL: Self = Self::View(View::Null);

    /// New text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::Packed(Packed::new(View::String(text)))
    }

    /// A copy of a value.
    #[must_use]
    pub fn copied(view: View<'_>) -> Self {
        Self::Packed(Packed::new(view))
    }

    /// A new document.
    #[must_use]
    pub fn document(document: &RawDocumentBuf) -> Self {
        Self::copied(View::Document(document.into()))
    }

    /// The value, unless missing.
    #[must_use]
    pub fn view(&self) -> Option<View<'_>> {
        match self {
            Self::Missing => None,
            Self::View(view) => Some(*view),
            Self::Packed(packed) => Some(packed.view()),
        }
    }

    /// The value, `null` for a missing one.
    #[must_use]
    pub fn or_null(&self) -> View<'_> {
        self.view().unwrap_or(View::Null)
    }

    /// Whether the value is missing, `null` or `undefined`, which most operators treat alike.
    #[must_use]
    pub fn is_nullish(&self) -> bool {
        matches!(self.view(), None | Some(View::Null | View::Undefined))
    }

    /// Whether the value counts as true: all but `false`, zero, `null`, `undefined` and a missing value.
    #[must_use]
    pub fn is_true(&self) -> bool {
        self.view().is_some_and(crate::value::is_true)
    }

    /// The array, if it is one.
    #[must_use]
    pub fn array(&self) -> Option<ArrayView<'_>> {
        match self.view() {
            Some(View::Array(array)) => Some(array),
            _ => None,
        }
    }

    /// The document, if it is one.
    #[must_use]
    pub fn as_document(&self) -> Option<DocView<'_>> {
        match self.view() {
            Some(View::Document(document)) => Some(document),
            _ => None,
        }
    }

    /// The text, if it is a string.
    #[must_use]
    pub fn string(&self) -> Option<&str> {
        match self.view() {
            Some(View::String(text)) => Some(text),
            _ => None,
        }
    }

    /// The name of its type as `$type` gives it.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        self.view().map_or("missing", type_alias)
    }

    /// The same value, borrowing nothing; a missing one stays missing.
    #[must_use]
    pub fn into_owned<'b>(self) -> Value<'b> {
        match self {
            Value::Missing => Value::Missing,
            Value::Packed(packed) => Value::Packed(packed),
            Value::View(view) => scalar(view).map_or_else(|| Value::copied(view), Value::View),
        }
    }

    /// The value as an owned tree, `null` for a missing one.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        self.or_null().to_bson()
    }

    /// How an error message shows the value: the server prints BSON in its shell notation, and `MISSING`.
    #[must_use]
    pub fn shown(&self) -> String {
        self.view().map_or_else(|| "MISSING".to_owned(), super::show::show)
    }
}

/// The view with a new lifetime, of a value that borrows nothing.
fn scalar<'b>(view: View<'_>) -> Option<View<'b>> {
    Some(match view {
        View::MinKey => View::MinKey,
        View::Undefined => View::Undefined,
        View::Null => View::Null,
        View::Int32(number) => View::Int32(number),
        View::Int64(number) => View::Int64(number),
        View::Double(number) => View::Double(number),
        View::Decimal(number) => View::Decimal(number),
        View::ObjectId(id) => View::ObjectId(id),
        View::Boolean(truth) => View::Boolean(truth),
        View::DateTime(millis) => View::DateTime(millis),
        View::Timestamp { time, increment } => View::Timestamp { time, increment },
        View::MaxKey => View::MaxKey,
        _ => return None,
    })
}

impl From<bool> for Value<'_> {
    fn from(truth: bool) -> Self {
        Self::View(View::Boolean(truth))
    }
}

impl From<i32> for Value<'_> {
    fn from(number: i32) -> Self {
        Self::View(View::Int32(number))
    }
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Self::View(View::Int64(number))
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Self::View(View::Double(number))
    }
}

impl From<Packed> for Value<'_> {
    fn from(packed: Packed) -> Self {
        Self::Packed(packed)
    }
}

impl<'a> From<Option<View<'a>>> for Value<'a> {
    fn from(view: Option<View<'a>>) -> Self {
        view.map_or(Value::Missing, Value::View)
    }
}

/// A count as the server gives it: a 32-bit integer, beyond its range a 64-bit one.
pub(super) fn count(number: usize) -> Value<'static> {
    let long = || View::Int64(i64::try_from(number).unwrap_or(i64::MAX));
    Value::View(i32::try_from(number).map_or_else(|_| long(), View::Int32))
}
