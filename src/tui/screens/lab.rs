//! The cost lab: numbers to choose, a chart of how each design grows, and what was found in words.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::symbols::Marker;
use ratatui::text::Line as Text;
use ratatui::widgets::{Axis, Chart, Clear, Dataset, GraphType, Widget};

use crate::design::lab::{Contender, FIGURES, LabPlan, LabReport, LabRow, quantity};
use crate::tui::actions::Action;
use crate::tui::keymap::Binding;
use crate::tui::keys::LAB;
use crate::tui::model::Model;
use crate::tui::page::Line;
use crate::tui::pages;
use crate::tui::role::Role;
use crate::tui::screen::{Effect, Msg, Screen, Step};
use crate::tui::theme::Theme;
use crate::tui::widgets::{Paper, draw_line, frame};
use crate::words::{Lang, Words};

const TITLE: Words = Words::new(" Cost lab ", " Kostenlabor ");
const BUILD: Words = Words::new(
    "↑↓ choose, ←→ change, Enter builds every design and measures it.",
    "↑↓ wählen, ←→ ändern, Enter baut jeden Entwurf und misst ihn.",
);

const MEASURED: Words =
    Words::new(" at {size entities}; dots are computed", " bei {size Entitäten}; Punkte sind berechnet");

const TO_BUILD: Words = Words::new(
    "Nothing is built yet: every design is built for real, at three sizes.",
    "Noch ist nichts gebaut: Jeder Entwurf wird wirklich gebaut, in drei Größen.",
);
const TO_LOOK: Words = Words::new(
    "Tab draws the next figure, PgDn goes down in the tables.",
    "Tab zeichnet das nächste Diagramm, Bild↓ geht in den Tabellen nach unten.",
);

/// Rows of a chart that can be read, with its title and legend.
const CHART: u16 = 13;

/// What can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Knob {
    Entities,
    Attributes,
    Keys,
    Values,
    Reads,
}

impl Knob {
    const ALL: [Self; 5] = [Self::Entities, Self::Attributes, Self::Keys, Self::Values, Self::Reads];

    fn name(self) -> Words {
        match self {
            Self::Entities => Words::new("entities", "Entitäten"),
            Self::Attributes => Words::new("attributes of each", "Attribute von jeder"),
            Self::Keys => Words::new("different attributes", "verschiedene Attribute"),
            Self::Values => Words::new("values of each attribute", "Werte je Attribut"),
            Self::Reads => Words::new("questions in 100 operations", "Fragen in 100 Vorgängen"),
        }
    }

    /// The numbers it can be set to.
    fn steps(self) -> &'static [u64] {
        match self {
            Self::Entities => &[300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000],
            Self::Attributes => &[1, 2, 3, 5, 8, 12, 20],
            Self::Keys => &[2, 5, 10, 20, 40, 63, 64, 70, 100, 200],
            Self::Values => &[2, 5, 10, 50, 200, 1_000, 10_000],
            Self::Reads => &[0, 10, 25, 50, 75, 90, 99, 100],
        }
    }
}

/// The lab as a screen.
#[derive(Debug)]
pub struct Lab {
    /// The position of each knob's number among its steps.
    set: [usize; Knob::ALL.len()],
    /// The knob the cursor is on.
    at: usize,
    /// The figure that is drawn.
    figure: usize,
    /// Whether it is drawn in place of the tables where both have no room.
    charted: bool,
    paper: Paper,
}

