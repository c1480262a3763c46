//! `$objectToArray` on the whole document.

use crate::engine::{Command, Modify};
use crate::error::CommandPath;
use crate::pitfall::case::{Case, shown};
use crate::pitfall::{Evidence, Level, Pitfall, Sighting};
use crate::shell::{Ran, literal};
use crate::value::{Bson, Document, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "root-converted-wholesale",
    level: Level::WrongResult,
    weight: 9,
    title: Words::new("The whole document converted", "Das ganze Dokument umgewandelt"),
    explanation: Words::new(
        "`$objectToArray: \"$$ROOT\"` takes every field there is: `_id`, the name and an old array become attributes too.",
        "`$objectToArray: \"$$ROOT\"` nimmt jedes Feld, das es gibt: Auch `_id`, der Name und ein altes Array werden zu \
         Attributen.",
    ),
    message: Words::new(
        "Every field of _id {id} became an attribute: {list} ({n} in all).",
        "Jedes Feld von _id {id} wurde zum Attribut: {list} (insgesamt {n}).",
    ),
    cure: Words::new(
        "Name the wanted fields, `{$objectToArray: {color: \"$color\"}}`, or `$filter` the names.",
        "Nenne die gewünschten Felder, `{$objectToArray: {color: \"$color\"}}`, oder sortiere die Namen mit `$filter` aus.",
    ),
    example: r#"db.c.updateMany({}, [{$set: {specs: {$objectToArray: "$$ROOT"}}}])"#,
    detect,
};

/// Fields that are no attributes wherever they occur, beside `_id`.
const COMMON: [&str; 4] = ["name", "title", "category", "type"];

/// Said where nothing was written.
const BY_CHANCE: Words = Words::new(
    "Every field would become an attribute, of _id {id} {list} ({n} in all). No document was changed this time.",
    "Jedes Feld würde zum Attribut, bei _id {id} {list} (insgesamt {n}). Diesmal wurde kein Dokument geändert.",
);

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    case.ran.iter().filter(|ran| ran.result.is_ok()).filter_map(|ran| sight(case, ran)).collect()
}

/// The stages of a pipeline that writes, the collection, and the argument that they were given as.
fn writing(command: &Command) -> Option<(&[Document], &str, &'static str)> {
    match command {
        Command::Update(update) => match &update.spec.modify {
            Modify::Pipeline(stages) => Some((stages, &update.collection, "update")),
            _ => None,
        },
        Command::FindAndModify(modify) => match &modify.modify {
            Some(Modify::Pipeline(stages)) => Some((stages, &modify.collection, "update")),
            _ => None,
        },
        Command::Aggregate(aggregate) => {
            let last = aggregate.pipeline.last()?.keys().next()?;
            let writes = last == "$out" || last == "$merge";
            writes.then_some((&aggregate.pipeline, aggregate.collection.as_deref()?, "pipeline"))
        }
        _ => None,
    }
}

fn sight(case: &Case<'_>, ran: &Ran) -> Option<Sighting> {
    let (stages, collection, argument) = writing(ran.command.explained())?;
    let at = stages.iter().enumerate().find_map(|(position, stage)| {
        let at = CommandPath::argument(argument).index(position);
        place(&Bson::Document(stage.clone()), &at)
    })?;
    let written = ran.result.as_ref().ok()?.writes.documents.first();
    let stored = case.documents(collection);
    let first = written.and_then(|written| written.before.as_deref()).or_else(|| stored.first().copied())?;
    let first = Document::try_from(first).ok()?;
    let names: Vec<&str> = first.keys().map(String::as_str).collect();
    let idle = argument == "update" && written.is_none();
    let after = written.and_then(|written| Document::try_from(written.after.as_deref()?).ok());
    if after.as_ref().is_some_and(|after| !holds_common(&Bson::Document(after.clone()), &names)) {
        return None;
    }
    Some(Sighting {
        span: case.span(ran, &at),
        values: vec![
            ("id", shown(first.get("_id")?)),
            ("list", names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
            ("n", names.len().to_string()),
        ],
        fix: filtered(case, ran, &at, &names),
        evidence: if idle { Vec::new() } else { vec![Evidence::Write { before: Some(first.clone()), after }] },
        level: idle.then_some(Level::Risk),
        words: idle.then_some(BY_CHANCE),
        ..Sighting::default()
    })
}

/// Whether some array element is an attribute that was a common field of the document.
fn holds_common(value: &Bson, names: &[&str]) -> bool {
    let common = |text: &str| names.contains(&text) && (text == "_id" || COMMON.contains(&text));
    let named = |element: &Bson| {
        let fields = element.as_document().into_iter().flatten();
        fields.into_iter().any(|(_, value)| value.as_str().is_some_and(common))
    };
    match value {
        Bson::Document(inner) => inner.values().any(|value| holds_common(value, names)),
        Bson::Array(list) => list.iter().any(|element| named(element) || holds_common(element, names)),
        _ => false,
    }
}

/// The place of an `$objectToArray` of the root whose names nothing filters.
fn place(value: &Bson, at: &CommandPath) -> Option<CommandPath> {
    match value {
        Bson::Document(inner) => {
            if let Some(Bson::String(text)) = inner.get("$objectToArray")
                && ["$$ROOT", "$$CURRENT"].contains(&text.as_str())
            {
                return Some(at.clone());
            }
            let chosen = |name: &str| ["$filter", "$setDifference", "$reduce"].contains(&name);
            inner.iter().filter(|(name, _)| !chosen(name)).find_map(|(name, value)| place(value, &at.field(name)))
        }
        Bson::Array(list) => list.iter().enumerate().find_map(|(position, value)| place(value, &at.index(position))),
        _ => None,
    }
}

/// The conversion with the common fields filtered out.
fn filtered(case: &Case<'_>, ran: &Ran, at: &CommandPath, names: &[&str]) -> Option<String> {
    let node = ran.places.literal(at)?;
    let target = at.0.iter().rev().find_map(|step| match step {
        crate::error::Step::Field(name) if !name.starts_with('$') => Some(name.as_str()),
        _ => None,
    });
    let common = COMMON.into_iter().filter(|name| names.contains(name));
    let left: Vec<&str> = std::iter::once("_id").chain(common).chain(target).collect();
    let wanted = doc! {"$filter": {
        "input": {"$objectToArray": "$$ROOT"},
        "as": "f",
        "cond": {"$not": [{"$in": ["$$f.k", left]}]},
    }};
    case.replaced(&case.script.node(node).span, &literal(&Bson::Document(wanted)))
}
