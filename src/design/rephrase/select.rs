//! `find`, `count` and `distinct` for another design: projection, sort, skip and limit with them.

use crate::engine::{Aggregate, Command, Count, Distinct, Find};
use crate::value::{Bson, Document, doc, whole};

use super::ask::{Ask, Held, KeyAsk, truthy};
use super::bridge::{bridge, owner_path, row_pair};
use super::read::{mentions, read_filter, touches};
use super::{Ground, Rephrased, same_documents};
use crate::design::form::Place;
use crate::design::reason::{NoCounterpart, Note};

pub(super) fn find(ground: &Ground<'_>, find: &Find) -> Result<Rephrased, NoCounterpart> {
    if find.min.is_some() || find.max.is_some() {
        return Err(NoCounterpart::BoundsByHand);
    }
    let sort = find.sort.as_ref().map(|sort| sort_here(ground, sort)).transpose()?;
    let needs_pipeline = matches!(sort, Some(None));
    if !same_documents(ground) && !needs_pipeline && (find.skip.is_some() || find.limit.is_some()) {
        return Err(NoCounterpart::LimitCountsRows);
    }
    let ask = read_filter(ground.from, &find.filter)?;
    let mut writer = ground.writer();
    let filter = writer.filter(&ask)?;
    let mut notes = writer.notes;
    if needs_pipeline {
        return Ok(sorted_pipeline(ground, find, filter, notes));
    }
    let mut other = Find { collection: ground.collection.into(), filter, ..find.clone() };
    other.sort = sort.flatten();
    other.hint = hint(find.hint.as_ref(), &mut notes);
    other.projection = match &find.projection {
        None => None,
        Some(spec) => projection(ground, spec, &ask, &mut notes),
    };
    Ok(Rephrased { command: Command::Find(other), notes })
}

/// The sort pattern for the other design; none where only a pipeline can sort so.
fn sort_here(ground: &Ground<'_>, sort: &Document) -> Result<Option<Document>, NoCounterpart> {
    let mut written = Document::new();
    for (path, order) in sort {
        let (from, to) = (ground.from.form.place(), ground.to.form.place());
        if !touches(ground.from, path) {
            written.insert(path.clone(), order.clone());
        } else if from == Place::Elements && to != Place::Elements {
            return Err(NoCounterpart::SortByAnyElement);
        } else if from == to && from != Place::Root && from != Place::Nested {
            written.insert(path.clone(), order.clone());
        } else {
            let key = ground.from.attribute_of(path);
            let path = key.and_then(|(key, rest)| Some((ground.to.field_path(key)?, rest)));
            let Some((path, rest)) = path else { return Ok(None) };
            written.insert(rest.map_or(path.clone(), |rest| format!("{path}.{rest}")), order.clone());
        }
    }
    Ok(Some(written))
}

/// Match, rebuild the form the sort was written for, sort, cut.
fn sorted_pipeline(ground: &Ground<'_>, find: &Find, filter: Document, mut notes: Vec<Note>) -> Rephrased {
    let mut pipeline = first_stage(filter);
    pipeline.extend(bridge(ground.from, ground.to, &[doc! {"$match": find.filter.clone()}]));
    pipeline.extend(find.sort.clone().map(|sort| doc! {"$sort": sort}));
    pipeline.extend(find.skip.filter(|&skip| skip > 0).map(|skip| doc! {"$skip": whole(skip)}));
    pipeline.extend(find.limit.filter(|&limit| limit != 0).map(|limit| doc! {"$limit": whole(limit.saturating_abs())}));
    pipeline.extend(find.projection.clone().filter(|spec| !spec.is_empty()).map(|spec| doc! {"$project": spec}));
    notes.push(Note::SortInPipeline);
    let aggregate = Aggregate {
        collection: Some(ground.collection.into()),
        pipeline,
        collation: find.collation.clone(),
        variables: find.variables.clone(),
        ..Aggregate::default()
    };
    Rephrased { command: Command::Aggregate(aggregate), notes }
}

/// The filter as a first stage; none where it asks nothing.
fn first_stage(filter: Document) -> Vec<Document> {
    if filter.is_empty() { Vec::new() } else { vec![doc! {"$match": filter}] }
}

