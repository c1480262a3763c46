//! The database: writes, administration, atomicity, undo and fork.

use bson::{Bson, Document, doc};
use pegboard::engine::{
    BulkOperation, BulkWrite, Command, CreateIndexes, Database, Delete, Find, FindAndModify, Host, IndexRequest,
    Insert, Modify, Reply, Run, Update, UpdateSpec,
};
use pegboard::error::CommandError;
use pegboard::store::Direction;
use pegboard::value::Source;

fn database() -> Database {
    Database::new(Source::seeded(1).with_clock(0))
}

fn insert(database: &mut Database, documents: Vec<Document>, ordered: bool) -> Run {
    let insert = Insert { collection: "c".into(), documents, ordered };
    database.run(&Command::Insert(insert)).expect("the command itself is well formed")
}

fn create_index(database: &mut Database, keys: Document, options: Document) -> Result<Run, CommandError> {
    let indexes = vec![IndexRequest { keys, options }];
    database.run(&Command::CreateIndexes(CreateIndexes { collection: "c".into(), indexes }))
}

fn spec(filter: Document, modify: Modify) -> UpdateSpec {
    UpdateSpec {
        filter,
        modify,
        multi: false,
        upsert: false,
        array_filters: Vec::new(),
        collation: None,
        hint: None,
        variables: None,
    }
}

fn update(database: &mut Database, spec: UpdateSpec) -> Result<Run, CommandError> {
    database.run(&Command::Update(Update { collection: "c".into(), spec }))
}

fn documents(database: &Database) -> Vec<Document> {
    let Some(collection) = database.collection("c") else { return Vec::new() };
    collection
        .scan(Direction::Ascending)
        .map(|(_, raw)| Document::try_from(raw).expect("stored documents are whole"))
        .collect()
}

fn code(result: Result<Run, CommandError>) -> i32 {
    result.expect_err("it is refused").code.number()
}

/// Every index holds exactly the keys that the documents give, and says so.
fn check_indexes(database: &Database) {
    let Some(collection) = database.collection("c") else { return };
    for index in collection.indexes() {
        let mut expected: Vec<(Vec<u8>, u64)> = Vec::new();
        for (id, document) in collection.scan(Direction::Ascending) {
            let keys = index.keys(document).expect("stored documents have keys");
            expected.extend(keys.iter().map(|key| (key.bytes().to_vec(), id.0)));
        }
        expected.sort();
        let found: Vec<(Vec<u8>, u64)> =
            index.entries().map(|entry| (entry.key.bytes().to_vec(), entry.id.0)).collect();
        assert_eq!(found, expected, "{}", index.name());
        let info = index.info();
        assert_eq!(info.entries, expected.len() as u64);
        let mut distinct: Vec<_> = expected.iter().map(|(key, _)| key).collect();
        distinct.dedup();
        assert_eq!(info.distinct_keys, distinct.len() as u64);
        let bytes: usize = index.entries().map(|entry| entry.key.bytes().len() + entry.key.bits().len() + 8).sum();
        assert_eq!(info.bytes, bytes as u64);
    }
}

#[test]
fn id_comes_first_and_is_made() {
    let mut database = database();
    let run = insert(&mut database, vec![doc! {"a": 1, "_id": 7}, doc! {"a": 2}], true);
    let Reply::Inserted { ids, failures } = run.reply else { panic!("an insert answers with ids") };
    assert!(failures.is_empty() && ids[0].1 == Bson::Int32(7) && matches!(ids[1].1, Bson::ObjectId(_)));
    assert!(documents(&database).iter().all(|document| document.keys().next().is_some_and(|name| name == "_id")));
    assert_eq!(run.writes.keys, vec![("_id_".to_owned(), 2, 0)]);
}

#[test]
fn ordered_inserts_stop_and_unordered_go_on() {
    for (ordered, kept) in [(true, vec![1, 2]), (false, vec![1, 2, 3])] {
        let mut database = database();
        let batch = vec![doc! {"_id": 1}, doc! {"_id": 2}, doc! {"_id": 1}, doc! {"_id": 3}];
        let Reply::Inserted { failures, .. } = insert(&mut database, batch, ordered).reply else { panic!() };
        assert_eq!(failures.len(), 1);
        assert_eq!(failures[0].index, 2);
        assert_eq!(
            failures[0].error.message,
            "E11000 duplicate key error collection: test.c index: _id_ dup key: { _id: 1 }"
        );
        let ids: Vec<i32> = documents(&database).iter().map(|document| document.get_i32("_id").unwrap()).collect();
        assert_eq!(ids, kept);
    }
}

