//! Which findings are shown: the heaviest three in full, the rest as a line each, nothing twice.

use std::collections::BTreeMap;

use super::finding::Finding;
use crate::shell::Note;

/// How many findings are shown in full.
pub const IN_FULL: usize = 3;

/// Said once per session, whatever the statement.
const ONCE: [&str; 1] = ["filter-does-not-trim-array"];

/// Those that speak of a name which is not in the data, as the shell's remarks do.
const OF_NAMES: [&str; 3] = ["path-repeated-inside-elemmatch", "key-spelling-variants", "labels-as-keys"];

/// The shell's remarks but for those on a name that a finding speaks of.
#[must_use]
pub fn remarks<'n>(notes: &'n [Note], findings: &[&Finding]) -> Vec<&'n Note> {
    let holds = |finding: &&&Finding, note: &Note| {
        let within = |span: &std::ops::Range<usize>| finding.span.start <= span.start && span.end <= finding.span.end;
        OF_NAMES.contains(&finding.id) && note.span.as_ref().is_some_and(within)
    };
    notes.iter().filter(|note| !findings.iter().any(|finding| holds(&finding, note))).collect()
}

/// Findings in the order of report, heaviest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// At most three, to be shown whole.
    pub full: Vec<Finding>,
    /// The others, to be shown as one line each.
    pub brief: Vec<Finding>,
    /// What this statement has shown before with the same words, to be shown as one line each.
    pub again: Vec<Finding>,
}

/// What has been shown for which statement; a finding comes again only when its numbers changed.
#[derive(Debug, Clone, Default)]
pub struct Shown(BTreeMap<(String, &'static str), String>);

/// Orders by level, then weight, then place in the text.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        a.level.cmp(&b.level).then(b.weight.cmp(&a.weight)).then(a.span.start.cmp(&b.span.start)).then(a.id.cmp(b.id))
    });
}

impl Shown {
    /// Splits sorted findings into full and brief, and sets apart what this statement has shown with the same words.
    pub fn report(&mut self, statement: &str, findings: Vec<Finding>) -> Report {
        let mut report = Report::default();
        for finding in findings {
            let once = ONCE.contains(&finding.id);
            let key = (if once { String::new() } else { statement.to_owned() }, finding.id);
            if self.0.get(&key).is_some_and(|shown| once || *shown == finding.message) {
                report.again.push(finding);
                continue;
            }
            self.0.insert(key, finding.message.clone());
            let list = if report.full.len() < IN_FULL { &mut report.full } else { &mut report.brief };
            list.push(finding);
        }
        report
    }
}
