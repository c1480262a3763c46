//! Commands about collections and indexes.

use bson::doc;

use crate::engine::database::plain;
use crate::engine::write::encoded;
use crate::engine::{CreateIndexes, Database, IndexRequest, Reply, Run, namespace};
use crate::error::{CommandError, CommandPath, ErrorCode, Result};
use crate::query::Collation;
use crate::store::{Collection, Index, IndexSpec};
use crate::value::{Bson, Document, View, equal, shown, whole};

/// Options of `create` that there are not here.
const UNSUPPORTED: [&str; 10] = [
    "capped",
    "size",
    "max",
    "timeseries",
    "expireAfterSeconds",
    "clusteredIndex",
    "viewOn",
    "pipeline",
    "encryptedFields",
    "changeStreamPreAndPostImages",
];
/// Options of `create` that change nothing an in-process store could show.
const INERT: [&str; 4] = ["writeConcern", "comment", "storageEngine", "indexOptionDefaults"];
/// Options of `create` that check documents.
const VALIDATION: [&str; 3] = ["validator", "validationLevel", "validationAction"];

pub(super) fn missing(database: &Database, collection: &str, words: &str) -> CommandError {
    let namespace = database.catalog.namespace(collection);
    CommandError::new(ErrorCode::NamespaceNotFound, format!("{words}{namespace}"))
        .at(CommandPath::argument("collection"))
}

pub(super) fn create_indexes(database: &mut Database, command: &CreateIndexes) -> Result<Run> {
    let name = &command.collection;
    namespace::check_new_name(database.catalog.database(), name)?;
    if command.indexes.is_empty() {
        let message = "Must specify at least one index to create";
        return Err(CommandError::new(ErrorCode::BadValue, message).at(CommandPath::argument("indexes")));
    }
    let default = database.catalog.get(name).and_then(|collection| collection.options().get("collation")).cloned();
    let parse = |(at, wanted): (usize, &IndexRequest)| {
        let mut options = wanted.options.clone();
        if let Some(default) = &default {
            options.entry("collation".to_owned()).or_insert_with(|| default.clone());
        }
        IndexSpec::parse_any(&wanted.keys, &options).map_err(|error| place(error, at))
    };
    let specs = command.indexes.iter().enumerate().map(parse).collect::<Result<Vec<_>>>()?;
    let created = database.catalog.get(name).is_none();
    // The indexes are made on a copy, so that none is kept where one is refused.
    let mut collection = match database.catalog.get(name) {
        Some(collection) => collection.clone(),
        None => Collection::new(&database.catalog.namespace(name), Document::new()),
    };
    let before = collection.indexes().len();
    for (at, spec) in specs.into_iter().enumerate() {
        collection.create_index(spec).map_err(|error| place(error, at))?;
    }
    let after = collection.indexes().len();
    database.catalog.put(name, collection);
    let mut reply = doc! {"numIndexesBefore": count(before), "numIndexesAfter": count(after)};
    if created {
        reply.insert("createdCollectionAutomatically", true);
    }
    if before == after {
        reply.insert("note", "all indexes already exist");
    }
    reply.insert("ok", 1);
    Ok(plain(Reply::Result(reply)))
}

fn place(error: CommandError, at: usize) -> CommandError {
    error.within(&CommandPath::argument("indexes").index(at))
}

/// A count as the server shows it: an int where it fits.
pub(super) fn count(number: usize) -> Bson {
    whole(i64::try_from(number).unwrap_or(i64::MAX))
}

fn index_not_found(message: String) -> CommandError {
    CommandError::new(ErrorCode::IndexNotFound, message).at(CommandPath::argument("index"))
}

pub(super) fn drop_indexes(database: &mut Database, name: &str, index: &Bson) -> Result<Run> {
    let Some(collection) = database.catalog.get(name) else {
        return Err(missing(database, name, "ns not found "));
    };
    let before = collection.indexes().len();
    let mut reply = doc! {"nIndexesWas": count(before)};
    let dropped = match index {
        Bson::String(all) if all == "*" => {
            reply.insert("msg", "non-_id indexes dropped for collection");
            collection.indexes().iter().map(Index::name).filter(|name| *name != "_id_").map(str::to_owned).collect()
        }
        Bson::Array(names) => names.iter().map(|name| named(collection, name)).collect::<Result<Vec<_>>>()?,
        one => vec![named(collection, one)?],
    };
    if let Some(collection) = database.catalog.get_mut(name) {
        for index in &dropped {
            collection.drop_index(index);
            database.cache.forget_index(collection.namespace(), index);
        }
    }
    reply.insert("ok", 1);
    Ok(plain(Reply::Result(reply)))
}

