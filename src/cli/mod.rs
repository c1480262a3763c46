//! Arguments and exit codes: 0 done, 1 a result below the asked line or a failed statement, 2 usage, 3 could not grade.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod app;

/// Learn how MongoDB documents should be shaped.
#[derive(Debug, Parser)]
#[command(version, about, disable_help_subcommand = true)]
struct Arguments {
    /// Words in reading order, without a drawn screen.
    #[arg(long)]
    plain: bool,
    #[command(subcommand)]
    command: Option<Task>,
}

/// What can be done without the terminal app.
#[derive(Debug, Subcommand)]
enum Task {}

/// Runs the program with the process's own arguments.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.command {
        Some(task) => match task {},
        None => app::run(arguments.plain).unwrap_or_else(|error| {
            eprintln!("pegboard: {error:#}");
            ExitCode::FAILURE
        }),
    }
}
