//! Why a question has no counterpart in another design, and what a counterpart does not share with the original: content
//! of the lesson, in words.

use crate::words::{Lang, Words};

const NO_CROSS_ELEMENT: Words = Words::new(
    "no counterpart: key and value may come from two different elements, a question that only the array allows and that nobody meant; write one $elemMatch",
    "kein Gegenstück: Schlüssel und Wert dürfen aus zwei Elementen stammen, eine Frage, die nur das Array erlaubt und die niemand meint; schreib ein $elemMatch",
);
const NO_ANY_KEY: Words = Words::new(
    "no counterpart: a value without its key would need one predicate and one index for each of {what fields}, and one more for every new key",
    "kein Gegenstück: ein Wert ohne Schlüssel bräuchte eine Bedingung und einen Index für jedes von {what Feldern} und einen weiteren für jeden neuen Schlüssel",
);
const NO_KEY_RANGE: Words = Words::new(
    "no counterpart: the keys are field names, and a filter compares values, not names",
    "kein Gegenstück: die Schlüssel sind Feldnamen, und ein Filter vergleicht Werte, keine Namen",
);
const NO_UNIT: Words = Words::new(
    "no counterpart: a field has no place for the unit",
    "kein Gegenstück: ein Feld hat keinen Platz für die Einheit",
);
const NO_UNREACHABLE_KEY: Words = Words::new(
    "no counterpart: no path reaches a field named {what}",
    "kein Gegenstück: kein Pfad erreicht ein Feld namens {what}",
);
const NO_WHOLE_ELEMENT: Words = Words::new(
    "no counterpart: the comparison takes the array or the element as a whole, with its order of fields; ask for the parts",
    "kein Gegenstück: der Vergleich nimmt das Array oder das Element als Ganzes samt Reihenfolge der Felder; frag nach den Teilen",
);
const NO_POSITION: Words = Words::new(
    "no counterpart: the position in the array is asked, and only an array has one",
    "kein Gegenstück: gefragt ist die Stelle im Array, und nur ein Array hat eine",
);
const NO_SIZE: Words = Words::new(
    "no counterpart: the number of attributes is asked, and no filter counts fields or rows",
    "kein Gegenstück: gefragt ist die Zahl der Attribute, und kein Filter zählt Felder oder Zeilen",
);
const NO_MIXED_IN_ELEMENT: Words = Words::new(
    "no counterpart: one negation mixes key and value of the element",
    "kein Gegenstück: eine Verneinung mischt Schlüssel und Wert des Elements",
);
const NO_TWO_ROWS: Words = Words::new(
    "no counterpart: two attributes are asked of one document, but each row holds one; it takes a $group",
    "kein Gegenstück: zwei Attribute sind von einem Dokument gefragt, aber jede Zeile hält eines; es braucht ein $group",
);
const NO_ABSENCE_IN_ROWS: Words = Words::new(
    "no counterpart: what is absent has no row that could be found",
    "kein Gegenstück: was fehlt, hat keine Zeile, die man finden könnte",
);
const NO_EXPRESSION: Words = Words::new(
    "no counterpart: {what} speaks of the attributes by their place in this design",
    "kein Gegenstück: {what} spricht von den Attributen an ihrem Platz in diesem Design",
);
const NO_UNKNOWN_PART: Words = Words::new(
    "no counterpart: {what} is neither key nor value nor unit",
    "kein Gegenstück: {what} ist weder Schlüssel noch Wert noch Einheit",
);
const NO_SORT_BY_ANY_ELEMENT: Words = Words::new(
    "no counterpart: this order takes each document's least or greatest element, whatever its key",
    "kein Gegenstück: diese Ordnung nimmt von jedem Dokument das kleinste oder größte Element, gleich welchen Schlüssels",
);
const NO_LIMIT_COUNTS_ROWS: Words = Words::new(
    "no counterpart: skip and limit count documents, and an entity is one document here and many rows there",
    "kein Gegenstück: skip und limit zählen Dokumente, und eine Entität ist hier ein Dokument und dort viele Zeilen",
);
const NO_BOUNDS_BY_HAND: Words = Words::new(
    "no counterpart: min and max are bounds of one index by hand",
    "kein Gegenstück: min und max sind Grenzen eines Index von Hand",
);
const NO_INDEX_HAS_NO_USE: Words = Words::new(
    "no counterpart: this index answers no question in this design",
    "kein Gegenstück: dieser Index beantwortet in diesem Design keine Frage",
);
const NO_INDEX_PER_NAME: Words = Words::new(
    "no counterpart: each of {what names} would need an index of its own, and the 64th is refused",
    "kein Gegenstück: jeder der {what Namen} bräuchte einen eigenen Index, und der 64. wird verweigert",
);
const NO_CHANGE_BY_REPLACEMENT: Words = Words::new(
    "no single statement does this here; the changed document is written as a whole",
    "keine einzelne Anweisung tut das hier; das geänderte Dokument wird als Ganzes geschrieben",
);
const NO_NOT_ABOUT_FACTS: Words = Words::new(
    "no counterpart: the command is about this collection, not about the facts in it",
    "kein Gegenstück: der Befehl betrifft diese Collection, nicht die Fakten darin",
);
const NOTE_ENUMERATED: Words = Words::new(
    "one predicate for each of the {what keys} known today; a new key would be missed",
    "eine Bedingung für jeden der {what} heute bekannten Schlüssel; ein neuer würde übersehen",
);
const NOTE_NAMES_READ: Words = Words::new(
    "names are turned into values with $objectToArray; no index serves that",
    "Namen werden mit $objectToArray zu Werten; dafür gibt es keinen Index",
);
const NOTE_BRIDGED: Words = Words::new(
    "stages in front rebuild the form that the rest of the pipeline was written for",
    "Stufen davor bauen die Form nach, für die der Rest der Pipeline geschrieben ist",
);
const NOTE_SORT_IN_PIPELINE: Words = Words::new(
    "sorting by one attribute takes a pipeline and sorts in memory",
    "Sortieren nach einem Attribut braucht eine Pipeline und sortiert im Speicher",
);
const NOTE_DISTINCT_IN_PIPELINE: Words =
    Words::new("the values of one attribute take a pipeline", "die Werte eines Attributs brauchen eine Pipeline");
