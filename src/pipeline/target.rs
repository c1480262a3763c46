//! `$out` and `$merge`: where results go instead of back.

use crate::error::{CommandError, ErrorCode, Result};
use crate::value::{Bson, Document, Path, doc, field_path, type_alias};

use super::sub;

/// What happens with the results.
#[derive(Debug, Clone)]
pub enum Target {
    /// `$out`: they replace a collection.
    Out(Destination),
    /// `$merge`
    Merge(Box<Merge>),
}

/// A collection to write to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Destination {
    /// Its database; none for the one that the pipeline is run in.
    pub database: Option<String>,
    /// Its name.
    pub collection: String,
}

/// `$merge`
#[derive(Debug, Clone)]
pub struct Merge {
    /// The collection.
    pub into: Destination,
    /// The fields that tell which document of the collection is meant.
    pub on: Vec<Path>,
    /// Variables of the pipeline, `new` among them.
    pub variables: Document,
    /// What to do with a document that is there.
    pub matched: WhenMatched,
    /// What to do where there is none.
    pub not_matched: WhenNotMatched,
}

/// `whenMatched`
#[derive(Debug, Clone, PartialEq)]
pub enum WhenMatched {
    /// The new document takes its place.
    Replace,
    /// It stays.
    KeepExisting,
    /// The new fields are set in it.
    Merge,
    /// The command fails.
    Fail,
    /// An update pipeline changes it.
    Pipeline(Vec<Document>),
}

/// `whenNotMatched`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenNotMatched {
    /// The new document is inserted.
    Insert,
    /// Nothing.
    Discard,
    /// The command fails.
    Fail,
}

impl WhenMatched {
    /// The mode as it is written.
    fn name(&self) -> &'static str {
        match self {
            Self::Replace => "replace",
            Self::KeepExisting => "keepExisting",
            Self::Merge => "merge",
            Self::Fail => "fail",
            Self::Pipeline(_) => "pipeline",
        }
    }
}

impl WhenNotMatched {
    /// The mode as it is written.
    fn name(self) -> &'static str {
        match self {
            Self::Insert => "insert",
            Self::Discard => "discard",
            Self::Fail => "fail",
        }
    }
}

impl Target {
    /// Parses the stage of that name.
    ///
    /// # Errors
    /// Those of [`Target::out`] and [`Target::merge`].
    pub fn parse(name: &str, value: &Bson) -> Result<Self> {
        if name == "$out" { Self::out(value) } else { Self::merge(value) }
    }

    /// Parses `$out` (`src/mongo/db/pipeline/document_source_out.idl`).
    ///
    /// # Errors
    /// 16990 for what is neither text nor a document of `db` and `coll`, 40414 where one of them is missing, 40415 for any
    /// other field.
    pub fn out(value: &Bson) -> Result<Self> {
        match value {
            Bson::String(name) => Ok(Self::Out(Destination { database: None, collection: name.clone() })),
            Bson::Document(document) if document.contains_key("timeseries") => {
                let message = "$out to a time series collection is not available in this store";
                Err(CommandError::new(ErrorCode::NotImplemented, message).inside_field("timeseries"))
            }
            Bson::Document(document) => {
                let missing = |name| {
                    CommandError::new(40414, format!("BSON field '$out.{name}' is missing but a required field"))
                };
                let (database, collection) = names(document, "$out")?;
                let database = Some(database.ok_or_else(|| missing("db"))?);
                Ok(Self::Out(Destination { database, collection: collection.ok_or_else(|| missing("coll"))? }))
            }
            other => {
                let found = type_alias(other.into());
                Err(CommandError::new(
                    16990,
                    format!("$out only supports a string or object argument, but found {found}"),
                ))
            }
        }
    }

