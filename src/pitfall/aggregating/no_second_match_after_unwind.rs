//! A `$match` chose documents; after `$unwind` their other attributes are grouped too.

use super::pipe::{Pipe, each_pipe, reads, stage, unwound};
use crate::engine::{Aggregate, Command, Distinct, Reply};
use crate::error::CommandPath;
use crate::pitfall::case::{id, only_in, shown};
use crate::pitfall::elements::{condition, elements, key_field, meeting, prefixed};
use crate::pitfall::verdict::proof;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Question, Sighting};
use crate::proof::written;
use crate::query::{Collation, Filter, Matcher};
use crate::store::AttributeFacts;
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
    detect,
};

/// Said of `distinct`.
const DISTINCT: Words = Words::new(
    "{n} of {m} {m|value comes|values come} from elements that your filter does not ask for: {groups}. It chooses documents, and `distinct` \
     then looks at all their elements, as `$unwind` would.",
    "{n} von {m} {m|Wert stammt|Werten stammen} von Elementen, nach denen dein Filter nicht fragt: {groups}. Er wählt Dokumente, und \
     `distinct` sieht dann alle ihre Elemente an, wie `$unwind` es täte.",
);

/// Said where the elements are shown one by one.
const SHOWN: Words = Words::new(
    "{n} of {m results} {n|comes|come} from elements that your `$match` does not ask for: {groups}.",
    "{n} von {m Ergebnissen} {n|stammt|stammen} von Elementen, nach denen dein `$match` nicht fragt: {groups}.",
);

/// Said where no other element is gathered yet.
const BY_CHANCE: Words = Words::new(
    "Your `$match` chooses documents, and `$unwind` brings back all their elements, of {keys keys} in the whole data; {n} of \
     {m groups} count some that it does not ask for.",
    "Dein `$match` wählt Dokumente, und `$unwind` bringt alle ihre Elemente zurück, von {keys Schlüsseln} in den gesamten \
     Daten; {n} von {m Gruppen} zählen welche mit, nach denen es nicht fragt.",
);

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let distinct = case.questions().iter().filter_map(|question| distinct(case, question));
    each_pipe(case, sight).into_iter().chain(distinct).collect()
}

/// A `distinct` on a field of the elements, with a filter that asks for some of them: it takes the array apart as `$unwind`
/// does.
fn distinct(case: &Case<'_>, question: &Question<'_>) -> Option<Sighting> {
    let Command::Distinct(distinct) = &question.ran.command else { return None };
    let key = &distinct.key;
    let Reply::Values(learner) = &question.ran.result.as_ref().ok()?.reply else { return None };
    let is_in = |array: &&AttributeFacts| Path::new(&array.path).is_prefix_of(&Path::new(key)) && *key != array.path;
    let array = case.attributes(question.collection).iter().find(is_in)?;
    if *key == format!("{}.{}", array.path, array.key) {
        return None;
    }
    let path = Path::new(&array.path);
    let asked = condition(&question.tree, &path)?;
    let command = one_by_one(case, distinct, &array.path, &asked);
    let run = case.run_on(case.state(question.ran, question.collection), &command)?;
    let Reply::Documents(rows) = &run.reply else { return None };
    let meant: Vec<Bson> = rows.iter().map(|row| id(row)).collect();
    let extra = only_in(learner, &meant);
    let found = case.matching(question, &question.tree);
    let (document, part) =
        found.iter().find_map(|document| Some((*document, other_element(document, &path, &asked)?)))?;
    (!extra.is_empty()).then(|| Sighting {
        span: case.span(question.ran, &CommandPath::argument("key")),
        values: vec![
            ("n", extra.len().to_string()),
            ("m", learner.len().to_string()),
            ("groups", extra.iter().take(4).map(|value| shown(value)).collect::<Vec<_>>().join(", ")),
        ],
        evidence: proof(document, vec![part])
            .into_iter()
            .chain([Evidence::Results { learner: learner.clone(), meant }])
            .collect(),
        fix: case.with_command(question.ran, &command),
        words: Some(DISTINCT),
        ..Sighting::default()
    })
}

