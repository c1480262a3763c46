//! What the filters and expressions of one command share: collation, clock, chance and the variables of `let`.

use crate::engine::{Collation as Written, Command, Database};
use crate::error::{CommandError, CommandPath, Result};
use crate::query::Collation;
use crate::query::expr::Context;
use crate::value::Document;

impl Database {
    /// The context that a command's filter is judged in, with the collection's own collation where the command names none.
    ///
    /// # Errors
    /// Refuses a collation or `let` as the command itself would be refused.
    pub fn context(&self, command: &Command) -> Result<Context> {
        let placed = |name: &'static str| move |error: CommandError| error.within(&CommandPath::argument(name));
        let command = self.completed(command);
        let collation = Collation::parse(collation(&command)).map_err(placed("collation"))?;
        let mut context = Context::new(self.source.clone()).with_collation(collation);
        if let Some(variables) = variables(&command) {
            context.bind(variables).map_err(placed("let"))?;
        }
        Ok(context)
    }
}

fn collation(command: &Command) -> Option<&Written> {
    match command {
        Command::Find(find) => find.collation.as_ref(),
        Command::Aggregate(aggregate) => aggregate.collation.as_ref(),
        Command::Count(count) => count.collation.as_ref(),
        Command::Distinct(distinct) => distinct.collation.as_ref(),
        Command::Update(update) => update.spec.collation.as_ref(),
        Command::Delete(delete) => delete.collation.as_ref(),
        Command::FindAndModify(modify) => modify.collation.as_ref(),
        Command::Explain { command, .. } => collation(command),
        _ => None,
    }
}

fn variables(command: &Command) -> Option<&Document> {
    match command {
        Command::Find(find) => find.variables.as_ref(),
        Command::Aggregate(aggregate) => aggregate.variables.as_ref(),
        Command::Update(update) => update.spec.variables.as_ref(),
        Command::FindAndModify(modify) => modify.variables.as_ref(),
        Command::Explain { command, .. } => variables(command),
        _ => None,
    }
}
