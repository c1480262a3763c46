//! Forms with a grammar of their own: they bind variables, choose between operands, or take constants by name.

use crate::error::{CommandError, CommandPath, Result, Step};
use crate::value::{ArrayBuilder, Bson, Document};

use super::accumulator::Accumulator;
use super::env::{Env, Scope, check_variable_name};
use super::meta::MetaField;
use super::node::Node;
use super::parse;
use super::table;
use super::value::Value;
use crate::value::type_alias;

/// A form.
#[derive(Debug, Clone)]
pub(super) enum Form {
    /// `$let`
    Let { variables: Vec<(String, Node)>, body: Node },
    /// `$map`
    Map { input: Node, name: String, body: Node },
    /// `$filter`
    Filter { input: Node, name: String, cond: Node, limit: Option<Node> },
    /// `$reduce`
    Reduce { input: Node, initial: Node, body: Node },
    /// `$switch`
    Switch { branches: Vec<(Node, Node)>, default: Option<Node> },
    /// `$zip`
    Zip { inputs: Vec<Node>, longest: bool, defaults: Vec<Node> },
    /// `$rand`
    Rand,
    /// `$meta`
    Meta(MetaField),
    /// `$sortArray`
    SortArray { input: Node, by: super::sort_array::SortBy },
    /// `$median`, `$percentile`
    Percentile { which: Accumulator, input: Node, p: Vec<f64> },
}

/// How a form is read: its name, what stands behind it, and the variables in reach.
type Parse = fn(&str, &Bson, &Scope) -> Result<Node>;

/// The operators whose operands are no plain list.
const FORMS: &[(&str, Parse)] = &[
    ("$literal", |_, value, _| Ok(Node::Constant(value.clone()))),
    ("$const", |_, value, _| Ok(Node::Constant(value.clone()))),
    ("$cond", |_, value, scope| cond(value, scope)),
    ("$let", |_, value, scope| let_form(value, scope).map(boxed)),
    ("$map", |_, value, scope| map_form(value, scope).map(boxed)),
    ("$filter", |_, value, scope| filter_form(value, scope).map(boxed)),
    ("$reduce", |_, value, scope| reduce_form(value, scope).map(boxed)),
    ("$switch", |_, value, scope| switch_form(value, scope).map(boxed)),
    ("$zip", |_, value, scope| zip_form(value, scope).map(boxed)),
    ("$rand", |_, value, _| rand_form(value).map(boxed)),
    ("$sortArray", |_, value, scope| super::sort_array::parse(value, scope).map(boxed)),
    ("$median", |name, value, scope| super::percentile::parse(name, value, scope).map(boxed)),
    ("$percentile", |name, value, scope| super::percentile::parse(name, value, scope).map(boxed)),
    ("$getField", |_, value, scope| super::object::parse_get_field(value, scope)),
    ("$setField", super::object::parse_set_field),
    ("$unsetField", super::object::parse_set_field),
    ("$meta", |_, value, scope| super::meta::parse(value, scope).map(boxed)),
    ("$sampleRate", |_, value, _| super::misc::parse_sample_rate(value)),
];

/// Forms that are refused by name: they need the server's JavaScript engine.
const REFUSED: &[(&str, Parse)] = &[
    ("$accumulator", |name, _, _| Err(super::misc::no_javascript(name))),
    ("$function", |name, _, _| Err(super::misc::no_javascript(name))),
    ("$where", |name, _, _| Err(super::misc::no_javascript(name))),
];

fn boxed(form: Form) -> Node {
    Node::Form(Box::new(form))
}

/// Parses a form; none where the table of operators has to know the name.
pub(super) fn parse(name: &str, value: &Bson, scope: &Scope) -> Option<Result<Node>> {
    let (_, parse) = FORMS.iter().chain(REFUSED).find(|(known, _)| *known == name)?;
    Some(parse(name, value, scope))
}

/// The names of all forms that are answered.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FORMS.iter().map(|(name, _)| *name)
}