/// `$natural` is the same everywhere; the name of an index is not.
fn hint(hint: Option<&Bson>, notes: &mut Vec<Note>) -> Option<Bson> {
    let hint = hint?;
    if hint.as_document().is_some_and(|keys| keys.contains_key("$natural")) {
        return Some(hint.clone());
    }
    notes.push(Note::HintDropped);
    None
}

/// Which attributes a projection shows.
#[derive(Default)]
struct Shown {
    common: Document,
    keys: Vec<String>,
    all: bool,
    none: bool,
}

/// The projection for the other design; none, with a note, where it has no counterpart.
fn projection(ground: &Ground<'_>, spec: &Document, ask: &Ask, notes: &mut Vec<Note>) -> Option<Document> {
    let written = shown(ground, spec, ask).and_then(|shown| show(ground, shown));
    if written.is_none() {
        notes.push(Note::ProjectionDropped);
    }
    written
}

fn shown(ground: &Ground<'_>, spec: &Document, ask: &Ask) -> Option<Shown> {
    let layout = &ground.from.layout;
    let mut shown = Shown::default();
    for (path, flag) in spec {
        let flag_only = !matches!(flag, Bson::Document(_) | Bson::Array(_) | Bson::String(_));
        let is_array = path.split('.').next() == Some(layout.array.as_str());
        match (ground.from.form.place(), flag) {
            _ if !touches(ground.from, path) => {
                if mentions(ground.from, flag) {
                    return None;
                }
                shown.common.insert(path.clone(), flag.clone());
            }
            (Place::Root | Place::Nested, _) if flag_only && truthy(flag) && *path != layout.array => {
                shown.keys.push(ground.from.attribute_of(path)?.0.to_owned());
            }
            (Place::Elements, Bson::Document(test)) if is_array => {
                let inner = test.get_document("$elemMatch").ok()?;
                match KeyAsk::read(inner.get(&layout.key).filter(|_| inner.len() == 1)?) {
                    KeyAsk::Named(key) => shown.keys.push(key),
                    _ => return None,
                }
            }
            (Place::Elements, _) if path.ends_with(".$") => shown.keys.extend(named(ask)?),
            _ if flag_only && truthy(flag) => shown.all = true,
            (Place::Nested | Place::Elements, _) if flag_only && *path == layout.array => shown.none = true,
            _ => return None,
        }
    }
    Some(shown)
}

fn named(ask: &Ask) -> Option<Vec<String>> {
    let keys = ask.held().into_iter().map(|held| match &held.key {
        KeyAsk::Named(key) => Some(key.clone()),
        _ => None,
    });
    keys.collect()
}

fn show(ground: &Ground<'_>, shown: Shown) -> Option<Document> {
    let to = ground.to;
    let array = to.layout.array.clone();
    let mut written = shown.common;
    match to.form.place() {
        _ if !shown.all && !shown.none && shown.keys.is_empty() => {}
        Place::Root if shown.all || shown.none => return None,
        Place::Nested | Place::Elements if shown.all || shown.none => {
            written.insert(array, i32::from(shown.all));
        }
        Place::Root | Place::Nested => {
            written.extend(shown.keys.iter().filter_map(|key| Some((to.field_path(key)?, Bson::Int32(1)))));
        }
        Place::Elements => {
            written.insert(array, elements_shown(ground, &shown.keys));
        }
        Place::Rows if shown.none => return None,
        Place::Rows => {
            written.extend([&to.layout.key, &to.layout.value].map(|part| (part.clone(), Bson::Int32(1))));
        }
    }
    Some(written)
}

/// One element by `$elemMatch`; several by `$filter`, since `$elemMatch` shows the first only.
fn elements_shown(ground: &Ground<'_>, keys: &[String]) -> Document {
    let layout = &ground.to.layout;
    if let [key] = keys {
        return doc! {"$elemMatch": Document::from_iter([(layout.key.clone(), Bson::from(key.clone()))])};
    }
    let condition = doc! {"$in": [format!("$$pair.{}", layout.key), keys.to_vec()]};
    doc! {"$filter": {"input": format!("${}", layout.array), "as": "pair", "cond": condition}}
}

