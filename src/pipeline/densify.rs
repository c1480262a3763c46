//! `$densify`: documents for the values that are missing between others.

use crate::error::{CommandError, ErrorCode, Result};
use crate::query::expr::{Context, Expression, Number, Reads, Scope, Unit, Zone};
use crate::query::{Collation, SortPattern};
use crate::value::{Bson, DocView, Document, Path, View, doc, exact_long, field_path, type_alias};

use super::flow::{Run, Stream, drain, gathered, listed};
use super::row::{Row, with_path};
use super::sort::Sort;
use super::stage::Stage;
use super::window::partitions;

/// The most documents one stage makes (server: `internalQueryMaxAllowedDensifyDocs`).
const MAX_MADE: usize = 500_000;

/// The stage.
#[derive(Debug, Clone)]
pub struct Densify {
    field: Path,
    partition_paths: Vec<Path>,
    partition: Option<Expression>,
    step: Step,
    bounds: Bounds,
    written: Document,
}

#[derive(Debug, Clone)]
enum Step {
    Number(Bson),
    Date(Unit, i64),
}

#[derive(Debug, Clone)]
enum Bounds {
    Full,
    Partition,
    Explicit(Box<(Bson, Bson)>),
}

fn wrong_type(field: &str, value: &Bson, expected: &str) -> CommandError {
    let found = type_alias(value.into());
    CommandError::new(
        ErrorCode::TypeMismatch,
        format!("BSON field '$densify.{field}' is the wrong type '{found}', expected type '{expected}'"),
    )
}

/// Parses the stage into a sort by partition and field, which an index may do, and what makes the documents
/// (`document_source_densify::create`, `src/mongo/db/pipeline/document_source_densify.cpp`).
///
/// # Errors
/// Those of [`Densify::parse`].
pub fn parse(value: &Bson) -> Result<Vec<Stage>> {
    let densify = Densify::parse(value)?;
    let mut pattern: Document = densify.partition_paths.iter().map(|path| (path.to_string(), Bson::Int32(1))).collect();
    pattern.insert(densify.field.to_string(), 1);
    let sort = Sort::parse(&Bson::Document(pattern))?;
    Ok(vec![Stage::Sort(sort), Stage::Densify(densify)])
}

impl Densify {
    /// Parses the stage.
    ///
    /// # Errors
    /// 40414, 40415, and the refusals of ranges.
    pub fn parse(value: &Bson) -> Result<Self> {
        let Bson::Document(written) = value else {
            let found = type_alias(value.into());
            return Err(CommandError::new(
                ErrorCode::FailedToParse,
                format!("The $densify stage specification must be an object, found {found}"),
            ));
        };
        if let Some(name) =
            written.keys().find(|name| !["field", "partitionByFields", "range"].contains(&name.as_str()))
        {
            return Err(CommandError::new(40415, format!("BSON field '$densify.{name}' is an unknown field."))
                .inside_field(name));
        }
        let need = |name: &str| {
            written.get(name).ok_or_else(|| {
                CommandError::new(40414, format!("BSON field '$densify.{name}' is missing but a required field"))
            })
        };
        let field = match need("field")? {
            Bson::String(field) => field,
            other => return Err(wrong_type("field", other, "string").inside_field("field")),
        };
        let partition_fields = text_list(written, "partitionByFields")?;
        let range = match need("range")? {
            Bson::Document(range) => range,
            other => return Err(wrong_type("range", other, "object").inside_field("range")),
        };
        let (step, bounds) = parse_range(range).map_err(|error| error.inside_field("range"))?;
        let path = |(at, field): (usize, &&str)| {
            field_path(field).map_err(|error| error.inside_index(at).inside_field("partitionByFields"))
        };
        let partition_paths = partition_fields.iter().enumerate().map(path).collect::<Result<Vec<_>>>()?;
        let field = field_path(field).map_err(|error| error.inside_field("field"))?;
        if matches!(bounds, Bounds::Partition) && partition_paths.is_empty() {
            let message = "One cannot specify the bounds as 'partition' without specifying a non-empty array of partitionByFields. You may have meant to specify 'full' bounds.";
            return Err(CommandError::new(5_733_408, message).inside_field("range"));
        }
        let partition = if partition_paths.is_empty() { None } else { Some(partition_key(&partition_paths)?) };
        Ok(Self { field, partition_paths, partition, step, bounds, written: written.clone() })
    }

