//! The plan cache: learnt, confirmed, used, cleared; explain leaves it alone.

use pegboard::engine::{Command, CreateIndexes, Database, Find, Host, IndexRequest, Insert, PlanCacheClear, Reply};
use pegboard::plan::{Explain, Stage, Verbosity};
use pegboard::value::{Document, Source, doc};

fn database() -> Database {
    let mut database = Database::new(Source::seeded(1).with_clock(0));
    fill(&mut database, "c");
    database
}

fn fill(database: &mut Database, collection: &str) {
    let documents = (0..50).map(|id| doc! { "_id": id, "a": id % 5, "b": id }).collect();
    run(database, Command::Insert(Insert { collection: collection.into(), documents, ordered: true }));
    index(database, collection, doc! { "a": 1 });
    index(database, collection, doc! { "b": 1 });
}

#[expect(clippy::needless_pass_by_value, reason = "written at the call")]
fn run(database: &mut Database, command: Command) -> (Reply, Option<Box<Explain>>) {
    let run = database.run(&command).expect("the command is fine");
    (run.reply, run.explain)
}

fn index(database: &mut Database, collection: &str, keys: Document) {
    let indexes = vec![IndexRequest { keys, options: Document::new() }];
    run(database, Command::CreateIndexes(CreateIndexes { collection: collection.into(), indexes }));
}

fn find(a: i32, b: i32) -> Command {
    Command::Find(Find { collection: "c".into(), filter: doc! { "a": a, "b": b }, ..Find::default() })
}

fn ask(database: &mut Database, a: i32, b: i32) -> Box<Explain> {
    run(database, find(a, b)).1.expect("a find explains itself")
}

fn entries(database: &mut Database) -> Vec<Document> {
    let Reply::Documents(raw) = run(database, Command::PlanCacheList { collection: "c".into() }).0 else {
        panic!("plan cache entries are documents");
    };
    raw.iter().map(|entry| Document::try_from(entry.as_ref()).expect("an entry is BSON")).collect()
}

#[test]
fn a_winner_is_used_when_a_second_trial_confirmed_it() {
    let mut database = database();
    let first = ask(&mut database, 1, 6);
    assert!(!first.from_cache && first.trials.len() == 2 && first.rejected.len() == 1);
    assert_eq!(entries(&mut database)[0].get_bool("isActive").ok(), Some(false));
    assert!(!ask(&mut database, 2, 7).from_cache);
    assert_eq!(entries(&mut database)[0].get_bool("isActive").ok(), Some(true));
    let third = ask(&mut database, 3, 8);
    assert!(third.from_cache && third.trials.is_empty());
    assert_eq!(
        third.winning.all().find_map(|node| node.stage.scan()).map(|scan| scan.index.name.clone()),
        Some("b_1".into())
    );
}

#[test]
fn changed_indexes_and_clear_forget() {
    let mut database = database();
    ask(&mut database, 1, 6);
    index(&mut database, "c", doc! { "c": 1 });
    assert!(entries(&mut database).is_empty());
    ask(&mut database, 1, 6);
    assert_eq!(entries(&mut database).len(), 1);
    run(&mut database, Command::PlanCacheClear(PlanCacheClear { collection: "c".into(), ..PlanCacheClear::default() }));
    assert!(entries(&mut database).is_empty());
}

/// What was learnt of one collection says nothing of another one in its place, with like indexes.
fn forgets(change: impl Fn(&mut Database)) {
    let mut database = database();
    ask(&mut database, 1, 6);
    ask(&mut database, 2, 7);
    assert_eq!(entries(&mut database).len(), 1);
    change(&mut database);
    assert!(entries(&mut database).is_empty());
    assert!(!ask(&mut database, 3, 8).from_cache);
}

#[test]
fn whatever_takes_the_place_of_a_collection_forgets() {
    forgets(|database| {
        run(database, Command::DropCollection { collection: "c".into() });
        fill(database, "c");
    });
    forgets(|database| {
        run(database, Command::DropDatabase);
        fill(database, "c");
    });
    forgets(|database| {
        fill(database, "d");
        run(database, Command::RenameCollection { collection: "d".into(), to: "c".into(), drop_target: true });
    });
}

#[test]
fn an_index_that_becomes_multikey_forgets_and_other_writes_do_not() {
    let insert = |document: Document| {
        Command::Insert(Insert { collection: "c".into(), documents: vec![document], ordered: true })
    };
    forgets(|database| _ = run(database, insert(doc! { "_id": 100, "a": [1, 2] })));
    let mut database = database();
    ask(&mut database, 1, 6);
    run(&mut database, insert(doc! { "_id": 100, "a": 1, "b": 100 }));
    assert_eq!(entries(&mut database).len(), 1);
}

#[test]
fn explain_neither_asks_nor_teaches() {
    let mut database = database();
    let command = Box::new(find(1, 6));
    let (reply, _) = run(&mut database, Command::Explain { command, verbosity: Verbosity::AllPlansExecution });
    let Reply::Result(explain) = reply else { panic!("an explain is a document") };
    assert!(entries(&mut database).is_empty());
    let stats = explain.get_document("executionStats").expect("the query was run");
    assert_eq!(stats.get_array("allPlansExecution").ok().map(Vec::len), Some(2));
    assert_eq!(stats.get_i32("totalKeysExamined").ok(), Some(1));
}

#[test]
fn branches_of_an_or_are_planned_one_by_one() {
    let mut database = database();
    let filter = doc! { "$or": [{ "a": 1, "b": 6 }, { "b": 7 }] };
    let command = Command::Find(Find { collection: "c".into(), filter, ..Find::default() });
    let (_, explain) = run(&mut database, command);
    let winning = explain.expect("a find explains itself").winning;
    assert!(matches!(winning.stage, Stage::Subplan));
    assert_eq!(winning.line(), "SUBPLAN(FETCH(OR(FETCH(IXSCAN b_1), IXSCAN b_1)))");
}

#[test]
fn an_entry_tells_how_every_candidate_did() {
    let mut database = database();
    ask(&mut database, 1, 6);
    let entry = &entries(&mut database)[0];
    let list = |name: &str| entry.get_array(name).cloned().unwrap_or_default();
    let (stats, scores) = (list("creationExecStats"), list("candidatePlanScores"));
    assert_eq!((stats.len(), scores.len()), (2, 2));
    for candidate in stats.iter().filter_map(|candidate| candidate.as_document()) {
        let names: Vec<&str> = candidate.keys().map(String::as_str).collect();
        let counts = ["nReturned", "executionTimeMillisEstimate", "totalKeysExamined", "totalDocsExamined"];
        assert_eq!(names, [&counts[..], &["executionStages"]].concat());
        assert!(candidate.get_document("executionStages").is_ok_and(|stages| stages.contains_key("works")));
    }
}