/// The name of the index that a name or a key pattern means; never `_id_`.
fn named(collection: &Collection, which: &Bson) -> Result<String> {
    let name = match which {
        Bson::String(name) if collection.index(name).is_some() => name.clone(),
        Bson::String(name) => return Err(index_not_found(format!("index not found with name [{name}]"))),
        Bson::Document(keys) => by_keys(collection, keys)?,
        _ => {
            let message = "BSON field 'dropIndexes.index' is the wrong type, expected types '[string, object, array]'";
            return Err(CommandError::new(ErrorCode::TypeMismatch, message).at(CommandPath::argument("index")));
        }
    };
    if name == "_id_" {
        let error = CommandError::new(ErrorCode::InvalidOptions, "cannot drop _id index");
        return Err(error.at(CommandPath::argument("index")));
    }
    Ok(name)
}

fn by_keys(collection: &Collection, keys: &Document) -> Result<String> {
    let keys = Bson::Document(keys.clone());
    let has_keys = |index: &&Index| {
        let pattern = Bson::Document(index.info().key_pattern.clone());
        equal(View::from(&pattern), View::from(&keys))
    };
    let found: Vec<&Index> = collection.indexes().iter().filter(has_keys).collect();
    match found.as_slice() {
        [] => Err(index_not_found(format!("can't find index with key: {}", shown(&keys)))),
        [index] => Ok(index.name().to_owned()),
        several => {
            let specs: Vec<String> =
                several.iter().map(|index| shown(&Bson::Document(index.specification())).to_string()).collect();
            let message = format!(
                "{} indexes found for key: {}, identify by name instead. Conflicting indexes: {}",
                several.len(),
                shown(&keys),
                specs.join(", ")
            );
            let error = CommandError::new(ErrorCode::AmbiguousIndexKeyPattern, message);
            Err(error.at(CommandPath::argument("index")))
        }
    }
}

pub(super) fn list_indexes(database: &Database, name: &str) -> Result<Run> {
    let Some(collection) = database.catalog.get(name) else {
        return Err(missing(database, name, "ns does not exist: "));
    };
    let documents = collection.indexes().iter().map(|index| encoded(&index.specification()));
    Ok(plain(Reply::Documents(documents.map(|document| document.map(Into::into)).collect::<Result<_>>()?)))
}

pub(super) fn hide_index(database: &mut Database, name: &str, index: &Bson, hidden: bool) -> Result<Run> {
    let Some(collection) = database.catalog.get(name) else {
        return Err(missing(database, name, "ns does not exist: "));
    };
    let id = match index {
        Bson::String(name) => name == "_id_",
        Bson::Document(keys) => keys.len() == 1 && keys.contains_key("_id"),
        _ => false,
    };
    if id {
        let error = CommandError::new(ErrorCode::BadValue, "can't hide _id index");
        return Err(error.at(CommandPath::argument("index")));
    }
    let named = named(collection, index).map_err(|error| match error.code {
        ErrorCode::IndexNotFound => {
            let namespace = collection.namespace();
            index_not_found(format!("cannot find index {} for ns {namespace}", plain_text(index)))
        }
        _ => error,
    })?;
    let before = database.catalog.get_mut(name).and_then(|collection| collection.hide_index(&named, hidden));
    let reply = match before {
        Some(before) if before != hidden => doc! {"hidden_old": before, "hidden_new": hidden, "ok": 1},
        _ => doc! {"ok": 1},
    };
    Ok(plain(Reply::Result(reply)))
}

fn plain_text(index: &Bson) -> String {
    if let Bson::String(name) = index { name.clone() } else { shown(index).to_string() }
}

pub(super) fn create_collection(database: &mut Database, name: &str, options: &Document) -> Result<Run> {
    namespace::check_new_name(database.catalog.database(), name)?;
    let options = kept_options(options).map_err(|error| error.inside_field("options"))?;
    match database.catalog.get(name) {
        // Since 7.0, creating what is there already with the same options does nothing.
        Some(collection) if *collection.options() == options => {}
        Some(collection) => {
            let namespace = collection.namespace();
            let message = format!("namespace {namespace} already exists, but with different options");
            let error = CommandError::new(ErrorCode::NamespaceExists, message);
            return Err(error.at(CommandPath::argument("collection")));
        }
        None => {
            let namespace = database.catalog.namespace(name);
            database.catalog.put(name, Collection::new(&namespace, options));
        }
    }
    Ok(plain(Reply::Result(doc! {"ok": 1})))
}

