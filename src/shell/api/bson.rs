//! Constructors of BSON values and Extended JSON.

use bson::oid::ObjectId;
use bson::spec::BinarySubtype;
use bson::{Binary, Bson, DateTime, Decimal128};
use rquickjs::BigInt;

use super::args::{Given, whole};
use super::{Answer, Outcome, Refusal};
use crate::shell::inspect::hex as hex_text;
use crate::shell::read;
use crate::shell::session::Session;
use crate::value::{JsonMode, View, base64, exact_long, from_json, to_json};

fn refuse<T>(message: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Misuse("BSONError", message.into()))
}

pub(super) fn call<'js>(session: &mut Session, given: &mut Given<'_, 'js>, op: &str) -> Outcome<'js> {
    match op {
        "bson.oid" => object_id(session, given),
        "bson.oidAt" => Ok(object_id_at(given)),
        "bson.long" => long(given),
        "bson.decimal" => decimal(given),
        "bson.timestamp" => timestamp(given),
        "bson.binary" | "bson.binData" | "bson.hexData" | "bson.md5" | "bson.uuid" => binary(session, given, op),
        "ejson.stringify" => Ok(stringify(given)),
        "ejson.parse" => parse(given),
        "ejson.serialize" => {
            Ok(Answer::Bson(plain_json(&to_json(given.value(0).unwrap_or(&Bson::Null), mode(given, 1)))))
        }
        "ejson.deserialize" => {
            let json = to_json(given.value(0).unwrap_or(&Bson::Null), JsonMode::Relaxed);
            from_json(&json).map(Answer::Bson).or_else(refuse)
        }
        "bson.bytes" => bytes_text(given),
        "bson.length" => Ok(Answer::Bson(whole_number(decoded(given.value(0))?.len()))),
        _ => refuse(format!("{op} is not there")),
    }
}

/// `{relaxed: false}` in the last argument asks for canonical JSON.
fn mode(given: &Given<'_, '_>, from: usize) -> JsonMode {
    let canonical =
        |value: &Bson| value.as_document().and_then(|options| options.get_bool("relaxed").ok()) == Some(false);
    if (from..given.len()).any(|at| given.value(at).is_some_and(canonical)) {
        JsonMode::Canonical
    } else {
        JsonMode::Relaxed
    }
}

/// JavaScript writes a whole number without a point, and minus zero as zero.
fn without_points(json: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match json {
        Value::Number(number) if number.is_f64() => {
            let whole = number.as_f64().and_then(|number| exact_long(View::Double(number)));
            whole.map_or(Value::Number(number), Value::from)
        }
        Value::Array(list) => list.into_iter().map(without_points).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, without_points(value))).collect(),
        other => other,
    }
}

/// A whole number of JavaScript beyond 32 bits is a long in canonical JSON (js-bson, `serializeValue`).
fn with_longs(value: &Bson) -> Bson {
    match value {
        Bson::Double(_) => exact_long(value.into()).map_or_else(|| value.clone(), Bson::Int64),
        Bson::Array(list) => list.iter().map(with_longs).collect::<Vec<_>>().into(),
        Bson::Document(fields) => {
            Bson::Document(fields.iter().map(|(name, value)| (name.clone(), with_longs(value))).collect())
        }
        other => other.clone(),
    }
}

/// `EJSON.stringify(value, replacer?, space?, options?)`; a replacer is not looked at.
fn stringify<'js>(given: &Given<'_, 'js>) -> Answer<'js> {
    let value = given.value(0).unwrap_or(&Bson::Null);
    let json = match mode(given, 1) {
        JsonMode::Relaxed => without_points(to_json(value, JsonMode::Relaxed)),
        JsonMode::Canonical => to_json(&with_longs(value), JsonMode::Canonical),
    };
    let indent = (1..given.len()).find_map(|at| given.value(at).and_then(whole)).unwrap_or_default().clamp(0, 10);
    let indent = usize::try_from(indent).unwrap_or_default();
    Answer::Bson(Bson::String(if indent == 0 { json.to_string() } else { indented(&json, indent) }))
}

