//! What a shell remembers while a script runs: the host, open cursors, what ran, what was printed.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use bson::Bson;

use super::dropped;
use super::edit::Edited;
use super::hints;
use super::killed::Killed;
use super::limits::{Limit, Meter};
use super::listed::Listed;
use super::misuse::Misuse;
use super::places::{Place, Places};
use super::render::Note;
use super::script::{NodeId, Script, Span};
use super::shapes;
use super::unmet;
use crate::engine::{Aggregate, Command, Find, Host, Reply, Run};
use crate::error::CommandError;
use crate::plan::Verbosity;
use crate::store::Profile;
use crate::words::Lang;

/// A host with one earlier state of itself.
pub(super) trait Backend: Host {
    /// Remembers the present state.
    fn checkpoint(&mut self);
    /// Goes back to the state remembered last.
    fn restore(&mut self);
}

/// A host that is undone by cloning it, which is cheap for one whose parts are shared.
pub(super) struct Kept<H> {
    pub(super) host: H,
    before: Option<H>,
}

impl<H> Kept<H> {
    pub(super) fn new(host: H) -> Self {
        Self { host, before: None }
    }
}

impl<H: Host + Clone> Host for Kept<H> {
    fn run(&mut self, command: &Command) -> Result<Run, CommandError> {
        self.host.run(command)
    }

    fn source(&mut self) -> &mut crate::value::Source {
        self.host.source()
    }

    fn use_database(&mut self, name: &str) {
        self.host.use_database(name);
    }

    fn holds(&self, collection: &str, path: &str) -> bool {
        self.host.holds(collection, path)
    }

    fn learn(&self, collection: &str, facts: &mut Profile) -> bool {
        self.host.learn(collection, facts)
    }

    fn followers(&self, lang: Lang) -> Option<String> {
        self.host.followers(lang)
    }

    fn database_names(&self) -> Vec<String> {
        self.host.database_names()
    }
}

impl<H: Host + Clone> Backend for Kept<H> {
    fn checkpoint(&mut self) {
        self.before = Some(self.host.clone());
    }

    fn restore(&mut self) {
        if let Some(before) = &self.before {
            self.host = before.clone();
        }
    }
}

/// A command that a script ran.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    /// The command.
    pub command: Command,
    /// What came of it.
    pub result: Result<Arc<Run>, CommandError>,
    /// The call that ran it, where it stands in this text.
    pub span: Option<Span>,
    /// Where its parts stand.
    pub places: Places,
}

/// A command that was refused before it could be run.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) error: CommandError,
    pub(super) span: Option<Span>,
}

/// What a cursor will run, and how far it has been read.
pub(super) struct CursorState {
    pub(super) question: Question,
    pub(super) database: String,
    pub(super) places: Vec<Place>,
    pub(super) site: Option<NodeId>,
    /// Set on the cursor of `explain().find()`, which answers with its plan.
    pub(super) explain: Option<Verbosity>,
    pub(super) answer: Option<Arc<Run>>,
    pub(super) at: usize,
    /// How many documents a batch holds, where that is asked for.
    pub(super) batch: Option<usize>,
    pub(super) closed: bool,
    /// Set where the collection went away.
    pub(super) killed: Option<Killed>,
}

pub(super) enum Question {
    Find(Box<Find>),
    Aggregate(Box<Aggregate>),
}

/// What is left to show of the cursor shown last.
#[derive(Debug, Default)]
pub(super) enum Rest {
    #[default]
    Nothing,
    Cursor(u32),
    /// The documents of a mapped cursor, mapped already.
    Mapped(Vec<Bson>),
}

/// How many documents a cursor shows before `it` is asked for.
pub(super) const BATCH: usize = 20;

/// So many refusals of one text are kept.
const REFUSALS: usize = 20_000;

/// The numbers of commands that were refused unrun begin here …
pub(super) const UNRUN: usize = 1 << 30;

/// … and those of calls that were refused unsent here.
pub(super) const UNSENT: usize = 1 << 29;

/// Notes beyond this many are left out.
pub(super) const NOTES: usize = 20;

/// Cursors left open beyond this many are closed, the oldest first.
const OPEN_CURSORS: usize = 1_000;

