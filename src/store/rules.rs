//! The rules for index specifications, in the server's words
//! (`src/mongo/db/catalog/index_key_validate.cpp`, `index_catalog_impl.cpp`, `wildcard_validation.cpp`, 7.0).

use crate::error::{CommandError, ErrorCode, Result, refuse};
use crate::query::{Comparison, Filter, Test};
use crate::value::{Bson, Document, Path, View, document_bytes, equal, is_true, shown, type_alias};

/// How deep a `partialFilterExpression` may be nested (`internalPartialFilterExpressionMaxDepth`).
const MAX_PARTIAL_DEPTH: usize = 4;
const MAX_PARTS: usize = 32;
const MAX_PATTERN_BYTES: usize = 2048;

/// The option names the server knows.
const OPTIONS: [&str; 27] = [
    "background",
    "bits",
    "bucketSize",
    "coarsestIndexedLevel",
    "collation",
    "columnstoreProjection",
    "default_language",
    "dropDups",
    "expireAfterSeconds",
    "finestIndexedLevel",
    "hidden",
    "key",
    "language_override",
    "max",
    "min",
    "name",
    "ns",
    "partialFilterExpression",
    "prepareUnique",
    "sparse",
    "storageEngine",
    "textIndexVersion",
    "unique",
    "v",
    "weights",
    "wildcardProjection",
    "2dsphereIndexVersion",
];

/// What the server calls the plugin of wildcard indexes.
pub(super) const WILDCARD: &str = "wildcard";
/// Index types the server knows by name.
const PLUGINS: [&str; 6] = ["2d", "2dsphere", "text", "hashed", "columnstore", WILDCARD];
/// The options an `_id` index may be written with.
const ID_OPTIONS: [&str; 5] = ["collation", "name", "v", "key", "ns"];

fn cannot<T>(message: impl Into<String>) -> Result<T> {
    refuse(ErrorCode::CannotCreateIndex, message)
}

fn mismatch<T>(option: &str, wanted: &str, value: &Bson) -> Result<T> {
    let got = alias(value);
    refuse(ErrorCode::TypeMismatch, format!("The field '{option}' must be {wanted}, but got {got}"))
}

fn alias(value: &Bson) -> &'static str {
    type_alias(View::from(value))
}

/// A number as a double, for its sign.
pub(super) fn number(value: &Bson) -> Option<f64> {
    match value {
        Bson::Int32(number) => Some(f64::from(*number)),
        #[expect(clippy::cast_precision_loss, reason = "directions are small")]
        Bson::Int64(number) => Some(*number as f64),
        Bson::Double(number) => Some(*number),
        Bson::Decimal128(number) => number.to_string().parse().ok(),
        _ => None,
    }
}

/// Whether a key field is `$**` or ends in `.$**`.
pub(super) fn is_wildcard(name: &str) -> bool {
    name == "$**" || name.ends_with(".$**")
}

/// The index type a key pattern asks for; empty for the ordinary one.
pub(super) fn plugin(keys: &Document) -> String {
    let named = keys.values().find_map(|value| if let Bson::String(kind) = value { Some(kind.clone()) } else { None });
    let wild = keys.keys().any(|name| is_wildcard(name));
    named.unwrap_or_else(|| if wild { WILDCARD.into() } else { String::new() })
}

/// Whether the pattern is that of the `_id` index, or its reverse.
pub(super) fn is_id_pattern(keys: &Document) -> bool {
    keys.len() == 1 && keys.get("_id").and_then(number).is_some_and(|direction| matches!(direction, 1.0 | -1.0))
}

/// Checks everything that can be told without the collection.
pub(super) fn check(name: &str, keys: &Document, options: &Document) -> Result<()> {
    let plugin = plugin(keys);
    let in_options = |error: CommandError| error.inside_field("options");
    check_option_names(options).map_err(in_options)?;
    check_pattern(keys, &plugin).map_err(|error| error.inside_field("keys"))?;
    check_wildcard_all(keys, options, &plugin).map_err(|error| error.inside_field("keys"))?;
    for (option, value) in options {
        check_option(option, value, keys, &plugin).map_err(|error| in_options(error.inside_field(option)))?;
    }
    check_name(name, keys).map_err(|error| in_options(error.inside_field("name")))?;
    check_together(options, &plugin).map_err(in_options)?;
    if is_id_pattern(keys) { check_id(keys, options) } else { Ok(()) }
}

