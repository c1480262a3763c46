//! What each action does at the desk.

use crate::course::Confidence;
use crate::shell::{complete, format};
use crate::tui::actions::Action;
use crate::tui::answer::View;
use crate::tui::model::Model;
use crate::tui::page::{Line, Target};
use crate::tui::pages;
use crate::tui::role::Role;
use crate::tui::screen::{Effect, Step};
use crate::tui::screens::breaking::breaking;
use crate::tui::screens::foretell::Foretell;
use crate::tui::screens::lists;
use crate::tui::screens::reader::summary;
use crate::tui::screens::study::desk::Pane;
use crate::tui::screens::study::draw::EMPTY;
use crate::tui::screens::study::screen::Study;
use crate::tui::screens::why::WhyScreen;
use crate::words::Words;

const NO_WORD: Words = Words::new("Nothing fits at the cursor.", "An den Cursor passt nichts.");
const NOT_PASSED: Words = Words::new(
    "There is no passed answer here to break: first F8 has to give all points.",
    "Hier gibt es keine bestandene Antwort: Erst muss F8 alle Punkte geben.",
);
const NO_FILTER: Words = Words::new("No filter was asked yet.", "Noch wurde nicht mit einem Filter gefragt.");
const NO_FIX: Words = Words::new("There is no fix to take.", "Es gibt keine Abhilfe zu holen.");
const RESET: Words =
    Words::new("Data and indexes are as they were at the start.", "Daten und Indexe sind wieder wie am Anfang.");

impl Study {
    pub(super) fn act(&mut self, action: Action, model: &mut Model) -> Step {
        match action {
            Action::Run if self.editor.is_blank() => {
                model.notice = Some(Line::of(Role::Info, EMPTY.get(model.settings.lang)));
            }
            Action::Run => return self.run(model),
            Action::Check => return Step::Perform(Effect::Check(self.editor.text())),
            Action::NextPane => self.focus = self.focus.next(),
            Action::PreviousPane => self.focus = self.focus.previous(),
            Action::Lesson => self.focus = Pane::Text,
            Action::Editor => self.focus = Pane::Editor,
            Action::Answer => self.focus = Pane::Answer,
            Action::Result => self.look(View::Result),
            Action::Plans => self.look(View::Plans),
            Action::Pitfalls => self.look(View::Pitfalls),
            Action::Index => self.look(View::Index),
            Action::Data => self.look(View::Data),
            Action::NextView => self.look(self.view.next()),
            Action::PreviousView => self.look(self.view.previous()),
            Action::Zoom => {
                self.zoomed = !self.zoomed;
                self.show(model);
            }
            Action::Fix => self.fix(self.finding_at_cursor(), model),
            Action::Try => return try_fix(self.finding_at_cursor(), model),
            Action::Compare => {
                model.compare();
                self.look(View::Plans);
                self.refresh(model);
            }
            Action::Why => return self.why(model),
            Action::Break => return break_answer(model),
            Action::Take => return self.take_next(model),
            Action::NextLesson => match model.onward() {
                Some(place) => self.travel(Some(place), model),
                None => return summary(model),
            },
            Action::PreviousLesson => self.travel(model.backward(), model),
            Action::Choose => return self.choose(model),
            Action::Shape => {
                if let Some(answer) = &mut model.answer {
                    answer.shape = answer.shape.next();
                }
                self.look(View::Result);
                self.refresh(model);
            }
            Action::Earlier => self.remember(-1, model),
            Action::Later => self.remember(1, model),
            Action::Reset => {
                model.reset();
                model.notice = Some(Line::of(Role::Good, RESET.get(model.settings.lang)));
                self.show(model);
            }
            Action::Hint => self.hint(model),
            Action::Solution => self.solve(model),
            Action::History => return Step::Open(Box::new(lists::history(model))),
            Action::Find => return self.find(model),
            Action::Narrower | Action::Wider | Action::Higher | Action::Lower => self.resize(action, model),
            Action::Complete => return self.complete(model),
            Action::Undo => _ = self.editor.undo(),
            Action::Redo => _ = self.editor.redo(),
            Action::Format => {
                let text = self.editor.text();
                let laid_out = format(&text);
                if laid_out != text {
                    self.editor.replace(&laid_out);
                }
            }
            Action::Clear => self.editor.replace(""),
            Action::External => return Step::Perform(Effect::External(self.editor.text())),
            Action::Copy => return Step::Perform(Effect::Copy(self.shown_text())),
            Action::Back => return self.back(model),
            _ => match self.focus {
                Pane::Text => _ = self.text.act(action),
                Pane::Answer if self.view == View::Index => self.walk(action, model),
                Pane::Answer => _ = self.paper().act(action),
                Pane::Editor => {}
            },
        }
        Step::Stay
    }

