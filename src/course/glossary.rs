//! The words a learner may look up.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::files::Files;
use super::parse::toml_block;
use super::problem::Problem;
use super::text::Text;
use crate::words::Lang;

const FILE: &str = "lessons/glossary.toml";

/// All terms by id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Glossary {
    terms: BTreeMap<String, Term>,
}

/// One term.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// How it is written.
    pub name: Text,
    /// What it means, in one or two sentences.
    pub text: Text,
    /// Other spellings that lead here.
    #[serde(default)]
    pub also: Vec<String>,
    /// Related terms.
    #[serde(default)]
    pub see: Vec<String>,
}

impl Glossary {
    /// Reads the pack's glossary; a pack without one has no terms.
    pub(super) fn read(files: &Files) -> Result<Self, Problem> {
        let text = files.get(FILE).unwrap_or_default();
        let terms: BTreeMap<String, Term> = toml_block(FILE, text, 1)?;
        for (id, term) in &terms {
            if let Some(missing) = term.see.iter().find(|other| !terms.contains_key(*other)) {
                return Err(Problem::of_file(FILE, format!("`{id}` points to `{missing}`, which is no term")));
            }
        }
        Ok(Self { terms })
    }

    /// A term by its id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Term> {
        self.terms.get(id)
    }

    /// All terms in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Term)> {
        self.terms.iter().map(|(id, term)| (id.as_str(), term))
    }

    /// All terms with their ids, in the order of their names in a language.
    #[must_use]
    pub fn sorted(&self, lang: Lang) -> Vec<(&str, &Term)> {
        let mut terms: Vec<_> = self.iter().collect();
        terms.sort_by_cached_key(|(_, term)| sorted_as(term.name.get(lang)));
        terms
    }

    /// The ids of the terms a text mentions, by name or other spelling, as whole words.
    #[must_use]
    pub fn mentioned(&self, text: &str, lang: Lang) -> Vec<&str> {
        let text = text.to_lowercase();
        let occurs = |word: &str| !word.is_empty() && contains_word(&text, &word.to_lowercase());
        self.iter()
            .filter(|(_, term)| occurs(term.name.get(lang)) || term.also.iter().any(|other| occurs(other)))
            .map(|(id, _)| id)
            .collect()
    }
}

/// A name as dictionaries sort it: small letters, umlauts as their vowels.
fn sorted_as(name: &str) -> String {
    name.to_lowercase().replace('ä', "a").replace('ö', "o").replace('ü', "u").replace('ß', "ss")
}

fn contains_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, found)| {
        let inside = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
        !inside(text[..at].chars().next_back()) && !inside(text[at + found.len()..].chars().next())
    })
}
