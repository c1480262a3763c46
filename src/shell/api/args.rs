//! The arguments of a call, read as mongosh reads them, with their places noted.

use std::cell::RefCell;
use std::rc::Rc;

use bson::{Bson, Document};
use rquickjs::Value;

use super::{Call, Refusal};
use crate::engine::Command;
use crate::error::{CommandError, Step};
use crate::shell::misuse::Misuse;
use crate::shell::places::Place;
use crate::shell::read::{self, Origin};
use crate::shell::script::NodeId;
use crate::shell::session::Session;
use crate::shell::tree::{Tree, tree};

/// A call's arguments and the places read so far.
pub(super) struct Given<'a, 'js> {
    pub(super) call: &'a Call<'js>,
    pub(super) site: Option<NodeId>,
    pub(super) places: Vec<Place>,
    values: Vec<Option<(Bson, Origin)>>,
    /// The arguments as they are printed, of calls that print.
    pub(super) trees: Vec<Tree>,
}

/// Operations that take values as they are, functions and all.
fn takes_values(op: &str) -> bool {
    op.starts_with("console.") || matches!(op, "print" | "printjson" | "tojson")
}

/// Operations that run no command and need no place.
fn needs_place(op: &str) -> bool {
    let quiet = ["bson.", "ejson.", "console.", "cursor.hasNext", "cursor.next"];
    op.contains('.') && !quiet.iter().any(|start| op.starts_with(start))
}

impl<'a, 'js> Given<'a, 'js> {
    /// Reads every argument before the session is borrowed: reading may run the script's own getters.
    pub(super) fn new(call: &'a Call<'js>, session: &Rc<RefCell<Session>>) -> Result<Self, Refusal> {
        let read = |value: &Value<'js>| read::bson(&call.tools, value);
        let show = |value: &Value<'js>| tree(&call.tools, value);
        let trees =
            if takes_values(&call.op) { call.args.iter().map(show).collect::<Result<_, _>>()? } else { Vec::new() };
        let values =
            if takes_values(&call.op) { Vec::new() } else { call.args.iter().map(read).collect::<Result<_, _>>()? };
        let method = call.op.rsplit('.').next().unwrap_or_default();
        let site = if needs_place(&call.op) { session.borrow().site(&call.tools.trace()?, method) } else { None };
        Ok(Self { call, site, places: Vec::new(), values, trees })
    }

    pub(super) fn len(&self) -> usize {
        self.call.args.len()
    }

    /// An argument; none where it is missing, `undefined` or `null`.
    pub(super) fn value(&self, at: usize) -> Option<&Bson> {
        self.values.get(at)?.as_ref().map(|(value, _)| value).filter(|value| **value != Bson::Null)
    }

    pub(super) fn note(&mut self, at: usize, argument: &str) {
        let origin = self.values.get(at).and_then(Option::as_ref).map(|(_, origin)| origin.clone()).unwrap_or_default();
        self.places.push(Place { argument: argument.to_owned(), origin, call: self.site, position: at, option: None });
    }

    /// An argument of any type.
    pub(super) fn any(&mut self, at: usize, argument: &str) -> Option<Bson> {
        self.note(at, argument);
        self.value(at).cloned()
    }

    #[expect(clippy::unused_self, reason = "it reads as what is wrong with the arguments")]
    pub(super) fn misuse<T>(&self, message: impl std::fmt::Display) -> Result<T, Refusal> {
        Err(Refusal::Misuse("MongoshInvalidInputError", format!("[COMMON-10001] {message}")))
    }

    fn method(&self) -> String {
        let (room, name) = self.call.op.split_once('.').unwrap_or(("", &self.call.op));
        let mut letters = room.chars();
        let class: String = letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect();
        if class.is_empty() { name.to_owned() } else { format!("{class}.{name}") }
    }

