//! Arguments and exit codes: 0 done, 1 a result below the asked line or a failed statement, 2 usage, 3 could not grade.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Learn how MongoDB documents should be shaped.
#[derive(Debug, Parser)]
#[command(version, about, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Task>,
}

/// What can be done without the terminal app.
#[derive(Debug, Subcommand)]
enum Task {}

/// Runs the program with the process's own arguments.
#[must_use]
pub fn main() -> ExitCode {
    match Arguments::parse().command {
        Some(task) => match task {},
        None => ExitCode::SUCCESS,
    }
}
