//! An average per month over everybody, where each document belongs to one owner.

use std::collections::{BTreeMap, BTreeSet};

use super::pipe::{Pipe, each_pipe, reads, stage};
use crate::engine::Database;
use crate::pitfall::case::shown;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Sighting};
use crate::value::{Bson, Document, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "group-mixes-owners",
    level: Level::WrongResult,
    weight: 8,
    title: Words::new("Average over everybody", "Mittelwert über alle"),
    explanation: Words::new(
        "A group by a part of time alone holds the values of everyone who was measured then.",
        "Eine Gruppe allein nach einem Zeitabschnitt enthält die Werte aller, die damals gemessen wurden.",
    ),
    message: Words::new(
        "The group {group} mixes {n values} of `{owner}`: {owners}. In all, {m groups} {m|is|are} mixed.",
        "Die Gruppe {group} mischt {n Werte} von `{owner}`: {owners}. Insgesamt {m|ist|sind} {m Gruppen} gemischt.",
    ),
    cure: Words::new(
        "`$match` one owner first, or put the owner into `_id`.",
        "Wähle zuerst mit `$match` eine Person, oder nimm sie in `_id` auf.",
    ),
    example: r#"db.c.aggregate([{$group: {_id: {$substr: ["$date", 0, 6]}, avg: {$avg: "$steps"}}}])"#,
    detect: |case| each_pipe(case, sight),
};

/// Names of fields that say to whom a measurement belongs.
const OWNERS: [&str; 12] = [
    "person", "walker", "user", "owner", "customer", "patient", "member", "employee", "athlete", "student", "device",
    "sensor",
];

/// Operators that take a part of a time or a text.
const PARTS: [&str; 10] = [
    "$substr",
    "$substrBytes",
    "$substrCP",
    "$dateToString",
    "$dateTrunc",
    "$month",
    "$year",
    "$week",
    "$isoWeek",
    "$dayOfMonth",
];

/// Said where each group holds one owner's values so far.
const BY_CHANCE: Words = Words::new(
    "The groups do not tell {n values} of `{owner}` apart; {m groups} {m|holds|hold} those of more than one so far.",
    "Die Gruppen unterscheiden die {n Werte} von `{owner}` nicht; bisher {m|enthält|enthalten} {m Gruppen} die von mehr als einem.",
);

/// Said where every owner weighs the same in each group.
const EVEN: Words = Words::new(
    "The group {group} mixes {n} {n|value|values} of `{owner}`: {owners}. Each of them has as many values there, so that the average is \
     that of their averages.",
    "Die Gruppe {group} mischt {n} {n|Wert|Werte} von `{owner}`: {owners}. Jeder davon hat dort gleich viele Werte, der Mittelwert ist \
     also der ihrer Mittelwerte.",
);

fn sight(case: &Case<'_>, pipe: &Pipe<'_>) -> Option<Sighting> {
    let stages = pipe.stages();
    let at = stages.iter().position(|document| stage(document).0 == "$group")?;
    let group = stages[at].get_document("$group").ok()?;
    let key = group.get("_id")?;
    let averages = group.values().any(|value| value.as_document().is_some_and(|value| value.contains_key("$avg")));
    let owner = owner(case, pipe.collection)?;
    if !averages || reads(key, &owner) || !is_part_of_time(key, &stages[..at]) {
        return None;
    }
    let front = owned(&stages[..at], &owner);
    let pair = doc! {"group": key.clone(), "owner": format!("${owner}")};
    let both = doc! {"$group": {"_id": pair, "d": {"$first": "$_id"}, "n": {"$sum": 1}}};
    let told: Vec<Document> = front.iter().cloned().chain([both]).collect();
    let rows = pipe.tried(case, told.clone())?;
    let (mixed, owners) = (mixed(&rows), owners_of(&rows));
    let mut operand = group.clone();
    operand.insert("_id", doc! {&owner: format!("${owner}"), "group": key.clone()});
    let cured: Vec<Document> =
        front.into_iter().chain([doc! {"$group": operand}]).chain(stages[at + 1..].iter().cloned()).collect();
    let mut evidence = vec![Evidence::Counts {
        of: owner.clone(),
        counts: mixed.iter().map(|(group, owners)| (group.clone(), owners.len() as u64)).collect(),
    }];
    let sighting = Sighting { span: pipe.span(case, at), fix: pipe.with_pipeline(case, &cured), ..Sighting::default() };
    let uneven = |mixed: &Groups| mixed.iter().find(|(_, owners)| !is_even(owners)).map(|(name, _)| name.clone());
    let Some((name, listed)) =
        uneven(&mixed).and_then(|name| mixed.get_key_value(&name)).or_else(|| mixed.iter().next())
    else {
        let mixes =
            |database: &Database| pipe.on(database, told.clone()).is_some_and(|rows| !self::mixed(&rows).is_empty());
        evidence.extend(pipe.made(case, &mixes));
        return (owners > 1).then(|| Sighting {
            values: vec![("n", owners.to_string()), ("owner", owner), ("m", "0".into())],
            evidence,
            level: Some(Level::Risk),
            words: Some(BY_CHANCE),
            span: sighting.span,
            ..Sighting::default()
        });
    };
    let fair = is_even(listed);
    if fair {
        let is_uneven = |database: &Database| {
            pipe.on(database, told.clone()).is_some_and(|rows| uneven(&self::mixed(&rows)).is_some())
        };
        evidence.extend(pipe.made(case, &is_uneven));
    } else {
        evidence.extend(listed.iter().take(2).filter_map(|owner| pipe.stored(case, &owner.document)));
    }
    Some(Sighting {
        values: vec![
            ("group", name.clone()),
            ("n", listed.len().to_string()),
            ("owner", owner),
            ("owners", listed.iter().take(5).map(|own| shown(&own.name)).collect::<Vec<_>>().join(", ")),
            ("m", mixed.len().to_string()),
        ],
        evidence,
        level: fair.then_some(Level::Risk),
        words: fair.then_some(EVEN),
        // Who asks for everybody's average has it.
        fix: sighting.fix.filter(|_| !fair),
        ..Sighting::default()
    })
}

