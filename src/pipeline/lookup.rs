//! `$lookup`: documents of another collection, by equality of fields, by a pipeline, or by both
//! (`src/mongo/db/pipeline/document_source_lookup.cpp`).

use std::collections::VecDeque;

use crate::error::{CommandError, ErrorCode, Result};
use crate::query::Filter;
use crate::query::expr::{Context, Expression, Reads};
use crate::value::{Bson, DocView, Document, Path, RawDocumentBuf, View, doc, field_path, type_alias, values_along};

use super::flow::{Run, Stream, each};
use super::landing::Landing;
use super::row::Row;
use super::stage::{Owner, Surroundings};
use super::sub::{self, Sub};
use super::unwind::Unwind;

/// The stage.
#[derive(Debug, Clone)]
pub struct Lookup {
    from: Option<String>,
    pub into: Landing,
    fields: Option<(Path, Path)>,
    variables: Vec<(String, Expression)>,
    sub: Sub,
    /// Whether explain shows the pipeline: it was written, or holds a `$match` that was taken over.
    piped: bool,
}

fn failed(message: impl Into<String>) -> CommandError {
    CommandError::new(ErrorCode::FailedToParse, message)
}

impl Lookup {
    /// Parses the stage.
    ///
    /// # Errors
    /// 40319 and `FailedToParse` for operands that are missing, unknown or of the wrong type.
    pub fn parse(value: &Bson, around: Surroundings<'_>) -> Result<Self> {
        let Bson::Document(written) = value else {
            return Err(CommandError::new(
                40319,
                format!("the $lookup stage specification must be an object, but found {}", type_alias(value.into())),
            ));
        };
        check_operands(written)?;
        let text = |name: &str| written.get(name).and_then(Bson::as_str);
        let into = text("as").ok_or_else(|| failed("must specify 'as' field for a $lookup"))?;
        let from = text("from").map(str::to_owned);
        let fields = match (text("localField"), text("foreignField")) {
            (Some(local), Some(foreign)) => Some((field_path(local)?, field_path(foreign)?)),
            (None, None) if written.contains_key("pipeline") => None,
            (None, None) => {
                return Err(failed(
                    "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified",
                ));
            }
            _ => {
                return Err(failed(
                    "$lookup requires both or neither of 'localField' and 'foreignField' to be specified",
                ));
            }
        };
        if written.contains_key("let") && !written.contains_key("pipeline") {
            return Err(failed("$lookup with a 'let' argument must also specify 'pipeline'").inside_field("let"));
        }
        let scope = around.scope;
        let mut inner = scope.clone();
        let mut variables = Vec::new();
        if let Some(Bson::Document(written)) = written.get("let") {
            for (name, value) in written {
                let placed = |error: CommandError| error.inside_field(name).inside_field("let");
                crate::query::expr::check_variable_name(name).map_err(placed)?;
                variables.push((name.clone(), Expression::parse(value, scope).map_err(placed)?));
                inner = inner.with(name);
            }
        }
        let stages = match written.get("pipeline") {
            Some(stages) => sub::documents(stages, 9, "'pipeline' option must be specified as an array")?,
            None => Vec::new(),
        };
        let begins_with_documents = stages.first().is_some_and(|stage| stage.contains_key("$documents"));
        if from.is_none() && !begins_with_documents {
            return Err(failed("must specify 'from' field for a $lookup"));
        }
        let sub = Sub::parse(stages, Surroundings { scope: &inner, owner: Owner::Lookup, ..around })
            .map_err(|error| error.inside_field("pipeline"))?;
        let (into, piped) = (Landing::new(field_path(into)?), written.contains_key("pipeline"));
        Ok(Self { from, into, fields, variables, sub, piped })
    }

