//! An upsert whose filter is a guard against an element that is there already.

use super::change::{Change, Target, each_target, written};
use crate::engine::{Command, Database, Host};
use crate::error::ErrorCode;
use crate::pitfall::case::{id, ids, shown};
use crate::pitfall::elements::conjuncts;
use crate::pitfall::made;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::query::{Comparison, Filter, Predicate, Test};
use crate::store::Direction;
use crate::value::{Bson, Document, Path};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "guarded-push-with-upsert",
    level: Level::WrongResult,
    weight: 12,
    title: Words::new("Upsert together with a $ne guard", "Upsert zusammen mit einer $ne-Sicherung"),
    explanation: Words::new(
        "Where the guard fails, nothing matches; an upsert then makes a second document, or meets a unique index (error 11000).",
        "Wo die Sicherung greift, passt nichts; ein Upsert legt dann ein zweites Dokument an oder stößt an einen eindeutigen \
         Index (Fehler 11000).",
    ),
    message: Words::new(
        "The guard on `{array}` stops where {key} exists, and the upsert then makes another document: {n} {n|document matches|documents match} \
         the rest of your filter now ({ids}).",
        "Die Sicherung an `{array}` greift, wo es {key} gibt, und das Upsert legt dann ein weiteres Dokument an: Zum Rest \
         deines Filters {n|passt|passen} jetzt {n Dokumente} ({ids}).",
    ),
    cure: Words::new("No upsert on guarded updates.", "Kein Upsert bei gesicherten Änderungen."),
    example: r#"db.c.updateOne({sku: "A", "specs.k": {$ne: "color"}}, {$push: {specs: {k: "color", v: "red"}}}, {upsert: true})"#,
    detect: |case| each_target(case, sight),
};

/// How many `_id`s are named.
const NAMED: usize = 4;

/// Said where the server refused the other document.
const REFUSED: Words = Words::new(
    "The guard on `{array}` stops where {key} exists; the upsert then tried to make another document, which a unique index \
     refused: {n} {n|document matches|documents match} the rest of your filter ({ids}).",
    "Die Sicherung an `{array}` greift, wo es {key} gibt; das Upsert wollte dann ein weiteres Dokument anlegen, was ein \
     eindeutiger Index verweigert hat: Zum Rest deines Filters {n|passt|passen} {n} {n|Dokument|Dokumente} ({ids}).",
);

/// Said where nothing was there, so that the upsert was needed.
const INSERTED: Words = Words::new(
    "No document matched, so the upsert made one ({ids}). Run again, the guard on `{array}` stops at {key}, and the upsert \
     makes another or meets a unique index: {n} {n|document matches|documents match} the rest of your filter now.",
    "Kein Dokument passte, also hat das Upsert eines angelegt ({ids}). Beim nächsten Mal greift die Sicherung an `{array}` \
     bei {key}, und das Upsert legt ein weiteres an oder stößt an einen eindeutigen Index: Zum Rest deines Filters {n|passt|passen} \
     jetzt {n} {n|Dokument|Dokumente}.",
);

fn sight(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>) -> Option<Sighting> {
    if !change.upsert || !["$push", "$addToSet"].contains(&target.operator) {
        return None;
    }
    let question = &change.question;
    let (guards, rest): (Vec<&Filter>, Vec<&Filter>) =
        conjuncts(&question.tree).iter().partition(|part| is_guard(part, &target.path));
    let key = refused(guards.first()?);
    let rest = Filter::And(rest.into_iter().cloned().collect()).normalised();
    let stopped = case.matching(question, &rest);
    let inserted =
        written(question).iter().find(|written| written.before.is_none()).and_then(|made| made.after.as_ref());
    let mut found = ids(&stopped);
    found.extend(inserted.map(|made| id(made)).filter(|made| !found.contains(made)));
    let refusal = change.refusal();
    let refused = refusal.is_some_and(|error| error.code == ErrorCode::DuplicateKey);
    let doubled = inserted.is_some() && found.len() > 1;
    let needed = inserted.is_some() && !doubled;
    let mut evidence: Vec<Evidence> = refusal
        .map(|error| Evidence::Refusal { code: error.code.number(), message: error.message.clone() })
        .into_iter()
        .collect();
    evidence.extend(inserted.map(|made| Evidence::Write { before: None, after: Document::try_from(&**made).ok() }));
    evidence.push(Evidence::Results { learner: found.clone(), meant: ids(&stopped) });
    if !refused && !doubled {
        let shows = |database: &Database| doubles(database, change, &rest);
        evidence.extend(made::shown_by(case, question.collection, question.command, &shows));
    }
    Some(Sighting {
        span: change.span(case, target),
        values: vec![
            ("array", target.name.to_owned()),
            ("key", key),
            ("n", found.len().to_string()),
            ("ids", found.iter().take(NAMED).map(|id| format!("_id {}", shown(id))).collect::<Vec<_>>().join(", ")),
        ],
        evidence,
        // Where the upsert made the first document, nothing would be written without it.
        fix: if needed { None } else { change.with_command(case, &unforced(change)) },
        words: if refused { Some(REFUSED) } else { needed.then_some(INSERTED) },
        level: if refused { Some(Level::Refused) } else { (!doubled).then_some(Level::Risk) },
        ..Sighting::default()
    })
}

/// Whether the upsert puts a document beside one that the rest of the filter finds.
fn doubles(database: &Database, change: &Change<'_>, rest: &Filter) -> bool {
    let question = &change.question;
    let Some(matcher) = question.matcher(rest) else { return false };
    let mut held =
        database.collection(question.collection).into_iter().flat_map(|held| held.scan(Direction::Ascending));
    let run = database.clone().run(question.command);
    let inserts = run.is_ok_and(|run| run.writes.documents.iter().any(|written| written.before.is_none()));
    inserts && held.any(|(_, document)| matcher.matches(document))
}

/// Whether a condition keeps out documents by what their array holds.
fn is_guard(part: &Filter, array: &Path) -> bool {
    let Filter::Not(inner) = part else { return false };
    matches!(&**inner, Filter::Field(predicate) if array.is_prefix_of(&predicate.path))
}

/// What the guard refuses, as the message names it.
fn refused(guard: &Filter) -> String {
    match guard {
        Filter::Not(inner) => refused(inner),
        Filter::Field(Predicate { test: Test::Compare(Comparison::Eq, value), .. }) => {
            value.as_str().map_or_else(|| shown(value), |text| format!("`{text}`"))
        }
        other => format!("`{}`", shown(&Bson::Document(crate::proof::written(other)))),
    }
}

/// The same command without the upsert.
fn unforced(change: &Change<'_>) -> Command {
    let mut command = change.question.command.clone();
    match &mut command {
        Command::Update(update) => update.spec.upsert = false,
        Command::FindAndModify(modify) => modify.upsert = false,
        _ => {}
    }
    command
}
