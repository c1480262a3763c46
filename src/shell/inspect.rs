//! Values as mongosh prints them: Node's `util.inspect` with mongosh's settings and its writing of BSON types.
//!
//! The layout rules are Node's (`lib/internal/util/inspect.js`: `reduceToSingleString`, `groupArrayElements`,
//! `formatPrimitive`, `strEscape`): up to three inner levels go on one line while they fit, arrays of more than six short
//! elements are set in columns.

use std::fmt::Write as _;

use bson::spec::BinarySubtype;
use bson::{Binary, Bson};

use super::tree::Tree;
use crate::value::base64;
use crate::value::calendar::iso_text;

/// How values are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// ANSI colours.
    pub colors: bool,
    /// Levels beyond which `[Object]` and `[Array]` stand; none prints all.
    pub depth: Option<usize>,
    /// Elements beyond which `... n more items` stands; none prints all.
    pub items: Option<usize>,
    /// Characters beyond which `... n more characters` stands; none prints all.
    pub characters: Option<usize>,
}

impl Style {
    /// mongosh's settings for a value.
    #[must_use]
    pub fn value(colors: bool) -> Self {
        Self { colors, depth: Some(6), items: Some(100), characters: Some(10_000) }
    }

    /// mongosh's settings for documents of a cursor and for explain output: nothing is cut.
    #[must_use]
    pub fn whole(colors: bool) -> Self {
        Self { colors, depth: None, items: None, characters: None }
    }
}

/// Line width that Node keeps to.
const BREAK: usize = 80;
/// Inner levels that may share a line.
const COMPACT: usize = 3;

/// Prints a value.
#[must_use]
pub fn inspect(tree: &Tree, style: Style) -> String {
    Printer { style, indent: 0, deepest: 0 }.print(tree, 0)
}

struct Printer {
    style: Style,
    indent: usize,
    /// The level of the container that was printed last; a container holding too many levels is broken up.
    deepest: usize,
}

#[derive(Clone, Copy)]
enum Color {
    Yellow,
    Green,
    Grey,
    Bold,
    Red,
    Cyan,
}

impl Color {
    fn codes(self) -> (u8, u8) {
        match self {
            Self::Yellow => (33, 39),
            Self::Green => (32, 39),
            Self::Grey => (90, 39),
            Self::Bold => (1, 22),
            Self::Red => (31, 39),
            Self::Cyan => (36, 39),
        }
    }
}

impl Printer {
    fn paint(&self, text: &str, color: Color) -> String {
        if !self.style.colors {
            return text.to_owned();
        }
        let (on, off) = color.codes();
        format!("\u{1b}[{on}m{text}\u{1b}[{off}m")
    }

    fn print(&mut self, tree: &Tree, level: usize) -> String {
        match tree {
            Tree::Leaf(value) => self.leaf(value),
            Tree::Typed { text, .. } => text.clone(),
            Tree::Word(word) if word == "undefined" => self.paint(word, Color::Grey),
            Tree::Word(word) if word.starts_with('[') => self.paint(word, Color::Cyan),
            Tree::Word(word) => word.clone(),
            Tree::Object { class, fields } => self.object(class, fields, level),
            Tree::List { class, items } => self.list(class, items, level),
            Tree::Map(pairs) => self.map(pairs, level),
        }
    }

    fn too_deep(&self, level: usize, name: &str) -> Option<String> {
        let cut = self.style.depth.is_some_and(|depth| level > depth);
        cut.then(|| self.paint(&format!("[{name}]"), Color::Cyan))
    }

    fn object(&mut self, class: &str, fields: &[(String, Tree)], level: usize) -> String {
        let name = if class.is_empty() { "Object" } else { class };
        if let Some(cut) = self.too_deep(level, name) {
            return cut;
        }
        let open = if class.is_empty() { "{".to_owned() } else { format!("{class} {{") };
        if fields.is_empty() {
            return format!("{open}}}");
        }
        self.deepest = level;
        let mut parts = Vec::with_capacity(fields.len());
        for (key, value) in fields {
            self.indent += 2;
            let value = self.print(value, level + 1);
            self.indent -= 2;
            parts.push(format!("{}: {value}", self.key(key)));
        }
        self.join(parts, (&open, "}"), level, None)
    }

