//! The proof of a wrong result: where the data holds no misjudged document, one is made, and it is misjudged when run.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use pegboard::engine::Database;
use pegboard::pitfall::{Evidence, Finding, Level, table};
use pegboard::shell::{Limits, Shell, literal};
use pegboard::value::{Bson, Document, Source};
use pegboard::words::Lang;

use crate::pitfalls::{Example, examples, findings};

/// The ids of the documents that a finding's evidence names as misjudged.
fn misjudged(finding: &Finding) -> Vec<Bson> {
    let mut ids = Vec::new();
    for piece in &finding.evidence {
        match piece {
            Evidence::Document { document, made: false, .. } => ids.extend(document.get("_id").cloned()),
            Evidence::Write { before: Some(document), .. } => ids.extend(document.get("_id").cloned()),
            Evidence::Results { learner, meant } => {
                ids.extend(learner.iter().filter(|id| !meant.contains(id)).cloned());
                ids.extend(meant.iter().filter(|id| !learner.contains(id)).cloned());
            }
            _ => {}
        }
    }
    ids
}

/// The finding on the example's data once every misjudged document is gone, and the setup that leaves none.
fn without_misjudged(example: &Example) -> (Option<Finding>, Vec<String>) {
    let mut setup = example.setup.clone();
    loop {
        let found = findings(&setup, &example.caught, Lang::En);
        let of_result = |finding: &Finding| finding.id == example.id && finding.level != Level::Hint;
        let Some(finding) = found.into_iter().find(of_result) else { return (None, setup) };
        let ids = misjudged(&finding);
        let collection = collection(&example.caught);
        let delete = format!("db.{collection}.deleteMany({{_id: {{$in: {}}}}})", literal(&Bson::Array(ids.clone())));
        if ids.is_empty() || setup.contains(&delete) {
            return (Some(finding), setup);
        }
        setup.push(delete);
    }
}

/// The collection that a statement speaks of.
fn collection(text: &str) -> &str {
    let behind = text.split_once("db.").map_or("", |(_, behind)| behind);
    behind.split('.').next().unwrap_or_default()
}

/// What a text gives and leaves on a collection that holds these documents alone.
fn run(setup: &[String], documents: &[Document], text: &str) -> String {
    let mut shell = Shell::new(Database::new(Source::seeded(1)), Limits::default());
    for line in setup {
        shell.run(line);
    }
    let list = Bson::Array(documents.iter().cloned().map(Bson::Document).collect());
    let collection = collection(text);
    shell.run(&format!("db.{collection}.deleteMany({{}}); db.{collection}.insertMany({})", literal(&list)));
    let gave = shell.run(text).value.expect("both texts run").to_bson();
    let left = shell.run(&format!("db.{collection}.find().sort({{_id: 1}})")).value.expect("a find runs").to_bson();
    let ids = |value: &Bson| {
        let id = |row: &Bson| row.as_document().and_then(|row| row.get("_id")).map_or_else(|| literal(row), literal);
        value.as_array().map_or_else(|| literal(value), |rows| rows.iter().map(id).collect::<Vec<_>>().join(" "))
    };
    format!("{} | {} | {}", ids(&gave), literal(&gave), literal(&left))
}

fn fault(example: &Example, finding: &Finding, setup: &[String]) -> Option<String> {
    let made: Vec<Document> = finding
        .evidence
        .iter()
        .filter_map(|piece| match piece {
            Evidence::Document { document, made: true, .. } => Some(document.clone()),
            _ => None,
        })
        .collect();
    let written = |piece: &Evidence| matches!(piece, Evidence::Write { .. });
    if finding.level == Level::Refused || finding.evidence.iter().any(written) {
        // A refusal and a write are proofs of their own: the document before and after is the learner's.
        return None;
    }
    if made.is_empty() {
        let kinds: Vec<String> = finding.evidence.iter().map(|piece| piece.to_json()["kind"].to_string()).collect();
        let (level, message) = (finding.level, &finding.message);
        return Some(format!("no proof was made ({level:?}, {kinds:?}, fix {}): {message}", finding.fix.is_some()));
    }
    if !finding.message.contains("made for the proof") {
        return Some("the message does not say that it was made".into());
    }
    let fix = finding.fix.as_ref()?;
    let (typed, fixed) = (run(setup, &made, &example.caught), run(setup, &made, fix));
    (typed == fixed).then(|| format!("{made:?} is not misjudged: {typed}"))
}

#[test]
fn a_wrong_result_is_proven_by_a_made_document_where_the_data_has_none() {
    let wrong: BTreeSet<&str> =
        table().filter(|pitfall| pitfall.level == Level::WrongResult).map(|pitfall| pitfall.id).collect();
    let all = examples();
    let mut report = String::new();
    let mut made = BTreeSet::new();
    for example in all.iter().filter(|example| wrong.contains(example.id.as_str())) {
        match without_misjudged(example) {
            (None, _) => {}
            (Some(finding), setup) => {
                if finding.evidence.iter().any(|piece| matches!(piece, Evidence::Document { made: true, .. })) {
                    made.insert(example.id.as_str());
                }
                if let Some(fault) = fault(example, &finding, &setup) {
                    let _ = writeln!(report, "{}: {fault}", example.id);
                }
            }
        }
    }
    assert!(report.is_empty(), "{report}");
    assert!(!made.is_empty(), "documents are made for some");
}

#[test]
fn a_text_that_makes_its_own_data_is_proven_too() {
    let text = "db.c.insertMany([{_id: 1, specs: [{k: 'color', v: 'XL'}, {k: 'size', v: 'S'}]}, \
                {_id: 2, specs: [{k: 'ink', v: 'gel'}, {k: 'color', v: 'red'}]}]); \
                db.c.find({'specs.k': 'color', 'specs.v': 'XL'})";
    for (lang, said) in [(Lang::En, "made for the proof"), (Lang::De, "für den Beweis gemacht")] {
        let found = findings(&[], text, lang);
        let finding = found.iter().find(|finding| finding.id == "cross-element-match").expect("it is noticed");
        let made = |piece: &Evidence| matches!(piece, Evidence::Document { made: true, .. });
        assert!(finding.evidence.iter().any(made) && finding.message.contains(said), "{finding:?}");
    }
}
