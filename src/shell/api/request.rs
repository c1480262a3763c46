//! What a command document may hold, as the server's own parsers check it before anything runs.
//!
//! The fields are those of MongoDB 7.0's IDL files (`find_command.idl`, `aggregate_command.idl`, `create_indexes.idl` …), the
//! messages those of `IDLParserContext` and `CommandHelpers`.

use bson::{Bson, Document};

use super::args::truthy;
use crate::error::{CommandError, CommandPath, ErrorCode};
use crate::value::{View, is_number, type_alias};

/// What a field takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    Array,
    Text,
    Number,
    /// A number that is not negative.
    Count,
    Switch,
    /// Anything; the command itself looks at it.
    Any,
    /// A field that has to be there.
    Required(&'static Kind),
}

use Kind::{Any, Array, Count, Number, Object, Required, Switch, Text};

/// Fields that every command takes.
const GENERIC: &[&str] = &[
    "$db",
    "$readPreference",
    "apiDeprecationErrors",
    "apiStrict",
    "apiVersion",
    "comment",
    "lsid",
    "maxTimeMS",
    "readConcern",
    "writeConcern",
];

type Fields = &'static [(&'static str, Kind)];

fn fields(command: &str) -> Option<Fields> {
    Some(match command {
        "find" => &[
            ("filter", Object),
            ("projection", Object),
            ("sort", Object),
            ("hint", Any),
            ("skip", Count),
            ("limit", Count),
            ("batchSize", Count),
            ("singleBatch", Switch),
            ("allowDiskUse", Switch),
            ("max", Object),
            ("min", Object),
            ("returnKey", Switch),
            ("showRecordId", Switch),
            ("tailable", Switch),
            ("noCursorTimeout", Switch),
            ("awaitData", Switch),
            ("allowPartialResults", Switch),
            ("collation", Object),
            ("let", Object),
        ],
        "aggregate" => &[
            ("pipeline", Required(&Array)),
            ("explain", Switch),
            ("cursor", Object),
            ("allowDiskUse", Switch),
            ("bypassDocumentValidation", Switch),
            ("collation", Object),
            ("hint", Any),
            ("let", Object),
        ],
        "count" => &[
            ("query", Object),
            ("limit", Number),
            ("skip", Count),
            ("hint", Any),
            ("collation", Object),
            ("fields", Object),
        ],
        "distinct" => &[("key", Required(&Text)), ("query", Object), ("collation", Object), ("hint", Any)],
        "findAndModify" | "findandmodify" => &[
            ("query", Object),
            ("fields", Object),
            ("sort", Object),
            ("hint", Any),
            ("collation", Object),
            ("arrayFilters", Array),
            ("remove", Switch),
            ("update", Any),
            ("upsert", Switch),
            ("new", Switch),
            ("let", Object),
            ("bypassDocumentValidation", Switch),
        ],
        "insert" => &[("documents", Required(&Array)), ("ordered", Switch), ("bypassDocumentValidation", Switch)],
        "update" => {
            &[("updates", Required(&Array)), ("ordered", Switch), ("let", Object), ("bypassDocumentValidation", Switch)]
        }
        "delete" => &[("deletes", Required(&Array)), ("ordered", Switch), ("let", Object)],
        _ => return administration(command),
    })
}

