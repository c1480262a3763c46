//! Accumulators: how `$group`, window functions and the gathering expressions bring many values into one.

use std::cmp::Ordering;
use std::collections::HashSet;

use crate::error::{CommandError, Result};
use crate::value::{ArrayBuilder, Bson, DocumentBuilder, Packed, View};

use super::env::Context;
use super::key::key_of;
use super::number::{Number, Sum};
use super::object::{merge_into, not_an_object};
use super::value::Value;

/// What is gathered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accumulator {
    /// `$sum`: numbers only.
    Sum,
    /// `$avg`: numbers only, null for none.
    Avg,
    /// `$min`, without null.
    Min,
    /// `$max`, without null.
    Max,
    /// `$first`
    First,
    /// `$last`
    Last,
    /// `$push`, without missing values.
    Push,
    /// `$addToSet`, in order of first sight.
    AddToSet,
    /// `$stdDevPop`
    StdDevPop,
    /// `$stdDevSamp`
    StdDevSamp,
    /// `$mergeObjects`
    MergeObjects,
    /// `$firstN`: missing values count as null.
    FirstN,
    /// `$lastN`: missing values count as null.
    LastN,
    /// `$minN`, without null.
    MinN,
    /// `$maxN`, without null.
    MaxN,
    /// `$median`
    Median,
    /// `$percentile`
    Percentile,
}

/// A gathering under way.
#[derive(Debug, Clone)]
pub enum Tally {
    /// The sum.
    Sum(Sum),
    /// Sum and count.
    Avg(Sum, i64),
    /// The least or greatest so far; `true` asks for the greatest.
    Extreme(Option<Packed>, bool),
    /// The first value seen, if one was.
    First(Option<Option<Packed>>),
    /// The last value seen.
    Last(Option<Packed>),
    /// All values.
    Push(ArrayBuilder),
    /// Different values, in order of first sight, and their keys.
    Set(Vec<Packed>, HashSet<Vec<u8>>),
    /// Count, mean and sum of squared distances (Welford).
    Deviation {
        /// Numbers seen.
        count: i64,
        /// Their mean.
        mean: f64,
        /// Squared distances from it.
        squares: f64,
        /// Whether it is the deviation of a sample.
        sample: bool,
    },
    /// The merged fields.
    Merged(Vec<(String, Packed)>),
    /// The first so many.
    FirstN(Vec<Packed>, usize),
    /// The last so many.
    LastN(std::collections::VecDeque<Packed>, usize),
    /// The least or greatest so many, sorted; `true` asks for the greatest.
    ExtremeN(Vec<Packed>, usize, bool),
    /// All numbers, and the asked fractions; none asks for the median.
    Quantiles(Vec<f64>, Option<Vec<f64>>),
}

impl Accumulator {
    /// All of them, in the order of their names.
    pub const ALL: [Self; 17] = [
        Self::AddToSet,
        Self::Avg,
        Self::First,
        Self::FirstN,
        Self::Last,
        Self::LastN,
        Self::Max,
        Self::MaxN,
        Self::Median,
        Self::MergeObjects,
        Self::Min,
        Self::MinN,
        Self::Percentile,
        Self::Push,
        Self::StdDevPop,
        Self::StdDevSamp,
        Self::Sum,
    ];

    /// The accumulator of that name, of those that take one expression.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sum => "$sum",
            Self::Avg => "$avg",
            Self::Min => "$min",
            Self::Max => "$max",
            Self::First => "$first",
            Self::Last => "$last",
            Self::Push => "$push",
            Self::AddToSet => "$addToSet",
            Self::StdDevPop => "$stdDevPop",
            Self::StdDevSamp => "$stdDevSamp",
            Self::MergeObjects => "$mergeObjects",
            Self::FirstN => "$firstN",
            Self::LastN => "$lastN",
            Self::MinN => "$minN",
            Self::MaxN => "$maxN",
            Self::Median => "$median",
            Self::Percentile => "$percentile",
        }
    }

    /// Begins a gathering; `n` is how many the N forms keep, `p` the fractions of `$percentile`.
    #[must_use]
    pub fn start(self, n: usize, p: &[f64]) -> Tally {
        match self {
            Self::Sum => Tally::Sum(Sum::default()),
            Self::Avg => Tally::Avg(Sum::default(), 0),
            Self::Min => Tally::Extreme(None, false),
            Self::Max => Tally::Extreme(None, true),
            Self::First => Tally::First(None),
            Self::Last => Tally::Last(None),
            Self::Push => Tally::Push(ArrayBuilder::new()),
            Self::AddToSet => Tally::Set(Vec::new(), HashSet::new()),
            Self::StdDevPop => Tally::Deviation { count: 0, mean: 0.0, squares: 0.0, sample: false },
            Self::StdDevSamp => Tally::Deviation { count: 0, mean: 0.0, squares: 0.0, sample: true },
            Self::MergeObjects => Tally::Merged(Vec::new()),
            Self::FirstN => Tally::FirstN(Vec::new(), n),
            Self::LastN => Tally::LastN(std::collections::VecDeque::new(), n),
            Self::MinN => Tally::ExtremeN(Vec::new(), n, false),
            Self::MaxN => Tally::ExtremeN(Vec::new(), n, true),
            Self::Median => Tally::Quantiles(Vec::new(), None),
            Self::Percentile => Tally::Quantiles(Vec::new(), Some(p.to_vec())),
        }
    }
}

