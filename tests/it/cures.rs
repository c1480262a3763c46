//! What every cure keeps to, whatever the pitfall: over all examples, all right statements, and filters made at random.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pegboard::engine::{Command, Database, Reply};
use pegboard::pitfall::{Detector, Evidence, Finding, Level};
use pegboard::query::{Filter, Predicate, Test};
use pegboard::shell::{Limits, Outcome, Ran, Shell, literal};
use pegboard::store::Direction;
use pegboard::value::{AnyDocument, Bson, Document, Path, Source, doc};
use pegboard::words::Lang;
use proptest::prelude::*;

use crate::pitfalls;

/// A text that was run, with what was found in it.
struct Tried {
    outcome: Outcome,
    after: Database,
    findings: Vec<Finding>,
}

fn tried(before: &Database, text: &str) -> Tried {
    let mut shell = Shell::new(before.clone(), Limits::default());
    let outcome = shell.run(text);
    let after = shell.host().clone();
    let findings = Detector::new(Lang::En).detect(&outcome, before, &after);
    Tried { outcome, after, findings }
}

fn built(setup: &[String]) -> Database {
    let mut shell = Shell::new(Database::new(Source::seeded(1)), Limits::default());
    for line in setup {
        shell.run(line);
    }
    shell.host().clone()
}

/// Risks that lie in the shape of the data: their cure stores the same facts in another shape.
const RESHAPES: [&str; 6] = [
    "mixed-types-per-key",
    "unit-inside-value",
    "flat-sparse-fields",
    "unbounded-array",
    "duplicate-key-in-array",
    "key-spelling-variants",
];

/// What the cures of a text's findings do that none may do.
fn faults(before: &Database, text: &str) -> Vec<String> {
    let typed = tried(before, text);
    let cured = typed.findings.iter().filter_map(|found| Some((found, found.fix.as_deref()?)));
    cured.flat_map(|(found, fix)| broken(before, &typed, found, fix)).collect()
}

fn broken(before: &Database, typed: &Tried, found: &Finding, fix: &str) -> Vec<String> {
    let cured = tried(before, fix);
    let mut faults = Vec::new();
    let mut say = |what: String| {
        faults.push(format!(
            "{} ({}): {what}\n    typed {}\n    fix   {fix}",
            found.id,
            found.level.name(),
            typed.outcome.script.text()
        ));
    };
    if let (Ok(_), Err(failure)) = (&typed.outcome.value, &cured.outcome.value) {
        say(format!("the fix fails with {failure:?}"));
        return faults;
    }
    let same = |findings: &[Finding]| findings.iter().filter(|other| other.id == found.id).count();
    // Of several places with one mistake, one is cured at a time.
    if same(&cured.findings) + 1 > same(&typed.findings) {
        say("the fix is found again".into());
    }
    let keeps = !matches!(found.level, Level::WrongResult | Level::Refused);
    if keeps && let Some(why) = differs(found, typed, &cured) {
        say(format!("the fix changes the answer: {why}"));
    }
    faults
}

/// How the answers of two texts differ, or what they leave behind; none where they do not.
fn differs(found: &Finding, typed: &Tried, cured: &Tried) -> Option<String> {
    let (one, other) = (rows(&typed.outcome.ran), rows(&cured.outcome.ran));
    if let (Some(one), Some(other)) = (&one, &other)
        && one != other
    {
        return Some(format!(
            "{} rows {:?} become {} {:?}",
            one.len(),
            one.iter().take(6).collect::<Vec<_>>(),
            other.len(),
            other.iter().take(6).collect::<Vec<_>>()
        ));
    }
    if RESHAPES.contains(&found.id) {
        return None;
    }
    let (one, other) = (stored(&typed.after), stored(&cured.after));
    (one != other).then(|| "other documents are stored".into())
}