fn indented(json: &serde_json::Value, indent: usize) -> String {
    let spaces = " ".repeat(indent);
    let mut out = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(spaces.as_bytes());
    let mut writer = serde_json::Serializer::with_formatter(&mut out, formatter);
    match serde::Serialize::serialize(json, &mut writer) {
        Ok(()) => String::from_utf8(out).unwrap_or_default(),
        Err(_) => json.to_string(),
    }
}

fn parse<'js>(given: &Given<'_, 'js>) -> Outcome<'js> {
    let Some(Bson::String(text)) = given.value(0) else { return refuse("EJSON.parse takes a text") };
    let json: serde_json::Value = match serde_json::from_str(text) {
        Ok(json) => json,
        Err(error) => return Err(Refusal::Misuse("SyntaxError", format!("Unexpected text in JSON: {error}"))),
    };
    let value = from_json(&json).or_else(refuse)?;
    Ok(Answer::Bson(if mode(given, 1) == JsonMode::Canonical { value } else { relaxed(value) }))
}

/// Numbers as the numbers of JavaScript, which is what the driver makes of them unless `{relaxed: false}` is given.
fn relaxed(value: Bson) -> Bson {
    match value {
        #[expect(clippy::cast_precision_loss, reason = "the driver calls toNumber, which rounds")]
        Bson::Int64(number) => read::number(number as f64),
        Bson::Double(number) => read::number(number),
        Bson::Array(values) => Bson::Array(values.into_iter().map(relaxed).collect()),
        Bson::Document(fields) => {
            Bson::Document(fields.into_iter().map(|(name, value)| (name, relaxed(value))).collect())
        }
        other => other,
    }
}

/// JSON as plain values: its wrappers stay documents.
fn plain_json(json: &serde_json::Value) -> Bson {
    match json {
        serde_json::Value::Null => Bson::Null,
        serde_json::Value::Bool(truth) => Bson::Boolean(*truth),
        serde_json::Value::Number(number) => read::number(number.as_f64().unwrap_or_default()),
        serde_json::Value::String(text) => Bson::String(text.clone()),
        serde_json::Value::Array(values) => Bson::Array(values.iter().map(plain_json).collect()),
        serde_json::Value::Object(fields) => {
            Bson::Document(fields.iter().map(|(name, value)| (name.clone(), plain_json(value))).collect())
        }
    }
}

fn whole_number(number: usize) -> Bson {
    Bson::Int32(i32::try_from(number).unwrap_or(i32::MAX))
}

fn object_id<'js>(session: &mut Session, given: &Given<'_, 'js>) -> Outcome<'js> {
    let id = match given.value(0) {
        None => session.backend.borrow_mut().source().object_id(),
        Some(Bson::ObjectId(id)) => *id,
        Some(Bson::String(hex)) if hex.len() == 24 => match ObjectId::parse_str(hex) {
            Ok(id) => id,
            Err(_) => return bad_object_id(),
        },
        Some(Bson::Int32(seconds)) => at_second(i64::from(*seconds)),
        Some(_) => return bad_object_id(),
    };
    Ok(Answer::Bson(Bson::String(id.to_hex())))
}

fn bad_object_id<T>() -> Result<T, Refusal> {
    refuse("input must be a 24 character hex string, 12 byte Uint8Array, or an integer")
}

fn at_second(seconds: i64) -> ObjectId {
    let mut bytes = [0; 12];
    bytes[..4].copy_from_slice(&u32::try_from(seconds).unwrap_or_default().to_be_bytes());
    ObjectId::from_bytes(bytes)
}

fn object_id_at<'js>(given: &Given<'_, 'js>) -> Answer<'js> {
    let seconds = given.value(0).and_then(whole).unwrap_or_default();
    Answer::Bson(Bson::String(at_second(seconds).to_hex()))
}

