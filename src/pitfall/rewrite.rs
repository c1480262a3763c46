//! The bound rewrite: what a filter over an attribute array seems to ask, with its conditions tied to one element.

use std::collections::BTreeSet;

use crate::pitfall::elements::{all_elements, conjuncts, key_field};
use crate::pitfall::{Case, Question};
use crate::query::{Comparison, Filter, InList, Predicate, Test};
use crate::value::{Bson, Path, array_index, identical_documents};

/// A filter with sibling predicates below the array moved into one `$elemMatch`, on every AND level that has two or more
/// of them; none where no level has. A negative predicate goes along with a positive one on the key, but never one on the
/// key itself: "no element has this key" would become "some element has another".
#[must_use]
pub fn bound(case: &Case<'_>, question: &Question<'_>, filter: &Filter, array: &Path) -> Option<Filter> {
    Rewriter::new(case, question, array, 1).rewritten(filter)
}

/// The bound rewrite of those levels alone that ask about several fields of the elements: what is asked of one field stays.
#[must_use]
pub fn bound_across(case: &Case<'_>, question: &Question<'_>, array: &Path) -> Option<Filter> {
    Rewriter::new(case, question, array, 2).rewritten(&question.tree)
}

/// Whether parts that hold together ask about several fields of elements which the rewrite ties to one; `inside` is the
/// array's path from their level on.
#[must_use]
pub fn ties_across(case: &Case<'_>, question: &Question<'_>, array: &Path, parts: &[&Filter], inside: &Path) -> bool {
    !Rewriter::new(case, question, array, 2).tied(parts.iter().copied(), inside).is_empty()
}

/// Whether two filters are one; NaN, which is equal to nothing, is what it is.
#[must_use]
pub fn same(one: &Filter, other: &Filter) -> bool {
    one == other || identical_documents(&one.to_document(), &other.to_document())
}

/// The path of a predicate from the array's element, where it lies below the array and names a field first.
#[must_use]
pub fn below<'f>(filter: &'f Filter, array: &Path) -> Option<(Path, &'f Filter)> {
    let inner = if let Filter::Not(inner) = filter { inner } else { filter };
    let Filter::Field(predicate) = inner else { return None };
    let tail = predicate.path.parts().strip_prefix(array.parts())?;
    let named = array_index(tail.first()?).is_none();
    named.then(|| (Path::from_parts(tail.to_vec()), filter))
}

/// One rewriting.
struct Rewriter<'a, 'c> {
    case: &'a Case<'c>,
    question: &'a Question<'a>,
    array: &'a Path,
    /// The field that tells elements apart.
    key: Option<Path>,
    /// So many fields have to be asked about for a level to be rewritten.
    fields: usize,
}

/// A predicate with its path from the element.
type Sibling<'f> = (Path, &'f Filter);

/// Predicates that one part of a level asks of one element.
struct Group<'f> {
    siblings: Vec<Sibling<'f>>,
    paths: BTreeSet<String>,
    /// Whether it asks for the key.
    keyed: bool,
    /// Whether it asks for anything that is there.
    positive: bool,
    /// Whether it is an `$elemMatch`.
    bound: bool,
}

/// The parts of an `$elemMatch` on the array.
fn inside<'f>(part: &'f Filter, array: &Path) -> Option<Vec<&'f Filter>> {
    let Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) = part else { return None };
    (path == array).then(|| conjuncts(inner).iter().collect())
}

impl<'a, 'c> Rewriter<'a, 'c> {
    fn new(case: &'a Case<'c>, question: &'a Question<'a>, array: &'a Path, fields: usize) -> Self {
        let name = array.to_string();
        let facts = case.attributes(question.collection).iter().find(|facts| facts.path == name);
        let key = facts.map(|facts| facts.key.clone()).or_else(|| key_field(case, question.collection, &name));
        Self { case, question, array, key: key.map(|key| Path::new(&key)), fields }
    }

    fn rewritten(&self, filter: &Filter) -> Option<Filter> {
        let rewritten = self.level(filter, self.array);
        (!same(&rewritten, filter)).then(|| rewritten.normalised())
    }

