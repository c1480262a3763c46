//! The keys of every screen and pane.

use crossterm::event::KeyCode;

use crate::tui::keymap::{Action, Binding, Chord};
use crate::words::Words;

/// A line of a keymap; `footer` shows it in the last row of the screen.
const fn bind(chords: &'static [Chord], action: Action, name: Words, does: Words, footer: bool) -> Binding {
    Binding { chords, action, name, does, footer }
}

/// Keys that work on every screen.
pub const GLOBAL: &[Binding] = &[
    bind(
        &[Chord::f(1), Chord::char('?')],
        Action::Help,
        Words::new("Help", "Hilfe"),
        Words::new(
            "Shows the keys of this screen; type to search them, Enter does one.",
            "Zeigt die Tasten dieser Ansicht; Tippen sucht, Enter führt aus.",
        ),
        true,
    ),
    bind(
        &[Chord::ctrl(KeyCode::Char('p')), Chord::char(':')],
        Action::Palette,
        Words::new("Menu", "Menü"),
        Words::new(
            "Lists everything that can be done, with its key.",
            "Listet alles auf, was man tun kann, mit der Taste dazu.",
        ),
        true,
    ),
    bind(
        &[Chord::f(9), Chord::char('m')],
        Action::Map,
        Words::new("Course", "Kurs"),
        Words::new(
            "Opens the course map: lessons, exercises, what is done.",
            "Öffnet die Kurskarte: Lektionen, Aufgaben, Erledigtes.",
        ),
        true,
    ),
    bind(
        &[Chord::ctrl(KeyCode::Char('q')), Chord::f(10)],
        Action::Quit,
        Words::new("Quit", "Ende"),
        Words::new(
            "Leaves Pegboard; text, place and settings are kept.",
            "Verlässt Pegboard; Text, Ort und Einstellungen bleiben.",
        ),
        true,
    ),
    bind(
        &[Chord::char('/'), Chord::alt(KeyCode::Char('s'))],
        Action::Search,
        Words::new("Search", "Suche"),
        Words::new(
            "Searches lessons, exercises, words and pitfalls.",
            "Sucht in Lektionen, Aufgaben, Wörtern und Fallen.",
        ),
        false,
    ),
    bind(
        &[Chord::char('g')],
        Action::Glossary,
        Words::new("Glossary", "Glossar"),
        Words::new("Opens the glossary.", "Öffnet das Glossar."),
        false,
    ),
    bind(
        &[Chord::f(12)],
        Action::Settings,
        Words::new("Settings", "Einstellungen"),
        Words::new(
            "Opens the settings: language, colours, mouse, motion.",
            "Öffnet die Einstellungen: Sprache, Farben, Maus, Bewegung.",
        ),
        false,
    ),
    bind(
        &[Chord::f(11)],
        Action::Learning,
        Words::new("Learning mode", "Lernmodus"),
        Words::new(
            "Switches the line that says what each key will do.",
            "Schaltet die Zeile um, die sagt, was jede Taste tut.",
        ),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('m'))],
        Action::Mouse,
        Words::new("Mouse", "Maus"),
        Words::new(
            "Gives the mouse back to the terminal, to select text there; again takes it.",
            "Gibt die Maus dem Terminal zurück, um dort Text zu wählen; nochmals nimmt sie.",
        ),
        false,
    ),
    bind(
        &[],
        Action::Placement,
        Words::new("Where to begin", "Wo anfangen"),
        Words::new(
            "Six questions find the lesson to begin with.",
            "Sechs Fragen finden die Lektion, mit der du anfängst.",
        ),
        false,
    ),
    bind(
        &[],
        Action::Review,
        Words::new("Review", "Wiederholen"),
        Words::new(
            "Brings your own slips back, with fresh data.",
            "Bringt deine eigenen Fehler wieder, mit frischen Daten.",
        ),
        false,
    ),
    bind(
        &[],
        Action::Summary,
        Words::new("Summary", "Rückblick"),
        Words::new(
            "Lessons, points, predictions and slips so far.",
            "Lektionen, Punkte, Vorhersagen und Fehler bis hierher.",
        ),
        false,
    ),
    bind(
        &[Chord::ctrl(KeyCode::Char('z'))],
        Action::Suspend,
        Words::new("Suspend", "Anhalten"),
        Words::new(
            "Suspends Pegboard; fg in the shell brings it back.",
            "Hält Pegboard an; fg in der Shell holt es zurück.",
        ),
        false,
    ),
];

