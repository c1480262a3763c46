//! Products with attributes of their own: a shop in which only few fields are common.

use crate::design::facts::{Attribute, DataSet, Entity};
use crate::design::form::{Form, Layout};
use crate::value::{Bson, Document, doc};
use crate::words::Words;

/// A kind of product: what its attributes are and which values they take.
struct Kind {
    category: &'static str,
    names: &'static [&'static str],
    attributes: &'static [(&'static str, Values)],
}

/// The values of one attribute, taken in turn.
enum Values {
    Words(&'static [&'static str]),
    Numbers(&'static [i32], &'static str),
}

use Values::{Numbers, Words as Texts};

const KINDS: [Kind; 8] = [
    Kind {
        category: "clothing",
        names: &["Linen Shirt", "Wool Jumper", "Rain Jacket", "Denim Jeans"],
        attributes: &[
            ("color", Texts(&["red", "blue", "green", "black"])),
            ("size", Texts(&["S", "M", "L", "XL"])),
            ("material", Texts(&["cotton", "wool", "linen"])),
        ],
    },
    Kind {
        category: "computers",
        names: &["Office Laptop", "Studio Laptop", "Mini PC"],
        attributes: &[
            ("cpu", Texts(&["Intel i5", "Intel i7", "Ryzen 5", "Ryzen 7"])),
            ("ram", Numbers(&[8, 16, 32, 64], "GB")),
            ("storage", Numbers(&[256, 512, 1024], "GB")),
            ("screen_size", Numbers(&[13, 14, 16], "in")),
        ],
    },
    Kind {
        category: "books",
        names: &["Field Guide", "Cookbook", "Novel", "Atlas"],
        attributes: &[
            ("isbn", Numbers(&[201, 202, 203, 204, 205, 206, 207], "")),
            ("pages", Numbers(&[180, 240, 350, 512], "")),
            ("publisher", Texts(&["O'Reilly", "Manning", "Reclam"])),
            ("language", Texts(&["en", "de", "fr"])),
        ],
    },
    Kind {
        category: "lamps",
        names: &["Desk Lamp", "Floor Lamp", "Torch"],
        attributes: &[
            ("watt", Numbers(&[4, 9, 15, 40], "W")),
            ("voltage", Numbers(&[12, 110, 230], "V")),
            ("socket", Texts(&["E14", "E27", "GU10"])),
            ("color", Texts(&["white", "black", "brass"])),
        ],
    },
    Kind {
        category: "tools",
        names: &["Drill", "Jigsaw", "Sander"],
        attributes: &[
            ("voltage", Numbers(&[12, 18, 20, 230], "V")),
            ("weight", Numbers(&[1, 2, 3], "kg")),
            ("battery", Texts(&["Li-Ion", "NiMH"])),
        ],
    },
    Kind {
        category: "phones",
        names: &["Phone", "Phone Plus"],
        attributes: &[
            ("ram", Numbers(&[4, 6, 8, 12], "GB")),
            ("storage", Numbers(&[64, 128, 256], "GB")),
            ("color", Texts(&["black", "silver", "blue"])),
            ("screen_size", Numbers(&[5, 6], "in")),
        ],
    },
    Kind {
        category: "cars",
        names: &["City Car", "Estate Car"],
        attributes: &[
            ("engine_type", Texts(&["petrol", "diesel", "electric"])),
            ("doors", Numbers(&[3, 5], "")),
            ("color", Texts(&["white", "red", "grey"])),
        ],
    },
    Kind {
        category: "kitchen",
        names: &["Kettle", "Toaster", "Mixer"],
        attributes: &[
            ("watt", Numbers(&[600, 900, 2200], "W")),
            ("capacity", Numbers(&[1, 2, 3], "l")),
            ("material", Texts(&["steel", "glass", "plastic"])),
        ],
    },
];

pub(super) fn in_unit(key: &str, value: impl Into<Bson>, unit: &str) -> Attribute {
    let held = Attribute::new(key, value);
    if unit.is_empty() { held } else { held.in_unit(unit) }
}

fn entity(id: i32, common: Document, attributes: Vec<Attribute>) -> Entity {
    Entity { id: Bson::Int32(id), common, attributes }
}

fn product(id: i32, name: &str, category: &str, price: i32, attributes: Vec<Attribute>) -> Entity {
    entity(id, doc! {"name": name, "category": category, "price": price}, attributes)
}