impl Tally {
    /// Takes one value.
    ///
    /// # Errors
    /// 40400 where `$mergeObjects` meets no document.
    pub fn add(&mut self, value: &Value<'_>, context: &Context) -> Result<()> {
        let number = || value.view().and_then(Number::of);
        let owned = || value.view().map(Packed::new);
        let or_null = || Packed::new(value.or_null());
        match self {
            Self::Sum(sum) => number().into_iter().for_each(|number| sum.add(number)),
            Self::Avg(sum, count) => {
                if let Some(number) = number() {
                    sum.add(number);
                    *count += 1;
                }
            }
            Self::Extreme(best, greatest) => keep_extreme(best, *greatest, value, context),
            Self::First(first) => {
                first.get_or_insert_with(owned);
            }
            Self::Last(last) => *last = owned(),
            Self::Push(array) => value.view().into_iter().for_each(|view| array.push(view)),
            Self::Set(set, keys) => {
                if let Some(view) = value.view()
                    && keys.insert(key_of(Some(view), context.collation()))
                {
                    set.push(Packed::new(view));
                }
            }
            Self::Deviation { count, mean, squares, .. } => {
                if let Some(number) = number() {
                    welford(count, mean, squares, number.to_double());
                }
            }
            Self::Merged(fields) => return merge(fields, value),
            Self::FirstN(kept, n) if kept.len() < *n => kept.push(or_null()),
            Self::FirstN(..) => {}
            Self::LastN(kept, n) => {
                kept.push_back(or_null());
                if kept.len() > *n {
                    kept.pop_front();
                }
            }
            Self::ExtremeN(kept, n, greatest) => keep_extremes(kept, *n, *greatest, value, context),
            Self::Quantiles(numbers, _) => numbers.extend(number().map(Number::to_double).filter(|x| !x.is_nan())),
        }
        Ok(())
    }

    /// Bytes of what was gathered, beyond what every gathering takes.
    #[must_use]
    pub fn heap(&self) -> usize {
        let one = |value: &Packed| size_of::<Packed>() + value.size();
        match self {
            Self::Sum(_) | Self::Avg(..) | Self::Deviation { .. } => 0,
            Self::Extreme(value, _) | Self::Last(value) => value.as_ref().map_or(0, Packed::size),
            Self::First(value) => value.iter().flatten().map(Packed::size).sum(),
            Self::Push(array) => array.size(),
            Self::Set(set, keys) => {
                set.iter().map(one).sum::<usize>()
                    + keys.iter().map(|key| size_of::<Vec<u8>>() + key.len()).sum::<usize>()
            }
            Self::Merged(fields) => {
                fields.iter().map(|(name, value)| size_of::<String>() + name.len() + one(value)).sum()
            }
            Self::FirstN(kept, _) | Self::ExtremeN(kept, ..) => kept.iter().map(one).sum(),
            Self::LastN(kept, _) => kept.iter().map(one).sum(),
            Self::Quantiles(numbers, _) => numbers.len() * size_of::<f64>(),
        }
    }

