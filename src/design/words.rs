//! Bounds, stages and differences in plain words, in both languages.

use std::sync::Arc;

use crate::plan::{IndexBounds, IndexScan, Interval, OrderedIntervals, PlanNode, Projection, Stage, value_notation};
use crate::query::Filter;
use crate::value::calendar::short_iso_text;
use crate::value::{Bson, View, canonical_type};
use crate::words::{Lang, Words};

use super::compare::{Access, Cheaper, Comparison, Measure, Reason};

/// More values than this are counted, not listed.
const MOST_LISTED: usize = 4;

/// Fills a sentence from owned values.
pub(super) fn say(words: Words, lang: Lang, values: &[(&str, String)]) -> String {
    let values: Vec<_> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    words.fill(lang, &values)
}

/// The bounds of a scan: "k = ram, v from 8 to 32". A part that is not bounded is named as such.
#[must_use]
pub fn bounds_words(bounds: &IndexBounds, lang: Lang) -> String {
    if let Some(range) = &bounds.range {
        let text = |keys: &bson::Document| keys.values().map(value_words).collect::<Vec<_>>().join("/");
        let words = Words::new("keys from {start} to below {end}", "Schlüssel von {start} bis unter {end}");
        return say(words, lang, &[("start", text(&range.start)), ("end", text(&range.end))]);
    }
    let parts = bounds.parts.iter().map(|(path, intervals)| part_words(&path.dotted(), intervals, lang));
    parts.collect::<Vec<_>>().join(", ")
}

fn part_words(path: &str, intervals: &OrderedIntervals, lang: Lang) -> String {
    let name = if path == "$_path" { "path" } else { path.rsplit('.').next().unwrap_or(path) };
    if intervals.is_all() {
        return say(Words::new("any {name}", "{name} beliebig"), lang, &[("name", name.into())]);
    }
    let ascending = intervals.ascending();
    if path == "$_path"
        && ascending.0.len() > 1
        && let Some(exact) = ascending.0.iter().find(|interval| interval.is_point())
    {
        let words = Words::new("path = {path} or inside it", "path = {path} oder darin");
        return say(words, lang, &[("path", value_words(&exact.start))]);
    }
    if ascending.0.iter().all(Interval::is_point) {
        return points_words(name, &ascending.0, lang);
    }
    let list: Vec<_> = ascending.0.iter().map(|interval| interval_words(interval, lang)).collect();
    if list.len() > MOST_LISTED {
        let words = Words::new("{name} in {count intervals}", "{name} in {count Intervallen}");
        return say(words, lang, &[("name", name.into()), ("count", list.len().to_string())]);
    }
    format!("{name} {}", list.join(Words::new(" or ", " oder ").get(lang)))
}

fn points_words(name: &str, points: &[Interval], lang: Lang) -> String {
    if points.is_empty() {
        return say(Words::new("no {name}", "kein {name}"), lang, &[("name", name.into())]);
    }
    if points.len() > MOST_LISTED {
        let words = Words::new("{name} = one of {count values}", "{name} = einer von {count Werten}");
        return say(words, lang, &[("name", name.into()), ("count", points.len().to_string())]);
    }
    let values: Vec<_> = points.iter().map(|point| value_words(&point.start)).collect();
    format!("{name} = {}", values.join(Words::new(" or ", " oder ").get(lang)))
}

/// A value without quotes; a date without its time where that is midnight.
fn value_words(value: &Bson) -> String {
    match value {
        Bson::String(text) => text.clone(),
        Bson::DateTime(date) => {
            let text = short_iso_text(date.timestamp_millis());
            text.strip_suffix("T00:00:00Z").map(str::to_owned).unwrap_or(text)
        }
        Bson::Double(number) if number.is_finite() => number.to_string(),
        Bson::Int64(number) => number.to_string(),
        Bson::ObjectId(id) => id.to_hex(),
        other => value_notation(other),
    }
}

/// Whether nothing of the other end's type lies below this start.
fn is_floor(start: &Bson, end: &Bson) -> bool {
    match start {
        Bson::MinKey => true,
        Bson::Double(number) => number.is_nan() || *number == f64::NEG_INFINITY,
        Bson::String(text) => text.is_empty() && matches!(end, Bson::String(_) | Bson::Document(_)),
        Bson::DateTime(date) => date.timestamp_millis() == i64::MIN,
        _ => false,
    }
}

