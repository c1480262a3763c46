//! The keys of every screen and pane; what an action is called stands with the action.

use crossterm::event::KeyCode;

use crate::tui::actions::Action;
use crate::tui::keymap::{Binding, Chord};
use crate::words::Words;

/// A line of a keymap.
const fn on(chords: &'static [Chord], action: Action) -> Binding {
    Binding::new(chords, action)
}

/// Keys that work on every screen.
pub const GLOBAL: &[Binding] = &[
    on(&[Chord::f(1), Chord::char('?')], Action::Help).footer(),
    on(&[Chord::ctrl(KeyCode::Char('p')), Chord::char(':')], Action::Palette).footer(),
    on(&[Chord::f(9), Chord::char('m')], Action::Map).footer(),
    on(&[Chord::ctrl(KeyCode::Char('q')), Chord::f(10)], Action::Quit).footer(),
    on(&[Chord::char('/'), Chord::ctrl(KeyCode::Char('g'))], Action::Search),
    on(&[Chord::alt(KeyCode::Char('l'))], Action::Lab),
    on(&[Chord::char('g')], Action::Glossary),
    on(&[Chord::f(12)], Action::Settings),
    on(&[Chord::f(11)], Action::Learning),
    on(&[Chord::alt(KeyCode::Char('m'))], Action::Mouse),
    on(&[], Action::AllPitfalls),
    on(&[], Action::Placement),
    on(&[], Action::Review),
    on(&[], Action::Summary),
    on(&[Chord::ctrl(KeyCode::Char('z'))], Action::Suspend),
];

/// Keys that work everywhere beside a lesson or an exercise.
pub const DESK: &[Binding] = &[
    on(
        &[Chord::f(5), Chord::ctrl(KeyCode::Enter), Chord::alt(KeyCode::Enter), Chord::ctrl(KeyCode::Char('j'))],
        Action::Run,
    )
    .footer(),
    on(&[Chord::key(KeyCode::Tab)], Action::NextPane).footer(),
    on(&[Chord::key(KeyCode::BackTab)], Action::PreviousPane),
    on(&[Chord::f(2)], Action::Lesson),
    on(&[Chord::f(3)], Action::Editor),
    on(&[Chord::f(4)], Action::Answer),
    on(&[Chord::alt(KeyCode::Char('1'))], Action::Result),
    on(&[Chord::alt(KeyCode::Char('2'))], Action::Plans),
    on(&[Chord::alt(KeyCode::Char('3'))], Action::Pitfalls),
    on(&[Chord::alt(KeyCode::Char('4'))], Action::Index),
    on(&[Chord::alt(KeyCode::Char('5'))], Action::Data),
    on(&[Chord::f(6)], Action::NextView),
    on(&[Chord::f(7)], Action::Fix),
    // Beside a lesson these say that there is no exercise.
    on(&[Chord::f(8)], Action::Check).unlisted(),
    on(&[Chord::alt(KeyCode::Char('h'))], Action::Hint).unlisted(),
    on(&[Chord::alt(KeyCode::Char('s'))], Action::Solution).unlisted(),
    on(&[Chord::alt(KeyCode::Char('t'))], Action::Take),
    on(&[Chord::alt(KeyCode::Char('n'))], Action::NextLesson),
    on(&[Chord::alt(KeyCode::Char('b'))], Action::PreviousLesson),
    on(&[Chord::alt(KeyCode::Char('z'))], Action::Zoom),
    on(&[Chord::alt(KeyCode::Char('<'))], Action::Narrower),
    on(&[Chord::alt(KeyCode::Char('>'))], Action::Wider),
    on(&[Chord::alt(KeyCode::Char('+'))], Action::Higher),
    on(&[Chord::alt(KeyCode::Char('-'))], Action::Lower),
    on(&[Chord::alt(KeyCode::Char('r'))], Action::Reset),
    on(&[Chord::key(KeyCode::Esc)], Action::Back).footer(),
];

/// Keys that matter beside an exercise.
pub const SOLVING: &[Binding] = &[
    on(&[Chord::f(8)], Action::Check).footer(),
    on(&[Chord::alt(KeyCode::Char('h'))], Action::Hint).footer(),
    on(&[Chord::alt(KeyCode::Char('s'))], Action::Solution),
];

