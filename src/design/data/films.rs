//! Films with a release date for each country: fields named after countries, or pairs of location and date.

use crate::design::facts::{Attribute, DataSet, Entity};
use crate::design::form::{Form, Layout};
use crate::value::{Bson, doc};
use crate::words::Words;

/// 1977-05-20T01:00+01:00 is midnight of that day in universal time.
fn day(text: &str) -> Bson {
    Bson::DateTime(bson::DateTime::parse_rfc3339_str(format!("{text}T01:00:00+01:00")).unwrap_or(bson::DateTime::MIN))
}

fn film(id: i32, title: &str, director: &str, producer: &str, cast: &[&str], releases: &[(&str, &str)]) -> Entity {
    Entity {
        id: Bson::Int32(id),
        common: doc! {"title": title, "director": director, "producer": producer, "cast": cast.to_vec()},
        attributes: releases.iter().map(|(place, date)| Attribute::new(place, day(date))).collect(),
    }
}

/// Star Wars and a few others.
pub(super) fn films() -> DataSet {
    let layout = Layout {
        key: "location".into(),
        value: "date".into(),
        unit: None,
        prefix: "release_".into(),
        ..Layout::attributes("releases", &["title", "director", "producer", "cast"])
    };
    let star_wars = [("US", "1977-05-20"), ("France", "1977-10-19"), ("Italy", "1977-10-20"), ("UK", "1977-12-27")];
    DataSet {
        name: "films".into(),
        about: Words::new("Films and when they opened where", "Filme und wann sie wo anliefen"),
        layout,
        home: Form::Array,
        twins: vec![Form::Flat],
        entities: vec![
            film(
                1,
                "Star Wars",
                "George Lucas",
                "Gary Kurtz",
                &["Mark Hamill", "Harrison Ford", "Carrie Fisher"],
                &star_wars,
            ),
            film(
                2,
                "Alien",
                "Ridley Scott",
                "Gordon Carroll",
                &["Sigourney Weaver"],
                &[("US", "1979-05-25"), ("UK", "1979-09-06"), ("France", "1979-09-12")],
            ),
            film(
                3,
                "Metropolis",
                "Fritz Lang",
                "Erich Pommer",
                &["Brigitte Helm"],
                &[("Germany", "1927-01-10"), ("US", "1927-03-06"), ("UK", "1927-03-21")],
            ),
            film(
                4,
                "The Empire Strikes Back",
                "Irvin Kershner",
                "Gary Kurtz",
                &["Mark Hamill", "Harrison Ford"],
                &[("US", "1980-05-21"), ("UK", "1980-05-20"), ("Italy", "1980-09-19")],
            ),
        ],
    }
}
