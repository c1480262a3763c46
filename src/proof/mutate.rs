//! Documents made of others: parts dropped, moved, crossed, exchanged, and set to what statements name.

use super::address::{Address, Key, addresses, at, path, without};
use crate::value::{Bson, Document, Path, Source};

/// A value that a statement names at a path, without positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Hint {
    /// The path.
    pub path: Path,
    /// The value.
    pub value: Bson,
}

/// Copies of a document have numbers above this as their `_id`.
const FRESH: i32 = 1_000_000;
/// So many documents make a set, in turn: where many stand together, one may hide what another one shows.
const SETS: [usize; 6] = [24, 24, 4, 4, 1, 1];

/// The pool's documents, each with one to three changes, as often as the set has room. The first of each keeps its `_id`;
/// in every other turn the first get those that the statements name, so that these find them.
pub(super) fn mutated(pool: &[Document], hints: &[Hint], turn: usize, source: &mut Source) -> Vec<Document> {
    let mut maker = Maker { pool, hints, source };
    let first = maker.below(pool.len());
    let chosen: Vec<Document> = pool.iter().cycle().skip(first).take(SETS[turn % SETS.len()]).cloned().collect();
    let id = |hint: &&Hint| matches!(hint.path.parts(), [name] if **name == *"_id");
    let named: Vec<Bson> = hints.iter().filter(id).map(|hint| hint.value.clone()).collect();
    let kept = if turn.is_multiple_of(2) || named.is_empty() { pool.len() } else { 0 };
    let mut ids = named.into_iter().filter(|_| kept == 0).chain((1..).map(|number| Bson::Int32(FRESH + number)));
    let mut parted = chosen.first().and_then(|first| parted(first, hints, turn));
    let change = |(at, document): (usize, Document)| {
        let mut changed = parted.take().unwrap_or_else(|| maker.changed(document));
        if at >= kept {
            changed.insert("_id", ids.next().unwrap_or(Bson::Null));
        }
        changed
    };
    chosen.into_iter().enumerate().map(change).collect()
}

/// So many hints are set apart at most.
const PARTED: usize = 8;

/// The document with an element of its own for each value that statements name below one of its arrays: in the first turn
/// for all of them, then for all but one. None where nothing is left to leave out.
fn parted(document: &Document, hints: &[Hint], turn: usize) -> Option<Document> {
    let mut parted = document.clone();
    let below = |array: &Path| {
        let inside = |hint: &Hint| {
            let rest = hint.path.parts().strip_prefix(array.parts()).filter(|rest| !rest.is_empty())?;
            Some((rest.to_vec(), hint.value.clone()))
        };
        hints.iter().filter_map(inside).take(PARTED).collect::<Vec<_>>()
    };
    let is_outer = |address: &Address| address.iter().all(|key| matches!(key, Key::Field(_)));
    let mut outer = addresses(document).into_iter().filter(is_outer);
    let (address, mut named) = outer.find_map(|address| {
        let named = below(&path(&address));
        (matches!(at(&mut parted, &address), Some(Bson::Array(_))) && named.len() > 1).then_some((address, named))
    })?;
    if turn > named.len() {
        return None;
    }
    if let Some(left_out) = turn.checked_sub(1) {
        named.remove(left_out);
    }
    let near = |value: &Bson, by: f64| match value {
        Bson::String(_) => None,
        other => number(other).map(|held| whole(Bson::Double(held + by))),
    };
    let elements = named.iter().flat_map(|(rest, value)| {
        let values = [Some(value.clone()), near(value, 1.0), near(value, -1.0)];
        values.into_iter().flatten().map(|value| nested(rest, value))
    });
    let elements = elements.collect();
    *at(&mut parted, &address)? = Bson::Array(elements);
    Some(parted)
}

/// A value below a path.
fn nested(path: &[Box<str>], value: Bson) -> Bson {
    path.iter().rev().fold(value, |value, part| {
        let mut document = Document::new();
        document.insert(&**part, value);
        Bson::Document(document)
    })
}

struct Maker<'a> {
    pool: &'a [Document],
    hints: &'a [Hint],
    source: &'a mut Source,
}

