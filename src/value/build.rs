//! BSON bytes written value by value, from views.

use bson::RawDocumentBuf;

use super::encode::Encoder;
use super::view::{ArrayView, DocView, View};

/// Room for a small value, so that it does not grow step by step.
const ROOM: usize = 64;

/// Writes a document field by field.
#[derive(Debug, Clone)]
pub struct DocumentBuilder {
    bytes: Vec<u8>,
    start: usize,
}

impl Default for DocumentBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl DocumentBuilder {
    /// An empty document.
    #[must_use]
    pub fn new() -> Self {
        Self::with_capacity(ROOM)
    }

    /// An empty document with room for so many bytes.
    #[must_use]
    pub fn with_capacity(size: usize) -> Self {
        let mut bytes = Vec::with_capacity(size);
        bytes.extend_from_slice(&[0; 4]);
        Self { bytes, start: 0 }
    }

    /// An empty document that becomes a [`Packed`] value.
    #[must_use]
    pub fn packed() -> Self {
        Self { bytes: packed_head(0x03), start: PACKED_HEAD }
    }

    /// Adds a field. A name ends at its first NUL, since BSON cannot hold one.
    pub fn append(&mut self, name: &str, value: View<'_>) {
        write_field(&mut self.bytes, name, value);
    }

    /// Adds all fields of a document.
    pub fn extend(&mut self, document: DocView<'_>) {
        match document {
            DocView::Raw(raw) => {
                let bytes = raw.as_bytes();
                self.bytes.extend_from_slice(&bytes[4..bytes.len() - 1]);
            }
            DocView::Owned(tree) => {
                tree.iter().for_each(|(name, value)| write_field(&mut self.bytes, name, value.into()));
            }
        }
    }

    /// Adds a document field that is written in place.
    pub fn nested(&mut self, name: &str, write: impl FnOnce(&mut Self)) {
        self.bytes.push(0x03);
        _ = write_name(&mut self.bytes, name);
        let outer = std::mem::replace(&mut self.start, self.bytes.len());
        self.bytes.extend_from_slice(&[0; 4]);
        write(self);
        close(&mut self.bytes, self.start);
        self.start = outer;
    }

    /// Whether nothing was added yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.len() == self.start + 4
    }

    /// Ends the document that [`DocumentBuilder::new`] began.
    #[must_use]
    pub fn finish(mut self) -> RawDocumentBuf {
        close(&mut self.bytes, self.start);
        document(self.bytes)
    }

    /// Ends the document that [`DocumentBuilder::packed`] began.
    #[must_use]
    pub fn finish_packed(mut self) -> Packed {
        close(&mut self.bytes, self.start);
        close(&mut self.bytes, 0);
        Packed(document(self.bytes))
    }
}

/// Writes an array element by element.
#[derive(Debug, Clone)]
pub struct ArrayBuilder {
    bytes: Vec<u8>,
    len: usize,
}

impl Default for ArrayBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl ArrayBuilder {
    /// An empty array.
    #[must_use]
    pub fn new() -> Self {
        Self { bytes: packed_head(0x04), len: 0 }
    }

    /// Adds an element.
    pub fn push(&mut self, value: View<'_>) {
        self.bytes.push(type_byte(value));
        self.write_position();
        write_value(&mut self.bytes, value);
    }

    /// Adds a document that is written in place.
    pub fn push_document(&mut self, write: impl FnOnce(&mut DocumentBuilder)) {
        self.bytes.push(0x03);
        self.write_position();
        let mut inner = DocumentBuilder { start: self.bytes.len(), bytes: std::mem::take(&mut self.bytes) };
        inner.bytes.extend_from_slice(&[0; 4]);
        write(&mut inner);
        close(&mut inner.bytes, inner.start);
        self.bytes = inner.bytes;
    }

    /// Number of elements so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing was added yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes written so far.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Ends the array.
    #[must_use]
    pub fn finish(mut self) -> Packed {
        close(&mut self.bytes, PACKED_HEAD);
        close(&mut self.bytes, 0);
        Packed(document(self.bytes))
    }

    fn write_position(&mut self) {
        write_number(&mut self.bytes, self.len);
        self.len += 1;
    }
}

impl<'a> FromIterator<View<'a>> for ArrayBuilder {
    fn from_iter<I: IntoIterator<Item = View<'a>>>(items: I) -> Self {
        let mut array = Self::new();
        items.into_iter().for_each(|item| array.push(item));
        array
    }
}

/// One owned BSON value as bytes: a document whose only field has an empty name.
#[derive(Debug, Clone, PartialEq)]
pub struct Packed(RawDocumentBuf);

impl Packed {
    /// Copies a value.
    #[must_use]
    pub fn new(value: View<'_>) -> Self {
        let mut builder = DocumentBuilder::new();
        builder.append("", value);
        Self(builder.finish())
    }

    /// The value.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        let element = self.0.iter_elements().next().and_then(Result::ok);
        element.and_then(|element| element.value().ok()).map_or(View::Null, View::from)
    }

    /// Bytes held.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.as_bytes().len()
    }
}

/// Bytes before the value of a [`Packed`]: length, type and empty name.
const PACKED_HEAD: usize = 6;

fn packed_head(kind: u8) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ROOM);
    bytes.extend_from_slice(&[0, 0, 0, 0, kind, 0, 0, 0, 0, 0]);
    bytes
}

