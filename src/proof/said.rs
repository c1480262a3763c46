//! Why a document matched, in words: a line for each part of the filter and each value looked at.

use super::condition::{bare, condition};
use crate::query::{Asked, Comparison, Element, Origin, Predicate, Seen, Test, Why};
use crate::shell::literal;
use crate::value::{Bson, Document, Path, View, canonical_type, compare, type_alias};
use crate::words::{Lang, Words};

const MATCHES: Words = Words::new("_id {id} matches.", "_id {id} passt.");
const MATCHES_NOT: Words = Words::new("_id {id} does not match.", "_id {id} passt nicht.");
const EVERYTHING: Words = Words::new("The filter asks nothing.", "Der Filter fragt nichts.");
const ALL: Words = Words::new("all of these", "alle davon");
const ANY: Words = Words::new("at least one of these", "mindestens eines davon");
const NEITHER: Words = Words::new("none of these", "keines davon");
const NOT: Words = Words::new("not this", "dieses nicht");
const MISSING: Words = Words::new("missing", "fehlt");
const NO_VALUE: Words = Words::new("the path leads to no value", "der Pfad führt zu keinem Wert");
const NO_ELEMENT: Words = Words::new("no element", "kein Element");
const NO_ARRAY: Words = Words::new("no array", "kein Array");
const OTHER_TYPE: Words = Words::new("{is}, compared with {asked}", "{is}, verglichen mit {asked}");
const TYPE: Words = Words::new("type {is}", "Typ {is}");
const LENGTH: Words = Words::new("{n elements}", "{n Elemente}");
const MORE_FIELDS: Words = Words::new("has {names} as well", "hat auch {names}");
const FEWER_FIELDS: Words = Words::new("lacks {names}", "hat kein {names}");
const FIELD_ORDER: Words = Words::new("the fields in another order", "die Felder in anderer Reihenfolge");
const ELEMENT_ORDER: Words = Words::new("the elements in another order", "die Elemente in anderer Reihenfolge");
const REFUSED_ELEMENT: Words = Words::new("excludes the element", "schließt das Element aus");
const REFUSED: Words = Words::new("excludes the document", "schließt das Dokument aus");
const ENTRY: Words = Words::new("meets the entry {item}", "erfüllt den Eintrag {item}");
const BREAKS: Words = Words::new("breaks {keyword}", "verletzt {keyword}");
const COLLATED: Words = Words::new("equal by the collation", "gleich nach der Kollation");
const MORE: Words = Words::new("and {n} more", "und {n} weitere");
const DIFFERENT: Words = Words::new(
    "Different elements of `{array}` answered: {parts}. Nothing ties these conditions to one element.",
    "Verschiedene Elemente von `{array}` antworten: {parts}. Nichts bindet diese Bedingungen an ein Element.",
);
const BY: Words = Words::new("{condition} by element {index}", "{condition} das Element {index}");

/// So many values of one test are written out; of elements the ones that meet most.
const SHOWN: usize = 6;

/// One line of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// How deep it lies.
    pub depth: usize,
    /// How it came out.
    pub sign: Sign,
    /// The condition, as typed; empty where the line only tells of a value.
    pub condition: String,
    /// The value that settled it, with its place.
    pub value: String,
    /// What is said about it.
    pub words: String,
}

/// How a line came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Met.
    Met,
    /// Not met.
    Failed,
    /// Only a value, or a remark.
    None,
}

/// The lines about a document, the verdict first.
#[must_use]
pub fn said(why: &Why, id: &Bson, lang: Lang) -> Vec<Said> {
    let mut writer = Writer { lines: Vec::new(), lang, in_element: false };
    let verdict = if why.holds { MATCHES } else { MATCHES_NOT };
    writer.line(0, Sign::of(why.holds), "", verdict.fill(lang, &[("id", &literal(id))]));
    match (&why.asked, why.parts.as_slice()) {
        (Asked::All, []) => writer.line(1, Sign::None, "", EVERYTHING.get(lang).into()),
        (Asked::All, parts) => parts.iter().for_each(|part| writer.part(part, 1)),
        _ => writer.part(why, 1),
    }
    for part in why.all() {
        writer.crossing(part);
    }
    writer.lines
}