/// What the last command that answers gave, told apart by `_id` where there is one: what a document holds may be trimmed.
fn rows(ran: &[Ran]) -> Option<Vec<String>> {
    let row = |row: &AnyDocument| {
        let document = Document::try_from(&**row).unwrap_or_default();
        literal(&document.get("_id").cloned().unwrap_or_else(|| in_any_order(&document.clone().into())))
    };
    let answer = |ran: &Ran| {
        if matches!(ran.command, Command::Explain { .. }) {
            return None;
        }
        Some(match &ran.result.as_ref().ok()?.reply {
            Reply::Documents(rows) => rows.iter().map(row).collect(),
            Reply::Values(values) => values.iter().map(literal).collect(),
            Reply::Count(count) => vec![count.to_string()],
            Reply::Deleted(count) => vec![count.to_string()],
            _ => return None,
        })
    };
    let mut rows: Vec<String> = ran.iter().rev().find_map(answer)?;
    rows.sort();
    Some(rows)
}

/// The value with lists in one order: groups come in none.
fn in_any_order(value: &Bson) -> Bson {
    match value {
        Bson::Array(items) => {
            let mut items: Vec<Bson> = items.iter().map(in_any_order).collect();
            items.sort_by_key(literal);
            Bson::Array(items)
        }
        Bson::Document(fields) => {
            Bson::Document(fields.iter().map(|(name, field)| (name.clone(), in_any_order(field))).collect())
        }
        other => other.clone(),
    }
}

fn stored(database: &Database) -> BTreeMap<String, Vec<String>> {
    let documents = |collection: &pegboard::store::Collection| {
        let all = collection.scan(Direction::Ascending);
        let told = |document| {
            let mut document = Document::try_from(document).unwrap_or_default();
            // An `_id` that was drawn tells nothing apart.
            if matches!(document.get("_id"), Some(Bson::ObjectId(_))) {
                document.remove("_id");
            }
            literal(&Bson::Document(document))
        };
        all.map(|(_, document)| told(document)).collect()
    };
    database.catalog().iter().map(|(name, collection)| (name.to_owned(), documents(collection))).collect()
}

