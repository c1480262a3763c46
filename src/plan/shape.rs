//! The shape of a query: all but its literals, as a text and its hash (`canonical_query_encoder.cpp`).

use crate::query::{Comparison, Filter, Test};
use crate::store::Collection;
use crate::value::{Bson, Document};

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
    hash(FNV_OFFSET, shape(query).as_bytes())
}

/// The hash of the shape together with which special indexes apply: a partial, sparse or collated index may serve one
/// literal and not another.
pub(super) fn plan_cache_key(query: &CanonicalQuery, collection: &Collection) -> u32 {
    let mut key = query_hash(query);
    for index in collection.indexes().iter().map(crate::store::Index::info).filter(|info| !info.hidden) {
        key = hash(key, index.name.as_bytes());
        if let Some(Ok(partial)) = index.partial_filter.as_ref().map(Filter::parse) {
            key = hash(key, &[u8::from(is_subset(&query.filter, &partial.normalised()))]);
        }
        if index.sparse || index.parts.iter().any(|part| part.wildcard) {
            key = hash(key, &[u8::from(asks_null(&query.filter))]);
        }
    }
    key
}

const FNV_OFFSET: u32 = 0x811C_9DC5;
const FNV_PRIME: u32 = 0x0100_0193;

/// FNV-1a, which needs no table and no key. The server's hash is another; only equality means something.
fn hash(seed: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(seed, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(FNV_PRIME))
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

fn shape(query: &CanonicalQuery) -> String {
    let mut text = String::new();
    write_filter(&mut text, &query.filter);
    text.push('~');
    for (name, value) in query.sort.iter().flatten() {
        text.push_str(&super::notation::value_notation(value));
        text.push_str(name);
        text.push(',');
    }
    text.push('|');
    for (name, value) in query.projection.iter().flat_map(crate::query::Projection::spec) {
        text.push_str(name);
        text.push_str(&super::notation::value_notation(value));
    }
    text.push('#');
    for (name, value) in query.collation.to_document().into_iter().flatten() {
        text.push_str(name);
        text.push_str(&super::notation::value_notation(value));
    }
    text
}

fn write_filter(text: &mut String, filter: &Filter) {
    let mut list = |name: &str, parts: &[Filter]| {
        text.push_str(name);
        text.push('[');
        for part in parts {
            write_filter(text, part);
            text.push(',');
        }
        text.push(']');
    };
    match filter {
        Filter::And(parts) => list("an", parts),
        Filter::Or(parts) => list("or", parts),
        Filter::Nor(parts) => list("nr", parts),
        Filter::Not(part) => list("nt", std::slice::from_ref(part)),
        Filter::Field(predicate) => {
            let path = predicate.path.to_string();
            match &predicate.test {
                Test::ElemMatchObject(inner) => list(&format!("eo{path}"), std::slice::from_ref(inner)),
                Test::ElemMatchValue(parts) => list(&format!("ev{path}"), parts),
                other => {
                    text.push_str(test_name(other));
                    text.push_str(&path);
                }
            }
        }
        Filter::Expr(expression) => {
            text.push_str("ex");
            text.push_str(&super::notation::value_notation(&expression.to_bson()));
        }
        Filter::JsonSchema(schema) => {
            text.push_str("js");
            text.push_str(&super::notation::value_notation(&Bson::Document(schema.clone())));
        }
        Filter::Constant(truth) => text.push_str(if *truth { "at" } else { "af" }),
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