    fn key(&self, key: &str) -> String {
        let mut letters = key.chars();
        let start = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
        if start && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
            return key.to_owned();
        }
        self.paint(&quote(key), Color::Green)
    }

    fn list(&mut self, class: &str, items: &[Tree], level: usize) -> String {
        if let Some(cut) = self.too_deep(level, "Array") {
            return cut;
        }
        let braces = if class.is_empty() { ("[".to_owned(), "]") } else { (format!("{class} {{"), "}") };
        if items.is_empty() {
            return format!("{}{}", braces.0, braces.1);
        }
        self.deepest = level;
        let shown = self.style.items.map_or(items.len(), |most| most.min(items.len()));
        self.indent += 2;
        let mut parts: Vec<String> = items[..shown].iter().map(|item| self.print(item, level + 1)).collect();
        self.indent -= 2;
        let more = items.len() - shown;
        if more > 0 {
            parts.push(format!("... {more} more item{}", if more > 1 { "s" } else { "" }));
        }
        let grouping = class.is_empty().then(|| Grouping { more: more > 0, numbers: items.iter().all(is_number) });
        self.join(parts, (&braces.0, braces.1), level, grouping)
    }

    fn map(&mut self, pairs: &[(Tree, Tree)], level: usize) -> String {
        if let Some(cut) = self.too_deep(level, "Map") {
            return cut;
        }
        let open = format!("Map({}) {{", pairs.len());
        if pairs.is_empty() {
            return format!("{open}}}");
        }
        self.deepest = level;
        self.indent += 2;
        let pair =
            |(key, value): &(Tree, Tree)| format!("{} => {}", self.print(key, level + 1), self.print(value, level + 1));
        let parts = pairs.iter().map(pair).collect();
        self.indent -= 2;
        self.join(parts, (&open, "}"), level, None)
    }

    /// On one line where the levels and the width allow it, else one part a line.
    fn join(
        &self,
        parts: Vec<String>,
        (open, close): (&str, &str),
        level: usize,
        grouping: Option<Grouping>,
    ) -> String {
        let count = parts.len();
        let parts = match grouping {
            Some(grouping) if count > 6 => self.columns(parts, grouping),
            _ => parts,
        };
        let brace = open.rsplit(' ').next().unwrap_or(open).len();
        if self.deepest - level < COMPACT && count == parts.len() {
            let start = parts.len() + self.indent + brace + (open.len() - brace) + 10;
            let total: usize = parts.iter().map(|part| width(part)).sum::<usize>() + parts.len() + start;
            let joined = parts.join(", ");
            if total <= BREAK && !joined.contains('\n') {
                return format!("{open} {joined} {close}");
            }
        }
        let indent = " ".repeat(self.indent);
        format!("{open}\n{indent}  {}\n{indent}{close}", parts.join(&format!(",\n{indent}  ")))
    }

    /// Sets short elements in columns.
    fn columns(&self, parts: Vec<String>, grouping: Grouping) -> Vec<String> {
        let count = parts.len() - usize::from(grouping.more);
        let widths: Vec<usize> = parts[..count].iter().map(|part| width(part)).collect();
        let total: usize = widths.iter().map(|width| width + 2).sum();
        let longest = widths.iter().copied().max().unwrap_or_default();
        let columns = column_count(total, longest, parts.len(), count, self.indent);
        if columns <= 1 {
            return parts;
        }
        let column_widths: Vec<usize> = (0..columns)
            .map(|from| widths.iter().skip(from).step_by(columns).max().copied().unwrap_or_default() + 2)
            .collect();
        let mut rows: Vec<String> = (0..count)
            .step_by(columns)
            .map(|from| row(&parts[from..count.min(from + columns)], &widths[from..], &column_widths, grouping.numbers))
            .collect();
        rows.extend(parts.into_iter().skip(count));
        rows
    }

    fn leaf(&self, value: &Bson) -> String {
        match value {
            Bson::String(text) => self.string(text),
            Bson::Int32(number) => self.paint(&number.to_string(), Color::Yellow),
            Bson::Double(number) => self.paint(&double(*number), Color::Yellow),
            Bson::Boolean(truth) => self.paint(if *truth { "true" } else { "false" }, Color::Yellow),
            Bson::Null => self.paint("null", Color::Bold),
            Bson::Undefined => self.paint("undefined", Color::Grey),
            Bson::DateTime(date) => call("ISODate", &[self.paint_text(&iso_text(date.timestamp_millis()))]),
            Bson::ObjectId(id) => call("ObjectId", &[self.paint_text(&id.to_hex())]),
            Bson::Int64(number) => call("Long", &[self.paint_text(&number.to_string())]),
            Bson::Decimal128(number) => call("Decimal128", &[self.paint_text(&number.to_string())]),
            Bson::RegularExpression(regex) => self.regex(regex.pattern.as_str(), regex.options.as_str()),
            Bson::Binary(binary) => self.binary(binary),
            Bson::Timestamp(stamp) => {
                let (time, increment) = (stamp.time.to_string(), stamp.increment.to_string());
                let (time, increment) = (self.paint(&time, Color::Yellow), self.paint(&increment, Color::Yellow));
                format!("Timestamp({{ t: {time}, i: {increment} }})")
            }
            Bson::MinKey => "MinKey()".to_owned(),
            Bson::MaxKey => "MaxKey()".to_owned(),
            Bson::Symbol(text) => call("BSONSymbol", &[self.paint_text(text)]),
            Bson::JavaScriptCode(code) => call("Code", &[self.paint_text(code)]),
            Bson::JavaScriptCodeWithScope(code) => {
                let scope = inspect(&Tree::from(&code.scope), self.style);
                call("Code", &[self.paint_text(&code.code), scope])
            }
            other => other.to_string(),
        }
    }

    fn paint_text(&self, text: &str) -> String {
        self.paint(&quote(text), Color::Green)
    }

    fn regex(&self, pattern: &str, options: &str) -> String {
        if options.chars().all(|option| matches!(option, 'i' | 'm' | 's')) {
            let pattern = if pattern.is_empty() { "(?:)".to_owned() } else { slashes(pattern) };
            return self.paint(&format!("/{pattern}/{options}"), Color::Red);
        }
        call("BSONRegExp", &[self.paint_text(pattern), self.paint_text(options)])
    }

    fn binary(&self, binary: &Binary) -> String {
        if binary.subtype == BinarySubtype::Uuid && binary.bytes.len() == 16 {
            return call("UUID", &[self.paint_text(&uuid(&binary.bytes))]);
        }
        if binary.subtype == BinarySubtype::Md5 {
            return call("MD5", &[self.paint_text(&hex(&binary.bytes))]);
        }
        let subtype = u8::from(binary.subtype).to_string();
        call("Binary.createFromBase64", &[self.paint_text(&base64(&binary.bytes)), self.paint(&subtype, Color::Yellow)])
    }

    /// A long text is broken behind its line ends.
    fn string(&self, text: &str) -> String {
        let (text, rest) = match self.style.characters {
            Some(most) if text.chars().count() > most => {
                let kept: String = text.chars().take(most).collect();
                let more = text.chars().count() - most;
                (kept, format!("... {more} more character{}", if more > 1 { "s" } else { "" }))
            }
            _ => (text.to_owned(), String::new()),
        };
        let length = text.encode_utf16().count();
        if length > 16 && length + self.indent + 4 > BREAK && text.trim_end_matches('\n').contains('\n') {
            let lines: Vec<String> = text.split_inclusive('\n').map(|line| self.paint_text(line)).collect();
            return lines.join(&format!(" +\n{}", " ".repeat(self.indent + 2))) + &rest;
        }
        self.paint_text(&text) + &rest
    }
}

