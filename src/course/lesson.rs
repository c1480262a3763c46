//! A lesson as it is read: front matter, then steps of prose, code, predictions and questions.

use serde::Deserialize;

use super::claim::Claim;
use crate::words::Lang;

/// One lesson in its languages.
#[derive(Debug, Clone, PartialEq)]
pub struct Lesson {
    /// The stable id, such as `idea`; also the file's name.
    pub id: String,
    /// Lessons that should be known before.
    pub prerequisites: Vec<String>,
    /// How long a learner needs, in minutes.
    pub minutes: u32,
    /// The built-in data set the lesson starts with; empty for an empty store.
    pub data: String,
    /// Glossary ids the lesson introduces.
    pub terms: Vec<String>,
    /// Exercises that belong to it.
    pub exercises: Vec<String>,
    /// The requirements of a syllabus that the lesson meets, by their own ids.
    pub covers: Vec<String>,
    /// The English text.
    pub en: Reading,
    /// The German text.
    pub de: Option<Reading>,
}

impl Lesson {
    /// The lesson's text in one language, English where there is no German.
    #[must_use]
    pub fn reading(&self, lang: Lang) -> &Reading {
        match (lang, &self.de) {
            (Lang::De, Some(german)) => german,
            _ => &self.en,
        }
    }

    /// Whether there is something to do in it: a statement to run, a prediction to make, a question to answer.
    #[must_use]
    pub fn has_work(&self) -> bool {
        let is_work = |block: &Block| match block {
            Block::Prose(_) => false,
            Block::Code(code) => code.role == Role::Run,
            Block::Predict(_) | Block::Question(_) => true,
        };
        self.en.steps.iter().flat_map(|step| &step.blocks).any(is_work)
    }
}

/// A lesson's text in one language.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The file it was read from, relative to the pack.
    pub file: String,
    /// The title.
    pub title: String,
    /// What the learner can do afterwards.
    pub goals: Vec<String>,
    /// The steps; never empty.
    pub steps: Vec<Step>,
}

/// One screenful.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its heading.
    pub title: String,
    /// What it holds, in order.
    pub blocks: Vec<Block>,
    /// The line it begins at.
    pub line: usize,
}

impl Step {
    /// The step's code blocks.
    pub fn code(&self) -> impl Iterator<Item = &Code> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Code(code) => Some(code),
            _ => None,
        })
    }
}

/// One part of a step.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// Markdown: paragraphs, lists, tables; links lead to `term:`, `screen:`, `lesson:` and `exercise:`.
    Prose(String),
    /// Statements.
    Code(Code),
    /// A prediction, answered by running.
    Predict(Predict),
    /// A question with choices.
    Question(Question),
}

impl Block {
    /// What must be equal in every language: the kind, statements and claims, and which choices are right.
    pub(super) fn shape(&self) -> String {
        match self {
            Self::Prose(_) => "prose".into(),
            Self::Code(code) => format!("{:?} {} {:?}", code.role, code.text, code.claims),
            Self::Predict(predict) => format!("{:?} {} {:?}", predict.of, predict.run, predict.claims),
            Self::Question(question) => {
                format!("{} {:?}", question.lesson, question.choices.iter().map(|one| one.right).collect::<Vec<_>>())
            }
        }
    }
}

/// What is done with a code block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The learner runs it; its claims are proven.
    Run,
    /// It runs before the step is shown, without being printed.
    Setup,
    /// It is only shown.
    Show,
}

/// A block of mongosh statements.
#[derive(Debug, Clone, PartialEq)]
pub struct Code {
    /// The statements.
    pub text: String,
    /// What is done with them.
    pub role: Role,
    /// What the lesson says of them.
    pub claims: Vec<Claim>,
    /// The line of the opening fence.
    pub line: usize,
}

/// What a prediction asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asked {
    /// How many documents come back.
    Returned,
    /// How many index keys are examined.
    Keys,
    /// How many documents are examined.
    Docs,
    /// The name of the winning index, or `none`.
    Index,
}

/// A prediction: the answer is what the statement does when it runs.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predict {
    /// The question.
    pub ask: String,
    /// Which fact is asked.
    pub of: Asked,
    /// The statement.
    pub run: String,
    /// What is said after the run, of the reason and not of the number.
    #[serde(default)]
    pub then: String,
    /// What the lesson says of the statement.
    #[serde(skip)]
    pub claims: Vec<Claim>,
    /// The line of the opening fence.
    #[serde(skip)]
    pub line: usize,
}

/// A question with choices.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The question.
    pub ask: String,
    /// The lesson it speaks for, of a placement question.
    #[serde(default)]
    pub lesson: String,
    /// The choices, in the order shown.
    #[serde(rename = "choice")]
    pub choices: Vec<Choice>,
    /// The line of the opening fence.
    #[serde(skip)]
    pub line: usize,
}

/// One choice.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// What it says.
    pub text: String,
    /// Whether it is right.
    #[serde(default)]
    pub right: bool,
    /// Why it is right or wrong.
    pub why: String,
}
