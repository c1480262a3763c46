//! Names the shell knows, and the nearest name to a misspelt one.

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
    "runCommand",
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
    "allowPartialResults",
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

/// Methods of the cursor of an aggregation.
pub(super) const AGGREGATION: &[&str] = &[
    "batchSize",
    "close",
    "explain",
    "forEach",
    "hasNext",
    "isClosed",
    "isExhausted",
    "itcount",
    "map",
    "maxTimeMS",
    "next",
    "objsLeftInBatch",
    "pretty",
    "projection",
    "skip",
    "sort",
    "toArray",
    "tryNext",
];

/// Methods of what `db.NAME.explain()` gives.
pub(super) const EXPLAINABLE: &[&str] = &[
    "aggregate",
    "count",
    "countDocuments",
    "deleteMany",
    "deleteOne",
    "distinct",
    "find",
    "findAndModify",
    "findOne",
    "findOneAndDelete",
    "findOneAndReplace",
    "findOneAndUpdate",
    "remove",
    "replaceOne",
    "update",
    "updateMany",
    "updateOne",
];

/// Methods of an array that a script needs most.
pub(super) const ARRAY: &[&str] =
    &["at", "every", "filter", "find", "forEach", "join", "length", "map", "reduce", "slice", "some", "sort"];

/// The methods of what a method gives.
pub(super) fn given_by(method: &str) -> &'static [&'static str] {
    match method {
        "getCollection" => COLLECTION,
        "explain" => EXPLAINABLE,
        "getSiblingDB" => DATABASE,
        "aggregate" => AGGREGATION,
        "toArray" | "distinct" | "getIndexes" => ARRAY,
        _ if CURSOR.contains(&method) || method == "find" => CURSOR,
        _ => &[],
    }
}

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
    "version",
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
