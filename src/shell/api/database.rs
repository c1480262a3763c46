//! Methods of the database.

use bson::Bson;

use super::args::Given;
use super::collection::{aggregate_command, plain_result, run_aggregate};
use super::{Answer, Outcome, documents};
use crate::engine::Command;
use crate::shell::session::Session;

/// The release whose rules hold here, marked as what it is.
const VERSION: &str = "7.0.0-pegboard";

pub(super) fn call<'js>(session: &mut Session, given: &mut Given<'_, 'js>, name: &str) -> Outcome<'js> {
    match name {
        "current" => Ok(Answer::Bson(Bson::String(session.database.clone()))),
        "getName" => Ok(Answer::Bson(Bson::String(given.call.subject.name.clone()))),
        "collectionName" => match given.text(0, "name")? {
            // mongosh's `isValidCollectionName`.
            name if name.is_empty() || name.contains(['$', '\0']) => {
                given.misuse(format_args!("Invalid collection name: {name}"))
            }
            name => Ok(Answer::Bson(Bson::String(name))),
        },
        "sibling" => given.text(0, "name").map(|name| Answer::Bson(Bson::String(name))),
        "getCollectionNames" => {
            let names = collection_names(session, given)?;
            Ok(Answer::Values(names.into_iter().map(Bson::String).collect()))
        }
        "getCollectionInfos" => {
            let run = given.run(session, Command::ListCollections)?;
            Ok(Answer::Documents(run, 0))
        }
        "createCollection" => {
            let collection = given.text(0, "collection")?;
            let options = given.document(1, "options")?.unwrap_or_default();
            given.run(session, Command::CreateCollection { collection, options }).map(|run| plain_result(&run.reply))
        }
        "version" => Ok(Answer::Bson(Bson::String(VERSION.to_owned()))),
        "dropDatabase" => given.run(session, Command::DropDatabase).map(|run| plain_result(&run.reply)),
        "stats" => {
            let scale = given.value(0).and_then(super::args::whole).unwrap_or(1);
            given.run(session, Command::DbStats { scale }).map(|run| plain_result(&run.reply))
        }
        "runCommand" | "adminCommand" => super::run_command::call(session, given),
        "help" => Ok(Answer::Text(crate::shell::help::help("database", session.lang))),
        "aggregate" => {
            let (command, options) = aggregate_command(given, None)?;
            run_aggregate(session, given, command, &options)
        }
        _ => given.misuse(format_args!("db.{name}() is not there")),
    }
}

/// The names of the collections there are.
pub(super) fn collection_names(
    session: &mut Session,
    given: &mut Given<'_, '_>,
) -> Result<Vec<String>, super::Refusal> {
    let run = given.run(session, Command::ListCollections)?;
    Ok(documents(&run).iter().filter_map(|info| info.get_str("name").ok().map(str::to_owned)).collect())
}
