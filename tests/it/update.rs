//! Update operators, array filters, replacements and what upserts start from.

use pegboard::error::CommandError;
use pegboard::query::{Collation, Filter, Matcher, Witness};
use pegboard::update::{Application, UpdateProgram, upsert_seed};
use pegboard::value::{Bson, Document, RawDocumentBuf, Source, doc};

use crate::query::{document, json};

struct Case<'c> {
    filter: &'c str,
    filters: &'c str,
    update: &'c str,
}

impl Case<'_> {
    /// The changed document, none for no change, or the error's code.
    fn run(&self, before: &str) -> Result<Option<Document>, i32> {
        let code = |error: CommandError| error.code.number();
        let before = document(before);
        let filters: Vec<Document> = match json(self.filters) {
            Bson::Array(items) => items.iter().map(|item| item.as_document().expect("documents").clone()).collect(),
            other => panic!("{other} is no array"),
        };
        let program = UpdateProgram::operators(&document(self.update), &filters, &Collation::simple()).map_err(code)?;
        let matcher =
            Matcher::new(&Filter::parse(&document(self.filter)).map_err(code)?, Collation::simple()).map_err(code)?;
        let mut witness = Witness::default();
        matcher.judge(&before, &mut witness);
        let application = Application { position: witness.position(), insert: false, now: 1000, tick: 1 };
        applied(&program, &before, application).map_err(code)
    }
}

/// The update of a document's bytes, read back.
fn applied(
    program: &UpdateProgram,
    before: &Document,
    application: Application,
) -> Result<Option<Document>, CommandError> {
    let before = RawDocumentBuf::try_from(before).expect("a document has bytes");
    let after = program.apply(&before, application)?;
    Ok(after.map(|after| Document::try_from(&*after).expect("the bytes are a document")))
}

fn plain(update: &str, before: &str) -> Result<Option<Document>, i32> {
    Case { filter: "{}", filters: "[]", update }.run(before)
}

fn check(update: &str, before: &str, after: &str) {
    let result = plain(update, before).map(|after| after.map(|after| after.to_string()));
    assert_eq!(result, Ok(Some(document(after).to_string())), "{update} on {before}");
}

fn no_change(update: &str, before: &str) {
    assert_eq!(plain(update, before), Ok(None), "{update} on {before}");
}

fn refuse(update: &str, before: &str, code: i32) {
    assert_eq!(plain(update, before), Err(code), "{update} on {before}");
}

/// Manual, *Field Update Operators*; server tests `set_node_test.cpp`, `arithmetic_node_test.cpp` and their sisters.
#[test]
fn field_operators_change_fields() {
    check("{$set: {b: 2, a: 1}}", "{_id: 1}", "{_id: 1, a: 1, b: 2}");
    check("{$set: {'a.10': 1, 'a.9': 2}}", "{_id: 1, a: {}}", "{_id: 1, a: {'9': 2, '10': 1}}");
    check("{$set: {'a.b.c': 1, 'a.b.d': 2}}", "{_id: 1}", "{_id: 1, a: {b: {c: 1, d: 2}}}");
    check("{$set: {a: 5.0}}", "{a: {$numberLong: '5'}}", "{a: 5.0}");
    check("{$unset: {a: 1, 'b.c': 1}}", "{a: 1, b: {c: 1, d: 2}}", "{b: {d: 2}}");
    check("{$inc: {a: 1, b: -2}}", "{a: 1}", "{a: 2, b: -2}");
    check("{$inc: {a: 1}}", "{a: 2147483647}", "{a: {$numberLong: '2147483648'}}");
    check("{$inc: {a: 0.5}}", "{a: 1}", "{a: 1.5}");
    check("{$inc: {a: {$numberDecimal: '0.10'}}}", "{a: 1}", "{a: {$numberDecimal: '1.10'}}");
    check("{$mul: {a: 3, b: 3}}", "{a: 2}", "{a: 6, b: 0}");
    check("{$min: {a: 1, b: 1}}", "{a: 2, b: 0}", "{a: 1, b: 0}");
    check("{$max: {a: 'x'}}", "{a: 2}", "{a: 'x'}");
    check("{$rename: {a: 'c'}}", "{a: 1, b: 2}", "{b: 2, c: 1}");
    check("{$rename: {a: 'b'}}", "{a: 1, b: 2}", "{b: 1}");
    check("{$rename: {'a.b': 'c.d'}}", "{a: {b: 1}}", "{a: {}, c: {d: 1}}");
    check("{$currentDate: {a: true}}", "{}", "{a: {$date: {$numberLong: '1000'}}}");
    check("{$bit: {a: {and: 12, or: 1}}}", "{a: 10}", "{a: 9}");
    check("{$bit: {a: {xor: 5}}}", "{}", "{a: 5}");
}

