//! What a filter can only ask of field names through `$expr` and `$objectToArray`.

use crate::value::{Bson, Document, View, canonical_type, doc};

use super::ask::{Held, operators, single_tests};
use crate::design::form::Design;
use crate::design::reason::NoCounterpart;

/// A name, as `$objectToArray` gives it.
const KEY: &str = "$$pair.k";

/// A filter that turns the names of the sub-document into values and tests them; it reads every document.
pub(super) fn names_filter(design: &Design, held: &Held) -> Result<Document, NoCounterpart> {
    let mut conditions = Vec::new();
    if let Some(test) = held.key.test() {
        conditions.append(&mut comparisons(KEY, &test)?);
    }
    for (rest, test) in &held.value {
        let path = rest.as_ref().map_or_else(|| "$$pair.v".into(), |rest| format!("$$pair.v.{rest}"));
        conditions.append(&mut comparisons(&path, test)?);
    }
    let condition = match <[Bson; 1]>::try_from(conditions) {
        Ok([only]) => only,
        Err(several) => Bson::Document(doc! {"$and": several}),
    };
    let pairs = doc! {"$objectToArray": format!("${}", design.layout.array)};
    let matching = doc! {"$filter": {"input": pairs, "as": "pair", "cond": condition}};
    Ok(doc! {"$expr": {"$gt": [{"$size": {"$ifNull": [matching, []]}}, 0]}})
}

/// A test as expressions; a comparison in a filter never leaves its type, so a guard on the type goes with it.
fn comparisons(path: &str, test: &Bson) -> Result<Vec<Bson>, NoCounterpart> {
    let options = operators(test).and_then(|tests| tests.get("$options")).cloned();
    let mut written = Vec::new();
    for (op, operand) in single_tests(test) {
        match op.as_str() {
            "$gt" | "$gte" | "$lt" | "$lte" => {
                // A name is text; only a value needs the guard.
                let guard = if path == KEY { None } else { Some(of_type(path, &operand)?) };
                written.extend(guard.filter(|guard| !written.contains(guard)));
                written.push(call(&op, path, literal(&operand)));
            }
            "$eq" | "$ne" if !matches!(operand, Bson::RegularExpression(_)) => {
                written.push(call(&op, path, literal(&operand)));
            }
            "$in" => written.push(call("$in", path, literal(&operand))),
            "$nin" => written.push(Bson::Document(doc! {"$not": [call("$in", path, literal(&operand))]})),
            "$regex" | "$eq" => {
                let mut search = doc! {"input": path, "regex": operand};
                search.extend(options.clone().map(|options| ("options".to_owned(), options)));
                written.push(Bson::Document(doc! {"$eq": [{"$type": path}, "string"]}));
                written.push(Bson::Document(doc! {"$regexMatch": search}));
            }
            _ => return Err(NoCounterpart::KeyRange),
        }
    }
    Ok(written)
}

fn call(op: &str, path: &str, operand: Bson) -> Bson {
    Bson::Document(Document::from_iter([(op.to_owned(), Bson::Array(vec![path.into(), operand]))]))
}

/// The operand as an expression that means itself.
pub(super) fn literal(operand: &Bson) -> Bson {
    match operand {
        Bson::String(text) if !text.starts_with('$') => operand.clone(),
        Bson::String(_) | Bson::Array(_) | Bson::Document(_) => Bson::Document(doc! {"$literal": operand.clone()}),
        _ => operand.clone(),
    }
}

fn of_type(path: &str, operand: &Bson) -> Result<Bson, NoCounterpart> {
    const NUMBER: i8 = 10;
    let name = match operand {
        _ if canonical_type(View::from(operand)) == NUMBER => {
            return Ok(Bson::Document(doc! {"$isNumber": path}));
        }
        Bson::String(_) => "string",
        Bson::DateTime(_) => "date",
        Bson::ObjectId(_) => "objectId",
        Bson::Boolean(_) => "bool",
        _ => return Err(NoCounterpart::KeyRange),
    };
    Ok(Bson::Document(doc! {"$eq": [{"$type": path}, name]}))
}
