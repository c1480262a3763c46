//! A field path or an expression stored as it stands, the update not being a pipeline.

use crate::engine::Modify;
use crate::error::CommandPath;
use crate::pitfall::case::{Case, shown};
use crate::pitfall::grain::each_question;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::query::expr::is_operator;
use crate::store::Profile;
use crate::update::PUSH_MODIFIERS;
use crate::value::{Bson, Document};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "literal-dollar-string",
    level: Level::WrongResult,
    weight: 20,
    title: Words::new("\"$color\" stored as text", "„$color“ als Text gespeichert"),
    explanation: Words::new(
        "Only an update in square brackets, `[{$set: …}]`, is a pipeline. In an update document `\"$color\"` is a text and \
         an expression is an object; both are stored as they stand.",
        "Nur eine Änderung in eckigen Klammern, `[{$set: …}]`, ist eine Pipeline. In einem Änderungsdokument ist \
         `\"$color\"` ein Text und ein Ausdruck ein Objekt; beides wird so gespeichert, wie es dasteht.",
    ),
    message: Words::new(
        "{text} was stored as it stands in {n documents}. Put the update into square brackets.",
        "{text} wurde in {n Dokumenten} wörtlich gespeichert. Setze die Änderung in eckige Klammern.",
    ),
    cure: Words::new("`[{$set: …}]` instead of `{$set: …}`.", "`[{$set: …}]` statt `{$set: …}`."),
    example: r#"db.c.updateMany({}, {$set: {specs: [{k: "color", v: "$color"}]}})"#,
    detect: |case| each_question(case, sight),
};

/// Said where no document was met.
const BY_CHANCE: Words = Words::new(
    "{text} would be stored as it stands; {n documents} {n|was|were} changed this time. Put the update into square brackets.",
    "{text} würde wörtlich gespeichert; diesmal {n|wurde|wurden} {n Dokumente} geändert. Setze die Änderung in eckige Klammern.",
);

fn sight(case: &Case<'_>, question: &Question<'_>) -> Option<Sighting> {
    let change = match question.modify()? {
        Modify::Operators(change) | Modify::Replacement(change) => change,
        Modify::Pipeline(_) => return None,
    };
    let profile = case.profile(question.collection)?;
    let literal = change.iter().find_map(|(name, value)| stored_literal(name, value, profile))?;
    let written = &question.ran.result.as_ref().ok()?.writes.documents;
    let first = written.first();
    if first.is_none() && case.seen(question).is_empty() {
        return None;
    }
    let tree = |raw: &crate::value::RawDocumentBuf| Document::try_from(raw.as_ref()).ok();
    Some(Sighting {
        span: case.span(question.ran, &CommandPath::argument("update")),
        values: vec![("text", shown(&literal)), ("n", written.len().to_string())],
        evidence: first
            .map(|first| Evidence::Write {
                before: first.before.as_ref().and_then(tree),
                after: first.after.as_ref().and_then(tree),
            })
            .into_iter()
            .collect(),
        level: first.is_none().then_some(Level::Risk),
        words: first.is_none().then_some(BY_CHANCE),
        fix: bracketed(case, question, change),
        ..Sighting::default()
    })
}

/// The first value among what an operator stores (or a replaced field) that would mean something in a pipeline.
fn stored_literal(name: &str, value: &Bson, profile: &Profile) -> Option<Bson> {
    let stores = !name.starts_with('$') || ["$set", "$setOnInsert", "$push", "$addToSet"].contains(&name);
    match value {
        Bson::Document(fields) if stores && name.starts_with('$') => {
            fields.values().find_map(|value| literal_in(value, profile))
        }
        value if stores => literal_in(value, profile),
        _ => None,
    }
}

fn literal_in(value: &Bson, profile: &Profile) -> Option<Bson> {
    match value {
        Bson::String(text) => text
            .strip_prefix('$')
            .filter(|path| *path == "$ROOT" || profile.path(path).is_some())
            .map(|_| value.clone()),
        Bson::Array(list) => list.iter().find_map(|value| literal_in(value, profile)),
        Bson::Document(inner) => match inner.iter().next() {
            Some((name, _)) if inner.len() == 1 && is_expression(name) => Some(value.clone()),
            _ => inner.values().find_map(|value| literal_in(value, profile)),
        },
        _ => None,
    }
}

/// An operator of expressions that is no modifier of `$push`.
fn is_expression(name: &str) -> bool {
    is_operator(name) && !PUSH_MODIFIERS.contains(&name)
}

/// The update in square brackets, where its operators are stages too.
fn bracketed(case: &Case<'_>, question: &Question<'_>, change: &Document) -> Option<String> {
    let stage = change.iter().all(|(name, fields)| {
        let plain = |fields: &Document| !fields.keys().any(|path| path.contains('$'));
        name == "$set" && fields.as_document().is_some_and(plain)
    });
    let node = question.ran.places.literal(&CommandPath::argument("update")).filter(|_| stage)?;
    case.replaced(&case.script.node(node).span, &format!("[{}]", case.script.source(node)))
}
