//! The learner's text with a part of it written anew: a filter, a command, stages of a pipeline.

use std::ops::Range;

use crate::engine::Command;
use crate::error::CommandPath;
use crate::pitfall::wording::Wording;
use crate::pitfall::{Case, Question, parts};
use crate::proof::plain;
use crate::shell::{Ran, Syntax, operation_literal, to_statement};
use crate::value::{Bson, Document};

/// What may be called on a find without doing more with its documents.
const SHAPES: [&str; 9] = ["sort", "skip", "limit", "hint", "collation", "comment", "batchSize", "pretty", "toArray"];

impl Case<'_> {
    /// The whole text with these bytes replaced.
    #[must_use]
    pub fn replaced(&self, span: &Range<usize>, with: &str) -> Option<String> {
        let text = self.script.text();
        Some(format!("{}{with}{}", text.get(..span.start)?, text.get(span.end..)?))
    }

    /// The whole text with a question's filter written anew; none where the filter was not typed as a literal.
    #[must_use]
    pub fn with_filter(&self, question: &Question<'_>, filter: &Document) -> Option<String> {
        self.with_filter_at(question.ran, &question.at, &plain(&question.form.typed(filter)?))
    }

    /// The whole text with the filter at a place of a command written anew, as it is; none where it was not typed as a
    /// literal.
    #[must_use]
    pub fn with_filter_at(&self, ran: &Ran, place: &CommandPath, filter: &Document) -> Option<String> {
        let node = ran.places.literal(place)?;
        self.replaced(&self.script.node(node).span, &Wording::of(self, ran).filter(filter))
    }

    /// The whole text with an argument of a command written anew; none where it was not typed as a literal.
    #[must_use]
    pub fn with_argument(&self, ran: &Ran, name: &str, value: &Bson) -> Option<String> {
        let node = ran.places.literal(&CommandPath::argument(name))?;
        self.replaced(&self.script.node(node).span, &Wording::of(self, ran).value(value))
    }

    /// The whole text with a command in another one's place, be that a call or an operation of a bulk write.
    #[must_use]
    pub fn with_command(&self, ran: &Ran, command: &Command) -> Option<String> {
        let span = ran.span.as_ref()?;
        let text =
            if self.is_operation(ran) { operation_literal(&parts::operation(command)?) } else { to_statement(command) };
        self.replaced(span, &text)
    }

    /// The whole text with commands in front of the statement that a run belongs to.
    #[must_use]
    pub fn with_before(&self, ran: &Ran, commands: &[Command]) -> Option<String> {
        let statement = self.script.statement_at(ran.span.as_ref()?.start)?;
        let start = self.script.node(statement).span.start;
        let statements: Vec<String> = commands.iter().map(to_statement).collect();
        self.replaced(&(start..start), &format!("{}; ", statements.join("; ")))
    }

    /// Whether a run is one operation of a bulk write.
    #[must_use]
    pub fn is_operation(&self, ran: &Ran) -> bool {
        let is_object = |syntax: &Syntax| matches!(syntax, Syntax::Object(_));
        ran.span
            .as_ref()
            .is_some_and(|span| self.script.nodes().any(|(_, node)| node.span == *span && is_object(&node.syntax)))
    }

    /// The whole text with a pipeline's stages written as others: only where the two lists part, the learner's own words
    /// are left out; none where the stages there were not typed as literals side by side.
    #[must_use]
    pub fn with_stages(&self, ran: &Ran, old: &[Document], new: &[Document]) -> Option<String> {
        let front = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let behind =
            old[front..].iter().rev().zip(new[front..].iter().rev()).take_while(|(old, new)| old == new).count();
        let (gone, come) = (front..old.len() - behind, &new[front..new.len() - behind]);
        let stage = |at: usize| {
            let node = ran.places.literal(&CommandPath::argument("pipeline").index(at))?;
            Some(self.script.node(node).span.clone())
        };
        let wording = Wording::of(self, ran);
        let text = come.iter().map(|stage| wording.stage(stage)).collect::<Vec<_>>().join(", ");
        if !gone.is_empty() {
            let (first, last) = (stage(gone.start)?, stage(gone.end - 1)?);
            return match (come.is_empty(), self.side_by_side(&first, &last)) {
                (_, false) => None,
                (false, true) => self.replaced(&(first.start..last.end), &text),
                (true, true) => self.without_stages(&first, &last, stage(gone.end)),
            };
        }
        if let Some(next) = stage(front) {
            return self.replaced(&(next.start..next.start), &format!("{text}, "));
        }
        let last = stage(front.checked_sub(1)?)?;
        self.replaced(&(last.end..last.end), &format!(", {text}"))
    }

    /// The whole text with a projection behind a find's filter, where the find has no second argument.
    #[must_use]
    pub fn with_projection(&self, question: &Question<'_>, projection: Document) -> Option<String> {
        let filter = question.ran.places.literal(&question.at)?;
        let is_only = self
            .script
            .nodes()
            .any(|(_, node)| matches!(&node.syntax, Syntax::Call { arguments, .. } if arguments[..] == [filter]));
        let end = self.script.node(filter).span.end;
        let text = format!(", {}", Wording::of(self, question.ran).value(&Bson::Document(projection)));
        (is_only && self.is_answer(question.ran)).then(|| self.replaced(&(end..end), &text)).flatten()
    }

    /// Whether what a call gives is what its statement gives: nothing else is done with it.
    fn is_answer(&self, ran: &Ran) -> bool {
        let Some(span) = &ran.span else { return false };
        let Some(mut at) = self.script.statement_at(span.start) else { return false };
        if let Syntax::Other(parts) = &self.script.node(at).syntax
            && let [only] = parts[..]
        {
            at = only;
        }
        while let Syntax::Call { callee, .. } = &self.script.node(at).syntax {
            let Syntax::Member { object, name, .. } = &self.script.node(*callee).syntax else { return false };
            if name == "find" {
                return self.script.node(at).span.start == span.start;
            }
            if !SHAPES.contains(&name.as_str()) {
                return false;
            }
            at = *object;
        }
        false
    }

    /// Whether two stages are elements of one list in the text.
    fn side_by_side(&self, first: &Range<usize>, last: &Range<usize>) -> bool {
        self.script.nodes().any(|(_, node)| {
            let Syntax::Array(elements) = &node.syntax else { return false };
            let holds = |span: &Range<usize>| elements.iter().any(|element| self.script.node(*element).span == *span);
            holds(first) && holds(last)
        })
    }

    /// The text without stages, and without the comma that kept them apart.
    fn without_stages(&self, first: &Range<usize>, last: &Range<usize>, next: Option<Range<usize>>) -> Option<String> {
        let end = next.filter(|next| self.side_by_side(last, next)).map(|next| next.start);
        let before = self.script.text().get(..first.start)?.trim_end();
        let start = if end.is_none() && before.ends_with(',') { before.len() - 1 } else { first.start };
        self.replaced(&(start..end.unwrap_or(last.end)), "")
    }
}

/// A name as a key of an object literal: quoted where it is no plain name.
#[must_use]
pub fn key_text(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let bare = name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit());
    if bare && !name.is_empty() { name.to_owned() } else { format!("{name:?}") }
}