/// The lines as plain text.
#[must_use]
pub fn said_text(lines: &[Said]) -> String {
    lines.iter().map(|line| line.to_string() + "\n").collect()
}

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", "  ".repeat(self.depth), self.sign.symbol())?;
        f.write_str(&[self.condition.as_str(), &self.behind(), &self.remark()].concat())
    }
}

impl Said {
    /// The value, with an arrow where it stands behind the condition that it settled.
    #[must_use]
    pub fn behind(&self) -> String {
        let arrow = if self.condition.is_empty() || self.value.is_empty() { "" } else { "  ← " };
        format!("{arrow}{}", self.value)
    }

    /// The words, in brackets where they stand behind a condition or value.
    #[must_use]
    pub fn remark(&self) -> String {
        match self.condition.is_empty() && self.value.is_empty() {
            _ if self.words.is_empty() => String::new(),
            true => self.words.clone(),
            false => format!(" ({})", self.words),
        }
    }
}

impl Sign {
    fn of(holds: bool) -> Self {
        if holds { Self::Met } else { Self::Failed }
    }

    /// The sign with the space behind it.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Met => "✓ ",
            Self::Failed => "✗ ",
            Self::None => "  ",
        }
    }
}

struct Writer {
    lines: Vec<Said>,
    lang: Lang,
    /// Whether it writes what is asked of an element.
    in_element: bool,
}

impl Writer {
    fn line(&mut self, depth: usize, sign: Sign, condition: &str, words: String) {
        self.lines.push(Said { depth, sign, condition: condition.into(), value: String::new(), words });
    }

    fn part(&mut self, why: &Why, depth: usize) {
        let sign = Sign::of(why.holds);
        let joining = match &why.asked {
            Asked::All => ALL,
            Asked::Any => ANY,
            Asked::Neither => NEITHER,
            Asked::Not => return self.negation(why, depth),
            Asked::Expression(expression) => return self.expression(expression, why, depth),
            Asked::Test(predicate) => {
                return self.test(sign, &condition(&why.asked, false), predicate, &why.seen, depth);
            }
            Asked::Schema => return self.schema(why, depth),
            Asked::Constant(_) => return self.line(depth, sign, &condition(&why.asked, false), String::new()),
        };
        self.line(depth, sign, "", format!("{}:", joining.get(self.lang)));
        why.parts.iter().for_each(|part| self.part(part, depth + 1));
    }

    /// A negated test reads as one condition; what it excludes are the values that meet the test inside.
    fn negation(&mut self, why: &Why, depth: usize) {
        let sign = Sign::of(why.holds);
        let [inner] = why.parts.as_slice() else { return };
        let Asked::Test(predicate) = &inner.asked else {
            self.line(depth, sign, "", format!("{}:", NOT.get(self.lang)));
            return self.part(inner, depth + 1);
        };
        let from = self.lines.len();
        self.test(sign, &condition(&inner.asked, true), predicate, &inner.seen, depth);
        if inner.holds {
            let last = &mut self.lines[from];
            let gap = if last.words.is_empty() { "" } else { ", " };
            let refused = if self.in_element { REFUSED_ELEMENT } else { REFUSED };
            last.words = format!("{}{gap}{}", last.words, refused.get(self.lang));
        }
    }

    fn test(&mut self, sign: Sign, condition: &str, predicate: &Predicate, seen: &[Seen], depth: usize) {
        match seen {
            [] => self.line(depth, sign, condition, NO_VALUE.get(self.lang).into()),
            [one] if one.parts.is_empty() => {
                let line = self.value(one, predicate, depth, Sign::None);
                self.lines.push(Said { sign, condition: condition.into(), ..line });
            }
            many => {
                self.line(depth, sign, condition, String::new());
                self.values(many, predicate, depth + 1);
            }
        }
    }

    fn values(&mut self, seen: &[Seen], predicate: &Predicate, depth: usize) {
        for one in closest(seen) {
            let sign = if one.parts.is_empty() { Sign::None } else { Sign::of(one.holds) };
            let mut line = self.value(one, predicate, depth, sign);
            if !one.parts.is_empty() {
                // What the element holds is told by its conditions.
                line.value = place(&one.origin);
            }
            self.lines.push(line);
            let outer = std::mem::replace(&mut self.in_element, true);
            one.parts.iter().for_each(|part| self.part(part, depth + 1));
            self.in_element = outer;
        }
        if seen.len() > SHOWN {
            let more = MORE.fill(self.lang, &[("n", &(seen.len() - SHOWN).to_string())]);
            self.line(depth, Sign::None, "", format!("… {more}"));
        }
    }