/// A long as a `BigInt`, from a number, a text or a long.
fn long<'js>(given: &Given<'_, 'js>) -> Outcome<'js> {
    let number = match given.value(0) {
        None => 0,
        Some(Bson::String(text)) => match text.trim().parse() {
            Ok(number) => number,
            Err(_) => return refuse(format!("Long: \"{text}\" is not a 64-bit integer")),
        },
        #[expect(clippy::cast_possible_truncation, reason = "the driver cuts the fraction and clamps")]
        Some(Bson::Double(number)) => *number as i64,
        Some(value) => match whole(value) {
            Some(number) => number,
            None => return refuse("Long takes a number or a text of digits"),
        },
    };
    Ok(Answer::Value(BigInt::from_i64(given.call.tools.ctx().clone(), number)?.into_value()))
}

fn decimal<'js>(given: &Given<'_, 'js>) -> Outcome<'js> {
    let text = match given.value(0) {
        None => "0".to_owned(),
        Some(Bson::String(text)) => text.clone(),
        Some(Bson::Int32(number)) => number.to_string(),
        Some(Bson::Int64(number)) => number.to_string(),
        Some(Bson::Double(number)) => number.to_string(),
        Some(Bson::Decimal128(number)) => number.to_string(),
        Some(_) => return refuse("Decimal128 takes a text such as \"9.99\""),
    };
    match text.parse::<Decimal128>() {
        Ok(number) => Ok(Answer::Bson(Bson::String(number.to_string()))),
        Err(_) => refuse(format!("\"{text}\" is not a valid Decimal128 string")),
    }
}

fn timestamp<'js>(given: &Given<'_, 'js>) -> Outcome<'js> {
    let part = |value: Option<&Bson>| value.and_then(whole).and_then(|number| u32::try_from(number).ok());
    let (time, increment) = match given.value(0) {
        None => (0, 0),
        Some(Bson::Document(parts)) => match (part(parts.get("t")), part(parts.get("i"))) {
            (Some(time), Some(increment)) => (time, increment),
            _ => return refuse("Timestamp constructed from { t, i } must provide t and i as unsigned 32-bit integers"),
        },
        Some(Bson::Int64(bits)) => {
            let bits = bits.cast_unsigned();
            (u32::try_from(bits >> 32).unwrap_or_default(), u32::try_from(bits & 0xFFFF_FFFF).unwrap_or_default())
        }
        Some(Bson::Timestamp(stamp)) => (stamp.time, stamp.increment),
        time => (part(time).unwrap_or_default(), part(given.value(1)).unwrap_or_default()),
    };
    let array = rquickjs::Array::new(given.call.tools.ctx().clone())?;
    array.set(0, f64::from(time))?;
    array.set(1, f64::from(increment))?;
    Ok(Answer::Value(array.into_value()))
}

fn decoded(value: Option<&Bson>) -> Result<Vec<u8>, Refusal> {
    let text = value.and_then(Bson::as_str).unwrap_or_default();
    match Binary::from_base64(text, BinarySubtype::Generic) {
        Ok(binary) => Ok(binary.bytes),
        Err(_) => refuse(format!("\"{text}\" is not base64")),
    }
}

fn hex(text: &str) -> Result<Vec<u8>, Refusal> {
    let byte = |at: usize| text.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(byte).collect();
    match bytes {
        Some(bytes) => Ok(bytes),
        None => refuse(format!("\"{text}\" is not hexadecimal")),
    }
}

fn binary<'js>(session: &mut Session, given: &Given<'_, 'js>, op: &str) -> Outcome<'js> {
    let text = |at: usize| given.value(at).and_then(Bson::as_str).unwrap_or_default().to_owned();
    let subtype = |at: usize| given.value(at).and_then(whole).and_then(|number| u8::try_from(number).ok());
    let (subtype, bytes) = match op {
        "bson.binary" => match given.value(0) {
            Some(Bson::Binary(binary)) => (binary.subtype.into(), binary.bytes.clone()),
            _ => (subtype(1).unwrap_or(0), text(0).into_bytes()),
        },
        "bson.hexData" => (subtype(0).unwrap_or(0), hex(&text(1))?),
        "bson.md5" => (5, hex(&text(0))?),
        "bson.uuid" => (4, uuid(session, given.value(0))?),
        _ => match subtype(0) {
            Some(subtype) => (subtype, decoded(given.value(1))?),
            None => return refuse("BinData takes a subtype and base64 text"),
        },
    };
    let parts = rquickjs::Array::new(given.call.tools.ctx().clone())?;
    parts.set(0, i32::from(subtype))?;
    parts.set(1, base64(&bytes))?;
    Ok(Answer::Value(parts.into_value()))
}

