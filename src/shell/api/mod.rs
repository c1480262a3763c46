//! The calls a script can make, each turned into a command and its reply into what mongosh gives.

mod args;
mod bson;
mod bulk;
mod collection;
mod cursor;
mod database;
mod index;
mod modify;
mod request;
mod run_command;
mod shell;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use ::bson::{Bson, Document};
use rquickjs::{Array, Object, Value};

use super::give;
use super::limits::Meter;
use super::misuse::Misuse;
use super::outcome::Shown;
use super::session::{Rest, Session};
use super::tools::{Probe, Tools};
use super::tree::Tree;
use crate::engine::{Reply, Run, WriteFailure};
use crate::error::{CommandError, ErrorCode};
use crate::value::{AnyDocument, DocView, View};
use args::Given;

/// What a call gives back to the script.
pub(super) enum Answer<'js> {
    Nothing,
    Bson(Bson),
    Document(AnyDocument),
    /// Documents of a run, from a position on.
    Documents(Arc<Run>, usize),
    Values(Vec<Bson>),
    Value(Value<'js>),
    /// A text that is shown as it is.
    Text(String),
    Cursor {
        id: u32,
        aggregate: bool,
        explained: bool,
    },
}

/// Why a call fails.
pub(super) enum Refusal {
    Js(rquickjs::Error),
    /// A misuse that mongosh or its driver refuses before any command is sent.
    Misuse(&'static str, String),
    /// Another one, on which there is advice.
    Advised(Misuse),
    /// A refused command, by its number among those that ran.
    Command(usize, CommandError),
    /// A bulk write of which some parts failed: the first failure, what was done, all failures.
    Bulk(usize, Document, Vec<WriteFailure>),
}

impl From<rquickjs::Error> for Refusal {
    fn from(error: rquickjs::Error) -> Self {
        Self::Js(error)
    }
}

impl From<(usize, CommandError)> for Refusal {
    fn from((run, error): (usize, CommandError)) -> Self {
        Self::Command(run, error)
    }
}

pub(super) type Outcome<'js> = Result<Answer<'js>, Refusal>;

/// What the call was made on: a collection, a cursor, a database …
#[derive(Debug, Default)]
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) number: u32,
    pub(super) more: String,
}

/// One call from the script.
pub(super) struct Call<'js> {
    pub(super) tools: Tools<'js>,
    pub(super) op: String,
    pub(super) subject: Subject,
    pub(super) args: Vec<Value<'js>>,
}

/// The function that the prelude calls for everything.
pub(super) fn host_function<'js>(
    session: Rc<RefCell<Session>>,
    meter: Rc<Meter>,
) -> impl Fn(Object<'js>, String, Value<'js>, Array<'js>) -> rquickjs::Result<Value<'js>> {
    move |functions, op, this, args| {
        let tools = Tools { functions, meter: Rc::clone(&meter) };
        meter.begin_reading();
        // A setter that a script plants on a prototype may call back while a call is being answered.
        if session.try_borrow_mut().is_err() {
            let refusal =
                Refusal::Misuse("MongoshRuntimeError", "This call cannot be made from inside another one".to_owned());
            return Err(raise(&tools, refusal));
        }
        let subject = subject(&tools, &this)?;
        let args = args.iter().collect::<rquickjs::Result<Vec<_>>>()?;
        let call = Call { tools, op, subject, args };
        let outcome = if call.op == "wait" { shell::wait(&session, &call) } else { dispatch(&session, &call) };
        outcome.and_then(|answer| call.give(answer).map_err(Refusal::Js)).or_else(|refusal| {
            let misuse = if let Refusal::Advised(misuse) = &refusal { Some(misuse.clone()) } else { None };
            let number = misuse.and_then(|misuse| session.borrow_mut().note_misuse(misuse));
            call.throw(refusal, number)
        })
    }
}

fn subject<'js>(tools: &Tools<'js>, this: &Value<'js>) -> rquickjs::Result<Subject> {
    let Some(object) = this.as_object() else { return Ok(Subject::default()) };
    let Probe::Kind(_, data) = tools.probe(object)? else { return Ok(Subject::default()) };
    let first: Value<'js> = data.get(1)?;
    let more: Value<'js> = data.get(2)?;
    Ok(Subject {
        number: first.as_int().and_then(|number| u32::try_from(number).ok()).unwrap_or_default(),
        name: super::read::text(&first)?,
        more: super::read::text(&more)?,
    })
}

fn dispatch<'js>(session: &Rc<RefCell<Session>>, call: &Call<'js>) -> Outcome<'js> {
    let mut given = Given::new(call, session)?;
    let session = &mut *session.borrow_mut();
    let (room, name) = call.op.split_once('.').unwrap_or(("shell", &call.op));
    match room {
        "collection" => collection::call(session, &mut given, name),
        "explainable" => collection::explainable(session, &mut given, name),
        "cursor" => cursor::call(session, &mut given, name),
        "database" => database::call(session, &mut given, name),
        "planCache" => index::plan_cache(session, &mut given, name),
        "bson" | "ejson" => bson::call(session, &mut given, &call.op),
        _ => shell::call(session, &mut given, &call.op),
    }
}

