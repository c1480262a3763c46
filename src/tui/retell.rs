//! What is shown already told again in another language: findings, duel, the shell's remarks, the verdict.

use crate::design::Bench;
use crate::grade::Judge;
use crate::pitfall::Detector;
use crate::shell::{FailureKind, Limits, Outcome, Shell};
use crate::tui::answer::Answer;
use crate::tui::model::Model;
use crate::words::Lang;

impl Model {
    /// Speaks the language that is set, in what is shown already too.
    pub fn speak(&mut self) {
        let lang = self.settings.lang;
        self.session.set_lang(lang);
        if self.running().is_some() {
            return;
        }
        if let Some(mut answer) = self.answer.take() {
            let [before, now] = self.session.moments().map(|bench| bench.in_language(lang));
            find_again(&mut answer, &before, &now, lang);
            remark_again(&mut answer.outcome, before, lang);
            answer.duel = answer.duel.and_then(|_| now.duel().cloned());
            answer.beside = answer.beside.and_then(|_| self.beside());
            self.answer = Some(answer);
        }
        self.judge_again();
    }

    /// Judges again the text whose verdict is shown; nothing is counted.
    fn judge_again(&mut self) {
        let (Some(_), Some(text), Some(exercise)) = (&self.report, &self.judged, self.place.as_exercise(&self.pack))
        else {
            return;
        };
        if let Ok(judge) = Judge::new(exercise, self.judging()) {
            self.report = Some(judge.grade(text, &mut |_| {}));
        }
    }
}

/// Puts the findings in another language in place of the same ones.
fn find_again(answer: &mut Answer, before: &Bench, now: &Bench, lang: Lang) {
    let again = Detector::new(lang).detect(&answer.outcome, before.database(), now.database());
    for noticed in &mut answer.noticed {
        let finding = &mut noticed.finding;
        if let Some(told) = again.iter().find(|told| told.id == finding.id && told.span == finding.span) {
            *finding = told.clone();
        }
    }
}

/// Takes the shell's notes and its hint from another run on a copy of the data; one that ends otherwise, since it needs
/// the variables of earlier texts, leaves them as they are.
fn remark_again(outcome: &mut Outcome, before: Bench, lang: Lang) {
    let limited = |failure: &crate::shell::Failure| matches!(failure.kind, FailureKind::Limit(_));
    let said = !outcome.notes.is_empty() || outcome.value.as_ref().is_err_and(|failure| !limited(failure));
    if !said {
        return;
    }
    let mut shell = Shell::new(before, Limits::default());
    shell.set_lang(lang);
    let again = shell.run(outcome.script.text());
    match (&mut outcome.value, again.value) {
        (Ok(_), Ok(_)) => outcome.notes = again.notes,
        (Err(failure), Err(told)) if failure.kind == told.kind && failure.span == told.span => {
            (*failure, outcome.notes) = (told, again.notes);
        }
        _ => {}
    }
}
