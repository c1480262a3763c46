//! What accumulators do, and the functions of `$setWindowFields` that are none.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    ("$addToSet", "every different value once", "jeder Wert einmal", "{$addToSet: \"$color\"}"),
    ("$avg", "the mean of the numbers", "das Mittel der Zahlen", "{$avg: \"$price\"}"),
    (
        "$bottom",
        "of the last document in this order",
        "vom letzten Dokument in dieser Ordnung",
        "{$bottom: {sortBy: {price: 1}, output: \"$name\"}}",
    ),
    (
        "$bottomN",
        "of the last documents in this order",
        "von den letzten Dokumenten in dieser Ordnung",
        "{$bottomN: {n: 3, sortBy: {price: 1}, output: \"$name\"}}",
    ),
    ("$count", "how many documents", "wie viele Dokumente", "{$count: {}}"),
    ("$first", "the first value", "der erste Wert", "{$first: \"$name\"}"),
    ("$firstN", "the first values", "die ersten Werte", "{$firstN: {input: \"$name\", n: 3}}"),
    ("$last", "the last value", "der letzte Wert", "{$last: \"$name\"}"),
    ("$lastN", "the last values", "die letzten Werte", "{$lastN: {input: \"$name\", n: 3}}"),
    ("$max", "the greatest value", "der größte Wert", "{$max: \"$price\"}"),
    ("$maxN", "the greatest values", "die größten Werte", "{$maxN: {input: \"$price\", n: 3}}"),
    (
        "$median",
        "the middle of the numbers",
        "die Mitte der Zahlen",
        "{$median: {input: \"$price\", method: \"approximate\"}}",
    ),
    ("$min", "the least value", "der kleinste Wert", "{$min: \"$price\"}"),
    ("$minN", "the least values", "die kleinsten Werte", "{$minN: {input: \"$price\", n: 3}}"),
    (
        "$percentile",
        "the numbers at these parts of the order",
        "die Zahlen an diesen Stellen der Ordnung",
        "{$percentile: {input: \"$price\", p: [0.5, 0.9], method: \"approximate\"}}",
    ),
    ("$push", "every value, in order", "jeder Wert, der Reihe nach", "{$push: \"$name\"}"),
    (
        "$stdDevPop",
        "the spread of the numbers, taken as all there are",
        "die Streuung der Zahlen als Gesamtheit",
        "{$stdDevPop: \"$price\"}",
    ),
    (
        "$stdDevSamp",
        "the spread of the numbers, taken as a sample",
        "die Streuung der Zahlen als Stichprobe",
        "{$stdDevSamp: \"$price\"}",
    ),
    (
        "$sum",
        "the sum of the numbers; of 1: a count",
        "die Summe der Zahlen; von 1: eine Zählung",
        "{$sum: \"$price\"}",
    ),
    (
        "$top",
        "of the first document in this order",
        "vom ersten Dokument in dieser Ordnung",
        "{$top: {sortBy: {price: -1}, output: \"$name\"}}",
    ),
    (
        "$topN",
        "of the first documents in this order",
        "von den ersten Dokumenten in dieser Ordnung",
        "{$topN: {n: 3, sortBy: {price: -1}, output: \"$name\"}}",
    ),
];

/// Accumulators that are no window functions.
pub(super) const GROUP_ONLY: &[Entry] =
    &[("$mergeObjects", "all fields in one document", "alle Felder in einem Dokument", "{$mergeObjects: \"$size\"}")];

pub(super) const WINDOW: &[Entry] = &[
    (
        "$covariancePop",
        "how two numbers go together, all there are",
        "wie zwei Zahlen zusammenhängen, als Gesamtheit",
        "{$covariancePop: [\"$price\", \"$cost\"]}",
    ),
    (
        "$covarianceSamp",
        "how two numbers go together, a sample",
        "wie zwei Zahlen zusammenhängen, als Stichprobe",
        "{$covarianceSamp: [\"$price\", \"$cost\"]}",
    ),
    ("$denseRank", "the rank, without gaps", "der Rang, ohne Lücken", "{$denseRank: {}}"),
    (
        "$derivative",
        "the rate of change in the window",
        "die Änderungsrate im Fenster",
        "{$derivative: {input: \"$price\"}, window: {documents: [-1, 0]}}",
    ),
    ("$documentNumber", "the position in the partition", "die Stelle in der Partition", "{$documentNumber: {}}"),
    (
        "$expMovingAvg",
        "a mean in which later values weigh more",
        "ein Mittel, in dem spätere Werte mehr zählen",
        "{$expMovingAvg: {input: \"$price\", N: 3}}",
    ),
    (
        "$integral",
        "the area below the curve",
        "die Fläche unter der Kurve",
        "{$integral: {input: \"$price\"}, window: {documents: [\"unbounded\", \"current\"]}}",
    ),
    ("$linearFill", "fills null on a straight line", "füllt null auf einer Geraden", "{$linearFill: \"$price\"}"),
    ("$locf", "fills null with the last value before", "füllt null mit dem letzten Wert davor", "{$locf: \"$price\"}"),
    ("$rank", "the rank, equal values share it", "der Rang, gleiche Werte teilen ihn", "{$rank: {}}"),
    (
        "$shift",
        "the value of a neighbour",
        "der Wert eines Nachbarn",
        "{$shift: {output: \"$price\", by: -1, default: null}}",
    ),
];
