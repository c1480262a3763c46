//! JavaScript values as BSON, numbers and field order as mongosh sends them, with the literals they came from.

use std::cell::RefCell;

use bson::oid::ObjectId;
use bson::spec::BinarySubtype;
use bson::{Binary, Bson, DateTime, Document, JavaScriptCodeWithScope, Timestamp};
use rquickjs::{Array, Atom, Error, Object, Result, Value};

use super::edit;
use super::tools::{Probe, Tools};
use crate::error::Step;
use crate::value;

/// A server refuses documents nested deeper than this (`BSONDepth::kDefaultMaxAllowableDepth` is 200).
const DEEPEST: usize = 200;

/// No array of a document can have more elements: with name and type each takes three bytes at least.
const LONGEST: usize = 10_000_000;

/// What a value takes beside its text.
pub(super) const VALUE_BYTES: usize = 64;

/// Which literal a value was written as, and its parts that are literals.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Origin {
    pub(super) literal: Option<u32>,
    pub(super) inside: Vec<(Step, Origin)>,
}

impl Origin {
    fn is_empty(&self) -> bool {
        self.literal.is_none() && self.inside.is_empty()
    }

    fn keep(&mut self, step: Step, part: Self) {
        if !part.is_empty() {
            self.inside.push((step, part));
        }
    }

    /// The origin of one part.
    pub(super) fn part(&self, step: &Step) -> Option<&Self> {
        self.inside.iter().find(|(known, _)| known == step).map(|(_, part)| part)
    }
}

/// Reads a value; `undefined`, functions and symbols have no BSON and give none.
pub(super) fn bson<'js>(tools: &Tools<'js>, value: &Value<'js>) -> Result<Option<(Bson, Origin)>> {
    Reader { tools, open: RefCell::default() }.value(value)
}

/// A number as mongosh sends it: a whole one within 32 bits is an int, any other a double; so is minus zero.
pub(super) fn number(number: f64) -> Bson {
    #[expect(clippy::cast_possible_truncation, reason = "compared with the number itself below")]
    let whole = number as i32;
    let same = f64::from(whole).to_bits() == number.to_bits();
    if same { Bson::Int32(whole) } else { Bson::Double(number) }
}

/// A JavaScript string as Rust text; half a surrogate pair becomes U+FFFD as in UTF-8 encoders.
pub(super) fn text(value: &Value<'_>) -> Result<String> {
    let Some(text) = value.as_string() else { return Ok(String::new()) };
    match text.to_string() {
        Err(Error::Utf8(_)) => {
            let formed: rquickjs::String = text.clone().into_value().as_string().cloned().map_or_else(
                || rquickjs::String::from_str(text.ctx().clone(), ""),
                |text| {
                    let make: rquickjs::Function = text.ctx().eval("(text) => text.toWellFormed()")?;
                    make.call((text,))
                },
            )?;
            formed.to_string()
        }
        other => other,
    }
}

/// How many elements an array says it has: up to 2³² − 1, more than the engine's own `len` can tell.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "lengths are whole and below 2^32")]
pub(super) fn length(array: &Array<'_>) -> Result<usize> {
    array.as_object().get::<_, f64>("length").map(|length| length as usize)
}

struct Reader<'a, 'js> {
    tools: &'a Tools<'js>,
    open: RefCell<Vec<Value<'js>>>,
}