const NOTE_PROJECTION_DROPPED: Words =
    Words::new("whole documents come back here", "hier kommen ganze Dokumente zurück");
const NOTE_HINT_DROPPED: Words = Words::new(
    "the hint names an index that only the other design has",
    "der hint nennt einen Index, den nur das andere Design hat",
);
const NOTE_ROWS_NOT_ENTITIES: Words = Words::new(
    "a row comes back for each attribute, not one document for each entity",
    "je Attribut kommt eine Zeile zurück, nicht je Entität ein Dokument",
);
const NOTE_INDEXES_LEFT_OUT: Words = Words::new(
    "{what keys} get no index: a collection has at most 64",
    "{what Schlüssel} bekommen keinen Index: eine Collection hat höchstens 64",
);
const NOTE_ONE_INDEX_FOR_ALL: Words = Words::new(
    "this one index serves every key, also those to come",
    "dieser eine Index dient jedem Schlüssel, auch künftigen",
);
const NOTE_INDEX_PER_KEY: Words = Words::new(
    "{what indexes}, one for each key known today; a new key has none",
    "{what Indexe}, einer für jeden heute bekannten Schlüssel; ein neuer hat keinen",
);
const NOTE_UNIT_NOT_INDEXED: Words =
    Words::new("the unit has no place in this index", "die Einheit hat in diesem Index keinen Platz");
const NOTE_REPLAYED: Words = Words::new(
    "the changed documents are written here in their own form",
    "die geänderten Dokumente werden hier in ihrer eigenen Form geschrieben",
);
const NOTE_REFUSED: Words = Words::new("this design refuses it: {what}", "dieses Design verweigert es: {what}");

/// Why a design cannot be asked the question. Each reason is a fact about the design, not a gap of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoCounterpart {
    /// Key and value are asked of any two elements: a question that nobody meant and that only an array can answer.
    CrossElement,
    /// A value is asked without its key, and there are more keys than one filter should list.
    AnyKey {
        /// How many keys there are.
        keys: usize,
    },
    /// Keys are field names, and no filter compares names.
    KeyRange,
    /// The unit is asked, and a field has none.
    Unit,
    /// A key with a dot or a `$` cannot be reached by a path.
    UnreachableKey(String),
    /// The whole element or the whole array is compared.
    WholeElement,
    /// The position in the array is asked.
    Position,
    /// The number of attributes is asked.
    Size,
    /// Key and value are mixed in one negation inside the element.
    MixedInElement,
    /// Two attributes are asked of one document, but each row holds one.
    TwoRows,
    /// Absence is asked, and no row tells of an attribute that is not there.
    AbsenceInRows,
    /// An expression or a schema speaks of the attributes.
    Expression(String),
    /// An element's field is asked that the design does not know.
    UnknownPart(String),
    /// Sorting by a part of the array takes each document's least or greatest element, whatever its key.
    SortByAnyElement,
    /// Skipping and limiting count rows here and entities there.
    LimitCountsRows,
    /// Bounds are given by hand for an index that is not there.
    BoundsByHand,
    /// The index serves no question in this design.
    IndexHasNoUse,
    /// Every name needs an index of its own, and each new one yet another.
    IndexPerName {
        /// How many names there are.
        keys: usize,
    },
    /// The change has no single statement here; the changed document is written as a whole.
    ChangeByReplacement,
    /// The command is about the collection itself, not about its facts.
    NotAboutFacts,
}

