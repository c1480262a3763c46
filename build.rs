//! Packs the built-in course into one compressed text, a third of its size, reads the grammar that colours statements, so that
//! no start has to.

use std::io::{Error, Result, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use syntect::dumps::dump_to_uncompressed_file;
use syntect::parsing::{SyntaxDefinition, SyntaxSetBuilder};

const GRAMMAR: &str = "src/shell/mongosh.sublime-syntax";

fn main() -> Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    read_grammar(&out)?;
    let mut packed = DeflateEncoder::new(fs::File::create(out.join("course.deflate"))?, Compression::best());
    let mut bytes = 0;
    for folder in ["lessons", "exercises"] {
        println!("cargo::rerun-if-changed={folder}");
        bytes += pack(Path::new(folder), folder, &mut packed)?;
    }
    packed.finish()?;
    println!("cargo::rustc-env=PEGBOARD_COURSE_BYTES={bytes}");
    Ok(())
}

/// Reads the grammar and writes what was read as the program takes it.
fn read_grammar(out: &Path) -> Result<()> {
    println!("cargo::rerun-if-changed={GRAMMAR}");
    let grammar = SyntaxDefinition::load_from_str(&fs::read_to_string(GRAMMAR)?, false, None).map_err(Error::other)?;
    let mut set = SyntaxSetBuilder::new();
    set.add(grammar);
    dump_to_uncompressed_file(&set.build(), out.join("mongosh.packdump")).map_err(Error::other)
}

/// Writes every file below a folder in the order of names: its path, its length in bytes, each on a line, then its text.
/// Tells how many bytes that makes.
fn pack(folder: &Path, shown: &str, out: &mut impl Write) -> Result<usize> {
    let mut names: Vec<_> = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<Result<_>>()?;
    names.sort();
    let mut bytes = 0;
    for name in names {
        let path = folder.join(&name);
        let shown = format!("{shown}/{}", name.to_string_lossy());
        bytes += if path.is_dir() {
            pack(&path, &shown, out)?
        } else {
            let text = fs::read_to_string(&path)
                .map_err(|error| Error::other(format!("{shown}: {error}")))?
                .replace("\r\n", "\n");
            let file = format!("{shown}\n{}\n{text}", text.len());
            out.write_all(file.as_bytes())?;
            file.len()
        };
    }
    Ok(bytes)
}
