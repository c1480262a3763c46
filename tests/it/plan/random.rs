//! Plans on random data: every candidate finds what a scan of everything finds, and its counts are what it did. What a scan
//! finds, a matcher says that was written apart from the engine's.

use std::fmt::Write as _;

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::query::naive::matches as naive_matches;
use pegboard::error::ErrorCode;
use pegboard::plan::{CanonicalQuery, IndexScan, Interval, PlanNode, Stage, Steps, WalkStep, candidates, run_plan};
use pegboard::query::{Collation, Filter, Matcher, SortPattern};
use pegboard::store::{Collection, Direction, Index, IndexSpec, RecordId};
use pegboard::value::{Bson, Document, RawDocumentBuf, Source, View, compare, doc};

/// Paths with a number: a position in an array, or the name of a field.
const POSITIONS: [&str; 5] = ["a.0", "a.0.x", "a.x.0", "b.1", "a.0.0"];

struct Dice(Source);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0.next_u64() % sides
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[usize::try_from(self.roll(of.len() as u64)).expect("small")].clone()
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.roll(100) < percent
    }

    fn scalar(&mut self) -> Bson {
        match self.roll(16) {
            0 => Bson::Null,
            1 | 2 => self.text(),
            3 => Bson::Boolean(self.chance(50)),
            4 => Bson::Double(self.pick(&[0.5, 1.0, -1.0, f64::NAN, f64::INFINITY])),
            5 => Bson::Document(doc! { "x": self.small() }),
            6 => Bson::Document(Document::new()),
            7 => Bson::Decimal128(self.pick(&["1", "0.5", "-1", "NaN", "2"]).parse().expect("a decimal")),
            8 => Bson::Int64(self.pick(&[0, 1, 2, -1])),
            9 => Bson::DateTime(bson::DateTime::from_millis(self.pick(&[-1, 0, 1, 2]))),
            10 => self.pick(&[Bson::MinKey, Bson::MaxKey]),
            _ => self.small(),
        }
    }

    fn text(&mut self) -> Bson {
        Bson::String(self.pick(&["a", "A", "ab", "aB", "b", "B", ""]).into())
    }

    fn small(&mut self) -> Bson {
        Bson::Int32(i32::try_from(self.roll(5)).expect("small"))
    }

    fn value(&mut self, depth: u32) -> Bson {
        match self.roll(10) {
            0 | 1 if depth > 0 => {
                let count = self.roll(4);
                Bson::Array((0..count).map(|_| self.value(depth - 1)).collect())
            }
            2 | 3 if depth > 0 => {
                let names = if self.chance(85) { ["x", "y"] } else { ["x", "0"] };
                Bson::Document(self.fields(&names, depth - 1))
            }
            _ => self.scalar(),
        }
    }

    fn fields(&mut self, names: &[&str], depth: u32) -> Document {
        let mut document = Document::new();
        for name in names {
            if self.chance(75) {
                document.insert(*name, self.value(depth));
            }
        }
        document
    }

    fn path(&mut self) -> String {
        if self.chance(12) {
            return self.pick(&POSITIONS).to_owned();
        }
        self.pick(&["a", "b", "c", "a.x", "a.y", "b.x", "b.y", "_id"]).to_owned()
    }

    fn operand(&mut self) -> Bson {
        if self.chance(15) { self.value(1) } else { self.scalar() }
    }

    fn operator(&mut self) -> Document {
        match self.roll(16) {
            0 => doc! { "$gt": self.operand() },
            1 => doc! { "$gte": self.operand() },
            2 => doc! { "$lt": self.operand() },
            3 => doc! { "$lte": self.operand() },
            4 => doc! { "$ne": self.operand() },
            5 => doc! { "$in": [self.operand(), self.operand()] },
            6 => doc! { "$nin": [self.scalar(), self.scalar()] },
            7 => doc! { "$exists": self.chance(50) },
            8 => doc! { "$type": self.pick(&["number", "string", "null", "array", "object", "int", "date", "minKey"]) },
            9 => doc! { "$regex": self.pick(&["^a", "b", "^ab?"]) },
            10 => doc! { "$not": { "$gt": self.scalar() } },
            11 => doc! { "$mod": [2, 0] },
            12 => doc! { "$size": 2 },
            13 => doc! { "$gte": self.small(), "$lt": self.small() },
            14 => doc! { "$elemMatch": { "$gte": self.small(), "$lte": self.small() } },
            _ => doc! { "$eq": self.operand() },
        }
    }

    fn predicate(&mut self) -> Document {
        let path = self.path();
        if self.chance(20) {
            // As attributes are asked for: by name and value, or a range of values.
            if self.chance(50) {
                let value = if self.chance(50) {
                    self.scalar()
                } else {
                    doc! { "$gte": self.small(), "$lt": self.small() }.into()
                };
                let name = if self.chance(50) { self.text() } else { self.small() };
                let inner = doc! { "x": name, "y": value };
                let outer = self.pick(&["a", "b"]);
                if self.chance(30) {
                    let other = doc! { "x": self.small(), "y": self.small() };
                    return doc! { outer: { "$all": [{ "$elemMatch": inner }, { "$elemMatch": other }] } };
                }
                return doc! { outer: { "$elemMatch": inner } };
            }
            let mut inner = doc! { "x": self.test() };
            if self.chance(70) {
                inner.insert("y", self.test());
            }
            return doc! { self.pick(&["a", "b"]): { "$elemMatch": inner } };
        }
        doc! { path: self.test() }
    }

    fn test(&mut self) -> Bson {
        if self.chance(35) { self.operand() } else { Bson::Document(self.operator()) }
    }

    fn filter(&mut self, depth: u32) -> Document {
        match self.roll(8) {
            0 if depth > 0 => doc! { "$or": [self.filter(depth - 1), self.filter(depth - 1)] },
            1 | 2 if depth > 0 => doc! { "$and": [self.filter(depth - 1), self.filter(depth - 1)] },
            3 if depth > 0 => {
                let mut both = self.predicate();
                both.insert("$or", vec![Bson::Document(self.predicate()), Bson::Document(self.predicate())]);
                both
            }
            4 if depth > 0 && self.chance(30) => doc! { "$nor": [self.filter(depth - 1)] },
            5 if self.chance(20) => {
                doc! { "$expr": { self.pick(&["$eq", "$lt", "$gte"]): [format!("${}", self.pick(&["a", "b.x"])), self.small()] } }
            }
            _ => self.predicate(),
        }
    }

    fn index(&mut self) -> (Document, Document) {
        if self.chance(15) {
            return self.wildcard();
        }
        let mut keys = Document::new();
        if self.chance(10) {
            let outer = self.pick(&["a", "b"]);
            let direction = |dice: &mut Self| if dice.chance(70) { 1 } else { -1 };
            return (
                doc! { format!("{outer}.x"): direction(self), format!("{outer}.y"): direction(self) },
                Document::new(),
            );
        }
        for _ in 0..=self.roll(3) {
            let direction = if self.chance(70) { 1 } else { -1 };
            let plain = self.pick(&["a", "b", "c", "a.x", "a.y", "b.x", "b.y"]);
            let position = self.pick(&POSITIONS);
            keys.insert(if self.chance(12) { position } else { plain }, direction);
        }
        let mut options = Document::new();
        if self.chance(10) {
            options.insert("sparse", true);
        } else if self.chance(30) {
            options.insert("partialFilterExpression", self.partial());
        }
        if self.chance(25) {
            options.insert("collation", ignoring_case());
        }
        (keys, options)
    }

    /// A wildcard index of everything, of a part, or of what a projection names.
    fn wildcard(&mut self) -> (Document, Document) {
        let keys = self.pick(&["$**", "$**", "a.$**", "b.$**"]);
        if keys != "$**" || self.chance(30) {
            return (doc! { keys: 1 }, Document::new());
        }
        let projection = self.pick(&[
            doc! { "_id": 1 },
            doc! { "_id": 0 },
            doc! { "a": 1 },
            doc! { "a": 0 },
            doc! { "a.x": 1, "b": 1 },
            doc! { "a.x": 0, "b.y": 0 },
            doc! { "_id": 1, "a": 1 },
            doc! { "_id": 1, "b.x": 0 },
            doc! { "_id": 0, "b": 1 },
        ]);
        let options = doc! { "wildcardProjection": projection };
        match self.roll(4) {
            0 => (doc! { "c": 1, "$**": 1 }, doc! { "wildcardProjection": { "c": 0, "_id": 0 } }),
            1 => (doc! { "c": -1, "$**": 1 }, doc! { "wildcardProjection": { "_id": 1, "a": 1 } }),
            _ => (doc! { keys: 1 }, options),
        }
    }

    /// What a partial index may hold.
    fn partial(&mut self) -> Document {
        let path = self.pick(&["a", "b", "c", "a.x"]);
        match self.roll(9) {
            0 => doc! { path: { "$gt": self.small() } },
            1 => doc! { path: { "$exists": true } },
            2 => doc! { path: self.text() },
            3 => doc! { path: { self.pick(&["$gte", "$lte", "$gt", "$lt"]): self.text() } },
            4 => doc! { path: { "$in": [self.text(), self.text()] } },
            5 => doc! { path: { "$type": self.pick(&["string", "number"]) } },
            6 => doc! { path: self.scalar() },
            7 => doc! { path: { self.pick(&["$gte", "$lt"]): self.scalar() } },
            _ => doc! { path: { "$exists": true }, "c": self.text() },
        }
    }

    /// A filter that has to do with one that an index has: itself, or its value compared otherwise.
    fn related(&mut self, partial: &Document) -> Document {
        let Some((path, condition)) = partial.iter().next().filter(|_| self.chance(60)) else {
            return partial.clone();
        };
        let value = match condition {
            Bson::Document(operators) => operators.values().next().cloned().unwrap_or(Bson::Null),
            value => value.clone(),
        };
        let value = match value {
            Bson::String(text) if self.chance(30) => Bson::String(text.to_uppercase()),
            Bson::Array(items) => items.first().cloned().unwrap_or(Bson::Null),
            value => value,
        };
        match self.roll(4) {
            0 => doc! { path: value },
            1 => doc! { path: { "$in": [value] } },
            _ => doc! { path: { self.pick(&["$eq", "$gte", "$lte", "$gt", "$lt"]): value } },
        }
    }

    fn sort(&mut self) -> Option<Document> {
        if self.chance(50) {
            return None;
        }
        let mut sort = Document::new();
        for _ in 0..=self.roll(2) {
            let direction = if self.chance(60) { 1 } else { -1 };
            sort.insert(self.pick(&["a", "b", "c", "a.x", "b.y", "a.0", "a.0.x", "_id"]), direction);
        }
        Some(sort)
    }
}