/// Whether nothing of the other end's type lies above this end.
fn is_ceiling(start: &Bson, end: &Bson) -> bool {
    match end {
        Bson::MaxKey => true,
        Bson::Double(number) => *number == f64::INFINITY,
        Bson::Document(document) => document.is_empty() && matches!(start, Bson::String(_)),
        Bson::DateTime(date) => date.timestamp_millis() == i64::MAX,
        _ => false,
    }
}

fn interval_words(interval: &Interval, lang: Lang) -> String {
    let Interval { start, end, start_inclusive, end_inclusive } = interval;
    if interval.is_point() {
        return format!("= {}", value_words(start));
    }
    let words = match (is_floor(start, end), is_ceiling(start, end), start_inclusive, end_inclusive) {
        (true, true, ..) => return type_words(start, end, lang),
        (true, false, _, true) => Words::new("at most {end}", "höchstens {end}"),
        (true, false, _, false) => Words::new("below {end}", "unter {end}"),
        (false, true, true, _) => Words::new("at least {start}", "mindestens {start}"),
        (false, true, false, _) => Words::new("above {start}", "über {start}"),
        (false, false, true, true) => Words::new("from {start} to {end}", "von {start} bis {end}"),
        (false, false, true, false) => Words::new("from {start} to below {end}", "von {start} bis unter {end}"),
        (false, false, false, true) => Words::new("above {start} up to {end}", "über {start} bis {end}"),
        (false, false, false, false) => Words::new("between {start} and {end}", "zwischen {start} und {end}"),
    };
    say(words, lang, &[("start", value_words(start)), ("end", value_words(end))])
}

fn type_words(start: &Bson, end: &Bson, lang: Lang) -> String {
    let words = match (canonical_type(View::from(start)), canonical_type(View::from(end))) {
        (10, 10) => Words::new("any number", "irgendeine Zahl"),
        (15, _) => Words::new("any text", "irgendein Text"),
        (45, 45) => Words::new("any date", "irgendein Datum"),
        _ => Words::new("anything", "beliebig"),
    };
    words.get(lang).to_owned()
}

/// What a stage does, in one sentence.
#[must_use]
pub fn stage_words(node: &PlanNode, lang: Lang) -> String {
    let tested = |filter: &Option<Arc<Filter>>| filter.as_deref().is_some_and(|own| *own != Filter::And(Vec::new()));
    let words = match &node.stage {
        Stage::Eof => Words::new("nothing can match", "nichts kann passen"),
        Stage::CollScan { filter, .. } if tested(filter) => {
            Words::new("reads every document and tests it", "liest jedes Dokument und prüft es")
        }
        Stage::CollScan { .. } => Words::new("reads every document", "liest jedes Dokument"),
        Stage::IdHack { .. } => Words::new("looks up one _id", "schlägt eine _id nach"),
        Stage::IxScan { scan, .. } => return scan_words(scan, lang),
        Stage::CountScan(scan) => {
            let words = Words::new("counts keys of {scan}", "zählt Schlüssel: {scan}");
            return say(words, lang, &[("scan", scan_words(scan, lang))]);
        }
        Stage::DistinctScan { scan, .. } => {
            let words = Words::new("jumps from value to value: {scan}", "springt von Wert zu Wert: {scan}");
            return say(words, lang, &[("scan", scan_words(scan, lang))]);
        }
        Stage::Fetch { filter } if tested(filter) => {
            Words::new("reads each document and tests the rest", "liest jedes Dokument und prüft den Rest")
        }
        Stage::Fetch { .. } => Words::new("reads each document", "liest jedes Dokument"),
        Stage::Or => Words::new("joins the scans, each document once", "vereint die Läufe, jedes Dokument einmal"),
        Stage::SortMerge { .. } => Words::new("merges sorted scans", "mischt sortierte Läufe"),
        Stage::Sort { .. } => Words::new("sorts in memory", "sortiert im Speicher"),
        Stage::Limit(_) => Words::new("stops after enough", "hört nach genug auf"),
        Stage::Skip(_) => Words::new("passes over the first", "übergeht die ersten"),
        Stage::Projection { kind: Projection::Covered, .. } => {
            Words::new("answers from the index alone", "antwortet allein aus dem Index")
        }
        Stage::Projection { .. } => Words::new("keeps what was asked for", "behält, was gefragt ist"),
        Stage::ReturnKey => Words::new("gives the index keys", "gibt die Index-Schlüssel"),
        Stage::Count => Words::new("counts", "zählt"),
        Stage::FastCount => Words::new("asks the collection for its size", "fragt die Collection nach ihrer Größe"),
        Stage::Subplan => Words::new("plans each branch by itself", "plant jeden Zweig für sich"),
        Stage::Update => Words::new("changes the documents", "ändert die Dokumente"),
        Stage::Delete => Words::new("deletes the documents", "löscht die Dokumente"),
    };
    words.get(lang).to_owned()
}