/// The fields of a form's document; other types are refused.
fn document(value: &Bson, code: i32, message: impl Fn(&str) -> String) -> Result<&Document> {
    match value {
        Bson::Document(document) => Ok(document),
        other => Err(CommandError::new(code, message(type_alias(other.into())))),
    }
}

/// Refuses a name that the form does not know.
fn only(document: &Document, known: &[&str], code: i32, message: &str) -> Result<()> {
    match document.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(CommandError::new(code, format!("{message}{name}")).at(CommandPath::argument(name))),
        None => Ok(()),
    }
}

/// The operand of that name, or the refusal for its absence.
fn need(document: &Document, name: &str, scope: &Scope, code: i32, message: &str) -> Result<Node> {
    let value = document.get(name).ok_or_else(|| CommandError::new(code, message))?;
    parse::field(name, value, scope)
}

fn cond(value: &Bson, scope: &Scope) -> Result<Node> {
    let operator = table::find("$cond").expect("the table holds $cond");
    let Bson::Document(given) = value else {
        return table::parse_call(operator, value, scope);
    };
    if given.keys().next().is_some_and(|name| name.starts_with('$')) {
        return table::parse_call(operator, value, scope);
    }
    only(given, &["if", "then", "else"], 17083, "Unrecognized parameter to $cond: ")?;
    let operands = vec![
        Some(need(given, "if", scope, 17080, "Missing 'if' parameter to $cond")?),
        Some(need(given, "then", scope, 17081, "Missing 'then' parameter to $cond")?),
        Some(need(given, "else", scope, 17082, "Missing 'else' parameter to $cond")?),
    ];
    Ok(Node::Call(table::Call { operator, operands, listed: true }))
}

fn let_form(value: &Bson, scope: &Scope) -> Result<Form> {
    let given = document(value, 16874, |_| "$let only supports an object as its argument".into())?;
    only(given, &["vars", "in"], 16875, "Unrecognized parameter to $let: ")?;
    let vars = given.get("vars").ok_or_else(|| CommandError::new(16876, "Missing 'vars' parameter to $let"))?;
    let body = given.get("in").ok_or_else(|| CommandError::new(16877, "Missing 'in' parameter to $let"))?;
    let Bson::Document(vars) = vars else {
        return Err(CommandError::new(10065, "invalid parameter: expected an object (vars)"));
    };
    let mut inner = scope.clone();
    let mut variables = Vec::new();
    for (name, value) in vars {
        let here = CommandPath::argument("vars").field(name);
        check_variable_name(name).map_err(|error| error.at(here.clone()))?;
        variables.push((name.clone(), parse::operand(value, scope).map_err(|error| error.within(&here))?));
        inner = inner.with(name);
    }
    Ok(Form::Let { variables, body: parse::field("in", body, &inner)? })
}

/// The name a form binds its element to.
fn bound_name(document: &Document) -> Result<String> {
    match document.get("as") {
        None => Ok("this".to_owned()),
        Some(Bson::String(name)) => {
            check_variable_name(name).map_err(|error| error.at(CommandPath::argument("as")))?;
            Ok(name.clone())
        }
        Some(_) => check_variable_name("").map(|()| String::new()),
    }
}

fn map_form(value: &Bson, scope: &Scope) -> Result<Form> {
    let given = document(value, 16878, |_| "$map only supports an object as its argument".into())?;
    only(given, &["input", "as", "in"], 16879, "Unrecognized parameter to $map: ")?;
    let input = need(given, "input", scope, 16880, "Missing 'input' parameter to $map")?;
    let name = bound_name(given)?;
    let body = need(given, "in", &scope.with(&name), 16882, "Missing 'in' parameter to $map")?;
    Ok(Form::Map { input, name, body })
}

fn filter_form(value: &Bson, scope: &Scope) -> Result<Form> {
    let given = document(value, 28646, |_| "$filter only supports an object as its argument".into())?;
    only(given, &["input", "as", "cond", "limit"], 28647, "Unrecognized parameter to $filter: ")?;
    let input = need(given, "input", scope, 28648, "Missing 'input' parameter to $filter")?;
    let name = bound_name(given)?;
    let cond = need(given, "cond", &scope.with(&name), 28650, "Missing 'cond' parameter to $filter")?;
    let limit = given.get("limit").map(|value| parse::field("limit", value, scope)).transpose()?;
    Ok(Form::Filter { input, name, cond, limit })
}

