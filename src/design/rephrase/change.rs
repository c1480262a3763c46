//! Updates with operators for another design: what they change about attributes, and how that is written there.

use crate::engine::{Command, Delete, Modify, Update, UpdateSpec};
use crate::value::{Bson, Document, doc};

use super::ask::{Ask, Held, KeyAsk};
use super::expr::literal;
use super::read::{read_filter, touches};
use super::write::join;
use super::{Ground, Rephrased};
use crate::design::form::{Design, Place};
use crate::design::reason::NoCounterpart;

/// A change of one attribute.
struct Change {
    key: String,
    how: How,
}

enum How {
    /// The value becomes this.
    Set(Bson),
    /// The value grows by this.
    Inc(Bson),
    /// The attribute goes.
    Remove,
    /// One more attribute comes, whether or not there is one of that key.
    Add(Document),
}

/// An update read: which entities, which attributes, and the operators on common fields.
struct Reading {
    ask: Ask,
    changes: Vec<Change>,
    common: Document,
    /// Whether an attribute that is not there stays so.
    must_exist: bool,
}

pub(super) fn update(ground: &Ground<'_>, spec: UpdateSpec, operators: &Document) -> Result<Rephrased, NoCounterpart> {
    let reading = read(ground.from, &spec, operators)?;
    let mut writer = ground.writer();
    match ground.to.form.place() {
        _ if reading.changes.is_empty() => {
            let filter = writer.filter(&reading.ask)?;
            let multi = spec.multi || ground.to.form.place() == Place::Rows;
            let modify = Modify::Operators(reading.common);
            Ok(written(ground, UpdateSpec { filter, modify, multi, array_filters: Vec::new(), ..spec }))
        }
        Place::Root | Place::Nested => {
            let mut filters = vec![writer.filter(&reading.ask)?];
            let mut operators = reading.common.clone();
            for change in &reading.changes {
                let path = writer.reach(&change.key)?;
                if reading.must_exist && !matches!(change.how, How::Remove | How::Add(_)) {
                    filters.push(Document::from_iter([(path.clone(), Bson::Document(doc! {"$exists": true}))]));
                }
                let (operator, operand) = field_change(ground.from, &change.how)?;
                put(&mut operators, operator, &path, operand);
            }
            let modify = Modify::Operators(operators);
            Ok(written(ground, UpdateSpec { filter: join(filters), modify, array_filters: Vec::new(), ..spec }))
        }
        Place::Elements => {
            let filter = writer.filter(&reading.ask)?;
            let (modify, array_filters) = element_changes(ground.to, &reading)?;
            Ok(written(ground, UpdateSpec { filter, modify, array_filters, ..spec }))
        }
        Place::Rows => row_change(ground, spec, &reading),
    }
}

fn written(ground: &Ground<'_>, spec: UpdateSpec) -> Rephrased {
    super::rephrased(Command::Update(Update { collection: ground.collection.into(), spec }))
}

fn put(operators: &mut Document, operator: &str, path: &str, operand: Bson) {
    match operators.get_document_mut(operator) {
        Ok(fields) => {
            fields.insert(path, operand);
        }
        Err(_) => {
            operators.insert(operator, Document::from_iter([(path.to_owned(), operand)]));
        }
    }
}

fn read(design: &Design, spec: &UpdateSpec, operators: &Document) -> Result<Reading, NoCounterpart> {
    let mut reading = Reading {
        ask: read_filter(design, &spec.filter)?,
        changes: Vec::new(),
        common: Document::new(),
        must_exist: matches!(design.form.place(), Place::Elements)
            || design.form.place() == Place::Rows && !spec.upsert,
    };
    for (operator, fields) in operators {
        for (path, operand) in fields.as_document().ok_or(NoCounterpart::ChangeByReplacement)? {
            if touches(design, path) {
                let change = change(design, spec, &reading.ask, operator, path, operand);
                reading.changes.push(change.ok_or(NoCounterpart::ChangeByReplacement)?);
            } else {
                put(&mut reading.common, operator, path, operand.clone());
            }
        }
    }
    if design.form.place() == Place::Rows && !reading.changes.is_empty() {
        reading.ask = without_attribute(reading.ask).ok_or(NoCounterpart::ChangeByReplacement)?;
    }
    Ok(reading)
}

