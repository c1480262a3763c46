//! What a learner has done, kept in one readable file that is written by rename and never lost to damage.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::lesson::Lesson;
use super::prediction::{Calibration, Prediction};
use super::review::Slip;

/// The format of the progress file.
const FORMAT: u32 = 1;

/// What a learner has done in one pack.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// The file's format.
    pub format: u32,
    /// The pack's id.
    pub pack: String,
    /// The lesson to resume at.
    pub at: String,
    /// Lessons by id.
    pub lessons: BTreeMap<String, LessonRecord>,
    /// Exercises by id.
    pub exercises: BTreeMap<String, ExerciseRecord>,
    /// Predictions in the order they were made.
    pub predictions: Vec<Prediction>,
    /// Slips by finding id.
    pub slips: BTreeMap<String, Slip>,
}

impl Default for Progress {
    fn default() -> Self {
        Self {
            format: FORMAT,
            pack: String::new(),
            at: String::new(),
            lessons: BTreeMap::new(),
            exercises: BTreeMap::new(),
            predictions: Vec::new(),
            slips: BTreeMap::new(),
        }
    }
}

/// How far a lesson has been read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LessonRecord {
    /// The step to resume at, from 0.
    pub step: usize,
    /// Whether the last step has been reached and something was done on the way, or the placement says it is known.
    pub done: bool,
    /// Whether a statement was run in it or a question answered.
    pub tried: bool,
    /// The half-typed statement.
    pub draft: String,
}

impl LessonRecord {
    /// A step has been reached; at the last one the lesson is done, unless it has something to do and nothing was.
    pub fn reached(&mut self, lesson: &Lesson, step: usize) {
        self.step = step;
        self.done |= step + 1 == lesson.en.steps.len() && (self.tried || !lesson.has_work());
    }
}

/// What came of an exercise.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExerciseRecord {
    /// The best points reached.
    pub points: u32,
    /// The points there are.
    pub max_points: u32,
    /// How often it was graded.
    pub attempts: u32,
    /// Hints shown.
    pub hints: u32,
    /// Whether the work was shown before it was passed, which costs the points.
    pub shown: bool,
    /// The half-typed answer.
    pub draft: String,
}

impl ExerciseRecord {
    /// Counts an attempt; points reached after the work was shown do not count.
    pub fn attempt(&mut self, points: u32, max_points: u32) {
        self.attempts += 1;
        self.max_points = max_points;
        if !self.shown {
            self.points = self.points.max(points);
        }
    }

    /// The work is shown before it was passed: what was reached so far stays, more cannot be reached.
    pub fn give_up(&mut self, max_points: u32) {
        self.max_points = max_points;
        self.shown = true;
    }

    /// Whether all points were reached.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.max_points > 0 && self.points == self.max_points
    }
}

/// Something a learner did that concerns more than the place it was done at.
///
/// Deeds are kept until they are written, so that two windows add to one file and neither loses what the other did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// A prediction was made.
    Predicted(Prediction),
    /// A slip was made.
    Slipped {
        /// The finding's id.
        finding: String,
        /// The lesson or exercise.
        place: String,
        /// What was typed.
        text: String,
        /// The day, in days since 1970.
        today: i64,
    },
    /// A slip came back and was not made again.
    Reviewed {
        /// The finding's id.
        finding: String,
        /// The day, in days since 1970.
        today: i64,
    },
    /// The placement says that a lesson is known.
    Known(String),
}

impl Progress {
    /// Notes a deed.
    pub fn note(&mut self, deed: &Deed) {
        match deed {
            Deed::Predicted(prediction) => self.predictions.push(prediction.clone()),
            Deed::Slipped { finding, place, text, today } => {
                let slip = self.slips.entry(finding.clone()).or_default();
                slip.made(place, text, *today);
            }
            Deed::Reviewed { finding, today } => {
                if let Some(slip) = self.slips.get_mut(finding) {
                    slip.passed(*today);
                }
            }
            Deed::Known(lesson) => self.lessons.entry(lesson.clone()).or_default().done = true,
        }
    }

