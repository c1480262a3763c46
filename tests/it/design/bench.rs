//! The duel on the real store: what each design reads for the questions of the course.

use pegboard::design::data::named;
use pegboard::design::{Bench, Duel, Sameness, to_json, to_markdown, to_svg, to_text};
use pegboard::shell::{Limits, Shell};
use pegboard::value::Source;
use pegboard::words::Lang;

pub(super) fn duel(data: &str, text: &str) -> Duel {
    duel_in(Lang::En, data, text)
}

fn duel_in(lang: Lang, data: &str, text: &str) -> Duel {
    let data = named(data).expect("the data set exists");
    let bench = Bench::of(&data, Source::seeded(0).with_clock(0)).in_language(lang);
    let mut shell = Shell::new(bench, Limits::default());
    let outcome = shell.run(text);
    assert!(outcome.value.is_ok(), "{text}: {:?}", outcome.value);
    shell.host().duel().expect("the statement is about the data set").clone()
}

/// Each design with its scans, keys and documents read, and what came back; or why it cannot be asked.
fn figures(duel: &Duel) -> Vec<String> {
    let column = |column: &pegboard::design::Column| {
        let name = column.form.name();
        if let Some((reason, _)) = &column.reason {
            return format!("{name}: no counterpart, {reason}");
        }
        let scans = column.stages.iter().filter(|stage| stage.role == pegboard::design::Role::Scan);
        let scans: Vec<_> = scans.map(|stage| stage.stage.as_str()).collect();
        let cost = &column.cost;
        format!("{name}: {} keys {} docs {} returned {}", scans.join("+"), cost.keys, cost.docs, cost.returned)
    };
    duel.columns.iter().map(column).collect()
}

fn check(data: &str, text: &str, expected: &[&str]) -> Duel {
    let duel = duel(data, text);
    assert_eq!(figures(&duel), expected, "{text}");
    duel
}

const INDEX: &str = r#"db.products.createIndex({"specs.k": 1, "specs.v": 1});"#;

