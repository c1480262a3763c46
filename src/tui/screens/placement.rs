//! Questions that find where to begin; leaving changes nothing.

use crate::tui::model::Model;
use crate::tui::page::{Line, Page};
use crate::tui::pages;
use crate::tui::role::Role;
use crate::tui::screen::{Msg, Step};
use crate::tui::screens::asked::{Asked, Chosen, Questions};
use crate::words::{Lang, Words};

const TITLE: Words = Words::new(" Where to begin ", " Wo anfangen ");
const NUMBER: Words = Words::new("Question {number} of {all}", "Frage {number} von {all}");
const NEXT: Words = Words::new("→ or Enter goes on.", "→ oder Enter geht weiter.");
const NO_IDEA: Words =
    Words::new("No idea? → goes on; nothing is lost.", "Keine Ahnung? → geht weiter; verloren ist nichts.");
const KNOWN: Words = Words::new("You know already: {list}.", "Das kannst du schon: {list}.");
const NOTHING: Words = Words::new("Then we begin at the beginning.", "Dann fangen wir vorne an.");
const MARKED: Words = Words::new(
    "These lessons count as done; you can still read them, from the course map.",
    "Diese Lektionen gelten als erledigt; lesen kannst du sie trotzdem, über die Kurskarte.",
);
const BEGIN: Words = Words::new(
    "Enter begins with the first lesson that is open. Esc leaves everything as it was.",
    "Enter beginnt mit der ersten offenen Lektion. Esc lässt alles, wie es war.",
);

/// The questions of the model's pack.
#[derive(Debug)]
pub struct Placement;

/// The placement of the model's pack; none where it has no questions.
#[must_use]
pub fn placement(model: &Model) -> Option<Asked<Placement>> {
    Asked::new(Placement, model.pack.placement_questions(model.settings.lang).len(), model)
}

impl Questions for Placement {
    fn title(&self, _: usize, lang: Lang) -> String {
        TITLE.get(lang).to_owned()
    }

    fn page(&self, at: usize, chosen: &Chosen, model: &Model) -> Page {
        let lang = model.settings.lang;
        let questions = model.pack.placement_questions(lang);
        let Some((_, question)) = questions.get(at) else { return verdict(chosen, model) };
        let mut page = Page::new();
        let (number, all) = ((at + 1).to_string(), questions.len().to_string());
        page.say(Role::Quiet, NUMBER.fill(lang, &[("number", &number), ("all", &all)]));
        page.gap();
        pages::question(&mut page, at, question, chosen[at], lang);
        page.gap();
        page.say(Role::Quiet, if chosen[at].is_some() { NEXT } else { NO_IDEA }.get(lang));
        page
    }

    fn end(&self, chosen: &Chosen, model: &Model) -> Option<Step> {
        Some(Step::Tell(Msg::Placed(known(chosen, model))))
    }
}

/// The lessons whose question was answered rightly.
fn known(chosen: &Chosen, model: &Model) -> Vec<String> {
    model.pack.known(model.settings.lang, chosen)
}

fn verdict(chosen: &Chosen, model: &Model) -> Page {
    let lang = model.settings.lang;
    let known = known(chosen, model);
    let title = |id: &String| model.pack.lesson(id).map(|lesson| lesson.reading(lang).title.clone());
    let titles: Vec<String> = known.iter().filter_map(title).collect();
    let mut page = Page::new();
    if titles.is_empty() {
        page.say(Role::Text, NOTHING.get(lang));
    } else {
        page.line(Line::of(Role::Good, KNOWN.fill(lang, &[("list", &titles.join("; "))])));
        page.gap();
        page.say(Role::Text, MARKED.get(lang));
    }
    page.gap();
    page.say(Role::Strong, BEGIN.get(lang));
    page
}
