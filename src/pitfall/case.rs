//! Everything a pitfall may look at, and the tools all of them need.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use crate::engine::{Command, Database, Host, Run};
use crate::error::CommandPath;
use crate::pitfall::found::found;
use crate::pitfall::memo::{Judgement, Memo, State};
use crate::pitfall::moments::Moments;
use crate::pitfall::touch::{self, Touch};
use crate::pitfall::{Question, made, parts, question};
use crate::plan::Explain;
use crate::proof::Stage;
use crate::query::{Filter, Witness};
use crate::shell::{Ran, Script, literal};
use crate::store::{AttributeFacts, Collection, Direction, Profile, RecordId};
use crate::value::{Bson, RawDocument, View, compare};

/// One run of a text: its tree, its commands, the data before and after, and the data's facts.
#[derive(Debug)]
pub struct Case<'a> {
    /// The text's tree.
    pub script: &'a Script,
    /// The commands in order as they were sent.
    pub sent: &'a [Ran],
    /// The commands with those that stand as parts of others.
    pub ran: &'a [Ran],
    /// The data as it was.
    pub before: &'a Database,
    /// The data as it is.
    pub after: &'a Database,
    profiles: BTreeMap<&'a str, &'a Profile>,
    moments: &'a Moments<'a>,
    /// How many sets of made documents may still be tried.
    pub(super) sets_left: Cell<usize>,
    memo: Memo<'a>,
}

impl<'a> Case<'a> {
    pub(super) fn new(
        script: &'a Script,
        [sent, ran]: [&'a [Ran]; 2],
        before: &'a Database,
        after: &'a Database,
        moments: &'a Moments<'a>,
        profiles: BTreeMap<&'a str, &'a Profile>,
    ) -> Self {
        Self {
            script,
            sent,
            ran,
            before,
            after,
            profiles,
            moments,
            sets_left: Cell::new(made::SETS),
            memo: Memo::default(),
        }
    }

    /// Every filter that chooses stored documents, in order.
    #[must_use]
    pub fn questions(&self) -> &[Question<'a>] {
        self.memo.questions.get_or_init(|| self.ran.iter().flat_map(question::of).collect())
    }

    /// Every filter, those behind them that choose elements of arrays.
    pub fn filters(&self) -> impl Iterator<Item = &Question<'a>> {
        let elements = || self.ran.iter().flat_map(question::of_elements).collect();
        self.questions().iter().chain(self.memo.elements.get_or_init(elements))
    }

    /// The paths that each command names.
    #[must_use]
    pub fn touches(&self) -> &[Touch<'a>] {
        self.memo.touches.get_or_init(|| self.ran.iter().filter_map(touch::of).collect())
    }