fn ignoring_case() -> Document {
    doc! { "locale": "en", "strength": 2 }
}

struct Case {
    collection: Collection,
    query: CanonicalQuery<'static>,
    /// The filter as it was written.
    filter: Document,
    story: String,
}

fn case(seed: u64) -> Option<Case> {
    let mut dice = Dice(Source::seeded(seed).with_clock(0));
    let mut collection = Collection::new("test.c", Document::new());
    let mut story = format!("seed {seed}\n");
    let mut partials = Vec::new();
    for _ in 0..=dice.roll(2) {
        let (keys, options) = dice.index();
        let spec = IndexSpec::parse(&keys, &options).expect("a generated index is valid");
        if collection.create_index(spec).is_ok() {
            let _ = writeln!(story, "index {keys} {options}");
            partials.extend(options.get_document("partialFilterExpression").ok().cloned());
        }
    }
    for id in 0..dice.roll(14) {
        let mut document = doc! { "_id": i32::try_from(id).expect("small") };
        document.extend(dice.fields(&["a", "b", "c"], 2));
        let raw = RawDocumentBuf::try_from(&document).expect("a generated document is BSON");
        // Parallel arrays are refused.
        if collection.insert(&raw).is_ok() {
            let _ = writeln!(story, "{document}");
        }
    }
    let mut filter = dice.filter(2);
    if !partials.is_empty() && dice.chance(80) {
        let partial = dice.pick(&partials);
        let related = dice.related(&partial);
        filter = if dice.chance(15) {
            doc! { "$or": [{ "$and": [related, filter] }, dice.predicate()] }
        } else {
            doc! { "$and": [related, filter] }
        };
    }
    let wildcard = collection.indexes().iter().any(|index| index.info().parts.iter().any(|part| part.wildcard));
    let emptied = collection.indexes().iter().any(leaves_documents_empty);
    while says_more_than_keys(&filter, lacks_documents(&collection))
        || (wildcard && goes_behind_position(&filter))
        || (emptied && asks_for_empty(&filter))
    {
        filter = dice.filter(2);
    }
    let parsed = Filter::parse(&filter).ok()?;
    let mut query = CanonicalQuery::new(parsed);
    query.sort = dice.sort();
    if dice.chance(10) {
        let names: Vec<String> = collection.indexes().iter().map(|index| index.name().to_owned()).collect();
        query.hint = Some(Bson::String(dice.pick(&names)));
    }
    if dice.chance(30) {
        query.set_collation(Collation::parse(Some(&ignoring_case())).expect("a known collation"));
    }
    let collation = query.collation.to_document().is_some();
    let _ = writeln!(story, "filter {filter}\nsort {:?} hint {:?} collation {collation}", query.sort, query.hint);
    Some(Case { collection, query, filter, story })
}

