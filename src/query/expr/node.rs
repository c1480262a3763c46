//! The expression tree, its evaluation and its written form.

use crate::error::Result;
use crate::value::{ArrayBuilder, Bson, DocView, Document, DocumentBuilder, Followed, Path, RawValue, View};

use super::env::{Context, Env, Root, Scope};
use super::forms::Form;
use super::table::Call;
use super::value::Value;

/// An aggregation expression.
#[derive(Debug, Clone)]
pub struct Expression(pub(super) Node);

/// One node of the tree.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// A literal.
    Constant(Bson),
    /// A path through a variable: `$a.b`, `$$this.k`.
    Path(Reference, Path),
    /// `{a: …, b: …}`
    Object(Vec<(String, Node)>),
    /// `[…, …]`
    Array(Vec<Node>),
    /// An operator and its operands.
    Call(Call),
    /// A form that binds variables or chooses between operands.
    Form(Box<Form>),
}

/// The value a path starts from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reference {
    /// The document, written `$a`.
    Current,
    /// The document, written `$$ROOT`.
    Root,
    /// `$$NOW`
    Now,
    /// `$$REMOVE`: no value.
    Remove,
    /// `$$DESCEND`, `$$PRUNE`, `$$KEEP`: the lowercase word.
    Word(&'static str),
    /// A variable bound by `$let`, `$map` … or the command's `let`.
    User(String),
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.to_bson() == other.to_bson()
    }
}

impl Expression {
    /// Parses an expression.
    ///
    /// # Errors
    /// MongoDB's parse errors; their place is relative to `value`.
    pub fn parse(value: &Bson, scope: &Scope) -> Result<Self> {
        super::parse::operand(value, scope).map(Self)
    }

    /// A constant.
    #[must_use]
    pub fn constant(value: Bson) -> Self {
        Self(Node::Constant(value))
    }

    /// Computes the value for a document.
    ///
    /// # Errors
    /// MongoDB's run-time errors.
    pub fn evaluate<'a>(&'a self, env: &Env<'a>) -> Result<Value<'a>> {
        self.0.evaluate(env)
    }

    /// Computes the value for a level inside a document, which paths start from while `$$ROOT` stays the document; the
    /// expression was parsed with the variable `CURRENT` in scope.
    ///
    /// # Errors
    /// MongoDB's run-time errors.
    pub fn evaluate_at(&self, root: Root<'_>, level: DocView<'_>, context: &Context) -> Result<Value<'static>> {
        let env = context.env(root);
        let frame = env.frame("CURRENT", Some(View::Document(level)));
        Ok(self.0.evaluate(&env.inside(&frame))?.into_owned())
    }

    /// The expression as explain shows it: constants as `{$const: …}`.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        self.0.to_bson()
    }

    /// Replaces what does not depend on the document by its value; text is compared by the context's collation.
    ///
    /// # Errors
    /// A constant part that fails, fails here.
    pub fn fold(&mut self, context: &Context) -> Result<()> {
        super::fold::fold(&mut self.0, context)
    }

    /// The value, if the expression is a literal.
    #[must_use]
    pub fn as_constant(&self) -> Option<&Bson> {
        match &self.0 {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// An expression that is nothing but a path into the document.
    #[must_use]
    pub fn path(path: Path) -> Self {
        Self(Node::Path(Reference::Current, path))
    }

    /// The operands of an operator, in order; none of anything else, nor of a form that binds variables.
    #[must_use]
    pub fn operands(&self) -> Vec<Self> {
        match &self.0 {
            Node::Call(call) => call.operands.iter().flatten().cloned().map(Self).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the expression only joins truths: `$and`, `$or`, `$not`.
    #[must_use]
    pub fn joins(&self) -> bool {
        matches!(&self.0, Node::Call(call) if ["$and", "$or", "$not"].contains(&call.name()))
    }

    /// The stored bytes of the value, if the expression is nothing but a path on which no array lies.
    #[must_use]
    pub fn stored<'a>(&self, root: Root<'a>) -> Option<RawValue<'a>> {
        let Node::Path(Reference::Current, path) = &self.0 else { return None };
        let (first, rest) = path.parts().split_first()?;
        let start = root.stored(first)?;
        rest.iter().try_fold(start, |value, part| if value.is_document() { value.member(part) } else { None })
    }

    /// The path, if the expression is nothing but a path, or a document whose only field is one.
    #[must_use]
    pub fn only_path(&self) -> Option<&Path> {
        match &self.0 {
            Node::Object(fields) => match fields.as_slice() {
                [(_, Node::Path(Reference::Current | Reference::Root, path))] => Some(path),
                _ => None,
            },
            _ => self.as_path(),
        }
    }

    /// The path of the document that holds what a path of the value does: where that is copied from a field of the document
    /// itself, by name or within a document that is written out.
    #[must_use]
    pub fn origin(&self, path: &[Box<str>]) -> Option<Path> {
        let (mut node, mut rest) = (&self.0, path);
        while let Node::Object(fields) = node {
            let (first, below) = rest.split_first()?;
            (node, rest) = (&fields.iter().find(|(name, _)| **name == **first)?.1, below);
        }
        match node {
            Node::Path(Reference::Current | Reference::Root, source) if source.parts().len() == 1 => {
                Some(source.join(&Path::from_parts(rest.to_vec())))
            }
            _ => None,
        }
    }

    /// Whether the expression is a document written out, with a field of that name.
    #[must_use]
    pub fn has_field(&self, name: &str) -> bool {
        matches!(&self.0, Node::Object(fields) if fields.iter().any(|(known, _)| known == name))
    }

    /// The path, if the expression is nothing but a path into the document; the empty path is `$$ROOT`.
    #[must_use]
    pub fn as_path(&self) -> Option<&Path> {
        match &self.0 {
            Node::Path(Reference::Current | Reference::Root, path) => Some(path),
            _ => None,
        }
    }
}

impl Node {
    /// Computes the value; an error learns the place it came from on its way out.
    pub(super) fn evaluate<'a>(&'a self, env: &Env<'a>) -> Result<Value<'a>> {
        match self {
            Self::Constant(value) => Ok(Value::View(value.into())),
            Self::Path(Reference::Current, path) => Ok(document_path(env, path)),
            Self::Path(reference, path) => Ok(reference_path(env, reference, path)),
            Self::Object(fields) => paid(object(fields, env)?, env),
            Self::Array(items) => paid(array(items, env)?, env),
            Self::Call(call) => {
                let value = (call.operator.run)(call, env).and_then(|value| paid(value, env));
                value.map_err(|error| error.inside_field(call.operator.name))
            }
            Self::Form(form) => {
                let value = form.evaluate(env).and_then(|value| paid(value, env));
                value.map_err(|error| error.inside_field(form.name()))
            }
        }
    }

    pub(super) fn to_bson(&self) -> Bson {
        match self {
            Self::Constant(value) => constant(value.clone()),
            Self::Path(reference, path) => Bson::String(reference.written(path)),
            Self::Object(fields) => {
                Bson::Document(fields.iter().map(|(name, node)| (name.clone(), node.to_bson())).collect())
            }
            Self::Array(items) => Bson::Array(items.iter().map(Self::to_bson).collect()),
            Self::Call(call) => call.to_bson(),
            Self::Form(form) => form.to_bson(),
        }
    }
}

/// A literal as explain shows it.
pub(super) fn constant(value: Bson) -> Bson {
    Bson::Document(Document::from_iter([("$const".to_owned(), value)]))
}

impl Reference {
    fn written(&self, path: &Path) -> String {
        let name = match self {
            Self::Current if !path.is_empty() => return format!("${path}"),
            Self::Current | Self::Root => "ROOT",
            Self::Now => "NOW",
            Self::Remove => "REMOVE",
            Self::Word(word) => return format!("$${}", word.to_uppercase()),
            Self::User(name) => name,
        };
        if path.is_empty() { format!("$${name}") } else { format!("$${name}.{path}") }
    }
}

fn document_path<'a>(env: &Env<'a>, path: &'a Path) -> Value<'a> {
    let Some((first, rest)) = path.parts().split_first() else {
        return Value::View(View::Document(env.root.document()));
    };
    match env.root {
        Root::Document(DocView::Owned(document)) => follow(DocView::Owned(document).get(first), rest),
        root => follow(root.stored(first), rest),
    }
}

fn reference_path<'a>(env: &Env<'a>, reference: &'a Reference, path: &'a Path) -> Value<'a> {
    match reference {
        Reference::Current | Reference::Root => document_path(env, path),
        Reference::Now => follow(Some(View::DateTime(env.context.now())), path.parts()),
        Reference::Remove => Value::Missing,
        Reference::Word(word) => follow(Some(View::String(word)), path.parts()),
        Reference::User(name) => follow(env.variable(name), path.parts()),
    }
}

