//! The same name twice in one object of a filter or an update: JavaScript sends only the last.

use std::ops::Range;

use super::once::{once, operators_once, repeats};
use crate::engine::Modify;
use crate::error::CommandPath;
use crate::pitfall::case::Case;
use crate::pitfall::entries::{Change, changed};
use crate::pitfall::pair::may_run_again;
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting, parts, question};
use crate::query::Filter;
use crate::shell::{Entry, Limits, NodeId, Shell, Syntax, parse};
use crate::value::{Document, RawDocumentBuf};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "duplicate-field-in-filter",
    level: Level::WrongResult,
    weight: 20,
    title: Words::new("Same field twice in one object", "Dasselbe Feld zweimal in einem Objekt"),
    explanation: Words::new(
        "JavaScript keeps only the last of two equal names, before the filter is ever sent. The first condition is lost \
         without a word.",
        "JavaScript behält von zwei gleichen Namen nur den letzten, noch bevor der Filter gesendet wird. Die erste Bedingung \
         geht wortlos verloren.",
    ),
    message: Words::new(
        "In one object {fields} {names|stands|stand} more than once, and only the last was sent: {n} \
         {n|condition was|conditions were} dropped: {clauses}.{equal| It says the same as the one sent, so one of the two \
         is redundant.|}",
        "In einem Objekt {names|steht|stehen} {fields} mehrmals, und nur das letzte wurde gesendet: {n} \
         {n|Bedingung fiel|Bedingungen fielen} weg: {clauses}.{equal| Sie sagt dasselbe wie die gesendete, eine von beiden \
         ist überflüssig.|}",
    ),
    cure: Words::new(
        "Put both operators into one object, ask for several elements with `$all`, or join the conditions with `$and`.",
        "Setze beide Operatoren in ein Objekt, verlange mehrere Elemente mit `$all` oder verbinde die Bedingungen mit `$and`.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "color"}}, specs: {$elemMatch: {k: "size"}}})"#,
    detect,
};

/// A literal in which something is named twice, a filter or the operators of an update, and the question it belongs to.
struct Twice<'c> {
    question: &'c Question<'c>,
    literal: NodeId,
    update: bool,
}

/// The names that one object literal has several times, each with its places.
type Names<'c> = Vec<(&'c str, Vec<Range<usize>>)>;

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    if case.script.repeated_keys().next().is_none() {
        return Vec::new();
    }
    let literal = |question: &Question<'_>, at: &CommandPath| {
        question.ran.places.literal(at).filter(|literal| repeats(case.script, *literal))
    };
    let filters = case
        .filters()
        .filter_map(|question| Some(Twice { question, literal: literal(question, &question.at)?, update: false }));
    let updates = case.questions().iter().filter(|question| matches!(question.modify(), Some(Modify::Operators(_))));
    let updates = updates.filter_map(|question| {
        Some(Twice { question, literal: literal(question, &CommandPath::argument("update"))?, update: true })
    });
    let mut twice: Vec<Twice<'_>> = Vec::new();
    for own in filters.chain(updates) {
        if !twice.iter().any(|held| held.literal == own.literal) {
            twice.push(own);
        }
    }
    let cured = cured(case, &twice);
    twice.iter().flat_map(|twice| sightings(case, twice, cured.as_deref())).collect()
}

/// The whole text with no name twice; none where one cannot be said otherwise, or a name stays repeated.
fn cured(case: &Case<'_>, twice: &[Twice<'_>]) -> Option<String> {
    let change = |twice: &Twice<'_>| {
        let with = if twice.update {
            operators_once(case.script, twice.literal)?
        } else {
            once(case, twice.question, twice.literal)?
        };
        Some(Change::new(case.script.node(twice.literal).span.clone(), with))
    };
    let text = changed(case.script.text(), twice.iter().map(change).collect::<Option<_>>()?)?;
    parse(&text).repeated_keys().next().is_none().then_some(text)
}