    /// The value gathered so far.
    #[must_use]
    pub fn value(&self) -> Value<'static> {
        match self {
            Self::Sum(sum) => sum.total().into(),
            Self::Avg(_, 0) => Value::NULL,
            Self::Avg(sum, count) => sum.mean(*count).into(),
            Self::Extreme(best, _) | Self::Last(best) => best.clone().map_or(Value::NULL, Value::Packed),
            Self::First(first) => first.clone().flatten().map_or(Value::NULL, Value::Packed),
            Self::Push(array) => array.clone().finish().into(),
            Self::Set(set, _) => set.iter().map(Packed::view).collect::<ArrayBuilder>().finish().into(),
            Self::Deviation { count, squares, sample, .. } => deviation(*count, *squares, *sample),
            Self::Merged(fields) => {
                let mut document = DocumentBuilder::packed();
                for (name, value) in fields {
                    document.append(name, value.view());
                }
                document.finish_packed().into()
            }
            Self::FirstN(kept, _) | Self::ExtremeN(kept, ..) => {
                kept.iter().map(Packed::view).collect::<ArrayBuilder>().finish().into()
            }
            Self::LastN(kept, _) => kept.iter().map(Packed::view).collect::<ArrayBuilder>().finish().into(),
            Self::Quantiles(numbers, fractions) => quantiles(numbers, fractions.as_deref()),
        }
    }
}

fn better(order: Ordering, greatest: bool) -> bool {
    if greatest { order.is_gt() } else { order.is_lt() }
}

/// Null and missing values never win.
fn keep_extreme(best: &mut Option<Packed>, greatest: bool, value: &Value<'_>, context: &Context) {
    if value.is_nullish() {
        return;
    }
    let view = value.or_null();
    let wins = |known: &Packed| better(context.collation().compare(view, known.view()), greatest);
    if best.as_ref().is_none_or(wins) {
        *best = Some(Packed::new(view));
    }
}

fn keep_extremes(kept: &mut Vec<Packed>, n: usize, greatest: bool, value: &Value<'_>, context: &Context) {
    if value.is_nullish() {
        return;
    }
    let view = value.or_null();
    let place = kept.partition_point(|known| !better(context.collation().compare(view, known.view()), greatest));
    if place < n {
        kept.insert(place, Packed::new(view));
        kept.truncate(n);
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn welford(count: &mut i64, mean: &mut f64, squares: &mut f64, x: f64) {
    *count += 1;
    let distance = x - *mean;
    *mean += distance / *count as f64;
    *squares += distance * (x - *mean);
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn deviation(count: i64, squares: f64, sample: bool) -> Value<'static> {
    let divisor = if sample { count - 1 } else { count };
    if divisor <= 0 { Value::NULL } else { (squares / divisor as f64).sqrt().into() }
}

fn merge(fields: &mut Vec<(String, Packed)>, value: &Value<'_>) -> Result<()> {
    if value.is_nullish() {
        return Ok(());
    }
    let document = value.as_document().ok_or_else(|| not_an_object(value))?;
    let mut latest = Vec::new();
    merge_into(&mut latest, document);
    for (name, view) in latest {
        match fields.iter_mut().find(|(known, _)| known == name) {
            Some(place) => place.1 = Packed::new(view),
            None => fields.push((name.to_owned(), Packed::new(view))),
        }
    }
    Ok(())
}

/// The least of the sorted numbers that has at least the asked fraction at or below it (the server's discrete rule).
fn quantiles(numbers: &[f64], fractions: Option<&[f64]>) -> Value<'static> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |fraction: f64| {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rank lies between 0 and the length"
        )]
        let rank = (fraction * sorted.len() as f64).ceil() as usize;
        sorted.get(rank.max(1) - 1).map_or(View::Null, |number| View::Double(*number))
    };
    match fractions {
        None => Value::View(at(0.5)),
        Some(fractions) => fractions.iter().map(|fraction| at(*fraction)).collect::<ArrayBuilder>().finish().into(),
    }
}

/// Reads the fractions of `$percentile`.
pub(super) fn fractions(value: &Bson) -> Result<Vec<f64>> {
    let refused = || {
        CommandError::new(
            7_750_301,
            "The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: ".to_owned()
                + &super::show::show(value.into()),
        )
    };
    let Bson::Array(items) = value else {
        return Err(refused());
    };
    if items.is_empty() {
        return Err(refused());
    }
    let fraction = |item: &Bson| Number::of(item.into()).map(Number::to_double).filter(|p| (0.0..=1.0).contains(p));
    items.iter().map(|item| fraction(item).ok_or_else(refused)).collect()
}