#[test]
fn nothing_new_is_no_change() {
    no_change("{$set: {a: 1}}", "{a: 1}");
    no_change("{$set: {'a.b': {x: 1}}}", "{a: {b: {x: 1}}}");
    no_change("{$unset: {b: 1, 'a.b': 1}}", "{a: 1}");
    no_change("{$inc: {a: 0}}", "{a: 5}");
    no_change("{$mul: {a: 1}}", "{a: 5}");
    no_change("{$min: {a: 5.0}}", "{a: 5}");
    no_change("{$rename: {x: 'y'}}", "{a: 5}");
    no_change("{$setOnInsert: {a: 1}}", "{}");
    no_change("{$addToSet: {a: 1}}", "{a: [1]}");
    no_change("{$pull: {a: 9, b: 1}}", "{a: [1]}");
    no_change("{$pop: {a: 1}}", "{a: []}");
    no_change("{$push: {a: {$each: []}}}", "{a: [1]}");
    no_change("{}", "{a: 1}");
}

/// Manual, *Array Update Operators*; server tests `push_node_test.cpp`, `pull_node_test.cpp` and their sisters.
#[test]
fn array_operators_change_arrays() {
    check("{$push: {a: 2}}", "{a: [1]}", "{a: [1, 2]}");
    check("{$push: {a: [2]}}", "{a: [1]}", "{a: [1, [2]]}");
    check("{$push: {a: {$each: [3, 4], $position: 1}}}", "{a: [1, 2]}", "{a: [1, 3, 4, 2]}");
    check("{$push: {a: {$each: [3], $position: -1}}}", "{a: [1, 2]}", "{a: [1, 3, 2]}");
    check("{$push: {a: {$each: [3], $slice: -2}}}", "{a: [1, 2]}", "{a: [2, 3]}");
    check("{$push: {a: {$each: [], $sort: -1}}}", "{a: [1, 2]}", "{a: [2, 1]}");
    check(
        "{$push: {a: {$each: [{s: 2}], $sort: {s: 1}, $slice: 2}}}",
        "{a: [{s: 3}, {s: 1}]}",
        "{a: [{s: 1}, {s: 2}]}",
    );
    check("{$addToSet: {a: {$each: [1, 2, 2.0]}}}", "{a: [1]}", "{a: [1, 2]}");
    check("{$addToSet: {a: {x: 1, y: 2}}}", "{a: [{y: 2, x: 1}]}", "{a: [{y: 2, x: 1}, {x: 1, y: 2}]}");
    check("{$pop: {a: -1}}", "{a: [1, 2]}", "{a: [2]}");
    check("{$pull: {a: {$gt: 1}}}", "{a: [1, 2, 3]}", "{a: [1]}");
    check(
        "{$pull: {a: {k: 'x', v: {$gt: 1}}}}",
        "{a: [{k: 'x', v: 1}, {k: 'x', v: 2}, 5]}",
        "{a: [{k: 'x', v: 1}, 5]}",
    );
    check("{$pull: {a: [1, 2]}}", "{a: [[1, 2], [2, 1]]}", "{a: [[2, 1]]}");
    check("{$pullAll: {a: [1, {b: 1}]}}", "{a: [1, 1.0, {b: 1}, 2]}", "{a: [2]}");
    check("{$set: {'a.3': 4}}", "{a: [1]}", "{a: [1, null, null, 4]}");
    check("{$unset: {'a.0': 1}}", "{a: [1, 2]}", "{a: [null, 2]}");
}