/// Whether some index does not hold all documents.
fn lacks_documents(collection: &Collection) -> bool {
    collection.indexes().iter().any(|index| {
        let info = index.info();
        info.sparse || info.partial_filter.is_some() || info.parts.iter().any(|part| part.wildcard)
    })
}

/// Whether a filter compares with a rim in a way that a scan of an index answers otherwise than a scan of everything, in
/// MongoDB as here: a missing field is above `MinKey` and below `MaxKey`, but a sparse, partial or wildcard index lacks it; and
/// "from `MinKey` on" takes every key without looking again (`IndexBoundsBuilder`), also of a path through an empty array, at
/// which there is nothing to compare.
fn says_more_than_keys(filter: &Document, lacking: bool) -> bool {
    let says = |value: &Bson| value.as_document().is_some_and(|inner| says_more_than_keys(inner, lacking));
    filter.iter().any(|(name, value)| match (name.as_str(), value) {
        ("$gte", Bson::MinKey) | ("$lte", Bson::MaxKey) => true,
        ("$gt", Bson::MinKey) | ("$lt", Bson::MaxKey) => lacking,
        (_, Bson::Array(items)) => items.iter().any(says),
        (_, value) => says(value),
    })
}

/// Whether a wildcard index leaves out fields inside others: what is left of a document may be empty in its keys and is not in
/// the document, in MongoDB as here (`WildcardKeyGenerator::generateKeys` looks at the projected document).
fn leaves_documents_empty(index: &Index) -> bool {
    let nested = |(name, _): (&String, &Bson)| name.contains('.');
    index.info().wildcard_projection.as_ref().is_some_and(|projection| projection.iter().any(nested))
}

