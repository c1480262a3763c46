//! An exercise: task, hints asked for, and how to be judged.

use crate::course::Exercise;
use crate::tui::page::{Line, Page};
use crate::tui::pages::lesson::code_lines;
use crate::tui::pages::markdown;
use crate::tui::role::Role;
use crate::words::{Lang, Words};

const HINT: Words = Words::new("Hint {number} of {all}", "Tipp {number} von {all}");
const HOW: Words = Words::new(
    "F5 runs your answer here, F8 judges it on this and on hidden data, Alt-H shows a hint.",
    "F5 führt die Antwort hier aus, F8 bewertet sie auf diesen und verborgenen Daten, Alt-H zeigt einen Tipp.",
);
const STARTER: Words = Words::new("Starter", "Anfang");

/// The exercise with so many hints.
#[must_use]
pub fn page(exercise: &Exercise, hints: usize, lang: Lang) -> Page {
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
    let all = exercise.hints.len().to_string();
    for (at, hint) in exercise.hints.iter().take(hints).enumerate() {
        let number = (at + 1).to_string();
        page.say(Role::Heading, HINT.fill(lang, &[("number", &number), ("all", &all)]));
        page.append(markdown::page(hint.get(lang)));
        page.gap();
    }
    page.line(Line::of(Role::Quiet, HOW.get(lang)));
    page
}
