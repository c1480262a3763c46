//! The document that proves a wrong result where the detection itself names none: the learner's own, or else one made.

use crate::engine::{Command, Database, Host, Run};
use crate::pitfall::touch::{self, Part};
use crate::pitfall::{Case, Evidence, Finding, Level, Pitfall, Question, question};
use crate::proof::{Effort, Gave, Hint, Measure, Stage, search, shrink};
use crate::shell::{Limits, Ran, Shell, literal};
use crate::value::{Bson, Document, Path, RawDocument, Source};
use crate::words::{Lang, Words};

const MADE: Words = Words::new(
    "A document made for the proof is misjudged: {document}",
    "Ein für den Beweis gemachtes Dokument wird falsch beurteilt: {document}",
);

/// How far a search goes; an answer waits for it.
const EFFORT: Effort = Effort { runs: 700, sets: 160 };
/// So many of the learner's documents are tried and changed.
const POOL: usize = 16;

/// Gives a finding of a wrong result its proof: documents on which the text as typed and its fix differ. Says so in the
/// message where they had to be made.
pub(super) fn proven(case: &Case<'_>, pitfall: &Pitfall, mut finding: Finding, lang: Lang) -> Finding {
    if pitfall.level == Level::WrongResult {
        prove(case, &mut finding, lang);
    }
    finding
}

fn prove(case: &Case<'_>, finding: &mut Finding, lang: Lang) {
    let held = |piece: &Evidence| {
        matches!(piece, Evidence::Document { .. } | Evidence::Write { .. } | Evidence::Refusal { .. })
    };
    if !finding.evidence.iter().any(held)
        && let Some(pair) = finding.fix.as_deref().and_then(|fix| Pair::new(case, fix, &disputed(finding)))
    {
        finding.evidence.extend(pair.proof());
    }
    let made = finding.evidence.iter().find_map(|piece| match piece {
        Evidence::Document { document, made: true, .. } => Some(document),
        _ => None,
    });
    if let Some(document) = made {
        let shown = literal(&Bson::Document(document.clone()));
        finding.message = format!("{} {}", finding.message, MADE.fill(lang, &[("document", &shown)]));
    }
}

/// A document made for a question whose intended reading is known, though no text says it: one that the filter as typed
/// and that reading judge differently.
pub(super) fn judged(
    case: &Case<'_>,
    question: &Question<'_>,
    meant: &dyn Fn(&RawDocument) -> bool,
) -> Option<Evidence> {
    let matcher = question.matcher(&question.tree)?;
    let differs = |documents: &[Document]| {
        documents.iter().any(|document| {
            bson::RawDocumentBuf::try_from(document).is_ok_and(|raw| matcher.matches(&*raw) != meant(&raw))
        })
    };
    let pool = pool(&case.seen(question), &[]);
    let found = search(&pool, &hints([question.command]), EFFORT, &mut Source::seeded(1), &differs)?;
    let document = found.documents.into_iter().next()?;
    Some(Evidence::Document { document, deciding: Vec::new(), made: found.made })
}

/// The ids that two results of the evidence do not share.
fn disputed(finding: &Finding) -> Vec<Bson> {
    let of = |piece: &Evidence| match piece {
        Evidence::Results { learner, meant } => {
            let only = |list: &[Bson], other: &[Bson]| -> Vec<Bson> {
                list.iter().filter(|id| !other.contains(id)).cloned().collect()
            };
            [only(learner, meant), only(meant, learner)].concat()
        }
        _ => Vec::new(),
    };
    finding.evidence.iter().flat_map(of).collect()
}

/// The first documents, those in dispute before all others.
fn pool(documents: &[&RawDocument], disputed: &[Bson]) -> Vec<Document> {
    let owned = |document: &&RawDocument| Document::try_from(*document).ok();
    let in_dispute = |document: &&&RawDocument| disputed.contains(&super::case::id(document));
    let first = documents.iter().filter(in_dispute).take(POOL / 2);
    let rest = documents.iter().filter(|document| !in_dispute(document)).take(POOL / 2);
    first.chain(rest).filter_map(owned).collect()
}