fn check_option_names(options: &Document) -> Result<()> {
    let Some(name) = options.keys().find(|name| !OPTIONS.contains(&name.as_str())) else { return Ok(()) };
    let specification = shown(View::Document(options.into())).to_string();
    refuse(
        ErrorCode::InvalidIndexSpecificationOption,
        format!("The field '{name}' is not valid for an index specification. Specification: {specification}"),
    )
    .map_err(|error: CommandError| error.inside_field(name))
}

fn check_pattern(keys: &Document, plugin: &str) -> Result<()> {
    if document_bytes(keys) > MAX_PATTERN_BYTES {
        return cannot("Index key pattern too large.");
    }
    if keys.is_empty() {
        return cannot("Index keys cannot be empty.");
    }
    if !plugin.is_empty() && !PLUGINS.contains(&plugin) {
        return cannot(format!("Unknown index plugin '{plugin}'"));
    }
    if plugin == WILDCARD {
        check_wildcard_fields(keys)?;
    }
    for (name, value) in keys {
        check_direction(value, plugin).map_err(|error| error.inside_field(name))?;
        check_field(name, value, plugin).map_err(|error| error.inside_field(name))?;
    }
    if keys.len() > MAX_PARTS {
        return refuse(13103, "too many compound keys");
    }
    Ok(())
}

fn check_direction(value: &Bson, plugin: &str) -> Result<()> {
    match (value, number(value)) {
        (_, Some(number)) if number.is_nan() => cannot("Values in the index key pattern cannot be NaN."),
        (_, Some(0.0)) => cannot("Values in the index key pattern cannot be 0."),
        (_, Some(_)) => Ok(()),
        (Bson::String(kind), _) if kind.is_empty() => cannot("Values in the index key pattern cannot be empty strings"),
        (Bson::String(kind), _) if kind != plugin => cannot("Can't use more than one index plugin for a single index."),
        (Bson::String(kind), _) if kind == WILDCARD => {
            cannot("The key pattern value for an 'wildcard' index must be a non-zero number, not a string.")
        }
        (Bson::String(_), _) => Ok(()),
        _ => {
            let got = alias(value);
            cannot(format!(
                "Values in v:2 index key pattern cannot be of type {got}. Only numbers > 0, numbers < 0, and strings are allowed."
            ))
        }
    }
}

fn check_field(name: &str, value: &Bson, plugin: &str) -> Result<()> {
    if name.is_empty() {
        return cannot("Index keys cannot be an empty field.");
    }
    let text = matches!(value, Bson::String(kind) if kind == "text");
    if name == "$**" && (number(value).is_some() || text) {
        return Ok(());
    }
    if name == "_fts" && !text {
        return cannot("Index key contains an illegal field name: '_fts'");
    }
    let parts: Vec<&str> = name.split('.').collect();
    for (at, part) in parts.iter().enumerate() {
        if part.is_empty() {
            return cannot("Index keys cannot contain an empty field.");
        }
        let reference = at > 0 && ["$db", "$id", "$ref"].contains(part);
        let wildcard = at + 1 == parts.len() && *part == "$**" && plugin == WILDCARD;
        if part.starts_with('$') && !reference && !wildcard {
            return cannot("Index key contains an illegal field name: field name starts with '$'.");
        }
    }
    Ok(())
}

fn check_wildcard_fields(keys: &Document) -> Result<()> {
    let (wild, plain): (Vec<&String>, Vec<&String>) = keys.keys().partition(|name| is_wildcard(name));
    if wild.len() > 1 {
        return refuse(7_246_201, "Index Key can contain only one wildcard index field");
    }
    let below = Path::new(wild[0].trim_end_matches("$**").trim_end_matches('.'));
    let inside = |name: &&&String| !below.is_empty() && below.is_prefix_of(&Path::new(name));
    match plain.iter().find(inside) {
        None => Ok(()),
        Some(name) => refuse(
            ErrorCode::Location(7_246_204),
            format!(
                "A wildcard index field should not overlap with and index key fields if wildcard projection is empty, however '{name}' is overlapping with the wildcard index field."
            ),
        ),
    }
}

fn check_wildcard_all(keys: &Document, options: &Document, plugin: &str) -> Result<()> {
    let needed = plugin == WILDCARD && keys.len() > 1 && keys.contains_key("$**");
    if needed && !options.contains_key("wildcardProjection") {
        return cannot("Compound wildcard indexes on all fields must also specify 'wildcardProjection' option");
    }
    Ok(())
}

