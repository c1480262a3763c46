//! The breaks, most instructive first.

use super::{filters, stages, writes};
use crate::engine::Database;
use crate::pitfall::entries::{Change, changed};
use crate::shell::Script;
use crate::store::Profile;
use crate::words::Words;

/// A realistic way to get a right text wrong.
#[derive(Debug, Clone, Copy)]
pub struct Break {
    /// The stable id.
    pub id: &'static str,
    /// The pitfall it falls into, where there is one.
    pub pitfall: Option<&'static str>,
    /// What was done to the text.
    pub done: Words,
    apply: fn(&Script, &Facts) -> Vec<Vec<Change>>,
}

/// What breaks know of the data.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Names of key fields of attribute arrays.
    pub(super) keys: Vec<String>,
    /// Names of unit fields.
    pub(super) units: Vec<String>,
}

impl Facts {
    /// The facts of all collections.
    pub(super) fn of(database: &Database) -> Self {
        let mut facts = Self::default();
        for (_, collection) in database.catalog().iter() {
            let mut profile = Profile::default();
            profile.catch_up(collection);
            for array in profile.attributes() {
                facts.keys.push(array.key.clone());
                facts.units.extend(array.unit.clone());
            }
        }
        facts
    }
}

impl Break {
    /// The text broken in this way, at each place where it can be.
    pub(super) fn texts(&self, script: &Script, facts: &Facts) -> Vec<String> {
        let changes = (self.apply)(script, facts);
        changes.into_iter().filter_map(|changes| changed(script.text(), changes)).collect()
    }
}

/// Every break.
#[must_use]
pub fn breaks() -> &'static [Break] {
    BREAKS
}

const BREAKS: &[Break] = &[
    Break {
        id: "split-elem-match",
        pitfall: Some("cross-element-match"),
        done: Words::new(
            "The `$elemMatch` was split into dotted conditions.",
            "Das `$elemMatch` wurde in Bedingungen mit Punkt zerlegt.",
        ),
        apply: filters::split,
    },
    Break {
        id: "loosen-range",
        pitfall: Some("range-cross-element"),
        done: Words::new(
            "Both ends of the range lost their `$elemMatch`.",
            "Beide Enden des Bereichs haben ihr `$elemMatch` verloren.",
        ),
        apply: filters::loosen,
    },
    Break {
        id: "drop-second-match",
        pitfall: Some("no-second-match-after-unwind"),
        done: Words::new("The `$match` behind `$unwind` was dropped.", "Das `$match` hinter `$unwind` fehlt."),
        apply: stages::drop_match,
    },
    Break {
        id: "drop-array-filter",
        pitfall: Some("all-positional-touches-every-attribute"),
        done: Words::new(
            "The `arrayFilters` are gone and `$[…]` became `$[]`.",
            "Die `arrayFilters` fehlen, und aus `$[…]` wurde `$[]`.",
        ),
        apply: writes::drop_array_filter,
    },
    Break {
        id: "negate-inside",
        pitfall: Some("elemmatch-ne-matches-almost-all"),
        done: Words::new(
            "Absence is asked of one element, with `$ne` inside `$elemMatch`.",
            "Nach dem Fehlen wird ein Element gefragt, mit `$ne` im `$elemMatch`.",
        ),
        apply: filters::negate_inside,
    },
    Break {
        id: "swap-index-fields",
        pitfall: Some("value-before-key"),
        done: Words::new(
            "The first two fields of the index changed places.",
            "Die ersten beiden Felder des Index haben die Plätze getauscht.",
        ),
        apply: stages::swap_fields,
    },
    Break {
        id: "drop-index-field",
        pitfall: None,
        done: Words::new("The last field of the index was left out.", "Das letzte Feld des Index fehlt."),
        apply: stages::drop_field,
    },
    Break {
        id: "mix-owners",
        pitfall: Some("group-mixes-owners"),
        done: Words::new(
            "The first part of the group's `_id` was dropped.",
            "Der erste Teil der `_id` der Gruppe fehlt.",
        ),
        apply: stages::mix_owners,
    },
    Break {
        id: "forget-unit",
        pitfall: Some("unit-ignored"),
        done: Words::new("The unit was forgotten.", "Die Einheit wurde vergessen."),
        apply: filters::forget_unit,
    },
    Break {
        id: "number-to-text",
        pitfall: Some("number-stored-as-string"),
        done: Words::new("A number became text.", "Aus einer Zahl wurde Text."),
        apply: filters::text,
    },
    Break {
        id: "drop-empty",
        pitfall: Some("unwind-drops-documents"),
        done: Words::new(
            "`$unwind` no longer keeps documents without elements.",
            "`$unwind` behält Dokumente ohne Elemente nicht mehr.",
        ),
        apply: stages::drop_empty,
    },
    Break {
        id: "forget-key",
        pitfall: Some("value-without-key"),
        done: Words::new("The key was forgotten.", "Der Schlüssel wurde vergessen."),
        apply: filters::forget_key,
    },
    Break {
        id: "drop-projection",
        pitfall: Some("filter-does-not-trim-array"),
        done: Words::new("The projection was forgotten.", "Die Projektion wurde vergessen."),
        apply: stages::drop_projection,
    },
    Break {
        id: "one-of-many",
        pitfall: None,
        done: Words::new("`…Many` became `…One`.", "Aus `…Many` wurde `…One`."),
        apply: writes::one_of_many,
    },
    Break {
        id: "shift-end",
        pitfall: None,
        done: Words::new(
            "One end of a range was taken in, or left out.",
            "Ein Ende eines Bereichs wurde einbezogen oder ausgelassen.",
        ),
        apply: filters::shift_end,
    },
];
