//! The parts of a column that come from a run and from the collection: plan lines, costs, losers, storage.

use std::sync::Arc;

use crate::engine::{Database, Reply, Run};
use crate::plan::{Explain, PlanNode, Stage, Trial};
use crate::query::Filter;
use crate::shell::literal;
use crate::store::{Direction, Index, KeyBuilder};
use crate::value::{Bson, View};
use crate::words::{Lang, Words};

use super::compare::{Role, measure, walk};
use super::duel::{BoundsLine, Cost, IndexLine, Loser, StageLine, Storage};
use super::words::{bounds_words, say, stage_words};

/// The plan's stages from the root down, and the bounds of its scans.
#[must_use]
pub fn plan_lines(root: &PlanNode, lang: Lang) -> (Vec<StageLine>, Vec<BoundsLine>) {
    let (mut stages, mut bounds) = (Vec::new(), Vec::new());
    descend(root, 0, lang, &mut stages, &mut bounds);
    (stages, bounds)
}

fn descend(node: &PlanNode, depth: usize, lang: Lang, stages: &mut Vec<StageLine>, bounds: &mut Vec<BoundsLine>) {
    stages.push(StageLine {
        depth,
        stage: node.stage.name().into(),
        role: Role::of(&node.stage),
        detail: detail(&node.stage),
        words: stage_words(node, lang),
        keys: node.work.keys_examined,
        docs: node.work.docs_examined,
        advanced: node.work.advanced,
    });
    if let Some(scan) = node.stage.scan() {
        let parts = scan.bounds.parts.iter();
        bounds.push(BoundsLine {
            index: scan.index.name.clone(),
            words: bounds_words(&scan.bounds, lang),
            notation: parts.map(|(path, intervals)| (path.dotted(), intervals.notation())).collect(),
        });
    }
    for input in &node.inputs {
        descend(input, depth + 1, lang, stages, bounds);
    }
}

/// What a stage works with: its index, its filter, its pattern.
fn detail(stage: &Stage) -> String {
    let filter = |filter: &Option<Arc<Filter>>| {
        let written = filter.as_deref().map(Filter::to_document).filter(|written| !written.is_empty());
        written.map(|written| literal(&Bson::Document(written))).unwrap_or_default()
    };
    match stage {
        Stage::CollScan { filter: test, .. } | Stage::Fetch { filter: test } => filter(test),
        Stage::Sort { pattern, .. } | Stage::SortMerge { pattern } => literal(&Bson::Document(pattern.clone())),
        Stage::Limit(count) | Stage::Skip(count) => count.to_string(),
        Stage::Projection { spec, .. } => literal(&Bson::Document(spec.clone())),
        _ => stage.scan().map(|scan| scan.index.name.clone()).unwrap_or_default(),
    }
}

/// What a run read, wrote and gave.
pub(super) fn cost(run: &Run, entities: usize) -> Cost {
    let mut cost = Cost {
        entities: u64::try_from(entities).unwrap_or(u64::MAX),
        entries: run.writes.keys.iter().map(|(_, added, removed)| added + removed).sum(),
        written: count(run.writes.documents.len()),
        ..Cost::default()
    };
    match &run.reply {
        Reply::Documents(documents) => {
            cost.returned = count(documents.len());
            cost.bytes = documents.iter().map(|document| count(document.as_bytes().len())).sum();
        }
        Reply::Values(values) => cost.returned = count(values.len()),
        Reply::Count(_) => cost.returned = 1,
        _ => {
            let after = run.writes.documents.iter().filter_map(|change| change.after.as_ref());
            cost.bytes = after.map(|document| count(document.as_bytes().len())).sum();
        }
    }
    if let Some(explain) = &run.explain {
        let figures = measure(explain);
        (cost.keys, cost.docs) = (figures.keys, figures.docs);
        (cost.efficiency, cost.expansion) = (figures.efficiency, figures.expansion);
    }
    cost
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// How a collection is kept.
pub(super) fn storage(database: &Database, name: &str) -> Storage {
    let Some(collection) = database.collection(name) else { return Storage::default() };
    let indexes = collection.indexes().iter().map(|index| {
        let info = index.info();
        IndexLine {
            name: info.name.clone(),
            entries: info.entries,
            distinct: info.distinct_keys,
            nulls: nulls(index),
            bytes: info.bytes,
            estimated_bytes: index.estimated_prefix_compressed_bytes(),
            multikey: info.multikey,
            multikey_paths: info.parts.iter().map(|part| (part.path.to_string(), part.multikey_prefixes())).collect(),
        }
    });
    Storage { documents: count(collection.len()), bytes: collection.data_bytes(), indexes: indexes.collect() }
}

/// The entries whose whole key is null; they stand together.
fn nulls(index: &Index) -> u64 {
    let null = vec![Bson::Null; index.info().parts.len()];
    let null = KeyBuilder::of(null.iter().map(View::from), index.order());
    let mut cursor = index.cursor(Direction::Ascending);
    cursor.seek(null.bytes(), true);
    let mut count = 0;
    while cursor.current().is_some_and(|entry| entry.key.bytes() == null.bytes()) {
        count += 1;
        cursor.advance();
    }
    count
}

/// Each losing candidate with the reason from its trial.
pub(super) fn loser_lines(explain: &Explain, lang: Lang) -> Vec<Loser> {
    let winner = explain.trials.first();
    let losers = explain.rejected.iter().enumerate().map(|(at, plan)| Loser {
        plan: plan_line(plan),
        why: match (winner, explain.trials.get(at + 1)) {
            (Some(winner), Some(trial)) => why_lost(winner, trial, lang),
            _ => Words::new("not tried", "nicht erprobt").get(lang).into(),
        },
    });
    losers.collect()
}

/// A plan in one line, from the root down: `FETCH ← IXSCAN specs.k_1`.
fn plan_line(root: &PlanNode) -> String {
    let stages = walk(root).into_iter().map(|node| match node.stage.scan() {
        Some(scan) => format!("{} {}", node.stage.name(), scan.index.name),
        None => node.stage.name().to_owned(),
    });
    stages.collect::<Vec<_>>().join(" ← ")
}

fn why_lost(winner: &Trial, trial: &Trial, lang: Lang) -> String {
    let words = Words::new(
        "{results results} in {works units} of work, the winner {best} in {least}{more}",
        "{results Ergebnisse} in {works Arbeitsschritten}, der Sieger {best} in {least}{more}",
    );
    let bonus = |trial: &Trial, name: &str| {
        trial.parts.iter().find(|(part, _)| *part == name).is_some_and(|(_, worth)| *worth > 0.0)
    };
    let lost = |name: &str| bonus(winner, name) && !bonus(trial, name);
    let mut more = String::new();
    let clauses = [
        ("eofBonus", Words::new("; it did not finish", "; er kam nicht zu Ende")),
        ("noSortBonus", Words::new("; it sorts in memory", "; er sortiert im Speicher")),
        ("noFetchBonus", Words::new("; it has to fetch", "; er muss Dokumente holen")),
    ];
    for (name, clause) in clauses {
        if lost(name) {
            more.push_str(clause.get(lang));
        }
    }
    if more.is_empty() && (trial.advanced, trial.works) == (winner.advanced, winner.works) {
        more.push_str(Words::new("; of equals the first is taken", "; von gleichen gilt das erste").get(lang));
    }
    let values = [
        ("results", trial.advanced.to_string()),
        ("works", trial.works.to_string()),
        ("best", winner.advanced.to_string()),
        ("least", winner.works.to_string()),
        ("more", more),
    ];
    say(words, lang, &values)
}
