//! Many answers at once: a table, a heat map of findings, and groups of answers that look alike.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::export::{CSV_HEADER, clean, csv_line};
use super::judge::{Judge, Settings};
use super::prove::in_parallel;
use super::report::{Report, Row, Status, Verdict};
use super::submission::read_answer;
use crate::course::{Pack, Problem, write_by_rename};
use crate::pitfall::{Level, table};
use crate::words::{Lang, Words};

const CRASHED: Words = Words::new(
    "Grading this answer stopped unexpectedly; the others are not touched by it.",
    "Das Beurteilen dieser Antwort brach unerwartet ab; die anderen berührt das nicht.",
);
const TOTALS: Words = Words::new("Points in all:", "Punkte insgesamt:");
const HEAT: Words = Words::new("Findings, by how many answers:", "Befunde, nach Zahl der Antworten:");
const ALIKE: Words = Words::new(
    "Answers of the same form and plan (a hint, no verdict):",
    "Antworten gleicher Form mit gleichem Plan (ein Hinweis, kein Urteil):",
);
const SUMMARY: Words = Words::new(
    "{n} {n|answer|answers} of {students} {students|student|students}; {keys keys} and {docs documents} examined.",
    "{n} {n|Antwort|Antworten} von {students} Lernenden; {keys Schlüssel} und {docs Dokumente} gelesen.",
);

const NOT_ATTEMPTED: Words = Words::new("not attempted", "nicht versucht");
const UNGRADABLE: Words = Words::new("could not grade", "nicht bewertbar");

/// Letters of a name and of a form that the table for people shows.
const NAME: usize = 40;
const SHAPE: usize = 400;

/// One answer found in a folder of submissions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Submission {
    /// The student: the folder's name.
    pub student: String,
    /// The exercise's id.
    pub exercise: String,
    /// The file.
    pub file: PathBuf,
}

/// The answers `STUDENT/EXERCISE.js` below a folder, by student and in the pack's order; files named after no exercise are
/// left out. Where exercises are named, each student has an answer to each of them: one that is not there is not attempted.
///
/// # Errors
/// A folder that cannot be read.
pub fn submissions(pack: &Pack, folder: &Path, wanted: &[String]) -> std::io::Result<Vec<Submission>> {
    let mut students = Vec::new();
    for student in fs::read_dir(folder)? {
        let student = student?;
        if student.file_type()?.is_dir() && !is_hidden(&student.path()) {
            students.push((student.file_name().to_string_lossy().into_owned(), student.path()));
        }
    }
    students.sort();
    Ok(students.iter().flat_map(|(name, folder)| submission(pack, folder, name, wanted)).collect())
}

/// The answers of one student's folder to these exercises, or to all, in the pack's order; one that is named and not there
/// is not attempted. Of several files to one exercise the first by name is taken.
#[must_use]
pub fn submission(pack: &Pack, folder: &Path, student: &str, wanted: &[String]) -> Vec<Submission> {
    let mut files = BTreeMap::new();
    for file in listed(folder).into_iter().filter(|file| is_answer(file)) {
        if let Some(exercise) = pack.exercise(&stem(&file)) {
            files.entry(exercise.spec.id.as_str()).or_insert(file);
        }
    }
    let is_wanted = |id: &str| wanted.iter().any(|name| pack.exercise(name).is_some_and(|named| named.spec.id == id));
    let answer = |id: &str| {
        let file = files.remove(id);
        let taken = if wanted.is_empty() { file.is_some() } else { is_wanted(id) };
        let file = file.unwrap_or_else(|| folder.join(format!("{id}.js")));
        taken.then(|| Submission { student: student.to_owned(), exercise: id.to_owned(), file })
    };
    pack.exercises.iter().map(|exercise| exercise.spec.id.as_str()).filter_map(answer).collect()
}

/// What lies in a folder, by name.
fn listed(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    found.sort();
    found
}

fn stem(file: &Path) -> String {
    file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

fn is_answer(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "js")
}

/// What lies where answers should, and is none of those taken: a name with a slip, a link in place of a folder, a second
/// answer to one exercise.
#[must_use]
pub fn left_out(folder: &Path, answers: &[Submission]) -> Vec<PathBuf> {
    let is_folder = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir());
    let (students, mut out): (Vec<_>, Vec<_>) = listed(folder).into_iter().partition(is_folder);
    out.retain(|path| !is_hidden(path));
    let students = students.iter().filter(|student| !is_hidden(student));
    out.extend(students.flat_map(|student| left_in(student, answers)));
    out.sort();
    out
}