/// Keys that work everywhere beside a lesson or an exercise.
pub const DESK: &[Binding] = &[
    bind(
        &[Chord::f(5), Chord::ctrl(KeyCode::Enter), Chord::alt(KeyCode::Enter), Chord::ctrl(KeyCode::Char('j'))],
        Action::Run,
        Words::new("Run", "Ausführen"),
        Words::new("Runs what is in the editor.", "Führt aus, was im Editor steht."),
        true,
    ),
    bind(
        &[Chord::key(KeyCode::Tab)],
        Action::NextPane,
        Words::new("Pane", "Bereich"),
        Words::new("Goes to the next pane.", "Geht zum nächsten Bereich."),
        true,
    ),
    bind(
        &[Chord::key(KeyCode::BackTab)],
        Action::PreviousPane,
        Words::new("Pane before", "Bereich zurück"),
        Words::new("Goes to the pane before.", "Geht zum vorigen Bereich."),
        false,
    ),
    bind(
        &[Chord::f(2)],
        Action::Lesson,
        Words::new("Lesson", "Lektion"),
        Words::new("Goes to the lesson text.", "Geht zum Lektionstext."),
        false,
    ),
    bind(
        &[Chord::f(3)],
        Action::Editor,
        Words::new("Editor", "Editor"),
        Words::new("Goes to the editor.", "Geht zum Editor."),
        false,
    ),
    bind(
        &[Chord::f(4)],
        Action::Answer,
        Words::new("Answer", "Antwort"),
        Words::new("Goes to the answer.", "Geht zur Antwort."),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('1'))],
        Action::Result,
        Words::new("Result", "Ergebnis"),
        Words::new("Shows the documents of the answer.", "Zeigt die Dokumente der Antwort."),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('2'))],
        Action::Plans,
        Words::new("Plans", "Pläne"),
        Words::new(
            "Shows how each design answers: plan, bounds, cost.",
            "Zeigt, wie jeder Entwurf antwortet: Plan, Grenzen, Kosten.",
        ),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('3'))],
        Action::Pitfalls,
        Words::new("Pitfalls", "Fallen"),
        Words::new("Shows the mistakes found, with proof and fix.", "Zeigt gefundene Fehler mit Beweis und Abhilfe."),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('4'))],
        Action::Index,
        Words::new("Index", "Index"),
        Words::new("Walks through the index the way the scan did.", "Geht den Index so ab, wie der Scan es tat."),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('5'))],
        Action::Data,
        Words::new("Data", "Daten"),
        Words::new(
            "Shows collections, indexes, and which field is where.",
            "Zeigt Collections, Indexe und welches Feld wo steht.",
        ),
        false,
    ),
    bind(
        &[Chord::f(6)],
        Action::NextView,
        Words::new("Next view", "Nächste Ansicht"),
        Words::new("Shows the next view of the answer.", "Zeigt die nächste Ansicht der Antwort."),
        false,
    ),
    bind(
        &[Chord::f(7)],
        Action::Fix,
        Words::new("Fix", "Beheben"),
        Words::new(
            "Puts the fix of the first finding into the editor.",
            "Setzt die Abhilfe des ersten Befunds in den Editor.",
        ),
        false,
    ),
    bind(
        &[Chord::f(8)],
        Action::Check,
        Words::new("Check", "Prüfen"),
        Words::new("Judges your answer to the exercise.", "Bewertet die Antwort auf die Aufgabe."),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('h'))],
        Action::Hint,
        Words::new("Hint", "Tipp"),
        Words::new("Shows the next hint of the exercise.", "Zeigt den nächsten Tipp der Aufgabe."),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('s'))],
        Action::Solution,
        Words::new("Solution", "Lösung"),
        Words::new(
            "Shows the solution of the exercise; before it is passed this costs the points.",
            "Zeigt die Lösung der Aufgabe; bevor sie bestanden ist, kostet das die Punkte.",
        ),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('t'))],
        Action::Take,
        Words::new("Take", "Übernehmen"),
        Words::new(
            "Takes the next statement of the lesson, or the starter of the exercise, into the editor.",
            "Holt die nächste Anweisung der Lektion oder den Anfang der Aufgabe in den Editor.",
        ),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('n'))],
        Action::NextLesson,
        Words::new("Next", "Weiter"),
        Words::new(
            "Goes on: the next step, then the next lesson.",
            "Geht weiter: nächster Schritt, dann nächste Lektion.",
        ),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('b'))],
        Action::PreviousLesson,
        Words::new("Previous", "Zurück"),
        Words::new("Goes back a step, then a lesson.", "Geht einen Schritt, dann eine Lektion zurück."),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('z'))],
        Action::Zoom,
        Words::new("Zoom", "Zoom"),
        Words::new(
            "Makes this pane as large as the screen, or small again.",
            "Macht diesen Bereich so groß wie den Schirm oder wieder klein.",
        ),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('<'))],
        Action::Narrower,
        Words::new("Narrower", "Schmaler"),
        Words::new("Gives the lesson less of a wide screen.", "Gibt der Lektion weniger von einem breiten Schirm."),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('>'))],
        Action::Wider,
        Words::new("Wider", "Breiter"),
        Words::new("Gives the lesson more of a wide screen.", "Gibt der Lektion mehr von einem breiten Schirm."),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('r'))],
        Action::Reset,
        Words::new("Reset data", "Daten zurück"),
        Words::new(
            "Puts the lesson's data and indexes back as they were.",
            "Stellt Daten und Indexe der Lektion wieder her.",
        ),
        false,
    ),
    bind(
        &[Chord::key(KeyCode::Esc)],
        Action::Back,
        Words::new("Back", "Zurück"),
        Words::new(
            "Goes back: from the answer to the editor, to the lesson, to the course map.",
            "Geht zurück: von der Antwort zum Editor, zur Lektion, zur Kurskarte.",
        ),
        true,
    ),
];

