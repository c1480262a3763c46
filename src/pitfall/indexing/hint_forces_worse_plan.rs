//! A hint that names no index, or one that reads more than the planner's own choice.

use std::ops::Range;

use crate::engine::Command;
use crate::error::{CommandPath, ErrorCode};
use crate::pitfall::case::shown;
use crate::pitfall::grain::each_run;
use crate::pitfall::work::cost;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::shell::{Ran, Syntax};
use crate::value::Bson;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "hint-forces-worse-plan",
    level: Level::Cost,
    weight: 4,
    title: Words::new("Hint that does not exist or is worse", "Hint ohne Index oder mit schlechterem Plan"),
    explanation: Words::new(
        "The planner obeys a hint; an unknown pattern or name is an error.",
        "Der Planer gehorcht dem Hint; ein unbekanntes Muster oder ein unbekannter Name ist ein Fehler.",
    ),
    message: Words::new(
        "Your hint {hint} gives {with}; without it: {without}.",
        "Dein Hint {hint} ergibt {with}; ohne ihn: {without}.",
    ),
    cure: Words::new(
        "Remove it; hint by name only to compare plans.",
        "Lass ihn weg; nimm Hints mit Namen nur, um Pläne zu vergleichen.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "color", v: "red"}}}).hint({"specs.v": 1})"#,
    detect: |case| each_run(case, sight),
};

fn sight(case: &Case<'_>, ran: &Ran) -> Option<Sighting> {
    let command = ran.command.explained();
    let hint = command.hint()?;
    let state = case.state(ran, command.collection()?);
    let free = cost(case.run_on(state, &unhinted(command))?.explain.as_deref()?);
    let span = case.span(ran, &CommandPath::argument("hint"));
    let (with, evidence) = match &ran.result {
        Err(error) if error.code == ErrorCode::BadValue && !is_there(case, command, hint) => {
            let code = error.code.number();
            (format!("BadValue ({code})"), Evidence::Refusal { code, message: error.message.clone() })
        }
        Err(_) => return None,
        Ok(_) => {
            let forced = cost(case.run_on(state, command)?.explain.as_deref()?);
            let worse = forced[0] + forced[1] >= 2 * (free[0] + free[1]) && forced[0] + forced[1] > 0;
            worse.then(|| (work(forced), Evidence::Cost { learner: forced, cured: free }))?
        }
    };
    Some(Sighting {
        values: vec![("hint", shown(hint)), ("with", with), ("without", work(free))],
        evidence: vec![evidence],
        fix: call_around(case, &span).and_then(|call| case.replaced(&call, "")),
        level: ran.result.is_err().then_some(Level::Refused),
        span,
        ..Sighting::default()
    })
}

fn work([keys, docs, _]: [u64; 3]) -> String {
    format!("totalKeysExamined {keys}, totalDocsExamined {docs}")
}

fn unhinted(command: &Command) -> Command {
    let mut command = command.clone();
    command.take_hint();
    command
}

/// Whether the hint names an index, or the collection's own order.
fn is_there(case: &Case<'_>, command: &Command, hint: &Bson) -> bool {
    let Some(collection) = command.collection().and_then(|name| case.after.collection(name)) else { return true };
    collection.indexes().iter().any(|index| match hint {
        Bson::String(name) => index.name() == name,
        Bson::Document(keys) => index.info().key_pattern == *keys || keys.contains_key("$natural"),
        _ => true,
    })
}

/// The bytes of `.hint(…)` around its argument.
fn call_around(case: &Case<'_>, argument: &Range<usize>) -> Option<Range<usize>> {
    case.script.nodes().find_map(|(_, node)| {
        let Syntax::Call { callee, parentheses, .. } = &node.syntax else { return None };
        let Syntax::Member { object, name, .. } = &case.script.node(*callee).syntax else { return None };
        let around = parentheses.start <= argument.start && argument.end <= parentheses.end;
        (name == "hint" && around).then(|| case.script.node(*object).span.end..node.span.end)
    })
}
