//! Whether what a lesson says of a block is so.

use super::trial::Trial;
use crate::course::Claim;
use crate::plan::{Explain, PlanNode};
use crate::shell::literal;
use crate::value::Bson;

/// Why a claim is not true; none where it is.
pub(super) fn refuted(claim: &Claim, trial: &Trial) -> Option<String> {
    let differs = |what: &str, said: &str, is: &str| {
        (said != is).then(|| format!("the text claims {what} {said}, the run gives {is}"))
    };
    let number = |what: &str, said: u64, is: u64| differs(what, &said.to_string(), &is.to_string());
    let value = trial.value.as_ref().ok();
    match claim {
        Claim::Returns(said) => number("returns", *said, returned(value)),
        Claim::Prints(said) => {
            let printed = value.map(literal).unwrap_or_default();
            (!printed.contains(said)).then(|| format!("the text claims to print `{said}`, the run prints {printed}"))
        }
        Claim::Ids(said) => {
            let mut said = said.clone();
            said.sort();
            differs("ids", &said.join(" "), &ids(value).join(" "))
        }
        Claim::Changed(said) => number("changed", *said, u64::try_from(trial.writes).unwrap_or(u64::MAX)),
        Claim::Error(said) => {
            let failure = trial.value.as_ref().err();
            let code = failure.and_then(crate::shell::Failure::code);
            let is = code.map_or_else(|| "none".to_owned(), |code| code.number().to_string());
            if code.is_some_and(|code| code.name() == *said) { None } else { differs("error", said, &is) }
        }
        Claim::Finding(said) => {
            let missing = !trial.findings.iter().any(|noted| noted.id == *said);
            missing.then(|| format!("the text claims finding {said}, reported: {}", found(trial)))
        }
        Claim::NoFinding(said) => {
            let bad = trial.findings.iter().any(|noted| said == "any" || noted.id == *said);
            bad.then(|| format!("the text claims no finding {said}, reported: {}", found(trial)))
        }
        _ => match trial.reads.last() {
            Some(explain) => of_plan(claim, explain),
            None => Some("the text claims facts of a plan, but nothing was searched".into()),
        },
    }
}

fn of_plan(claim: &Claim, explain: &Explain) -> Option<String> {
    let nodes: Vec<&PlanNode> = explain.winning.all().collect();
    let stages: Vec<&str> = nodes.iter().map(|node| node.stage.name()).collect();
    let differs = |what: &str, said: &str, is: &str| {
        (said != is).then(|| format!("the text claims {what} {said}, the plan has {is}"))
    };
    match claim {
        Claim::Stage(said) if !stages.contains(&said.as_str()) => differs("stage", said, &stages.join(" < ")),
        Claim::NoStage(said) if stages.contains(&said.as_str()) => differs("no stage", said, &stages.join(" < ")),
        Claim::Index(said) => differs("index", said, &index_names(explain).join(" ")),
        Claim::Keys(said) => differs("keys", &said.to_string(), &keys(explain).to_string()),
        Claim::Docs(said) => differs("docs", &said.to_string(), &docs(explain).to_string()),
        Claim::Bounds { path, intervals } => {
            let scan = nodes.iter().filter_map(|node| node.stage.scan()).find_map(|scan| scan.bounds.part(path));
            differs("bounds", intervals, &scan.map(|part| part.notation().join(";")).unwrap_or_default())
        }
        _ => None,
    }
}

/// How many index keys a plan examined.
pub(super) fn keys(explain: &Explain) -> u64 {
    explain.winning.all().map(|node| node.work.keys_examined).sum()
}

/// How many documents a plan examined.
pub(super) fn docs(explain: &Explain) -> u64 {
    explain.winning.all().map(|node| node.work.docs_examined).sum()
}

/// The names of the indexes a plan scans.
pub(super) fn index_names(explain: &Explain) -> Vec<&str> {
    explain.winning.all().filter_map(|node| node.stage.scan()).map(|scan| scan.index.name.as_str()).collect()
}

fn found(trial: &Trial) -> String {
    trial.findings.iter().map(|noted| noted.id.as_str()).collect::<Vec<_>>().join(", ")
}

/// How many documents or values came back, or the number that was counted.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts are whole and not negative")]
pub(super) fn returned(value: Option<&Bson>) -> u64 {
    match value {
        Some(Bson::Array(list)) => list.len() as u64,
        Some(Bson::Int32(number)) => u64::try_from(*number).unwrap_or_default(),
        Some(Bson::Int64(number)) => u64::try_from(*number).unwrap_or_default(),
        Some(Bson::Double(number)) => *number as u64,
        Some(Bson::Document(_)) => 1,
        _ => 0,
    }
}

fn ids(value: Option<&Bson>) -> Vec<String> {
    let list = value.and_then(Bson::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut ids: Vec<String> = list.iter().filter_map(|row| row.as_document()?.get("_id").map(literal)).collect();
    ids.sort();
    ids
}
