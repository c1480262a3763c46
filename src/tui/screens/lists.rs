//! The lists that are menus: course map, glossary, search, settings.

use std::sync::Arc;

use crate::pitfall::table;
use crate::shell::{Completion, Offer, about};
use crate::tui::actions::Action;
use crate::tui::answer::View;
use crate::tui::keymap::Binding;
use crate::tui::model::Model;
use crate::tui::page::Page;
use crate::tui::place::{Place, road};
use crate::tui::screen::{Msg, Step};
use crate::tui::screens::lazy::Lazy;
use crate::tui::screens::menu::{Item, Menu};
use crate::tui::settings::Setting;
use crate::words::{Lang, Words};

const COMPLETION: Words = Words::new("What fits here", "Was hier passt");
const MAP: Words = Words::new("Course map", "Kurskarte");
const GLOSSARY: Words = Words::new("Glossary", "Glossar");
const SEARCH: Words =
    Words::new("Search lessons, exercises, words, keys", "Suche in Lektionen, Aufgaben, Wörtern, Tasten");
const HISTORY: Words = Words::new("What was run", "Was ausgeführt wurde");
const FIND: Words = Words::new("Find in this pane", "In diesem Bereich finden");
const SETTINGS: Words = Words::new("Settings", "Einstellungen");
const LESSON: Words =
    Words::new("lesson, {minutes} min, step {step} of {steps}", "Lektion, {minutes} min, Schritt {step} von {steps}");
const EXERCISE: Words = Words::new("exercise, level {level}, {minutes} min", "Aufgabe, Stufe {level}, {minutes} min");
const POINTS: Words = Words::new(", {points} of {all points}", ", {points} von {all Punkten}");

const LINKS: Words = Words::new("Where to", "Wohin");
const FIRST: Words = Words::new("; before it: {list}", "; davor: {list}");
const LOOKED_UP: Words = Words::new(", solution looked up", ", Lösung nachgesehen");
const PLACEMENT: Words =
    Words::new("a few questions; what you know counts as done", "ein paar Fragen; was du kannst, gilt als erledigt");
const REVIEW: Words =
    Words::new("{due} of {all slips} {due|is|are} due", "{due} von {all Fehlern} {due|ist|sind} fällig");
const SUMMARY: Words = Words::new("lessons, points, predictions, slips", "Lektionen, Punkte, Vorhersagen, Fehler");
const SLIPS: Words = Words::new("Your slips, those due first", "Deine Fehler, fällige zuerst");
const NO_SLIPS: Words = Words::new(
    "No slips so far; what goes wrong comes back here",
    "Noch keine Fehler; was schiefgeht, kommt hier wieder",
);

/// What may stand at the cursor, with what it does.
#[must_use]
pub fn completion(found: Completion, model: &Model) -> Menu {
    let lang = model.settings.lang;
    let span = found.span;
    let item = |(offer, choice): (Offer, String)| Item {
        key: kind(offer).get(lang).to_owned(),
        about: about(offer, &choice)
            .map_or(String::new(), |known| format!("{} · {}", known.does.get(lang), known.example)),
        msg: Msg::Complete(span.clone(), choice.clone()),
        name: choice,
    };
    Menu::new(COMPLETION.get(lang), found.choices.into_iter().map(item).collect())
}

fn kind(offer: Offer) -> Words {
    match offer {
        Offer::Collection => Words::new("collection", "Collection"),
        Offer::Field => Words::new("field", "Feld"),
        Offer::Value => Words::new("value", "Wert"),
        Offer::Operator(_) => Words::new("operator", "Operator"),
        Offer::Method => Words::new("method", "Methode"),
        Offer::Name => Words::new("name", "Name"),
    }
}

/// Every lesson and exercise in course order, with what is done, and around them where to begin, what comes back and the
/// summary; the list opens at the learner's place.
#[must_use]
pub fn map(model: &Model) -> Menu {
    let lang = model.settings.lang;
    let road = road(&model.pack);
    let here = road.iter().position(|place| place.id() == model.place.id()).unwrap_or(0);
    let mut items = Vec::new();
    if model.pack.placement.is_some() {
        items.push(way("?", Action::Placement, PLACEMENT.get(lang).into(), lang));
    }
    let before = items.len();
    items.extend(road.iter().map(|place| stop(model, place)));
    let review = REVIEW.fill(lang, &[("due", &model.due().to_string()), ("all", &model.slips().len().to_string())]);
    items.push(way("↻", Action::Review, review, lang));
    items.push(way("Σ", Action::Summary, SUMMARY.get(lang).into(), lang));
    Menu::new(MAP.get(lang), items).at(before + here)
}

fn way(sign: &str, action: Action, about: String, lang: Lang) -> Item {
    Item { key: sign.into(), name: action.words().0.get(lang).into(), about, msg: Msg::Action(action) }
}