impl<'js> Call<'js> {
    fn give(&self, answer: Answer<'js>) -> rquickjs::Result<Value<'js>> {
        let ctx = self.tools.ctx().clone();
        match answer {
            Answer::Nothing => Ok(Value::new_undefined(ctx)),
            Answer::Bson(value) => give::value(&self.tools, View::from(&value)),
            Answer::Document(document) => give::document(&self.tools, DocView::Raw(&document)).map(Object::into_value),
            Answer::Documents(run, from) => self.documents(&run, from),
            Answer::Values(values) => {
                let array = Array::new(ctx)?;
                for (at, value) in values.iter().enumerate() {
                    array.set(at, give::value(&self.tools, View::from(value))?)?;
                }
                Ok(array.into_value())
            }
            Answer::Value(value) => Ok(value),
            Answer::Text(text) => self.tools.text(&text),
            Answer::Cursor { id, aggregate, explained } => {
                let made = Object::new(ctx)?;
                made.set("id", id)?;
                made.set("aggregate", aggregate)?;
                made.set("explained", explained)?;
                Ok(made.into_value())
            }
        }
    }

    fn documents(&self, run: &Run, from: usize) -> rquickjs::Result<Value<'js>> {
        let array = Array::new(self.tools.ctx().clone())?;
        for (at, document) in documents(run).iter().skip(from).enumerate() {
            array.set(at, give::document(&self.tools, DocView::Raw(document))?)?;
        }
        Ok(array.into_value())
    }

    /// Throws a refusal; the number is that of a misuse noted.
    fn throw(&self, refusal: Refusal, number: Option<u32>) -> rquickjs::Result<Value<'js>> {
        let error = match refusal {
            Refusal::Js(error) => return Err(error),
            Refusal::Misuse(class, message) => self.tools.error(class, &message, None, None)?,
            Refusal::Advised(misuse) => self.tools.error(misuse.class(), &misuse.message(), None, number)?,
            Refusal::Command(run, error) => {
                let more = server_fields(&error, Document::new());
                self.error("MongoServerError", &error.message, &more, Some(run))?
            }
            Refusal::Bulk(run, result, failures) => {
                let first = failures.first().map(|failure| failure.error.clone());
                let first = first.unwrap_or_else(|| CommandError::new(ErrorCode::BadValue, "write failed"));
                let more = server_fields(&first, bulk::error_fields(result, &failures));
                self.error("MongoBulkWriteError", &first.message, &more, Some(run))?
            }
        };
        Err(self.tools.ctx().throw(error))
    }

    fn error(&self, class: &str, message: &str, more: &Document, run: Option<usize>) -> rquickjs::Result<Value<'js>> {
        let more = give::document(&self.tools, DocView::Owned(more))?.into_value();
        self.tools.error(class, message, Some(more), run.and_then(|run| u32::try_from(run).ok()))
    }
}

/// `code`, `codeName` and `errmsg` of an error object, before its other fields.
fn server_fields(error: &CommandError, more: Document) -> Document {
    let mut fields = Document::new();
    fields.insert("code", error.code.number());
    fields.insert("codeName", error.code.name());
    fields.insert("errmsg", error.message.clone());
    fields.extend(more);
    fields
}

/// The documents of a run; none for a reply of another kind.
pub(super) fn documents(run: &Run) -> &[AnyDocument] {
    if let Reply::Documents(documents) = &run.reply { documents } else { &[] }
}

/// Reads a cursor on for display; `it` then goes on with it.
pub(super) fn read_on(session: &mut Session, id: u32, batch: usize) -> Result<Shown, Refusal> {
    let (run, _) = cursor::start(session, id)?;
    if let Reply::Result(document) = &run.reply {
        return Ok(Shown::Whole(Tree::from(document)));
    }
    let (run, from, _) = cursor::advance(session, id, batch)?;
    session.shown = Rest::Cursor(id);
    Ok(Shown::Documents { documents: Shown::documents(&documents(&run)[from..]), batch })
}

/// Makes a refusal a JavaScript exception.
pub(super) fn raise(tools: &Tools<'_>, refusal: Refusal) -> rquickjs::Error {
    let call = Call { tools: tools.clone(), op: String::new(), subject: Subject::default(), args: Vec::new() };
    match call.throw(refusal, None) {
        Ok(_) => rquickjs::Error::Unknown,
        Err(error) => error,
    }
}

/// The refusal of a command that failed as a whole or in one of its parts.
pub(super) fn refusal_of(ran: &super::session::Ran) -> CommandError {
    let failures = match &ran.result {
        Err(error) => return error.clone(),
        Ok(run) => match &run.reply {
            Reply::Inserted { failures, .. } | Reply::Bulk { failures, .. } => failures.first(),
            _ => None,
        },
    };
    failures.map_or_else(|| CommandError::new(ErrorCode::BadValue, "write failed"), |failure| failure.error.clone())
}