/// Manual, *$ (update)*, *$[]*, *$[<identifier>]*; server test `update_array_node_test.cpp`.
#[test]
fn positional_parts_reach_elements() {
    let check = |filter, filters, update, before, after: &str| {
        let result = Case { filter, filters, update }.run(before).map(|after| after.map(|after| after.to_string()));
        assert_eq!(result, Ok(Some(document(after).to_string())), "{update} on {before}");
    };
    check("{a: {$gt: 1}}", "[]", "{$set: {'a.$': 9}}", "{a: [1, 2, 3]}", "{a: [1, 9, 3]}");
    check(
        "{'a.k': 'y'}",
        "[]",
        "{$inc: {'a.$.v': 1}}",
        "{a: [{k: 'x', v: 1}, {k: 'y', v: 1}]}",
        "{a: [{k: 'x', v: 1}, {k: 'y', v: 2}]}",
    );
    check("{}", "[]", "{$mul: {'a.$[]': 2}}", "{a: [1, 2]}", "{a: [2, 4]}");
    check("{}", "[{i: {$gte: 2}}]", "{$set: {'a.$[i]': 0}}", "{a: [1, 2, 3]}", "{a: [1, 0, 0]}");
    check(
        "{}",
        "[{'i.k': 'x'}, {j: 1}]",
        "{$set: {'a.$[i].l.$[j]': 0}}",
        "{a: [{k: 'x', l: [1, 2]}, {k: 'y', l: [1]}]}",
        "{a: [{k: 'x', l: [0, 2]}, {k: 'y', l: [1]}]}",
    );
    check(
        "{}",
        "[{'i.x': 1}, {'j.y': 1}]",
        "{$inc: {'a.$[i].x': 1, 'a.$[j].y': 1}}",
        "{a: [{x: 1, y: 1}, {y: 1}]}",
        "{a: [{x: 2, y: 2}, {y: 2}]}",
    );
}

#[test]
fn array_filters_are_checked() {
    let code = |filters, update| Case { filter: "{}", filters, update }.run("{a: [1]}").expect_err(update);
    assert_eq!(code("[]", "{$set: {'a.$[i]': 1}}"), 2);
    assert_eq!(code("[{i: 1}, {j: 1}]", "{$set: {'a.$[i]': 1}}"), 9);
    assert_eq!(code("[{i: 1, j: 1}]", "{$set: {'a.$[i]': 1}}"), 9);
    assert_eq!(code("[{i: 1}, {i: 2}]", "{$set: {'a.$[i]': 1}}"), 9);
    assert_eq!(code("[{}]", "{$set: {'a.$[i]': 1}}"), 9);
    assert_eq!(code("[{I: 1}]", "{$set: {'a.$[I]': 1}}"), 2);
    assert_eq!(code("[{i: 1}, {j: 1}]", "{$set: {'a.$[i]': 5, 'a.$[j]': 6}}"), 40);
}

/// Codes as in the server's tests of each node.
#[test]
fn wrong_updates_are_refused() {
    refuse("{$foo: {a: 1}}", "{}", 9);
    refuse("{$set: 5}", "{}", 9);
    refuse("{$set: {'': 1}}", "{}", 56);
    refuse("{$set: {'a..b': 1}}", "{}", 56);
    refuse("{$set: {a: 1, 'a.b': 2}}", "{}", 40);
    refuse("{$set: {a: 1}, $inc: {a: 1}}", "{}", 40);
    refuse("{$set: {'a.b': 1}}", "{a: 5}", 28);
    refuse("{$set: {'a.b': 1}}", "{a: [1]}", 28);
    refuse("{$set: {'a.$': 1}}", "{a: [1]}", 2);
    refuse("{$set: {'$': 1}}", "{}", 2);
    refuse("{$set: {'a.$.b.$': 1}}", "{}", 2);
    refuse("{$set: {'a.$[]': 1}}", "{a: 1}", 2);
    refuse("{$set: {'a.$[]': 1}}", "{}", 2);
    refuse("{$inc: {a: 'x'}}", "{}", 14);
    refuse("{$inc: {a: 1}}", "{a: 'x'}", 14);
    refuse("{$inc: {a: {$numberLong: '1'}}}", "{a: {$numberLong: '9223372036854775807'}}", 2);
    refuse("{$push: {a: 1}}", "{a: 1}", 2);
    refuse("{$push: {a: {$each: 1}}}", "{a: []}", 2);
    refuse("{$push: {a: {$each: [], $foo: 1}}}", "{a: []}", 2);
    refuse("{$push: {a: {$each: [], $sort: {}}}}", "{a: []}", 2);
    refuse("{$addToSet: {a: 1}}", "{a: 1}", 2);
    refuse("{$addToSet: {a: {$each: 1}}}", "{}", 14);
    refuse("{$pull: {a: 1}}", "{a: 1}", 2);
    refuse("{$pullAll: {a: 1}}", "{a: []}", 2);
    refuse("{$pop: {a: 2}}", "{a: []}", 9);
    refuse("{$pop: {a: 1}}", "{a: 5}", 14);
    refuse("{$rename: {a: 5}}", "{}", 2);
    refuse("{$rename: {a: 'a'}}", "{}", 2);
    refuse("{$rename: {a: 'a.b'}}", "{}", 2);
    refuse("{$rename: {'a.$[]': 'b'}}", "{}", 2);
    refuse("{$rename: {'a.0': 'b'}}", "{a: [1]}", 2);
    refuse("{$bit: {a: {and: 1.5}}}", "{a: 1}", 2);
    refuse("{$currentDate: {a: 'x'}}", "{}", 2);
    refuse("{$set: {_id: 2}}", "{_id: 1}", 66);
    refuse("{$unset: {_id: 1}}", "{_id: 1}", 66);
    refuse("{$rename: {_id: 'x'}}", "{_id: 1}", 66);
    refuse("{$set: {'a.2000000': 1}}", "{a: []}", 34);
}