/// The learner's slips, those due first; choosing one begins its review.
#[must_use]
pub fn reviews(model: &Model) -> Menu {
    let item = |(id, slip): (&str, &crate::course::Slip)| {
        let line = model.slip_line(id, slip);
        let (name, about) = line.split_once(": ").unwrap_or((&line, ""));
        Item {
            key: if slip.due <= model.today() { "!".into() } else { "·".into() },
            name: name.to_owned(),
            about: format!("{about} · {}", slip.place),
            msg: Msg::Review(id.to_owned()),
        }
    };
    let title = if model.slips().is_empty() { NO_SLIPS } else { SLIPS };
    Menu::new(title.get(model.settings.lang), model.slips().into_iter().map(item).collect())
}

fn stop(model: &Model, place: &Place) -> Item {
    let (name, about) = described(model, place);
    Item { key: sign(model, place).into(), name, about, msg: Msg::Open(place.id().into()) }
}

/// The status of a place: here, done, looked up, begun, open.
fn sign(model: &Model, place: &Place) -> &'static str {
    if place.id() == model.place.id() {
        return "▶";
    }
    match place {
        Place::Lesson { id, .. } => match model.progress.lessons.get(id) {
            Some(record) if record.done => "✓",
            Some(record) if record.step > 0 => "◐",
            _ => "·",
        },
        Place::Exercise { id } => match model.progress.exercises.get(id) {
            Some(record) if record.passed() => "✓",
            Some(record) if record.shown => "○",
            Some(record) if record.attempts > 0 => "◐",
            _ => "·",
        },
    }
}

/// The lessons that should come before and are not done.
fn missing_before(model: &Model, ids: &[String]) -> String {
    let lang = model.settings.lang;
    let is_done = |id: &String| model.progress.lessons.get(id).is_some_and(|record| record.done);
    let title = |id: &String| model.pack.lesson(id).map_or(id.clone(), |lesson| lesson.reading(lang).title.clone());
    let missing: Vec<String> = ids.iter().filter(|id| !is_done(id)).map(title).collect();
    if missing.is_empty() { String::new() } else { FIRST.fill(lang, &[("list", &missing.join(", "))]) }
}

fn described(model: &Model, place: &Place) -> (String, String) {
    let lang = model.settings.lang;
    if let Some((lesson, _)) = place.as_lesson(&model.pack) {
        let step = model.progress.lessons.get(&lesson.id).map_or(0, |record| record.step) + 1;
        let reading = lesson.reading(lang);
        let mut about = LESSON.fill(
            lang,
            &[
                ("minutes", &lesson.minutes.to_string()),
                ("step", &step.to_string()),
                ("steps", &reading.steps.len().to_string()),
            ],
        );
        about.push_str(&missing_before(model, &lesson.prerequisites));
        return (reading.title.clone(), about);
    }
    let Some(exercise) = place.as_exercise(&model.pack) else { return (place.id().into(), String::new()) };
    let (level, minutes) = (exercise.spec.level.to_string(), exercise.spec.minutes.to_string());
    let mut about = EXERCISE.fill(lang, &[("level", &level), ("minutes", &minutes)]);
    if let Some(record) = model.progress.exercises.get(place.id()).filter(|record| record.attempts > 0) {
        let (points, all) = (record.points.to_string(), record.max_points.to_string());
        about.push_str(&POINTS.fill(lang, &[("points", &points), ("all", &all)]));
    }
    if model.progress.exercises.get(place.id()).is_some_and(|record| record.shown) {
        about.push_str(LOOKED_UP.get(lang));
    }
    about.push_str(&missing_before(model, &exercise.spec.lessons));
    (format!("{} {}", place.id(), exercise.title(lang)), about)
}

/// Every word of the glossary.
#[must_use]
pub fn glossary(model: &Model) -> Menu {
    Menu::new(GLOSSARY.get(model.settings.lang), words(model))
}

fn words(model: &Model) -> Vec<Item> {
    let lang = model.settings.lang;
    let word = |(id, term): (&str, &crate::course::Term)| Item {
        key: String::new(),
        name: term.name.get(lang).into(),
        about: term.text.get(lang).into(),
        msg: Msg::Word(id.into()),
    };
    model.pack.glossary.sorted(lang).into_iter().map(word).collect()
}

/// Goes where a link leads, or offers all of them where there are several.
pub fn follow(links: &[String], model: &Model) -> Step {
    let mut items: Vec<Item> = links.iter().filter_map(|link| link_item(link, model)).collect();
    match items.len() {
        0 => Step::Stay,
        1 => Step::Tell(items.remove(0).msg),
        _ => Step::Open(Box::new(Menu::new(LINKS.get(model.settings.lang), items))),
    }
}