/// Keys of the editor.
pub const WRITING: &[Binding] = &[
    bind(
        &[Chord::alt(KeyCode::Up)],
        Action::Earlier,
        Words::new("Earlier", "Früher"),
        Words::new("Brings back the statement run before.", "Holt die zuvor ausgeführte Anweisung."),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Down)],
        Action::Later,
        Words::new("Later", "Später"),
        Words::new("Goes forward again in what was run.", "Geht im Ausgeführten wieder nach vorn."),
        false,
    ),
    bind(
        &[Chord::ctrl(KeyCode::Char('u'))],
        Action::Undo,
        Words::new("Undo", "Rückgängig"),
        Words::new("Takes back the last edit.", "Nimmt die letzte Änderung zurück."),
        false,
    ),
    bind(
        &[Chord::ctrl(KeyCode::Char('y'))],
        Action::Redo,
        Words::new("Redo", "Wiederholen"),
        Words::new("Brings back what was taken back.", "Stellt das Zurückgenommene wieder her."),
        false,
    ),
    bind(
        &[Chord::ctrl(KeyCode::Char(' ')), Chord::alt(KeyCode::Char('/'))],
        Action::Complete,
        Words::new("Complete", "Ergänzen"),
        Words::new("Offers words that fit at the cursor.", "Bietet Wörter an, die an den Cursor passen."),
        true,
    ),
    bind(
        &[Chord::ctrl(KeyCode::Char('l'))],
        Action::Clear,
        Words::new("Clear", "Leeren"),
        Words::new(
            "Empties the editor; undo brings the text back.",
            "Leert den Editor; Rückgängig holt den Text wieder.",
        ),
        false,
    ),
    bind(
        &[Chord::ctrl(KeyCode::Char('r'))],
        Action::History,
        Words::new("History", "Verlauf"),
        Words::new("Searches what was run, the latest first.", "Sucht in dem, was ausgeführt wurde, das Jüngste zuerst."),
        false,
    ),
    bind(
        &[Chord::alt(KeyCode::Char('f'))],
        Action::Format,
        Words::new("Lay out", "Ordnen"),
        Words::new("Sets the statement in the usual layout.", "Setzt die Anweisung in die übliche Form."),
        false,
    ),
    bind(
        &[Chord::ctrl(KeyCode::Char('c'))],
        Action::Copy,
        Words::new("Copy", "Kopieren"),
        Words::new(
            "Copies the selection, or the whole text, to the clipboard.",
            "Kopiert die Auswahl oder den ganzen Text in die Zwischenablage.",
        ),
        false,
    ),
    bind(
        &[Chord::ctrl(KeyCode::Char('o'))],
        Action::External,
        Words::new("Own editor", "Eigener Editor"),
        Words::new(
            "Opens the text in the editor named by VISUAL or EDITOR.",
            "Öffnet den Text in dem Editor aus VISUAL oder EDITOR.",
        ),
        false,
    ),
];