impl NoCounterpart {
    /// The stable name used in JSON.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.entry().0
    }

    /// The reason as a sentence.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        let what = match self {
            Self::AnyKey { keys } | Self::IndexPerName { keys } => keys.to_string(),
            Self::UnreachableKey(what) | Self::Expression(what) | Self::UnknownPart(what) => what.clone(),
            _ => String::new(),
        };
        self.entry().1.fill(lang, &[("what", &what)])
    }

    fn entry(&self) -> (&'static str, Words) {
        match self {
            Self::CrossElement => ("cross-element", NO_CROSS_ELEMENT),
            Self::AnyKey { .. } => ("any-key", NO_ANY_KEY),
            Self::KeyRange => ("key-range", NO_KEY_RANGE),
            Self::Unit => ("unit", NO_UNIT),
            Self::UnreachableKey(_) => ("unreachable-key", NO_UNREACHABLE_KEY),
            Self::WholeElement => ("whole-element", NO_WHOLE_ELEMENT),
            Self::Position => ("position", NO_POSITION),
            Self::Size => ("size", NO_SIZE),
            Self::MixedInElement => ("mixed-in-element", NO_MIXED_IN_ELEMENT),
            Self::TwoRows => ("two-rows", NO_TWO_ROWS),
            Self::AbsenceInRows => ("absence-in-rows", NO_ABSENCE_IN_ROWS),
            Self::Expression(_) => ("expression", NO_EXPRESSION),
            Self::UnknownPart(_) => ("unknown-part", NO_UNKNOWN_PART),
            Self::SortByAnyElement => ("sort-by-any-element", NO_SORT_BY_ANY_ELEMENT),
            Self::LimitCountsRows => ("limit-counts-rows", NO_LIMIT_COUNTS_ROWS),
            Self::BoundsByHand => ("bounds-by-hand", NO_BOUNDS_BY_HAND),
            Self::IndexHasNoUse => ("index-has-no-use", NO_INDEX_HAS_NO_USE),
            Self::IndexPerName { .. } => ("index-per-name", NO_INDEX_PER_NAME),
            Self::ChangeByReplacement => ("change-by-replacement", NO_CHANGE_BY_REPLACEMENT),
            Self::NotAboutFacts => ("not-about-facts", NO_NOT_ABOUT_FACTS),
        }
    }
}

/// What a counterpart does not share with the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// One predicate for each key known today; a new key is missed.
    Enumerated(usize),
    /// Keys are read with `$objectToArray`; every document is read.
    NamesRead,
    /// Stages were put in that rebuild the form the rest was written for.
    Bridged,
    /// Sorting by an attribute takes a pipeline and sorts in memory.
    SortInPipeline,
    /// Distinct values of an attribute take a pipeline.
    DistinctInPipeline,
    /// The projection was left out: whole documents come back.
    ProjectionDropped,
    /// The hint names an index of the other design and was left out.
    HintDropped,
    /// A row comes back for each attribute asked, not one document for each entity.
    RowsNotEntities,
    /// One index per key; keys past the ceiling of 64 have none.
    IndexesLeftOut(usize),
    /// The index in this design serves every key at once.
    OneIndexForAll,
    /// One index for each key known today; a new key has none.
    IndexPerKey(usize),
    /// The unit is not part of the counterpart index.
    UnitNotIndexed,
    /// The write was replayed as reshaped documents.
    Replayed,
    /// The twin refused the write.
    Refused(String),
}

impl Note {
    /// The stable name used in JSON.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.entry().0
    }

    /// The note as a sentence.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        let what = match self {
            Self::Enumerated(count) | Self::IndexesLeftOut(count) | Self::IndexPerKey(count) => count.to_string(),
            Self::Refused(message) => message.clone(),
            _ => String::new(),
        };
        self.entry().1.fill(lang, &[("what", &what)])
    }

    fn entry(&self) -> (&'static str, Words) {
        match self {
            Self::Enumerated(_) => ("enumerated", NOTE_ENUMERATED),
            Self::NamesRead => ("names-read", NOTE_NAMES_READ),
            Self::Bridged => ("bridged", NOTE_BRIDGED),
            Self::SortInPipeline => ("sort-in-pipeline", NOTE_SORT_IN_PIPELINE),
            Self::DistinctInPipeline => ("distinct-in-pipeline", NOTE_DISTINCT_IN_PIPELINE),
            Self::ProjectionDropped => ("projection-dropped", NOTE_PROJECTION_DROPPED),
            Self::HintDropped => ("hint-dropped", NOTE_HINT_DROPPED),
            Self::RowsNotEntities => ("rows-not-entities", NOTE_ROWS_NOT_ENTITIES),
            Self::IndexesLeftOut(_) => ("indexes-left-out", NOTE_INDEXES_LEFT_OUT),
            Self::OneIndexForAll => ("one-index-for-all", NOTE_ONE_INDEX_FOR_ALL),
            Self::IndexPerKey(_) => ("index-per-key", NOTE_INDEX_PER_KEY),
            Self::UnitNotIndexed => ("unit-not-indexed", NOTE_UNIT_NOT_INDEXED),
            Self::Replayed => ("replayed", NOTE_REPLAYED),
            Self::Refused(_) => ("refused", NOTE_REFUSED),
        }
    }
}
