//! A filter's literal with every name written once: what its repeated names ask for together.

use std::collections::BTreeSet;

use super::joined::{Part, Several, Typed, elements, gathered, listed, object};
use crate::pitfall::edit::key_text;
use crate::pitfall::elements::key_field;
use crate::pitfall::question::Form;
use crate::pitfall::{Case, Question};
use crate::shell::{Entry, NodeId, Script, Syntax};
use crate::store::Profile;
use crate::value::Path;

/// The text of a question's filter with no name typed twice in one object; none where that cannot be said.
pub(super) fn once(case: &Case<'_>, question: &Question<'_>, filter: NodeId) -> Option<String> {
    let reader = Reader { case, question, script: case.script };
    reader.conditions(filter, &Path::default(), question.form == Form::Documents)
}

/// The text of an update with each of its operators once; none where one field is given two operands by one operator.
pub(super) fn operators_once(script: &Script, update: NodeId) -> Option<String> {
    let pair = |entry: &Entry| {
        let value = script.source(entry.value?).to_owned();
        Some((script.text().get(entry.key_span.clone())?.to_owned(), value))
    };
    let Syntax::Object(operators) = &script.node(update).syntax else { return None };
    let part = |operator: &Entry| {
        let Syntax::Object(fields) = &script.node(operator.value?).syntax else { return None };
        let fields = fields.iter().map(pair).collect::<Option<_>>()?;
        Some(Part { name: operator.key.clone()?, key: pair(operator)?.0, typed: vec![Typed::Tests(fields)] })
    };
    let parts = gathered(operators.iter().map(part).collect::<Option<Vec<_>>>()?);
    parts.iter().all(|part| part.typed.len() == 1).then(|| object(parts, |_| Several::In))
}

/// Whether an object literal in a node names something twice.
pub(super) fn repeats(script: &Script, node: NodeId) -> bool {
    let within = &script.node(node).span;
    script.repeated_keys().any(|(object, ..)| {
        let span = &script.node(object).span;
        within.start <= span.start && span.end <= within.end
    })
}

struct Reader<'a, 'd> {
    case: &'a Case<'d>,
    question: &'a Question<'a>,
    script: &'a Script,
}

/// An array whose elements some names of a level speak of.
struct Below {
    /// What the names begin with, dot included.
    prefix: String,
    /// The array's path from the document.
    array: Path,
}

impl Reader<'_, '_> {
    /// An object of conditions on the document, or on what `path` leads to; `free` where several elements may meet them.
    fn conditions(&self, node: NodeId, path: &Path, free: bool) -> Option<String> {
        if !repeats(self.script, node) {
            return Some(self.script.source(node).to_owned());
        }
        let parts = self.apart(self.parts(node, path, free)?, path, free);
        Some(object(parts, |name| self.several(path, name, free)))
    }

    /// The objects of conditions that an `$elemMatch` stands for, one for each element it speaks of.
    fn element(&self, node: NodeId, array: &Path) -> Option<Vec<String>> {
        if !repeats(self.script, node) {
            return Some(vec![self.script.source(node).to_owned()]);
        }
        let parts = self.apart(self.parts(node, array, true)?, array, true);
        Some(self.told(elements(parts, self.key(array).as_deref()), array))
    }

    fn told(&self, elements: Vec<Vec<Part>>, array: &Path) -> Vec<String> {
        let one = |parts| object(parts, |name| self.several(array, name, true));
        elements.into_iter().map(one).collect()
    }

