//! The plan cache: which candidate won for a query's shape, and what it cost (`classic_plan_cache.h`, `plan_cache.cpp`).

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::store::{Collection, KeyPart};
use crate::value::{Bson, Document};

use super::explain::{PlanNode, Trial, Work};
use super::query::CanonicalQuery;

/// A cached plan that needs more than so many times the works it won with is thrown away
/// (`internalQueryCacheEvictionRatio`).
pub(super) const EVICTION_RATIO: u64 = 10;
/// By how much the works of an entry grow that a dearer plan won with
/// (`internalQueryCacheWorksGrowthCoefficient`).
const GROWTH: u64 = 2;

/// Winners by collection and plan cache key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlanCache {
    entries: BTreeMap<(String, u32), Entry>,
    /// By namespace and index.
    uses: BTreeMap<String, BTreeMap<String, Uses>>,
}

/// How often an index was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uses {
    /// By how many operations.
    pub operations: i64,
    /// Since when that is counted, in milliseconds since 1970.
    pub since: i64,
}

/// The indexes of a collection as planning sees them, told apart from others by where they lie: whatever exchanges them (a
/// collection dropped and made again, an index created, dropped, hidden or become multikey) makes others of them, and what
/// was learnt of the former holds no more.
#[derive(Debug, Clone, PartialEq)]
struct Indexes(Vec<Seen>);

/// An index as planning saw it.
#[derive(Debug, Clone)]
struct Seen {
    parts: Arc<[KeyPart]>,
    multikey: bool,
    hidden: bool,
}

impl PartialEq for Seen {
    fn eq(&self, other: &Self) -> bool {
        let state = |seen: &Self| (seen.multikey, seen.hidden);
        Arc::ptr_eq(&self.parts, &other.parts) && state(self) == state(other)
    }
}

impl Indexes {
    fn of(collection: &Collection) -> Self {
        let seen = |index: &crate::store::Index| {
            let info = index.info();
            Seen { parts: Arc::clone(&info.parts), multikey: info.multikey, hidden: info.hidden }
        };
        Self(collection.indexes().iter().map(seen).collect())
    }
}

/// What is known of one query shape.
#[derive(Debug, Clone, PartialEq)]
struct Entry {
    /// What it was learnt of; with other indexes it is as if it were not there.
    indexes: Indexes,
    query_hash: u32,
    /// Only an active entry is used; one becomes active when a second trial confirms its works.
    active: bool,
    works: u64,
    /// The winner's position among the candidates.
    winner: usize,
    /// In milliseconds since 1970.
    created: i64,
    created_from: Document,
    /// The candidates with their counts in the trial, the best first.
    tried: Vec<(PlanNode, Trial)>,
}

/// A trial's outcome, to be remembered.
pub(super) struct Decision<'a> {
    pub query: &'a CanonicalQuery<'a>,
    /// The candidates' numbers, the best first.
    pub order: &'a [usize],
    /// By candidate.
    pub plans: &'a [PlanNode],
    /// The counts of their stages at the end of the trial, by candidate.
    pub works: &'a [Vec<Work>],
    /// How they did, the best first.
    pub trials: &'a [Trial],
}

impl PlanCache {
    /// The candidate an active entry names, and the works it won with.
    pub(super) fn active(&self, collection: &Collection, key: u32, plans: &[PlanNode]) -> Option<(usize, u64)> {
        let entry = self.entries.get(&(collection.namespace().to_owned(), key)).filter(|entry| entry.active)?;
        if entry.indexes != Indexes::of(collection) {
            return None;
        }
        let plan = plans.get(entry.winner)?;
        entry.tried.first().is_some_and(|(won, _)| plan.has_form_of(won)).then_some((entry.winner, entry.works))
    }

    /// Remembers a trial's winner (`PlanCache::getNewState`).
    pub(super) fn learn(&mut self, collection: &Collection, query_hash: u32, key: u32, decision: &Decision<'_>) {
        let Some(&winner) = decision.order.first() else { return };
        let works = decision.works[winner].first().map_or(0, |work| work.works);
        let place = (collection.namespace().to_owned(), key);
        let indexes = Indexes::of(collection);
        let active = match self.entries.get_mut(&place).filter(|entry| entry.indexes == indexes) {
            None => false,
            Some(entry) if works <= entry.works => true,
            // A dearer winner: an active entry is confirmed by nothing, an inactive one is given more room.
            Some(entry) => {
                entry.works =
                    if entry.active { entry.works } else { entry.works.saturating_mul(GROWTH).max(entry.works + 1) };
                return;
            }
        };
        let counted = |(&candidate, trial): (&usize, &Trial)| {
            let mut plan = decision.plans[candidate].clone();
            plan.set_works(&decision.works[candidate]);
            (plan, trial.clone())
        };
        let entry = Entry {
            indexes,
            query_hash,
            active,
            works,
            winner,
            created: decision.query.context.now(),
            created_from: created_from(decision.query),
            tried: decision.order.iter().zip(decision.trials).map(counted).collect(),
        };
        self.entries.insert(place, entry);
    }