impl Maker<'_> {
    fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count.max(1)).unwrap_or(1);
        usize::try_from(self.source.next_u64() % count).unwrap_or_default()
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        let at = self.below(list.len());
        list.get(at).cloned()
    }

    fn changed(&mut self, mut document: Document) -> Document {
        for _ in 0..=self.below(3) {
            self.change(&mut document);
        }
        document
    }

    fn change(&mut self, document: &mut Document) {
        let all = addresses(document);
        let Some(address) = self.pick(&all) else { return self.add_field(document) };
        match self.below(8) {
            0 => *document = without(document, &address),
            1 => self.add_field(document),
            2 => keys_to_fields(document, &address),
            3 => self.as_named(document, &all),
            _ => {
                let array = arrays(document, &all);
                // Most mistakes are about elements, so half of the changes are made there.
                let address = if self.below(2) == 0 { self.pick(&array).unwrap_or(address) } else { address };
                let path = path(&address);
                if let Some(value) = at(document, &address) {
                    self.exchange(value, &path);
                }
            }
        }
    }

    /// Sets a field that a statement names, or another document has.
    fn add_field(&mut self, document: &mut Document) {
        let own = self.hints.iter().filter(|hint| hint.path.parts().len() == 1);
        let mut fields: Vec<(String, Bson)> = own.map(|hint| (hint.path.to_string(), hint.value.clone())).collect();
        let lender = self.below(self.pool.len());
        fields.extend(self.pool.get(lender).into_iter().flatten().map(|(name, value)| (name.clone(), value.clone())));
        fields.retain(|(name, _)| name != "_id");
        if let Some((name, value)) = self.pick(&fields) {
            document.insert(name, value);
        }
    }

    /// Sets half of the values that statements name to what they name, so that several of their conditions may hold.
    fn as_named(&mut self, document: &mut Document, all: &[Address]) {
        for address in all {
            let path = path(address);
            let named: Vec<Bson> =
                self.hints.iter().filter(|hint| hint.path == path).map(|hint| hint.value.clone()).collect();
            if self.below(2) == 0
                && let (Some(named), Some(value)) = (self.pick(&named), at(document, address))
                && !matches!(value, Bson::Array(_) | Bson::Document(_))
            {
                *value = named;
            }
        }
    }

    fn exchange(&mut self, value: &mut Bson, path: &Path) {
        match value {
            Bson::Array(items) => match self.below(8) {
                0 => items.clear(),
                1 => items.reverse(),
                2 if items.len() == 1 => *value = items[0].clone(),
                _ => self.element(items, path),
            },
            Bson::Document(fields) => match self.below(6) {
                0 => *value = Bson::Array(vec![value.clone()]),
                1 => *fields = fields.clone().into_iter().collect::<Vec<_>>().into_iter().rev().collect(),
                _ => self.field(fields, path),
            },
            leaf => *leaf = self.other(leaf, path),
        }
    }

    /// Adds an element, one of its own again or another document's, or crosses two.
    fn element(&mut self, items: &mut Vec<Bson>, path: &Path) {
        let lent = self.pool.iter().flat_map(|document| values(document, path)).filter_map(Bson::as_array).flatten();
        let lent: Vec<Bson> = lent.cloned().collect();
        let Some(mut element) = self.pick(items).filter(|_| !lent.is_empty()).or_else(|| self.pick(&lent)) else {
            return;
        };
        if self.below(3) == 0 {
            element = self.pick(&lent).unwrap_or(element);
        }
        if self.below(4) > 0 {
            match &mut element {
                Bson::Document(fields) => self.field(fields, path),
                leaf => *leaf = self.other(leaf, path),
            }
        }
        let place = self.below(items.len() + 1);
        items.insert(place, element);
    }

    /// Sets a field of a document at a path to something named or held there, or drops it.
    fn field(&mut self, fields: &mut Document, path: &Path) {
        let own: Vec<String> = fields.keys().cloned().collect();
        let below = self.hints.iter().filter(|hint| path.is_prefix_of(&hint.path));
        let named: Vec<String> =
            below.filter_map(|hint| hint.path.parts().get(path.parts().len())).map(ToString::to_string).collect();
        let names: Vec<String> = own.into_iter().chain(named).collect();
        let Some(name) = self.pick(&names) else { return };
        if self.below(8) == 0 {
            fields.remove(&name);
            return;
        }
        let inner = path.join(&Path::from_parts(vec![name.as_str().into()]));
        let now = fields.get(&name).cloned().unwrap_or(Bson::Null);
        let other = self.other(&now, &inner);
        fields.insert(name, other);
    }

    /// Another value for a leaf: one that a statement names there, one that another document has there, or its own turned.
    fn other(&mut self, value: &Bson, path: &Path) -> Bson {
        let named: Vec<Bson> =
            self.hints.iter().filter(|hint| hint.path.is_prefix_of(path)).map(|hint| hint.value.clone()).collect();
        let held: Vec<Bson> = self.pool.iter().flat_map(|document| values(document, path)).cloned().collect();
        match self.below(4) {
            0 | 1 if !named.is_empty() => {
                let value = self.pick(&named).unwrap_or(Bson::Null);
                if self.below(2) == 0 { self.turned(&value) } else { value }
            }
            2 if !held.is_empty() => self.pick(&held).unwrap_or(Bson::Null),
            _ => self.turned(value),
        }
    }

    /// A text with another last digit in one of the numbers in it, or one more or less, as `1/2/2014` becomes `10/2/2014`.
    fn renumbered(&mut self, value: &Bson) -> Bson {
        let Bson::String(text) = value else { return longer(value) };
        let ends: Vec<usize> = (0..text.len()).filter(|at| ends_number(text, *at)).collect();
        let Some(end) = self.pick(&ends) else { return longer(value) };
        let digit = self.below(10);
        let (front, behind) = (&text[..end], &text[end + 1..]);
        Bson::String(match self.below(3) {
            0 => format!("{front}{behind}"),
            1 => format!("{front}{digit}{behind}"),
            _ => format!("{}{digit}{behind}", &text[..=end]),
        })
    }

    /// A value next to another, of another type, or an array around it.
    fn turned(&mut self, value: &Bson) -> Bson {
        let near = |by: f64| number(value).map(|held| Bson::Double(held + by)).map(whole);
        match self.below(8) {
            7 => self.renumbered(value),
            0 => near(1.0).unwrap_or_else(|| self.renumbered(value)),
            1 => near(-1.0).unwrap_or_else(|| self.renumbered(value)),
            2 => other_type(value),
            3 => Bson::Array(vec![value.clone()]),
            4 => Bson::Array([near(-1000.0), near(1000.0)].into_iter().flatten().collect()),
            5 => Bson::Null,
            _ => longer(value),
        }
    }
}