    /// The entries of an object of conditions; none where one has no name or no value.
    fn parts(&self, node: NodeId, path: &Path, free: bool) -> Option<Vec<Part>> {
        let Syntax::Object(entries) = &self.script.node(node).syntax else { return None };
        let mut parts = Vec::new();
        for entry in entries {
            let (name, value) = (entry.key.clone()?, entry.value?);
            let typed = match name.as_str() {
                "$and" | "$or" | "$nor" => vec![Typed::List(self.list(value, path, free)?)],
                _ if name.starts_with('$') => vec![Typed::Other(self.unchanged(value)?)],
                _ => self.typed(value, &path.join(&Path::new(&name)))?,
            };
            let key = self.script.text().get(entry.key_span.clone())?.to_owned();
            parts.extend(typed.into_iter().map(|typed| Part {
                name: name.clone(),
                key: key.clone(),
                typed: vec![typed],
            }));
        }
        Some(parts)
    }

    /// The parts of `$and`, `$or` or `$nor`.
    fn list(&self, node: NodeId, path: &Path, free: bool) -> Option<Vec<String>> {
        let Syntax::Array(parts) = &self.script.node(node).syntax else { return None };
        parts.iter().map(|part| self.conditions(*part, path, free)).collect()
    }

    /// What a field is given: operators that cannot stand together are given apart.
    fn typed(&self, node: NodeId, path: &Path) -> Option<Vec<Typed>> {
        let source = || self.script.source(node).to_owned();
        let (is_tests, is_literal) = match &self.script.node(node).syntax {
            Syntax::Object(entries) => (is_operators(entries), true),
            Syntax::Text(_) | Syntax::Number | Syntax::Array(_) => (false, true),
            Syntax::Call { callee, .. } => {
                (false, self.script.source(*callee).starts_with(|first: char| first.is_ascii_uppercase()))
            }
            Syntax::Other(_) => {
                (false, matches!(&*source(), "true" | "false" | "null") || source().starts_with(['-', '+']))
            }
            _ => (false, false),
        };
        if is_tests {
            return self.tests(node, path);
        }
        let source = self.unchanged(node)?;
        Some(vec![if is_literal { Typed::Literal(source) } else { Typed::Other(source) }])
    }

    fn tests(&self, node: NodeId, path: &Path) -> Option<Vec<Typed>> {
        let Syntax::Object(entries) = &self.script.node(node).syntax else { return None };
        let mut tests = Part { name: String::new(), key: String::new(), typed: Vec::new() };
        for entry in entries {
            let (name, value) = (entry.key.as_deref()?, entry.value?);
            let (name, operand) = match (name, &self.script.node(value).syntax) {
                ("$elemMatch", Syntax::Object(inner)) if !is_tests(inner) => {
                    match <[String; 1]>::try_from(self.element(value, path)?) {
                        Ok([one]) => ("$elemMatch", one),
                        Err(several) => {
                            ("$all", listed(&several.iter().map(|one| elem_match(one)).collect::<Vec<_>>()))
                        }
                    }
                }
                ("$all", Syntax::Array(items)) if repeats(self.script, value) => ("$all", self.all(items, path)?),
                ("$not" | "$elemMatch", Syntax::Object(_)) if repeats(self.script, value) => {
                    let [one] = <[Typed; 1]>::try_from(self.tests(value, path)?).ok()?;
                    (name, one.text())
                }
                _ => (name, self.unchanged(value)?),
            };
            tests.add(Typed::Tests(vec![(name.to_owned(), operand)]));
        }
        Some(tests.typed)
    }

    /// The elements that `$all` asks for.
    fn all(&self, items: &[NodeId], path: &Path) -> Option<String> {
        let mut all = Vec::new();
        for item in items {
            let Syntax::Object(entries) = &self.script.node(*item).syntax else { return None };
            let [Entry { key: Some(name), value: Some(value), .. }] = entries.as_slice() else { return None };
            all.extend(self.element(*value, path).filter(|_| name == "$elemMatch")?.iter().map(|one| elem_match(one)));
        }
        Some(listed(&all))
    }

    fn unchanged(&self, node: NodeId) -> Option<String> {
        (!repeats(self.script, node)).then(|| self.script.source(node).to_owned())
    }

