//! Index keys as bytes: their order as bytes is MongoDB's order of the values, and they can be read back.
//!
//! The idea is the server's `KeyString`: each value is a type byte and a body that ends by itself, all bits flipped where
//! the part is descending. What equal values differ in (int or double, text or symbol, the digits of a decimal) is kept
//! apart in *type bits*, which take no part in the order.

use std::fmt::Write as _;

use crate::store::number::{self, Number};
use crate::store::{Direction, RecordId};
use crate::value::{ArrayView, Bson, DocView, View};

const MIN_KEY: u8 = 10;
const UNDEFINED: u8 = 15;
const NULL: u8 = 20;
const STRING: u8 = 60;
const OBJECT: u8 = 70;
const ARRAY: u8 = 80;
const BINARY: u8 = 90;
const OBJECT_ID: u8 = 100;
const FALSE: u8 = 110;
const TRUE: u8 = 111;
const DATE: u8 = 120;
const TIMESTAMP: u8 = 130;
const REGEX: u8 = 140;
const DB_POINTER: u8 = 150;
const CODE: u8 = 160;
const CODE_WITH_SCOPE: u8 = 170;
const MAX_KEY: u8 = 240;

const BITS_NATURAL: u8 = 0;
const BITS_LONG: u8 = 1;
const BITS_DOUBLE: u8 = 2;
const BITS_DECIMAL: u8 = 3;
const BITS_NEGATIVE_ZERO: u8 = 4;
const BITS_SYMBOL: u8 = 1;

/// The directions of a key's parts, at most 64. A key pattern has at most 32 fields, of which a wildcard field makes two
/// parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeyOrder {
    parts: u8,
    descending: u64,
}

impl KeyOrder {
    /// The order of parts that run in these directions.
    #[must_use]
    pub fn new(directions: impl IntoIterator<Item = Direction>) -> Self {
        directions.into_iter().fold(Self::default(), |order, direction| Self {
            parts: order.parts + 1,
            descending: order.descending | (u64::from(direction == Direction::Descending) << order.parts),
        })
    }

    /// How many parts a key has.
    #[must_use]
    pub fn parts(self) -> usize {
        usize::from(self.parts)
    }

    /// The direction of one part.
    #[must_use]
    pub fn direction(self, part: usize) -> Direction {
        if self.descending >> part & 1 == 1 { Direction::Descending } else { Direction::Ascending }
    }

    /// The values of a key, or of its leading parts, from the bytes alone; numbers come back in their natural type.
    #[must_use]
    pub fn decode_prefix(self, bytes: &[u8]) -> Vec<Bson> {
        KeyRef { bytes, bits: &[] }.decode(self)
    }

    fn mask(self, part: usize) -> u8 {
        if self.direction(part) == Direction::Descending { 0xff } else { 0 }
    }
}

/// A key under construction, part by part; with fewer parts than the index has, it is a place to seek.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyBuilder {
    bytes: Vec<u8>,
    bits: Vec<u8>,
}

/// Turns text into the bytes a collation compares it by.
pub type SortKey<'a> = &'a dyn Fn(&str) -> Vec<u8>;

impl KeyBuilder {
    /// The key of these values.
    #[must_use]
    pub fn of<'a>(values: impl IntoIterator<Item = View<'a>>, order: KeyOrder) -> Self {
        let mut builder = Self::default();
        for (part, value) in values.into_iter().enumerate() {
            builder.push(value, order.direction(part), None);
        }
        builder
    }

    /// Appends one part; a collated index gives its sort key, which text is replaced by.
    pub fn push(&mut self, value: View<'_>, direction: Direction, sort_key: Option<SortKey<'_>>) {
        let start = self.bytes.len();
        Encoder { bytes: &mut self.bytes, bits: &mut self.bits, sort_key }.value(value);
        if direction == Direction::Descending {
            self.bytes[start..].iter_mut().for_each(|byte| *byte = !*byte);
        }
    }

    /// Forgets all parts and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.bits.clear();
    }

    /// The bytes that order keys.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes that order keys, given away.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The type bits, without the zeros at their end.
    #[must_use]
    pub fn bits(&self) -> &[u8] {
        let used = self.bits.iter().rposition(|bits| *bits != 0).map_or(0, |last| last + 1);
        &self.bits[..used]
    }

    /// The key, borrowed.
    #[must_use]
    pub fn key(&self) -> KeyRef<'_> {
        KeyRef { bytes: self.bytes(), bits: self.bits() }
    }
}

