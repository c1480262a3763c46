//! A question together with the plan that answered it, and how its cost is measured with other indexes.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::engine::{Command, CreateIndexes, Database, Host, IndexRequest};
use crate::pitfall::work::{cost, gain};
use crate::pitfall::{Case, Evidence, Level, Question, Sighting};
use crate::plan::{Explain, IndexScan, Stage, Verbosity};
use crate::proof;
use crate::query::Matcher;
use crate::shell::to_statement;
use crate::store::{AttributeFacts, Collection, Direction, Index};
use crate::value::{Bson, Document};

/// Below this many documents needless work is only worth a hint.
const FEW: usize = 20;

/// Indexes are built for comparison only where that takes no noticeable time.
const MEASURED: usize = 4_000;

/// So many elements of a larger collection stand for all of them.
const SAMPLED: usize = 500;

/// A question that was planned.
pub(super) struct Asked<'a> {
    pub question: Question<'a>,
    pub explain: Cow<'a, Explain>,
    /// The collection as the question looked at it.
    pub collection: &'a Collection,
    pub span: Range<usize>,
    /// The data that it looked at.
    database: &'a Database,
    /// The collection with the indexes that there are now.
    indexed: &'a Collection,
}

/// What another index would spare.
pub(super) struct Gain {
    /// The work with both, or the plain counts of the present work where the collection is too large to be indexed for a
    /// comparison.
    pub evidence: Evidence,
    /// A cost where the work would be less, else a hint.
    pub level: Level,
}

/// The questions of a text, those of one place once.
pub(super) fn asked<'a>(case: &Case<'a>) -> Vec<Asked<'a>> {
    let mut seen = BTreeSet::new();
    case.questions()
        .iter()
        .filter_map(|question| {
            let span = case.span(question.ran, &question.at);
            seen.insert((span.start, span.end)).then(|| Asked::new(case, question.clone(), span)).flatten()
        })
        .collect()
}

/// Each question that was planned.
pub(super) fn each_asked(case: &Case<'_>, sight: impl Fn(&Case<'_>, &Asked<'_>) -> Option<Sighting>) -> Vec<Sighting> {
    asked(case).iter().filter_map(|asked| sight(case, asked)).collect()
}

/// Each question that read every document for want of an index.
pub(super) fn each_scan(case: &Case<'_>, sight: impl Fn(&Case<'_>, &Asked<'_>) -> Option<Sighting>) -> Vec<Sighting> {
    each_asked(case, |case, asked| if asked.reads_all() { sight(case, asked) } else { None })
}

impl<'a> Asked<'a> {
    fn new(case: &Case<'a>, question: Question<'a>, span: Range<usize>) -> Option<Self> {
        let state = case.state(question.ran, question.collection);
        let database = case.database(state);
        let collection = database.collection(question.collection).filter(|held| !held.is_empty())?;
        let indexed = case.after.collection(question.collection).unwrap_or(collection);
        let unrun = matches!(question.ran.command, Command::Explain { verbosity: Verbosity::QueryPlanner, .. });
        let explain = if unrun {
            Cow::Owned(case.run_on(state, question.command)?.explain.as_deref()?.clone())
        } else {
            Cow::Borrowed(case.explain(question.ran)?)
        };
        Some(Self { question, explain, collection, span, database, indexed })
    }

    /// Keys examined, documents examined, documents found.
    pub fn cost(&self) -> [u64; 3] {
        cost(&self.explain)
    }

    /// Whether every document was read for want of an index, not by the learner's hint.
    pub fn reads_all(&self) -> bool {
        self.hint().is_none() && self.explain.winning.all().any(|node| matches!(node.stage, Stage::CollScan { .. }))
    }

    /// The one index scan of the plan.
    pub fn scan(&self) -> Option<&IndexScan> {
        let mut scans = self.explain.winning.all().filter_map(|node| node.stage.scan());
        scans.next().filter(|_| scans.next().is_none())
    }

    /// Whether the collection is so small that nothing is lost yet.
    pub fn is_small(&self) -> bool {
        self.collection.len() < FEW
    }

    /// The hint given.
    pub fn hint(&self) -> Option<&Bson> {
        self.question.command.hint()
    }

    /// The indexes the planner may use, `_id_` left out.
    pub fn indexes(&self) -> impl Iterator<Item = &'a Index> + use<'a> {
        self.indexed.indexes().iter().filter(|index| !index.info().hidden && index.name() != "_id_")
    }

    /// The statement that makes an index of these keys.
    pub fn creation(&self, keys: &Document) -> Command {
        let request = IndexRequest { keys: keys.clone(), options: Document::new() };
        Command::CreateIndexes(CreateIndexes { collection: self.question.collection.into(), indexes: vec![request] })
    }

    /// The text with an index of these keys made before the question.
    pub fn with_creation(&self, case: &Case<'_>, keys: &Document) -> Option<String> {
        self.after_commands(case, &[self.creation(keys)])
    }