    /// The parts with dotted names that are repeated below one array set apart by its elements.
    fn apart(&self, mut parts: Vec<Part>, level: &Path, free: bool) -> Vec<Part> {
        for Below { prefix, array } in self.arrays_below(level) {
            let is_below = |part: &Part| part.name.starts_with(&prefix);
            let Some(first) = parts.iter().position(is_below) else { continue };
            let (mine, others): (Vec<Part>, Vec<Part>) = parts.iter().cloned().partition(is_below);
            let names: BTreeSet<&str> = mine.iter().map(|part| part.name.as_str()).collect();
            if names.len() == mine.len() {
                continue;
            }
            let single = names.len() == 1;
            let inside = |part: &Part| {
                let name = part.name[prefix.len()..].to_owned();
                Part { key: if free { key_text(&name) } else { part.key.clone() }, name, typed: part.typed.clone() }
            };
            let elements = elements(mine.iter().map(inside).collect(), self.key(&array).as_deref());
            if single || (!free && elements.len() == 1) {
                continue;
            }
            let told = self.told(elements, &array);
            let (name, typed) = if free {
                let tests = match <[String; 1]>::try_from(told) {
                    Ok([one]) => ("$elemMatch".to_owned(), one),
                    Err(several) => {
                        ("$all".to_owned(), listed(&several.iter().map(|one| elem_match(one)).collect::<Vec<_>>()))
                    }
                };
                (prefix.trim_end_matches('.').to_owned(), Typed::Tests(vec![tests]))
            } else {
                ("$or".to_owned(), Typed::List(told))
            };
            parts = others;
            parts.insert(first, Part { key: key_text(&name), name, typed: vec![typed] });
        }
        parts
    }

    /// The arrays of documents that names of a level may lead into.
    fn arrays_below(&self, level: &Path) -> Vec<Below> {
        if let (Form::Identified(array, name), true) = (&self.question.form, level.is_empty()) {
            return vec![Below { prefix: format!("{name}."), array: array.clone() }];
        }
        let arrays = self.case.profile(self.question.collection).into_iter().flat_map(Profile::arrays);
        let below = arrays.filter(|(_, facts)| facts.documents > 0).filter_map(|(name, _)| {
            let array = Path::new(name);
            let rest = array.parts().strip_prefix(level.parts()).filter(|rest| !rest.is_empty())?;
            Some(Below { prefix: format!("{}.", Path::from_parts(rest.to_vec())), array })
        });
        below.collect()
    }

    fn key(&self, array: &Path) -> Option<String> {
        key_field(self.case, self.question.collection, &array.to_string())
    }

    /// What several equalities on a name of a level ask for: all of them where it leads to several values, else one of
    /// them.
    fn several(&self, level: &Path, name: &str, free: bool) -> Several {
        let arrays = self.case.profile(self.question.collection).map(Profile::arrays);
        let path = level.join(&Path::new(name));
        let holds = |length: usize| {
            let above = Path::from_parts(path.parts()[..length].to_vec()).to_string();
            arrays.is_some_and(|arrays| arrays.contains_key(&above))
        };
        let from = if free { level.parts().len() + 1 } else { path.parts().len() };
        if (from..=path.parts().len()).any(holds) { Several::All } else { Several::In }
    }
}

fn elem_match(conditions: &str) -> String {
    format!("{{$elemMatch: {conditions}}}")
}

/// Whether an object holds operators on one value.
fn is_operators(entries: &[Entry]) -> bool {
    let operator = |entry: &Entry| entry.key.as_deref().is_some_and(|name| name.starts_with('$'));
    !entries.is_empty() && entries.iter().all(operator)
}

/// Whether the operators stand for the element itself and not for conditions on its fields.
fn is_tests(entries: &[Entry]) -> bool {
    let joins = |entry: &Entry| matches!(entry.key.as_deref(), Some("$and" | "$or" | "$nor" | "$expr"));
    is_operators(entries) && !entries.iter().any(joins)
}