struct Encoder<'b, 's> {
    bytes: &'b mut Vec<u8>,
    bits: &'b mut Vec<u8>,
    sort_key: Option<SortKey<'s>>,
}

impl Encoder<'_, '_> {
    fn value(&mut self, value: View<'_>) {
        match value {
            View::MinKey => self.bytes.push(MIN_KEY),
            View::Undefined => self.bytes.push(UNDEFINED),
            View::Null => self.bytes.push(NULL),
            View::MaxKey => self.bytes.push(MAX_KEY),
            View::Boolean(truth) => self.bytes.push(if truth { TRUE } else { FALSE }),
            View::Int32(_) | View::Int64(_) | View::Double(_) | View::Decimal(_) => self.number(value),
            View::String(text) => self.string(text, BITS_NATURAL),
            View::Symbol(text) => self.string(text, BITS_SYMBOL),
            View::Document(document) => self.document(OBJECT, document),
            View::Array(array) => self.array(array),
            View::Binary { subtype, bytes } => self.binary(subtype, bytes),
            View::ObjectId(id) => self.fixed(OBJECT_ID, &id.bytes()),
            View::DbPointer { namespace, id } => self.pointer(namespace, &id.bytes()),
            View::DateTime(millis) => self.fixed(DATE, &(millis.cast_unsigned() ^ (1 << 63)).to_be_bytes()),
            View::Timestamp { time, increment } => {
                self.fixed(TIMESTAMP, &((u64::from(time) << 32) | u64::from(increment)).to_be_bytes());
            }
            View::Regex { pattern, options } => {
                self.text(REGEX, pattern.as_bytes());
                self.terminated(options.as_bytes());
            }
            View::Code(code) => self.text(CODE, code.as_bytes()),
            View::CodeWithScope(code, scope) => {
                self.text(CODE_WITH_SCOPE, code.as_bytes());
                self.document(OBJECT, scope);
            }
        }
    }

    fn number(&mut self, value: View<'_>) {
        match value {
            View::Int32(number) => {
                number::push_integer(self.bytes, i64::from(number));
                self.bits.push(BITS_NATURAL);
            }
            View::Int64(number) => {
                number::push_integer(self.bytes, number);
                let natural = i32::try_from(number).is_err() && number != i64::MIN;
                self.bits.push(if natural { BITS_NATURAL } else { BITS_LONG });
            }
            View::Double(number) => {
                number::push_double(self.bytes, number);
                self.bits.push(double_bits(number));
            }
            View::Decimal(number) => {
                number::push_decimal(self.bytes, number);
                self.bits.push(BITS_DECIMAL);
                self.bits.extend_from_slice(&number.bytes());
            }
            _ => {}
        }
    }

    fn string(&mut self, text: &str, bits: u8) {
        match self.sort_key {
            None => self.text(STRING, text.as_bytes()),
            Some(sort_key) => self.text(STRING, &sort_key(text)),
        }
        self.bits.push(bits);
    }

    fn fixed(&mut self, kind: u8, body: &[u8]) {
        self.bytes.push(kind);
        self.bytes.extend_from_slice(body);
    }

    fn text(&mut self, kind: u8, text: &[u8]) {
        self.bytes.push(kind);
        self.terminated(text);
    }

    /// Text up to a zero byte; inside, zero and one are written as one followed by their successor.
    fn terminated(&mut self, text: &[u8]) {
        for run in text.split_inclusive(|byte| *byte <= 1) {
            match run.split_last() {
                Some((last, before)) if *last <= 1 => {
                    self.bytes.extend_from_slice(before);
                    self.bytes.extend_from_slice(&[1, last + 1]);
                }
                _ => self.bytes.extend_from_slice(run),
            }
        }
        self.bytes.push(0);
    }

    fn pointer(&mut self, namespace: &str, id: &[u8]) {
        let length = u32::try_from(namespace.len()).unwrap_or(u32::MAX);
        self.fixed(DB_POINTER, &length.to_be_bytes());
        self.bytes.extend_from_slice(namespace.as_bytes());
        self.bytes.extend_from_slice(id);
    }

    fn binary(&mut self, subtype: u8, bytes: &[u8]) {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        self.fixed(BINARY, &length.to_be_bytes());
        self.bytes.push(subtype);
        self.bytes.extend_from_slice(bytes);
    }

    /// Fields as type, name, value: the order in which documents are compared.
    fn document(&mut self, kind: u8, document: DocView<'_>) {
        self.bytes.push(kind);
        for (name, value) in document.iter() {
            self.text(kind_of(value), name.as_bytes());
            self.value(value);
        }
        self.bytes.push(0);
    }