/// The addresses of arrays and of the documents in them.
fn arrays(document: &mut Document, all: &[Address]) -> Vec<Address> {
    let is_array = |address: &&Address| {
        matches!(at(document, address), Some(Bson::Array(_)))
            || matches!((at(document, address), address.last()), (Some(Bson::Document(_)), Some(Key::Index(_))))
    };
    all.iter().filter(is_array).cloned().collect()
}

/// The values at a path, arrays on the way gone through.
pub(super) fn values<'d>(document: &'d Document, path: &Path) -> Vec<&'d Bson> {
    let Some((first, rest)) = path.parts().split_first() else { return Vec::new() };
    let mut found: Vec<&Bson> = document.get(&**first).into_iter().collect();
    for part in rest {
        let into = |value: &'d Bson| match value {
            Bson::Array(items) => items.iter().collect(),
            other => vec![other],
        };
        found = found.into_iter().flat_map(into).filter_map(|value| value.as_document()?.get(&**part)).collect();
    }
    found
}

fn number(value: &Bson) -> Option<f64> {
    match value {
        Bson::Int32(number) => Some(f64::from(*number)),
        Bson::Double(number) => Some(*number),
        Bson::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// A whole number as an int, as people write one.
fn whole(value: Bson) -> Bson {
    match value {
        #[expect(clippy::cast_possible_truncation, reason = "the value is whole and within the range of an int")]
        Bson::Double(number) if number.fract() == 0.0 && number.abs() < f64::from(i32::MAX) => {
            Bson::Int32(number as i32)
        }
        other => other,
    }
}

/// Whether the last digit of a number in a text stands here.
fn ends_number(text: &str, at: usize) -> bool {
    let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    is_digit(at) && !is_digit(at + 1)
}

/// A number as text, a text as the number it spells, a date as text; others as text too where they can be written.
fn other_type(value: &Bson) -> Bson {
    match value {
        Bson::String(_) => number(value).map_or(Bson::Int32(0), |held| whole(Bson::Double(held))),
        Bson::Int32(held) => Bson::String(held.to_string()),
        Bson::Double(held) => Bson::String(held.to_string()),
        Bson::DateTime(date) => date.try_to_rfc3339_string().map_or(Bson::Null, Bson::String),
        _ => Bson::Null,
    }
}

/// A text with more behind it, a date half a day later, a number ten times as large.
fn longer(value: &Bson) -> Bson {
    match value {
        Bson::String(text) => Bson::String(format!("{text}0")),
        Bson::DateTime(date) => {
            Bson::DateTime(bson::DateTime::from_millis(date.timestamp_millis().saturating_add(43_200_000)))
        }
        other => number(other).map_or(Bson::Null, |held| whole(Bson::Double(held * 10.0))),
    }
}

/// Gives the document a field of its own for an element of key and value, as before the elements were made.
fn keys_to_fields(document: &mut Document, address: &Address) {
    let Some(Bson::Document(element)) = at(document, address) else { return };
    let mut values = element.iter();
    if let (Some((_, Bson::String(key))), Some((_, value))) = (values.next(), values.next()) {
        let (key, value) = (key.clone(), value.clone());
        document.insert(key, value);
    }
}
