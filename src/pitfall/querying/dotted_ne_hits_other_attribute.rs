//! A negated value beside a dotted key: any other attribute with that value counts too.

use super::asks::{Ask, each_ask_of_documents};
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::{all_elements, all_values};
use crate::pitfall::exchange::field;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Level, Pitfall, Question, Sighting, rewrite};
use crate::query::Filter;
use crate::store::AttributeFacts;
use crate::value::{Path, RawDocument, View};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "dotted-ne-hits-other-attribute",
    level: Level::WrongResult,
    weight: 12,
    title: Words::new("Negated value hits another attribute", "Verneinter Wert trifft ein anderes Attribut"),
    explanation: Words::new(
        "`$ne` on an array path means that no element equals. The value under any other key throws the document out.",
        "`$ne` auf einem Array-Pfad heißt: kein Element ist gleich. Der Wert unter irgendeinem anderen Schlüssel wirft das Dokument hinaus.",
    ),
    message: Words::new(
        "Document _id {id} was left out because `{other}` is {value}, not because of `{key}`. So {n|was|were} {n documents}.",
        "Dokument _id {id} fehlt, weil `{other}` {value} ist, nicht wegen `{key}`. So ergeht es {n Dokumenten}.",
    ),
    cure: Words::new(
        "Put key and negated value into one `$elemMatch`.",
        "Setze Schlüssel und verneinten Wert in ein `$elemMatch`.",
    ),
    example: r#"db.c.find({"specs.k": "lid", "specs.v": {$ne: "none"}})"#,
    detect: |case| each_ask_of_documents(case, sight),
};

/// Said where no document is left out, though the value occurs under another key.
const BY_CHANCE: Words = Words::new(
    "In document _id {id} `{other}` is {value}: your condition would leave a document out for that alone, whatever its \
     `{key}`. So it does {n documents} now.",
    "In Dokument _id {id} ist `{other}` {value}: Schon dafür ließe deine Bedingung ein Dokument weg, was auch immer sein \
     `{key}` ist. So ergeht es jetzt {n Dokumenten}.",
);

fn sight(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Sighting> {
    let array = ask.array.filter(|_| !ask.bound && !ask.refused.is_empty() && !ask.keys.is_empty())?;
    let meant = rewrite::bound(case, question, &question.tree, &Path::new(&array.path))?;
    let verdict = Verdict::of(case, question, &meant)?;
    let right = verdict.is_right();
    let culprit = culprit(question, ask, array)?;
    let mut suspects = if right { case.seen(question).to_vec() } else { verdict.missed.clone() }.into_iter();
    let (document, (other, value)) = suspects.find_map(|document| Some((document, culprit(document)?)))?;
    let values = vec![
        ("id", shown(&id(document))),
        ("other", other),
        ("value", value),
        ("key", ask.name()),
        ("n", verdict.missed.len().to_string()),
    ];
    let words = right.then_some(BY_CHANCE);
    Some(Sighting { words, ..verdict.sighting(case, question, &meant, values) })
}

/// Finds the key and value, of another attribute of a document, that the refused tests meet.
fn culprit<'f>(
    question: &Question<'_>,
    ask: &'f Ask<'_>,
    array: &'f AttributeFacts,
) -> Option<impl Fn(&RawDocument) -> Option<(String, String)> + 'f> {
    let any = ask.refused.iter().map(|test| field(Path::default(), (*test).clone())).collect();
    let matcher = question.matcher(&Filter::Or(any))?;
    let (path, tail) = (Path::new(&array.path), ask.tail());
    let met = move |element: View<'_>| {
        let value = all_values(element, &tail).into_iter().find(|value| matcher.matches_value(*value))?;
        let View::Document(fields) = element else { return None };
        let Some(View::String(key)) = fields.get(&array.key) else { return None };
        Some((key.to_owned(), shown(&value.to_bson())))
    };
    Some(move |document: &RawDocument| {
        all_elements(document, &path).into_iter().filter(|element| !ask.has_key(*element)).find_map(&met)
    })
}