#[test]
fn ids_of_unfit_types_are_refused() {
    let regex = Bson::RegularExpression(bson::Regex {
        pattern: bson::raw::cstr!("x").into(),
        options: bson::raw::cstr!("").into(),
    });
    for id in [Bson::Array(vec![Bson::Int32(1)]), regex, Bson::Undefined] {
        let mut database = database();
        let Reply::Inserted { failures, .. } = insert(&mut database, vec![doc! {"_id": id}], true).reply else {
            panic!()
        };
        assert_eq!(failures[0].error.code.number(), 53);
        assert!(documents(&database).is_empty());
    }
}

#[test]
fn a_failed_update_changes_nothing() {
    let mut database = database();
    create_index(&mut database, doc! {"a": 1}, doc! {"unique": true}).expect("it is new");
    create_index(&mut database, doc! {"b": 1, "c": 1}, doc! {}).expect("it is new");
    insert(&mut database, vec![doc! {"_id": 1, "a": 1, "b": [1, 2]}, doc! {"_id": 2, "a": 2}], true);
    let before = documents(&database);
    let operators = |update: Document| Modify::Operators(update);
    assert_eq!(code(update(&mut database, spec(doc! {"_id": 2}, operators(doc! {"$set": {"a": 1}})))), 11000);
    assert_eq!(code(update(&mut database, spec(doc! {"_id": 1}, operators(doc! {"$set": {"c": [1]}})))), 171);
    assert_eq!(code(update(&mut database, spec(doc! {"_id": 1}, operators(doc! {"$set": {"_id": 5}})))), 66);
    assert_eq!(documents(&database), before);
    check_indexes(&database);
}

#[test]
fn upserts_take_equalities_from_the_filter() {
    let mut database = database();
    let mut wanted = spec(doc! {"_id": 4, "a": 5, "n": {"$gt": 1}}, Modify::Operators(doc! {"$inc": {"b": 1}}));
    wanted.upsert = true;
    let run = update(&mut database, wanted).expect("it is well formed");
    let Reply::Updated(reply) = run.reply else { panic!("an update answers with counts") };
    assert_eq!((reply.matched, reply.modified, reply.upserted), (0, 0, Some(Bson::Int32(4))));
    assert_eq!(documents(&database), vec![doc! {"_id": 4, "a": 5, "b": 1}]);
}

#[test]
fn find_and_modify_gives_before_or_after() {
    let mut database = database();
    insert(&mut database, vec![doc! {"_id": 1, "a": 1}, doc! {"_id": 2, "a": 9}], true);
    let modify = FindAndModify {
        collection: "c".into(),
        sort: Some(doc! {"a": -1}),
        modify: Some(Modify::Operators(doc! {"$inc": {"a": 1}})),
        ..FindAndModify::default()
    };
    let before = database.run(&Command::FindAndModify(modify.clone())).expect("it runs");
    assert_eq!(before.reply, Reply::Document(Some(doc! {"_id": 2, "a": 9})));
    let after = database.run(&Command::FindAndModify(FindAndModify { return_new: true, ..modify })).expect("it runs");
    assert_eq!(after.reply, Reply::Document(Some(doc! {"_id": 2, "a": 11})));
}

#[test]
fn bulk_writes_sum_up() {
    let mut database = database();
    let operations = vec![
        BulkOperation::Insert(doc! {"_id": 1, "a": 1}),
        BulkOperation::Insert(doc! {"_id": 1, "a": 2}),
        BulkOperation::Update(Box::new(spec(doc! {"_id": 1}, Modify::Operators(doc! {"$set": {"a": 3}})))),
        BulkOperation::Delete { filter: doc! {"a": 3}, multi: false, collation: None, hint: None },
    ];
    let bulk = BulkWrite { collection: "c".into(), operations, ordered: false };
    let Reply::Bulk { inserted, matched, modified, deleted, failures, .. } =
        database.run(&Command::BulkWrite(bulk)).expect("it runs").reply
    else {
        panic!("a bulk answers with sums")
    };
    assert_eq!((inserted.len(), matched, modified, deleted, failures.len()), (1, 1, 1, 1, 1));
    assert_eq!(failures[0].index, 1);
}

