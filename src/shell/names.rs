//! Names the shell knows, names mongosh knows and the shell does not, and the nearest name to a misspelt one.

use crate::words::Words;

/// Methods of a collection.
pub(super) const COLLECTION: &[&str] = &[
    "aggregate",
    "bulkWrite",
    "count",
    "countDocuments",
    "createIndex",
    "createIndexes",
    "dataSize",
    "deleteMany",
    "deleteOne",
    "distinct",
    "drop",
    "dropIndex",
    "dropIndexes",
    "ensureIndex",
    "estimatedDocumentCount",
    "exists",
    "explain",
    "find",
    "findAndModify",
    "findOne",
    "findOneAndDelete",
    "findOneAndReplace",
    "findOneAndUpdate",
    "getDB",
    "getFullName",
    "getIndexKeys",
    "getIndexSpecs",
    "getIndexes",
    "getIndices",
    "getName",
    "getPlanCache",
    "help",
    "hideIndex",
    "insert",
    "insertMany",
    "insertOne",
    "isCapped",
    "remove",
    "renameCollection",
    "replaceOne",
    "stats",
    "storageSize",
    "totalIndexSize",
    "totalSize",
    "unhideIndex",
    "update",
    "updateMany",
    "updateOne",
];

/// Methods of a cursor.
pub(super) const CURSOR: &[&str] = &[
    "allowDiskUse",
    "batchSize",
    "close",
    "collation",
    "comment",
    "count",
    "explain",
    "forEach",
    "hasNext",
    "hint",
    "isClosed",
    "isExhausted",
    "itcount",
    "limit",
    "map",
    "max",
    "maxTimeMS",
    "min",
    "next",
    "objsLeftInBatch",
    "pretty",
    "projection",
    "project",
    "returnKey",
    "showRecordId",
    "size",
    "skip",
    "sort",
    "toArray",
    "tryNext",
];

/// Methods of the database.
pub(super) const DATABASE: &[&str] = &[
    "aggregate",
    "adminCommand",
    "createCollection",
    "dropDatabase",
    "getCollection",
    "getCollectionInfos",
    "getCollectionNames",
    "getName",
    "getSiblingDB",
    "help",
    "runCommand",
    "stats",
];

/// Names that stand for themselves.
pub(super) const GLOBAL: &[&str] = &[
    "BinData",
    "Binary",
    "BSONRegExp",
    "Code",
    "DBRef",
    "Decimal128",
    "Double",
    "EJSON",
    "HexData",
    "ISODate",
    "Int32",
    "Long",
    "MaxKey",
    "MinKey",
    "NumberDecimal",
    "NumberInt",
    "NumberLong",
    "ObjectId",
    "RegExp",
    "Timestamp",
    "UUID",
    "console",
    "db",
    "exit",
    "help",
    "it",
    "print",
    "printjson",
    "quit",
    "show",
    "use",
    "Date",
    "JSON",
    "Math",
];

const USE_NONE: Words = Words::new(
    "there is nothing to use instead: this store has no servers",
    "einen Ersatz gibt es nicht: dieser Speicher hat keine Server",
);
const BULK: Words = Words::new("use bulkWrite([…])", "nimm bulkWrite([…])");
const AGGREGATE: Words = Words::new("use aggregate([…])", "nimm aggregate([…])");
const FILES: Words = Words::new(
    "scripts here cannot reach files, the network or the machine; start the shell with --file or --data",
    "Skripte erreichen hier weder Dateien noch Netz noch Rechner; starte die Shell mit --file oder --data",
);

