//! What a projection needs of a document, as far as plans go (`src/mongo/db/query/projection.h`).

use crate::value::{Bson, Document};

/// What a projection needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// Whether fields are named that stay, and not fields that go.
    pub inclusion: bool,
    /// Whether only top-level names are given, no operators and no computed fields.
    pub simple: bool,
    /// Whether fields are computed.
    pub computed: bool,
    /// Whether the whole document is needed.
    pub document: bool,
    /// The paths needed, where the whole document is not.
    pub fields: Vec<String>,
}

impl Needs {
    /// Reads a projection that was found to be valid.
    pub fn of(spec: &Document) -> Self {
        let mut needs = Self { simple: true, ..Self::default() };
        let (mut excluded, mut id) = (false, None);
        let mut paths = Vec::new();
        flatten("", spec, &mut paths);
        for (path, value) in paths {
            match kept(&value) {
                Some(keep) if path == "_id" => id = Some(keep),
                Some(_) if path.ends_with(".$") || path.contains(".$.") => needs.operator(true),
                Some(true) => {
                    needs.inclusion = true;
                    needs.simple &= !path.contains('.');
                    needs.fields.push(path);
                }
                Some(false) => {
                    excluded = true;
                    needs.simple &= !path.contains('.');
                }
                None => {
                    needs.operator(is_find_operator(&value));
                    needs.inclusion |= !is_operator(&value, "$slice") && !is_operator(&value, "$meta");
                }
            }
        }
        needs.inclusion |= !excluded && id == Some(true);
        if needs.inclusion && id != Some(false) {
            needs.fields.insert(0, "_id".into());
        }
        needs.document |= !needs.inclusion;
        needs
    }

    fn operator(&mut self, find_operator: bool) {
        self.simple = false;
        self.computed |= !find_operator;
        self.document = true;
    }

    /// Whether a path of the document is still there afterwards, unchanged.
    pub fn keeps(&self, path: &str, spec: &Document) -> bool {
        let covered = |name: &str| path == name || path.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        if self.inclusion {
            return self.fields.iter().any(|name| covered(name));
        }
        let mut paths = Vec::new();
        flatten("", spec, &mut paths);
        !paths.iter().any(|(name, value)| {
            let below = name.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
            kept(value) != Some(true) && (covered(name) || below)
        })
    }
}

/// Writes nested specifications as dotted paths.
fn flatten(prefix: &str, spec: &Document, paths: &mut Vec<(String, Bson)>) {
    for (name, value) in spec {
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value {
            Bson::Document(inner) if inner.keys().next().is_some_and(|first| !first.starts_with('$')) => {
                flatten(&path, inner, paths);
            }
            _ => paths.push((path, value.clone())),
        }
    }
}

/// Whether a value keeps or drops its field; none where it computes one.
fn kept(value: &Bson) -> Option<bool> {
    match value {
        Bson::Boolean(truth) => Some(*truth),
        Bson::Int32(number) => Some(*number != 0),
        Bson::Int64(number) => Some(*number != 0),
        Bson::Double(number) => Some(*number != 0.0),
        Bson::Decimal128(number) => Some(number.to_string() != "0"),
        _ => None,
    }
}

fn is_operator(value: &Bson, name: &str) -> bool {
    matches!(value, Bson::Document(document) if document.contains_key(name))
}

fn is_find_operator(value: &Bson) -> bool {
    is_operator(value, "$slice") || is_operator(value, "$elemMatch")
}
