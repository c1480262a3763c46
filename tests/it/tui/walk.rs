//! The whole course on screen, from the first step to the last exercise, every exercise solved in the editor; and the README's
//! pictures, which have to be what the program draws.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crossterm::event::{Event, KeyCode, KeyModifiers};
use pegboard::course::{Pack, Progress};
use pegboard::tui::theme::{Depth, Ground};
use pegboard::tui::{App, Model, Place, Settings, Theme};
use pegboard::words::Lang;

use super::{draw, key, press, text};

fn opened() -> App {
    let pack = Pack::built_in().expect("the course reads");
    let settings = Settings { welcomed: true, lang: Lang::En, ..Settings::default() };
    let mut app = App::new(
        Model::new(pack, Progress::default(), settings, None),
        Theme { depth: Depth::True, ground: Ground::Dark },
    );
    draw(&mut app, 120, 40);
    app
}

/// Types the model solution of the exercise here and has it judged.
fn solve(app: &mut App, id: &str) {
    let exercise = app.model.pack.exercise(id).expect("the course has it").clone();
    let solution = exercise.model().expect("every exercise has a model solution").text.clone();
    key(app, KeyCode::F(3));
    press(app, KeyCode::Char('l'), KeyModifiers::CONTROL);
    app.hear(Event::Paste(solution));
    key(app, KeyCode::F(8));
    let record = app.model.progress.exercises.get(id).cloned().unwrap_or_default();
    let shown = text(&draw(app, 120, 40));
    assert!(record.passed(), "{id}: {} of {}\n{shown}", record.points, record.max_points);
    assert!(shown.contains("Solved."), "{id}\n{shown}");
}

#[test]
fn the_whole_course_is_walked_through_and_every_exercise_solved() {
    let mut app = opened();
    let mut solved = BTreeSet::new();
    for _ in 0..2_000 {
        if let Place::Exercise { id } = app.model.place.clone() {
            solve(&mut app, &id);
            solved.insert(id);
        } else if let Place::Lesson { step: 0, .. } = app.model.place {
            app.model.run("db.getCollectionNames()");
        }
        let before = app.model.place.clone();
        press(&mut app, KeyCode::Char('n'), KeyModifiers::ALT);
        if app.model.place == before {
            break;
        }
    }
    let shown = text(&draw(&mut app, 120, 40));
    assert!(shown.contains("What you have done"), "behind the last place stands the summary\n{shown}");
    let all: BTreeSet<String> = app.model.pack.exercises.iter().map(|exercise| exercise.spec.id.clone()).collect();
    assert_eq!(solved, all);
    let open: Vec<&str> = app.model.pack.lessons.iter().map(|lesson| lesson.id.as_str()).collect();
    let open: Vec<&str> =
        open.into_iter().filter(|id| !app.model.progress.lessons.get(*id).is_some_and(|record| record.done)).collect();
    assert!(open.is_empty(), "lessons not done: {open:?}");
}

#[test]
fn the_pictures_are_what_the_program_draws() {
    let folder = Path::new("docs/pictures");
    let mut names = BTreeSet::new();
    for (name, drawn) in pegboard::tui::pictures(&Pack::built_in().expect("the course reads")) {
        let kept = fs::read_to_string(folder.join(&name)).unwrap_or_default();
        assert!(kept == drawn, "{name} is not what is drawn now: docs/pictures.sh writes the pictures anew");
        names.insert(name);
    }
    let kept = fs::read_dir(folder).expect("the pictures").flatten();
    let kept: BTreeSet<String> = kept.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(kept, names);
}
