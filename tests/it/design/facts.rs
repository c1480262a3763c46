//! Random facts, and the round trip through every design.

use pegboard::design::{Attribute, Design, Entity, Form, Layout, LossKind, pour, read};
use pegboard::value::{Bson, Document, doc};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

pub(super) const KEYS: [&str; 4] = ["color", "ram", "size", "volt"];
pub(super) const UNITS: [&str; 2] = ["GB", "V"];

pub(super) fn layout() -> Layout {
    Layout::attributes("specs", &["name", "price"])
}

pub(super) fn design(form: Form) -> Design {
    Design::new(form, &layout())
}

pub(super) fn value() -> impl Strategy<Value = Bson> {
    prop_oneof![
        (0..6_i32).prop_map(Bson::Int32),
        (0..4_i32).prop_map(|number| Bson::Double(f64::from(number) + 0.5)),
        prop::sample::select(vec!["red", "blue", "L", "16"]).prop_map(Bson::from),
        Just(Bson::Null),
        vec(0..4_i32, 0..3).prop_map(|list| Bson::Array(list.into_iter().map(Bson::Int32).collect())),
    ]
}

fn attribute(keys: Vec<&'static str>) -> impl Strategy<Value = Attribute> {
    let unit = option::weighted(0.2, prop::sample::select(UNITS.to_vec()));
    (prop::sample::select(keys), value(), unit).prop_map(|(key, value, unit)| Attribute {
        key: key.into(),
        value,
        unit: unit.map(str::to_owned),
    })
}

/// Entities with up to five attributes; some keys are awkward, some come twice.
pub(super) fn entities(keys: &[&'static str]) -> impl Strategy<Value = Vec<Entity>> {
    let attributes = vec(attribute(keys.to_vec()), 0..5);
    let entity = (prop::sample::select(vec!["shirt", "laptop", "book"]), option::of(0..5_i32), attributes);
    vec(entity, 1..8).prop_map(|list| {
        let entities = list.into_iter().zip(1..).map(|((name, price, attributes), id)| {
            let mut common = doc! {"name": name};
            common.extend(price.map(|price| ("price".to_owned(), Bson::Int32(price))));
            Entity { id: Bson::Int32(id), common, attributes }
        });
        entities.collect()
    })
}

/// What must be left of an entity when the reported losses are taken away: attributes without losses, and common fields.
fn kept(entity: &Entity, lost: &[(String, LossKind)]) -> (Document, Vec<Attribute>) {
    let fine = |held: &&Attribute| !lost.iter().any(|(key, _)| *key == held.key);
    (entity.common.clone(), entity.attributes.iter().filter(fine).cloned().collect())
}

fn round_trip(form: Form, entities: &[Entity]) {
    let design = design(form);
    for entity in entities {
        let poured = pour(&design, entity);
        let lost: Vec<_> = poured.losses.iter().map(|loss| (loss.key.clone(), loss.kind)).collect();
        let back = read(&design, &poured.made).made;
        if lost.iter().any(|(_, kind)| *kind == LossKind::NoRow) {
            assert!(back.is_empty(), "{form:?} reported no row and made one");
            continue;
        }
        assert_eq!(back.len(), 1, "{form:?}");
        assert_eq!(back[0].id, entity.id, "{form:?}");
        assert_eq!(kept(&back[0], &lost), kept(entity, &lost), "{form:?} {:?}", poured.made);
    }
}

proptest! {
    #![proptest_config(crate::chosen::cases(256))]

    #[test]
    fn pouring_and_reading_keeps_what_is_not_reported(
        entities in entities(&["color", "ram", "a.b", "$in", "", "name", "_id", "specs"]),
    ) {
        for form in Form::ALL {
            round_trip(form, &entities);
        }
    }
}

#[test]
fn losses_are_named_for_what_a_design_cannot_hold() {
    let entity = Entity {
        id: Bson::Int32(1),
        common: doc! {"name": "kit", "stock": 3},
        attributes: vec![
            Attribute::new("color", "red"),
            Attribute::new("color", "blue"),
            Attribute::new("ram", 16).in_unit("GB"),
            Attribute::new("a.b", 1),
            Attribute::new("name", "other"),
            Attribute::new("$x", 1),
        ],
    };
    let kinds = |form| {
        let mut kinds: Vec<_> = pour(&design(form), &entity).losses.iter().map(|loss| loss.kind.id()).collect();
        kinds.sort_unstable();
        kinds
    };
    let flat = ["becomes-attribute", "dotted-key", "name-taken", "repeated-key", "unit", "unwritable-key"];
    assert_eq!(kinds(Form::Flat), flat);
    assert_eq!(kinds(Form::Wildcard), ["dotted-key", "repeated-key", "unit", "unwritable-key"]);
    assert!(kinds(Form::Kv).is_empty());
    assert!(kinds(Form::Rows).is_empty());
}

#[test]
fn release_fields_become_pairs_by_their_prefix() {
    let layout = Layout {
        key: "location".into(),
        value: "date".into(),
        unit: None,
        prefix: "release_".into(),
        ..Layout::attributes("releases", &["title"])
    };
    let flat = doc! {"_id": 1, "title": "Star Wars", "release_US": "1977-05-20", "release_UK": "1977-12-27"};
    let made =
        pegboard::design::reshape(&Design::new(Form::Flat, &layout), &Design::new(Form::Array, &layout), &[flat]);
    assert_eq!(
        made.made,
        [doc! {"_id": 1, "title": "Star Wars", "releases": [
            {"location": "US", "date": "1977-05-20"}, {"location": "UK", "date": "1977-12-27"},
        ]}]
    );
    assert!(made.losses.is_empty());
}
