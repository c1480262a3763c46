//! Documents as a tree: what fits stands on one line, the rest unfolds; marked elements say why they are marked.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bson::Bson;

use crate::shell::{Style, Tree, inspect};
use crate::tui::long::Long;
use crate::tui::page::{Line, Page, Target};
use crate::tui::role::Role;
use crate::value::{ArrayView, DocView, View};

/// The longest value that is shown on one line, in columns.
const ONE_LINE: usize = 72;

/// More documents than this make a long list.
pub const MANY: usize = 200;

/// How a list of documents is to be shown.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// Paths whose fold was switched, each led by the document's position: `3.specs`.
    pub switched: BTreeSet<String>,
    /// Notes on values, by the same kind of path.
    pub marks: BTreeMap<String, Mark>,
}

/// Why a value is marked.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// How it is told apart.
    pub role: Role,
    /// What is said beside it.
    pub note: String,
}

/// Documents of a result.
#[must_use]
pub fn page(documents: &[Bson], reading: &Reading) -> Page {
    let mut writer = Writer { page: Page::new(), reading, brief: false };
    for (number, document) in documents.iter().enumerate() {
        writer.value(&number.to_string(), 0, Line::new(), View::from(document), "");
    }
    writer.page
}

/// Documents of which there are so many that each is one row until it is unfolded.
#[must_use]
pub fn long(documents: &Arc<Vec<Bson>>, reading: &Reading) -> Page {
    let tree = |number: usize| one(&documents[number], number, reading);
    let open = opened(documents.len(), reading).map(|number| (number, tree(number))).collect();
    let row = |document: &Bson, number: usize| one(document, number, &Reading::default()).swap_remove(0);
    Page { lines: Vec::new(), long: Some(Long::new(documents, open, row)) }
}

/// The documents of a long list that are unfolded.
pub(super) fn opened(count: usize, reading: &Reading) -> impl Iterator<Item = usize> + '_ {
    reading.switched.iter().filter_map(|path| path.parse().ok()).filter(move |number| *number < count)
}

/// One document of a long list, folded unless it was switched.
fn one(document: &Bson, number: usize, reading: &Reading) -> Vec<Line> {
    let mut writer = Writer { page: Page::new(), reading, brief: true };
    writer.value(&number.to_string(), 0, Line::new(), View::from(document), "");
    writer.page.lines
}

/// One value that is no list of documents.
#[must_use]
pub fn value(value: &Bson, reading: &Reading) -> Page {
    let mut writer = Writer { page: Page::new(), reading, brief: false };
    writer.value("0", 0, Line::new(), View::from(value), "");
    writer.page
}

struct Writer<'a> {
    page: Page,
    reading: &'a Reading,
    /// Whether there are so many documents that each is folded at first.
    brief: bool,
}

impl Writer<'_> {
    /// Writes a value behind what the line already holds (its name), followed by a comma where there is one.
    fn value(&mut self, path: &str, depth: usize, head: Line, value: View<'_>, comma: &str) {
        let mark = self.reading.marks.get(path);
        let inside = format!("{path}.");
        let marked_inside =
            self.reading.marks.range(inside.clone()..).next().is_some_and(|(found, _)| found.starts_with(&inside));
        let room = ONE_LINE.saturating_sub(head.width() + 2 * depth);
        let mut whole = Line::new();
        let small = one_line_within(&mut whole, value, room) && !marked_inside;
        let (open, close, many) = match value {
            View::Document(document) => ("{", "}", document.iter().count()),
            View::Array(array) => ("[", "]", array.len()),
            _ => ("", "", 0),
        };
        let fold = small || (self.brief && depth == 0 && !marked_inside);
        let folded = many > 0 && (fold != self.reading.switched.contains(path));
        if many == 0 {
            let mut leaf = Line::new();
            one_line(&mut leaf, value);
            return self.leaf(path, depth, head, leaf, mark, comma, false);
        }
        if folded {
            let line = if small { whole } else { summary(value, many) };
            return self.leaf(path, depth, head, line, mark, comma, true);
        }
        let opening = started(depth, '▾').and_all(head).and(Role::Code, open);
        self.page.line(noted(opening, mark).target(Target::Fold(path.to_owned())));
        self.children(path, depth + 1, value);
        self.page.line(started(depth, ' ').and(Role::Code, format!("{close}{comma}")));
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one line, put together in one place")]
    fn leaf(
        &mut self,
        path: &str,
        depth: usize,
        head: Line,
        value: Line,
        mark: Option<&Mark>,
        comma: &str,
        folds: bool,
    ) {
        let mut line = started(depth, if folds { '▸' } else { ' ' }).and_all(head);
        match mark {
            Some(mark) => line.push(mark.role, value.text()),
            None => line.pieces.extend(value.pieces),
        }
        line.push(Role::Code, comma);
        let line = noted(line, mark);
        self.page.line(if folds { line.target(Target::Fold(path.to_owned())) } else { line });
    }

    fn children(&mut self, path: &str, depth: usize, value: View<'_>) {
        match value {
            View::Document(document) => self.fields(path, depth, document),
            View::Array(array) => self.elements(path, depth, array),
            _ => {}
        }
    }

    fn fields(&mut self, path: &str, depth: usize, document: DocView<'_>) {
        let last = document.iter().count().saturating_sub(1);
        for (at, (name, value)) in document.iter().enumerate() {
            let head = Line::of(Role::Field, key(name)).and(Role::Code, ": ");
            self.value(&format!("{path}.{name}"), depth, head, value, if at == last { "" } else { "," });
        }
    }

    fn elements(&mut self, path: &str, depth: usize, array: ArrayView<'_>) {
        let last = array.len().saturating_sub(1);
        for (at, value) in array.iter().enumerate() {
            self.value(&format!("{path}.{at}"), depth, Line::new(), value, if at == last { "" } else { "," });
        }
    }
}

