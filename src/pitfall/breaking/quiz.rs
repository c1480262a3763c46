//! The question what gives a broken text away, with choices and their reasons taken from the two runs.

use super::table::{Break, Facts, breaks};
use crate::engine::Database;
use crate::pitfall::{Inquiry, touch};
use crate::proof::{Gave, Said, stopped};
use crate::shell::{Limits, Outcome, Shell, literal};
use crate::store::Direction;
use crate::value::{Bson, Document, View, equal};
use crate::words::{Lang, Words};

const EXTRA: Words = Words::new(
    "Which document does the broken text return that it should not?",
    "Welches Dokument gibt der kaputte Text zurück, das er nicht zurückgeben soll?",
);
const MISSING: Words =
    Words::new("Which document is missing from the broken answer?", "Welches Dokument fehlt in der kaputten Antwort?");
const CHANGED: Words =
    Words::new("Which row of the answer is another one now?", "Welche Zeile der Antwort ist jetzt eine andere?");
const STORED: Words = Words::new(
    "Which document is stored differently by the broken text?",
    "Welches Dokument wird vom kaputten Text anders gespeichert?",
);
const VALUE: Words = Words::new("What does the broken text give?", "Was ergibt der kaputte Text?");
const NUMBER: Words = Words::new(
    "The results are the same. Which number of the plan gives it away?",
    "Die Ergebnisse sind gleich. Welche Zahl des Plans verrät es?",
);
const NONE: Words = Words::new("none: nothing differs", "keines: Nichts unterscheidet sich");
const NO_NUMBER: Words = Words::new("none: the plans are the same", "keine: Die Pläne sind gleich");
const DIFFERS: Words = Words::new("Both were run: something differs.", "Beide liefen: Etwas unterscheidet sich.");
const BROKEN_ONLY: Words = Words::new("Only the broken text returns it.", "Nur der kaputte Text gibt es zurück.");
const RIGHT_ONLY: Words = Words::new("Only the right text returns it.", "Nur der richtige Text gibt es zurück.");
const BOTH: Words = Words::new("Both return it, and alike.", "Beide geben es zurück, und gleich.");
const NEITHER: Words = Words::new("Neither returns it.", "Keiner gibt es zurück.");
const UNLIKE: Words = Words::new("Right: {right}, broken: {broken}.", "Richtig: {right}, kaputt: {broken}.");
const ALIKE: Words = Words::new("Both leave it alike.", "Beide lassen es gleich.");
const UNCHANGED: Words = Words::new("{value} in both runs.", "{value} in beiden Läufen.");

/// A broken text and what is asked about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Quiz {
    /// The break.
    pub id: &'static str,
    /// The pitfall it falls into, where there is one.
    pub pitfall: Option<&'static str>,
    /// What was done to the text, in a sentence.
    pub done: String,
    /// The broken text.
    pub broken: String,
    /// What is asked behind it, where the text asks nothing itself.
    pub probe: String,
    /// The question.
    pub ask: String,
    /// The choices; exactly one is right.
    pub choices: Vec<Choice>,
    /// Why the filter of the broken text judges the document in question as it does, where one is.
    pub proof: Vec<Said>,
}

/// One choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// What it says.
    pub text: String,
    /// Whether it is right.
    pub right: bool,
    /// Why it is right or wrong.
    pub why: String,
}

/// A question for each way in which a text can be broken so that the data shows it. Where the text makes an index and asks
/// nothing itself, one of the `probes` is asked behind both.
#[must_use]
pub fn quizzes(text: &str, probes: &[String], database: &Database, lang: Lang) -> Vec<Quiz> {
    let database = &stopped(database);
    let facts = Facts::of(database);
    let tails: Vec<String> = match probes {
        [] => vec![String::new()],
        probes => probes.iter().map(|probe| format!("\n;{probe}")).collect(),
    };
    let rights = tails.iter().filter_map(|tail| Some((tail.as_str(), Side::run(text, tail, database)?)));
    let rights: Vec<(&str, Side)> = rights.collect();
    let quiz = |way: &Break| {
        let mut places = rights.iter().flat_map(|(tail, right)| {
            let texts = way.texts(&right.outcome.script, &facts).into_iter();
            texts.filter_map(move |broken| Some((broken.strip_suffix(tail)?.to_owned(), *tail, right)))
        });
        places.find_map(|(broken, tail, right)| {
            let side = Side::run(&broken, tail, database)?;
            let Asked { words, choices, about } = right.against(&side, lang)?;
            let proof = about.and_then(|id| side.why(&id, database, lang)).unwrap_or_default();
            let (done, ask) = (way.done.get(lang).to_owned(), words.get(lang).to_owned());
            let probe = tail.trim_start_matches(['\n', ';']).to_owned();
            Some(Quiz { id: way.id, pitfall: way.pitfall, done, broken, probe, ask, choices, proof })
        })
    };
    breaks().iter().filter_map(quiz).collect()
}

