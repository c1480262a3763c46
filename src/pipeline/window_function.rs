//! The functions of `$setWindowFields` (`src/mongo/db/pipeline/window_function/`).

use crate::error::{CommandError, ErrorCode, Result};
use crate::query::expr::{Context, Expression, Number, Reads, Scope, Unit, Value};
use crate::query::{SortKey, SortPattern};
use crate::value::{Bson, Decimal, Document, Packed, View, exact_long, type_alias};

use super::accumulate::{Gather, accumulators};
use super::flow::Run;
use super::row::Row;
use super::window_bounds::Window;

/// A partition in order, with what it is ordered by.
pub struct Ordered<'s> {
    /// The rows.
    pub rows: Vec<Row<'s>>,
    keys: Vec<SortKey>,
    pattern: Option<SortPattern>,
}

impl<'s> Ordered<'s> {
    /// Sorts a partition; without a pattern it stays as it is.
    ///
    /// # Errors
    /// Sort keys that cannot be made.
    pub fn new(rows: Vec<Row<'s>>, sort: Option<&Document>, run: Run<'_>) -> Result<Self> {
        let Some(sort) = sort else {
            return Ok(Self { rows, keys: Vec::new(), pattern: None });
        };
        let pattern = SortPattern::parse(sort, run.context.collation().clone())?;
        let mut keyed = Vec::with_capacity(rows.len());
        for row in rows {
            keyed.push((pattern.key(row.raw())?, row));
        }
        keyed.sort_by(|(a, _), (b, _)| pattern.compare(a, b));
        let (keys, rows) = keyed.into_iter().unzip();
        Ok(Self { rows, keys, pattern: Some(pattern) })
    }

    /// What the rows are sorted by.
    #[must_use]
    pub fn keys(&self) -> &[SortKey] {
        &self.keys
    }

    /// The first value that a row is sorted by.
    #[must_use]
    pub fn key(&self, at: usize) -> Option<&Bson> {
        self.keys.get(at).and_then(|key| key.0.first())
    }

    /// That value on a scale: a number itself, a date, and what holds one, in milliseconds.
    #[must_use]
    pub fn scale(&self, at: usize) -> Option<f64> {
        match self.key(at)? {
            #[expect(clippy::cast_precision_loss, reason = "milliseconds stay below 2^53 for any date of use")]
            Bson::DateTime(date) => Some(date.timestamp_millis() as f64),
            Bson::Timestamp(stamp) => Some(f64::from(stamp.time) * 1000.0),
            #[expect(clippy::cast_precision_loss, reason = "the same")]
            Bson::ObjectId(id) => Some(id.timestamp().timestamp_millis() as f64),
            other => Number::of(other.into()).map(Number::to_double),
        }
    }

    fn tied(&self, at: usize) -> bool {
        at > 0
            && self.pattern.as_ref().is_some_and(|pattern| pattern.compare(&self.keys[at - 1], &self.keys[at]).is_eq())
    }
}

/// One function.
#[derive(Debug, Clone)]
pub enum Function {
    /// An accumulator over a window.
    Gather(Gather, Window),
    /// `$rank`, `$denseRank`, `$documentNumber`
    Rank(Ranking),
    /// `$shift`
    Shift { output: Expression, by: i64, default: Bson },
    /// `$derivative`, or `$integral` where `true`
    Slope { input: Expression, unit: Option<f64>, window: Window, integral: bool },
    /// `$covariancePop`, `$covarianceSamp`
    Covariance { x: Expression, y: Expression, window: Window, sample: bool },
    /// `$expMovingAvg` with its weight
    Moving { input: Expression, alpha: Decimal },
    /// `$linearFill`
    LinearFill(Expression),
    /// `$locf`
    LastObservation(Expression),
}

/// The three ways of counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ranking {
    /// Ties share a rank and leave a gap.
    Rank,
    /// Ties share a rank.
    Dense,
    /// Every document counts.
    Number,
}

type Column = Vec<Option<Packed>>;

/// The accumulators of `$group` that are no window functions.
const NO_WINDOW_FUNCTIONS: [&str; 2] = ["$accumulator", "$mergeObjects"];

fn unrecognized(name: &str) -> CommandError {
    failed(format!("Unrecognized window function, {name}")).inside_field(name)
}

