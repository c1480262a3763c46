//! What several pitfalls want to know of one run of a text, worked out once.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use crate::engine::{Command, Run};
use crate::pitfall::Question;
use crate::pitfall::found::Found;
use crate::pitfall::touch::Touch;
use crate::proof::Stage;
use crate::query::{Collation, Filter};
use crate::shell::Ran;
use crate::store::{Profile, RecordId};
use crate::value::RawDocument;

/// Which state of the data is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Before the text ran.
    Before,
    /// Behind so many of its changes.
    Behind(usize),
    /// After it ran.
    After,
}

/// Documents by the collection and the state they were read from.
type Documents<'a> = Vec<((String, State), Rc<[&'a RawDocument]>)>;

/// What was asked with its answer; none where it was refused.
type Known<Q, A> = Vec<(Q, Option<Rc<A>>)>;

/// Answers by what was asked: each is worked out when it is first wanted.
#[derive(Debug, Default)]
pub struct Memo<'a> {
    pub(super) questions: OnceCell<Vec<Question<'a>>>,
    pub(super) elements: OnceCell<Vec<Question<'a>>>,
    pub(super) touches: OnceCell<Vec<Touch<'a>>>,
    documents: RefCell<Documents<'a>>,
    found: RefCell<Known<Judgement, [(RecordId, &'a RawDocument)]>>,
    pub(super) update_pipelines: OnceCell<Vec<Ran>>,
    runs: RefCell<Known<(State, Command), Run>>,
    stages: RefCell<Known<String, Stage>>,
    documents_read: Cell<usize>,
    facts: RefCell<Known<String, Profile>>,
}

/// A filter asked of the documents of a collection.
#[derive(Debug, PartialEq)]
pub struct Judgement {
    /// The collection.
    pub collection: String,
    /// Its state.
    pub state: State,
    /// The filter.
    pub filter: Filter,
    /// How text is compared.
    pub collation: Collation,
}

impl<'a> Memo<'a> {
    /// The documents of a collection.
    pub fn documents(
        &self,
        collection: &str,
        state: State,
        read: impl FnOnce() -> Vec<&'a RawDocument>,
    ) -> Rc<[&'a RawDocument]> {
        remembered(&self.documents, (collection.to_owned(), state), |_| read().into())
    }

    /// The documents of a collection that meet a filter, in record order.
    pub fn found(
        &self,
        asked: Judgement,
        find: impl FnOnce(&Judgement) -> Option<Found<'a>>,
    ) -> Option<Rc<[(RecordId, &'a RawDocument)]>> {
        remembered(&self.found, asked, |asked| find(asked).map(Rc::from))
    }

    /// Counts documents that are read or judged.
    pub fn count(&self, documents: usize) {
        self.documents_read.set(self.documents_read.get() + documents);
    }

    /// How many documents were counted.
    pub fn counted(&self) -> usize {
        self.documents_read.get()
    }

    /// A collection to be filled with other documents.
    pub fn stage(&self, collection: &str, make: impl FnOnce() -> Option<Stage>) -> Option<Rc<Stage>> {
        remembered(&self.stages, collection.to_owned(), |_| make().map(Rc::new))
    }

    /// The facts of a collection before the text.
    pub fn facts(&self, collection: &str, count: impl FnOnce() -> Option<Profile>) -> Option<Rc<Profile>> {
        remembered(&self.facts, collection.to_owned(), |_| count().map(Rc::new))
    }

    /// What a command gives.
    pub fn run(&self, state: State, command: &Command, run: impl FnOnce(&Command) -> Option<Run>) -> Option<Rc<Run>> {
        remembered(&self.runs, (state, command.clone()), |(_, command)| run(command).map(Rc::new))
    }
}

/// What is held for a key, worked out now if nothing is. There are few keys: a text asks few things.
fn remembered<K: PartialEq, V: Clone>(held: &RefCell<Vec<(K, V)>>, key: K, work: impl FnOnce(&K) -> V) -> V {
    let known = held.borrow().iter().find(|(own, _)| *own == key).map(|(_, value)| value.clone());
    known.unwrap_or_else(|| {
        let value = work(&key);
        held.borrow_mut().push((key, value.clone()));
        value
    })
}
