//! From a filter written for one design to what it asks of the facts.

use crate::value::{Bson, Document};

use super::ask::{Ask, Held, KeyAsk, as_test, operators, passes_missing, single_tests, truthy};
use crate::design::form::{Design, Place};
use crate::design::reason::NoCounterpart;

/// More alternatives than this are not multiplied out of one `$elemMatch` or row filter.
const MOST_ALTERNATIVES: usize = 64;

/// Reads a filter.
pub(super) fn read_filter(design: &Design, filter: &Document) -> Result<Ask, NoCounterpart> {
    if design.form.place() == Place::Rows {
        return rows::read(design, filter);
    }
    let mut parts = Vec::new();
    for (name, operand) in filter {
        parts.push(match name.as_str() {
            "$and" => Ask::all(branches(design, operand)?),
            "$or" => Ask::any(branches(design, operand)?),
            "$nor" => Ask::Nor(branches(design, operand)?),
            _ if name.starts_with('$') => verbatim(design, name, operand)?,
            _ => entry(design, name, operand)?,
        });
    }
    Ok(match (Ask::all(parts), design.form.place()) {
        (Ask::All(parts), Place::Root | Place::Nested) => Ask::all(join_same_key(parts)),
        (ask, _) => ask,
    })
}

fn branches(design: &Design, operand: &Bson) -> Result<Vec<Ask>, NoCounterpart> {
    let list = operand.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Bson::as_document).map(|branch| read_filter(design, branch)).collect()
}

/// A top-level operator that must not speak of the attributes: `$expr`, `$comment` …
fn verbatim(design: &Design, name: &str, operand: &Bson) -> Result<Ask, NoCounterpart> {
    let always = matches!(name, "$jsonSchema" | "$where" | "$text");
    if always || name != "$comment" && mentions(design, operand) {
        return Err(NoCounterpart::Expression(name.into()));
    }
    Ok(Ask::Common(name.into(), operand.clone()))
}

/// Whether an expression, stage or projection names the place of an attribute.
pub(super) fn mentions(design: &Design, value: &Bson) -> bool {
    match value {
        Bson::String(text) => text
            .strip_prefix('$')
            .is_some_and(|path| path.starts_with("$ROOT") || path.starts_with("$CURRENT") || touches(design, path)),
        Bson::Array(list) => list.iter().any(|item| mentions(design, item)),
        Bson::Document(fields) => fields
            .iter()
            .any(|(name, inner)| !name.starts_with('$') && touches(design, name) || mentions(design, inner)),
        _ => false,
    }
}

/// Whether a path lies where the design keeps attributes.
pub(super) fn touches(design: &Design, path: &str) -> bool {
    let layout = &design.layout;
    let first = path.split('.').next().unwrap_or_default();
    match design.form.place() {
        Place::Root => !path.starts_with('$') && design.attribute_of(path).is_some(),
        Place::Nested | Place::Elements => first == layout.array,
        Place::Rows => first == layout.key || first == layout.value || Some(first) == layout.unit.as_deref(),
    }
}

fn entry(design: &Design, name: &str, operand: &Bson) -> Result<Ask, NoCounterpart> {
    let inside = name.strip_prefix(design.layout.array.as_str());
    match design.form.place() {
        Place::Root | Place::Nested => match design.attribute_of(name) {
            Some((key, rest)) => Ok(field(key, rest, operand)),
            None if touches(design, name) => Err(NoCounterpart::WholeElement),
            None => Ok(Ask::Common(name.into(), operand.clone())),
        },
        Place::Elements | Place::Rows => match inside.map(|tail| tail.strip_prefix('.').ok_or(tail)) {
            Some(Err("")) => array(design, operand),
            Some(Ok(part)) => dotted(design, part, operand),
            _ => Ok(Ask::Common(name.into(), operand.clone())),
        },
    }
}

/// A predicate on an attribute that is a field. A field that is missing passes some tests; those ask for absence too.
fn field(key: &str, rest: Option<&str>, operand: &Bson) -> Ask {
    let mut parts = Vec::new();
    let mut together = Document::new();
    for (op, value) in single_tests(operand) {
        let test = as_test(&op, &value, operand);
        match op.as_str() {
            "$ne" => parts.push(field(key, rest, &as_test("$eq", &value, &Bson::Null)).negated()),
            "$nin" => parts.push(field(key, rest, &as_test("$in", &value, &Bson::Null)).negated()),
            "$not" => parts.push(field(key, rest, &value).negated()),
            "$exists" if truthy(&value) => parts.push(Ask::Has(present(key, rest))),
            "$exists" => parts.push(Ask::Lacks(present(key, rest))),
            _ if passes_missing(&test) => {
                parts.push(Ask::Any(vec![Ask::Lacks(present(key, rest)), Ask::Has(Held::with(key, rest, test))]));
            }
            "$eq" if operators(operand).is_none() => parts.push(Ask::Has(Held::with(key, rest, test))),
            _ => together.extend(as_operators(test, &value)),
        }
    }
    if !together.is_empty() {
        let test = match (together.len(), together.get("$eq")) {
            (1, Some(value)) => as_test("$eq", value, &Bson::Null),
            _ => Bson::Document(together),
        };
        parts.push(Ask::Has(Held::with(key, rest, test)));
    }
    Ask::all(parts)
}

