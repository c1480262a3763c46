//! Asks every pitfall about one run of a text, with data facts that are kept from run to run.

use std::collections::BTreeMap;

use crate::engine::Database;
use crate::pitfall::{Case, Finding, sort, table};
use crate::shell::Outcome;
use crate::store::Profile;
use crate::words::Lang;

/// Notices pitfalls; keep one per session, since it keeps the facts of the data up to date instead of counting anew.
#[derive(Debug, Clone, Default)]
pub struct Detector {
    profiles: BTreeMap<String, Profile>,
    lang: Lang,
}

impl Detector {
    /// A detector that speaks this language.
    #[must_use]
    pub fn new(lang: Lang) -> Self {
        Self { profiles: BTreeMap::new(), lang }
    }

    /// The findings about one outcome, heaviest first. `before` is a fork taken before the text ran, `after` the database
    /// it ran on.
    #[must_use]
    pub fn detect(&mut self, outcome: &Outcome, before: &Database, after: &Database) -> Vec<Finding> {
        self.catch_up(after);
        let case = Case::new(&outcome.script, &outcome.ran, before, after, &self.profiles);
        let mut findings: Vec<Finding> = table()
            .flat_map(|pitfall| (pitfall.detect)(&case).into_iter().map(|seen| pitfall.finding(seen, self.lang)))
            .collect();
        sort(&mut findings);
        findings.dedup_by(|a, b| a.id == b.id && a.span == b.span);
        findings
    }

    fn catch_up(&mut self, database: &Database) {
        self.profiles.retain(|name, _| database.collection(name).is_some());
        for (name, collection) in database.catalog().iter() {
            self.profiles.entry(name.to_owned()).or_default().catch_up(collection);
        }
    }
}
