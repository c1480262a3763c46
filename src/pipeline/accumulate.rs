//! An accumulator as written in `$group`, `$bucket` and window stages, with its operands
//! (`src/mongo/db/pipeline/accumulation_statement.cpp`, `accumulator_multi.cpp`).

use std::borrow::Cow;

use crate::error::{CommandError, ErrorCode, Result};
use crate::query::SortPattern;
use crate::query::expr::{Accumulator, Context, Expression, Reads, Root, Scope, Tally, Value, positive_n};
use crate::query::{Collation, SortKey};
use crate::value::{ArrayBuilder, Bson, Document, Packed, View, type_alias};

/// One accumulator with its operands.
#[derive(Debug, Clone)]
pub enum Gather {
    /// One expression.
    Plain(Accumulator, Expression),
    /// `$firstN`, `$lastN`, `$minN`, `$maxN`.
    Some { which: Accumulator, input: Expression, n: Expression },
    /// `$top`, `$topN`, `$bottom`, `$bottomN`.
    Ranked(Ranked),
    /// `$median`, `$percentile`.
    Quantile { which: Accumulator, input: Expression, p: Vec<f64> },
}

/// `$top` and its sisters.
#[derive(Debug, Clone)]
pub struct Ranked {
    name: &'static str,
    sort: Document,
    pattern: SortPattern,
    output: Expression,
    n: Option<Expression>,
}

/// A gathering under way.
#[derive(Debug, Clone)]
pub enum Progress {
    /// Values only.
    Tally(Tally),
    /// The best documents so far, in order.
    Ranked(Vec<(SortKey, Packed)>, usize),
}

/// Accumulators that take more than one expression, or none.
const OTHERS: [&str; 5] = ["$count", "$bottom", "$bottomN", "$top", "$topN"];

/// The names of all accumulators of `$group` and its like (manual: Aggregation Operators), in no special order.
pub fn accumulators() -> impl Iterator<Item = &'static str> {
    Accumulator::ALL.into_iter().map(Accumulator::name).chain(OTHERS)
}

impl Progress {
    /// Bytes of memory it takes.
    #[must_use]
    pub fn memory(&self) -> usize {
        let own = size_of::<Self>();
        own + match self {
            Self::Tally(tally) => tally.heap(),
            Self::Ranked(kept, _) => kept.iter().map(|(_, value)| size_of::<(SortKey, Packed)>() + value.size()).sum(),
        }
    }
}

impl Gather {
    /// Parses the field of a stage: a document with one accumulator.
    ///
    /// # Errors
    /// 40234, 40238, 15952 and the refusals of the accumulator's operands.
    pub fn parse(field: &str, value: &Bson, scope: &Scope) -> Result<Self> {
        check_field(field)?;
        let Bson::Document(document) = value else {
            return Err(CommandError::new(40234, format!("The field '{field}' must be an accumulator object")));
        };
        let mut fields = document.iter();
        let (Some((name, operand)), None) = (fields.next(), fields.next()) else {
            return Err(CommandError::new(40238, format!("The field '{field}' must specify one accumulator")));
        };
        if !name.starts_with('$') {
            return Err(CommandError::new(40234, format!("The field '{field}' must be an accumulator object")));
        }
        Self::operator(name, operand, scope).map_err(|error| error.inside_field(name))
    }

    fn operator(name: &str, operand: &Bson, scope: &Scope) -> Result<Self> {
        match name {
            "$count" => count(operand),
            "$top" | "$topN" | "$bottom" | "$bottomN" => Ranked::parse(name, operand, scope).map(Self::Ranked),
            "$firstN" | "$lastN" | "$minN" | "$maxN" => some(name, operand, scope),
            "$median" | "$percentile" => quantile(name, operand, scope),
            "$accumulator" => Err(CommandError::new(
                31264,
                "$accumulator is not allowed: JavaScript execution is disabled on this server",
            )),
            _ => plain(name, operand, scope),
        }
    }