fn reduce_form(value: &Bson, scope: &Scope) -> Result<Form> {
    let given = document(value, 40075, |found| format!("$reduce requires an object as an argument, found: {found}"))?;
    only(given, &["input", "initialValue", "in"], 40076, "$reduce found an unknown argument: ")?;
    let inner = scope.with("this").with("value");
    Ok(Form::Reduce {
        input: need(given, "input", scope, 40077, "$reduce requires 'input' to be specified")?,
        initial: need(given, "initialValue", scope, 40078, "$reduce requires 'initialValue' to be specified")?,
        body: need(given, "in", &inner, 40079, "$reduce requires 'in' to be specified")?,
    })
}

fn switch_form(value: &Bson, scope: &Scope) -> Result<Form> {
    let given = document(value, 40060, |found| format!("$switch requires an object as an argument, found: {found}"))?;
    only(given, &["branches", "default"], 40067, "$switch found an unknown argument: ")?;
    let mut branches = Vec::new();
    match given.get("branches") {
        Some(Bson::Array(written)) => {
            for (at, branch) in written.iter().enumerate() {
                let here = CommandPath(vec![Step::Field("branches".into()), Step::Index(at)]);
                branches.push(switch_branch(branch, scope).map_err(|error| error.within(&here))?);
            }
        }
        Some(other) => {
            let found = type_alias(other.into());
            return Err(CommandError::new(40061, format!("$switch expected an array for 'branches', found: {found}")));
        }
        None => {}
    }
    if branches.is_empty() {
        return Err(CommandError::new(40068, "$switch requires at least one branch."));
    }
    let default = given.get("default").map(|value| parse::field("default", value, scope)).transpose()?;
    Ok(Form::Switch { branches, default })
}

fn switch_branch(branch: &Bson, scope: &Scope) -> Result<(Node, Node)> {
    let given =
        document(branch, 40062, |found| format!("$switch expected each branch to be an object, found: {found}"))?;
    only(given, &["case", "then"], 40063, "$switch found an unknown argument to a branch: ")?;
    let case = need(given, "case", scope, 40064, "$switch requires each branch have a 'case' expression")?;
    let then = need(given, "then", scope, 40065, "$switch requires each branch have a 'then' expression.")?;
    Ok((case, then))
}

fn rand_form(value: &Bson) -> Result<Form> {
    match value {
        Bson::Document(document) if document.is_empty() => Ok(Form::Rand),
        Bson::Array(items) if items.is_empty() => Ok(Form::Rand),
        Bson::Document(_) | Bson::Array(_) => {
            Err(CommandError::new(3_040_501, "$rand does not currently accept arguments"))
        }
        _ => Err(CommandError::new(10065, "invalid parameter: expected an object ($rand)")),
    }
}

fn zip_form(value: &Bson, scope: &Scope) -> Result<Form> {
    let given = document(value, 34460, |found| format!("$zip only supports an object as an argument, found {found}"))?;
    only(given, &["inputs", "useLongestLength", "defaults"], 34464, "$zip found an unknown argument: ")?;
    let list = |name: &str, code| match given.get(name) {
        None => Ok(Vec::new()),
        Some(Bson::Array(items)) => parse::operands(items, scope).map_err(|error| error.inside_field(name)),
        Some(other) => {
            let found = type_alias(other.into());
            Err(CommandError::new(code, format!("{name} must be an array of expressions, found {found}")))
        }
    };
    let (inputs, defaults) = (list("inputs", 34461)?, list("defaults", 34462)?);
    let longest = match given.get("useLongestLength") {
        None => false,
        Some(Bson::Boolean(longest)) => *longest,
        Some(other) => {
            let found = type_alias(other.into());
            return Err(CommandError::new(34463, format!("useLongestLength must be a bool, found {found}")));
        }
    };
    check_zip(&inputs, longest, &defaults)?;
    Ok(Form::Zip { inputs, longest, defaults })
}

