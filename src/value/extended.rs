//! Extended JSON v2 (specification `extended-json`): BSON values as JSON text and back, relaxed and canonical.

use bson::oid::ObjectId;
use bson::spec::BinarySubtype;
use bson::{Binary, Bson, DateTime, Document, JavaScriptCodeWithScope, Regex, Timestamp};
use serde_json::{Map, Value, json};

use super::number::whole;

/// How much of a value's type is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JsonMode {
    /// Numbers and ordinary dates are written plainly.
    #[default]
    Relaxed,
    /// Every value carries its type.
    Canonical,
}

/// Writes a value as Extended JSON.
#[must_use]
pub fn to_json(value: &Bson, mode: JsonMode) -> Value {
    match value {
        Bson::Double(number) => double(*number, mode),
        Bson::Int32(number) => plain(mode, || json!(number), "$numberInt", number),
        Bson::Int64(number) => plain(mode, || json!(number), "$numberLong", number),
        Bson::String(text) => json!(text),
        Bson::Boolean(truth) => json!(truth),
        Bson::Null => Value::Null,
        Bson::Array(values) => values.iter().map(|value| to_json(value, mode)).collect(),
        Bson::Document(document) => document_to_json(document, mode),
        Bson::DateTime(date) => date_to_json(*date, mode),
        Bson::ObjectId(id) => json!({ "$oid": id.to_hex() }),
        Bson::Decimal128(number) => json!({ "$numberDecimal": number.to_string() }),
        Bson::RegularExpression(regex) => {
            json!({ "$regularExpression": { "pattern": regex.pattern.as_str(), "options": regex.options.as_str() } })
        }
        Bson::Binary(binary) => {
            let subtype = u8::from(binary.subtype);
            json!({ "$binary": { "base64": base64(&binary.bytes), "subType": format!("{subtype:02x}") } })
        }
        Bson::Timestamp(stamp) => json!({ "$timestamp": { "t": stamp.time, "i": stamp.increment } }),
        Bson::JavaScriptCode(code) => json!({ "$code": code }),
        Bson::JavaScriptCodeWithScope(code) => {
            json!({ "$code": code.code, "$scope": document_to_json(&code.scope, mode) })
        }
        Bson::Symbol(text) => json!({ "$symbol": text }),
        Bson::Undefined => json!({ "$undefined": true }),
        Bson::MinKey => json!({ "$minKey": 1 }),
        Bson::MaxKey => json!({ "$maxKey": 1 }),
        Bson::DbPointer(_) => pointer_to_json(value),
    }
}

/// The parts of a pointer are read from its bytes: a tree keeps them to itself.
fn pointer_to_json(value: &Bson) -> Value {
    let alone = super::encode([("", value)].into_iter()).document;
    match super::DocView::from(&alone).get("") {
        Some(super::View::DbPointer { namespace, id }) => {
            json!({ "$dbPointer": { "$ref": namespace, "$id": { "$oid": id.to_hex() } } })
        }
        _ => Value::Null,
    }
}

fn document_to_json(document: &Document, mode: JsonMode) -> Value {
    Value::Object(document.iter().map(|(name, value)| (name.clone(), to_json(value, mode))).collect())
}

fn plain(mode: JsonMode, relaxed: impl Fn() -> Value, tag: &str, number: &impl ToString) -> Value {
    match mode {
        JsonMode::Relaxed => relaxed(),
        JsonMode::Canonical => json!({ tag: number.to_string() }),
    }
}

/// A double keeps its point, so that it reads back as a double.
fn double(number: f64, mode: JsonMode) -> Value {
    let text = if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else if mode == JsonMode::Relaxed {
        return json!(number);
    } else {
        json!(number).to_string()
    };
    json!({ "$numberDouble": text })
}

/// Relaxed dates are ISO texts between the years 1970 and 9999.
fn date_to_json(date: DateTime, mode: JsonMode) -> Value {
    let millis = date.timestamp_millis();
    match date.try_to_rfc3339_string() {
        Ok(text) if mode == JsonMode::Relaxed && (0..=253_402_300_799_999).contains(&millis) => {
            json!({ "$date": text })
        }
        _ => json!({ "$date": { "$numberLong": millis.to_string() } }),
    }
}

/// Bytes as base64.
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().enumerate().fold(0_u32, |word, (at, byte)| word | u32::from(*byte) << (16 - 8 * at));
        for at in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * at) & 63) as usize];
            out.push(if at <= chunk.len() { letter.into() } else { '=' });
        }
    }
    out
}

/// Reads Extended JSON, relaxed, canonical or mixed; whole numbers become an int, a long or, beyond that, a double.
///
/// # Errors
/// The sentence that says which `$`-wrapper does not hold what it has to.
pub fn from_json(value: &Value) -> Result<Bson, String> {
    match value {
        Value::Null => Ok(Bson::Null),
        Value::Bool(truth) => Ok(Bson::Boolean(*truth)),
        Value::Number(number) => Ok(number_from_json(number)),
        Value::String(text) => Ok(Bson::String(text.clone())),
        Value::Array(values) => values.iter().map(from_json).collect::<Result<Vec<_>, _>>().map(Bson::Array),
        Value::Object(fields) => object_from_json(fields),
    }
}