#[derive(Clone, Copy)]
struct Grouping {
    more: bool,
    numbers: bool,
}

fn is_number(tree: &Tree) -> bool {
    matches!(tree, Tree::Leaf(Bson::Int32(_) | Bson::Double(_)))
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "Node computes these small widths with doubles"
)]
fn column_count(total: usize, longest: usize, parts: usize, count: usize, indent: usize) -> usize {
    let actual = longest + 2;
    if actual * 3 + indent >= BREAK || !(total as f64 / actual as f64 > 5.0 || longest <= 6) {
        return 1;
    }
    let bias = (actual as f64 - total as f64 / parts as f64).sqrt();
    let biased = (actual as f64 - 3.0 - bias).max(1.0);
    let square = ((2.5 * biased * count as f64).sqrt() / biased).round() as usize;
    square.min((BREAK - indent) / actual).min(COMPACT * 4).min(15)
}

fn row(parts: &[String], widths: &[usize], columns: &[usize], numbers: bool) -> String {
    let mut line = String::new();
    let last = parts.len() - 1;
    for (at, part) in parts.iter().enumerate() {
        let comma = if at < last { ", " } else { "" };
        let room = columns[at] - if at < last { 0 } else { 2 };
        let pad = " ".repeat(room.saturating_sub(widths[at] + comma.len()));
        let _ = match (numbers, at < last) {
            (true, _) => write!(line, "{pad}{part}{comma}"),
            (false, true) => write!(line, "{part}{comma}{pad}"),
            (false, false) => write!(line, "{part}"),
        };
    }
    line
}