/// The pipeline that gives the values of the elements asked for.
fn one_by_one(case: &Case<'_>, distinct: &Distinct, array: &str, asked: &Filter) -> Command {
    let key = &distinct.key;
    let again = written(&prefixed(asked, &Path::new(array)));
    let lists = case.profile(&distinct.collection).is_some_and(|profile| profile.arrays().contains_key(key));
    let apart = lists.then(|| doc! {"$unwind": format!("${key}")});
    let front =
        [doc! {"$match": distinct.filter.clone()}, doc! {"$unwind": format!("${array}")}, doc! {"$match": again}];
    let behind = [doc! {"$group": {"_id": format!("${key}")}}, doc! {"$sort": {"_id": 1}}];
    Command::Aggregate(Aggregate {
        collection: Some(distinct.collection.clone()),
        pipeline: front.into_iter().chain(apart).chain(behind).collect(),
        collation: distinct.collation.clone(),
        ..Aggregate::default()
    })
}

fn sight(case: &Case<'_>, pipe: &Pipe<'_>) -> Option<Sighting> {
    let stages = pipe.stages();
    let at = stages.iter().position(|document| unwound(document).is_some())?;
    let array = unwound(&stages[at])?;
    let asked = asked(&stages[..at], &Path::new(array))?;
    let behind = stages[at + 1..].iter().position(|next| !["$sort", "$unwind"].contains(&stage(next).0))?;
    let key = key_field(case, pipe.collection, array)?;
    let facts = case.profile(pipe.collection)?.attribute_array(array);
    let next = &stages[at + 1 + behind];
    let shows = facts.is_some_and(|facts| shows(next, facts));
    if !shows && !gathers(next, array, &key) {
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
    let keys = facts.map_or(0, |facts| facts.keys.len());
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
        words: if right { Some(BY_CHANCE) } else { shows.then_some(SHOWN) },
        ..Sighting::default()
    })
}

/// Whether a stage shows the values of elements without their keys.
fn shows(document: &Document, array: &AttributeFacts) -> bool {
    let (name, operand) = stage(document);
    let AttributeFacts { path, key, value, .. } = array;
    let below =
        |name: &String| name == path || name.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('.'));
    let kept = operand.as_document().is_some_and(|fields| fields.keys().any(below));
    let read = |field: &str| reads(operand, &format!("{path}.{field}"));
    // The element as a whole holds its key.
    let whole = operand.as_document().is_some_and(|fields| fields.values().any(|own| holds(own, path)));
    name == "$project" && read(value) && !read(key) && !kept && !whole
}

/// Whether an expression reads just this path.
fn holds(expression: &Bson, path: &str) -> bool {
    match expression {
        Bson::String(text) => text.strip_prefix('$').is_some_and(|own| own == path),
        Bson::Array(items) => items.iter().any(|item| holds(item, path)),
        Bson::Document(fields) => fields.values().any(|field| holds(field, path)),
        _ => false,
    }
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
        let part = other_element(document, array, asked)?;
        matcher.matches(document).then_some(part)
    };
    let (document, part) =
        case.documents(pipe.collection).iter().find_map(|document| Some((*document, others(document)?)))?;
    Some(Evidence::Document { document: Document::try_from(document).ok()?, deciding: vec![part], made: false })
}

/// An element that is not asked for beside one that is, with its place.
fn other_element(document: &RawDocument, array: &Path, asked: &Filter) -> Option<(String, String)> {
    let elements = elements(document, array)?;
    let meeting = meeting(&elements, asked);
    let other = (0..elements.len()).find(|at| !meeting.contains(at))?;
    (!meeting.is_empty()).then(|| (format!("{array}.{other}"), shown(&elements[other].to_bson())))
}
