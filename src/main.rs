//! The `pegboard` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    pegboard::cli::main()
}
