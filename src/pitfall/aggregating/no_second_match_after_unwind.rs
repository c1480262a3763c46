//! A `$match` chose documents; after `$unwind` their other attributes are grouped too.

use super::pipe::{Pipe, each_pipe, reads, stage, unwound};
use crate::pitfall::case::{only_in, shown};
use crate::pitfall::elements::{condition, elements, key_field, meeting, prefixed};
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::proof::written;
use crate::query::{Collation, Filter, Matcher};
use crate::value::{Bson, Document, Path, RawDocument, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "no-second-match-after-unwind",
    level: Level::WrongResult,
    weight: 16,
    title: Words::new("Elements not filtered again after $unwind", "Elemente nach $unwind nicht noch einmal gefiltert"),
    explanation: Words::new(
        "The first `$match` chooses documents; `$unwind` then brings back all their elements, those of other attributes too.",
        "Das erste `$match` wählt Dokumente; `$unwind` bringt dann alle ihre Elemente zurück, auch die anderer Attribute.",
    ),
    message: Words::new(
        "{n} of {m groups} {n|comes|come} from elements that your `$match` does not ask for, or count some: {groups}.",
        "{n} von {m Gruppen} stammen von Elementen, nach denen dein `$match` nicht fragt, oder zählen solche mit: {groups}.",
    ),
    cure: Words::new("Repeat the condition after `$unwind`.", "Wiederhole die Bedingung nach `$unwind`."),
    example: r#"db.c.aggregate([{$match: {"specs.k": "color"}}, {$unwind: "$specs"}, {$group: {_id: "$specs.v", n: {$sum: 1}}}])"#,
    detect: |case| each_pipe(case, sight),
};

/// Said where no other element is gathered yet.
const BY_CHANCE: Words = Words::new(
    "Your `$match` chooses documents, and `$unwind` brings back all their elements, of {keys keys} in the whole data; {n} of \
     {m groups} count some that it does not ask for.",
    "Dein `$match` wählt Dokumente, und `$unwind` bringt alle ihre Elemente zurück, von {keys Schlüsseln} in den gesamten \
     Daten; {n} von {m Gruppen} zählen welche mit, nach denen es nicht fragt.",
);

fn sight(case: &Case<'_>, pipe: &Pipe<'_>) -> Option<Sighting> {
    let stages = pipe.stages();
    let at = stages.iter().position(|document| unwound(document).is_some())?;
    let array = unwound(&stages[at])?;
    let asked = asked(&stages[..at], &Path::new(array))?;
    let behind = stages[at + 1..].iter().position(|next| !["$sort", "$unwind"].contains(&stage(next).0))?;
    let key = key_field(case, pipe.collection, array)?;
    if !gathers(&stages[at + 1 + behind], array, &key) {
        return None;
    }
    let again = doc! {"$match": written(&prefixed(&asked, &Path::new(array)))};
    let cured = pipe.spliced(at + 1..at + 1, vec![again]);
    let learner = pipe.rows(case, stages.len(), Vec::new())?;
    let meant = pipe.tried(case, cured.clone())?;
    let (learner, meant) = (values(learner), values(meant));
    let extra = only_in(&learner, &meant);
    let groups: Vec<String> = extra.iter().take(4).map(|group| shown(group)).collect();
    let right = extra.is_empty();
    let keys = case.profile(pipe.collection)?.attribute_array(array).map_or(0, |facts| facts.keys.len());
    let several = case.profile(pipe.collection)?.arrays().get(array).is_some_and(|facts| facts.longest() > 1);
    if right && (keys < 2 || !several) {
        return None;
    }
    let document = if right { None } else { Some(misread(case, pipe, &Path::new(array), &asked)?) };
    let counted = (extra.len(), learner.len());
    Some(Sighting {
        span: pipe.span(case, at),
        values: vec![
            ("n", counted.0.to_string()),
            ("m", counted.1.to_string()),
            ("groups", groups.join(", ")),
            ("keys", keys.to_string()),
        ],
        evidence: document.into_iter().chain([Evidence::Results { learner, meant }]).collect(),
        fix: pipe.with_pipeline(case, &cured),
        level: right.then_some(Level::Risk),
        words: right.then_some(BY_CHANCE),
        ..Sighting::default()
    })
}

/// What the `$match` stages in front ask of an element.
fn asked(stages: &[Document], array: &Path) -> Option<Filter> {
    let kept = stages.iter().all(|document| ["$match", "$sort", "$limit", "$skip"].contains(&stage(document).0));
    let filters = stages.iter().filter_map(|document| document.get_document("$match").ok());
    let mut asked = filters.filter_map(|filter| condition(&Filter::parse(filter).ok()?, array));
    let first = asked.next()?;
    (kept && asked.next().is_none()).then_some(first)
}

/// Whether a stage gathers elements without telling their keys apart.
fn gathers(document: &Document, array: &str, key: &str) -> bool {
    let (name, operand) = stage(document);
    let keyed = reads(operand, &format!("{array}.{key}"));
    match name {
        "$group" | "$bucket" | "$sortByCount" | "$bucketAuto" => {
            let all = operand.as_document().is_some_and(|group| group.get("_id") == Some(&Bson::Null));
            (all || reads(operand, array)) && !keyed
        }
        "$count" => true,
        _ => false,
    }
}

fn values(rows: Vec<Document>) -> Vec<Bson> {
    rows.into_iter().map(Bson::Document).collect()
}

/// A document that the filter finds and that has other elements as well.
fn misread(case: &Case<'_>, pipe: &Pipe<'_>, array: &Path, asked: &Filter) -> Option<Evidence> {
    let filters = pipe.stages().iter().map_while(|document| document.get_document("$match").ok());
    let whole = filters.filter_map(|filter| Filter::parse(filter).ok()).collect();
    let matcher = Matcher::new(&Filter::And(whole), Collation::simple()).ok()?;
    let others = |document: &RawDocument| {
        let elements = elements(document, array)?;
        let meeting = meeting(&elements, asked);
        let other = (0..elements.len()).find(|at| !meeting.contains(at))?;
        (!meeting.is_empty() && matcher.matches(document))
            .then(|| (format!("{array}.{other}"), shown(&elements[other].to_bson())))
    };
    let (document, part) =
        case.documents(pipe.collection).iter().find_map(|document| Some((*document, others(document)?)))?;
    Some(Evidence::Document { document: Document::try_from(document).ok()?, deciding: vec![part], made: false })
}