    fn array(&mut self, array: ArrayView<'_>) {
        self.bytes.push(ARRAY);
        for value in array.iter() {
            self.value(value);
        }
        self.bytes.push(0);
    }
}

fn double_bits(number: f64) -> u8 {
    if number == 0.0 && number.is_sign_negative() {
        BITS_NEGATIVE_ZERO
    } else if number.fract() == 0.0 && number.abs() < 9_223_372_036_854_775_808.0 {
        BITS_DOUBLE
    } else {
        BITS_NATURAL
    }
}

/// One byte for each rank of types, in their order.
fn kind_of(value: View<'_>) -> u8 {
    u8::try_from(i16::from(crate::value::canonical_type(value)) + 2).unwrap_or(u8::MAX)
}

/// A key of an index entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyRef<'a> {
    bytes: &'a [u8],
    bits: &'a [u8],
}

/// An index entry: a key and the record it leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The key.
    pub key: KeyRef<'a>,
    /// The record.
    pub id: RecordId,
}

impl<'a> KeyRef<'a> {
    pub(super) fn new(bytes: &'a [u8], bits: &'a [u8]) -> Self {
        Self { bytes, bits }
    }

    /// The bytes that order keys.
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The type bits.
    #[must_use]
    pub fn bits(self) -> &'a [u8] {
        self.bits
    }

    /// The values of all parts. Text of a collated index comes back as its sort key, bytes outside UTF-8 replaced.
    #[must_use]
    pub fn decode(self, order: KeyOrder) -> Vec<Bson> {
        self.read(order, false)
    }

    /// The values of all parts as messages show those of a collated index: of text the hexadecimal sort key.
    pub(super) fn decode_collated(self, order: KeyOrder) -> Vec<Bson> {
        self.read(order, true)
    }

    fn read(self, order: KeyOrder, collated: bool) -> Vec<Bson> {
        let mut reader = Reader { bytes: self.bytes, at: 0, mask: 0, collated };
        let mut bits = Reader { bytes: self.bits, at: 0, mask: 0, collated };
        let mut values = Vec::with_capacity(order.parts());
        for part in 0..order.parts() {
            if reader.at >= self.bytes.len() {
                break;
            }
            reader.mask = order.mask(part);
            values.push(reader.value(&mut bits));
        }
        values
    }

    /// The bytes of each part.
    pub fn parts(self, order: KeyOrder) -> impl Iterator<Item = &'a [u8]> {
        let mut reader = Reader { bytes: self.bytes, at: 0, mask: 0, collated: false };
        (0..order.parts()).map_while(move |part| {
            let start = reader.at;
            reader.mask = order.mask(part);
            (start < reader.bytes.len()).then(|| {
                reader.skip();
                &reader.bytes[start..reader.at]
            })
        })
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    mask: u8,
    /// Whether text is a sort key, to be shown in hexadecimal digits.
    collated: bool,
}

