//! The six designs, and the names with which one of them writes facts into documents.

/// One way to model the same facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// Each attribute is a field of its own at the root.
    Flat,
    /// All attributes are elements `{k, v, u?}` of one array.
    Kv,
    /// All attributes are fields of one sub-document, made for a wildcard index.
    Wildcard,
    /// Dated values in a sub-document whose field names are the dates.
    Map,
    /// Dated values as elements `{date, steps}` of one array.
    Array,
    /// One document for each dated value.
    Rows,
}

/// Where a form keeps its attributes; two forms with the same place differ in purpose and indexes only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Fields at the root.
    Root,
    /// Fields of a sub-document.
    Nested,
    /// Elements of an array.
    Elements,
    /// Documents of their own.
    Rows,
}

impl Form {
    /// All forms: the three for attributes, then the three for dated values.
    pub const ALL: [Self; 6] = [Self::Flat, Self::Kv, Self::Wildcard, Self::Map, Self::Array, Self::Rows];

    /// The word for it on screen and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::Kv => "kv",
            Self::Wildcard => "wildcard",
            Self::Map => "map",
            Self::Array => "array",
            Self::Rows => "rows",
        }
    }

    /// The form with that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// Where its attributes are.
    #[must_use]
    pub fn place(self) -> Place {
        match self {
            Self::Flat => Place::Root,
            Self::Wildcard | Self::Map => Place::Nested,
            Self::Kv | Self::Array => Place::Elements,
            Self::Rows => Place::Rows,
        }
    }
}

/// The names that all designs of one data set share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The array, or the sub-document, that holds the attributes: `specs`, `releases`, `steps_made`.
    pub array: String,
    /// The field of an element, or of a row, that holds the key: `k`, `location`, `date`.
    pub key: String,
    /// The field that holds the value: `v`, `date`, `steps`.
    pub value: String,
    /// The field that holds the unit, where units are kept: `u`.
    pub unit: Option<String>,
    /// What stands before the key in a flat field name: `release_`, or nothing.
    pub prefix: String,
    /// The fields that every design keeps at the root. Without a prefix, every other root field of a flat document is an
    /// attribute.
    pub common: Vec<String>,
    /// The common field that tells whose value a row is: `person`.
    pub owner: String,
}

impl Layout {
    /// Names for products: `specs: [{k, v, u}]`, with these fields common to all.
    #[must_use]
    pub fn attributes(array: &str, common: &[&str]) -> Self {
        Self {
            array: array.into(),
            key: "k".into(),
            value: "v".into(),
            unit: Some("u".into()),
            prefix: String::new(),
            common: common.iter().map(|&name| name.into()).collect(),
            owner: "_id".into(),
        }
    }

    /// Names for dated values of an owner, such as `steps_made: [{date, steps}]` of a `person`.
    #[must_use]
    pub fn dated(array: &str, key: &str, value: &str, owner: &str) -> Self {
        Self {
            key: key.into(),
            value: value.into(),
            unit: None,
            owner: owner.into(),
            ..Self::attributes(array, &[owner])
        }
    }
}

/// A form with its names: all that is needed to read and write its documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Design {
    /// The form.
    pub form: Form,
    /// The names.
    pub layout: Layout,
}

impl Design {
    /// A form with names.
    #[must_use]
    pub fn new(form: Form, layout: &Layout) -> Self {
        Self { form, layout: layout.clone() }
    }

    /// The word for it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.form.name()
    }

    /// The dotted path of an attribute that is a field; none where attributes are elements or rows.
    #[must_use]
    pub fn field_path(&self, key: &str) -> Option<String> {
        match self.form.place() {
            Place::Root => Some(format!("{}{key}", self.layout.prefix)),
            Place::Nested => Some(format!("{}.{key}", self.layout.array)),
            Place::Elements | Place::Rows => None,
        }
    }

    /// The key and the path behind it that a dotted path names, where attributes are fields; none for common fields.
    #[must_use]
    pub fn attribute_of<'a>(&self, path: &'a str) -> Option<(&'a str, Option<&'a str>)> {
        let tail = match self.form.place() {
            Place::Root if self.is_common(path.split('.').next().unwrap_or_default()) => return None,
            Place::Root => path.strip_prefix(self.layout.prefix.as_str())?,
            Place::Nested => path.strip_prefix(self.layout.array.as_str())?.strip_prefix('.')?,
            Place::Elements | Place::Rows => return None,
        };
        Some(match tail.split_once('.') {
            Some((key, rest)) => (key, Some(rest)),
            None => (tail, None),
        })
        .filter(|(key, _)| !key.is_empty())
    }

    /// Whether a root field of a flat document is no attribute.
    #[must_use]
    pub fn is_common(&self, name: &str) -> bool {
        let listed = name == "_id" || self.layout.common.iter().any(|common| common == name);
        listed || !self.layout.prefix.is_empty() && !name.starts_with(self.layout.prefix.as_str())
    }

    /// The dotted path of a part of an element (`specs.k`), or the root field of a row (`date`).
    #[must_use]
    pub fn part_path(&self, part: &str) -> String {
        match self.form.place() {
            Place::Rows => part.into(),
            Place::Root | Place::Nested | Place::Elements => format!("{}.{part}", self.layout.array),
        }
    }
}