    /// The facts of a collection's present data; where the text deleted documents, of the data before.
    #[must_use]
    pub fn profile(&self, collection: &str) -> Option<&'a Profile> {
        self.profiles.get(collection).copied()
    }

    /// The facts of a collection's data before the text ran; none where there was none.
    #[must_use]
    pub fn facts_before(&self, collection: &str) -> Option<Rc<Profile>> {
        self.memo.facts(collection, || {
            let held = self.before.collection(collection).filter(|held| !held.is_empty())?;
            let mut facts = self.profile(collection).cloned().unwrap_or_default();
            facts.catch_up(held);
            Some(facts)
        })
    }

    /// Whether a path leads through no array before its end, so that a pipeline's stage can read and set it as it is.
    #[must_use]
    pub fn leads_straight(&self, collection: &str, path: &str) -> bool {
        let arrays = self.profile(collection).map(Profile::arrays);
        let is_array = |(at, _): (usize, &str)| arrays.is_some_and(|arrays| arrays.contains_key(&path[..at]));
        !path.match_indices('.').any(is_array)
    }

    /// The attribute arrays of a collection.
    #[must_use]
    pub fn attributes(&self, collection: &str) -> &'a [AttributeFacts] {
        self.profile(collection).map_or(&[], Profile::attributes)
    }

    /// The bytes that a path of a command was typed at, or the call's.
    #[must_use]
    pub fn span(&self, ran: &Ran, path: &CommandPath) -> Range<usize> {
        ran.places.span(path).or_else(|| ran.span.clone()).unwrap_or_default()
    }

    /// The documents a question looked through that match a filter, in record order.
    #[must_use]
    pub fn matching(&self, question: &Question<'_>, filter: &Filter) -> Vec<&'a RawDocument> {
        if matches!(filter, Filter::And(parts) if parts.is_empty()) {
            return self.seen(question).to_vec();
        }
        self.found(question, filter).iter().flat_map(|found| found.iter()).map(|(_, document)| *document).collect()
    }

    /// The documents a question looked through that match a filter, with their records and in record order; none where
    /// the filter cannot be asked.
    #[must_use]
    pub fn found(&self, question: &Question<'_>, filter: &Filter) -> Option<Rc<[(RecordId, &'a RawDocument)]>> {
        let asked = Judgement {
            collection: question.collection.to_owned(),
            state: self.state(question.ran, question.collection),
            filter: filter.clone(),
            collation: question.collation.clone(),
        };
        self.memo.count(self.database(asked.state).collection(question.collection).map_or(0, Collection::len));
        self.memo.found(asked, |asked| match self.database(asked.state).collection(question.collection) {
            Some(held) => found(held, &asked.filter, &asked.collation),
            None => Some(Vec::new()),
        })
    }

    /// The documents of a collection as they were before the text ran, or after it where there were none before: a text
    /// that builds its own data is judged on what it built.
    #[must_use]
    pub fn documents(&self, collection: &str) -> Rc<[&'a RawDocument]> {
        let before = self.read(collection, State::Before);
        if before.is_empty() { self.read(collection, State::After) } else { before }
    }

    /// The documents of a collection as they are after the text.
    #[must_use]
    pub fn present(&self, collection: &str) -> Rc<[&'a RawDocument]> {
        self.read(collection, State::After)
    }

    /// The documents a question looked through.
    #[must_use]
    pub fn seen(&self, question: &Question<'_>) -> Rc<[&'a RawDocument]> {
        self.read(question.collection, self.state(question.ran, question.collection))
    }

    /// The state that a collection was in when a command looked at it.
    pub(super) fn state(&self, ran: &Ran, collection: &str) -> State {
        self.moments.of(ran, collection)
    }

    fn read(&self, collection: &str, state: State) -> Rc<[&'a RawDocument]> {
        let database = self.database(state);
        self.memo.count(database.collection(collection).map_or(0, Collection::len));
        self.memo.documents(collection, state, || {
            let held = database.collection(collection).into_iter();
            held.flat_map(|held| held.scan(Direction::Ascending)).map(|(_, document)| document).collect()
        })
    }

    /// The data in one state.
    pub(super) fn database(&self, state: State) -> &'a Database {
        match state {
            State::Before => self.before,
            State::Behind(changes) => self.moments.behind(changes),
            State::After => self.after,
        }
    }

    /// A collection to be filled with other documents; none where it cannot be made anew.
    pub(super) fn stage(&self, collection: &str) -> Option<Rc<Stage>> {
        let base = if self.before.collection(collection).is_some() { self.before } else { self.after };
        self.memo.stage(collection, || Stage::new(base, collection))
    }

    /// Why a document matches what a question asks.
    #[must_use]
    pub fn witness(&self, question: &Question<'_>, document: &RawDocument) -> Option<Witness> {
        let matcher = question.matcher(&question.tree)?;
        let mut witness = Witness::default();
        matcher.judge(document, &mut witness).then_some(witness)
    }

    /// Runs a command on a fork of the data after the text.
    #[must_use]
    pub fn run(&self, command: &Command) -> Option<Rc<Run>> {
        self.run_on(State::After, command)
    }

    /// How many documents were read or judged so far, each as often as it was.
    pub(super) fn documents_read(&self) -> usize {
        self.memo.counted()
    }

    /// Runs a command on a fork of the data in one state.
    #[must_use]
    pub fn run_on(&self, state: State, command: &Command) -> Option<Rc<Run>> {
        let database = self.database(state);
        let held = command.collection().and_then(|name| database.collection(name));
        self.memo.count(held.map_or(0, Collection::len));
        self.memo.run(state, command, |command| database.clone().run(command).ok())
    }

    /// The pipelines of updates, each behind its filter as an aggregate over the data before.
    #[must_use]
    pub fn update_pipelines(&self) -> &[Ran] {
        let updates = || self.ran.iter().filter_map(|ran| parts::update_pipeline(ran, self.before)).collect();
        self.memo.update_pipelines.get_or_init(updates)
    }

    /// The plan a command ran with, or was explained with.
    #[must_use]
    pub fn explain<'r>(&self, ran: &'r Ran) -> Option<&'r Explain> {
        ran.result.as_ref().ok()?.explain.as_deref()
    }
}

/// The `_id` of a document.
#[must_use]
pub fn id(document: &RawDocument) -> Bson {
    document.get("_id").ok().flatten().map_or(Bson::Null, |value| View::from(value).to_bson())
}

/// The `_id`s of documents.
#[must_use]
pub fn ids(documents: &[&RawDocument]) -> Vec<Bson> {
    documents.iter().map(|document| id(document)).collect()
}

/// The values of one list that the other lacks, by MongoDB's equality.
#[must_use]
pub fn only_in<'v>(list: &'v [Bson], other: &[Bson]) -> Vec<&'v Bson> {
    let mut sorted: Vec<View<'_>> = other.iter().map(View::from).collect();
    sorted.sort_by(|a, b| compare(*a, *b));
    let known = |value: &Bson| sorted.binary_search_by(|held| compare(*held, View::from(value))).is_ok();
    list.iter().filter(|value| !known(value)).collect()
}

/// A value as mongosh writes it.
#[must_use]
pub fn shown(value: &Bson) -> String {
    literal(&with_plain_numbers(value))
}

/// The value with whole doubles as the numbers that they are shown as.
fn with_plain_numbers(value: &Bson) -> Bson {
    match value {
        Bson::Double(number) if number.fract() == 0.0 => {
            format!("{number}").parse::<i32>().map_or_else(|_| value.clone(), Bson::Int32)
        }
        Bson::Array(items) => Bson::Array(items.iter().map(with_plain_numbers).collect()),
        Bson::Document(fields) => {
            Bson::Document(fields.iter().map(|(name, field)| (name.clone(), with_plain_numbers(field))).collect())
        }
        other => other.clone(),
    }
}