impl Reader<'_> {
    /// The next byte; zero behind the end, which is what trimmed type bits mean.
    fn next(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).map_or(0, |byte| byte ^ self.mask);
        self.at += 1;
        byte
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.next())
    }

    fn done(&self) -> bool {
        self.at >= self.bytes.len()
    }

    fn terminated(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        while !self.done() {
            match self.next() {
                0 => break,
                1 => text.push(self.next().saturating_sub(1)),
                byte => text.push(byte),
            }
        }
        text
    }

    fn text(&mut self) -> String {
        String::from_utf8(self.terminated()).unwrap_or_else(|odd| String::from_utf8_lossy(odd.as_bytes()).into_owned())
    }

    fn hexadecimal(&mut self) -> String {
        self.terminated().iter().fold(String::from("0x"), |mut digits, byte| {
            // Writing to a string cannot fail.
            let _ = write!(digits, "{byte:02x}");
            digits
        })
    }

    fn value(&mut self, bits: &mut Reader<'_>) -> Bson {
        match self.next() {
            MIN_KEY => Bson::MinKey,
            NULL => Bson::Null,
            MAX_KEY => Bson::MaxKey,
            FALSE => Bson::Boolean(false),
            TRUE => Bson::Boolean(true),
            STRING => self.string(bits),
            OBJECT => Bson::Document(self.document(bits)),
            ARRAY => self.array(bits),
            BINARY => self.binary(),
            OBJECT_ID => Bson::ObjectId(bson::oid::ObjectId::from_bytes(self.take())),
            DATE => {
                Bson::DateTime(bson::DateTime::from_millis((u64::from_be_bytes(self.take()) ^ (1 << 63)).cast_signed()))
            }
            TIMESTAMP => {
                let time = u32::from_be_bytes(self.take());
                Bson::Timestamp(bson::Timestamp { time, increment: u32::from_be_bytes(self.take()) })
            }
            REGEX => {
                let pattern = self.text();
                View::Regex { pattern: &pattern, options: &self.text() }.to_bson()
            }
            DB_POINTER => self.pointer(),
            CODE => Bson::JavaScriptCode(self.text()),
            CODE_WITH_SCOPE => {
                let code = self.text();
                self.next();
                Bson::JavaScriptCodeWithScope(bson::JavaScriptCodeWithScope { code, scope: self.document(bits) })
            }
            class if number::CLASSES.contains(&class) => self.number(class, bits),
            _ => Bson::Undefined,
        }
    }

    fn number(&mut self, class: u8, bits: &mut Reader<'_>) -> Bson {
        let number = number::read(class, || self.next());
        match (bits.next(), number) {
            (BITS_DECIMAL, _) => Bson::Decimal128(bson::Decimal128::from_bytes(bits.take())),
            (BITS_NEGATIVE_ZERO, _) => Bson::Double(-0.0),
            #[expect(clippy::cast_precision_loss, reason = "the bits say that the value was a double")]
            (BITS_DOUBLE, Number::Integer(number)) => Bson::Double(number as f64),
            // The one long whose magnitude no positive long has stands among the doubles.
            (BITS_LONG, Number::Double(_)) => Bson::Int64(i64::MIN),
            (_, Number::Double(number)) => Bson::Double(number),
            (BITS_LONG, Number::Integer(number)) => Bson::Int64(number),
            (_, Number::Integer(number)) => i32::try_from(number).map_or(Bson::Int64(number), Bson::Int32),
        }
    }

    fn string(&mut self, bits: &mut Reader<'_>) -> Bson {
        let text = if self.collated { self.hexadecimal() } else { self.text() };
        if bits.next() == BITS_SYMBOL { Bson::Symbol(text) } else { Bson::String(text) }
    }

    fn pointer(&mut self) -> Bson {
        let length = u32::from_be_bytes(self.take());
        let namespace: Vec<u8> = (0..length).map(|_| self.next()).collect();
        let id = bson::oid::ObjectId::from_bytes(self.take());
        View::DbPointer { namespace: &String::from_utf8_lossy(&namespace), id }.to_bson()
    }

    fn binary(&mut self) -> Bson {
        let length = u32::from_be_bytes(self.take());
        let subtype = self.next().into();
        Bson::Binary(bson::Binary { subtype, bytes: (0..length).map(|_| self.next()).collect() })
    }

    fn document(&mut self, bits: &mut Reader<'_>) -> bson::Document {
        let mut document = bson::Document::new();
        while !self.done() && self.next() != 0 {
            let name = self.text();
            document.insert(name, self.value(bits));
        }
        document
    }

    fn array(&mut self, bits: &mut Reader<'_>) -> Bson {
        let mut values = Vec::new();
        while !self.done() && self.bytes[self.at] != self.mask {
            values.push(self.value(bits));
        }
        self.at += 1;
        Bson::Array(values)
    }

    fn skip(&mut self) {
        match self.next() {
            STRING | CODE => self.skip_terminated(),
            REGEX => {
                self.skip_terminated();
                self.skip_terminated();
            }
            CODE_WITH_SCOPE => {
                self.skip_terminated();
                self.skip();
            }
            OBJECT => {
                while !self.done() && self.next() != 0 {
                    self.skip_terminated();
                    self.skip();
                }
            }
            ARRAY => {
                while !self.done() && self.bytes[self.at] != self.mask {
                    self.skip();
                }
                self.at += 1;
            }
            BINARY => self.at += 1 + u32::from_be_bytes(self.take()) as usize,
            OBJECT_ID => self.at += 12,
            DB_POINTER => self.at += 12 + u32::from_be_bytes(self.take()) as usize,
            DATE | TIMESTAMP => self.at += 8,
            class if number::CLASSES.contains(&class) => {
                number::read(class, || self.next());
            }
            _ => {}
        }
    }

    fn skip_terminated(&mut self) {
        while !self.done() && self.next() != 0 {}
    }
}
