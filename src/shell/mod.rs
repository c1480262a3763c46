//! The learner's text: its tree, its evaluation, printing, completion, and what to say when it is wrong.
//!
//! A text is read by tree-sitter into a [`Script`], its literals are tagged with their place, and `QuickJS` runs it against
//! any [`Host`](crate::engine::Host). What comes back is an [`Outcome`]: every command with its result and the bytes each
//! of its parts was typed at, the lines printed, and the value or the failure.

mod about;
mod api;
mod complete;
mod dropped;
mod edit;
mod elsewhere;
mod evaluate;
mod failure;
mod format;
mod give;
mod help;
mod highlight;
mod hints;
mod inspect;
mod killed;
mod lex;
mod limits;
mod listed;
mod misuse;
mod names;
mod operators;
mod outcome;
mod parse;
mod places;
mod positions;
mod read;
mod render;
mod script;
mod session;
mod shapes;
mod slips;
mod statement;
mod tools;
mod tree;
mod unmet;

pub use about::{About, Role, about, all_about};
pub use complete::{Completion, Offer, Vocabulary, complete};
pub use evaluate::Shell;
pub use failure::{Failure, FailureKind, position};
pub use format::format;
pub use highlight::{Highlighted, Meaning, Meanings, highlight};
pub use inspect::{Style, inspect};
pub use lex::is_open;
pub use limits::{Brake, Limit, Limits, processor_time};
pub use names::nearest;
pub use operators::operators;
pub use outcome::{Outcome, Shown};
pub use parse::parse;
pub use places::Places;
pub use render::Note;
pub use script::{Entry, Node, NodeId, Script, Span, Syntax};
pub use session::Ran;
pub use statement::{literal, operation_literal, to_statement};
pub use tree::Tree;
