//! From an update document to its tree (`src/mongo/db/update/update_driver.cpp`, `modifier_table.cpp`).

use std::collections::BTreeSet;

use super::arithmetic::{self, Arithmetic};
use super::filters::ArrayFilters;
use super::leaf::{Clock, Leaf};
use super::path::{Part, UpdatePath};
use super::pull::Pull;
use super::push::Push;
use super::rename;
use super::touched::Touched;
use super::tree::Fields;
use super::{array, bits};
use crate::error::{CommandError, ErrorCode, Result, refuse};
use crate::query::Collation;
use crate::value::{Bson, Document, Path, shown, type_alias};

/// Operators as a tree, with the two paths of each rename.
#[derive(Debug, Clone, Default)]
pub(super) struct Operators {
    pub(super) tree: Fields,
    /// Source and target of each `$rename`.
    pub(super) renames: Vec<(Path, Path)>,
    pub(super) touched: Touched,
}

/// The operators of an update, without the modifiers of `$push` (manual: Update Operators).
pub const OPERATORS: [&str; 15] = [
    "$addToSet",
    "$bit",
    "$currentDate",
    "$inc",
    "$max",
    "$min",
    "$mul",
    "$pop",
    "$pull",
    "$pullAll",
    "$push",
    "$rename",
    "$set",
    "$setOnInsert",
    "$unset",
];

/// Reads update operators; error places are counted from the update document.
pub(super) fn operators(update: &Document, filters: &ArrayFilters, collation: &Collation) -> Result<Operators> {
    let mut operators = Operators::default();
    let mut used = BTreeSet::new();
    for (name, operand) in update {
        let placed = |error: CommandError| error.inside_field(name);
        let fields = operand_fields(name, operand).map_err(placed)?;
        for (path, value) in fields {
            let mut reader = Reader { operators: &mut operators, filters, collation, used: &mut used };
            reader.field(name, path, value).map_err(|error| error.inside_field(path)).map_err(placed)?;
        }
    }
    filters.check_used(&used, update)?;
    operators.touched = Touched::of(&operators);
    Ok(operators)
}

fn operand_fields<'u>(name: &str, operand: &'u Bson) -> Result<&'u Document> {
    if !OPERATORS.contains(&name) {
        return refuse(
            ErrorCode::FailedToParse,
            format!(
                "Unknown modifier: {name}. Expected a valid update modifier or pipeline-style update specified as an \
                 array"
            ),
        );
    }
    match operand {
        Bson::Document(fields) => Ok(fields),
        _ => refuse(
            ErrorCode::FailedToParse,
            format!(
                "Modifiers operate on fields but we found type {} instead. For example: {{$mod: {{<field>: ...}}}} not \
                 {{{name}: {}}}",
                type_alias(operand.into()),
                shown(operand)
            ),
        ),
    }
}

struct Reader<'r> {
    operators: &'r mut Operators,
    filters: &'r ArrayFilters,
    collation: &'r Collation,
    used: &'r mut BTreeSet<Box<str>>,
}

impl Reader<'_> {
    fn field(&mut self, operator: &str, path: &str, operand: &Bson) -> Result<()> {
        let path = UpdatePath::parse(path)?;
        if operator == "$rename" {
            let source = rename::insert(&mut self.operators.tree, &path, operand)?;
            let target = operand.as_str().map(Path::new).unwrap_or_default();
            self.operators.renames.push((source, target));
            return Ok(());
        }
        let leaf = self.leaf(operator, &path.text, operand)?;
        self.filters.check_known(&path)?;
        self.used.extend(path.parts.iter().filter_map(|part| match part {
            Part::Filtered(identifier) => Some(identifier.clone()),
            _ => None,
        }));
        self.operators.tree.insert(&path, leaf)
    }

    fn leaf(&self, operator: &str, path: &str, operand: &Bson) -> Result<Leaf> {
        Ok(match operator {
            "$set" => Leaf::Set(operand.clone()),
            "$setOnInsert" => Leaf::SetOnInsert(operand.clone()),
            "$unset" => Leaf::Unset,
            "$inc" => Leaf::Arithmetic(Arithmetic::Inc, arithmetic::operand(Arithmetic::Inc, path, operand)?),
            "$mul" => Leaf::Arithmetic(Arithmetic::Mul, arithmetic::operand(Arithmetic::Mul, path, operand)?),
            "$min" => Leaf::Min(operand.clone()),
            "$max" => Leaf::Max(operand.clone()),
            "$currentDate" => Leaf::CurrentDate(clock(operand)?),
            "$bit" => Leaf::Bit(bits::parse(path, operand)?),
            "$push" => Leaf::Push(Push::parse(operand)?),
            "$addToSet" => Leaf::AddToSet(array::set_items(operand)?),
            "$pop" => Leaf::Pop { first: array::pop_end(path, operand)? },
            "$pull" => Leaf::Pull(Pull::parse(operand, self.collation)?),
            _ => Leaf::PullAll(pull_all(operand)?),
        })
    }
}

fn pull_all(operand: &Bson) -> Result<Vec<Bson>> {
    match operand {
        Bson::Array(items) => Ok(items.clone()),
        _ => refuse(
            ErrorCode::BadValue,
            format!("$pullAll requires an array argument but was given a {}", type_alias(operand.into())),
        ),
    }
}

fn clock(operand: &Bson) -> Result<Clock> {
    match operand {
        Bson::Boolean(_) => Ok(Clock::Date),
        Bson::Document(options) => clock_of(options),
        _ => refuse(
            ErrorCode::BadValue,
            format!(
                "{} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({{$type: \
                 'timestamp/date'}}).",
                type_alias(operand.into())
            ),
        ),
    }
}

fn clock_of(options: &Document) -> Result<Clock> {
    match options.iter().find(|(name, _)| *name != "$type") {
        Some((name, _)) => refuse(ErrorCode::BadValue, format!("Unrecognized $currentDate option: {name}")),
        None => match options.get("$type") {
            Some(Bson::String(kind)) if kind == "date" => Ok(Clock::Date),
            Some(Bson::String(kind)) if kind == "timestamp" => Ok(Clock::Timestamp),
            _ => refuse(
                ErrorCode::BadValue,
                "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: \
                 'date'}}}",
            ),
        },
    }
}