/// Keys of the answer to an exercise.
pub const BREAKING: &[Binding] = &[on(&[Chord::char('b')], Action::Break)];

/// Keys of the editor.
pub const WRITING: &[Binding] = &[
    on(&[Chord::alt(KeyCode::Up)], Action::Earlier),
    on(&[Chord::alt(KeyCode::Down)], Action::Later),
    on(&[Chord::ctrl(KeyCode::Char('u'))], Action::Undo),
    on(&[Chord::ctrl(KeyCode::Char('y'))], Action::Redo),
    on(&[Chord::ctrl(KeyCode::Char(' ')), Chord::alt(KeyCode::Char('/'))], Action::Complete).footer(),
    on(&[Chord::ctrl(KeyCode::Char('l'))], Action::Clear),
    on(&[Chord::ctrl(KeyCode::Char('r'))], Action::History),
    on(&[Chord::alt(KeyCode::Char('f'))], Action::Format),
    on(&[Chord::ctrl(KeyCode::Char('c'))], Action::Copy),
    on(&[Chord::ctrl(KeyCode::Char('o'))], Action::External),
];

/// Keys of the lesson text.
pub const READING: &[Binding] = &[
    on(&[Chord::key(KeyCode::Right), Chord::char('n'), Chord::char('l')], Action::NextLesson).footer(),
    on(&[Chord::key(KeyCode::Left), Chord::char('b'), Chord::char('h')], Action::PreviousLesson).footer(),
    on(&[Chord::key(KeyCode::Enter)], Action::Choose).footer(),
    on(&[Chord::char('t')], Action::Take).called(
        Words::new("Take next", "Nächste holen"),
        Words::new(
            "Takes the next statement of the lesson into the editor.",
            "Holt die nächste Anweisung der Lektion in den Editor.",
        ),
    ),
    on(&[Chord::char('1')], Action::Result),
    on(&[Chord::char('2')], Action::Plans),
    on(&[Chord::char('3')], Action::Pitfalls),
    on(&[Chord::char('4')], Action::Index),
    on(&[Chord::char('5')], Action::Data),
    on(&[Chord::char('z')], Action::Zoom),
];

/// Keys of the answer.
pub const VIEWING: &[Binding] = &[
    on(&[Chord::key(KeyCode::Right), Chord::char('l')], Action::NextView)
        .called(
            Words::new("View", "Ansicht"),
            Words::new("Shows the next view of the answer.", "Zeigt die nächste Ansicht der Antwort."),
        )
        .footer(),
    on(&[Chord::key(KeyCode::Left), Chord::char('h')], Action::PreviousView),
    on(&[Chord::char('1')], Action::Result),
    on(&[Chord::char('2')], Action::Plans),
    on(&[Chord::char('3')], Action::Pitfalls),
    on(&[Chord::char('4')], Action::Index),
    on(&[Chord::char('5')], Action::Data),
    on(&[Chord::key(KeyCode::Enter), Chord::char(' ')], Action::Choose)
        .called(
            Words::new("Open", "Öffnen"),
            Words::new(
                "Unfolds the document, or does what the line says.",
                "Klappt das Dokument auf oder tut, was die Zeile sagt.",
            ),
        )
        .footer(),
    on(&[Chord::char('c')], Action::Compare),
    on(&[Chord::char('s')], Action::Shape),
    on(&[Chord::char('y'), Chord::ctrl(KeyCode::Char('c'))], Action::Copy).called(
        Words::new("Copy", "Kopieren"),
        Words::new("Copies what is shown to the clipboard.", "Kopiert das Gezeigte in die Zwischenablage."),
    ),
    on(&[Chord::char('f')], Action::Fix).called(
        Words::new("Fix", "Beheben"),
        Words::new("Puts the fix of this finding into the editor.", "Setzt die Abhilfe dieses Befunds in den Editor."),
    ),
    on(&[Chord::char('t')], Action::Try),
    on(&[Chord::char('w')], Action::Why),
    on(&[Chord::char('b')], Action::Break).unlisted(),
    on(&[Chord::char('z')], Action::Zoom),
];

