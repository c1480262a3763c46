//! Assets of very different kinds, to which new kinds come without warning.

use crate::design::facts::{Attribute, DataSet, Entity};
use crate::design::form::{Form, Layout};
use crate::value::{Bson, doc};
use crate::words::Words;

use super::products::in_unit;

fn asset(id: i32, name: &str, class: &str, value: i32, attributes: Vec<Attribute>) -> Entity {
    Entity { id: Bson::Int32(id), common: doc! {"name": name, "class": class, "value": value}, attributes }
}

/// Real estate, shares, stocks, fund units and overnight deposits.
pub(super) fn assets() -> DataSet {
    DataSet {
        name: "assets".into(),
        about: Words::new("Assets of all kinds", "Vermögenswerte aller Art"),
        layout: Layout::attributes("specs", &["name", "class", "value"]),
        home: Form::Kv,
        twins: vec![Form::Flat, Form::Wildcard],
        entities: vec![
            asset(
                1,
                "House by the lake",
                "real estate",
                850_000,
                vec![in_unit("area", 180, "m2"), Attribute::new("built", 1968), Attribute::new("heating", "heat pump")],
            ),
            asset(
                2,
                "City flat",
                "real estate",
                420_000,
                vec![in_unit("area", 74, "m2"), Attribute::new("built", 1999)],
            ),
            asset(
                3,
                "Bakery Ltd",
                "company share",
                60_000,
                vec![in_unit("stake", 25, "%"), Attribute::new("country", "AT")],
            ),
            asset(
                4,
                "Rail stock",
                "stock",
                12_000,
                vec![Attribute::new("isin", "AT0001"), Attribute::new("pieces", 400)],
            ),
            asset(
                5,
                "Index fund",
                "fund units",
                30_000,
                vec![
                    Attribute::new("isin", "LU0002"),
                    in_unit("fee", Bson::Double(0.2), "%"),
                    Attribute::new("pieces", 150),
                ],
            ),
            asset(
                6,
                "Overnight money",
                "overnight deposit",
                9_000,
                vec![in_unit("interest", Bson::Double(1.5), "%"), Attribute::new("bank", "First")],
            ),
        ],
    }
}