fn failed(message: impl Into<String>) -> CommandError {
    CommandError::new(ErrorCode::FailedToParse, message)
}

/// The names of the functions of `$setWindowFields` that are no accumulators (manual: `$setWindowFields`).
const WINDOW_FUNCTIONS: [&str; 11] = [
    "$covariancePop",
    "$covarianceSamp",
    "$denseRank",
    "$derivative",
    "$documentNumber",
    "$expMovingAvg",
    "$integral",
    "$linearFill",
    "$locf",
    "$rank",
    "$shift",
];

/// The names of all functions that `$setWindowFields` answers, accumulators included, in no special order.
pub fn window_functions() -> impl Iterator<Item = &'static str> {
    accumulators().filter(|name| !NO_WINDOW_FUNCTIONS.contains(name)).chain(WINDOW_FUNCTIONS)
}

impl Function {
    /// Adds what the function takes of a document.
    pub fn reads(&self, reads: &mut Reads) {
        match self {
            Self::Gather(gather, _) => gather.reads(reads),
            Self::Rank(_) => {}
            Self::Shift { output: input, .. }
            | Self::Slope { input, .. }
            | Self::Moving { input, .. }
            | Self::LinearFill(input)
            | Self::LastObservation(input) => input.reads(reads),
            Self::Covariance { x, y, .. } => {
                x.reads(reads);
                y.reads(reads);
            }
        }
    }

    /// Parses one field of `output`.
    ///
    /// # Errors
    /// `FailedToParse` and the numbered refusals of each function.
    pub fn parse(value: &Bson, sort: Option<&Document>, scope: &Scope) -> Result<Self> {
        let Bson::Document(written) = value else {
            let found = type_alias(value.into());
            return Err(failed(format!("The field must specify a window function object, found {found}")));
        };
        let window = written.get("window");
        let Some((name, operand)) = written.iter().find(|(name, _)| name.starts_with('$')) else {
            let found = written.keys().next().map(|name| format!(", {name}")).unwrap_or_default();
            return Err(failed(format!("Expected a $-prefixed window function{found}")));
        };
        if NO_WINDOW_FUNCTIONS.contains(&name.as_str()) {
            return Err(unrecognized(name));
        }
        let bounds = |needs: bool| match window {
            Some(window) => Window::parse(window, sort).map_err(|error| error.inside_field("window")),
            None if needs => Err(failed(format!("{name} requires explicit window bounds"))),
            None => Ok(Window::Whole),
        };
        let placed = |error: CommandError| error.inside_field(name);
        let no_window = |code| match window {
            Some(_) => {
                Err(CommandError::new(code, format!("{name} does not accept a 'window' field")).inside_field("window"))
            }
            None => Ok(()),
        };
        let function = match name.as_str() {
            "$rank" | "$denseRank" | "$documentNumber" => {
                no_window(5_371_601)?;
                ranking(name, operand, sort).map_err(placed)
            }
            "$shift" => shift(operand, sort, scope).map_err(placed),
            "$derivative" | "$integral" => {
                slope(name, operand, sort, bounds(name == "$derivative")?, scope).map_err(placed)
            }
            "$covariancePop" | "$covarianceSamp" => covariance(name, operand, bounds(false)?, scope).map_err(placed),
            "$expMovingAvg" => moving(operand, sort, scope).map_err(placed),
            "$linearFill" | "$locf" => {
                no_window(if name == "$locf" { 605_001 } else { 605_000 })?;
                fill(name, operand, sort, scope).map_err(placed)
            }
            _ => {
                let only = Document::from_iter([(name.clone(), operand.clone())]);
                let gather = Gather::parse("output", &Bson::Document(only), scope).map_err(|error| {
                    match error.code.number() {
                        15952 => unrecognized(name),
                        _ => error,
                    }
                })?;
                Ok(Self::Gather(gather, bounds(false)?))
            }
        }?;
        match written.keys().find(|other| *other != name && *other != "window") {
            Some(other) => Err(failed(format!("Window function {name} found an unknown argument: {other}"))),
            None => Ok(function),
        }
    }