fn check_zip(inputs: &[Node], longest: bool, defaults: &[Node]) -> Result<()> {
    if inputs.is_empty() {
        return Err(CommandError::new(34465, "$zip requires at least one input array"));
    }
    if !defaults.is_empty() && !longest {
        return Err(CommandError::new(34466, "cannot specify defaults unless useLongestLength is true"));
    }
    if !defaults.is_empty() && defaults.len() != inputs.len() {
        return Err(CommandError::new(34467, "defaults and inputs must have the same length"));
    }
    Ok(())
}

impl Form {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Let { .. } => "$let",
            Self::Map { .. } => "$map",
            Self::Filter { .. } => "$filter",
            Self::Reduce { .. } => "$reduce",
            Self::Switch { .. } => "$switch",
            Self::Zip { .. } => "$zip",
            Self::Rand => "$rand",
            Self::Meta(_) => "$meta",
            Self::SortArray { .. } => "$sortArray",
            Self::Percentile { which, .. } => which.name(),
        }
    }

    pub(super) fn evaluate<'a>(&'a self, env: &Env<'a>) -> Result<Value<'a>> {
        match self {
            Self::Let { variables, body } => evaluate_let(variables, body, env),
            Self::Map { input, name, body } => evaluate_map(input, name, body, env),
            Self::Filter { input, name, cond, limit } => evaluate_filter(input, name, cond, limit.as_ref(), env),
            Self::Reduce { input, initial, body } => evaluate_reduce(input, initial, body, env),
            Self::Switch { branches, default } => evaluate_switch(branches, default.as_ref(), env),
            Self::Zip { inputs, longest, defaults } => super::array::zip(inputs, *longest, defaults, env),
            Self::Rand => Ok(env.context.random().into()),
            Self::Meta(field) => Ok(field.evaluate(env)),
            Self::SortArray { input, by } => super::sort_array::evaluate(input, by, env),
            Self::Percentile { which, input, p } => super::percentile::evaluate(*which, input, p, env),
        }
    }

    /// Every node directly below.
    pub(super) fn children_mut(&mut self) -> Vec<&mut Node> {
        match self {
            Self::Let { variables, body } => {
                variables.iter_mut().map(|(_, node)| node).chain(std::iter::once(body)).collect()
            }
            Self::Map { input, body, .. } => vec![input, body],
            Self::Filter { input, cond, limit, .. } => [input, cond].into_iter().chain(limit).collect(),
            Self::Reduce { input, initial, body } => vec![input, initial, body],
            Self::Switch { branches, default } => {
                branches.iter_mut().flat_map(|(case, then)| [case, then]).chain(default).collect()
            }
            Self::Zip { inputs, defaults, .. } => inputs.iter_mut().chain(defaults).collect(),
            Self::Rand | Self::Meta(_) => Vec::new(),
            Self::SortArray { input, .. } | Self::Percentile { input, .. } => vec![input],
        }
    }

    /// Every node directly below.
    pub(super) fn children(&self) -> Vec<&Node> {
        match self {
            Self::Let { variables, body } => {
                variables.iter().map(|(_, node)| node).chain(std::iter::once(body)).collect()
            }
            Self::Map { input, body, .. } => vec![input, body],
            Self::Filter { input, cond, limit, .. } => [input, cond].into_iter().chain(limit).collect(),
            Self::Reduce { input, initial, body } => vec![input, initial, body],
            Self::Switch { branches, default } => {
                branches.iter().flat_map(|(case, then)| [case, then]).chain(default).collect()
            }
            Self::Zip { inputs, defaults, .. } => inputs.iter().chain(defaults).collect(),
            Self::Rand | Self::Meta(_) => Vec::new(),
            Self::SortArray { input, .. } | Self::Percentile { input, .. } => vec![input],
        }
    }

    pub(super) fn to_bson(&self) -> Bson {
        let mut fields = Document::new();
        match self {
            Self::Let { variables, body } => {
                let vars: Document = variables.iter().map(|(name, node)| (name.clone(), node.to_bson())).collect();
                fields.insert("vars", vars);
                fields.insert("in", body.to_bson());
            }
            Self::Map { input, name, body } => {
                fields.extend([("input".into(), input.to_bson()), ("as".into(), name.as_str().into())]);
                fields.insert("in", body.to_bson());
            }
            Self::Filter { input, name, cond, limit } => {
                fields.extend([("input".into(), input.to_bson()), ("as".into(), name.as_str().into())]);
                fields.insert("cond", cond.to_bson());
                fields.extend(limit.iter().map(|limit| ("limit".to_owned(), limit.to_bson())));
            }
            Self::Reduce { input, initial, body } => {
                fields.extend([("input".into(), input.to_bson()), ("initialValue".into(), initial.to_bson())]);
                fields.insert("in", body.to_bson());
            }
            Self::Switch { branches, default } => {
                let written = |(case, then): &(Node, Node)| {
                    let pair = [("case".to_owned(), case.to_bson()), ("then".to_owned(), then.to_bson())];
                    Bson::Document(Document::from_iter(pair))
                };
                fields.insert("branches", branches.iter().map(written).collect::<Vec<_>>());
                fields.extend(default.iter().map(|node| ("default".to_owned(), node.to_bson())));
            }
            Self::Zip { inputs, longest, defaults } => {
                let list = |nodes: &[Node]| Bson::Array(nodes.iter().map(Node::to_bson).collect());
                fields.insert("inputs", list(inputs));
                if !defaults.is_empty() {
                    fields.insert("defaults", list(defaults));
                }
                if *longest {
                    fields.insert("useLongestLength", true);
                }
            }
            Self::Rand => {}
            Self::Meta(field) => return Bson::Document(Document::from_iter([("$meta".to_owned(), field.to_bson())])),
            Self::SortArray { input, by } => {
                fields.extend([("input".into(), input.to_bson()), ("sortBy".into(), by.to_bson())]);
            }
            Self::Percentile { which, input, p } => fields = super::percentile::to_document(*which, input, p),
        }
        Bson::Document(Document::from_iter([(self.name().to_owned(), Bson::Document(fields))]))
    }
}

