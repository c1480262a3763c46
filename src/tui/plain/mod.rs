//! The app as plain text: the course and every view as words in reading order, for pipes, dumb terminals and screen readers.

use std::io::{self, BufRead, Write};

use crate::course::Confidence;
use crate::shell;
use crate::tui::answer::View;
use crate::tui::model::Model;
use crate::tui::page::{Page, Target};
use crate::tui::pages::{self, listing};
use crate::tui::place::Place;
use crate::words::{Lang, Words};

mod commands;

use commands::Does;

const HOW: Words =
    Words::new("(Type a statement, or :next, :help, :quit.)", "(Eine Anweisung schreiben, oder :next, :help, :quit.)");
const UNKNOWN: Words =
    Words::new("No such command. :help lists them.", "Diesen Befehl gibt es nicht. :help nennt alle.");
const PREDICT: Words = Words::new(
    "Predict before it runs: {ask}
Write {what} and how sure you are from 1 to 3, such as `{example} 2`. An empty line just runs it.",
    "Erst vorhersagen: {ask}
Schreib {what} und wie sicher du bist von 1 bis 3, etwa `{example} 2`. Eine leere Zeile führt nur aus.",
);
const NOT_RUN: Words = Words::new("The statement has not run yet.", "Die Anweisung ist noch nicht gelaufen.");
const NOTHING_RUN: Words = Words::new("Nothing has been run here yet.", "Hier wurde noch nichts ausgeführt.");
const A_NUMBER: Words = Words::new("a number", "eine Zahl");
const ONE_OF: Words = Words::new("one of {list}", "eins von {list}");
const NO_ANSWER: Words = Words::new(
    "That is no answer to it. Again, or an empty line to go on.",
    "Das ist keine Antwort darauf. Noch einmal, oder eine leere Zeile zum Weitergehen.",
);
const PICK: Words = Words::new(
    "Write a number from 1 to {all}, or an empty line for no idea.",
    "Schreib eine Zahl von 1 bis {all}, oder eine leere Zeile für „keine Ahnung“.",
);
const JUDGE: Words = Words::new(
    "(:check judges your last statement, :hint shows a hint, :solution the solution.)",
    "(:check bewertet die letzte Anweisung, :hint zeigt einen Tipp, :solution die Lösung.)",
);
const NO_PLACE: Words = Words::new("There is nothing there.", "Dort ist nichts.");

/// Reads statements and commands until the input ends, and answers in words; `prompt` is written before each line.
///
/// # Errors
/// What input or output refuse.
pub fn run(model: &mut Model, input: impl BufRead, output: &mut dyn Write, prompt: &str) -> io::Result<()> {
    let mut plain = Plain { model, taken: 0, asked: 0, asking: Asking::Nothing };
    for warning in &plain.model.warnings {
        writeln!(output, "{warning}\n")?;
    }
    plain.text(output)?;
    writeln!(output, "{}", HOW.get(plain.lang()))?;
    let mut text = String::new();
    write!(output, "{prompt}")?;
    output.flush()?;
    for line in input.lines() {
        let line = line?;
        if plain.asking != Asking::Nothing && !line.trim_start().starts_with(':') {
            plain.reply(line.trim(), output)?;
        } else if text.is_empty() && line.trim_start().starts_with(':') {
            let asked = std::mem::replace(&mut plain.asking, Asking::Nothing);
            let place = plain.model.place.clone();
            if !plain.command(line.trim(), output)? {
                break;
            }
            plain.notice(output)?;
            if plain.model.place == place {
                plain.ask_again(asked, output)?;
            }
        } else {
            text.push_str(&line);
            text.push('\n');
            if !shell::is_open(&text) {
                plain.statement(&std::mem::take(&mut text), output)?;
            }
        }
        write!(output, "{prompt}")?;
        output.flush()?;
    }
    if !text.trim().is_empty() {
        plain.statement(&text, output)?;
    }
    plain.model.save();
    if let Some(trouble) = &plain.model.trouble {
        writeln!(output, "{trouble}")?;
    }
    Ok(())
}

fn tell(output: &mut dyn Write, page: &Page) -> io::Result<()> {
    writeln!(output, "{}\n", page.read_out().trim_end())
}

/// The position of a finding by its number from 1.
fn finding(number: &str) -> Option<usize> {
    number.trim().parse::<usize>().ok()?.checked_sub(1)
}

