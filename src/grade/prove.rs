//! Proving a pack by running it: claims are true, starters fail, solutions pass, wrong answers are caught by what they name.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::claims;
use super::judge::{Judge, Settings};
use super::report::{Report, Row, Verdict};
use super::trial::Trial;
use crate::course::{Answer, Block, Code, Exercise, Lesson, Pack, Predict, Problem, Role};
use crate::engine::Database;
use crate::shell::{Limits, Shell};
use crate::value::Source;
use crate::words::Lang;

/// Proves a pack: its form, every lesson and every exercise, on all cores; `watch` is told what is done.
///
/// The faults come in the order of the pack, whatever core found them.
pub fn prove(pack: &Pack, seed: u64, watch: &(dyn Fn(&str) + Sync)) -> Vec<Problem> {
    let lessons = pack.lessons.iter().map(Part::Lesson);
    let parts: Vec<Part<'_>> = lessons.chain(pack.exercises.iter().map(Part::Exercise)).collect();
    let found = in_parallel(&parts, |part| {
        let problems = match part {
            Part::Lesson(lesson) => prove_lesson(lesson),
            Part::Exercise(exercise) => prove_exercise(exercise, seed),
        };
        watch(part.id());
        problems
    });
    let mut problems = pack.inspect();
    problems.extend(found.into_iter().flatten());
    problems
}

enum Part<'a> {
    Lesson(&'a Lesson),
    Exercise(&'a Exercise),
}

impl Part<'_> {
    fn id(&self) -> &str {
        match self {
            Self::Lesson(lesson) => &lesson.id,
            Self::Exercise(exercise) => &exercise.spec.id,
        }
    }
}

/// Does all jobs on all cores; the results stand in the order of the jobs.
pub(super) fn in_parallel<J: Sync, R: Send>(jobs: &[J], work: impl Fn(&J) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(jobs.len().max(1));
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(at) else { break };
                    let result = work(job);
                    done.lock().expect("no worker panics while it holds the list").push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no worker panics while it holds the list");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

fn prove_lesson(lesson: &Lesson) -> Vec<Problem> {
    let file = &lesson.en.file;
    let source = Source::seeded(1).with_clock(1_700_000_000_000);
    let Some(store) = super::lesson_store(&lesson.data, source) else {
        return vec![Problem::of_file(file, format!("there is no data set `{}`", lesson.data))];
    };
    let mut shell = Shell::new(store, Limits::default());
    let mut problems = Vec::new();
    for block in lesson.en.steps.iter().flat_map(|step| &step.blocks) {
        match block {
            Block::Code(code) if code.role != Role::Show => prove_code(&mut shell, file, code, &mut problems),
            Block::Predict(predict) => prove_prediction(&mut shell, file, predict, &mut problems),
            _ => {}
        }
    }
    problems
}

fn prove_code(shell: &mut Shell<Database>, file: &str, code: &Code, problems: &mut Vec<Problem>) {
    let trial = Trial::of_shell(shell, &code.text, Lang::En);
    let claims_error = code.claims.iter().any(|claim| matches!(claim, crate::course::Claim::Error(_)));
    match &trial.value {
        Err(failure) if !claims_error => {
            let (line, column) = failure.position(&code.text).unwrap_or((1, 1));
            problems.push(Problem::new(file, code.line + line, column, failure.message.clone()));
        }
        _ => {
            let false_ones = code.claims.iter().filter_map(|claim| claims::refuted(claim, &trial));
            problems.extend(false_ones.map(|why| Problem::new(file, code.line, 1, why)));
        }
    }
}

/// A prediction's statement runs, gives what is asked for, and its claims are true.
fn prove_prediction(shell: &mut Shell<Database>, file: &str, predict: &Predict, problems: &mut Vec<Problem>) {
    let mut say = |message: String| problems.push(Problem::new(file, predict.line, 1, message));
    let before = shell.host().clone();
    let outcome = shell.run(&predict.run);
    match &outcome.value {
        Err(failure) => say(failure.message.clone()),
        Ok(_) if super::predicted(predict.of, &outcome).is_none() => {
            say("a search is asked for, but nothing was searched".into());
        }
        Ok(_) => {
            let trial = Trial::of_outcome(&outcome, &before, &shell.host(), Lang::En);
            predict.claims.iter().filter_map(|claim| claims::refuted(claim, &trial)).for_each(say);
        }
    }
}

fn prove_exercise(exercise: &Exercise, seed: u64) -> Vec<Problem> {
    let judge = match Judge::new(exercise, Settings { seed, counter_examples: false, ..Settings::default() }) {
        Ok(judge) => judge,
        Err(problem) => return vec![problem],
    };
    let run = |text: &str| judge.judge(text, &mut |_| ());
    let mut problems = Vec::new();
    let starter = run(&exercise.starter);
    if starter.points == starter.max_points {
        let file = format!("exercises/{}/starter.js", exercise.folder);
        problems.push(Problem::of_file(&file, "the starter passes; it has to leave something to do"));
    }
    for answer in &exercise.solutions {
        let report = run(&answer.text);
        let failed = report.checks.iter().filter(|row| !matches!(row.verdict, Verdict::Pass | Verdict::Skipped));
        problems.extend(failed.map(|row| Problem::of_file(&answer.file, not_passed(row))));
    }
    for answer in &exercise.wrong {
        problems.extend(escaped(answer, &run(&answer.text)));
    }
    problems
}

/// What a solution does not pass; what needs that check is not told as well.
fn not_passed(row: &Row) -> String {
    let both = match (row.expected.as_str(), row.actual.as_str()) {
        ("", "") => String::new(),
        (expected, actual) => format!(" expected {expected} actual {actual}"),
    };
    format!("`{}` does not pass: {}{both}", row.id, row.message)
}

/// What should have caught a wrong answer and did not.
fn escaped(answer: &Answer, report: &Report) -> Vec<Problem> {
    let failed = |id: &String| {
        report.checks.iter().any(|row| row.id == *id && matches!(row.verdict, Verdict::Fail | Verdict::Partial))
    };
    let wanted = answer.caught_by.iter();
    wanted
        .filter(|id| !failed(id) && !report.findings.contains(id))
        .map(|id| {
            let caught: Vec<&str> = report
                .checks
                .iter()
                .filter(|row| row.verdict != Verdict::Pass)
                .map(|row| row.id.as_str())
                .chain(report.findings.iter().map(String::as_str))
                .collect();
            let by =
                if caught.is_empty() { "it passes".to_owned() } else { format!("caught by: {}", caught.join(", ")) };
            Problem::of_file(&answer.file, format!("`{id}` does not catch it; {by}"))
        })
        .collect()
}