pub(super) struct Session {
    pub(super) backend: Rc<RefCell<dyn Backend>>,
    pub(super) meter: Rc<Meter>,
    pub(super) lang: Lang,
    pub(super) colors: bool,
    pub(super) database: String,
    /// The database the host is in.
    pub(super) host_database: String,
    pub(super) cursors: BTreeMap<u32, CursorState>,
    next_cursor: u32,
    /// What `it` goes on with.
    pub(super) shown: Rest,
    pub(super) ran: Listed,
    pub(super) refused: Vec<Refused>,
    misuses: Vec<Misuse>,
    pub(super) printed: Vec<String>,
    pub(super) notes: Vec<Note>,
    /// What the data of a database's collections looked like when a name was last looked up in them.
    facts: BTreeMap<(String, String), Profile>,
    /// The names under which the text wrote objects, by collection.
    looked: BTreeSet<(String, String)>,
    /// What has been warned of, and is not a second time.
    warned: BTreeSet<String>,
    pub(super) quit: Option<u8>,
    pub(super) script: Arc<Script>,
    pub(super) base: u32,
    pub(super) edited: Edited,
    pub(super) file: String,
    texts: u32,
    /// The statement that is running.
    pub(super) statement: usize,
}

impl Session {
    pub(super) fn new(backend: Rc<RefCell<dyn Backend>>, meter: Rc<Meter>) -> Self {
        Self {
            backend,
            meter,
            lang: Lang::En,
            colors: false,
            database: "test".to_owned(),
            host_database: "test".to_owned(),
            cursors: BTreeMap::new(),
            next_cursor: 0,
            shown: Rest::Nothing,
            ran: Listed::default(),
            refused: Vec::new(),
            misuses: Vec::new(),
            printed: Vec::new(),
            notes: Vec::new(),
            facts: BTreeMap::new(),
            looked: BTreeSet::new(),
            warned: BTreeSet::new(),
            quit: None,
            script: Arc::default(),
            base: 0,
            edited: Edited::default(),
            file: String::new(),
            texts: 0,
            statement: 0,
        }
    }

    /// Begins a new text. Its literals are numbered behind those of all earlier texts, whose values may live on.
    pub(super) fn begin(&mut self, script: Arc<Script>) {
        self.base = self.base.saturating_add(u32::try_from(self.script.nodes.len()).unwrap_or(u32::MAX));
        self.script = script;
        self.texts += 1;
        self.file = format!("input{}", self.texts);
        self.ran = Listed::default();
        self.refused = Vec::new();
        self.misuses = Vec::new();
        self.printed = Vec::new();
        self.notes = dropped::notes(&self.script, self.lang);
        self.looked = BTreeSet::new();
        self.quit = None;
        self.start_statement(0);
    }

    /// Remembers the data as they are before a statement.
    pub(super) fn start_statement(&mut self, number: usize) {
        self.statement = number;
        self.backend.borrow_mut().checkpoint();
    }

    /// Takes back what the running statement has changed.
    pub(super) fn restore(&mut self) {
        let mut backend = self.backend.borrow_mut();
        backend.restore();
        backend.use_database(&self.database);
        self.host_database.clone_from(&self.database);
    }

    /// Takes the host to the database of the next command.
    pub(super) fn enter(&mut self, database: &str) {
        if self.host_database != database {
            self.backend.borrow_mut().use_database(database);
            database.clone_into(&mut self.host_database);
        }
    }

    /// Runs a command and notes it; the run's own number comes back with its refusal.
    pub(super) fn run(
        &mut self,
        command: Command,
        places: Vec<Place>,
        site: Option<NodeId>,
    ) -> Result<Arc<Run>, (usize, CommandError)> {
        let result = self.backend.borrow_mut().run(&command).map(Arc::new);
        if result.is_ok() {
            self.kill_cursors(&command);
        }
        let span = site.map(|id| self.script.node(id).span.clone());
        let places = Places { script: Arc::clone(&self.script), base: self.base, list: places };
        if let (Command::Find(find), Ok(run)) = (&command, &result) {
            self.note_missing(&find.collection, run, span.clone());
        }
        if let Ok(run) = &result {
            self.note_unmet(&command, run, &places, span.as_ref());
            self.note_followers(span.as_ref());
            self.note_object(&command, run, &places);
        }
        self.ran.push(Ran { command, result: result.clone(), span, places });
        if self.backend.borrow_mut().source().allowance().is_spent() {
            self.meter.reach(Limit::Work);
        }
        self.meter.check();
        result.map_err(|error| (self.ran.last(), error))
    }

    /// Notes a command that is refused unrun; the number that its error carries comes back.
    pub(super) fn refuse(&mut self, error: CommandError, places: Vec<Place>, site: Option<NodeId>) -> usize {
        let places = Places { script: Arc::clone(&self.script), base: self.base, list: places };
        let span = places.span(&error.at).or_else(|| site.map(|id| self.script.node(id).span.clone()));
        if self.refused.len() < REFUSALS {
            self.refused.push(Refused { error, span });
        }
        UNRUN + self.refused.len() - 1
    }

    /// Notes a call that is refused unsent; the number that its error carries comes back, where there is room.
    pub(super) fn note_misuse(&mut self, misuse: Misuse) -> Option<u32> {
        let number = u32::try_from(UNSENT + self.misuses.len()).ok().filter(|_| self.misuses.len() < REFUSALS)?;
        self.misuses.push(misuse);
        Some(number)
    }

