//! A pack: lessons, exercises, glossary and placement, in the order its manifest gives.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use super::exercise::Exercise;
use super::files::Files;
use super::glossary::Glossary;
use super::lesson::{Block, Lesson, Question, Reading};
use super::parse::{self, toml_block};
use super::problem::Problem;
use super::text::Text;
use crate::words::Lang;

/// The pack format this program reads.
pub const FORMAT: u32 = 1;

const MANIFEST: &str = "lessons/pack.toml";
const PLACEMENT: &str = "placement";

/// `lessons/pack.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format, [`FORMAT`].
    pub format: u32,
    /// The pack's id, in reports.
    pub id: String,
    /// The pack's version, in reports.
    pub version: String,
    /// The title.
    pub title: Text,
    /// Lesson ids in course order.
    pub lessons: Vec<String>,
    /// Exercise folders in course order.
    pub exercises: Vec<String>,
}

impl Manifest {
    /// The id with the version, as reports name a pack.
    #[must_use]
    pub fn name_and_version(&self) -> String {
        format!("{}@{}", self.id, self.version)
    }
}

/// A course.
#[derive(Debug, Clone, PartialEq)]
pub struct Pack {
    /// The manifest.
    pub manifest: Manifest,
    /// The lessons in course order.
    pub lessons: Vec<Lesson>,
    /// The exercises in course order.
    pub exercises: Vec<Exercise>,
    /// The glossary.
    pub glossary: Glossary,
    /// The placement questions; empty where the pack has none.
    pub placement: Option<Lesson>,
    /// The files it was read from, to place faults.
    pub(super) files: Files,
}

impl Pack {
    /// The course compiled into the program.
    ///
    /// # Errors
    /// Faults of its files; the tests prove that there are none.
    pub fn built_in() -> Result<Self, Vec<Problem>> {
        Self::from_files(&Files::built_in())
    }

    /// A teacher's pack: a folder with `lessons/` and `exercises/`.
    ///
    /// # Errors
    /// All faults of its files, placed.
    pub fn open(root: &Path) -> Result<Self, Vec<Problem>> {
        Self::from_files(&Files::read(root)?)
    }

    /// Reads a pack from its files.
    ///
    /// # Errors
    /// All faults, placed.
    pub fn from_files(files: &Files) -> Result<Self, Vec<Problem>> {
        let manifest = manifest(files).map_err(|problem| vec![problem])?;
        let mut problems = listed(&manifest, files);
        let mut keep = |error: Vec<Problem>| problems.extend(error);
        let lessons: Vec<Lesson> =
            manifest.lessons.iter().filter_map(|id| lesson(files, id).map_err(&mut keep).ok()).collect();
        let read = |folder: &String| Exercise::read(files, folder);
        let exercises: Vec<Exercise> =
            manifest.exercises.iter().filter_map(|folder| read(folder).map_err(&mut keep).ok()).collect();
        let glossary = Glossary::read(files).map_err(|problem| keep(vec![problem])).unwrap_or_default();
        let placement = files.get("lessons/placement.md").map(|_| lesson(files, PLACEMENT));
        let placement = placement.and_then(|read| read.map_err(&mut keep).ok());
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Self { manifest, lessons, exercises, glossary, placement, files: files.clone() })
    }

    /// A lesson by its id.
    #[must_use]
    pub fn lesson(&self, id: &str) -> Option<&Lesson> {
        self.lessons.iter().find(|lesson| lesson.id == id)
    }

    /// An exercise by its id or folder, capitals or not.
    #[must_use]
    pub fn exercise(&self, id: &str) -> Option<&Exercise> {
        self.exercises.iter().find(|known| known.spec.id.eq_ignore_ascii_case(id) || known.folder == id)
    }

    /// The placement questions with the lesson each speaks for.
    #[must_use]
    pub fn placement_questions(&self, lang: Lang) -> Vec<(&str, &Question)> {
        let steps = self.placement.iter().flat_map(|lesson| &lesson.reading(lang).steps);
        steps
            .flat_map(|step| &step.blocks)
            .filter_map(|block| match block {
                Block::Question(question) => Some((question.lesson.as_str(), question)),
                _ => None,
            })
            .collect()
    }

    /// The lessons that the choices made at the placement's questions show to be known: those whose questions were all
    /// answered rightly.
    #[must_use]
    pub fn known(&self, lang: Lang, chosen: &[Option<usize>]) -> Vec<String> {
        let questions = self.placement_questions(lang);
        let asked: BTreeSet<&str> = questions.iter().map(|(lesson, _)| *lesson).collect();
        let right = |question: &Question, chosen: Option<usize>| {
            chosen.and_then(|chosen| question.choices.get(chosen)).is_some_and(|choice| choice.right)
        };
        let missed = |at: usize, question: &Question| !right(question, chosen.get(at).copied().flatten());
        let unknown: BTreeSet<&str> = questions
            .iter()
            .enumerate()
            .filter_map(|(at, (lesson, question))| missed(at, question).then_some(*lesson))
            .collect();
        let lessons = self.lessons.iter().map(|lesson| lesson.id.as_str());
        lessons.filter(|id| asked.contains(id) && !unknown.contains(id)).map(str::to_owned).collect()
    }
}