#[test]
fn replacements_keep_the_id() {
    let replace = |before: &str, new: &str| {
        let program = UpdateProgram::replacement(&document(new), &[]).map_err(|error| error.code.number())?;
        let after =
            applied(&program, &document(before), Application::default()).map_err(|error| error.code.number())?;
        Ok::<_, i32>(after.map(|after| after.to_string()))
    };
    assert_eq!(replace("{_id: 1, a: 1}", "{b: 2}"), Ok(Some(document("{_id: 1, b: 2}").to_string())));
    assert_eq!(replace("{_id: 1, a: 1}", "{a: 1, _id: 1}"), Ok(None));
    assert_eq!(replace("{_id: 1}", "{_id: 2}"), Err(66));
    assert_eq!(replace("{_id: 1}", "{$a: 2}"), Err(52));
}

/// Manual, *Upsert Behavior*; server test `path_support_test.cpp`.
#[test]
fn upserts_start_from_equalities() {
    let seed = |filter: &str, replacement| {
        let filter = Filter::parse(&document(filter)).expect("the filter parses");
        upsert_seed(&filter, replacement).map(|seed| seed.to_string()).map_err(|error| error.code.number())
    };
    let shown = |text: &str| Ok(document(text).to_string());
    assert_eq!(seed("{b: 1, _id: 2, c: {$gt: 1}}", false), shown("{_id: 2, b: 1}"));
    assert_eq!(seed("{'a.b': 1, 'a.c': {$in: [2]}}", false), shown("{a: {b: 1, c: 2}}"));
    assert_eq!(seed("{$or: [{a: 1}, {b: 1}]}", false), shown("{}"));
    assert_eq!(seed("{a: {$all: [1]}}", false), shown("{a: 1}"));
    assert_eq!(seed("{_id: 1, a: 2}", true), shown("{_id: 1}"));
    assert_eq!(seed("{$and: [{a: 1}, {a: 2}]}", false), Err(54));
    assert_eq!(seed("{'a.b': 1, a: {}}", false), Err(54));
    assert_eq!(seed("{'_id.x': 1}", true), Err(111));
}

/// What was set is there, what was unset is gone, and the rest is untouched.
#[test]
fn updates_do_what_they_say() {
    let mut source = Source::seeded(11);
    let paths = ["a", "b", "c.d", "c.e", "f.0", "f.2"];
    for _ in 0..2_000 {
        let before = document("{_id: 1, a: 1, c: {d: 2}, f: [1, 2], z: {y: [3]}}");
        let pick = |source: &mut Source| paths[usize::try_from(source.next_u64() % 6).expect("small")];
        let (set, unset) = (pick(&mut source), pick(&mut source));
        let amount = i32::try_from(source.next_u64() % 5).expect("small");
        if set == unset {
            continue;
        }
        let update = doc! {"$set": {set: amount}, "$unset": {unset: ""}};
        let program = UpdateProgram::operators(&update, &[], &Collation::simple()).expect("the update is right");
        let after = applied(&program, &before, Application::default()).expect("it applies");
        let after = after.unwrap_or_else(|| before.clone());
        let matches = |filter: Document| {
            let filter = Filter::parse(&filter).expect("the filter is right");
            Matcher::new(&filter, Collation::simple()).expect("the filter was parsed").matches(&after)
        };
        assert!(matches(doc! {set: amount}), "{update}");
        assert!(matches(doc! {"$or": [{unset: null}, {unset: {"$exists": false}}]}), "{update}: {after}");
        assert!(matches(doc! {"_id": 1, "z.y": 3}), "{update}");
    }
}