/// The question without the one attribute that is changed.
fn without_attribute(ask: Ask) -> Option<Ask> {
    let parts = match ask {
        Ask::All(parts) => parts,
        other => vec![other],
    };
    let rest: Vec<_> = parts.into_iter().filter(|part| !matches!(part, Ask::Has(_))).collect();
    rest.iter().all(|part| matches!(part, Ask::Common(..))).then(|| Ask::all(rest))
}

fn change(design: &Design, spec: &UpdateSpec, ask: &Ask, operator: &str, path: &str, operand: &Bson) -> Option<Change> {
    match design.form.place() {
        Place::Root | Place::Nested => {
            let key = design.attribute_of(path).filter(|(_, rest)| rest.is_none())?.0;
            Some(Change { key: key.into(), how: value_change(operator, operand)? })
        }
        Place::Elements => element_change(design, spec, ask, operator, path, operand),
        Place::Rows => {
            let how = value_change(operator, operand).filter(|how| !matches!(how, How::Remove))?;
            (path == design.layout.value).then_some(())?;
            Some(Change { key: one_key(ask)?, how })
        }
    }
}

fn value_change(operator: &str, operand: &Bson) -> Option<How> {
    match operator {
        "$set" => Some(How::Set(operand.clone())),
        "$inc" => Some(How::Inc(operand.clone())),
        "$unset" => Some(How::Remove),
        _ => None,
    }
}

/// The key of the one attribute asked for.
fn one_key(ask: &Ask) -> Option<String> {
    match ask.held().as_slice() {
        [Held { key: KeyAsk::Named(key), .. }] => Some(key.clone()),
        _ => None,
    }
}

/// `$push` and `$pull` of a pair, and a value set through `$` or `$[identifier]`.
fn element_change(
    design: &Design,
    spec: &UpdateSpec,
    ask: &Ask,
    operator: &str,
    path: &str,
    operand: &Bson,
) -> Option<Change> {
    let layout = &design.layout;
    if path == layout.array {
        let pair = operand.as_document()?;
        let key = pair.get_str(&layout.key).ok()?.to_owned();
        return match operator {
            "$push" if pair.contains_key(&layout.value) => Some(Change { key, how: How::Add(pair.clone()) }),
            "$pull" if pair.len() == 1 => Some(Change { key, how: How::Remove }),
            _ => None,
        };
    }
    let inside = path.strip_prefix(&layout.array)?.strip_prefix('.')?;
    let (position, part) = inside.split_once('.')?;
    (part == layout.value).then_some(())?;
    let how = value_change(operator, operand).filter(|how| !matches!(how, How::Remove))?;
    let key = if position == "$" {
        one_key(ask)?
    } else {
        let name = position.strip_prefix("$[")?.strip_suffix(']')?;
        let wanted = format!("{name}.{}", layout.key);
        let filter = spec.array_filters.iter().find(|filter| filter.contains_key(&wanted) && filter.len() == 1)?;
        filter.get_str(&wanted).ok()?.to_owned()
    };
    Some(Change { key, how })
}

fn field_change(from: &Design, how: &How) -> Result<(&'static str, Bson), NoCounterpart> {
    let layout = &from.layout;
    Ok(match how {
        How::Set(value) => ("$set", value.clone()),
        How::Inc(by) => ("$inc", by.clone()),
        How::Remove => ("$unset", "".into()),
        How::Add(pair) if layout.unit.as_ref().is_some_and(|unit| pair.contains_key(unit)) => {
            return Err(NoCounterpart::Unit);
        }
        How::Add(pair) => ("$set", pair.get(&layout.value).cloned().unwrap_or(Bson::Null)),
    })
}

/// One kind of change by its own operator; a value that may have to be added by a pipeline.
fn element_changes(to: &Design, reading: &Reading) -> Result<(Modify, Vec<Document>), NoCounterpart> {
    let layout = &to.layout;
    let array = layout.array.as_str();
    let mut operators = reading.common.clone();
    match reading.changes.as_slice() {
        [Change { key, how: How::Remove }] => {
            let pair = Document::from_iter([(layout.key.clone(), Bson::from(key.clone()))]);
            put(&mut operators, "$pull", array, pair.into());
            Ok((Modify::Operators(operators), Vec::new()))
        }
        [Change { how: How::Add(pair), .. }] => {
            put(&mut operators, "$push", array, pair.clone().into());
            Ok((Modify::Operators(operators), Vec::new()))
        }
        changes if reading.must_exist => positional_changes(to, changes, operators),
        changes => Ok((Modify::Pipeline(pipeline_changes(to, changes, &reading.common)?), Vec::new())),
    }
}

