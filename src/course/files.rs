//! A pack's files as text, compiled in or read from a folder that is not trusted.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use flate2::read::DeflateDecoder;

use super::problem::{Problem, place};

/// The built-in course as `build.rs` packs it: path and length on a line each, then the text, file after file.
static BUILT_IN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/course.deflate"));

/// No file of a pack may be larger.
pub const MAX_FILE_BYTES: u64 = 256 * 1024;
/// No pack may have more files.
const MAX_FILES: usize = 4000;
/// All files of a pack together may not be larger.
const MAX_PACK_BYTES: u64 = 32 << 20;
/// Folders may not lie deeper in each other.
const MAX_DEPTH: usize = 8;
/// The kinds of file that a pack has.
const KINDS: [&str; 4] = ["md", "js", "json", "toml"];

/// The files of a pack by path, `/` between folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files(Arc<BTreeMap<String, String>>);

impl Files {
    /// The files compiled into the program.
    ///
    /// # Panics
    /// Never: what is unpacked is what the build packed.
    #[must_use]
    pub fn built_in() -> Self {
        let mut text = String::with_capacity(env!("PEGBOARD_COURSE_BYTES").parse().unwrap_or(0));
        DeflateDecoder::new(BUILT_IN).read_to_string(&mut text).expect("the build packed text");
        let mut files = BTreeMap::new();
        let mut rest = text.as_str();
        while let Some((path, file, next)) = unpack(rest) {
            files.insert(path.to_owned(), file.to_owned());
            rest = next;
        }
        Self(Arc::new(files))
    }

    /// Reads `lessons/` and `exercises/` below a folder.
    ///
    /// # Errors
    /// Links that lead out, files that are too large or no text, and a folder that cannot be read.
    pub fn read(root: &Path) -> Result<Self, Vec<Problem>> {
        let mut reader = Reader { files: BTreeMap::new(), problems: Vec::new(), bytes: 0 };
        for part in ["lessons", "exercises"] {
            reader.entry(&root.join(part), part, 0);
        }
        if reader.problems.is_empty() { Ok(Self(Arc::new(reader.files))) } else { Err(reader.problems) }
    }

    /// One file's text.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    /// All paths, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// A fault at the first place from a line on where a file has this text; of the file as a whole where it has not.
    #[must_use]
    pub fn fault(&self, path: &str, from: usize, text: &str, message: impl Into<String>) -> Problem {
        let file = self.get(path).unwrap_or_default();
        let start: usize = file.split_inclusive('\n').take(from.saturating_sub(1)).map(str::len).sum();
        match file[start..].find(text) {
            Some(at) => {
                let (line, column) = place(file, start + at);
                Problem::new(path, line, column, message)
            }
            None => Problem::of_file(path, message),
        }
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
    bytes: u64,
}

impl Reader {
    fn folder(&mut self, folder: &Path, shown: &str, depth: usize) {
        if depth > MAX_DEPTH {
            return self.refuse(shown, "folders lie too deep in each other");
        }
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.refuse(shown, &format!("this folder cannot be read: {error}")),
        };
        let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        for name in names {
            let path = folder.join(&name);
            let shown = format!("{shown}/{}", name.to_string_lossy());
            self.entry(&path, &shown, depth);
        }
    }

    fn entry(&mut self, path: &Path, shown: &str, depth: usize) {
        match fs::symlink_metadata(path) {
            Ok(meta) if meta.is_symlink() => self.refuse(shown, "a pack holds no links"),
            Ok(meta) if meta.is_dir() => self.folder(path, shown, depth + 1),
            Ok(meta) if meta.is_file() => self.file(path, shown, meta.len()),
            Ok(_) => self.refuse(shown, "this is neither a file nor a folder"),
            Err(error) => self.refuse(shown, &format!("this cannot be read: {error}")),
        }
    }

    fn file(&mut self, path: &Path, shown: &str, bytes: u64) {
        if !path.extension().is_some_and(|kind| KINDS.iter().any(|known| kind == *known)) {
            return self.refuse(shown, &format!("a pack's files end in .{}", KINDS.join(", .")));
        }
        if bytes > MAX_FILE_BYTES {
            return self.refuse(shown, &format!("{bytes} bytes; a pack's file has at most {MAX_FILE_BYTES}"));
        }
        self.bytes += bytes;
        if self.files.len() >= MAX_FILES || self.bytes > MAX_PACK_BYTES {
            return self.refuse(shown, &format!("a pack has at most {MAX_FILES} files and {MAX_PACK_BYTES} bytes"));
        }
        match read_limited(path).map(String::from_utf8) {
            Ok(Ok(text)) => _ = self.files.insert(shown.into(), text.replace("\r\n", "\n")),
            Ok(Err(error)) => {
                let good = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]).into_owned();
                let (line, column) = place(&good, good.len());
                self.problems.push(Problem::new(shown, line, column, "this is no UTF-8 text"));
            }
            Err(error) => self.refuse(shown, &format!("this cannot be read: {error}")),
        }
    }

    fn refuse(&mut self, shown: &str, message: &str) {
        self.problems.push(Problem::of_file(shown, message));
    }
}

/// Reads at most the allowed bytes, also of a file that grows meanwhile.
fn read_limited(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MAX_FILE_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}