    /// The accumulator as explain shows it.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        let pair = |name: &str, value: Bson| Bson::Document(Document::from_iter([(name.to_owned(), value)]));
        match self {
            Self::Plain(which, operand) => pair(which.name(), operand.to_bson()),
            Self::Some { which, input, n } => {
                let fields = [("n".to_owned(), n.to_bson()), ("input".to_owned(), input.to_bson())];
                pair(which.name(), Bson::Document(Document::from_iter(fields)))
            }
            Self::Ranked(ranked) => pair(ranked.name, ranked.to_bson()),
            Self::Quantile { which, input, p } => {
                let mut fields = Document::from_iter([("input".to_owned(), input.to_bson())]);
                if *which == Accumulator::Percentile {
                    fields.insert("p", Bson::Array(p.iter().map(|p| Bson::Double(*p)).collect()));
                }
                fields.insert("method", "approximate");
                pair(which.name(), Bson::Document(fields))
            }
        }
    }

    /// The operand of an accumulator that has one.
    #[must_use]
    pub fn operand(&self) -> Option<&Expression> {
        match self {
            Self::Plain(_, operand) => Some(operand),
            _ => None,
        }
    }

    /// Folds constants.
    ///
    /// # Errors
    /// Constant parts that fail.
    pub fn fold(&mut self, context: &Context) -> Result<()> {
        match self {
            Self::Plain(_, operand) => operand.fold(context),
            Self::Some { input, n, .. } => input.fold(context).and_then(|()| n.fold(context)),
            Self::Ranked(ranked) => ranked.output.fold(context),
            Self::Quantile { input, .. } => input.fold(context),
        }
    }

    /// Adds what the operands read.
    pub fn reads(&self, reads: &mut Reads) {
        match self {
            Self::Plain(_, operand) => operand.reads(reads),
            Self::Some { input, n, .. } => {
                input.reads(reads);
                n.reads(reads);
            }
            Self::Ranked(ranked) => {
                ranked.output.reads(reads);
                reads.paths.extend(ranked.pattern.parts.iter().map(|part| part.path.clone()));
            }
            Self::Quantile { input, .. } => input.reads(reads),
        }
    }

    /// Begins a gathering; `n` may read the group's `_id` as if it were the document.
    ///
    /// # Errors
    /// An `n` that is no positive whole number.
    pub fn start(&self, group: Root<'_>, context: &Context) -> Result<Progress> {
        let how_many = |n: &Expression| positive_n(&n.evaluate(&context.env(group))?);
        Ok(match self {
            Self::Plain(which, _) => Progress::Tally(which.start(0, &[])),
            Self::Some { which, n, .. } => Progress::Tally(which.start(how_many(n)?, &[])),
            Self::Ranked(ranked) => Progress::Ranked(Vec::new(), ranked.n.as_ref().map_or(Ok(1), how_many)?),
            Self::Quantile { which, p, .. } => Progress::Tally(which.start(0, p)),
        })
    }

    /// Takes one document.
    ///
    /// # Errors
    /// Run-time errors of the operands.
    pub fn add(&self, progress: &mut Progress, root: Root<'_>, context: &Context) -> Result<()> {
        let env = context.env(root);
        match (self, progress) {
            (Self::Ranked(ranked), Progress::Ranked(kept, n)) => ranked.add(kept, *n, root, context),
            (
                Self::Plain(_, input) | Self::Some { input, .. } | Self::Quantile { input, .. },
                Progress::Tally(tally),
            ) => tally.add(&input.evaluate(&env)?, context),
            _ => Ok(()),
        }
    }

    /// The gathered value.
    #[must_use]
    pub fn value(&self, progress: &Progress) -> Value<'static> {
        match progress {
            Progress::Tally(tally) => tally.value(),
            Progress::Ranked(kept, _) => match self {
                Self::Ranked(ranked) if ranked.n.is_none() => {
                    kept.first().map_or(Value::NULL, |(_, value)| Value::Packed(value.clone()))
                }
                _ => kept.iter().map(|(_, value)| value.view()).collect::<ArrayBuilder>().finish().into(),
            },
        }
    }

    /// Whether it is `$first` of a path, or `$last` of one.
    #[must_use]
    pub fn end_of_group(&self) -> Option<Accumulator> {
        match self {
            Self::Plain(which @ (Accumulator::First | Accumulator::Last), _) => Some(*which),
            _ => None,
        }
    }
}

fn check_field(field: &str) -> Result<()> {
    if field.contains('.') {
        return Err(CommandError::new(40235, format!("The field name '{field}' cannot contain '.'")));
    }
    if field.starts_with('$') {
        return Err(CommandError::new(40236, format!("The field name '{field}' cannot be an operator name")));
    }
    Ok(())
}

/// `$count: {}` is `$sum: 1`.
fn count(operand: &Bson) -> Result<Gather> {
    match operand {
        Bson::Document(document) if document.is_empty() => {
            Ok(Gather::Plain(Accumulator::Sum, Expression::constant(Bson::Int32(1))))
        }
        _ => {
            let message = "$count takes no arguments, i.e. $count:{}";
            Err(CommandError::new(ErrorCode::TypeMismatch, message))
        }
    }
}

fn plain(name: &str, operand: &Bson, scope: &Scope) -> Result<Gather> {
    let Some(which) = Accumulator::of_name(name) else {
        return Err(CommandError::new(15952, format!("unknown group operator '{name}'")));
    };
    if let Bson::Array(items) = operand
        && items.len() != 1
    {
        return Err(CommandError::new(40237, format!("The {name} accumulator is a unary operator")));
    }
    let operand = match operand {
        Bson::Array(items) => &items[0],
        other => other,
    };
    Ok(Gather::Plain(which, Expression::parse(operand, scope)?))
}

