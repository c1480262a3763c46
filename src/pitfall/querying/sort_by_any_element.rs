//! A sort on the value path of an attribute array: the least or greatest value of any key decides.

use std::cmp::Ordering;

use super::asks::keys_named;
use super::sorting::{Sorting, sortings, with_stages};
use crate::engine::{Aggregate, Command, Database, Find};
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::{each_element, each_value, key_of};
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
    let key = asked.or_else(|| first_key(&documents, array, part.descending))?;
    let order = Order { array, key: &key, descending: part.descending };
    let used = order.of(documents.iter().copied());
    let fix = cured(case, sorting, array, &key);
    let path = part.path.to_string();
    let Some(two) = order.swapped(&used) else {
        return Some(Sighting {
            evidence: made::shown_by(case, question.collection, question.command, &|database| {
                shows_swapped(database, question, &order)
            }),
            span: case.span(question.ran, &sorting.at),
            values: vec![("path", path), ("n", array.keys.len().to_string()), ("key", key.clone())],
            fix,
            level: Some(Level::Risk),
            words: Some(BY_CHANCE),
            ..Sighting::default()
        });
    };
    let wrong = two.into_iter().find(|used| used.key != key)?;
    let mut evidence = vec![order.told(&used, shown_first(sorting))];
    let shows =
        |own: Used<'_>| proof(own.document, vec![(path.clone(), format!("{} = {}", own.key, shown(&own.value())))]);
    evidence.extend(two.into_iter().filter_map(shows));
    Some(Sighting {
        span: case.span(question.ran, &sorting.at),
        values: vec![
            ("id", shown(&id(wrong.document))),
            ("used", wrong.key.to_owned()),
            ("value", shown(&wrong.value())),
            ("wanted", shown(&wrong.wanted?.to_bson())),
            ("key", key.clone()),
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

/// The value a document was sorted by with the key it belongs to, and the one that is wanted.
#[derive(Clone, Copy)]
struct Used<'d> {
    document: &'d RawDocument,
    /// Its place among the others: what is equal keeps it.
    at: usize,
    key: &'d str,
    value: View<'d>,
    wanted: Option<View<'d>>,
}

impl Used<'_> {
    fn value(&self) -> Bson {
        self.value.to_bson()
    }
}

/// An order by one value of each document, and the key whose value is meant.
struct Order<'a> {
    array: &'a AttributeFacts,
    key: &'a str,
    descending: bool,
}

impl Order<'_> {
    fn of<'d>(&self, documents: impl Iterator<Item = &'d RawDocument>) -> Vec<Used<'d>> {
        let places = [&self.array.path, &self.array.value].map(|path| Path::new(path));
        documents.enumerate().filter_map(|(at, document)| self.used(at, document, &places)).collect()
    }

    fn used<'d>(&self, at: usize, document: &'d RawDocument, [array, value]: &[Path; 2]) -> Option<Used<'d>> {
        let mut best: Option<(&str, View<'_>)> = None;
        let mut wanted = None;
        each_element(document, array, &mut |element| {
            let Some(key) = key_of(element, &self.array.key) else { return };
            let asked = key == self.key && wanted.is_none();
            each_value(element, value, &mut |own| {
                if asked && wanted.is_none() {
                    wanted = Some(own);
                }
                if best.is_none_or(|(_, held)| self.compare(own, held).is_lt()) {
                    best = Some((key, own));
                }
            });
        });
        best.map(|(key, value)| Used { document, at, key, value, wanted })
    }

    fn compare(&self, one: View<'_>, other: View<'_>) -> Ordering {
        let order = compare(one, other);
        if self.descending { order.reverse() } else { order }
    }

    /// Two documents that have the wanted value and stand the wrong way round by it.
    fn swapped<'d>(&self, used: &[Used<'d>]) -> Option<[Used<'d>; 2]> {
        let mut sorted: Vec<Used<'d>> = used.iter().filter(|used| used.wanted.is_some()).copied().collect();
        let wrong = |pair: &&[Used<'d>]| {
            let by_wanted = pair[0].wanted.zip(pair[1].wanted).map(|(one, other)| self.compare(one, other));
            let other = pair.iter().any(|used| used.key != self.key);
            other && by_wanted.is_some_and(Ordering::is_gt) && self.compare(pair[0].value, pair[1].value).is_lt()
        };
        // The front of the order nearly always shows it.
        for front in [FRONT, usize::MAX] {
            let found = self.front(&mut sorted, front, |used| Some(used.value)).windows(2).find(wrong);
            if let Some(pair) = found {
                return Some([pair[0], pair[1]]);
            }
        }
        None
    }

    /// The first documents by a value; those without it stand where null does.
    fn front<'u, 'd>(
        &self,
        used: &'u mut [Used<'d>],
        count: usize,
        by: impl Fn(&Used<'d>) -> Option<View<'d>>,
    ) -> &'u [Used<'d>] {
        let order = |one: &Used<'d>, other: &Used<'d>| {
            let value = |used: &Used<'d>| by(used).unwrap_or(View::Null);
            self.compare(value(one), value(other)).then_with(|| one.at.cmp(&other.at))
        };
        let count = count.min(used.len());
        if count < used.len() {
            used.select_nth_unstable_by(count, order);
        }
        used[..count].sort_unstable_by(order);
        &used[..count]
    }

    /// The order as it is and as it is meant, as far as it was seen.
    fn told(&self, used: &[Used<'_>], count: usize) -> Evidence {
        let mut sorted = used.to_vec();
        let stored = self.front(&mut sorted, count, |used| Some(used.value)).iter().map(|used| id(used.document));
        let stored = stored.collect();
        let meant = self.front(&mut sorted, count, |used| used.wanted).iter().map(|used| id(used.document));
        Evidence::Orders { stored, meant: meant.collect() }
    }
}

/// So many documents of an order are looked at before all are.
const FRONT: usize = 64;

/// Where the filter names no key, that of the value by which the first document is sorted.
fn first_key(documents: &[&RawDocument], array: &AttributeFacts, descending: bool) -> Option<String> {
    let order = Order { array, key: "", descending };
    let places = [&array.path, &array.value].map(|path| Path::new(path));
    documents.iter().find_map(|document| order.used(0, document, &places)).map(|used| used.key.to_owned())
}

/// How many documents of the order the learner saw.
fn shown_first(sorting: &Sorting<'_>) -> usize {
    let limit = match sorting.question.command {
        Command::Find(find) => find.limit.map(|limit| limit.saturating_abs().saturating_add(find.skip.unwrap_or(0))),
        Command::FindAndModify(_) => Some(1),
        _ => None,
    };
    limit.and_then(|limit| usize::try_from(limit).ok()).filter(|limit| *limit > 0).unwrap_or(usize::MAX)
}

/// Whether two documents of a collection stand the wrong way round.
fn shows_swapped(database: &Database, question: &Question<'_>, order: &Order<'_>) -> bool {
    let Some(matcher) = question.matcher(&question.tree) else { return false };
    let held = database.collection(question.collection).into_iter().flat_map(|held| held.scan(Direction::Ascending));
    let found = held.map(|(_, document)| document).filter(|document| matcher.matches(*document));
    order.swapped(&order.of(found)).is_some()
}

/// The wanted value taken out, sorted by, and left out again; none for several sort parts and arrays in arrays.
fn cured(case: &Case<'_>, sorting: &Sorting<'_>, array: &AttributeFacts, key: &str) -> Option<String> {
    if !case.leads_straight(sorting.question.collection, &array.path) || sorting.sort.len() > 1 {
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
