//! Asks every pitfall about one run of a text, with data facts that are kept from run to run.

use std::collections::BTreeMap;

use crate::engine::Database;
use crate::pitfall::chosen::{chosen, is_long};
use crate::pitfall::memo::State;
use crate::pitfall::moments::Moments;
use crate::pitfall::querying::REPEATED;
use crate::pitfall::{Case, Finding, Pitfall, made, parts, sort, table};
use crate::shell::{Outcome, Ran, parse};
use crate::store::Profile;
use crate::words::Lang;

/// Notices pitfalls; keep one per session, since it keeps the facts of the data up to date instead of counting anew.
#[derive(Debug, Clone, Default)]
pub struct Detector {
    profiles: BTreeMap<String, Profile>,
    lang: Lang,
    work: Work,
}

/// What was done about one outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// How many commands of the text were not looked at, it being too long or they.
    pub left_out: usize,
    /// How many documents were read or judged, each as often as it was.
    pub documents: usize,
}

impl Detector {
    /// A detector that speaks this language.
    #[must_use]
    pub fn new(lang: Lang) -> Self {
        Self { lang, ..Self::default() }
    }

    /// The findings about one outcome, heaviest first. `before` is a fork taken before the text ran, `after` the database
    /// it ran on.
    #[must_use]
    pub fn detect(&mut self, outcome: &Outcome, before: &Database, after: &Database) -> Vec<Finding> {
        self.catch_up(after);
        let chosen = chosen(&outcome.ran, outcome.unlisted, after);
        let ran = chosen.ran.as_deref().unwrap_or(&outcome.ran);
        let mut parted = parts::with_parts(chosen.earlier, ran, before, after);
        if let Some(parted) = &mut parted {
            parted.retain(|ran| !is_long(&ran.command));
        }
        let ran = parted.as_deref().unwrap_or(ran);
        let moments = Moments::new(chosen.earlier.iter().chain(ran), before);
        let deleted = self.before_deletions(chosen.earlier.iter().chain(ran), &moments, before);
        let mut profiles: BTreeMap<&str, &Profile> =
            self.profiles.iter().map(|(name, own)| (name.as_str(), own)).collect();
        profiles.extend(deleted.iter().map(|(name, own)| (*name, own)));
        let case = Case::new(&outcome.script, [&outcome.ran, ran], before, after, &moments, profiles);
        let found = |pitfall: &'static Pitfall| {
            let sightings = (pitfall.detect)(&case).into_iter();
            sightings.map(|seen| made::proven(&case, pitfall, seen, self.lang)).collect::<Vec<_>>()
        };
        let mut findings: Vec<Finding> = table().flat_map(found).collect();
        say_once(&mut findings);
        sort(&mut findings);
        findings.dedup_by(|a, b| a.id == b.id && a.span == b.span);
        self.work = Work { left_out: chosen.left_out, documents: case.documents_read() };
        findings
    }

    /// What the last outcome took.
    #[must_use]
    pub fn work(&self) -> Work {
        self.work
    }

    /// The facts of what a deletion looked through: what it deleted counts as well.
    fn before_deletions<'o>(
        &self,
        ran: impl Iterator<Item = &'o Ran>,
        moments: &Moments<'_>,
        before: &Database,
    ) -> BTreeMap<&'o str, Profile> {
        let mut first: BTreeMap<&str, &Ran> = BTreeMap::new();
        for ran in ran {
            let written = ran.result.as_ref().map(|run| run.writes.documents.as_slice()).unwrap_or_default();
            for deleted in written.iter().filter(|written| written.after.is_none()) {
                first.entry(&deleted.collection).or_insert(ran);
            }
        }
        let as_before = |(name, ran): (&'o str, &Ran)| {
            let data = match moments.of(ran, name) {
                State::Behind(changes) => moments.behind(changes),
                State::Before | State::After => before,
            };
            let mut profile = self.profiles.get(name)?.clone();
            profile.catch_up(data.collection(name).filter(|held| !held.is_empty())?);
            Some((name, profile))
        };
        first.into_iter().filter_map(as_before).collect()
    }

    fn catch_up(&mut self, database: &Database) {
        self.profiles.retain(|name, _| database.collection(name).is_some());
        for (name, collection) in database.catalog().iter() {
            self.profiles.entry(name.to_owned()).or_default().catch_up(collection);
        }
    }
}

/// A fix must not name anything twice in one object; and while a filter does, what was sent is not what was meant, so that
/// only the repetition is cured.
fn say_once(findings: &mut [Finding]) {
    let repeated = findings.iter().any(|finding| finding.id == REPEATED);
    for finding in findings {
        let cures = finding.id == REPEATED || !repeated;
        finding.fix = finding.fix.take().filter(|fix| cures && parse(fix).repeated_keys().next().is_none());
    }
}