fn administration(command: &str) -> Option<Fields> {
    Some(match command {
        "createIndexes" => {
            &[("indexes", Required(&Array)), ("ignoreUnknownIndexOptions", Switch), ("commitQuorum", Any)]
        }
        "dropIndexes" => &[("index", Required(&Any))],
        "listIndexes" => &[("cursor", Object)],
        "listCollections" => {
            &[("filter", Object), ("nameOnly", Switch), ("authorizedCollections", Switch), ("cursor", Object)]
        }
        "create" => &[
            ("capped", Switch),
            ("autoIndexId", Switch),
            ("idIndex", Object),
            ("size", Number),
            ("max", Number),
            ("storageEngine", Object),
            ("validator", Object),
            ("validationLevel", Text),
            ("validationAction", Text),
            ("indexOptionDefaults", Object),
            ("viewOn", Text),
            ("pipeline", Array),
            ("collation", Object),
            ("timeseries", Object),
            ("expireAfterSeconds", Any),
            ("clusteredIndex", Any),
            ("changeStreamPreAndPostImages", Object),
            ("encryptedFields", Object),
        ],
        "drop" | "dropDatabase" | "ping" => &[],
        "collStats" => &[("scale", Number)],
        "dbStats" => &[("scale", Number), ("freeStorage", Number)],
        "planCacheClear" => &[("query", Any), ("projection", Any), ("sort", Any), ("collation", Any)],
        "collMod" => &[
            ("index", Object),
            ("validator", Object),
            ("validationLevel", Text),
            ("validationAction", Text),
            ("viewOn", Text),
            ("pipeline", Array),
            ("expireAfterSeconds", Any),
            ("changeStreamPreAndPostImages", Object),
        ],
        "renameCollection" => &[("to", Required(&Text)), ("dropTarget", Switch), ("stayTemp", Switch)],
        "explain" => &[("verbosity", Text)],
        _ => return None,
    })
}

/// The fields of a statement of `update` and `delete`.
fn statement_fields(command: &str) -> Fields {
    if command == "update" {
        return &[
            ("q", Required(&Object)),
            ("u", Required(&Any)),
            ("c", Object),
            ("multi", Switch),
            ("upsert", Switch),
            ("arrayFilters", Array),
            ("collation", Object),
            ("hint", Any),
        ];
    }
    &[("q", Required(&Object)), ("limit", Required(&Number)), ("collation", Object), ("hint", Any)]
}

/// How many statements or documents a write may have (`write_ops::kMaxWriteBatchSize`).
const MAX_BATCH: usize = 100_000;

const VERBOSITIES: &[&str] = &["queryPlanner", "executionStats", "allPlansExecution"];

/// The commands that `explain` takes.
const EXPLAINED: &[&str] =
    &["aggregate", "count", "delete", "distinct", "find", "findAndModify", "findandmodify", "update"];

/// Commands whose own field holds a collection.
fn names_collection(command: &str, target: &Bson) -> bool {
    let whole =
        matches!(command, "dropDatabase" | "dbStats" | "listCollections" | "ping" | "explain" | "renameCollection");
    // An aggregation of the whole database is asked for with 1.
    let all = command == "aggregate" && matches!(target, Bson::Int32(1) | Bson::Int64(1));
    !whole && !all
}

/// Checks a command document.
///
/// # Errors
/// The server's: 59 for a command that does not exist, 2 and 73 for the collection, 40415 for a field that is not known,
/// 14 for one of the wrong type, 51024 for a negative count, 40414 for one that is missing, 9 for an aggregation without
/// `cursor`.
pub(super) fn check(request: &Document, database: &str) -> Result<(), CommandError> {
    let Some((command, target)) = request.iter().next() else { return Ok(()) };
    let Some(known) = fields(command) else {
        return Err(refusal(ErrorCode::CommandNotFound, format!("no such command: '{command}'"), command));
    };
    if names_collection(command, target) {
        collection(command, target, database)?;
    }
    let given: Vec<_> = request.iter().skip(1).filter(|(name, _)| !GENERIC.contains(&name.as_str())).collect();
    all(command, known, &given)?;
    if command == "aggregate" && !request.contains_key("cursor") && !request.contains_key("explain") {
        let message = "The 'cursor' option is required, except for aggregate with the explain argument";
        return Err(refusal(ErrorCode::FailedToParse, message.to_owned(), "aggregate"));
    }
    if command == "planCacheClear" {
        shape(request)?;
    }
    if matches!(command.as_str(), "findAndModify" | "findandmodify") {
        find_and_modify(request)?;
    }
    if let Some(Bson::String(verbosity)) = request.get("verbosity").filter(|_| command == "explain")
        && !VERBOSITIES.contains(&verbosity.as_str())
    {
        let message = format!("Enumeration value '{verbosity}' for field 'explain.verbosity' is not a valid value.");
        return Err(refusal(ErrorCode::BadValue, message, "verbosity"));
    }
    let list = statements_of(command);
    if matches!(command.as_str(), "update" | "delete")
        && let Ok(statements) = request.get_array(list)
    {
        statements.iter().enumerate().try_for_each(|(at, statement)| one(command, list, at, statement))?;
    }
    batch(command, request)
}

