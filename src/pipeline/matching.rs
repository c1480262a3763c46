//! `$match`.

use crate::error::{CommandError, Result};
use crate::plan::is_simple_id;
use crate::query::expr::{Context, Scope};
use crate::query::{Filter, Matcher};
use crate::value::Bson;

use super::flow::{Run, Stream, each};

/// The stage.
#[derive(Debug, Clone)]
pub struct Match {
    /// In normal form.
    pub filter: Filter,
    /// Whether it was typed as one `_id` and nothing else.
    pub simple_id: bool,
}

impl Match {
    /// Parses the stage.
    ///
    /// # Errors
    /// 15959 for what is no document, and the refusals of filters.
    pub fn parse(value: &Bson, scope: &Scope) -> Result<Self> {
        let Bson::Document(written) = value else {
            return Err(CommandError::new(15959, "the match filter must be an expression in an object"));
        };
        Ok(Self { filter: Filter::parse_with(written, scope)?, simple_id: is_simple_id(written) })
    }

    /// Folds constant expressions.
    ///
    /// # Errors
    /// Constant parts that fail.
    pub fn fold(&mut self, context: &Context) -> Result<()> {
        self.filter = std::mem::replace(&mut self.filter, Filter::Constant(true)).folded(context)?;
        Ok(())
    }

    /// Opens the stage.
    ///
    /// # Errors
    /// Regular expressions that do not compile.
    pub fn open<'s>(&'s self, mut input: Stream<'s>, run: Run<'s>) -> Result<Stream<'s>> {
        let matcher = Matcher::with_context(&self.filter, run.context.clone())?;
        Ok(each(move || {
            while let Some(row) = input.next()? {
                let fits = matcher.matches(row.raw());
                matcher.check()?;
                if fits {
                    return Ok(Some(row));
                }
            }
            Ok(None)
        }))
    }
}
