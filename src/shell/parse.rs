//! From text to [`Script`] with tree-sitter; the parser's own types stay in here.

use std::ops::ControlFlow;

use tree_sitter::{Node as Syn, ParseOptions, ParseState, Parser, Tree};

use super::script::{Entry, Node, NodeId, Script, Syntax};

/// Deeper nesting than this is kept as one unread node: no real statement is deeper, and a pasted one must not exhaust the stack.
const DEEPEST: usize = 300;

/// Reads a text; a broken one gives a tree as far as it can be read.
#[must_use]
pub fn parse(text: &str) -> Script {
    read(text, text, &mut || false)
}

/// Reads `masked`, a text of the same length in which what JavaScript does not know (`use shop`) is made a name.
///
/// It asks from time to time whether to stop; a text stopped halfway is empty.
pub(super) fn read(text: &str, masked: &str, stop: &mut dyn FnMut() -> bool) -> Script {
    let mut script = Script::bare(text);
    let mut parser = Parser::new();
    if parser.set_language(&tree_sitter_javascript::LANGUAGE.into()).is_err() {
        return script;
    }
    let Some(tree) = syntax(&mut parser, masked, stop) else { return script };
    let root = tree.root_node();
    script.whole = !root.has_error();
    let mut reader = Reader { text: masked, script: &mut script, functions: 0 };
    for (at, child) in named(root).into_iter().enumerate() {
        if at % 1024 == 1023 && stop() {
            break;
        }
        if !matches!(child.kind(), "comment" | "hash_bang_line" | "empty_statement") {
            let id = reader.node(child, 0);
            reader.script.statements.push(id);
        }
    }
    script
}

fn syntax(parser: &mut Parser, text: &str, stop: &mut dyn FnMut() -> bool) -> Option<Tree> {
    let mut ask = |_: &ParseState| if stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let options = ParseOptions::new().progress_callback(&mut ask);
    parser.parse_with_options(&mut |at, _| &text.as_bytes()[at.min(text.len())..], None, Some(options))
}

struct Reader<'a> {
    text: &'a str,
    script: &'a mut Script,
    /// How many functions are open around the node being read.
    functions: usize,
}