/// One operator as the naive update knows it.
#[derive(Debug, Clone, Copy)]
enum Step {
    Set(i32),
    Inc(i32),
    Unset,
}

/// Does a step at a path of a tree, written apart from the engine; false where it is an error.
fn naive(holder: &mut Bson, parts: &[&str], step: Step) -> bool {
    let (name, rest) = parts.split_first().expect("a path has parts");
    let index = name.parse::<usize>().ok();
    let member = match holder {
        Bson::Document(document) => document.get_mut(*name),
        Bson::Array(items) => index.and_then(|index| items.get_mut(index)),
        _ => return matches!(step, Step::Unset),
    };
    match (member, step) {
        (Some(member), _) if !rest.is_empty() => naive(member, rest, step),
        (Some(member), Step::Set(number)) => {
            *member = number.into();
            true
        }
        (Some(Bson::Int32(old)), Step::Inc(number)) => {
            *old += number;
            true
        }
        (Some(_), Step::Inc(_)) => false,
        (Some(_), Step::Unset) => {
            match holder {
                Bson::Document(document) => drop(document.remove(*name)),
                Bson::Array(items) => items[index.expect("the element was found")] = Bson::Null,
                _ => {}
            }
            true
        }
        (None, Step::Unset) => true,
        (None, Step::Set(number) | Step::Inc(number)) => {
            let made = rest.iter().rev().fold(Bson::Int32(number), |inner, name| doc! {*name: inner}.into());
            match (holder, index) {
                (Bson::Document(document), _) => drop(document.insert(*name, made)),
                (Bson::Array(items), Some(index)) => {
                    items.resize(index, Bson::Null);
                    items.push(made);
                }
                _ => return false,
            }
            true
        }
    }
}

fn shape(source: &mut Source, depth: u32) -> Bson {
    match source.next_u64() % if depth == 0 { 3 } else { 6 } {
        0 => Bson::Int32(1),
        1 => Bson::String("text".into()),
        2 => Bson::Null,
        3 => Bson::Array((0..source.next_u64() % 3).map(|_| shape(source, depth - 1)).collect()),
        _ => {
            let names = ["x", "y", "1"].into_iter().filter(|_| source.next_u64().is_multiple_of(2)).collect::<Vec<_>>();
            Bson::Document(names.into_iter().map(|name| (name.to_owned(), shape(source, depth - 1))).collect())
        }
    }
}

/// What is spliced into the bytes is what the naive update makes of the tree.
#[test]
fn bytes_are_changed_as_trees_are() {
    let mut source = Source::seeded(5);
    let paths = ["a", "a.1", "a.x", "a.x.y", "b.0.x", "b.1.1", "b.4", "b.x.1.y", "c.x", "c.y", "new.x", "new.y.1"];
    for _ in 0..20_000 {
        let mut before = doc! {"_id": 1};
        for name in ["a", "b", "c"] {
            before.insert(name, shape(&mut source, 3));
        }
        let mut pick = || {
            let path = paths[usize::try_from(source.next_u64() % paths.len() as u64).expect("small")];
            let step =
                [Step::Set(2), Step::Inc(3), Step::Unset][usize::try_from(source.next_u64() % 3).expect("small")];
            (path, step)
        };
        let mut steps = [pick(), pick()];
        steps.sort_by_key(|(path, _)| *path);
        let mut update = Document::new();
        for (path, step) in steps {
            let (operator, operand) = match step {
                Step::Set(number) => ("$set", number),
                Step::Inc(number) => ("$inc", number),
                Step::Unset => ("$unset", 1),
            };
            let fields = update.entry(operator.to_owned()).or_insert_with(|| Document::new().into());
            fields.as_document_mut().expect("operands are documents").insert(path, operand);
        }
        let Ok(program) = UpdateProgram::operators(&update, &[], &Collation::simple()) else { continue };
        let mut wanted = Bson::Document(before.clone());
        let steps = if steps[0].0 == steps[1].0 { &steps[1..] } else { &steps[..] };
        let right = steps.iter().all(|(path, step)| naive(&mut wanted, &path.split('.').collect::<Vec<_>>(), *step));
        let found = applied(&program, &before, Application::default());
        assert_eq!(found.is_ok(), right, "{update} on {before}: {found:?}");
        if let Ok(after) = found {
            assert_eq!(
                Bson::Document(after.unwrap_or_else(|| before.clone())).to_string(),
                wanted.to_string(),
                "{update} on {before}"
            );
        }
    }
}