/// The variables do not see each other.
fn evaluate_let<'a>(variables: &'a [(String, Node)], body: &'a Node, env: &Env<'a>) -> Result<Value<'a>> {
    let mut values = Vec::with_capacity(variables.len());
    for (name, node) in variables {
        let here = CommandPath::argument("vars").field(name);
        values.push((name, node.evaluate(env).map_err(|error| error.within(&here))?));
    }
    with_bound(&values, body, env)
}

fn with_bound<'b, 'a>(values: &'b [(&'b String, Value<'b>)], body: &'b Node, env: &Env<'b>) -> Result<Value<'a>> {
    let Some(((name, value), rest)) = values.split_first() else {
        return Ok(body.evaluate(env).map_err(|error| error.inside_field("in"))?.into_owned());
    };
    let frame = env.frame(name, value.view());
    with_bound(rest, body, &env.inside(&frame))
}

fn evaluate_map<'a>(input: &'a Node, name: &'a str, body: &'a Node, env: &Env<'a>) -> Result<Value<'a>> {
    let list = input.evaluate(env).map_err(|error| error.inside_field("input"))?;
    if list.is_nullish() {
        return Ok(Value::NULL);
    }
    let Some(array) = list.array() else {
        return Err(CommandError::new(16883, format!("input to $map must be an array not {}", list.type_name())));
    };
    let mut mapped = ArrayBuilder::new();
    for item in array.iter() {
        env.context.allowance().spend(1)?;
        let frame = env.frame(name, Some(item));
        let value = body.evaluate(&env.inside(&frame)).map_err(|error| error.inside_field("in"))?;
        mapped.push(value.or_null());
    }
    Ok(Value::Packed(mapped.finish()))
}

fn evaluate_filter<'a>(
    input: &'a Node,
    name: &'a str,
    cond: &'a Node,
    limit: Option<&'a Node>,
    env: &Env<'a>,
) -> Result<Value<'a>> {
    let list = input.evaluate(env).map_err(|error| error.inside_field("input"))?;
    if list.is_nullish() {
        return Ok(Value::NULL);
    }
    let Some(array) = list.array() else {
        return Err(CommandError::new(28651, format!("input to $filter must be an array not {}", list.type_name())));
    };
    let limit = limit.map(|node| filter_limit(&node.evaluate(env)?)).transpose()?.flatten();
    let mut kept = ArrayBuilder::new();
    for item in array.iter() {
        env.context.allowance().spend(1)?;
        let frame = env.frame(name, Some(item));
        let inner = env.inside(&frame);
        if cond.evaluate(&inner).map_err(|error| error.inside_field("cond"))?.is_true() {
            kept.push(item);
            if limit.is_some_and(|limit| kept.len() >= limit) {
                break;
            }
        }
    }
    Ok(Value::Packed(kept.finish()))
}

