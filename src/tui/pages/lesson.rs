//! A step of a lesson: prose, statements to take, predictions and questions.

use std::collections::BTreeMap;

use crate::course::{Block, Confidence, Lesson, Predict, Prediction, Question, Role as CodeRole};
use crate::tui::highlight;
use crate::tui::page::{Line, Page, Target};
use crate::tui::pages::markdown;
use crate::tui::role::Role;
use crate::words::{Lang, Words};

const STEP: Words = Words::new("Step {step} of {steps}", "Schritt {step} von {steps}");
const GOALS: Words = Words::new("Afterwards you can", "Danach kannst du");
const PREDICT: Words = Words::new("Predict, then run", "Erst vorhersagen, dann ausführen");
const CHOOSE: Words = Words::new("Choose", "Wähle");
const ASK: Words =
    Words::new("Enter here asks you first, then runs it.", "Enter fragt dich hier erst und führt es dann aus.");
const ASK_LINES: Words =
    Words::new(":take asks you first, then runs it.", ":take fragt dich erst und führt es dann aus.");
const FORETOLD: Words = Words::new(
    "You said {answer} ({confidence}): {score points}.",
    "Du sagtest {answer} ({confidence}): {score Punkte}.",
);
const CAME: Words = Words::new("It is {actual}.", "Es ist {actual}.");

/// What the learner chose, by the number of the block in its step.
pub type Choices = BTreeMap<usize, usize>;

/// What came of a prediction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Foretold {
    /// It was made.
    Predicted(Prediction),
    /// The statement ran without one; what came, empty where nothing did.
    Ran(String),
}

/// What came of the predictions of a step, by the number of their block.
pub type Outcomes = BTreeMap<usize, Foretold>;

/// How sure a learner was, in a word.
#[must_use]
pub fn confidence(level: Confidence) -> Words {
    match level {
        Confidence::Low => Words::new("unsure", "unsicher"),
        Confidence::Medium => Words::new("fairly sure", "recht sicher"),
        Confidence::High => Words::new("sure", "sicher"),
    }
}

/// A step as a page.
#[must_use]
pub fn page(lesson: &Lesson, step: usize, choices: &Choices, foretold: &Outcomes, lang: Lang) -> Page {
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
            Block::Predict(predict) => prediction(&mut page, number, predict, foretold.get(&number), lang),
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
    statement(page, code, take.then(|| Target::Take(code.trim_end().to_owned())).as_ref());
}

/// A statement, and what choosing a line of it does; one that does something has a sign in front.
fn statement(page: &mut Page, code: &str, target: Option<&Target>) {
    for (number, line) in highlight::lines(code.trim_end()).into_iter().enumerate() {
        let mut shown = Line::of(Role::Key, if target.is_some() && number == 0 { "▸ " } else { "  " }).code().hang(4);
        shown.pieces.extend(line.pieces);
        shown.target = target.cloned();
        page.line(shown);
    }
}

fn prediction(page: &mut Page, number: usize, predict: &Predict, foretold: Option<&Foretold>, lang: Lang) {
    let target = Target::Predict(number);
    page.line(Line::of(Role::Heading, PREDICT.get(lang)));
    let ask = Line::of(Role::Strong, "? ").and(Role::Text, predict.ask.clone()).hang(2);
    page.line(if foretold.is_none() { ask.target(target.clone()) } else { ask });
    match foretold {
        None => statement(page, &predict.run, Some(&target)),
        Some(_) => code_lines(page, &predict.run, true),
    }
    match foretold {
        None => page.line(Line::of(Role::Quiet, ASK.get(lang)).target(target).read_as(ASK_LINES.get(lang))),
        Some(foretold) => {
            page.line(came(foretold, lang).hang(2));
            if !predict.then.is_empty() {
                page.line(Line::of(Role::Quiet, "  ").and(Role::Info, predict.then.clone()).hang(2));
            }
        }
    }
}

/// What was foretold and what came, in a line.
fn came(foretold: &Foretold, lang: Lang) -> Line {
    let it_is = |actual: &str| CAME.fill(lang, &[("actual", actual)]);
    match foretold {
        Foretold::Ran(actual) if actual.is_empty() => Line::new(),
        Foretold::Ran(actual) => Line::of(Role::Text, format!("  {}", it_is(actual))),
        Foretold::Predicted(made) => {
            let (sign, role) = if made.right { ("✓ ", Role::Good) } else { ("✗ ", Role::Bad) };
            let (score, sure) = (format!("{:+}", made.score()), confidence(Confidence::of(made.confidence)).get(lang));
            let values = [("answer", made.answer.as_str()), ("confidence", sure), ("score", score.as_str())];
            Line::of(role, sign)
                .and(role, FORETOLD.fill(lang, &values))
                .and(Role::Text, format!(" {}", it_is(&made.actual)))
        }
    }
}

/// Adds a question with its choices; `number` names it in their targets.
pub fn ask(page: &mut Page, number: usize, question: &Question, chosen: Option<usize>, lang: Lang) {
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
