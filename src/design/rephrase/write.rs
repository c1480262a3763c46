//! From what is asked of the facts to a filter for one design.

use crate::query::{Collation, Filter, Matcher};
use crate::value::{Bson, DocView, Document, doc};

use super::ask::{Ask, Held, KeyAsk, operators, passes_missing};
use super::expr::names_filter;
use crate::design::form::{Design, Form, Place};
use crate::design::reason::{NoCounterpart, Note};

/// More keys than a collection can have indexes of its own are not listed in one filter.
const MOST_LISTED: usize = 63;

/// Writes filters for one design.
pub(super) struct Writer<'a> {
    /// The design.
    pub design: &'a Design,
    /// All keys in the data.
    pub keys: &'a super::Keys<'a>,
    /// What the result does not share with the original.
    pub notes: Vec<Note>,
}

impl Writer<'_> {
    /// Writes the filter.
    pub(super) fn filter(&mut self, ask: &Ask) -> Result<Document, NoCounterpart> {
        match ask {
            Ask::All(parts) => self.all(parts),
            Ask::Any(parts) => Ok(doc! {"$or": self.each(parts)?}),
            Ask::Nor(parts) => {
                if self.design.form.place() == Place::Rows && ask.about_attributes() {
                    return Err(NoCounterpart::AbsenceInRows);
                }
                Ok(doc! {"$nor": self.each(parts)?})
            }
            Ask::Common(name, operand) => Ok(Document::from_iter([(self.common(name), operand.clone())])),
            Ask::Has(held) => self.has(held),
            Ask::Lacks(held) => self.lacks(held),
        }
    }

    fn each(&mut self, parts: &[Ask]) -> Result<Vec<Document>, NoCounterpart> {
        parts.iter().map(|part| self.filter(part)).collect()
    }

    fn common(&self, name: &str) -> String {
        match (self.design.form.place(), name) {
            (Place::Rows, "_id") => "_id.entity".into(),
            _ => name.into(),
        }
    }

    fn all(&mut self, parts: &[Ask]) -> Result<Document, NoCounterpart> {
        self.refuse_cross_element(parts)?;
        let has =
            |part: &Ask| matches!(part, Ask::Has(held) if !held.dotted && (!held.key_only() || !held.key.is_single()));
        if self.design.form.place() == Place::Elements && parts.iter().filter(|part| has(part)).count() > 1 {
            return self.all_elements(parts, has);
        }
        let written = self.each(parts)?;
        Ok(join(written))
    }

    /// Several attributes of one document: `$all` of one `$elemMatch` each.
    fn all_elements(&mut self, parts: &[Ask], has: impl Fn(&Ask) -> bool) -> Result<Document, NoCounterpart> {
        let mut matches = Vec::new();
        let mut rest = Vec::new();
        for part in parts {
            match part {
                Ask::Has(held) if has(part) => matches.push(doc! {"$elemMatch": self.element(held)}),
                other => rest.push(self.filter(other)?),
            }
        }
        let all = Document::from_iter([(self.design.layout.array.clone(), Bson::Document(doc! {"$all": matches}))]);
        rest.insert(0, all);
        Ok(join(rest))
    }

    /// Two attributes asked of one document where key and value stand apart, and what rows cannot say.
    fn refuse_cross_element(&self, parts: &[Ask]) -> Result<(), NoCounterpart> {
        let place = self.design.form.place();
        let dotted = |want_key: bool| {
            parts.iter().any(|part| matches!(part, Ask::Has(held) if held.dotted && held.key_only() == want_key))
        };
        if place != Place::Elements && dotted(true) && dotted(false) {
            return Err(NoCounterpart::CrossElement);
        }
        if place == Place::Rows && parts.iter().filter(|part| part.about_attributes()).count() > 1 {
            let absent = parts.iter().any(|part| matches!(part, Ask::Lacks(_)));
            return Err(if absent { NoCounterpart::AbsenceInRows } else { NoCounterpart::TwoRows });
        }
        Ok(())
    }

    fn has(&mut self, held: &Held) -> Result<Document, NoCounterpart> {
        match self.design.form.place() {
            Place::Elements if held.dotted => Ok(self.parts(held, true)),
            Place::Elements if held.key_only() && held.key.is_single() => {
                let test = held.key.test().unwrap_or(Bson::Document(doc! {"$exists": true}));
                Ok(Document::from_iter([(self.design.part_path(&self.design.layout.key), test)]))
            }
            Place::Elements => Ok(self.on_array(doc! {"$elemMatch": self.element(held)})),
            Place::Rows => {
                self.note(Note::RowsNotEntities);
                Ok(self.parts(held, true))
            }
            Place::Root | Place::Nested => self.fields(held),
        }
    }

    fn lacks(&mut self, held: &Held) -> Result<Document, NoCounterpart> {
        let layout = &self.design.layout;
        match self.design.form.place() {
            Place::Rows => Err(NoCounterpart::AbsenceInRows),
            Place::Elements if held.dotted || held.key_only() && held.key != KeyAsk::Any && held.key.is_single() => {
                let positive = if held.key_only() {
                    let test = held.key.test().unwrap_or(Bson::Null);
                    Document::from_iter([(self.design.part_path(&layout.key), test)])
                } else {
                    self.parts(held, true)
                };
                Ok(positive.into_iter().map(|(path, test)| (path, opposite(&test))).collect())
            }
            Place::Elements => Ok(self.on_array(doc! {"$not": {"$elemMatch": self.element(held)}})),
            Place::Root | Place::Nested => self.no_field(held),
        }
    }

    fn on_array(&self, test: Document) -> Document {
        Document::from_iter([(self.design.layout.array.clone(), Bson::Document(test))])
    }

    /// `{k: …, v: …, u: …}` inside an `$elemMatch`.
    fn element(&self, held: &Held) -> Document {
        self.parts(held, false)
    }

    /// The tests on key, value and unit, with the parts' full paths or their names inside an element.
    fn parts(&self, held: &Held, full: bool) -> Document {
        let layout = &self.design.layout;
        let path = |part: &str| if full { self.design.part_path(part) } else { part.to_owned() };
        let mut written = Vec::new();
        written.extend(held.key.test().map(|test| Document::from_iter([(path(&layout.key), test)])));
        for (rest, test) in &held.value {
            let part = rest.as_ref().map_or_else(|| layout.value.clone(), |rest| format!("{}.{rest}", layout.value));
            written.push(Document::from_iter([(path(&part), test.clone())]));
        }
        if let (Some(test), Some(unit)) = (&held.unit, &layout.unit) {
            written.push(Document::from_iter([(path(unit), test.clone())]));
        }
        if written.is_empty() {
            written.push(Document::from_iter([(path(&layout.key), Bson::Document(doc! {"$exists": true}))]));
        }
        join(written)
    }

    /// An attribute that is a field, or one of several fields.
    fn fields(&mut self, held: &Held) -> Result<Document, NoCounterpart> {
        if held.unit.is_some() {
            return Err(NoCounterpart::Unit);
        }
        match &held.key {
            KeyAsk::Named(key) => self.field(key, held),
            KeyAsk::OneOf(keys) => self.any_field(keys, held),
            KeyAsk::Tested(_) | KeyAsk::Any if self.design.form == Form::Map => {
                self.note(Note::NamesRead);
                names_filter(self.design, held)
            }
            KeyAsk::Tested(_) | KeyAsk::Any => {
                let keys = self.known_keys(&held.key)?;
                if keys.len() > MOST_LISTED {
                    return Err(NoCounterpart::AnyKey { keys: keys.len() });
                }
                self.note(Note::Enumerated(keys.len()));
                self.any_field(&keys, held)
            }
        }
    }

    fn any_field(&mut self, keys: &[String], held: &Held) -> Result<Document, NoCounterpart> {
        let mut branches = keys.iter().map(|key| self.field(key, held)).collect::<Result<Vec<_>, _>>()?;
        Ok(match branches.len() {
            0 => doc! {"_id": {"$in": []}},
            1 => branches.remove(0),
            _ => doc! {"$or": branches},
        })
    }

    fn field(&self, key: &str, held: &Held) -> Result<Document, NoCounterpart> {
        let path = self.reach(key)?;
        let mut written = Vec::new();
        if held.key_only() || held.value.iter().any(|(_, test)| passes_missing(test)) {
            written.push(Document::from_iter([(path.clone(), Bson::Document(doc! {"$exists": true}))]));
        }
        for (rest, test) in &held.value {
            let inner = rest.as_ref().map_or_else(|| path.clone(), |rest| format!("{path}.{rest}"));
            let null = Bson::Document(doc! {"$eq": null});
            let test = if *test == Bson::Null { null } else { test.clone() };
            written.push(Document::from_iter([(inner, test)]));
        }
        Ok(join(written))
    }

    fn no_field(&mut self, held: &Held) -> Result<Document, NoCounterpart> {
        if let (KeyAsk::Named(key), None) = (&held.key, &held.unit) {
            let path = self.reach(key)?;
            match held.value.as_slice() {
                [] => return Ok(Document::from_iter([(path, Bson::Document(doc! {"$exists": false}))])),
                [(None, test)] if !passes_missing(test) => {
                    return Ok(Document::from_iter([(path, opposite(test))]));
                }
                _ => {}
            }
        }
        let positive = self.fields(held)?;
        Ok(doc! {"$nor": [positive]})
    }

    /// The dotted path of a key, if a path can reach it.
    pub(super) fn reach(&self, key: &str) -> Result<String, NoCounterpart> {
        let reachable = !key.is_empty() && !key.contains(['.', '\0']) && !key.starts_with('$');
        let path = self.design.field_path(key).filter(|path| reachable && !self.taken(path));
        path.ok_or_else(|| NoCounterpart::UnreachableKey(key.into()))
    }

    /// Whether a flat field of that name is a common one.
    fn taken(&self, path: &str) -> bool {
        self.design.form.place() == Place::Root && self.design.is_common(path)
    }

    fn known_keys(&self, key: &KeyAsk) -> Result<Vec<String>, NoCounterpart> {
        let Some(test) = key.test() else { return Ok(self.keys.to_vec()) };
        let filter = Filter::parse(&doc! {"key": test}).map_err(|_| NoCounterpart::KeyRange)?;
        let matcher = Matcher::new(&filter, Collation::simple()).map_err(|_| NoCounterpart::KeyRange)?;
        let passes = |key: &&String| matcher.matches(DocView::Owned(&doc! {"key": key.as_str()}));
        Ok(self.keys.iter().filter(passes).cloned().collect())
    }

    fn note(&mut self, note: Note) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// The test that holds exactly where this one does not.