    /// The value for each row of a partition; none leaves the field out.
    ///
    /// # Errors
    /// Run-time errors of the operands.
    pub fn compute(&self, rows: &Ordered<'_>, run: Run<'_>) -> Result<Column> {
        match self {
            Self::Gather(gather, window) => gathered(gather, window, rows, run),
            Self::Rank(ranking) => Ok(ranks(*ranking, rows)),
            Self::Shift { output, by, default } => shifted(output, *by, default, rows, run),
            Self::Slope { input, unit, window, integral } => slopes(input, *unit, window, *integral, rows, run),
            Self::Covariance { x, y, window, sample } => covariances((x, y), window, *sample, rows, run),
            Self::Moving { input, alpha } => averages(input, *alpha, rows, run),
            Self::LinearFill(input) => interpolated(input, rows, run),
            Self::LastObservation(input) => carried(input, rows, run),
        }
    }
}

fn single_sort<'d>(sort: Option<&'d Document>, code: i32, name: &str) -> Result<&'d Document> {
    sort.filter(|sort| sort.len() == 1).ok_or_else(|| {
        CommandError::new(
            code,
            format!("{name} must be specified with a top level sortBy expression with exactly one element"),
        )
    })
}

fn ranking(name: &str, operand: &Bson, sort: Option<&Document>) -> Result<Function> {
    if !matches!(operand, Bson::Document(document) if document.is_empty()) {
        return Err(CommandError::new(5_371_603, format!("{name} must be specified with '{{}}' as the value")));
    }
    let which = match name {
        "$documentNumber" => Ranking::Number,
        "$rank" => Ranking::Rank,
        _ => Ranking::Dense,
    };
    if which == Ranking::Number && sort.is_some() {
        return Ok(Function::Rank(which));
    }
    single_sort(sort, 5_371_602, name)?;
    Ok(Function::Rank(which))
}

/// The named operands of a function, after checking that no other name is there.
fn named<'d>(operand: &'d Bson, name: &str, known: &[&str]) -> Result<&'d Document> {
    let Bson::Document(document) = operand else {
        let found = type_alias(operand.into());
        return Err(failed(format!("Argument to {name} must be an object, found {found}")));
    };
    match document.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(failed(format!("{name} got unexpected argument: {key}")).inside_field(key)),
        None => Ok(document),
    }
}

fn need<'d>(document: &'d Document, field: &str, name: &str) -> Result<&'d Bson> {
    document.get(field).ok_or_else(|| failed(format!("{name} requires an '{field}' expression")))
}

fn shift(operand: &Bson, sort: Option<&Document>, scope: &Scope) -> Result<Function> {
    if sort.is_none() {
        return Err(failed("'$shift' requires a sortBy"));
    }
    let document = named(operand, "$shift", &["output", "by", "default"])?;
    let by = need(document, "by", "$shift")?;
    let by = exact_long(by.into()).ok_or_else(|| failed("'$shift:by' field must be an integer").inside_field("by"))?;
    let default = match document.get("default") {
        None => Bson::Null,
        Some(value) => {
            let mut expression = Expression::parse(value, scope)?;
            expression.fold(&Context::default())?;
            expression.as_constant().cloned().ok_or_else(|| {
                failed("'$shift:default' expression must yield a constant value.").inside_field("default")
            })?
        }
    };
    let output =
        Expression::parse(need(document, "output", "$shift")?, scope).map_err(|error| error.inside_field("output"))?;
    Ok(Function::Shift { output, by, default })
}

fn slope(name: &str, operand: &Bson, sort: Option<&Document>, window: Window, scope: &Scope) -> Result<Function> {
    let document = named(operand, name, &["input", "unit"])?;
    single_sort(sort, if name == "$derivative" { 5_371_700 } else { 5_423_801 }, name)?;
    let unit = match document.get("unit") {
        None => None,
        Some(Bson::String(unit)) => match Unit::parse(unit).map_err(|error| error.inside_field("unit"))? {
            Unit::Millis(millis) => Some(millis),
            Unit::Days(days) => Some(days * 86_400_000),
            Unit::Months(_) => {
                return Err(CommandError::new(5_490_704, "unit must be 'week' or smaller").inside_field("unit"));
            }
        },
        Some(_) => {
            return Err(CommandError::new(5_490_703, format!("{name} 'unit' must be a string")).inside_field("unit"));
        }
    };
    let input =
        Expression::parse(need(document, "input", name)?, scope).map_err(|error| error.inside_field("input"))?;
    #[expect(clippy::cast_precision_loss, reason = "a week has few milliseconds")]
    let unit = unit.map(|millis| millis as f64);
    Ok(Function::Slope { input, unit, window, integral: name == "$integral" })
}

