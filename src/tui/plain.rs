//! The app as plain text: the course and every view as words in reading order, for pipes, dumb terminals and screen readers.

use std::io::{self, BufRead, Write};

use crate::shell;
use crate::tui::answer::View;
use crate::tui::model::Model;
use crate::tui::page::Page;
use crate::tui::pages::{listing, markdown};
use crate::tui::place::Place;
use crate::tui::screens::map;
use crate::words::{Lang, Words};

const HELP: Words = Words::new(
    "Type a mongosh statement to run it. Lines that start with a colon are commands:
:next :back           the next or the previous step
:text                 the lesson or task again
:take                 run the next statement of the text
:result :plans :pitfalls :index :data   a view of the last answer
:fix :try [N]         run the fix of the first or Nth finding, or try it on a copy of the data
:check :hint          judge the exercise, show a hint
:map :open ID         the course map, go to a lesson or exercise
:reset                the data as it was at the start
:help :quit",
    "Eine mongosh-Anweisung wird ausgeführt. Zeilen mit Doppelpunkt am Anfang sind Befehle:
:next :back           der nächste oder vorige Schritt
:text                 Lektion oder Aufgabe noch einmal
:take                 die nächste Anweisung des Textes ausführen
:result :plans :pitfalls :index :data   eine Ansicht der letzten Antwort
:fix :try [N]         die Abhilfe des ersten oder N. Befunds ausführen oder an einer Kopie proben
:check :hint          die Aufgabe bewerten, einen Tipp zeigen
:map :open ID         die Kurskarte, zu einer Lektion oder Aufgabe gehen
:reset                die Daten wie am Anfang
:help :quit",
);
const HOW: Words =
    Words::new("(Type a statement, or :next, :help, :quit.)", "(Eine Anweisung schreiben, oder :next, :help, :quit.)");
const UNKNOWN: Words =
    Words::new("No such command. :help lists them.", "Diesen Befehl gibt es nicht. :help nennt alle.");
const NO_PLACE: Words = Words::new("There is nothing there.", "Dort ist nichts.");

/// Reads statements and commands until the input ends, and answers in words; `prompt` is written before each line.
///
/// # Errors
/// What input or output refuse.
pub fn run(model: &mut Model, input: impl BufRead, output: &mut impl Write, prompt: &str) -> io::Result<()> {
    let mut plain = Plain { model, taken: 0 };
    let start = plain.model.text();
    tell(output, &start)?;
    writeln!(output, "{}", HOW.get(plain.lang()))?;
    let mut text = String::new();
    write!(output, "{prompt}")?;
    output.flush()?;
    for line in input.lines() {
        let line = line?;
        if text.is_empty() && line.trim_start().starts_with(':') {
            if !plain.command(line.trim(), output)? {
                break;
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
    Ok(())
}

fn tell(output: &mut impl Write, page: &Page) -> io::Result<()> {
    writeln!(output, "{}\n", page.read_out().trim_end())
}

/// The position of a finding by its number from 1.
fn finding(number: &str) -> Option<usize> {
    number.trim().parse::<usize>().ok()?.checked_sub(1)
}

struct Plain<'a> {
    model: &'a mut Model,
    taken: usize,
}

impl Plain<'_> {
    fn lang(&self) -> Lang {
        self.model.settings.lang
    }

    /// Runs a statement and tells its result, then the other views that have something to say.
    fn statement(&mut self, text: &str, output: &mut impl Write) -> io::Result<()> {
        if text.trim().is_empty() {
            return Ok(());
        }
        self.model.run(text.trim_end());
        for view in [View::Result, View::Plans, View::Pitfalls] {
            let page = self.model.view(view, u16::MAX);
            let silent =
                view == View::Pitfalls && self.model.answer.as_ref().is_none_or(|answer| answer.findings() == 0);
            if !silent && !page.is_empty() {
                writeln!(output, "{}:", view.name().get(self.lang()))?;
                tell(output, &page)?;
            }
        }
        Ok(())
    }

    /// Does a command; false ends the program.
    fn command(&mut self, line: &str, output: &mut impl Write) -> io::Result<bool> {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        let view = |view: View| View::ALL.into_iter().find(|known| *known == view);
        let view = match command {
            ":result" => view(View::Result),
            ":plans" => view(View::Plans),
            ":pitfalls" => view(View::Pitfalls),
            ":index" => view(View::Index),
            ":data" => view(View::Data),
            _ => None,
        };
        if let Some(view) = view {
            if let (View::Pitfalls, Some(answer)) = (view, &mut self.model.answer) {
                answer.unfold_all();
            }
            tell(output, &self.model.view(view, u16::MAX))?;
            if let (View::Index, Some(walk)) =
                (view, self.model.answer.as_ref().and_then(|answer| answer.walk.as_ref()))
            {
                tell(output, &listing(walk, self.lang()))?;
            }
            return Ok(true);
        }
        match command {
            ":quit" | ":q" | ":exit" => return Ok(false),
            ":next" => self.go(self.model.place.next(&self.model.pack), output)?,
            ":back" => self.go(self.model.place.previous(&self.model.pack), output)?,
            ":open" => self.go(Place::named(&self.model.pack, &self.model.progress, rest.trim()), output)?,
            ":text" => tell(output, &self.model.text())?,
            ":take" => self.take(output)?,
            ":fix" => self.fix(rest, output)?,
            ":try" => {
                if !self.model.start_fix(finding(rest)) {
                    writeln!(output, "{}", NO_PLACE.get(self.lang()))?;
                    return Ok(true);
                }
                self.model.settle();
                tell(output, &self.model.view(View::Pitfalls, u16::MAX))?;
            }
            ":hint" => {
                self.model.hint();
                tell(output, &self.model.text())?;
            }
            ":check" => {
                let text = self.model.session.history().last().cloned().unwrap_or_default();
                self.model.start_check(&text);
                self.model.settle();
                tell(output, &self.model.view(View::Result, u16::MAX))?;
            }
            ":map" => {
                for item in map(self.model).into_items() {
                    writeln!(output, "{} {}, {}", item.key, item.name, item.about)?;
                }
            }
            ":reset" => self.model.reset(),
            ":help" => writeln!(output, "{}", HELP.get(self.lang()))?,
            _ => writeln!(output, "{}", UNKNOWN.get(self.lang()))?,
        }
        Ok(true)
    }

    fn go(&mut self, place: Option<Place>, output: &mut impl Write) -> io::Result<()> {
        let Some(place) = place else { return writeln!(output, "{}", NO_PLACE.get(self.lang())) };
        self.model.save();
        self.model.go(place);
        self.taken = 0;
        tell(output, &self.model.text())
    }

    /// Runs the fix of a finding.
    fn fix(&mut self, which: &str, output: &mut impl Write) -> io::Result<()> {
        let fix = self.model.answer.as_ref().and_then(|answer| answer.fix(finding(which)));
        let Some(text) = fix.map(|(_, text)| text.to_owned()) else {
            return writeln!(output, "{}", NO_PLACE.get(self.lang()));
        };
        writeln!(output, "> {text}")?;
        self.statement(&text, output)
    }

    /// Runs the next statement of the text.
    fn take(&mut self, output: &mut impl Write) -> io::Result<()> {
        let page = self.model.text();
        let statements = markdown::statements(&page);
        let Some(code) = statements.get(self.taken % statements.len().max(1)) else {
            return writeln!(output, "{}", NO_PLACE.get(self.lang()));
        };
        self.taken += 1;
        writeln!(output, "> {code}")?;
        self.statement(code, output)
    }
}