/// Whether a filter compares with an empty document.
fn asks_for_empty(filter: &Document) -> bool {
    fn is_empty(value: &Bson) -> bool {
        match value {
            Bson::Document(inner) => inner.is_empty() || asks_for_empty(inner),
            Bson::Array(items) => items.iter().any(is_empty),
            _ => false,
        }
    }
    filter.values().any(is_empty)
}

/// Whether a filter asks for what lies behind a position in an array. A wildcard index keeps an array inside an array as one
/// key, in MongoDB as here (`wildcard_key_generator.cpp`), so that what such an array holds is not found by it.
fn goes_behind_position(filter: &Document) -> bool {
    let inside = |value: &Bson| value.as_document().is_some_and(goes_behind_position);
    filter.iter().any(|(name, value)| {
        name.contains(".0.") || inside(value) || value.as_array().is_some_and(|items| items.iter().any(inside))
    })
}

/// Whether a filter says something that depends on more than its text as the naive matcher reads it: a pattern looks at letters
/// as they are, whatever the collation.
fn is_beyond(filter: &Document, collated: bool) -> bool {
    filter.iter().any(|(name, value)| {
        let inside = |value: &Bson| value.as_document().is_some_and(|inner| is_beyond(inner, collated));
        (collated && name == "$regex")
            || inside(value)
            || value.as_array().is_some_and(|items| items.iter().any(inside))
    })
}

