//! The comparisons of the course as data: what `tests/duels/*.json` says each design reads, keeps and gives.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pegboard::design::data::named;
use pegboard::design::{Bench, Duel, to_json, versus};
use pegboard::shell::{Limits, Shell};
use pegboard::value::Source;
use pegboard::words::Lang;
use serde_json::{Map, Value, json};

/// The requirements whose figures a duel has to show.
const COVERED: [std::ops::RangeInclusive<u32>; 4] = [7..=18, 28..=31, 33..=35, 36..=50];

fn cases() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/duels");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    let read = |path| {
        serde_json::from_str::<Vec<Value>>(&fs::read_to_string(path).expect("readable")).expect("an array of cases")
    };
    files.into_iter().flat_map(read).collect()
}

fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().unwrap_or_else(|| panic!("{case}: {field} is a text"))
}

fn after(data: &str, script: &str) -> Bench {
    let data = named(data).expect("the data set exists");
    let mut shell = Shell::new(Bench::of(&data, Source::seeded(0).with_clock(0)), Limits::default());
    let outcome = shell.run(script);
    assert!(outcome.value.is_ok(), "{script}: {:?}", outcome.value);
    shell.host().clone()
}

fn duel(case: &Value) -> Duel {
    let (data, first) = (text(case, "data"), after(text(case, "data"), text(case, "run")));
    let Some(others) = case["against"].as_array() else { return first.duel().expect("it is about the data").clone() };
    let others: Vec<_> = others.iter().map(|script| after(data, script.as_str().expect("a script"))).collect();
    let sides: Vec<_> = ["A", "B", "C", "D"].into_iter().zip(std::iter::once(&first).chain(&others)).collect();
    versus(&sides, Lang::En).expect("each is about the data")
}

/// A duel's figures under the names that the cases use.
fn figures(duel: &Duel) -> Value {
    let whole = to_json(duel);
    let columns: Map<_, _> = whole["designs"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|column| (column["name"].as_str().expect("a name").to_owned(), column_figures(column)))
        .collect();
    json!({"same": whole["same"]["verdict"], "count": whole["same"]["count"], "columns": columns})
}

fn column_figures(column: &Value) -> Value {
    let list = |list: &str, field: &str| -> Value {
        column[list].as_array().expect("a list").iter().map(|item| item[field].clone()).collect()
    };
    let scans = column["stages"].as_array().expect("a list").iter().filter(|stage| stage["role"] == "scan");
    let storage = &column["storage"];
    json!({
        "reason": column["reason"]["id"],
        "scans": scans.map(|stage| stage["stage"].clone()).collect::<Value>(),
        "bounds": list("bounds", "words"),
        "keys": column["totalKeysExamined"],
        "docs": column["totalDocsExamined"],
        "returned": column["nReturned"],
        "answerBytes": column["bytes"],
        "documentsWritten": column["documentsWritten"],
        "entriesTouched": column["entriesTouched"],
        "notes": list("notes", "id"),
        "losses": column["losses"],
        "rejectedPlans": column["rejectedPlans"].as_array().map(Vec::len),
        "indexes": storage["indexCount"],
        "entries": storage["entries"],
        "nullEntries": storage["nullEntries"],
        "indexBytes": storage["indexBytes"],
        "documentBytes": storage["bytes"],
        "multiKeyPaths": storage["indexes"].as_array().and_then(|list| list.last()).map(|index| index["multiKeyPaths"].clone()),
        "entriesPerInsert": column["insertOne"]["entriesTouched"],
        "documentsPerChange": column["changeOne"]["documentsRewritten"],
        "bytesPerChange": column["changeOne"]["bytesRewritten"],
    })
}

/// What a case expects and the duel does not say.
fn differences(expected: &Value, found: &Value, at: &str) -> Vec<String> {
    let Some(fields) = expected.as_object() else {
        return if expected == found { Vec::new() } else { vec![format!("{at}: expected {expected}, found {found}")] };
    };
    fields.iter().flat_map(|(name, expected)| differences(expected, &found[name], &format!("{at}/{name}"))).collect()
}

#[test]
fn every_comparison_of_the_course_has_its_figures() {
    let wrong: Vec<_> =
        cases().iter().flat_map(|case| differences(&case["expect"], &figures(&duel(case)), text(case, "id"))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_requirement_with_a_comparison_is_covered() {
    let cases = cases();
    let covers = cases.iter().flat_map(|case| case["covers"].as_array().expect("a list"));
    let covered: BTreeSet<_> = covers.map(|id| id.as_str().expect("an id").to_owned()).collect();
    let open: Vec<_> =
        COVERED.into_iter().flatten().map(|number| format!("R{number}")).filter(|id| !covered.contains(id)).collect();
    assert!(open.is_empty(), "{open:?}");
}
