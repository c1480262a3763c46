//! Failures and notes as text with the place underlined, in the manner of the Rust compiler.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::failure::Failure;
use super::script::Span;

/// Lines shown before and behind the place.
const AROUND: usize = 1;

/// Bytes shown before and behind the place.
const WIDEST: usize = 1000;

/// The character boundary at or before a byte.
fn boundary(text: &str, byte: usize) -> usize {
    (0..=byte).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

/// A remark on a place in the text that stops nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The bytes it is about.
    pub span: Option<Span>,
    /// The sentence.
    pub message: String,
}

impl Failure {
    /// The failure with its place underlined, the code MongoDB gives it, and what to type instead.
    #[must_use]
    pub fn render(&self, text: &str, colors: bool) -> String {
        let title = match self.code() {
            Some(code) => format!("{}: {} (code {}, {})", self.class(), self.message, code.number(), code.name()),
            None => format!("{}: {}", self.class(), self.message),
        };
        render(text, (Level::ERROR, &title), self.span.as_ref(), self.hint.as_deref(), colors)
    }
}

impl Note {
    /// The note with its place underlined.
    #[must_use]
    pub fn render(&self, text: &str, colors: bool) -> String {
        render(text, (Level::NOTE, &self.message), self.span.as_ref(), None, colors)
    }
}

fn render(
    text: &str,
    (level, title): (Level<'_>, &str),
    span: Option<&Span>,
    hint: Option<&str>,
    colors: bool,
) -> String {
    let window = span.map(|span| Window::new(text, span));
    let mut group = Group::with_title(level.primary_title(title));
    if let Some(window) = &window {
        let annotation = AnnotationKind::Primary.span(window.span.clone());
        group = group.element(Snippet::source(window.text).line_start(window.line).annotation(annotation));
    }
    if let Some(hint) = hint {
        group = group.element(Level::HELP.message(hint));
    }
    let renderer = if colors { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// The lines around a place: a pasted text may have many thousands.
struct Window<'a> {
    text: &'a str,
    line: usize,
    span: Span,
}

impl<'a> Window<'a> {
    fn new(text: &'a str, span: &Span) -> Self {
        let place = span.start.min(text.len())..span.end.min(text.len());
        let mut start = text[..place.start].rfind('\n').map_or(0, |at| at + 1);
        for _ in 0..AROUND {
            start = text[..start.saturating_sub(1)].rfind('\n').map_or(0, |at| at + 1);
        }
        let mut end = text[place.end..].find('\n').map_or(text.len(), |at| place.end + at);
        for _ in 0..AROUND {
            end = text.get(end + 1..).map_or(text.len(), |rest| rest.find('\n').map_or(text.len(), |at| end + 1 + at));
        }
        let line = text[..start].matches('\n').count() + 1;
        // One line may be a whole data set: only the part around the place is drawn.
        start = boundary(text, start.max(place.start.saturating_sub(WIDEST)));
        end = boundary(text, end.min(place.start.saturating_add(WIDEST)));
        let place = place.start..place.end.min(end);
        Self { text: &text[start..end], line, span: place.start - start..place.end - start }
    }
}
