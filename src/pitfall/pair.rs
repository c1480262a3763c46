//! The text as typed beside another one: documents of their collection on which the two give different answers.

use std::rc::Rc;

use crate::engine::{Command, Database, Host, Run};
use crate::pitfall::linked::linked;
use crate::pitfall::{Case, Evidence, made, question};
use crate::proof::{Found, Gave, Measure, Stage};
use crate::query::Matcher;
use crate::shell::{Limits, Ran, Shell};
use crate::value::{Bson, Document};

/// A text of more commands than this, those that make its data aside, is not run again and again.
const COMMANDS: usize = 20;

/// Whether the text is short enough to be run again.
pub(super) fn may_run_again(case: &Case<'_>) -> bool {
    case.sent.iter().filter(|ran| !makes(&ran.command)).count() <= COMMANDS
}

/// The text as typed and another one, each as the commands it ran, and the collection both are run on.
pub(super) struct Pair<'a, 'c> {
    case: &'a Case<'c>,
    typed_text: &'a str,
    other_text: &'a str,
    typed: Vec<Command>,
    other: Vec<Command>,
    /// The two filters, where the texts differ in nothing else.
    filters: Option<[Matcher; 2]>,
    stage: Rc<Stage>,
    pool: Vec<Document>,
    measure: Measure,
    writes: bool,
    /// Whether the text makes its own data.
    makes: bool,
}

impl<'a, 'c> Pair<'a, 'c> {
    /// None where the other text cannot be run, and where the text has so many commands that running them again and again
    /// would take long.
    pub(super) fn new(case: &'a Case<'c>, other: &'a str, disputed: &[Bson]) -> Option<Self> {
        if !may_run_again(case) {
            return None;
        }
        let touch = case.touches().last()?;
        let collection = touch.collection;
        let pool = made::pool(&case.documents(collection), disputed);
        let stage = case.stage(collection)?;
        // A text that makes its own data finds its collection empty.
        let makes = case.sent.iter().any(|ran| self::makes(&ran.command));
        let mut shell = Shell::new(stage.with(if makes { &[] } else { &pool })?, Limits::default());
        let outcome = shell.run(other);
        outcome.value.ok()?;
        let (typed, others) = (commands(case.sent), commands(&outcome.ran));
        let wrote = |ran: &[Ran]| ran.iter().filter(|ran| !self::makes(&ran.command)).any(wrote);
        let writes = wrote(case.sent);
        let mut measure = Measure::of(typed.last()?.explained(), others.last()?.explained());
        // What a text has converted first it finds changed, though it finds the same.
        measure.whole &= writes || !wrote(&outcome.ran);
        Some(Self {
            case,
            typed_text: case.script.text(),
            other_text: other,
            filters: filters(case.sent, &outcome.ran),
            typed,
            other: others,
            stage,
            pool,
            measure,
            writes,
            makes,
        })
    }

    /// The smallest set found on which the two differ, checked by running both texts.
    pub(super) fn proof(&self) -> Vec<Evidence> {
        let commands = || self.typed.iter().chain(&self.other);
        let search = |pool: &[Document]| made::found(self.case, pool, commands(), &|set| self.differs(set));
        let by_link = || {
            let pool = linked(self.case, &self.typed, self.stage.collection(), &self.pool)?;
            Some(Found { made: true, ..search(&pool)? })
        };
        let Some(found) = search(&self.pool).or_else(by_link) else { return Vec::new() };
        if self.texts_differ(&found.documents) { made::evidence(found) } else { Vec::new() }
    }

    fn differs(&self, documents: &[Document]) -> bool {
        if let Some([typed, other]) = &self.filters {
            return documents.iter().any(|own| typed.matches(own) != other.matches(own));
        }
        match self.stage.with_accepted(documents).and_then(|host| self.runs_differ(host)) {
            // What stops a run is one document; the others may show something without it.
            None if documents.len() > 1 => {
                let (front, behind) = documents.split_at(documents.len() / 2);
                self.differs(front) || self.differs(behind)
            }
            differs => differs == Some(true),
        }
    }

    /// Whether the commands give different answers; none where one of them is refused.
    fn runs_differ(&self, host: Database) -> Option<bool> {
        let typed = self.run(&self.typed, host.clone())?;
        Some(!typed.same(&self.run(&self.other, host)?, self.measure, self.writes))
    }

    fn run(&self, commands: &[Command], mut host: Database) -> Option<Gave> {
        let runs: Vec<Run> = commands.iter().map(|command| host.run(command).ok()).collect::<Option<_>>()?;
        Some(Gave::of_runs(&runs.iter().collect::<Vec<_>>(), &host, self.stage.collection()))
    }

    /// Whether the texts themselves differ; a text that makes its own data is held to its commands alone.
    fn texts_differ(&self, documents: &[Document]) -> bool {
        let Some(host) = self.stage.with(documents).filter(|_| !documents.is_empty()) else { return false };
        if self.makes {
            return self.runs_differ(host) == Some(true);
        }
        let run = |text: &str| {
            let mut shell = Shell::new(host.clone(), Limits::default());
            let outcome = shell.run(text);
            let after = shell.host().clone();
            Gave::of(&outcome.ran, &after, self.stage.collection())
        };
        let both = run(self.typed_text).zip(run(self.other_text));
        both.is_some_and(|(typed, other)| !typed.same(&other, self.measure, self.writes))
    }
}

/// The filters of two texts that run one find each, the same in all but the filter.
fn filters(typed: &[Ran], other: &[Ran]) -> Option<[Matcher; 2]> {
    let ([typed], [other]) = (typed, other) else { return None };
    let (Command::Find(one), Command::Find(two)) = (&typed.command, &other.command) else { return None };
    let mut same = two.clone();
    same.filter = one.filter.clone();
    let whole = one.skip.is_none() && one.limit.is_none();
    let matcher = |ran| {
        let own = question::of(ran).pop()?;
        own.matcher(&own.tree)
    };
    if whole && same == *one { Some([matcher(typed)?, matcher(other)?]) } else { None }
}

fn wrote(ran: &Ran) -> bool {
    ran.result.as_ref().is_ok_and(|run| !run.writes.documents.is_empty()) || writes(ran.command.explained())
}

/// Whether a command is there to change documents, be it that it changed none.
fn writes(command: &Command) -> bool {
    matches!(
        command,
        Command::Update(_)
            | Command::FindAndModify(_)
            | Command::Delete(_)
            | Command::BulkWrite(_)
            | Command::Insert(_)
    )
}

/// The commands of a text but for those that make its data and indexes.
fn commands(ran: &[Ran]) -> Vec<Command> {
    ran.iter().map(|ran| &ran.command).filter(|command| !makes(command)).cloned().collect()
}

fn makes(command: &Command) -> bool {
    matches!(
        command,
        Command::Insert(_)
            | Command::CreateIndexes(_)
            | Command::DropIndexes { .. }
            | Command::CreateCollection { .. }
            | Command::DropCollection { .. }
            | Command::DropDatabase
    )
}
