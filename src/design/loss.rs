//! What a design cannot hold: told for each fact, never dropped silently.

use crate::value::Bson;
use crate::words::{Lang, Words};

/// Why a fact is not, or not the same, in another design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LossKind {
    /// Several values of one key: a field holds them as one array and cannot tell them from one value that is a list.
    RepeatedKey,
    /// The form has no place for a unit; the bare value is kept.
    Unit,
    /// The key has a dot: it is stored as a field name, and no path reaches it.
    DottedKey,
    /// The key cannot be a field name: it is empty, begins with `$` or holds a NUL.
    UnwritableKey,
    /// A common field, or the array itself, already has this name; what came second is left out.
    NameTaken,
    /// A common field that is not listed as one: where attributes are root fields, it is read as an attribute.
    BecomesAttribute,
    /// An entity without attributes has no row.
    NoRow,
    /// An element that is not a pair of a text key and a value.
    NotAPair,
    /// An element with fields beside key, value and unit.
    ExtraField,
}

impl LossKind {
    /// The stable name used in JSON.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::RepeatedKey => "repeated-key",
            Self::Unit => "unit",
            Self::DottedKey => "dotted-key",
            Self::UnwritableKey => "unwritable-key",
            Self::NameTaken => "name-taken",
            Self::BecomesAttribute => "becomes-attribute",
            Self::NoRow => "no-row",
            Self::NotAPair => "not-a-pair",
            Self::ExtraField => "extra-field",
        }
    }

    fn words(self) -> Words {
        match self {
            Self::RepeatedKey => Words::new(
                "several values of one key become one array, which looks like one value that is a list",
                "mehrere Werte zu einem Schlüssel werden ein Array und sehen aus wie ein Wert, der eine Liste ist",
            ),
            Self::Unit => Words::new(
                "a field has no place for the unit; only the value is kept",
                "ein Feld hat keinen Platz für die Einheit; nur der Wert bleibt",
            ),
            Self::DottedKey => Words::new(
                "a key with a dot becomes a field name that no path reaches",
                "ein Schlüssel mit Punkt wird ein Feldname, den kein Pfad erreicht",
            ),
            Self::UnwritableKey => Words::new(
                "a key that is empty or begins with $ cannot be a field name",
                "ein Schlüssel, der leer ist oder mit $ beginnt, kann kein Feldname sein",
            ),
            Self::NameTaken => {
                Words::new("another field already has this name", "ein anderes Feld trägt diesen Namen schon")
            }
            Self::BecomesAttribute => Words::new(
                "this field is not known as a common one and is read as an attribute",
                "dieses Feld ist nicht als gemeinsames bekannt und wird als Attribut gelesen",
            ),
            Self::NoRow => {
                Words::new("an entity without attributes has no row", "eine Entität ohne Attribute hat keine Zeile")
            }
            Self::NotAPair => {
                Words::new("an element is no pair of key and value", "ein Element ist kein Paar aus Schlüssel und Wert")
            }
            Self::ExtraField => Words::new(
                "an element has a field beside key, value and unit",
                "ein Element hat ein Feld neben Schlüssel, Wert und Einheit",
            ),
        }
    }
}

/// One fact that another design does not hold as it was.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// The entity's `_id`.
    pub entity: Bson,
    /// The key or the field; empty where the whole entity is meant.
    pub key: String,
    /// Why.
    pub kind: LossKind,
}

/// Losses told in lines, one for each kind: how many, of which keys, and why.
#[must_use]
pub fn loss_lines(losses: &[Loss], lang: Lang) -> Vec<String> {
    let mut kinds: Vec<LossKind> = losses.iter().map(|loss| loss.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.into_iter().map(|kind| loss_line(losses, kind, lang)).collect()
}

fn loss_line(losses: &[Loss], kind: LossKind, lang: Lang) -> String {
    const SHOWN: usize = 5;
    let of_kind: Vec<_> = losses.iter().filter(|loss| loss.kind == kind).collect();
    let mut keys: Vec<&str> = of_kind.iter().map(|loss| loss.key.as_str()).filter(|key| !key.is_empty()).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut named = keys.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if keys.len() > SHOWN {
        named.push_str(", …");
    }
    let line = if named.is_empty() {
        Words::new("{count} × not held: {why}", "{count} × nicht gehalten: {why}")
    } else {
        Words::new("{count} × not held ({keys}): {why}", "{count} × nicht gehalten ({keys}): {why}")
    };
    let values = [("count", of_kind.len().to_string()), ("keys", named), ("why", kind.words().get(lang).to_owned())];
    line.fill(lang, &values.each_ref().map(|(name, value)| (*name, value.as_str())))
}
