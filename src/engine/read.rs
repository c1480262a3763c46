//! Commands that only read.

use crate::engine::{Command, Database, Run};
use crate::error::{CommandError, ErrorCode, Result};

/// Runs a command that only reads.
pub(super) fn run(_database: &mut Database, command: &Command) -> Result<Run> {
    Err(CommandError::new(ErrorCode::CommandNotFound, format!("no such command: {command:?}")))
}
