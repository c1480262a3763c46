//! A broken answer and the question what gives it away.

use crate::course::{Choice, Question};
use crate::pitfall::Quiz;
use crate::tui::highlight;
use crate::tui::page::Page;
use crate::tui::pages::lesson::ask;
use crate::tui::pages::why::said_line;
use crate::tui::role::Role;
use crate::words::{Lang, Words};

const BROKEN: Words = Words::new("Your answer, broken in one place", "Deine Antwort, an einer Stelle kaputt gemacht");
const PROBE: Words = Words::new("Asked behind it", "Danach gefragt");

/// A question about a broken answer, with what was chosen.
#[must_use]
pub fn page(number: usize, quiz: &Quiz, chosen: Option<usize>, lang: Lang) -> Page {
    let mut page = Page::new();
    page.say(Role::Heading, BROKEN.get(lang));
    page.lines.extend(highlight::lines(quiz.broken.trim_end()));
    if !quiz.probe.is_empty() {
        page.gap();
        page.say(Role::Heading, PROBE.get(lang));
        page.lines.extend(highlight::lines(&quiz.probe));
    }
    page.gap();
    // What was done is said only afterwards: finding it is half of the answer.
    if chosen.is_some() {
        page.say(Role::Info, quiz.done.clone());
        page.gap();
    }
    let choice = |choice: &crate::pitfall::Choice| Choice {
        text: choice.text.clone(),
        right: choice.right,
        why: choice.why.clone(),
    };
    let choices = quiz.choices.iter().map(choice).collect();
    let question = Question { ask: quiz.ask.clone(), lesson: String::new(), choices, line: 0 };
    ask(&mut page, number, &question, chosen, lang);
    if chosen.is_some() && !quiz.proof.is_empty() {
        page.gap();
        quiz.proof.iter().for_each(|said| page.line(said_line(said)));
    }
    page
}
