//! A value as it is shown: what BSON can hold, and what only JavaScript has.

use bson::{Bson, Document};
use rquickjs::{Array, Atom, Object, Result, Value};

use super::read;
use super::tools::{Probe, Tools};

/// Nesting beyond this is cut, as no terminal shows it.
const DEEPEST: usize = 100;

/// Elements beyond these are told by their number.
const SHOWN: usize = 1_000_000;

/// A value ready to be shown.
#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    /// A value without parts.
    Leaf(Bson),
    /// A BSON value written otherwise than the bare value: `Int32(5)`, `12n`.
    Typed {
        /// How it is written.
        text: String,
        /// What it is.
        value: Bson,
    },
    /// What is written as it is: `undefined`, `[Function: f]`, `[Circular *1]`, an error.
    Word(String),
    /// An object; the class is empty for a plain one.
    Object {
        /// The class.
        class: String,
        /// The fields in order.
        fields: Vec<(String, Tree)>,
    },
    /// An array or a set; the class is empty for a plain array.
    List {
        /// The class.
        class: String,
        /// The elements in order.
        items: Vec<Tree>,
    },
    /// A map.
    Map(Vec<(Tree, Tree)>),
}

impl From<&Bson> for Tree {
    fn from(value: &Bson) -> Self {
        match value {
            Bson::Document(document) => Self::from(document),
            Bson::Array(values) => Self::List { class: String::new(), items: values.iter().map(Self::from).collect() },
            leaf => Self::Leaf(leaf.clone()),
        }
    }
}

impl From<&Document> for Tree {
    fn from(document: &Document) -> Self {
        let field = |(name, value): (&String, &Bson)| (name.clone(), Self::from(value));
        Self::Object { class: String::new(), fields: document.iter().map(field).collect() }
    }
}

impl Tree {
    /// The value as BSON: what BSON does not have becomes null.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        match self {
            Self::Leaf(value) | Self::Typed { value, .. } => value.clone(),
            Self::Word(_) => Bson::Null,
            Self::Object { fields, .. } => {
                Bson::Document(fields.iter().map(|(name, value)| (name.clone(), value.to_bson())).collect())
            }
            Self::List { items, .. } => Bson::Array(items.iter().map(Self::to_bson).collect()),
            Self::Map(pairs) => {
                let name = |key: &Self| match key.to_bson() {
                    Bson::String(text) => text,
                    other => other.to_string(),
                };
                Bson::Document(pairs.iter().map(|(key, value)| (name(key), value.to_bson())).collect())
            }
        }
    }
}

/// Reads a value for showing.
pub(super) fn tree<'js>(tools: &Tools<'js>, value: &Value<'js>) -> Result<Tree> {
    Reader { tools, open: Vec::new() }.value(value)
}

struct Reader<'a, 'js> {
    tools: &'a Tools<'js>,
    open: Vec<Value<'js>>,
}