fn sightings(case: &Case<'_>, twice: &Twice<'_>, cured: Option<&str>) -> Vec<Sighting> {
    let within = &case.script.node(twice.literal).span;
    let mut objects: Vec<(NodeId, Names<'_>)> = Vec::new();
    for (object, key, spans) in case.script.repeated_keys() {
        let own = &case.script.node(object).span;
        if own.start < within.start || within.end < own.end {
            continue;
        }
        match objects.last_mut().filter(|(held, _)| *held == object) {
            Some((_, names)) => names.push((key, spans)),
            None => objects.push((object, vec![(key, spans)])),
        }
    }
    if twice.update {
        return objects.iter().filter_map(|(object, names)| written(case, twice, *object, names, cured)).collect();
    }
    let meant = cured.and_then(|text| asked_by(case, twice.question, text));
    objects
        .iter()
        .filter_map(|(object, names)| sight(case, twice.question, *object, names, cured.zip(meant.as_ref())))
        .collect()
}

/// A part of an update that was dropped, with the first document that was changed without it.
fn written(
    case: &Case<'_>,
    twice: &Twice<'_>,
    object: NodeId,
    names: &Names<'_>,
    cured: Option<&str>,
) -> Option<Sighting> {
    let told = told(case, object, names)?;
    let run = twice.question.ran.result.as_ref().ok()?;
    let document = |raw: &Option<RawDocumentBuf>| Document::try_from(&**raw.as_ref()?).ok();
    let write = run.writes.documents.first();
    let write = write.map(|own| Evidence::Write { before: document(&own.before), after: document(&own.after) });
    Some(Sighting {
        level: if told.equal { Some(Level::Hint) } else { write.is_none().then_some(Level::Risk) },
        evidence: write.into_iter().collect(),
        fix: cured.map(str::to_owned),
        span: told.span,
        values: told.values,
        ..Sighting::default()
    })
}

/// What is said of the names in one object.
struct Told {
    span: Range<usize>,
    values: Vec<(&'static str, String)>,
    /// Whether the one dropped says the same as the one sent.
    equal: bool,
}

fn told(case: &Case<'_>, object: NodeId, names: &Names<'_>) -> Option<Told> {
    let each: Vec<Vec<(&str, &str)>> = names.iter().map(|(key, _)| clauses(case, object, key)).collect();
    let same = |own: &Vec<(&str, &str)>| own.iter().all(|clause| clause.1 == own[0].1);
    let equal = each.iter().flatten().count() == 2 && each.iter().all(same);
    let dropped = each.iter().flat_map(|own| own.split_last().map_or(&[][..], |(_, dropped)| dropped));
    let dropped: Vec<String> = dropped.map(|(clause, _)| format!("`{clause}`")).collect();
    let fields: Vec<String> = names.iter().map(|(name, _)| format!("`{name}`")).collect();
    Some(Told {
        span: names.iter().filter_map(|(_, spans)| spans.last()).max_by_key(|span| span.start)?.clone(),
        values: vec![
            ("fields", fields.join(", ")),
            ("names", names.len().to_string()),
            ("n", dropped.len().to_string()),
            ("clauses", dropped.join(", ")),
            ("equal", u8::from(equal).to_string()),
        ],
        equal,
    })
}

fn sight(
    case: &Case<'_>,
    question: &Question<'_>,
    object: NodeId,
    names: &Names<'_>,
    cured: Option<(&str, &Filter)>,
) -> Option<Sighting> {
    let verdict = cured.and_then(|(_, meant)| Verdict::of(case, question, meant));
    let evidence = verdict.as_ref().map_or_else(
        || {
            let found = case.matching(question, &question.tree).len() as u64;
            vec![Evidence::Counts { of: question.collection.into(), counts: vec![("documents found".into(), found)] }]
        },
        |verdict| verdict.evidence(Vec::new()),
    );
    let told = told(case, object, names)?;
    Some(Sighting {
        span: told.span,
        values: told.values,
        evidence,
        fix: cured.map(|(text, _)| text.to_owned()),
        level: if told.equal { Some(Level::Hint) } else { verdict.and_then(|verdict| verdict.level()) },
        ..Sighting::default()
    })
}

/// The entries of a repeated key as they were typed, each with its value.
fn clauses<'c>(case: &Case<'c>, object: NodeId, key: &str) -> Vec<(&'c str, &'c str)> {
    let script = case.script;
    let Syntax::Object(entries) = &script.node(object).syntax else { return Vec::new() };
    let mine = entries.iter().filter(|entry| entry.key.as_deref() == Some(key));
    let clause = |entry: &Entry| {
        let value = entry.value?;
        Some((script.text().get(entry.key_span.start..script.node(value).span.end)?, script.source(value)))
    };
    mine.filter_map(clause).collect()
}

/// The filter that the cured text asks in the same place.
fn asked_by(case: &Case<'_>, question: &Question<'_>, text: &str) -> Option<Filter> {
    // Of a long text the first commands are not looked at, so the place is counted from the end.
    let behind =
        case.ran.iter().rev().position(|ran| std::ptr::eq(ran, question.ran)).filter(|_| may_run_again(case))?;
    let mut shell = Shell::new(case.before.clone(), Limits::default());
    let outcome = shell.run(text);
    let parted = parts::with_parts(&[], &outcome.ran, case.before, &shell.host());
    let all = parted.as_deref().unwrap_or(&outcome.ran);
    let asked = all.iter().rev().nth(behind).filter(|ran| ran.result.is_ok())?;
    let mut filters = question::of(asked).into_iter().chain(question::of_elements(asked));
    filters.find(|asked| asked.at == question.at).map(|asked| asked.tree)
}
