//! What of a pack can be proven without running it: ids and links resolve, languages are whole, steps fit the page.

use unicode_width::UnicodeWidthStr;

use super::exercise::Exercise;
use super::lesson::{Block, Lesson, Reading, Step};
use super::pack::Pack;
use super::plain::{COLUMNS, LINES, plain_step};
use super::problem::Problem;

/// The panes a lesson may point to.
pub const SCREENS: [&str; 5] = ["result", "plans", "pitfalls", "index", "data"];

/// How many right and wrong answers prove an exercise.
const ANSWERS: usize = 3;

impl Pack {
    /// All faults that show without running anything.
    #[must_use]
    pub fn inspect(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for lesson in self.lessons.iter().chain(&self.placement) {
            self.inspect_lesson(lesson, &mut problems);
        }
        for exercise in &self.exercises {
            self.inspect_exercise(exercise, &mut problems);
        }
        problems
    }

    /// Whether some text of the pack is there in German; then all of it has to be. A pack may be in one language, whatever it
    /// is.
    fn has_german(&self) -> bool {
        let of = |exercise: &Exercise| {
            let hints = exercise.hints.iter().chain([&exercise.task, &exercise.spec.title]);
            hints
                .chain(exercise.spec.checks.iter().flat_map(|check| [&check.name, &check.hint]))
                .any(|text| !text.de.is_empty())
        };
        let lessons = self.lessons.iter().chain(&self.placement);
        lessons.into_iter().any(|lesson| lesson.de.is_some()) || self.exercises.iter().any(of)
    }

    fn inspect_lesson(&self, lesson: &Lesson, problems: &mut Vec<Problem>) {
        let file = &lesson.en.file;
        let named = |what: &str, ids: &[String], known: &dyn Fn(&str) -> bool| -> Vec<Problem> {
            let unknown = ids.iter().filter(|id| !known(id));
            let say =
                |id: &String| self.files.fault(file, 1, &format!("\"{id}\""), format!("there is no {what} `{id}`"));
            unknown.map(say).collect()
        };
        problems.extend(named("lesson", &lesson.prerequisites, &|id| self.lesson(id).is_some()));
        problems.extend(named("exercise", &lesson.exercises, &|id| self.exercise(id).is_some()));
        problems.extend(named("term", &lesson.terms, &|id| self.glossary.get(id).is_some()));
        self.prerequisites_come_before(lesson, problems);
        match &lesson.de {
            Some(german) => self.inspect_reading(german, problems),
            None if self.has_german() => {
                problems.push(Problem::of_file(file, "there is no German text, and other parts of the pack have one"));
            }
            None => {}
        }
        self.inspect_reading(&lesson.en, problems);
    }

    /// Every prerequisite stands earlier in the course, so that none leads in a circle.
    fn prerequisites_come_before(&self, lesson: &Lesson, problems: &mut Vec<Problem>) {
        let position = |id: &str| self.lessons.iter().position(|known| known.id == id);
        let Some(here) = position(&lesson.id) else { return };
        for id in lesson.prerequisites.iter().filter(|id| position(id).is_some_and(|there| there >= here)) {
            let message = format!("the prerequisite `{id}` does not stand before this lesson");
            problems.push(self.files.fault(&lesson.en.file, 1, &format!("\"{id}\""), message));
        }
    }

    fn inspect_reading(&self, reading: &Reading, problems: &mut Vec<Problem>) {
        for step in &reading.steps {
            fits(&reading.file, step, problems);
            for block in &step.blocks {
                if let Block::Prose(text) = block {
                    self.links(&reading.file, step.line, text, problems);
                }
            }
            let predictions = step.blocks.iter().filter_map(|block| match block {
                Block::Predict(predict) => Some(predict.line),
                _ => None,
            });
            let say = |line| Problem::new(&reading.file, line, 1, "a step asks for one prediction at most");
            problems.extend(predictions.skip(1).map(say));
        }
    }

    fn links(&self, file: &str, line: usize, text: &str, problems: &mut Vec<Problem>) {
        for (kind, id) in targets(text) {
            let known = match kind {
                "term" => self.glossary.get(id).is_some(),
                "lesson" => self.lesson(id).is_some(),
                "exercise" => self.exercise(id).is_some(),
                "screen" => SCREENS.contains(&id),
                "https" | "http" => true,
                _ => false,
            };
            if !known {
                let link = format!("{kind}:{id}");
                problems.push(self.files.fault(file, line, &link, format!("the link `{link}` leads nowhere")));
            }
        }
    }

    fn inspect_exercise(&self, exercise: &Exercise, problems: &mut Vec<Problem>) {
        let file = |name: &str| format!("exercises/{}/{name}", exercise.folder);
        let json = file("exercise.json");
        for id in exercise.spec.lessons.iter().filter(|id| self.lesson(id).is_none()) {
            problems.push(self.files.fault(&json, 1, &format!("\"{id}\""), format!("there is no lesson `{id}`")));
        }
        let twins = self.exercises.iter().filter(|other| other.spec.id.eq_ignore_ascii_case(&exercise.spec.id));
        if twins.count() > 1 {
            let message = format!("another exercise has the id `{}` too", exercise.spec.id);
            problems.push(self.files.fault(&json, 1, &format!("\"{}\"", exercise.spec.id), message));
        }
        let mut say = |name: &str, message: String| problems.push(Problem::of_file(&file(name), message));
        if exercise.hints.len() != 3 {
            say("hints.md", format!("{} hints; an exercise has three, from a nudge to the way", exercise.hints.len()));
        }
        let german = self.has_german();
        if german && (exercise.task.de.is_empty() || exercise.hints.iter().any(|hint| hint.de.is_empty())) {
            say("task.de.md", "the German task or hints are missing, and other parts of the pack have them".into());
        }
        if german && exercise.spec.checks.iter().any(|check| check.name.de.is_empty()) {
            say("exercise.json", "a check has no German name".into());
        }
        for (folder, answers) in [("solutions", &exercise.solutions), ("wrong", &exercise.wrong)] {
            if answers.len() < ANSWERS {
                say(folder, format!("answers: {}; at least {ANSWERS} prove the judging", answers.len()));
            }
        }
        if !exercise.solutions.iter().any(|answer| answer.file.ends_with("/model.js")) {
            say("solutions/model.js", "this file is missing".into());
        }
        for answer in exercise.wrong.iter().filter(|answer| answer.caught_by.is_empty()) {
            problems.push(Problem::new(&answer.file, 1, 1, "say what catches it: `// caught-by: …`"));
        }
    }
}

fn fits(file: &str, step: &Step, problems: &mut Vec<Problem>) {
    let lines = plain_step(step);
    if lines.len() > LINES {
        let message = format!("this step has {} lines; {LINES} fit the page", lines.len());
        problems.push(Problem::new(file, step.line, 1, message));
    }
    for wide in lines.iter().filter(|line| line.width() > COLUMNS) {
        let message = format!("this step has a line of {} columns; {COLUMNS} fit: {wide}", wide.width());
        problems.push(Problem::new(file, step.line, 1, message));
    }
}

/// The kind and id of each link in a text.
fn targets(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.match_indices("](").filter_map(|(at, _)| {
        let rest = &text[at + 2..];
        rest[..rest.find(')')?].split_once(':')
    })
}
