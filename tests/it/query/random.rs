//! The matcher agrees with the naive one on random documents and filters, stored and computed alike.

use pegboard::query::{Collation, Filter, Matcher};
use pegboard::value::{Bson, DocView, Document, Source, doc};

use super::naive;

const PAIRS: u64 = 100_000;

/// Small worlds make chance meetings likely: few names, few values.
pub struct Dice(Source);

impl Dice {
    pub fn new(source: Source) -> Self {
        Self(source)
    }

    fn below(&mut self, sides: u64) -> u64 {
        self.0.next_u64() % sides
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let sides = u64::try_from(from.len()).expect("a short list");
        from[usize::try_from(self.below(sides)).expect("a small number")]
    }

    fn scalar(&mut self) -> Bson {
        match self.below(8) {
            0 => Bson::Null,
            1 => Bson::Boolean(self.below(2) == 0),
            2 | 3 => Bson::String(self.pick(&["x", "y", ""]).into()),
            4 => Bson::Double(self.pick(&[0.5, 1.0, 2.0])),
            _ => Bson::Int32(self.pick(&[0, 1, 2, 3])),
        }
    }

    fn value(&mut self, depth: u64) -> Bson {
        match self.below(if depth == 0 { 4 } else { 8 }) {
            4 | 5 => Bson::Document(self.document(depth - 1)),
            6 | 7 => {
                let length = self.below(4);
                Bson::Array((0..length).map(|_| self.value(depth - 1)).collect())
            }
            _ => self.scalar(),
        }
    }

    pub fn document(&mut self, depth: u64) -> Document {
        let fields = self.below(4);
        (0..fields).map(|_| (self.pick(&["a", "b", "c", "0"]).to_owned(), self.value(depth))).collect()
    }

    fn path(&mut self) -> &'static str {
        self.pick(&["a", "b", "c", "a.b", "a.0", "a.0.b", "b.a", "a.b.c", "c.1", "a.0.0", "b.0.a"])
    }

    pub fn filter(&mut self, depth: u64) -> Document {
        match self.below(if depth == 0 { 6 } else { 10 }) {
            6 => doc! {"$and": self.parts(depth)},
            7 => doc! {"$or": self.parts(depth)},
            8 => doc! {"$nor": self.parts(depth)},
            9 => {
                let mut both = self.filter(0);
                both.extend(self.filter(0));
                both
            }
            0 => doc! {self.path(): self.value(1)},
            _ => {
                let path = self.path();
                let mut operators = self.operator(depth.min(1));
                if self.below(4) == 0 {
                    operators.extend(self.operator(0));
                }
                doc! {path: operators}
            }
        }
    }

    fn parts(&mut self, depth: u64) -> Vec<Document> {
        let count = 1 + self.below(3);
        (0..count).map(|_| self.filter(depth - 1)).collect()
    }

    fn values(&mut self) -> Vec<Bson> {
        let count = self.below(4);
        (0..count).map(|_| self.value(1)).collect()
    }

    fn operator(&mut self, depth: u64) -> Document {
        match self.below(if depth == 0 { 12 } else { 15 }) {
            0 => doc! {"$ne": self.value(1)},
            1 => doc! {"$gt": self.value(1)},
            2 => doc! {"$gte": self.value(1)},
            3 => doc! {"$lt": self.value(1)},
            4 => doc! {"$lte": self.value(1)},
            5 => doc! {"$in": self.values()},
            6 => doc! {"$nin": self.values()},
            7 => doc! {"$all": self.values()},
            8 => doc! {"$exists": self.below(2) == 0},
            9 => doc! {"$type": self.pick(&["null", "int", "double", "string", "array", "object", "bool"])},
            10 => doc! {"$size": self.pick(&[0, 1, 2])},
            12 => doc! {"$not": self.operator(0)},
            13 => doc! {"$elemMatch": self.filter(0)},
            14 => doc! {"$elemMatch": self.operator(0)},
            _ => doc! {"$eq": self.value(1)},
        }
    }
}

#[test]
fn the_matcher_agrees_with_the_naive_one() {
    let mut dice = Dice(Source::seeded(7));
    for _ in 0..PAIRS / 4 {
        let filter = dice.filter(2);
        let parsed = Filter::parse(&filter).unwrap_or_else(|error| panic!("{filter}: {error}"));
        let matcher = Matcher::new(&parsed, Collation::simple()).expect("the filter was parsed");
        for _ in 0..4 {
            let document = dice.document(3);
            let expected = naive::matches(&filter, &Bson::Document(document.clone()));
            assert_eq!(matcher.matches(&document), expected, "{filter} on {document}");
            let stored = DocView::from(&document).to_raw();
            assert_eq!(matcher.matches(&stored), expected, "{filter} on the bytes of {document}");
        }
    }
}

#[test]
fn the_shown_form_means_the_same_and_is_shown_the_same() {
    let mut dice = Dice(Source::seeded(8));
    for _ in 0..5_000 {
        let filter = dice.filter(2);
        let parsed = Filter::parse(&filter).expect("the generator writes filters");
        let shown = parsed.to_document();
        // The server shows an empty `$all` inside `$elemMatch` in a form that it does not read either.
        if shown.to_string().contains(r#""$elemMatch": { "$always"#) {
            continue;
        }
        let again = Filter::parse(&shown).unwrap_or_else(|error| panic!("{filter} is shown as {shown}: {error}"));
        let document = dice.document(3);
        let expected = naive::matches(&filter, &Bson::Document(document.clone()));
        let matcher = Matcher::new(&again, Collation::simple()).expect("the filter was parsed");
        assert_eq!(matcher.matches(&document), expected, "{filter} shown as {shown} on {document}");
    }
}