fn number_from_json(number: &serde_json::Number) -> Bson {
    match number.as_i64() {
        Some(number) => whole(number),
        None => Bson::Double(number.as_f64().unwrap_or(f64::NAN)),
    }
}

fn object_from_json(fields: &Map<String, Value>) -> Result<Bson, String> {
    if let Some(tag) = fields.keys().next()
        && WRAPPERS.contains(&tag.as_str())
    {
        return wrapped(tag, fields)
            .ok_or_else(|| format!("{tag} does not hold what Extended JSON asks for: {}", json!(fields)));
    }
    let read = |(name, value): (&String, &Value)| from_json(value).map(|value| (name.clone(), value));
    fields.iter().map(read).collect::<Result<Document, _>>().map(Bson::Document)
}

/// The names that make a value of a document; others with a dollar sign (`$gt`, `$ref` …) are plain fields.
const WRAPPERS: [&str; 16] = [
    "$oid",
    "$numberInt",
    "$numberLong",
    "$numberDouble",
    "$numberDecimal",
    "$date",
    "$binary",
    "$uuid",
    "$timestamp",
    "$regularExpression",
    "$code",
    "$symbol",
    "$undefined",
    "$minKey",
    "$maxKey",
    "$dbPointer",
];

/// A wrapper's value; none for a wrong content.
fn wrapped(tag: &str, fields: &Map<String, Value>) -> Option<Bson> {
    let value = &fields[tag];
    let text = value.as_str();
    match tag {
        "$oid" => text.and_then(|text| ObjectId::parse_str(text).ok()).map(Bson::ObjectId),
        "$numberInt" => text.and_then(|text| text.parse().ok()).map(Bson::Int32),
        "$numberLong" => text.and_then(|text| text.parse().ok()).map(Bson::Int64),
        "$numberDouble" => text.and_then(double_from_text).map(Bson::Double),
        "$numberDecimal" => text.and_then(|text| text.parse().ok()).map(Bson::Decimal128),
        "$date" => date_from_json(value).map(Bson::DateTime),
        "$binary" => binary_from_json(value).map(Bson::Binary),
        "$uuid" => text.and_then(uuid_from_text).map(Bson::Binary),
        "$timestamp" => timestamp_from_json(value).map(Bson::Timestamp),
        "$regularExpression" => regex_from_json(value).map(Bson::RegularExpression),
        "$code" => code_from_json(text, fields.get("$scope")),
        "$symbol" => text.map(|text| Bson::Symbol(text.to_owned())),
        "$undefined" => value.as_bool().filter(|truth| *truth).map(|_| Bson::Undefined),
        "$minKey" => value.as_i64().filter(|one| *one == 1).map(|_| Bson::MinKey),
        "$maxKey" => value.as_i64().filter(|one| *one == 1).map(|_| Bson::MaxKey),
        _ => None,
    }
}

fn double_from_text(text: &str) -> Option<f64> {
    match text {
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        "NaN" => Some(f64::NAN),
        _ => text.parse().ok(),
    }
}

fn date_from_json(value: &Value) -> Option<DateTime> {
    match value {
        Value::String(text) => DateTime::parse_rfc3339_str(text).ok(),
        Value::Number(number) => number.as_i64().map(DateTime::from_millis),
        Value::Object(fields) => fields.get("$numberLong")?.as_str()?.parse().ok().map(DateTime::from_millis),
        _ => None,
    }
}

fn binary_from_json(value: &Value) -> Option<Binary> {
    let subtype = u8::from_str_radix(value.get("subType")?.as_str()?, 16).ok()?;
    Binary::from_base64(value.get("base64")?.as_str()?, BinarySubtype::from(subtype)).ok()
}

fn uuid_from_text(text: &str) -> Option<Binary> {
    let digits: String = text.chars().filter(|letter| *letter != '-').collect();
    let byte = |at: usize| digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    let bytes: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect::<Option<_>>()?;
    (bytes.len() == 16).then_some(Binary { subtype: BinarySubtype::Uuid, bytes })
}

fn timestamp_from_json(value: &Value) -> Option<Timestamp> {
    let part = |name: &str| value.get(name)?.as_u64().and_then(|number| u32::try_from(number).ok());
    Some(Timestamp { time: part("t")?, increment: part("i")? })
}

fn regex_from_json(value: &Value) -> Option<Regex> {
    regex(value.get("pattern")?.as_str()?, value.get("options").map_or(Some(""), Value::as_str)?)
}

/// A regular expression with its options sorted, as BSON wants them; none where either holds a NUL.
#[must_use]
pub fn regex(pattern: &str, options: &str) -> Option<Regex> {
    let mut options: Vec<char> = options.chars().collect();
    options.sort_unstable();
    options.dedup();
    let options: String = options.into_iter().collect();
    Some(Regex { pattern: pattern.try_into().ok()?, options: options.try_into().ok()? })
}

fn code_from_json(code: Option<&str>, scope: Option<&Value>) -> Option<Bson> {
    let code = code?.to_owned();
    match scope.map(from_json) {
        None => Some(Bson::JavaScriptCode(code)),
        Some(Ok(Bson::Document(scope))) => Some(Bson::JavaScriptCodeWithScope(JavaScriptCodeWithScope { code, scope })),
        Some(_) => None,
    }
}
