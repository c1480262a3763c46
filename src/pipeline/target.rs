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
    written: Document,
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

impl Target {
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
    /// 40414, 40415, 51178 to 51199, 5786800, 5786801.
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
            (Some(Bson::Document(variables)), WhenMatched::Pipeline(_)) => variables.clone(),
            (Some(_), _) => {
                let message = "Cannot use 'let' variables with 'whenMatched' mode other than a pipeline";
                return Err(CommandError::new(51199, message).inside_field("let"));
            }
        };
        check_modes(&matched, not_matched)?;
        Ok(Self::Merge(Box::new(Merge { into, on, variables, matched, not_matched, written })))
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

    /// The stage as explain shows it.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        match self {
            Self::Out(Destination { database: None, collection }) => Bson::String(collection.clone()),
            Self::Out(Destination { database: Some(database), collection }) => {
                Bson::Document(doc! {"db": database, "coll": collection})
            }
            Self::Merge(merge) => Bson::Document(merge.written.clone()),
        }
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
            fields.iter().map(field).collect()
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
        let matched = if *matched == WhenMatched::Fail { "fail" } else { "keepExisting" };
        let not_matched = if not_matched == WhenNotMatched::Fail { "fail" } else { "discard" };
        let message = format!(
            "Combination of $merge modes 'whenMatched: {matched}' and 'whenNotMatched: {not_matched}' is not supported"
        );
        return Err(CommandError::new(51181, message));
    }
    Ok(())
}