/// A write is of one statement at least, and of no more than a batch may hold (`checkOpCountForCommand`,
/// `src/mongo/db/ops/write_ops.cpp`).
fn batch(command: &str, request: &Document) -> Result<(), CommandError> {
    let list = match command {
        "insert" => "documents",
        "update" | "delete" => statements_of(command),
        _ => return Ok(()),
    };
    let count = request.get_array(list).map_or(1, Vec::len);
    if (1..=MAX_BATCH).contains(&count) {
        return Ok(());
    }
    let message = format!("Write batch sizes must be between 1 and {MAX_BATCH}. Got {count} operations.");
    Err(refusal(ErrorCode::InvalidLength, message, list))
}

/// Checks the command inside an `explain`; an aggregation there needs no `cursor`.
///
/// # Errors
/// Those of [`check`], 20 and 59 for a command that cannot be explained, 16 for several writes.
pub(super) fn check_inner(request: &Document, database: &str) -> Result<(), CommandError> {
    let Some(command) = request.keys().next() else { return check(request, database) };
    if !EXPLAINED.contains(&command.as_str()) {
        return Err(unexplained(command));
    }
    let mut request = request.clone();
    if command == "aggregate" {
        request.entry("cursor".to_owned()).or_insert_with(|| Bson::Document(Document::new()));
    }
    check(&request, database)?;
    let list = statements_of(command);
    if matches!(command.as_str(), "update" | "delete") && request.get_array(list).is_ok_and(|list| list.len() != 1) {
        let message = "explained write batches must be of size 1";
        return Err(refusal(ErrorCode::InvalidLength, message.to_owned(), list));
    }
    Ok(())
}

/// The refusal to explain a command that there is or is not.
fn unexplained(command: &str) -> CommandError {
    match command {
        "explain" => refusal(ErrorCode::IllegalOperation, "Explain cannot explain itself.".to_owned(), command),
        known if fields(known).is_some() => {
            refusal(ErrorCode::IllegalOperation, format!("Cannot explain cmd: {known}"), command)
        }
        _ => refusal(ErrorCode::CommandNotFound, format!("Explain failed due to unknown command: {command}"), command),
    }
}

/// The field that holds the statements of a write.
fn statements_of(command: &str) -> &'static str {
    if command == "update" { "updates" } else { "deletes" }
}

/// The shape that `planCacheClear` is about; without a query there may be none (`plan_cache_commands::canonicalize`, which is
/// no IDL parser).
fn shape(request: &Document) -> Result<(), CommandError> {
    let refuse = |message: String, field: &str| Err(refusal(ErrorCode::BadValue, message, field));
    let parts = [("required", "query"), ("optional", "sort"), ("optional", "projection"), ("optional", "collation")];
    let given = || parts.iter().filter_map(|(need, name)| Some((need, *name, request.get(name)?)));
    if let (false, Some((.., name, _))) = (request.contains_key("query"), given().next()) {
        return refuse("sort, projection, or collation provided without query".to_owned(), name);
    }
    for (need, name, value) in given() {
        match value {
            Bson::Document(collation) if name == "collation" && collation.is_empty() => {
                return refuse("optional field collation cannot be an empty object".to_owned(), name);
            }
            Bson::Document(_) => {}
            _ => return refuse(format!("{need} field {name} must be an object"), name),
        }
    }
    Ok(())
}

