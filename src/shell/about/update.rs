//! What the operators of an update and the modifiers of `$push` do, and the operators of a projection of `find`.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    (
        "$addToSet",
        "appends unless an equal element is there",
        "hängt an, wenn kein gleiches Element da ist",
        "{$addToSet: {tags: \"new\"}}",
    ),
    ("$bit", "combines the bits of a whole number", "verknüpft die Bits einer ganzen Zahl", "{$bit: {flags: {or: 4}}}"),
    ("$currentDate", "sets the present time", "setzt die jetzige Zeit", "{$currentDate: {changed: true}}"),
    ("$inc", "adds to a number", "zählt zu einer Zahl", "{$inc: {stock: -1}}"),
    ("$max", "sets where the new value is greater", "setzt, wo der neue Wert größer ist", "{$max: {best: 12}}"),
    ("$min", "sets where the new value is less", "setzt, wo der neue Wert kleiner ist", "{$min: {price: 8}}"),
    ("$mul", "multiplies a number", "multipliziert eine Zahl", "{$mul: {price: 1.1}}"),
    (
        "$pop",
        "removes the last element, or with -1 the first",
        "entfernt das letzte Element, mit -1 das erste",
        "{$pop: {tags: 1}}",
    ),
    (
        "$pull",
        "removes elements that match from an array",
        "entfernt passende Elemente aus einem Array",
        "{$pull: {specs: {k: \"ram\"}}}",
    ),
    (
        "$pullAll",
        "removes elements equal to one of these",
        "entfernt Elemente, die gleich einem davon sind",
        "{$pullAll: {tags: [\"new\", \"sale\"]}}",
    ),
    ("$push", "appends to an array", "hängt an ein Array an", "{$push: {specs: {k: \"ram\", v: 16, u: \"GB\"}}}"),
    ("$rename", "renames a field", "benennt ein Feld um", "{$rename: {colour: \"color\"}}"),
    ("$set", "sets fields", "setzt Felder", "{$set: {price: 9, \"size.height\": 12}}"),
    (
        "$setOnInsert",
        "sets fields only where an upsert inserts",
        "setzt Felder nur, wo ein Upsert einfügt",
        "{$setOnInsert: {made: 2014}}",
    ),
    ("$unset", "removes fields", "entfernt Felder", "{$unset: {colour: \"\"}}"),
];

/// Each stands inside `{$push: {tags: …}}`.
pub(super) const MODIFIERS: &[Entry] = &[
    ("$each", "appends every one of these", "hängt jedes davon an", "{$each: [\"new\", \"sale\"]}"),
    ("$position", "where in the array they go in", "wo im Array sie hineinkommen", "{$each: [\"new\"], $position: 0}"),
    (
        "$slice",
        "keeps so many elements at most",
        "behält höchstens so viele Elemente",
        "{$each: [\"new\"], $slice: -5}",
    ),
    ("$sort", "orders the array afterwards", "ordnet das Array danach", "{$each: [\"new\"], $sort: 1}"),
];

pub(super) const PROJECTION: &[Entry] = &[
    (
        "$elemMatch",
        "keeps the first element that matches",
        "behält das erste passende Element",
        "{specs: {$elemMatch: {k: \"ram\"}}}",
    ),
    (
        "$meta",
        "adds what the search knows of the document",
        "fügt an, was die Suche vom Dokument weiß",
        "{at: {$meta: \"recordId\"}}",
    ),
    ("$slice", "keeps so many elements", "behält so viele Elemente", "{specs: {$slice: 2}}"),
];
