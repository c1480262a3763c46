//! The table of operators: name, shape of the operands, and the function that computes.

use crate::error::{CommandError, CommandPath, ErrorCode, Result, Step, refuse};
use crate::value::{Bson, Document, type_alias};

use super::env::{Env, Scope};
use super::node::Node;
use super::parse;
use super::show::show_stored_value;
use super::value::Value;

/// How an operator computes.
pub(super) type Run = for<'a> fn(&'a Call, &Env<'a>) -> Result<Value<'a>>;

/// One operator.
pub(super) struct Operator {
    /// The name with its dollar sign.
    pub name: &'static str,
    /// What it takes.
    pub shape: Shape,
    /// What it does.
    pub run: Run,
}

/// What an operator takes.
pub(super) enum Shape {
    /// So many operands.
    Exactly(usize),
    /// One operand, as the short conversions take it.
    Single,
    /// From so many to so many operands.
    Between(usize, usize),
    /// Any number of operands.
    Any,
    /// A document of named operands.
    Named(&'static Named),
    /// One operand, or a document of named ones (the first of which is that one operand).
    OneOrNamed(&'static Named),
}

/// The named operands of an operator.
pub(super) struct Named {
    /// Refusal of what is no document; `{}` stands for the type.
    pub no_document: Refusal,
    /// Refusal of a name not in the list; `{}` stands for the name.
    pub unknown: Refusal,
    /// The names, with the refusal where one is missing that must be there.
    pub fields: &'static [(&'static str, Option<Refusal>)],
}

/// A code and a sentence with a gap.
#[derive(Clone, Copy)]
pub(super) struct Refusal(pub i32, pub &'static str);

impl Refusal {
    pub(super) fn error(self, gap: &str) -> CommandError {
        let code = match self.0 {
            9 => ErrorCode::FailedToParse,
            number => ErrorCode::Location(number),
        };
        CommandError::new(code, self.1.replacen("{}", gap, 1))
    }
}

/// An operator with its operands in the order of its shape; one that was not given is none.
#[derive(Clone)]
pub(super) struct Call {
    pub operator: &'static Operator,
    pub operands: Vec<Option<Node>>,
    /// Whether the operands were written as an array.
    pub listed: bool,
}

impl std::fmt::Debug for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple(self.operator.name).field(&self.operands).finish()
    }
}

impl Call {
    /// The operator's name.
    pub(super) fn name(&self) -> &'static str {
        self.operator.name
    }

    /// Whether the operand was written.
    pub(super) fn given(&self, at: usize) -> bool {
        self.operands.get(at).is_some_and(Option::is_some)
    }

    /// The value of one operand; missing where it was not given.
    pub(super) fn value<'a>(&'a self, at: usize, env: &Env<'a>) -> Result<Value<'a>> {
        match self.operands.get(at) {
            Some(Some(node)) => node.evaluate(env).map_err(|error| error.within(&self.step(at))),
            _ => Ok(Value::Missing),
        }
    }

    /// The values of all operands.
    pub(super) fn values<'a>(&'a self, env: &Env<'a>) -> Result<Vec<Value<'a>>> {
        (0..self.operands.len()).map(|at| self.value(at, env)).collect()
    }

    /// The operand's place below the operator.
    fn step(&self, at: usize) -> CommandPath {
        match &self.operator.shape {
            Shape::Named(named) => CommandPath::argument(named.fields[at].0),
            Shape::OneOrNamed(named) if !self.listed => CommandPath::argument(named.fields[at].0),
            _ if self.listed => CommandPath(vec![Step::Index(at)]),
            _ => CommandPath::default(),
        }
    }

    pub(super) fn to_bson(&self) -> Bson {
        let operands = match &self.operator.shape {
            Shape::Named(named) | Shape::OneOrNamed(named) => {
                let given = named.fields.iter().zip(&self.operands);
                Bson::Document(
                    given.filter_map(|((name, _), node)| Some(((*name).into(), node.as_ref()?.to_bson()))).collect(),
                )
            }
            _ => Bson::Array(self.operands.iter().flatten().map(Node::to_bson).collect()),
        };
        Bson::Document(Document::from_iter([(self.name().to_owned(), operands)]))
    }
}

