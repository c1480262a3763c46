//! The shape of a query: all but its literals, and the hash of that (`canonical_query_encoder.cpp`).

use std::fmt::{self, Write};

use crate::query::{Comparison, Filter, Test};
use crate::store::Collection;
use crate::value::{Bson, Document, Path};

use super::query::CanonicalQuery;
use super::subset::is_subset;

/// Whether the plan cache may be asked for such a query (`shouldCacheQuery`).
pub(super) fn is_cacheable(query: &CanonicalQuery) -> bool {
    let unordered = query.sort.as_ref().is_none_or(Document::is_empty);
    query.hint.is_none()
        && query.min.is_none()
        && query.max.is_none()
        && !(query.matches_all() && unordered)
        && !query.sort.as_ref().is_some_and(|sort| sort.contains_key("$natural"))
}

/// The hash of the query's shape.
pub(super) fn query_hash(query: &CanonicalQuery) -> u32 {
    let mut hash = Hash(FNV_OFFSET);
    write_shape(&mut hash, query).expect("a hash takes any text");
    hash.0
}

/// The hash of the shape, given, together with which special indexes apply: a partial, sparse or collated index may
/// serve one literal and not another.
pub(super) fn plan_cache_key(query_hash: u32, query: &CanonicalQuery, collection: &Collection) -> u32 {
    let mut key = Hash(query_hash);
    for index in collection.indexes().iter().filter(|index| !index.info().hidden) {
        let info = index.info();
        key.take(info.name.as_bytes());
        if let Some(partial) = index.partial_filter() {
            let covered = is_subset((&query.filter, &query.collation), (partial, index.collation()));
            key.take(&[u8::from(covered)]);
        }
        if info.sparse || info.parts.iter().any(|part| part.wildcard) {
            key.take(&[u8::from(asks_null(&query.filter))]);
        }
    }
    key.0
}

const FNV_OFFSET: u32 = 0x811C_9DC5;
const FNV_PRIME: u32 = 0x0100_0193;

/// FNV-1a, which needs no table and no key. The server's hash is another; only equality means something.
struct Hash(u32);

impl Hash {
    fn take(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(FNV_PRIME));
    }
}

impl Write for Hash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.take(text.as_bytes());
        Ok(())
    }
}

fn asks_null(filter: &Filter) -> bool {
    match filter {
        Filter::And(parts) | Filter::Or(parts) | Filter::Nor(parts) => parts.iter().any(asks_null),
        Filter::Not(part) => asks_null(part),
        Filter::Field(predicate) => match &predicate.test {
            Test::Compare(_, value) => matches!(value, Bson::Null),
            Test::In(list) => list.values.contains(&Bson::Null),
            Test::ElemMatchObject(inner) => asks_null(inner),
            Test::ElemMatchValue(parts) => parts.iter().any(asks_null),
            _ => false,
        },
        _ => false,
    }
}

fn write_shape(out: &mut Hash, query: &CanonicalQuery) -> fmt::Result {
    write_filter(out, &query.filter)?;
    out.write_str("~")?;
    for (name, value) in query.sort.iter().flatten() {
        write!(out, "{}{name},", super::notation::value_notation(value))?;
    }
    out.write_str("|")?;
    for (name, value) in query.projection.iter().flat_map(crate::query::Projection::spec) {
        write!(out, "{name}{}", super::notation::value_notation(value))?;
    }
    out.write_str("#")?;
    for (name, value) in query.collation.to_document().into_iter().flatten() {
        write!(out, "{name}{}", super::notation::value_notation(value))?;
    }
    Ok(())
}

fn write_list(out: &mut Hash, parts: &[Filter]) -> fmt::Result {
    out.write_str("[")?;
    for part in parts {
        write_filter(out, part)?;
        out.write_str(",")?;
    }
    out.write_str("]")
}

fn write_path(out: &mut Hash, path: &Path) -> fmt::Result {
    for part in path.parts() {
        out.write_str(".")?;
        out.write_str(part)?;
    }
    Ok(())
}

fn write_filter(out: &mut Hash, filter: &Filter) -> fmt::Result {
    let mut list = |name: &str, parts: &[Filter]| {
        out.write_str(name)?;
        write_list(out, parts)
    };
    match filter {
        Filter::And(parts) => list("an", parts),
        Filter::Or(parts) => list("or", parts),
        Filter::Nor(parts) => list("nr", parts),
        Filter::Not(part) => list("nt", std::slice::from_ref(part)),
        Filter::Field(predicate) => {
            out.write_str(test_name(&predicate.test))?;
            write_path(out, &predicate.path)?;
            match &predicate.test {
                Test::ElemMatchObject(inner) => write_list(out, std::slice::from_ref(inner)),
                Test::ElemMatchValue(parts) => write_list(out, parts),
                _ => Ok(()),
            }
        }
        Filter::Expr(expression) => {
            write!(out, "ex{}", super::notation::value_notation(&expression.to_bson()))
        }
        Filter::JsonSchema(schema) => {
            write!(out, "js{}", super::notation::value_notation(&Bson::Document(schema.clone())))
        }
        Filter::Constant(truth) => out.write_str(if *truth { "at" } else { "af" }),
    }
}

fn test_name(test: &Test) -> &'static str {
    match test {
        Test::Compare(Comparison::Eq, _) => "eq",
        Test::Compare(Comparison::Lt, _) => "lt",
        Test::Compare(Comparison::Lte, _) => "le",
        Test::Compare(Comparison::Gt, _) => "gt",
        Test::Compare(Comparison::Gte, _) => "ge",
        Test::In(list) if list.regexes.is_empty() => "in",
        Test::In(_) => "inre",
        Test::Exists => "ex",
        Test::Type(_) => "ty",
        Test::Mod(..) => "mo",
        Test::Regex(_) => "re",
        Test::Size(_) => "si",
        Test::Bits(..) => "bt",
        Test::ElemMatchObject(_) => "eo",
        Test::ElemMatchValue(_) => "ev",
    }
}
