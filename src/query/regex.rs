//! Regular expressions in PCRE's language, compiled once and run with a limit on backtracking.

use fancy_regex::RegexBuilder;

use super::filter::Regex;
use super::pcre::{self, Reading};
use crate::error::{CommandError, Result};

/// How many backtracking steps one match may take before it counts as no match (PCRE's own limit stands at ten million).
const BACKTRACK_LIMIT: usize = 1_000_000;

impl Regex {
    /// Takes a pattern and its options, sorted, after the server's checks.
    ///
    /// # Errors
    /// 51091 for a pattern that does not compile, 51108 for an unknown option, 51109 for a NUL byte.
    pub fn checked(pattern: &str, options: &str) -> Result<Self> {
        let mut letters: Vec<char> = options.chars().collect();
        letters.sort_unstable();
        letters.dedup();
        let regex = Self { pattern: pattern.into(), options: letters.into_iter().collect() };
        regex.compile().map(|_| regex)
    }

    /// The compiled form.
    ///
    /// # Errors
    /// 51091 for a pattern that does not compile, 51108 for an unknown option, 51109 for a NUL byte.
    pub fn compile(&self) -> Result<CompiledRegex> {
        let refuse = |code, message: String| Err(CommandError::new(code, message));
        if self.pattern.contains('\0') {
            return refuse(51109, "Regular expression cannot contain an embedded null byte".into());
        }
        if let Some(flag) = self.options.chars().find(|flag| !"imsux".contains(*flag)) {
            return refuse(51108, format!("invalid flag in regex options: {flag}"));
        }
        let built = |reading| {
            let pattern = pcre::translated(&self.pattern, &self.options, reading);
            match self.built(&pattern) {
                Ok(regex) => Ok((regex, pattern)),
                Err(error) => {
                    let message = format!("Regular expression is invalid: {error}");
                    Err(CommandError::new(51091, message))
                }
            }
        };
        let (plain, pattern) = built(Reading::Plain)?;
        let same = pattern == pcre::translated(&self.pattern, &self.options, Reading::Any);
        let any = if same { None } else { Some(built(Reading::Any)?.0) };
        Ok(CompiledRegex { plain, any })
    }

    fn built(&self, pattern: &str) -> std::result::Result<fancy_regex::Regex, Box<fancy_regex::Error>> {
        let has = |flag| self.options.contains(flag);
        RegexBuilder::new(pattern)
            .multi_line(has('m'))
            .dot_matches_new_line(has('s'))
            .backtrack_limit(BACKTRACK_LIMIT)
            .build()
            .map_err(Box::new)
    }
}

/// A regular expression ready to run.
#[derive(Debug, Clone)]
pub struct CompiledRegex {
    plain: fancy_regex::Regex,
    /// Where the pattern means something else for texts beyond the plain ones: the form that is right for all.
    any: Option<fancy_regex::Regex>,
}

impl CompiledRegex {
    /// Whether the pattern is found somewhere. A match over the limit counts as none, so that `$not` of it holds: the server's
    /// filters read any error of the engine so (`RegexMatchExpression::matchesSingleElement`, 7.0); its expressions refuse it.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.engine(text).is_match(text).unwrap_or(false)
    }

    /// The engine's own form for a text, for captures.
    #[must_use]
    pub fn engine(&self, text: &str) -> &fancy_regex::Regex {
        match &self.any {
            Some(any) if !text.is_ascii() || text.ends_with('\n') => any,
            _ => &self.plain,
        }
    }
}
