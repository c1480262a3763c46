//! What the filters and expressions of one command share: collation, clock, chance and the variables of `let`.

use crate::engine::{Command, Database};
use crate::error::{CommandError, CommandPath, Result};
use crate::query::Collation;
use crate::query::expr::Context;

impl Database {
    /// The context that a command's filter is judged in, with the collection's own collation where the command names none.
    ///
    /// # Errors
    /// Refuses a collation or `let` as the command itself would be refused.
    pub fn context(&self, command: &Command) -> Result<Context> {
        let placed = |name: &'static str| move |error: CommandError| error.within(&CommandPath::argument(name));
        let command = self.completed(command);
        let collation = Collation::parse(command.collation()).map_err(placed("collation"))?;
        let mut context = Context::new(self.source.clone()).with_collation(collation);
        if let Some(variables) = command.variables() {
            context.bind(variables).map_err(placed("let"))?;
        }
        Ok(context)
    }
}
