//! A sort on the value path of an attribute array: the least or greatest value of any key decides.

use std::cmp::Ordering;

use super::asks::keys_named;
use super::sorting::{Sorting, sortings, with_stages};
use crate::engine::{Aggregate, Command, Database, Find};
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::{all_elements, all_values};
use crate::pitfall::made;
use crate::pitfall::verdict::proof;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::query::SortPattern;
use crate::shell::{Syntax, to_statement};
use crate::store::{AttributeFacts, Direction};
use crate::value::{Bson, Document, Path, RawDocument, View, compare, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "sort-by-any-element",
    level: Level::WrongResult,
    weight: 20,
    title: Words::new("Sort on the value path", "Sortierung auf dem Wertepfad"),
    explanation: Words::new(
        "Ascending uses the smallest, descending the greatest value of all elements, whatever their key and even across \
         types. The filter does not restrict it.",
        "Aufsteigend zählt der kleinste, absteigend der größte Wert aller Elemente, egal unter welchem Schlüssel und sogar \
         über Typen hinweg. Der Filter schränkt das nicht ein.",
    ),
    message: Words::new(
        "Document _id {id} was sorted by `{used}` = {value}, not by `{key}` = {wanted}.",
        "Dokument _id {id} wurde nach `{used}` = {value} sortiert, nicht nach `{key}` = {wanted}.",
    ),
    cure: Words::new(
        "Take the wanted value out with `$filter` and `$first` in a pipeline and sort on it, or keep it as its own field.",
        "Hole den gewünschten Wert in einer Pipeline mit `$filter` und `$first` heraus und sortiere danach, oder halte ihn \
         als eigenes Feld.",
    ),
    example: r#"db.c.find({"specs.k": "price"}).sort({"specs.v": 1})"#,
    detect,
};

/// Said where the order happens to be right.
const BY_CHANCE: Words = Words::new(
    "`{path}` holds values of {n keys}, and a document is sorted by the smallest of its values (descending: the largest), \
     whatever its key, not by that of `{key}`.",
    "`{path}` enthält Werte von {n Schlüsseln}, und ein Dokument wird nach dem kleinsten seiner Werte sortiert (absteigend: \
     nach dem größten), welcher Schlüssel auch dabei steht, nicht nach dem von `{key}`.",
);

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    sortings(case).iter().filter_map(|sorting| sight(case, sorting)).collect()
}

fn sight(case: &Case<'_>, sorting: &Sorting<'_>) -> Option<Sighting> {
    let question = &sorting.question;
    let sort = SortPattern::parse(sorting.sort, question.collation.clone()).ok()?;
    let part = sort.parts.first()?;
    let mut arrays = case.attributes(question.collection).iter();
    let array = arrays.find(|array| Path::new(&array.path).join(&Path::new(&array.value)) == part.path)?;
    let several = case.profile(question.collection)?.arrays().get(&array.path)?.longest() > 1 && array.keys.len() > 1;
    if !several {
        return None;
    }
    let asked = wanted_key(question, array);
    let documents = case.matching(question, &question.tree);
    let used: Vec<Used<'_>> =
        documents.iter().filter_map(|document| Used::of(document, array, part.descending)).collect();
    let key = asked.or_else(|| used.first().map(|used| used.key.clone()))?;
    let path = part.path.to_string();
    let fix = cured(case, sorting, array, &key);
    let swapped = swapped(&used, array, &key, part.descending);
    let Some(two) = swapped else {
        return Some(Sighting {
            evidence: made::shown_by(case, question.collection, question.command, &|database| {
                shows_swapped(database, question, array, &key, part.descending)
            }),
            span: case.span(question.ran, &sorting.at),
            values: vec![("path", path), ("n", array.keys.len().to_string()), ("key", key)],
            fix,
            level: Some(Level::Risk),
            words: Some(BY_CHANCE),
            ..Sighting::default()
        });
    };
    let wrong = two.iter().find(|used| used.key != key)?;
    let wanted = wanted_value(wrong.document, array, &key)?;
    let mut evidence = vec![orders(&used, array, &key, part.descending)];
    let shows =
        |own: &&Used<'_>| proof(own.document, vec![(path.clone(), format!("{} = {}", own.key, shown(&own.value)))]);
    evidence.extend(two.iter().filter_map(shows));
    Some(Sighting {
        span: case.span(question.ran, &sorting.at),
        values: vec![
            ("id", shown(&id(wrong.document))),
            ("used", wrong.key.clone()),
            ("value", shown(&wrong.value)),
            ("key", key.clone()),
            ("wanted", shown(&wanted)),
        ],
        evidence,
        fix,
        ..Sighting::default()
    })
}