    /// `array` is the path of the array from the level on.
    fn level(&self, filter: &Filter, array: &Path) -> Filter {
        let all = |parts: &[Filter]| parts.iter().map(|part| self.level(part, array)).collect();
        match filter {
            Filter::And(parts) => self.siblings(parts, array),
            Filter::Or(parts) => Filter::Or(all(parts)),
            Filter::Nor(parts) => Filter::Nor(all(parts)),
            Filter::Not(inner) => Filter::Not(Box::new(self.level(inner, array))),
            Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) => {
                let inside = array.parts().strip_prefix(path.parts()).filter(|inside| !inside.is_empty());
                let bound = |inside: &[Box<str>]| self.level(inner, &Path::from_parts(inside.to_vec()));
                let test = Test::ElemMatchObject(Box::new(inside.map_or_else(|| (**inner).clone(), bound)));
                Filter::Field(Predicate { path: path.clone(), test })
            }
            other => other.clone(),
        }
    }

    fn siblings(&self, parts: &[Filter], array: &Path) -> Filter {
        let elements = self.tied(parts.iter(), array);
        if elements.is_empty() {
            return Filter::And(parts.iter().map(|part| self.level(part, array)).collect());
        }
        // What no element can have stays as it is.
        let moved: Vec<&Filter> = elements.iter().flat_map(|element| element.from.iter().copied()).collect();
        let is_moved = |part: &Filter| moved.iter().any(|own| std::ptr::eq(*own, part));
        let whole = |part: &Filter| inside(part, array).is_some_and(|inner| inner.iter().all(|own| is_moved(own)));
        let rest = parts.iter().filter(|part| !is_moved(part) && !whole(part));
        let rest: Vec<Filter> = rest.map(|part| self.level(part, array)).collect();
        let bound = elements.into_iter().map(|element| {
            let test = Test::ElemMatchObject(Box::new(Filter::And(element.asked)));
            Filter::Field(Predicate { path: array.clone(), test })
        });
        Filter::And(bound.chain(rest).collect())
    }

    /// The elements that parts of one level are tied to; none where they ask too little, or of what no element has.
    fn tied<'f>(&self, parts: impl Iterator<Item = &'f Filter>, array: &Path) -> Vec<Element<'f>> {
        let own = self.siblings_in(parts, array);
        let keyed = own.iter().any(|sibling| is_positive(sibling) && self.is_key(sibling));
        let goes = |sibling: &Sibling<'_>| is_positive(sibling) || (keyed && !self.is_key(sibling));
        let tied: Vec<Sibling<'f>> = own.into_iter().filter(goes).collect();
        let Some((first, more)) = tied.split_first() else { return Vec::new() };
        let fields: BTreeSet<String> = tied.iter().map(|(path, _)| path.to_string()).collect();
        let says_more = more.iter().any(|sibling| sibling != first);
        if says_more && fields.len() >= self.fields { self.elements(&tied) } else { Vec::new() }
    }

    /// The predicates on the elements among parts of one level: the dotted ones, and those of an `$elemMatch` that asks for
    /// the key of what is asked elsewhere, or for other fields of an element whose key is asked elsewhere.
    fn siblings_in<'f>(&self, parts: impl Iterator<Item = &'f Filter>, array: &Path) -> Vec<Sibling<'f>> {
        let groups: Vec<Group<'f>> = parts.filter_map(|part| self.group(part, array)).collect();
        let belongs = |own: &Group<'f>| {
            let completes = |other: &Group<'f>| {
                other.keyed != own.keyed && other.positive && own.positive && own.paths.is_disjoint(&other.paths)
            };
            !own.bound || groups.iter().any(completes)
        };
        groups.iter().filter(|own| belongs(own)).flat_map(|own| own.siblings.iter().cloned()).collect()
    }

    fn group<'f>(&self, part: &'f Filter, array: &Path) -> Option<Group<'f>> {
        let (siblings, bound) = match inside(part, array) {
            Some(inner) => {
                (inner.into_iter().map(|own| below(own, &Path::default())).collect::<Option<Vec<_>>>()?, true)
            }
            None => (vec![below(part, array)?], false),
        };
        let keyed = siblings.iter().any(|own| is_positive(own) && self.is_key(own));
        let paths = siblings.iter().map(|(path, _)| path.to_string()).collect();
        let positive = siblings.iter().any(is_positive);
        Some(Group { siblings, paths, keyed, positive, bound })
    }

    fn is_key(&self, (path, _): &Sibling<'_>) -> bool {
        self.key.as_ref() == Some(path)
    }

    /// What is asked of each element: of one, all siblings together. Where one path is to equal several values, as many
    /// elements are meant: each of the values in one of them, beside one of the values that are asked of the other paths,
    /// so far as such elements are stored.
    fn elements<'f>(&self, siblings: &[Sibling<'f>]) -> Vec<Element<'f>> {
        let several: Vec<&Sibling<'f>> = siblings
            .iter()
            .filter(|(path, part)| {
                equal(part).is_some_and(|own| values(siblings, path).iter().any(|more| *more != own))
            })
            .collect();
        if several.is_empty() {
            let asked = siblings.iter().map(|(path, part)| moved(part, path.clone()));
            return vec![Element { asked: each_once(asked), from: siblings.iter().map(|(_, part)| *part).collect() }];
        }
        let others = |path: &Path| siblings.iter().any(|(other, _)| other != path);
        let meant = several.iter().filter(|(path, _)| others(path));
        let elements = meant.map(|(path, part)| {
            // A single value beside the several goes where it is; one of several goes by itself.
            let alone = siblings.iter().filter(|(other, _)| other != path && values(siblings, other).len() < 2);
            let from = std::iter::once(*part).chain(alone.map(|(_, part)| *part)).collect();
            Element { asked: beside(siblings, path, part), from }
        });
        let stored: Vec<Element<'f>> = elements.filter(|element| self.is_stored(&element.asked)).collect();
        let moved = |part: &Filter| stored.iter().flat_map(|element| &element.from).any(|own| std::ptr::eq(*own, part));
        let mut left = siblings.iter().filter(|(_, part)| !moved(part)).map(|(path, _)| path);
        // What is left over is told apart by one path at most; else nothing can be said of elements.
        let first = left.next();
        if left.any(|path| Some(path) != first) { Vec::new() } else { stored }
    }

    /// Whether some element of the documents meets all of this.
    fn is_stored(&self, asked: &[Filter]) -> bool {
        let Some(matcher) = self.question.matcher(&Filter::And(asked.to_vec())) else { return false };
        let documents = self.case.seen(self.question);
        let mut elements = documents.iter().flat_map(|document| all_elements(document, self.array));
        elements.any(|element| matcher.matches_element(element))
    }
}

