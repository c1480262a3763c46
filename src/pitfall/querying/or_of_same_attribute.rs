//! An `$or` of values of one attribute, where one `$in` would do.

use super::asks::{parts, simple};
use crate::pitfall::case::{Case, shown};
use crate::pitfall::exchange::{equals, field, replaced};
use crate::pitfall::grain::each_array;
use crate::pitfall::work::{cost, explained, gain};
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::proof::written;
use crate::query::{Comparison, Filter, InList, Predicate, Test};
use crate::store::AttributeFacts;
use crate::value::{Bson, Path};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "or-of-same-attribute",
    level: Level::Cost,
    weight: 6,
    title: Words::new("$or where $in would do", "$or, wo $in genügt"),
    explanation: Words::new(
        "The answer is right, but several scans are joined by an OR stage, or all documents are read if one branch has no index.",
        "Die Antwort stimmt, aber mehrere Scans werden in einer OR-Stufe vereint, oder es werden alle Dokumente gelesen, wenn ein Zweig keinen Index hat.",
    ),
    message: Words::new(
        "One `$elemMatch` with `$in` says the same as your {n branches} on `{key}` in a single scan ({plan}; with `$in`: {better}).",
        "Ein `$elemMatch` mit `$in` sagt dasselbe wie deine {n Zweige} zu `{key}` in einem einzigen Scan ({plan}; mit `$in`: {better}).",
    ),
    cure: Words::new("Use one `$elemMatch` with `$in` on the value.", "Nimm ein `$elemMatch` mit `$in` auf dem Wert."),
    example: r#"db.c.find({$or: [{specs: {$elemMatch: {k: "color", v: "red"}}}, {specs: {$elemMatch: {k: "color", v: "blue"}}}]})"#,
    detect: |case| each_array(case, sight),
};

fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let (key, branches) = parts(&question.tree).into_iter().find_map(|part| same_attribute(part, array))?;
    let cured = replaced(&question.tree, &|part| {
        let (key, values) = same_attribute(part, array)?;
        let list = Test::In(InList { values: values.into_iter().cloned().collect(), regexes: Vec::new() });
        let element = Filter::And(vec![equals(&array.key, key.clone()), field(Path::new(&array.value), list)]);
        Some(field(Path::new(&array.path), Test::ElemMatchObject(Box::new(element))))
    });
    let state = case.state(question.ran, question.collection);
    let learner = explained(case, state, question.command.clone())?;
    let better = explained(case, state, question.with(written(&cured)))?;
    let (work, less) = (cost(&learner), cost(&better));
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("n", branches.len().to_string()),
            ("key", shown(key)),
            ("plan", learner.winning.line()),
            ("better", better.winning.line()),
        ],
        evidence: vec![Evidence::Cost { learner: work, cured: less }],
        fix: case.with_filter(question, &written(&cured)),
        // One scan in place of several is simpler, though it may read no less.
        level: Some(gain(work, less).unwrap_or(Level::Hint)),
        ..Sighting::default()
    })
}

/// The one key and the values of an `$or` whose branches all ask one attribute for one value each.
fn same_attribute<'f>(part: &'f Filter, array: &AttributeFacts) -> Option<(&'f Bson, Vec<&'f Bson>)> {
    let Filter::Or(branches) = part else { return None };
    let pairs = branches.iter().map(|branch| pair(branch, array)).collect::<Option<Vec<_>>>()?;
    let (key, _) = *pairs.first()?;
    pairs.iter().all(|(other, _)| *other == key).then(|| (key, pairs.into_iter().map(|(_, value)| value).collect()))
}

fn pair<'f>(branch: &'f Filter, array: &AttributeFacts) -> Option<(&'f Bson, &'f Bson)> {
    let Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) = branch else { return None };
    let inside = parts(inner);
    let on = |name: &str| {
        inside.iter().filter_map(|part| simple(part)).find_map(|(predicate, negated)| match &predicate.test {
            Test::Compare(Comparison::Eq, literal) if !negated && predicate.path.to_string() == name => Some(literal),
            _ => None,
        })
    };
    let fits = path.to_string() == array.path && inside.len() == 2;
    fits.then(|| Some((on(&array.key)?, on(&array.value)?)))?
}
