//! Where an expression looks things up: the document, the variables, clock and chance.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use super::meta::Metadata;
use super::value::Value;
use crate::error::{CommandError, ErrorCode, Result};
use crate::query::{Collation, CompiledRegex, Regex};
use crate::value::{Allowance, Bson, DocView, Followed, RawValue, Source, View};

/// A document that may be read field by field before it exists as a whole.
pub trait Fields {
    /// The value of a top-level field.
    fn field(&self, name: &str) -> Option<RawValue<'_>>;
    /// The whole document.
    fn document(&self) -> DocView<'_>;
}

/// The document an expression starts from.
#[derive(Clone, Copy)]
pub enum Root<'a> {
    /// One that lies ready.
    Document(DocView<'a>),
    /// One that is put together on demand.
    Fields(&'a dyn Fields),
}

impl<'a> Root<'a> {
    /// The value of a top-level field.
    #[must_use]
    pub fn field(self, name: &str) -> Option<View<'a>> {
        match self {
            Self::Document(document) => document.get(name),
            Self::Fields(fields) => fields.field(name)?.view(),
        }
    }

    /// The stored bytes of a top-level field; none of a document that is a tree.
    #[must_use]
    pub fn stored(self, name: &str) -> Option<RawValue<'a>> {
        match self {
            Self::Document(DocView::Raw(document)) => RawValue::document(document).member(name),
            Self::Document(DocView::Owned(_)) => None,
            Self::Fields(fields) => fields.field(name),
        }
    }

    /// The whole document.
    #[must_use]
    pub fn document(self) -> DocView<'a> {
        match self {
            Self::Document(document) => document,
            Self::Fields(fields) => fields.document(),
        }
    }
}

impl<'a, T: Into<DocView<'a>>> From<T> for Root<'a> {
    fn from(document: T) -> Self {
        Self::Document(document.into())
    }
}

/// What one command's expressions share: clock, chance, and the variables of its `let`.
#[derive(Debug, Clone)]
pub struct Context {
    now: i64,
    chance: Rc<RefCell<Source>>,
    allowance: Allowance,
    variables: Vec<(String, Option<Bson>)>,
    collation: Collation,
    patterns: Rc<RefCell<Vec<Compiled>>>,
}

/// A regular expression and its compiled form.
type Compiled = (Regex, Rc<CompiledRegex>);

/// How many compiled patterns a command keeps: a constant pattern is compiled once, one from each document each time.
const KEPT_PATTERNS: usize = 16;

impl Default for Context {
    fn default() -> Self {
        Self::new(Source::default())
    }
}

impl Context {
    /// A context without variables; `$$NOW` is read once, here.
    #[must_use]
    pub fn new(source: Source) -> Self {
        Self {
            now: source.now(),
            allowance: source.allowance().clone(),
            chance: Rc::new(RefCell::new(source)),
            variables: Vec::new(),
            collation: Collation::simple(),
            patterns: Rc::default(),
        }
    }

    /// The same context with text compared by a collation.
    #[must_use]
    pub fn with_collation(mut self, collation: Collation) -> Self {
        self.collation = collation;
        self
    }

    /// How text is compared.
    #[must_use]
    pub fn collation(&self) -> &Collation {
        &self.collation
    }

    /// Compares two values by this collation; a missing value is below `null`.
    #[must_use]
    pub fn compare(&self, left: &Value<'_>, right: &Value<'_>) -> Ordering {
        let [left, right] = [left, right].map(|value| value.view().unwrap_or(View::Undefined));
        self.collation.compare(left, right)
    }

    /// The source as it is now, with what was drawn from it drawn; copies of a context draw from the same one.
    #[must_use]
    pub fn source(&self) -> Source {
        self.chance.borrow().clone()
    }

    /// The compiled form of a pattern.
    ///
    /// # Errors
    /// Those of [`Regex::compile`].
    pub(super) fn compiled(&self, regex: Regex) -> Result<Rc<CompiledRegex>> {
        let mut patterns = self.patterns.borrow_mut();
        if let Some((_, compiled)) = patterns.iter().find(|(known, _)| *known == regex) {
            return Ok(compiled.clone());
        }
        let compiled = Rc::new(regex.compile()?);
        if patterns.len() == KEPT_PATTERNS {
            patterns.remove(0);
        }
        patterns.push((regex, compiled.clone()));
        Ok(compiled)
    }

    /// What the command may still spend.
    #[must_use]
    pub fn allowance(&self) -> &Allowance {
        &self.allowance
    }

