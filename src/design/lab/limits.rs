//! The two ceilings, met for real: 64 indexes of a collection and 16 MiB of a document.

use crate::design::facts::{Attribute, Entity};
use crate::design::form::{Design, Form, Layout};
use crate::design::reshape::pour;
use crate::engine::{Command, CreateIndexes, Database, Host, IndexRequest};
use crate::error::CommandError;
use crate::value::{Bson, Document, Source, doc};

/// MongoDB's largest document.
const LARGEST_DOCUMENT: u64 = 16 * 1024 * 1024;

/// How a document of dated values grows, day by day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Growth {
    /// The design.
    pub form: Form,
    /// Bytes of the document without a day.
    pub empty: u64,
    /// Bytes that the last possible day adds.
    pub bytes_per_day: u64,
    /// How many days fit into 16 MiB; none where each day is a document of its own.
    pub days: Option<u64>,
}

/// Makes indexes until the store refuses one; gives how many it took and the refusal.
#[must_use]
pub fn ceiling() -> Option<(usize, CommandError)> {
    const ENOUGH: usize = 1000;
    let mut database = Database::new(Source::seeded(0));
    (0..ENOUGH).find_map(|number| {
        let keys = Document::from_iter([(format!("field{number}"), Bson::Int32(1))]);
        let indexes = vec![IndexRequest { keys, options: Document::new() }];
        let create = CreateIndexes { collection: "things".into(), indexes };
        database.run(&Command::CreateIndexes(create)).err().map(|refusal| (number, refusal))
    })
}

/// How a document of steps grows in a design: measured on documents of nine and ten days, extended to the limit.
#[must_use]
pub fn growth(form: Form) -> Growth {
    let design = Design::new(form, &Layout::dated("steps_made", "date", "steps", "person"));
    let bytes = |days: usize| -> u64 {
        let attributes =
            crate::design::data::days(2014, 0, days).iter().map(|day| Attribute::new(day, 10_800)).collect();
        let person = Entity { id: Bson::Int32(1), common: doc! {"person": "Ada"}, attributes };
        let poured = pour(&design, &person).made;
        let size = |document: &Document| document.to_vec().map_or(0, |bytes| bytes.len());
        u64::try_from(poured.first().map_or(0, size)).unwrap_or_default()
    };
    if form == Form::Rows {
        return Growth { form, empty: 0, bytes_per_day: bytes(1), days: None };
    }
    let empty = bytes(0);
    let first = bytes(1) - empty;
    // An array's positions are names: each further digit costs a byte.
    let digit = bytes(11) - bytes(10) - first;
    let (mut left, mut days, mut per_day) = (LARGEST_DOCUMENT - empty, 0, first);
    let mut in_group = 10;
    loop {
        let fit = (left / per_day).min(in_group);
        days += fit;
        left -= fit * per_day;
        if fit < in_group {
            return Growth { form, empty, bytes_per_day: per_day, days: Some(days) };
        }
        in_group = if digit == 0 { u64::MAX } else { days * 9 };
        per_day += digit;
    }
}
