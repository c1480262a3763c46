//! The options of a collation document, checked (`src/mongo/db/basic_types.idl`, `collation_spec`).

use crate::error::{CommandError, ErrorCode, Result, refuse};
use crate::value::{self, Bson, Document, is_number, shown, type_alias};

/// The languages of the manual's list *Collation Locales and Default Parameters*.
const LANGUAGES: &str = "af am ar as az be bg bn bo bs ca chr cs cy da de dsb dz ee el en eo es et fa fi fil fo fr ga gl \
                         gu ha haw he hi hr hsb hu hy id ig is it ja ka kk kl km kn ko kok ky lb lkt ln lo lt lv mk ml \
                         mn mr ms mt my nb ne nl nn om or pa pl ps pt ro ru se si sk sl smn sq sr sv sw ta te th to tr \
                         ug uk ur vi wae yi yo zh zu";

/// A collation's options; those not given have the server's defaults.
#[derive(Debug, Clone)]
pub(super) struct Options {
    pub(super) locale: String,
    pub(super) case_level: bool,
    /// `off`, `upper` or `lower`; none leaves it to the locale.
    pub(super) case_first: Option<&'static str>,
    pub(super) strength: i64,
    pub(super) numeric_ordering: bool,
    pub(super) alternate: &'static str,
    pub(super) max_variable: &'static str,
    normalization: bool,
}

impl Options {
    /// Reads the options; none for the locale `simple`.
    pub(super) fn parse(document: &Document) -> Result<Option<Self>> {
        let Some(locale) = document.get("locale") else {
            let message = "BSON field 'collation.locale' is missing but a required field";
            return refuse(40414, message);
        };
        let mut options = Self {
            locale: text("locale", locale).map_err(|error| error.inside_field("locale"))?.into(),
            case_level: false,
            case_first: None,
            strength: 3,
            numeric_ordering: false,
            alternate: "non-ignorable",
            max_variable: "punct",
            normalization: false,
        };
        for (name, value) in document {
            options.option(name, value).map_err(|error| error.inside_field(name))?;
        }
        options.checked(document)
    }

    fn option(&mut self, name: &str, value: &Bson) -> Result<()> {
        match name {
            "locale" | "version" => {}
            "caseLevel" => self.case_level = truth(name, value)?,
            "caseFirst" => self.case_first = Some(one_of(name, value, &["off", "upper", "lower"])?),
            "strength" => self.strength = strength(value)?,
            "numericOrdering" => self.numeric_ordering = truth(name, value)?,
            "alternate" => self.alternate = one_of(name, value, &["non-ignorable", "shifted"])?,
            "maxVariable" => self.max_variable = one_of(name, value, &["punct", "space"])?,
            "normalization" => self.normalization = truth(name, value)?,
            "backwards" => {
                if truth(name, value)? {
                    return refuse(ErrorCode::BadValue, "'backwards' cannot be set to true in this store");
                }
            }
            _ => {
                let message = format!("BSON field 'collation.{name}' is an unknown field.");
                return refuse(40415, message);
            }
        }
        Ok(())
    }

    fn checked(self, document: &Document) -> Result<Option<Self>> {
        let all = || shown(&Bson::Document(document.clone())).to_string();
        if self.locale == "simple" {
            if document.len() > 1 {
                let message = format!("If 'locale=simple', no other fields should be present in: {}", all());
                return refuse(ErrorCode::FailedToParse, message);
            }
            return Ok(None);
        }
        let language = self.locale.split(['_', '-', '@']).next().unwrap_or_default();
        if !LANGUAGES.split_whitespace().any(|known| known == language) {
            return refuse(ErrorCode::BadValue, format!("Field 'locale' is invalid in: {}", all()))
                .map_err(|error: CommandError| error.inside_field("locale"));
        }
        if matches!(self.case_first, Some("upper" | "lower")) && !self.case_level && self.strength < 3 {
            let message = format!(
                "'caseFirst' is invalid unless 'caseLevel' is on or 'strength' is greater than 2. Collation spec: {}",
                all()
            );
            return refuse(ErrorCode::BadValue, message).map_err(|error: CommandError| error.inside_field("caseFirst"));
        }
        Ok(Some(self))
    }

    /// All options, spelled out.
    pub(super) fn completed(&self, case_first: &str) -> Document {
        let strength = i32::try_from(self.strength).unwrap_or(3);
        value::doc! {
            "locale": &self.locale,
            "caseLevel": self.case_level,
            "caseFirst": case_first,
            "strength": strength,
            "numericOrdering": self.numeric_ordering,
            "alternate": self.alternate,
            "maxVariable": self.max_variable,
            "normalization": self.normalization,
            "backwards": false,
            "version": "57.1",
        }
    }
}

fn wrong_type<T>(name: &str, value: &Bson, expected: &str) -> Result<T> {
    let kind = type_alias(value.into());
    let message = format!("BSON field 'collation.{name}' is the wrong type '{kind}', expected type '{expected}'");
    refuse(ErrorCode::TypeMismatch, message)
}

fn text<'v>(name: &str, value: &'v Bson) -> Result<&'v str> {
    match value {
        Bson::String(text) => Ok(text),
        _ => wrong_type(name, value, "string"),
    }
}

fn truth(name: &str, value: &Bson) -> Result<bool> {
    match value {
        Bson::Boolean(truth) => Ok(*truth),
        _ => wrong_type(name, value, "bool"),
    }
}

fn one_of(name: &str, value: &Bson, known: &[&'static str]) -> Result<&'static str> {
    let text = text(name, value)?;
    match known.iter().find(|known| **known == text) {
        Some(known) => Ok(known),
        None => refuse(
            ErrorCode::BadValue,
            format!("Enumeration value '{text}' for field 'collation.{name}' is not a valid value."),
        ),
    }
}

fn strength(value: &Bson) -> Result<i64> {
    if !is_number(value.into()) {
        return wrong_type("strength", value, "int");
    }
    match value::exact_long(value.into()) {
        Some(strength @ 1..=5) => Ok(strength),
        _ => refuse(
            ErrorCode::BadValue,
            format!("Enumeration value '{}' for field 'collation.strength' is not a valid value.", shown(value)),
        ),
    }
}