/// The named operands of an accumulator, after checking that no other name is there.
fn named<'d>(name: &str, operand: &'d Bson, known: &[&str], codes: (i32, i32)) -> Result<&'d Document> {
    let Bson::Document(document) = operand else {
        let found = type_alias(operand.into());
        return Err(CommandError::new(codes.0, format!("specification must be an object; found {name}: {found}")));
    };
    match document.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => {
            Err(CommandError::new(codes.1, format!("Unknown argument for '{name}' operator: {key}")).inside_field(key))
        }
        None => Ok(document),
    }
}

fn some(name: &str, operand: &Bson, scope: &Scope) -> Result<Gather> {
    let document = named(name, operand, &["input", "n"], (5_787_900, 5_787_901))?;
    let need = |field: &str, code| match document.get(field) {
        Some(value) => Expression::parse(value, scope).map_err(|error| error.inside_field(field)),
        None => Err(CommandError::new(code, format!("Missing value for '{field}'"))),
    };
    let which = Accumulator::of_name(name).expect("the four N forms are accumulators");
    let (n, input) = (need("n", 5_787_906)?, need("input", 5_787_907)?);
    check_constant_n(&n).map_err(|error| error.inside_field("n"))?;
    Ok(Gather::Some { which, input, n })
}

/// A literal `n` is refused when it is parsed.
fn check_constant_n(n: &Expression) -> Result<()> {
    match n.as_constant() {
        Some(value) => positive_n(&Value::View(value.into())).map(|_| ()),
        None => Ok(()),
    }
}

fn quantile(name: &str, operand: &Bson, scope: &Scope) -> Result<Gather> {
    let (which, input, p) = crate::query::expr::parse_quantile(name, operand, scope)?;
    Ok(Gather::Quantile { which, input, p })
}

impl Ranked {
    fn parse(name: &str, operand: &Bson, scope: &Scope) -> Result<Self> {
        let many = name.ends_with('N');
        let known: &[&str] = if many { &["n", "sortBy", "output"] } else { &["sortBy", "output"] };
        let document = named(name, operand, known, (5_788_001, 5_788_002))?;
        let missing = |field: &str, code| CommandError::new(code, format!("Missing value for '{field}'"));
        let sort = match document.get("sortBy") {
            Some(Bson::Document(sort)) => sort.clone(),
            Some(other) => {
                let found = type_alias(other.into());
                return Err(CommandError::new(
                    5_788_604,
                    format!("expected 'sortBy' to already be an object in the arguments to {name}, found {found}"),
                ));
            }
            None => return Err(missing("sortBy", 5_788_005)),
        };
        let output = document.get("output").ok_or_else(|| missing("output", 5_788_004))?;
        let n = match document.get("n") {
            Some(value) => {
                let n = Expression::parse(value, scope).map_err(|error| error.inside_field("n"))?;
                check_constant_n(&n).map_err(|error| error.inside_field("n"))?;
                Some(n)
            }
            None if many => return Err(missing("n", 5_788_003)),
            None => None,
        };
        let pattern = SortPattern::parse(&sort, Collation::simple()).map_err(|error| error.inside_field("sortBy"))?;
        let output = Expression::parse(output, scope).map_err(|error| error.inside_field("output"))?;
        let name = ["$top", "$topN", "$bottom", "$bottomN"].into_iter().find(|known| *known == name);
        Ok(Self { name: name.expect("the caller knows the four names"), sort, pattern, output, n })
    }

    fn to_bson(&self) -> Bson {
        let mut fields = Document::new();
        fields.extend(self.n.iter().map(|n| ("n".to_owned(), n.to_bson())));
        fields.insert("output", self.output.to_bson());
        fields.insert("sortBy", self.sort.clone());
        Bson::Document(fields)
    }

    /// The first so many in order, or the last so many; equal keys keep the order they came in.
    fn add(&self, kept: &mut Vec<(SortKey, Packed)>, n: usize, root: Root<'_>, context: &Context) -> Result<()> {
        let collation = context.collation();
        let pattern = if collation.is_simple() {
            Cow::Borrowed(&self.pattern)
        } else {
            Cow::Owned(self.pattern.collated(collation))
        };
        let key = pattern.key(root.document())?;
        let bottom = self.name.starts_with("$bottom");
        let place = kept.partition_point(|(known, _)| pattern.compare(known, &key).is_le());
        if !bottom && place >= n {
            return Ok(());
        }
        if bottom && kept.len() >= n && place == 0 {
            return Ok(());
        }
        let value = self.output.evaluate(&context.env(root))?;
        kept.insert(place, (key, Packed::new(value.view().unwrap_or(View::Null))));
        if kept.len() > n {
            if bottom { _ = kept.remove(0) } else { kept.truncate(n) }
        }
        Ok(())
    }
}