/// What commands name, by path.
fn hints<'c>(commands: impl IntoIterator<Item = &'c Command>) -> Vec<Hint> {
    let mut found: Vec<Hint> = Vec::new();
    for command in commands {
        for mention in touch::mentions(command).into_iter().filter(|mention| mention.part != Part::Order) {
            let hint = Hint { path: Path::new(&mention.path), value: mention.value.clone() };
            if !found.contains(&hint) {
                found.push(hint);
            }
        }
    }
    found
}

/// The text as typed and its fix, each as the commands it ran, and the collection both are run on.
struct Pair<'a> {
    typed_text: &'a str,
    fixed_text: &'a str,
    typed: Vec<Command>,
    fixed: Vec<Command>,
    stage: Stage,
    pool: Vec<Document>,
    measure: Measure,
    writes: bool,
    /// Whether the text makes its own data.
    makes: bool,
}

impl<'a> Pair<'a> {
    fn new(case: &'a Case<'_>, fix: &'a str, disputed: &[Bson]) -> Option<Self> {
        let touch = case.touches().last()?;
        let collection = touch.collection;
        let pool = pool(&case.documents(collection), disputed);
        let base = if case.before.collection(collection).is_some() { case.before } else { case.after };
        let stage = Stage::new(base, collection)?;
        // A text that makes its own data finds its collection empty.
        let makes = case.sent.iter().any(|ran| self::makes(&ran.command));
        let mut shell = Shell::new(stage.with(if makes { &[] } else { &pool })?, Limits::default());
        let outcome = shell.run(fix);
        outcome.value.ok()?;
        let typed = commands(case.sent);
        let fixed = commands(&outcome.ran);
        let measure = Measure::of(question::explained(typed.last()?), question::explained(fixed.last()?));
        let asking = case.sent.iter().filter(|ran| !self::makes(&ran.command));
        let writes = asking.filter_map(|ran| ran.result.as_deref().ok()).any(wrote);
        Some(Self {
            typed_text: case.script.text(),
            fixed_text: fix,
            typed,
            fixed,
            stage,
            pool,
            measure,
            writes,
            makes,
        })
    }

    /// The smallest set found on which the two differ, checked by running both texts.
    fn proof(&self) -> Vec<Evidence> {
        let hints = hints(self.typed.iter().chain(&self.fixed));
        let differs = |documents: &[Document]| self.differs(documents);
        let Some(mut found) = search(&self.pool, &hints, EFFORT, &mut Source::seeded(1), &differs) else {
            return Vec::new();
        };
        if found.made {
            shrink(&mut found.documents, EFFORT.runs, &differs);
        }
        if !self.texts_differ(&found.documents) {
            return Vec::new();
        }
        let proof = |document| Evidence::Document { document, deciding: Vec::new(), made: found.made };
        found.documents.into_iter().map(proof).collect()
    }

    fn differs(&self, documents: &[Document]) -> bool {
        let Some(host) = self.stage.with(documents).filter(|_| !documents.is_empty()) else { return false };
        let both = self.run(&self.typed, host.clone()).zip(self.run(&self.fixed, host));
        both.is_some_and(|(typed, fixed)| !typed.same(&fixed, self.measure, self.writes))
    }

    fn run(&self, commands: &[Command], mut host: Database) -> Option<Gave> {
        let runs: Vec<Run> = commands.iter().map(|command| host.run(command).ok()).collect::<Option<_>>()?;
        Some(Gave::of_runs(&runs.iter().collect::<Vec<_>>(), &host, self.stage.collection()))
    }

    /// Whether the texts themselves differ; a text that makes its own data is held to its commands alone.
    fn texts_differ(&self, documents: &[Document]) -> bool {
        if self.makes {
            return self.differs(documents);
        }
        let Some(host) = self.stage.with(documents) else { return false };
        let run = |text: &str| {
            let mut shell = Shell::new(host.clone(), Limits::default());
            let outcome = shell.run(text);
            let after = shell.host().clone();
            Gave::of(&outcome.ran, &after, self.stage.collection())
        };
        let both = run(self.typed_text).zip(run(self.fixed_text));
        both.is_some_and(|(typed, fixed)| !typed.same(&fixed, self.measure, self.writes))
    }
}

fn wrote(run: &Run) -> bool {
    !run.writes.documents.is_empty()
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
