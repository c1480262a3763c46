//! Colours by meaning, for dark and light terminals, from true colour down to none.

use std::sync::OnceLock;

use ratatui::style::{Color, Modifier, Style};

use crate::tui::role::Role;

/// How many colours the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// 24 bits.
    True,
    /// The 256-colour palette.
    Palette,
    /// The sixteen named colours.
    Sixteen,
    /// No colour: weight, underline and reverse only.
    None,
}

/// Whether text is light on dark or dark on light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ground {
    /// Light text on a dark ground.
    #[default]
    Dark,
    /// Dark text on a light ground.
    Light,
}

/// Colours as the terminal can show them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// The terminal's colours.
    pub depth: Depth,
    /// The terminal's ground.
    pub ground: Ground,
}

/// A colour as red, green, blue.
pub type Rgb = (u8, u8, u8);

impl Theme {
    /// The theme for an environment, read through `variable`: `NO_COLOR`, `COLORTERM`, `TERM`, `COLORFGBG`.
    #[must_use]
    pub fn detect(variable: impl Fn(&str) -> Option<String>) -> Self {
        let term = variable("TERM").unwrap_or_default();
        let colours = variable("COLORTERM").unwrap_or_default();
        let depth = if variable("NO_COLOR").is_some_and(|value| !value.is_empty()) || term == "dumb" {
            Depth::None
        } else if colours == "truecolor" || colours == "24bit" || term.contains("direct") {
            Depth::True
        } else if term.contains("256") || term.contains("kitty") || term.contains("alacritty") {
            Depth::Palette
        } else {
            Depth::Sixteen
        };
        let ground = variable("COLORFGBG")
            .and_then(|value| value.rsplit(';').next()?.parse::<u8>().ok())
            .map_or(Ground::Dark, |back| if back == 7 || back >= 9 { Ground::Light } else { Ground::Dark });
        Self { depth, ground }
    }

    /// The look of a meaning; the looks of a theme are fitted to the terminal once.
    #[must_use]
    pub fn style(self, role: Role) -> Style {
        static LOOKS: [OnceLock<[Style; Role::ALL.len()]>; 8] = [const { OnceLock::new() }; 8];
        let theme = 2 * self.depth as usize + self.ground as usize;
        LOOKS[theme].get_or_init(|| Role::ALL.map(|role| self.look(role)))[role as usize]
    }

    fn look(self, role: Role) -> Style {
        let mut style = Style::new().add_modifier(weight(role));
        if self.depth == Depth::None {
            if role == Role::Quiet {
                style = style.add_modifier(Modifier::DIM);
            }
            return style;
        }
        if let Some(colour) = self.colour(role) {
            style = style.fg(self.shown(colour));
        }
        if let (Some(back), false) = (self.back(role), self.depth == Depth::Sixteen) {
            style = style.bg(self.shown(back)).remove_modifier(Modifier::REVERSED);
        }
        style
    }

    /// The text colour of a meaning before it is fitted to the terminal; none is the terminal's own.
    #[must_use]
    pub fn colour(self, role: Role) -> Option<Rgb> {
        let (dark, light) = match role {
            Role::Text | Role::Strong | Role::Code | Role::Selected | Role::Marked => return None,
            Role::Quiet | Role::Drawing | Role::Frame | Role::Comment => ((0xa6, 0xae, 0xbc), (0x4e, 0x56, 0x64)),
            Role::Title | Role::Heading | Role::FrameActive => ((0x7a, 0xd1, 0xc4), (0x0b, 0x66, 0x5c)),
            Role::Key | Role::Link => ((0x8a, 0xbd, 0xff), (0x1a, 0x56, 0xb0)),
            Role::Good => ((0x8f, 0xd4, 0x7f), (0x25, 0x6b, 0x1b)),
            Role::Bad | Role::ErrorSpan => ((0xff, 0x93, 0x8c), (0xb0, 0x1f, 0x1f)),
            Role::Warning | Role::WarningSpan => ((0xf2, 0xc1, 0x5f), (0x80, 0x52, 0x00)),
            Role::Info => ((0x8a, 0xbd, 0xff), (0x1a, 0x56, 0xb0)),
            Role::Figure | Role::Number => ((0xf0, 0xb0, 0x86), (0x96, 0x3f, 0x00)),
            Role::First => ((0x6c, 0xcf, 0xf6), (0x00, 0x5f, 0x87)),
            Role::Second => ((0xf5, 0xa3, 0xd7), (0x9c, 0x1f, 0x78)),
            Role::Field => ((0xa9, 0xc7, 0xf2), (0x24, 0x4f, 0x8f)),
            Role::Operator => ((0xd6, 0xa8, 0xf5), (0x76, 0x2f, 0xa8)),
            Role::Method => ((0x7a, 0xd1, 0xc4), (0x0b, 0x66, 0x5c)),
            Role::Keyword => ((0xd6, 0xa8, 0xf5), (0x76, 0x2f, 0xa8)),
            Role::Literal => ((0xb9, 0xd8, 0x8a), (0x46, 0x63, 0x12)),
        };
        Some(match self.ground {
            Ground::Dark => dark,
            Ground::Light => light,
        })
    }