/// The shirt, the laptop and the book, a tablet with as much storage as the laptop has memory, and more up to a number.
#[must_use]
pub fn products(count: usize) -> DataSet {
    let mut entities = vec![
        product(
            1,
            "Shirt",
            "clothing",
            20,
            vec![Attribute::new("color", "blue"), Attribute::new("size", "L"), Attribute::new("material", "cotton")],
        ),
        product(
            2,
            "Laptop",
            "computers",
            900,
            vec![Attribute::new("cpu", "Intel i5"), in_unit("ram", 16, "GB"), in_unit("storage", 512, "GB")],
        ),
        product(
            3,
            "Book",
            "books",
            35,
            vec![Attribute::new("isbn", 123), Attribute::new("pages", 350), Attribute::new("publisher", "O'Reilly")],
        ),
        product(
            4,
            "Tablet",
            "computers",
            250,
            vec![Attribute::new("cpu", "Snapdragon"), in_unit("ram", 8, "GB"), in_unit("storage", 16, "GB")],
        ),
    ];
    entities.truncate(count);
    let more = entities.len()..count;
    entities.extend(more.map(made));
    DataSet {
        name: "products".into(),
        about: Words::new(
            "A shop's products, each kind with its own attributes",
            "Waren eines Ladens, jede Art mit eigenen Attributen",
        ),
        layout: Layout::attributes("specs", &["name", "category", "price"]),
        home: Form::Kv,
        twins: vec![Form::Flat, Form::Wildcard],
        entities,
    }
}

/// A product made from its number; the values of one attribute take turns, each attribute at its own pace.
fn made(number: usize) -> Entity {
    let kind = &KINDS[number % KINDS.len()];
    let round = number / KINDS.len();
    let name = format!("{} {number}", kind.names[round % kind.names.len()]);
    let attributes = kind.attributes.iter().enumerate().map(|(at, (key, values))| {
        let turn = round.wrapping_mul(2 * at + 1).wrapping_add(at);
        match values {
            Texts(words) => Attribute::new(key, words[turn % words.len()]),
            Numbers(numbers, unit) => in_unit(key, numbers[turn % numbers.len()], unit),
        }
    });
    let price = i32::try_from(5 + number * 37 % 995).unwrap_or(5);
    product(i32::try_from(number + 1).unwrap_or(i32::MAX), &name, kind.category, price, attributes.collect())
}

fn small(name: &str, about: Words, common: &[&str], entities: Vec<Entity>) -> DataSet {
    DataSet {
        name: name.into(),
        about,
        layout: Layout::attributes("specs", common),
        home: Form::Kv,
        twins: vec![Form::Flat, Form::Wildcard],
        entities,
    }
}

/// A cotton shirt and a developer laptop: five attributes.
pub(super) fn shop() -> DataSet {
    let about = Words::new("A shirt and a laptop: five attributes", "Ein Hemd und ein Laptop: fünf Attribute");
    small(
        "shop",
        about,
        &["name"],
        vec![
            entity(
                1,
                doc! {"name": "Cotton Shirt"},
                vec![
                    Attribute::new("color", "red"),
                    Attribute::new("size", "XL"),
                    Attribute::new("material", "cotton"),
                ],
            ),
            entity(2, doc! {"name": "Developer Laptop"}, vec![in_unit("ram", 16, "GB"), in_unit("storage", 512, "GB")]),
        ],
    )
}

/// Three shirts whose colors and sizes cross.
pub(super) fn shirts() -> DataSet {
    let about =
        Words::new("Three shirts whose colors and sizes cross", "Drei Hemden, deren Farben und Größen sich kreuzen");
    let shirt = |id, color: &str, size: &str| {
        entity(
            id,
            doc! {"name": format!("Shirt {id}")},
            vec![Attribute::new("color", color), Attribute::new("size", size)],
        )
    };
    small("shirts", about, &["name"], vec![shirt(1, "blue", "XL"), shirt(2, "red", "S"), shirt(3, "red", "XL")])
}

/// Two laptops: one has as much storage as the other has memory.
pub(super) fn memory() -> DataSet {
    let about =
        Words::new("Memory and storage that are easily mixed up", "Speicher und Massenspeicher, leicht zu verwechseln");
    let laptop = |id, ram: i32, storage: i32| {
        let attributes = vec![in_unit("ram", ram, "GB"), in_unit("storage", storage, "GB")];
        entity(id, doc! {"name": format!("Laptop {id}")}, attributes)
    };
    small("memory", about, &["name"], vec![laptop(1, 16, 512), laptop(2, 8, 16), laptop(3, 8, 256)])
}

/// Water bottles in millilitres and ounces.
pub(super) fn bottles() -> DataSet {
    let about = Words::new("Bottles in millilitres and ounces", "Flaschen in Millilitern und Unzen");
    let bottle = |id, volume: i32, unit: &str, color: &str| {
        let attributes = vec![in_unit("volume", volume, unit), Attribute::new("color", color)];
        entity(id, doc! {"name": format!("Water Bottle {id}")}, attributes)
    };
    small(
        "bottles",
        about,
        &["name"],
        vec![
            bottle(1, 500, "ml", "blue"),
            bottle(2, 12, "ounces", "red"),
            bottle(3, 750, "ml", "clear"),
            bottle(4, 32, "ounces", "blue"),
            bottle(5, 12, "ml", "clear"),
        ],
    )
}