/// A link of a lesson by its name; none where it leads nowhere in the app.
fn link_item(link: &str, model: &Model) -> Option<Item> {
    let lang = model.settings.lang;
    let (kind, id) = link.split_once(':')?;
    let (name, about, msg) = match kind {
        "term" => {
            let term = model.pack.glossary.get(id)?;
            (term.name.get(lang).to_owned(), term.text.get(lang).to_owned(), Msg::Word(id.into()))
        }
        "lesson" => (model.pack.lesson(id)?.reading(lang).title.clone(), String::new(), Msg::Open(id.into())),
        "exercise" => (model.pack.exercise(id)?.title(lang).to_owned(), id.to_owned(), Msg::Open(id.into())),
        "screen" => {
            let (view, action) = VIEWS.into_iter().find(|(view, _)| view.name().en.eq_ignore_ascii_case(id))?;
            (view.name().get(lang).to_owned(), String::new(), Msg::Action(action))
        }
        _ => return None,
    };
    Some(Item { key: String::new(), name, about, msg })
}

/// The views that a lesson may point to.
const VIEWS: [(View, Action); 5] = [
    (View::Result, Action::Result),
    (View::Plans, Action::Plans),
    (View::Pitfalls, Action::Pitfalls),
    (View::Index, Action::Index),
    (View::Data, Action::Data),
];

/// Lessons, their steps, exercises, words, pitfalls, keys and settings in one list.
#[must_use]
pub fn search(tables: &[&'static [Binding]], model: &Model) -> Menu {
    let lang = model.settings.lang;
    let mut items: Vec<Item> = road(&model.pack).iter().map(|place| stop(model, place)).collect();
    for lesson in &model.pack.lessons {
        for (step, part) in lesson.reading(lang).steps.iter().enumerate() {
            let about = format!("{} · {}", lesson.reading(lang).title, step + 1);
            let msg = Msg::OpenStep(lesson.id.clone(), step);
            items.push(Item { key: String::new(), name: part.title.clone(), about, msg });
        }
    }
    items.extend(words(model));
    items.extend(pitfalls(lang));
    items.extend(Menu::palette(tables, model).into_items());
    items.extend(set(model));
    Menu::new(SEARCH.get(lang), items)
}

/// Everything that can be done and set, then every lesson and exercise to go to.
#[must_use]
pub fn palette(tables: &[&'static [Binding]], model: &Model) -> Menu {
    let (title, mut items) = Menu::palette(tables, model).into_parts();
    items.extend(set(model));
    items.extend(road(&model.pack).iter().map(|place| stop(model, place)));
    Menu::new(title, items)
}

/// Every pitfall with what it is.
fn pitfalls(lang: Lang) -> impl Iterator<Item = Item> {
    table().map(move |pitfall| Item {
        key: "⚠".into(),
        name: pitfall.id.into(),
        about: pitfall.title.get(lang).into(),
        msg: Msg::Word(pitfall.id.into()),
    })
}

/// What was run, the latest first.
#[must_use]
pub fn history(model: &Model) -> Menu {
    let item = |text: &String| Item {
        key: String::new(),
        name: text.split_whitespace().collect::<Vec<_>>().join(" "),
        about: String::new(),
        msg: Msg::Take(text.clone()),
    };
    Menu::new(HISTORY.get(model.settings.lang), model.session.history().iter().rev().map(item).collect())
}

/// The lines of a page, to find one; a folded document is found by all that is in it.
#[must_use]
pub fn find(page: &Page, model: &Model) -> Menu {
    let written = (0..page.lines.len()).filter(|number| !page.lines[*number].is_empty());
    let numbers: Arc<Vec<usize>> = Arc::new(written.chain(page.lines.len()..page.len()).collect());
    let shown = page.clone();
    let lines = Arc::clone(&numbers);
    let write = move |at: usize| Item {
        key: (lines[at] + 1).to_string(),
        name: shown.get(lines[at]).map(|line| line.text()).unwrap_or_default(),
        about: String::new(),
        msg: Msg::Line(lines[at]),
    };
    let searched = page.clone();
    let count = numbers.len();
    let read = move |at: usize| searched.whole(numbers[at]).unwrap_or_default();
    Menu::long(FIND.get(model.settings.lang), Lazy::new(count, write, read))
}

/// Every setting with its value; choosing one changes it.
#[must_use]
pub fn settings(model: &Model, at: usize) -> Menu {
    Menu::new(SETTINGS.get(model.settings.lang), set(model).collect()).at(at)
}

/// What can be set.
fn set(model: &Model) -> impl Iterator<Item = Item> {
    Setting::ALL.into_iter().map(|setting| Item {
        key: model.settings.shown(setting),
        name: setting.name().get(model.settings.lang).into(),
        about: setting.about().get(model.settings.lang).into(),
        msg: Msg::Set(setting),
    })
}

/// Every pitfall; choosing one shows what it is.
#[must_use]
pub fn all_pitfalls(model: &Model) -> Menu {
    let lang = model.settings.lang;
    Menu::new(Action::AllPitfalls.words().0.get(lang), pitfalls(lang).collect())
}

/// What the welcome says, Markdown.
#[must_use]
pub fn welcome(lang: Lang) -> &'static str {
    match lang {
        Lang::En => include_str!("welcome.md"),
        Lang::De => include_str!("welcome.de.md"),
    }
}
