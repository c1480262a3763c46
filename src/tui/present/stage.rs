//! The stage: what the audience sees of a talk, large and with room around it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::big;
use super::talk::Talk;
use crate::course::{Block, Part, Predict, Question};
use crate::tui::answer::View;
use crate::tui::highlight;
use crate::tui::page::{Line, Page};
use crate::tui::pages::markdown;
use crate::tui::role::Role;
use crate::tui::theme::Theme;
use crate::tui::widgets::draw_line;
use crate::words::{Lang, Words};

const GOALS: Words = Words::new("Afterwards you can", "Danach kannst du");
const DETOUR: Words =
    Words::new("Detour: a copy of the data, to try things on", "Abstecher: eine Kopie der Daten zum Probieren");
const ANYTHING: Words =
    Words::new("Type any statement, Enter runs it.", "Irgendeine Anweisung schreiben, Enter führt sie aus.");
const KEYS: Words = Words::new(
    "Space next  ← back  d detour{view}  t time  q quit",
    "Leertaste weiter  ← zurück  d Abstecher{view}  t Uhr  q Ende",
);
const KEYS_DETOUR: Words =
    Words::new("Enter run{view}  ↑↓ scroll  Esc back", "Enter ausführen{view}  ↑↓ rollen  Esc zurück");
const VIEW: Words = Words::new("  Tab view", "  Tab Ansicht");

/// Prose is not wider than this.
const MEASURE: u16 = 76;

/// What the presenter's terminal adds to the talk.
#[derive(Debug, Clone, Default)]
pub struct Aside {
    /// How many letters of the statement are typed; all of them where none.
    pub typed: Option<usize>,
    /// What is being written in a detour.
    pub draft: String,
    /// Time and pace, for the last row.
    pub clock: String,
    /// Whether an answer that was shown before and stands on below a text is left out.
    pub only_new: bool,
}

/// The page on stage at a width.
#[must_use]
pub fn page(talk: &Talk, width: u16, aside: &Aside) -> Page {
    if talk.is_detour() { detour(talk, width, &aside.draft) } else { beat(talk, width, aside) }
}

fn beat(talk: &Talk, width: u16, aside: &Aside) -> Page {
    let (reading, beat, lang) = (talk.reading(), talk.beat(), talk.lang);
    let mut page = Page::new();
    match (beat.part, reading.block(beat)) {
        (Part::Title, _) => {
            if beat.step == 0 {
                page.say(Role::Heading, GOALS.get(lang));
                reading.goals.iter().for_each(|goal| {
                    page.line(Line::of(Role::Quiet, "• ").and(Role::Text, goal.clone()).hang(2));
                });
            }
        }
        (_, None) => {}
        (_, Some(Block::Prose(text))) => {
            page = markdown::page(text);
            stays(&mut page, talk, width, aside);
        }
        (part, Some(Block::Question(question))) => {
            ask(&mut page, question, matches!(part, Part::Outcome(_)));
            stays(&mut page, talk, width, aside);
        }
        (part, Some(block @ (Block::Code(_) | Block::Predict(_)))) => {
            let predict = if let Block::Predict(predict) = block { Some(predict) } else { None };
            if let Some(Predict { ask, .. }) = predict {
                page.line(Line::of(Role::Strong, "? ").and(Role::Text, ask.clone()).hang(2));
                page.gap();
            }
            let text = if let Block::Code(code) = block {
                code.text.trim_end()
            } else {
                block.statement().unwrap_or_default()
            };
            code(&mut page, text, aside.typed.filter(|_| matches!(part, Part::Block(_))));
            if matches!(part, Part::Outcome(_)) {
                answer(&mut page, talk, width);
                let then = predict.map(|predict| predict.then.as_str()).filter(|then| !then.is_empty());
                if let Some(then) = then {
                    page.gap();
                    page.append(markdown::page(then));
                }
            }
        }
    }
    page
}

fn code(page: &mut Page, text: &str, typed: Option<usize>) {
    let shown: String = typed.map_or_else(|| text.to_owned(), |typed| text.chars().take(typed).collect());
    let is_typing = shown.len() < text.len();
    for mut line in highlight::lines(&shown) {
        line.code = true;
        page.line(line);
    }
    if is_typing && let Some(last) = page.lines.last_mut() {
        last.push(Role::Key, "▌");
    }
}

fn ask(page: &mut Page, question: &Question, is_answered: bool) {
    page.line(Line::of(Role::Strong, "? ").and(Role::Text, question.ask.clone()).hang(2));
    for (letter, choice) in ('a'..).zip(&question.choices) {
        page.gap();
        let (sign, role) = match (is_answered, choice.right) {
            (false, _) => (' ', Role::Text),
            (true, true) => ('✓', Role::Good),
            (true, false) => ('✗', Role::Quiet),
        };
        page.line(Line::of(role, format!("{sign} {letter}) ")).and(role, choice.text.clone()).hang(5));
        if is_answered {
            page.line(Line::of(Role::Quiet, "     ").and(Role::Info, choice.why.clone()).hang(5));
        }
    }
}

/// What the statement gave, below it: the view, and the figures of its plan.
fn answer(page: &mut Page, talk: &Talk, width: u16) {
    let Some(said) = talk.said() else { return };
    page.gap();
    page.line(tabs(talk.view, talk.lang));
    if let Some(figures) = said.figures() {
        page.line(figures);
    }
    page.gap();
    page.append(said.page(talk.view, &talk.bench(), width, talk.lang));
}

