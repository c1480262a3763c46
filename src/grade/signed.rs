//! One learner's results in one signed file, and a class table of many: in any order the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::export::cell;
use crate::course::Progress;
use crate::words::{Lang, Words};

/// The file's own schema.
const SCHEMA: &str = "pegboard/progress/v1";
/// What the schemas of all versions begin with.
const FAMILY: &str = "pegboard/progress/";
const STUDENT: Words = Words::new("student", "Lernende");
const LESSONS: Words = Words::new("lessons", "Lektionen");
const POINTS: Words = Words::new("points", "Punkte");

/// SHA-256's block in bytes, for HMAC (RFC 2104).
const BLOCK: usize = 64;

/// One learner's results, signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signed {
    schema: String,
    /// The learner's name or id.
    pub name: String,
    /// The pack's id.
    pub pack: String,
    /// Lessons read to the end.
    pub lessons: BTreeSet<String>,
    /// Points reached and points there are, by exercise.
    pub exercises: BTreeMap<String, (u32, u32)>,
    /// HMAC-SHA-256 of everything above, as hexadecimal digits.
    signature: String,
}

/// Why a file is left out of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotSigned {
    /// It is no exported progress, or only a part of one.
    Damaged,
    /// Another version of the program wrote it; its schema.
    Version(String),
    /// Its content or its signature was changed, or another key signed it.
    Altered,
}

impl Signed {
    /// Signs what a learner has done. Without a class key it shows changes made by accident only.
    #[must_use]
    pub fn new(name: &str, progress: &Progress, key: &str) -> Self {
        let done = progress.lessons.iter().filter(|(_, lesson)| lesson.done);
        let points = progress.exercises.iter().map(|(id, record)| (id.clone(), (record.points, record.max_points)));
        let mut signed = Self {
            schema: SCHEMA.into(),
            name: name.into(),
            pack: progress.pack.clone(),
            lessons: done.map(|(id, _)| id.clone()).collect(),
            exercises: points.collect(),
            signature: String::new(),
        };
        signed.signature = signed.sign(key);
        signed
    }

    /// Reads a file.
    ///
    /// # Errors
    /// A file that is damaged, of another version, altered, or signed with another key.
    pub fn read(text: &str, key: &str) -> Result<Self, NotSigned> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|_| NotSigned::Damaged)?;
        match value["schema"].as_str() {
            Some(SCHEMA) => {}
            Some(other) if other.starts_with(FAMILY) => return Err(NotSigned::Version(other.to_owned())),
            _ => return Err(NotSigned::Damaged),
        }
        let signed: Self = serde_json::from_value(value).map_err(|_| NotSigned::Altered)?;
        if signed.signature == signed.sign(key) { Ok(signed) } else { Err(NotSigned::Altered) }
    }

    /// The file's text.
    ///
    /// # Panics
    /// Never: results have text keys only.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("results have text keys only") + "\n"
    }

    fn sign(&self, key: &str) -> String {
        let bare = Self { signature: String::new(), ..self.clone() };
        let message = serde_json::to_vec(&bare).expect("results have text keys only");
        hmac(key.as_bytes(), &message).iter().fold(String::new(), |mut digits, byte| {
            let _ = write!(digits, "{byte:02x}");
            digits
        })
    }
}

fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut block = [0; BLOCK];
    if key.len() > BLOCK {
        block[..32].copy_from_slice(&Sha256::digest(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let padded = |pad: u8| block.map(|byte| byte ^ pad);
    let inner = Sha256::new().chain_update(padded(0x36)).chain_update(message).finalize();
    Sha256::new().chain_update(padded(0x5c)).chain_update(inner).finalize().into()
}

/// A class: each learner once, by name, with the best of all files.
pub type ClassProgress = BTreeMap<String, Done>;

/// Lessons read to the end, and points reached and there to reach by exercise.
pub type Done = (BTreeSet<String>, BTreeMap<String, (u32, u32)>);

/// Puts many files together; their order does not matter.
#[must_use]
pub fn merge(files: Vec<Signed>) -> ClassProgress {
    let mut class = ClassProgress::new();
    for file in files {
        let (lessons, exercises) = class.entry(file.name).or_default();
        lessons.extend(file.lessons);
        for (id, (points, max)) in file.exercises {
            let best = exercises.entry(id).or_default();
            *best = (best.0.max(points), best.1.max(max));
        }
    }
    class
}

fn totals(exercises: &BTreeMap<String, (u32, u32)>) -> (u64, u64) {
    exercises.values().fold((0, 0), |sum, (points, max)| (sum.0 + u64::from(*points), sum.1 + u64::from(*max)))
}

/// A text from a file as it may go to a terminal.
fn harmless(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect()
}

/// The table for people.
#[must_use]
pub fn merged_text(class: &ClassProgress, lang: Lang) -> String {
    let [student, lessons, points] = [STUDENT, LESSONS, POINTS].map(|words| words.get(lang));
    let names = class.keys().map(|name| harmless(name).chars().count());
    let width = names.chain([student.chars().count()]).max().unwrap_or(0);
    let head = format!("{student:<width$}  {lessons:>9}  {points}\n");
    class.iter().fold(head, |mut out, (name, (done, exercises))| {
        let (reached, max) = totals(exercises);
        let each = exercises.iter().map(|(id, (points, max))| format!("{} {points}/{max}", harmless(id)));
        let each: Vec<String> = each.collect();
        let points = format!("{reached}/{max}");
        let line = format!("{:<width$}  {:>9}  {points:<9} {}", harmless(name), done.len(), each.join("  "));
        let _ = writeln!(out, "{}", line.trim_end());
        out
    })
}

/// The table with a column per exercise.
#[must_use]
pub fn merged_csv(class: &ClassProgress) -> String {
    let ids: BTreeSet<&String> = class.values().flat_map(|(_, exercises)| exercises.keys()).collect();
    let mut out = String::from("student,lessons,points,max_points");
    for id in &ids {
        let _ = write!(out, ",{}", cell(id));
    }
    out.push('\n');
    for (name, (lessons, exercises)) in class {
        let (points, max) = totals(exercises);
        let _ = write!(out, "{},{},{points},{max}", cell(name), lessons.len());
        for id in &ids {
            let points = exercises.get(*id).map(|(points, _)| points.to_string()).unwrap_or_default();
            let _ = write!(out, ",{points}");
        }
        out.push('\n');
    }
    out
}

/// The table as JSON.
///
/// # Panics
/// Never: a table has text keys only.
#[must_use]
pub fn merged_json(class: &ClassProgress) -> String {
    let rows: Vec<serde_json::Value> = class
        .iter()
        .map(|(name, (lessons, exercises))| serde_json::json!({"student": name, "lessons": lessons, "exercises": exercises}))
        .collect();
    serde_json::to_string_pretty(&rows).expect("a JSON value prints") + "\n"
}
