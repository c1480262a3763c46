//! `$redact`: keeps, prunes or descends, level by level.

use crate::error::{CommandError, Result};
use crate::query::expr::{Context, Expression, REDACTIONS, Root, Scope};
use crate::value::{ArrayBuilder, ArrayView, Bson, DocView, DocumentBuilder, View};

use super::flow::{Run, Stream, each};
use super::row::Row;

/// The stage.
#[derive(Debug, Clone)]
pub struct Redact {
    expression: Expression,
    written: Bson,
    /// Whether what a filter behind it asks is asked in front of it already.
    pub filtered_before: bool,
}

impl Redact {
    /// Parses the stage's expression; a path in it is one of the level being looked at.
    ///
    /// # Errors
    /// Expressions that do not parse.
    pub fn parse(value: &Bson, scope: &Scope) -> Result<Self> {
        let scope = REDACTIONS.iter().fold(scope.with("CURRENT"), |scope, (name, _)| scope.with(name));
        let expression = Expression::parse(value, &scope)?;
        Ok(Self { expression, written: value.clone(), filtered_before: false })
    }

    /// Folds constants.
    ///
    /// # Errors
    /// Constant parts that fail.
    pub fn fold(&mut self, context: &Context) -> Result<()> {
        self.expression.fold(context)
    }

    /// The stage as explain shows it.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        self.written.clone()
    }

    /// Opens the stage.
    #[must_use]
    pub fn open<'s>(&'s self, input: Stream<'s>, run: Run<'s>) -> Stream<'s> {
        open(&self.expression, input, run)
    }
}

fn open<'s>(expression: &'s Expression, mut input: Stream<'s>, run: Run<'s>) -> Stream<'s> {
    each(move || {
        while let Some(row) = input.next()? {
            let redaction = Redaction { expression, root: row.root(), context: run.context };
            let mut out = DocumentBuilder::new();
            if redaction.document(row.raw().into(), &mut out)? {
                return Ok(Some(Row::built(out)));
            }
        }
        Ok(None)
    })
}

struct Redaction<'r> {
    expression: &'r Expression,
    root: Root<'r>,
    context: &'r Context,
}

impl Redaction<'_> {
    /// Writes what is left of a level; false where it is pruned.
    fn document(&self, level: DocView<'_>, out: &mut DocumentBuilder) -> Result<bool> {
        let verdict = self.expression.evaluate_at(self.root, level, self.context)?;
        match verdict.string() {
            Some("keep") => out.extend(level),
            Some("prune") => return Ok(false),
            Some("descend") => {
                for (name, value) in level.iter() {
                    self.field(name, value, out)?;
                }
            }
            _ => {
                let shown = verdict.shown();
                let message = format!(
                    "$redact's expression should not return anything aside from the variables $$KEEP, $$DESCEND, and $$PRUNE, but returned {shown}"
                );
                return Err(CommandError::new(17053, message));
            }
        }
        Ok(true)
    }

    fn field(&self, name: &str, value: View<'_>, out: &mut DocumentBuilder) -> Result<()> {
        match value {
            View::Document(inner) => {
                let mut made = DocumentBuilder::packed();
                if self.document(inner, &mut made)? {
                    out.append(name, made.finish_packed().view());
                }
            }
            View::Array(array) => out.append(name, self.array(array)?.finish().view()),
            other => out.append(name, other),
        }
        Ok(())
    }

    fn array(&self, array: ArrayView<'_>) -> Result<ArrayBuilder> {
        let mut kept = ArrayBuilder::new();
        for item in array.iter() {
            match item {
                View::Document(inner) => {
                    let mut made = DocumentBuilder::packed();
                    if self.document(inner, &mut made)? {
                        kept.push(made.finish_packed().view());
                    }
                }
                View::Array(inner) => kept.push(self.array(inner)?.finish().view()),
                other => kept.push(other),
            }
        }
        Ok(kept)
    }
}
