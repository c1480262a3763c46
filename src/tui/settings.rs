//! What the learner has set, kept as a readable file beside the progress.

use serde::{Deserialize, Serialize};

use crate::tui::theme::{Depth, Ground, Theme};
use crate::words::Lang;

/// The learner's wishes; what is missing in the file is as for a new learner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The language.
    #[serde(with = "language")]
    pub lang: Lang,
    /// Whether the screen says what the keys do.
    pub learning: bool,
    /// Whether the mouse is the app's.
    pub mouse: bool,
    /// Dark or light; none is what the terminal reports.
    pub light: Option<bool>,
    /// Whether colours are shown, where the terminal has any.
    pub colours: bool,
    /// How many percent of a wide screen the lesson takes.
    pub split: u16,
    /// Whether the welcome has been seen.
    pub welcomed: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { lang: Lang::En, learning: true, mouse: true, light: None, colours: true, split: 42, welcomed: false }
    }
}

impl Settings {
    /// The theme these wishes make of a detected one.
    #[must_use]
    pub fn theme(&self, detected: Theme) -> Theme {
        let ground = match self.light {
            Some(true) => Ground::Light,
            Some(false) => Ground::Dark,
            None => detected.ground,
        };
        Theme { ground, depth: if self.colours { detected.depth } else { Depth::None } }
    }
}

mod language {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::words::Lang;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    pub fn serialize<S: Serializer>(lang: &Lang, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(lang.code())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Lang, D::Error> {
        Ok(Lang::from_locale(&String::deserialize(deserializer)?))
    }
}