/// A text that ran.
struct Side {
    outcome: Outcome,
    after: Database,
    gave: Gave,
}

/// A question before its place among others is settled.
struct Asked {
    words: Words,
    choices: Vec<Choice>,
    /// The `_id` of the document in question.
    about: Option<Bson>,
}

impl Side {
    /// Runs a text on a fork; none where it fails or speaks of no collection.
    fn run(text: &str, tail: &str, database: &Database) -> Option<Self> {
        let mut shell = Shell::new(database.clone(), Limits::default());
        let outcome = shell.run(&format!("{text}{tail}"));
        outcome.value.as_ref().ok()?;
        let after = shell.host().clone();
        let written = outcome.ran.iter().rev().find_map(|ran| ran.result.as_ref().ok()?.writes.documents.last());
        let read = || Some(outcome.ran.iter().rev().find_map(touch::of)?.collection.to_owned());
        let collection = written.map(|written| written.collection.to_string()).or_else(read)?;
        let gave = Gave::of(&outcome.ran, &after, &collection)?;
        Some(Self { outcome, after, gave })
    }

    /// What sets the broken text apart from this one; none where nothing does.
    fn against(&self, broken: &Self, lang: Lang) -> Option<Asked> {
        match (&self.gave.stored, &broken.gave.stored) {
            (Some(right), Some(other)) if right != other => return documents(right, other, &[], true, lang),
            (Some(_), None) | (None, Some(_)) => return None,
            _ => {}
        }
        let (Some(right), Some(other)) = (self.documents(), broken.documents()) else {
            let (right, other) = (self.value(), broken.value());
            return if right == other { self.numbers(broken, lang) } else { Some(values(&right, &other, lang)) };
        };
        documents(right, other, &self.all(), false, lang).or_else(|| self.numbers(broken, lang))
    }

    /// The value of the last statement, as mongosh writes it.
    fn value(&self) -> String {
        self.outcome.value.as_ref().map_or_else(|_| String::new(), |shown| literal(&shown.to_bson()))
    }

    /// The documents that the text gives, all with an `_id`; none where its value is something else than what it read.
    fn documents(&self) -> Option<&[Bson]> {
        let rows = self.gave.rows.as_deref()?;
        let shown = match self.outcome.value.as_ref().ok()?.to_bson() {
            Bson::Array(list) => list,
            one => vec![one],
        };
        let given = rows.starts_with(&shown) && (shown.len() == rows.len() || !shown.is_empty());
        (given && rows.iter().all(|row| id_of(row).is_some())).then_some(rows)
    }

    /// The documents of the collection that is read.
    fn all(&self) -> Vec<Bson> {
        let touch = self.outcome.ran.iter().rev().find_map(touch::of);
        let held = touch.and_then(|touch| self.after.collection(touch.collection)).into_iter();
        let scan = held.flat_map(|held| held.scan(Direction::Ascending));
        scan.filter_map(|(_, document)| Document::try_from(document).ok()).map(Bson::Document).collect()
    }

    /// The figures of the plan read last, each with its name.
    fn figures(&self) -> Option<Vec<(&'static str, String)>> {
        let mut runs = self.outcome.ran.iter().rev().filter_map(|ran| ran.result.as_ref().ok());
        let explain = runs.find_map(|run| run.explain.as_deref())?;
        let sum = |of: &dyn Fn(&crate::plan::PlanNode) -> u64| explain.winning.all().map(of).sum::<u64>().to_string();
        let stages: Vec<&str> = explain.winning.all().map(|node| node.stage.name()).collect();
        Some(vec![
            ("totalKeysExamined", sum(&|node| node.work.keys_examined)),
            ("totalDocsExamined", sum(&|node| node.work.docs_examined)),
            ("nReturned", explain.returned.to_string()),
            ("winningPlan", stages.join(" ← ")),
        ])
    }

    fn numbers(&self, broken: &Self, lang: Lang) -> Option<Asked> {
        let (right, other) = (self.figures()?, broken.figures()?);
        let pairs: Vec<(&str, &String, &String)> =
            right.iter().zip(&other).map(|((name, right), (_, other))| (*name, right, other)).collect();
        let (name, before, after) = pairs.iter().find(|(_, before, after)| before != after)?;
        let why = UNLIKE.fill(lang, &[("right", before), ("broken", after)]);
        let mut choices = vec![Choice { text: (*name).to_owned(), right: true, why }];
        for (name, value, _) in pairs.iter().filter(|(_, before, after)| before == after) {
            choices.push(wrong((*name).to_owned(), UNCHANGED.fill(lang, &[("value", value)])));
        }
        choices.push(wrong(NO_NUMBER.get(lang).into(), DIFFERS.get(lang).into()));
        Some(Asked { words: NUMBER, choices: placed(choices), about: None })
    }

