//! The commands of the app as plain text: what each is called, what it says of itself, and what it does.

use std::io::{self, Write};

use super::{NO_PLACE, Plain, finding, tell};
use crate::design::lab::LabPlan;
use crate::tui::answer::View;
use crate::tui::pages;
use crate::tui::place::Place;
use crate::tui::screens::map;
use crate::words::Words;

/// Entities of the lab where no number is given.
const LAB_SIZE: u64 = 10_000;

const FORE: Words = Words::new(
    "Type a mongosh statement to run it. Lines that start with a colon are commands:",
    "Eine mongosh-Anweisung wird ausgeführt. Zeilen mit Doppelpunkt am Anfang sind Befehle:",
);

/// What a command does.
#[derive(Clone, Copy)]
pub(super) enum Does {
    /// Tells a view of the last answer.
    Show(View),
    /// Ends the program.
    End,
    /// Anything else, given what stands behind the command's name.
    Act(fn(&mut Plain<'_>, &str, &mut dyn Write) -> io::Result<()>),
}

/// One line of the help: commands that belong together, and what is said of them.
struct Entry {
    commands: &'static [(&'static str, Does)],
    operand: Words,
    about: Words,
}

const fn entry(commands: &'static [(&'static str, Does)], operand: Words, about: Words) -> Entry {
    Entry { commands, operand, about }
}

const NONE: Words = Words::new("", "");

/// Other names that are understood and not listed.
const ALIASES: [(&str, &str); 2] = [(":q", ":quit"), (":exit", ":quit")];

const ENTRIES: [Entry; 19] = [
    entry(
        &[(":next", Does::Act(next)), (":back", Does::Act(back))],
        NONE,
        Words::new("the next or the previous step", "der nächste oder vorige Schritt"),
    ),
    entry(
        &[(":text", Does::Act(|plain, _, output| plain.text(output)))],
        NONE,
        Words::new("the lesson or task again", "Lektion oder Aufgabe noch einmal"),
    ),
    entry(
        &[(":take", Does::Act(|plain, _, output| plain.take(output)))],
        NONE,
        Words::new("run the next statement of the text", "die nächste Anweisung des Textes ausführen"),
    ),
    entry(
        &[
            (":result", Does::Show(View::Result)),
            (":plans", Does::Show(View::Plans)),
            (":pitfalls", Does::Show(View::Pitfalls)),
            (":index", Does::Show(View::Index)),
            (":data", Does::Show(View::Data)),
        ],
        NONE,
        Words::new("a view of the last answer", "eine Ansicht der letzten Antwort"),
    ),
    entry(
        &[(":fix", Does::Act(|plain, operand, output| plain.fix(operand, output))), (":try", Does::Act(try_fix))],
        Words::new("[N]", "[N]"),
        Words::new(
            "run the fix of the first or Nth finding, or try it on a copy of the data",
            "die Abhilfe des ersten oder N. Befunds ausführen oder an einer Kopie proben",
        ),
    ),
    entry(
        &[(":choose", Does::Act(|plain, operand, output| plain.choose(operand, output)))],
        Words::new("N", "N"),
        Words::new(
            "answer the question of the text with its Nth choice",
            "die Frage des Textes mit der N. Wahl beantworten",
        ),
    ),
    entry(
        &[(":why", Does::Act(|plain, operand, output| plain.why(operand, output)))],
        Words::new("[ID]", "[ID]"),
        Words::new(
            "why the document with an _id matched the last filter, or did not",
            "warum das Dokument mit einer _id zum letzten Filter passt oder nicht",
        ),
    ),
    entry(
        &[(":check", Does::Act(check)), (":hint", Does::Act(hint))],
        NONE,
        Words::new("judge the exercise, show a hint", "die Aufgabe bewerten, einen Tipp zeigen"),
    ),
    entry(
        &[(":break", Does::Act(|plain, operand, output| plain.broken(operand, output)))],
        Words::new("[N]", "[N]"),
        Words::new(
            "the passed answer broken in one place: what gives it away? N answers",
            "die bestandene Antwort kaputt: Was verrät es? N antwortet",
        ),
    ),
    entry(
        &[(":solution", Does::Act(solution))],
        NONE,
        Words::new(
            "show the solution; before the exercise is passed this costs its points",
            "die Lösung zeigen; vor dem Bestehen kostet das die Punkte",
        ),
    ),
    entry(
        &[(":map", Does::Act(course_map)), (":open", Does::Act(open))],
        Words::new("ID", "ID"),
        Words::new("the course map, go to a lesson or exercise", "die Kurskarte, zu einer Lektion oder Aufgabe gehen"),
    ),
    entry(
        &[(":compare", Does::Act(compare))],
        NONE,
        Words::new(
            "keep this run, so that the next one's plans stand beside its; again lets it go",
            "diesen Lauf merken, damit die Pläne des nächsten daneben stehen; nochmals lässt ihn los",
        ),
    ),
    entry(
        &[(":lab", Does::Act(lab))],
        Words::new("[ENTITIES]", "[ENTITÄTEN]"),
        Words::new(
            "build every design with so many entities and measure it",
            "jedes Design mit so vielen Entitäten bauen und messen",
        ),
    ),
    entry(
        &[(":placement", Does::Act(|plain, _, output| plain.ask_placement(Vec::new(), output)))],
        NONE,
        Words::new("a few questions find where to begin", "ein paar Fragen finden, wo du anfängst"),
    ),
    entry(
        &[(":review", Does::Act(|plain, operand, output| plain.review(operand, output)))],
        Words::new("[N]", "[N]"),
        Words::new("your own slips, with fresh data", "deine eigenen Fehler, mit frischen Daten"),
    ),
    entry(
        &[(":summary", Does::Act(summary))],
        NONE,
        Words::new(
            "lessons, points, predictions and slips so far",
            "Lektionen, Punkte, Vorhersagen und Fehler bis hierher",
        ),
    ),
    entry(
        &[(":word", Does::Act(|plain, operand, output| plain.word(operand, output)))],
        Words::new("[NAME]", "[NAME]"),
        Words::new("what a word means; all words", "was ein Wort bedeutet; alle Wörter"),
    ),
    entry(
        &[(":reset", Does::Act(reset))],
        NONE,
        Words::new("the data as it was at the start", "die Daten wie am Anfang"),
    ),
    entry(
        &[(":help", Does::Act(help)), (":quit", Does::End)],
        NONE,
        Words::new("this list; the end", "diese Liste; das Ende"),
    ),
];

