//! Findings: what is wrong, the proof from the learner's own data, and the cure, tried beside what was typed.

use crate::engine::{Command, WrittenDocument};
use crate::pitfall::{Finding, table};
use crate::shell::{Outcome, Ran};
use crate::tui::highlight;
use crate::tui::page::{Line, Page, Target};
use crate::tui::pages::documents::{self, Reading};
use crate::tui::pages::result::excerpt;
use crate::tui::pages::{duel, proof};
use crate::tui::role::Role;
use crate::value::{Bson, DocView};
use crate::words::{Lang, Words};

const NOTHING: Words = Words::new("No pitfall was noticed.", "Keine Falle bemerkt.");
const FAILED: Words = Words::new(
    "No pitfall was noticed; what stopped the text stands in Result.",
    "Keine Falle bemerkt; was den Text angehalten hat, steht in Ergebnis.",
);
const LEFT_OUT: Words = Words::new(
    "{n} {n|command|commands} of this text {n|was|were} not looked at: of a long text only the last are, and none that holds \
     thousands of values.",
    "{n} {n|Befehl|Befehle} dieses Texts {n|wurde|wurden} nicht betrachtet: Von einem langen Text sind es nur die letzten, \
     und keiner, der Tausende Werte enthält.",
);
const AGAIN: Words = Words::new("as before", "wie zuvor");
const WHY: Words = Words::new("Why: ", "Warum: ");
const CURE: Words = Words::new("Fix", "Abhilfe");
const TAKE: Words =
    Words::new("Enter or f puts this text into the editor.", "Enter oder f setzt diesen Text in den Editor.");
const TRY: Words = Words::new("t tries it on a copy of the data.", "t probiert ihn an einer Kopie der Daten.");
/// Why a fix is not written out.
pub const OWN: Words = Words::new(
    "Here you write the fix yourself; once the exercise is passed, it stands here.",
    "Hier schreibst du die Abhilfe selbst; ist die Aufgabe bestanden, steht sie da.",
);
const TYPED: Words = Words::new("as typed", "wie getippt");
const FIXED: Words = Words::new("with the fix", "mit der Abhilfe");

const INSERTED: Words = Words::new("{n documents} inserted", "{n Dokumente} eingefügt");
const DELETED: Words = Words::new("{n documents} deleted", "{n Dokumente} gelöscht");
const CHANGED: Words = Words::new("{n documents} changed", "{n Dokumente} geändert");

/// A finding as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Noticed {
    /// What was noticed.
    pub finding: Finding,
    /// Whether it is shown whole.
    pub open: bool,
    /// Whether this statement has shown it before with the same words.
    pub again: bool,
    /// Whether its cure is kept back, since writing it is the learner's work here.
    pub withheld: bool,
}

/// A fix that was run on a copy of the data.
#[derive(Debug)]
pub struct Trial {
    /// The position of its finding.
    pub of: usize,
    /// What it gave.
    pub outcome: Outcome,
}

/// The findings of a text in their order, the trial of one fix, and how many commands were not looked at.
#[must_use]
pub fn page(list: &[Noticed], left_out: usize, outcome: &Outcome, trial: Option<&Trial>, lang: Lang) -> Page {
    let mut page = Page::new();
    if list.is_empty() {
        match outcome.value {
            Ok(_) => page.say(Role::Good, NOTHING.get(lang)),
            Err(_) => page.say(Role::Quiet, FAILED.get(lang)),
        }
    }
    for (at, noticed) in list.iter().enumerate() {
        page.line(head(at, noticed, lang));
        if noticed.open {
            page.append(whole(at, noticed, outcome, lang));
            if let Some(trial) = trial.filter(|trial| trial.of == at) {
                beside(&mut page, outcome, &trial.outcome, lang);
            }
            page.gap();
        }
    }
    if left_out > 0 {
        page.gap();
        page.say(Role::Quiet, LEFT_OUT.fill(lang, &[("n", &left_out.to_string())]));
    }
    page.trim();
    page
}

fn head(at: usize, noticed: &Noticed, lang: Lang) -> Line {
    let finding = &noticed.finding;
    let mut line = Line::of(Role::Drawing, if noticed.open { "▾ ⚠ " } else { "▸ ⚠ " })
        .and(Role::Warning, finding.id)
        .and(Role::Strong, format!("  {}", finding.level.words().get(lang)))
        .hang(4);
    if noticed.again {
        line.push(Role::Quiet, format!(", {}", AGAIN.get(lang)));
    }
    if !noticed.open {
        line.push(Role::Text, format!("  {}", finding.message));
    }
    line.target(Target::Finding(at))
}

