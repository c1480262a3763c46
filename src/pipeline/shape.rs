//! The tree behind `$project`, `$addFields` and `$unset`: which fields stay, go, or are computed
//! (`src/mongo/db/exec/projection_executor*`, `src/mongo/db/query/projection_parser.cpp`).

use crate::error::{CommandError, Result};
use crate::query::expr::{Context, Env, Expression, Reads, Root, Scope, show_stored};
use crate::value::{ArrayBuilder, Bson, DocView, Document, DocumentBuilder, Packed, Path, View, field_path};

/// What happens to a field that is not named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// It goes.
    Include,
    /// It stays.
    Exclude,
    /// It stays, and named ones are computed.
    Add,
}

/// A projection.
#[derive(Debug, Clone)]
pub struct Shape {
    pub policy: Policy,
    root: Branch,
}

#[derive(Debug, Clone, Default)]
struct Branch {
    fields: Vec<(String, Entry)>,
}

#[derive(Debug, Clone)]
enum Entry {
    Keep,
    Drop,
    Nested(Branch),
    Compute(Expression),
}

impl Shape {
    /// Parses `$project`.
    ///
    /// # Errors
    /// Mixed inclusion and exclusion, path collisions, empty documents, expressions that do not parse.
    pub fn project(document: &Document, scope: &Scope) -> Result<Self> {
        if document.is_empty() {
            return Err(CommandError::new(51272, "projection specification must have at least one field"));
        }
        let mut reader = ReadProject { scope, policy: None, root: Branch::default(), id: None };
        reader.document(document, &Path::default())?;
        let policy = match (reader.policy, &reader.id) {
            (Some(policy), _) => policy,
            (None, Some(Entry::Drop)) => Policy::Exclude,
            _ => Policy::Include,
        };
        let mut root = reader.root;
        match reader.id {
            // An inclusion keeps _id unless it says otherwise, an exclusion drops it only if told to.
            None if policy == Policy::Include => root.fields.insert(0, ("_id".into(), Entry::Keep)),
            Some(entry @ Entry::Compute(_)) => root.fields.push(("_id".into(), entry)),
            Some(Entry::Keep) if policy == Policy::Exclude => {}
            Some(entry) => root.fields.insert(0, ("_id".into(), entry)),
            None => {}
        }
        Ok(Self { policy, root })
    }

    /// Parses `$addFields`.
    ///
    /// # Errors
    /// Path collisions, empty documents, expressions that do not parse.
    pub fn add_fields(document: &Document, scope: &Scope) -> Result<Self> {
        super::added::check(document)?;
        let mut root = Branch::default();
        for (name, value) in document {
            add_field(&mut root, &Path::default(), name, value, scope).map_err(|error| error.inside_field(name))?;
        }
        Ok(Self { policy: Policy::Add, root })
    }

    /// Parses the paths of `$unset`.
    ///
    /// # Errors
    /// Path collisions and paths that are none.
    pub fn unset(paths: &[String]) -> Result<Self> {
        let mut root = Branch::default();
        for text in paths {
            root.place(&field_path(text)?, Entry::Drop)?;
        }
        Ok(Self { policy: Policy::Exclude, root })
    }

    /// The document that comes out.
    ///
    /// # Errors
    /// Run-time errors of expressions.
    pub fn apply(&self, root: Root<'_>, context: &Context) -> Result<DocumentBuilder> {
        let env = context.env(root);
        let mut out = DocumentBuilder::new();
        self.root.write(&mut out, root.document(), self.policy, &env)?;
        Ok(out)
    }

    /// The shape as explain shows it.
    #[must_use]
    pub fn to_document(&self) -> Document {
        let mut shown = self.root.to_document();
        // _id stands first unless it is dropped from an inclusion.
        if self.policy == Policy::Include && matches!(self.root.get("_id"), Some(Entry::Drop)) {
            let id = shown.remove("_id");
            shown.extend(id.map(|id| ("_id".to_owned(), id)));
        }
        // An exclusion says that it keeps _id (`ExclusionProjectionExecutor::serializeTransformation`).
        if self.policy == Policy::Exclude && self.root.get("_id").is_none() {
            shown.insert("_id", true);
        }
        shown
    }

