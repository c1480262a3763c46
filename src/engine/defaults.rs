//! A command as the collection completes it: with the collation the collection was created with.

use std::borrow::Cow;

use crate::engine::{Command, Database};

impl Database {
    /// The command with its collection's default collation, where it names none itself and there is one.
    pub(super) fn completed<'c>(&self, command: &'c Command) -> Cow<'c, Command> {
        let collated = command
            .collection()
            .and_then(|name| self.catalog.get(name))
            .and_then(|collection| collection.options().get_document("collation").ok());
        match collated {
            None => Cow::Borrowed(command),
            Some(collation) => {
                let mut command = command.clone();
                command.complete(collation);
                Cow::Owned(command)
            }
        }
    }
}
