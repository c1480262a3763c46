//! A name with a dot in it becomes nested documents.

use super::change::{Change, Target, each_target, written};
use crate::engine::{Command, Modify, Update, UpdateSpec};
use crate::pitfall::elements::value_at;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::value::{Bson, Document, Path, View, array_index, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "dotted-update-creates-nesting",
    level: Level::WrongResult,
    weight: 12,
    title: Words::new("Dynamic key with a dot in an update", "Dynamischer Schlüssel mit Punkt in einer Änderung"),
    explanation: Words::new(
        "A dot in an update path always means nesting: a host, an e-mail address or a version is taken apart.",
        "Ein Punkt im Änderungspfad heißt immer Verschachtelung: Ein Hostname, eine E-Mail-Adresse oder eine Version wird \
         zerlegt.",
    ),
    message: Words::new(
        "The dots split the name into {n parts}: {segments}. _id {id} now holds {nested}.",
        "Die Punkte zerlegen den Namen in {n Teile}: {segments}. _id {id} enthält jetzt {nested}.",
    ),
    cure: Words::new(
        "Keep it as a value: `{k: \"example.com\", n: 1}`.",
        "Halte ihn als Wert: `{k: \"example.com\", n: 1}`.",
    ),
    example: r#"db.c.updateOne({_id: 1}, {$inc: {"hits.example.com": 1}}, {upsert: true})"#,
    detect: |case| each_target(case, sight),
};

/// Last parts of host and file names.
const ENDINGS: [&str; 30] = [
    "com", "org", "net", "edu", "gov", "io", "dev", "info", "biz", "app", "de", "uk", "fr", "at", "ch", "eu", "nl",
    "us", "example", "test", "local", "md", "txt", "json", "js", "html", "pdf", "png", "jpg", "csv",
];

/// Said where nothing was written.
const BY_CHANCE: Words = Words::new(
    "The dots would split the name into {n parts}: {segments}. No document was met this time.",
    "Die Punkte würden den Namen in {n Teile} zerlegen: {segments}. Diesmal wurde kein Dokument getroffen.",
);

fn sight(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>) -> Option<Sighting> {
    if !["$set", "$inc", "$mul", "$min", "$max", "$setOnInsert"].contains(&target.operator) {
        return None;
    }
    let parts = target.path.parts();
    if !(0..parts.len()).any(|from| looks_like_data(&parts[from..])) {
        return None;
    }
    let known = known(case, change, &target.path);
    let name = parts.get(known..).filter(|name| name.len() > 1 && looks_like_data(name))?;
    let head = Path::from_parts(parts[..known.max(1)].to_vec());
    let split = vec![
        ("n", name.len().to_string()),
        ("segments", name.iter().map(|part| format!("`{part}`")).collect::<Vec<_>>().join(", ")),
    ];
    let Some(written) = written(&change.question).iter().find(|written| written.after.is_some()) else {
        let idle = change.refusal().is_none() && !case.seen(&change.question).is_empty();
        return idle.then(|| Sighting {
            span: change.span(case, target),
            values: split,
            fix: cured(case, change, target, &head, name),
            level: Some(Level::Risk),
            words: Some(BY_CHANCE),
            ..Sighting::default()
        });
    };
    let after = written.after.as_ref()?;
    let nested = value_at(after, &head)?;
    value_at(after, &target.path)?;
    let before = written.before.as_ref().and_then(|before| Document::try_from(&**before).ok());
    Some(Sighting {
        span: change.span(case, target),
        values: split
            .into_iter()
            .chain([
                ("id", super::change::shown_id(after)),
                ("nested", format!("`{head}`: {}", crate::pitfall::case::shown(&nested.to_bson()))),
            ])
            .collect(),
        evidence: vec![Evidence::Write { before, after: Document::try_from(&**after).ok() }],
        fix: cured(case, change, target, &head, name),
        ..Sighting::default()
    })
}

/// How many parts of a path lead to something in some document as it was, without its last part; at least the first,
/// which is a field's own name.
fn known(case: &Case<'_>, change: &Change<'_>, path: &Path) -> usize {
    let documents = case.seen(&change.question);
    let prefix = |length: usize| Path::from_parts(path.parts()[..length].to_vec());
    let held = |length: &usize| documents.iter().any(|document| value_at(document, &prefix(*length)).is_some());
    (1..path.parts().len()).rev().find(held).unwrap_or(usize::from(path.parts().len() > 2))
}

/// Whether parts that stand together read as one value: an e-mail address, a host or file name, a number with a point.
fn looks_like_data(name: &[Box<str>]) -> bool {
    let Some((last, front)) = name.split_last() else { return false };
    let numeric = |part: &str| array_index(part).is_some();
    let ends_in_digit = |part: &str| part.ends_with(|c: char| c.is_ascii_digit());
    let decimal =
        name.windows(2).any(|pair| ends_in_digit(&pair[0]) && pair[1].starts_with(|c: char| c.is_ascii_digit()));
    let named = front.iter().all(|part| !numeric(part)) && ENDINGS.contains(&&**last);
    decimal || named || front.iter().any(|part| part.contains('@'))
}

/// The name as a value of an array's element: pushed where no element has it yet, then changed in place, so that a second
/// run finds it. None where something else than an array is there in any document, or the update does more.
fn cured(case: &Case<'_>, change: &Change<'_>, target: &Target<'_>, head: &Path, name: &[Box<str>]) -> Option<String> {
    let Command::Update(update) = change.question.command else { return None };
    let seen = case.seen(&change.question);
    let free = seen.iter().all(|document| matches!(value_at(document, head), None | Some(View::Array(_))));
    let whole = head.parts().len() < target.path.parts().len() && name.len() < target.path.parts().len();
    if !free || !whole || change.targets().count() > 1 || target.operator == "$setOnInsert" {
        return None;
    }
    let counts = ["$inc", "$mul"].contains(&target.operator);
    let value = if target.operator == "$inc" { "n" } else { "v" };
    let (head, name) = (head.to_string(), name.join("."));
    let first = if counts { Bson::Int32(0) } else { target.operand.clone() };
    let key = format!("{head}.k");
    let with = |asked: Option<(&str, Bson)>, modify: Document, upsert: bool| {
        let mut filter = update.spec.filter.clone();
        if let Some((path, test)) = asked
            && filter.insert(path, test).is_some()
        {
            return None;
        }
        let spec = UpdateSpec { filter, modify: Modify::Operators(modify), upsert, ..update.spec.clone() };
        Some(Command::Update(Update { spec, ..update.clone() }))
    };
    let made = update.spec.upsert.then(|| with(None, doc! {"$setOnInsert": {&head: []}}, true));
    let pushed = doc! {"$push": {&head: {"k": &name, value: first}}};
    let changed = doc! {target.operator: {format!("{head}.$.{value}"): target.operand.clone()}};
    let steps = [
        with(Some((&key, doc! {"$ne": &name}.into())), pushed, false)?,
        with(Some((&key, name.into())), changed, false)?,
    ];
    let commands: Vec<Command> = made.into_iter().flatten().chain(steps).collect();
    change.with_commands(case, &commands)
}