    /// Folds constants.
    ///
    /// # Errors
    /// Constant parts that fail.
    pub fn fold(&mut self, context: &Context) -> Result<()> {
        self.root.fold(context)
    }

    /// Adds what the expressions and kept paths read.
    pub fn reads(&self, reads: &mut Reads) {
        self.root.reads(&Path::default(), reads);
    }

    /// Whether a path below which nothing is computed or dropped passes through under its own name.
    #[must_use]
    pub fn passes(&self, path: &Path) -> bool {
        let mut branch = &self.root;
        for part in path.parts() {
            match branch.get(part) {
                None => return self.policy != Policy::Include,
                Some(Entry::Keep) => return true,
                Some(Entry::Nested(inner)) => branch = inner,
                Some(Entry::Drop | Entry::Compute(_)) => return false,
            }
        }
        false
    }

    /// The path a top-level computed field is copied from, where it is nothing but a copy.
    #[must_use]
    pub fn renamed_from(&self, name: &str) -> Option<&Path> {
        self.copy(name).filter(|path| path.parts().len() == 1)
    }

    fn copy(&self, name: &str) -> Option<&Path> {
        match self.root.get(name) {
            Some(Entry::Compute(expression)) => expression.as_path(),
            _ => None,
        }
    }

    /// The path that held the same before: of a field that passes through, or of one that is copied from a field of the
    /// document itself. What is copied from deeper down may have been gathered from the elements of arrays.
    #[must_use]
    pub fn origin(&self, path: &Path) -> Option<Path> {
        if self.passes(path) {
            return Some(path.clone());
        }
        self.copied_from(path).filter(|_| self.renamed_from(&path.parts()[0]).is_some())
    }

    /// The path that a copied field, or something in it, is read from.
    #[must_use]
    pub fn copied_from(&self, path: &Path) -> Option<Path> {
        let (first, rest) = path.parts().split_first()?;
        Some(self.copy(first)?.join(&Path::from_parts(rest.to_vec())))
    }

    /// Whether nothing is computed.
    #[must_use]
    pub fn is_simple(&self) -> bool {
        !self.root.computes()
    }
}

struct ReadProject<'s> {
    scope: &'s Scope,
    policy: Option<Policy>,
    root: Branch,
    id: Option<Entry>,
}

impl ReadProject<'_> {
    fn document(&mut self, document: &Document, prefix: &Path) -> Result<()> {
        for (name, value) in document {
            self.field(name, value, prefix).map_err(|error| error.inside_field(name))?;
        }
        Ok(())
    }

    fn field(&mut self, name: &str, value: &Bson, prefix: &Path) -> Result<()> {
        if name.ends_with(".$") || name == "$" || name.contains(".$.") {
            return Err(CommandError::new(31324, "Cannot use positional projection in aggregation projection"));
        }
        let path = prefix.join(&field_path(name)?);
        let is_id = prefix.is_empty() && name == "_id";
        let entry = match value {
            Bson::Document(inner) if inner.is_empty() => {
                return Err(CommandError::new(
                    51270,
                    format!("An empty sub-projection is not a valid value. Found empty object at path {path}"),
                ));
            }
            Bson::Document(inner) if !inner.keys().next().is_some_and(|name| name.starts_with('$')) => {
                return self.document(inner, &path);
            }
            Bson::Boolean(_) | Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_) => {
                if crate::value::is_true(value.into()) {
                    Entry::Keep
                } else {
                    Entry::Drop
                }
            }
            Bson::Document(inner) => {
                let name = inner.keys().next().map_or("", String::as_str);
                if !crate::query::expr::is_operator(name) {
                    return Err(CommandError::new(31325, format!("Unknown expression {name}")).inside_field(name));
                }
                Entry::Compute(Expression::parse(value, self.scope)?)
            }
            other => Entry::Compute(Expression::parse(other, self.scope)?),
        };
        if is_id {
            if self.id.is_some() {
                return Err(collision(&path, None));
            }
            if let (Entry::Compute(_), Some(Policy::Exclude)) = (&entry, self.policy) {
                return Err(computed_in_exclusion(value));
            }
            if matches!(entry, Entry::Compute(_)) {
                self.policy.get_or_insert(Policy::Include);
            }
            self.id = Some(entry);
            return Ok(());
        }
        self.settle(&entry, &path, value)?;
        self.root.place(&path, entry)
    }

    /// The first field decides between inclusion and exclusion.
    fn settle(&mut self, entry: &Entry, path: &Path, value: &Bson) -> Result<()> {
        let wanted = if matches!(entry, Entry::Drop) { Policy::Exclude } else { Policy::Include };
        match *self.policy.get_or_insert(wanted) {
            decided if decided == wanted => Ok(()),
            Policy::Include => {
                Err(CommandError::new(31254, format!("Cannot do exclusion on field {path} in inclusion projection")))
            }
            _ if matches!(entry, Entry::Compute(_)) => Err(computed_in_exclusion(value)),
            _ => Err(CommandError::new(31253, format!("Cannot do inclusion on field {path} in exclusion projection"))),
        }
    }
}