    /// Adds what the stage reads.
    pub fn reads(&self, reads: &mut Reads) {
        reads.paths.extend(std::iter::once(&self.field).chain(&self.partition_paths).cloned());
    }

    /// The stage as explain shows it.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        Bson::Document(self.written.clone())
    }

    /// Opens the stage.
    #[must_use]
    pub fn open<'s>(&'s self, input: Stream<'s>, run: Run<'s>) -> Stream<'s> {
        gathered(input, move |input| Ok(listed(self.fill(drain(input)?, run)?)))
    }

    fn fill<'s>(&self, rows: Vec<Row<'s>>, run: Run<'_>) -> Result<Vec<Row<'s>>> {
        let pattern = SortPattern::parse(&doc! {self.field.to_string(): 1}, Collation::simple())?;
        let (with, mut results): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| !self.value(row).is_none_or(|value| value == Bson::Null));
        for row in &with {
            self.check(&self.value(row).unwrap_or(Bson::Null))?;
        }
        let full = self.extent(&with);
        let mut made = 0;
        for part in partitions(with, self.partition.as_ref(), run)? {
            let mut keyed = Vec::with_capacity(part.len());
            for row in part {
                keyed.push((pattern.key(row.raw())?, row));
            }
            keyed.sort_by(|(a, _), (b, _)| pattern.compare(a, b));
            let part: Vec<Row<'s>> = keyed.into_iter().map(|(_, row)| row).collect();
            let (from, to, inclusive) = match &self.bounds {
                Bounds::Explicit(ends) => (ends.0.clone(), ends.1.clone(), false),
                Bounds::Full => match &full {
                    Some((low, high)) => (low.clone(), high.clone(), true),
                    None => continue,
                },
                Bounds::Partition => match self.extent(&part) {
                    Some((low, high)) => (low, high, true),
                    None => continue,
                },
            };
            self.fill_part(part, &from, &to, inclusive, &mut results, &mut made)?;
        }
        Ok(results)
    }

    fn fill_part<'s>(
        &self,
        part: Vec<Row<'s>>,
        from: &Bson,
        to: &Bson,
        inclusive: bool,
        results: &mut Vec<Row<'s>>,
        made: &mut usize,
    ) -> Result<()> {
        let model = part.first().cloned();
        let mut steps = 0;
        let mut next = from.clone();
        let within = |value: &Bson| {
            let order = crate::value::compare(value.into(), to.into());
            order.is_lt() || (inclusive && order.is_eq())
        };
        let mut part = part.into_iter().peekable();
        loop {
            let ahead = part.peek().and_then(|row| self.value(row));
            let order = ahead.as_ref().map(|ahead| crate::value::compare(ahead.into(), (&next).into()));
            match order {
                Some(order) if order.is_le() => {
                    results.extend(part.next());
                    if order.is_eq() {
                        // Several documents may hold the value; they all stand for it.
                        while part
                            .peek()
                            .and_then(|row| self.value(row))
                            .is_some_and(|value| crate::value::equal((&value).into(), (&next).into()))
                        {
                            results.extend(part.next());
                        }
                        steps += 1;
                        next = self.advance(from, steps)?;
                    }
                }
                _ if within(&next) => {
                    results.push(self.document(model.as_ref(), &next));
                    *made += 1;
                    if *made > MAX_MADE {
                        return Err(CommandError::new(
                            5_897_900,
                            format!(
                                "Generated {made} documents in $densify, which is over the limit of {MAX_MADE}. Increase the 'internalQueryMaxAllowedDensifyDocs' parameter to allow more generated documents"
                            ),
                        ));
                    }
                    steps += 1;
                    next = self.advance(from, steps)?;
                }
                _ => break,
            }
        }
        results.extend(part);
        Ok(())
    }

    fn value(&self, row: &Row<'_>) -> Option<Bson> {
        let mut value = View::Document(row.raw().into());
        for part in self.field.parts() {
            match value {
                View::Document(document) => value = document.get(part)?,
                _ => return None,
            }
        }
        Some(value.to_bson())
    }

    fn check(&self, value: &Bson) -> Result<()> {
        match (&self.step, value) {
            (Step::Date(..), Bson::DateTime(_)) => Ok(()),
            (Step::Date(..), _) => {
                Err(CommandError::new(6_053_600, "Densify field type must be date if step has a unit"))
            }
            (Step::Number(_), value) if Number::of(value.into()).is_some() => Ok(()),
            (Step::Number(_), _) => {
                Err(CommandError::new(5_733_201, "Densify field type must be numeric if step has no unit"))
            }
        }
    }

    fn extent(&self, rows: &[Row<'_>]) -> Option<(Bson, Bson)> {
        let mut values: Vec<Bson> = rows.iter().filter_map(|row| self.value(row)).collect();
        values.sort_by(|a, b| crate::value::compare(a.into(), b.into()));
        Some((values.first()?.clone(), values.last()?.clone()))
    }

    /// The value so many steps behind the beginning.
    fn advance(&self, from: &Bson, steps: i64) -> Result<Bson> {
        match (&self.step, from) {
            (Step::Date(unit, width), Bson::DateTime(date)) => {
                let moved = width.checked_mul(steps).and_then(|by| unit.shift(date.timestamp_millis(), by, &Zone::UTC));
                let moved = moved.ok_or_else(|| CommandError::new(ErrorCode::Overflow, "date overflow"))?;
                Ok(Bson::DateTime(bson::DateTime::from_millis(moved)))
            }
            (Step::Number(step), from) => {
                let sum = doc! {"$add": [from.clone(), {"$multiply": [step.clone(), steps]}]};
                let mut expression = Expression::parse(&Bson::Document(sum), &Scope::default())?;
                expression.fold(&Context::default())?;
                let value = expression.as_constant().cloned().unwrap_or(Bson::Null);
                // The count of steps is a long; it does not make a long of an int.
                Ok(match (from, step, &value) {
                    (Bson::Int32(_), Bson::Int32(_), Bson::Int64(long)) => {
                        i32::try_from(*long).map_or(value, Bson::Int32)
                    }
                    _ => value,
                })
            }
            (Step::Date(..), other) => self.check(other).map(|()| Bson::Null),
        }
    }

    fn document<'s>(&self, model: Option<&Row<'_>>, value: &Bson) -> Row<'s> {
        let mut document = with_path(DocView::Owned(&Document::new()), &[], None);
        for path in &self.partition_paths {
            let of_model = model.map(|row| crate::query::expr::path_value(row.raw().into(), path));
            if let Some(of_model) = of_model.as_ref().and_then(crate::query::expr::Value::view) {
                document = with_path((&document).into(), path.parts(), Some(of_model));
            }
        }
        with_path((&document).into(), self.field.parts(), Some(value.into())).into()
    }
}