    /// Why the last filter of this text judges a document as it does.
    fn why(&self, id: &Bson, before: &Database, lang: Lang) -> Option<Vec<Said>> {
        let inquiry = Inquiry::of(&self.outcome, before, &self.after)?.ok()?;
        inquiry.said(inquiry.find(id)?, lang).ok()
    }
}

/// Two lists of documents set apart by the first that only one has, or both have differently.
fn documents(right: &[Bson], broken: &[Bson], all: &[Bson], stored: bool, lang: Lang) -> Option<Asked> {
    let find = |list: &[Bson], id: &Bson| list.iter().find(|row| id_of(row).is_some_and(|own| is(own, id))).cloned();
    let ids = |list: &[Bson]| list.iter().filter_map(id_of).cloned().collect::<Vec<_>>();
    let extra = ids(broken).into_iter().find(|id| find(right, id).is_none());
    let missing = ids(right).into_iter().find(|id| find(broken, id).is_none());
    let unlike = |id: &Bson| find(broken, id).zip(find(right, id)).filter(|(broken, right)| broken != right);
    let (words, id, why) = if let Some(id) = extra {
        (EXTRA, id, BROKEN_ONLY.get(lang).to_owned())
    } else if let Some(id) = missing {
        (MISSING, id, RIGHT_ONLY.get(lang).to_owned())
    } else {
        let id = ids(right).into_iter().find(|id| unlike(id).is_some())?;
        let (broken, right) = unlike(&id)?;
        let why = UNLIKE.fill(lang, &[("right", &literal(&right)), ("broken", &literal(&broken))]);
        (CHANGED, id, why)
    };
    let named = |id: &Bson| shown(id, find(all, id).or_else(|| find(right, id)).or_else(|| find(broken, id)).as_ref());
    let mut choices = vec![Choice { text: named(&id), right: true, why }];
    let alike = ids(right).into_iter().filter(|id| find(broken, id) == find(right, id));
    let both = if stored { ALIKE } else { BOTH };
    choices.extend(alike.take(2).map(|id| wrong(named(&id), both.get(lang).into())));
    let neither = ids(all).into_iter().filter(|id| find(right, id).is_none() && find(broken, id).is_none());
    choices.extend(neither.take(4 - choices.len().min(4)).map(|id| wrong(named(&id), NEITHER.get(lang).into())));
    choices.push(wrong(NONE.get(lang).into(), DIFFERS.get(lang).into()));
    Some(Asked { words: if stored { STORED } else { words }, choices: placed(choices), about: Some(id) })
}

/// Answers that are no documents.
fn values(right: &str, broken: &str, lang: Lang) -> Asked {
    let why = UNLIKE.fill(lang, &[("right", right), ("broken", broken)]);
    let choices = vec![Choice { text: broken.to_owned(), right: true, why: why.clone() }, wrong(right.to_owned(), why)];
    Asked { words: VALUE, choices: placed(choices), about: None }
}

fn wrong(text: String, why: String) -> Choice {
    Choice { text, right: false, why }
}

/// Letters of a document in a choice.
const LONGEST: usize = 240;

/// A document as a choice, by its `_id` and with what it holds.
fn shown(id: &Bson, document: Option<&Bson>) -> String {
    let id = literal(id);
    let Some(document) = document.and_then(Bson::as_document) else { return format!("_id {id}") };
    let held = document.iter().filter(|(name, _)| *name != "_id");
    let text = literal(&Bson::Document(held.map(|(name, value)| (name.clone(), value.clone())).collect()));
    let cut: String = text.chars().take(LONGEST).collect();
    format!("_id {id}: {cut}{}", if cut.len() < text.len() { " …" } else { "" })
}

fn id_of(row: &Bson) -> Option<&Bson> {
    row.as_document().and_then(|row: &Document| row.get("_id"))
}

fn is(left: &Bson, right: &Bson) -> bool {
    equal(View::from(left), View::from(right))
}

/// The choices with the right one, made first, at a place that its text settles; what says that nothing differs stays last.
fn placed(mut choices: Vec<Choice>) -> Vec<Choice> {
    let right = choices.remove(0);
    let sum: usize = right.text.bytes().map(usize::from).sum();
    let at = sum % choices.len().max(1);
    choices.insert(at, right);
    choices
}
