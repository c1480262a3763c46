//! How far the learner has come: lessons, exercises, predictions, slips.

use crate::course::{Confidence, Pack, Progress, Slip};
use crate::tui::learning::title_of;
use crate::tui::page::{Line, Page};
use crate::tui::pages::lesson::confidence;
use crate::tui::role::Role;
use crate::words::{Lang, Words};

const DONE: Words =
    Words::new("Lessons read to the end: {done} of {all}", "Lektionen zu Ende gelesen: {done} von {all}");
const LEFT: Words = Words::new("Still open: {list}", "Noch offen: {list}");
const PASSED: Words = Words::new(
    "Exercises solved: {done} of {all}, {points} of {max points}, {hints hints}",
    "Aufgaben gelöst: {done} von {all}, {points} von {max Punkten}, {hints Tipps}",
);
const SHOWN: Words = Words::new("Solutions looked up: {list}", "Lösungen nachgesehen: {list}");
const PREDICTIONS: Words = Words::new("Predictions", "Vorhersagen");
const NONE_MADE: Words = Words::new(
    "None yet. Lessons ask for one before a statement runs.",
    "Noch keine. Die Lektionen fragen danach, bevor eine Anweisung läuft.",
);
const HITS: Words = Words::new("{right} of {made} right, {score points}", "{right} von {made} richtig, {score Punkte}");
const LEVEL: Words = Words::new(
    "{confidence}: {right} of {made} right = {percent} %; honest would be {low} to {high} %",
    "{confidence}: {right} von {made} richtig = {percent} %; ehrlich wären {low} bis {high} %",
);
/// The rule of the score in one sentence.
pub const RULE: Words = Words::new(
    "Right earns 1, 2 or 3, wrong costs 0, 2 or 6: so “sure” pays only if you are right more than 4 times in 5.",
    "Richtig bringt 1, 2 oder 3, falsch kostet 0, 2 oder 6: „sicher“ lohnt sich nur, wenn du öfter als 4 von 5 Mal recht hast.",
);
const SLIPS: Words = Words::new("Your slips", "Deine Fehler");
const NO_SLIPS: Words = Words::new("None so far.", "Bisher keine.");
const SLIP: Words = Words::new("{title}: {count}×, {when}", "{title}: {count}×, {when}");
const TODAY: Words = Words::new("due for review", "zur Wiederholung fällig");
const TOMORROW: Words = Words::new("comes back tomorrow", "kommt morgen wieder");
const LATER: Words = Words::new("comes back in {days days}", "kommt in {days Tagen} wieder");
const END: Words = Words::new(
    "That was the whole course. What is open or due can be chosen from the course map, F9.",
    "Das war der ganze Kurs. Was offen oder fällig ist, steht auf der Kurskarte, F9.",
);

/// The summary of what was done in a pack.
#[must_use]
pub fn page(pack: &Pack, progress: &Progress, slips: &[(&str, &Slip)], today: i64, lang: Lang) -> Page {
    let mut page = Page::new();
    lessons(&mut page, pack, progress, lang);
    exercises(&mut page, pack, progress, lang);
    page.gap();
    page.say(Role::Heading, PREDICTIONS.get(lang));
    predictions(&mut page, progress, lang);
    page.gap();
    page.say(Role::Heading, SLIPS.get(lang));
    if slips.is_empty() {
        page.say(Role::Quiet, NO_SLIPS.get(lang));
    }
    for (id, slip) in slips {
        page.line(Line::of(Role::Quiet, "• ").and(Role::Text, slip_line(id, slip, today, lang)).hang(2));
    }
    if pack.lessons.iter().all(|lesson| progress.lessons.get(&lesson.id).is_some_and(|record| record.done)) {
        page.gap();
        page.say(Role::Good, END.get(lang));
    }
    page
}

