//! What the learner can ask for, and what it is called.

use crate::words::Words;

/// Something the learner can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Runs what is in the editor.
    Run,
    /// Judges the exercise.
    Check,
    /// Shows the next hint of the exercise.
    Hint,
    /// Shows the solution of the exercise.
    Solution,
    /// Claims to be surer of a prediction.
    Surer,
    /// Claims to be less sure of a prediction.
    LessSure,
    /// Opens the questions that find where to begin.
    Placement,
    /// Lists the slips that come back.
    Review,
    /// Lists every pitfall.
    AllPitfalls,
    /// Opens the summary of what was done.
    Summary,
    /// Puts the starter of the exercise, or the lesson's next statement, into the editor.
    Take,
    /// Goes to the next pane.
    NextPane,
    /// Goes to the pane before.
    PreviousPane,
    /// Goes to the lesson.
    Lesson,
    /// Goes to the editor.
    Editor,
    /// Goes to the answer.
    Answer,
    /// Shows the documents.
    Result,
    /// Shows the plans of every design.
    Plans,
    /// Shows the findings.
    Pitfalls,
    /// Walks the index.
    Index,
    /// Shows collections, indexes and presence.
    Data,
    /// Shows the view to the right.
    NextView,
    /// Shows the view to the left.
    PreviousView,
    /// Makes one pane as large as the screen, or small again.
    Zoom,
    /// Puts the fix of the finding into the editor.
    Fix,
    /// Tries the fix on a copy of the data.
    Try,
    /// Keeps this run to compare the next with, or lets it go.
    Compare,
    /// Says why a document matched or not.
    Why,
    /// Breaks the passed answer and asks what gives it away.
    Break,
    /// Moves the cursor up.
    Up,
    /// Moves the cursor down.
    Down,
    /// Moves a page up.
    PageUp,
    /// Moves a page down.
    PageDown,
    /// Moves to the start.
    Home,
    /// Moves to the end.
    End,
    /// Chooses what is under the cursor.
    Choose,
    /// Changes how documents are shown: tree, table, JSON.
    Shape,
    /// Copies what is shown.
    Copy,
    /// Opens the next lesson.
    NextLesson,
    /// Opens the lesson before.
    PreviousLesson,
    /// The statement run before.
    Earlier,
    /// The statement run after.
    Later,
    /// Searches what was run.
    History,
    /// Finds a line in what is shown.
    Find,
    /// Makes the lesson narrower.
    Narrower,
    /// Makes the lesson wider.
    Wider,
    /// Makes the editor higher.
    Higher,
    /// Makes the editor lower.
    Lower,
    /// Takes back the last edit.
    Undo,
    /// Brings back what was taken back.
    Redo,
    /// Offers words that fit at the cursor.
    Complete,
    /// Sets the text in the usual layout.
    Format,
    /// Empties the editor.
    Clear,
    /// Opens the text in the learner's own editor.
    External,
    /// Puts the lesson's data back as it was.
    Reset,
    /// Opens the course map.
    Map,
    /// Opens the cost lab.
    Lab,
    /// Opens the glossary.
    Glossary,
    /// Searches everything.
    Search,
    /// Opens the settings.
    Settings,
    /// Opens the palette.
    Palette,
    /// Opens the help of this screen.
    Help,
    /// Switches learning mode, in which the footer says what each key will do.
    Learning,
    /// Gives the mouse back to the terminal, or takes it.
    Mouse,
    /// Goes back.
    Back,
    /// Stops the program until the shell continues it.
    Suspend,
    /// Leaves the program.
    Quit,
}