/// What lies in a student's folder and is none of the answers taken from it.
#[must_use]
pub fn left_in(folder: &Path, answers: &[Submission]) -> Vec<PathBuf> {
    let mut out = listed(folder);
    out.retain(|path| !is_hidden(path) && answers.iter().all(|answer| answer.file != *path));
    out
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// Grades all answers on all cores; a report that lies in `reports` already, for the same text and seed, is taken from there.
///
/// # Errors
/// An exercise whose data or model solution fail.
pub fn grade_all(
    pack: &Pack,
    answers: &[Submission],
    settings: &Settings,
    reports: Option<&Path>,
    watch: &(dyn Fn() + Sync),
) -> Result<Vec<Report>, Problem> {
    let wanted: BTreeSet<&str> = answers.iter().map(|answer| answer.exercise.as_str()).collect();
    let exercises: Vec<_> = wanted.into_iter().filter_map(|id| pack.exercise(id)).collect();
    let judges = in_parallel(&exercises, |exercise| Judge::new(exercise, settings.clone()));
    let mut by_id = BTreeMap::new();
    for judge in judges {
        let judge = judge?;
        by_id.insert(judge.exercise.spec.id.clone(), judge);
    }
    Ok(in_parallel(answers, |answer| {
        let report = grade_one(&by_id[&answer.exercise], answer, reports);
        watch();
        report
    }))
}

fn grade_one(judge: &Judge<'_>, answer: &Submission, reports: Option<&Path>) -> Report {
    let lang = judge.settings.lang;
    let name = answer.file.file_name().unwrap_or_default().to_string_lossy();
    let text = match read_answer(&answer.file, &name, lang) {
        Ok(text) => text,
        Err(error) => return named(judge.not_judged(error.status, &error.message), answer),
    };
    let path = reports.map(|folder| folder.join(format!("{}.{}.json", answer.student, answer.exercise)));
    let digest = super::judge::digest(&text);
    if let Some(earlier) = path.as_deref().and_then(|path| earlier(path, &digest, judge)) {
        return earlier;
    }
    let keep = |report: &Report| {
        if let Some(path) = &path {
            let _ = write_by_rename(path, named(report.clone(), answer).to_json().as_bytes());
        }
    };
    let graded = catch_unwind(AssertUnwindSafe(|| judge.grade(&text, &mut |report| keep(report))));
    let report = graded.unwrap_or_else(|_| judge.not_judged(Status::Ungradable, CRASHED.get(lang)));
    keep(&report);
    named(report, answer)
}

/// A finished report of the same answer, pack and seed.
fn earlier(path: &Path, digest: &str, judge: &Judge<'_>) -> Option<Report> {
    let report: Report = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    let same = report.answer == digest
        && report.seed == judge.settings.seed
        && report.pack == judge.settings.pack
        && report.status != Status::Running;
    same.then_some(report)
}

fn named(report: Report, answer: &Submission) -> Report {
    Report { student: answer.student.clone(), ..report }
}

/// Whether a pitfall is more than something to know about a right statement.
fn is_mistake(id: &str) -> bool {
    let light = |level: Level| matches!(level, Level::Surprise | Level::Hint);
    !table().any(|pitfall| pitfall.id == id && light(pitfall.level))
}

/// What a teacher reads after grading a class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassTable {
    /// One row per answer, by student and exercise.
    pub rows: Vec<ClassRow>,
    /// The sum of each student's points.
    pub totals: Vec<Total>,
    /// Per finding and exercise, how many answers show it; what is commonly misread in right answers is not counted.
    pub findings: BTreeMap<String, BTreeMap<String, usize>>,
    /// Groups of at least two students whose answers have the same form and plan, by exercise.
    pub alike: Vec<Alike>,
    /// Keys examined by all answers.
    pub keys: u64,
    /// Documents examined by all answers.
    pub docs: u64,
}

/// One answer in the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClassRow {
    /// The student.
    pub student: String,
    /// The exercise.
    pub exercise: String,
    /// How far grading came.
    pub status: Status,
    /// Points reached.
    pub points: u32,
    /// Points there were.
    pub max_points: u32,
    /// Why it was not graded; empty where it was.
    pub message: String,
    /// The checks that did not pass.
    pub failed: Vec<String>,
    /// What those checks ask.
    pub asked: Vec<String>,
}

/// What a student reached in all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Total {
    /// The student.
    pub student: String,
    /// Points reached.
    pub points: u32,
    /// Points there were.
    pub max_points: u32,
}

/// Answers that look alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Alike {
    /// The exercise.
    pub exercise: String,
    /// The form of the statements, values left out, and the stages of their plans.
    pub shape: String,
    /// Who gave them.
    pub students: Vec<String>,
}

impl ClassRow {
    /// What did not pass, or why nothing was judged.
    fn told(&self, lang: Lang) -> String {
        let judged = match self.status {
            Status::Graded | Status::Running => return self.asked.join("; "),
            Status::NotAttempted => NOT_ATTEMPTED,
            Status::Ungradable => UNGRADABLE,
        };
        format!("{}: {}", judged.get(lang), clean(&self.message, SHAPE))
    }

    /// Points of the most there are; none, where nothing was judged.
    fn points(&self) -> String {
        let points = if self.is_judged() { self.points.to_string() } else { "–".to_owned() };
        format!("{points}/{}", self.max_points)
    }

