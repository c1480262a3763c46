//! The desk: lesson or task, editor, and answer with its five views.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::course::Confidence;
use crate::shell::{complete, format};
use crate::tui::actions::Action;
use crate::tui::answer::{Answer, View};
use crate::tui::keymap::Binding;
use crate::tui::keys::{DESK, MOVING, READING, VIEWING, WRITING};
use crate::tui::model::Model;
use crate::tui::page::{Line, Page, Target};
use crate::tui::pages::{self, markdown};
use crate::tui::place::Place;
use crate::tui::role::Role;
use crate::tui::screen::{Effect, Msg, Screen, Step};
use crate::tui::screens::breaking::Breaking;
use crate::tui::screens::desk::{Desk, Pane, WIDE};
use crate::tui::screens::foretell::Foretell;
use crate::tui::screens::lists;
use crate::tui::screens::reader::Reader;
use crate::tui::screens::why::WhyScreen;
use crate::tui::theme::Theme;
use crate::tui::widgets::{Editor, Paper, draw_line, frame};
use crate::words::Words;

const EDITOR: Words = Words::new("Editor", "Editor");
const EMPTY: Words =
    Words::new("Type a statement here; F5 runs it.", "Hier eine Anweisung schreiben; F5 führt sie aus.");
const TRUNCATED: Words = Words::new(
    "The paste was longer than 1 MiB and was cut there.",
    "Der eingefügte Text war länger als 1 MiB und endet dort.",
);
const NOTHING_RUN: Words = Words::new(
    "Nothing has been run yet. Write a statement in the editor, then press F5.",
    "Noch nichts ausgeführt. Im Editor eine Anweisung schreiben, dann F5.",
);

const TO_TAKE: Words = Words::new(
    "Enter takes the next ▸ statement into the editor, → goes to the next step.",
    "Enter holt die nächste ▸-Anweisung in den Editor, → geht zum nächsten Schritt.",
);
const TO_CHOOSE: Words = Words::new(
    "↓ and ↑ go to an answer ( ), Enter chooses it and says why it is right or wrong.",
    "↓ und ↑ gehen zu einer Antwort ( ), Enter wählt sie und sagt, warum sie stimmt oder nicht.",
);
const TO_READ: Words = Words::new(
    "→ goes to the next step, ← to the one before. Tab goes to the editor.",
    "→ geht zum nächsten Schritt, ← zum vorigen. Tab geht zum Editor.",
);
const TO_FOLLOW: Words = Words::new(
    "Enter opens what stands out in this paragraph, → goes to the next step.",
    "Enter öffnet, was in diesem Absatz hervorsteht, → geht zum nächsten Schritt.",
);
const TO_PREDICT: Words = Words::new(
    "Enter asks for your prediction, then runs it.",
    "Enter fragt nach deiner Vorhersage und führt dann aus.",
);
const TO_WRITE: Words = Words::new(
    "Write a statement, F5 runs it. Tab goes to the answer, Esc to the lesson.",
    "Schreib eine Anweisung, F5 führt sie aus. Tab: Antwort, Esc: Lektion.",
);

const TO_MEND: Words = Words::new(
    "The place is underlined in the editor too; F3 goes there.",
    "Die Stelle ist auch im Editor unterstrichen; F3 geht dorthin.",
);

const SEE: Words =
    Words::new(" ⚠ {id}: Alt-3 shows the proof and the fix.", " ⚠ {id}: Alt-3 zeigt Beweis und Abhilfe.");
const NO_WORD: Words = Words::new("Nothing fits at the cursor.", "An den Cursor passt nichts.");
const NOT_PASSED: Words = Words::new(
    "There is no passed answer here to break: first F8 has to give all points.",
    "Hier gibt es keine bestandene Antwort: Erst muss F8 alle Punkte geben.",
);
const NO_FILTER: Words = Words::new("No filter was asked yet.", "Noch wurde nicht mit einem Filter gefragt.");
const NO_FIX: Words = Words::new("There is no fix to take.", "Es gibt keine Abhilfe zu holen.");

const WHY: Words = Words::new("F2 says why.", "F2 sagt, warum.");
const RESET: Words =
    Words::new("Data and indexes are as they were at the start.", "Daten und Indexe sind wieder wie am Anfang.");