impl Lab {
    /// The lab with the numbers of [`LabPlan::default`], or what it found last.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let mut lab = Self { set: [3, 3, 3, 3, 5], at: 0, figure: 0, charted: false, paper: Paper::default() };
        lab.refresh(model);
        lab
    }

    fn number(&self, knob: Knob) -> u64 {
        knob.steps()[self.set[knob as usize]]
    }

    fn plan(&self) -> LabPlan {
        let count = |knob| usize::try_from(self.number(knob)).unwrap_or(usize::MAX);
        LabPlan {
            sizes: LabPlan::sizes_up_to(self.number(Knob::Entities)),
            attributes: count(Knob::Attributes),
            keys: count(Knob::Keys),
            values: count(Knob::Values),
            reads: u8::try_from(self.number(Knob::Reads)).unwrap_or(100),
            ..LabPlan::default()
        }
    }

    fn turn(&mut self, by: isize) {
        let knob = Knob::ALL[self.at];
        let last = knob.steps().len() - 1;
        self.set[self.at] = self.set[self.at].saturating_add_signed(by).min(last);
    }

    /// Goes to the next figure; where chart and tables have no room together, from the tables to the first figure and behind
    /// the last back to them.
    fn turn_figure(&mut self, model: &Model) {
        let both = has_both(rows(model));
        if !both && !self.charted {
            (self.charted, self.figure) = (true, 0);
            return;
        }
        self.figure = (self.figure + 1) % FIGURES.len();
        self.charted = both || self.figure > 0;
    }

    fn refresh(&mut self, model: &Model) {
        let page = model.lab.as_ref().map(|report| pages::lab(report, model.settings.lang)).unwrap_or_default();
        self.paper.set(page);
    }

    /// The line of a knob, with what can be done to it where the cursor is.
    fn knob(&self, knob: Knob, lang: Lang) -> Line {
        let here = Knob::ALL[self.at] == knob;
        let (sign, role) = if here { ("▸ ", Role::Strong) } else { ("  ", Role::Text) };
        let number = self.number(knob).to_string();
        let shown = if here { format!("◂ {number} ▸") } else { format!("  {number}") };
        Line::of(role, sign).and(role, format!("{:<28}", knob.name().get(lang))).and(Role::Figure, shown)
    }
}

impl Screen for Lab {
    fn keymaps(&self) -> Vec<&'static [Binding]> {
        vec![LAB]
    }

    fn update(&mut self, msg: Msg, model: &mut Model) -> Step {
        match msg {
            Msg::Action(Action::Back) => return Step::Close,
            Msg::Action(Action::Run) => return Step::Perform(Effect::Lab(self.plan())),
            Msg::Action(Action::Up) => self.at = self.at.saturating_sub(1),
            Msg::Action(Action::Down) => self.at = (self.at + 1).min(Knob::ALL.len() - 1),
            Msg::Action(Action::NextView) => self.turn(1),
            Msg::Action(Action::PreviousView) => self.turn(-1),
            Msg::Action(Action::NextPane) => self.turn_figure(model),
            // Where chart and tables have no room together, the keys of the tables bring them back first.
            Msg::Action(Action::PageDown | Action::PageUp) if self.charted && !has_both(rows(model)) => {
                self.charted = false;
            }
            Msg::Ran | Msg::Changed => self.refresh(model),
            msg => _ = self.paper.hear(&msg),
        }
        Step::Stay
    }

    fn view(&self, model: &Model, theme: Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let lang = model.settings.lang;
        Clear.render(area, buffer);
        let inner = frame(&Line::of(Role::Title, TITLE.get(lang)), true, theme, area, buffer);
        let knobs = knobs();
        let room = inner.height.saturating_sub(knobs);
        let chart = match model.lab {
            Some(_) if has_both(inner.height) => CHART,
            Some(_) if self.charted => room,
            _ => 0,
        };
        let rows = [Constraint::Length(knobs), Constraint::Length(chart), Constraint::Min(0)];
        let [top, middle, rest] = Layout::vertical(rows).areas(inner);
        let lines = Knob::ALL.iter().map(|knob| self.knob(*knob, lang));
        let hint = std::iter::once(Line::of(Role::Quiet, BUILD.get(lang)));
        for (line, row) in lines.chain(hint).zip(top.rows()) {
            draw_line(&line.cut(usize::from(row.width)), theme, row, buffer);
        }
        if let Some(report) = model.lab.as_ref().filter(|_| chart > 0) {
            draw_figure(report, self.figure, theme, lang, middle, buffer);
        }
        self.paper.draw(true, theme, rest, buffer);
        None
    }

    fn advice(&self, model: &Model) -> Option<String> {
        let words = if model.lab.is_some() { TO_LOOK } else { TO_BUILD };
        Some(words.get(model.settings.lang).to_owned())
    }
}

/// The rows of the knobs, with what can be done below them.
fn knobs() -> u16 {
    u16::try_from(Knob::ALL.len()).unwrap_or(u16::MAX) + 2
}

/// The rows inside the frame.
fn rows(model: &Model) -> u16 {
    model.room().height.saturating_sub(2)
}

/// Whether a screen of so many rows has room for chart and tables.
fn has_both(rows: u16) -> bool {
    rows >= knobs() + CHART + 4
}