    /// An active entry's plan was too dear: the next trial decides anew.
    pub(super) fn deactivate(&mut self, namespace: &str, key: u32) {
        if let Some(entry) = self.entries.get_mut(&(namespace.to_owned(), key)) {
            entry.active = false;
        }
    }

    /// Counts that an operation used the indexes of its plan (`CollectionQueryInfo::notifyOfQuery`).
    pub(super) fn used(&mut self, namespace: &str, plan: &PlanNode, now: i64) {
        let mut counted: Vec<&str> = Vec::new();
        for name in plan.indexes_read() {
            if counted.contains(&name) {
                continue;
            }
            counted.push(name);
            if let Some(uses) = self.uses.get_mut(namespace).and_then(|known| known.get_mut(name)) {
                uses.operations += 1;
            } else {
                let known = self.uses.entry(namespace.to_owned()).or_default();
                known.insert(name.to_owned(), Uses { operations: 1, since: now });
            }
        }
    }

    /// How often an index was used; none where it was not.
    #[must_use]
    pub fn uses(&self, namespace: &str, index: &str) -> Option<Uses> {
        self.uses.get(namespace)?.get(index).copied()
    }

    /// Begins to count anew for an index that is dropped.
    pub fn forget_index(&mut self, namespace: &str, index: &str) {
        if let Some(known) = self.uses.get_mut(namespace) {
            known.remove(index);
        }
    }

    /// Begins to count anew for the indexes of a collection that is dropped or goes under another name.
    pub fn forget_indexes(&mut self, namespace: &str) {
        self.uses.remove(namespace);
    }

    /// Forgets what is known of a collection.
    pub fn clear(&mut self, namespace: &str) {
        self.entries.retain(|(known, _), _| known != namespace);
    }

    /// Forgets the entries of a collection that are of a query's shape.
    pub fn forget_shape(&mut self, namespace: &str, query: &CanonicalQuery) {
        let shape = super::shape::query_hash(query);
        self.entries.retain(|(known, _), entry| known != namespace || entry.query_hash != shape);
    }

    /// Forgets everything.
    pub fn clear_all(&mut self) {
        self.entries.clear();
    }

    /// The entries of a collection as `$planCacheStats` gives them.
    #[must_use]
    pub fn list(&self, collection: &Collection) -> Vec<Document> {
        let (namespace, indexes) = (collection.namespace(), Indexes::of(collection));
        self.entries
            .iter()
            .filter(|((known, _), entry)| known == namespace && entry.indexes == indexes)
            .map(|((_, key), entry)| entry.document(*key))
            .collect()
    }
}

fn created_from(query: &CanonicalQuery) -> Document {
    let typed = query.typed.map_or_else(|| query.filter.to_document(), Document::clone);
    let mut created_from = bson::doc! {
        "query": typed,
        "sort": query.sort.clone().unwrap_or_default(),
        "projection": query.projection.as_ref().map(|projection| projection.spec().clone()).unwrap_or_default(),
    };
    created_from.extend(query.collation.to_document().map(|collation| ("collation".to_owned(), collation.into())));
    created_from
}

impl Entry {
    fn document(&self, key: u32) -> Document {
        let stats = self.tried.iter().map(|(plan, trial)| super::document::trial_document(plan, trial, None));
        let cached = self.tried.first().map(|(plan, _)| super::document::stage_plan(plan));
        let scores = self.tried.iter().map(|(_, trial)| Bson::Double(trial.score));
        let mut document = bson::doc! {
            "version": "1",
            "queryHash": format!("{:08X}", self.query_hash),
            "planCacheKey": format!("{key:08X}"),
            "isActive": self.active,
            "works": i64::try_from(self.works).unwrap_or(i64::MAX),
            "timeOfCreation": bson::DateTime::from_millis(self.created),
            "createdFromQuery": self.created_from.clone(),
            "cachedPlan": cached.unwrap_or_default(),
            "creationExecStats": stats.collect::<Vec<_>>(),
            "candidatePlanScores": scores.collect::<Vec<_>>(),
            "indexFilterSet": false,
        };
        // What the entry holds is what it tells.
        let size = bson::RawDocumentBuf::try_from(&document).map_or(0, |raw| raw.as_bytes().len());
        document.insert("estimatedSizeBytes", i64::try_from(size).unwrap_or(i64::MAX));
        document
    }
}
