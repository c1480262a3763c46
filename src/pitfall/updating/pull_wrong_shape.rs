//! A `$pull` whose form can meet no element.

use super::change::{Change, Target, each_target, shown_id};
use crate::error::ErrorCode;
use crate::pitfall::elements::{elements, meeting};
use crate::pitfall::verdict::proof;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::query::Filter;
use crate::value::{Bson, Document, Path, RawDocument, View, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "pull-wrong-shape",
    level: Level::WrongResult,
    weight: 9,
    title: Words::new("$pull that removes nothing", "$pull, das nichts entfernt"),
    explanation: Words::new(
        "`$pull` takes the array's name and a condition, which is already asked of each element; a whole element has to be \
         equal to the last field.",
        "`$pull` nimmt den Namen des Arrays und eine Bedingung, die schon an jedes Element gestellt wird; ein ganzes Element \
         muss bis zum letzten Feld gleich sein.",
    ),
    message: Words::new(
        "Nothing was removed: `$pull` needs the array's name and a condition for its elements, as in {cured}, which meets \
         {n elements} of {m matched documents}{example}.",
        "Nichts wurde entfernt: `$pull` braucht den Namen des Arrays und eine Bedingung für dessen Elemente, wie in {cured}, \
         das {n Elemente} in {m passenden Dokumenten} trifft{example}.",
    ),
    cure: Words::new("`{$pull: {specs: {k: \"color\"}}}`", "`{$pull: {specs: {k: \"color\"}}}`"),
    example: r#"db.c.updateOne({_id: 1}, {$pull: {k: "color"}})"#,
    detect: |case| each_target(case, sight),
};

/// Said where no element was to be removed anyway.
const BY_CHANCE: Words = Words::new(
    "This `$pull` can remove nothing: it needs the array's name and a condition for its elements, as in {cured}, which meets \
     {n elements} of {m} matched {m|document|documents} now.",
    "Dieses `$pull` kann nichts entfernen: Es braucht den Namen des Arrays und eine Bedingung für dessen Elemente, wie in \
     {cured}, das jetzt {n Elemente} in {m passenden Dokumenten} trifft.",
);

/// Said where the path leads into an array, which the server refuses (`update_leaf_node.cpp`, `checkViability`).
const REFUSED: Words = Words::new(
    "`{path}` leads into the array `{array}`, which `{operator}` cannot enter (error {code}): it needs the array's name and a \
     condition for its elements, as in {cured}, which meets {n elements} of {m matched documents}{example}.",
    "`{path}` führt in das Array `{array}` hinein, und dorthin kommt `{operator}` nicht (Fehler {code}): Es braucht den Namen \
     des Arrays und eine Bedingung für dessen Elemente, wie in {cured}, das {n Elemente} in {m passenden Dokumenten} \
     trifft{example}.",
);

fn sight(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>) -> Option<Sighting> {
    let idle = change.question.ran.result.as_ref().is_ok_and(|run| run.writes.documents.is_empty());
    let refusal = change.refusal().filter(|refusal| refusal.code == ErrorCode::PathNotViable);
    if !(idle || refusal.is_some()) || !target.pulls() {
        return None;
    }
    let matching = change.matching(case);
    if matching.is_empty() {
        return None;
    }
    let (array, condition) = match refusal {
        Some(_) => entered(case, change, target)?,
        None => meant(case, change, target, &matching)?,
    };
    let met = |document: &&RawDocument| met(document, &array, &condition);
    let counts: Vec<usize> = matching.iter().map(met).collect();
    let first = matching.iter().zip(&counts).find(|(_, count)| **count > 0).map(|(document, _)| *document);
    let cured = doc! {"$pull": {array.to_string(): condition.clone()}};
    let elements = counts.iter().sum::<usize>();
    let counted = Evidence::Counts {
        of: array.to_string(),
        counts: vec![("modified".into(), 0), ("elements meant".into(), elements as u64)],
    };
    let refused =
        refusal.map(|refusal| Evidence::Refusal { code: refusal.code.number(), message: refusal.message.clone() });
    let shown = first.and_then(|document| proof(document, Vec::new()));
    let milder = match (refusal, first) {
        (Some(_), _) => Some((Level::Refused, REFUSED)),
        (None, None) => Some((Level::Risk, BY_CHANCE)),
        (None, Some(_)) => None,
    };
    Some(Sighting {
        span: change.span(case, target),
        values: vec![
            ("path", target.name.to_owned()),
            ("array", array.to_string()),
            ("operator", target.operator.to_owned()),
            ("code", ErrorCode::PathNotViable.number().to_string()),
            ("cured", format!("`{}`", crate::shell::literal(&cured.into()))),
            ("n", elements.to_string()),
            ("m", matching.len().to_string()),
            ("example", first.map(|document| format!(" (_id {})", shown_id(document))).unwrap_or_default()),
        ],
        evidence: std::iter::once(counted).chain(shown).chain(refused).collect(),
        level: milder.map(|(level, _)| level),
        words: milder.map(|(_, words)| words),
        fix: change
            .with_update(case, &change.with_target(target, "$pull", &array.to_string(), condition.into()).into()),
        ..Sighting::default()
    })
}

