//! `$elemMatch` on arrays of attributes, as lists of names and values are asked: what is told by a glance at the stored bytes
//! agrees with the naive matcher, whatever stands amid the attributes.

use pegboard::query::{Collation, Filter, Matcher};
use pegboard::value::{Bson, DocView, Document, RawDocumentBuf, SharedDocument, Source, doc};

use super::naive;

/// Names of lengths around eight bytes.
const NAMES: [&str; 6] = ["k", "v", "unit", "unit_k", "unit_kk", "name_of_it"];
/// Texts that begin alike, are of one length, hold no letter, or letters of several bytes.
const TEXTS: [&str; 9] =
    ["ram", "rom", "ra", "RAM", "", "ram_of_the_lower_board", "ram_of_the_upper_board", "ärm", "r"];

struct Dice(Source);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0.next_u64() % sides
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).expect("a small number")].clone()
    }

    fn text(&mut self) -> Bson {
        Bson::String(self.pick(&TEXTS).into())
    }

    fn number(&mut self) -> Bson {
        let number = self.pick(&[0, 1, 2, 3]);
        match self.below(6) {
            0 => Bson::Int64(i64::from(number)),
            1 => Bson::Double(f64::from(number)),
            2 => Bson::Double(self.pick(&[0.5, -0.0, f64::NAN])),
            3 => Bson::Decimal128(self.pick(&["1", "2.0", "0.5", "NaN"]).parse().expect("a decimal")),
            _ => Bson::Int32(number),
        }
    }

    fn scalar(&mut self) -> Bson {
        match self.below(8) {
            0 => Bson::Null,
            1 => Bson::Boolean(true),
            2..5 => self.text(),
            _ => self.number(),
        }
    }

    fn value(&mut self) -> Bson {
        match self.below(12) {
            0 => Bson::Array((0..self.below(3)).map(|_| self.scalar()).collect()),
            1 => Bson::Document(doc! {self.pick(&NAMES): self.scalar()}),
            _ => self.scalar(),
        }
    }

    /// Fields in any order, the name of the attribute first more often than not.
    fn attribute(&mut self, name: &str) -> Document {
        let mut attribute = Document::new();
        if self.below(4) > 0 {
            attribute.insert(name, if self.below(6) > 0 { self.text() } else { self.value() });
        }
        for _ in 0..self.below(4) {
            let other = self.pick(&NAMES);
            attribute.entry(other).or_insert(self.value());
        }
        attribute
    }

    fn attributes(&mut self, name: &str) -> Bson {
        let element = |dice: &mut Self| match dice.below(10) {
            0 => dice.scalar(),
            1 => Bson::Array(vec![Bson::Document(dice.attribute(name)), dice.scalar()]),
            _ => Bson::Document(dice.attribute(name)),
        };
        match self.below(10) {
            0 => element(self),
            // Names of positions have one and two digits.
            _ => Bson::Array((0..self.below(13)).map(|_| element(self)).collect()),
        }
    }

    fn document(&mut self, name: &str) -> Document {
        let mut document = Document::new();
        for field in ["_id", "price", "sp", "a_long_field_name"]
            .into_iter()
            .take(usize::try_from(self.below(5)).expect("a small number"))
        {
            document.insert(field, self.value());
        }
        for field in ["specs", "specs_of_parts"] {
            if self.below(8) > 0 {
                document.insert(field, self.attributes(name));
            }
        }
        document
    }

    fn condition(&mut self) -> Bson {
        match self.below(8) {
            0 => Bson::Document(doc! {"$gte": self.number(), "$lt": self.number()}),
            1 => Bson::Document(doc! {"$lte": self.scalar()}),
            2 => Bson::Document(doc! {"$in": [self.scalar(), self.text()]}),
            3 => Bson::Document(doc! {"$exists": self.below(2) == 0}),
            _ => self.scalar(),
        }
    }

    fn wanted(&mut self, name: &str) -> Document {
        let mut wanted = doc! {name: self.text()};
        for _ in 0..self.below(3) {
            let other = self.pick(&NAMES);
            let condition = self.condition();
            wanted.entry(other).or_insert(condition);
        }
        doc! {"$elemMatch": wanted}
    }

    fn filter(&mut self, name: &str) -> Document {
        let field = self.pick(&["specs", "specs", "specs_of_parts"]);
        match self.below(4) {
            0 => doc! {field: {"$all": [self.wanted(name), self.wanted(name)]}},
            1 => doc! {"price": self.condition(), field: self.wanted(name)},
            2 => doc! {"$nor": [{field: self.wanted(name)}]},
            _ => doc! {field: self.wanted(name)},
        }
    }
}

