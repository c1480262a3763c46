//! Lessons, exercises, packs and progress: what is taught, in which order, and how far a learner has come.
//!
//! A [`Pack`] is a folder of text: `lessons/` holds Markdown with front matter, `exercises/` one folder per exercise.
//! The built-in pack is compiled in; a teacher's own is read from disk by the same code. Nothing here runs a statement:
//! the `grade` room judges answers and proves packs.

mod claim;
mod exercise;
mod fence;
mod files;
mod glossary;
mod inspect;
mod lesson;
mod pack;
mod parse;
mod plain;
mod prediction;
mod problem;
mod progress;
mod review;
mod talk;
mod text;

pub use claim::Claim;
pub use exercise::{Answer, Check, CheckKind, Compare, Data, Exercise, Facts, OrderRule, Spec, Which};
pub use files::{Files, MAX_FILE_BYTES};
pub use glossary::{Glossary, Term};
pub use inspect::SCREENS;
pub use lesson::{Asked, Block, Choice, Code, Lesson, Predict, Question, Reading, Role, Step};
pub use pack::{FORMAT, Manifest, Pack};
pub use plain::{COLUMNS, LINES, plain_step, strip_markup};
pub use prediction::{Calibration, Confidence, Prediction};
pub use problem::Problem;
pub use progress::{Deed, ExerciseRecord, LessonRecord, Opened, Progress, ProgressFile, set_aside, write_by_rename};
pub use review::{Slip, due};
pub use talk::{Beat, Cue, Part, RecordHead, TalkRecord, expectations};
pub use text::Text;
