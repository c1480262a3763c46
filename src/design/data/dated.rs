//! Dated values: steps of persons by day, rain by month.

use crate::design::facts::{Attribute, DataSet, Entity};
use crate::design::form::{Form, Layout};
use crate::value::{Bson, doc};
use crate::words::Words;

fn person(id: i32, name: &str, days: Vec<Attribute>) -> Entity {
    Entity { id: Bson::Int32(id), common: doc! {"person": name}, attributes: days }
}

/// Days of one year as `YYYYMMDD`, from a day of the year on.
pub(in crate::design) fn days(year: i16, first: usize, count: usize) -> Vec<String> {
    let start = jiff::civil::Date::constant(year, 1, 1);
    let day = |at: usize| {
        let span = jiff::Span::new().days(i64::try_from(at).unwrap_or_default());
        start.checked_add(span).unwrap_or(jiff::civil::Date::MAX)
    };
    (first..first + count).map(|at| day(at).strftime("%Y%m%d").to_string()).collect()
}

fn walked(name_number: usize, days: Vec<String>) -> Vec<Attribute> {
    let steps = |at: usize| i32::try_from(3000 + (at * 2713 + name_number * 1009) % 9000).unwrap_or_default();
    days.into_iter().enumerate().map(|(at, day)| Attribute::new(&day, steps(at))).collect()
}

/// One person with two days in February 2014, and two with many.
pub(super) fn steps() -> DataSet {
    DataSet {
        name: "steps".into(),
        about: Words::new("Steps of persons, day by day", "Schritte von Personen, Tag für Tag"),
        layout: Layout::dated("steps_made", "date", "steps", "person"),
        home: Form::Map,
        twins: vec![Form::Array, Form::Rows],
        entities: vec![
            person(1, "Ada", vec![Attribute::new("20140201", 10800), Attribute::new("20140202", 5906)]),
            person(2, "Bob", walked(2, days(2014, 29, 40))),
            person(3, "Cleo", walked(3, days(2014, 0, 90))),
        ],
    }
}

/// Months are a small closed set of names: a case in which names may stay names.
pub(super) fn rain() -> DataSet {
    let station = |id: i32, name: &str, base: usize| {
        let months = (1..=12).map(|month: usize| {
            Attribute::new(&format!("{month:02}"), i32::try_from(base + month * 17 % 60).unwrap_or_default())
        });
        Entity { id: Bson::Int32(id), common: doc! {"station": name}, attributes: months.collect() }
    };
    DataSet {
        name: "rain".into(),
        about: Words::new("Millimetres of rain by month", "Millimeter Regen je Monat"),
        layout: Layout::dated("rain", "month", "mm", "station"),
        home: Form::Map,
        twins: vec![Form::Array, Form::Rows],
        entities: vec![
            station(1, "Bergen", 120),
            station(2, "Lisbon", 10),
            station(3, "Nairobi", 30),
            station(4, "Vienna", 25),
        ],
    }
}
