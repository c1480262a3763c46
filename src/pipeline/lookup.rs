//! `$lookup`: documents of another collection, by equality of fields, by a pipeline, or by both
//! (`src/mongo/db/pipeline/document_source_lookup.cpp`).

use crate::error::{CommandError, ErrorCode, Result};
use crate::query::Filter;
use crate::query::expr::{Context, Expression, path_value};
use crate::value::{ArrayBuilder, Bson, DocView, Document, Path, View, doc, field_path, type_alias};

use super::flow::{Run, Stream, each};
use super::refuse;
use super::row::{Row, with_path};
use super::stage::Surroundings;
use super::sub::{self, Sub};

/// The stage.
#[derive(Debug, Clone)]
pub struct Lookup {
    from: Option<String>,
    into: Path,
    fields: Option<(Path, Path)>,
    variables: Vec<(String, Expression)>,
    sub: Sub,
    written: Document,
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
            return Err(refuse(
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
        let sub = Sub::parse(stages, Surroundings { scope: &inner, ..around })
            .map_err(|error| error.inside_field("pipeline"))?;
        Ok(Self { from, into: field_path(into)?, fields, variables, sub, written: written.clone() })
    }

    /// The stage as explain shows it.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        let mut shown = Document::new();
        for name in ["from", "as", "localField", "foreignField", "let", "pipeline"] {
            shown.extend(self.written.get(name).map(|value| (name.to_owned(), value.clone())));
        }
        Bson::Document(shown)
    }

    /// The path that the stage writes.
    #[must_use]
    pub fn writes(&self) -> &Path {
        &self.into
    }

    /// Opens the stage.
    #[must_use]
    pub fn open<'s>(&'s self, mut input: Stream<'s>, run: Run<'s>) -> Stream<'s> {
        each(move || match input.next()? {
            Some(row) => self.joined(&row, run).map(Some),
            None => Ok(None),
        })
    }

    fn joined<'s>(&self, row: &Row<'s>, run: Run<'_>) -> Result<Row<'s>> {
        let document = DocView::Raw(row.raw());
        let filter = self.fields.as_ref().map(|(local, foreign)| equality(document, local, foreign)).transpose()?;
        let mut context: Context = run.context.clone();
        for (name, expression) in &self.variables {
            let value = expression.evaluate(&run.context.env(row.root()))?;
            context.set(name, value.view().map(|view| view.to_bson()));
        }
        let from = self.from.as_deref().unwrap_or_default();
        let found = self.sub.collect(from, filter, run, &context)?;
        let found = found.iter().map(|document| View::Document(document.into())).collect::<ArrayBuilder>().finish();
        Ok(with_path(document, self.into.parts(), Some(found.view())).into())
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

/// The filter on the other collection: equal to the local value, or to one of its elements; nothing is equal to null.
fn equality(document: DocView<'_>, local: &Path, foreign: &Path) -> Result<Filter> {
    let value = path_value(document, local);
    let filter = if let Some(array) = value.array() {
        any_of(foreign, array.iter().map(|item| item.to_bson()).collect())
    } else {
        doc! {foreign.to_string(): {"$eq": value.to_bson()}}
    };
    Filter::parse(&filter)
}

/// `$in`, but for regular expressions, which are meant as values here.
pub fn any_of(path: &Path, values: Vec<Bson>) -> Document {
    let path = path.to_string();
    if values.iter().any(|value| matches!(value, Bson::RegularExpression(_))) {
        let each: Vec<Bson> = values.into_iter().map(|value| Bson::Document(doc! {&path: {"$eq": value}})).collect();
        return doc! {"$or": each};
    }
    doc! {path: {"$in": values}}
}