fn check_option(option: &str, value: &Bson, keys: &Document, plugin: &str) -> Result<()> {
    let is_number = number(value).is_some();
    match option {
        "name" if !matches!(value, Bson::String(_)) => mismatch(option, "a string", value),
        // The server's message names the wrong field.
        "hidden" if !matches!(value, Bson::Boolean(_)) => mismatch("name", "a bool", value),
        "v" => check_version(value),
        "collation" => match value {
            Bson::Document(collation) if collation.is_empty() => {
                refuse(ErrorCode::BadValue, "The field 'collation' cannot be an empty object.")
            }
            Bson::Document(_) => Ok(()),
            _ => mismatch(option, "an object", value),
        },
        "partialFilterExpression" => match value {
            Bson::Document(filter) => check_partial(filter),
            _ => mismatch(option, "an object", value),
        },
        "wildcardProjection" => check_projection(keys, value, plugin),
        "weights" if plugin != "text" => cannot("the field 'weights' can only be specified with text indexes"),
        "background" | "unique" | "sparse" | "dropDups" | "prepareUnique"
            if !is_number && !matches!(value, Bson::Boolean(_)) =>
        {
            let text = shown(value);
            let message = format!("The field '{option} has value {option}: {text}, which is not convertible to bool");
            refuse(ErrorCode::TypeMismatch, message)
        }
        "default_language" | "language_override" if !matches!(value, Bson::String(_)) => {
            mismatch(option, "a string", value)
        }
        "bits" | "min" | "max" | "textIndexVersion" | "2dsphereIndexVersion" if !is_number => {
            mismatch(option, "a number", value)
        }
        "expireAfterSeconds" => check_expiry(value),
        _ => Ok(()),
    }
}

fn check_version(value: &Bson) -> Result<()> {
    match number(value) {
        None => mismatch("v", "a number", value),
        Some(version) if version.fract() != 0.0 => {
            let text = shown(value);
            refuse(
                ErrorCode::BadValue,
                format!("Index version must be representable as a 32-bit integer, but got {text}"),
            )
        }
        Some(1.0 | 2.0) => Ok(()),
        Some(version) => cannot(format!("Invalid index specification; cannot create an index with v={version}")),
    }
}

fn check_expiry(value: &Bson) -> Result<()> {
    match number(value) {
        None => {
            let got = alias(value);
            cannot(format!("TTL index 'expireAfterSeconds' option must be numeric, but received a type of '{got}'"))
        }
        Some(seconds) if seconds < 0.0 => cannot("TTL index 'expireAfterSeconds' option cannot be less than 0"),
        Some(seconds) if seconds > f64::from(i32::MAX) => {
            cannot("TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number")
        }
        Some(_) => Ok(()),
    }
}

fn check_name(name: &str, keys: &Document) -> Result<()> {
    match name {
        "" => cannot("index name cannot be empty"),
        "*" => refuse(ErrorCode::BadValue, "The index name '*' is not valid."),
        "_id_" if !is_id_pattern(keys) => {
            let found = shown(View::Document(keys.into())).to_string();
            let message = format!(
                "The index name '_id_' is reserved for the _id index, which must have key pattern {{_id: 1}}, found key: {found}"
            );
            refuse(ErrorCode::BadValue, message)
        }
        _ if name.contains('\0') => cannot("index name cannot contain NUL bytes"),
        _ => Ok(()),
    }
}

fn check_together(options: &Document, plugin: &str) -> Result<()> {
    let truth = |option: &str| options.get(option).is_some_and(|value| is_true(value.into()));
    if plugin == WILDCARD {
        if let Some(option) = ["sparse", "unique"].into_iter().find(|option| truth(option)) {
            return cannot(format!("Index type 'wildcard' does not support the {option} option"))
                .map_err(|error: CommandError| error.inside_field(option));
        }
        if options.contains_key("expireAfterSeconds") {
            return cannot("Index type 'wildcard' cannot be a TTL index")
                .map_err(|error: CommandError| error.inside_field("expireAfterSeconds"));
        }
    }
    if truth("unique") && truth("prepareUnique") {
        return cannot("cannot create an index with the 'unique' option and the 'prepareUnique' option");
    }
    if truth("sparse") && options.contains_key("partialFilterExpression") {
        return cannot("cannot mix \"partialFilterExpression\" and \"sparse\" options")
            .map_err(|error: CommandError| error.inside_field("sparse"));
    }
    Ok(())
}