/// The options that matter, checked.
fn kept_options(options: &Document) -> Result<Document> {
    let mut kept = Document::new();
    for (name, value) in options {
        let refuse = |code, message: String| Err(CommandError::new(code, message).inside_field(name));
        match (name.as_str(), value) {
            ("collation", Bson::Document(collation)) => {
                let parsed = Collation::parse(Some(collation)).map_err(|error| error.inside_field(name))?;
                kept.extend(parsed.to_document().map(|completed| (name.clone(), Bson::Document(completed.clone()))));
            }
            ("collation", _) => {
                return refuse(
                    ErrorCode::TypeMismatch,
                    "BSON field 'create.collation' is the wrong type, expected type 'object'".into(),
                );
            }
            ("capped", Bson::Boolean(false)) => {}
            (inert, _) if INERT.contains(&inert) => {}
            (known, _) if UNSUPPORTED.contains(&known) || VALIDATION.contains(&known) => {
                return refuse(
                    ErrorCode::NotImplemented,
                    format!("The collection option '{known}' is not supported by this store"),
                );
            }
            (unknown, _) => {
                return refuse(
                    ErrorCode::Location(40415),
                    format!("BSON field 'create.{unknown}' is an unknown field."),
                );
            }
        }
    }
    Ok(kept)
}

/// Since 7.0, dropping what is not there is no error.
pub(super) fn drop_collection(database: &mut Database, name: &str) -> Result<Run> {
    namespace::check_name(database.catalog.database(), name)?;
    database.catalog.remove(name);
    database.cache.forget_indexes(&database.catalog.namespace(name));
    Ok(plain(Reply::Boolean(true)))
}

pub(super) fn rename_collection(database: &mut Database, name: &str, to: &str, drop_target: bool) -> Result<Run> {
    namespace::check_name(database.catalog.database(), name)?;
    namespace::check_new_name(database.catalog.database(), to)
        .map_err(|error| error.at(CommandPath::argument("to")))?;
    if name == to {
        return Err(CommandError::new(ErrorCode::IllegalOperation, "Can't rename a collection to itself")
            .at(CommandPath::argument("to")));
    }
    let Some(collection) = database.catalog.get(name).cloned() else {
        let namespace = database.catalog.namespace(name);
        let message = format!("Source collection {namespace} does not exist");
        return Err(CommandError::new(ErrorCode::NamespaceNotFound, message).at(CommandPath::argument("collection")));
    };
    if database.catalog.get(to).is_some() && !drop_target {
        let error = CommandError::new(ErrorCode::NamespaceExists, "target namespace exists");
        return Err(error.at(CommandPath::argument("to")));
    }
    let namespace = database.catalog.namespace(to);
    database.catalog.remove(name);
    database.catalog.put(to, collection.renamed(&namespace));
    database.cache.forget_indexes(&database.catalog.namespace(name));
    database.cache.forget_indexes(&namespace);
    Ok(plain(Reply::Result(doc! {"ok": 1})))
}

pub(super) fn drop_database(database: &mut Database) -> Run {
    let names: Vec<String> = database.catalog.iter().map(|(name, _)| name.to_owned()).collect();
    for name in &names {
        database.catalog.remove(name);
        database.cache.forget_indexes(&database.catalog.namespace(name));
    }
    let mut reply = doc! {"ok": 1};
    if !names.is_empty() {
        reply.insert("dropped", database.catalog.database());
    }
    plain(Reply::Result(reply))
}

pub(super) fn list_collections(database: &Database) -> Result<Run> {
    let entry = |(name, collection): (&str, &Collection)| {
        encoded(&doc! {
            "name": name,
            "type": "collection",
            "options": collection.options().clone(),
            "info": {"readOnly": false},
            "idIndex": collection.index("_id_").map_or_else(Document::new, Index::specification),
        })
    };
    Ok(plain(Reply::Documents(
        database.catalog.iter().map(entry).map(|entry| entry.map(Into::into)).collect::<Result<_>>()?,
    )))
}
