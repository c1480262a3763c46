//! What to do next at the desk, for learners who want to be told.

use crate::tui::answer::View;
use crate::tui::model::Model;
use crate::tui::page::Target;
use crate::tui::screens::study::desk::Pane;
use crate::tui::screens::study::draw::NOTHING_RUN;
use crate::tui::screens::study::screen::Study;
use crate::words::Words;

const TO_TAKE: Words = Words::new(
    "Enter takes the next ▸ statement into the editor, → goes to the next step.",
    "Enter holt die nächste ▸-Anweisung in den Editor, → geht zum nächsten Schritt.",
);
const TO_CHOOSE: Words = Words::new(
    "↓ and ↑ go to an answer ( ), Enter chooses it and says why it is right or not.",
    "↓ und ↑ gehen zu einer Antwort ( ), Enter wählt sie und sagt, ob sie stimmt.",
);
const TO_READ: Words = Words::new(
    "→ goes to the next step, ← to the one before. Tab goes to the editor.",
    "→ geht zum nächsten Schritt, ← zum vorigen. Tab geht zum Editor.",
);
const TO_FOLLOW: Words = Words::new(
    "Enter opens what stands out in this paragraph, → goes to the next step.",
    "Enter öffnet, was in diesem Absatz hervorsteht, → geht zum nächsten Schritt.",
);
const TO_PREDICT: Words = Words::new(
    "Enter asks for your prediction, then runs it.",
    "Enter fragt nach deiner Vorhersage und führt dann aus.",
);
const TO_WRITE: Words = Words::new(
    "Write a statement, F5 runs it. Tab goes to the answer, Esc to the lesson.",
    "Schreib eine Anweisung, F5 führt sie aus. Tab: Antwort, Esc: Lektion.",
);
const TO_MEND: Words = Words::new(
    "The place is underlined in the editor too; F3 goes there.",
    "Die Stelle ist auch im Editor unterstrichen; F3 geht dorthin.",
);
const TO_SOLVE: Words = Words::new(
    "Tab goes to the editor: write your answer there, F5 tries it, F8 has it judged.",
    "Tab geht zum Editor: Schreib dort die Antwort, F5 probiert, F8 bewertet sie.",
);
const TO_ANSWER: Words = Words::new(
    "F5 tries the statement, F8 has it judged on fresh data, Alt-H gives a hint.",
    "F5 probiert, F8 bewertet auf frischen Daten, Alt-H gibt einen Tipp.",
);
const TO_IMPROVE: Words = Words::new(
    "F2 goes to the task, F3 to the editor; Alt-H gives a hint, Alt-N goes on.",
    "F2 geht zur Aufgabe, F3 zum Editor; Alt-H gibt einen Tipp, Alt-N geht weiter.",
);
const TO_RESET: Words = Words::new(
    "F5 runs on what the last run left; Alt-R puts the data back as it was.",
    "F5 läuft auf dem, was der letzte Lauf hinterließ; Alt-R stellt es zurück.",
);

const TO_CURE: Words = Words::new(
    "Mistakes proven on your data. The fix is yours to write: Esc goes to the editor.",
    "An deinen Daten bewiesen. Die Abhilfe schreibst du: Esc geht zum Editor.",
);

impl Study {
    /// What is to be said of the place the cursor is in, or else what can be done here.
    pub(super) fn next(&self, model: &Model) -> String {
        if let Some(message) = self.message_at_cursor(model) {
            return message;
        }
        let words = match (self.focus, &model.answer) {
            (Pane::Text, _) => match self.text.target() {
                Some(Target::Take(_)) if !self.solving => TO_TAKE,
                Some(Target::Answer { .. }) => TO_CHOOSE,
                Some(Target::Links(_)) => TO_FOLLOW,
                Some(Target::Predict(_)) => TO_PREDICT,
                _ if self.solving => TO_SOLVE,
                _ => TO_READ,
            },
            (Pane::Editor, _) if self.solving => TO_ANSWER,
            (Pane::Editor, _) => TO_WRITE,
            (Pane::Answer, _) if self.view == View::Result && model.report.is_some() => TO_IMPROVE,
            (Pane::Answer, Some(answer)) if self.solving && self.view == View::Result && answer.failed() => TO_RESET,
            (Pane::Answer, None) if self.view != View::Data && model.report.is_none() => NOTHING_RUN,
            (Pane::Answer, Some(answer)) if self.view == View::Result && answer.failed() => TO_MEND,
            (Pane::Answer, Some(answer)) if self.view == View::Pitfalls && answer.withholds(None) => TO_CURE,
            (Pane::Answer, _) => self.view.advice(),
        };
        words.get(model.settings.lang).to_owned()
    }

    /// What is to be said of the underlined place that the cursor is in.
    fn message_at_cursor(&self, model: &Model) -> Option<String> {
        let cursor = self.editor.cursor();
        let touches = |span: &std::ops::Range<usize>| span.start <= cursor && cursor <= span.end;
        let here = self.editor.underlined.iter().find(|(span, _)| touches(span))?;
        (self.focus == Pane::Editor).then(|| model.answer.as_ref()?.message(&here.0)).flatten()
    }
}
