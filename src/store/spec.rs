//! What `createIndexes` is asked for, checked as the server checks it
//! (`src/mongo/db/catalog/index_key_validate.cpp`, `index_catalog_impl.cpp`, 7.0).

use crate::error::{CommandError, ErrorCode, Result};
use crate::query::Collation;
use crate::store::rules::{self, WILDCARD, is_wildcard, number};
use crate::store::{Direction, IndexInfo, KeyPart};
use crate::value::{Bson, Document, Path, View, equal, is_true};

/// Options that do not tell two indexes apart, nor make them differ.
const UNCOMPARED: [&str; 13] = [
    "v",
    "key",
    "name",
    "ns",
    "background",
    "dropDups",
    "hidden",
    "unique",
    "sparse",
    "collation",
    "partialFilterExpression",
    "wildcardProjection",
    "textIndexVersion",
];

/// An index wanted, with everything known about it before there are documents.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexSpec {
    /// The index described, still without entries.
    pub info: IndexInfo,
    /// As `listIndexes` shows it.
    pub shown: Document,
}

/// How an index wanted stands to one that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// Another key pattern or another option that tells indexes apart.
    Different,
    /// The same but for options that do not tell indexes apart.
    Equivalent,
    /// The same.
    Identical,
}

impl IndexSpec {
    /// Checks key pattern and options; error places are `keys…` and `options…`.
    ///
    /// # Errors
    /// The server's refusals, and `NotImplemented` for index types that there are not here.
    pub fn parse(keys: &Document, options: &Document) -> Result<Self> {
        let spec = Self::parse_any(keys, options)?;
        spec.refuse_unknown_types()?;
        Ok(spec)
    }

    /// As [`IndexSpec::parse`], but an index that expires documents is let through, to be compared with those there are.
    ///
    /// # Errors
    /// The server's refusals.
    pub fn parse_any(keys: &Document, options: &Document) -> Result<Self> {
        let name = match options.get("name") {
            Some(Bson::String(name)) => name.clone(),
            _ => default_name(keys),
        };
        rules::check(&name, keys, options)?;
        let info = describe(&name, keys, options)?;
        Ok(Self { shown: listed(&info, options), info })
    }

    /// Refuses what this store does not have.
    ///
    /// # Errors
    /// `NotImplemented`.
    pub fn refuse_unknown_types(&self) -> Result<()> {
        let plugin = rules::plugin(&self.info.key_pattern);
        if !plugin.is_empty() && plugin != WILDCARD {
            let message = format!("Index type '{plugin}' is not supported by this store");
            return Err(CommandError::new(ErrorCode::NotImplemented, message).inside_field("keys"));
        }
        let named = ["expireAfterSeconds", "prepareUnique", "storageEngine"];
        match named.into_iter().find(|name| self.shown.contains_key(*name)) {
            None => Ok(()),
            Some(name) => {
                let message = format!("The index option '{name}' is not supported by this store");
                Err(CommandError::new(ErrorCode::NotImplemented, message).inside_field("options"))
            }
        }
    }

    /// Compares with an index that is there.
    #[must_use]
    pub fn likeness(&self, info: &IndexInfo, shown: &Document) -> Likeness {
        let told_apart = same_document(&self.info.key_pattern, &info.key_pattern)
            && self.info.unique == info.unique
            && self.info.sparse == info.sparse
            && same_option(self.info.collation.as_ref(), info.collation.as_ref())
            && same_option(self.info.partial_filter.as_ref(), info.partial_filter.as_ref())
            && same_option(self.info.wildcard_projection.as_ref(), info.wildcard_projection.as_ref());
        match (told_apart, same_rest(&self.shown, shown)) {
            (false, _) => Likeness::Different,
            (true, false) => Likeness::Equivalent,
            (true, true) => Likeness::Identical,
        }
    }
}

fn same_document(left: &Document, right: &Document) -> bool {
    let names = left.keys().eq(right.keys());
    names && left.values().zip(right.values()).all(|(left, right)| equal(View::from(left), View::from(right)))
}

