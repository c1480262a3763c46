//! `$[]` changed the values of attributes that the filter does not ask for.

use super::change::{Change, Cut, Target, each_target, pairs, shown_id, write};
use crate::pitfall::elements::{elements, key_field, key_of, meeting, prefixed, wanted};
use crate::pitfall::{Case, Level, Pitfall, Sighting};
use crate::proof::written;
use crate::query::Filter;
use crate::value::{Path, RawDocument, equal};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "all-positional-touches-every-attribute",
    level: Level::WrongResult,
    weight: 8,
    title: Words::new("$[] changes every attribute", "$[] ändert jedes Attribut"),
    explanation: Words::new(
        "The filter chooses documents; `$[]` means every element of them, whatever its key.",
        "Der Filter wählt Dokumente; `$[]` meint jedes ihrer Elemente, welcher Schlüssel auch darin steht.",
    ),
    message: Words::new(
        "{n elements} that your condition does not ask for were changed as well, such as {keys} in _id {id}.",
        "{n Elemente}, nach denen deine Bedingung nicht fragt, wurden mitgeändert, etwa {keys} in _id {id}.",
    ),
    cure: Words::new(
        "`specs.$[e]` with `arrayFilters` changes only the elements meant.",
        "`specs.$[e]` mit `arrayFilters` ändert nur die gemeinten Elemente.",
    ),
    example: r#"db.c.updateOne({"specs.k": "color"}, {$set: {"specs.$[].v": "blue"}})"#,
    detect: |case| each_target(case, sight),
};

/// Said where the documents changed hold no other attribute.
const BY_CHANCE: Words = Words::new(
    "`$[]` means every element of `{array}`, which holds {keys different keys}; {n elements} that your condition does not \
     ask for were changed this time.",
    "`$[]` meint jedes Element von `{array}`, das {keys} verschiedene Schlüssel enthält; diesmal {n|wurde|wurden} {n Elemente} \
     mitgeändert, nach denen deine Bedingung nicht fragt.",
);

fn sight(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>) -> Option<Sighting> {
    let cut = target.cut().filter(|cut| cut.positional == "$[]" && !cut.rest.is_empty())?;
    let key = key_field(case, change.question.collection, &cut.array.to_string())?;
    let condition = change.condition(&cut.array);
    let array = case.profile(change.question.collection)?.attribute_array(&cut.array.to_string());
    if array.is_some_and(|array| array.keys.contains_key(&cut.rest.to_string())) {
        // A key written as a field is another mistake.
        return None;
    }
    let on_value = array.is_some_and(|array| array.keys.len() > 1 && cut.rest.to_string() == array.value);
    let asked = condition.as_ref().is_some_and(|asked| wanted(asked, &Path::new(&key)).is_some());
    if !(asked || condition.is_none() && on_value) {
        return None;
    }
    let few = if asked { 1 } else { 2 };
    let touched: Vec<_> = pairs(&change.question)
        .map(|(before, after)| (touched(before, after, &cut, condition.as_ref(), &key), before, after))
        .filter(|(keys, ..)| keys.len() >= few)
        .collect();
    let Some((keys, before, after)) = touched.first() else {
        let fix = cured(case, change, target, &cut, condition.as_ref()?);
        return array.filter(|array| array.keys.len() > 1 && change.refusal().is_none()).map(|array| Sighting {
            span: change.span(case, target),
            values: vec![
                ("array", array.path.clone()),
                ("keys", array.keys.len().to_string()),
                ("n", touched.len().to_string()),
            ],
            fix,
            level: Some(Level::Risk),
            words: Some(BY_CHANCE),
            ..Sighting::default()
        });
    };
    let named: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    Some(Sighting {
        span: change.span(case, target),
        values: vec![
            ("n", touched.iter().map(|(keys, ..)| keys.len()).sum::<usize>().to_string()),
            ("keys", named.join(", ")),
            ("id", shown_id(before)),
        ],
        evidence: vec![write(before, after)],
        fix: condition.and_then(|condition| cured(case, change, target, &cut, &condition)),
        ..Sighting::default()
    })
}

/// The keys of elements that changed without meeting the condition.
fn touched<'d>(
    before: &'d RawDocument,
    after: &RawDocument,
    cut: &Cut,
    condition: Option<&Filter>,
    key: &str,
) -> Vec<&'d str> {
    let (Some(old), Some(new)) = (elements(before, &cut.array), elements(after, &cut.array)) else { return Vec::new() };
    let meant = condition.map(|condition| meeting(&old, condition)).unwrap_or_default();
    let changed = |at: &usize| !meant.contains(at) && new.get(*at).is_some_and(|new| !equal(old[*at], *new));
    (0..old.len()).filter(changed).filter_map(|at| key_of(old[at], key)).collect()
}

fn cured(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>, cut: &Cut, condition: &Filter) -> Option<String> {
    let name = change.free_identifier();
    let path = cut.with(&format!("$[{name}]"));
    let operators = change.with_target(target, target.operator, &path, target.operand.clone());
    let filter = written(&prefixed(condition, &Path::new(&name)));
    let filters = change.array_filters.iter().cloned().chain([filter]).collect();
    change.with_command(case, &change.command(operators, filters))
}
