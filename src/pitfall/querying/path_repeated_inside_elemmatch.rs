//! The array's name repeated inside its `$elemMatch`.

use crate::pitfall::case::Case;
use crate::pitfall::exchange::{field, replaced};
use crate::pitfall::grain::each_question;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Level, Pitfall, Question, Sighting};
use crate::query::{Filter, Predicate, Test};
use crate::value::Path;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "path-repeated-inside-elemmatch",
    level: Level::WrongResult,
    weight: 12,
    title: Words::new("Array name repeated inside $elemMatch", "Array-Name im $elemMatch wiederholt"),
    explanation: Words::new(
        "Paths inside `$elemMatch` start at the element, which has no field of the array's name. Nothing matches, and a negation matches everything.",
        "Pfade im `$elemMatch` beginnen beim Element, und das hat kein Feld mit dem Namen des Arrays. Nichts passt, und eine Verneinung passt immer.",
    ),
    message: Words::new(
        "Inside `$elemMatch` you already stand in an element of `{array}`: write `{short}`, not `{long}`. That gives {n documents} instead of {m}.",
        "Im `$elemMatch` stehst du schon in einem Element von `{array}`: Schreibe `{short}`, nicht `{long}`. Das ergibt {n Dokumente} statt {m}.",
    ),
    cure: Words::new("Leave the array's name out inside `$elemMatch`.", "Lass den Array-Namen im `$elemMatch` weg."),
    example: r#"db.c.find({specs: {$elemMatch: {"specs.k": "color"}}})"#,
    detect: |case| each_question(case, sight),
};

fn sight(case: &Case<'_>, question: &Question<'_>) -> Option<Sighting> {
    let (array, long) = repeated(case, question)?;
    let meant = replaced(&question.tree, &|part| {
        let Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) = part else { return None };
        (*path == array).then(|| field(path.clone(), Test::ElemMatchObject(Box::new(shortened(inner, &array)))))
    });
    let verdict = Verdict::of(case, question, &meant)?;
    let values = vec![
        ("array", array.to_string()),
        ("short", short(&long, &array)?.to_string()),
        ("long", long.to_string()),
        ("n", verdict.meant.len().to_string()),
        ("m", verdict.learner.len().to_string()),
    ];
    Some(verdict.sighting(case, question, &meant, values))
}

/// The array and the first path inside its `$elemMatch` that begins with its name, where no element has such a field.
fn repeated(case: &Case<'_>, question: &Question<'_>) -> Option<(Path, Path)> {
    let arrays = case.profile(question.collection)?.arrays();
    let levels = super::asks::levels(&question.tree);
    levels.iter().filter(|level| !level.array.is_empty()).find_map(|level| {
        let facts = arrays.get(&level.array.to_string()).filter(|facts| facts.documents > 0)?;
        let mut paths = level.parts.iter().flat_map(|part| part.paths());
        let long =
            paths.find(|path| short(path, &level.array).is_some() && !facts.fields.contains_key(&*path.parts()[0]))?;
        Some((level.array.clone(), long.clone()))
    })
}

/// The path without the array's whole or last name in front.
fn short(path: &Path, array: &Path) -> Option<Path> {
    let last = &array.parts()[array.parts().len() - 1..];
    let rest = path.parts().strip_prefix(array.parts()).or_else(|| path.parts().strip_prefix(last))?;
    (!rest.is_empty()).then(|| Path::from_parts(rest.to_vec()))
}

fn shortened(inner: &Filter, array: &Path) -> Filter {
    replaced(inner, &|part| {
        let Filter::Field(Predicate { path, test }) = part else { return None };
        Some(field(short(path, array)?, test.clone()))
    })
}