    /// The stage as explain shows it, with what it took over from the stages behind it.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        let mut shown = Document::new();
        shown.extend(self.from.iter().map(|from| ("from".to_owned(), from.into())));
        shown.insert("as", self.into.path.to_string());
        if let Some((local, foreign)) = &self.fields {
            shown.extend(doc! {"localField": local.to_string(), "foreignField": foreign.to_string()});
        }
        if self.piped {
            let variables: Document =
                self.variables.iter().map(|(name, value)| (name.clone(), value.to_bson())).collect();
            shown.extend(doc! {"let": variables, "pipeline": &self.sub.written});
        }
        shown.extend(self.into.shown());
        Bson::Document(shown)
    }

    /// Adds what the stage reads of its own documents: of the local field what lies before a number, which may be a position
    /// in an array.
    pub fn reads(&self, reads: &mut Reads) {
        self.variables.iter().for_each(|(_, value)| value.reads(reads));
        if let Some((local, _)) = &self.fields {
            let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            let named = local.parts().iter().take_while(|part| !number(part)).cloned().collect::<Vec<_>>();
            reads.whole |= named.is_empty();
            reads.paths.extend((!named.is_empty()).then(|| Path::from_parts(named)));
        }
    }

    /// The stage that does the work of a `$unwind` behind it as well; none unless that is of what it writes.
    #[must_use]
    pub fn with_unwind(&self, unwind: &Unwind) -> Option<Self> {
        Some(Self { into: self.into.with_unwind(unwind)?, ..self.clone() })
    }

    /// The stage that does the work of a `$match` behind it as well, which only asks for fields of the joined documents;
    /// where these were not unwound, or their positions are kept, it is not the same.
    #[must_use]
    pub fn with_match(&self, filter: &Filter) -> Option<Self> {
        let unwind = self.into.unwind.as_ref()?;
        if unwind.index.is_some() || unwind.keep_empty {
            return None;
        }
        Some(Self { sub: self.sub.filtered(filter.below(&self.into.path)?), piped: true, ..self.clone() })
    }

    /// Opens the stage.
    #[must_use]
    pub fn open<'s>(&'s self, mut input: Stream<'s>, run: Run<'s>) -> Stream<'s> {
        let mut pending = VecDeque::new();
        let (keeps, mut kept) = (self.is_uncorrelated(), None);
        each(move || {
            while pending.is_empty() {
                let Some(row) = input.next()? else { return Ok(None) };
                let document = DocView::Raw(row.raw());
                let found = match kept.take() {
                    Some(found) => found,
                    None => self.find(&row, run)?,
                };
                pending.extend(self.into.rows(document, &found));
                kept = keeps.then_some(found);
            }
            Ok(pending.pop_front())
        })
    }

    /// Whether all documents are joined with the same ones, so that these are looked for once (server:
    /// `DocumentSourceSequentialDocumentCache`).
    fn is_uncorrelated(&self) -> bool {
        self.fields.is_none() && self.variables.is_empty() && !self.sub.draws
    }

    fn find(&self, row: &Row<'_>, run: Run<'_>) -> Result<Vec<RawDocumentBuf>> {
        let document = DocView::Raw(row.raw());
        let filter = self.fields.as_ref().map(|(local, foreign)| equality(document, local, foreign)).transpose()?;
        let from = self.from.as_deref().unwrap_or_default();
        if self.variables.is_empty() {
            return self.sub.collect(from, filter, run, run.context);
        }
        let mut context: Context = run.context.clone();
        for (name, expression) in &self.variables {
            let value = expression.evaluate(&run.context.env(row.root()))?;
            context.set(name, value.view().map(|view| view.to_bson()));
        }
        self.sub.collect(from, filter, run, &context)
    }
}

fn check_operands(written: &Document) -> Result<()> {
    for (name, value) in written {
        let found = type_alias(value.into());
        let placed = |error: CommandError| error.inside_field(name);
        match (name.as_str(), value) {
            ("from" | "as" | "localField" | "foreignField", Bson::String(_))
            | ("pipeline", _)
            | ("let", Bson::Document(_)) => {}
            ("let", _) => {
                return Err(placed(failed(format!("$lookup argument 'let' must be an object, is type {found}"))));
            }
            ("from" | "as" | "localField" | "foreignField", _) => {
                return Err(placed(failed(format!("$lookup argument '{name}' must be a string, is type {found}"))));
            }
            _ => return Err(placed(failed(format!("unknown argument to $lookup: {name}")))),
        }
    }
    Ok(())
}

/// The filter on the other collection: equal to one of the local values, to null where there is none
/// (`makeMatchStageFromInput`).
fn equality(document: DocView<'_>, local: &Path, foreign: &Path) -> Result<Filter> {
    let mut values: Vec<Bson> = values_along(document, local).iter().map(View::to_bson).collect();
    if values.is_empty() {
        values.push(Bson::Null);
    }
    Filter::any_of(foreign, values)
}
