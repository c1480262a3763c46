//! One text run on one store: its value or failure, what it read, and the store afterwards.

use bson::doc;

use super::compare;
use super::findings::{self, Noted};
use super::report::Effort;
use crate::engine::{Command, Database, Find, Host, Reply, Run};
use crate::plan::{Explain, PlanNode};
use crate::shell::{Failure, Limits, Outcome, Ran, Shell, Shown};
use crate::value::{Allowance, AnyDocument, Bson, Document};
use crate::words::Lang;

/// What running a text gave.
#[derive(Debug, Clone)]
pub(super) struct Trial {
    /// The value of the last statement, or what stopped the text.
    pub(super) value: Result<Bson, Failure>,
    /// What the text answers: its value, or what its last search gave where it has none, or what a command's reply holds.
    pub(super) answer: Bson,
    /// The search that is all the text does, where its answer is what that search found.
    pub(super) search: Option<Command>,
    /// The store afterwards.
    pub(super) host: Database,
    /// The plans of statements that look for documents, in order.
    pub(super) reads: Vec<Explain>,
    /// Which of the reads gave the answer as it is, the last where several did.
    pub(super) source: Option<usize>,
    /// Everything examined.
    pub(super) effort: Effort,
    /// The collection read last.
    pub(super) collection: String,
    /// How many documents or indexes were written.
    pub(super) writes: usize,
    /// What the detector reports.
    pub(super) findings: Vec<Noted>,
    /// How many of the first commands are not among those looked at.
    pub(super) unseen: usize,
    /// How many statements the text has.
    pub(super) statements: usize,
}

impl Trial {
    /// Runs a text on a copy of the store.
    pub(super) fn run(before: &Database, text: &str, limits: &Limits) -> Self {
        let mut shell = Shell::new(before.clone(), limits.clone());
        let outcome = shell.run(text);
        let host = shell.host().clone();
        Self::of(host, &outcome)
    }

    /// Runs a text on a copy of the store, with the detector looking on.
    pub(super) fn watched(before: &Database, text: &str, limits: &Limits, lang: Lang) -> Self {
        let mut shell = Shell::new(before.clone(), limits.clone());
        shell.set_lang(lang);
        Self::of_shell(&mut shell, text, lang)
    }

    /// Runs a text in a shell that goes on, with the detector looking on.
    pub(super) fn of_shell(shell: &mut Shell<Database>, text: &str, lang: Lang) -> Self {
        let before = shell.host().clone();
        let outcome = shell.run(text);
        Self::of_outcome(&outcome, &before, &shell.host(), lang)
    }

    /// An outcome, with the detector looking on.
    pub(super) fn of_outcome(outcome: &Outcome, before: &Database, after: &Database, lang: Lang) -> Self {
        Self { findings: findings::of(outcome, before, after, lang), ..Self::of(after.clone(), outcome) }
    }

    fn of(host: Database, outcome: &Outcome) -> Self {
        let mut trial = Self {
            answer: outcome.value.as_ref().map_or(Bson::Null, |shown| answered(shown, &outcome.ran)),
            search: None,
            value: outcome.value.as_ref().map(crate::shell::Shown::to_bson).map_err(Clone::clone),
            findings: Vec::new(),
            host,
            reads: Vec::new(),
            source: None,
            effort: Effort::default(),
            collection: String::new(),
            writes: 0,
            unseen: outcome.unlisted,
            statements: outcome.script.statements().len(),
        };
        for ran in &outcome.ran {
            if let Ok(run) = &ran.result {
                trial.count(&ran.command, run);
            }
        }
        trial.effort.index_bytes = index_bytes(&trial.host);
        if let [only] = outcome.ran.as_slice() {
            let is_all = trial.statements == 1 && found(only).is_some_and(|found| found == trial.answer);
            trial.search = is_all.then(|| only.command.clone());
        }
        trial
    }

