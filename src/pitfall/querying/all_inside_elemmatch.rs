//! Several values asked of one scalar inside an `$elemMatch`.

use super::asks::{Ask, each_ask};
use crate::pitfall::case::{Case, shown};
use crate::pitfall::exchange::{field, replaced};
use crate::pitfall::question::Form;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Level, Pitfall, Question, Sighting, rewrite};
use crate::query::{Comparison, Filter, InList, Predicate, Test};
use crate::value::{Bson, equal};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "all-inside-elemmatch",
    level: Level::WrongResult,
    weight: 6,
    title: Words::new("Several values asked of one scalar", "Mehrere Werte von einem Skalar verlangt"),
    explanation: Words::new(
        "One element has one value, so the result is empty. For 'either' use `$in`, for 'both' use `$all` of two `$elemMatch`.",
        "Ein Element hat einen Wert, also ist das Ergebnis leer. Für „eines davon“ nimm `$in`, für „beide“ `$all` aus zwei `$elemMatch`.",
    ),
    message: Words::new(
        "A single value of `{key}` cannot be {values} at once: {m results} here, {n} with `$in`. For both, use `$all` of two `$elemMatch`.",
        "Ein einzelner Wert von `{key}` kann nicht zugleich {values} sein: hier {m Ergebnisse}, {n} mit `$in`. Für beide nimm `$all` aus zwei `$elemMatch`.",
    ),
    cure: Words::new("Use `$in` inside, or `$all` outside.", "Nimm `$in` innen oder `$all` außen."),
    example: r#"db.c.find({specs: {$elemMatch: {k: "color", v: {$all: ["red", "blue"]}}}})"#,
    detect: |case| each_ask(case, sight),
};

/// Said where elements can be asked for one by one.
const EACH: Words = Words::new(
    "A single value of `{key}` cannot be {values} at once: {m results} here. Either of them ({n results}) is `$in`, all of them \
     ({both results}) are `$all` of one `$elemMatch` each.",
    "Ein einzelner Wert von `{key}` kann nicht zugleich {values} sein: hier {m Ergebnisse}. Einer davon ({n Ergebnisse}) ist `$in`, \
     alle ({both Ergebnisse}) sind `$all` aus je einem `$elemMatch`.",
);

fn sight(case: &Case<'_>, question: &Question<'_>, ask: &Ask<'_>) -> Option<Sighting> {
    let equalities: Vec<&Test> = ask.tests.iter().copied().filter(|test| equality(test).is_some()).collect();
    let mut values: Vec<Bson> = Vec::new();
    for value in equalities.iter().filter_map(|test| equality(test)) {
        if !values.iter().any(|known| equal(known.into(), value.into())) {
            values.push(value.clone());
        }
    }
    let types = super::kinds::types(case, question.collection, ask);
    // Of two keys no element is asked for anything: that is another mistake.
    let single = ask.keys.iter().all(|key| *key == ask.keys[0]);
    if !ask.bound || ask.negated || values.len() < 2 || !single || types.contains_key("array") || types.is_empty() {
        return None;
    }
    let mine = |part: &Filter| matches!(part, Filter::Field(predicate) if equalities.iter().any(|test| std::ptr::eq(*test, &raw const predicate.test)));
    let either = either(&question.tree, &mine, &values);
    let in_either = Verdict::of(case, question, &either)?;
    let both = both(question, &mine).and_then(|both| Some((Verdict::of(case, question, &both)?, both)));
    let counts = vec![
        ("key", ask.name()),
        ("values", values.iter().map(shown).collect::<Vec<_>>().join(", ")),
        ("m", in_either.learner.len().to_string()),
        ("n", in_either.meant.len().to_string()),
    ];
    let Some((in_both, both)) = both else { return Some(in_either.sighting(case, question, &either, counts)) };
    let told = counts.into_iter().chain([("both", in_both.meant.len().to_string())]).collect();
    // As it is typed all are wanted: only where no document has them all, and some has one, that is meant.
    let (verdict, meant) =
        if in_both.meant.is_empty() && !in_either.meant.is_empty() { (in_either, either) } else { (in_both, both) };
    Some(Sighting { words: Some(EACH), ..verdict.sighting(case, question, &meant, told) })
}

/// The filter with the values as a list of which one is enough.
fn either(tree: &Filter, mine: &dyn Fn(&Filter) -> bool, values: &[Bson]) -> Filter {
    replaced(tree, &|part| {
        let Filter::And(parts) = part else { return None };
        let Some(Filter::Field(Predicate { path, .. })) = parts.iter().find(|part| mine(part)) else { return None };
        let mut all: Vec<Filter> = parts.iter().filter(|part| !mine(part)).cloned().collect();
        all.push(field(path.clone(), Test::In(InList { values: values.to_vec(), regexes: Vec::new() })));
        Some(Filter::And(all))
    })
    .normalised()
}

/// The filter with an element for each of the values; none where it chooses elements.
fn both(question: &Question<'_>, mine: &dyn Fn(&Filter) -> bool) -> Option<Filter> {
    let of_each = |part: &Filter| {
        let Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) = part else { return None };
        let Filter::And(parts) = &**inner else { return None };
        let (values, rest): (Vec<&Filter>, Vec<&Filter>) = parts.iter().partition(|part| mine(part));
        let element = |value: &Filter| {
            let own = rest.iter().copied().chain([value]).cloned().collect();
            field(path.clone(), Test::ElemMatchObject(Box::new(Filter::And(own))))
        };
        (values.len() > 1).then(|| Filter::And(values.into_iter().map(element).collect()))
    };
    let both = replaced(&question.tree, &of_each).normalised();
    (question.form == Form::Documents && !rewrite::same(&both, &question.tree)).then_some(both)
}

fn equality(test: &Test) -> Option<&Bson> {
    if let Test::Compare(Comparison::Eq, literal) = test { Some(literal) } else { None }
}