fn stored(document: &Document) -> RawDocumentBuf {
    DocView::from(document).to_raw()
}

#[test]
fn attributes_in_arrays_match_as_the_naive_matcher_says() {
    let mut dice = Dice(Source::seeded(31));
    let mut matched = 0;
    for _ in 0..12_000 {
        let name = dice.pick(&NAMES);
        let filter = dice.filter(name);
        let parsed = Filter::parse(&filter).unwrap_or_else(|error| panic!("{filter}: {error}"));
        let matcher = Matcher::new(&parsed, Collation::simple()).expect("the filter was parsed");
        for _ in 0..5 {
            let document = dice.document(name);
            let expected = naive::matches(&filter, &Bson::Document(document.clone()));
            let raw = stored(&document);
            assert_eq!(matcher.matches(&raw), expected, "{filter} on the bytes of {document}");
            assert_eq!(matcher.matches(&document), expected, "{filter} on {document}");
            assert_eq!(matcher.matches_stored(&SharedDocument::new(&raw)), expected, "{filter} on {document}, kept");
            matched += u32::from(expected);
        }
    }
    assert!((10_000..50_000).contains(&matched), "the cases say both yes and no: {matched}");
}

/// A value with all text in small letters.
fn lowercase(value: &Bson) -> Bson {
    match value {
        Bson::String(text) => Bson::String(text.to_lowercase()),
        Bson::Array(items) => Bson::Array(items.iter().map(lowercase).collect()),
        Bson::Document(document) => {
            Bson::Document(document.iter().map(|(name, value)| (name.clone(), lowercase(value))).collect())
        }
        other => other.clone(),
    }
}

#[test]
fn with_a_collation_no_glance_at_the_bytes_decides() {
    let mut dice = Dice(Source::seeded(32));
    let collation = Collation::parse(Some(&doc! {"locale": "en", "strength": 2})).expect("a known collation");
    for _ in 0..3_000 {
        let filter = doc! {"specs": {"$elemMatch": {"k": dice.text(), "v": dice.scalar()}}};
        let matcher =
            Matcher::new(&Filter::parse(&filter).expect("a filter"), collation.clone()).expect("it was parsed");
        let document = dice.document("k");
        let small = lowercase(&Bson::Document(filter.clone()));
        let expected =
            naive::matches(small.as_document().expect("it was one"), &lowercase(&Bson::Document(document.clone())));
        assert_eq!(matcher.matches(&stored(&document)), expected, "{filter} on {document}");
    }
}

/// Of fields of one name the first counts, and a symbol is text.
#[test]
fn what_trees_cannot_hold_is_judged_by_the_first_field() {
    let matches = |element: &RawDocumentBuf| {
        let mut array = bson::RawArrayBuf::new();
        array.push(element.clone());
        let mut document = RawDocumentBuf::new();
        document.append(bson::cstr!("specs"), array);
        let filter = Filter::parse(&doc! {"specs": {"$elemMatch": {"k": "ram", "v": 16}}}).expect("a filter");
        Matcher::new(&filter, Collation::simple()).expect("it was parsed").matches(&document)
    };
    let element = |fields: &[(&'static str, Bson)]| {
        let mut element = RawDocumentBuf::new();
        for (name, value) in fields {
            let value = bson::RawBson::try_from(value.clone()).expect("a plain value");
            element.append(bson::raw::CString::try_from(*name).expect("a plain name"), value);
        }
        element
    };
    let text = |text: &str| Bson::String(text.into());
    assert!(matches(&element(&[("k", text("ram")), ("v", Bson::Int32(16)), ("k", text("rom"))])));
    assert!(!matches(&element(&[("k", text("rom")), ("v", Bson::Int32(16)), ("k", text("ram"))])));
    assert!(!matches(&element(&[("k", text("ram")), ("v", Bson::Int32(8)), ("v", Bson::Int32(16))])));
    assert!(matches(&element(&[("k", Bson::Symbol("ram".into())), ("v", Bson::Double(16.0))])));
    assert!(!matches(&element(&[("k", Bson::Symbol("rom".into())), ("v", Bson::Int64(16))])));
}