impl Line {
    /// The line with all pieces of another.
    fn and_all(mut self, other: Line) -> Self {
        self.pieces.extend(other.pieces);
        self
    }
}

fn started(depth: usize, sign: char) -> Line {
    let sign = Line::of(Role::Quiet, "  ".repeat(depth)).and(Role::Drawing, format!("{sign} "));
    sign.code().hang(2 * depth + 4)
}

fn noted(line: Line, mark: Option<&Mark>) -> Line {
    match mark {
        Some(mark) => line.and(mark.role, format!("  ◄ {}", mark.note)),
        None => line,
    }
}

/// A folded value: as many of its first fields as fit, and how many more there are.
fn summary(value: View<'_>, many: usize) -> Line {
    let View::Document(document) = value else {
        return Line::of(Role::Code, "[").and(Role::Quiet, format!(" … {many} ")).and(Role::Code, "]");
    };
    let mut line = Line::of(Role::Code, "{ ");
    let mut left = many;
    for (name, value) in document.iter() {
        let mut field = Line::of(Role::Field, key(name)).and(Role::Code, ": ");
        let room = SUMMARY.saturating_sub(line.width() + field.width());
        if !one_line_within(&mut field, value, room) {
            break;
        }
        line.pieces.extend(field.pieces);
        line.push(Role::Code, ", ");
        left -= 1;
    }
    line.and(Role::Quiet, format!("… {left} ")).and(Role::Code, "}")
}

/// Columns of a folded document's first fields.
const SUMMARY: usize = 56;

/// Writes a value in one line if it fits; gives up early where it does not, so that huge values cost little.
fn one_line_within(line: &mut Line, value: View<'_>, room: usize) -> bool {
    let before = line.width();
    let items: Vec<View<'_>> = match value {
        View::Document(document) => document.iter().map(|(_, value)| value).take(room + 1).collect(),
        View::Array(array) => array.iter().take(room + 1).collect(),
        _ => Vec::new(),
    };
    // Every element takes three columns at least, and what is inside it as many again.
    if items.len() * 3 > room.max(2) {
        return false;
    }
    one_line(line, value);
    line.width() - before <= room
}

/// A field name as mongosh shows it: quoted where it is no JavaScript name.
fn key(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let bare = !name.is_empty() && name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit());
    if bare { name.to_owned() } else { format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'")) }
}

/// A value in one line.
pub fn one_line(line: &mut Line, value: View<'_>) {
    match value {
        View::Document(document) if document.is_empty() => line.push(Role::Code, "{}"),
        View::Array(array) if array.is_empty() => line.push(Role::Code, "[]"),
        View::Document(document) => {
            for (at, (name, value)) in document.iter().enumerate() {
                line.push(Role::Code, if at == 0 { "{ " } else { ", " });
                line.push(Role::Field, key(name));
                line.push(Role::Code, ": ");
                one_line(line, value);
            }
            line.push(Role::Code, " }");
        }
        View::Array(array) => {
            for (at, value) in array.iter().enumerate() {
                line.push(Role::Code, if at == 0 { "[ " } else { ", " });
                one_line(line, value);
            }
            line.push(Role::Code, " ]");
        }
        leaf => line.push(role(leaf), inspect(&Tree::Leaf(leaf.to_bson()), Style::whole(false))),
    }
}

fn role(value: View<'_>) -> Role {
    match value {
        View::String(_) | View::Symbol(_) | View::Regex { .. } => Role::Literal,
        View::Null | View::Undefined | View::Boolean(_) | View::MinKey | View::MaxKey => Role::Keyword,
        _ => Role::Number,
    }
}
