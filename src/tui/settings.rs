//! What the learner has set, kept as a readable file beside the progress.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::course::{set_aside, write_by_rename};
use crate::tui::theme::{Depth, Ground, Theme};
use crate::words::{Lang, Words};

/// The learner's wishes; what is missing in the file is as for a new learner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The language's code; none is the environment's.
    #[serde(rename = "lang")]
    pub chosen: Option<String>,
    /// The language spoken now.
    #[serde(skip)]
    pub lang: Lang,
    /// Whether a line says what to do next and what the keys do.
    pub learning: bool,
    /// Whether the mouse is the app's.
    pub mouse: bool,
    /// Dark or light; none is what the terminal reports.
    pub light: Option<bool>,
    /// Whether the terminal has reported a light ground last, so that the next start draws for it at once.
    pub seen_light: Option<bool>,
    /// Whether colours are shown, where the terminal has any.
    pub colours: bool,
    /// How many percent of a wide screen the lesson takes.
    pub split: u16,
    /// How many percent of a wide screen's height the editor takes; none lets it grow with its text.
    pub editor: u16,
    /// Whether the welcome has been seen.
    pub welcomed: bool,
    /// What other versions of the program keep in the file.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
    /// What the file held when it was last read or written.
    #[serde(skip)]
    pub written: Map<String, Value>,
}

/// One thing to set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// English or German.
    Language,
    /// The line of advice.
    Learning,
    /// Dark, light, or as the terminal reports.
    Ground,
    /// Colours or none.
    Colours,
    /// The mouse.
    Mouse,
    /// The share of the lesson.
    Split,
}

const YES: Words = Words::new("on", "an");
const NO: Words = Words::new("off", "aus");
const DARK: Words = Words::new("dark", "dunkel");
const LIGHT: Words = Words::new("light", "hell");
const AUTO: Words = Words::new("automatic", "automatisch");

impl Default for Settings {
    fn default() -> Self {
        Self {
            chosen: None,
            lang: Lang::En,
            learning: true,
            mouse: true,
            light: None,
            seen_light: None,
            colours: true,
            split: 42,
            editor: 0,
            welcomed: false,
            rest: Map::new(),
            written: Map::new(),
        }
    }
}

impl Settings {
    /// Reads the settings; a missing file gives a new learner's, a damaged one is renamed to `….damaged-N` and named.
    ///
    /// # Errors
    /// A file that cannot be read or renamed.
    pub fn read(path: &Path, environment: Lang) -> io::Result<(Self, Option<PathBuf>)> {
        let fresh = Self { lang: environment, ..Self::default() };
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((fresh, None)),
            Err(error) => return Err(error),
        };
        let Some((read, written)) = parse(&bytes) else { return Ok((fresh, Some(set_aside(path)?))) };
        let lang = read.chosen.as_deref().map_or(environment, Lang::from_locale);
        Ok((Self { lang, written, ..read }, None))
    }

    /// Writes what has changed since the file was read, under a lock: what another window has changed meanwhile stays.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn write(&mut self, path: &Path) -> io::Result<()> {
        let Value::Object(mine) = serde_json::to_value(&*self)? else { return Ok(()) };
        if mine == self.written {
            return Ok(());
        }
        fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        let lock = fs::File::create(path.with_extension("lock"))?;
        lock.lock()?;
        let mut kept = fs::read(path).ok().and_then(|bytes| Some(parse(&bytes)?.1)).unwrap_or_default();
        for (name, value) in &mine {
            if self.written.get(name) != Some(value) {
                kept.insert(name.clone(), value.clone());
            }
        }
        let mut text = serde_json::to_vec_pretty(&kept)?;
        text.push(b'\n');
        write_by_rename(path, &text)?;
        self.written = mine;
        Ok(())
    }

    /// The theme these wishes make of a detected one.
    #[must_use]
    pub fn theme(&self, detected: Theme) -> Theme {
        let ground = match self.light.or(self.seen_light) {
            Some(true) => Ground::Light,
            Some(false) => Ground::Dark,
            None => detected.ground,
        };
        Theme { ground, depth: if self.colours { detected.depth } else { Depth::None } }
    }

    /// Changes one thing to its next value.
    pub fn change(&mut self, setting: Setting) {
        match setting {
            Setting::Language => {
                self.lang = if self.lang == Lang::En { Lang::De } else { Lang::En };
                self.chosen = Some(self.lang.code().into());
            }
            Setting::Learning => self.learning = !self.learning,
            Setting::Ground => {
                self.light = match self.light {
                    None => Some(false),
                    Some(false) => Some(true),
                    Some(true) => None,
                }
            }
            Setting::Colours => self.colours = !self.colours,
            Setting::Mouse => self.mouse = !self.mouse,
            Setting::Split => self.split = if self.split >= 60 { 30 } else { self.split + 6 },
        }
    }

    /// The value of one thing, as it is shown.
    #[must_use]
    pub fn shown(&self, setting: Setting) -> String {
        let switch = |on: bool| if on { YES } else { NO };
        let words = match setting {
            Setting::Language => return self.lang.code().into(),
            Setting::Split => return format!("{} %", self.split),
            Setting::Learning => switch(self.learning),
            Setting::Colours => switch(self.colours),
            Setting::Mouse => switch(self.mouse),
            Setting::Ground => match self.light {
                None => AUTO,
                Some(false) => DARK,
                Some(true) => LIGHT,
            },
        };
        words.get(self.lang).into()
    }
}

/// The settings in a file, and everything that the file holds.
fn parse(bytes: &[u8]) -> Option<(Settings, Map<String, Value>)> {
    let Value::Object(all) = serde_json::from_slice(bytes).ok()? else { return None };
    Some((serde_json::from_value(Value::Object(all.clone())).ok()?, all))
}

impl Setting {
    /// All, in the order shown.
    pub const ALL: [Self; 6] = [Self::Language, Self::Learning, Self::Ground, Self::Colours, Self::Mouse, Self::Split];

    /// Its name.
    #[must_use]
    pub fn name(self) -> Words {
        match self {
            Self::Language => Words::new("Language", "Sprache"),
            Self::Learning => Words::new("Learning mode", "Lernmodus"),
            Self::Ground => Words::new("Ground", "Hintergrund"),
            Self::Colours => Words::new("Colours", "Farben"),
            Self::Mouse => Words::new("Mouse", "Maus"),
            Self::Split => Words::new("Width of the lesson", "Breite der Lektion"),
        }
    }

    /// What it changes.
    #[must_use]
    pub fn about(self) -> Words {
        match self {
            Self::Language => Words::new("English or German.", "Englisch oder Deutsch."),
            Self::Learning => Words::new(
                "A line above the keys says what to do next.",
                "Eine Zeile über den Tasten sagt, was als Nächstes zu tun ist.",
            ),
            Self::Ground => Words::new(
                "The theme: colours for a dark or a light terminal.",
                "Das Farbschema: für ein dunkles oder helles Terminal.",
            ),
            Self::Colours => Words::new("Off: weight and underlines only.", "Aus: nur fett und unterstrichen."),
            Self::Mouse => {
                Words::new("Off: the terminal selects text itself.", "Aus: das Terminal wählt selbst Text aus.")
            }
            Self::Split => Words::new("On wide screens, in percent.", "Auf breiten Schirmen, in Prozent."),
        }
    }
}
