//! What `$out` and `$merge` do with the results of a pipeline.

use crate::engine::change::Change;
use crate::engine::target::{Search, targets};
use crate::engine::write::{WriteLog, apply_update, decoded, delete_one, insert_one};
use crate::engine::{Database, Modify, UpdateSpec, namespace};
use crate::error::{CommandError, ErrorCode, Result};
use crate::pipeline::{Destination, Merge, Target, WhenMatched, WhenNotMatched};
use crate::query::expr::{Context, Expression};
use crate::store::Collection;
use crate::value::{Bson, Document, Path, RawDocumentBuf, View, doc};

/// Refuses a collection that no pipeline may write to, or not in this way.
///
/// # Errors
/// `InvalidNamespace`, `NotImplemented` for another database, 51183 where nothing makes the fields of a `$merge` unique.
pub(super) fn check_destination(database: &Database, target: &Target) -> Result<()> {
    let (own, Destination { database: other, collection }) = (database.catalog.database(), target.destination());
    if other.as_ref().is_some_and(|other| other != own) {
        let message = format!("{} into another database is not available in this store", target.name());
        return Err(CommandError::new(ErrorCode::NotImplemented, message));
    }
    namespace::check_new_name(own, collection)?;
    match target {
        Target::Merge(merge) => check_unique(database, merge),
        Target::Out(_) => Ok(()),
    }
}

/// Writes the results; `$out` writes all or nothing.
pub(super) fn write(
    database: &mut Database,
    target: &Target,
    results: &[RawDocumentBuf],
    context: &Context,
) -> Result<WriteLog> {
    let mut log = WriteLog::default();
    match target {
        Target::Out(into) => {
            let before = database.catalog.clone();
            if let Err(error) = out(database, &into.collection, results, &mut log) {
                database.catalog = before;
                return Err(error);
            }
        }
        Target::Merge(merge) => {
            if let Some(first) = results.first() {
                check_pipeline(database, merge, &decoded(first), context)?;
            }
            for result in results {
                merge_one(database, merge, decoded(result), context, &mut log)?;
            }
        }
    }
    Ok(log)
}

/// The collection keeps its indexes; its documents are exchanged.
fn out(database: &mut Database, name: &str, results: &[RawDocumentBuf], log: &mut WriteLog) -> Result<()> {
    database.catalog.get_or_create(name);
    let everything = Document::new();
    for old in targets(database, name, &search(&everything, true))? {
        delete_one(database, name, old.id, log);
    }
    results.iter().try_for_each(|result| insert_one(database, name, &decoded(result), log).map(|_| ()))
}

fn search(filter: &Document, multi: bool) -> Search<'_> {
    Search { filter, sort: None, multi, collation: None, hint: None, variables: None }
}

/// The fields that documents are told apart by need a unique index.
fn check_unique(database: &Database, merge: &Merge) -> Result<()> {
    let is_id = |path: &Path| path.to_string() == "_id";
    if matches!(merge.on.as_slice(), [only] if is_id(only)) {
        return Ok(());
    }
    let collection = database.catalog.get(&merge.into.collection);
    let fits = collection.into_iter().flat_map(Collection::indexes).any(|index| {
        let info = index.info();
        let plain = info.unique && !info.sparse && info.partial_filter.is_none() && info.parts.len() == merge.on.len();
        plain && merge.on.iter().all(|path| info.parts.iter().any(|part| part.path == *path))
    });
    if fits {
        return Ok(());
    }
    Err(CommandError::new(51183, "Cannot find index to verify that join fields will be unique"))
}

/// An update pipeline is parsed with the first batch, whether or not there is a document to be changed by it.
fn check_pipeline(database: &Database, merge: &Merge, result: &Document, context: &Context) -> Result<()> {
    if let WhenMatched::Pipeline(stages) = &merge.matched {
        let variables = bound(merge, result, context)?;
        Change::parse(&database.source, &spec(Document::new(), Modify::Pipeline(stages.clone()), Some(variables)))?;
    }
    Ok(())
}

fn spec(filter: Document, modify: Modify, variables: Option<Document>) -> UpdateSpec {
    UpdateSpec {
        filter,
        modify,
        multi: false,
        upsert: false,
        array_filters: Vec::new(),
        collation: None,
        hint: None,
        variables,
    }
}

fn merge_one(
    database: &mut Database,
    merge: &Merge,
    mut result: Document,
    context: &Context,
    log: &mut WriteLog,
) -> Result<()> {
    if merge.on.iter().any(|path| path.to_string() == "_id") && !result.contains_key("_id") {
        let id = database.source.object_id();
        result.insert("_id", id);
    }
    let name = &merge.into.collection;
    let filter = identity(merge, &result)?;
    let found = targets(database, name, &search(&filter, false))?;
    if found.is_empty() {
        return match merge.not_matched {
            WhenNotMatched::Insert => insert_one(database, name, &result, log).map(|_| ()),
            WhenNotMatched::Discard => Ok(()),
            WhenNotMatched::Fail => Err(CommandError::new(
                13113,
                "$merge could not find a matching document in the target collection for at least one document in the source collection",
            )),
        };
    }
    let (modify, variables) = match &merge.matched {
        WhenMatched::KeepExisting => return Ok(()),
        // Inserting the double gives the server's own refusal.
        WhenMatched::Fail => return insert_one(database, name, &result, log).map(|_| ()),
        WhenMatched::Replace => (Modify::Replacement(result), None),
        WhenMatched::Merge => (Modify::Operators(doc! {"$set": result}), None),
        WhenMatched::Pipeline(stages) => {
            let variables = bound(merge, &result, context)?;
            (Modify::Pipeline(stages.clone()), Some(variables))
        }
    };
    apply_update(database, name, &spec(filter, modify, variables), log).map(|_| ())
}

/// The filter for the document that a result is about.
fn identity(merge: &Merge, result: &Document) -> Result<Document> {
    let mut filter = Document::new();
    for path in &merge.on {
        let value = crate::query::expr::path_value(result.into(), path);
        match value.view() {
            Some(View::Array(_)) => {
                let message = format!("$merge write error: 'on' field '{path}' is an array");
                return Err(CommandError::new(51185, message));
            }
            None | Some(View::Null | View::Undefined) => {
                return Err(CommandError::new(
                    51132,
                    format!("$merge write error: 'on' field '{path}' cannot be missing, null, undefined or an array"),
                ));
            }
            Some(view) => _ = filter.insert(path.to_string(), doc! {"$eq": view.to_bson()}),
        }
    }
    Ok(filter)
}

/// The pipeline's variables, each as a literal; `new` is the result itself.
fn bound(merge: &Merge, result: &Document, context: &Context) -> Result<Document> {
    let mut variables = Document::new();
    for (name, value) in &merge.variables {
        let expression = Expression::parse(value, &context.scope())?;
        let value = expression.evaluate(&context.env(result.into()))?;
        variables.insert(name, doc! {"$literal": value.to_bson()});
    }
    variables.entry("new".to_owned()).or_insert_with(|| Bson::Document(doc! {"$literal": result.clone()}));
    Ok(variables)
}
