//! A pack's files as text, compiled in or read from a folder that is not trusted.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::DeflateDecoder;

use super::problem::Problem;

/// The built-in course as `build.rs` packs it: path and length on a line each, then the text, file after file.
static BUILT_IN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/course.deflate"));

/// No file of a pack may be larger.
pub const MAX_FILE_BYTES: u64 = 256 * 1024;
/// No pack may have more files.
const MAX_FILES: usize = 4000;

/// The files of a pack by path, `/` between folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files(BTreeMap<String, String>);

impl Files {
    /// The files compiled into the program.
    ///
    /// # Panics
    /// Never: what is unpacked is what the build packed.
    #[must_use]
    pub fn built_in() -> Self {
        let mut text = String::new();
        DeflateDecoder::new(BUILT_IN).read_to_string(&mut text).expect("the build packed text");
        let mut files = BTreeMap::new();
        let mut rest = text.as_str();
        while let Some((path, file, next)) = unpack(rest) {
            files.insert(path.to_owned(), file.to_owned());
            rest = next;
        }
        Self(files)
    }

    /// Reads `lessons/` and `exercises/` below a folder.
    ///
    /// # Errors
    /// Links that lead out, files that are too large or no text, and a folder that cannot be read.
    pub fn read(root: &Path) -> Result<Self, Vec<Problem>> {
        let mut reader = Reader { files: BTreeMap::new(), problems: Vec::new() };
        for part in ["lessons", "exercises"] {
            reader.folder(&root.join(part), part);
        }
        if reader.problems.is_empty() { Ok(Self(reader.files)) } else { Err(reader.problems) }
    }

    /// One file's text.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// All files whose path begins so, in order.
    pub fn below<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0
            .range(prefix.to_owned()..)
            .take_while(move |(path, _)| path.starts_with(prefix))
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }
}

/// The first file of a packed text, as path and text, and what follows it.
fn unpack(packed: &str) -> Option<(&str, &str, &str)> {
    let (path, rest) = packed.split_once('\n')?;
    let (length, rest) = rest.split_once('\n')?;
    let (text, next) = rest.split_at_checked(length.parse().ok()?)?;
    Some((path, text, next))
}

struct Reader {
    files: BTreeMap<String, String>,
    problems: Vec<Problem>,
}

impl Reader {
    fn folder(&mut self, folder: &Path, shown: &str) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.refuse(shown, &format!("this folder cannot be read: {error}")),
        };
        let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        for name in names {
            let path = folder.join(&name);
            let shown = format!("{shown}/{}", name.to_string_lossy());
            match fs::symlink_metadata(&path) {
                Ok(meta) if meta.is_symlink() => self.refuse(&shown, "a pack holds no links"),
                Ok(meta) if meta.is_dir() => self.folder(&path, &shown),
                Ok(meta) => self.file(&path, &shown, meta.len()),
                Err(error) => self.refuse(&shown, &error.to_string()),
            }
        }
    }

    fn file(&mut self, path: &Path, shown: &str, bytes: u64) {
        let known =
            path.extension().is_some_and(|kind| ["md", "js", "json", "toml"].iter().any(|known| kind == *known));
        if !known {
            return;
        }
        if bytes > MAX_FILE_BYTES {
            return self.refuse(shown, &format!("{bytes} bytes; a pack's file has at most {MAX_FILE_BYTES}"));
        }
        if self.files.len() >= MAX_FILES {
            return self.refuse(shown, &format!("a pack has at most {MAX_FILES} files"));
        }
        match read_limited(path) {
            Ok(text) => {
                self.files.insert(shown.into(), text.replace("\r\n", "\n"));
            }
            Err(error) => self.refuse(shown, &format!("this is no readable text: {error}")),
        }
    }

    fn refuse(&mut self, shown: &str, message: &str) {
        self.problems.push(Problem::of_file(shown, message));
    }
}

/// Reads at most the allowed bytes, also of a file that grows or is none.
fn read_limited(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    fs::File::open(path)?.take(MAX_FILE_BYTES).read_to_string(&mut text)?;
    Ok(text)
}