/// Keys of the lesson text.
pub const READING: &[Binding] = &[
    bind(
        &[Chord::key(KeyCode::Right), Chord::char('n'), Chord::char('l')],
        Action::NextLesson,
        Words::new("Next", "Weiter"),
        Words::new(
            "Goes on: the next step, then the next lesson.",
            "Geht weiter: nächster Schritt, dann nächste Lektion.",
        ),
        true,
    ),
    bind(
        &[Chord::key(KeyCode::Left), Chord::char('b'), Chord::char('h')],
        Action::PreviousLesson,
        Words::new("Previous", "Zurück"),
        Words::new("Goes back a step, then a lesson.", "Geht einen Schritt, dann eine Lektion zurück."),
        true,
    ),
    bind(
        &[Chord::key(KeyCode::Enter)],
        Action::Choose,
        Words::new("Take", "Übernehmen"),
        Words::new(
            "Takes the statement under the cursor into the editor.",
            "Holt die Anweisung unter dem Cursor in den Editor.",
        ),
        true,
    ),
    bind(
        &[Chord::char('t')],
        Action::Take,
        Words::new("Take next", "Nächste holen"),
        Words::new(
            "Takes the next statement of the lesson into the editor.",
            "Holt die nächste Anweisung der Lektion in den Editor.",
        ),
        false,
    ),
    bind(
        &[Chord::char('z')],
        Action::Zoom,
        Words::new("Zoom", "Zoom"),
        Words::new(
            "Makes this pane as large as the screen, or small again.",
            "Macht diesen Bereich so groß wie den Schirm oder wieder klein.",
        ),
        false,
    ),
];

/// Keys of the answer.
pub const VIEWING: &[Binding] = &[
    bind(
        &[Chord::key(KeyCode::Right), Chord::char('l')],
        Action::NextView,
        Words::new("View", "Ansicht"),
        Words::new("Shows the next view of the answer.", "Zeigt die nächste Ansicht der Antwort."),
        true,
    ),
    bind(
        &[Chord::key(KeyCode::Left), Chord::char('h')],
        Action::PreviousView,
        Words::new("View before", "Ansicht davor"),
        Words::new("Shows the view before.", "Zeigt die vorige Ansicht."),
        false,
    ),
    bind(
        &[Chord::char('1')],
        Action::Result,
        Words::new("Result", "Ergebnis"),
        Words::new("Shows the documents of the answer.", "Zeigt die Dokumente der Antwort."),
        false,
    ),
    bind(
        &[Chord::char('2')],
        Action::Plans,
        Words::new("Plans", "Pläne"),
        Words::new(
            "Shows how each design answers: plan, bounds, cost.",
            "Zeigt, wie jeder Entwurf antwortet: Plan, Grenzen, Kosten.",
        ),
        false,
    ),
    bind(
        &[Chord::char('3')],
        Action::Pitfalls,
        Words::new("Pitfalls", "Fallen"),
        Words::new("Shows the mistakes found, with proof and fix.", "Zeigt gefundene Fehler mit Beweis und Abhilfe."),
        false,
    ),
    bind(
        &[Chord::char('4')],
        Action::Index,
        Words::new("Index", "Index"),
        Words::new("Walks through the index the way the scan did.", "Geht den Index so ab, wie der Scan es tat."),
        false,
    ),
    bind(
        &[Chord::char('5')],
        Action::Data,
        Words::new("Data", "Daten"),
        Words::new(
            "Shows collections, indexes, and which field is where.",
            "Zeigt Collections, Indexe und welches Feld wo steht.",
        ),
        false,
    ),
    bind(
        &[Chord::key(KeyCode::Enter), Chord::char(' ')],
        Action::Choose,
        Words::new("Open", "Öffnen"),
        Words::new(
            "Unfolds the document, or does what the line says.",
            "Klappt das Dokument auf oder tut, was die Zeile sagt.",
        ),
        true,
    ),
    bind(
        &[Chord::char('s')],
        Action::Shape,
        Words::new("Shape", "Form"),
        Words::new("Shows documents as tree, table or JSON.", "Zeigt Dokumente als Baum, Tabelle oder JSON."),
        false,
    ),
    bind(
        &[Chord::char('y'), Chord::ctrl(KeyCode::Char('c'))],
        Action::Copy,
        Words::new("Copy", "Kopieren"),
        Words::new("Copies what is shown to the clipboard.", "Kopiert das Gezeigte in die Zwischenablage."),
        false,
    ),
    bind(
        &[Chord::char('f')],
        Action::Fix,
        Words::new("Fix", "Beheben"),
        Words::new("Puts the fix of this finding into the editor.", "Setzt die Abhilfe dieses Befunds in den Editor."),
        false,
    ),
    bind(
        &[Chord::char('t')],
        Action::Try,
        Words::new("Try fix", "Abhilfe proben"),
        Words::new(
            "Tries the fix of this finding on a copy of the data.",
            "Probiert die Abhilfe dieses Befunds an einer Kopie der Daten.",
        ),
        false,
    ),
    bind(
        &[Chord::char('z')],
        Action::Zoom,
        Words::new("Zoom", "Zoom"),
        Words::new(
            "Makes this pane as large as the screen, or small again.",
            "Macht diesen Bereich so groß wie den Schirm oder wieder klein.",
        ),
        false,
    ),
];

