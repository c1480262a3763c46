//! A closed upper end at midnight, which leaves out the rest of the last day.

use jiff::civil::Date;

use super::asks::{Ask, each_ask};
use crate::pitfall::case::{Case, shown};
use crate::pitfall::days::{Notation, day, day_of, midnight};
use crate::pitfall::exchange::exchanged;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Level, Pitfall, Question, Sighting};
use crate::query::{Comparison, Test};
use crate::value::{Bson, View};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "open-end-off-by-one-day",
    level: Level::WrongResult,
    weight: 9,
    title: Words::new("Closed upper end of a date range", "Geschlossenes oberes Ende eines Datumsbereichs"),
    explanation: Words::new(
        "Everything on the last day after 00:00 is missing.",
        "Alles am letzten Tag nach 00:00 Uhr fehlt.",
    ),
    message: Words::new(
        "{n documents} of the last day are left out by `$lte` {limit}{example}.",
        "{n Dokumente} des letzten Tages fallen durch `$lte` {limit} heraus{example}.",
    ),
    cure: Words::new(
        "Use a half-open range: `$gte` the first day, `$lt` the day after the last.",
        "Nimm einen halboffenen Bereich: `$gte` erster Tag, `$lt` der Tag nach dem letzten.",
    ),
    example: r#"db.c.find({date: {$gte: ISODate("2024-02-01"), $lte: ISODate("2024-02-29")}})"#,
    detect: |case| each_ask(case, sight),
};

fn sight(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Sighting> {
    let (test, limit) = ask.tests.iter().find_map(|test| match test {
        Test::Compare(Comparison::Lte, limit) => Some((*test, limit)),
        _ => None,
    })?;
    let next = day_after(limit).filter(|_| !ask.negated)?;
    let meant =
        exchanged(&question.tree, &|own| std::ptr::eq(own, test).then(|| Test::Compare(Comparison::Lt, next.clone())));
    let verdict = Verdict::of(case, question, &meant)?;
    let timed = || case.seen(question).iter().any(|document| ask.values(document).into_iter().any(has_time));
    if verdict.missed.is_empty() && !(verdict.is_right() && timed()) {
        return None;
    }
    let values =
        vec![("n", verdict.missed.len().to_string()), ("limit", shown(limit)), ("example", verdict.bracketed())];
    Some(verdict.sighting(case, question, &meant, values))
}

/// Whether a stored value goes on behind its day.
fn has_time(value: View<'_>) -> bool {
    match value {
        View::DateTime(millis) => day_of(millis).and_then(midnight).is_some_and(|own| own != value.to_bson()),
        View::String(text) => day(text).is_some_and(|(own, notation)| notation.sorts() && notation.write(own) != text),
        _ => false,
    }
}

/// The day after a limit that names a whole day, in the same kind.
fn day_after(limit: &Bson) -> Option<Bson> {
    match limit {
        Bson::DateTime(date) => {
            let day = day_of(date.timestamp_millis())?;
            (midnight(day)? == *limit).then(|| midnight(tomorrow(day)?))?
        }
        Bson::String(text) => {
            let (day, notation) = day(text).filter(|(day, notation)| {
                matches!(notation, Notation::Compact | Notation::Dashed) && notation.write(*day) == *text
            })?;
            Some(notation.write(tomorrow(day)?).into())
        }
        _ => None,
    }
}

fn tomorrow(day: Date) -> Option<Date> {
    day.tomorrow().ok()
}