    /// A document that may be left out.
    pub(super) fn document(&mut self, at: usize, argument: &str) -> Result<Option<Document>, Refusal> {
        match self.any(at, argument) {
            None => Ok(None),
            Some(Bson::Document(document)) => Ok(Some(document)),
            Some(other) => self.wrong_type(at, "object", &other),
        }
    }

    pub(super) fn wrong_type<T>(&self, at: usize, wanted: &'static str, found: &Bson) -> Result<T, Refusal> {
        let (found, method) = (type_name(found), self.method());
        Err(Refusal::Advised(Misuse::Type { position: at, wanted, found, method }))
    }

    pub(super) fn missing<T>(&self, at: usize) -> Result<T, Refusal> {
        self.misuse(format_args!("Missing required argument at position {at} ({})", self.method()))
    }

    /// A document that must be there.
    pub(super) fn required(&mut self, at: usize, argument: &str) -> Result<Document, Refusal> {
        match self.document(at, argument)? {
            Some(document) => Ok(document),
            None => self.missing(at),
        }
    }

    /// A text that must be there.
    pub(super) fn text(&mut self, at: usize, argument: &str) -> Result<String, Refusal> {
        match self.any(at, argument) {
            Some(Bson::String(text)) => Ok(text),
            None => self.missing(at),
            Some(other) => self.wrong_type(at, "string", &other),
        }
    }

    /// A whole number that may be left out.
    pub(super) fn number(&mut self, at: usize, argument: &str) -> Result<Option<i64>, Refusal> {
        match self.any(at, argument) {
            None => Ok(None),
            Some(value) => match whole(&value) {
                Some(number) => Ok(Some(number)),
                None => self.wrong_type(at, "number", &value),
            },
        }
    }

    /// A list of documents that must be there.
    pub(super) fn list(&mut self, at: usize, argument: &str) -> Result<Vec<Document>, Refusal> {
        match self.any(at, argument) {
            Some(Bson::Array(values)) => self.documents(at, values),
            None => self.missing(at),
            Some(other) => self.wrong_type(at, "array", &other),
        }
    }

    pub(super) fn documents(&self, at: usize, values: Vec<Bson>) -> Result<Vec<Document>, Refusal> {
        let mut list = Vec::with_capacity(values.len());
        for value in values {
            match value {
                Bson::Document(document) => list.push(document),
                other => return self.wrong_type(at, "array of objects", &other),
            }
        }
        Ok(list)
    }

    /// The options argument.
    pub(super) fn options(&mut self, at: usize) -> Result<Options, Refusal> {
        let document = self.document(at, "options")?.unwrap_or_default();
        let origin = self.places.last().map(|place| place.origin.clone()).unwrap_or_default();
        Ok(Options { document, origin, position: at })
    }

    /// Notes where an option stands.
    pub(super) fn note_option(&mut self, options: &Options, name: &str) {
        let step = Step::Field(name.to_owned());
        self.places.push(Place {
            argument: name.to_owned(),
            origin: options.origin.part(&step).cloned().unwrap_or_default(),
            call: self.site,
            position: options.position,
            option: Some((options.origin.clone(), name.to_owned())),
        });
    }

    /// The database of the object the call was made on: collections and databases keep its name.
    pub(super) fn database(&self, session: &Session) -> String {
        let subject = &self.call.subject;
        match self.call.op.split_once('.').map(|(room, _)| room) {
            Some("collection") if !subject.more.is_empty() => subject.more.clone(),
            Some("database") if !subject.name.is_empty() => subject.name.clone(),
            _ => session.database.clone(),
        }
    }

    /// Refuses the command that the arguments ask for, before it is run.
    pub(super) fn refuse<T>(&mut self, session: &mut Session, error: CommandError) -> Result<T, Refusal> {
        let number = session.refuse(error.clone(), std::mem::take(&mut self.places), self.site);
        Err(Refusal::Command(number, error))
    }

