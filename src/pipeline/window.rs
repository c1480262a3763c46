//! `$setWindowFields`: documents in partitions and in order, each with values gathered from its neighbours.

use std::collections::HashMap;

use crate::error::{CommandError, ErrorCode, Result};
use crate::query::expr::{Expression, Reads, Scope};
use crate::value::{Bson, Document, Packed, Path, doc, field_path, type_alias};

use super::flow::{Run, Stream, drain, gathered, listed};
use super::row::{Row, with_path};
use super::shape::Shape;
use super::sort::{Sort, sort_pattern};
use super::stage::{Stage, Surroundings};
use super::window_function::{Function, Ordered};
use crate::query::expr::key_of;

/// The stage.
#[derive(Debug, Clone)]
pub struct SetWindowFields {
    partition: Option<Expression>,
    sort: Option<Document>,
    output: Vec<(Path, Function)>,
    written: Document,
}

fn failed(message: impl Into<String>) -> CommandError {
    CommandError::new(ErrorCode::FailedToParse, message)
}

/// Where a key that is computed lies until the stage has partitioned by it.
const KEY: &str = "__internal_setWindowFields_partition_key";

/// Parses the stage into a sort by partition and order, which an index may do, and what makes the windows. A partition that
/// is computed is put into a field first, and taken away again; one that is constant is none
/// (`document_source_set_window_fields::create`, `src/mongo/db/pipeline/document_source_set_window_fields.cpp`).
///
/// # Errors
/// Those of [`SetWindowFields::parse`], and a constant partition that fails.
pub fn parse(value: &Bson, around: Surroundings<'_>) -> Result<Vec<Stage>> {
    let mut windows = SetWindowFields::parse(value, around.scope)?;
    if let Some(partition) = &mut windows.partition {
        partition.fold(around.context).map_err(|error| error.inside_field("partitionBy"))?;
    }
    windows.partition.take_if(|partition| partition.as_constant().is_some_and(|key| !matches!(key, Bson::Array(_))));
    let simple =
        windows.partition.as_ref().map(|partition| partition.as_path().filter(|path| !path.is_empty()).cloned());
    let mut pattern = Document::new();
    let mut stages = Vec::new();
    let mut behind = None;
    match simple {
        None => {}
        Some(Some(path)) => _ = pattern.insert(path.to_string(), 1),
        Some(None) => {
            let key = doc! {KEY: windows.written.get("partitionBy").cloned().unwrap_or(Bson::Null)};
            stages.push(Stage::AddFields(Shape::add_fields(&key, around.scope)?, "$addFields"));
            behind = Some(Stage::Project(Shape::unset(&[KEY.to_owned()])?));
            pattern.insert(KEY, 1);
            windows.partition = Some(Expression::path(Path::new(KEY)));
        }
    }
    for (path, direction) in windows.sort.iter().flatten() {
        // Within a partition its own field is the same everywhere.
        if !pattern.contains_key(path) {
            pattern.insert(path, direction.clone());
        }
    }
    if !pattern.is_empty() {
        stages.push(Stage::Sort(Sort::parse(&Bson::Document(pattern))?));
    }
    stages.push(Stage::SetWindowFields(windows));
    stages.extend(behind);
    Ok(stages)
}

impl SetWindowFields {
    /// Parses the stage.
    ///
    /// # Errors
    /// 40414 and 40415 for fields missing or unknown, and the refusals of window functions.
    pub fn parse(value: &Bson, scope: &Scope) -> Result<Self> {
        let Bson::Document(written) = value else {
            let found = type_alias(value.into());
            return Err(failed(format!("the $setWindowFields stage specification must be an object, found {found}")));
        };
        if let Some(name) = written.keys().find(|name| !["partitionBy", "sortBy", "output"].contains(&name.as_str())) {
            return Err(CommandError::new(40415, format!("BSON field '$setWindowFields.{name}' is an unknown field."))
                .inside_field(name));
        }
        let (sort, output) = (optional_object(written, "sortBy")?, optional_object(written, "output")?);
        let Some(output) = output else {
            return Err(CommandError::new(
                40414,
                "BSON field '$setWindowFields.output' is missing but a required field",
            ));
        };
        let partition = written
            .get("partitionBy")
            .map(|value| Expression::parse(value, scope).map_err(|error| error.inside_field("partitionBy")));
        let partition = partition.transpose()?;
        if let Some(sort) = sort {
            sort_pattern(sort).map_err(|error| error.inside_field("sortBy"))?;
        }
        let output = outputs(output, sort, scope).map_err(|error| error.inside_field("output"))?;
        Ok(Self { partition, sort: sort.cloned(), output, written: written.clone() })
    }