/// Keys that move in a page.
pub const MOVING: &[Binding] = &[
    bind(
        &[Chord::ctrl(KeyCode::Char('f'))],
        Action::Find,
        Words::new("Find", "Finden"),
        Words::new("Finds a line of this pane.", "Findet eine Zeile dieses Bereichs."),
        false,
    ),
    bind(
        &[Chord::key(KeyCode::Up), Chord::char('k')],
        Action::Up,
        Words::new("Up", "Auf"),
        Words::new("Moves up.", "Geht nach oben."),
        false,
    ),
    bind(
        &[Chord::key(KeyCode::Down), Chord::char('j')],
        Action::Down,
        Words::new("Down", "Ab"),
        Words::new("Moves down.", "Geht nach unten."),
        false,
    ),
    bind(
        &[Chord::key(KeyCode::PageUp)],
        Action::PageUp,
        Words::new("Page up", "Seite auf"),
        Words::new("Moves a page up.", "Geht eine Seite nach oben."),
        false,
    ),
    bind(
        &[Chord::key(KeyCode::PageDown)],
        Action::PageDown,
        Words::new("Page down", "Seite ab"),
        Words::new("Moves a page down.", "Geht eine Seite nach unten."),
        false,
    ),
    bind(
        &[Chord::key(KeyCode::Home)],
        Action::Home,
        Words::new("Start", "Anfang"),
        Words::new("Moves to the start.", "Geht an den Anfang."),
        false,
    ),
    bind(
        &[Chord::key(KeyCode::End)],
        Action::End,
        Words::new("End", "Schluss"),
        Words::new("Moves to the end.", "Geht an den Schluss."),
        false,
    ),
];

/// Keys of lists that are searched by typing.
pub const MENU: &[Binding] = &[
    bind(
        &[Chord::key(KeyCode::Enter)],
        Action::Choose,
        Words::new("Do it", "Ausführen"),
        Words::new("Does what is chosen.", "Führt das Gewählte aus."),
        true,
    ),
    bind(
        &[Chord::key(KeyCode::Up)],
        Action::Up,
        Words::new("Up", "Auf"),
        Words::new("Moves up.", "Geht nach oben."),
        true,
    ),
    bind(
        &[Chord::key(KeyCode::Down)],
        Action::Down,
        Words::new("Down", "Ab"),
        Words::new("Moves down.", "Geht nach unten."),
        true,
    ),
    bind(
        &[Chord::key(KeyCode::PageUp)],
        Action::PageUp,
        Words::new("Page up", "Seite auf"),
        Words::new("Moves a page up.", "Geht eine Seite nach oben."),
        false,
    ),
    bind(
        &[Chord::key(KeyCode::PageDown)],
        Action::PageDown,
        Words::new("Page down", "Seite ab"),
        Words::new("Moves a page down.", "Geht eine Seite nach unten."),
        false,
    ),
    bind(
        &[Chord::key(KeyCode::Esc)],
        Action::Back,
        Words::new("Back", "Zurück"),
        Words::new("Closes the list.", "Schließt die Liste."),
        true,
    ),
];

