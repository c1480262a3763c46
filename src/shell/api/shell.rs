//! Helpers outside the database: the clock and chance of the sandbox, printing, `show`, `use`, `it`, waiting for a promise.

use std::cell::RefCell;
use std::rc::Rc;

use bson::Bson;
use rquickjs::promise::PromiseState;

use super::args::Given;
use super::{Answer, Call, Outcome, Refusal};
use crate::shell::edit;
use crate::shell::elsewhere;
use crate::shell::help;
use crate::shell::inspect::{Style, inspect};
use crate::shell::outcome::print_value;
use crate::shell::session::{BATCH, Rest, Session};

pub(super) fn call<'js>(session: &mut Session, given: &mut Given<'_, 'js>, name: &str) -> Outcome<'js> {
    match name {
        "now" => {
            let now = session.backend.borrow_mut().source().now();
            #[expect(clippy::cast_precision_loss, reason = "JavaScript dates are doubles")]
            Ok(Answer::Bson(Bson::Double(now as f64)))
        }
        "random" => Ok(Answer::Bson(Bson::Double(session.backend.borrow_mut().source().next_f64()))),
        "statement" => {
            let number = given.call.args.first().and_then(rquickjs::Value::as_int).unwrap_or_default();
            session.start_statement(usize::try_from(number).unwrap_or_default());
            Ok(Answer::Nothing)
        }
        "print" | "console.log" | "console.info" | "console.debug" | "console.warn" | "console.error"
        | "console.table" | "console.dir" => print(session, given),
        "printjson" => {
            let text = given
                .trees
                .iter()
                .map(|tree| inspect(tree, Style::whole(session.colors)))
                .collect::<Vec<_>>()
                .join(" ");
            say(session, text)
        }
        "console.clear" => Ok(Answer::Nothing),
        "tojson" => Ok(Answer::Bson(Bson::String(
            given.trees.first().map_or_else(String::new, |tree| inspect(tree, Style::whole(false))),
        ))),
        "isInteractive" => Ok(Answer::Bson(Bson::Boolean(false))),
        "it" => Ok(go_on(session)),
        "quit" => {
            // A process gives the last eight bits of its status.
            let status = given.number(0, "exitCode")?.unwrap_or(0).rem_euclid(256);
            session.quit = Some(u8::try_from(status).unwrap_or_default());
            Ok(Answer::Nothing)
        }
        "use" => switch(session, given),
        "show" => super::run_command::show(session, given),
        "help" => Ok(Answer::Text(help::help("", session.lang))),
        "elsewhere" => {
            let kind = text(given, 0);
            Ok(Answer::Values(elsewhere::names(&kind).map(|name| Bson::String(name.to_owned())).collect()))
        }
        "missing" => {
            Ok(Answer::Bson(Bson::String(elsewhere::not_here(&text(given, 0), &text(given, 1), session.lang))))
        }
        "typed" => given.text(0, "source").map(|source| Answer::Bson(Bson::String(edit::untagged(&source)))),
        "isoDate" => super::bson::iso_date(given),
        _ => given.misuse(format_args!("{name} is not there")),
    }
}

/// Runs the jobs a promise waits for and gives its value.
pub(super) fn wait<'js>(session: &RefCell<Session>, call: &Call<'js>) -> Outcome<'js> {
    let meter = Rc::clone(&session.borrow().meter);
    let Some(value) = call.args.first() else { return Ok(Answer::Nothing) };
    let Some(promise) = value.as_promise() else { return Ok(Answer::Value(value.clone())) };
    while !meter.check() && promise.state() == PromiseState::Pending && call.tools.ctx().execute_pending_job() {}
    match promise.result() {
        Some(result) => Ok(Answer::Value(result?)),
        None => Err(Refusal::Misuse("MongoshRuntimeError", "The promise can never be settled".to_owned())),
    }
}

fn text(given: &Given<'_, '_>, at: usize) -> String {
    given.value(at).and_then(Bson::as_str).unwrap_or_default().to_owned()
}

fn switch<'js>(session: &mut Session, given: &Given<'_, 'js>) -> Outcome<'js> {
    if given.len() == 0 {
        return given.missing(0);
    }
    let name = text(given, 0);
    if name.is_empty() || name.contains(['/', '\\', '.', ' ', '"', '$', '\0']) {
        return Err(Refusal::Misuse(
            "MongoshInvalidInputError",
            format!("[COMMON-10001] Invalid database name: {name}"),
        ));
    }
    let message =
        if name == session.database { format!("already on db {name}") } else { format!("switched to db {name}") };
    session.database = name;
    Ok(Answer::Text(message))
}

/// Prints its arguments side by side.
fn print<'js>(session: &mut Session, given: &Given<'_, 'js>) -> Outcome<'js> {
    let parts: Vec<String> = given.trees.iter().map(|tree| print_value(tree, session.colors)).collect();
    say(session, parts.join(" "))
}

fn say<'js>(session: &mut Session, line: String) -> Outcome<'js> {
    if session.print(line) {
        return Ok(Answer::Nothing);
    }
    Err(Refusal::Misuse("MongoshRuntimeError", "output limit".to_owned()))
}

/// The cursor that was shown last, to be shown on.
fn go_on<'js>(session: &mut Session) -> Answer<'js> {
    match std::mem::take(&mut session.shown) {
        Rest::Cursor(id) if session.cursors.get(&id).is_some_and(|cursor| !cursor.closed) => {
            Answer::Cursor { id, aggregate: false, explained: false }
        }
        Rest::Mapped(mut values) if !values.is_empty() => {
            let later = values.split_off(values.len().min(BATCH));
            session.shown = Rest::Mapped(later);
            Answer::Values(values)
        }
        _ => Answer::Bson(Bson::String("no cursor".to_owned())),
    }
}