fn covariance(name: &str, operand: &Bson, window: Window, scope: &Scope) -> Result<Function> {
    let Bson::Array(items) = operand else {
        return Err(failed(format!("{name} expects an array of two expressions")));
    };
    let [x, y] = items.as_slice() else {
        return Err(failed(format!("{name} expects an array of two expressions")));
    };
    let (x, y) = (Expression::parse(x, scope)?, Expression::parse(y, scope)?);
    Ok(Function::Covariance { x, y, window, sample: name == "$covarianceSamp" })
}

fn moving(operand: &Bson, sort: Option<&Document>, scope: &Scope) -> Result<Function> {
    let name = "$expMovingAvg";
    if sort.is_none() {
        return Err(failed("$expMovingAvg requires an explicit 'sortBy'"));
    }
    let document = named(operand, name, &["input", "N", "alpha"])?;
    let input =
        Expression::parse(need(document, "input", name)?, scope).map_err(|error| error.inside_field("input"))?;
    let alpha = match (document.get("N"), document.get("alpha")) {
        (Some(n), None) => {
            let n = exact_long(n.into()).filter(|n| *n > 0);
            let n = n.ok_or_else(|| failed("'N' field must be an integer greater than zero").inside_field("N"))?;
            Decimal::from_long(2).divide(Decimal::from_long(n.saturating_add(1)))
        }
        (None, Some(alpha)) => {
            let within = |alpha: &Number| (0.0..1.0).contains(&alpha.to_double()) && alpha.to_double() > 0.0;
            let alpha = Number::of(alpha.into()).filter(within).map(Number::to_decimal);
            alpha.ok_or_else(|| failed("'alpha' must be between 0 and 1 (exclusive)").inside_field("alpha"))?
        }
        _ => {
            return Err(failed(
                "$expMovingAvg sub object must have exactly two fields: An 'input' field, and either an 'N' field or an 'alpha' field",
            ));
        }
    };
    Ok(Function::Moving { input, alpha })
}

fn fill(name: &str, operand: &Bson, sort: Option<&Document>, scope: &Scope) -> Result<Function> {
    let input = Expression::parse(operand, scope)?;
    if name == "$locf" {
        return Ok(Function::LastObservation(input));
    }
    single_sort(sort, 605_001, name)?;
    Ok(Function::LinearFill(input))
}

/// The values of an expression for each row.
fn column(input: &Expression, rows: &Ordered<'_>, run: Run<'_>) -> Result<Vec<Value<'static>>> {
    rows.rows.iter().map(|row| Ok(input.evaluate(&run.context.env(row.root()))?.into_owned())).collect()
}

fn numbers(input: &Expression, rows: &Ordered<'_>, run: Run<'_>) -> Result<Vec<Option<f64>>> {
    let values = column(input, rows, run)?;
    Ok(values.iter().map(|value| value.view().and_then(Number::of).map(Number::to_double)).collect())
}

fn double(number: f64) -> Packed {
    Packed::new(View::Double(number))
}

fn null() -> Packed {
    Packed::new(View::Null)
}

/// A window that begins at the front only grows, so that what was gathered stays gathered.
fn gathered(gather: &Gather, window: &Window, rows: &Ordered<'_>, run: Run<'_>) -> Result<Column> {
    let nothing = Document::new();
    let mut growing = gather.start((&nothing).into(), run.context)?;
    let mut taken = 0;
    let mut values = Vec::with_capacity(rows.rows.len());
    for at in 0..rows.rows.len() {
        let span = window.span(rows, at)?;
        let value = if span.start == 0 && taken <= span.end {
            for row in &rows.rows[taken..span.end] {
                gather.add(&mut growing, row.root(), run.context)?;
            }
            taken = span.end;
            gather.value(&growing)
        } else {
            let mut progress = gather.start((&nothing).into(), run.context)?;
            run.context.allowance().spend(span.len() as u64)?;
            for row in &rows.rows[span] {
                gather.add(&mut progress, row.root(), run.context)?;
            }
            gather.value(&progress)
        };
        values.push(value.view().map(Packed::new));
    }
    Ok(values)
}