    /// The colour behind a meaning; none is the terminal's own.
    #[must_use]
    pub fn back(self, role: Role) -> Option<Rgb> {
        match (role, self.ground) {
            (Role::Selected, Ground::Dark) => Some((0x2c, 0x3b, 0x4d)),
            (Role::Selected, Ground::Light) => Some((0xd4, 0xe2, 0xf2)),
            (Role::Marked, Ground::Dark) => Some((0x4a, 0x44, 0x1f)),
            (Role::Marked, Ground::Light) => Some((0xf5, 0xea, 0xb0)),
            _ => None,
        }
    }

    fn shown(self, colour: Rgb) -> Color {
        match self.depth {
            Depth::True => Color::Rgb(colour.0, colour.1, colour.2),
            Depth::Palette => Color::Indexed(nearest(colour, self.ground)),
            Depth::Sixteen => named(colour, self.ground),
            Depth::None => Color::Reset,
        }
    }
}

/// What a meaning shows besides colour, so that nothing is told by colour alone.
fn weight(role: Role) -> Modifier {
    match role {
        Role::Title | Role::Heading | Role::Strong | Role::Key | Role::FrameActive => Modifier::BOLD,
        Role::Link => Modifier::UNDERLINED,
        Role::First => Modifier::BOLD,
        Role::Second => Modifier::BOLD.union(Modifier::UNDERLINED),
        Role::ErrorSpan | Role::WarningSpan => Modifier::UNDERLINED,
        Role::Selected | Role::Marked => Modifier::REVERSED,
        _ => Modifier::empty(),
    }
}

/// The colours of the 6×6×6 cube and the grey ramp, from number 16.
#[must_use]
pub fn palette_colour(number: u8) -> Rgb {
    let step = |level: u8| if level == 0 { 0 } else { 55 + 40 * level };
    match number {
        0..=15 => (0, 0, 0),
        16..=231 => {
            let cube = number - 16;
            (step(cube / 36), step(cube / 6 % 6), step(cube % 6))
        }
        232..=255 => {
            let grey = 8 + 10 * (number - 232);
            (grey, grey, grey)
        }
    }
}

/// The nearest palette colour that is at least as far from the ground as the wanted one.
fn nearest(wanted: Rgb, ground: Ground) -> u8 {
    let light = luminance(wanted);
    let far_enough = |number: &u8| match ground {
        _ if light < 0.1 && ground == Ground::Dark => true,
        _ if light > 0.6 && ground == Ground::Light => true,
        Ground::Dark => luminance(palette_colour(*number)) >= light * 0.9,
        Ground::Light => luminance(palette_colour(*number)) <= light * 1.1,
    };
    let distance = |number: &u8| {
        let found = palette_colour(*number);
        let part = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        2 * part(found.0, wanted.0) + 4 * part(found.1, wanted.1) + 3 * part(found.2, wanted.2)
    };
    let nearer = |best: Option<u8>, number: u8| match best {
        Some(best) if distance(&best) <= distance(&number) || !far_enough(&number) => Some(best),
        None if !far_enough(&number) => None,
        _ => Some(number),
    };
    (16..=255).fold(None, nearer).unwrap_or(16)
}

/// A named colour of about the same hue, of those that stand out from the ground in the palettes of xterm and VGA; where
/// there is none, the terminal's own text colour.
fn named(colour: Rgb, ground: Ground) -> Color {
    let (red, green, blue) = colour;
    let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
    if most - least < 0x30 {
        return Color::Reset;
    }
    let high = |part: u8| u16::from(part - least) * 2 > u16::from(most - least);
    let (dark, light) = match (high(red), high(green), high(blue)) {
        (true, false, false) => (Color::LightRed, Color::Red),
        (false, true, false) => (Color::LightGreen, Color::Reset),
        (false, _, true) => (Color::LightCyan, Color::Blue),
        (true, true, false) => (Color::LightYellow, Color::Red),
        (true, false, true) => (Color::LightMagenta, Color::Magenta),
        _ => (Color::Reset, Color::Reset),
    };
    match ground {
        Ground::Dark => dark,
        Ground::Light => light,
    }
}

/// The relative luminance of WCAG 2.
#[must_use]
pub fn luminance(colour: Rgb) -> f64 {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(colour.0) + 0.7152 * linear(colour.1) + 0.0722 * linear(colour.2)
}

/// The contrast ratio of WCAG 2, from 1 to 21.
#[must_use]
pub fn contrast(one: Rgb, other: Rgb) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}