fn as_operators(test: Bson, value: &Bson) -> Document {
    match test {
        Bson::Document(tests) if operators(&Bson::Document(tests.clone())).is_some() => tests,
        _ => Document::from_iter([("$eq".to_owned(), value.clone())]),
    }
}

fn present(key: &str, rest: Option<&str>) -> Held {
    match rest {
        None => Held::of(KeyAsk::Named(key.into())),
        Some(_) => Held::with(key, rest, Bson::Document(Document::from_iter([("$exists".to_owned(), true.into())]))),
    }
}

/// Joins what is asked of one field in several entries: a field is there once, so all of it concerns one attribute.
fn join_same_key(parts: Vec<Ask>) -> Vec<Ask> {
    let mut joined: Vec<Ask> = Vec::with_capacity(parts.len());
    for part in parts {
        if let Ask::Has(held) = &part {
            let twin = joined.iter_mut().find_map(|known| match known {
                Ask::Has(known) if known.key == held.key => Some(known),
                _ => None,
            });
            if let Some(known) = twin {
                known.value.extend(held.value.iter().cloned());
                continue;
            }
        }
        joined.push(part);
    }
    joined
}

/// What is asked of the array itself.
fn array(design: &Design, operand: &Bson) -> Result<Ask, NoCounterpart> {
    let tests = operators(operand).ok_or(NoCounterpart::WholeElement)?;
    let mut parts = Vec::new();
    for (op, value) in tests {
        parts.push(match (op.as_str(), value) {
            ("$elemMatch", Bson::Document(inner)) => element(design, inner)?,
            ("$not", inner) => array(design, inner)?.negated(),
            ("$all", Bson::Array(list)) => {
                Ask::all(list.iter().map(|inner| array(design, inner)).collect::<Result<_, _>>()?)
            }
            ("$size", _) => return Err(NoCounterpart::Size),
            _ => return Err(NoCounterpart::WholeElement),
        });
    }
    Ok(Ask::all(parts))
}

/// A predicate on a part of the elements without `$elemMatch`: each of its operators looks at all elements by itself.
fn dotted(design: &Design, part: &str, operand: &Bson) -> Result<Ask, NoCounterpart> {
    if part.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(NoCounterpart::Position);
    }
    if passes_missing(operand) && !negative(operand) {
        return Err(NoCounterpart::WholeElement);
    }
    let mut parts = Vec::new();
    for (op, value) in single_tests(operand) {
        let test = |op: &str| part_held(design, part, &as_test(op, &value, operand));
        parts.push(match (op.as_str(), &value) {
            ("$ne", _) => Ask::Lacks(test("$eq")?),
            ("$nin", _) => Ask::Lacks(test("$in")?),
            ("$not", inner) => dotted(design, part, inner)?.negated(),
            ("$exists", flag) if !truthy(flag) => return Err(NoCounterpart::WholeElement),
            ("$all", Bson::Array(list)) => {
                let each = list.iter().map(|value| part_held(design, part, value).map(Ask::Has));
                Ask::all(each.collect::<Result<_, _>>()?)
            }
            _ => Ask::Has(test(&op)?),
        });
    }
    Ok(Ask::all(parts))
}

fn negative(operand: &Bson) -> bool {
    operators(operand).is_some_and(|tests| tests.keys().all(|op| matches!(op.as_str(), "$ne" | "$nin" | "$not")))
}

fn part_held(design: &Design, part: &str, test: &Bson) -> Result<Held, NoCounterpart> {
    let mut tests = PartTests::default();
    tests.add(design, part, test)?;
    Ok(Held { dotted: true, ..tests.held })
}

/// The tests on the parts of one element, gathered.
#[derive(Clone)]
struct PartTests {
    held: Held,
}

impl Default for PartTests {
    fn default() -> Self {
        Self { held: Held::of(KeyAsk::Any) }
    }
}

impl PartTests {
    fn add(&mut self, design: &Design, part: &str, test: &Bson) -> Result<(), NoCounterpart> {
        let layout = &design.layout;
        let (head, rest) = part.split_once('.').map_or((part, None), |(head, rest)| (head, Some(rest)));
        if head == layout.value {
            self.held.value.push((rest.map(str::to_owned), test.clone()));
        } else if head == layout.key && rest.is_none() && self.held.key == KeyAsk::Any {
            self.held.key = KeyAsk::read(test);
        } else if Some(head) == layout.unit.as_deref() && rest.is_none() && self.held.unit.is_none() {
            self.held.unit = Some(test.clone());
        } else if head == layout.key || Some(head) == layout.unit.as_deref() {
            return Err(NoCounterpart::MixedInElement);
        } else {
            return Err(NoCounterpart::UnknownPart(part.into()));
        }
        Ok(())
    }
}