/// Width without colour codes, in UTF-16 units as Node counts.
fn width(text: &str) -> usize {
    let mut units = 0;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' {
            letters.by_ref().find(|letter| *letter == 'm');
        } else {
            units += letter.len_utf16();
        }
    }
    units
}

/// A text in the quotes that need least escaping.
pub(super) fn quote(text: &str) -> String {
    let mark = if !text.contains('\'') {
        '\''
    } else if !text.contains('"') {
        '"'
    } else if !text.contains('`') && !text.contains("${") {
        '`'
    } else {
        '\''
    };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(mark);
    for letter in text.chars() {
        match letter {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\u{b}' => out.push_str("\\v"),
            '\\' => out.push_str("\\\\"),
            '\'' if mark == '\'' => out.push_str("\\'"),
            letter if (letter as u32) < 0x20 || (0x7f..=0x9f).contains(&(letter as u32)) => {
                let _ = write!(out, "\\x{:02X}", letter as u32);
            }
            letter => out.push(letter),
        }
    }
    out.push(mark);
    out
}

/// A double as JavaScript writes it.
pub(super) fn double(number: f64) -> String {
    if number == 0.0 {
        return if number.is_sign_negative() { "-0" } else { "0" }.to_owned();
    }
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let size = number.abs();
    if (1e-6..1e21).contains(&size) {
        return number.to_string();
    }
    let text = format!("{number:e}");
    match text.split_once("e-") {
        Some(_) => text,
        None => text.replace('e', "e+"),
    }
}

fn call(name: &str, arguments: &[String]) -> String {
    format!("{name}({})", arguments.join(", "))
}

/// Sixteen bytes as a UUID.
pub(super) fn uuid(bytes: &[u8]) -> String {
    let hex = hex(bytes);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// A pattern between slashes: a bare slash is escaped, a line end written out.
fn slashes(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let (mut escaped, mut class) = (false, false);
    for letter in pattern.chars() {
        match letter {
            '/' if !escaped && !class => out.push_str("\\/"),
            '\n' => out.push_str("\\n"),
            letter => out.push(letter),
        }
        class = (class || (letter == '[' && !escaped)) && (letter != ']' || escaped);
        escaped = letter == '\\' && !escaped;
    }
    out
}
