//! An `$in` on keys, which any of them satisfies.

use crate::pitfall::case::{Case, shown};
use crate::pitfall::exchange::{equals, replaced};
use crate::pitfall::grain::each_array;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::query::{Filter, Predicate, Test};
use crate::store::AttributeFacts;
use crate::value::Bson;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "any-key-instead-of-all-keys",
    level: Level::Hint,
    weight: 6,
    title: Words::new("$in on keys where all keys are meant", "$in auf Schlüsseln, wo alle gemeint sind"),
    explanation: Words::new(
        "`$in` gives documents with any of the keys.",
        "`$in` liefert Dokumente mit irgendeinem der Schlüssel.",
    ),
    message: Words::new(
        "{n} of {m results} {n|has|have} only some of the keys {keys}. If all are meant, use `$all`.",
        "{n} von {m Ergebnissen} {n|hat|haben} nur einige der Schlüssel {keys}. Sind alle gemeint, nimm `$all`.",
    ),
    cure: Words::new("Use `$all` on the key path.", "Nimm `$all` auf dem Schlüsselpfad."),
    example: r#"db.c.find({"specs.k": {$in: ["wifi", "gps"]}})"#,
    detect: |case| each_array(case, sight),
};

fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let path = format!("{}.{}", array.path, array.key);
    let keys = super::asks::parts(&question.tree).into_iter().find_map(|part| listed(part, &path))?;
    let meant = replaced(&question.tree, &|part| {
        let keys = listed(part, &path)?;
        Some(Filter::And(keys.iter().map(|key| equals(&path, key.clone())).collect()))
    })
    .normalised();
    let verdict = Verdict::of(case, question, &meant).filter(|verdict| !verdict.extra.is_empty())?;
    let counts =
        vec![("all keys".to_owned(), verdict.meant.len() as u64), ("some keys".to_owned(), verdict.extra.len() as u64)];
    let mut evidence = verdict.evidence(Vec::new());
    evidence.push(Evidence::Counts { of: path.clone(), counts });
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("n", verdict.extra.len().to_string()),
            ("m", verdict.learner.len().to_string()),
            ("keys", keys.iter().map(shown).collect::<Vec<_>>().join(", ")),
        ],
        evidence,
        ..Sighting::default()
    })
}

fn listed<'f>(part: &'f Filter, path: &str) -> Option<&'f [Bson]> {
    match part {
        Filter::Field(Predicate { path: own, test: Test::In(list) }) if own.to_string() == path => {
            (list.values.len() > 1 && list.regexes.is_empty()).then_some(&list.values)
        }
        _ => None,
    }
}
