//! What `$addFields` refuses before it reads expressions (`ProjectionSpecValidator`,
//! `src/mongo/db/exec/add_fields_projection_executor.cpp`).

use crate::error::{CommandError, Result};
use crate::query::expr::show_stored;
use crate::value::{Bson, Document, Path, field_path};

/// Checks a specification.
///
/// # Errors
/// 40176 for two paths of which one lies on or below the other, 40181 for an operator with company, 40183 for a dotted
/// name inside a document.
pub fn check(specification: &Document) -> Result<()> {
    let mut checker = Checker { specification, seen: Vec::new() };
    for (name, value) in specification {
        let placed = |error: CommandError| error.inside_field(name);
        let path = field_path(name).map_err(placed)?;
        checker.element(value, path).map_err(placed)?;
    }
    Ok(())
}

struct Checker<'s> {
    specification: &'s Document,
    seen: Vec<Path>,
}

impl Checker<'_> {
    fn element(&mut self, value: &Bson, path: Path) -> Result<()> {
        match value {
            Bson::Document(inner) => self.document(inner, path),
            _ => self.claim(path),
        }
    }

    fn document(&mut self, document: &Document, path: Path) -> Result<()> {
        if document.is_empty() {
            return self.claim(path);
        }
        if let Some(operator) = document.keys().find(|name| name.starts_with('$')) {
            if document.len() != 1 {
                let (fields, shown, whole) = (document.len(), show_stored(document), show_stored(self.specification));
                let message = "an expression specification must contain exactly one field, the name of the expression.";
                let message = format!("{message} Found {fields} fields in {shown}, while parsing object {whole}");
                return Err(CommandError::new(40181, message).inside_field(operator));
            }
            return self.claim(path);
        }
        for (name, value) in document {
            let placed = |error: CommandError| error.inside_field(name);
            if name.contains('.') {
                let shown = show_stored(self.specification);
                return Err(placed(CommandError::new(
                    40183,
                    format!("cannot use dotted field name '{name}' in a sub object: {shown}"),
                )));
            }
            let inner = path.join(&field_path(name).map_err(placed)?);
            self.element(value, inner).map_err(placed)?;
        }
        Ok(())
    }

    /// A path may not lie on, above or below another one.
    fn claim(&mut self, path: Path) -> Result<()> {
        if let Some(other) = self.seen.iter().find(|other| other.is_prefix_of(&path) || path.is_prefix_of(other)) {
            let shown = show_stored(self.specification);
            let message = "specification contains two conflicting paths. Cannot specify both";
            return Err(CommandError::new(40176, format!("{message} '{path}' and '{other}': {shown}")));
        }
        self.seen.push(path);
        Ok(())
    }
}