/// The values of several paths as one key.
pub fn partition_key(paths: &[Path]) -> Result<Expression> {
    let fields: Vec<Bson> = paths.iter().map(|path| Bson::String(format!("${path}"))).collect();
    let key: Document = fields.into_iter().enumerate().map(|(at, path)| (at.to_string(), path)).collect();
    Expression::parse(&Bson::Document(key), &Scope::default())
}

/// A list of texts that may be left out.
fn text_list<'d>(written: &'d Document, name: &str) -> Result<Vec<&'d str>> {
    let text = |(at, item): (usize, &'d Bson)| {
        item.as_str()
            .ok_or_else(|| wrong_type(&format!("{name}.{at}"), item, "string").inside_index(at).inside_field(name))
    };
    match written.get(name) {
        None => Ok(Vec::new()),
        Some(Bson::Array(items)) => items.iter().enumerate().map(text).collect(),
        Some(other) => Err(wrong_type(name, other, "array").inside_field(name)),
    }
}

fn parse_range(range: &Document) -> Result<(Step, Bounds)> {
    if let Some(name) = range.keys().find(|name| !["step", "unit", "bounds"].contains(&name.as_str())) {
        return Err(CommandError::new(40415, format!("BSON field '$densify.range.{name}' is an unknown field."))
            .inside_field(name));
    }
    let need = |name: &str| {
        range.get(name).ok_or_else(|| {
            CommandError::new(40414, format!("BSON field '$densify.range.{name}' is missing but a required field"))
        })
    };
    let (written, bounds) = (need("step")?, need("bounds")?);
    let Some(size) = Number::of(written.into()).map(Number::to_double) else {
        let found = type_alias(written.into());
        let message = format!(
            "BSON field '$densify.range.step' is the wrong type '{found}', expected types '[int, decimal, double, long]'"
        );
        return Err(CommandError::new(ErrorCode::TypeMismatch, message).inside_field("step"));
    };
    if size <= 0.0 {
        return Err(CommandError::new(
            5_733_401,
            "The step parameter in a range statement must be a strictly positive numeric value",
        )
        .inside_field("step"));
    }
    let step = match range.get("unit") {
        None => Step::Number(written.clone()),
        Some(Bson::String(unit)) => {
            let width = exact_long(written.into()).ok_or_else(|| {
                CommandError::new(
                    6_586_400,
                    "The step parameter in a range statement must be a whole number when densifying a date range",
                )
                .inside_field("step")
            })?;
            Step::Date(Unit::parse(unit).map_err(|error| error.inside_field("unit"))?, width)
        }
        Some(other) => return Err(wrong_type("range.unit", other, "string").inside_field("unit")),
    };
    Ok((step.clone(), parse_bounds(bounds, &step).map_err(|error| error.inside_field("bounds"))?))
}