/// How many owners the rows speak of.
fn owners_of(rows: &[Document]) -> usize {
    let keys = rows.iter().filter_map(|row| row.get_document("_id").ok()?.get("owner").map(shown));
    keys.collect::<BTreeSet<_>>().len()
}

/// A top-level field of every document that names its owner, by its own name or with `Id` behind.
fn owner(case: &Case<'_>, collection: &str) -> Option<String> {
    let profile = case.profile(collection)?;
    let of_all = |name: &String| profile.path(name).is_some_and(|facts| facts.documents == profile.documents());
    let named = OWNERS.iter().flat_map(|name| [(*name).to_owned(), format!("{name}Id"), format!("{name}_id")]);
    named.into_iter().find(of_all)
}

/// Whether a group key is a part of a time, taken here or in a stage before.
fn is_part_of_time(key: &Bson, before: &[Document]) -> bool {
    let made = |name: &str| {
        before.iter().any(|document| {
            let fields = ["$project", "$set", "$addFields"].iter().find_map(|stage| document.get_document(stage).ok());
            fields.and_then(|fields| fields.get(name)).is_some_and(takes_part)
        })
    };
    let field = |key: &Bson| key.as_str().and_then(|path| path.strip_prefix('$')).is_some_and(made);
    takes_part(key)
        || field(key)
        || key.as_document().is_some_and(|parts| parts.values().all(|part| takes_part(part) || field(part)))
}

fn takes_part(expression: &Bson) -> bool {
    expression.as_document().is_some_and(|document| document.keys().any(|name| PARTS.contains(&name.as_str())))
}

/// The stages with the owner kept by projections that name what they keep.
fn owned(stages: &[Document], owner: &str) -> Vec<Document> {
    let keeping = |document: &Document| {
        let mut document = document.clone();
        if let Ok(fields) = document.get_document_mut("$project") {
            fields.insert(owner, 1);
        }
        document
    };
    stages.iter().map(keeping).collect()
}

/// An owner in a group.
struct Owner {
    name: Bson,
    /// The `_id` of a document.
    document: Bson,
    /// How many values the owner has there.
    values: Bson,
}

/// Owners by group.
type Groups = BTreeMap<String, Vec<Owner>>;

/// Whether all owners of a group have as many values there.
fn is_even(owners: &[Owner]) -> bool {
    owners.windows(2).all(|pair| pair[0].values == pair[1].values)
}

/// The groups with more than one owner.
fn mixed(rows: &[Document]) -> Groups {
    let mut groups = Groups::new();
    for row in rows {
        let Ok(key) = row.get_document("_id") else { continue };
        let (Some(group), Some(name)) = (key.get("group"), key.get("owner")) else { continue };
        let of_row = |field: &str| row.get(field).cloned().unwrap_or(Bson::Null);
        let owner = Owner { name: name.clone(), document: of_row("d"), values: of_row("n") };
        groups.entry(shown(group)).or_default().push(owner);
    }
    groups.retain(|_, owners| owners.len() > 1);
    groups
}
