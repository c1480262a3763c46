//! Where the learner's files are: the XDG directories, and what stands for them on other systems.

use std::path::PathBuf;

use etcetera::BaseStrategy;

const NAME: &str = "pegboard";

/// The file with progress and half-typed text, of the built-in course or of a pack by its id.
///
/// # Errors
/// A system that names no home directory.
pub fn progress(pack: Option<&str>) -> anyhow::Result<PathBuf> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let of = |id: &str| format!("progress-{}.json", id.replace(|letter| !is_plain(letter), "_"));
    let name = pack.map_or_else(|| "progress.json".to_owned(), of);
    Ok(etcetera::choose_base_strategy()?.data_dir().join(NAME).join(name))
}

/// The file with the settings.
///
/// # Errors
/// A system that names no home directory.
pub fn settings() -> anyhow::Result<PathBuf> {
    Ok(etcetera::choose_base_strategy()?.config_dir().join(NAME).join("settings.json"))
}

/// The file through which a presentation of a lesson tells its notes to a second terminal.
///
/// # Errors
/// A system that names no home directory, or a folder that cannot be made.
pub fn presenting(lesson: &str) -> anyhow::Result<PathBuf> {
    let folder = etcetera::choose_base_strategy()?.cache_dir().join(NAME);
    std::fs::create_dir_all(&folder)?;
    Ok(folder.join(format!("presenting-{lesson}.json")))
}
