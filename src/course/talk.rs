//! A lesson as it is presented: cut into beats, each what an audience sees at once, and the record of a presenter's inputs.

use serde::{Deserialize, Serialize};

use super::claim::Claim;
use super::lesson::{Block, Reading, Role};
use super::problem::Problem;

/// No terminal has more columns or rows.
const LARGEST: u16 = 500;

/// The record's own schema.
const SCHEMA: &str = "pegboard/talk/v1";

/// What is on the stage at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beat {
    /// The step, from 0.
    pub step: usize,
    /// What of it.
    pub part: Part,
}

/// What of a step is shown; blocks are numbered as in [`Step::blocks`](super::Step).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Its heading.
    Title,
    /// A block: text, a statement that is being typed, a question.
    Block(usize),
    /// What came of a block: the statement's result, the right choice.
    Outcome(usize),
}

impl Block {
    /// The statements that are run in front of the audience.
    #[must_use]
    pub fn statement(&self) -> Option<&str> {
        match self {
            Self::Code(code) if code.role == Role::Run => Some(code.text.trim_end()),
            Self::Predict(predict) => Some(predict.run.trim_end()),
            _ => None,
        }
    }

    fn has_outcome(&self) -> bool {
        self.statement().is_some() || matches!(self, Self::Question(_))
    }

    fn is_setup(&self) -> bool {
        matches!(self, Self::Code(code) if code.role == Role::Setup)
    }
}

impl Reading {
    /// The beats, in order; never empty.
    #[must_use]
    pub fn beats(&self) -> Vec<Beat> {
        let mut beats = Vec::new();
        for (step, shown) in self.steps.iter().enumerate() {
            beats.push(Beat { step, part: Part::Title });
            for (at, block) in shown.blocks.iter().enumerate().filter(|(_, block)| !block.is_setup()) {
                beats.push(Beat { step, part: Part::Block(at) });
                if block.has_outcome() {
                    beats.push(Beat { step, part: Part::Outcome(at) });
                }
            }
        }
        beats
    }

    /// The block that a beat is about; none for a heading.
    #[must_use]
    pub fn block(&self, beat: Beat) -> Option<&Block> {
        match beat.part {
            Part::Title => None,
            Part::Block(at) | Part::Outcome(at) => self.steps.get(beat.step)?.blocks.get(at),
        }
    }
}

/// What the lesson says of a block's run, for whoever speaks about it.
#[must_use]
pub fn expectations(block: &Block) -> Vec<String> {
    let Block::Code(code) = block else { return Vec::new() };
    code.claims.iter().map(expectation).collect()
}

fn expectation(claim: &Claim) -> String {
    match claim {
        Claim::Returns(count) => format!("nReturned {count}"),
        Claim::Prints(text) => text.clone(),
        Claim::Ids(ids) => format!("_id {}", ids.join(", ")),
        Claim::Stage(stage) => stage.clone(),
        Claim::NoStage(stage) => format!("≠ {stage}"),
        Claim::Index(index) => index.clone(),
        Claim::Keys(keys) => format!("keysExamined {keys}"),
        Claim::Docs(docs) => format!("docsExamined {docs}"),
        Claim::Bounds { path, intervals } => format!("{path}: {intervals}"),
        Claim::Finding(id) => id.clone(),
        Claim::NoFinding(id) => format!("≠ {id}"),
        Claim::Error(code) => code.clone(),
        Claim::Changed(count) => format!("± {count}"),
    }
}

/// What a presenter does. Everything else follows from the lesson and these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cue {
    /// The next beat.
    Next,
    /// The beat before, with the data as they were then.
    Back,
    /// Leaves the lesson for a copy of the data, to try things freely.
    Detour,
    /// Runs statements on the detour's copy.
    Run(String),
    /// Comes back from the detour; nothing of it is left.
    Return,
    /// Shows another view of the answer, by its number from 0.
    View(usize),
    /// Moves the page by rows.
    Scroll(i32),
}

/// What a record was made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordHead {
    schema: String,
    /// The lesson's id.
    pub lesson: String,
    /// The pack's id and version.
    pub pack: String,
    /// The language's code.
    pub lang: String,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
}

/// A presentation as its inputs, each with its time since the beginning in milliseconds: one JSON value a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TalkRecord {
    /// What it was made of.
    pub head: RecordHead,
    /// The inputs in the order of their times.
    pub cues: Vec<(u64, Cue)>,
}

impl TalkRecord {
    /// An empty record.
    #[must_use]
    pub fn new(lesson: &str, pack: &str, lang: &str, size: (u16, u16)) -> Self {
        let head =
            RecordHead { schema: SCHEMA.into(), lesson: lesson.into(), pack: pack.into(), lang: lang.into(), size };
        Self { head, cues: Vec::new() }
    }

    /// Reads a record's text.
    ///
    /// # Errors
    /// The first line that is none of a record, and times that go back.
    pub fn read(file: &str, text: &str) -> Result<Self, Problem> {
        let mut lines = text.lines().enumerate();
        let refuse = |line: usize, message: String| Problem::new(file, line + 1, 1, message);
        let (_, first) = lines.next().unwrap_or_default();
        let head: RecordHead = serde_json::from_str(first).map_err(|error| refuse(0, error.to_string()))?;
        if head.schema != SCHEMA {
            return Err(refuse(0, format!("`{}` is not known; this program reads {SCHEMA}", head.schema)));
        }
        if ![head.size.0, head.size.1].iter().all(|side| (1..=LARGEST).contains(side)) {
            return Err(refuse(0, format!("the size lies between 1 and {LARGEST}")));
        }
        let mut cues: Vec<(u64, Cue)> = Vec::new();
        for (number, line) in lines {
            let cue: (u64, Cue) = serde_json::from_str(line).map_err(|error| refuse(number, error.to_string()))?;
            if cues.last().is_some_and(|last| last.0 > cue.0) {
                return Err(refuse(number, "this time lies before the one above".into()));
            }
            cues.push(cue);
        }
        Ok(Self { head, cues })
    }

    /// The record's text.
    ///
    /// # Panics
    /// Never: a record has text keys only.
    #[must_use]
    pub fn to_text(&self) -> String {
        let head = serde_json::to_string(&self.head).expect("a record has text keys only");
        let cue = |cue: &(u64, Cue)| serde_json::to_string(cue).expect("a record has text keys only");
        std::iter::once(head).chain(self.cues.iter().map(cue)).map(|line| line + "\n").collect()
    }
}
