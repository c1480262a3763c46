//! What running a statement gave, as the views an audience can be shown.

use crate::design::walker::Walk;
use crate::design::{Bench, Duel};
use crate::engine::Command;
use crate::pitfall::{Detector, Evidence, Finding};
use crate::plan::Explain;
use crate::shell::{Outcome, Shell};
use crate::tui::answer::View;
use crate::tui::highlight;
use crate::tui::page::{Line, Page};
use crate::tui::pages;
use crate::tui::role::Role;
use crate::words::{Lang, Words};

/// Columns that a design should have in the duel.
const DESIGN_WIDTH: u16 = 34;

const NO_FINDING: Words = Words::new("No pitfall here.", "Keine Falle hier.");
const NO_VALUE: Words = Words::new("(no output)", "(keine Ausgabe)");
const NO_PLAN: Words = Words::new("Nothing was searched.", "Nichts wurde gesucht.");

/// What a text gave when it ran.
#[derive(Debug)]
pub(super) struct Said {
    /// The text.
    pub(super) text: String,
    outcome: Outcome,
    duel: Option<Duel>,
    walk: Option<Walk>,
    findings: Vec<Finding>,
}

impl Said {
    /// Runs a text.
    pub(super) fn run(shell: &mut Shell<Bench>, text: &str, lang: Lang) -> Self {
        let before = shell.host().clone();
        let outcome = shell.run(text);
        let after = shell.host().clone();
        let find = outcome.ran.iter().rev().find_map(|ran| match &ran.command {
            Command::Find(find) => Some(find),
            _ => None,
        });
        let walk = find.and_then(|find| Walk::of(after.database(), find).ok());
        let findings = Detector::new(lang).detect(&outcome, before.database(), after.database());
        let duel = if outcome.ran.is_empty() { None } else { after.duel().cloned() };
        Self { text: text.to_owned(), outcome, duel, walk, findings }
    }

    /// A view as a page of so many columns.
    pub(super) fn page(&self, view: View, bench: &Bench, width: u16, lang: Lang) -> Page {
        match view {
            View::Result => self.result(lang),
            View::Plans => self.plans(usize::from(width / DESIGN_WIDTH).max(2), lang),
            View::Pitfalls => self.pitfalls(lang),
            View::Index => pages::index(self.walk.as_ref(), lang),
            View::Data => pages::data(bench.database().catalog(), lang),
        }
    }

    fn result(&self, lang: Lang) -> Page {
        let mut page = Page::new();
        let mut say = |role: Role, text: &str| text.lines().for_each(|line| page.line(Line::of(role, line).code()));
        self.outcome.printed.iter().for_each(|text| say(Role::Text, text));
        match &self.outcome.value {
            Ok(shown) => highlight::lines(&shown.print(false)).into_iter().for_each(|line| page.line(line)),
            Err(failure) => say(Role::Bad, &format!("{}: {}", failure.class(), failure.message)),
        }
        page.trim();
        if page.lines.is_empty() {
            page.say(Role::Quiet, NO_VALUE.get(lang));
        }
        page
    }

    fn plans(&self, columns: usize, lang: Lang) -> Page {
        match (&self.duel, self.explain()) {
            (Some(duel), _) => pages::duel(duel, columns, lang),
            (None, Some(explain)) => pages::plan(explain, lang),
            (None, None) => {
                let mut page = Page::new();
                page.say(Role::Quiet, NO_PLAN.get(lang));
                page
            }
        }
    }

    fn pitfalls(&self, lang: Lang) -> Page {
        let mut page = Page::new();
        for finding in &self.findings {
            page.gap();
            page.line(Line::of(Role::Warning, format!("! {}", finding.id)));
            page.line(Line::of(Role::Text, finding.message.clone()).hang(2));
            for document in finding.evidence.iter().filter(|piece| matches!(piece, Evidence::Document { .. })) {
                page.append(pages::evidence(document, lang));
            }
            if let Some(fix) = &finding.fix {
                for line in highlight::lines(fix) {
                    page.line(line);
                }
            }
        }
        if page.lines.is_empty() {
            page.say(Role::Good, NO_FINDING.get(lang));
        }
        page
    }

    fn explain(&self) -> Option<&Explain> {
        self.outcome.ran.iter().rev().find_map(|ran| ran.result.as_ref().ok()?.explain.as_deref())
    }

    /// The stages and counts of the last search in one line, and the ids of what was noticed.
    pub(super) fn figures(&self) -> Option<Line> {
        let mut line = Line::new();
        if let Some(explain) = self.explain() {
            let stages: Vec<&str> = explain.winning.all().map(|node| node.stage.name()).collect();
            let sum = |of: fn(&crate::plan::Work) -> u64| explain.winning.all().map(|node| of(&node.work)).sum::<u64>();
            let (keys, docs) = (sum(|work| work.keys_examined), sum(|work| work.docs_examined));
            line.push(Role::Quiet, stages.join(" ← "));
            let counts = format!("   keysExamined {keys} · docsExamined {docs} · nReturned {}", explain.returned);
            line.push(Role::Figure, counts);
        }
        for finding in &self.findings {
            line.push(Role::Warning, format!("   ! {}", finding.id));
        }
        (!line.is_empty()).then_some(line)
    }
}