/// Both ends are numbers of the step's type, or dates where there is a unit (`RangeStatement::parse`).
fn check_ends(low: &Bson, high: &Bson, step: &Step) -> Result<()> {
    let refuse = |code: i32, message: &str| Err(CommandError::new(code, message));
    let is_number = |bound: &Bson| Number::of(bound.into()).is_some();
    let mixed = "A bounding array must contain either both dates or both numeric types";
    if crate::value::compare(low.into(), high.into()).is_gt() {
        return refuse(5_733_402, "A bounding array must be an ascending array of either two dates or two numbers");
    }
    match (low, high, step) {
        (low, _, Step::Date(..)) if is_number(low) => refuse(5_733_409, "Numeric bounds may not have unit parameter"),
        (low, high, _) if is_number(low) && !is_number(high) => refuse(5_733_406, mixed),
        (low, high, Step::Number(step)) if is_number(low) => {
            if low.element_type() == high.element_type() && low.element_type() == step.element_type() {
                return Ok(());
            }
            refuse(5_876_900, "Upper bound, lower bound, and step must all have the same type")
        }
        (Bson::DateTime(_), Bson::DateTime(_), Step::Date(..)) => Ok(()),
        (Bson::DateTime(_), Bson::DateTime(_), Step::Number(_)) => {
            refuse(5_733_410, "A bounding array of dates must specify a unit")
        }
        (Bson::DateTime(_), _, _) => refuse(5_733_405, mixed),
        _ => refuse(5_946_800, "Explicit bounds must be numeric or dates"),
    }
}

fn parse_bounds(bounds: &Bson, step: &Step) -> Result<Bounds> {
    match bounds {
        Bson::String(word) if word == "full" => Ok(Bounds::Full),
        Bson::String(word) if word == "partition" => Ok(Bounds::Partition),
        Bson::String(_) => Err(CommandError::new(5_946_802, "Bounds string must either be 'full' or 'partition'")),
        Bson::Array(items) => {
            let [low, high] = items.as_slice() else {
                return Err(CommandError::new(
                    5_733_403,
                    "A bounding array in a range statement must have exactly two elements",
                ));
            };
            check_ends(low, high, step)?;
            Ok(Bounds::Explicit(Box::new((low.clone(), high.clone()))))
        }
        _ => Err(CommandError::new(
            5_733_404,
            "The bounds in a range statement must be the string 'full', 'partition', or an ascending array of two numbers or two dates",
        )),
    }
}