impl<'js> Reader<'_, 'js> {
    fn refuse<T>(&self, message: &str) -> Result<T> {
        let error = self.tools.error("BSONError", message, None, None)?;
        Err(self.tools.ctx().throw(error))
    }

    fn value(&self, value: &Value<'js>) -> Result<Option<(Bson, Origin)>> {
        if let Some(plain) = plain(value)? {
            self.tools.count(VALUE_BYTES + if let Bson::String(text) = &plain { text.len() } else { 0 })?;
            return Ok(Some((plain, Origin::default())));
        }
        if value.is_undefined() || value.is_symbol() {
            return Ok(None);
        }
        if let Some(big) = value.as_big_int() {
            return Ok(Some((Bson::Int64(big.clone().to_i64()?), Origin::default())));
        }
        let Some(object) = value.as_object() else { return Ok(None) };
        self.tools.count(VALUE_BYTES)?;
        if self.open.borrow().contains(value) {
            return self.refuse("Cannot convert circular structure to BSON");
        }
        if self.open.borrow().len() > DEEPEST {
            return self.refuse("Cannot convert a value that is nested deeper than 200 levels to BSON");
        }
        self.open.borrow_mut().push(value.clone());
        let read = match self.tools.probe(object)? {
            Probe::Plain(literal) => self.plain(value, object, literal).map(Some),
            Probe::Kind(kind, data) => self.special(&kind, &data, object),
        };
        self.open.borrow_mut().pop();
        read
    }

    fn plain(&self, value: &Value<'js>, object: &Object<'js>, literal: Option<u32>) -> Result<(Bson, Origin)> {
        match value.as_array() {
            Some(array) => self.array(array, literal),
            None => self.document(object, literal),
        }
    }

    fn document(&self, object: &Object<'js>, literal: Option<u32>) -> Result<(Bson, Origin)> {
        let mut document = Document::new();
        let mut origin = Origin { literal, inside: Vec::new() };
        for field in object.own_props::<Atom<'js>, Value<'js>>(rquickjs::Filter::default()) {
            let (key, value) = field?;
            let key = text(&key.to_value()?)?;
            if key.contains('\0') {
                return self.refuse("key must not contain null bytes");
            }
            let (value, part) = self.value(&value)?.unwrap_or((Bson::Null, Origin::default()));
            origin.keep(Step::Field(key.clone()), part);
            document.insert(key, value);
        }
        Ok((Bson::Document(document), origin))
    }

    fn array(&self, array: &Array<'js>, literal: Option<u32>) -> Result<(Bson, Origin)> {
        let length = length(array)?;
        if length > LONGEST {
            return self.refuse("The array is too long for a document");
        }
        let mut values = Vec::with_capacity(length);
        let mut origin = Origin { literal, inside: Vec::new() };
        for at in 0..length {
            let (value, part) = self.value(&array.get(at)?)?.unwrap_or((Bson::Null, Origin::default()));
            origin.keep(Step::Index(at), part);
            values.push(value);
        }
        Ok((Bson::Array(values), origin))
    }

    fn special(&self, kind: &str, data: &Array<'js>, object: &Object<'js>) -> Result<Option<(Bson, Origin)>> {
        let leaf = |value: Bson| Ok(Some((value, Origin::default())));
        match kind {
            // mongosh asks the driver to store functions (`serializeFunctions`).
            "function" => match data.get::<Option<String>>(3)? {
                Some(key) => leaf(scalar(&key, data)?.unwrap_or(Bson::Null)),
                None => leaf(Bson::JavaScriptCode(edit::untagged(&data.get::<String>(2)?))),
            },
            "promise" => Ok(None),
            "cursor" => self.refuse("A cursor cannot be part of a document: call .toArray() on it first"),
            "collection" | "database" | "explainable" | "planCache" => {
                self.refuse(&format!("A {kind} object cannot be part of a document"))
            }
            "map" => self.map(data).map(Some),
            "set" => self.value(&data.get(1)?),
            "primitive" => self.value(&data.get(1)?),
            "instance" | "error" => self.document(object, None).map(Some),
            "code" => self.code(data),
            _ => leaf(scalar(kind, data)?.unwrap_or(Bson::Null)),
        }
    }

    fn map(&self, data: &Array<'js>) -> Result<(Bson, Origin)> {
        let (keys, values): (Array<'js>, Array<'js>) = (data.get(1)?, data.get(2)?);
        let mut document = Document::new();
        for at in 0..keys.len() {
            let key: rquickjs::Coerced<String> = keys.get(at)?;
            let value = self.value(&values.get(at)?)?.map_or(Bson::Null, |(value, _)| value);
            document.insert(key.0, value);
        }
        Ok((Bson::Document(document), Origin::default()))
    }

    fn code(&self, data: &Array<'js>) -> Result<Option<(Bson, Origin)>> {
        let parts: Array<'js> = data.get(1)?;
        let code: String = parts.get(0)?;
        let scope = self.value(&parts.get(1)?)?;
        let value = match scope {
            Some((Bson::Document(scope), _)) => Bson::JavaScriptCodeWithScope(JavaScriptCodeWithScope { code, scope }),
            _ => Bson::JavaScriptCode(code),
        };
        Ok(Some((value, Origin::default())))
    }
}

