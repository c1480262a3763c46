//! Writes pictures of the program's own screens.

use std::fs;
use std::path::PathBuf;

use super::app::built_in;
use crate::tui;

/// Where to.
#[derive(Debug, clap::Args)]
pub struct Pictures {
    /// The folder that the pictures are written to.
    folder: PathBuf,
}

/// Writes every picture as SVG, on a dark and on a light ground.
///
/// # Errors
/// A folder that cannot be written.
pub fn write(wanted: &Pictures) -> anyhow::Result<()> {
    fs::create_dir_all(&wanted.folder)?;
    for (name, picture) in tui::pictures(&built_in()?) {
        fs::write(wanted.folder.join(name), picture)?;
    }
    Ok(())
}
