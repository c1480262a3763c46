//! What a projection means for plans (`src/mongo/db/query/projection.h`).

use crate::query::Projection;
use crate::value::{Bson, Document};

/// Whether nothing is computed: fields are only kept or dropped.
pub(super) fn only_keeps_and_drops(projection: &Projection) -> bool {
    plain(projection.spec())
}

fn plain(spec: &Document) -> bool {
    spec.iter().all(|(name, value)| match value {
        Bson::Document(inner) => inner.keys().next().is_some_and(|first| !first.starts_with('$')) && plain(inner),
        other => is_switch(other) && !name.ends_with(".$"),
    })
}

fn is_switch(value: &Bson) -> bool {
    matches!(value, Bson::Boolean(_) | Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_))
}

/// Whether the value of a path is the same afterwards, of a projection that only keeps and drops.
pub(super) fn keeps(projection: &Projection, path: &str) -> bool {
    let inside = |name: &str| path == name || path.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    match projection.required() {
        Some(kept) => kept.iter().any(|name| inside(&name.to_string())),
        None => !projection.spec().iter().any(|(name, value)| {
            let dropped = *value != Bson::Boolean(true);
            dropped && (inside(name) || name.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
        }),
    }
}