    /// The text with commands run before the question's statement.
    pub fn after_commands(&self, case: &Case<'_>, commands: &[Command]) -> Option<String> {
        if self.takes_some() {
            return None;
        }
        let statement = case.script.statement_at(self.span.start)?;
        let start = case.script.node(statement).span.start;
        let statements: Vec<String> = commands.iter().map(to_statement).collect();
        case.replaced(&(start..start), &format!("{}; ", statements.join("; ")))
    }

    /// Whether the command takes some of the documents it could, as the plan comes to them: with another index it would
    /// take others.
    fn takes_some(&self) -> bool {
        let unsorted = |sort: &Option<Document>| sort.as_ref().is_none_or(Document::is_empty);
        let first = match self.question.command {
            Command::Find(find) => find.limit.is_some() && unsorted(&find.sort),
            Command::Update(update) => !update.spec.multi,
            Command::Delete(delete) => !delete.multi,
            Command::FindAndModify(modify) => unsorted(&modify.sort),
            _ => false,
        };
        let Ok(matcher) = Matcher::new(&self.question.tree, self.question.collation.clone()) else { return first };
        let mut all = self.collection.scan(Direction::Ascending).filter(|(_, document)| matcher.matches(*document));
        first && all.nth(1).is_some()
    }

    /// The text with an index of these keys in place of another, which is made anew where the text made it.
    pub fn with_keys_instead(&self, case: &Case<'_>, index: &Index, keys: &Document) -> Option<String> {
        let made = super::made::made(case)
            .into_iter()
            .find(|made| made.collection == self.question.collection && made.request.keys == index.info().key_pattern);
        if let Some(made) = made.filter(|made| made.command.indexes.len() == 1) {
            return case.replaced(&made.ran.span.clone()?, &to_statement(&self.creation(keys)));
        }
        let drop = Command::DropIndexes {
            collection: self.question.collection.into(),
            index: Bson::String(index.name().into()),
        };
        self.after_commands(case, &[drop, self.creation(keys)])
    }

    /// What an index of these keys would spare beside the others, or in place of one; none where it would spare nothing, of a
    /// small collection the present work alone.
    pub fn gain(&self, case: &Case<'_>, keys: &Document, instead: Option<&Index>) -> Option<Gain> {
        self.gain_of(case, &self.creation(keys), instead)
    }

    /// What an index would spare that a command makes.
    pub fn gain_of(&self, case: &Case<'_>, creation: &Command, instead: Option<&Index>) -> Option<Gain> {
        let (worth, evidence) = if self.elements(case) > MEASURED {
            let worth = self.sample(case).and_then(|sample| {
                let typed = sample.clone().run(self.question.command).ok()?.explain?;
                Some(gain(cost(&typed), self.measured(sample, creation, instead)?))
            });
            (worth, self.counts())
        } else {
            let cured = self.measured(self.database.clone(), creation, instead);
            let both = |cured| Evidence::Cost { learner: self.cost(), cured };
            (cured.map(|cured| gain(self.cost(), cured)), cured.map_or_else(|| self.counts(), both))
        };
        match (worth.unwrap_or(Some(Level::Cost)), self.is_small()) {
            (Some(_), true) => Some(Gain { evidence, level: Level::Hint }),
            // What is too little to be spared now will be more.
            (None, true) => Some(Gain { evidence: self.counts(), level: Level::Hint }),
            (worth, false) => Some(Gain { evidence, level: worth? }),
        }
    }

    /// What the question cost, as counts.
    pub fn counts(&self) -> Evidence {
        let names = ["totalKeysExamined", "totalDocsExamined", "nReturned"];
        let counts = names.into_iter().map(str::to_owned).zip(self.cost()).collect();
        Evidence::Counts { of: self.explain.winning.line(), counts }
    }

    /// So many index entries the collection would make.
    fn elements(&self, case: &Case<'_>) -> usize {
        let elements: u64 = case.attributes(self.question.collection).iter().map(|array| array.elements).sum();
        usize::try_from(elements).unwrap_or(usize::MAX).max(self.collection.len())
    }

    /// The data with some of the documents, taken evenly.
    fn sample(&self, case: &Case<'_>) -> Option<Database> {
        let step = self.elements(case).div_ceil(SAMPLED);
        let taken = self.collection.scan(Direction::Ascending).step_by(step);
        let documents: Vec<Document> = taken.filter_map(|(_, raw)| Document::try_from(raw).ok()).collect();
        proof::Stage::new(self.database, self.question.collection)?.with(&documents)
    }

    /// The work where the index is made first.
    fn measured(&self, mut fork: Database, creation: &Command, instead: Option<&Index>) -> Option<[u64; 3]> {
        if let Some(index) = instead {
            let index = Bson::String(index.name().into());
            // What is not there need not go.
            drop(fork.run(&Command::DropIndexes { collection: self.question.collection.into(), index }));
        }
        fork.run(creation).ok()?;
        fork.run(self.question.command).ok()?.explain.map(|explain| cost(&explain))
    }
}

/// The index that an attribute array wants: key first, value second.
pub(super) fn compound(array: &AttributeFacts) -> Document {
    [&array.key, &array.value].into_iter().map(|field| (format!("{}.{field}", array.path), Bson::Int32(1))).collect()
}
