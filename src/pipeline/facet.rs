//! `$facet`: several pipelines over the same documents; `$unionWith`: another collection's documents behind them.

use crate::error::{CommandError, Result};
use crate::query::expr::{Context, Reads};
use crate::value::{ArrayBuilder, Bson, Document, DocumentBuilder, View, doc, type_alias};

use super::flow::{Run, Stream, drain, each, listed};
use super::leading::Leading;
use super::row::Row;
use super::stage::{Owner, Stage, Surroundings};
use super::sub::{self, Sub};
use super::whole::{Pipeline, Placed};

/// `$facet`
#[derive(Debug, Clone)]
pub struct Facet {
    parts: Vec<(String, Pipeline)>,
}

/// The stage at the beginning of each pipeline, by the name that explain gives it.
pub const TEE: &str = "$internalFacetTeeConsumer";

/// Stages that read something else than their input, or write.
const NOT_IN_FACET: [&str; 8] =
    ["$collStats", "$facet", "$geoNear", "$indexStats", "$out", "$merge", "$planCacheStats", "$documents"];

impl Facet {
    /// Parses the stage.
    ///
    /// # Errors
    /// 40169, 40170, 40600, and the refusals of names that are none.
    pub fn parse(value: &Bson, around: Surroundings<'_>) -> Result<Self> {
        let Bson::Document(document) = value else {
            return Err(CommandError::new(
                40169,
                format!(
                    "the $facet specification must be a non-empty object, but found: {}",
                    crate::query::expr::show_stored_value(value.into())
                ),
            ));
        };
        if document.is_empty() {
            return Err(CommandError::new(40169, "the $facet specification must be a non-empty object, but found: {}"));
        }
        let mut parts = Vec::new();
        for (name, value) in document {
            let placed = |error: crate::error::CommandError| error.inside_field(name);
            crate::query::expr::check_field_name(name).map_err(placed)?;
            let found = type_alias(value.into());
            let message = format!("arguments to $facet must be arrays, {name} is type {found}");
            let stages = sub::documents(value, 40170, &message).map_err(placed)?;
            if let Some(wrong) =
                stages.iter().flat_map(Document::keys).find(|stage| NOT_IN_FACET.contains(&stage.as_str()))
            {
                return Err(placed(CommandError::new(
                    40600,
                    format!("{wrong} is not allowed to be used within a $facet stage"),
                )));
            }
            let around = Surroundings { owner: Owner::Facet, ..around };
            let pipeline =
                Pipeline::parse_at(&stages, around, &crate::error::CommandPath::default()).map_err(placed)?;
            parts.push((name.clone(), pipeline));
        }
        Ok(Self { parts })
    }

    /// The stage as explain shows it: each pipeline begins with the stage that hands it the documents
    /// (`DocumentSourceTeeConsumer::serialize`).
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        let shown = |pipeline: &Pipeline| {
            let stages = pipeline.stages.iter().map(|placed| placed.stage.to_document());
            Bson::Array(std::iter::once(doc! {TEE: {}}).chain(stages).map(Bson::Document).collect())
        };
        Bson::Document(self.parts.iter().map(|(name, pipeline)| (name.clone(), shown(pipeline))).collect())
    }

    /// Adds what the pipelines read, each for itself.
    pub fn reads(&self, reads: &mut Reads) {
        for (_, pipeline) in &self.parts {
            match pipeline.reads() {
                Some(own) => {
                    reads.paths.extend(own.paths);
                    reads.whole |= own.whole;
                }
                None => reads.whole = true,
            }
        }
    }

    /// Merges and moves stages inside the pipelines.
    pub(super) fn optimise(&mut self) {
        for (_, pipeline) in &mut self.parts {
            *pipeline = Pipeline { stages: std::mem::take(&mut pipeline.stages) }.optimised();
        }
    }

    /// Folds constants.
    ///
    /// # Errors
    /// Constant parts that fail.
    pub fn fold(&mut self, context: &Context) -> Result<()> {
        let fold = |(name, part): &mut (String, Pipeline)| part.fold(context).map_err(|error| error.inside_field(name));
        self.parts.iter_mut().try_for_each(fold)
    }

    /// The pipelines by name.
    pub fn parts(&self) -> impl Iterator<Item = (&str, &[Placed])> {
        self.parts.iter().map(|(name, pipeline)| (name.as_str(), pipeline.stages.as_slice()))
    }

    /// Opens the stage.
    #[must_use]
    pub fn open<'s>(&'s self, input: Stream<'s>, run: Run<'s>) -> Stream<'s> {
        let mut input = Some(input);
        each(move || match input.take() {
            Some(input) => self.all(input, run).map(Some),
            None => Ok(None),
        })
    }

    fn all<'s>(&'s self, input: Stream<'s>, run: Run<'s>) -> Result<Row<'s>> {
        let rows: Vec<Row<'s>> = drain(input)?.into_iter().map(Row::settled).collect();
        let mut document = DocumentBuilder::new();
        for (at, (name, pipeline)) in self.parts.iter().enumerate() {
            let placed = |error: crate::error::CommandError| error.inside_field(name);
            let meter = run.meter.and_then(|meter| meter.inner.get(at));
            if let Some(meter) = meter {
                meter.returned.set(rows.len() as u64);
            }
            let meters = meter.map_or(&[][..], |meter| &meter.inner);
            let mut results = pipeline.open(listed(rows.clone()), run, meters).map_err(placed)?;
            let mut array = ArrayBuilder::new();
            while let Some(row) = results.next().map_err(placed)? {
                array.push(View::Document(row.raw().into()));
            }
            document.append(name, array.finish().view());
        }
        Ok(Row::built(document))
    }
}