fn filter_limit(value: &Value<'_>) -> Result<Option<usize>> {
    if value.is_nullish() {
        return Ok(None);
    }
    let Some(number) = value.view().and_then(super::number::as_i32) else {
        let shown = value.shown();
        return Err(CommandError::new(
            327_391,
            format!("$filter: limit must be represented as a 32-bit integral value: {shown}"),
        ));
    };
    match usize::try_from(number) {
        Ok(limit @ 1..) => Ok(Some(limit)),
        _ => Err(CommandError::new(327_392, format!("$filter: limit must be greater than 0: {number}"))),
    }
}

fn evaluate_reduce<'a>(input: &'a Node, initial: &'a Node, body: &'a Node, env: &Env<'a>) -> Result<Value<'a>> {
    let list = input.evaluate(env).map_err(|error| error.inside_field("input"))?;
    if list.is_nullish() {
        return Ok(Value::NULL);
    }
    let Some(array) = list.array() else {
        return Err(CommandError::new(
            40080,
            format!("$reduce requires that 'input' be an array, found: {}", list.type_name()),
        ));
    };
    let mut value: Value<'static> = initial.evaluate(env)?.into_owned();
    for item in array.iter() {
        env.context.allowance().spend(1)?;
        let next = {
            let outer = env.frame("this", Some(item));
            let middle = env.inside(&outer);
            let frame = middle.frame("value", value.view());
            let found = body.evaluate(&middle.inside(&frame));
            found.map_err(|error| error.inside_field("in"))?.into_owned()
        };
        value = next;
    }
    Ok(value)
}

fn evaluate_switch<'a>(branches: &'a [(Node, Node)], default: Option<&'a Node>, env: &Env<'a>) -> Result<Value<'a>> {
    for (at, (case, then)) in branches.iter().enumerate() {
        let here = CommandPath(vec![Step::Field("branches".into()), Step::Index(at)]);
        if case.evaluate(env).map_err(|error| error.within(&here.field("case")))?.is_true() {
            return then.evaluate(env).map_err(|error| error.within(&here.field("then")));
        }
    }
    let missing = "$switch could not find a matching branch for an input, and no default was specified.";
    default.ok_or_else(|| CommandError::new(40066, missing))?.evaluate(env)
}

impl Form {
    /// Whether the form gives another value each time.
    pub(super) fn is_random(&self) -> bool {
        matches!(self, Self::Rand)
    }

    /// The metadata it asks for.
    pub(super) fn metadata(&self) -> Option<MetaField> {
        if let Self::Meta(field) = self { Some(*field) } else { None }
    }

    /// Whether the form binds variables, so that its parts cannot be computed apart.
    pub(super) fn binds(&self) -> bool {
        matches!(self, Self::Let { .. } | Self::Map { .. } | Self::Filter { .. } | Self::Reduce { .. })
    }
}

/// Whether a name is that of an operator with a grammar of its own, one included that is refused by name.
pub(super) fn is_form(name: &str) -> bool {
    FORMS.iter().chain(REFUSED).any(|(known, _)| *known == name)
}