/// The command of a name, its colon with it.
pub(super) fn named(name: &str) -> Option<Does> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
    let mut known = ENTRIES.iter().flat_map(|entry| entry.commands);
    known.find(|(known, _)| *known == name).map(|(_, does)| *does)
}

fn help(plain: &mut Plain<'_>, _: &str, output: &mut dyn Write) -> io::Result<()> {
    let lang = plain.lang();
    writeln!(output, "{}", FORE.get(lang))?;
    for entry in &ENTRIES {
        let names: Vec<&str> = entry.commands.iter().map(|(name, _)| *name).collect();
        let call = format!("{} {}", names.join(" "), entry.operand.get(lang));
        writeln!(output, "{call:22} {}", entry.about.get(lang))?;
    }
    Ok(())
}

fn next(plain: &mut Plain<'_>, _: &str, output: &mut dyn Write) -> io::Result<()> {
    match plain.model.onward() {
        Some(place) => plain.go(Some(place), output),
        None => tell(output, &plain.model.summary()),
    }
}

fn back(plain: &mut Plain<'_>, _: &str, output: &mut dyn Write) -> io::Result<()> {
    plain.go(plain.model.backward(), output)
}

fn open(plain: &mut Plain<'_>, id: &str, output: &mut dyn Write) -> io::Result<()> {
    plain.go(Place::named(&plain.model.pack, &plain.model.progress, id), output)
}

fn course_map(plain: &mut Plain<'_>, _: &str, output: &mut dyn Write) -> io::Result<()> {
    for item in map(plain.model).into_items() {
        writeln!(output, "{} {}, {}", item.key, item.name, item.about)?;
    }
    Ok(())
}

fn try_fix(plain: &mut Plain<'_>, which: &str, output: &mut dyn Write) -> io::Result<()> {
    if !plain.model.start_fix(finding(which)) {
        return writeln!(output, "{}", NO_PLACE.get(plain.lang()));
    }
    plain.model.settle();
    tell(output, &plain.model.view(View::Pitfalls, u16::MAX))
}

fn hint(plain: &mut Plain<'_>, _: &str, output: &mut dyn Write) -> io::Result<()> {
    plain.model.hint();
    plain.text(output)
}

fn check(plain: &mut Plain<'_>, _: &str, output: &mut dyn Write) -> io::Result<()> {
    let text = plain.model.session.history().last().cloned().unwrap_or_default();
    plain.model.start_check(&text);
    plain.model.settle();
    if plain.model.report.is_some() {
        tell(output, &plain.model.view(View::Result, u16::MAX))?;
    }
    plain.notice(output)
}

fn solution(plain: &mut Plain<'_>, _: &str, output: &mut dyn Write) -> io::Result<()> {
    if plain.model.solve() {
        plain.text(output)?;
    }
    plain.notice(output)
}

fn compare(plain: &mut Plain<'_>, _: &str, output: &mut dyn Write) -> io::Result<()> {
    plain.model.compare();
    plain.notice(output)
}

/// Builds every design and tells what was measured.
fn lab(plain: &mut Plain<'_>, entities: &str, output: &mut dyn Write) -> io::Result<()> {
    let entities = entities.parse().unwrap_or(LAB_SIZE);
    plain.model.start_lab(LabPlan { sizes: LabPlan::sizes_up_to(entities), ..LabPlan::default() });
    plain.model.settle();
    match &plain.model.lab {
        Some(report) => tell(output, &pages::lab(report, plain.lang())),
        None => Ok(()),
    }
}

fn summary(plain: &mut Plain<'_>, _: &str, output: &mut dyn Write) -> io::Result<()> {
    tell(output, &plain.model.summary())
}

#[expect(clippy::unnecessary_wraps, reason = "a command")]
fn reset(plain: &mut Plain<'_>, _: &str, _: &mut dyn Write) -> io::Result<()> {
    plain.model.reset();
    Ok(())
}