fn plain(value: &Value<'_>) -> Result<Option<Bson>> {
    Ok(if let Some(whole) = value.as_int() {
        Some(Bson::Int32(whole))
    } else if let Some(float) = value.as_float() {
        Some(number(float))
    } else if let Some(truth) = value.as_bool() {
        Some(Bson::Boolean(truth))
    } else if value.is_null() {
        Some(Bson::Null)
    } else if value.is_string() {
        Some(Bson::String(text(value)?))
    } else {
        None
    })
}

/// A value of a BSON type of its own, from its kind and data.
pub(super) fn scalar(kind: &str, data: &Array<'_>) -> Result<Option<Bson>> {
    Ok(Some(match kind {
        "oid" => ObjectId::parse_str(data.get::<String>(1)?).map_or(Bson::Null, Bson::ObjectId),
        "long" => Bson::Int64(data.get::<Value<'_>>(1)?.as_big_int().cloned().map_or(Ok(0), rquickjs::BigInt::to_i64)?),
        "int" => Bson::Int32(data.get(1)?),
        "double" => Bson::Double(data.get(1)?),
        "decimal" => data.get::<String>(1)?.parse().map_or(Bson::Null, Bson::Decimal128),
        "bin" => binary(&data.get(1)?)?,
        "ts" => {
            let parts: Array<'_> = data.get(1)?;
            Bson::Timestamp(Timestamp { time: unsigned(parts.get(0)?), increment: unsigned(parts.get(1)?) })
        }
        "min" => Bson::MinKey,
        "max" => Bson::MaxKey,
        "symbol" => Bson::Symbol(data.get(1)?),
        "regex" => {
            let parts: Array<'_> = data.get(1)?;
            regex(&parts.get::<String>(0)?, &parts.get::<String>(1)?)
        }
        "regexp" => regex(&data.get::<String>(1)?, &flags(&data.get::<String>(2)?)),
        "date" => Bson::DateTime(DateTime::from_millis(millis(data.get(1)?))),
        _ => return Ok(None),
    }))
}

fn binary(parts: &Array<'_>) -> Result<Bson> {
    let subtype = BinarySubtype::from(u8::try_from(parts.get::<i32>(0)?).unwrap_or_default());
    let base64: String = parts.get(1)?;
    Ok(Binary::from_base64(base64, subtype).map_or(Bson::Null, Bson::Binary))
}

fn regex(pattern: &str, options: &str) -> Bson {
    value::regex(pattern, options).map_or_else(|| Bson::String(pattern.to_owned()), Bson::RegularExpression)
}

/// JavaScript's flags as BSON's options: the driver writes `g` as `s`.
fn flags(flags: &str) -> String {
    let mut options: Vec<char> = flags
        .chars()
        .filter_map(|flag| match flag {
            'i' | 'm' | 's' => Some(flag),
            'g' => Some('s'),
            _ => None,
        })
        .collect();
    options.sort_unstable();
    options.dedup();
    options.into_iter().collect()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the prelude keeps these within 32 bits")]
fn unsigned(number: f64) -> u32 {
    number as u32
}

/// An invalid date is NaN and is stored as the epoch.
#[expect(clippy::cast_possible_truncation, reason = "JavaScript dates end at 8.64e15")]
fn millis(number: f64) -> i64 {
    number as i64
}