fn opposite(test: &Bson) -> Bson {
    let Some(tests) = operators(test) else {
        return match test {
            Bson::RegularExpression(_) => Bson::Document(doc! {"$not": test.clone()}),
            _ => Bson::Document(doc! {"$ne": test.clone()}),
        };
    };
    let single = if tests.len() == 1 { tests.iter().next() } else { None };
    Bson::Document(match single {
        Some((op, operand)) if op == "$eq" => doc! {"$ne": operand.clone()},
        Some((op, operand)) if op == "$in" => doc! {"$nin": operand.clone()},
        Some((op, operand)) if op == "$exists" => doc! {"$exists": !super::ask::truthy(operand)},
        _ => doc! {"$not": tests.clone()},
    })
}

/// Joins filters into one; entries of one name go together where their operators differ, else into `$and`.
pub(super) fn join(filters: Vec<Document>) -> Document {
    let mut joined = Document::new();
    let mut apart = Vec::new();
    for filter in filters {
        for (name, operand) in filter {
            match joined.get_mut(&name) {
                None => {
                    joined.insert(name, operand);
                }
                Some(known) if *known == operand => {}
                Some(known) => match together(known, &operand) {
                    Some(both) => *known = Bson::Document(both),
                    None => apart.push(Bson::Document(Document::from_iter([(name, operand)]))),
                },
            }
        }
    }
    if !apart.is_empty() {
        match joined.get_mut("$and") {
            Some(Bson::Array(list)) => list.append(&mut apart),
            _ => {
                joined.insert("$and", Bson::Array(apart));
            }
        }
    }
    joined
}

fn together(known: &Bson, more: &Bson) -> Option<Document> {
    let (known, more) = (operators(known)?, operators(more)?);
    let shared = |op: &String| known.contains_key(op) || op == "$options" || op == "$regex";
    if more.keys().any(shared) {
        return None;
    }
    let mut both = known.clone();
    both.extend(more.clone());
    Some(both)
}