/// The one key that the filter speaks of.
fn wanted_key(question: &Question<'_>, array: &AttributeFacts) -> Option<String> {
    let mut keys = keys_named(&question.tree, array);
    keys.sort_unstable();
    keys.dedup();
    if keys.len() == 1 { keys.pop().map(str::to_owned) } else { None }
}

/// The value a document was sorted by, and the key it belongs to.
struct Used<'d> {
    document: &'d RawDocument,
    key: String,
    value: Bson,
}

impl<'d> Used<'d> {
    fn of(document: &'d RawDocument, array: &AttributeFacts, descending: bool) -> Option<Self> {
        let value = Path::new(&array.value);
        let pairs = all_elements(document, &Path::new(&array.path)).into_iter().flat_map(|element| {
            all_values(element, &value).into_iter().filter_map(move |value| Some((key_of(element, array)?, value)))
        });
        let order = |left: &(&str, View<'_>), right: &(&str, View<'_>)| compare(left.1, right.1);
        let (key, value) = if descending { pairs.max_by(order) } else { pairs.min_by(order) }?;
        Some(Self { document, key: key.to_owned(), value: value.to_bson() })
    }
}

/// Whether two documents of a collection stand the wrong way round.
fn shows_swapped(
    database: &Database,
    question: &Question<'_>,
    array: &AttributeFacts,
    key: &str,
    descending: bool,
) -> bool {
    let Some(matcher) = question.matcher(&question.tree) else { return false };
    let held = database.collection(question.collection).into_iter().flat_map(|held| held.scan(Direction::Ascending));
    let found = held.map(|(_, document)| document).filter(|document| matcher.matches(*document));
    let used: Vec<Used<'_>> = found.filter_map(|document| Used::of(document, array, descending)).collect();
    swapped(&used, array, key, descending).is_some()
}

/// Two documents that have the wanted value and stand the wrong way round by it.
fn swapped<'u, 'd>(
    used: &'u [Used<'d>],
    array: &AttributeFacts,
    key: &str,
    descending: bool,
) -> Option<[&'u Used<'d>; 2]> {
    let with_wanted = |used: &'u Used<'d>| Some((used, wanted_value(used.document, array, key)?));
    let mut sorted: Vec<(&Used<'_>, Bson)> = used.iter().filter_map(with_wanted).collect();
    let turned = |order: Ordering| if descending { order.reverse() } else { order };
    sorted.sort_by(|left, right| turned(compare((&left.0.value).into(), (&right.0.value).into())));
    let wrong = |pair: &&[(&'u Used<'d>, Bson)]| {
        let order = |one: &Bson, other: &Bson| turned(compare(one.into(), other.into()));
        let other = pair.iter().any(|(used, _)| used.key != key);
        other && order(&pair[0].1, &pair[1].1).is_gt() && order(&pair[0].0.value, &pair[1].0.value).is_lt()
    };
    sorted.windows(2).find(wrong).map(|pair| [pair[0].0, pair[1].0])
}

fn key_of<'d>(element: View<'d>, array: &AttributeFacts) -> Option<&'d str> {
    let View::Document(element) = element else { return None };
    if let Some(View::String(key)) = element.get(&array.key) { Some(key) } else { None }
}