fn whole(at: usize, noticed: &Noticed, outcome: &Outcome, lang: Lang) -> Page {
    let finding = &noticed.finding;
    let mut page = Page::new();
    let entry = table().find(|pitfall| pitfall.id == finding.id);
    page.say(Role::Text, finding.message.clone());
    if let Some(entry) = entry {
        page.line(Line::of(Role::Heading, WHY.get(lang)).and(Role::Text, entry.explanation.get(lang)).hang(2));
    }
    page.gap();
    if !finding.span.is_empty() {
        page.append(excerpt(outcome.script.text(), &finding.span, Role::WarningSpan));
    }
    for evidence in &finding.evidence {
        page.append(proof::page(evidence, lang));
    }
    page.gap();
    page.line(
        Line::of(Role::Heading, CURE.get(lang))
            .and(Role::Text, entry.map_or(String::new(), |entry| format!(": {}", entry.cure.get(lang)))),
    );
    if noticed.withheld {
        page.line(Line::of(Role::Quiet, OWN.get(lang)));
    } else if let Some(fix) = &finding.fix {
        for line in highlight::lines(fix.trim_end()) {
            let mut shown = Line::of(Role::Key, "▸ ").code().hang(4);
            shown.pieces.extend(line.pieces);
            page.line(shown.target(Target::Fix(at)));
        }
        page.line(Line::of(Role::Quiet, TAKE.get(lang)).of_keys().target(Target::Fix(at)));
        page.line(Line::of(Role::Quiet, TRY.get(lang)).of_keys().target(Target::Try(at)));
    }
    page
}

/// What was typed and its fix side by side: documents, plan and work.
fn beside(page: &mut Page, typed: &Outcome, fixed: &Outcome, lang: Lang) {
    page.gap();
    let column = |title: Words, outcome: &Outcome| {
        let mut column = Page::new();
        column.line(Line::of(Role::Title, title.get(lang)).target(Target::Trial));
        column.append(gave(outcome, lang));
        let explain = outcome.ran.iter().rev().find_map(|ran| ran.result.as_ref().ok()?.explain.clone());
        let plan = explain.map(|explain| duel::plan(&explain, lang)).unwrap_or_default();
        (column, plan)
    };
    let (left, right) = (column(TYPED, typed), column(FIXED, fixed));
    page.beside(&[left.0, right.0]);
    page.beside(&[left.1, right.1]);
}

/// The ids of the documents that came back or were written, the value, or the failure.
fn gave(outcome: &Outcome, lang: Lang) -> Page {
    let shown = match &outcome.value {
        Ok(shown) => shown.to_bson(),
        Err(failure) => return Page::of(Line::of(Role::Bad, failure.message.clone())),
    };
    if let Some(written) = outcome.ran.last().and_then(written) {
        return changed(written, lang);
    }
    let has_id = |item: &Bson| item.as_document().is_some_and(|document| document.contains_key("_id"));
    match &shown {
        Bson::Array(items) if items.iter().all(has_id) => proof::ids(&proof::documents(&shown)),
        document if has_id(document) => proof::ids(&proof::documents(document)),
        value => documents::value(value, &Reading::default()),
    }
}

/// What a command that writes documents has written; none of any other.
fn written(ran: &Ran) -> Option<&[WrittenDocument]> {
    let writes = matches!(
        ran.command,
        Command::Insert(_)
            | Command::Update(_)
            | Command::Delete(_)
            | Command::FindAndModify(_)
            | Command::BulkWrite(_)
    );
    ran.result.as_ref().ok().filter(|_| writes).map(|run| run.writes.documents.as_slice())
}

/// How many documents a write inserted, deleted and changed, and their ids.
fn changed(written: &[WrittenDocument], lang: Lang) -> Page {
    let mut page = Page::new();
    let kind = |document: &WrittenDocument| match (&document.before, &document.after) {
        (None, _) => INSERTED,
        (_, None) => DELETED,
        _ => CHANGED,
    };
    for words in [INSERTED, DELETED, CHANGED] {
        let of_kind = written.iter().filter(|document| kind(document) == words);
        let ids: Vec<Bson> = of_kind.filter_map(id_of).collect();
        // A write that met nothing changed nothing.
        if !ids.is_empty() || (written.is_empty() && words == CHANGED) {
            page.say(Role::Text, words.fill(lang, &[("n", &ids.len().to_string())]));
            page.append(if ids.is_empty() { Page::new() } else { proof::ids(&ids) });
        }
    }
    page
}

fn id_of(written: &WrittenDocument) -> Option<Bson> {
    let document = written.after.as_ref().or(written.before.as_ref())?;
    Some(DocView::from(document).get("_id")?.to_bson())
}