/// Rows are counted by their owners, since an entity is counted once.
pub(super) fn count(ground: &Ground<'_>, count: &Count) -> Result<Rephrased, NoCounterpart> {
    if !same_documents(ground) && (count.skip.is_some() || count.limit.is_some()) {
        return Err(NoCounterpart::LimitCountsRows);
    }
    let ask = read_filter(ground.from, &count.filter)?;
    let mut writer = ground.writer();
    let filter = writer.filter(&ask)?;
    let mut notes = writer.notes;
    let hint = hint(count.hint.as_ref(), &mut notes);
    let command = if same_documents(ground) {
        Command::Count(Count { collection: ground.collection.into(), filter, hint, ..count.clone() })
    } else {
        let mut pipeline = first_stage(filter);
        if ground.from.form.place() == Place::Rows {
            pipeline.extend(bridge(ground.from, ground.to, &[doc! {"$match": count.filter.clone()}]));
        } else {
            pipeline.push(doc! {"$group": {"_id": owner_path(ground.to)}});
        }
        pipeline.push(doc! {"$count": "n"});
        Command::Aggregate(Aggregate {
            collection: Some(ground.collection.into()),
            pipeline,
            collation: count.collation.clone(),
            ..Aggregate::default()
        })
    };
    Ok(Rephrased { command, notes })
}

pub(super) fn distinct(ground: &Ground<'_>, distinct: &Distinct) -> Result<Rephrased, NoCounterpart> {
    let mut ask = read_filter(ground.from, &distinct.filter)?;
    let attribute = touches(ground.from, &distinct.key);
    let field = ground.from.attribute_of(&distinct.key).filter(|_| attribute);
    let path = match field {
        None if !attribute || ground.from.form.place() == ground.to.form.place() => Some(distinct.key.clone()),
        Some((key, rest)) => ground.to.field_path(key).map(|path| with_rest(&path, rest)),
        None => None,
    };
    let in_rows = field.filter(|_| path.is_none() && ground.to.form.place() == Place::Rows);
    if let Some((key, _)) = in_rows {
        ask = Ask::all(vec![ask, Ask::Has(Held::of(KeyAsk::Named(key.into())))]);
    }
    let mut writer = ground.writer();
    let filter = writer.filter(&ask)?;
    let mut notes = writer.notes;
    let hint = hint(distinct.hint.as_ref(), &mut notes);
    let row_value = in_rows.map(|(_, rest)| with_rest(&ground.to.layout.value, rest));
    let Some(key) = path.or(row_value) else {
        notes.push(Note::DistinctInPipeline);
        return Ok(Rephrased { command: distinct_pipeline(ground, distinct, filter), notes });
    };
    let other = Distinct { collection: ground.collection.into(), key, filter, hint, ..distinct.clone() };
    Ok(Rephrased { command: Command::Distinct(other), notes })
}

fn with_rest(path: &str, rest: Option<&str>) -> String {
    rest.map_or(path.to_owned(), |rest| format!("{path}.{rest}"))
}

/// Match, rebuild the form, open the arrays, group.
fn distinct_pipeline(ground: &Ground<'_>, distinct: &Distinct, filter: Document) -> Command {
    let mut pipeline = first_stage(filter);
    pipeline.extend(bridge(ground.from, ground.to, &[doc! {"$match": distinct.filter.clone()}]));
    if ground.from.form.place() == Place::Elements {
        open_elements(ground, &mut pipeline);
    }
    let path = format!("${}", distinct.key);
    pipeline.extend([doc! {"$unwind": &path}, doc! {"$group": {"_id": &path}}, doc! {"$sort": {"_id": 1}}]);
    Command::Aggregate(Aggregate {
        collection: Some(ground.collection.into()),
        pipeline,
        collation: distinct.collation.clone(),
        ..Aggregate::default()
    })
}

/// Unwinds the pairs; a row becomes its own pair without being gathered first.
pub(super) fn open_elements(ground: &Ground<'_>, pipeline: &mut Vec<Document>) {
    let array = ground.from.layout.array.as_str();
    if ground.to.form.place() == Place::Rows {
        pipeline.pop();
        pipeline.push(super::bridge::set(array, row_pair(ground.to)));
    } else {
        pipeline.push(doc! {"$unwind": format!("${array}")});
    }
}