    /// Parses `$merge`.
    ///
    /// # Errors
    /// 31465, 40414, 40415, 51178 to 51199, 51273, 5786800, 5786801.
    pub fn merge(value: &Bson) -> Result<Self> {
        let written = match value {
            Bson::String(into) => doc! {"into": into},
            Bson::Document(document) => document.clone(),
            other => {
                let found = type_alias(other.into());
                return Err(CommandError::new(
                    51182,
                    format!("$merge requires a string or object argument, but found {found}"),
                ));
            }
        };
        if let Some(name) =
            written.keys().find(|name| !["into", "on", "let", "whenMatched", "whenNotMatched"].contains(&name.as_str()))
        {
            return Err(
                CommandError::new(40415, format!("BSON field '$merge.{name}' is an unknown field.")).inside_field(name)
            );
        }
        let into = match written.get("into") {
            Some(into) => merged_into(into).map_err(|error| error.inside_field("into"))?,
            None => return Err(CommandError::new(40414, "BSON field '$merge.into' is missing but a required field")),
        };
        let on = on_fields(written.get("on")).map_err(|error| error.inside_field("on"))?;
        let matched = when_matched(written.get("whenMatched")).map_err(|error| error.inside_field("whenMatched"))?;
        let not_matched =
            when_not_matched(written.get("whenNotMatched")).map_err(|error| error.inside_field("whenNotMatched"))?;
        let variables = match (written.get("let"), &matched) {
            (None, _) => doc! {"new": "$$ROOT"},
            (Some(Bson::Document(variables)), WhenMatched::Pipeline(_)) => {
                check_new(variables).map_err(|error| error.inside_field("let"))?;
                variables.clone()
            }
            (Some(_), matched) => {
                let message = format!("Cannot use 'let' variables with 'whenMatched: {}' mode", matched.name());
                return Err(CommandError::new(51199, message).inside_field("let"));
            }
        };
        check_modes(&matched, not_matched)?;
        Ok(Self::Merge(Box::new(Merge { into, on, variables, matched, not_matched })))
    }

    /// The stage's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Out(_) => "$out",
            Self::Merge(_) => "$merge",
        }
    }

    /// Where the results go.
    #[must_use]
    pub fn destination(&self) -> &Destination {
        match self {
            Self::Out(destination) => destination,
            Self::Merge(merge) => &merge.into,
        }
    }

    /// The same target, in a database where none was named.
    #[must_use]
    pub fn within(mut self, own: &str) -> Self {
        let destination = match &mut self {
            Self::Out(destination) => destination,
            Self::Merge(merge) => &mut merge.into,
        };
        destination.database.get_or_insert_with(|| own.to_owned());
        self
    }

    /// The stage as explain shows it, once its database is known.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        match self {
            Self::Out(Destination { database, collection }) => {
                let database = database.as_deref().unwrap_or_default();
                Bson::Document(doc! {"coll": collection, "db": database})
            }
            Self::Merge(merge) => Bson::Document(merge.to_document()),
        }
    }
}

impl Merge {
    /// The stage with all that was left open in it (`DocumentSourceMerge::serialize`): a pipeline has its variables, among
    /// them the result itself where it may have to be inserted.
    fn to_document(&self) -> Document {
        let database = self.into.database.as_deref().unwrap_or_default();
        let mut on: Vec<String> = self.on.iter().map(Path::to_string).collect();
        on.sort_unstable();
        let on = if let [only] = on.as_slice() { Bson::from(only) } else { on.into() };
        let mut shown = doc! {"into": {"db": database, "coll": &self.into.collection}, "on": on};
        let matched = match &self.matched {
            WhenMatched::Pipeline(stages) => {
                let mut variables = self.variables.clone();
                if self.not_matched == WhenNotMatched::Insert {
                    variables.entry("new".to_owned()).or_insert_with(|| "$$ROOT".into());
                }
                shown.insert("let", variables);
                Bson::from(stages.clone())
            }
            mode => mode.name().into(),
        };
        shown.extend(doc! {"whenMatched": matched, "whenNotMatched": self.not_matched.name()});
        shown
    }
}

/// The `db` and the `coll` of a document that names a collection.
fn names(document: &Document, stage: &str) -> Result<(Option<String>, Option<String>)> {
    let (mut database, mut collection) = (None, None);
    for (name, value) in document {
        match (name.as_str(), value) {
            (_, Bson::Null | Bson::Undefined) if matches!(name.as_str(), "db" | "coll") => {}
            ("db", Bson::String(text)) => database = Some(text.clone()),
            ("coll", Bson::String(text)) => collection = Some(text.clone()),
            ("db" | "coll", other) => {
                let found = type_alias(other.into());
                let message =
                    format!("BSON field '{stage}.{name}' is the wrong type '{found}', expected type 'string'");
                return Err(CommandError::new(ErrorCode::TypeMismatch, message).inside_field(name));
            }
            _ => {
                let message = format!("BSON field '{stage}.{name}' is an unknown field.");
                return Err(CommandError::new(40415, message).inside_field(name));
            }
        }
    }
    Ok((database, collection))
}

