//! Comparing text as the server or as a language does (manual: *Collation*; server: `collator_factory_icu.cpp`).

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use icu_collator::options::{AlternateHandling, CaseLevel, CollatorOptions, MaxVariable, Strength};
use icu_collator::preferences::{CollationCaseFirst, CollationNumericOrdering};
use icu_collator::{CollatorBorrowed, CollatorPreferences};
use icu_locale_core::Locale;

use super::collation_options::Options;
use crate::error::{CommandError, ErrorCode, Result};
use crate::value::{self, Bson, Document, View};

/// How text is compared; the simple one goes byte by byte.
#[derive(Debug, Clone, Default)]
pub struct Collation(Option<Arc<Language>>);

struct Language {
    /// The options, completed with their defaults.
    document: Document,
    collator: CollatorBorrowed<'static>,
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.document)
    }
}

/// Collations are equal when their options are.
impl PartialEq for Collation {
    fn eq(&self, other: &Self) -> bool {
        self.to_document() == other.to_document()
    }
}

impl Collation {
    /// Byte by byte, MongoDB's way without a collation.
    #[must_use]
    pub fn simple() -> Self {
        Self::default()
    }

    /// Reads a collation document; none, or the locale `simple`, goes byte by byte. Error places are counted from it.
    ///
    /// # Errors
    /// MongoDB's refusals of unknown or contradicting options and of unknown locales.
    pub fn parse(document: Option<&Document>) -> Result<Self> {
        match document {
            None => Ok(Self::simple()),
            Some(document) => match Options::parse(document)? {
                None => Ok(Self::simple()),
                Some(options) => language(document, &options).map(|language| Self(Some(Arc::new(language)))),
            },
        }
    }

    /// Whether text goes byte by byte.
    #[must_use]
    pub fn is_simple(&self) -> bool {
        self.0.is_none()
    }

    /// The options completed with their defaults, as indexes and explain show them; none for the simple one.
    #[must_use]
    pub fn to_document(&self) -> Option<&Document> {
        self.0.as_ref().map(|language| &language.document)
    }

    /// Compares two values in MongoDB's total order, text in them by this collation.
    #[must_use]
    pub fn compare(&self, left: View<'_>, right: View<'_>) -> Ordering {
        match &self.0 {
            None => value::compare(left, right),
            Some(language) => value::compare_with(left, right, &|a, b| language.collator.compare(a, b)),
        }
    }

    /// Bytes that compare as the texts do; the text's own bytes for the simple collation.
    #[must_use]
    pub fn sort_key(&self, text: &str) -> Vec<u8> {
        match &self.0 {
            None => text.as_bytes().to_vec(),
            Some(language) => {
                let mut key = Vec::new();
                let Ok(()) = language.collator.write_sort_key_to(text, &mut key);
                key
            }
        }
    }
}

fn language(document: &Document, options: &Options) -> Result<Language> {
    let refuse = || {
        let message = format!("Field 'locale' is invalid in: {}", value::shown(&Bson::Document(document.clone())));
        CommandError::new(ErrorCode::BadValue, message).inside_field("locale")
    };
    let locale = Locale::try_from_str(&options.locale.replace('_', "-")).map_err(|_| refuse())?;
    let mut preferences = CollatorPreferences::from(&locale);
    preferences.numeric_ordering =
        Some(if options.numeric_ordering { CollationNumericOrdering::True } else { CollationNumericOrdering::False });
    preferences.case_first = options.case_first.map(|case| match case {
        "upper" => CollationCaseFirst::Upper,
        "lower" => CollationCaseFirst::Lower,
        _ => CollationCaseFirst::False,
    });
    let collator = CollatorBorrowed::try_new(preferences, collator_options(options)).map_err(|_| refuse())?;
    let resolved = collator.resolved_options();
    let case_first = match resolved.case_first {
        CollationCaseFirst::Upper => "upper",
        CollationCaseFirst::Lower => "lower",
        _ => "off",
    };
    Ok(Language { document: options.completed(case_first), collator })
}

fn collator_options(options: &Options) -> CollatorOptions {
    let mut chosen = CollatorOptions::default();
    chosen.strength = Some(match options.strength {
        1 => Strength::Primary,
        2 => Strength::Secondary,
        3 => Strength::Tertiary,
        4 => Strength::Quaternary,
        _ => Strength::Identical,
    });
    chosen.case_level = Some(if options.case_level { CaseLevel::On } else { CaseLevel::Off });
    let shifted = options.alternate == "shifted";
    chosen.alternate_handling =
        Some(if shifted { AlternateHandling::Shifted } else { AlternateHandling::NonIgnorable });
    chosen.max_variable =
        Some(if options.max_variable == "space" { MaxVariable::Space } else { MaxVariable::Punctuation });
    chosen
}