fn manifest(files: &Files) -> Result<Manifest, Problem> {
    let text = files.get(MANIFEST).ok_or_else(|| Problem::of_file(MANIFEST, "a pack needs this file"))?;
    let manifest: Manifest = toml_block(MANIFEST, text, 1)?;
    if manifest.format != FORMAT {
        let message = format!("format {} is not known; this program reads format {FORMAT}", manifest.format);
        return Err(Problem::of_file(MANIFEST, message));
    }
    Ok(manifest)
}

/// The manifest's names are names, each once, and every lesson and exercise in the folders is named.
fn listed(manifest: &Manifest, files: &Files) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (what, names) in [("lesson", &manifest.lessons), ("exercise", &manifest.exercises)] {
        for (at, name) in names.iter().enumerate() {
            let mut say =
                |why: &str| problems.push(files.fault(MANIFEST, 1, &format!("\"{name}\""), format!("`{name}` {why}")));
            if name.is_empty() || !name.bytes().all(is_name_byte) {
                say("is no name: use a-z, 0-9, `-` and `_`");
            } else if name == PLACEMENT && what == "lesson" {
                say("holds the placement questions and is no lesson of the course");
            } else if names[..at].contains(name) {
                say(&format!("is listed twice among the {what}s"));
            }
        }
    }
    let unlisted = |path: &&str| {
        let mut parts = path.split('/');
        match (parts.next(), parts.next()) {
            (Some("exercises"), Some(folder)) => !manifest.exercises.iter().any(|known| known == folder),
            (Some("lessons"), Some(file)) => file.strip_suffix(".md").is_some_and(|name| {
                let id = name.strip_suffix(".de").unwrap_or(name);
                id != PLACEMENT && !manifest.lessons.iter().any(|known| known == id)
            }),
            _ => false,
        }
    };
    let say = |path: &str| Problem::of_file(path, format!("{MANIFEST} does not list this, so nobody would see it"));
    problems.extend(files.paths().filter(unlisted).map(say));
    problems
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_'
}

fn lesson(files: &Files, id: &str) -> Result<Lesson, Vec<Problem>> {
    let path = format!("lessons/{id}.md");
    let missing = || vec![Problem::of_file(&path, "the manifest names this lesson, but the file is missing")];
    let (front, en) = parse::lesson(&path, files.get(&path).ok_or_else(missing)?)?;
    let german = format!("lessons/{id}.de.md");
    let de = files.get(&german).map(|text| parse::lesson(&german, text)).transpose()?;
    let mut problems = Vec::new();
    if front.id != id {
        problems.push(Problem::new(&path, 2, 1, format!("the id is `{}`, the file's name says `{id}`", front.id)));
    }
    if let Some((_, de)) = &de {
        in_step(&en, de, &mut problems);
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(Lesson {
        id: front.id,
        prerequisites: front.prerequisites,
        minutes: front.minutes,
        data: front.data,
        terms: front.terms,
        exercises: front.exercises,
        covers: front.covers,
        en,
        de: de.map(|(_, reading)| reading),
    })
}

/// Both languages have the same steps with the same blocks, and the same statements with the same claims.
fn in_step(en: &Reading, de: &Reading, problems: &mut Vec<Problem>) {
    if en.steps.len() != de.steps.len() {
        let message = format!("{} steps here, {} in {}", de.steps.len(), en.steps.len(), en.file);
        problems.push(Problem::of_file(&de.file, message));
        return;
    }
    if en.goals.len() != de.goals.len() {
        problems.push(Problem::of_file(&de.file, "the number of goals differs"));
    }
    for (english, german) in en.steps.iter().zip(&de.steps) {
        let shape = |blocks: &[Block]| blocks.iter().map(Block::shape).collect::<Vec<_>>();
        if shape(&english.blocks) != shape(&german.blocks) {
            let message = format!("this step's blocks differ from {}:{}", en.file, english.line);
            problems.push(Problem::new(&de.file, german.line, 1, message));
        }
    }
}
