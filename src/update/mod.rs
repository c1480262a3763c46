//! Changing documents: update operators, array filters, replacements.