    /// The prediction made at a step; the first, since a later one knows the answer.
    #[must_use]
    pub fn prediction(&self, lesson: &str, step: usize) -> Option<&Prediction> {
        self.predictions.iter().find(|made| made.lesson == lesson && made.step == step)
    }

    /// The sum of all predictions' scores.
    #[must_use]
    pub fn prediction_score(&self) -> i32 {
        self.predictions.iter().map(Prediction::score).sum()
    }

    /// The predictions of each confidence, the lowest first.
    #[must_use]
    pub fn calibration(&self) -> [Calibration; 3] {
        Calibration::of(&self.predictions)
    }
}

/// The progress file with its place on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgressFile {
    path: PathBuf,
}

/// What opening the progress file gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Opened {
    /// The progress, fresh where there was none.
    pub progress: Progress,
    /// Where a damaged file was set aside.
    pub set_aside: Option<PathBuf>,
    /// The format of a file that a newer program wrote; it is neither read nor changed.
    pub newer: Option<u64>,
}

impl ProgressFile {
    /// The progress file at this path.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the file; a damaged one is renamed to `….damaged-N` and never overwritten, a newer one is left alone.
    ///
    /// # Errors
    /// A file that cannot be read or set aside.
    pub fn open(&self) -> io::Result<Opened> {
        let fresh = Opened { progress: Progress::default(), set_aside: None, newer: None };
        let text = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(fresh),
            Err(error) => return Err(error),
        };
        let value: Option<Value> = serde_json::from_slice(&text).ok().filter(Value::is_object);
        let format = value.as_ref().map(|value| value.get("format").map_or(Some(u64::from(FORMAT)), Value::as_u64));
        if let Some(Some(newer)) = format
            && newer > u64::from(FORMAT)
        {
            return Ok(Opened { newer: Some(newer), ..fresh });
        }
        match value.and_then(|value| serde_json::from_value::<Progress>(value).ok()) {
            Some(progress) if progress.format == FORMAT => Ok(Opened { progress, ..fresh }),
            _ => Ok(Opened { set_aside: Some(set_aside(&self.path)?), ..fresh }),
        }
    }

    /// Changes the file under a lock: what another window wrote meanwhile is read first, so nothing of it is lost.
    ///
    /// # Errors
    /// A folder that cannot be written, and a file that a newer program wrote.
    pub fn update(&self, change: impl FnOnce(&mut Progress)) -> io::Result<Progress> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let lock = File::create(self.path.with_extension("lock"))?;
        lock.lock()?;
        let opened = self.open()?;
        if let Some(newer) = opened.newer {
            return Err(io::Error::other(format!(
                "format {newer} is newer than this program; the file stays as it is"
            )));
        }
        let mut progress = opened.progress;
        change(&mut progress);
        write_by_rename(&self.path, &to_json(&progress))?;
        Ok(progress)
    }
}

/// Renames a damaged file to `….damaged-N`, a name that was free, and tells it.
///
/// # Errors
/// A folder that cannot be written.
pub fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let named = |number: u32| path.with_extension(format!("damaged-{number}"));
    let free = (1..u32::MAX).map(named).find(|path| !path.exists()).unwrap_or_else(|| named(0));
    fs::rename(path, &free)?;
    Ok(free)
}

/// Writes a file so that a reader sees the old or the new one, whole. A link stays a link; what is no file, such as a pipe or
/// a device, is written to.
///
/// # Errors
/// A folder that cannot be written.
pub fn write_by_rename(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = path.canonicalize();
    let path = target.as_deref().unwrap_or(path);
    if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return std::fs::OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn to_json(progress: &Progress) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(progress).expect("progress has text keys only");
    text.push(b'\n');
    text
}