/// Opens the questions about the passed answer broken in one way after another.
fn break_answer(model: &mut Model) -> Step {
    if let Some(breaking) = Breaking::new(model) {
        return Step::Open(Box::new(breaking));
    }
    model.notice = Some(Line::of(Role::Info, NOT_PASSED.get(model.settings.lang)));
    Step::Stay
}

/// The main screen.
#[derive(Debug)]
pub struct Study {
    focus: Pane,
    view: View,
    zoomed: bool,
    text: Paper,
    editor: Editor,
    views: [Paper; View::ALL.len()],
    /// Which views show what the model holds now; the others are written when they are looked at.
    fresh: [bool; View::ALL.len()],
    /// How many of the lesson's statements were taken.
    taken: usize,
    /// Places that were left by jumping elsewhere, to come back to.
    trail: Vec<Place>,
    /// The position in the history while earlier statements are looked at.
    earlier: Option<usize>,
}

impl Study {
    /// The desk at the model's place.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let mut study = Self {
            focus: Pane::Text,
            view: View::Result,
            zoomed: false,
            text: Paper::new(model.text()),
            editor: Editor::new(&model.draft),
            views: Default::default(),
            fresh: [false; View::ALL.len()],
            taken: 0,
            trail: Vec::new(),
            earlier: None,
        };
        study.refresh(model);
        study
    }

    /// Lays out the panes for a screen.
    fn desk(&self, model: &Model, area: Rect) -> Desk {
        Desk::new(area, self.focus, self.zoomed, model.settings.split, |width| self.editor.height(width))
    }

    fn paper(&mut self) -> &mut Paper {
        &mut self.views[self.view as usize]
    }

    /// The columns of screen that an answer has or would have.
    fn answer_width(&self, model: &Model) -> u16 {
        let focus = if self.zoomed { self.focus } else { Pane::Answer };
        Desk::new(model.size, focus, self.zoomed, model.settings.split, |_| 1).inside(Pane::Answer).width
    }

    /// Lets every view be written anew.
    fn show(&mut self, model: &Model) {
        self.fresh.fill(false);
        self.refresh(model);
    }

    /// Writes the present view anew at the same place.
    fn refresh(&mut self, model: &Model) {
        let page = model.view(self.view, self.answer_width(model));
        self.paper().set(page);
        self.fresh[self.view as usize] = true;
    }

    fn ran(&mut self, model: &mut Model) {
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
            let text = SEE.fill(model.settings.lang, &[("id", finding.id)]);
            model.notice = Some(Line::of(Role::Warning, text));
        }
        if let Some(verdict) = model.verdict.take() {
            model.notice = Some(verdict.and(Role::Quiet, format!("  {}", WHY.get(model.settings.lang))));
        }
        self.text.set(model.text());
        if model.report.is_some() || model.answer.as_ref().is_some_and(Answer::failed) {
            self.view = View::Result;
        }
        self.refresh(model);
        self.paper().go(0);
        if !self.desk(model, model.size).shows(Pane::Answer) {
            self.focus = Pane::Answer;
        }
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Step {
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
            Action::Try => return self.try_fix(self.finding_at_cursor(), model),
            Action::Compare => {
                model.compare();
                self.look(View::Plans);
                self.refresh(model);
            }
            Action::Why => return self.why(model),
            Action::Break => return break_answer(model),
            Action::Take => self.take_next(model),
            Action::NextLesson => match model.onward() {
                Some(place) => self.travel(Some(place), model),
                None => return Step::Open(Box::new(Reader::summary(model))),
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
            Action::Narrower => model.settings.split = model.settings.split.saturating_sub(4).max(20),
            Action::Wider => model.settings.split = (model.settings.split + 4).min(70),
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
    fn run(&mut self, model: &mut Model) -> Step {
        let text = self.editor.text();
        match model.predictable(&text).and_then(|block| Foretell::new(block, model)) {
            Some(question) => Step::Open(Box::new(question)),
            None => Step::Perform(Effect::Run(text)),
        }
    }

    /// Asks for the prediction of a block of the step.
    fn foretell(&self, block: usize, model: &Model) -> Step {
        Foretell::new(block, model).map_or(Step::Stay, |question| Step::Open(Box::new(question)))
    }

    /// Runs the statement of a prediction.
    fn predicted(&mut self, block: usize, guess: Option<(String, Confidence)>, model: &mut Model) -> Step {
        let Some(text) = model.foretell(block, guess) else { return Step::Stay };
        self.editor.replace(&text);
        Step::Perform(Effect::Run(text))
    }

    /// Shows the solution, once it is due or asked for twice.
    fn solve(&mut self, model: &mut Model) {
        if model.solve() {
            self.text.set(model.text());
            let heading =
                self.text.page().lines.iter().rposition(|line| line.text() == pages::MODEL.get(model.settings.lang));
            self.text.go(usize::MAX);
            self.text.go(heading.unwrap_or(0));
            self.focus = Pane::Text;
        }
    }

    /// Goes to a place that does not follow this one; Esc leads back.
    fn jump(&mut self, to: Option<Place>, model: &mut Model) {
        let from = model.place.clone();
        if to.as_ref().is_some_and(|to| *to != from) {
            self.trail.push(from);
        }
        self.focus = Pane::Text;
        self.travel(to, model);
    }

    /// Goes to another place of the course, the text typed here kept.
    fn travel(&mut self, to: Option<Place>, model: &mut Model) {
        let Some(place) = to else { return };
        self.leave(model);
        model.go(place);
        self.arrive(model);
    }

    /// Keeps the text typed here.
    fn leave(&self, model: &mut Model) {
        model.draft = self.editor.text();
        model.save();
    }

    fn arrive(&mut self, model: &Model) {
        self.focus = Pane::Text;
        self.text = Paper::new(model.text());
        self.editor = Editor::new(&model.draft);
        self.taken = 0;
        self.earlier = None;
        self.show(model);
    }

    /// Puts a text that was run before, or after, into the editor.
    fn remember(&mut self, by: isize, model: &Model) {
        let history = model.session.history();
        let here = self.earlier.unwrap_or(history.len());
        let Some(there) = here.checked_add_signed(by).filter(|there| *there <= history.len()) else { return };
        self.earlier = Some(there);
        self.editor.replace(history.get(there).map_or("", String::as_str));
    }

    /// Goes on or back in the walk through the index.
    fn walk(&mut self, action: Action, model: &mut Model) {
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

    fn find(&self, model: &Model) -> Step {
        let page = match self.focus {
            Pane::Text => self.text.page(),
            Pane::Answer => self.views[self.view as usize].page(),
            Pane::Editor => return Step::Stay,
        };
        Step::Open(Box::new(lists::find(page, model)))
    }

    /// Shows one hint more.
    fn hint(&mut self, model: &mut Model) {
        if model.hint() {
            self.text.set(model.text());
            self.text.go(usize::MAX);
        }
        self.focus = Pane::Text;
    }

    fn look(&mut self, view: View) {
        self.view = view;
        self.focus = Pane::Answer;
    }

    fn back(&mut self, model: &mut Model) -> Step {
        if self.zoomed {
            self.zoomed = false;
            return Step::Stay;
        }
        match self.focus {
            Pane::Answer => self.focus = Pane::Editor,
            Pane::Editor => self.focus = Pane::Text,
            Pane::Text => match self.trail.pop() {
                Some(place) => self.travel(Some(place), model),
                None => return Step::Open(Box::new(lists::map(model))),
            },
        }
        Step::Stay
    }

    /// What is to be said of the underlined place that the cursor is in.
    fn message_at_cursor(&self, model: &Model) -> Option<String> {
        let cursor = self.editor.cursor();
        let touches = |span: &std::ops::Range<usize>| span.start <= cursor && cursor <= span.end;
        let here = self.editor.underlined.iter().find(|(span, _)| touches(span))?;
        (self.focus == Pane::Editor).then(|| model.answer.as_ref()?.message(&here.0)).flatten()
    }

    /// Takes the lesson's next statement into the editor.
    fn take_next(&mut self, model: &mut Model) {
        let statements: Vec<String> = markdown::statements(self.text.page()).into_iter().map(str::to_owned).collect();
        if let Some(code) = statements.get(self.taken % statements.len().max(1)) {
            self.taken += 1;
            self.take(code, model);
        }
    }

    fn take(&mut self, code: &str, _model: &mut Model) {
        self.editor.replace(code);
        self.focus = Pane::Editor;
    }

    /// Offers what fits at the cursor; the only thing that fits goes in at once.
    fn complete(&mut self, model: &mut Model) -> Step {
        let found = complete(&self.editor.text(), self.editor.cursor(), &model.session.vocabulary());
        match found.choices.as_slice() {
            [] => model.notice = Some(Line::of(Role::Info, NO_WORD.get(model.settings.lang))),
            [(_, only)] => self.editor.splice(&found.span, only),
            _ => return Step::Open(Box::new(lists::completion(found, model))),
        }
        Step::Stay
    }

    /// Says why the document at the cursor matched; where none is there, of the first that did, or else of one that did not.
    fn why(&self, model: &mut Model) -> Step {
        let Some(inquiry) = model.inquiry() else {
            model.notice = Some(Line::of(Role::Info, NO_FILTER.get(model.settings.lang)));
            return Step::Stay;
        };
        let number = |target: &Target| match target {
            Target::Fold(path) => path.split('.').next()?.parse().ok(),
            _ => None,
        };
        let number: Option<usize> = self.views[View::Result as usize].above(number);
        let id = number.and_then(|number| model.answer.as_ref()?.id(number));
        let at = id.and_then(|id| inquiry.find(&id)).or_else(|| inquiry.examples().first().copied());
        Step::Open(Box::new(WhyScreen::new(inquiry, at.unwrap_or(0), model)))
    }

    /// The finding that the cursor is in; none where another view is shown.
    fn finding_at_cursor(&self) -> Option<usize> {
        if self.view != View::Pitfalls {
            return None;
        }
        self.views[View::Pitfalls as usize].above(|target| match target {
            Target::Finding(at) => Some(*at),
            _ => None,
        })
    }

    /// Puts the fix of a finding into the editor.
    fn fix(&mut self, of: Option<usize>, model: &mut Model) {
        let fix = model.answer.as_ref().and_then(|answer| answer.fix(of)).map(|(_, text)| text.to_owned());
        match fix {
            Some(text) => self.take(&text, model),
            None => model.notice = Some(Line::of(Role::Info, NO_FIX.get(model.settings.lang))),
        }
    }

    /// Tries the fix of a finding, where it has one.
    fn try_fix(&self, of: Option<usize>, model: &mut Model) -> Step {
        if model.answer.as_ref().is_some_and(|answer| answer.fix(of).is_some()) {
            return Step::Perform(Effect::Try(of));
        }
        model.notice = Some(Line::of(Role::Info, NO_FIX.get(model.settings.lang)));
        Step::Stay
    }

    /// Shows what a fix gave beside what was typed.
    fn show_trial(&mut self, model: &Model) {
        self.look(View::Pitfalls);
        self.refresh(model);
        let trial = |target: &Target| matches!(target, Target::Trial);
        if let Some(line) = self.paper().find(trial) {
            // From the end back, so that what follows the line is in view too.
            self.paper().go(usize::MAX);
            self.paper().go(line);
        }
    }

    fn choose(&mut self, model: &mut Model) -> Step {
        let target = match self.focus {
            Pane::Text => self.text.target(),
            Pane::Answer => self.paper().target(),
            Pane::Editor => None,
        };
        match target {
            Some(Target::Take(code)) => self.take(&code, model),
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
            Some(Target::Try(at)) => return self.try_fix(Some(at), model),
            Some(Target::Predict(block)) => return self.foretell(block, model),
            Some(Target::Links(links)) => return lists::follow(&links, model),
            Some(answer @ Target::Answer { .. }) => {
                model.choose(&answer);
                self.text.set(model.text());
            }
            _ => {}
        }
        Step::Stay
    }

    fn shown_text(&self) -> String {
        match self.focus {
            Pane::Text => self.text.page().text(),
            Pane::Editor => self.editor.selected().unwrap_or_else(|| self.editor.text()),
            Pane::Answer => self.views[self.view as usize].page().text(),
        }
    }

    fn click(&mut self, at: Position, model: &mut Model) -> Step {
        let desk = self.desk(model, model.room());
        let Some(pane) = desk.at(at) else { return Step::Stay };
        if pane == Pane::Answer
            && let Some(view) = self.tab_at(model, &desk, at)
        {
            self.look(view);
            return Step::Stay;
        }
        let again = self.focus == pane;
        self.focus = pane;
        match pane {
            Pane::Editor => self.editor.click(desk.inside(Pane::Editor), at),
            Pane::Text if self.text.click(at) && again => return self.choose(model),
            Pane::Answer if self.paper().click(at) && again => return self.choose(model),
            _ => {}
        }
        Step::Stay
    }

    fn tab_at(&self, model: &Model, desk: &Desk, at: Position) -> Option<View> {
        let area = desk.pane(Pane::Answer)?;
        if at.y != area.y {
            return None;
        }
        let mut x = usize::from(area.x) + 2;
        for (view, line) in self.tabs(model) {
            let width = line.width();
            if (x..x + width).contains(&usize::from(at.x)) {
                return Some(view);
            }
            x += width;
        }
        None
    }

    /// The names of the views with their keys, the shown one marked.
    fn tabs(&self, model: &Model) -> Vec<(View, Line)> {
        let findings = model.answer.as_ref().map_or(0, Answer::findings);
        let tab = |(at, view): (usize, View)| {
            let here = view == self.view;
            let (open, close) = if here { ("[", "]") } else { (" ", " ") };
            let count = if view == View::Pitfalls && findings > 0 { format!(" {findings}") } else { String::new() };
            let name = format!("{open}{} {}{count}{close}", at + 1, view.name().get(model.settings.lang));
            let role = match (here, view) {
                (true, _) => Role::Title,
                (false, View::Pitfalls) if findings > 0 => Role::Warning,
                _ => Role::Quiet,
            };
            (view, Line::of(role, name))
        };
        View::ALL.into_iter().enumerate().map(tab).collect()
    }

    fn draw_text(&self, theme: Theme, area: Rect, active: bool, title: &Line, buffer: &mut Buffer) {
        let inner = frame(title, active, theme, area, buffer);
        let inner = Rect { width: inner.width.saturating_sub(1), ..inner };
        self.text.draw(active, theme, inner, buffer);
    }

    fn draw_answer(&self, model: &Model, theme: Theme, area: Rect, active: bool, buffer: &mut Buffer) {
        let mut title = Line::new();
        for (_, tab) in self.tabs(model) {
            title.pieces.extend(tab.pieces);
        }
        let inner = frame(&title, active, theme, area, buffer);
        if self.views[self.view as usize].page().is_empty() && model.answer.is_none() {
            let line = Line::of(Role::Quiet, NOTHING_RUN.get(model.settings.lang));
            Paper::new(Page::of(line)).draw(false, theme, inner, buffer);
            return;
        }
        self.views[self.view as usize].draw(active, theme, inner, buffer);
    }

    fn draw_editor(
        &self,
        model: &Model,
        theme: Theme,
        area: Rect,
        active: bool,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let name = EDITOR.get(model.settings.lang);
        // Where the lesson is not beside it, the editor says to what it belongs.
        let alone = model.size.width < WIDE || self.zoomed;
        let name = if alone { format!(" {} › {name} ", model.title()) } else { format!(" {name} ") };
        let title = Line::of(Role::Title, name);
        let inner = frame(&title, active, theme, area, buffer);
        let cursor = self.editor.draw(theme, inner, buffer);
        if self.editor.is_blank() && self.editor.len() <= 1 && !active {
            draw_line(&Line::of(Role::Quiet, EMPTY.get(model.settings.lang)), theme, inner, buffer);
        }
        cursor.filter(|_| active)
    }
}

impl Screen for Study {
    fn keymaps(&self) -> Vec<&'static [Binding]> {
        match self.focus {
            Pane::Text => vec![DESK, READING, MOVING],
            Pane::Editor => vec![DESK, WRITING],
            Pane::Answer => vec![DESK, VIEWING, MOVING],
        }
    }

    fn writes(&self) -> bool {
        self.focus == Pane::Editor
    }

    fn update(&mut self, msg: Msg, model: &mut Model) -> Step {
        let step = self.hear(msg, model);
        if !self.fresh[self.view as usize] {
            self.refresh(model);
        }
        step
    }

    fn view(&self, model: &Model, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let desk = self.desk(model, area);
        let mut cursor = None;
        for pane in Pane::ALL {
            let Some(room) = desk.pane(pane) else { continue };
            let active = pane == self.focus;
            match pane {
                Pane::Text => {
                    let title = Line::of(Role::Title, format!(" Pegboard › {} ", model.crumbs()));
                    self.draw_text(theme, room, active, &title, buffer);
                }
                Pane::Editor => cursor = self.draw_editor(model, theme, room, active, buffer),
                Pane::Answer => self.draw_answer(model, theme, room, active, buffer),
            }
        }
        cursor
    }

    fn advice(&self, model: &Model) -> Option<String> {
        if let Some(message) = self.message_at_cursor(model) {
            return Some(message);
        }
        let words = match (self.focus, &model.answer) {
            (Pane::Text, _) => match self.text.target() {
                Some(Target::Take(_)) => TO_TAKE,
                Some(Target::Answer { .. }) => TO_CHOOSE,
                Some(Target::Links(_)) => TO_FOLLOW,
                Some(Target::Predict(_)) => TO_PREDICT,
                _ => TO_READ,
            },
            (Pane::Editor, _) => TO_WRITE,
            (Pane::Answer, None) if self.view != View::Data => NOTHING_RUN,
            (Pane::Answer, Some(answer)) if self.view == View::Result && answer.failed() => TO_MEND,
            (Pane::Answer, _) => self.view.advice(),
        };
        Some(words.get(model.settings.lang).to_owned())
    }

    fn draft(&self) -> Option<String> {
        Some(self.editor.text())
    }
}

impl Study {
    fn hear(&mut self, msg: Msg, model: &mut Model) -> Step {
        match msg {
            Msg::Action(action) => return self.act(action, model),
            Msg::Key(key) => self.key(key),
            Msg::Paste(text) => {
                self.focus = Pane::Editor;
                if self.editor.insert(&text) {
                    model.notice = Some(Line::of(Role::Warning, TRUNCATED.get(model.settings.lang)));
                }
            }
            Msg::Click(at) => return self.click(at, model),
            Msg::Drag(at) => {
                let room = self.desk(model, model.room()).inside(Pane::Editor);
                if self.focus == Pane::Editor && room.contains(at) {
                    self.editor.drag(room, at);
                }
            }
            Msg::Wheel { at, down } => match self.desk(model, model.room()).at(at) {
                Some(Pane::Text) => self.text.scroll(down),
                Some(Pane::Answer) => self.paper().scroll(down),
                _ => {}
            },
            Msg::Ran => self.ran(model),
            Msg::Open(id) => {
                let place = Place::named(&model.pack, &model.progress, &id);
                self.jump(place, model);
            }
            Msg::OpenStep(id, step) => self.jump(Some(Place::Lesson { id, step }), model),
            Msg::Changed => {
                self.text.set(model.text());
                self.show(model);
            }
            Msg::Line(number) => match self.focus {
                Pane::Text => self.text.go(number),
                _ => self.paper().go(number),
            },
            Msg::Word(_) | Msg::Set(_) | Msg::Document(_) => {}
            Msg::Predicted(block, guess) => return self.predicted(block, guess, model),
            Msg::Placed(known) => {
                self.leave(model);
                model.begin_after(&known);
                self.arrive(model);
            }
            Msg::Review(finding) => {
                self.leave(model);
                model.begin_review(&finding);
                self.arrive(model);
            }
            Msg::Complete(part, choice) => self.editor.splice(&part, &choice),
            Msg::Take(code) => self.take(&code, model),
        }
        Step::Stay
    }

    fn key(&mut self, key: KeyEvent) {
        if self.focus == Pane::Editor {
            self.editor.key(key);
        }
    }
}