    /// The plans that the answer comes from: of the search that gave it, or of all where it was made of what they gave.
    pub(super) fn answering(&self) -> &[Explain] {
        self.source.map_or(&self.reads[..], |at| std::slice::from_ref(&self.reads[at]))
    }

    /// The form of the statements that read, values left out, and the stages of their plans.
    pub(super) fn shape(&self) -> String {
        let one = |explain: &Explain| {
            let stages: Vec<&str> = explain.winning.all().map(|node| node.stage.name()).collect();
            let filter = without_values(&Bson::Document(explain.filter.to_document()));
            format!("{} {}", stages.join(" < "), crate::shell::literal(&filter))
        };
        self.reads.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    fn count(&mut self, command: &Command, run: &Run) {
        self.writes += run.writes.documents.len();
        if let Some(explain) = &run.explain {
            explain.winning.all().for_each(|node| self.add(node));
            // Joins and unions read on their own, past the plan.
            self.effort.keys += explain.pipeline.iter().map(|stage| stage.keys).sum::<u64>();
            self.effort.docs += explain.pipeline.iter().map(|stage| stage.docs).sum::<u64>();
        }
        if let (Some(collection), Some(explain)) = (read_collection(command), &run.explain) {
            collection.clone_into(&mut self.collection);
            if gives(&run.reply, &self.answer) {
                self.source = Some(self.reads.len());
            }
            self.reads.push((**explain).clone());
        }
    }

    fn add(&mut self, node: &PlanNode) {
        self.effort.keys += node.work.keys_examined;
        self.effort.docs += node.work.docs_examined;
    }
}

/// What a text answers. One that prints, or keeps what it finds in a variable, has no value: its last search speaks for it.
fn answered(shown: &Shown, ran: &[Ran]) -> Bson {
    if *shown == Shown::Nothing {
        return ran.iter().rev().find_map(found).unwrap_or(Bson::Null);
    }
    match shown.to_bson() {
        Bson::Document(reply) => held(&reply).cloned().unwrap_or(Bson::Document(reply)),
        value => value,
    }
}

/// Whether a reply is the answer: all documents or the only one, all values, or the count.
fn gives(reply: &Reply, answer: &Bson) -> bool {
    match (reply, answer) {
        (Reply::Documents(list), Bson::Document(_) | Bson::Null) if list.len() < 2 => {
            compare::equal(&decoded(list).pop().unwrap_or(Bson::Null), answer)
        }
        (Reply::Documents(list), Bson::Array(all)) => {
            list.len() == all.len() && compare::equal(&Bson::Array(decoded(list)), answer)
        }
        (Reply::Values(values), Bson::Array(_)) => compare::equal(&Bson::Array(values.clone()), answer),
        (Reply::Count(count), number) => whole(Some(number)) == *count,
        _ => false,
    }
}

/// The documents of a search.
fn found(ran: &Ran) -> Option<Bson> {
    match (&ran.command, &ran.result.as_ref().ok()?.reply) {
        (Command::Find(_) | Command::Aggregate(_), Reply::Documents(list)) => Some(Bson::Array(decoded(list))),
        _ => None,
    }
}

/// What the reply of a `runCommand` holds: its first batch, which has all documents here, the values of a distinct, a count.
fn held(reply: &Document) -> Option<&Bson> {
    let is_reply = reply.get("ok").is_some_and(|ok| compare::equal(ok, &Bson::Int32(1)));
    let cursor = reply.get_document("cursor").ok().and_then(|cursor| cursor.get("firstBatch"));
    let held = cursor.or_else(|| reply.get("values")).or_else(|| reply.get("n"));
    held.filter(|_| is_reply && reply.len() == 2)
}

/// A filter with every value replaced by a question mark.
fn without_values(value: &Bson) -> Bson {
    match value {
        Bson::Document(fields) => {
            let bare = |(name, inner): (&String, &Bson)| (name.clone(), without_values(inner));
            Bson::Document(fields.iter().map(bare).collect())
        }
        Bson::Array(list) => Bson::Array(list.iter().map(without_values).collect()),
        _ => Bson::String("?".into()),
    }
}

/// The plans of an outcome's statements that look for documents, in order.
pub(super) fn read_plans(outcome: &Outcome) -> impl DoubleEndedIterator<Item = &Explain> {
    outcome.ran.iter().filter_map(|ran| {
        read_collection(&ran.command)?;
        ran.result.as_ref().ok()?.explain.as_deref()
    })
}

/// The collection that a command looks for documents in, if that is all it does.
fn read_collection(command: &Command) -> Option<&str> {
    let looks = matches!(command, Command::Find(_) | Command::Aggregate(_) | Command::Count(_) | Command::Distinct(_));
    command.collection().filter(|_| looks)
}

/// All documents of a collection, in record order.
pub(super) fn documents(host: &Database, collection: &str) -> Vec<Bson> {
    let find = Find { collection: collection.into(), ..Find::default() };
    listed(host, &Command::Find(find))
}

/// The indexes of a collection as `getIndexes` gives them; none of a missing collection.
pub(super) fn indexes(host: &Database, collection: &str) -> Vec<Document> {
    let list = listed(host, &Command::ListIndexes { collection: collection.into() });
    list.into_iter().filter_map(|index| if let Bson::Document(index) = index { Some(index) } else { None }).collect()
}

/// The names of all collections, in order.
pub(super) fn collections(host: &Database) -> Vec<String> {
    let name = |entry: Bson| entry.as_document().and_then(|entry| entry.get_str("name").ok().map(str::to_owned));
    let mut names: Vec<String> = listed(host, &Command::ListCollections).into_iter().filter_map(name).collect();
    names.sort();
    names
}

fn listed(host: &Database, command: &Command) -> Vec<Bson> {
    match host.clone().run(command).map(|run| run.reply) {
        Ok(Reply::Documents(list)) => decoded(&list),
        _ => Vec::new(),
    }
}

fn decoded(list: &[AnyDocument]) -> Vec<Bson> {
    list.iter().filter_map(|raw| Document::try_from(raw.as_ref()).ok()).map(Bson::Document).collect()
}

/// What one search finds, under the limit of work; none where it is refused.
pub(super) fn searched(host: &Database, search: &Command, limits: &Limits) -> Option<Bson> {
    let mut host = host.clone();
    host.source().allow(Allowance::new(limits.work));
    match host.run(search).ok()?.reply {
        Reply::Documents(list) => Some(Bson::Array(decoded(&list))),
        _ => None,
    }
}

fn index_bytes(host: &Database) -> u64 {
    let bytes = |collection: String| match host.clone().run(&Command::CollStats { collection, scale: 1 }) {
        Ok(Run { reply: Reply::Result(stats), .. }) => whole(stats.get("totalIndexSize")),
        _ => 0,
    };
    collections(host).into_iter().map(bytes).sum()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sizes are whole and not negative")]
fn whole(number: Option<&Bson>) -> u64 {
    match number {
        Some(Bson::Int32(number)) => u64::try_from(*number).unwrap_or_default(),
        Some(Bson::Int64(number)) => u64::try_from(*number).unwrap_or_default(),
        Some(Bson::Double(number)) => *number as u64,
        _ => 0,
    }
}

/// The same store with other documents in one collection, its indexes kept.
pub(super) fn with_documents(host: &Database, collection: &str, documents: &[Document]) -> Option<Database> {
    let mut host = host.clone();
    let delete = crate::engine::Delete { collection: collection.into(), multi: true, ..Default::default() };
    host.run(&Command::Delete(crate::engine::Delete { filter: doc! {}, ..delete })).ok()?;
    let insert = crate::engine::Insert { collection: collection.into(), documents: documents.to_vec(), ordered: true };
    match host.run(&Command::Insert(insert)).ok()?.reply {
        Reply::Inserted { failures, .. } if failures.is_empty() => Some(host),
        _ => None,
    }
}