    /// The call that was refused unsent, by its number.
    pub(super) fn misuse(&self, number: usize) -> Option<&Misuse> {
        self.misuses.get(number.checked_sub(UNSENT)?)
    }

    /// A find that gives nothing may ask a collection that does not exist.
    fn note_missing(&mut self, collection: &str, run: &Run, span: Option<Span>) {
        if !matches!(&run.reply, Reply::Documents(documents) if documents.is_empty()) || self.notes.len() >= NOTES {
            return;
        }
        let Ok(listing) = self.backend.borrow_mut().run(&Command::ListCollections) else { return };
        let Reply::Documents(infos) = &listing.reply else { return };
        let names: Vec<&str> = infos.iter().filter_map(|info| info.get_str("name").ok()).collect();
        if !names.contains(&collection) {
            let message = hints::missing_collection(collection, names, self.lang);
            self.note(Note { span, message });
        }
    }

    /// Keeps a note; what is said already is not said again.
    fn note(&mut self, note: Note) {
        if self.notes.iter().all(|held| held.message != note.message) {
            self.notes.push(note);
        }
    }

    /// A command may name what no document has.
    fn note_unmet(&mut self, command: &Command, run: &Run, places: &Places, span: Option<&Span>) {
        let Some(collection) = unmet::collection(command, run).filter(|_| self.notes.len() < NOTES) else { return };
        let holds = |path: &str| self.backend.borrow().holds(collection, path);
        if !unmet::is_doubtful(command, run, &holds) {
            return;
        }
        let facts = self.facts.entry((self.host_database.clone(), collection.to_owned())).or_default();
        if !self.backend.borrow().learn(collection, facts) {
            return;
        }
        if let Some(remark) = unmet::remark(command, run, facts, self.lang) {
            let span = places.span(&remark.at).or_else(|| span.cloned());
            self.note(Note { span, message: remark.message });
        }
    }

    /// Says once what became of other collections.
    fn note_followers(&mut self, span: Option<&Span>) {
        let Some(message) = self.backend.borrow().followers(self.lang) else { return };
        if self.notes.len() < NOTES && self.warned.insert(message.clone()) {
            self.notes.push(Note { span: span.cloned(), message });
        }
    }

    /// A command may write one object where the other documents hold an array.
    fn note_object(&mut self, command: &Command, run: &Run, places: &Places) {
        let Some(collection) = command.collection().filter(|_| self.notes.len() < NOTES) else { return };
        for shapes::Written { path, at } in shapes::written(command) {
            let place = (self.host_database.clone(), collection.to_owned());
            // A text that writes again and again is looked at once for each name.
            let is_new = self.looked.insert((collection.to_owned(), path.clone()));
            if !is_new || !self.backend.borrow().holds(collection, &format!("{path}.0")) {
                continue;
            }
            let facts = self.facts.entry(place).or_default();
            if !self.backend.borrow().learn(collection, facts) {
                return;
            }
            if let Some(message) = shapes::remark(&path, run, facts, self.lang) {
                self.notes.push(Note { span: places.span(&at), message });
            }
        }
    }

    /// Warns once of a method of old.
    pub(super) fn note_deprecated(&mut self, method: &str, site: Option<NodeId>) {
        let Some(message) = hints::deprecated(method) else { return };
        if self.notes.len() < NOTES && self.warned.insert(method.to_owned()) {
            let span = site.map(|id| self.script.node(id).span.clone());
            self.notes.push(Note { span, message });
        }
    }

    pub(super) fn open(&mut self, cursor: CursorState) -> u32 {
        if self.cursors.len() >= OPEN_CURSORS {
            self.cursors.pop_first();
        }
        self.next_cursor += 1;
        self.cursors.insert(self.next_cursor, cursor);
        self.next_cursor
    }

    /// The call of a method in this text that a stack trace comes from.
    pub(super) fn site(&self, trace: &str, method: &str) -> Option<NodeId> {
        self.script.call_at(self.offset(trace)?, method)
    }

    /// The offset in this text that a stack trace comes from.
    pub(super) fn offset(&self, trace: &str) -> Option<usize> {
        let mark = format!("{}:", self.file);
        let line = trace.lines().find(|line| line.contains(&mark))?;
        let (_, place) = line.rsplit_once(&mark)?;
        let (row, column) = place.trim_end_matches(')').split_once(':')?;
        Some(self.edited.source_offset(row.parse().ok()?, column.parse().ok()?))
    }

    /// Prints one line; false once the output limit is passed.
    pub(super) fn print(&mut self, line: String) -> bool {
        let fits = self.meter.print(line.len() + 1);
        if fits {
            self.printed.push(line);
        }
        fits
    }
}
