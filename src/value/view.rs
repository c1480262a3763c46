//! One borrowed view over a BSON value, whether it lies in stored bytes or in a computed tree.

use bson::oid::ObjectId;
use bson::{Bson, Decimal128, Document, RawBsonRef, RawDocument};

use super::raw::RawFields;
use super::shared::SharedDocument;
use super::traverse::Followed;

/// A BSON value, borrowed.
#[derive(Debug, Clone, Copy)]
pub enum View<'a> {
    /// Below every other value.
    MinKey,
    /// The deprecated `undefined`.
    Undefined,
    /// `null`.
    Null,
    /// A 32-bit integer.
    Int32(i32),
    /// A 64-bit integer.
    Int64(i64),
    /// A binary floating-point number.
    Double(f64),
    /// A decimal floating-point number.
    Decimal(Decimal128),
    /// Text.
    String(&'a str),
    /// The deprecated symbol, compared as text.
    Symbol(&'a str),
    /// An embedded document.
    Document(DocView<'a>),
    /// An array.
    Array(ArrayView<'a>),
    /// Bytes with a subtype.
    Binary {
        /// The BSON binary subtype byte.
        subtype: u8,
        /// The bytes.
        bytes: &'a [u8],
    },
    /// An object id.
    ObjectId(ObjectId),
    /// `true` or `false`.
    Boolean(bool),
    /// Milliseconds since 1970-01-01T00:00:00Z.
    DateTime(i64),
    /// An internal timestamp.
    Timestamp {
        /// Seconds since 1970.
        time: u32,
        /// The ordinal within the second.
        increment: u32,
    },
    /// A regular expression.
    Regex {
        /// The pattern.
        pattern: &'a str,
        /// The option letters, sorted.
        options: &'a str,
    },
    /// The deprecated reference. That of a [`Bson`] tree keeps its parts to itself, so that both are empty here.
    DbPointer {
        /// Database and collection.
        namespace: &'a str,
        /// The object id.
        id: ObjectId,
    },
    /// JavaScript code.
    Code(&'a str),
    /// JavaScript code with its scope.
    CodeWithScope(&'a str, DocView<'a>),
    /// Above every other value.
    MaxKey,
}

/// An embedded or whole document, borrowed.
#[derive(Debug, Clone, Copy)]
pub enum DocView<'a> {
    /// Bytes.
    Raw(&'a RawDocument),
    /// A tree.
    Owned(&'a Document),
}

/// An array, borrowed.
#[derive(Debug, Clone, Copy)]
pub enum ArrayView<'a> {
    /// Bytes, laid out as a document with the names `0`, `1` ….
    Raw(&'a RawDocument),
    /// A tree.
    Owned(&'a [Bson]),
}

impl<'a> From<RawBsonRef<'a>> for View<'a> {
    fn from(value: RawBsonRef<'a>) -> Self {
        match value {
            RawBsonRef::Double(number) => Self::Double(number),
            RawBsonRef::String(text) => Self::String(text),
            RawBsonRef::Array(array) => {
                let bytes = RawDocument::from_bytes(array.as_bytes());
                Self::Array(bytes.map_or(ArrayView::Owned(&[]), ArrayView::Raw))
            }
            RawBsonRef::Document(document) => Self::Document(DocView::Raw(document)),
            RawBsonRef::Boolean(truth) => Self::Boolean(truth),
            RawBsonRef::Null => Self::Null,
            RawBsonRef::RegularExpression(regex) => {
                Self::Regex { pattern: regex.pattern.as_str(), options: regex.options.as_str() }
            }
            RawBsonRef::JavaScriptCode(code) => Self::Code(code),
            RawBsonRef::JavaScriptCodeWithScope(code) => Self::CodeWithScope(code.code, DocView::Raw(code.scope)),
            RawBsonRef::Int32(number) => Self::Int32(number),
            RawBsonRef::Int64(number) => Self::Int64(number),
            RawBsonRef::Timestamp(stamp) => Self::Timestamp { time: stamp.time, increment: stamp.increment },
            RawBsonRef::Binary(binary) => Self::Binary { subtype: binary.subtype.into(), bytes: binary.bytes },
            RawBsonRef::ObjectId(id) => Self::ObjectId(id),
            RawBsonRef::DateTime(date) => Self::DateTime(date.timestamp_millis()),
            RawBsonRef::Symbol(text) => Self::Symbol(text),
            RawBsonRef::Decimal128(number) => Self::Decimal(number),
            RawBsonRef::Undefined => Self::Undefined,
            RawBsonRef::MaxKey => Self::MaxKey,
            RawBsonRef::MinKey => Self::MinKey,
            RawBsonRef::DbPointer(_) => Self::DbPointer { namespace: "", id: ObjectId::from_bytes([0; 12]) },
        }
    }
}

impl<'a> From<&'a Bson> for View<'a> {
    fn from(value: &'a Bson) -> Self {
        match value {
            Bson::Double(number) => Self::Double(*number),
            Bson::String(text) => Self::String(text),
            Bson::Array(array) => Self::Array(ArrayView::Owned(array)),
            Bson::Document(document) => Self::Document(DocView::Owned(document)),
            Bson::Boolean(truth) => Self::Boolean(*truth),
            Bson::Null => Self::Null,
            Bson::RegularExpression(regex) => {
                Self::Regex { pattern: regex.pattern.as_str(), options: regex.options.as_str() }
            }
            Bson::JavaScriptCode(code) => Self::Code(code),
            Bson::JavaScriptCodeWithScope(code) => Self::CodeWithScope(&code.code, DocView::Owned(&code.scope)),
            Bson::Int32(number) => Self::Int32(*number),
            Bson::Int64(number) => Self::Int64(*number),
            Bson::Timestamp(stamp) => Self::Timestamp { time: stamp.time, increment: stamp.increment },
            Bson::Binary(binary) => Self::Binary { subtype: binary.subtype.into(), bytes: &binary.bytes },
            Bson::ObjectId(id) => Self::ObjectId(*id),
            Bson::DateTime(date) => Self::DateTime(date.timestamp_millis()),
            Bson::Symbol(text) => Self::Symbol(text),
            Bson::Decimal128(number) => Self::Decimal(*number),
            Bson::Undefined => Self::Undefined,
            Bson::MaxKey => Self::MaxKey,
            Bson::MinKey => Self::MinKey,
            Bson::DbPointer(_) => Self::DbPointer { namespace: "", id: ObjectId::from_bytes([0; 12]) },
        }
    }
}

impl View<'_> {
    /// The value as an owned tree.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        match *self {
            Self::MinKey => Bson::MinKey,
            Self::Undefined => Bson::Undefined,
            Self::Null => Bson::Null,
            Self::Int32(number) => Bson::Int32(number),
            Self::Int64(number) => Bson::Int64(number),
            Self::Double(number) => Bson::Double(number),
            Self::Decimal(number) => Bson::Decimal128(number),
            Self::String(text) => Bson::String(text.into()),
            Self::Symbol(text) => Bson::Symbol(text.into()),
            Self::Document(document) => Bson::Document(document.to_document()),
            Self::Array(array) => Bson::Array(array.iter().map(|item| item.to_bson()).collect()),
            Self::Binary { subtype, bytes } => {
                Bson::Binary(bson::Binary { subtype: subtype.into(), bytes: bytes.to_vec() })
            }
            Self::ObjectId(id) => Bson::ObjectId(id),
            Self::Boolean(truth) => Bson::Boolean(truth),
            Self::DateTime(millis) => Bson::DateTime(bson::DateTime::from_millis(millis)),
            Self::Timestamp { time, increment } => Bson::Timestamp(bson::Timestamp { time, increment }),
            Self::Regex { pattern, options } => regex_bson(pattern, options),
            Self::DbPointer { .. } => reread(*self),
            Self::Code(code) => Bson::JavaScriptCode(code.into()),
            Self::CodeWithScope(code, scope) => Bson::JavaScriptCodeWithScope(bson::JavaScriptCodeWithScope {
                code: code.into(),
                scope: scope.to_document(),
            }),
            Self::MaxKey => Bson::MaxKey,
        }
    }
}

/// A value that only the bytes of a document lead to.
fn reread(value: View<'_>) -> Bson {
    let mut document = super::build::DocumentBuilder::new();
    document.append("", value);
    let document = Document::try_from(&*document.finish());
    document.ok().and_then(|mut document| document.remove("")).unwrap_or(Bson::Undefined)
}

/// A regex value; the pattern of a BSON regex ends at its first NUL byte, so one that has it keeps what stands before.
fn regex_bson(pattern: &str, options: &str) -> Bson {
    let until_nul = |text: &str| bson::raw::CString::try_from(text.split('\0').next().unwrap_or_default());
    match (until_nul(pattern), until_nul(options)) {
        (Ok(pattern), Ok(options)) => Bson::RegularExpression(bson::Regex { pattern, options }),
        _ => Bson::Null,
    }
}

/// What is read from bytes or from a tree.
enum Either<R, O> {
    Raw(R),
    Owned(O),
}

impl<R: Iterator, O: Iterator<Item = R::Item>> Iterator for Either<R, O> {
    type Item = R::Item;

    fn next(&mut self) -> Option<R::Item> {
        match self {
            Self::Raw(raw) => raw.next(),
            Self::Owned(owned) => owned.next(),
        }
    }
}

impl<'a> DocView<'a> {
    /// The value of a field, by exact name.
    #[must_use]
    pub fn get(self, name: &str) -> Option<View<'a>> {
        match self {
            Self::Raw(document) => RawFields::new(document.as_bytes()).find(name).and_then(Followed::view),
            Self::Owned(document) => document.get(name).map(View::from),
        }
    }

    /// The fields in stored order.
    pub fn iter(self) -> impl Iterator<Item = (&'a str, View<'a>)> {
        match self {
            Self::Raw(document) => Either::Raw(RawFields::new(document.as_bytes())),
            Self::Owned(document) => {
                Either::Owned(document.iter().map(|(name, value)| (name.as_str(), View::from(value))))
            }
        }
    }

    /// Whether there is no field.
    #[must_use]
    pub fn is_empty(self) -> bool {
        match self {
            Self::Raw(document) => document.is_empty(),
            Self::Owned(document) => document.is_empty(),
        }
    }

    /// The document as bytes.
    #[must_use]
    pub fn to_raw(self) -> bson::RawDocumentBuf {
        match self {
            Self::Raw(document) => document.to_owned(),
            Self::Owned(_) => {
                let mut builder = super::build::DocumentBuilder::new();
                builder.extend(self);
                builder.finish()
            }
        }
    }

    /// The document as an owned tree.
    #[must_use]
    pub fn to_document(self) -> Document {
        match self {
            Self::Raw(_) => self.iter().map(|(name, value)| (name.to_owned(), value.to_bson())).collect(),
            Self::Owned(document) => document.clone(),
        }
    }
}

