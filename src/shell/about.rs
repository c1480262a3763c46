//! What operators and methods do, in a line each, for completion.

use crate::words::Words;

/// What an operator or method does, by its name with or without quotes and bracket; none where nothing is written of it.
#[must_use]
pub fn about(name: &str) -> Option<Words> {
    let bare = name.trim_matches(['"', '\'', '`', '(', ')']);
    ABOUT.iter().find(|(known, _)| *known == bare).map(|(_, words)| *words)
}

const ABOUT: &[(&str, Words)] = &[
    ("$all", Words::new("the array holds every one of these", "das Array enthält jedes davon")),
    ("$and", Words::new("all of these conditions hold", "alle diese Bedingungen gelten")),
    ("$or", Words::new("at least one of these conditions holds", "mindestens eine dieser Bedingungen gilt")),
    ("$nor", Words::new("none of these conditions holds", "keine dieser Bedingungen gilt")),
    ("$not", Words::new("the condition does not hold", "die Bedingung gilt nicht")),
    (
        "$elemMatch",
        Words::new("one and the same element meets all of this", "ein und dasselbe Element erfüllt all das"),
    ),
    ("$eq", Words::new("equal to", "gleich")),
    (
        "$ne",
        Words::new("not equal to; of an array: no element is", "ungleich; bei einem Array: kein Element ist gleich"),
    ),
    ("$gt", Words::new("greater than", "größer als")),
    ("$gte", Words::new("greater than or equal to", "größer oder gleich")),
    ("$lt", Words::new("less than", "kleiner als")),
    ("$lte", Words::new("less than or equal to", "kleiner oder gleich")),
    ("$in", Words::new("one of these values", "einer dieser Werte")),
    ("$nin", Words::new("none of these values", "keiner dieser Werte")),
    ("$exists", Words::new("the field is there, null included", "das Feld ist da, auch mit null")),
    ("$size", Words::new("the array has exactly so many elements", "das Array hat genau so viele Elemente")),
    ("$type", Words::new("the value has this BSON type", "der Wert hat diesen BSON-Typ")),
    ("$regex", Words::new("the text matches this pattern", "der Text passt zu diesem Muster")),
    ("$mod", Words::new("divided by the first, the second remains", "geteilt durch das erste bleibt das zweite")),
    ("$expr", Words::new("an aggregation expression is true", "ein Aggregationsausdruck ist wahr")),
    ("$set", Words::new("sets fields", "setzt Felder")),
    ("$unset", Words::new("removes fields", "entfernt Felder")),
    ("$inc", Words::new("adds to a number", "zählt zu einer Zahl")),
    ("$push", Words::new("appends to an array", "hängt an ein Array an")),
    ("$pull", Words::new("removes elements that match from an array", "entfernt passende Elemente aus einem Array")),
    (
        "$addToSet",
        Words::new("appends unless an equal element is there", "hängt an, wenn kein gleiches Element da ist"),
    ),
    ("$rename", Words::new("renames a field", "benennt ein Feld um")),
    ("$match", Words::new("lets through documents that match", "lässt passende Dokumente durch")),
    ("$group", Words::new("one document per key, with accumulators", "ein Dokument je Schlüssel, mit Akkumulatoren")),
    ("$unwind", Words::new("one document per array element", "ein Dokument je Array-Element")),
    ("$project", Words::new("chooses and computes fields", "wählt und berechnet Felder")),
    ("$addFields", Words::new("adds computed fields", "fügt berechnete Felder hinzu")),
    ("$sort", Words::new("orders documents", "ordnet Dokumente")),
    ("$limit", Words::new("at most so many documents", "höchstens so viele Dokumente")),
    ("$skip", Words::new("leaves out the first documents", "lässt die ersten Dokumente aus")),
    ("$lookup", Words::new("joins documents of another collection", "holt Dokumente einer anderen Collection dazu")),
    ("$facet", Words::new("several pipelines over the same documents", "mehrere Pipelines über dieselben Dokumente")),
    ("$sortByCount", Words::new("counts per value, the most frequent first", "zählt je Wert, der häufigste zuerst")),
    ("find", Words::new("documents that match a filter", "Dokumente, die zu einem Filter passen")),
    ("findOne", Words::new("the first document that matches", "das erste passende Dokument")),
    ("aggregate", Words::new("runs a pipeline of stages", "führt eine Pipeline aus Stufen aus")),
    ("countDocuments", Words::new("counts documents that match", "zählt passende Dokumente")),
    ("distinct", Words::new("the different values of a field", "die verschiedenen Werte eines Feldes")),
    ("insertOne", Words::new("adds a document", "fügt ein Dokument hinzu")),
    ("insertMany", Words::new("adds documents", "fügt Dokumente hinzu")),
    ("updateOne", Words::new("changes the first document that matches", "ändert das erste passende Dokument")),
    ("updateMany", Words::new("changes every document that matches", "ändert jedes passende Dokument")),
    ("deleteOne", Words::new("removes the first document that matches", "löscht das erste passende Dokument")),
    ("deleteMany", Words::new("removes every document that matches", "löscht jedes passende Dokument")),
    ("createIndex", Words::new("makes an index", "legt einen Index an")),
    ("dropIndex", Words::new("removes an index", "entfernt einen Index")),
    ("getIndexes", Words::new("lists the indexes", "listet die Indexe auf")),
    ("explain", Words::new("shows the plan instead of the documents", "zeigt den Plan statt der Dokumente")),
    ("sort", Words::new("orders the documents", "ordnet die Dokumente")),
    ("limit", Words::new("at most so many documents", "höchstens so viele Dokumente")),
    ("skip", Words::new("leaves out the first documents", "lässt die ersten Dokumente aus")),
    ("hint", Words::new("uses this index", "nutzt diesen Index")),
];