/// The answer that a text speaks of stays below it.
fn stays(page: &mut Page, talk: &Talk, width: u16, aside: &Aside) {
    if !aside.only_new {
        answer(page, talk, width);
    }
}

fn tabs(shown: View, lang: Lang) -> Line {
    let mut line = Line::new();
    for (number, view) in (1..).zip(View::ALL) {
        let name = format!("{number} {}", view.name().get(lang));
        let (name, role) =
            if view == shown { (format!("[{name}] "), Role::Strong) } else { (format!(" {name}  "), Role::Quiet) };
        line.push(role, name);
    }
    line
}

fn detour(talk: &Talk, width: u16, draft: &str) -> Page {
    let mut page = Page::new();
    page.say(Role::Warning, DETOUR.get(talk.lang));
    page.gap();
    let mut prompt = Line::of(Role::Key, "> ").hang(2).code();
    prompt.pieces.extend(highlight::lines(draft).into_iter().flat_map(|line| line.pieces));
    prompt.push(Role::Key, "▌");
    page.line(prompt);
    if draft.is_empty() && talk.said().is_none() {
        page.say(Role::Quiet, ANYTHING.get(talk.lang));
    }
    if let Some(said) = talk.said() {
        page.gap();
        code(&mut page, &said.text, None);
        answer(&mut page, talk, width);
    }
    page
}

/// Draws the stage.
pub fn draw(talk: &Talk, aside: &Aside, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let inner = Rect {
        x: area.x + 2,
        y: area.y + 1,
        width: area.width.saturating_sub(4),
        height: area.height.saturating_sub(3),
    };
    let wide = talk.said().is_some() && talk.view != View::Result;
    let width = if wide { inner.width } else { inner.width.min(MEASURE) };
    let inner = Rect { x: inner.x + (inner.width - width) / 2, width, ..inner };
    let used = heading(talk, theme, inner, buffer);
    let room = Rect { y: inner.y + used, height: inner.height.saturating_sub(used), ..inner };
    body(&page(talk, room.width, aside), talk.scroll, theme, room, buffer);
    foot(talk, aside, theme, area, buffer);
}

/// Draws the step's heading, large where a step begins, and tells how many rows it took.
fn heading(talk: &Talk, theme: Theme, area: Rect, buffer: &mut Buffer) -> u16 {
    let beat = talk.beat();
    let title = talk.reading().steps.get(beat.step).map_or("", |step| step.title.as_str());
    let is_title = beat.part == Part::Title && !talk.is_detour();
    let large = if is_title { big::rows(title, usize::from(area.width)) } else { None };
    let rows = large.filter(|rows| rows.len() + 6 <= usize::from(area.height));
    let lines: Vec<Line> = match rows {
        Some(rows) => rows.into_iter().map(|row| Line::of(Role::Title, row)).collect(),
        None => Line::of(Role::Title, title).wrap(usize::from(area.width)),
    };
    let top = if is_title { area.height.saturating_sub(6).saturating_sub(rows_of(&lines)) / 3 } else { 0 };
    for (line, y) in lines.iter().zip(area.y + top..area.bottom()) {
        draw_line(line, theme, Rect { y, height: 1, ..area }, buffer);
    }
    top + rows_of(&lines) + 1
}

fn rows_of(lines: &[Line]) -> u16 {
    u16::try_from(lines.len()).unwrap_or(u16::MAX)
}

/// Draws a page; with an empty row between its rows where that fits.
fn body(page: &Page, scroll: usize, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let rows = page.rows(usize::from(area.width));
    let height = usize::from(area.height);
    let is_prose = page.lines.iter().all(|line| !line.code && line.columns.is_empty());
    let step = if is_prose && rows.len() * 2 <= height { 2 } else { 1 };
    // A short page stands a third down, where eyes are.
    let spare = height.saturating_sub(rows.len() * step);
    let top = u16::try_from(spare / 3).unwrap_or_default();
    let scroll = scroll.min(rows.len().saturating_sub(height));
    for ((_, row), y) in rows.iter().skip(scroll).zip((area.y + top..area.bottom()).step_by(step)) {
        draw_line(row, theme, Rect { y, height: 1, ..area }, buffer);
    }
    if area.width > 0 && scroll + height < rows.len() && step == 1 {
        buffer.set_string(area.right().saturating_sub(1), area.bottom().saturating_sub(1), "↓", theme.style(Role::Key));
    }
}

/// Draws the keys, the place and the clock into the last row.
fn foot(talk: &Talk, aside: &Aside, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let keys = if talk.is_detour() { KEYS_DETOUR } else { KEYS };
    let view = if talk.said().is_some() { VIEW.get(talk.lang) } else { "" };
    let keys = keys.fill(talk.lang, &[("view", view)]);
    let row = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
    let (at, all) = talk.place();
    let right = Line::of(Role::Figure, format!("{}  {}/{all} ", aside.clock, at + 1));
    let width = u16::try_from(right.width()).unwrap_or(u16::MAX).min(row.width);
    let left = Rect { width: row.width - width, ..row };
    draw_line(&Line::of(Role::Quiet, format!(" {keys}")).cut(usize::from(left.width)), theme, left, buffer);
    draw_line(&right, theme, Rect { x: left.right(), width, ..row }, buffer);
}