    fn is_judged(&self) -> bool {
        matches!(self.status, Status::Graded | Status::Running)
    }
}

impl ClassTable {
    /// Makes the table of graded answers.
    #[must_use]
    pub fn of(reports: &[Report]) -> Self {
        let rows: Vec<ClassRow> = reports.iter().map(row).collect();
        let totals = totals(&rows);
        let mut table = Self { rows, totals, findings: BTreeMap::new(), alike: Vec::new(), keys: 0, docs: 0 };
        let mut shapes: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for report in reports {
            table.keys += report.work.keys;
            table.docs += report.work.docs;
            for id in report.findings.iter().filter(|id| is_mistake(id)) {
                let of_finding = table.findings.entry(id.clone()).or_default();
                *of_finding.entry(report.exercise.clone()).or_default() += 1;
            }
            if !report.shape.is_empty() {
                let key = (report.exercise.clone(), report.shape.clone());
                shapes.entry(key).or_default().push(report.student.clone());
            }
        }
        let several = shapes.into_iter().filter(|(_, students)| students.len() > 1);
        table.alike = several.map(|((exercise, shape), students)| Alike { exercise, shape, students }).collect();
        table
    }

    /// The table for people.
    #[must_use]
    pub fn to_text(&self, lang: Lang) -> String {
        let mut out = String::new();
        let name = |student: &str| clean(&student.replace(['\n', '\t'], " "), NAME);
        let width = self.rows.iter().map(|row| name(&row.student).chars().count()).max().unwrap_or(0);
        for row in &self.rows {
            let (student, points, told) = (name(&row.student), row.points(), row.told(lang));
            let _ = writeln!(out, "{student:<width$}  {:<4} {points:>7}  {told}", row.exercise);
        }
        if self.rows.len() > self.totals.len() {
            let _ = writeln!(out, "\n{}", TOTALS.get(lang));
            for total in &self.totals {
                let points = format!("{}/{}", total.points, total.max_points);
                let _ = writeln!(out, "{:<width$}       {points:>7}", name(&total.student));
            }
        }
        if !self.findings.is_empty() {
            let _ = writeln!(out, "\n{}", HEAT.get(lang));
            for (id, counts) in &self.findings {
                let per: Vec<String> = counts.iter().map(|(exercise, n)| format!("{exercise} {n}")).collect();
                let _ = writeln!(out, "{:>4}  {id} ({})", counts.values().sum::<usize>(), per.join(", "));
            }
        }
        if !self.alike.is_empty() {
            let _ = writeln!(out, "\n{}", ALIKE.get(lang));
            for group in &self.alike {
                let _ = writeln!(
                    out,
                    "{:<4} {}\n     {}",
                    group.exercise,
                    name_list(&group.students),
                    clean(&group.shape, SHAPE)
                );
            }
        }
        let students: BTreeSet<&str> = self.rows.iter().map(|row| row.student.as_str()).collect();
        let answers = self.rows.iter().filter(|row| row.status != Status::NotAttempted).count();
        let numbers = [answers.to_string(), students.len().to_string(), self.keys.to_string(), self.docs.to_string()];
        let [n, students, keys, docs] = &numbers;
        let values = [("n", n.as_str()), ("students", students), ("keys", keys), ("docs", docs)];
        let _ = writeln!(out, "\n{}", SUMMARY.fill(lang, &values));
        out
    }

    /// The table as JSON.
    ///
    /// # Panics
    /// Never: a table has text keys only.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a table has text keys only") + "\n"
    }
}

/// Names in one line, harmless to a terminal.
fn name_list(students: &[String]) -> String {
    students.iter().map(|student| clean(student, NAME)).collect::<Vec<_>>().join(", ").replace('\n', " ")
}

/// The reports as a grade table.
#[must_use]
pub fn class_csv(reports: &[Report]) -> String {
    reports.iter().fold(format!("{CSV_HEADER}\n"), |table, report| table + &csv_line(report))
}

/// The sums by student, in the order of the rows.
fn totals(rows: &[ClassRow]) -> Vec<Total> {
    let mut totals: Vec<Total> = Vec::new();
    for row in rows {
        match totals.iter_mut().find(|total| total.student == row.student) {
            Some(total) => {
                total.points += row.points;
                total.max_points += row.max_points;
            }
            None => totals.push(Total { student: row.student.clone(), points: row.points, max_points: row.max_points }),
        }
    }
    totals
}

fn row(report: &Report) -> ClassRow {
    let failed: Vec<&Row> = report.checks.iter().filter(|row| row.verdict != Verdict::Pass).collect();
    ClassRow {
        student: report.student.clone(),
        exercise: report.exercise.clone(),
        status: report.status,
        message: report.message.clone(),
        points: report.points,
        max_points: report.max_points,
        failed: failed.iter().map(|row| row.id.clone()).collect(),
        asked: failed.iter().map(|row| row.name.clone()).collect(),
    }
}