/// What each action is called: two words for the footer, and one sentence for help, palette and learning mode.
const TABLE: &[(Action, Words, Words)] = &[
    (
        Action::Run,
        Words::new("Run", "Ausführen"),
        Words::new("Runs what is in the editor.", "Führt aus, was im Editor steht."),
    ),
    (
        Action::Check,
        Words::new("Check", "Prüfen"),
        Words::new("Judges your answer to the exercise.", "Bewertet die Antwort auf die Aufgabe."),
    ),
    (
        Action::Hint,
        Words::new("Hint", "Tipp"),
        Words::new("Shows the next hint of the exercise.", "Zeigt den nächsten Tipp der Aufgabe."),
    ),
    (
        Action::Solution,
        Words::new("Solution", "Lösung"),
        Words::new(
            "Shows the solution of the exercise; before it is passed this costs the points.",
            "Zeigt die Lösung der Aufgabe; bevor sie bestanden ist, kostet das die Punkte.",
        ),
    ),
    (Action::Surer, Words::new("Surer", "Sicherer"), Words::new("Claims to be surer.", "Sagt, dass du sicherer bist.")),
    (
        Action::LessSure,
        Words::new("Less sure", "Unsicherer"),
        Words::new("Claims to be less sure.", "Sagt, dass du weniger sicher bist."),
    ),
    (
        Action::Placement,
        Words::new("Where to begin", "Wo anfangen"),
        Words::new(
            "A few questions find the lesson to begin with.",
            "Ein paar Fragen finden die Lektion, mit der du anfängst.",
        ),
    ),
    (
        Action::Review,
        Words::new("Review", "Wiederholen"),
        Words::new(
            "Brings your own slips back, with fresh data.",
            "Bringt deine eigenen Fehler wieder, mit frischen Daten.",
        ),
    ),
    (
        Action::AllPitfalls,
        Words::new("All pitfalls", "Alle Fallen"),
        Words::new("Lists every pitfall that is noticed.", "Listet alle Fallen auf, die bemerkt werden."),
    ),
    (
        Action::Summary,
        Words::new("Summary", "Rückblick"),
        Words::new(
            "Lessons, points, predictions and slips so far.",
            "Lektionen, Punkte, Vorhersagen und Fehler bis hierher.",
        ),
    ),
    (
        Action::Take,
        Words::new("Take", "Übernehmen"),
        Words::new(
            "Takes the next statement of the lesson, or the starter of the exercise, into the editor.",
            "Holt die nächste Anweisung der Lektion oder den Anfang der Aufgabe in den Editor.",
        ),
    ),
    (
        Action::NextPane,
        Words::new("Pane", "Bereich"),
        Words::new("Goes to the next pane.", "Geht zum nächsten Bereich."),
    ),
    (
        Action::PreviousPane,
        Words::new("Pane before", "Bereich zurück"),
        Words::new("Goes to the pane before.", "Geht zum vorigen Bereich."),
    ),
    (Action::Lesson, Words::new("Lesson", "Lektion"), Words::new("Goes to the lesson text.", "Geht zum Lektionstext.")),
    (Action::Editor, Words::new("Editor", "Editor"), Words::new("Goes to the editor.", "Geht zum Editor.")),
    (Action::Answer, Words::new("Answer", "Antwort"), Words::new("Goes to the answer.", "Geht zur Antwort.")),
    (
        Action::Result,
        Words::new("Result", "Ergebnis"),
        Words::new("Shows the documents of the answer.", "Zeigt die Dokumente der Antwort."),
    ),
    (
        Action::Plans,
        Words::new("Plans", "Pläne"),
        Words::new(
            "The duel: how each design answers, plan, bounds, cost.",
            "Das Duell: wie jeder Entwurf antwortet, Plan, Kosten.",
        ),
    ),
    (
        Action::Pitfalls,
        Words::new("Pitfalls", "Fallen"),
        Words::new("Shows the mistakes found, with proof and fix.", "Zeigt gefundene Fehler mit Beweis und Abhilfe."),
    ),
    (
        Action::Index,
        Words::new("Index", "Index"),
        Words::new("Walks through the index the way the scan did.", "Geht den Index so ab, wie der Scan es tat."),
    ),
    (
        Action::Data,
        Words::new("Data", "Daten"),
        Words::new(
            "Shows collections, indexes, and which field is where.",
            "Zeigt Collections, Indexe und welches Feld wo steht.",
        ),
    ),
    (
        Action::NextView,
        Words::new("Next view", "Nächste Ansicht"),
        Words::new("Shows the next view of the answer.", "Zeigt die nächste Ansicht der Antwort."),
    ),
    (
        Action::PreviousView,
        Words::new("View before", "Ansicht davor"),
        Words::new("Shows the view before.", "Zeigt die vorige Ansicht."),
    ),
    (
        Action::Zoom,
        Words::new("Zoom", "Zoom"),
        Words::new(
            "Makes this pane as large as the screen, or small again.",
            "Macht diesen Bereich so groß wie den Schirm oder wieder klein.",
        ),
    ),
    (
        Action::Fix,
        Words::new("Fix", "Beheben"),
        Words::new(
            "Puts the fix of the first finding into the editor.",
            "Setzt die Abhilfe des ersten Befunds in den Editor.",
        ),
    ),
    (
        Action::Compare,
        Words::new("Compare", "Vergleichen"),
        Words::new(
            "Keeps this run, so that the next one's plans stand beside its; again lets it go.",
            "Merkt diesen Lauf, damit die Pläne des nächsten daneben stehen; nochmals lässt ihn los.",
        ),
    ),
    (
        Action::Lab,
        Words::new("Cost lab", "Kostenlabor"),
        Words::new(
            "Opens the cost lab: every design built at growing sizes and measured.",
            "Öffnet das Kostenlabor: jeder Entwurf in wachsenden Größen gebaut und gemessen.",
        ),
    ),
    (
        Action::Try,
        Words::new("Try fix", "Abhilfe proben"),
        Words::new(
            "Tries the fix of this finding on a copy of the data.",
            "Probiert die Abhilfe dieses Befunds an einer Kopie der Daten.",
        ),
    ),
    (
        Action::Break,
        Words::new("Break it", "Kaputt machen"),
        Words::new(
            "Breaks the answer that passed in one place and asks what gives it away.",
            "Macht die bestandene Antwort an einer Stelle kaputt und fragt, was es verrät.",
        ),
    ),
    (
        Action::Why,
        Words::new("Why?", "Warum?"),
        Words::new(
            "Says why this document matched, or why another one did not.",
            "Sagt, warum dieses Dokument passt oder ein anderes nicht.",
        ),
    ),
    (Action::Up, Words::new("Up", "Auf"), Words::new("Moves up.", "Geht nach oben.")),
    (Action::Down, Words::new("Down", "Ab"), Words::new("Moves down.", "Geht nach unten.")),
    (Action::PageUp, Words::new("Page up", "Seite auf"), Words::new("Moves a page up.", "Geht eine Seite nach oben.")),
    (
        Action::PageDown,
        Words::new("Page down", "Seite ab"),
        Words::new("Moves a page down.", "Geht eine Seite nach unten."),
    ),
    (Action::Home, Words::new("Start", "Anfang"), Words::new("Moves to the start.", "Geht an den Anfang.")),
    (Action::End, Words::new("End", "Schluss"), Words::new("Moves to the end.", "Geht an den Schluss.")),
    (
        Action::Choose,
        Words::new("Take", "Übernehmen"),
        Words::new(
            "Takes the statement under the cursor into the editor.",
            "Holt die Anweisung unter dem Cursor in den Editor.",
        ),
    ),
    (
        Action::Shape,
        Words::new("Shape", "Form"),
        Words::new("Shows documents as tree, table or JSON.", "Zeigt Dokumente als Baum, Tabelle oder JSON."),
    ),
    (
        Action::Copy,
        Words::new("Copy", "Kopieren"),
        Words::new(
            "Copies the selection, or the whole text, to the clipboard.",
            "Kopiert die Auswahl oder den ganzen Text in die Zwischenablage.",
        ),
    ),
    (
        Action::NextLesson,
        Words::new("Next", "Weiter"),
        Words::new(
            "Goes on: the next step, then the next lesson.",
            "Geht weiter: nächster Schritt, dann nächste Lektion.",
        ),
    ),
    (
        Action::PreviousLesson,
        Words::new("Previous", "Zurück"),
        Words::new("Goes back a step, then a lesson.", "Geht einen Schritt, dann eine Lektion zurück."),
    ),
    (
        Action::Earlier,
        Words::new("Earlier", "Früher"),
        Words::new("Brings back the statement run before.", "Holt die zuvor ausgeführte Anweisung."),
    ),
    (
        Action::Later,
        Words::new("Later", "Später"),
        Words::new("Goes forward again in what was run.", "Geht im Ausgeführten wieder nach vorn."),
    ),
    (
        Action::History,
        Words::new("History", "Verlauf"),
        Words::new(
            "Searches what was run, the latest first.",
            "Sucht in dem, was ausgeführt wurde, das Jüngste zuerst.",
        ),
    ),
    (
        Action::Find,
        Words::new("Find", "Finden"),
        Words::new("Finds a line of this pane.", "Findet eine Zeile dieses Bereichs."),
    ),
    (
        Action::Narrower,
        Words::new("Narrower", "Schmaler"),
        Words::new("Gives the lesson less of a wide screen.", "Gibt der Lektion weniger von einem breiten Schirm."),
    ),
    (
        Action::Wider,
        Words::new("Wider", "Breiter"),
        Words::new("Gives the lesson more of a wide screen.", "Gibt der Lektion mehr von einem breiten Schirm."),
    ),
    (
        Action::Higher,
        Words::new("Higher", "Höher"),
        Words::new(
            "Gives the editor more of a wide screen's height.",
            "Gibt dem Editor mehr von der Höhe eines breiten Schirms.",
        ),
    ),
    (
        Action::Lower,
        Words::new("Lower", "Niedriger"),
        Words::new(
            "Gives the editor less of a wide screen's height.",
            "Gibt dem Editor weniger von der Höhe eines breiten Schirms.",
        ),
    ),
    (
        Action::Undo,
        Words::new("Undo", "Rückgängig"),
        Words::new("Takes back the last edit.", "Nimmt die letzte Änderung zurück."),
    ),
    (
        Action::Redo,
        Words::new("Redo", "Wiederholen"),
        Words::new("Brings back what was taken back.", "Stellt das Zurückgenommene wieder her."),
    ),
    (
        Action::Complete,
        Words::new("Complete", "Ergänzen"),
        Words::new("Offers words that fit at the cursor.", "Bietet Wörter an, die an den Cursor passen."),
    ),
    (
        Action::Format,
        Words::new("Lay out", "Ordnen"),
        Words::new("Sets the statement in the usual layout.", "Setzt die Anweisung in die übliche Form."),
    ),
    (
        Action::Clear,
        Words::new("Clear", "Leeren"),
        Words::new(
            "Empties the editor; undo brings the text back.",
            "Leert den Editor; Rückgängig holt den Text wieder.",
        ),
    ),
    (
        Action::External,
        Words::new("Own editor", "Eigener Editor"),
        Words::new(
            "Opens the text in the editor named by VISUAL or EDITOR.",
            "Öffnet den Text in dem Editor aus VISUAL oder EDITOR.",
        ),
    ),
    (
        Action::Reset,
        Words::new("Reset data", "Daten zurück"),
        Words::new(
            "Puts the lesson's data and indexes back as they were.",
            "Stellt Daten und Indexe der Lektion wieder her.",
        ),
    ),
    (
        Action::Map,
        Words::new("Course", "Kurs"),
        Words::new(
            "Opens the course map: lessons, exercises, what is done.",
            "Öffnet die Kurskarte: Lektionen, Aufgaben, Erledigtes.",
        ),
    ),
    (Action::Glossary, Words::new("Glossary", "Glossar"), Words::new("Opens the glossary.", "Öffnet das Glossar.")),
    (
        Action::Search,
        Words::new("Search", "Suche"),
        Words::new(
            "Searches lessons, exercises, words and pitfalls.",
            "Sucht in Lektionen, Aufgaben, Wörtern und Fallen.",
        ),
    ),
    (
        Action::Settings,
        Words::new("Settings", "Einstellungen"),
        Words::new("Opens the settings: language, colours, mouse.", "Öffnet die Einstellungen: Sprache, Farben, Maus."),
    ),
    (
        Action::Palette,
        Words::new("Menu", "Menü"),
        Words::new(
            "Lists everything that can be done, with its key.",
            "Listet alles auf, was man tun kann, mit der Taste dazu.",
        ),
    ),
    (
        Action::Help,
        Words::new("Help", "Hilfe"),
        Words::new(
            "Shows this screen's keys; type to search, Enter does one.",
            "Zeigt die Tasten hier; Tippen sucht, Enter führt aus.",
        ),
    ),
    (
        Action::Learning,
        Words::new("Learning mode", "Lernmodus"),
        Words::new(
            "Switches the line that says what each key will do.",
            "Schaltet die Zeile um, die sagt, was jede Taste tut.",
        ),
    ),
    (
        Action::Mouse,
        Words::new("Mouse", "Maus"),
        Words::new(
            "Gives the mouse back to the terminal, to select text there; again takes it.",
            "Gibt die Maus dem Terminal zurück, um dort Text zu wählen; nochmals nimmt sie.",
        ),
    ),
    (
        Action::Back,
        Words::new("Back", "Zurück"),
        Words::new(
            "Goes back: from the answer to the editor, to the lesson, to the course map.",
            "Geht zurück: von der Antwort zum Editor, zur Lektion, zur Kurskarte.",
        ),
    ),
    (
        Action::Suspend,
        Words::new("Suspend", "Anhalten"),
        Words::new(
            "Suspends Pegboard; fg in the shell brings it back.",
            "Hält Pegboard an; fg in der Shell holt es zurück.",
        ),
    ),
    (
        Action::Quit,
        Words::new("Quit", "Ende"),
        Words::new(
            "Leaves Pegboard; text, place and settings are kept.",
            "Verlässt Pegboard; Text, Ort und Einstellungen bleiben.",
        ),
    ),
];

impl Action {
    /// Two words for the footer, and one sentence for help, palette and learning mode.
    ///
    /// # Panics
    /// Never: the table names every action.
    #[must_use]
    pub fn words(self) -> (Words, Words) {
        let row = TABLE.iter().find(|(action, ..)| *action == self).expect("the table names every action");
        (row.1, row.2)
    }
}