    /// `$$NOW` in milliseconds since 1970.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.now
    }

    /// A random number in `[0, 1)`.
    #[must_use]
    pub fn random(&self) -> f64 {
        self.chance.borrow_mut().next_f64()
    }

    /// Binds the variables of a `let`, each to an expression that reads no document.
    ///
    /// # Errors
    /// Names that are not allowed, expressions that do not parse or fail.
    pub fn bind(&mut self, variables: &crate::value::Document) -> Result<()> {
        for (name, value) in variables {
            check_variable_name(name)?;
            let bound = {
                let expression = super::Expression::parse(value, &self.scope())?;
                let empty = crate::value::Document::new();
                expression.evaluate(&self.env((&empty).into()))?.view().map(|view| view.to_bson())
            };
            self.variables.retain(|(other, _)| other != name);
            self.variables.push((name.clone(), bound));
        }
        Ok(())
    }

    /// Binds one variable to a value, or to none.
    pub fn set(&mut self, name: &str, value: Option<Bson>) {
        self.variables.retain(|(other, _)| other != name);
        self.variables.push((name.to_owned(), value));
    }

    /// The names that expressions of this command may use.
    #[must_use]
    pub fn scope(&self) -> Scope {
        Scope { names: self.variables.iter().map(|(name, _)| name.clone()).collect(), metadata: false }
    }

    /// The surroundings of one document.
    #[must_use]
    pub fn env<'a>(&'a self, root: Root<'a>) -> Env<'a> {
        Env { root, frame: None, context: self, metadata: None }
    }
}

/// The variables that an expression may name, known while it is parsed.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    names: Vec<String>,
    metadata: bool,
}

impl Scope {
    /// The scope with one more variable.
    #[must_use]
    pub fn with(&self, name: &str) -> Self {
        let mut names = self.names.clone();
        names.push(name.to_owned());
        Self { names, ..*self }
    }

    /// The scope of expressions that may ask what a plan knows of a document.
    #[must_use]
    pub(in crate::query) fn with_metadata(self) -> Self {
        Self { metadata: true, ..self }
    }

    pub(super) fn knows_metadata(&self) -> bool {
        self.metadata
    }

    /// Whether the variable is bound.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.names.iter().any(|bound| bound == name)
    }
}

/// A variable bound inside an expression, above those bound further out.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub name: &'a str,
    pub value: Option<View<'a>>,
    pub parent: Option<&'a Frame<'a>>,
}

/// Everything an expression sees while it is evaluated.
#[derive(Clone, Copy)]
pub struct Env<'a> {
    pub(super) root: Root<'a>,
    pub(super) frame: Option<&'a Frame<'a>>,
    pub(super) context: &'a Context,
    pub(super) metadata: Option<&'a Metadata>,
}

impl<'a> Env<'a> {
    /// The same surroundings with what is known of the document.
    #[must_use]
    pub fn knowing(self, metadata: &'a Metadata) -> Self {
        Self { metadata: Some(metadata), ..self }
    }

    /// The value of a bound variable.
    pub(super) fn variable(&self, name: &str) -> Option<View<'a>> {
        let mut frame = self.frame;
        while let Some(bound) = frame {
            if bound.name == name {
                return bound.value;
            }
            frame = bound.parent;
        }
        let outer = self.context.variables.iter().find(|(bound, _)| bound == name);
        outer.and_then(|(_, value)| value.as_ref()).map(View::from)
    }

    /// A frame above the present ones.
    pub(super) fn frame(&self, name: &'a str, value: Option<View<'a>>) -> Frame<'a> {
        Frame { name, value, parent: self.frame }
    }

    /// The same surroundings with that frame.
    pub(super) fn inside(&self, frame: &'a Frame<'a>) -> Self {
        Self { frame: Some(frame), ..*self }
    }
}

fn name_error(message: String) -> CommandError {
    CommandError::new(ErrorCode::FailedToParse, message)
}

fn check_tail(name: &str) -> Result<()> {
    match name.chars().skip(1).find(|&c| !(c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii())) {
        Some(wrong) => {
            Err(name_error(format!("'{name}' contains an invalid character for a variable name: '{wrong}'")))
        }
        None => Ok(()),
    }
}

/// Checks a name that is to be bound: it starts with a lowercase letter or a non-ASCII character, or is `CURRENT`
/// (server: `variable_validation.cpp`).
///
/// # Errors
/// `FailedToParse` for other names.
pub fn check_variable_name(name: &str) -> Result<()> {
    if name == "CURRENT" {
        return Ok(());
    }
    match name.chars().next() {
        None => Err(name_error("empty variable names are not allowed".into())),
        Some(first) if first.is_ascii_lowercase() || !first.is_ascii() => check_tail(name),
        Some(_) => Err(name_error(format!("'{name}' starts with an invalid character for a user variable name"))),
    }
}

/// Checks a name that is read.
pub(super) fn check_read_name(name: &str) -> Result<()> {
    match name.chars().next() {
        None => Err(name_error("empty variable names are not allowed".into())),
        Some(first) if first.is_ascii_alphabetic() || !first.is_ascii() => check_tail(name),
        Some(_) => Err(name_error(format!("'{name}' starts with an invalid character for a variable name"))),
    }
}