    /// Adds what the stage reads: partition, order, and what the functions take; of a field written inside another also that,
    /// as it may not be a document.
    pub fn reads(&self, reads: &mut Reads) {
        self.partition.iter().for_each(|partition| partition.reads(reads));
        reads.paths.extend(self.sort.iter().flatten().map(|(path, _)| Path::new(path)));
        for (path, function) in &self.output {
            function.reads(reads);
            let outer = (1..path.parts().len()).map(|length| Path::from_parts(path.parts()[..length].to_vec()));
            reads.paths.extend(outer);
        }
    }

    /// The names of the fields that are written, in their order.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        self.output.iter().map(|(path, _)| path.to_string())
    }

    /// The stage as explain shows it.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        Bson::Document(self.written.clone())
    }

    /// Opens the stage.
    #[must_use]
    pub fn open<'s>(&'s self, input: Stream<'s>, run: Run<'s>) -> Stream<'s> {
        gathered(input, move |input| Ok(listed(self.compute(input, run)?)))
    }

    fn compute<'s>(&self, input: Stream<'s>, run: Run<'_>) -> Result<Vec<Row<'s>>> {
        let mut results = Vec::new();
        for rows in partitions(drain(input)?, self.partition.as_ref(), run)? {
            let ordered = Ordered::new(rows, self.sort.as_ref(), run)?;
            let mut columns = Vec::new();
            for (path, function) in &self.output {
                let values = function.compute(&ordered, run);
                columns.push((
                    path,
                    values.map_err(|error| error.inside_field(&path.to_string()).inside_field("output"))?,
                ));
            }
            if let Some(meter) = run.meter {
                let held = columns.iter().map(|(_, values)| values.iter().flatten().map(Packed::size).sum());
                meter.hold_most(held.collect(), ordered.rows.iter().map(|row| row.raw().as_bytes().len()).sum());
            }
            for (at, row) in ordered.rows.into_iter().enumerate() {
                let mut document = row.into_raw();
                for (path, values) in &columns {
                    document = with_path((&document).into(), path.parts(), values[at].as_ref().map(Packed::view));
                }
                results.push(document.into());
            }
        }
        Ok(results)
    }
}

fn optional_object<'d>(written: &'d Document, name: &str) -> Result<Option<&'d Document>> {
    match written.get(name) {
        None => Ok(None),
        Some(Bson::Document(object)) => Ok(Some(object)),
        Some(other) => {
            let found = type_alias(other.into());
            let message =
                format!("BSON field '$setWindowFields.{name}' is the wrong type '{found}', expected type 'object'");
            Err(CommandError::new(ErrorCode::TypeMismatch, message).inside_field(name))
        }
    }
}

/// The functions by the paths they are written to, none of which leads through another.
fn outputs(output: &Document, sort: Option<&Document>, scope: &Scope) -> Result<Vec<(Path, Function)>> {
    let mut parsed: Vec<(Path, Function)> = Vec::with_capacity(output.len());
    for (name, value) in output {
        let path = Path::new(name);
        if parsed.iter().any(|(other, _)| other.is_prefix_of(&path) || path.is_prefix_of(other)) {
            let message = "$setWindowFields 'output' specification contains two conflicting paths";
            return Err(CommandError::new(6_307_900, message).inside_field(name));
        }
        let placed = |error: CommandError| error.inside_field(name);
        field_path(name).map_err(placed)?;
        parsed.push((path, Function::parse(value, sort, scope).map_err(placed)?));
    }
    Ok(parsed)
}

/// The rows by the value of an expression, in the order of those values; a missing value is the partition of null.
pub fn partitions<'s>(rows: Vec<Row<'s>>, by: Option<&Expression>, run: Run<'_>) -> Result<Vec<Vec<Row<'s>>>> {
    let Some(by) = by else {
        return Ok(vec![rows]);
    };
    let mut places: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut list: Vec<(Packed, Vec<Row<'s>>)> = Vec::new();
    for row in rows {
        let key = {
            let value = by.evaluate(&run.context.env(row.root()))?;
            if value.array().is_some() {
                let message = "An expression used to partition cannot evaluate to value of type array";
                return Err(CommandError::new(ErrorCode::TypeMismatch, message));
            }
            Packed::new(value.or_null())
        };
        let bytes = key_of(Some(key.view()), run.context.collation());
        let place = *places.entry(bytes).or_insert(list.len());
        if place == list.len() {
            list.push((key, Vec::new()));
        }
        list[place].1.push(row);
    }
    list.sort_by(|(a, _), (b, _)| run.context.collation().compare(a.view(), b.view()));
    Ok(list.into_iter().map(|(_, rows)| rows).collect())
}