fn ranks(ranking: Ranking, rows: &Ordered<'_>) -> Column {
    let (mut rank, mut dense) = (0, 0);
    let mut column = Vec::with_capacity(rows.rows.len());
    for at in 0..rows.rows.len() {
        if !rows.tied(at) {
            rank = at + 1;
            dense += 1;
        }
        let number = match ranking {
            Ranking::Rank => rank,
            Ranking::Dense => dense,
            Ranking::Number => at + 1,
        };
        column.push(Some(Packed::new(View::Int64(i64::try_from(number).unwrap_or(i64::MAX)))));
    }
    column
}

fn shifted(output: &Expression, by: i64, default: &Bson, rows: &Ordered<'_>, run: Run<'_>) -> Result<Column> {
    let values = column(output, rows, run)?;
    let at = |place: usize| {
        let wanted = i64::try_from(place).ok()?.checked_add(by)?;
        values.get(usize::try_from(wanted).ok()?)
    };
    Ok((0..values.len())
        .map(|place| match at(place) {
            Some(value) => Some(Packed::new(value.or_null())),
            None => Some(Packed::new(default.into())),
        })
        .collect())
}

/// Rise over run between the ends of the window, or the area under it by trapezoids.
fn slopes(
    input: &Expression,
    unit: Option<f64>,
    window: &Window,
    integral: bool,
    rows: &Ordered<'_>,
    run: Run<'_>,
) -> Result<Column> {
    let name = if integral { "$integral" } else { "$derivative" };
    check_axis(unit, rows, name)?;
    let heights = numbers(input, rows, run)?;
    let per = unit.unwrap_or(1.0);
    let point = |at: usize| Some((rows.scale(at)? / per, heights[at]?));
    let mut values = Vec::with_capacity(heights.len());
    for at in 0..heights.len() {
        let span = window.span(rows, at)?;
        let points: Vec<(f64, f64)> = span.filter_map(point).collect();
        values.push(Some(match (points.first(), points.last()) {
            (Some(_), Some(_)) if integral => double(
                points.windows(2).map(|pair| f64::midpoint(pair[0].1, pair[1].1) * (pair[1].0 - pair[0].0)).sum(),
            ),
            (Some(first), Some(last)) if points.len() > 1 && last.0 > first.0 => {
                double((last.1 - first.1) / (last.0 - first.0))
            }
            _ => null(),
        }));
    }
    Ok(values)
}