fn check_id(keys: &Document, options: &Document) -> Result<()> {
    if options.contains_key("hidden") {
        return refuse(ErrorCode::BadValue, "can't hide _id index")
            .map_err(|error: CommandError| error.inside_field("hidden").inside_field("options"));
    }
    if let Some(name) = options.keys().find(|name| !ID_OPTIONS.contains(&name.as_str())) {
        let specification = shown(View::Document(options.into())).to_string();
        let message =
            format!("The field '{name}' is not valid for an _id index specification. Specification: {specification}");
        return refuse(ErrorCode::InvalidIndexSpecificationOption, message)
            .map_err(|error: CommandError| error.inside_field(name).inside_field("options"));
    }
    if keys.get("_id").is_some_and(|direction| equal(View::from(direction), View::Int32(1))) {
        return Ok(());
    }
    let found = shown(View::Document(keys.into())).to_string();
    refuse(ErrorCode::BadValue, format!("The field 'key' for an _id index must be {{_id: 1}}, but got {found}"))
        .map_err(|error: CommandError| error.inside_field("keys"))
}

fn check_partial(document: &Document) -> Result<()> {
    let filter = Filter::parse(document)?;
    check_partial_part(&filter, 1)
}

/// The tests a partial index may use (7.0 knows `$or` and `$in` beside the older ones; `index_catalog_impl.cpp`,
/// `_checkValidFilterExpressions`, and what `MatchExpressionParser::kBanAllSpecialFeatures` bans).
fn check_partial_part(filter: &Filter, depth: usize) -> Result<()> {
    if depth > MAX_PARTIAL_DEPTH {
        return cannot(format!("partialFilterExpression depth may not exceed {MAX_PARTIAL_DEPTH}"));
    }
    let unsupported = || cannot(format!("Expression not supported in partial index: {}", filter.outline()));
    let banned =
        |name: &str| refuse(ErrorCode::QueryFeatureNotAllowed, format!("{name} is not allowed in this context"));
    match filter {
        Filter::And(parts) | Filter::Or(parts) => parts.iter().try_for_each(|part| check_partial_part(part, depth + 1)),
        Filter::Field(predicate) => match &predicate.test {
            Test::Compare(Comparison::Eq | Comparison::Lt | Comparison::Lte | Comparison::Gt | Comparison::Gte, _)
            | Test::In(_)
            | Test::Exists
            | Test::Type(_) => Ok(()),
            _ => unsupported(),
        },
        Filter::Expr(_) => banned("$expr"),
        Filter::JsonSchema(_) => banned("$jsonSchema"),
        Filter::Not(_) | Filter::Nor(_) | Filter::Constant(_) => unsupported(),
    }
}

fn check_projection(keys: &Document, value: &Bson, plugin: &str) -> Result<()> {
    if plugin != WILDCARD {
        return refuse(ErrorCode::BadValue, "The field 'wildcardProjection' is only allowed in 'wildcard' indexes");
    }
    let Bson::Document(projection) = value else {
        return mismatch("wildcardProjection", "a non-empty object", value);
    };
    if !keys.contains_key("$**") {
        return refuse(
            ErrorCode::FailedToParse,
            "The field 'wildcardProjection' is only allowed when 'key' is {\"$**\": ±1} or {\"$**\": \"columnstore\"}",
        );
    }
    if projection.is_empty() {
        return refuse(ErrorCode::FailedToParse, "The 'wildcardProjection' field can't be an empty object");
    }
    if keys.len() > 1 {
        check_compound_projection(keys, projection)?;
    }
    check_projection_kinds(projection)
}

/// Fields with their paths and whether they are included, nested documents resolved.
fn listed(projection: &Document, before: &str) -> Vec<(String, Bson)> {
    let mut fields = Vec::new();
    for (name, value) in projection {
        let path = if before.is_empty() { name.clone() } else { format!("{before}.{name}") };
        match value {
            Bson::Document(inner) => fields.extend(listed(inner, &path)),
            _ => fields.push((path, value.clone())),
        }
    }
    fields
}