#[test]
fn cures_keep_to_the_rules() {
    let examples = pitfalls::examples().into_iter().flat_map(|example| {
        let texts: Vec<String> = [&example.caught]
            .into_iter()
            .chain(&example.also)
            .chain(&example.silent)
            .chain(example.fixes.keys())
            .cloned()
            .collect();
        texts.into_iter().map(move |text| (example.id.clone(), example.setup.clone(), text))
    });
    let mut bases: BTreeMap<Vec<String>, Database> = BTreeMap::new();
    let mut report = String::new();
    for (name, setup, text) in examples.chain(pitfalls::right_statements()) {
        let before = bases.entry(setup).or_insert_with_key(|setup| built(setup));
        for fault in faults(before, &text) {
            let _ = writeln!(report, "{name}: {fault}");
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// A text that makes its own data is cured behind what makes them.
#[test]
fn cures_of_texts_that_make_their_data_keep_to_the_rules() {
    let empty = built(&[]);
    let mut report = String::new();
    for example in pitfalls::examples() {
        let text = format!("{};\n{}", example.setup.join(";\n"), example.caught);
        for fault in faults(&empty, &text) {
            let _ = writeln!(report, "{}: {fault}", example.id);
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// Products with attributes that repeat, differ in type, or are missing; indexed by key and value.
fn products() -> Database {
    let setup = [
        r#"db.c.insertMany([
            {_id: 1, n: 1, specs: [{k: "ram", v: 16, u: "GB"}, {k: "color", v: "red"}]},
            {_id: 2, n: 2, specs: [{k: "ram", v: 8, u: "GB"}, {k: "color", v: "blue"}, {k: "storage", v: 16, u: "GB"}]},
            {_id: 3, n: 3, specs: [{k: "storage", v: 512, u: "GB"}, {k: "color", v: "red"}]},
            {_id: 4, n: 4, specs: [{k: "color", v: "red"}, {k: "color", v: "blue"}]},
            {_id: 5, n: 5, specs: [{k: "storage", v: 16, u: "GB"}, {k: "weight", v: 2}]},
            {_id: 6, n: 6, specs: []},
            {_id: 7, n: 7},
            {_id: 8, n: 8, specs: [{k: "ram", v: 32, u: "GB"}, {k: "storage", v: 8, u: "TB"}]}])"#,
        r#"db.c.createIndex({"specs.k": 1, "specs.v": 1})"#,
    ];
    built(&setup.map(str::to_owned))
}

thread_local! {
    /// The products, made once for all cases of a test.
    static PRODUCTS: Database = products();
}

fn test_of(values: &'static [&'static str]) -> impl Strategy<Value = String> {
    let value = prop::sample::select(values);
    prop_oneof![
        3 => value.clone().prop_map(str::to_owned),
        1 => value.clone().prop_map(|value| format!("{{$ne: {value}}}")),
        1 => (value.clone(), value.clone()).prop_map(|(one, other)| format!("{{$in: [{one}, {other}]}}")),
        1 => (value.clone(), value.clone()).prop_map(|(one, other)| format!("{{$nin: [{one}, {other}]}}")),
        1 => (value.clone(), value.clone()).prop_map(|(one, other)| format!("{{$all: [{one}, {other}]}}")),
        1 => value.clone().prop_map(|value| format!("{{$not: {{$eq: {value}}}}}")),
        1 => value.clone().prop_map(|value| format!("{{$gt: {value}}}")),
        1 => value.prop_map(|value| format!("{{$not: {{$lte: {value}}}}}")),
    ]
}

fn pair() -> impl Strategy<Value = String> {
    let key = test_of(&["\"ram\"", "\"color\"", "\"storage\""]).prop_map(|test| format!("\"specs.k\": {test}")).boxed();
    let value = test_of(&["16", "8", "\"red\"", "\"blue\""]).prop_map(|test| format!("\"specs.v\": {test}")).boxed();
    let unit = test_of(&["\"GB\"", "\"TB\""]).prop_map(|test| format!("\"specs.u\": {test}"));
    let inner = (test_of(&["\"ram\"", "\"color\""]), test_of(&["16", "\"red\""]));
    let bound = inner.prop_map(|(key, value)| format!("specs: {{$elemMatch: {{k: {key}, v: {value}}}}}")).boxed();
    prop_oneof![
        4 => (key.clone(), value.clone()).prop_map(|(key, value)| format!("{key}, {value}")),
        1 => key.clone(),
        1 => value.clone(),
        1 => (key.clone(), value.clone(), unit).prop_map(|(key, value, unit)| format!("{key}, {value}, {unit}")),
        1 => bound.clone(),
        1 => (bound, key).prop_map(|(bound, key)| format!("{bound}, {key}")),
    ]
}

fn filter() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => pair(),
        1 => (pair(), pair()).prop_map(|(one, other)| format!("$or: [{{{one}}}, {{{other}}}]")),
        1 => pair().prop_map(|one| format!("$nor: [{{{one}}}]")),
        1 => (pair(), pair()).prop_map(|(one, other)| format!("$and: [{{{one}}}, {{{other}}}]")),
    ]
}

/// Whether no negated condition stands in an `$elemMatch` but beside a positive one on the key, and none on the key itself.
fn keeps_polarity(filter: &Filter) -> bool {
    match filter {
        Filter::And(parts) | Filter::Or(parts) | Filter::Nor(parts) => parts.iter().all(keeps_polarity),
        Filter::Not(inner) => keeps_polarity(inner),
        Filter::Field(Predicate { test: Test::ElemMatchObject(inner), .. }) => {
            let parts =
                if let Filter::And(parts) = &**inner { parts.as_slice() } else { std::slice::from_ref(&**inner) };
            let on_key = |path: &Path| path.to_string() == "k";
            let keyed = parts.iter().any(|part| matches!(part, Filter::Field(own) if on_key(&own.path)));
            parts.iter().all(|part| match part {
                Filter::Not(denied) => keyed && !denied.paths().iter().any(|path| on_key(path)),
                _ => true,
            })
        }
        _ => true,
    }
}

proptest! {
    #![proptest_config(crate::chosen::cases(160))]

    #[test]
    fn cures_of_any_filter_keep_to_the_rules(filter in filter()) {
        let text = format!("db.c.find({{{filter}}})");
        let found = PRODUCTS.with(|products| faults(products, &text));
        prop_assert!(found.is_empty(), "{}", found.join("\n"));
    }

    /// A negation is bound to an element only beside that element's key: elsewhere it would say "some element is not" in
    /// place of "no element is".
    #[test]
    fn cures_turn_no_negation_round(pair in pair().prop_filter("dotted", |pair| !pair.contains("$elemMatch"))) {
        let before = PRODUCTS.with(Clone::clone);
        let typed = tried(&before, &format!("db.c.find({{{pair}}})"));
        for found in &typed.findings {
            let Some(fix) = &found.fix else { continue };
            for ran in tried(&before, fix).outcome.ran {
                let Command::Find(find) = ran.command else { continue };
                let tree = Filter::parse(&find.filter).expect("it ran").normalised();
                prop_assert!(keeps_polarity(&tree), "{}: {fix}", found.id);
            }
        }
    }
}

#[test]
fn a_key_that_is_refused_stays_outside() {
    let before = products();
    let count = |text: &str| rows(&tried(&before, text).outcome.ran);
    assert_eq!(count(r#"db.c.find({"specs.k": {$ne: "ram"}, "specs.v": 16})"#), Some(vec!["5".into()]));
    let found = tried(&before, r#"db.c.find({"specs.k": {$ne: "ram"}, "specs.v": 16})"#).findings;
    let ids: Vec<&str> = found.iter().map(|found| found.id).collect();
    assert!(!ids.contains(&"loose-bounds-without-elemmatch") && !ids.contains(&"cross-element-match"), "{ids:?}");
    let turned = Filter::parse(&doc! {"s": {"$elemMatch": {"k": {"$ne": 1}, "v": 1}}}).expect("it is a filter");
    assert!(!keeps_polarity(&turned.normalised()));
}

/// What is found in a text on the products, by id.
fn found(before: &Database, text: &str, id: &str) -> Vec<Finding> {
    tried(before, text).findings.into_iter().filter(|found| found.id == id).collect()
}

/// A guess is no cure: none where two keys have the value as often, where a document would be written by it, where the
/// pattern's text would become another, where stored values would go, or where an upsert would be missing.
#[test]
fn what_would_be_a_guess_is_not_written() {
    let before = products();
    let uncured = [
        ("value-without-key", r#"db.c.updateMany({"specs.v": 16}, {$set: {seen: true}})"#),
        ("value-without-key", r#"db.c.find({"specs.v": 8})"#),
        ("unanchored-regex", r#"db.c.find({specs: {$elemMatch: {k: "color", v: /lu/}}})"#),
        ("duplicate-key-in-array", r#"db.c.find({"specs.k": "color"})"#),
        (
            "guarded-push-with-upsert",
            r#"db.c.updateOne({_id: 99, "specs.k": {$ne: "ram"}}, {$push: {specs: {k: "ram", v: 1}}}, {upsert: true})"#,
        ),
    ];
    for (id, text) in uncured {
        let found = found(&before, text, id);
        assert_eq!(found.len(), 1, "{id} at {text}");
        assert_eq!(found[0].fix, None, "{}", found[0].message);
    }
}

#[test]
fn the_counts_of_a_write_are_those_of_its_answer() {
    let setup = r#"db.c.insertMany([...Array(30).keys()].map(i => ({_id: i, specs: [{k: "ram", v: i % 3}, {k: "color", v: "red"}]})))"#;
    let before = built(&[setup.to_owned()]);
    let said = [
        (r#"db.c.updateMany({specs: {$elemMatch: {k: "ram", v: 1}}}, {$set: {sale: true}})"#, "for 10 results"),
        (r#"db.c.deleteMany({specs: {$elemMatch: {k: "ram", v: 1}}})"#, "for 10 results"),
        (r#"db.c.find({specs: {$elemMatch: {k: "ram", v: 1}}})"#, "for 10 results"),
    ];
    for (text, wanted) in said {
        let found = found(&before, text, "no-index-for-attributes");
        assert!(found[0].message.contains(wanted), "{}", found[0].message);
    }
}

/// Keys and documents that a finding says its cure spares; none where it says nothing of the kind.
fn spared(found: &Finding) -> Option<(u64, u64)> {
    let total = |[keys, docs, _]: [u64; 3]| keys + docs;
    found.evidence.iter().find_map(|piece| match piece {
        Evidence::Cost { learner, cured } => Some((total(*learner), total(*cured))),
        _ => None,
    })
}

#[test]
fn a_cost_is_cheaper_when_cured() {
    let examples = pitfalls::examples().into_iter().flat_map(|example| {
        let texts: Vec<String> =
            [&example.caught].into_iter().chain(&example.also).chain(&example.silent).cloned().collect();
        texts.into_iter().map(move |text| (example.id.clone(), example.setup.clone(), text))
    });
    let mut bases: BTreeMap<Vec<String>, Database> = BTreeMap::new();
    let mut report = String::new();
    for (name, setup, text) in examples.chain(pitfalls::right_statements()) {
        let before = bases.entry(setup).or_insert_with_key(|setup| built(setup));
        for found in tried(before, &text).findings.iter().filter(|found| found.level == Level::Cost) {
            if let Some((typed, cured)) = spared(found).filter(|(typed, cured)| cured >= typed) {
                let _ = writeln!(report, "{name}: {} reads {typed}, cured {cured} at {text}", found.id);
            }
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// The cure of a write is measured on what the write found, not on what it left.
#[test]
fn a_write_is_measured_on_the_data_before_it() {
    let setup = r#"db.c.insertMany([...Array(30).keys()].map(i => ({_id: i, specs: [{k: "ram", v: i % 3}, {k: "color", v: "red"}]})))"#;
    let plain = built(&[setup.to_owned()]);
    let indexed = built(&[setup.to_owned(), r#"db.c.createIndex({"specs.k": 1, "specs.v": 1})"#.to_owned()]);
    let bound = r#"{specs: {$elemMatch: {k: "ram", v: 1}}}"#;
    let dotted = r#"{"specs.k": "ram", "specs.v": 1}"#;
    let writes = |filter: &str| {
        [
            format!(r#"db.c.updateMany({filter}, {{$set: {{"specs.$.v": 9}}}})"#),
            format!("db.c.deleteMany({filter})"),
            format!("db.c.bulkWrite([{{deleteMany: {{filter: {filter}}}}}])"),
            format!("db.c.bulkWrite([{{updateMany: {{filter: {filter}, update: {{$set: {{specs: []}}}}}}}}])"),
            format!("db.c.find({filter}).toArray(); db.c.deleteMany({{}})"),
        ]
    };
    let cases = [(&plain, "no-index-for-attributes", bound), (&indexed, "loose-bounds-without-elemmatch", dotted)];
    for (before, id, filter) in cases {
        for text in writes(filter) {
            let found = found(before, &text, id);
            let Some(Evidence::Cost { learner, cured }) = found
                .first()
                .and_then(|found| found.evidence.iter().find(|piece| matches!(piece, Evidence::Cost { .. })))
            else {
                panic!("{id} at {text}: {found:?}")
            };
            assert_eq!((learner[2], *cured), (10, [10, 10, 10]), "{id} at {text}");
        }
    }
}

/// Where no key is found more than the others none is taken for the one that is meant.
#[test]
fn what_cannot_be_known_is_not_said_to_be_meant() {
    let before = products();
    let [tied] = &found(&before, "db.c.find({specs: {$elemMatch: {v: 8}}})", "value-without-key")[..] else {
        panic!("it is found")
    };
    assert_eq!((tied.level, &tied.fix), (Level::WrongResult, &None));
    assert!(!tied.evidence.iter().any(|piece| matches!(piece, Evidence::Results { .. })), "{:?}", tied.evidence);
    let deciding = tied.evidence.iter().find_map(|piece| match piece {
        Evidence::Document { deciding, .. } => Some(deciding.clone()),
        _ => None,
    });
    assert_eq!(deciding, Some(vec![("specs.0.v".to_owned(), "8".to_owned())]));
}

/// The elements that match meet all that is asked of one of them.
#[test]
fn elements_that_match_meet_all_that_is_asked() {
    let before = products();
    let counted = [
        (r#"db.c.find({"specs.v": {$gt: 7, $lt: 20}})"#, "for 5 that match"),
        (r#"db.c.find({specs: {$elemMatch: {k: "ram"}}, "specs.v": 16})"#, "for 1 that match"),
        (r#"db.c.find({"specs.k": {$all: ["ram", "color"]}})"#, "for 4 that match"),
        (r#"db.c.find({specs: {$all: [{$elemMatch: {k: "ram"}}, {$elemMatch: {k: "color"}}]}})"#, "for 4 that match"),
    ];
    for (text, wanted) in counted {
        let found = found(&before, text, "filter-does-not-trim-array");
        assert!(found[0].message.contains(wanted), "{text}: {}", found[0].message);
    }
}

/// The place of a finding is what it speaks of.
#[test]
fn a_key_is_underlined_where_it_stands() {
    let data = r#"db.c.insertMany([{_id: 1, specs: [{k: "ram", v: 8}, {k: "color", v: "red"}]}, {_id: 2, specs: [{k: "ram", v: 16}]}, {_id: 3, specs: [{k: "farbe", v: "rot"}]}])"#;
    let before = built(&[data.to_owned()]);
    let places = [
        (
            "key-spelling-variants",
            r#"db.c.insertMany([{_id: 8, specs: []}, {_id: 9, specs: [{v: 1, k: "RAM"}]}])"#,
            r#"k: "RAM""#,
        ),
        ("key-spelling-variants", r#"db.c.updateOne({_id: 3}, {$push: {specs: {k: "RAM", v: 1}}})"#, r#"k: "RAM""#),
        ("labels-as-keys", r#"db.c.updateOne({_id: 3}, {$pull: {specs: {k: "color"}}})"#, r#"k: "color""#),
        ("labels-as-keys", r#"db.c.find({_id: 3, specs: {$elemMatch: {k: "farbe"}}})"#, r#"k: "farbe""#),
    ];
    for (id, text, wanted) in places {
        let found = found(&before, text, id);
        let at = found.first().map(|found| &text[found.span.start..]);
        assert!(at.is_some_and(|at| at.starts_with(wanted)), "{id} at {text}: {found:?}");
    }
}

#[test]
fn the_pair_of_a_unique_index_is_the_one_the_server_names() {
    let setup = r#"db.c.insertMany([{_id: 1, specs: [{k: "size", v: "L"}, {k: "battery", v: "Li-Ion"}]}, {_id: 2, specs: [{k: "size", v: "L"}]}, {_id: 3, specs: [{k: "battery", v: "Li-Ion"}]}])"#;
    let before = built(&[setup.to_owned()]);
    let text = r#"db.c.createIndex({"specs.k": 1, "specs.v": 1}, {unique: true})"#;
    let found = found(&before, text, "unique-across-documents");
    assert!(found[0].message.contains(r#""battery": "Li-Ion""#), "{}", found[0].message);
    let Evidence::Refusal { message, .. } = &found[0].evidence[0] else { panic!("the refusal is told") };
    assert!(message.contains(r#"specs.k: "battery", specs.v: "Li-Ion""#), "{message}");
}

#[test]
fn two_indexes_made_in_one_text_are_told_once() {
    let text = r"db.c.createIndex({n: 1}); db.c.createIndex({n: 1, m: 1})";
    assert_eq!(found(&products(), text, "redundant-prefix-index").len(), 1);
}

#[test]
fn an_equality_is_not_told_as_an_order() {
    let before = products();
    let [equal] = &found(&before, r#"db.c.find({$expr: {$eq: ["$specs.k", "ram"]}})"#, "expr-on-array-path")[..] else {
        panic!("it is found")
    };
    assert!(equal.message.contains("never equal") && !equal.message.contains("greater"), "{}", equal.message);
}