    /// Runs what is in the editor; what the step asks to predict is asked first.
    pub(super) fn run(&mut self, model: &mut Model) -> Step {
        let text = self.editor.text();
        match model.predictable(&text) {
            Some(block) => foretell(block, model),
            None => Step::Perform(Effect::Run(text)),
        }
    }

    /// Runs the statement of a prediction.
    pub(super) fn predicted(&mut self, block: usize, guess: Option<(String, Confidence)>, model: &mut Model) -> Step {
        let Some(text) = model.foretell(block, guess) else { return Step::Stay };
        self.editor.replace(&text);
        Step::Perform(Effect::Run(text))
    }

    /// Shows the solution, once it is due or asked for twice.
    pub(super) fn solve(&mut self, model: &mut Model) {
        if model.solve() {
            self.text.set(model.text());
            let heading =
                self.text.page().lines.iter().rposition(|line| line.text() == pages::MODEL.get(model.settings.lang));
            self.text.go(usize::MAX);
            self.text.go(heading.unwrap_or(0));
            self.focus = Pane::Text;
        }
    }

    /// Puts a text that was run before, or after, into the editor.
    pub(super) fn remember(&mut self, by: isize, model: &Model) {
        let history = model.session.history();
        let here = self.earlier.unwrap_or(history.len());
        let Some(there) = here.checked_add_signed(by).filter(|there| *there <= history.len()) else { return };
        self.earlier = Some(there);
        self.editor.replace(history.get(there).map_or("", String::as_str));
    }

    pub(super) fn find(&self, model: &Model) -> Step {
        let page = match self.focus {
            Pane::Text => self.text.page(),
            Pane::Answer => self.views[self.view as usize].page(),
            Pane::Editor => return Step::Stay,
        };
        Step::Open(Box::new(lists::find(page, model)))
    }

    /// Shows one hint more.
    pub(super) fn hint(&mut self, model: &mut Model) {
        if model.hint() {
            self.text.set(model.text());
            self.text.go(usize::MAX);
        }
        self.focus = Pane::Text;
    }

    /// Takes the statement at the cursor of the text, the next below it, or else the first, into the editor; one whose
    /// outcome is to be predicted asks first.
    fn take_next(&mut self, model: &mut Model) -> Step {
        let is_code = |target: &Target| matches!(target, Target::Take(_) | Target::Predict(_));
        let Some(line) = self.text.below(is_code).or_else(|| self.text.find(is_code)) else { return Step::Stay };
        self.text.go(line);
        match self.text.own_target() {
            Some(Target::Take(code)) => self.take_and_go_on(&code),
            Some(Target::Predict(block)) => return foretell(block, model),
            _ => {}
        }
        Step::Stay
    }

    /// Takes a statement of the text; its cursor goes to the one that follows, for the next time.
    fn take_and_go_on(&mut self, code: &str) {
        let is_other = |target: &Target| match target {
            Target::Take(other) => other != code,
            Target::Predict(_) => true,
            _ => false,
        };
        if let Some(next) = self.text.below(is_other) {
            self.text.go(next);
        }
        self.take(code);
    }

    pub(super) fn take(&mut self, code: &str) {
        self.editor.replace(code);
        self.focus = Pane::Editor;
    }

    /// Offers what fits at the cursor; the only thing that fits goes in at once.
    pub(super) fn complete(&mut self, model: &mut Model) -> Step {
        let found = complete(&self.editor.text(), self.editor.cursor(), &model.session.vocabulary());
        match found.choices.as_slice() {
            [] => model.notice = Some(Line::of(Role::Info, NO_WORD.get(model.settings.lang))),
            [(_, only)] => self.editor.splice(&found.span, only),
            _ => return Step::Open(Box::new(lists::completion(found, model))),
        }
        Step::Stay
    }