/// Names that exist in mongosh and not here: whose they are, the name, and what to use instead.
const ELSEWHERE: &[(&str, &str, Words)] = &[
    ("collection", "mapReduce", AGGREGATE),
    ("collection", "initializeOrderedBulkOp", BULK),
    ("collection", "initializeUnorderedBulkOp", BULK),
    ("collection", "watch", Words::new("read the collection again with find()", "lies die Sammlung erneut mit find()")),
    ("collection", "convertToCapped", USE_NONE),
    ("collection", "getShardDistribution", USE_NONE),
    ("collection", "getShardVersion", USE_NONE),
    ("collection", "latencyStats", Words::new("use explain(\"executionStats\")", "nimm explain(\"executionStats\")")),
    ("collection", "compactStructuredEncryptionData", USE_NONE),
    ("collection", "analyzeShardKey", USE_NONE),
    ("collection", "configureQueryAnalyzer", USE_NONE),
    ("collection", "checkMetadataConsistency", USE_NONE),
    ("collection", "getSearchIndexes", Words::new("use getIndexes()", "nimm getIndexes()")),
    ("collection", "createSearchIndex", Words::new("use createIndex({…})", "nimm createIndex({…})")),
    ("collection", "createSearchIndexes", Words::new("use createIndexes([…])", "nimm createIndexes([…])")),
    ("collection", "dropSearchIndex", Words::new("use dropIndex(name)", "nimm dropIndex(name)")),
    (
        "collection",
        "updateSearchIndex",
        Words::new("drop the index and create it anew", "lösche den Index und lege ihn neu an"),
    ),
    ("collection", "validate", Words::new("use stats() and getIndexes()", "nimm stats() und getIndexes()")),
    (
        "collection",
        "reIndex",
        Words::new("use dropIndexes() and createIndex({…})", "nimm dropIndexes() und createIndex({…})"),
    ),
    ("collection", "getMongo", USE_NONE),
    (
        "collection",
        "save",
        Words::new(
            "use replaceOne(filter, document, {upsert: true})",
            "nimm replaceOne(filter, dokument, {upsert: true})",
        ),
    ),
    ("collection", "group", AGGREGATE),
    ("collection", "copyTo", Words::new("use aggregate([{$out: \"name\"}])", "nimm aggregate([{$out: \"name\"}])")),
    ("database", "auth", USE_NONE),
    ("database", "createUser", USE_NONE),
    ("database", "createRole", USE_NONE),
    (
        "database",
        "createView",
        Words::new(
            "keep the pipeline in a const and pass it to aggregate()",
            "behalte die Pipeline in einem const und gib sie aggregate()",
        ),
    ),
    ("database", "currentOp", USE_NONE),
    ("database", "killOp", USE_NONE),
    ("database", "fsyncLock", USE_NONE),
    ("database", "getMongo", USE_NONE),
    (
        "database",
        "getProfilingStatus",
        Words::new("use explain(\"executionStats\")", "nimm explain(\"executionStats\")"),
    ),
    (
        "database",
        "setProfilingLevel",
        Words::new("use explain(\"executionStats\")", "nimm explain(\"executionStats\")"),
    ),
    ("database", "getUsers", USE_NONE),
    ("database", "hello", USE_NONE),
    ("database", "hostInfo", USE_NONE),
    ("database", "isMaster", USE_NONE),
    ("database", "listCommands", Words::new("use db.help()", "nimm db.help()")),
    ("database", "logout", USE_NONE),
    ("database", "printCollectionStats", Words::new("use db.NAME.stats()", "nimm db.NAME.stats()")),
    ("database", "printReplicationInfo", USE_NONE),
    ("database", "serverBuildInfo", USE_NONE),
    ("database", "serverStatus", Words::new("use db.stats()", "nimm db.stats()")),
    ("database", "shutdownServer", Words::new("type exit", "tippe exit")),
    (
        "database",
        "version",
        Words::new("the rules here are those of MongoDB 7.0", "hier gelten die Regeln von MongoDB 7.0"),
    ),
    ("database", "watch", Words::new("read the collection again with find()", "lies die Sammlung erneut mit find()")),
    ("cursor", "addOption", USE_NONE),
    ("cursor", "tailable", USE_NONE),
    ("cursor", "readConcern", USE_NONE),
    ("cursor", "readPref", USE_NONE),
    ("cursor", "oplogReplay", USE_NONE),
    ("cursor", "snapshot", Words::new("use sort({_id: 1})", "nimm sort({_id: 1})")),
    ("cursor", "maxScan", Words::new("use limit(n)", "nimm limit(n)")),
    ("global", "load", FILES),
    ("global", "require", FILES),
    ("global", "fetch", FILES),
    ("global", "process", FILES),
    ("global", "connect", USE_NONE),
    ("global", "Mongo", USE_NONE),
    ("global", "passwordPrompt", USE_NONE),
    ("global", "rs", USE_NONE),
    ("global", "sh", USE_NONE),
    (
        "global",
        "edit",
        Words::new(
            "type the statement anew or use the editor of the app",
            "tippe die Anweisung neu oder nimm den Editor der App",
        ),
    ),
    (
        "global",
        "sleep",
        Words::new(
            "nothing runs beside this script, so there is nothing to wait for",
            "neben diesem Skript läuft nichts, worauf zu warten wäre",
        ),
    ),
    ("global", "setTimeout", Words::new("call the function at once", "rufe die Funktion gleich auf")),
    ("global", "setInterval", Words::new("use a for loop", "nimm eine for-Schleife")),
];

const NOT_HERE: Words = Words::new(
    "{name} exists in mongosh but not here: {instead}.",
    "{name} gibt es in mongosh, aber nicht hier: {instead}.",
);

/// The names of one kind of object that mongosh has and the shell has not.
pub(super) fn elsewhere(kind: &str) -> impl Iterator<Item = &'static str> {
    ELSEWHERE.iter().filter(move |(of, ..)| *of == kind).map(|(_, name, _)| *name)
}

/// What to say of a name that exists in mongosh and not here.
pub(super) fn not_here(kind: &str, name: &str, lang: crate::words::Lang) -> String {
    let instead =
        ELSEWHERE.iter().find(|(of, known, _)| *of == kind && *known == name).map_or(USE_NONE, |(.., words)| *words);
    let full = match kind {
        "collection" => format!("db.NAME.{name}()"),
        "database" => format!("db.{name}()"),
        "cursor" => format!("cursor.{name}()"),
        _ => name.to_owned(),
    };
    NOT_HERE.fill(lang, &[("name", &full), ("instead", instead.get(lang))])
}

/// The known name that is nearest to a misspelt one; none where all are too far.
#[must_use]
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (wrong.chars().count() / 3).clamp(1, 3);
    let distance = |name: &str| {
        let (left, right) = (wrong.to_lowercase(), name.to_lowercase());
        edits(&left, &right)
    };
    let near = known.into_iter().filter(|name| *name != wrong).map(|name| (distance(name), name));
    near.filter(|(distance, _)| *distance <= allowed).min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// Insertions, deletions, replacements and swaps of neighbours between two texts.
fn edits(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let width = right.len() + 1;
    let mut table = vec![0; (left.len() + 1) * width];
    for row in 0..=left.len() {
        for column in 0..width {
            let at = row * width + column;
            table[at] = if row == 0 || column == 0 {
                row + column
            } else {
                cheapest(&table, at, width, (&left[..row], &right[..column]))
            };
        }
    }
    table[table.len() - 1]
}

fn cheapest(table: &[usize], at: usize, width: usize, (left, right): (&[char], &[char])) -> usize {
    let replaced = table[at - width - 1] + usize::from(left.last() != right.last());
    let one = (table[at - 1] + 1).min(table[at - width] + 1).min(replaced);
    match (left, right) {
        ([.., a, b], [.., c, d]) if a == d && b == c => one.min(table[at - 2 * width - 2] + 1),
        _ => one,
    }
}
