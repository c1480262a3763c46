//! The tree of a text: statements, calls, object and array literals, keys and values, with byte spans and repeated keys.

use std::ops::Range;

/// A place in the text, in bytes.
pub type Span = Range<usize>;

/// A node's number within its [`Script`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

/// A text and its tree.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Script {
    pub(super) text: String,
    pub(super) nodes: Vec<Node>,
    pub(super) statements: Vec<NodeId>,
    pub(super) whole: bool,
    /// `await` expressions outside of functions.
    pub(super) awaits: Vec<Span>,
    /// Products and powers, which make whole numbers longer by leaps.
    pub(super) products: Vec<Span>,
}

/// One node.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub syntax: Syntax,
}

/// What a node is; whatever needs no name of its own is [`Syntax::Other`] with its parts.
#[derive(Debug, Clone, PartialEq)]
pub enum Syntax {
    /// An object literal, its entries as typed: a key written twice is there twice.
    Object(Vec<Entry>),
    /// An array literal.
    Array(Vec<NodeId>),
    /// A call or a `new`.
    Call {
        /// What is called.
        callee: NodeId,
        /// The arguments.
        arguments: Vec<NodeId>,
        /// The arguments with their parentheses.
        parentheses: Span,
    },
    /// `object.name` or `object["name"]`.
    Member {
        /// What the name is looked up in.
        object: NodeId,
        /// The name.
        name: String,
        /// Where the name stands.
        name_span: Span,
    },
    /// A plain name.
    Name(String),
    /// A string literal, decoded.
    Text(String),
    /// A number as typed.
    Number,
    /// A regular expression as typed.
    Regex,
    /// A declaration of a name with its value.
    Declaration {
        /// The name.
        name: String,
        /// Its value.
        value: NodeId,
    },
    /// A destructuring pattern, and whatever else has parts only.
    Other(Vec<NodeId>),
}

/// One entry of an object literal.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key; none where it is computed or the entry is a spread.
    pub key: Option<String>,
    /// Where the key stands.
    pub key_span: Span,
    /// The value; none for a method.
    pub value: Option<NodeId>,
}

impl Script {
    /// A text without a tree.
    pub(super) fn bare(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the whole text could be read as JavaScript; a broken text still has a tree.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// The statements in order.
    #[must_use]
    pub fn statements(&self) -> &[NodeId] {
        &self.statements
    }

    /// One node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// All nodes, outer before inner, in the order of the text.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        (0..).map(NodeId).zip(&self.nodes)
    }

    /// The text of a node.
    #[must_use]
    pub fn source(&self, id: NodeId) -> &str {
        &self.text[self.node(id).span.clone()]
    }

    /// Keys written more than once in one object literal: the literal, the key, and each place it was written.
    pub fn repeated_keys(&self) -> impl Iterator<Item = (NodeId, &str, Vec<Span>)> {
        self.nodes().flat_map(|(id, node)| {
            let entries: &[Entry] = if let Syntax::Object(entries) = &node.syntax { entries } else { &[] };
            repeated(entries).map(move |(key, spans)| (id, key, spans))
        })
    }

    /// The innermost call around a byte that calls a method of this name, or else the innermost of all. The engine
    /// places a running call somewhere between its name and its last argument.
    #[must_use]
    pub fn call_at(&self, byte: usize, method: &str) -> Option<NodeId> {
        let around = |node: &Node| node.span.start <= byte && byte <= node.span.end;
        let statement = self.statement_at(byte)?;
        let calls = self.inside(statement).filter_map(|(id, node)| match &node.syntax {
            Syntax::Call { callee, .. } if around(node) => Some((!self.is_named(*callee, method), node.span.len(), id)),
            _ => None,
        });
        calls.min().map(|(_, _, id)| id)
    }

    fn is_named(&self, callee: NodeId, wanted: &str) -> bool {
        matches!(&self.node(callee).syntax, Syntax::Member { name, .. } | Syntax::Name(name) if name == wanted)
    }

    /// The statement a byte belongs to, or the last one before it.
    #[must_use]
    pub fn statement_at(&self, byte: usize) -> Option<NodeId> {
        let next = self.statements.partition_point(|id| self.node(*id).span.start <= byte);
        self.statements[..next].last().copied()
    }

    /// The nodes of a statement: they follow it in the list up to the next statement.
    fn inside(&self, statement: NodeId) -> impl Iterator<Item = (NodeId, &Node)> {
        let next = self.statements.partition_point(|id| *id <= statement);
        let end = self.statements.get(next).map_or(self.nodes.len(), |id| id.0 as usize);
        (statement.0..).map(NodeId).zip(&self.nodes[statement.0 as usize..end])
    }
}

fn repeated(entries: &[Entry]) -> impl Iterator<Item = (&str, Vec<Span>)> {
    let same = |key: &str| -> Vec<Span> {
        entries.iter().filter(|entry| entry.key.as_deref() == Some(key)).map(|entry| entry.key_span.clone()).collect()
    };
    entries.iter().filter_map(move |entry| {
        let key = entry.key.as_deref()?;
        let spans = same(key);
        (spans.len() > 1 && spans[0] == entry.key_span).then_some((key, spans))
    })
}
