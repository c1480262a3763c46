//! A text search over values of all attributes beside a condition on one of them.

use std::collections::BTreeMap;

use crate::engine::Command;
use crate::error::CommandPath;
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::attributes;
use crate::pitfall::{Evidence, Level, Pitfall, Sighting};
use crate::shell::Ran;
use crate::store::AttributeFacts;
use crate::value::{Bson, Document, RawDocument, View, regex};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "text-search-not-per-key",
    level: Level::Surprise,
    weight: 6,
    title: Words::new("Text search cannot be tied to one key", "Textsuche lässt sich nicht an einen Schlüssel binden"),
    explanation: Words::new(
        "A text index covers the values of all attributes, and `$text` is not allowed inside `$elemMatch`: the word may come \
         from another attribute. This program has no text index, so the statement itself is refused here.",
        "Ein Textindex umfasst die Werte aller Attribute, und `$text` ist in `$elemMatch` nicht erlaubt: Das Wort kann aus \
         einem anderen Attribut stammen. Dieses Programm hat keinen Textindex, daher wird die Anweisung hier abgelehnt.",
    ),
    message: Words::new(
        "A text search over `{path}` would find {words} under {n different keys}: {keys}{example}.",
        "Eine Textsuche über `{path}` fände {words} unter {n} verschiedenen Schlüsseln: {keys}{example}.",
    ),
    cure: Words::new(
        "Filter by `$elemMatch`, with `$text` only as a first sieve; or keep searchable text in a field of its own.",
        "Filtere mit `$elemMatch` und nimm `$text` nur als erstes Sieb; oder halte durchsuchbaren Text in einem eigenen Feld.",
    ),
    example: r#"db.c.find({$text: {$search: "blue"}, "specs.k": "color"})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    case.ran.iter().filter_map(|ran| searched(case, ran).or_else(|| indexed(case, ran))).collect()
}

/// A filter with `$text` and a condition on an attribute array.
fn searched(case: &Case<'_>, ran: &Ran) -> Option<Sighting> {
    let (collection, filter, place) = filter_of(ran.command.explained())?;
    let search = filter.get_document("$text").ok()?.get_str("$search").ok()?;
    let touch = case.touches().iter().find(|touch| std::ptr::eq(touch.ran, ran))?;
    let parts = [crate::pitfall::touch::Part::Filter];
    let array = case.attributes(collection).iter().find(|array| touch.names(&array.path, &parts))?;
    let words = words(search);
    let keys = touch.keys(array, &parts);
    let fix = keys.first().and_then(|key| case.with_filter_at(ran, &place, &without_text(filter, array, key, &words)?));
    Some(sighting(case, ran, collection, array, &words, fix, &place.field("$text")))
}

/// A text index on the values of an attribute array.
fn indexed(case: &Case<'_>, ran: &Ran) -> Option<Sighting> {
    let Command::CreateIndexes(create) = ran.command.explained() else { return None };
    let keys = create.indexes.iter().map(|index| &index.keys);
    let array = keys.flat_map(Document::iter).find_map(|(path, kind)| {
        let text = kind.as_str() == Some("text");
        let covers = |array: &&AttributeFacts| path == "$**" || *path == format!("{}.{}", array.path, array.value);
        case.attributes(&create.collection).iter().find(|array| text && covers(array))
    })?;
    Some(sighting(case, ran, &create.collection, array, &[], None, &CommandPath::argument("keys")))
}

fn sighting(
    case: &Case<'_>,
    ran: &Ran,
    collection: &str,
    array: &AttributeFacts,
    words: &[String],
    fix: Option<String>,
    place: &CommandPath,
) -> Sighting {
    let documents = case.documents(collection);
    let mut keys: BTreeMap<&str, u64> = BTreeMap::new();
    let mut first: Option<(&RawDocument, &str)> = None;
    for document in documents.iter() {
        for attribute in attributes(document, array).into_iter().filter(|found| holds(found.value, words)) {
            *keys.entry(attribute.key).or_default() += 1;
            first.get_or_insert((document, attribute.key));
        }
    }
    let named: Vec<String> = keys.iter().map(|(key, count)| format!("{key} {count}")).collect();
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    let mut evidence: Vec<Evidence> = vec![Evidence::Counts {
        of: format!("{}.{}", array.path, array.value),
        counts: keys.iter().map(|(key, count)| ((*key).to_owned(), *count)).collect(),
    }];
    evidence.extend(
        ran.result
            .as_ref()
            .err()
            .map(|error| Evidence::Refusal { code: error.code.number(), message: error.message.clone() }),
    );
    Sighting {
        span: case.span(ran, place),
        values: vec![
            ("path", format!("{}.{}", array.path, array.value)),
            ("words", if quoted.is_empty() { "…".to_owned() } else { quoted.join(", ") }),
            ("n", keys.len().to_string()),
            ("keys", if named.is_empty() { "–".to_owned() } else { named.join(", ") }),
            (
                "example",
                first.map(|(document, key)| format!(" (_id {}: `{key}`)", shown(&id(document)))).unwrap_or_default(),
            ),
        ],
        evidence,
        fix,
        ..Sighting::default()
    }
}

fn filter_of(command: &Command) -> Option<(&str, &Document, CommandPath)> {
    let own = CommandPath::argument("filter");
    match command {
        Command::Find(find) => Some((&find.collection, &find.filter, own)),
        Command::Count(count) => Some((&count.collection, &count.filter, own)),
        Command::Aggregate(aggregate) => {
            let filter = aggregate.pipeline.first()?.get_document("$match").ok()?;
            Some((aggregate.collection.as_deref()?, filter, CommandPath::argument("pipeline").index(0).field("$match")))
        }
        _ => None,
    }
}

/// The words that are searched for; those with a minus keep documents out.
fn words(search: &str) -> Vec<String> {
    let words = search.split(|letter: char| letter.is_whitespace() || letter == '"').filter(|word| !word.is_empty());
    words.filter(|word| !word.starts_with('-')).map(str::to_lowercase).collect()
}

/// Whether a text has one of the words; of no words, whether it is a text.
fn holds(value: Option<View<'_>>, words: &[String]) -> bool {
    let Some(View::String(text)) = value else { return false };
    let text = text.to_lowercase();
    let mut parts = text.split(|letter: char| !letter.is_alphanumeric());
    words.is_empty() || parts.any(|part| words.iter().any(|word| word == part))
}

/// The filter with the words asked, as a pattern, of the value beside the key.
fn without_text(filter: &Document, array: &AttributeFacts, key: &str, words: &[String]) -> Option<Document> {
    let plain = words.iter().all(|word| word.chars().all(char::is_alphanumeric));
    let pattern = plain.then(|| format!("\\b({})\\b", words.join("|")))?;
    let inner =
        [(array.key.clone(), Bson::from(key)), (array.value.clone(), Bson::RegularExpression(regex(&pattern, "i")?))];
    let inside = |name: &str| name == array.path || name.starts_with(&format!("{}.", array.path));
    let kept = filter.iter().filter(|(name, _)| *name != "$text" && !inside(name));
    let mut cured: Document = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
    let element: Document = inner.into_iter().collect();
    cured.insert(
        &array.path,
        Bson::Document([("$elemMatch".to_owned(), Bson::Document(element))].into_iter().collect()),
    );
    Some(cured)
}
