//! Standard output of the plain commands: a reader that has gone away ends the program quietly, never with a panic.

use std::fmt::Arguments;
use std::io::{self, Write};

/// Prints a line; takes what `println!` takes.
macro_rules! line {
    ($($argument:tt)*) => { $crate::cli::out::write(format_args!("{}\n", format_args!($($argument)*))) };
}

/// Prints a text without an end of line; takes what `print!` takes.
macro_rules! text {
    ($($argument:tt)*) => { $crate::cli::out::write(format_args!($($argument)*)) };
}

pub(super) use {line, text};

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