fn named(node: Syn<'_>) -> Vec<Syn<'_>> {
    node.named_children(&mut node.walk()).collect()
}

impl Reader<'_> {
    fn source(&self, node: Syn<'_>) -> &str {
        &self.text[node.byte_range()]
    }

    /// Reads a node; parents come before their parts in the list.
    fn node(&mut self, node: Syn<'_>, depth: usize) -> NodeId {
        let id = NodeId(u32::try_from(self.script.nodes.len()).unwrap_or(u32::MAX));
        self.script.nodes.push(Node { span: node.byte_range(), syntax: Syntax::Other(Vec::new()) });
        if node.kind() == "await_expression" && self.functions == 0 {
            self.script.awaits.push(node.byte_range());
        }
        if self.functions == 0 && self.is_called_await(node) {
            self.script.awaits.push(node.start_byte()..chain_end(node));
        }
        if matches!(node.kind(), "binary_expression" | "augmented_assignment_expression") && self.multiplies(node) {
            self.script.products.push(node.byte_range());
        }
        if depth < DEEPEST {
            let function = usize::from(node.kind().contains("function") || node.kind() == "method_definition");
            self.functions += function;
            let syntax = self.syntax(node, depth + 1);
            self.functions -= function;
            self.script.nodes[id.0 as usize].syntax = syntax;
        }
        id
    }

    /// Outside of functions `await (…)` reads like a call of a function of that name.
    fn is_called_await(&self, node: Syn<'_>) -> bool {
        let called = match node.kind() {
            "call_expression" => node.child_by_field_name("function"),
            "subscript_expression" => node.child_by_field_name("object"),
            _ => None,
        };
        called.is_some_and(|called| called.kind() == "identifier" && self.source(called) == "await")
    }

    fn multiplies(&self, node: Syn<'_>) -> bool {
        let operator = node.child_by_field_name("operator").map(|operator| self.source(operator));
        matches!(operator, Some("*" | "**" | "<<" | "*=" | "**=" | "<<="))
    }

    fn parts(&mut self, node: Syn<'_>, depth: usize) -> Vec<NodeId> {
        let children = named(node);
        children.into_iter().filter(|child| child.kind() != "comment").map(|child| self.node(child, depth)).collect()
    }

    fn field(&mut self, node: Syn<'_>, name: &str, depth: usize) -> Option<NodeId> {
        node.child_by_field_name(name).map(|child| self.node(child, depth))
    }

    fn syntax(&mut self, node: Syn<'_>, depth: usize) -> Syntax {
        match node.kind() {
            "object" => Syntax::Object(self.entries(node, depth)),
            "array" => Syntax::Array(self.parts(node, depth)),
            "call_expression" | "new_expression" => self.call(node, depth),
            "member_expression" | "subscript_expression" => self.member(node, depth),
            "identifier" => Syntax::Name(self.source(node).to_owned()),
            "string" => Syntax::Text(decode(self.source(node))),
            "number" => Syntax::Number,
            "regex" => Syntax::Regex,
            "variable_declarator" => self.declaration(node, depth),
            "assignment_expression" => Syntax::Other(self.assignment(node, depth)),
            _ => Syntax::Other(self.parts(node, depth)),
        }
    }

    fn call(&mut self, node: Syn<'_>, depth: usize) -> Syntax {
        let callee = self.field(node, "function", depth).or_else(|| self.field(node, "constructor", depth));
        let given = node.child_by_field_name("arguments").filter(|given| given.kind() == "arguments");
        match (callee, given) {
            (Some(callee), Some(given)) => {
                Syntax::Call { callee, arguments: self.parts(given, depth), parentheses: given.byte_range() }
            }
            (callee, given) => {
                let mut parts: Vec<NodeId> = callee.into_iter().collect();
                parts.extend(given.map(|given| self.node(given, depth)));
                Syntax::Other(parts)
            }
        }
    }

    fn member(&mut self, node: Syn<'_>, depth: usize) -> Syntax {
        let Some(object) = self.field(node, "object", depth) else { return Syntax::Other(Vec::new()) };
        if let Some(name) = node.child_by_field_name("property") {
            return Syntax::Member { object, name: self.source(name).to_owned(), name_span: name.byte_range() };
        }
        match node.child_by_field_name("index") {
            Some(index) if index.kind() == "string" => {
                Syntax::Member { object, name: decode(self.source(index)), name_span: index.byte_range() }
            }
            Some(index) => {
                let index = self.node(index, depth);
                Syntax::Other(vec![object, index])
            }
            None => Syntax::Other(vec![object]),
        }
    }

    fn declaration(&mut self, node: Syn<'_>, depth: usize) -> Syntax {
        let name = node.child_by_field_name("name").filter(|name| name.kind() == "identifier");
        let name = name.map(|name| self.source(name).to_owned());
        match (name, self.field(node, "value", depth)) {
            (Some(name), Some(value)) => Syntax::Declaration { name, value },
            (_, value) => Syntax::Other(value.into_iter().collect()),
        }
    }

    /// The left side may be a pattern that only looks like a literal, so it is not read.
    fn assignment(&mut self, node: Syn<'_>, depth: usize) -> Vec<NodeId> {
        let literal = |child: Syn<'_>| matches!(child.kind(), "object" | "array" | "object_pattern" | "array_pattern");
        let left = node.child_by_field_name("left").filter(|left| !literal(*left));
        let mut parts: Vec<NodeId> = left.map(|left| self.node(left, depth)).into_iter().collect();
        parts.extend(self.field(node, "right", depth));
        parts
    }

    fn entries(&mut self, node: Syn<'_>, depth: usize) -> Vec<Entry> {
        let children = named(node);
        children.into_iter().filter(|child| child.kind() != "comment").map(|child| self.entry(child, depth)).collect()
    }

    fn entry(&mut self, node: Syn<'_>, depth: usize) -> Entry {
        match node.kind() {
            "pair" => {
                let key = node.child_by_field_name("key");
                let name = key.and_then(|key| self.key(key));
                let key_span = key.map_or(node.byte_range(), |key| key.byte_range());
                if let Some(key) = key.filter(|key| key.kind() == "computed_property_name") {
                    self.node(key, depth);
                }
                Entry { key: name, key_span, value: self.field(node, "value", depth) }
            }
            "shorthand_property_identifier" => {
                let name = self.source(node).to_owned();
                let value = self.node(node, depth);
                self.script.nodes[value.0 as usize].syntax = Syntax::Name(name.clone());
                Entry { key: Some(name), key_span: node.byte_range(), value: Some(value) }
            }
            "method_definition" => {
                let name = node.child_by_field_name("name").and_then(|name| self.key(name));
                self.parts(node, depth);
                Entry { key: name, key_span: node.byte_range(), value: None }
            }
            _ => Entry { key: None, key_span: node.byte_range(), value: Some(self.node(node, depth)) },
        }
    }

    fn key(&self, node: Syn<'_>) -> Option<String> {
        match node.kind() {
            "string" => Some(decode(self.source(node))),
            "computed_property_name" => {
                let inner = node.named_child(0).filter(|inner| inner.kind() == "string")?;
                Some(decode(self.source(inner)))
            }
            _ => Some(self.source(node).to_owned()),
        }
    }
}

/// The end of the chain of calls and members that begins with a node: `await` takes it all.
fn chain_end(node: Syn<'_>) -> usize {
    let goes_on = |parent: &Syn<'_>, part: Syn<'_>| {
        let first = parent.child_by_field_name("function").or_else(|| parent.child_by_field_name("object"));
        first.is_some_and(|first| first.id() == part.id())
    };
    let mut end = node;
    while let Some(parent) = end.parent().filter(|parent| goes_on(parent, end)) {
        end = parent;
    }
    end.end_byte()
}

/// The text that a string literal stands for.
pub(super) fn decode(literal: &str) -> String {
    let inner = literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default();
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(letter) = rest.next() {
        if letter == '\\' { escape(&mut rest, &mut out) } else { out.push(letter) }
    }
    out
}

fn escape(rest: &mut std::str::Chars<'_>, out: &mut String) {
    match rest.next() {
        Some('n') => out.push('\n'),
        Some('t') => out.push('\t'),
        Some('r') => out.push('\r'),
        Some('b') => out.push('\u{8}'),
        Some('f') => out.push('\u{c}'),
        Some('v') => out.push('\u{b}'),
        Some('0') => out.push('\0'),
        Some('\n') | None => {}
        Some('x') => out.extend(hex(rest, 2)),
        Some('u') if rest.as_str().starts_with('{') => {
            let digits: String = rest.by_ref().skip(1).take_while(|letter| *letter != '}').collect();
            out.extend(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32));
        }
        Some('u') => out.extend(hex(rest, 4)),
        Some(other) => out.push(other),
    }
}

fn hex(rest: &mut std::str::Chars<'_>, digits: usize) -> Option<char> {
    let digits: String = rest.by_ref().take(digits).collect();
    u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32)
}