/// `$unionWith`
#[derive(Debug, Clone)]
pub struct UnionWith {
    collection: String,
    sub: Sub,
}

impl UnionWith {
    /// Parses the stage.
    ///
    /// # Errors
    /// `FailedToParse` for what is neither text nor a document of `coll` and `pipeline`.
    pub fn parse(value: &Bson, around: Surroundings<'_>) -> Result<Self> {
        let (collection, stages) = match value {
            Bson::String(collection) => (Some(collection.clone()), Vec::new()),
            Bson::Document(document) => {
                if let Some(name) = document.keys().find(|name| !["coll", "pipeline"].contains(&name.as_str())) {
                    let message = format!("BSON field '$unionWith.{name}' is an unknown field.");
                    return Err(CommandError::new(40415, message).inside_field(name));
                }
                let stages = match document.get("pipeline") {
                    Some(stages) => sub::documents(stages, 9, "'pipeline' option must be specified as an array")?,
                    None => Vec::new(),
                };
                (document.get_str("coll").ok().map(str::to_owned), stages)
            }
            other => {
                let found = type_alias(other.into());
                let message =
                    format!("the $unionWith stage specification must be an object or string, but found {found}");
                return Err(crate::error::CommandError::new(crate::error::ErrorCode::FailedToParse, message));
            }
        };
        let begins_with_documents = stages.first().is_some_and(|stage| stage.contains_key("$documents"));
        if collection.is_none() && !begins_with_documents {
            let message =
                "$unionWith stage without explicit collection must have a pipeline with $documents as first stage";
            return Err(crate::error::CommandError::new(crate::error::ErrorCode::FailedToParse, message));
        }
        let around = Surroundings { owner: Owner::UnionWith, ..around };
        let sub = Sub::parse(stages, around).map_err(|error| error.inside_field("pipeline"))?;
        Ok(Self { collection: collection.unwrap_or_default(), sub })
    }

    /// The stage where another follows within it.
    #[must_use]
    pub fn followed_by(&self, stage: &Stage) -> Self {
        Self { collection: self.collection.clone(), sub: self.sub.followed_by(stage.clone()) }
    }

    /// The collection that is read behind the stage's own documents, with what the planner is asked of it.
    #[must_use]
    pub fn other(&self) -> (&str, Leading) {
        (&self.collection, self.sub.leading())
    }

    /// The stages over that collection.
    #[must_use]
    pub fn stages(&self) -> &[Placed] {
        &self.sub.rest().stages
    }

    /// The stage as explain shows it where the other collection is not read.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        let stages: Vec<Bson> = self.sub.written.iter().cloned().map(Bson::Document).collect();
        Bson::Document(crate::value::doc! {"coll": &self.collection, "pipeline": stages})
    }

    /// Opens the stage.
    #[must_use]
    pub fn open<'s>(&'s self, mut input: Stream<'s>, run: Run<'s>) -> Stream<'s> {
        let mut other: Option<Stream<'s>> = None;
        each(move || {
            if other.is_none() {
                if let Some(row) = input.next()? {
                    return Ok(Some(row));
                }
                other = Some(self.open_other(run)?);
            }
            other.as_mut().map_or(Ok(None), |other| other.next())
        })
    }

    fn open_other<'s>(&'s self, run: Run<'s>) -> Result<Stream<'s>> {
        let (collection, leading) = self.other();
        let run = Run { collection, ..run };
        let input = run.reader.open(collection, &leading, run.context, run.meter)?;
        self.sub.rest().open(input, run, run.meter.map_or(&[][..], |meter| &meter.inner))
    }
}
