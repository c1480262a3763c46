//! A drawn screen as an SVG picture, for the README and for teachers' slides.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

use crate::tui::theme::{Ground, Rgb, palette_colour};

/// Pixels of a cell.
const CELL: (u16, u16) = (9, 18);

/// Pixels around the screen.
const MARGIN: u16 = 12;

/// Pixels from the top of a cell to the base of its letters.
const BASE: u16 = 14;

/// The colours of text and ground where a cell names none.
fn plain(ground: Ground) -> (Rgb, Rgb) {
    match ground {
        Ground::Dark => ((0xd8, 0xde, 0xe9), (0x1e, 0x1e, 0x2e)),
        Ground::Light => ((0x22, 0x26, 0x2e), (0xff, 0xff, 0xff)),
    }
}

/// The picture of a buffer: the same cells, letters as text, so that it can be searched and read out.
#[must_use]
pub fn svg(buffer: &Buffer, ground: Ground, title: &str) -> String {
    let (text, back) = plain(ground);
    let (width, height) = (buffer.area.width * CELL.0 + 2 * MARGIN, buffer.area.height * CELL.1 + 2 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{}\"/>\n<g font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace\" font-size=\"15\" fill=\"{}\" xml:space=\"preserve\">\n",
        escaped(title),
        hex(back),
        hex(text),
    );
    for y in 0..buffer.area.height {
        row(&mut out, buffer, y, ground);
    }
    out.push_str("</g>\n</svg>\n");
    out
}

/// One row: runs of cells that look alike, grounds first.
fn row(out: &mut String, buffer: &Buffer, y: u16, ground: Ground) {
    let mut runs: Vec<(u16, String, Look)> = Vec::new();
    let mut x = 0;
    while x < buffer.area.width {
        let cell = &buffer[(x, y)];
        let look = Look::of(cell, ground);
        match runs.last_mut() {
            Some((_, text, known)) if *known == look => text.push_str(cell.symbol()),
            _ => runs.push((x, cell.symbol().to_owned(), look)),
        }
        x += u16::try_from(cell.symbol().width()).unwrap_or(1).max(1);
    }
    for (x, text, look) in runs {
        let (left, top) = (MARGIN + x * CELL.0, MARGIN + y * CELL.1);
        let columns = u16::try_from(text.width()).unwrap_or(0);
        if let Some(back) = look.back {
            let (width, height) = (columns * CELL.0, CELL.1);
            // Writing to a text cannot fail.
            let _ = writeln!(
                out,
                "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
                hex(back)
            );
        }
        if text.trim().is_empty() && !look.underlined {
            continue;
        }
        let _ = writeln!(
            out,
            "<text x=\"{left}\" y=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"{}>{}</text>",
            top + BASE,
            columns * CELL.0,
            look.attributes(),
            escaped(&text),
        );
    }
}

/// How a cell looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Look {
    text: Option<Rgb>,
    back: Option<Rgb>,
    bold: bool,
    underlined: bool,
}

impl Look {
    fn of(cell: &Cell, ground: Ground) -> Self {
        let (mut text, mut back) = (colour(cell.fg), colour(cell.bg));
        if cell.modifier.contains(Modifier::REVERSED) {
            let (own_text, own_back) = plain(ground);
            (text, back) = (Some(back.unwrap_or(own_back)), Some(text.unwrap_or(own_text)));
        }
        let set = |modifier| cell.modifier.contains(modifier);
        Self { text, back, bold: set(Modifier::BOLD), underlined: set(Modifier::UNDERLINED) }
    }

    fn attributes(self) -> String {
        let fill = self.text.map_or(String::new(), |text| format!(" fill=\"{}\"", hex(text)));
        let bold = if self.bold { " font-weight=\"bold\"" } else { "" };
        let underlined = if self.underlined { " text-decoration=\"underline\"" } else { "" };
        format!("{fill}{bold}{underlined}")
    }
}

fn colour(colour: Color) -> Option<Rgb> {
    match colour {
        Color::Rgb(red, green, blue) => Some((red, green, blue)),
        Color::Indexed(number) => Some(palette_colour(number)),
        _ => None,
    }
}

fn hex((red, green, blue): Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
