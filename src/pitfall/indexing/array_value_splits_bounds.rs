//! Values that are lists: two conditions on the value met by two members.

use crate::pitfall::case::shown;
use crate::pitfall::grain::each_array;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Case, Level, Pitfall, Question, Sighting};
use crate::query::{Comparison, Filter, Predicate, Test, TypeSet};
use crate::store::AttributeFacts;
use crate::value::{Bson, Document, Path, RawDocument};
use crate::words::Words;

/// BSON's type number of arrays.
const ARRAY: i32 = 4;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "array-value-splits-bounds",
    level: Level::WrongResult,
    weight: 8,
    title: Words::new("Arrays as values", "Listen als Werte"),
    explanation: Words::new(
        "`$elemMatch` on the attributes binds the element, not the member of its value: of a list one member may meet the \
         lower end and another the upper one. One such document also keeps the index from using both ends.",
        "`$elemMatch` auf den Attributen bindet das Element, nicht das Glied seines Wertes: Bei einer Liste kann ein Glied \
         das untere Ende erfüllen und ein anderes das obere. Schon ein solches Dokument verhindert, dass der Index beide \
         Enden nutzt.",
    ),
    message: Words::new(
        "`{path}` holds lists, and your {tests conditions} on it may be met by different members: so in {n} of {m} returned \
         documents{example}.",
        "In `{path}` stehen Listen, und deine {tests Bedingungen} daran können von verschiedenen Gliedern erfüllt werden: so \
         in {n} von {m gefundenen Dokumenten}{example}.",
    ),
    cure: Words::new(
        "One element per value, or a second `$elemMatch` on the value.",
        "Ein Element je Wert, oder ein zweites `$elemMatch` auf dem Wert.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "port", v: {$gte: 100, $lt: 500}}}})"#,
    detect: |case| each_array(case, sight),
};

fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let mut tied = Tie { array, tests: 0, scalars: false };
    let meant = tied.tie(&question.tree, true);
    if tied.tests == 0 {
        return None;
    }
    let verdict = Verdict::of(case, question, &meant)?;
    let first = verdict.extra.first().and_then(|document| deciding(case, question, document, array));
    let example = first.as_ref().map(|(document, parts)| example(document, parts)).unwrap_or_default();
    let simple = tied.tie(&question.tree, false).to_document();
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("path", format!("{}.{}", array.path, array.value)),
            ("tests", tied.tests.to_string()),
            ("n", verdict.extra.len().to_string()),
            ("m", verdict.learner.len().to_string()),
            ("example", example),
        ],
        fix: case.with_filter(question, &if tied.scalars { meant.to_document() } else { simple }),
        level: verdict.level(),
        evidence: verdict.evidence(first.map(|(_, deciding)| deciding).unwrap_or_default()),
        ..Sighting::default()
    })
}

/// Ties several conditions on a list value to one member of the list.
struct Tie<'f> {
    array: &'f AttributeFacts,
    /// The most conditions tied in one place.
    tests: usize,
    /// Whether a key asked for also holds single values.
    scalars: bool,
}

impl Tie<'_> {
    /// The filter with the conditions tied; with `single`, values that are no lists are judged as before.
    fn tie(&mut self, filter: &Filter, single: bool) -> Filter {
        match filter {
            Filter::And(parts) => Filter::And(parts.iter().map(|part| self.tie(part, single)).collect()),
            Filter::Or(parts) => Filter::Or(parts.iter().map(|part| self.tie(part, single)).collect()),
            Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) })
                if path.to_string() == self.array.path =>
            {
                let inner = self.tie_element(inner, single).unwrap_or_else(|| (**inner).clone());
                Filter::Field(Predicate { path: path.clone(), test: Test::ElemMatchObject(Box::new(inner)) })
            }
            other => other.clone(),
        }
    }

    fn tie_element(&mut self, inner: &Filter, single: bool) -> Option<Filter> {
        let Filter::And(parts) = inner else { return None };
        let (tests, rest): (Vec<Filter>, Vec<Filter>) = parts.iter().cloned().partition(|part| self.is_on_value(part));
        // Several members are meant where each is to equal another value.
        let equal =
            |part: &Filter| matches!(part, Filter::Field(own) if matches!(own.test, Test::Compare(Comparison::Eq, _)));
        if tests.len() < 2 || tests.iter().all(equal) || !self.holds_lists(&rest) {
            return None;
        }
        self.tests = self.tests.max(tests.len());
        let list = Filter::Field(Predicate {
            path: Path::new(&self.array.value),
            test: Test::ElemMatchValue(tests.iter().map(of_member).collect()),
        });
        let with = |more: Vec<Filter>| Filter::And(rest.iter().cloned().chain(more).collect());
        if !single {
            return Some(with(vec![list]).normalised());
        }
        let scalar = with(tests.into_iter().chain([self.is_no_list()]).collect());
        Some(Filter::Or(vec![with(vec![list]).normalised(), scalar]))
    }

    fn is_on_value(&self, part: &Filter) -> bool {
        matches!(part, Filter::Field(Predicate { path, test: Test::Compare(..) | Test::In(_) | Test::Mod(..) | Test::Regex(_) })
            if path.to_string() == self.array.value)
    }

    fn is_no_list(&self) -> Filter {
        let test = Test::Type(TypeSet { codes: vec![ARRAY], all_numbers: false });
        Filter::Not(Box::new(Filter::Field(Predicate { path: Path::new(&self.array.value), test })))
    }

    /// Whether the keys asked for, or any where none is named, hold lists.
    fn holds_lists(&mut self, rest: &[Filter]) -> bool {
        let asked: Vec<&str> = rest.iter().filter_map(|part| self.key(part)).collect();
        let keys = self.array.keys.iter().filter(|(key, _)| asked.is_empty() || asked.contains(&key.as_str()));
        let (mut lists, mut scalars) = (false, false);
        for (_, facts) in keys {
            lists |= facts.types.contains_key("array");
            scalars |= facts.types.keys().any(|kind| !["array", "missing"].contains(kind));
        }
        self.scalars |= lists && scalars;
        lists
    }

    fn key<'p>(&self, part: &'p Filter) -> Option<&'p str> {
        match part {
            Filter::Field(Predicate { path, test: Test::Compare(Comparison::Eq, Bson::String(key)) }) => {
                (path.to_string() == self.array.key).then_some(key)
            }
            _ => None,
        }
    }
}

/// The same test of the member itself.
fn of_member(part: &Filter) -> Filter {
    match part {
        Filter::Field(predicate) => Filter::Field(Predicate { path: Path::default(), test: predicate.test.clone() }),
        other => other.clone(),
    }
}

type Deciding = (Document, Vec<(String, String)>);

/// The document as a tree, and the members that met the conditions.
fn deciding(
    case: &Case<'_>,
    question: &Question<'_>,
    document: &RawDocument,
    array: &AttributeFacts,
) -> Option<Deciding> {
    let witness = case.witness(question, document)?;
    let value = |reason: &&crate::query::Reason| reason.predicate.path.to_string().ends_with(&array.value);
    let parts = witness
        .reasons
        .iter()
        .filter(value)
        .map(|reason| (reason.place().to_string(), reason.value.as_ref().map(shown).unwrap_or_default()))
        .collect();
    Some((Document::try_from(document).ok()?, parts))
}

fn example(document: &Document, parts: &[(String, String)]) -> String {
    let met: Vec<String> = parts.iter().map(|(place, value)| format!("{place} = {value}")).collect();
    format!(" (_id {}: {})", document.get("_id").map(shown).unwrap_or_default(), met.join(", "))
}
