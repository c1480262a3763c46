//! The info string of a fenced block: a language, a role, and `name=value` attributes.

use super::problem::Problem;

/// One attribute, with the column it begins at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) column: usize,
}

/// An info string, split.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Fence {
    /// The first word: `js`, `predict`, `question`.
    pub(super) language: String,
    /// Words without `=`.
    pub(super) words: Vec<(String, usize)>,
    /// Words with `=`.
    pub(super) attributes: Vec<Attribute>,
}

/// Splits an info string at blanks outside double quotes; `first` is the column of its first character.
pub(super) fn read(info: &str, file: &str, line: usize, first: usize) -> Result<Fence, Problem> {
    let mut fence = Fence::default();
    for (at, word) in words(info, file, line, first)? {
        match word.split_once('=') {
            Some((name, value)) => {
                let value = value.trim_matches('"').to_owned();
                fence.attributes.push(Attribute { name: name.into(), value, column: at });
            }
            None if fence.language.is_empty() => fence.language = word,
            None => fence.words.push((word, at)),
        }
    }
    Ok(fence)
}

fn words(info: &str, file: &str, line: usize, first: usize) -> Result<Vec<(usize, String)>, Problem> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let (mut quoted, mut open) = (None, false);
    for (at, letter) in info.chars().enumerate() {
        match letter {
            '"' => {
                quoted = if quoted.is_some() { None } else { Some(at) };
            }
            ' ' if quoted.is_none() => {
                open = false;
                continue;
            }
            _ => {}
        }
        if !open {
            found.push((first + at, String::new()));
            open = true;
        }
        if let Some((_, word)) = found.last_mut() {
            word.push(letter);
        }
    }
    match quoted {
        Some(at) => Err(Problem::new(file, line, first + at, "this quotation mark is never closed")),
        None => Ok(found),
    }
}