fn check_projection_kinds(projection: &Document) -> Result<()> {
    let fields = listed(projection, "");
    let mut kind: Option<bool> = None;
    for (name, value) in &fields {
        if name.ends_with(".$") {
            return refuse(31324, "Cannot use positional projection in aggregation projection");
        }
        if number(value).is_none() && !matches!(value, Bson::Boolean(_)) {
            let message = "Bad projection specification, cannot use computed fields when parsing a spec in kBanComputedFields mode";
            return refuse(51271, message);
        }
        let included = is_true(value.into());
        if name == "_id" {
            continue;
        }
        match kind {
            Some(true) if !included => {
                let message = format!("Cannot do exclusion on field {name} in inclusion projection");
                return refuse(31254, message);
            }
            Some(false) if included => {
                let message = format!("Cannot do inclusion on field {name} in exclusion projection");
                return refuse(31253, message);
            }
            _ => kind = Some(included),
        }
    }
    check_collisions(&fields)
}

fn check_collisions(fields: &[(String, Bson)]) -> Result<()> {
    let paths: Vec<Path> = fields.iter().map(|(name, _)| Path::new(name)).collect();
    for (at, path) in paths.iter().enumerate() {
        if let Some(other) = paths[..at].iter().find(|other| other.is_prefix_of(path) || path.is_prefix_of(other)) {
            let code = if other.is_prefix_of(path) { 31249 } else { 31250 };
            return refuse(code, format!("Path collision at {path} remaining portion {other}"));
        }
    }
    Ok(())
}

fn check_compound_projection(keys: &Document, projection: &Document) -> Result<()> {
    if let Some((name, value)) =
        projection.iter().find(|(_, value)| number(value).is_none() && !matches!(value, Bson::Boolean(_)))
    {
        let (text, kind) = (shown(value), alias(value));
        let message = format!("Fields in wildcardProjection must be numbers, however '{name}: {text}' is a {kind}.");
        return refuse(7_246_207, message);
    }
    let (included, excluded): (Vec<_>, Vec<_>) = projection.iter().partition(|(_, value)| is_true((*value).into()));
    let paths = |fields: Vec<(&String, &Bson)>| {
        let mut paths: Vec<Path> = fields.into_iter().map(|(name, _)| Path::new(name)).collect();
        paths.sort();
        paths
    };
    let (included, excluded) = (paths(included), paths(excluded));
    check_overlap(&included)?;
    check_overlap(&excluded)?;
    let mut plain: Vec<Path> = keys.keys().filter(|name| !is_wildcard(name)).map(|name| Path::new(name)).collect();
    plain.sort();
    check_plain_parts(&plain, &included, &excluded)?;
    let only_id = |paths: &[Path]| paths.len() == 1 && paths[0] == Path::new("_id");
    if !included.is_empty() && !excluded.is_empty() && !only_id(&included) && !only_id(&excluded) {
        return refuse(
            ErrorCode::Location(7_246_211),
            "Inclusion and exclusion statements cannot combine in the wildcardProjection with an exception of explicitly including _id field",
        );
    }
    Ok(())
}

fn check_overlap(paths: &[Path]) -> Result<()> {
    match paths.windows(2).find(|pair| pair[0].is_prefix_of(&pair[1])) {
        None => Ok(()),
        Some(pair) => refuse(
            ErrorCode::Location(7_246_200),
            format!(
                "Fields in Wildcard Projection cannot overlap, however '{}' is overlapped with '{}'",
                pair[0], pair[1]
            ),
        ),
    }
}

/// Plain parts lie outside what the wildcard part covers.
fn check_plain_parts(plain: &[Path], included: &[Path], excluded: &[Path]) -> Result<()> {
    let covering = |paths: &[Path], part: &Path| paths.iter().find(|path| path.is_prefix_of(part)).cloned();
    for part in plain {
        if let Some(path) = covering(included, part) {
            return refuse(
                ErrorCode::Location(7_246_208),
                format!(
                    "Index Key and Wildcard Projection cannot contain overlapping fields, however '{part}' index field is ovverlapping with '{path}' wildcardProjection path."
                ),
            );
        }
    }
    if excluded.is_empty() {
        return Ok(());
    }
    let Some(part) = plain.iter().find(|part| covering(excluded, part).is_none()) else { return Ok(()) };
    // The server tells a part above all excluded paths from one between them.
    let code = if excluded.iter().any(|path| path > part) { 7_246_209 } else { 7_246_210 };
    let message =
        format!("wildcardProjection paths must exclude all regular index fields, however '{part}'is not excluded.");
    refuse(code, message)
}
