//! Lesson text to lesson: front matter between `+++` lines, steps between `---` lines, fenced blocks.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::claim::Claim;
use super::fence;
use super::lesson::{Block, Code, Predict, Question, Reading, Role, Step};
use super::problem::{Problem, place};

/// A lesson's front matter.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Front {
    #[serde(default)]
    pub(super) id: String,
    pub(super) title: String,
    #[serde(default)]
    pub(super) prerequisites: Vec<String>,
    #[serde(default)]
    pub(super) goals: Vec<String>,
    #[serde(default)]
    pub(super) minutes: u32,
    #[serde(default)]
    pub(super) data: String,
    #[serde(default)]
    pub(super) terms: Vec<String>,
    #[serde(default)]
    pub(super) exercises: Vec<String>,
    #[serde(default)]
    pub(super) covers: Vec<String>,
}

/// Reads a lesson file in one language.
pub(super) fn lesson(file: &str, text: &str) -> Result<(Front, Reading), Vec<Problem>> {
    let text = text.replace("\r\n", "\n");
    let (front, body, first_line) = split_front(file, &text).map_err(|problem| vec![problem])?;
    let front: Front = toml_block(file, front, 2).map_err(|problem| vec![problem])?;
    let mut reader = Reader { file, problems: Vec::new() };
    let steps = reader.steps(body, first_line);
    if steps.is_empty() && reader.problems.is_empty() {
        reader.problems.push(Problem::of_file(file, "a lesson needs at least one step"));
    }
    if !reader.problems.is_empty() {
        return Err(reader.problems);
    }
    let reading = Reading { file: file.into(), title: front.title.clone(), goals: front.goals.clone(), steps };
    Ok((front, reading))
}

fn split_front<'a>(file: &str, text: &'a str) -> Result<(&'a str, &'a str, usize), Problem> {
    let open = "a lesson begins with front matter between two lines of `+++`";
    let rest = text.strip_prefix("+++\n").ok_or_else(|| Problem::new(file, 1, 1, open))?;
    let close =
        rest.find("\n+++\n").ok_or_else(|| Problem::new(file, 1, 1, "the front matter has no closing `+++`"))?;
    let front = &rest[..=close];
    Ok((front, &rest[close + 5..], front.lines().count() + 3))
}

/// Reads TOML whose first line is line `first` of the file.
pub(super) fn toml_block<T: DeserializeOwned>(file: &str, text: &str, first: usize) -> Result<T, Problem> {
    toml::from_str(text).map_err(|error| {
        let (line, column) = error.span().map_or((1, 1), |span| place(text, span.start));
        Problem::new(file, first + line - 1, column, error.message().trim())
    })
}

struct Reader<'a> {
    file: &'a str,
    problems: Vec<Problem>,
}

/// A line with its number.
type Numbered<'a> = (usize, &'a str);

impl Reader<'_> {
    fn steps(&mut self, body: &str, first_line: usize) -> Vec<Step> {
        let lines: Vec<Numbered> = body.lines().enumerate().map(|(at, line)| (first_line + at, line)).collect();
        split_at_rules(&lines).into_iter().filter_map(|part| self.step(part)).collect()
    }

    fn step(&mut self, lines: &[Numbered]) -> Option<Step> {
        let start = lines.iter().position(|(_, line)| !line.trim().is_empty())?;
        let (number, heading) = lines[start];
        let Some(title) = heading.strip_prefix("# ") else {
            self.problems.push(Problem::new(self.file, number, 1, "a step begins with a heading, `# …`"));
            return None;
        };
        let blocks = self.blocks(&lines[start + 1..]);
        Some(Step { title: title.trim().into(), blocks, line: number })
    }

    fn blocks(&mut self, lines: &[Numbered]) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut prose = String::new();
        let mut at = 0;
        while at < lines.len() {
            let (number, line) = lines[at];
            at += 1;
            let Some(info) = line.strip_prefix("```") else {
                prose.push_str(line);
                prose.push('\n');
                continue;
            };
            push_prose(&mut blocks, &mut prose);
            let inner: Vec<&str> =
                lines[at..].iter().map(|(_, line)| *line).take_while(|line| line.trim_end() != "```").collect();
            at += inner.len() + 1;
            if at > lines.len() {
                self.problems.push(Problem::new(self.file, number, 1, "this fence is never closed"));
            }
            blocks.extend(self.fenced(info, number, &inner.join("\n")));
        }
        push_prose(&mut blocks, &mut prose);
        blocks
    }

    fn fenced(&mut self, info: &str, line: usize, text: &str) -> Option<Block> {
        match self.try_fenced(info, line, text) {
            Ok(block) => Some(block),
            Err(problem) => {
                self.problems.push(problem);
                None
            }
        }
    }

    fn try_fenced(&self, info: &str, line: usize, text: &str) -> Result<Block, Problem> {
        let fence = fence::read(info, self.file, line, 4)?;
        match fence.language.as_str() {
            "js" => self.code(&fence, line, text),
            "predict" => {
                let read: Predict = toml_block(self.file, text, line + 1)?;
                Ok(Block::Predict(Predict { line, claims: self.claims(&fence, line)?, ..read }))
            }
            "question" => self.question(line, text),
            other => {
                Err(Problem::new(self.file, line, 4, format!("`{other}` is no block; use js, predict or question")))
            }
        }
    }

    fn code(&self, fence: &fence::Fence, line: usize, text: &str) -> Result<Block, Problem> {
        let role = match fence.words.as_slice() {
            [(word, _)] if word == "run" => Role::Run,
            [(word, _)] if word == "setup" => Role::Setup,
            [(word, _)] if word == "show" => Role::Show,
            [] => return Err(Problem::new(self.file, line, 4, "a js block says run, setup or show")),
            [.., (word, column)] => {
                return Err(Problem::new(self.file, line, *column, format!("`{word}` is no role of a js block")));
            }
        };
        Ok(Block::Code(Code { text: text.into(), role, claims: self.claims(fence, line)?, line }))
    }

    fn claims(&self, fence: &fence::Fence, line: usize) -> Result<Vec<Claim>, Problem> {
        fence.attributes.iter().map(|attribute| Claim::read(attribute, self.file, line)).collect()
    }

    fn question(&self, line: usize, text: &str) -> Result<Block, Problem> {
        let read: Question = toml_block(self.file, text, line + 1)?;
        if !read.choices.iter().any(|choice| choice.right) {
            return Err(Problem::new(self.file, line, 1, "no choice of this question is right"));
        }
        Ok(Block::Question(Question { line, ..read }))
    }
}

fn push_prose(blocks: &mut Vec<Block>, prose: &mut String) {
    let text = std::mem::take(prose);
    let text = text.trim_matches('\n');
    if !text.is_empty() {
        blocks.push(Block::Prose(text.into()));
    }
}

/// Cuts at lines of `---` outside fences.
fn split_at_rules<'a, 'b>(lines: &'b [Numbered<'a>]) -> Vec<&'b [Numbered<'a>]> {
    let mut parts = Vec::new();
    let (mut start, mut fenced) = (0, false);
    for (at, (_, line)) in lines.iter().enumerate() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if *line == "---" && !fenced {
            parts.push(&lines[start..at]);
            start = at + 1;
        }
    }
    parts.push(&lines[start..]);
    parts
}