/// Keys of the welcome.
pub const WELCOME: &[Binding] = &[
    bind(
        &[Chord::key(KeyCode::Enter), Chord::key(KeyCode::Esc)],
        Action::Choose,
        Words::new("Begin", "Beginnen"),
        Words::new("Opens the course.", "Öffnet den Kurs."),
        true,
    ),
    bind(
        &[Chord::char('p')],
        Action::Placement,
        Words::new("Where to begin", "Wo anfangen"),
        Words::new(
            "Six questions find the lesson to begin with.",
            "Sechs Fragen finden die Lektion, mit der du anfängst.",
        ),
        true,
    ),
];

/// Keys of the question before a statement runs.
pub const FORETELLING: &[Binding] = &[
    bind(
        &[Chord::key(KeyCode::Enter)],
        Action::Choose,
        Words::new("Predict and run", "Vorhersagen, ausführen"),
        Words::new("Notes the prediction and runs the statement.", "Merkt die Vorhersage und führt die Anweisung aus."),
        true,
    ),
    bind(
        &[Chord::key(KeyCode::Esc)],
        Action::Back,
        Words::new("Just run it", "Nur ausführen"),
        Words::new("Runs the statement without a prediction.", "Führt die Anweisung ohne Vorhersage aus."),
        true,
    ),
    bind(
        &[Chord::key(KeyCode::Right), Chord::key(KeyCode::Tab)],
        Action::Surer,
        Words::new("Surer", "Sicherer"),
        Words::new("Claims to be surer.", "Sagt, dass du sicherer bist."),
        true,
    ),
    bind(
        &[Chord::key(KeyCode::Left), Chord::key(KeyCode::BackTab)],
        Action::LessSure,
        Words::new("Less sure", "Unsicherer"),
        Words::new("Claims to be less sure.", "Sagt, dass du weniger sicher bist."),
        true,
    ),
    bind(
        &[Chord::key(KeyCode::Up)],
        Action::Up,
        Words::new("Up", "Auf"),
        Words::new("Chooses what stands above.", "Wählt, was darüber steht."),
        false,
    ),
    bind(
        &[Chord::key(KeyCode::Down)],
        Action::Down,
        Words::new("Down", "Ab"),
        Words::new("Chooses what stands below.", "Wählt, was darunter steht."),
        false,
    ),
];

/// Keys of the placement.
pub const PLACING: &[Binding] = &[
    bind(
        &[Chord::key(KeyCode::Enter)],
        Action::Choose,
        Words::new("Choose", "Wählen"),
        Words::new("Chooses the answer, then goes on.", "Wählt die Antwort, dann geht es weiter."),
        true,
    ),
    bind(
        &[Chord::key(KeyCode::Right), Chord::char('n')],
        Action::NextLesson,
        Words::new("Next", "Weiter"),
        Words::new("Goes to the next question.", "Geht zur nächsten Frage."),
        true,
    ),
    bind(
        &[Chord::key(KeyCode::Left), Chord::char('b')],
        Action::PreviousLesson,
        Words::new("Previous", "Zurück"),
        Words::new("Goes to the question before.", "Geht zur vorigen Frage."),
        true,
    ),
    bind(
        &[Chord::key(KeyCode::Esc)],
        Action::Back,
        Words::new("Leave", "Verlassen"),
        Words::new("Leaves the questions; nothing changes.", "Verlässt die Fragen; nichts ändert sich."),
        true,
    ),
];

/// Keys of a page that is read over another screen.
pub const CLOSING: &[Binding] = &[bind(
    &[Chord::key(KeyCode::Esc), Chord::key(KeyCode::Enter), Chord::char('q')],
    Action::Back,
    Words::new("Back", "Zurück"),
    Words::new("Closes the page.", "Schließt die Seite."),
    true,
)];

/// Keys of a page that is read over another screen.
pub const READ: &[Binding] = &[bind(
    &[Chord::key(KeyCode::Esc), Chord::key(KeyCode::Enter)],
    Action::Back,
    Words::new("Back", "Zurück"),
    Words::new("Closes the page.", "Schließt die Seite."),
    true,
)];

/// Keys that work over every list.
pub const LEAVING: &[Binding] = &[bind(
    &[Chord::ctrl(KeyCode::Char('q')), Chord::f(10)],
    Action::Quit,
    Words::new("Quit", "Ende"),
    Words::new(
        "Leaves Pegboard; text, place and settings are kept.",
        "Verlässt Pegboard; Text, Ort und Einstellungen bleiben.",
    ),
    true,
)];