/// The filter of an `$elemMatch`; an `$or` inside becomes several attributes, any of which will do.
fn element(design: &Design, filter: &Document) -> Result<Ask, NoCounterpart> {
    let mut found = vec![PartTests::default()];
    element_into(design, filter, &mut found)?;
    Ok(Ask::any(found.into_iter().map(|tests| Ask::Has(tests.held)).collect()))
}

fn element_into(design: &Design, filter: &Document, found: &mut Vec<PartTests>) -> Result<(), NoCounterpart> {
    for (name, operand) in filter {
        match (name.as_str(), operand) {
            ("$and", Bson::Array(list)) => {
                for branch in list.iter().filter_map(Bson::as_document) {
                    element_into(design, branch, found)?;
                }
            }
            ("$or", Bson::Array(list)) => {
                let mut all = Vec::new();
                for branch in list.iter().filter_map(Bson::as_document) {
                    let mut mine = found.clone();
                    element_into(design, branch, &mut mine)?;
                    all.append(&mut mine);
                }
                *found = all;
            }
            ("$nor", _) => return Err(NoCounterpart::MixedInElement),
            _ if name.starts_with('$') => return Err(NoCounterpart::WholeElement),
            _ => found.iter_mut().try_for_each(|tests| tests.add(design, name, operand))?,
        }
    }
    if found.len() > MOST_ALTERNATIVES { Err(NoCounterpart::MixedInElement) } else { Ok(()) }
}

/// Filters on rows: all that one level asks of key and value concerns one attribute, as in an `$elemMatch`.
mod rows {
    use super::{
        Ask, Bson, Design, Document, KeyAsk, MOST_ALTERNATIVES, NoCounterpart, PartTests, branches, touches, verbatim,
    };

    /// Common entries and the tests of one row.
    #[derive(Clone, Default)]
    struct Level {
        common: Vec<Ask>,
        row: PartTests,
    }

    pub(super) fn read(design: &Design, filter: &Document) -> Result<Ask, NoCounterpart> {
        let mut levels = vec![Level::default()];
        read_into(design, filter, &mut levels)?;
        Ok(Ask::any(levels.into_iter().map(Level::ask).collect()))
    }

    impl Level {
        fn ask(mut self) -> Ask {
            let held = self.row.held;
            if held.key != KeyAsk::Any || !held.key_only() {
                self.common.push(Ask::Has(held));
            }
            Ask::all(self.common)
        }
    }

    fn read_into(design: &Design, filter: &Document, levels: &mut Vec<Level>) -> Result<(), NoCounterpart> {
        for (name, operand) in filter {
            match (name.as_str(), operand) {
                ("$and", Bson::Array(list)) => {
                    for branch in list.iter().filter_map(Bson::as_document) {
                        read_into(design, branch, levels)?;
                    }
                }
                ("$or", Bson::Array(list)) => *levels = alternatives(design, list, levels)?,
                ("$nor", _) => {
                    let parts = branches(design, operand)?;
                    if parts.iter().any(Ask::about_attributes) {
                        return Err(NoCounterpart::MixedInElement);
                    }
                    add(levels, &Ask::Nor(parts));
                }
                _ if name.starts_with('$') => {
                    let part = verbatim(design, name, operand)?;
                    add(levels, &part);
                }
                _ if touches(design, name) => {
                    levels.iter_mut().try_for_each(|level| level.row.add(design, name, operand))?;
                }
                _ => {
                    let part = Ask::Common(entity_path(name)?, operand.clone());
                    add(levels, &part);
                }
            }
        }
        Ok(())
    }

    fn add(levels: &mut [Level], part: &Ask) {
        for level in levels {
            level.common.push(part.clone());
        }
    }

    fn alternatives(design: &Design, list: &[Bson], levels: &[Level]) -> Result<Vec<Level>, NoCounterpart> {
        let mut all = Vec::new();
        for branch in list.iter().filter_map(Bson::as_document) {
            let mut mine = levels.to_vec();
            read_into(design, branch, &mut mine)?;
            all.append(&mut mine);
        }
        if all.len() > MOST_ALTERNATIVES { Err(NoCounterpart::MixedInElement) } else { Ok(all) }
    }

    /// A row's `_id` is its own; the entity's is inside it.
    fn entity_path(name: &str) -> Result<String, NoCounterpart> {
        match name {
            "_id.entity" => Ok("_id".into()),
            "_id" | "_id.key" => Err(NoCounterpart::WholeElement),
            _ => Ok(name.into()),
        }
    }
}