fn check_axis(unit: Option<f64>, rows: &Ordered<'_>, name: &str) -> Result<()> {
    for at in 0..rows.rows.len() {
        match (rows.key(at), unit) {
            (Some(Bson::DateTime(_)), None) => {
                return Err(CommandError::new(
                    5_624_901,
                    format!("{name} where the sortBy is a Date requires an 'unit'"),
                ));
            }
            (Some(key), Some(_)) if !matches!(key, Bson::DateTime(_)) => {
                return Err(CommandError::new(
                    5_624_900,
                    format!("{name} with unit expects the sortBy field to be a Date"),
                ));
            }
            (Some(key), None) if Number::of(key.into()).is_none() => {
                return Err(CommandError::new(
                    5_624_902,
                    format!("{name} (with no 'unit') expects the sortBy field to be numeric"),
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

fn covariances(
    xy: (&Expression, &Expression),
    window: &Window,
    sample: bool,
    rows: &Ordered<'_>,
    run: Run<'_>,
) -> Result<Column> {
    let (xs, ys) = (numbers(xy.0, rows, run)?, numbers(xy.1, rows, run)?);
    let mut values = Vec::with_capacity(xs.len());
    for at in 0..xs.len() {
        let pairs: Vec<(f64, f64)> = window.span(rows, at)?.filter_map(|at| Some((xs[at]?, ys[at]?))).collect();
        #[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
        let count = pairs.len() as f64;
        let divisor = if sample { count - 1.0 } else { count };
        if divisor <= 0.0 {
            values.push(Some(null()));
            continue;
        }
        let mean = |pick: fn(&(f64, f64)) -> f64| pairs.iter().map(pick).sum::<f64>() / count;
        let (mean_x, mean_y) = (mean(|pair| pair.0), mean(|pair| pair.1));
        values.push(Some(double(pairs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / divisor)));
    }
    Ok(values)
}

/// Reckoned in decimals (`accumulator_exp_moving_avg.cpp`), and given as a double until a decimal was seen.
fn averages(input: &Expression, alpha: Decimal, rows: &Ordered<'_>, run: Run<'_>) -> Result<Column> {
    let kept = Decimal::from_long(1).add(alpha.negate());
    let (mut average, mut decimal): (Option<Decimal>, bool) = (None, false);
    let step = |value: &Value<'_>| {
        if let Some(number) = value.view().and_then(Number::of) {
            decimal |= matches!(number, Number::Decimal(_));
            let number = number.to_decimal();
            let next = |known: Decimal| number.multiply(alpha).add(known.multiply(kept));
            average = Some(average.map_or(number, next));
        }
        Some(match average {
            None => null(),
            Some(average) if decimal => Packed::new(View::Decimal(average.to_bson())),
            Some(average) => double(average.to_double()),
        })
    };
    Ok(column(input, rows, run)?.iter().map(step).collect())
}

/// Values to interpolate by are numbers or dates, all of one of the two kinds, and no two alike
/// (`window_function_exec_linear_fill.cpp`).
fn check_fill_axis(rows: &Ordered<'_>) -> Result<()> {
    let mismatch = |message: String| Err(CommandError::new(ErrorCode::TypeMismatch, message));
    let is_date = |key: &Bson| matches!(key, Bson::DateTime(_) | Bson::Timestamp(_) | Bson::ObjectId(_));
    let mut last: Option<&Bson> = None;
    for at in 0..rows.rows.len() {
        let key = rows.key(at).unwrap_or(&Bson::Null);
        let found = type_alias(key.into());
        if !is_date(key) && Number::of(key.into()).is_none() {
            return mismatch(format!("Value of the sortBy field must be numeric or a date, but found {found}"));
        }
        if let Some(last) = last {
            if crate::value::equal(last.into(), key.into()) {
                return Err(CommandError::new(
                    6_050_106,
                    "There can be no repeated values in the sort field in the same partition",
                ));
            }
            if is_date(last) != is_date(key) {
                let before = type_alias(last.into());
                let message = format!("previously received type {before}, but found {found}");
                return mismatch(format!("Conflicting sort value types, {message}"));
            }
        }
        last = Some(key);
    }
    Ok(())
}

/// What is missing between two known values lies on the line between them; before the first and behind the last it is null.
fn interpolated(input: &Expression, rows: &Ordered<'_>, run: Run<'_>) -> Result<Column> {
    check_fill_axis(rows)?;
    let values = column(input, rows, run)?;
    let known: Vec<(usize, f64)> = values
        .iter()
        .enumerate()
        .filter_map(|(at, value)| Some((at, Number::of(value.view()?)?.to_double())))
        .collect();
    let mut filled = Vec::with_capacity(values.len());
    for (at, value) in values.iter().enumerate() {
        if !value.is_nullish() {
            if value.view().and_then(Number::of).is_none() {
                let message = format!("Value to be filled must be numeric or nullish, but found {}", value.type_name());
                return Err(CommandError::new(ErrorCode::TypeMismatch, message));
            }
            filled.push(value.view().map(Packed::new));
            continue;
        }
        let next = known.partition_point(|(place, _)| *place < at);
        let line = next.checked_sub(1).and_then(|before| Some((known[before], *known.get(next)?)));
        filled.push(Some(match line {
            Some(((a, low), (b, high))) => match (rows.scale(a), rows.scale(at), rows.scale(b)) {
                (Some(from), Some(here), Some(to)) if to > from => {
                    double(low + (high - low) * (here - from) / (to - from))
                }
                _ => null(),
            },
            None => null(),
        }));
    }
    Ok(filled)
}

fn carried(input: &Expression, rows: &Ordered<'_>, run: Run<'_>) -> Result<Column> {
    let mut last = None;
    let carry = |value: Value<'_>| {
        if !value.is_nullish() {
            last = value.view().map(Packed::new);
        }
        Some(last.clone().unwrap_or_else(null))
    };
    Ok(column(input, rows, run)?.into_iter().map(carry).collect())
}
