//! Running a projection over a document.

use std::cell::Cell;

use super::tree::{Branch, Node};
use crate::error::{CommandError, Result};
use crate::query::expr::{Env, Expression};
use crate::query::{Matcher, Witness};
use crate::value::{ArrayBuilder, ArrayView, Bson, DocView, Document, DocumentBuilder, Packed, RawDocumentBuf, View};

/// The first pass: what is kept, dropped and sliced.
pub(super) struct Run {
    pub(super) exclusion: bool,
    pub(super) position: Option<usize>,
    /// Whether the array that the positional operator cuts is still to come.
    pub(super) positional: Cell<bool>,
}

impl Run {
    pub(super) fn document(&self, branch: &Branch, document: DocView<'_>) -> Result<RawDocumentBuf> {
        let mut out = DocumentBuilder::new();
        self.fields(branch, document, &mut out)?;
        Ok(out.finish())
    }

    fn fields(&self, branch: &Branch, document: DocView<'_>, out: &mut DocumentBuilder) -> Result<()> {
        for (name, value) in document.iter() {
            match (branch.get(name), value) {
                (Some(Node::Keep), _) => out.append(name, value),
                (None, _) if self.exclusion => out.append(name, value),
                (None | Some(Node::Drop | Node::Element(_) | Node::Computed(_)), _) => {}
                (Some(Node::Slice(slice)), View::Array(array)) => out.append(name, slice.of(array).view()),
                (Some(Node::Matched), View::Array(array)) => out.append(name, self.matched(array)?.view()),
                (Some(Node::Slice(_) | Node::Matched), _) => out.append(name, value),
                (Some(Node::Branch(inner)), _) => match self.below(inner, value)? {
                    Some(projected) => out.append(name, projected.view()),
                    // What is computed below it comes in its place.
                    None if inner.computes() => out.append(name, View::Document((&Document::new()).into())),
                    None => {}
                },
            }
        }
        Ok(())
    }

    /// A value behind which paths go on: an inclusion drops scalars, an exclusion keeps them.
    fn below(&self, branch: &Branch, value: View<'_>) -> Result<Option<Packed>> {
        match value {
            View::Document(document) => {
                let mut out = DocumentBuilder::packed();
                self.fields(branch, document, &mut out)?;
                Ok(Some(out.finish_packed()))
            }
            View::Array(array) => self.elements(branch, array).map(Some),
            scalar => Ok(self.exclusion.then(|| Packed::new(scalar))),
        }
    }

    fn elements(&self, branch: &Branch, array: ArrayView<'_>) -> Result<Packed> {
        let only = (branch.is_positional() && self.positional.get()).then(|| self.index(array)).transpose()?;
        if only.is_some() {
            self.positional.set(false);
        }
        let mut out = ArrayBuilder::new();
        for (_, element) in array.iter().enumerate().filter(|(index, _)| only.is_none_or(|only| only == *index)) {
            match self.below(branch, element)? {
                Some(projected) => out.push(projected.view()),
                None if branch.computes() => out.push(View::Document((&Document::new()).into())),
                None => {}
            }
        }
        if only.is_some() {
            self.positional.set(true);
        }
        Ok(out.finish())
    }

    fn matched(&self, array: ArrayView<'_>) -> Result<Packed> {
        if !self.positional.get() {
            return Ok(Packed::new(View::Array(array)));
        }
        let index = self.index(array)?;
        Ok(array.iter().skip(index).take(1).collect::<ArrayBuilder>().finish())
    }

    fn index(&self, array: ArrayView<'_>) -> Result<usize> {
        let refuse = |code, what: &str| {
            let message = format!("Executor error during find command :: caused by :: positional operator '.$' {what}");
            Err(CommandError::new(code, message))
        };
        match self.position {
            None => refuse(51246, "couldn't find a matching element in the array"),
            Some(index) if index >= array.len() => refuse(51247, "element mismatch"),
            Some(index) => Ok(index),
        }
    }
}

/// The second pass: puts computed fields into what the first one left. A branch that computes keeps the place of the field
/// that was there, others follow (`ProjectionNode::applyExpressions`).
pub(super) fn compute(branch: &Branch, out: &mut Document, source: DocView<'_>, env: &Env<'_>) -> Result<()> {
    for (name, node) in &branch.fields {
        match node {
            Node::Computed(expression) => set(out, name, evaluated(expression, env)?),
            Node::Element(matcher) => set(out, name, element(matcher, name, source)),
            Node::Branch(inner) if inner.computes() => {
                let before = out.get_mut(&**name).map(std::mem::take);
                let value = compute_below(inner, before, source, env)?;
                set(out, name, Some(value));
            }
            _ => {}
        }
    }
    Ok(())
}

fn evaluated<'a>(expression: &'a Expression, env: &Env<'a>) -> Result<Option<Bson>> {
    Ok(expression.evaluate(env)?.view().map(|view| view.to_bson()))
}

fn set(out: &mut Document, name: &str, value: Option<Bson>) {
    match value {
        Some(value) => {
            out.insert(name, value);
        }
        None => {
            out.remove(name);
        }
    }
}

/// Arrays are gone through; whatever else is no document gives way to one of the computed fields.
fn compute_below(branch: &Branch, value: Option<Bson>, source: DocView<'_>, env: &Env<'_>) -> Result<Bson> {
    match value {
        Some(Bson::Array(items)) => {
            let below = |item| compute_below(branch, Some(item), source, env);
            items.into_iter().map(below).collect::<Result<_>>().map(Bson::Array)
        }
        Some(Bson::Document(mut document)) => {
            compute(branch, &mut document, source, env)?;
            Ok(Bson::Document(document))
        }
        _ => {
            let mut document = Document::new();
            compute(branch, &mut document, source, env)?;
            Ok(Bson::Document(document))
        }
    }
}

/// The first element that fits, alone in an array; nothing where the field is no array or none fits.
fn element(matcher: &Matcher, name: &str, source: DocView<'_>) -> Option<Bson> {
    let Some(View::Array(array)) = source.get(name) else {
        return None;
    };
    let mut witness = Witness::default();
    if !matcher.judge(source, &mut witness) {
        return None;
    }
    let found = array.get(witness.position()?)?;
    Some(Bson::Array(vec![found.to_bson()]))
}