#[test]
fn undo_and_fork() {
    let mut database = database();
    insert(&mut database, vec![doc! {"_id": 1}], true);
    database.checkpoint();
    let mut fork = database.clone();
    insert(&mut database, vec![doc! {"_id": 2}], true);
    create_index(&mut database, doc! {"a": 1}, doc! {}).expect("it is new");
    assert_eq!(documents(&fork), vec![doc! {"_id": 1}]);
    insert(&mut fork, vec![doc! {"_id": 3}], true);
    assert_eq!(documents(&database), vec![doc! {"_id": 1}, doc! {"_id": 2}]);
    assert!(database.undo() && !database.undo());
    assert_eq!(documents(&database), vec![doc! {"_id": 1}]);
    assert_eq!(database.collection("c").map(|collection| collection.indexes().len()), Some(1));
    check_indexes(&database);
    check_indexes(&fork);
}

#[test]
fn index_options_conflict_as_on_the_server() {
    let mut database = database();
    create_index(&mut database, doc! {"a": 1}, doc! {}).expect("it is new");
    let cases = [
        (doc! {"a": 1}, doc! {"unique": true}, 86),
        (doc! {"a": 1}, doc! {"name": "other"}, 85),
        (doc! {"a": 1}, doc! {"name": "ttl", "expireAfterSeconds": 60}, 85),
        (doc! {"b": 1}, doc! {"name": "a_1"}, 86),
        (doc! {"b": 1}, doc! {"name": "_id_"}, 2),
        (doc! {"b": 1}, doc! {"name": "*"}, 2),
        (doc! {"b": 1}, doc! {"name": ""}, 67),
        (doc! {"b": 1}, doc! {"nonsense": 1}, 197),
        (doc! {"_id": 1}, doc! {"unique": true}, 197),
        (doc! {"_id": 1}, doc! {"hidden": true}, 2),
        (doc! {"b": 0}, doc! {}, 67),
        (doc! {"b": true}, doc! {}, 67),
        (doc! {}, doc! {}, 67),
        (doc! {"b..c": 1}, doc! {}, 67),
        (doc! {"$b": 1}, doc! {}, 67),
        (doc! {"b": "text"}, doc! {}, 238),
        (doc! {"b": "2dsphere"}, doc! {}, 238),
        (doc! {"b": 1}, doc! {"expireAfterSeconds": 60}, 238),
        (doc! {"b": 1}, doc! {"partialFilterExpression": {"b": {"$ne": 1}}}, 67),
        (doc! {"b": 1}, doc! {"collation": {}}, 2),
        (doc! {"$**": 1}, doc! {"wildcardProjection": {"a": 1, "b": 0}}, 31254),
        (doc! {"a.$**": 1}, doc! {"wildcardProjection": {"a": 1}}, 9),
        (doc! {"b": 1, "$**": 1}, doc! {}, 67),
    ];
    for (keys, options, expected) in cases {
        let result = create_index(&mut database, keys.clone(), options.clone());
        assert_eq!(result.map_err(|error| error.code.number()).err(), Some(expected), "{keys} {options}");
    }
    assert_eq!(database.collection("c").map(|collection| collection.indexes().len()), Some(2));
    create_index(&mut database, doc! {"a": 1.0}, doc! {}).expect("the same index again is no error");
    create_index(&mut database, doc! {"a": 1}, doc! {"name": "sp", "sparse": true})
        .expect("sparse tells indexes apart");
}

#[test]
fn deletes_update_the_indexes() {
    let mut database = database();
    create_index(&mut database, doc! {"specs.k": 1, "specs.v": -1}, doc! {}).expect("it is new");
    let specs = |k: &str, v: i32| doc! {"k": k, "v": v};
    let documents: Vec<Document> =
        (0..300).map(|id| doc! {"_id": id, "specs": [specs("ram", id % 7), specs("hdd", id)]}).collect();
    insert(&mut database, documents, true);
    check_indexes(&database);
    let delete =
        Delete { collection: "c".into(), filter: doc! {"_id": {"$gte": 50}}, multi: true, ..Delete::default() };
    let run = database.run(&Command::Delete(delete)).expect("it runs");
    assert_eq!(run.reply, Reply::Deleted(250));
    assert_eq!(run.writes.keys[1], ("specs.k_1_specs.v_-1".to_owned(), 0, 500));
    check_indexes(&database);
}

#[test]
fn no_time_passes_by_a_clock_that_stands_still() {
    let mut database = database();
    insert(&mut database, (0..100).map(|id| doc! {"_id": id}).collect(), true);
    let find = Find { collection: "c".into(), filter: doc! {"_id": {"$gt": 5}}, ..Find::default() };
    let run = database.run(&Command::Find(find)).expect("it runs");
    assert_eq!(run.explain.map(|explain| explain.micros), Some(0));
}
