//! What running a text gave: its tree, the commands it ran, what it printed, and its value or failure.

use std::sync::Arc;

use bson::{Bson, Document};

use super::failure::Failure;
use super::inspect::{Style, inspect};
use super::render::Note;
use super::script::Script;
use super::session::Ran;
use super::tree::Tree;
use crate::value::AnyDocument;

/// What running a text gave.
#[derive(Debug)]
pub struct Outcome {
    /// The text and its tree.
    pub script: Arc<Script>,
    /// The commands it ran, in order; the last ones, where they are too many to keep.
    pub ran: Vec<Ran>,
    /// How many commands ran before those.
    pub unlisted: usize,
    /// The lines it printed.
    pub printed: Vec<String>,
    /// Remarks that stop nothing, such as a collection that does not exist.
    pub notes: Vec<Note>,
    /// The value of the last statement, or what stopped the text.
    pub value: Result<Shown, Failure>,
    /// The exit status with which the text asked to leave the shell; none where it did not.
    pub quit: Option<u8>,
}

/// The value of a text as it can be shown.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// No value.
    Nothing,
    /// A value.
    Value(Tree),
    /// A result document that is shown uncut, as explain is.
    Whole(Tree),
    /// The documents of a cursor that are left; the first `batch` of them are what the shell prints.
    Documents {
        /// The documents.
        documents: Vec<Bson>,
        /// How many to print before `it` is asked for.
        batch: usize,
    },
    /// Something that is shown by a text of its own: a collection, help.
    Text(String),
}

impl Shown {
    /// The value as BSON: a cursor gives its documents as an array, nothing gives null.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        match self {
            Self::Nothing => Bson::Null,
            Self::Value(tree) | Self::Whole(tree) => tree.to_bson(),
            Self::Documents { documents, .. } => Bson::Array(documents.clone()),
            Self::Text(text) => Bson::String(text.clone()),
        }
    }

    /// The value as mongosh prints it; a text without quotes, nothing as the empty text.
    #[must_use]
    pub fn print(&self, colors: bool) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Value(tree) => print_value(tree, colors),
            Self::Whole(tree) => inspect(tree, Style::whole(colors)),
            Self::Text(text) => text.clone(),
            Self::Documents { documents, .. } if documents.is_empty() => String::new(),
            Self::Documents { documents, batch } => {
                let first =
                    Tree::List { class: String::new(), items: documents.iter().take(*batch).map(Tree::from).collect() };
                let more = if documents.len() > *batch { "\nType \"it\" for more" } else { "" };
                inspect(&first, Style::whole(colors)) + more
            }
        }
    }

    pub(super) fn documents(documents: &[AnyDocument]) -> Vec<Bson> {
        let decode = |raw: &AnyDocument| Document::try_from(raw.as_ref()).map_or(Bson::Null, Bson::Document);
        documents.iter().map(decode).collect()
    }
}

/// One value as `print` and the prompt show it.
pub(super) fn print_value(tree: &Tree, colors: bool) -> String {
    match tree {
        Tree::Leaf(Bson::String(text)) => text.clone(),
        tree => inspect(tree, Style::value(colors)),
    }
}