    fn value(&self, seen: &Seen, predicate: &Predicate, depth: usize, sign: Sign) -> Said {
        let place = place(&seen.origin);
        let Some(value) = &seen.value else {
            let words = MISSING.get(self.lang).into();
            return Said { depth, sign, condition: String::new(), value: place, words };
        };
        let words = self.remark(seen, value, predicate);
        let value = if place.is_empty() { short(value) } else { format!("{place} = {}", short(value)) };
        Said { depth, sign, condition: String::new(), value, words }
    }

    /// What is not plain from the value itself.
    fn remark(&self, seen: &Seen, value: &Bson, predicate: &Predicate) -> String {
        if let Some(item) = seen.item.as_ref().filter(|item| *item != value) {
            return ENTRY.fill(self.lang, &[("item", &short(item))]);
        }
        match &predicate.test {
            Test::Compare(Comparison::Eq, Bson::String(asked))
                if seen.holds && matches!(value, Bson::String(held) if held != asked) =>
            {
                COLLATED.get(self.lang).into()
            }
            Test::Compare(_, literal) if !seen.holds && !same_kind(value, literal) => {
                let (is, asked) = (type_alias(value.into()), type_alias(literal.into()));
                OTHER_TYPE.fill(self.lang, &[("is", is), ("asked", asked)])
            }
            Test::Compare(Comparison::Eq, literal) if !seen.holds => self.unequal(value, literal),
            Test::Regex(_) if !seen.holds && !matches!(value, Bson::String(_) | Bson::Array(_)) => self.of_type(value),
            Test::Mod(..) | Test::Bits(..) if !seen.holds && !same_kind(value, &Bson::Int32(0)) => self.of_type(value),
            Test::Type(_) => self.of_type(value),
            Test::Size(_) => match value {
                Bson::Array(list) => LENGTH.fill(self.lang, &[("n", &list.len().to_string())]),
                _ => NO_ARRAY.get(self.lang).into(),
            },
            Test::ElemMatchObject(_) | Test::ElemMatchValue(_) if seen.parts.is_empty() => match value {
                Bson::Array(list) if list.is_empty() => NO_ELEMENT.get(self.lang).into(),
                _ if seen.element.is_none() => NO_ARRAY.get(self.lang).into(),
                _ => String::new(),
            },
            _ => String::new(),
        }
    }

    fn of_type(&self, value: &Bson) -> String {
        TYPE.fill(self.lang, &[("is", type_alias(value.into()))])
    }

    /// What sets two values of one kind apart where that is hard to see: fields more or fewer, or only the order.
    fn unequal(&self, value: &Bson, literal: &Bson) -> String {
        match (value, literal) {
            (Bson::Document(held), Bson::Document(asked)) => {
                let names = |one: &Document, other: &Document| {
                    let only =
                        one.keys().filter(|name| !other.contains_key(name.as_str())).map(|name| format!("`{name}`"));
                    only.collect::<Vec<_>>().join(", ")
                };
                let (more, fewer) = (names(held, asked), names(asked, held));
                match (more.is_empty(), fewer.is_empty()) {
                    (_, false) => FEWER_FIELDS.fill(self.lang, &[("names", &fewer)]),
                    (false, true) => MORE_FIELDS.fill(self.lang, &[("names", &more)]),
                    _ if !held.keys().eq(asked.keys()) => FIELD_ORDER.get(self.lang).into(),
                    _ => String::new(),
                }
            }
            (Bson::Array(held), Bson::Array(asked)) => {
                let sorted = |list: &[Bson]| {
                    let mut list = list.to_vec();
                    list.sort_by(|one, other| compare(one.into(), other.into()));
                    list
                };
                if sorted(held) == sorted(asked) { ELEMENT_ORDER.get(self.lang).into() } else { String::new() }
            }
            _ => String::new(),
        }
    }

