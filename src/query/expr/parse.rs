//! From BSON to the expression tree (`src/mongo/db/pipeline/expression.cpp`: `parseOperand`, `parseObject`).

use crate::error::{CommandError, CommandPath, ErrorCode, Result};
use crate::value::{Bson, Document, Path, field_path};

use super::env::{Scope, check_read_name};
use super::node::{Node, Reference};
use super::show::show_stored;
use super::{forms, table};

/// Parses one operand.
pub(super) fn operand(value: &Bson, scope: &Scope) -> Result<Node> {
    match value {
        Bson::String(text) if text.starts_with('$') => path(text, scope),
        Bson::Document(document) => object(document, scope),
        Bson::Array(items) => Ok(Node::Array(operands(items, scope)?)),
        other => Ok(Node::Constant(other.clone())),
    }
}

/// Parses operands; an error learns its position.
pub(super) fn operands(items: &[Bson], scope: &Scope) -> Result<Vec<Node>> {
    let parse = |(at, item)| operand(item, scope).map_err(|error| error.inside_index(at));
    items.iter().enumerate().map(parse).collect()
}

/// Parses the operand behind a name; an error learns the name.
pub(super) fn field(name: &str, value: &Bson, scope: &Scope) -> Result<Node> {
    operand(value, scope).map_err(|error| error.inside_field(name))
}

fn object(document: &Document, scope: &Scope) -> Result<Node> {
    match document.iter().next() {
        Some((name, value)) if name.starts_with('$') => {
            if document.len() > 1 {
                let shown = show_stored(document);
                return Err(CommandError::new(
                    15983,
                    format!("An object representing an expression must have exactly one field: {shown}"),
                ));
            }
            operator(name, value, scope).map_err(|error| error.inside_field(name))
        }
        _ => fields(document, scope),
    }
}

fn fields(document: &Document, scope: &Scope) -> Result<Node> {
    let mut fields = Vec::with_capacity(document.len());
    for (name, value) in document {
        check_field_name(name).map_err(|error| error.at(CommandPath::argument(name)))?;
        fields.push((name.clone(), field(name, value, scope)?));
    }
    Ok(Node::Object(fields))
}

fn operator(name: &str, value: &Bson, scope: &Scope) -> Result<Node> {
    if let Some(node) = forms::parse(name, value, scope) {
        return node;
    }
    match table::find(name) {
        Some(operator) => table::parse_call(operator, value, scope),
        None => Err(CommandError::new(ErrorCode::InvalidPipelineOperator, format!("Unrecognized expression '{name}'"))),
    }
}

/// Parses `$a.b` or `$$name.a`.
pub(super) fn path(text: &str, scope: &Scope) -> Result<Node> {
    if text == "$" {
        return Err(CommandError::new(16872, "'$' by itself is not a valid FieldPath"));
    }
    let Some(rest) = text.strip_prefix("$$") else {
        let path = field_path(&text[1..])?;
        let from = if scope.contains("CURRENT") { Reference::User("CURRENT".into()) } else { Reference::Current };
        return Ok(Node::Path(from, path));
    };
    let (name, tail) = rest.split_once('.').map_or((rest, None), |(name, tail)| (name, Some(tail)));
    check_read_name(name)?;
    let reference = reference(name, scope)?;
    let path = if rest.contains('.') { field_path(tail.unwrap_or_default())? } else { Path::default() };
    Ok(Node::Path(reference, path))
}

/// The variables of `$redact`, which no other stage has, with their values (`DocumentSourceRedact::createFromBson`).
pub const REDACTIONS: [(&str, &str); 3] = [("DESCEND", "descend"), ("PRUNE", "prune"), ("KEEP", "keep")];

fn reference(name: &str, scope: &Scope) -> Result<Reference> {
    let word = REDACTIONS.iter().find(|(known, _)| *known == name);
    if let (Some((_, word)), true) = (word, scope.contains(name)) {
        return Ok(Reference::Word(word));
    }
    if scope.contains(name) {
        return Ok(Reference::User(name.to_owned()));
    }
    Ok(match name {
        "CURRENT" => Reference::Current,
        "ROOT" => Reference::Root,
        "NOW" => Reference::Now,
        "REMOVE" => Reference::Remove,
        "CLUSTER_TIME" | "SEARCH_META" | "USER_ROLES" | "JS_SCOPE" | "IS_MR" => {
            return Err(CommandError::new(51144, format!("Builtin variable '$${name}' is not available")));
        }
        _ => return Err(CommandError::new(17276, format!("Use of undefined variable: {name}"))),
    })
}

/// Checks one field name of a path or an object expression (`FieldPath::uassertValidFieldName`).
///
/// # Errors
/// 15998 for the empty name, 16410 for one beginning with `$`, 16411 for a NUL byte, 16412 for a dot.
pub fn check_field_name(name: &str) -> Result<()> {
    if name.is_empty() {
        return Err(CommandError::new(15998, "FieldPath field names may not be empty strings."));
    }
    if name.starts_with('$') {
        return Err(CommandError::new(
            16410,
            "FieldPath field names may not start with '$'. Consider using $getField or $setField.",
        ));
    }
    if name.contains('\0') {
        return Err(CommandError::new(16411, "FieldPath field names may not contain '\\0'."));
    }
    if name.contains('.') {
        return Err(CommandError::new(
            16412,
            "FieldPath field names may not contain '.'. Consider using $getField or $setField.",
        ));
    }
    Ok(())
}