/// `into` (`mergeTargetNssParseFromBSON`, `src/mongo/db/pipeline/document_source_merge_spec.cpp`).
fn merged_into(into: &Bson) -> Result<Destination> {
    match into {
        Bson::String(name) if name.is_empty() => {
            Err(CommandError::new(5_786_800, "$merge 'into' field cannot be an empty string"))
        }
        Bson::String(name) => Ok(Destination { database: None, collection: name.clone() }),
        Bson::Document(document) => {
            let (database, collection) = names(document, "into")?;
            let message = "$merge 'into' field must specify a 'coll' that is not empty, null or undefined";
            let collection =
                collection.filter(|name| !name.is_empty()).ok_or_else(|| CommandError::new(5_786_801, message))?;
            Ok(Destination { database: database.filter(|name| !name.is_empty()), collection })
        }
        other => {
            let found = type_alias(other.into());
            Err(CommandError::new(
                51178,
                format!("$merge 'into' field  must be either a string or an object, but found {found}"),
            ))
        }
    }
}

fn on_fields(on: Option<&Bson>) -> Result<Vec<Path>> {
    match on {
        None => Ok(vec![Path::new("_id")]),
        Some(Bson::String(field)) => Ok(vec![field_path(field)?]),
        Some(Bson::Array(fields)) if fields.is_empty() => {
            Err(CommandError::new(51187, "If explicitly specifying $merge 'on', must include at least one field"))
        }
        Some(Bson::Array(fields)) => {
            let field = |field: &Bson| match field {
                Bson::String(field) => field_path(field),
                other => Err(CommandError::new(
                    51134,
                    format!("$merge 'on' array elements must be strings, but found {}", type_alias(other.into())),
                )),
            };
            let fields: Vec<Path> = fields.iter().map(field).collect::<Result<_>>()?;
            match fields.iter().enumerate().find(|(at, field)| fields[..*at].contains(field)) {
                Some((at, field)) => {
                    Err(CommandError::new(31465, format!("Found a duplicate field '{field}'")).inside_index(at))
                }
                None => Ok(fields),
            }
        }
        Some(other) => {
            let found = type_alias(other.into());
            Err(CommandError::new(
                51186,
                format!("$merge 'on' field  must be either a string or an array of strings, but found {found}"),
            ))
        }
    }
}

/// The result itself is called `new`, and nothing else is.
fn check_new(variables: &Document) -> Result<()> {
    match variables.get("new") {
        Some(value) if value.as_str() != Some("$$ROOT") => {
            let message = "'let' may not define a value for the reserved 'new' variable other than '$$ROOT'";
            Err(CommandError::new(51273, message).inside_field("new"))
        }
        _ => Ok(()),
    }
}

fn when_matched(mode: Option<&Bson>) -> Result<WhenMatched> {
    Ok(match mode {
        None => WhenMatched::Merge,
        Some(Bson::String(mode)) => match mode.as_str() {
            "replace" => WhenMatched::Replace,
            "keepExisting" => WhenMatched::KeepExisting,
            "merge" => WhenMatched::Merge,
            "fail" => WhenMatched::Fail,
            other => {
                let message = format!("Enumeration value '{other}' for field 'whenMatched' is not a valid value.");
                return Err(CommandError::new(ErrorCode::BadValue, message));
            }
        },
        Some(pipeline @ Bson::Array(_)) => WhenMatched::Pipeline(sub::documents(pipeline, 51191, "")?),
        Some(other) => {
            let found = type_alias(other.into());
            return Err(CommandError::new(
                51191,
                format!("$merge 'whenMatched' field  must be either a string or an array, but found {found}"),
            ));
        }
    })
}

fn when_not_matched(mode: Option<&Bson>) -> Result<WhenNotMatched> {
    Ok(match mode {
        None => WhenNotMatched::Insert,
        Some(Bson::String(mode)) => match mode.as_str() {
            "insert" => WhenNotMatched::Insert,
            "discard" => WhenNotMatched::Discard,
            "fail" => WhenNotMatched::Fail,
            other => {
                let message = format!("Enumeration value '{other}' for field 'whenNotMatched' is not a valid value.");
                return Err(CommandError::new(ErrorCode::BadValue, message));
            }
        },
        Some(other) => {
            let found = type_alias(other.into());
            let message =
                format!("BSON field '$merge.whenNotMatched' is the wrong type '{found}', expected type 'string'");
            return Err(CommandError::new(ErrorCode::TypeMismatch, message));
        }
    })
}

/// Three pairs of modes make no sense and are refused.
fn check_modes(matched: &WhenMatched, not_matched: WhenNotMatched) -> Result<()> {
    let refused =
        matches!(matched, WhenMatched::KeepExisting | WhenMatched::Fail) && not_matched != WhenNotMatched::Insert;
    if refused {
        let (matched, not_matched) = (matched.name(), not_matched.name());
        let message = format!(
            "Combination of $merge modes 'whenMatched: {matched}' and 'whenNotMatched: {not_matched}' is not supported"
        );
        return Err(CommandError::new(51181, message));
    }
    Ok(())
}