pub(super) fn document(bytes: Vec<u8>) -> RawDocumentBuf {
    RawDocumentBuf::from_bytes(bytes).expect("a closed document has its length in front and a NUL behind")
}

/// Writes the final NUL and the length of the document that begins at `start`.
pub(super) fn close(bytes: &mut Vec<u8>, start: usize) {
    bytes.push(0);
    let length = i32::try_from(bytes.len() - start).unwrap_or(i32::MAX);
    bytes[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

/// Writes a name up to its first NUL byte; tells whether it has one.
pub(super) fn write_name(out: &mut Vec<u8>, name: &str) -> bool {
    let name = name.as_bytes();
    let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
    out.extend_from_slice(&name[..end]);
    out.push(0);
    end < name.len()
}

pub(super) fn write_number(out: &mut Vec<u8>, number: usize) {
    if number < 10 {
        out.push(b'0' + u8::try_from(number).unwrap_or_default());
    } else {
        out.extend_from_slice(number.to_string().as_bytes());
    }
    out.push(0);
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    write_length(out, text.len() + 1);
    out.extend_from_slice(text.as_bytes());
    out.push(0);
}

fn write_length(out: &mut Vec<u8>, length: usize) {
    out.extend_from_slice(&i32::try_from(length).unwrap_or(i32::MAX).to_le_bytes());
}

/// The BSON type byte of a value.
#[must_use]
pub fn type_byte(value: View<'_>) -> u8 {
    match value {
        View::Double(_) => 0x01,
        View::String(_) => 0x02,
        View::Document(_) => 0x03,
        View::Array(_) => 0x04,
        View::Binary { .. } => 0x05,
        View::Undefined => 0x06,
        View::ObjectId(_) => 0x07,
        View::Boolean(_) => 0x08,
        View::DateTime(_) => 0x09,
        View::Null => 0x0A,
        View::Regex { .. } => 0x0B,
        View::DbPointer { .. } => 0x0C,
        View::Code(_) => 0x0D,
        View::Symbol(_) => 0x0E,
        View::CodeWithScope(..) => 0x0F,
        View::Int32(_) => 0x10,
        View::Timestamp { .. } => 0x11,
        View::Int64(_) => 0x12,
        View::Decimal(_) => 0x13,
        View::MinKey => 0xFF,
        View::MaxKey => 0x7F,
    }
}

pub(super) fn write_value(out: &mut Vec<u8>, value: View<'_>) {
    match value {
        View::MinKey | View::Undefined | View::Null | View::MaxKey => {}
        View::Int32(number) => out.extend_from_slice(&number.to_le_bytes()),
        View::Int64(number) | View::DateTime(number) => out.extend_from_slice(&number.to_le_bytes()),
        View::Double(number) => out.extend_from_slice(&number.to_le_bytes()),
        View::Decimal(number) => out.extend_from_slice(&number.bytes()),
        View::String(text) | View::Symbol(text) | View::Code(text) => write_text(out, text),
        View::Document(document) => write_document(out, document),
        View::Array(array) => write_array(out, array),
        View::Binary { subtype, bytes } => write_binary(out, subtype, bytes),
        View::ObjectId(id) => out.extend_from_slice(&id.bytes()),
        View::Boolean(truth) => out.push(u8::from(truth)),
        View::Timestamp { time, increment } => {
            out.extend_from_slice(&increment.to_le_bytes());
            out.extend_from_slice(&time.to_le_bytes());
        }
        View::Regex { pattern, options } => {
            _ = write_name(out, pattern);
            _ = write_name(out, options);
        }
        View::DbPointer { namespace, id } => {
            write_text(out, namespace);
            out.extend_from_slice(&id.bytes());
        }
        View::CodeWithScope(code, scope) => {
            let start = out.len();
            out.extend_from_slice(&[0; 4]);
            write_text(out, code);
            write_document(out, scope);
            let length = i32::try_from(out.len() - start).unwrap_or(i32::MAX);
            out[start..start + 4].copy_from_slice(&length.to_le_bytes());
        }
    }
}

fn write_document(out: &mut Vec<u8>, document: DocView<'_>) {
    match document {
        DocView::Raw(raw) => out.extend_from_slice(raw.as_bytes()),
        DocView::Owned(tree) => Encoder::new(out).tree(tree),
    }
}

pub(super) fn write_field(out: &mut Vec<u8>, name: &str, value: View<'_>) {
    out.push(type_byte(value));
    _ = write_name(out, name);
    write_value(out, value);
}

fn write_array(out: &mut Vec<u8>, array: ArrayView<'_>) {
    match array {
        ArrayView::Raw(raw) => out.extend_from_slice(raw.as_bytes()),
        ArrayView::Owned(items) => Encoder::new(out).items(items),
    }
}

/// Leaves room for the length of a document; gives where it begins.
pub(super) fn open(out: &mut Vec<u8>) -> usize {
    out.extend_from_slice(&[0; 4]);
    out.len() - 4
}

/// The old binary subtype 2 repeats its length inside.
fn write_binary(out: &mut Vec<u8>, subtype: u8, bytes: &[u8]) {
    let old = subtype == 2;
    write_length(out, bytes.len() + if old { 4 } else { 0 });
    out.push(subtype);
    if old {
        write_length(out, bytes.len());
    }
    out.extend_from_slice(bytes);
}