const TABLES: [&[Operator]; 15] = [
    super::arithmetic::OPERATORS,
    super::functions::OPERATORS,
    super::array::OPERATORS,
    super::logic::OPERATORS,
    super::convert::OPERATORS,
    super::date_parts::OPERATORS,
    super::date_text::OPERATORS,
    super::date_math::OPERATORS,
    super::object::OPERATORS,
    super::set::OPERATORS,
    super::string::OPERATORS,
    super::regex::OPERATORS,
    super::gather::OPERATORS,
    super::misc::OPERATORS,
    super::hash::OPERATORS,
];

/// The operator of that name.
pub(super) fn find(name: &str) -> Option<&'static Operator> {
    TABLES.into_iter().flatten().find(|operator| operator.name == name)
}

/// Parses what stands behind an operator's name.
pub(super) fn parse_call(operator: &'static Operator, value: &Bson, scope: &Scope) -> Result<Node> {
    let call = match (&operator.shape, value) {
        (Shape::Named(named), _) => named_operands(operator, named, value, scope)?,
        (Shape::OneOrNamed(named), Bson::Document(document)) if !is_call(document) => {
            named_operands(operator, named, value, scope)?
        }
        _ => listed_operands(operator, value, scope)?,
    };
    Ok(Node::Call(call))
}

fn is_call(document: &Document) -> bool {
    document.keys().next().is_some_and(|name| name.starts_with('$'))
}

fn listed_operands(operator: &'static Operator, value: &Bson, scope: &Scope) -> Result<Call> {
    let (operands, listed) = match value {
        Bson::Array(items) => (parse::operands(items, scope)?.into_iter().map(Some).collect::<Vec<_>>(), true),
        other => (vec![Some(parse::operand(other, scope)?)], false),
    };
    check_count(operator, operands.len())?;
    Ok(Call { operator, operands, listed })
}

fn check_count(operator: &Operator, given: usize) -> Result<()> {
    let name = operator.name;
    match operator.shape {
        Shape::Exactly(wanted) if given != wanted => {
            refuse(16020, format!("Expression {name} takes exactly {wanted} arguments. {given} were passed in."))
        }
        Shape::Single if given != 1 => refuse(50723, format!("{name} requires a single argument, got {given}")),
        Shape::Between(2, usize::MAX) if given < 2 && name == "$setEquals" => {
            refuse(17045, format!("$setEquals needs at least two arguments had: {given}"))
        }
        Shape::Between(2, usize::MAX) if given < 2 && name == "$ifNull" => {
            refuse(1_257_300, format!("$ifNull needs at least two arguments, had: {given}"))
        }
        Shape::Between(least, most) if given < least || given > most => refuse(
            28667,
            format!(
                "Expression {name} takes at least {least} arguments, and at most {most}, but {given} were passed in."
            ),
        ),
        Shape::OneOrNamed(_) if given != 1 => {
            refuse(40536, format!("{name} accepts exactly one argument if given an array, but was given {given}"))
        }
        _ => Ok(()),
    }
}

fn named_operands(operator: &'static Operator, named: &'static Named, value: &Bson, scope: &Scope) -> Result<Call> {
    let Bson::Document(document) = value else {
        return Err(named.no_document.error(type_alias(value.into())));
    };
    let mut operands = vec![None; named.fields.len()];
    for (name, value) in document {
        let here = CommandPath::argument(name);
        let Some(at) = named.fields.iter().position(|(known, _)| known == name) else {
            return Err(named.unknown.error(name).at(here));
        };
        operands[at] = Some(parse::operand(value, scope).map_err(|error| error.within(&here))?);
    }
    for ((_, missing), operand) in named.fields.iter().zip(&operands) {
        if let (Some(refusal), None) = (missing, operand) {
            return Err(refusal.error(&format!("{}: {}", operator.name, show_stored_value(value.into()))));
        }
    }
    Ok(Call { operator, operands, listed: false })
}

/// Whether an operator of that name exists, those included that are refused by name.
#[must_use]
pub fn is_operator(name: &str) -> bool {
    find(name).is_some() || super::forms::is_form(name)
}

/// The names of all operators of an expression that are answered (manual: Aggregation Operators), in no special order.
pub fn operators() -> impl Iterator<Item = &'static str> {
    let forms = super::forms::names().filter(|name| find(name).is_none());
    TABLES.into_iter().flatten().map(|operator| operator.name).chain(forms)
}