/// The value with small letters only, which is all that this collation does to these texts.
fn folded(value: &Bson) -> Bson {
    match value {
        Bson::String(text) => Bson::String(text.to_lowercase()),
        Bson::Array(items) => Bson::Array(items.iter().map(folded).collect()),
        Bson::Document(fields) => {
            let field = |(name, value): (&String, &Bson)| {
                // The name of a type is no text of the data.
                (name.clone(), if name == "$type" { value.clone() } else { folded(value) })
            };
            Bson::Document(fields.iter().map(field).collect())
        }
        other => other.clone(),
    }
}

/// Which documents match, by the matcher that was written apart where it knows the filter, else by the engine's own.
fn matching(case: &Case) -> Box<dyn Fn(&bson::RawDocument) -> bool + '_> {
    let collated = case.query.collation.to_document().is_some();
    if is_beyond(&case.filter, collated) {
        let matcher = Matcher::with_context(&case.query.filter, case.query.context.clone());
        let matcher = matcher.expect("a parsed filter compiles");
        return Box::new(move |document| matcher.matches(document));
    }
    let whole = move |value: Bson| if collated { folded(&value) } else { value };
    let Bson::Document(filter) = whole(Bson::Document(case.filter.clone())) else { panic!("a filter is a document") };
    Box::new(move |document| {
        let document = Document::try_from(document).expect("a stored document is BSON");
        naive_matches(&filter, &whole(Bson::Document(document)))
    })
}

/// The records that a hinted index knows of, where it does not know all: a hint of it loses the others, as it does in MongoDB.
fn known(case: &Case) -> Option<BTreeSet<RecordId>> {
    let Some(Bson::String(name)) = &case.query.hint else { return None };
    let index = case.collection.index(name)?;
    let info = index.info();
    let whole = !info.sparse && info.partial_filter.is_none() && !info.parts.iter().any(|part| part.wildcard);
    (!whole).then(|| index.entries().map(|entry| entry.id).collect())
}

/// What a scan of everything, a filter and a stable sort give.
fn naive(case: &Case) -> Option<Vec<RecordId>> {
    let (matches, known) = (matching(case), known(case));
    let mut found: Vec<RecordId> = case
        .collection
        .scan(Direction::Ascending)
        .filter(|(id, document)| known.as_ref().is_none_or(|known| known.contains(id)) && matches(document))
        .map(|(id, _)| id)
        .collect();
    if let Some(sort) = &case.query.sort {
        let pattern = SortPattern::parse(sort, case.query.collation.clone()).ok()?;
        let mut keyed = Vec::new();
        for id in found {
            keyed.push((pattern.key(case.collection.get(id)?).ok()?, id));
        }
        keyed.sort_by(|one, other| pattern.compare(&one.0, &other.0));
        found = keyed.into_iter().map(|(_, id)| id).collect();
    }
    Some(found)
}

fn same_order(case: &Case, expected: &[RecordId], found: &[RecordId]) -> bool {
    let Some(sort) = &case.query.sort else { return true };
    let pattern = SortPattern::parse(sort, case.query.collation.clone()).expect("the sort was parsed before");
    let key =
        |id: &RecordId| pattern.key(case.collection.get(*id).expect("a found record exists")).expect("sorted before");
    expected.iter().zip(found).all(|(one, other)| pattern.compare(&key(one), &key(other)).is_eq())
}

