//! Data facts: counted once, then only what has changed; always the same as counting anew.

use bson::{Document, RawDocumentBuf, doc};
use pegboard::store::{Collection, Profile};
use pegboard::update::Touched;
use pegboard::value::{Source, View};

fn raw(document: &Document) -> RawDocumentBuf {
    RawDocumentBuf::try_from(document).expect("the document is sound")
}

fn collection(documents: &[Document]) -> Collection {
    let mut collection = Collection::new("test.c", Document::new());
    for document in documents {
        collection.insert(&raw(document)).expect("nothing is in the way");
    }
    collection
}

fn specs() -> Collection {
    collection(&[
        doc! {"_id": 1, "name": "a", "specs": [{"k": "ram", "v": 16, "u": "GB"}, {"k": "color", "v": "red"}]},
        doc! {"_id": 2, "name": "b", "specs": [{"k": "ram", "v": "16", "u": "MB"}, {"k": "ram", "v": null}]},
        doc! {"_id": 3, "specs": []},
        doc! {"_id": 4, "size": {"w": 1, "h": 2.5}},
    ])
}

#[test]
fn presence_and_types() {
    let profile = specs().profile();
    assert_eq!(profile.documents(), 4);
    let facts = |path: &str| profile.path(path).unwrap_or_else(|| panic!("{path} is there"));
    assert_eq!(facts("name").documents, 2);
    assert_eq!(facts("specs").documents, 3);
    assert_eq!(facts("specs.v").documents, 2);
    assert_eq!(
        facts("specs.v").types.iter().map(|(name, times)| (*name, *times)).collect::<Vec<_>>(),
        [("int", 1), ("null", 1), ("string", 2)]
    );
    assert_eq!(profile.field_names("size").collect::<Vec<_>>(), [("h", 1), ("w", 1)]);
    assert_eq!(profile.field_names("").map(|(name, _)| name).collect::<Vec<_>>(), ["_id", "name", "size", "specs"]);
}

#[test]
fn attribute_arrays_are_found_by_their_data() {
    let profile = specs().profile();
    let facts = profile.attribute_array("specs").expect("specs is an attribute array");
    assert_eq!((facts.key.as_str(), facts.value.as_str(), facts.unit.as_deref()), ("k", "v", Some("u")));
    assert_eq!((facts.documents, facts.elements, facts.documents_with_duplicates), (3, 4, 1));
    let ram = &facts.keys["ram"];
    assert_eq!((ram.elements, ram.documents, ram.duplicates, ram.nulls), (3, 2, 1, 1));
    assert_eq!(
        ram.units.iter().map(|(unit, times)| (unit.as_str(), *times)).collect::<Vec<_>>(),
        [("GB", 1), ("MB", 1)]
    );
    assert_eq!(ram.types.keys().copied().collect::<Vec<_>>(), ["int", "null", "string"]);
    assert_eq!(profile.arrays()["specs"].longest(), 2);
}

#[test]
fn other_names_are_found_too() {
    let release = |location: &str, date: &str| doc! {"location": location, "date": date};
    let profile = collection(&[
        doc! {"_id": 1, "releases": [release("USA", "1977-05-20"), release("France", "1977-10-19")]},
        doc! {"_id": 2, "releases": [release("USA", "1980-05-21")]},
    ])
    .profile();
    let facts = profile.attribute_array("releases").expect("releases is an attribute array");
    assert_eq!((facts.key.as_str(), facts.value.as_str()), ("location", "date"));
}

#[test]
fn scalars_and_unlike_elements_are_no_attributes() {
    let documents = [doc! {"_id": 1, "tags": ["a", "b"], "list": [{"x": 1}, {"y": 2}]}];
    assert!(collection(&documents).profile().attributes().is_empty());
}

/// A random document of few names, so that arrays, keys and types collide.
fn random_document(source: &mut Source, id: i32) -> Document {
    let mut below = |limit: u64| source.next_u64() % limit;
    let mut document = doc! {"_id": id};
    let elements: Vec<Document> = (0..below(4))
        .map(|_| {
            let key = ["ram", "color", "size"][usize::try_from(below(3)).unwrap_or_default()];
            let mut element = doc! {"k": key};
            match below(4) {
                0 => element.insert("v", "x"),
                1 => element.insert("v", 1),
                2 => element.insert("v", bson::Bson::Null),
                _ => element.insert("u", "GB"),
            };
            element
        })
        .collect();
    if below(4) > 0 {
        document.insert("specs", elements);
    }
    if below(3) == 0 {
        document.insert("inner", doc! {"specs": [{"name": "n"}, 5]});
    }
    document
}

fn counted(profile: &Profile) -> impl PartialEq + std::fmt::Debug + '_ {
    (profile.documents(), profile.paths(), profile.arrays(), profile.attributes())
}

#[test]
fn catching_up_equals_counting_anew() {
    let mut source = Source::seeded(3);
    let mut collection = collection(&[]);
    for round in 0..60 {
        for _ in 0..source.next_u64() % 8 {
            let id = i32::try_from(source.next_u64() % 40).unwrap_or_default();
            let document = raw(&random_document(&mut source, id));
            let place = collection.scan(pegboard::store::Direction::Ascending).find_map(|(record, found)| {
                let same = found
                    .get("_id")
                    .ok()
                    .flatten()
                    .map(View::from)
                    .is_some_and(|found| pegboard::value::equal(found, View::Int32(id)));
                same.then_some(record)
            });
            match (place, source.next_u64() % 3) {
                (Some(record), 0) => _ = collection.delete(record),
                (Some(record), _) => {
                    _ = collection.update(record, &document, &Touched::All).expect("nothing is in the way");
                }
                (None, _) => _ = collection.insert(&document).expect("nothing is in the way"),
            }
        }
        let kept = collection.profile();
        let anew = Profile::of(&collection);
        assert_eq!(counted(&kept), counted(&anew), "round {round}");
    }
}
