//! A step of a lesson: prose, statements to take, predictions and questions.

use std::collections::BTreeMap;

use crate::course::{Block, Lesson, Predict, Question, Role as CodeRole};
use crate::tui::highlight;
use crate::tui::page::{Line, Page, Target};
use crate::tui::pages::markdown;
use crate::tui::role::Role;
use crate::words::{Lang, Words};

const STEP: Words = Words::new("Step {step} of {steps}", "Schritt {step} von {steps}");
const GOALS: Words = Words::new("Afterwards you can", "Danach kannst du");
const PREDICT: Words = Words::new("Predict, then run", "Erst vorhersagen, dann ausführen");
const CHOOSE: Words = Words::new("Choose", "Wähle");

/// What the learner chose, by the number of the block in its step.
pub type Choices = BTreeMap<usize, usize>;

/// A step as a page.
#[must_use]
pub fn page(lesson: &Lesson, step: usize, choices: &Choices, lang: Lang) -> Page {
    let reading = lesson.reading(lang);
    let mut page = Page::new();
    let Some(shown) = reading.steps.get(step) else { return page };
    let (number, all) = ((step + 1).to_string(), reading.steps.len().to_string());
    page.say(Role::Quiet, STEP.fill(lang, &[("step", &number), ("steps", &all)]));
    page.say(Role::Title, shown.title.clone());
    page.gap();
    for (number, block) in shown.blocks.iter().enumerate() {
        match block {
            Block::Prose(text) => page.append(markdown::page(text)),
            Block::Code(code) => match code.role {
                CodeRole::Run => code_lines(&mut page, &code.text, true),
                CodeRole::Show => code_lines(&mut page, &code.text, false),
                CodeRole::Setup => continue,
            },
            Block::Predict(predict) => prediction(&mut page, predict, lang),
            Block::Question(question) => ask(&mut page, number, question, choices.get(&number).copied(), lang),
        }
        page.gap();
    }
    if step == 0 && !reading.goals.is_empty() {
        page.say(Role::Heading, GOALS.get(lang));
        for goal in &reading.goals {
            page.line(Line::of(Role::Quiet, "• ").and(Role::Text, goal.clone()).hang(2));
        }
    }
    page.trim();
    page
}

/// A statement; one to take has a sign in front.
pub(super) fn code_lines(page: &mut Page, code: &str, take: bool) {
    for line in highlight::lines(code.trim_end()) {
        let mut shown = Line::of(Role::Key, if take { "▸ " } else { "  " }).code().hang(4);
        shown.pieces.extend(line.pieces);
        shown.target = take.then(|| Target::Take(code.trim_end().to_owned()));
        page.line(shown);
    }
}

fn prediction(page: &mut Page, predict: &Predict, lang: Lang) {
    page.line(Line::of(Role::Heading, PREDICT.get(lang)));
    page.line(Line::of(Role::Strong, "? ").and(Role::Text, predict.ask.clone()).hang(2));
    code_lines(page, &predict.run, true);
}

fn ask(page: &mut Page, number: usize, question: &Question, chosen: Option<usize>, lang: Lang) {
    page.line(Line::of(Role::Heading, CHOOSE.get(lang)));
    page.line(Line::of(Role::Strong, "? ").and(Role::Text, question.ask.clone()).hang(2));
    for (at, choice) in question.choices.iter().enumerate() {
        let (sign, role) = match (chosen == Some(at), choice.right) {
            (false, _) => ("( ) ", Role::Text),
            (true, true) => ("(✓) ", Role::Good),
            (true, false) => ("(✗) ", Role::Bad),
        };
        let target = Target::Answer { block: number, choice: at };
        page.line(Line::of(role, sign).and(role, choice.text.clone()).hang(4).target(target));
        if chosen == Some(at) {
            page.line(Line::of(Role::Quiet, "    ").and(Role::Info, choice.why.clone()).hang(4));
        }
    }
}
