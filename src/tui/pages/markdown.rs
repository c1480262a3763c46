//! Lesson text: Markdown as a page, each `js` block with the offer to take it into the editor.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::tui::highlight;
use crate::tui::page::{Line, Page, Target};
use crate::tui::role::Role;

/// Renders Markdown.
#[must_use]
pub fn page(text: &str) -> Page {
    let mut writer = Writer::default();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        writer.event(event);
    }
    writer.finish()
}

#[derive(Default)]
struct Writer {
    page: Page,
    line: Line,
    roles: Vec<Role>,
    /// For each open list the number of the next item; none for bullets.
    lists: Vec<Option<u64>>,
    quotes: usize,
    /// Where the links of the line lead.
    links: Vec<String>,
    code: Option<(bool, String)>,
    table: Option<Vec<Vec<Line>>>,
}

impl Writer {
    fn role(&self) -> Role {
        self.roles.last().copied().unwrap_or_default()
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some((_, code)) => code.push_str(&text),
                None => self.push(self.role(), &text),
            },
            Event::Code(code) => self.push(Role::Literal, &code),
            Event::SoftBreak => self.push(self.role(), " "),
            Event::HardBreak => self.flush(),
            Event::Rule => {
                self.page.gap();
                self.page.say(Role::Quiet, "———");
                self.page.gap();
            }
            // Raw HTML, footnotes and the like are not part of a lesson's Markdown.
            _ => {}
        }
    }

    fn push(&mut self, role: Role, text: &str) {
        match self.table.as_mut().and_then(|rows| rows.last_mut()?.last_mut()) {
            Some(cell) => cell.push(role, text),
            None => self.line.push(role, text),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.page.gap();
                self.roles.push(if level == HeadingLevel::H1 { Role::Title } else { Role::Heading });
            }
            Tag::Paragraph if self.lists.is_empty() => self.page.gap(),
            Tag::BlockQuote(_) => self.quotes += 1,
            Tag::List(first) => {
                self.flush();
                if self.lists.is_empty() {
                    self.page.gap();
                }
                self.lists.push(first);
            }
            Tag::Item => self.bullet(),
            Tag::Emphasis | Tag::Strong => self.roles.push(Role::Strong),
            Tag::Link { dest_url, .. } => {
                self.links.push(dest_url.into_string());
                self.roles.push(Role::Strong);
            }
            Tag::CodeBlock(kind) => {
                let runs = matches!(&kind, CodeBlockKind::Fenced(name) if name.split([' ', ',']).next() == Some("js"));
                self.code = Some((runs, String::new()));
            }
            Tag::Table(_) => {
                self.page.gap();
                self.table = Some(Vec::new());
            }
            Tag::TableHead => {
                self.roles.push(Role::Strong);
                self.row();
            }
            Tag::TableRow => self.row(),
            Tag::TableCell => {
                if let Some(row) = self.table.as_mut().and_then(|rows| rows.last_mut()) {
                    row.push(Line::new());
                }
            }
            _ => {}
        }
    }

    fn row(&mut self) {
        if let Some(rows) = &mut self.table {
            rows.push(Vec::new());
        }
    }

    fn bullet(&mut self) {
        self.flush();
        let depth = self.lists.len().saturating_sub(1);
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{}{}. ", "  ".repeat(depth), *number - 1)
            }
            _ => format!("{}• ", "  ".repeat(depth)),
        };
        self.line.hang = mark.chars().count();
        self.line.push(Role::Quiet, mark);
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.roles.pop();
                self.flush();
            }
            TagEnd::Paragraph | TagEnd::Item => self.flush(),
            TagEnd::BlockQuote(_) => self.quotes = self.quotes.saturating_sub(1),
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link => {
                self.roles.pop();
            }
            TagEnd::CodeBlock => self.code_block(),
            TagEnd::TableHead => {
                self.roles.pop();
            }
            TagEnd::Table => self.finish_table(),
            _ => {}
        }
    }

    fn code_block(&mut self) {
        let Some((runs, code)) = self.code.take() else { return };
        self.flush();
        self.page.gap();
        for line in highlight::lines(&code) {
            let mut shown = Line::of(Role::Quiet, if runs { "▸ " } else { "  " }).code().hang(4);
            shown.pieces.extend(line.pieces);
            shown.target = runs.then(|| Target::Take(code.trim_end().to_owned()));
            self.page.line(shown);
        }
        self.page.gap();
    }

    fn finish_table(&mut self) {
        let Some(rows) = self.table.take() else { return };
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let wide = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(Line::width).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(wide).collect();
        for row in &rows {
            let mut line = Line::new().hang(2);
            for (cell, width) in row.iter().zip(&widths) {
                line.pieces.extend(cell.pieces.iter().cloned());
                line.push(Role::Text, " ".repeat(width - cell.width() + 2));
            }
            self.page.line(line);
        }
        self.page.gap();
    }

    fn flush(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        let links = std::mem::take(&mut self.links);
        if !links.is_empty() {
            line.target = Some(Target::Links(links));
        }
        if line.pieces.is_empty() {
            return;
        }
        if self.quotes > 0 {
            let mut quoted = Line::of(Role::Quiet, "> ").hang(2);
            quoted.pieces.append(&mut line.pieces);
            quoted.target = line.target;
            line = quoted;
        }
        self.page.line(line);
    }

    fn finish(mut self) -> Page {
        self.flush();
        self.page.trim();
        self.page
    }
}