/// The first value a document has under a key.
fn wanted_value(document: &RawDocument, array: &AttributeFacts, key: &str) -> Option<Bson> {
    let mut mine = all_elements(document, &Path::new(&array.path))
        .into_iter()
        .filter(|element| key_of(*element, array) == Some(key));
    Some(all_values(mine.next()?, &Path::new(&array.value)).first()?.to_bson())
}

fn orders(used: &[Used<'_>], array: &AttributeFacts, key: &str, descending: bool) -> Evidence {
    let sorted = |mut list: Vec<(Bson, Bson)>| -> Vec<Bson> {
        list.sort_by(|left, right| {
            let order = compare((&left.0).into(), (&right.0).into());
            if descending { order.reverse() } else { order }
        });
        list.into_iter().map(|(_, id)| id).collect()
    };
    let stored = used.iter().map(|used| (used.value.clone(), id(used.document))).collect();
    let wanted = |used: &Used<'_>| wanted_value(used.document, array, key).unwrap_or(Bson::Null);
    let meant = used.iter().map(|used| (wanted(used), id(used.document))).collect();
    Evidence::Orders { stored: sorted(stored), meant: sorted(meant) }
}

/// The wanted value taken out, sorted by, and left out again; none for several sort parts and deeper arrays.
fn cured(case: &Case<'_>, sorting: &Sorting<'_>, array: &AttributeFacts, key: &str) -> Option<String> {
    if array.path.contains('.') || sorting.sort.len() > 1 {
        return None;
    }
    let direction = sorting.sort.values().next()?.clone();
    let condition = doc! {"$eq": [format!("$$s.{}", array.key), key]};
    let taken = doc! {"$first": {"$filter": {"input": format!("${}", array.path), "as": "s", "cond": condition}}};
    let stages = vec![
        doc! {"$set": {"wanted": taken}},
        doc! {"$sort": {format!("wanted.{}", array.value): direction}},
        doc! {"$unset": "wanted"},
    ];
    match sorting.question.command {
        Command::Find(find) => as_pipeline(case, &sorting.question, find, stages),
        _ => with_stages(case, sorting, stages),
    }
}

/// What may be called on a find that becomes a pipeline.
const CALLS: [&str; 5] = ["sort", "skip", "limit", "projection", "toArray"];

/// The find as a pipeline; where it has nothing that a pipeline says otherwise.
fn as_pipeline(case: &Case<'_>, question: &Question<'_>, find: &Find, stages: Vec<Document>) -> Option<String> {
    let node = question.ran.places.literal(&question.at)?;
    let statement = case.script.statement_at(case.script.node(node).span.start)?;
    let kept = |(name, value): (&String, &Bson)| !name.ends_with(".$") && !matches!(value, Bson::Document(_));
    let shaped = find.projection.iter().flatten().all(kept);
    let plain = find.hint.is_none() && find.limit.is_none_or(|limit| limit > 0) && shaped;
    let call = match &case.script.node(statement).syntax {
        Syntax::Other(parts) if parts.len() == 1 => parts[0],
        _ => statement,
    };
    let Syntax::Call { callee, .. } = &case.script.node(call).syntax else { return None };
    let last = &case.script.node(*callee).syntax;
    let is_call = matches!(last, Syntax::Member { name, .. } if CALLS.contains(&name.as_str()));
    let whole = |count: i64| i32::try_from(count).map_or(Bson::Int64(count), Bson::Int32);
    let window =
        [find.skip.map(|skip| doc! {"$skip": whole(skip)}), find.limit.map(|limit| doc! {"$limit": whole(limit)})];
    let shape = find.projection.iter().filter(|shape| !shape.is_empty()).map(|shape| doc! {"$project": shape.clone()});
    let front = std::iter::once(doc! {"$match": find.filter.clone()}).chain(stages);
    let pipeline = front.chain(window.into_iter().flatten()).chain(shape).collect();
    let command =
        Command::Aggregate(Aggregate { collection: Some(find.collection.clone()), pipeline, ..Default::default() });
    (plain && is_call).then(|| case.replaced(&case.script.node(call).span, &to_statement(&command))).flatten()
}