/// The array and the condition that the operand seems to mean; none where its form is right.
fn meant(
    case: &Case<'_>,
    change: &Change<'_>,
    target: &Target<'_>,
    matching: &[&RawDocument],
) -> Option<(Path, Document)> {
    let arrays = case.profile(change.question.collection)?.arrays();
    let Some(array) = arrays.get(&target.path.to_string()) else { return named_by_field(case, change, target) };
    let condition = condition(target)?;
    let longer = || matching.iter().any(|document| met(document, &target.path, &condition) > 0);
    let idle = array.documents > 0 && is_idle(target);
    (idle || longer()).then(|| (target.path.clone(), condition))
}

/// Whether an operand can meet no element that is a document: an `$elemMatch`, or a path that begins with the array.
fn is_idle(target: &Target<'_>) -> bool {
    let front = target.path.parts().last().map(|last| format!("{last}."));
    let never = |path: &str| path == "$elemMatch" || front.as_ref().is_some_and(|front| path.starts_with(front));
    target.operator == "$pull"
        && target
            .operand
            .as_document()
            .is_some_and(|operand| operand.len() == 1 && operand.keys().all(|path| never(path)))
}

/// A target that is a field of some array's elements, not an array.
fn named_by_field(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>) -> Option<(Path, Document)> {
    let arrays = case.profile(change.question.collection)?.arrays();
    let last = target.path.parts().last()?;
    let (array, _) = arrays.iter().find(|(_, facts)| facts.fields.contains_key(&**last))?;
    Some((Path::new(array), doc! {&**last: asked(target)}))
}

/// The array that a target leads into, and what it asks of a field of the elements.
fn entered(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>) -> Option<(Path, Document)> {
    let arrays = case.profile(change.question.collection)?.arrays();
    let mut around = arrays.keys().map(|array| Path::new(array)).filter(|array| array.is_prefix_of(&target.path));
    let array = around.find(|array| *array != target.path)?;
    let field = Path::from_parts(target.path.parts()[array.parts().len()..].to_vec());
    Some((array, doc! {field.to_string(): asked(target)}))
}

/// The operand as a condition of a field: the values of `$pullAll` are alternatives.
fn asked(target: &Target<'_>) -> Bson {
    match target.operator {
        "$pullAll" => doc! {"$in": target.operand.clone()}.into(),
        _ => target.operand.clone(),
    }
}

/// The condition that an operand of another form stands for.
fn condition(target: &Target<'_>) -> Option<Document> {
    if target.operator == "$pullAll" {
        let [Bson::Document(element)] = target.operand.as_array()?.as_slice() else { return None };
        return Some(element.clone());
    }
    let operand = target.operand.as_document()?;
    let single = operand.iter().next().filter(|_| operand.len() == 1);
    match single.map(|(name, value)| (name.as_str(), value)) {
        Some(("$elemMatch" | "$eq", Bson::Document(inner))) => Some(inner.clone()),
        Some(("$in", Bson::Array(list))) => match list.as_slice() {
            [Bson::Document(element)] => Some(element.clone()),
            _ => None,
        },
        _ => shortened(operand, target.path.parts().last()?),
    }
}

/// The operand with the array's own name taken from the front of its paths.
fn shortened(operand: &Document, array: &str) -> Option<Document> {
    let front = format!("{array}.");
    operand.keys().any(|path| path.starts_with(&front)).then(|| {
        let short = |path: &str| path.strip_prefix(&front).unwrap_or(path).to_owned();
        operand.iter().map(|(path, value)| (short(path), value.clone())).collect()
    })
}

/// How many elements of a document meet a condition.
fn met(document: &RawDocument, array: &Path, condition: &Document) -> usize {
    let Ok(filter) = Filter::parse(condition) else { return 0 };
    let elements: Vec<View<'_>> = elements(document, array).unwrap_or_default();
    meeting(&elements, &filter).len()
}
