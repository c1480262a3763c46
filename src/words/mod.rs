//! Sentences for people, each written once in two languages.
//!
//! A [`Words`] value is a template: `{name}` is filled by [`Words::fill`], `{name points}` is the number of that name with
//! its noun, and `{name|was|were}` the word that goes with it. English is the fallback where German is empty.

mod nouns;

use std::borrow::Cow;

/// A language the program speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lang {
    /// English, the fallback.
    #[default]
    En,
    /// German.
    De,
}

impl Lang {
    /// Reads a language from a POSIX locale (`de_DE.UTF-8`) or a bare code (`de`); anything unknown is English.
    #[must_use]
    pub fn from_locale(locale: &str) -> Self {
        if locale.to_ascii_lowercase().starts_with("de") { Self::De } else { Self::En }
    }

    /// A number with so many decimal places, behind the language's own sign.
    #[must_use]
    pub fn decimal(self, number: f64, places: usize) -> String {
        let text = format!("{number:.places$}");
        match self {
            Self::En => text,
            Self::De => text.replace('.', ","),
        }
    }

    /// The ISO 639-1 code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::De => "de",
        }
    }
}

/// One sentence in every language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// The English sentence.
    pub en: &'static str,
    /// The German sentence; empty where it has not been written, and English is shown.
    pub de: &'static str,
}

impl Words {
    /// Pairs the two sentences.
    #[must_use]
    pub const fn new(en: &'static str, de: &'static str) -> Self {
        Self { en, de }
    }

    /// The sentence in one language.
    #[must_use]
    pub fn get(self, lang: Lang) -> &'static str {
        match lang {
            Lang::De if !self.de.is_empty() => self.de,
            _ => self.en,
        }
    }

    /// The sentence with each `{name}` replaced, each `{name points}` by the value with its noun (`1 point`), and each
    /// `{name|one|many}` by its second part where the value is 1, else by its third. A name without a value stays as it
    /// is, and so does a noun that nobody counts yet, so a test can see it.
    #[must_use]
    pub fn fill(self, lang: Lang, values: &[(&str, &str)]) -> String {
        let mut rest = self.get(lang);
        let mut out = String::with_capacity(rest.len() + 32);
        while let Some(open) = rest.find('{') {
            let Some(close) = rest[open..].find('}').map(|at| open + at) else { break };
            out.push_str(&rest[..open]);
            out.push_str(&filled(&rest[open + 1..close], values).unwrap_or(Cow::Borrowed(&rest[open..=close])));
            rest = &rest[close + 1..];
        }
        out.push_str(rest);
        out
    }
}

/// What stands for a place of a template: the value of its name, alone or counting a noun, or the word that goes with it.
fn filled<'a>(place: &'a str, values: &[(&str, &'a str)]) -> Option<Cow<'a, str>> {
    let value = |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    let mut parts = place.split('|');
    match (parts.next()?, parts.next(), parts.next()) {
        (name, Some(one), Some(many)) => Some(Cow::Borrowed(if value(name)? == "1" { one } else { many })),
        (counted, ..) => match counted.split_once(' ') {
            Some((name, plural)) => nouns::counted(value(name)?, plural).map(Cow::Owned),
            None => value(counted).map(Cow::Borrowed),
        },
    }
}
