//! Helpers outside the database: the clock and chance of the sandbox, printing, `show`, `use`, `it`, waiting for a promise.

use bson::Bson;
use rquickjs::promise::PromiseState;

use super::args::Given;
use super::{Answer, Call, Outcome, Refusal};
use crate::shell::session::Session;

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
        "quit" => {
            session.quit = true;
            Ok(Answer::Nothing)
        }
        "isoDate" => super::bson::iso_date(given),
        _ => given.misuse(format_args!("{name} is not there")),
    }
}

/// Runs the jobs a promise waits for and gives its value.
pub(super) fn wait<'js>(call: &Call<'js>) -> Outcome<'js> {
    let Some(value) = call.args.first() else { return Ok(Answer::Nothing) };
    let Some(promise) = value.as_promise() else { return Ok(Answer::Value(value.clone())) };
    while promise.state() == PromiseState::Pending && call.tools.ctx().execute_pending_job() {}
    match promise.result() {
        Some(result) => Ok(Answer::Value(result?)),
        None => Err(Refusal::Misuse("MongoshRuntimeError", "The promise can never be settled".to_owned())),
    }
}
