//! A passed answer broken in realistic ways: the questions, and what their answers do to the review deck.

use crate::course::{CheckKind, Deed, Exercise};
use crate::engine::Database;
use crate::grade::data_text;
use crate::pitfall::{Quiz, quizzes};
use crate::shell::{Limits, Shell};
use crate::tui::model::Model;
use crate::value::Source;

impl Model {
    /// The questions about the answer that passed last, on the shown data of its exercise; none before one has passed.
    #[must_use]
    pub fn quizzes(&self) -> Vec<Quiz> {
        let (Some(text), Some(exercise)) = (&self.passed, self.place.as_exercise(&self.pack)) else {
            return Vec::new();
        };
        let mut maker = Shell::new(Database::new(Source::seeded(1)), Limits::default());
        maker.run(&data_text(exercise, 0, 0));
        let database = maker.host().clone();
        quizzes(text, &probes(exercise), &database, self.settings.lang)
    }

    /// Counts an answer: a wrong one puts the pitfall of the break into the review deck, a right one moves it on.
    pub fn answered(&mut self, quiz: &Quiz, right: bool) {
        let Some(finding) = quiz.pitfall.map(str::to_owned) else { return };
        let today = self.today;
        self.deed(if right {
            Deed::Reviewed { finding, today }
        } else {
            Deed::Slipped { finding, place: self.place.id().to_owned(), text: quiz.broken.clone(), today }
        });
    }
}

/// What is asked behind an answer that only makes indexes: the questions that its exercise probes them with.
fn probes(exercise: &Exercise) -> Vec<String> {
    let checks = &exercise.spec.checks;
    if checks.iter().any(|check| matches!(check.kind, CheckKind::Result { .. })) {
        return Vec::new();
    }
    let queries = checks.iter().filter_map(|check| match &check.kind {
        CheckKind::Probe { queries, .. } => Some(queries.clone()),
        _ => None,
    });
    queries.flatten().collect()
}