/// What the next line answers.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Asking {
    /// Nothing: it is a statement.
    Nothing,
    /// The prediction of a block.
    Prediction(usize),
    /// The next question of the placement, with the choices made so far.
    Placement { chosen: Vec<Option<usize>> },
}

struct Plain<'a> {
    model: &'a mut Model,
    taken: usize,
    /// How many questions about a broken answer were answered.
    asked: usize,
    asking: Asking,
}

impl Plain<'_> {
    fn lang(&self) -> Lang {
        self.model.settings.lang
    }

    /// Runs a statement and tells its result; what the step asks to predict is asked first.
    fn statement(&mut self, text: &str, output: &mut dyn Write) -> io::Result<()> {
        if text.trim().is_empty() {
            return Ok(());
        }
        if let Some(block) = self.model.predictable(text) {
            self.asking = Asking::Prediction(block);
            return self.ask_prediction(block, output);
        }
        self.model.run(text.trim_end());
        self.views(output)
    }

    /// Tells the views of the last answer that have something to say.
    fn views(&mut self, output: &mut dyn Write) -> io::Result<()> {
        for view in [View::Result, View::Plans, View::Pitfalls] {
            let page = self.model.view(view, u16::MAX);
            let silent =
                view == View::Pitfalls && self.model.answer.as_ref().is_none_or(|answer| answer.findings() == 0);
            if !silent && !page.is_empty() {
                writeln!(output, "{}:", view.name().get(self.lang()))?;
                tell(output, &page)?;
            }
        }
        self.notice(output)
    }

    /// Tells what is to be said besides.
    fn notice(&mut self, output: &mut dyn Write) -> io::Result<()> {
        match self.model.verdict.take().or_else(|| self.model.notice.take()) {
            Some(line) => writeln!(output, "{}", line.read_out()),
            None => Ok(()),
        }
    }

    fn ask_prediction(&mut self, block: usize, output: &mut dyn Write) -> io::Result<()> {
        let lang = self.lang();
        self.model.catch_up(block);
        let choices = self.model.choices_of(block);
        let what = match choices.as_slice() {
            [] => A_NUMBER.get(lang).to_owned(),
            names => ONE_OF.fill(lang, &[("list", &names.join(", "))]),
        };
        let example = choices.first().map_or("4", String::as_str);
        let ask = self.model.prediction(block).map_or("", |predict| predict.ask.as_str());
        writeln!(output, "{}", PREDICT.fill(lang, &[("ask", ask), ("what", &what), ("example", example)]))
    }

    /// Asks again what was asked before a command, where that is open still and nothing else is asked.
    fn ask_again(&mut self, asked: Asking, output: &mut dyn Write) -> io::Result<()> {
        if self.asking != Asking::Nothing {
            return Ok(());
        }
        match asked {
            Asking::Prediction(block) if self.model.is_to_be_foretold(block) => {
                writeln!(output, "{}", NOT_RUN.get(self.lang()))?;
                self.asking = Asking::Prediction(block);
                self.ask_prediction(block, output)
            }
            Asking::Placement { chosen } => self.ask_placement(chosen, output),
            _ => Ok(()),
        }
    }

    /// Takes a line as the answer to what was asked.
    fn reply(&mut self, line: &str, output: &mut dyn Write) -> io::Result<()> {
        match std::mem::replace(&mut self.asking, Asking::Nothing) {
            Asking::Nothing => Ok(()),
            Asking::Prediction(block) => self.foretell(block, line, output),
            Asking::Placement { chosen } => self.place(chosen, line, output),
        }
    }

    fn foretell(&mut self, block: usize, line: &str, output: &mut dyn Write) -> io::Result<()> {
        let (answer, confidence) = match line.rsplit_once(' ').map(|(answer, level)| (answer.trim(), level.parse())) {
            Some((answer, Ok(level @ 1..=3))) => (answer, Confidence::of(level)),
            _ => (line, Confidence::default()),
        };
        let choices = self.model.choices_of(block);
        let fits = if choices.is_empty() {
            answer.bytes().all(|byte| byte.is_ascii_digit())
        } else {
            choices.iter().any(|choice| choice.eq_ignore_ascii_case(answer))
        };
        if !fits && !line.is_empty() {
            self.asking = Asking::Prediction(block);
            return writeln!(output, "{}", NO_ANSWER.get(self.lang()));
        }
        self.model.predict(block, (!line.is_empty()).then(|| (answer.to_owned(), confidence)));
        self.views(output)?;
        match self.model.prediction(block).map(|predict| predict.then.as_str()) {
            Some(then) if !then.is_empty() => writeln!(output, "{then}"),
            _ => Ok(()),
        }
    }

    /// Asks a question of the placement, or ends it behind the last.
    fn ask_placement(&mut self, chosen: Vec<Option<usize>>, output: &mut dyn Write) -> io::Result<()> {
        let lang = self.lang();
        let questions = self.model.pack.placement_questions(lang);
        let Some((_, question)) = questions.get(chosen.len()) else {
            let known = self.model.pack.known(lang, &chosen);
            self.model.begin_after(&known);
            self.model.save();
            return self.text(output);
        };
        writeln!(output, "{}/{} {}", chosen.len() + 1, questions.len(), question.ask)?;
        for (number, choice) in question.choices.iter().enumerate() {
            writeln!(output, "{}. {}", number + 1, choice.text)?;
        }
        writeln!(output, "{}", PICK.fill(lang, &[("all", &question.choices.len().to_string())]))?;
        self.asking = Asking::Placement { chosen };
        Ok(())
    }

    /// Takes the answer to a question of the placement and asks the next.
    fn place(&mut self, mut chosen: Vec<Option<usize>>, line: &str, output: &mut dyn Write) -> io::Result<()> {
        let questions = self.model.pack.placement_questions(self.lang());
        let Some((_, question)) = questions.get(chosen.len()) else { return Ok(()) };
        let number = finding(line).filter(|number| *number < question.choices.len());
        match number.map(|number| &question.choices[number]) {
            Some(choice) => {
                writeln!(output, "{} {}", if choice.right { "✓" } else { "✗" }, choice.why)?;
            }
            None if line.is_empty() => {}
            None => {
                self.asking = Asking::Placement { chosen };
                return writeln!(output, "{}", NO_ANSWER.get(self.lang()));
            }
        }
        chosen.push(number);
        self.ask_placement(chosen, output)
    }

    /// Answers the first open question of the step.
    fn choose(&mut self, number: &str, output: &mut dyn Write) -> io::Result<()> {
        let chosen = finding(number).and_then(|choice| self.model.choose_next(choice));
        let Some((right, text)) = chosen else { return writeln!(output, "{}", NO_PLACE.get(self.lang())) };
        writeln!(output, "{} {text}", if right { "✓" } else { "✗" })
    }

    /// Tells what a word means, by its name or id, or lists all.
    fn word(&mut self, name: &str, output: &mut dyn Write) -> io::Result<()> {
        let lang = self.lang();
        let terms = self.model.pack.glossary.sorted(lang);
        if name.is_empty() {
            let names: Vec<&str> = terms.iter().map(|(_, term)| term.name.get(lang)).collect();
            return writeln!(output, "{}", names.join(", "));
        }
        let is_it = |text: &str| text.eq_ignore_ascii_case(name);
        let found = terms
            .iter()
            .find(|(id, term)| is_it(id) || is_it(term.name.get(lang)) || term.also.iter().any(|other| is_it(other)));
        match found {
            Some((_, term)) => writeln!(output, "{}: {}", term.name.get(lang), term.text.get(lang)),
            None => writeln!(output, "{}", NO_PLACE.get(lang)),
        }
    }

    /// Asks what gives the passed answer away once it is broken, or answers with the Nth choice.
    fn broken(&mut self, number: &str, output: &mut dyn Write) -> io::Result<()> {
        let lang = self.lang();
        let quizzes = self.model.quizzes();
        let Some(quiz) = quizzes.get(self.asked % quizzes.len().max(1)) else {
            return writeln!(output, "{}", NO_PLACE.get(lang));
        };
        let chosen = finding(number).filter(|chosen| *chosen < quiz.choices.len());
        tell(output, &pages::breaking(0, quiz, chosen, lang))?;
        if let Some(chosen) = chosen {
            self.model.answered(quiz, quiz.choices[chosen].right);
            self.asked += 1;
        }
        Ok(())
    }

    /// Lists the slips, or begins the review of the Nth.
    fn review(&mut self, number: &str, output: &mut dyn Write) -> io::Result<()> {
        let ids: Vec<String> = self.model.slips().iter().map(|(id, _)| (*id).to_owned()).collect();
        let Some(id) = finding(number).and_then(|at| ids.get(at)) else {
            for (at, (id, slip)) in self.model.slips().iter().enumerate() {
                writeln!(output, "{}. {}", at + 1, self.model.slip_line(id, slip))?;
            }
            return if ids.is_empty() { writeln!(output, "{}", NO_PLACE.get(self.lang())) } else { Ok(()) };
        };
        self.model.save();
        self.model.begin_review(id);
        self.taken = 0;
        self.text(output)?;
        writeln!(output, "{}", self.model.draft.trim_end())
    }

    /// Tells the lesson or task.
    fn text(&self, output: &mut dyn Write) -> io::Result<()> {
        tell(output, &self.model.text())?;
        match self.model.place {
            Place::Exercise { .. } => writeln!(output, "{}", JUDGE.get(self.lang())),
            Place::Lesson { .. } => Ok(()),
        }
    }

    /// Does what a command says; false ends the program.
    fn command(&mut self, line: &str, output: &mut dyn Write) -> io::Result<bool> {
        let (name, operand) = line.split_once(' ').unwrap_or((line, ""));
        match commands::named(name) {
            Some(Does::End) => return Ok(false),
            Some(Does::Show(view)) => self.show(view, output)?,
            Some(Does::Act(act)) => act(self, operand.trim(), output)?,
            None => writeln!(output, "{}", UNKNOWN.get(self.lang()))?,
        }
        Ok(true)
    }

    /// Tells a view of the last answer, with all that the screen unfolds.
    fn show(&mut self, view: View, output: &mut dyn Write) -> io::Result<()> {
        if let (View::Pitfalls, Some(answer)) = (view, &mut self.model.answer) {
            answer.unfold_all();
        }
        let page = self.model.view(view, u16::MAX);
        if page.is_empty() {
            return writeln!(output, "{}", NOTHING_RUN.get(self.lang()));
        }
        tell(output, &page)?;
        match self.model.answer.as_ref().and_then(|answer| answer.walk.as_ref()) {
            Some(walk) if view == View::Index => tell(output, &listing(walk, self.lang())),
            _ => Ok(()),
        }
    }

    fn go(&mut self, place: Option<Place>, output: &mut dyn Write) -> io::Result<()> {
        let Some(place) = place else { return writeln!(output, "{}", NO_PLACE.get(self.lang())) };
        self.model.save();
        self.model.go(place);
        self.taken = 0;
        self.text(output)
    }

    /// Runs the fix of a finding.
    fn fix(&mut self, which: &str, output: &mut dyn Write) -> io::Result<()> {
        let fix = self.model.answer.as_ref().and_then(|answer| answer.fix(finding(which)));
        let Some(text) = fix.map(|(_, text)| text.to_owned()) else {
            return writeln!(output, "{}", NO_PLACE.get(self.lang()));
        };
        writeln!(output, "> {text}")?;
        self.statement(&text, output)
    }

    /// Says why a document matched or not: of an `_id`, or of the first that did and the first that did not.
    fn why(&mut self, id: &str, output: &mut dyn Write) -> io::Result<()> {
        let lang = self.lang();
        let Some(inquiry) = self.model.inquiry() else {
            return writeln!(output, "{}", NO_PLACE.get(lang));
        };
        let positions = match id.trim() {
            "" => inquiry.examples(),
            id => inquiry.find_written(id).into_iter().collect(),
        };
        if positions.is_empty() {
            writeln!(output, "{}", NO_PLACE.get(lang))?;
        }
        for at in positions {
            tell(output, &pages::why(&inquiry, at, lang))?;
        }
        Ok(())
    }

    /// Runs the next statement of the text.
    fn take(&mut self, output: &mut dyn Write) -> io::Result<()> {
        let statements = self.statements();
        let Some(code) = statements.get(self.taken % statements.len().max(1)) else {
            return writeln!(output, "{}", NO_PLACE.get(self.lang()));
        };
        self.taken += 1;
        writeln!(output, "> {code}")?;
        self.statement(code, output)
    }

    /// The statements of the text in their order, those to be predicted among them.
    fn statements(&self) -> Vec<String> {
        let statement = |target: &Target| match target {
            Target::Take(code) => Some(code.clone()),
            Target::Predict(block) => self.model.prediction(*block).map(|asked| asked.run.trim_end().to_owned()),
            _ => None,
        };
        let page = self.model.text();
        let mut all: Vec<String> = page.lines.iter().filter_map(|line| statement(line.target.as_ref()?)).collect();
        all.dedup();
        all
    }
}
