//! The views of the answer: which is shown, when each is written anew, and the walk through the index.

use crate::pitfall::Level;
use crate::tui::actions::Action;
use crate::tui::answer::{Answer, View};
use crate::tui::model::Model;
use crate::tui::page::{Line, Target};
use crate::tui::role::Role;
use crate::tui::screens::study::desk::{Desk, Pane};
use crate::tui::screens::study::screen::Study;
use crate::tui::widgets::Paper;
use crate::words::Words;

const SEE: Words =
    Words::new(" ⚠ {id}: Alt-3 shows the proof and the fix.", " ⚠ {id}: Alt-3 zeigt Beweis und Abhilfe.");
const WHY: Words = Words::new("F2 says why.", "F2 sagt, warum.");

const READ: Words = Words::new(
    " {id}: right, but often misread. Alt-3 says more.",
    " {id}: richtig, aber oft missverstanden. Alt-3 sagt mehr.",
);

impl Study {
    pub(super) fn paper(&mut self) -> &mut Paper {
        &mut self.views[self.view as usize]
    }

    /// The columns of screen that an answer has or would have.
    pub(super) fn answer_width(&self, model: &Model) -> u16 {
        let focus = if self.zoomed { self.focus } else { Pane::Answer };
        Desk::new(model.size, focus, self.zoomed, (model.settings.split, model.settings.editor), |_| 1)
            .inside(Pane::Answer)
            .width
    }

    /// Lets every view be written anew.
    pub(super) fn show(&mut self, model: &Model) {
        self.fresh.fill(false);
        self.refresh(model);
    }

    /// Writes the present view anew at the same place.
    pub(super) fn refresh(&mut self, model: &Model) {
        let page = model.view(self.view, self.answer_width(model));
        self.paper().set(page);
        self.fresh[self.view as usize] = true;
    }

    pub(super) fn ran(&mut self, model: &mut Model) {
        self.fresh.fill(false);
        if model.answer.is_none() && model.report.is_none() {
            return self.refresh(model);
        }
        let text = self.editor.text();
        let answer = model.answer.as_ref().filter(|answer| answer.text == text);
        self.editor.underlined = answer.map(Answer::underlined).unwrap_or_default();
        self.earlier = None;
        if model.report.is_none() && model.answer.as_ref().is_some_and(|answer| answer.trial.is_some()) {
            return self.show_trial(model);
        }
        if let Some(finding) = model.answer.as_ref().and_then(Answer::heaviest) {
            let (words, role) = if finding.level < Level::Surprise { (SEE, Role::Warning) } else { (READ, Role::Info) };
            model.notice = Some(Line::of(role, words.fill(model.settings.lang, &[("id", finding.id)])));
        }
        if let Some(verdict) = model.verdict.take() {
            model.notice = Some(verdict.and(Role::Quiet, format!("  {}", WHY.get(model.settings.lang))));
        }
        self.text.set(model.text());
        if model.report.is_some() || model.answer.as_ref().is_some_and(|answer| !answer.has(self.view)) {
            self.view = View::Result;
        }
        self.refresh(model);
        self.paper().go(0);
        if !self.desk(model, model.size).shows(Pane::Answer) {
            self.focus = Pane::Answer;
        }
    }

    pub(super) fn look(&mut self, view: View) {
        self.view = view;
        self.focus = Pane::Answer;
    }

    /// Goes on or back in the walk through the index.
    pub(super) fn walk(&mut self, action: Action, model: &mut Model) {
        let Some(walk) = model.answer.as_mut().and_then(|answer| answer.walk.as_mut()) else { return };
        match action {
            Action::Down => walk.go(1),
            Action::Up => walk.go(-1),
            Action::PageDown => walk.go(10),
            Action::PageUp => walk.go(-10),
            Action::Home => walk.rewind(),
            Action::End => walk.go(isize::MAX),
            _ => return,
        }
        self.refresh(model);
    }

    /// Shows what a fix gave beside what was typed.
    pub(super) fn show_trial(&mut self, model: &Model) {
        self.look(View::Pitfalls);
        self.refresh(model);
        let trial = |target: &Target| matches!(target, Target::Trial);
        if let Some(line) = self.paper().find(trial) {
            // From the end back, so that what follows the line is in view too.
            self.paper().go(usize::MAX);
            self.paper().go(line);
        }
    }
}