    /// Runs a command with the places noted so far.
    pub(super) fn run(
        &mut self,
        session: &mut Session,
        command: Command,
    ) -> Result<std::sync::Arc<crate::engine::Run>, Refusal> {
        let places = std::mem::take(&mut self.places);
        let database = self.database(session);
        session.enter(&database);
        Ok(session.run(command, places, self.site)?)
    }
}

/// Options as given; each is taken by name.
pub(super) struct Options {
    pub(super) document: Document,
    pub(super) origin: Origin,
    pub(super) position: usize,
}

impl Options {
    fn take(&self, given: &mut Given<'_, '_>, name: &str) -> Option<Bson> {
        let value = self.document.get(name).filter(|value| **value != Bson::Null).cloned();
        if value.is_some() {
            given.note_option(self, name);
        }
        value
    }

    pub(super) fn any(&self, given: &mut Given<'_, '_>, name: &str) -> Option<Bson> {
        self.take(given, name)
    }

    pub(super) fn document(&self, given: &mut Given<'_, '_>, name: &str) -> Result<Option<Document>, Refusal> {
        match self.take(given, name) {
            None => Ok(None),
            Some(Bson::Document(document)) => Ok(Some(document)),
            Some(other) => {
                let found = type_name(&other);
                given.misuse(format_args!("Option \"{name}\" must be of type object, got {found}"))
            }
        }
    }

    pub(super) fn documents(&self, given: &mut Given<'_, '_>, name: &str) -> Result<Vec<Document>, Refusal> {
        match self.take(given, name) {
            None => Ok(Vec::new()),
            Some(Bson::Array(values)) => given.documents(self.position, values),
            Some(other) => {
                let found = type_name(&other);
                given.misuse(format_args!("Option \"{name}\" must be of type array, got {found}"))
            }
        }
    }

    pub(super) fn number(&self, given: &mut Given<'_, '_>, name: &str) -> Result<Option<i64>, Refusal> {
        match self.take(given, name) {
            None => Ok(None),
            Some(value) => {
                let number = match &value {
                    // The server cuts a fraction off.
                    Bson::Double(number) => whole(&Bson::Double(number.trunc())),
                    other => whole(other),
                };
                let Some(number) = number else {
                    let found = type_name(&value);
                    return given.misuse(format_args!("Option \"{name}\" must be of type number, got {found}"));
                };
                Ok(Some(number))
            }
        }
    }

    /// A switch; anything JavaScript holds for true turns it on.
    pub(super) fn switch(&self, name: &str, default: bool) -> bool {
        self.document.get(name).map_or(default, truthy)
    }
}

/// Whether JavaScript holds a value for true.
pub(super) fn truthy(value: &Bson) -> bool {
    match value {
        Bson::Boolean(truth) => *truth,
        Bson::Int32(number) => *number != 0,
        Bson::Double(number) => *number != 0.0 && !number.is_nan(),
        Bson::String(text) => !text.is_empty(),
        Bson::Null | Bson::Undefined => false,
        _ => true,
    }
}

/// A number without a fraction, whatever its type.
pub(super) fn whole(value: &Bson) -> Option<i64> {
    match value {
        Bson::Int32(number) => Some(i64::from(*number)),
        Bson::Int64(number) => Some(*number),
        #[expect(clippy::cast_possible_truncation, reason = "a limit beyond 2^63 is no limit")]
        Bson::Double(number) if number.fract() == 0.0 => Some(*number as i64),
        _ => None,
    }
}

/// A type's name as JavaScript's users know it.
pub(super) fn type_name(value: &Bson) -> &'static str {
    match value {
        Bson::String(_) => "string",
        Bson::Int32(_) | Bson::Double(_) => "number",
        Bson::Boolean(_) => "boolean",
        Bson::Array(_) => "array",
        Bson::DateTime(_) => "Date",
        Bson::RegularExpression(_) => "RegExp",
        Bson::ObjectId(_) => "ObjectId",
        Bson::Int64(_) => "Long",
        Bson::Decimal128(_) => "Decimal128",
        Bson::Null => "null",
        _ => "object",
    }
}
