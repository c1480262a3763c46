//! A unit glued to its number.

use std::collections::BTreeSet;

use crate::engine::{Command, Host};
use crate::error::CommandPath;
use crate::pitfall::case::{Case, id, ids, only_in, shown};
use crate::pitfall::conversion::{beside, in_front, update_all};
use crate::pitfall::elements::attributes;
use crate::pitfall::grain::each_touched_array;
use crate::pitfall::touch::{Part, Touch};
use crate::pitfall::verdict::proof;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::query::Filter;
use crate::store::{AttributeFacts, Direction, Profile};
use crate::value::{Bson, Document, View, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "unit-inside-value",
    level: Level::Risk,
    weight: 20,
    title: Words::new("Unit glued to the number", "Einheit klebt an der Zahl"),
    explanation: Words::new(
        "Such values are text: \"16GB\" comes before \"8GB\", no range and no sort can work, and \"16 GB\" is another value \
         than \"16GB\".",
        "Solche Werte sind Text: „16GB“ kommt vor „8GB“, kein Bereich und keine Sortierung kann stimmen, und „16 GB“ ist \
         ein anderer Wert als „16GB“.",
    ),
    message: Words::new(
        "{n values} of `{key}` are a number plus a unit, such as {value} in _id {id}, so `$gte` and sort cannot work.",
        "{n Werte} von `{key}` sind eine Zahl mit Einheit, etwa {value} in _id {id}; `$gte` und Sortieren können so nicht \
         stimmen.",
    ),
    cure: Words::new(
        "Store the number and its unit apart: `{k: \"ram\", v: 16, u: \"GB\"}`.",
        "Speichere Zahl und Einheit getrennt: `{k: \"ram\", v: 16, u: \"GB\"}`.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "ram", v: {$gte: "8GB"}}}})"#,
    detect: |case| each_touched_array(case, sights),
};

/// More units than these for one key are parts of names.
const UNITS: usize = 3;

fn sights(case: &Case<'_>, touch: &Touch<'_>, array: &AttributeFacts) -> Vec<Sighting> {
    let keys = touch.keys(array, &[Part::Filter, Part::Stored]);
    let texts = |key: &&str| {
        array.keys.get(*key).is_some_and(|facts| facts.types.get("string").copied().unwrap_or(0) * 2 > facts.elements)
    };
    let arrays = case.profile(touch.collection).map(Profile::arrays);
    let held = || arrays.and_then(|arrays| arrays.get(&array.path)?.fields.get(&array.value));
    let measured = || held().is_some_and(|field| field.texts.keys().any(|text| split(text).is_some()));
    let keys: Vec<&str> = keys.into_iter().filter(texts).collect();
    if keys.is_empty() || !measured() {
        return Vec::new();
    }
    keys.into_iter().filter_map(|key| sight(case, touch, array, key)).collect()
}

/// A value with its number apart.
struct Measured {
    id: Bson,
    text: String,
    number: f64,
    unit: String,
}

fn sight(case: &Case<'_>, touch: &Touch<'_>, array: &AttributeFacts, key: &str) -> Option<Sighting> {
    let measured = measured(case, touch.collection, array, key);
    let units: BTreeSet<&str> = measured.iter().map(|value| value.unit.as_str()).collect();
    let elements = array.keys.get(key)?.elements;
    if (measured.len() as u64) * 2 <= elements || units.len() > UNITS {
        return None;
    }
    let first = measured.first()?;
    let question = case.questions().iter().find(|question| std::ptr::eq(question.ran, touch.ran));
    let cured = question.and_then(|question| converted(case, question, array, key));
    let misjudged = cured.as_ref().and_then(|cured| cured.misjudged.clone());
    let level = misjudged.as_ref().map(|_| Level::WrongResult);
    let fix = if question.is_some() {
        cured.map(|cured| cured.text)
    } else {
        let unit = array.unit.as_deref().unwrap_or("u");
        beside(case, touch.collection, &conversion(touch.collection, array, key, unit))
    };
    Some(Sighting {
        span: case.span(touch.ran, &CommandPath::argument("filter")),
        values: vec![
            ("n", measured.len().to_string()),
            ("key", key.to_owned()),
            ("value", shown(&Bson::from(first.text.as_str()))),
            ("id", shown(&first.id)),
        ],
        evidence: std::iter::once(orders(&measured)).chain(misjudged).collect(),
        fix,
        // Documents are misjudged already.
        level,
        ..Sighting::default()
    })
}

fn measured(case: &Case<'_>, collection: &str, array: &AttributeFacts, key: &str) -> Vec<Measured> {
    case.present(collection)
        .iter()
        .flat_map(|document| attributes(document, array).into_iter().map(move |element| (*document, element)))
        .filter(|(_, element)| element.key == key)
        .filter_map(|(document, element)| {
            let Some(View::String(text)) = element.value else { return None };
            let (number, unit) = split(text)?;
            Some(Measured { id: id(document), text: text.to_owned(), number, unit: unit.to_owned() })
        })
        .collect()
}

fn orders(measured: &[Measured]) -> Evidence {
    let mut texts: Vec<&Measured> = measured.iter().collect();
    texts.sort_by(|a, b| a.text.cmp(&b.text));
    let mut numbers = texts.clone();
    numbers.sort_by(|a, b| a.unit.cmp(&b.unit).then(a.number.total_cmp(&b.number)));
    let listed = |list: &[&Measured]| list.iter().map(|value| Bson::from(value.text.as_str())).collect();
    Evidence::Orders { stored: listed(&texts), meant: listed(&numbers) }
}

/// A number, perhaps a space, and a unit of letters, `%` or `"`.
fn split(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|letter: char| !(letter.is_ascii_digit() || letter == '.' || letter == ','))?;
    let (number, rest) = text.split_at(end);
    let unit = rest.strip_prefix(' ').unwrap_or(rest);
    let is_unit =
        !unit.is_empty() && unit.chars().all(|letter| letter.is_alphabetic() || letter == '%' || letter == '"');
    let number = number.replace(',', ".").parse().ok()?;
    is_unit.then_some((number, unit))
}

