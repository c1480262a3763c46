//! The terminal app, or the same course as plain text where there is no terminal for it.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::{lessons, paths};
use crate::course::{Pack, Progress, ProgressFile};
use crate::tui::{self, App, Kept, Model, Settings, Theme};
use crate::words::{Lang, Words};

const DAMAGED: Words =
    Words::new("A file was damaged; it is kept as {path}.", "Eine Datei war beschädigt; sie liegt noch als {path} da.");

const UNREADABLE: Words = Words::new(
    "{path} cannot be read ({error}); what is done now may not be kept.",
    "{path} ist nicht lesbar ({error}); was jetzt geschieht, bleibt vielleicht nicht erhalten.",
);
const NEWER: Words = Words::new(
    "A newer Pegboard wrote {path}. The file stays as it is, and what is done now is not kept.",
    "Ein neueres Pegboard hat {path} geschrieben. Die Datei bleibt, wie sie ist; was jetzt geschieht, wird nicht aufbewahrt.",
);

/// Runs the app with the built-in course or with a pack's folder; `plain` asks for words in reading order instead of a drawn
/// screen.
///
/// # Errors
/// What the terminal refuses, and a course that cannot be read.
pub fn run(plain: bool, folder: Option<&Path>) -> anyhow::Result<ExitCode> {
    let variable = |name: &str| std::env::var(name).ok();
    let dumb = variable("TERM").is_some_and(|term| term == "dumb");
    let pack = match folder {
        None => built_in()?,
        Some(_) => match lessons::open(folder) {
            Ok(pack) => pack,
            Err(code) => return Ok(code),
        },
    };
    let mut model = open(pack, folder.is_some())?;
    if plain || dumb || !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        let prompt = if io::stdin().is_terminal() { "pegboard> " } else { "" };
        tui::plain::run(&mut model, io::stdin().lock(), &mut io::stdout().lock(), prompt)?;
        return Ok(ExitCode::SUCCESS);
    }
    let ended = tui::run(App::new(model, Theme::detect(variable)))?;
    if let Some(trouble) = ended.trouble {
        eprintln!("pegboard: {trouble}");
    }
    match ended.signal {
        Some(signal) => Ok(ExitCode::from(u8::try_from(128 + signal).unwrap_or(1))),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// The built-in course.
///
/// # Errors
/// A course with faults, which no released program has.
pub(super) fn built_in() -> anyhow::Result<Pack> {
    Pack::built_in().map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        anyhow::anyhow!("{}", lines.join("\n"))
    })
}

/// The learner's course, progress and settings; each pack has a progress of its own.
fn open(pack: Pack, own: bool) -> anyhow::Result<Model> {
    let mut warnings = Vec::new();
    let lang = language();
    let wishes = paths::settings()?;
    let unreadable = |path: &Path, error: io::Error| {
        UNREADABLE.fill(lang, &[("path", &path.display().to_string()), ("error", &error.to_string())])
    };
    let damaged = |aside: PathBuf| DAMAGED.fill(lang, &[("path", &aside.display().to_string())]);
    let settings = match Settings::read(&wishes, lang) {
        Ok((settings, aside)) => {
            warnings.extend(aside.map(damaged));
            settings
        }
        Err(error) => {
            warnings.push(unreadable(&wishes, error));
            Settings { lang, ..Settings::default() }
        }
    };
    let file = ProgressFile::new(paths::progress(own.then_some(pack.manifest.id.as_str()))?);
    let progress = match file.open() {
        Ok(opened) => {
            warnings.extend(opened.set_aside.map(damaged));
            let newer = |_| NEWER.fill(lang, &[("path", &file.path().display().to_string())]);
            warnings.extend(opened.newer.map(newer));
            opened.progress
        }
        Err(error) => {
            warnings.push(unreadable(file.path(), error));
            Progress::default()
        }
    };
    let mut model = Model::new(pack, progress, settings, Some(Kept { progress: file, settings: wishes }));
    model.warnings = warnings;
    Ok(model)
}

/// The language of the environment, as POSIX orders its variables.
fn language() -> Lang {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_MESSAGES")).or_else(|| set("LANG"));
    Lang::from_locale(&locale.unwrap_or_default())
}
