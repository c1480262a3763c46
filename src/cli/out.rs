//! Standard output of the plain commands: a reader that has gone away ends the program quietly, never with a panic.

use std::fmt::Arguments;
#[cfg(target_os = "linux")]
use std::fs;
use std::io::{self, Write};
#[cfg(target_os = "linux")]
use std::path::Path;

/// Prints a line; takes what `println!` takes.
macro_rules! line {
    ($($argument:tt)*) => { $crate::cli::out::write(format_args!("{}\n", format_args!($($argument)*))) };
}

/// Prints a text without an end of line; takes what `print!` takes.
macro_rules! text {
    ($($argument:tt)*) => { $crate::cli::out::write(format_args!($($argument)*)) };
}

pub(super) use {line, text};

/// Whether standard output was closed before the program began: in its place the null device is open, and unlike one that
/// was asked for, for reading and writing.
#[cfg(target_os = "linux")]
pub(super) fn is_closed() -> bool {
    let null = fs::read_link("/proc/self/fd/1").is_ok_and(|file| file == Path::new("/dev/null"));
    let flags = fs::read_to_string("/proc/self/fdinfo/1").unwrap_or_default();
    let flags = flags.lines().find_map(|line| line.strip_prefix("flags:")).unwrap_or_default();
    null && u32::from_str_radix(flags.trim(), 8).is_ok_and(|flags| flags & 0b11 == 0b10)
}

/// Whether standard output was closed before the program began cannot be told here.
#[cfg(not(target_os = "linux"))]
pub(super) fn is_closed() -> bool {
    false
}

/// Writes to standard output. Where nobody reads any more the program ends as if all had been read (`… | head -1`); where
/// the output cannot be kept, such as on a full disk, it says so and ends with 1.
pub(super) fn write(text: Arguments<'_>) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_fmt(text).and_then(|()| out.flush()) {
        if error.kind() == io::ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        eprintln!("pegboard: {error}");
        std::process::exit(1);
    }
}