    /// Says why the document at the cursor matched; where none is there, of the first that did, or else of one that did not.
    pub(super) fn why(&self, model: &mut Model) -> Step {
        let Some(inquiry) = model.inquiry() else {
            model.notice = Some(Line::of(Role::Info, NO_FILTER.get(model.settings.lang)));
            return Step::Stay;
        };
        let number = |target: &Target| match target {
            Target::Fold(path) => path.split('.').next()?.parse().ok(),
            Target::Row(number) => Some(*number),
            _ => None,
        };
        let number: Option<usize> = self.views[View::Result as usize].above(number);
        let id = number.and_then(|number| model.answer.as_ref()?.id(number));
        let at = id.and_then(|id| inquiry.find(&id)).or_else(|| inquiry.examples().first().copied());
        Step::Open(Box::new(WhyScreen::new(inquiry, at.unwrap_or(0), model)))
    }

    /// The finding that the cursor is in; none where another view is shown.
    pub(super) fn finding_at_cursor(&self) -> Option<usize> {
        if self.view != View::Pitfalls {
            return None;
        }
        self.views[View::Pitfalls as usize].above(|target| match target {
            Target::Finding(at) => Some(*at),
            _ => None,
        })
    }

    /// Puts the fix of a finding into the editor.
    pub(super) fn fix(&mut self, of: Option<usize>, model: &mut Model) {
        let fix = model.answer.as_ref().and_then(|answer| answer.fix(of)).map(|(_, text)| text.to_owned());
        match fix {
            Some(text) => self.take(&text),
            None => model.notice = Some(no_fix(of, model)),
        }
    }

    pub(super) fn choose(&mut self, model: &mut Model) -> Step {
        let target = match self.focus {
            Pane::Text => self.text.target(),
            Pane::Answer => self.paper().target(),
            Pane::Editor => None,
        };
        match target {
            Some(Target::Take(code)) => self.take_and_go_on(&code),
            Some(Target::Fold(path)) => {
                if let Some(answer) = &mut model.answer {
                    answer.fold(&path);
                }
                self.refresh(model);
            }
            Some(Target::Finding(at)) => {
                if let Some(answer) = &mut model.answer {
                    answer.unfold(at);
                }
                self.refresh(model);
            }
            Some(Target::Fix(at)) => self.fix(Some(at), model),
            Some(Target::Try(at)) => return try_fix(Some(at), model),
            Some(Target::Predict(block)) => return foretell(block, model),
            Some(Target::Links(links)) => return lists::follow(&links, model),
            Some(answer @ Target::Answer { .. }) => {
                model.choose(&answer);
                self.text.set(model.text());
            }
            _ => {}
        }
        Step::Stay
    }

    pub(super) fn shown_text(&self) -> String {
        match self.focus {
            Pane::Text => self.text.page().text(),
            Pane::Editor => self.editor.selected().unwrap_or_else(|| self.editor.text()),
            Pane::Answer => self.views[self.view as usize].page().text(),
        }
    }
}

/// Why there is no fix to take or to try.
fn no_fix(of: Option<usize>, model: &Model) -> Line {
    let withheld = model.answer.as_ref().is_some_and(|answer| answer.withholds(of));
    Line::of(Role::Info, if withheld { pages::OWN } else { NO_FIX }.get(model.settings.lang))
}

/// Opens the questions about the passed answer broken in one way after another.
fn break_answer(model: &mut Model) -> Step {
    if let Some(asked) = breaking(model) {
        return Step::Open(Box::new(asked));
    }
    model.notice = Some(Line::of(Role::Info, NOT_PASSED.get(model.settings.lang)));
    Step::Stay
}

/// Asks for the prediction of a block of the step.
fn foretell(block: usize, model: &mut Model) -> Step {
    model.catch_up(block);
    Foretell::new(block, model).map_or(Step::Stay, |question| Step::Open(Box::new(question)))
}

/// Tries the fix of a finding, where it has one.
fn try_fix(of: Option<usize>, model: &mut Model) -> Step {
    if model.answer.as_ref().is_some_and(|answer| answer.fix(of).is_some()) {
        return Step::Perform(Effect::Try(of));
    }
    model.notice = Some(no_fix(of, model));
    Step::Stay
}