/// A text that asks in numbers, and a document that it judges otherwise.
struct Cured {
    text: String,
    misjudged: Option<Evidence>,
}

/// The values of the key converted once, then the question asked with numbers.
fn converted(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts, key: &str) -> Option<Cured> {
    let unit = array.unit.as_deref().unwrap_or("u");
    let (filter, changed) = with_numbers(&question.filter, &array.value, unit);
    let asked = case.with_filter(question, &filter).filter(|_| changed)?;
    let first = conversion(question.collection, array, key, unit);
    let text = in_front(case, question.ran, &first, &asked);
    Some(Cured { text, misjudged: misjudged(case, question, &first, &filter) })
}

/// A document that the question asked in numbers, behind the conversion, judges otherwise.
fn misjudged(case: &Case<'_>, question: &Question<'_>, first: &Command, filter: &Document) -> Option<Evidence> {
    let mut fork = case.database(case.state(question.ran, question.collection)).clone();
    fork.run(first).ok()?;
    let matcher = question.matcher(&Filter::parse(filter).ok()?)?;
    let converted = fork.collection(question.collection)?.scan(Direction::Ascending);
    let found: Vec<Bson> =
        converted.filter(|(_, document)| matcher.matches(*document)).map(|(_, own)| id(own)).collect();
    let typed = ids(&case.matching(question, &question.tree));
    let other = only_in(&typed, &found).into_iter().chain(only_in(&found, &typed)).next()?;
    let seen = case.seen(question);
    proof(seen.iter().find(|document| id(document) == *other)?, Vec::new())
}

/// Comparisons of the value field with a measured text as comparisons with its number, the unit beside them.
fn with_numbers(filter: &Document, value: &str, unit: &str) -> (Document, bool) {
    let mut out = Document::new();
    let mut changed = false;
    for (name, asked) in filter {
        let inner = match asked {
            Bson::Document(inner) if name != value => {
                let (inner, deeper) = with_numbers(inner, value, unit);
                changed |= deeper;
                Bson::Document(inner)
            }
            other => other.clone(),
        };
        match Some(asked).filter(|_| name == value).and_then(number_of) {
            Some((number, with)) => {
                changed = true;
                out.insert(name.clone(), number);
                out.insert(unit, with);
            }
            None => drop(out.insert(name.clone(), inner)),
        }
    }
    (out, changed)
}

fn number_of(asked: &Bson) -> Option<(Bson, String)> {
    match asked {
        Bson::String(text) => split(text).map(|(number, unit)| (Bson::Double(number), unit.to_owned())),
        Bson::Document(bounds) => {
            let parts: Option<Vec<(String, Bson, String)>> = bounds
                .iter()
                .map(|(operator, text)| {
                    let (number, unit) = split(text.as_str()?)?;
                    Some((operator.clone(), Bson::Double(number), unit.to_owned()))
                })
                .collect();
            let parts = parts.filter(|parts| parts.iter().all(|(_, _, unit)| *unit == parts[0].2))?;
            let unit = parts.first()?.2.clone();
            Some((Bson::Document(parts.into_iter().map(|(name, number, _)| (name, number)).collect()), unit))
        }
        _ => None,
    }
}

fn conversion(collection: &str, array: &AttributeFacts, key: &str, unit: &str) -> Command {
    let AttributeFacts { path, key: name, value, .. } = array;
    let text = format!("$$s.{value}");
    let measured = doc! {"$regexFind": {"input": text, "regex": "^([0-9.]+) ?([^0-9.,]+)$"}};
    let apart = doc! {"$mergeObjects": ["$$s", {
        value: {"$toDouble": {"$first": "$$m.captures"}},
        unit: {"$last": "$$m.captures"},
    }]};
    let is_text =
        doc! {"$and": [{"$eq": [format!("$$s.{name}"), key]}, {"$eq": [{"$type": format!("$$s.{value}")}, "string"]}]};
    let measured = doc! {"$cond": [is_text, measured, Bson::Null]};
    let one = doc! {"$let": {"vars": {"m": measured}, "in": {"$cond": ["$$m", apart, "$$s"]}}};
    let stage = doc! {"$set": {path: {"$map": {"input": format!("${path}"), "as": "s", "in": one}}}};
    update_all(collection, doc! {format!("{path}.{name}"): key}, vec![stage])
}
