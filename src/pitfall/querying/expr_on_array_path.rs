//! An `$expr` that compares a path through an array with a scalar.

use super::verdict::Verdict;
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::all_values;
use crate::pitfall::{Level, Pitfall, Question, Sighting};
use crate::query::Filter;
use crate::store::Profile;
use crate::value::{Bson, Document, Path, View, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "expr-on-array-path",
    level: Level::WrongResult,
    weight: 15,
    title: Words::new("$expr with a path through an array", "$expr mit einem Pfad durch ein Array"),
    explanation: Words::new(
        "In expressions a path through an array is the array of all values, and an array is greater than any number or string. Expressions do not look into elements.",
        "In Ausdrücken ist ein Pfad durch ein Array das Array aller Werte, und ein Array ist größer als jede Zahl und jeder String. Ausdrücke schauen nicht in die Elemente.",
    ),
    message: Words::new(
        "`{path}` is the array {values} in _id {id}; compared with {literal} it is always greater. {n} of {m} results are due to that alone.",
        "`{path}` ist in _id {id} das Array {values}; verglichen mit {literal} ist es immer größer. {n} von {m} Ergebnissen kommen nur daher.",
    ),
    cure: Words::new(
        "Use match syntax with `$elemMatch`, or `$filter` and `$anyElementTrue` over `$map`.",
        "Nimm die Match-Schreibweise mit `$elemMatch` oder `$filter` und `$anyElementTrue` über `$map`.",
    ),
    example: r#"db.c.find({$expr: {$gt: ["$specs.v", 100]}})"#,
    detect,
};

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    case.questions().iter().flat_map(|question| sightings(case, question)).collect()
}

fn sightings(case: &Case<'_>, question: &Question<'_>) -> Vec<Sighting> {
    sight(case, question).into_iter().collect()
}

/// One comparison of an expression.
struct Compared<'f> {
    operator: &'f str,
    path: &'f str,
    literal: &'f Bson,
}

fn sight(case: &Case<'_>, question: &Question<'_>) -> Option<Sighting> {
    let expression = question.filter.get("$expr")?.as_document()?;
    let profile = case.profile(question.collection)?;
    let compared = comparison(expression).filter(|compared| crosses(profile, compared.path))?;
    let mut cured = question.filter.clone();
    cured.remove("$expr");
    if cured.contains_key(compared.path) {
        return None;
    }
    cured.insert(compared.path, doc! {compared.operator: compared.literal.clone()});
    let verdict = Verdict::of(case, question, &Filter::parse(&cured).ok()?)?;
    let document = verdict.misjudged().or_else(|| verdict.learner.first().copied())?;
    let path = Path::new(compared.path);
    let values = all_values(View::Document(document.into()), &path).iter().map(View::to_bson).collect();
    Some(Sighting {
        span: case.span(question.ran, &question.at.field("$expr")),
        values: vec![
            ("path", compared.path.to_owned()),
            ("values", shown(&Bson::Array(values))),
            ("id", shown(&id(document))),
            ("literal", shown(compared.literal)),
            ("n", verdict.extra.len().to_string()),
            ("m", verdict.learner.len().to_string()),
        ],
        evidence: verdict.evidence(Vec::new()),
        fix: case.with_filter(question, &cured),
        level: verdict.level(),
    })
}

/// The comparison of a path with a scalar literal that an expression is.
fn comparison(expression: &Document) -> Option<Compared<'_>> {
    let (operator, operands) = expression.iter().next().filter(|_| expression.len() == 1)?;
    let known = ["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"].contains(&operator.as_str());
    let [Bson::String(path), literal] = operands.as_array()?.as_slice() else { return None };
    let path = path.strip_prefix('$').filter(|path| !path.starts_with('$'))?;
    let scalar = match literal {
        Bson::Array(_) | Bson::Document(_) => false,
        Bson::String(text) => !text.starts_with('$'),
        _ => true,
    };
    (known && scalar).then_some(Compared { operator, path, literal })
}

fn crosses(profile: &Profile, path: &str) -> bool {
    let path = Path::new(path);
    let prefixes = (1..=path.parts().len()).map(|length| Path::from_parts(path.parts()[..length].to_vec()));
    prefixes.into_iter().any(|prefix| profile.arrays().contains_key(&prefix.to_string()))
}