/// Follows a path: through a document to its field, through an array to an array of what its documents hold
/// (server: `ExpressionFieldPath::evaluatePath`). Numbers are names here, not positions.
pub(super) fn follow<'a, V: Followed<'a>>(start: Option<V>, parts: &[Box<str>]) -> Value<'a> {
    let mut value = start;
    for (at, part) in parts.iter().enumerate() {
        value = match value {
            Some(document) if document.is_document() => document.member(part),
            Some(other) => return follow_array(other, &parts[at..]),
            None => return Value::Missing,
        };
    }
    value.and_then(Followed::view).into()
}

/// What the documents of an array hold; nothing of what is no array.
fn follow_array<'a, 'v, V: Followed<'v>>(array: V, parts: &[Box<str>]) -> Value<'a> {
    let Some(items) = array.elements() else { return Value::Missing };
    let mut found = ArrayBuilder::new();
    for item in items.filter(|item| item.is_document()) {
        if let Some(value) = follow(Some(item), parts).view() {
            found.push(value);
        }
    }
    Value::Packed(found.finish())
}

fn object<'a>(fields: &'a [(String, Node)], env: &Env<'a>) -> Result<Value<'a>> {
    let mut document = DocumentBuilder::packed();
    for (name, node) in fields {
        let value = node.evaluate(env).map_err(|error| error.inside_field(name))?;
        if let Some(value) = value.view() {
            document.append(name, value);
        }
    }
    Ok(Value::Packed(document.finish_packed()))
}

/// A value that was built costs its size.
fn paid<'a>(value: Value<'a>, env: &Env<'_>) -> Result<Value<'a>> {
    if let Value::Packed(packed) = &value {
        env.context.allowance().spend_bytes(packed.size())?;
    }
    Ok(value)
}

/// A missing element becomes `null`.
fn array<'a>(items: &'a [Node], env: &Env<'a>) -> Result<Value<'a>> {
    let mut array = ArrayBuilder::new();
    for (at, node) in items.iter().enumerate() {
        let value = node.evaluate(env).map_err(|error| error.inside_index(at))?;
        array.push(value.or_null());
    }
    Ok(Value::Packed(array.finish()))
}

/// Follows a dotted path from a document as an expression does.
#[must_use]
pub fn path_value<'a>(document: DocView<'a>, path: &Path) -> Value<'a> {
    follow(Some(View::Document(document)), path.parts())
}