/// The bytes of a UUID: those of a text, or random ones of version 4.
fn uuid(session: &mut Session, value: Option<&Bson>) -> Result<Vec<u8>, Refusal> {
    if let Some(Bson::Binary(binary)) = value {
        return Ok(binary.bytes.clone());
    }
    if let Some(text) = value.and_then(Bson::as_str) {
        let digits: String = text.chars().filter(|letter| *letter != '-').collect();
        let bytes = hex(&digits)?;
        return if bytes.len() == 16 {
            Ok(bytes)
        } else {
            refuse("UUID string representations must be a 32 or 36 character hex string")
        };
    }
    let mut backend = session.backend.borrow_mut();
    let source = backend.source();
    let mut bytes = [source.next_u64().to_be_bytes(), source.next_u64().to_be_bytes()].concat();
    bytes[6] = bytes[6] & 0x0F | 0x40;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    Ok(bytes)
}

fn bytes_text<'js>(given: &Given<'_, 'js>) -> Outcome<'js> {
    let bytes = decoded(given.value(0))?;
    let text = match given.value(1).and_then(Bson::as_str) {
        Some("hex") => hex_text(&bytes),
        Some("base64") => base64(&bytes),
        _ => String::from_utf8_lossy(&bytes).into_owned(),
    };
    Ok(Answer::Bson(Bson::String(text)))
}

/// `ISODate("…")` as milliseconds.
pub(super) fn iso_date<'js>(given: &Given<'_, 'js>) -> Outcome<'js> {
    let millis = match given.value(0) {
        Some(Bson::DateTime(date)) => Some(date.timestamp_millis()),
        Some(Bson::String(text)) => parse_iso(text),
        Some(value) => whole(value),
        None => None,
    };
    let Some(millis) = millis else {
        let shown = given.value(0).map_or_else(|| "undefined".to_owned(), ToString::to_string);
        return Err(Refusal::Misuse("Error", format!("{shown} is not a valid ISODate")));
    };
    #[expect(clippy::cast_precision_loss, reason = "JavaScript dates are doubles")]
    let millis = millis as f64;
    Ok(Answer::Bson(Bson::Double(millis)))
}

/// `YYYY-MM-DD`, with a time, a fraction and a zone if wanted; also the compact `YYYYMMDDTHHMMSS`.
fn parse_iso(text: &str) -> Option<i64> {
    let text = text.trim();
    let (date, time) = text.split_once(['T', ' ', 't']).unwrap_or((text, ""));
    let digits = date.replace('-', "");
    if digits.len() != 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let at = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(at);
    let zone = if zone.is_empty() { "Z".to_owned() } else { zone_text(zone)? };
    let clock = clock_text(clock)?;
    let full = format!("{}-{}-{}T{clock}{zone}", &digits[..4], &digits[4..6], &digits[6..]);
    DateTime::parse_rfc3339_str(full).ok().map(DateTime::timestamp_millis)
}

fn clock_text(clock: &str) -> Option<String> {
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let digits = whole.replace(':', "");
    let padded = format!("{digits:0<6}");
    let fraction = if fraction.is_empty() { "0" } else { fraction };
    (padded.len() == 6 && digits.len() % 2 == 0)
        .then(|| format!("{}:{}:{}.{fraction}", &padded[..2], &padded[2..4], &padded[4..]))
}

fn zone_text(zone: &str) -> Option<String> {
    if zone.eq_ignore_ascii_case("z") {
        return Some("Z".to_owned());
    }
    let digits = zone[1..].replace(':', "");
    let padded = format!("{digits:0<4}");
    (padded.len() == 4).then(|| format!("{}{}:{}", &zone[..1], &padded[..2], &padded[2..]))
}
