//! Comparisons that follow from `$expr`, which let it use an index (`RewriteExpr`, `expression_internal_expr_*.h`).

use crate::query::{Comparison, Filter};
use crate::value::{Bson, Document, Path};

/// A comparison of a path with a constant, in the expression language: without type bracketing, null unlike missing.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Implied {
    pub path: Path,
    pub operator: Comparison,
    pub value: Bson,
}

/// What follows from a `$expr` filter: of an `$and`, what follows from any of its parts; of a comparison between one
/// field path and one constant, that comparison.
pub(super) fn implied_by(filter: &Filter) -> Vec<Implied> {
    let mut found = Vec::new();
    if let Filter::Expr(expression) = filter {
        collect(expression, &mut found);
    }
    found
}

fn collect(expression: &Bson, found: &mut Vec<Implied>) {
    let Bson::Document(document) = expression else { return };
    let Some((name, operand)) = document.iter().next().filter(|_| document.len() == 1) else { return };
    if name == "$and" {
        let parts = operand.as_array().map_or(std::slice::from_ref(operand), Vec::as_slice);
        parts.iter().for_each(|part| collect(part, found));
    } else if let Some(operator) = operator_named(name) {
        found.extend(comparison(operator, operand));
    }
}

fn operator_named(name: &str) -> Option<Comparison> {
    Some(match name {
        "$eq" => Comparison::Eq,
        "$lt" => Comparison::Lt,
        "$lte" => Comparison::Lte,
        "$gt" => Comparison::Gt,
        "$gte" => Comparison::Gte,
        _ => return None,
    })
}

fn mirrored(operator: Comparison) -> Comparison {
    match operator {
        Comparison::Eq => Comparison::Eq,
        Comparison::Lt => Comparison::Gt,
        Comparison::Lte => Comparison::Gte,
        Comparison::Gt => Comparison::Lt,
        Comparison::Gte => Comparison::Lte,
    }
}

fn comparison(operator: Comparison, operand: &Bson) -> Option<Implied> {
    let [left, right] = operand.as_array()?.as_slice() else { return None };
    let (path, operator, value) = match (field_path(left), field_path(right)) {
        (Some(path), None) => (path, operator, constant(right)?),
        (None, Some(path)) => (path, mirrored(operator), constant(left)?),
        _ => return None,
    };
    // Comparisons with these are not rewritten: an index cannot tell them from what it holds for arrays and missing fields.
    let usable = !matches!(value, Bson::Array(_) | Bson::Undefined | Bson::RegularExpression(_));
    usable.then_some(Implied { path, operator, value })
}

fn field_path(operand: &Bson) -> Option<Path> {
    let text = operand.as_str()?;
    let text = text.strip_prefix("$$ROOT.").or_else(|| text.strip_prefix("$$CURRENT.")).or_else(|| {
        let plain = text.strip_prefix('$')?;
        (!plain.starts_with('$')).then_some(plain)
    })?;
    (!text.is_empty()).then(|| Path::new(text))
}

fn constant(operand: &Bson) -> Option<Bson> {
    match operand {
        Bson::String(text) if text.starts_with('$') => None,
        Bson::Document(document) => constant_document(document),
        other => Some(other.clone()),
    }
}

fn constant_document(document: &Document) -> Option<Bson> {
    match document.iter().next() {
        Some((name, value)) if name == "$literal" || name == "$const" => Some(value.clone()),
        _ => None,
    }
}