impl<'a> ArrayView<'a> {
    /// The elements in order.
    pub fn iter(self) -> impl Iterator<Item = View<'a>> {
        match self {
            Self::Raw(array) => Either::Raw(RawFields::new(array.as_bytes()).values().map_while(Followed::view)),
            Self::Owned(array) => Either::Owned(array.iter().map(View::from)),
        }
    }

    /// The element at a position.
    #[must_use]
    pub fn get(self, position: usize) -> Option<View<'a>> {
        match self {
            Self::Raw(array) => RawFields::new(array.as_bytes()).nth_value(position).and_then(Followed::view),
            Self::Owned(array) => array.get(position).map(View::from),
        }
    }

    /// How many elements there are; counting raw bytes walks them.
    #[must_use]
    pub fn len(self) -> usize {
        match self {
            Self::Raw(array) => RawFields::new(array.as_bytes()).len(),
            Self::Owned(array) => array.len(),
        }
    }

    /// Whether there is no element.
    #[must_use]
    pub fn is_empty(self) -> bool {
        match self {
            Self::Raw(array) => array.is_empty(),
            Self::Owned(array) => array.is_empty(),
        }
    }
}

impl<'a> From<&'a RawDocument> for DocView<'a> {
    fn from(document: &'a RawDocument) -> Self {
        Self::Raw(document)
    }
}

impl<'a> From<&'a bson::RawDocumentBuf> for DocView<'a> {
    fn from(document: &'a bson::RawDocumentBuf) -> Self {
        Self::Raw(document)
    }
}

impl<'a> From<&'a SharedDocument> for DocView<'a> {
    fn from(document: &'a SharedDocument) -> Self {
        Self::Raw(document)
    }
}

impl<'a> From<&'a Document> for DocView<'a> {
    fn from(document: &'a Document) -> Self {
        Self::Owned(document)
    }
}