impl<'js> Reader<'_, 'js> {
    fn value(&mut self, value: &Value<'js>) -> Result<Tree> {
        if value.is_undefined() {
            return Ok(Tree::Word("undefined".to_owned()));
        }
        if value.is_symbol() {
            return Ok(Tree::Word(self.tools.describe(value)?));
        }
        if value.is_big_int() {
            let number = read::bson(self.tools, value)?.map_or(Bson::Null, |(value, _)| value);
            return Ok(Tree::Typed { text: self.tools.describe(value)?, value: number });
        }
        self.tools.count(read::VALUE_BYTES)?;
        let Some(object) = value.as_object() else {
            return Ok(Tree::Leaf(read::bson(self.tools, value)?.map_or(Bson::Null, |(value, _)| value)));
        };
        if self.open.len() > DEEPEST {
            return Ok(Tree::Word(if value.is_array() { "[Array]" } else { "[Object]" }.to_owned()));
        }
        if self.open.contains(value) {
            return Ok(Tree::Word("[Circular *1]".to_owned()));
        }
        self.open.push(value.clone());
        let tree = self.object(value, object);
        self.open.pop();
        tree
    }

    fn object(&mut self, value: &Value<'js>, object: &Object<'js>) -> Result<Tree> {
        let (kind, data) = match self.tools.probe(object)? {
            Probe::Plain(_) => {
                return match value.as_array() {
                    Some(array) => Ok(Tree::List { class: String::new(), items: self.items(array)? }),
                    None => Ok(Tree::Object { class: String::new(), fields: self.fields(object)? }),
                };
            }
            Probe::Kind(kind, data) => (kind, data),
        };
        match kind.as_str() {
            "collection" => Ok(Tree::Word(format!("{}.{}", data.get::<String>(2)?, data.get::<String>(1)?))),
            "database" => Ok(Tree::Word(data.get(1)?)),
            "function" => function(&data),
            "promise" => Ok(Tree::Word("Promise {}".to_owned())),
            "cursor" | "explainable" | "planCache" | "error" => Ok(Tree::Word(self.tools.describe(value)?)),
            "primitive" => self.value(&data.get(1)?),
            "set" => {
                let items = self.items(&data.get(1)?)?;
                Ok(Tree::List { class: format!("Set({})", items.len()), items })
            }
            "map" => self.map(&data),
            "instance" => Ok(Tree::Object { class: data.get(1)?, fields: self.fields(object)? }),
            "code" => Ok(Tree::Leaf(read::bson(self.tools, value)?.map_or(Bson::Null, |(value, _)| value))),
            "date" if data.get::<f64>(1)?.is_nan() => {
                let value = read::scalar(&kind, &data)?.unwrap_or(Bson::Null);
                Ok(Tree::Typed { text: "Invalid Date".to_owned(), value })
            }
            "regexp" if data.get::<String>(2)?.contains(|flag| !"ims".contains(flag)) => {
                let text = format!("/{}/{}", data.get::<String>(1)?, data.get::<String>(2)?);
                Ok(Tree::Typed { text, value: read::scalar(&kind, &data)?.unwrap_or(Bson::Null) })
            }
            "int" => self.typed(&kind, &data, "Int32"),
            "double" => self.typed(&kind, &data, "Double"),
            _ => Ok(Tree::Leaf(read::scalar(&kind, &data)?.unwrap_or(Bson::Null))),
        }
    }

    fn typed(&self, kind: &str, data: &Array<'js>, class: &str) -> Result<Tree> {
        let number: Value<'js> = data.get(1)?;
        let value = read::scalar(kind, data)?.unwrap_or(Bson::Null);
        Ok(Tree::Typed { text: format!("{class}({})", self.tools.describe(&number)?), value })
    }

    /// The elements as Node prints them: neighbouring holes together, and a long rest by its number.
    fn items(&mut self, array: &Array<'js>) -> Result<Vec<Tree>> {
        let length = read::length(array)?;
        let (mut items, mut holes) = (Vec::new(), 0);
        for at in 0..length.min(SHOWN) {
            let value: Value<'js> = array.get(at)?;
            if value.is_undefined() && !array.as_object().contains_key(u32::try_from(at).unwrap_or(u32::MAX))? {
                holes += 1;
                continue;
            }
            items.extend(empty(std::mem::take(&mut holes)));
            items.push(self.value(&value)?);
        }
        items.extend(empty(holes));
        items.extend((length > SHOWN).then(|| Tree::Word(format!("... {} more items", length - SHOWN))));
        Ok(items)
    }

    fn fields(&mut self, object: &Object<'js>) -> Result<Vec<(String, Tree)>> {
        let mut fields = Vec::new();
        for field in object.own_props::<Atom<'js>, Value<'js>>(rquickjs::Filter::default()) {
            let (key, value) = field?;
            fields.push((read::text(&key.to_value()?)?, self.value(&value)?));
        }
        Ok(fields)
    }

    fn map(&mut self, data: &Array<'js>) -> Result<Tree> {
        let keys = self.items(&data.get(1)?)?;
        let values = self.items(&data.get(2)?)?;
        Ok(Tree::Map(keys.into_iter().zip(values).collect()))
    }
}

/// So many elements that were never set.
fn empty(holes: usize) -> Option<Tree> {
    let items = if holes == 1 { "item" } else { "items" };
    (holes > 0).then(|| Tree::Word(format!("<{holes} empty {items}>")))
}

/// A function's name as Node writes it.
fn function(data: &Array<'_>) -> Result<Tree> {
    let (name, source): (String, String) = (data.get(1)?, data.get(2)?);
    let kind = match source.as_str() {
        text if text.starts_with("class") => "class",
        text if text.starts_with("async function*") => "AsyncGeneratorFunction",
        text if text.starts_with("async") => "AsyncFunction",
        text if text.starts_with("function*") => "GeneratorFunction",
        _ => "Function",
    };
    let name = match (kind, name.is_empty()) {
        ("class", false) => format!("[class {name}]"),
        (_, true) => format!("[{kind} (anonymous)]"),
        _ => format!("[{kind}: {name}]"),
    };
    Ok(Tree::Word(name))
}