/// Keys of the cost lab.
pub const LAB: &[Binding] = &[
    on(&[Chord::key(KeyCode::Enter), Chord::f(5)], Action::Run)
        .called(
            Words::new("Build", "Bauen"),
            Words::new("Builds every design and measures it.", "Baut jeden Entwurf und misst ihn."),
        )
        .footer(),
    on(&[Chord::key(KeyCode::Right), Chord::char('l')], Action::NextView)
        .called(
            Words::new("More", "Mehr"),
            Words::new("Makes the chosen number larger.", "Macht die gewählte Zahl größer."),
        )
        .footer(),
    on(&[Chord::key(KeyCode::Left), Chord::char('h')], Action::PreviousView)
        .called(
            Words::new("Less", "Weniger"),
            Words::new("Makes the chosen number smaller.", "Macht die gewählte Zahl kleiner."),
        )
        .footer(),
    on(&[Chord::key(KeyCode::Up), Chord::char('k')], Action::Up),
    on(&[Chord::key(KeyCode::Down), Chord::char('j')], Action::Down),
    on(&[Chord::key(KeyCode::Tab)], Action::NextPane)
        .called(
            Words::new("Figure", "Diagramm"),
            Words::new("Draws the next figure.", "Zeichnet das nächste Diagramm."),
        )
        .footer(),
    on(&[Chord::key(KeyCode::PageDown)], Action::PageDown)
        .called(
            Words::new("Tables", "Tabellen"),
            Words::new("Goes down in the tables.", "Geht in den Tabellen nach unten."),
        )
        .footer(),
    on(&[Chord::key(KeyCode::PageUp)], Action::PageUp),
    on(&[Chord::key(KeyCode::Esc), Chord::char('q')], Action::Back).footer(),
];

/// Keys that move in a page.
pub const MOVING: &[Binding] = &[
    on(&[Chord::ctrl(KeyCode::Char('f'))], Action::Find),
    on(&[Chord::key(KeyCode::Up), Chord::char('k')], Action::Up),
    on(&[Chord::key(KeyCode::Down), Chord::char('j')], Action::Down),
    on(&[Chord::key(KeyCode::PageUp)], Action::PageUp),
    on(&[Chord::key(KeyCode::PageDown)], Action::PageDown),
    on(&[Chord::key(KeyCode::Home)], Action::Home),
    on(&[Chord::key(KeyCode::End)], Action::End),
];

/// Keys of lists that are searched by typing.
pub const MENU: &[Binding] = &[
    on(&[Chord::key(KeyCode::Enter)], Action::Choose)
        .called(Words::new("Do it", "Ausführen"), Words::new("Does what is chosen.", "Führt das Gewählte aus."))
        .footer(),
    on(&[Chord::key(KeyCode::Up)], Action::Up).footer(),
    on(&[Chord::key(KeyCode::Down)], Action::Down).footer(),
    on(&[Chord::key(KeyCode::PageUp)], Action::PageUp),
    on(&[Chord::key(KeyCode::PageDown)], Action::PageDown),
    on(&[Chord::key(KeyCode::Esc)], Action::Back)
        .called(Words::new("Back", "Zurück"), Words::new("Closes the list.", "Schließt die Liste."))
        .footer(),
];

/// Keys of the view that says why a document matched or not.
pub const WHY: &[Binding] = &[
    on(&[Chord::key(KeyCode::Right), Chord::char('n'), Chord::char('l')], Action::NextView)
        .called(
            Words::new("Next document", "Nächstes Dokument"),
            Words::new("Goes to the next document of the collection.", "Geht zum nächsten Dokument der Collection."),
        )
        .footer(),
    on(&[Chord::key(KeyCode::Left), Chord::char('b'), Chord::char('h')], Action::PreviousView).called(
        Words::new("Document before", "Dokument davor"),
        Words::new("Goes to the document before.", "Geht zum vorigen Dokument."),
    ),
    on(&[Chord::key(KeyCode::Enter), Chord::char('w')], Action::Choose)
        .called(
            Words::new("Pick an _id", "_id wählen"),
            Words::new(
                "Lists every document with its _id, matched or not; typing searches.",
                "Listet alle Dokumente mit _id, ob sie passen oder nicht; Tippen sucht.",
            ),
        )
        .footer(),
    on(&[Chord::char('y'), Chord::ctrl(KeyCode::Char('c'))], Action::Copy).called(
        Words::new("Copy", "Kopieren"),
        Words::new("Copies what is shown to the clipboard.", "Kopiert das Gezeigte in die Zwischenablage."),
    ),
    on(&[Chord::key(KeyCode::Esc), Chord::char('q')], Action::Back)
        .called(Words::new("Back", "Zurück"), Words::new("Goes back to the answer.", "Geht zurück zur Antwort."))
        .footer(),
];

