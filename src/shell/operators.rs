//! MongoDB's operators by the position they stand in, for hints and completion.

/// Operators of a filter, at its root and on a field.
pub const FILTER: &[&str] = &[
    "$all", "$alwaysFalse", "$alwaysTrue", "$and", "$bitsAllClear", "$bitsAllSet", "$bitsAnyClear", "$bitsAnySet",
    "$comment", "$elemMatch", "$eq", "$exists", "$expr", "$gt", "$gte", "$in", "$jsonSchema", "$lt", "$lte", "$mod", "$ne",
    "$nin", "$nor", "$not", "$options", "$or", "$regex", "$size", "$type",
];

/// Operators of an update, and the modifiers of `$push` and `$addToSet`.
pub const UPDATE: &[&str] = &[
    "$addToSet", "$bit", "$currentDate", "$each", "$inc", "$max", "$min", "$mul", "$pop", "$position", "$pull", "$pullAll",
    "$push", "$rename", "$set", "$setOnInsert", "$slice", "$sort", "$unset",
];

/// Stages of a pipeline.
pub const STAGE: &[&str] = &[
    "$addFields", "$bucket", "$bucketAuto", "$collStats", "$count", "$densify", "$documents", "$facet", "$fill",
    "$graphLookup", "$group", "$indexStats", "$limit", "$lookup", "$match", "$merge", "$out", "$planCacheStats",
    "$project", "$redact", "$replaceRoot", "$replaceWith", "$sample", "$set", "$setWindowFields", "$skip", "$sort",
    "$sortByCount", "$unionWith", "$unset", "$unwind",
];

/// Operators of an expression and accumulators.
pub const EXPRESSION: &[&str] = &[
    "$abs", "$add", "$addToSet", "$allElementsTrue", "$and", "$anyElementTrue", "$arrayElemAt", "$arrayToObject", "$avg",
    "$bottom", "$bottomN", "$ceil", "$cmp", "$concat", "$concatArrays", "$cond", "$convert", "$count", "$dateAdd",
    "$dateDiff", "$dateFromParts", "$dateFromString", "$dateSubtract", "$dateToParts", "$dateToString", "$dateTrunc",
    "$dayOfMonth", "$dayOfWeek", "$dayOfYear", "$divide", "$eq", "$exp", "$filter", "$first", "$firstN", "$floor",
    "$getField", "$gt", "$gte", "$hour", "$ifNull", "$in", "$indexOfArray", "$indexOfBytes", "$indexOfCP", "$isArray",
    "$isNumber", "$isoDayOfWeek", "$isoWeek", "$isoWeekYear", "$last", "$lastN", "$let", "$literal", "$ln", "$log",
    "$log10", "$lt", "$lte", "$ltrim", "$map", "$max", "$maxN", "$median", "$mergeObjects", "$millisecond", "$min",
    "$minN", "$minute", "$mod", "$month", "$multiply", "$ne", "$not", "$objectToArray", "$or", "$percentile", "$pow",
    "$push", "$rand", "$range", "$reduce", "$regexFind", "$regexFindAll", "$regexMatch", "$replaceAll", "$replaceOne",
    "$reverseArray", "$round", "$rtrim", "$second", "$setDifference", "$setEquals", "$setField", "$setIntersection",
    "$setIsSubset", "$setUnion", "$size", "$slice", "$sortArray", "$split", "$sqrt", "$stdDevPop", "$stdDevSamp",
    "$strLenBytes", "$strLenCP", "$strcasecmp", "$substr", "$substrBytes", "$substrCP", "$subtract", "$sum", "$switch",
    "$toBool", "$toDate", "$toDecimal", "$toDouble", "$toInt", "$toLong", "$toLower", "$toObjectId", "$toString",
    "$toUpper", "$top", "$topN", "$trim", "$trunc", "$type", "$unsetField", "$week", "$year", "$zip",
];

/// Every operator there is.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    [FILTER, UPDATE, STAGE, EXPRESSION].into_iter().flatten().copied()
}
