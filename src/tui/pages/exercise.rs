//! An exercise: task, how it is judged, hints asked for, and the solutions once they are due.

use crate::course::{Answer, Exercise, ExerciseRecord};
use crate::tui::page::{Line, Page};
use crate::tui::pages::lesson::code_lines;
use crate::tui::pages::markdown;
use crate::tui::role::Role;
use crate::words::{Lang, Words};

const HINT: Words = Words::new("Hint {number} of {all}", "Tipp {number} von {all}");
const HOW: Words = Words::new(
    "F5 runs your answer here, on the data as your last run left them; Alt-R puts them back. F8 judges it on fresh and on hidden data. Alt-H shows a hint, Alt-S the solution.",
    "F5 führt die Antwort hier aus, auf den Daten, wie dein letzter Lauf sie ließ; Alt-R stellt sie wieder her. F8 bewertet sie auf frischen und verborgenen Daten. Alt-H zeigt einen Tipp, Alt-S die Lösung.",
);
const STARTER: Words = Words::new("Starter", "Anfang");
const JUDGED: Words = Words::new("Judged by", "Bewertet wird");
const POINTS: Words = Words::new("  {points points}", "  {points Punkte}");
/// The heading of the model solution.
pub const MODEL: Words = Words::new("The model solution", "Die Musterlösung");
const OTHER: Words = Words::new("This passes too", "Auch das besteht");
const SEEN: Words = Words::new(
    "You asked for the solution, so this exercise gives no more points. You can still practise and have it judged.",
    "Du hast die Lösung gezeigt bekommen, also gibt es hier keine Punkte mehr. Üben und bewerten lassen geht weiter.",
);

/// The exercise as a learner with this record sees it.
#[must_use]
pub fn page(exercise: &Exercise, record: &ExerciseRecord, lang: Lang) -> Page {
    let mut page = Page::new();
    page.line(Line::of(Role::Title, format!("{}  {}", exercise.spec.id, exercise.title(lang))));
    page.gap();
    page.append(markdown::page(exercise.task.get(lang)));
    page.gap();
    if !exercise.starter.trim().is_empty() {
        page.say(Role::Heading, STARTER.get(lang));
        code_lines(&mut page, &exercise.starter, true);
        page.gap();
    }
    hints(&mut page, exercise, record, lang);
    if record.passed() || record.shown {
        solutions(&mut page, exercise, lang);
    }
    if record.shown && !record.passed() {
        page.line(Line::of(Role::Warning, SEEN.get(lang)));
        page.gap();
    }
    judged_by(&mut page, exercise, lang);
    page.line(Line::of(Role::Quiet, HOW.get(lang)).of_keys());
    page
}

fn hints(page: &mut Page, exercise: &Exercise, record: &ExerciseRecord, lang: Lang) {
    let (shown, all) = (usize::try_from(record.hints).unwrap_or(usize::MAX), exercise.hints.len().to_string());
    for (at, hint) in exercise.hints.iter().take(shown).enumerate() {
        let number = (at + 1).to_string();
        page.say(Role::Heading, HINT.fill(lang, &[("number", &number), ("all", &all)]));
        page.append(markdown::page(hint.get(lang)));
        page.gap();
    }
}

/// The model solution with its reasons, then every other way kept beside the exercise.
fn solutions(page: &mut Page, exercise: &Exercise, lang: Lang) {
    for (at, answer) in exercise.solutions.iter().enumerate() {
        page.say(Role::Heading, if at == 0 { MODEL } else { OTHER }.get(lang));
        solution(page, answer, lang);
        page.gap();
    }
}

fn solution(page: &mut Page, answer: &Answer, lang: Lang) {
    if !answer.about.get(lang).is_empty() {
        page.line(Line::of(Role::Info, answer.about.get(lang)));
    }
    code_lines(page, answer.statements().trim(), true);
}

fn judged_by(page: &mut Page, exercise: &Exercise, lang: Lang) {
    page.say(Role::Heading, JUDGED.get(lang));
    for check in &exercise.spec.checks {
        let points = POINTS.fill(lang, &[("points", &check.points.to_string())]);
        page.line(Line::of(Role::Quiet, "• ").and(Role::Text, check.name.get(lang)).and(Role::Quiet, points).hang(2));
    }
    page.gap();
}