fn positional_changes(
    to: &Design,
    changes: &[Change],
    mut operators: Document,
) -> Result<(Modify, Vec<Document>), NoCounterpart> {
    let layout = &to.layout;
    let mut filters = Vec::new();
    for (number, change) in changes.iter().enumerate() {
        let name = format!("a{number}");
        let path = format!("{}.$[{name}].{}", layout.array, layout.value);
        let (operator, operand) = match &change.how {
            How::Set(value) => ("$set", value),
            How::Inc(by) => ("$inc", by),
            How::Remove | How::Add(_) => return Err(NoCounterpart::ChangeByReplacement),
        };
        put(&mut operators, operator, &path, operand.clone());
        filters.push(Document::from_iter([(format!("{name}.{}", layout.key), change.key.clone().into())]));
    }
    Ok((Modify::Operators(operators), filters))
}

/// One `$set` stage per change: the other elements, and the changed or new one behind them.
fn pipeline_changes(to: &Design, changes: &[Change], common: &Document) -> Result<Vec<Document>, NoCounterpart> {
    let mut stages = Vec::new();
    for (operator, fields) in common {
        if operator != "$set" {
            return Err(NoCounterpart::ChangeByReplacement);
        }
        let fields = fields.as_document().into_iter().flatten();
        let literals: Document = fields.map(|(path, value)| (path.clone(), literal(value))).collect();
        stages.push(doc! {"$set": literals});
    }
    let layout = &to.layout;
    let path = format!("$$pair.{}", layout.key);
    let input = doc! {"$ifNull": [format!("${}", layout.array), []]};
    for change in changes {
        let of_key = |test: &str| {
            let condition = Document::from_iter([(test.to_owned(), vec![path.clone(), change.key.clone()].into())]);
            doc! {"$filter": {"input": input.clone(), "as": "pair", "cond": condition}}
        };
        let held =
            doc! {"$first": {"$map": {"input": of_key("$eq"), "as": "pair", "in": format!("$$pair.{}", layout.value)}}};
        let value = match &change.how {
            How::Set(value) => literal(value),
            How::Inc(by) => Bson::Document(doc! {"$add": [{"$ifNull": [held, 0]}, by.clone()]}),
            How::Remove | How::Add(_) => return Err(NoCounterpart::ChangeByReplacement),
        };
        let pair = Document::from_iter([
            (layout.key.clone(), literal(&change.key.clone().into())),
            (layout.value.clone(), value),
        ]);
        stages.push(super::bridge::set(&layout.array, doc! {"$concatArrays": [of_key("$ne"), [pair]]}));
    }
    Ok(stages)
}

/// One attribute of one owner is one row.
fn row_change(ground: &Ground<'_>, spec: UpdateSpec, reading: &Reading) -> Result<Rephrased, NoCounterpart> {
    let [change] = reading.changes.as_slice() else { return Err(NoCounterpart::ChangeByReplacement) };
    let layout = &ground.to.layout;
    let ask = without_attribute(reading.ask.clone()).ok_or(NoCounterpart::ChangeByReplacement)?;
    let of_owner = matches!(&ask, Ask::Common(name, Bson::String(_)) if *name == layout.owner);
    if !reading.common.is_empty() {
        return Err(NoCounterpart::ChangeByReplacement);
    }
    let row = Ask::all(vec![ask, Ask::Has(Held::of(KeyAsk::Named(change.key.clone())))]);
    let filter = ground.writer().filter(&row)?;
    let (operator, operand) = match &change.how {
        How::Set(value) => ("$set", value.clone()),
        How::Inc(by) => ("$inc", by.clone()),
        How::Remove => {
            let delete = Delete { collection: ground.collection.into(), filter, multi: true, ..Delete::default() };
            return Ok(super::rephrased(Command::Delete(delete)));
        }
        How::Add(_) => return Err(NoCounterpart::ChangeByReplacement),
    };
    let upsert = spec.upsert || !reading.must_exist;
    if upsert && !of_owner {
        return Err(NoCounterpart::ChangeByReplacement);
    }
    let fields = Document::from_iter([(layout.value.clone(), operand)]);
    let modify = Modify::Operators(Document::from_iter([(operator.to_owned(), Bson::Document(fields))]));
    Ok(written(ground, UpdateSpec { filter, modify, upsert, array_filters: Vec::new(), ..spec }))
}