fn scan_words(scan: &IndexScan, lang: Lang) -> String {
    let values = [("index", scan.index.name.clone()), ("bounds", bounds_words(&scan.bounds, lang))];
    say(Words::new("reads {index} where {bounds}", "liest {index} mit {bounds}"), lang, &values)
}

/// Why one plan read less, as a clause.
#[must_use]
pub fn reason_words(reason: Reason, lang: Lang) -> &'static str {
    let words = match reason {
        Reason::Equal => Words::new("both read the same", "beide lesen gleich viel"),
        Reason::NoIndex => Words::new(
            "the other has no index for this question and reads every document",
            "das andere hat keinen Index für diese Frage und liest jedes Dokument",
        ),
        Reason::WholeIndex => Words::new("the other reads a whole index", "das andere liest einen ganzen Index"),
        Reason::KeyOnly => Words::new(
            "the other's index bounds hold only a part of the question",
            "die Indexgrenzen des anderen halten nur einen Teil der Frage",
        ),
        Reason::Covered => Words::new("it needs no document", "es braucht kein Dokument"),
        Reason::Multikey => Words::new(
            "the other reads several entries of one document",
            "das andere liest mehrere Einträge eines Dokuments",
        ),
        Reason::SeveralScans => Words::new("the other needs more scans", "das andere braucht mehr Läufe"),
        Reason::MoreDocuments => Words::new(
            "the other's answer is in more documents, and it reads no others",
            "die Antwort des anderen steht in mehr Dokumenten, und andere liest es nicht",
        ),
        Reason::MoreCandidates => {
            Words::new("the other has more candidates to read", "das andere hat mehr Kandidaten zu lesen")
        }
    };
    words.get(lang)
}

/// "1 key and 1 document".
pub(super) fn reads_words(measure: &Measure, lang: Lang) -> String {
    let keys = counted(measure.keys, Words::new("key", "Schlüssel"), Words::new("keys", "Schlüssel"), lang);
    let docs = counted(measure.docs, Words::new("document", "Dokument"), Words::new("documents", "Dokumente"), lang);
    match (measure.keys, measure.access) {
        (0, Access::CollectionScan) => docs,
        _ => format!("{keys}{}{docs}", Words::new(" and ", " und ").get(lang)),
    }
}

pub(super) fn counted(count: u64, one: Words, many: Words, lang: Lang) -> String {
    format!("{count} {}", if count == 1 { one } else { many }.get(lang))
}

/// The difference of two plans in one line: what each reads, which is cheaper, how much, and why.
#[must_use]
pub fn difference_line(left: &str, right: &str, comparison: &Comparison, lang: Lang) -> String {
    let mut values = vec![
        ("left", left.to_owned()),
        ("right", right.to_owned()),
        ("left_reads", reads_words(&comparison.left, lang)),
        ("right_reads", reads_words(&comparison.right, lang)),
        ("why", reason_words(comparison.reason, lang).to_owned()),
    ];
    let reads = |measure: &Measure| measure.keys + measure.docs;
    let (good, bad, name) = match comparison.cheaper {
        Cheaper::Neither => {
            let words = Words::new(
                "{left} and {right} read the same: {left_reads}",
                "{left} und {right} lesen gleich viel: {left_reads}",
            );
            return say(words, lang, &values);
        }
        Cheaper::Left => (reads(&comparison.left), reads(&comparison.right), left),
        Cheaper::Right => (reads(&comparison.right), reads(&comparison.left), right),
    };
    values.push(("name", name.to_owned()));
    values.push(("times", times(bad, good, lang)));
    let words = Words::new(
        "{left} reads {left_reads}, {right} reads {right_reads}: {name} is cheaper{times}; {why}",
        "{left} liest {left_reads}, {right} liest {right_reads}: {name} ist billiger{times}; {why}",
    );
    say(words, lang, &values)
}

/// ", 30 times less"; nothing where the cheaper one read nothing.
fn times(bad: u64, good: u64, lang: Lang) -> String {
    match super::compare::quotient(bad, good) {
        Some(times) if times >= 10.0 => {
            say(Words::new(" by {times times}", " um das {times}-Fache"), lang, &[("times", format!("{times:.0}"))])
        }
        Some(times) => {
            say(Words::new(" by {times times}", " um das {times}-Fache"), lang, &[("times", lang.decimal(times, 1))])
        }
        None => String::new(),
    }
}