/// What is asked of one element, and the parts of the level that say so.
struct Element<'f> {
    asked: Vec<Filter>,
    from: Vec<&'f Filter>,
}

fn is_positive((_, part): &Sibling<'_>) -> bool {
    matches!(part, Filter::Field(_))
}

/// One part, and what is asked of other paths in the same element.
fn beside(siblings: &[Sibling<'_>], path: &Path, part: &Filter) -> Vec<Filter> {
    let others = siblings.iter().filter(|(other, _)| other != path).map(|(other, part)| {
        let list = InList { values: values(siblings, other).into_iter().cloned().collect(), regexes: Vec::new() };
        let any = || Filter::Field(Predicate { path: other.clone(), test: Test::In(list.clone()) });
        if equal(part).is_some() && list.values.len() > 1 { any() } else { moved(part, other.clone()) }
    });
    each_once(std::iter::once(moved(part, path.clone())).chain(others))
}

/// The parts without those that say the same again.
fn each_once(parts: impl Iterator<Item = Filter>) -> Vec<Filter> {
    let mut all = Vec::new();
    for part in parts {
        if !all.contains(&part) {
            all.push(part);
        }
    }
    all
}

/// The values that a path is to equal, each once.
fn values<'f>(siblings: &[Sibling<'f>], path: &Path) -> Vec<&'f Bson> {
    let mut found: Vec<&'f Bson> = Vec::new();
    for value in siblings.iter().filter(|(own, _)| own == path).filter_map(|(_, part)| equal(part)) {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

fn equal(part: &Filter) -> Option<&Bson> {
    match part {
        Filter::Field(Predicate { test: Test::Compare(Comparison::Eq, value), .. }) => Some(value),
        _ => None,
    }
}

fn moved(filter: &Filter, path: Path) -> Filter {
    match filter {
        Filter::Not(inner) => Filter::Not(Box::new(moved(inner, path))),
        Filter::Field(predicate) => Filter::Field(Predicate { path, test: predicate.test.clone() }),
        other => other.clone(),
    }
}