/// A slip with how often it was made and when it comes back.
#[must_use]
pub fn slip_line(id: &str, slip: &Slip, today: i64, lang: Lang) -> String {
    let days = (slip.due - today).to_string();
    let when = match slip.due - today {
        ..=0 => TODAY.get(lang).to_owned(),
        1 => TOMORROW.get(lang).to_owned(),
        _ => LATER.fill(lang, &[("days", &days)]),
    };
    let (title, count) = (title_of(id, lang), slip.count.to_string());
    SLIP.fill(lang, &[("title", &title), ("count", &count), ("when", &when)])
}

fn lessons(page: &mut Page, pack: &Pack, progress: &Progress, lang: Lang) {
    let is_done = |id: &str| progress.lessons.get(id).is_some_and(|record| record.done);
    let open: Vec<&str> = pack.lessons.iter().map(|lesson| lesson.id.as_str()).filter(|id| !is_done(id)).collect();
    let (done, all) = ((pack.lessons.len() - open.len()).to_string(), pack.lessons.len().to_string());
    page.line(Line::of(Role::Strong, DONE.fill(lang, &[("done", &done), ("all", &all)])));
    if !open.is_empty() {
        page.line(Line::of(Role::Quiet, LEFT.fill(lang, &[("list", &open.join(", "))])).hang(2));
    }
}

fn exercises(page: &mut Page, pack: &Pack, progress: &Progress, lang: Lang) {
    let records: Vec<_> =
        pack.exercises.iter().filter_map(|exercise| progress.exercises.get(&exercise.spec.id)).collect();
    let done = records.iter().filter(|record| record.passed()).count().to_string();
    let points = records.iter().map(|record| record.points).sum::<u32>().to_string();
    let hints = records.iter().map(|record| record.hints).sum::<u32>().to_string();
    let max = pack.exercises.iter().map(crate::course::Exercise::max_points).sum::<u32>().to_string();
    let all = pack.exercises.len().to_string();
    let values = [("done", &done), ("all", &all), ("points", &points), ("max", &max), ("hints", &hints)];
    let values: Vec<(&str, &str)> = values.into_iter().map(|(name, value)| (name, value.as_str())).collect();
    page.line(Line::of(Role::Strong, PASSED.fill(lang, &values)));
    let seen = |id: &&str| progress.exercises.get(*id).is_some_and(|record| record.shown && !record.passed());
    let shown: Vec<&str> = pack.exercises.iter().map(|exercise| exercise.spec.id.as_str()).filter(seen).collect();
    if !shown.is_empty() {
        page.line(Line::of(Role::Quiet, SHOWN.fill(lang, &[("list", &shown.join(", "))])).hang(2));
    }
}

fn predictions(page: &mut Page, progress: &Progress, lang: Lang) {
    let levels = progress.calibration();
    let made: u32 = levels.iter().map(|level| level.made).sum();
    if made == 0 {
        return page.say(Role::Quiet, NONE_MADE.get(lang));
    }
    let right: u32 = levels.iter().map(|level| level.right).sum();
    let (made, right, score) = (made.to_string(), right.to_string(), format!("{:+}", progress.prediction_score()));
    page.line(Line::of(Role::Text, HITS.fill(lang, &[("right", &right), ("made", &made), ("score", &score)])));
    for (confidence, level) in Confidence::ALL.into_iter().zip(levels) {
        let Some(percent) = level.percent() else { continue };
        page.line(Line::of(Role::Quiet, "• ").and(Role::Text, level_line(confidence, level, percent, lang)).hang(2));
    }
    page.line(Line::of(Role::Quiet, RULE.get(lang)));
}

fn level_line(level: Confidence, made: crate::course::Calibration, percent: u32, lang: Lang) -> String {
    let (low, high) = level.fits();
    let figures = [made.right, made.made, percent, low, high].map(|figure| figure.to_string());
    let [right, all, percent, low, high] = figures.each_ref().map(String::as_str);
    let name = confidence(level).get(lang);
    let values =
        [("confidence", name), ("right", right), ("made", all), ("percent", percent), ("low", low), ("high", high)];
    LEVEL.fill(lang, &values)
}
