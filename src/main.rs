//! The `pegboard` command.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Documents, keys and plans are many small pieces, which it hands out and takes back in half the time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    pegboard::cli::main()
}