#[test]
fn without_an_index_every_design_reads_everything() {
    let duel = check(
        "products",
        r#"db.products.find({specs: {$elemMatch: {k: "ram", v: 16}}})"#,
        &[
            "kv: COLLSCAN keys 0 docs 60 returned 2",
            "flat: COLLSCAN keys 0 docs 60 returned 2",
            "wildcard: COLLSCAN keys 0 docs 60 returned 2",
        ],
    );
    assert_eq!(duel.same, Sameness::Same(2));
    assert_eq!(duel.columns[1].statement.as_deref(), Some("db.products_flat.find({ram: 16})"));
    assert_eq!(duel.columns[2].statement.as_deref(), Some(r#"db.products_wildcard.find({"specs.ram": 16})"#));
}

#[test]
fn one_index_serves_four_attributes() {
    for (key, value) in [("color", "\"blue\""), ("size", "\"L\""), ("ram", "16"), ("voltage", "230")] {
        let text = format!("{INDEX} db.products.find({{specs: {{$elemMatch: {{k: \"{key}\", v: {value}}}}}}})");
        let duel = duel("products", &text);
        for column in &duel.columns {
            assert_eq!(column.cost.keys, column.cost.returned, "{key} in {}", column.form.name());
            assert_eq!(column.cost.docs, column.cost.returned, "{key} in {}", column.form.name());
            assert!(column.cost.returned > 0, "{key}");
        }
        assert_eq!(duel.columns[0].bounds[0].words, format!("k = {key}, v = {}", value.trim_matches('"')));
    }
}

#[test]
fn an_index_of_pairs_costs_what_a_field_index_each_costs_the_flat_design() {
    let duel = duel("products", INDEX);
    let storage = |column: &pegboard::design::Column| {
        let touched = column.writing.as_ref().map_or(0, |writing| writing.insert_entries);
        (column.storage.indexes.len(), column.storage.entries(), touched)
    };
    let storage: Vec<_> = duel.columns.iter().map(storage).collect();
    // 60 products with 208 attributes of 19 keys: 60 + 208 entries in one index, 20 × 60 in one for each key.
    assert_eq!(storage, [(2, 268, 4), (20, 1200, 20), (2, 268, 4)]);
}

#[test]
fn a_new_attribute_is_served_at_once_as_a_pair_and_not_as_a_field() {
    let coffee = r#"db.products.insertOne({_id: 100, name: "Coffee Maker", category: "kitchen", price: 80,
        specs: [{k: "pump_pressure", v: 15, u: "bar"}]});"#;
    check(
        "products",
        &format!(r#"{INDEX} {coffee} db.products.find({{specs: {{$elemMatch: {{k: "pump_pressure", v: 15}}}}}})"#),
        &[
            "kv: IXSCAN keys 1 docs 1 returned 1",
            "flat: COLLSCAN keys 0 docs 61 returned 1",
            "wildcard: IXSCAN keys 1 docs 1 returned 1",
        ],
    );
}

#[test]
fn the_dotted_pair_has_no_counterpart_and_loose_bounds() {
    let duel = check(
        "products",
        &format!(r#"{INDEX} db.products.find({{"specs.k": "ram", "specs.v": 16}})"#),
        &[
            "kv: IXSCAN keys 16 docs 16 returned 5",
            "flat: no counterpart, cross-element",
            "wildcard: no counterpart, cross-element",
        ],
    );
    assert_eq!(duel.columns[0].bounds[0].words, "k = ram, any v");
    assert_eq!(duel.same, Sameness::Alone);
}

#[test]
fn a_wildcard_index_on_pairs_does_not_bind_key_and_value() {
    check(
        "products",
        r#"db.products.createIndex({"specs.$**": 1}); db.products.find({specs: {$elemMatch: {k: "ram", v: 16}}})"#,
        &[
            "kv: IXSCAN keys 5 docs 5 returned 2",
            "flat: COLLSCAN keys 0 docs 60 returned 2",
            "wildcard: COLLSCAN keys 0 docs 60 returned 2",
        ],
    );
}

#[test]
fn absence_is_cheap_among_fields_only() {
    check(
        "products",
        &format!(r#"{INDEX} db.products.find({{"specs.k": {{$ne: "color"}}}})"#),
        &[
            "kv: IXSCAN keys 180 docs 60 returned 31",
            "flat: IXSCAN keys 31 docs 31 returned 31",
            "wildcard: COLLSCAN keys 0 docs 60 returned 31",
        ],
    );
}

#[test]
fn films_need_an_index_for_each_country_or_one() {
    let pair = r#"db.films.createIndex({"releases.location": 1, "releases.date": 1});"#;
    let duel_us = check(
        "films",
        &format!(
            r#"{pair} db.films.find({{releases: {{$elemMatch: {{location: "US", date: {{$lt: ISODate("1978-01-01")}}}}}}}})"#
        ),
        &["array: IXSCAN keys 2 docs 2 returned 2", "flat: IXSCAN keys 2 docs 2 returned 2"],
    );
    assert_eq!(duel_us.columns[0].bounds[0].words, "location = US, date below 1978-01-01");
    assert_eq!(duel_us.columns[0].storage.indexes.len(), 2);
    assert_eq!(duel_us.columns[1].storage.indexes.len(), 6);
    check(
        "films",
        &format!(r#"{pair} db.films.find({{"releases.date": {{$lt: ISODate("1978-01-01")}}}})"#),
        &[
            "array: COLLSCAN keys 0 docs 4 returned 2",
            "flat: IXSCAN+IXSCAN+IXSCAN+IXSCAN+IXSCAN keys 7 docs 2 returned 2",
        ],
    );
    check(
        "films",
        r#"db.films.createIndex({"releases.date": 1}); db.films.find({"releases.date": {$lt: ISODate("1978-01-01")}})"#,
        &[
            "array: IXSCAN keys 7 docs 2 returned 2",
            "flat: IXSCAN+IXSCAN+IXSCAN+IXSCAN+IXSCAN keys 7 docs 2 returned 2",
        ],
    );
}

#[test]
fn the_unit_is_asked_of_pairs_only() {
    let duel = check(
        "bottles",
        r#"db.bottles.createIndex({"specs.k": 1, "specs.u": 1, "specs.v": 1});
           db.bottles.find({specs: {$elemMatch: {k: "volume", u: "ml", v: {$gte: 100}}}})"#,
        &["kv: IXSCAN keys 2 docs 2 returned 2", "flat: no counterpart, unit", "wildcard: no counterpart, unit"],
    );
    assert_eq!(duel.columns[0].bounds[0].words, "k = volume, u = ml, v at least 100");
    assert!(duel.columns[1].losses[0].starts_with("5 × not held (volume)"), "{:?}", duel.columns[1].losses);
}

#[test]
fn a_range_of_days_in_three_shapes() {
    check(
        "steps",
        r#"db.steps_rows.createIndex({person: 1, date: 1}, {unique: true});
           db.steps_rows.find({person: "Bob", date: {$gte: "20140201", $lt: "20140301"}})"#,
        &[
            "rows: IXSCAN keys 28 docs 28 returned 28",
            "map: IXSCAN keys 1 docs 1 returned 1",
            "array: IXSCAN keys 28 docs 1 returned 1",
        ],
    );
    check(
        "steps",
        r#"db.steps_rows.createIndex({person: 1, steps: 1}); db.steps_rows.find({person: "Bob", steps: {$gt: 10000}})"#,
        &[
            "rows: IXSCAN keys 8 docs 8 returned 8",
            "map: IXSCAN keys 1 docs 1 returned 1",
            "array: IXSCAN keys 8 docs 1 returned 1",
        ],
    );
    check(
        "steps",
        r#"db.steps.find({person: "Cleo"})"#,
        &[
            "map: COLLSCAN keys 0 docs 3 returned 1",
            "array: COLLSCAN keys 0 docs 3 returned 1",
            "rows: COLLSCAN keys 0 docs 132 returned 90",
        ],
    );
}

#[test]
fn one_more_day_is_one_small_row_or_a_whole_document() {
    let duel =
        duel("steps", r#"db.steps.updateOne({person: "Cleo"}, {$inc: {"steps_made.20140601": 712}}, {upsert: true})"#);
    let map = &duel.columns[0];
    let rows = duel.columns.iter().find(|column| column.form.name() == "rows").expect("rows are a twin");
    assert_eq!(
        rows.statement.as_deref(),
        Some(r#"db.steps_rows.updateOne({person: "Cleo", date: "20140601"}, {$inc: {steps: 712}}, {upsert: true})"#)
    );
    assert_eq!((map.cost.written, rows.cost.written), (1, 1));
    assert!(map.cost.bytes > 10 * rows.cost.bytes, "{} against {}", map.cost.bytes, rows.cost.bytes);
}

#[test]
fn reports_are_rebuilt_from_every_shape() {
    let average = r#"{$group: {_id: {$substrCP: ["$steps_made.date", 0, 6]}, avg: {$avg: "$steps_made.steps"}}}"#;
    let text =
        format!(r#"db.steps_array.aggregate([{{$match: {{person: "Ada"}}}}, {{$unwind: "$steps_made"}}, {average}])"#);
    let duel = duel("steps", &text);
    assert_eq!(duel.same, Sameness::Same(1), "{:?}", duel.lines);
    let rows = duel.columns.iter().find(|column| column.form.name() == "rows").expect("rows are a twin");
    assert_eq!((duel.columns[0].cost.docs, rows.cost.docs), (3, 132));
}

#[test]
fn sorting_and_distinct_values_of_an_attribute_take_a_pipeline_among_pairs() {
    let sorted = duel("products", "db.products_flat.find({ram: {$exists: true}}).sort({ram: 1})");
    assert_eq!(sorted.same, Sameness::Same(16), "{:?}", sorted.lines);
    assert!(sorted.columns[1].notes.iter().any(|(id, _)| *id == "sort-in-pipeline"));
    let distinct = duel("products", r#"db.products_flat.distinct("color", {category: "cars"})"#);
    assert_eq!(distinct.same, Sameness::Same(3), "{:?}", distinct.lines);
    let keys = duel("products", r#"db.products.distinct("specs.k")"#);
    assert_eq!(keys.same, Sameness::Same(19), "{:?}", keys.lines);
}

#[test]
fn two_explains_of_one_collection_are_compared_before_and_after_an_index() {
    let question = r#"db.products.find({specs: {$elemMatch: {k: "ram", v: 16}}})"#;
    let explain = |text: &str| duel("products", text).columns[0].explain.clone().expect("a find has a plan");
    let (before, after) = (explain(question), explain(&format!("{INDEX} {question}")));
    let compared = pegboard::design::compare(&before, &after);
    assert_eq!(compared.cheaper, pegboard::design::Cheaper::Right);
    assert_eq!(compared.reason, pegboard::design::Reason::NoIndex);
    assert_eq!(
        pegboard::design::difference_line("before", "after", &compared, Lang::En),
        "before reads 60 documents, after reads 2 keys and 2 documents: after is cheaper by 15 times; \
         the other has no index for this question and reads every document"
    );
}

#[test]
fn writes_and_drops_reach_the_twins() {
    let data = named("products").expect("built in");
    let mut shell = Shell::new(Bench::of(&data, Source::seeded(0)), Limits::default());
    let mut value = |text: &str| shell.run(text).value.expect("the statement runs").to_bson();
    value(r#"db.products.updateOne({_id: 2, "specs.k": "ram"}, {$set: {"specs.$.v": 48}})"#);
    assert_eq!(value("db.products_flat.findOne({_id: 2}).ram"), 48.into());
    value(r#"db.products_wildcard.updateOne({_id: 2}, {$unset: {"specs.cpu": ""}})"#);
    assert_eq!(value(r#"db.products.find({_id: 2, "specs.k": "cpu"}).toArray().length"#), 0.into());
    value("db.products.deleteMany({category: \"books\"})");
    assert_eq!(value("db.products_flat.countDocuments({category: \"books\"})"), 0.into());
    value(r#"db.products.createIndex({"specs.k": 1, "specs.v": 1})"#);
    assert_eq!(value("db.products_wildcard.getIndexes().length"), 2.into());
    value(r#"db.products.dropIndex({"specs.k": 1, "specs.v": 1})"#);
    assert_eq!(value("db.products_flat.getIndexes().length"), 1.into());
}

#[test]
fn a_write_on_a_twin_says_what_follows_it() {
    let data = named("products").expect("built in");
    let mut shell = Shell::new(Bench::of(&data, Source::seeded(0)), Limits::default());
    let mut notes = |text: &str| -> Vec<String> {
        let outcome = shell.run(text);
        outcome.value.expect("the statement runs");
        outcome.notes.into_iter().map(|note| note.message).collect()
    };
    let silent = [
        "db.products.updateOne({_id: 2}, {$set: {price: 1}})",
        "db.products_flat.find({ram: 16})",
        "db.products_flat.updateOne({_id: -1}, {$set: {price: 1}})",
        "db.products_flat.createIndex({_id: 1})",
    ];
    for text in silent {
        assert!(notes(text).is_empty(), "{text}");
    }
    let said = notes("db.products_flat.createIndex({ram: 1})");
    assert!(said[0].contains("`products`, `products_wildcard`"), "{said:?}");
    assert!(notes("db.products_flat.deleteMany({ram: 16})").is_empty(), "it is said once");
    assert!(notes("db.products_wildcard.drop()")[0].contains("`products`, `products_flat`"));
    assert!(shell.host().duel().expect("a duel").columns.iter().all(|column| column.reason.is_none()));
}

#[test]
fn the_twins_follow_what_a_refused_bulk_and_a_stage_left() {
    let data = named("products").expect("built in");
    let mut shell = Shell::new(Bench::of(&data, Source::seeded(0)), Limits::default());
    // The second product is refused after the first was written: what MongoDB keeps, the twins have too.
    let failed = shell.run(
        "db.products.updateMany({_id: {$in: [1, 2]}}, [{$set: {price: {$divide: [1, {$subtract: [\"$_id\", 2]}]}}}])",
    );
    assert!(failed.value.is_err());
    let mut value = |text: &str| shell.run(text).value.expect("the statement runs").to_bson();
    assert_eq!(value("db.products_flat.findOne({_id: 1}).price"), value("db.products.findOne({_id: 1}).price"));
    let bulk = "try { db.products.bulkWrite([{deleteOne: {filter: {_id: 3}}}, {insertOne: {document: {_id: 1}}}]) } catch (refusal) { refusal.code }";
    assert_eq!(value(bulk), 11000.into());
    assert_eq!(value("db.products_flat.countDocuments({_id: 3})"), 0.into());
    value("db.products.aggregate([{$match: {_id: 4}}, {$set: {price: 1}}, {$merge: \"products\"}])");
    assert_eq!(value("db.products_wildcard.findOne({_id: 4}).price"), 1.into());
    // The first of two documents is merged before the second is refused, from wherever they come.
    value("db.elsewhere.insertMany([{_id: 7}, {_id: 8}])");
    for (from, first, second) in [("products_flat", 5, 6), ("elsewhere", 7, 8)] {
        let merge = format!(
            "try {{ db.{from}.aggregate([
                {{$match: {{_id: {{$in: [{first}, {second}]}}}}}}, {{$sort: {{_id: 1}}}},
                {{$set: {{price: 77, _id: {{$cond: [{{$eq: [\"$_id\", {second}]}}, 6000, \"$_id\"]}}}}}},
                {{$merge: {{into: \"products\", whenNotMatched: \"fail\"}}}}]) }} catch (refusal) {{ refusal.code }}"
        );
        assert_eq!(value(&merge), 13113.into(), "{from}");
        for collection in ["products", "products_wildcard"] {
            assert_eq!(value(&format!("db.{collection}.findOne({{_id: {first}}}).price")), 77.into(), "{from}");
        }
    }
}

#[test]
fn every_format_tells_the_same_figures() {
    let text =
        format!(r#"{INDEX} db.products.find({{specs: {{$elemMatch: {{k: "ram", v: {{$gte: 8, $lte: 32}}}}}}}})"#);
    let duel = duel("products", &text);
    insta::assert_snapshot!("duel-text", to_text(&duel, Lang::En));
    insta::assert_snapshot!("duel-markdown-german", to_markdown(&duel_in(Lang::De, "products", &text), Lang::De));
    let json = to_json(&duel);
    assert_eq!(json["designs"][0]["totalKeysExamined"], 10);
    assert_eq!(json["designs"][0]["bounds"][0]["indexBounds"]["specs.v"][0], "[8, 32]");
    assert_eq!(json["same"]["verdict"], "same");
    let svg = to_svg(&duel, Lang::En);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
}

#[test]
fn a_design_that_is_not_asked_has_no_figures_of_a_read() {
    let duel = duel("products", r#"db.products.find({"specs.k": "ram", "specs.v": 16})"#);
    let text = to_text(&duel, Lang::En);
    let row = |label: &str| text.lines().find(|line| line.starts_with(label)).unwrap_or_default().to_owned();
    for label in ["keys examined", "documents examined", "returned", "entities"] {
        assert_eq!(row(label).matches('–').count(), 2, "{}", row(label));
    }
    let json = to_json(&duel);
    assert!(json["designs"][0]["nReturned"].is_u64() && json["designs"][1]["nReturned"].is_null(), "{json}");
}

#[test]
fn what_an_update_asks_twice_is_written_once() {
    let text = r#"db.products.updateOne({_id: 2, "specs.k": "ram"}, {$set: {"specs.$.v": 32}})"#;
    let duel = duel("products", text);
    let flat = duel.columns[1].statement.as_deref().unwrap_or_default();
    assert!(!flat.contains("$and"), "{flat}");
}