fn computed_in_exclusion(value: &Bson) -> CommandError {
    let shown = match value {
        Bson::Document(document) => show_stored(document),
        other => crate::query::expr::show_stored_value(other.into()),
    };
    CommandError::new(31252, format!("Cannot use expression other than $meta in exclusion projection: {shown}"))
}

fn collision(path: &Path, rest: Option<&str>) -> CommandError {
    match rest {
        None => CommandError::new(31250, format!("Path collision at {path}")),
        Some(rest) => CommandError::new(31249, format!("Path collision at {path} remaining portion {rest}")),
    }
}

fn add_field(root: &mut Branch, prefix: &Path, name: &str, value: &Bson, scope: &Scope) -> Result<()> {
    let path = prefix.join(&field_path(name)?);
    match value {
        Bson::Document(inner) if inner.is_empty() => {
            root.place(&path, Entry::Compute(Expression::constant(value.clone())))
        }
        Bson::Document(inner) if !inner.keys().next().is_some_and(|name| name.starts_with('$')) => {
            for (name, value) in inner {
                add_field(root, &path, name, value, scope).map_err(|error| error.inside_field(name))?;
            }
            Ok(())
        }
        other => root.place(&path, Entry::Compute(Expression::parse(other, scope)?)),
    }
}

impl Branch {
    fn get(&self, name: &str) -> Option<&Entry> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, entry)| entry)
    }

    fn place(&mut self, path: &Path, entry: Entry) -> Result<()> {
        let (last, before) = path.parts().split_last().expect("a field path has a part");
        let mut branch = self;
        for (at, part) in before.iter().enumerate() {
            let known = branch.fields.iter().position(|(known, _)| **known == **part);
            let position = known.unwrap_or(branch.fields.len());
            if known.is_none() {
                branch.fields.push((part.to_string(), Entry::Nested(Branch::default())));
            }
            match &mut branch.fields[position].1 {
                Entry::Nested(inner) => branch = inner,
                _ => return Err(collision(path, Some(&path.parts()[at + 1..].join(".")))),
            }
        }
        if branch.get(last).is_some() {
            return Err(collision(path, None));
        }
        branch.fields.push((last.to_string(), entry));
        Ok(())
    }

    fn computes(&self) -> bool {
        self.fields.iter().any(|(_, entry)| match entry {
            Entry::Compute(_) => true,
            Entry::Nested(inner) => inner.computes(),
            _ => false,
        })
    }

    /// Fields keep their order; an added field that is there keeps its place, all other computed ones come behind.
    fn write(&self, out: &mut DocumentBuilder, document: DocView<'_>, policy: Policy, env: &Env<'_>) -> Result<()> {
        let mut seen = vec![false; self.fields.len()];
        for (name, value) in document.iter() {
            let Some(at) = self.fields.iter().position(|(known, _)| known == name) else {
                if policy != Policy::Include {
                    out.append(name, value);
                }
                continue;
            };
            match &self.fields[at].1 {
                Entry::Keep => out.append(name, value),
                Entry::Drop => {}
                Entry::Nested(inner) => {
                    seen[at] = true;
                    if let Some(value) = inner.inside(value, policy, env)? {
                        out.append(name, value.view());
                    }
                }
                Entry::Compute(expression) if policy == Policy::Add => {
                    seen[at] = true;
                    append(out, name, expression, env)?;
                }
                Entry::Compute(_) => {}
            }
        }
        for ((name, entry), seen) in self.fields.iter().zip(seen) {
            match entry {
                Entry::Compute(expression) if !seen => append(out, name, expression, env)?,
                Entry::Nested(inner) if !seen && inner.computes() => {
                    let mut made = DocumentBuilder::packed();
                    inner.write(&mut made, DocView::Owned(&Document::new()), policy, env)?;
                    out.append(name, made.finish_packed().view());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What becomes of the value that the branch is about; none takes it away.
    fn inside(&self, value: View<'_>, policy: Policy, env: &Env<'_>) -> Result<Option<Packed>> {
        match value {
            View::Document(document) => {
                let mut out = DocumentBuilder::packed();
                self.write(&mut out, document, policy, env)?;
                Ok(Some(out.finish_packed()))
            }
            View::Array(array) => {
                let mut out = ArrayBuilder::new();
                for item in array.iter() {
                    let scalar = !matches!(item, View::Document(_) | View::Array(_));
                    if scalar && policy == Policy::Include && !self.computes() {
                        continue;
                    }
                    if let Some(item) = self.inside(item, policy, env)? {
                        out.push(item.view());
                    }
                }
                Ok(Some(out.finish()))
            }
            other if policy == Policy::Exclude => Ok(Some(Packed::new(other))),
            _ if self.computes() => {
                let mut out = DocumentBuilder::packed();
                self.write(&mut out, DocView::Owned(&Document::new()), policy, env)?;
                Ok(Some(out.finish_packed()))
            }
            _ => Ok(None),
        }
    }

    fn fold(&mut self, context: &Context) -> Result<()> {
        for (name, entry) in &mut self.fields {
            match entry {
                Entry::Compute(expression) => expression.fold(context).map_err(|error| error.inside_field(name))?,
                Entry::Nested(inner) => inner.fold(context)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn reads(&self, prefix: &Path, reads: &mut Reads) {
        for (name, entry) in &self.fields {
            let path = prefix.join(&Path::from_parts(vec![name.as_str().into()]));
            match entry {
                Entry::Keep => _ = reads.paths.insert(path),
                Entry::Compute(expression) => expression.reads(reads),
                Entry::Nested(inner) => {
                    // What is computed below it depends on which parts of the path are arrays.
                    if inner.computes() {
                        reads.paths.insert(path.clone());
                    }
                    inner.reads(&path, reads);
                }
                Entry::Drop => {}
            }
        }
    }

    fn to_document(&self) -> Document {
        let shown = |entry: &Entry| match entry {
            Entry::Keep => Bson::Boolean(true),
            Entry::Drop => Bson::Boolean(false),
            Entry::Nested(inner) => Bson::Document(inner.to_document()),
            Entry::Compute(expression) => expression.to_bson(),
        };
        self.fields.iter().map(|(name, entry)| (name.clone(), shown(entry))).collect()
    }
}

fn append(out: &mut DocumentBuilder, name: &str, expression: &Expression, env: &Env<'_>) -> Result<()> {
    let value = expression.evaluate(env).map_err(|error| error.inside_field(name))?;
    if let Some(value) = value.view() {
        out.append(name, value);
    }
    Ok(())
}