/// The points of a design: entities and figure, both as powers of ten, so that a law is a straight line.
fn points(report: &LabReport, contender: Contender, figure: usize, computed: bool) -> Vec<(f64, f64)> {
    let of = FIGURES[figure].of;
    let rows = report.rows.iter().filter(|row| row.contender == contender && (!computed || is_law(report, row)));
    let shown = rows.filter(|row| computed || !row.computed);
    shown.map(|row| (power(row.entities_f64()), power(of(row, report.plan.reads)))).collect()
}

/// Whether a row belongs to the computed part: the computed ones and the last built one, where it begins.
fn is_law(report: &LabReport, row: &LabRow) -> bool {
    row.computed || Some(row.entities) == report.plan.sizes.last().copied()
}

fn power(figure: f64) -> f64 {
    figure.max(1.0).log10()
}

/// The colours of the designs, in their order.
const ROLES: [Role; 4] = [Role::Figure, Role::Good, Role::Warning, Role::Info];

/// Draws a figure: its name, below it the designs with what was measured last, and the chart.
fn draw_figure(report: &LabReport, figure: usize, theme: Theme, lang: Lang, area: Rect, buffer: &mut Buffer) {
    let head = [title(report, figure, lang), legend(report, figure, lang)];
    let lines: Vec<Line> = head.iter().flat_map(|line| line.wrap(usize::from(area.width))).collect();
    for (line, row) in lines.iter().zip(area.rows()) {
        draw_line(&line.cut(usize::from(row.width)), theme, row, buffer);
    }
    let used = u16::try_from(lines.len()).unwrap_or(u16::MAX).min(area.height);
    let room = Rect { y: area.y + used, height: area.height - used, ..area };
    draw_chart(report, figure, theme, lang, room, buffer);
}

fn title(report: &LabReport, figure: usize, lang: Lang) -> Line {
    let size = report.plan.sizes.last().copied().unwrap_or_default().to_string();
    Line::of(Role::Heading, format!(" {}", FIGURES[figure].name.get(lang)))
        .hang(1)
        .and(Role::Quiet, MEASURED.fill(lang, &[("size", &size)]))
}

/// The designs in their colours, each with its figure at the largest size that was built.
fn legend(report: &LabReport, figure: usize, lang: Lang) -> Line {
    let mut line = Line::of(Role::Text, " ").hang(1);
    for (contender, role) in report.plan.contenders.iter().zip(ROLES) {
        let built = report.rows.iter().rfind(|row| row.contender == *contender && !row.computed);
        let figure = built.map(|row| format!(" {}", quantity((FIGURES[figure].of)(row, report.plan.reads), lang)));
        line.push(role, format!("── {}{}", contender.name(), figure.unwrap_or_default()));
        line.push(Role::Text, "   ");
    }
    line
}

fn draw_chart(report: &LabReport, figure: usize, theme: Theme, lang: Lang, area: Rect, buffer: &mut Buffer) {
    let lines: Vec<_> = report
        .plan
        .contenders
        .iter()
        .zip(ROLES)
        .flat_map(|(contender, role)| {
            [false, true].map(|computed| (role, computed, points(report, *contender, figure, computed)))
        })
        .collect();
    let most = |of: fn(&(f64, f64)) -> f64| lines.iter().flat_map(|line| line.2.iter().map(of)).fold(1.0, f64::max);
    let least =
        |of: fn(&(f64, f64)) -> f64| lines.iter().flat_map(|line| line.2.iter().map(of)).fold(f64::MAX, f64::min);
    let across = [least(|point| point.0), most(|point| point.0)];
    let up = [least(|point| point.1).min(most(|point| point.1) - 1.0).max(0.0), most(|point| point.1)];
    let sets = lines.iter().map(|(role, computed, points)| {
        let set = Dataset::default().data(points).style(theme.style(*role)).graph_type(GraphType::Line);
        // Built is drawn finely; computed is drawn in dots.
        if *computed { set.marker(Marker::Dot).graph_type(GraphType::Scatter) } else { set.marker(Marker::Braille) }
    });
    let label = |power: f64| Text::raw(quantity(10_f64.powf(power), lang));
    let labels = |[from, to]: [f64; 2]| [from, f64::midpoint(from, to), to].map(label);
    let quiet = theme.style(Role::Quiet);
    let across = Axis::default().bounds(across).labels(labels(across)).style(quiet);
    let up = Axis::default().bounds(up).labels(labels(up)).style(quiet);
    Chart::new(sets.collect())
        .x_axis(across)
        .y_axis(up)
        .legend_position(None)
        .style(theme.style(Role::Text))
        .render(area, buffer);
}
