//! Text literals that a filter asks for at a path, and the filter with others in their place.

use crate::value::{Bson, Document};

/// The texts that a filter compares the path with by equality (also inside `$elemMatch`, `$and` and `$or`), each once.
#[must_use]
pub fn literals(filter: &Document, path: &str) -> Vec<String> {
    let mut found = Vec::new();
    visit(filter, "", &mut |here, value| {
        if here == path
            && let Some(text) = equal_text(value)
            && !found.contains(&text)
        {
            found.push(text);
        }
    });
    found
}

fn equal_text(value: &Bson) -> Option<String> {
    let asked =
        value.as_document().filter(|asked| asked.len() == 1).and_then(|asked| asked.get("$eq")).unwrap_or(value);
    asked.as_str().map(str::to_owned)
}

fn visit(filter: &Document, above: &str, see: &mut impl FnMut(&str, &Bson)) {
    for (name, value) in filter {
        let path = joined(above, name);
        match (name.as_str(), value) {
            ("$and" | "$or" | "$all", Bson::Array(parts)) => {
                parts.iter().filter_map(Bson::as_document).for_each(|part| visit(part, above, see));
            }
            ("$elemMatch", Bson::Document(inner)) => visit(inner, above, see),
            (_, Bson::Document(inner)) if !name.starts_with('$') && holds_elements(inner) => visit(inner, &path, see),
            _ if !name.starts_with('$') => see(&path, value),
            _ => {}
        }
    }
}

fn holds_elements(inner: &Document) -> bool {
    inner.contains_key("$elemMatch") || inner.contains_key("$all")
}

fn joined(above: &str, name: &str) -> String {
    match (above.is_empty(), name.starts_with('$')) {
        (_, true) => above.to_owned(),
        (true, false) => name.to_owned(),
        (false, false) => format!("{above}.{name}"),
    }
}

/// The filter with an equality to a text at a path replaced by something else.
#[must_use]
pub fn rewritten(filter: &Document, path: &str, above: &str, text: &str, with: &Bson) -> Document {
    let replace = |(name, value): (&String, &Bson)| {
        let here = joined(above, name);
        let hit = !name.starts_with('$') && here == path && equal_text(value).as_deref() == Some(text);
        (name.clone(), if hit { with.clone() } else { below(value, path, &here, text, with) })
    };
    filter.iter().map(replace).collect()
}

fn below(value: &Bson, path: &str, here: &str, text: &str, with: &Bson) -> Bson {
    match value {
        Bson::Document(inner) => Bson::Document(rewritten(inner, path, here, text, with)),
        Bson::Array(parts) => Bson::Array(parts.iter().map(|part| below(part, path, here, text, with)).collect()),
        other => other.clone(),
    }
}
