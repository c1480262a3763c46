//! Filters, projections, sort keys and collations, through the public interface of `query`.

mod elements;
pub mod naive;
mod parse;
mod project;
mod random;
mod sort;
mod why;
mod witness;

use pegboard::value::{Bson, Document, from_json};

/// A document from Extended JSON in JavaScript's lazy spelling of names.
pub fn document(text: &str) -> Document {
    match json(text) {
        Bson::Document(document) => document,
        other => panic!("{other} is no document"),
    }
}

/// A value from Extended JSON; names need no quotes and texts may stand in single ones.
pub fn json(text: &str) -> Bson {
    let mut quoted = String::new();
    let mut letters = text.chars().peekable();
    let mut inside = false;
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => {
                inside = !inside;
                quoted.push('"');
            }
            _ if inside => quoted.push(letter),
            '$' | '_' | 'a'..='z' | 'A'..='Z' => {
                let mut word = String::from(letter);
                while let Some(next) = letters.next_if(|next| next.is_alphanumeric() || "$_.".contains(*next)) {
                    word.push(next);
                }
                let is_name = letters.clone().find(|next| !next.is_whitespace()) == Some(':');
                if is_name {
                    word = format!("\"{word}\"");
                }
                quoted.push_str(&word);
            }
            _ => quoted.push(letter),
        }
    }
    let value = serde_json::from_str(&quoted).unwrap_or_else(|error| panic!("{quoted}: {error}"));
    from_json(&value).unwrap_or_else(|error| panic!("{quoted}: {error}"))
}