    fn expression(&mut self, expression: &Bson, why: &Why, depth: usize) {
        let condition = format!("$expr: {}", literal(&bare(expression)));
        self.line(depth, Sign::of(why.holds), &condition, String::new());
        why.parts.iter().for_each(|part| self.part(part, depth + 1));
        for seen in &why.seen {
            let Origin::Operand(operand) = &seen.origin else { continue };
            let operand = if let Bson::String(path) = operand { path.clone() } else { literal(&bare(operand)) };
            let (value, words) = match &seen.value {
                Some(value) => (format!("{operand} = {}", short(value)), String::new()),
                None => (operand, MISSING.get(self.lang).to_owned()),
            };
            self.lines.push(Said { depth: depth + 1, sign: Sign::None, condition: String::new(), value, words });
        }
    }

    fn schema(&mut self, why: &Why, depth: usize) {
        self.line(depth, Sign::of(why.holds), "$jsonSchema", String::new());
        for seen in &why.seen {
            let Origin::Rule(_, keyword) = &seen.origin else { continue };
            let mut words = BREAKS.fill(self.lang, &[("keyword", keyword)]);
            let mut value = place(&seen.origin);
            match &seen.value {
                Some(held) if value.is_empty() => value = short(held),
                Some(held) => value = format!("{value} = {}", short(held)),
                None => words = format!("{}, {words}", MISSING.get(self.lang)),
            }
            self.lines.push(Said { depth: depth + 1, sign: Sign::Failed, condition: String::new(), value, words });
        }
    }

    /// Says of conditions that hold together which elements of one array answered them, where they are different ones.
    fn crossing(&mut self, why: &Why) {
        if !matches!(why.asked, Asked::All) || !why.holds {
            return;
        }
        let mut arrays: Vec<(&Path, Vec<Answered<'_>>)> = Vec::new();
        for part in &why.parts {
            let (Asked::Test(predicate), Some(element)) =
                (&part.asked, part.seen.first().and_then(|seen| seen.element.as_ref()))
            else {
                continue;
            };
            if matches!(predicate.test, Test::ElemMatchObject(_) | Test::ElemMatchValue(_)) {
                continue;
            }
            let Element { array, index } = element;
            let one = Answered { index: *index, condition: condition(&part.asked, false), predicate };
            match arrays.iter_mut().find(|(known, _)| *known == array) {
                Some((_, list)) => list.push(one),
                None => arrays.push((array, vec![one])),
            }
        }
        for (array, list) in arrays {
            let one_element = |other: &Answered<'_>| other.index == list[0].index;
            let several_meant =
                |other: &Answered<'_>| other.is_equality() && other.predicate.path == list[0].predicate.path;
            if !list.iter().all(one_element) && !list.iter().all(several_meant) {
                let by = |own: &Answered<'_>| {
                    BY.fill(self.lang, &[("condition", &own.condition), ("index", &own.index.to_string())])
                };
                let parts: Vec<String> = list.iter().map(by).collect();
                let words = DIFFERENT.fill(self.lang, &[("array", &array.to_string()), ("parts", &parts.join(", "))]);
                self.line(0, Sign::None, "", words);
            }
        }
    }
}

/// A condition with the element that answered it.
struct Answered<'w> {
    index: usize,
    condition: String,
    predicate: &'w Predicate,
}

impl Answered<'_> {
    /// Whether it asks for one value: several of them on one path, as `$all` writes them, mean several elements.
    fn is_equality(&self) -> bool {
        matches!(self.predicate.test, Test::Compare(Comparison::Eq, _))
    }
}

/// The values to write out, in their order: where there are too many, those that meet most of what is asked.
fn closest(seen: &[Seen]) -> Vec<&Seen> {
    let met = |seen: &Seen| seen.parts.iter().filter(|part| part.holds).count();
    let mut order: Vec<usize> = (0..seen.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(met(&seen[*at])));
    order.truncate(SHOWN);
    order.sort_unstable();
    order.into_iter().map(|at| &seen[at]).collect()
}

fn same_kind(value: &Bson, literal: &Bson) -> bool {
    canonical_type(View::from(value)) == canonical_type(View::from(literal))
}

fn place(origin: &Origin) -> String {
    match origin {
        Origin::Place(place) | Origin::Rule(place, _) => place.to_string(),
        Origin::Operand(_) => String::new(),
    }
}

/// A value in so many columns at most.
const COLUMNS: usize = 48;

fn short(value: &Bson) -> String {
    let whole = literal(value);
    if whole.chars().count() <= COLUMNS {
        return whole;
    }
    whole.chars().take(COLUMNS - 1).chain(['…']).collect()
}
