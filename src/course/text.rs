//! A sentence of a pack in both languages.

use serde::{Deserialize, Serialize};

use crate::words::Lang;

/// A sentence in English and German; English is shown where German is missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// English.
    pub en: String,
    /// German.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub de: String,
}

impl Text {
    /// The sentence in one language.
    #[must_use]
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::De if !self.de.is_empty() => &self.de,
            _ => &self.en,
        }
    }
}