/// Whether a decoded key lies inside the bounds, part by part, without any of the executor's means.
fn inside(scan: &IndexScan, key: &[Bson]) -> bool {
    let within = |interval: &Interval, value: &Bson| {
        let order = |one: &Bson, other: &Bson| compare(View::from(one), View::from(other));
        let ascending = order(&interval.start, &interval.end) != Ordering::Greater;
        let (low, low_in, high, high_in) = if ascending {
            (&interval.start, interval.start_inclusive, &interval.end, interval.end_inclusive)
        } else {
            (&interval.end, interval.end_inclusive, &interval.start, interval.start_inclusive)
        };
        let above = order(value, low);
        let below = order(value, high);
        (above.is_gt() || (above.is_eq() && low_in)) && (below.is_lt() || (below.is_eq() && high_in))
    };
    scan.bounds.parts.iter().zip(key).all(|((_, list), value)| list.0.iter().any(|interval| within(interval, value)))
}

fn check_counts(case: &Case, plan: &PlanNode, ran: &PlanNode, steps: &Steps) {
    let count = |wanted: fn(&WalkStep) -> bool| steps.0.iter().filter(|step| wanted(step)).count() as u64;
    let story = &case.story;
    assert_eq!(count(|step| matches!(step, WalkStep::KeyExamined { .. })), ran.total_keys(), "keys told\n{story}");
    assert_eq!(count(|step| matches!(step, WalkStep::Fetch { .. })), ran.total_docs(), "documents told\n{story}");
    let seeks: u64 = ran.all().map(|node| node.work.seeks).sum();
    assert_eq!(count(|step| matches!(step, WalkStep::Seek { .. })), seeks, "seeks told\n{story}");
    let dropped: u64 = ran.all().map(|node| node.work.dups_dropped).sum();
    assert_eq!(count(|step| matches!(step, WalkStep::DuplicateDropped { .. })), dropped, "duplicates told\n{story}");
    for (number, node) in plan.all().enumerate() {
        let Stage::IxScan { scan, .. } = &node.stage else { continue };
        // Bounds of a collated index hold sort keys, which decoded keys do not show.
        if scan.index.collation.is_some() {
            continue;
        }
        let index = case.collection.index(&scan.index.name).expect("the scanned index exists");
        let expected = index.entries().filter(|entry| inside(scan, &entry.key.decode(index.order()))).count() as u64;
        let told =
            |step: &&WalkStep| matches!(step, WalkStep::KeyExamined { stage, inside: true, .. } if *stage == number);
        assert_eq!(steps.0.iter().filter(told).count() as u64, expected, "keys inside\n{story}{plan:#?}");
    }
}

/// Whether there was something to compare.
fn check(seed: u64) -> bool {
    let Some(case) = case(seed) else { return false };
    let Some(expected) = naive(&case) else { return false };
    let plans = match candidates(&case.collection, &case.query) {
        Ok(plans) => plans,
        // A hinted wildcard index that does not serve the filter is refused.
        Err(error) if case.query.hint.is_some() && error.code == ErrorCode::NoQueryExecutionPlans => return false,
        Err(error) => panic!("{error}\n{}", case.story),
    };
    for plan in plans {
        let mut steps = Steps::default();
        let (found, ran) = run_plan(&case.collection, &case.query, plan.clone(), &mut steps).expect("a plan runs");
        let (mut one, mut other) = (expected.clone(), found.clone());
        one.sort_unstable();
        other.sort_unstable();
        assert_eq!(one, other, "{}\n{}", case.story, ran.line());
        assert!(
            same_order(&case, &expected, &found),
            "order of {found:?}, not {expected:?}\n{}{}",
            case.story,
            ran.line()
        );
        check_counts(&case, &plan, &ran, &steps);
    }
    true
}

/// `PEGBOARD_PLAN_CASES` asks for more or fewer cases than the usual run.
#[test]
fn every_candidate_finds_what_a_scan_of_everything_finds() {
    let cases = std::env::var("PEGBOARD_PLAN_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000);
    let first = std::env::var("PEGBOARD_PLAN_FIRST").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let compared = (first..first + cases).filter(|seed| check(*seed)).count() as u64;
    assert!(compared * 10 >= cases * 9, "only {compared} of {cases} cases compared anything");
}