/// What becomes of the document has to be said, and in one way (`validate`, `src/mongo/db/commands/find_and_modify.cpp`).
fn find_and_modify(request: &Document) -> Result<(), CommandError> {
    let updates = request.get("update").is_some_and(|update| *update != Bson::Null);
    let message = match (updates, request.get("remove").is_some_and(truthy)) {
        (false, false) => "Either an update or remove=true must be specified",
        (true, true) => "Cannot specify both an update and remove=true",
        _ => return Ok(()),
    };
    Err(refusal(ErrorCode::FailedToParse, message.to_owned(), "update"))
}

fn collection(command: &str, target: &Bson, database: &str) -> Result<(), CommandError> {
    match target {
        Bson::String(name) if name.is_empty() || name.contains('\0') => {
            let message = format!("Invalid namespace specified '{database}.{name}'");
            Err(refusal(ErrorCode::InvalidNamespace, message, command))
        }
        Bson::String(_) => Ok(()),
        other => {
            let message = format!("collection name has invalid type {}", alias(other));
            Err(refusal(ErrorCode::BadValue, message, command))
        }
    }
}

/// One statement among those of `update` and `delete`.
fn one(command: &str, list: &str, at: usize, statement: &Bson) -> Result<(), CommandError> {
    let place = CommandPath::argument(list).index(at);
    let context = format!("{command}.{list}");
    match statement {
        Bson::Document(statement) => {
            let given: Vec<_> = statement.iter().collect();
            all(&context, statement_fields(command), &given).map_err(|error| error.within(&place))
        }
        other => Err(wrong_type(&format!("{context}.{at}"), other, Object).at(place)),
    }
}

fn all(context: &str, known: Fields, given: &[(&String, &Bson)]) -> Result<(), CommandError> {
    for (name, value) in given {
        let Some((_, kind)) = known.iter().find(|(field, _)| field == name) else {
            let message = format!("BSON field '{context}.{name}' is an unknown field.");
            return Err(refusal(ErrorCode::Location(40415), message, name));
        };
        field(context, name, value, *kind)?;
    }
    let absent = |name: &str| !given.iter().any(|(field, value)| *field == name && **value != Bson::Null);
    match known.iter().find(|(name, kind)| matches!(kind, Required(_)) && absent(name)) {
        None => Ok(()),
        Some((name, _)) => {
            let message = format!("BSON field '{context}.{name}' is missing but a required field");
            Err(CommandError::new(40414, message))
        }
    }
}

fn field(context: &str, name: &str, value: &Bson, kind: Kind) -> Result<(), CommandError> {
    let kind = if let Required(kind) = kind { *kind } else { kind };
    let number = is_number(value.into());
    let fits = match kind {
        _ if *value == Bson::Null => true,
        Object => matches!(value, Bson::Document(_)),
        Array => matches!(value, Bson::Array(_)),
        Text => matches!(value, Bson::String(_)),
        Number | Count => number,
        Switch => number || matches!(value, Bson::Boolean(_)),
        Any | Required(_) => true,
    };
    if !fits {
        return Err(wrong_type(&format!("{context}.{name}"), value, kind).at(CommandPath::argument(name)));
    }
    let below = match value {
        Bson::Int32(number) => *number < 0,
        Bson::Int64(number) => *number < 0,
        Bson::Double(number) => *number <= -1.0,
        _ => false,
    };
    if kind == Count && below {
        let message = format!("BSON field '{name}' value must be >= 0, actual value '{value}'");
        return Err(refusal(ErrorCode::Location(51024), message, name));
    }
    Ok(())
}

fn wrong_type(path: &str, value: &Bson, kind: Kind) -> CommandError {
    let wanted = match kind {
        Array => "type 'array'",
        Text => "type 'string'",
        Number | Count => "types '[long, int, decimal, double]'",
        Switch => "types '[bool, long, int, decimal, double]'",
        _ => "type 'object'",
    };
    let found = alias(value);
    CommandError::new(
        ErrorCode::TypeMismatch,
        format!("BSON field '{path}' is the wrong type '{found}', expected {wanted}"),
    )
}

fn alias(value: &Bson) -> &'static str {
    type_alias(View::from(value))
}

fn refusal(code: ErrorCode, message: String, field: &str) -> CommandError {
    CommandError::new(code, message).at(CommandPath::argument(field))
}
