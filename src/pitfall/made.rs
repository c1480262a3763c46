//! The document that proves a wrong result where the detection itself names none: the learner's own, or else one made.

use crate::engine::{Command, Database};
use crate::pitfall::pair::Pair;
use crate::pitfall::touch::{self, Part};
use crate::pitfall::{Case, Evidence, Finding, Level, Pitfall, Question, Sighting};
use crate::proof::{Effort, Found, Hint, search, written};
use crate::query::Filter;
use crate::shell::literal;
use crate::value::{Bson, Document, Path, RawDocument, RawDocumentBuf, Source};
use crate::words::{Lang, Words};

const MADE: Words = Words::new(
    "A document made for the proof is misjudged: {document}",
    "Ein für den Beweis gemachtes Dokument wird falsch beurteilt: {document}",
);
const SEVERAL: Words = Words::new(
    "Documents made for the proof are misjudged: {document}",
    "Für den Beweis gemachte Dokumente werden falsch beurteilt: {document}",
);

/// So many sets of made documents are tried for all findings of one outcome together: an answer waits for them.
pub(super) const SETS: usize = 96;
/// What one search may run to take away what is not needed.
const RUNS: u32 = 400;
/// So many of the learner's documents are tried and changed.
const POOL: usize = 16;

/// The finding with its proof where it is about a wrong result: documents on which the text as typed and its fix differ.
/// Says so in the message where they had to be made.
pub(super) fn proven(case: &Case<'_>, pitfall: &Pitfall, seen: Sighting, lang: Lang) -> Finding {
    let reading = seen.fix.clone().or_else(|| seen.reading.clone());
    let mut finding = pitfall.finding(seen, lang);
    if pitfall.level == Level::WrongResult && matches!(finding.level, Level::WrongResult | Level::Risk) {
        prove(case, &mut finding, reading.as_deref(), lang);
    }
    finding
}

fn prove(case: &Case<'_>, finding: &mut Finding, reading: Option<&str>, lang: Lang) {
    // What the learner's own documents show is no proof where they are all judged right.
    let right = finding.level == Level::Risk;
    let proves = |piece: &Evidence| match piece {
        Evidence::Document { made, .. } => *made || !right,
        Evidence::Write { .. } | Evidence::Refusal { .. } => !right,
        _ => false,
    };
    if !finding.evidence.iter().any(proves)
        && let Some(pair) = reading.and_then(|reading| Pair::new(case, reading, &disputed(finding)))
    {
        finding.evidence.extend(pair.proof().into_iter().filter(proves));
    }
    let made = finding.evidence.iter().filter_map(|piece| match piece {
        Evidence::Document { document, made: true, .. } => Some(literal(&Bson::Document(document.clone()))),
        _ => None,
    });
    let made: Vec<String> = made.collect();
    if !made.is_empty() {
        let words = if made.len() == 1 { MADE } else { SEVERAL };
        finding.message = format!("{} {}", finding.message, words.fill(lang, &[("document", &made.join(", "))]));
    }
}

/// A document made for a question whose intended reading is known, though no text says it: one that the filter as typed
/// and that reading judge differently; `reading` is a filter that names the values it looks for. Documents of which the reading says nothing prove nothing.
pub(super) fn judged(
    case: &Case<'_>,
    question: &Question<'_>,
    reading: &Filter,
    meant: &dyn Fn(&RawDocument) -> Option<bool>,
) -> Vec<Evidence> {
    let Some(matcher) = question.matcher(&question.tree) else { return Vec::new() };
    let misjudged = |raw: &RawDocument| meant(raw).is_some_and(|meant| matcher.matches(raw) != meant);
    let differs = |documents: &[Document]| {
        documents.iter().any(|document| RawDocumentBuf::try_from(document).is_ok_and(|raw| misjudged(&raw)))
    };
    let pool = pool(&case.seen(question), &[]);
    let other = question.with(written(reading));
    found(case, &pool, [question.command, &other], &differs)
        .filter(|found| found.made)
        .map(evidence)
        .unwrap_or_default()
}

/// Documents made so that a collection that holds them alone shows what is looked for.
pub(super) fn shown_by(
    case: &Case<'_>,
    collection: &str,
    command: &Command,
    shows: &dyn Fn(&Database) -> bool,
) -> Vec<Evidence> {
    let Some(stage) = case.stage(collection) else { return Vec::new() };
    let held = |documents: &[Document]| stage.with_accepted(documents).is_some_and(|held| shows(&held));
    let pool = pool(&case.documents(collection), &[]);
    found(case, &pool, [command], &held).filter(|found| found.made).map(evidence).unwrap_or_default()
}

/// What a search found, as evidence.
pub(super) fn evidence(found: Found) -> Vec<Evidence> {
    let proof = |document| Evidence::Document { document, deciding: Vec::new(), made: found.made };
    found.documents.into_iter().map(proof).collect()
}

/// A small set of documents that a question's commands tell apart.
pub(super) fn found<'c>(
    case: &Case<'_>,
    pool: &[Document],
    commands: impl IntoIterator<Item = &'c Command>,
    differs: &dyn Fn(&[Document]) -> bool,
) -> Option<Found> {
    let within = |documents: &[Document]| !documents.is_empty() && differs(documents);
    let left = case.sets_left.get();
    // The first of several searches leaves some for the others.
    let effort = Effort { runs: RUNS, sets: left - left / 3 };
    let found = search(pool, &hints(commands), effort, &mut Source::seeded(1), &within);
    let tried = found.as_ref().map_or(effort.sets, |found| found.tried);
    case.sets_left.set(left.saturating_sub(tried));
    found
}

/// The ids that two results of the evidence do not share.
fn disputed(finding: &Finding) -> Vec<Bson> {
    let of = |piece: &Evidence| match piece {
        Evidence::Results { learner, meant } => {
            let only = |list: &[Bson], other: &[Bson]| -> Vec<Bson> {
                super::case::only_in(list, other).into_iter().take(POOL).cloned().collect()
            };
            [only(learner, meant), only(meant, learner)].concat()
        }
        _ => Vec::new(),
    };
    finding.evidence.iter().flat_map(of).collect()
}

/// The first documents, those in dispute before all others.
pub(super) fn pool(documents: &[&RawDocument], disputed: &[Bson]) -> Vec<Document> {
    let owned = |document: &&RawDocument| Document::try_from(*document).ok();
    let in_dispute = |document: &&&RawDocument| disputed.contains(&super::case::id(document));
    let first = documents.iter().filter(in_dispute).take(if disputed.is_empty() { 0 } else { POOL / 2 });
    let rest = documents.iter().filter(|document| !in_dispute(document)).take(POOL / 2);
    first.chain(rest).filter_map(owned).collect()
}

/// So many of the values that commands name are tried.
const NAMED: usize = 64;

/// What commands name, by path.
fn hints<'c>(commands: impl IntoIterator<Item = &'c Command>) -> Vec<Hint> {
    let mut found: Vec<Hint> = Vec::new();
    for command in commands {
        let named = touch::mentions(command).into_iter().filter(|mention| mention.part != Part::Order);
        for mention in named.take(NAMED) {
            let hint = Hint { path: Path::new(&mention.path), value: mention.value.clone() };
            if !found.contains(&hint) {
                found.push(hint);
            }
        }
    }
    found
}