fn same_option(left: Option<&Document>, right: Option<&Document>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => same_document(left, right),
        (left, right) => left.is_none() && right.is_none(),
    }
}

/// Whether the options that do not tell indexes apart are the same, in any order.
fn same_rest(left: &Document, right: &Document) -> bool {
    let within = |left: &Document, right: &Document| {
        left.iter()
            .filter(|(name, _)| !UNCOMPARED.contains(&name.as_str()))
            .all(|(name, value)| right.get(name).is_some_and(|other| equal(View::from(value), View::from(other))))
    };
    within(left, right) && within(right, left)
}

/// The name mongosh gives: fields and directions joined by underscores.
#[must_use]
pub fn default_name(keys: &Document) -> String {
    let part = |(name, value): (&String, &Bson)| match (value, number(value)) {
        (Bson::String(kind), _) => format!("{name}_{kind}"),
        (_, Some(number)) => format!("{name}_{number}"),
        _ => format!("{name}_{value}"),
    };
    keys.iter().map(part).collect::<Vec<_>>().join("_")
}

fn describe(name: &str, keys: &Document, options: &Document) -> Result<IndexInfo> {
    let document = |option: &str| options.get_document(option).ok().cloned();
    let truth = |option: &str| options.get(option).is_some_and(|value| is_true(value.into()));
    let collation = Collation::parse(document("collation").as_ref())
        .map_err(|error| error.inside_field("collation").inside_field("options"))?;
    let is_id = rules::is_id_pattern(keys);
    Ok(IndexInfo {
        name: if is_id { "_id_".into() } else { name.into() },
        key_pattern: keys.clone(),
        parts: keys.iter().map(|(name, value)| part(name, value)).collect(),
        multikey: false,
        unique: truth("unique") || is_id,
        sparse: truth("sparse"),
        hidden: truth("hidden"),
        partial_filter: document("partialFilterExpression"),
        collation: collation.to_document().cloned(),
        wildcard_projection: document("wildcardProjection").map(|projection| dotted(&projection)),
        entries: 0,
        distinct_keys: 0,
        bytes: 0,
    })
}

fn part(name: &str, value: &Bson) -> KeyPart {
    let wildcard = is_wildcard(name);
    let path = if wildcard { name.trim_end_matches("$**").trim_end_matches('.') } else { name };
    let descending = number(value).is_some_and(|number| number < 0.0);
    let direction = if descending { Direction::Descending } else { Direction::Ascending };
    KeyPart { path: Path::new(path), direction, multikey_at: Vec::new(), wildcard }
}

/// A projection with nested documents written as dotted paths.
fn dotted(projection: &Document) -> Document {
    let mut flat = Document::new();
    for (name, value) in projection {
        match value {
            Bson::Document(inner) => {
                flat.extend(dotted(inner).into_iter().map(|(below, value)| (format!("{name}.{below}"), value)));
            }
            _ => {
                flat.insert(name.clone(), value.clone());
            }
        }
    }
    flat
}

/// The specification as `listIndexes` gives it: version, key, name, then the options as they were written.
fn listed(info: &IndexInfo, options: &Document) -> Document {
    let mut shown = bson::doc! {"v": 2, "key": info.key_pattern.clone(), "name": info.name.clone()};
    for (name, value) in options.iter().filter(|(name, _)| !["v", "key", "name", "ns"].contains(&name.as_str())) {
        match (name.as_str(), value) {
            ("collation", _) => {
                shown.extend(info.collation.clone().map(|completed| (name.clone(), Bson::Document(completed))));
            }
            ("unique" | "sparse" | "hidden" | "background", value) => {
                // The server leaves `hidden: false` out.
                if name != "hidden" || is_true(value.into()) {
                    shown.insert(name, is_true(value.into()));
                }
            }
            _ => {
                shown.insert(name, value.clone());
            }
        }
    }
    shown
}