/// Keys of the welcome.
pub const WELCOME: &[Binding] = &[
    on(&[Chord::key(KeyCode::Enter), Chord::key(KeyCode::Esc)], Action::Choose)
        .called(Words::new("Begin", "Beginnen"), Words::new("Opens the course.", "Öffnet den Kurs."))
        .footer(),
    on(&[Chord::char('p')], Action::Placement).footer(),
];

/// Keys of the question before a statement runs.
pub const FORETELLING: &[Binding] = &[
    on(&[Chord::key(KeyCode::Down)], Action::Down)
        .called(Words::new("Choose", "Wählen"), Words::new("Chooses what stands below.", "Wählt, was darunter steht.")),
    on(&[Chord::key(KeyCode::Up)], Action::Up)
        .called(Words::new("Up", "Auf"), Words::new("Chooses what stands above.", "Wählt, was darüber steht.")),
    on(&[Chord::key(KeyCode::Enter)], Action::Choose)
        .called(
            Words::new("Predict and run", "Vorhersagen, ausführen"),
            Words::new(
                "Notes the prediction and runs the statement.",
                "Merkt die Vorhersage und führt die Anweisung aus.",
            ),
        )
        .footer(),
    on(&[Chord::key(KeyCode::Esc)], Action::Back)
        .called(
            Words::new("Just run it", "Nur ausführen"),
            Words::new("Runs the statement without a prediction.", "Führt die Anweisung ohne Vorhersage aus."),
        )
        .footer(),
    on(&[Chord::key(KeyCode::Right), Chord::key(KeyCode::Tab)], Action::Surer).footer(),
    on(&[Chord::key(KeyCode::Left), Chord::key(KeyCode::BackTab)], Action::LessSure).footer(),
    on(&[Chord::f(1)], Action::Help),
];

/// Keys of the placement.
pub const PLACING: &[Binding] = &[
    on(&[Chord::key(KeyCode::Enter)], Action::Choose)
        .called(
            Words::new("Choose", "Wählen"),
            Words::new("Chooses the answer, then goes on.", "Wählt die Antwort, dann geht es weiter."),
        )
        .footer(),
    on(&[Chord::key(KeyCode::Right), Chord::char('n')], Action::NextLesson)
        .called(Words::new("Next", "Weiter"), Words::new("Goes to the next question.", "Geht zur nächsten Frage."))
        .footer(),
    on(&[Chord::key(KeyCode::Left), Chord::char('b')], Action::PreviousLesson)
        .called(Words::new("Previous", "Zurück"), Words::new("Goes to the question before.", "Geht zur vorigen Frage."))
        .footer(),
    on(&[Chord::key(KeyCode::Esc)], Action::Back)
        .called(
            Words::new("Leave", "Verlassen"),
            Words::new("Leaves the questions; nothing changes.", "Verlässt die Fragen; nichts ändert sich."),
        )
        .footer(),
    on(&[Chord::f(1)], Action::Help),
];

/// Keys of a page that is read over another screen.
pub const CLOSING: &[Binding] =
    &[on(&[Chord::key(KeyCode::Esc), Chord::key(KeyCode::Enter), Chord::char('q')], Action::Back)
        .called(Words::new("Back", "Zurück"), Words::new("Closes the page.", "Schließt die Seite."))
        .footer()];

/// Keys that work over every list.
pub const LEAVING: &[Binding] = &[on(&[Chord::ctrl(KeyCode::Char('q')), Chord::f(10)], Action::Quit).footer()];
