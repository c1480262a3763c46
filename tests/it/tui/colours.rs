//! Every colour role against its ground.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use pegboard::tui::theme::{Depth, Ground, Rgb, contrast, palette_colour};
use pegboard::tui::{Heard, Listener, Role, Theme};
use ratatui::style::{Color, Modifier};

const DARK: Rgb = (0x1e, 0x1e, 0x2e);
const LIGHT: Rgb = (0xff, 0xff, 0xff);

/// The terminal's own text colour, as the palest that terminals come with.
fn own(ground: Ground) -> Rgb {
    if ground == Ground::Dark { (0xd0, 0xd0, 0xd0) } else { (0x22, 0x22, 0x22) }
}

fn shown(colour: Color) -> Option<Rgb> {
    match colour {
        Color::Rgb(red, green, blue) => Some((red, green, blue)),
        Color::Indexed(number) => Some(palette_colour(number)),
        _ => None,
    }
}

/// Every role on the terminal's ground and on the grounds that rows are given.
#[test]
fn every_role_has_contrast() {
    for depth in [Depth::True, Depth::Palette] {
        for (ground, plain) in [(Ground::Dark, DARK), (Ground::Light, LIGHT)] {
            let theme = Theme { depth, ground };
            for role in Role::ALL {
                let style = theme.style(role);
                let text = style.fg.and_then(shown).unwrap_or(own(ground));
                let own = style.bg.and_then(shown).unwrap_or(plain);
                for back in [Some(own), theme.style(Role::Selected).bg.and_then(shown)].into_iter().flatten() {
                    let ratio = contrast(text, back);
                    assert!(ratio >= 4.5, "{role:?} on {back:?}, {ground:?} with {depth:?}: {ratio:.2}");
                }
            }
        }
    }
}

/// The sixteen colours as xterm and as the VGA console show them.
fn sixteen(colour: Color) -> [Rgb; 2] {
    match colour {
        Color::Red => [(205, 0, 0), (170, 0, 0)],
        Color::Blue => [(0, 0, 238), (0, 0, 170)],
        Color::Magenta => [(205, 0, 205), (170, 0, 170)],
        Color::LightRed => [(255, 0, 0), (255, 85, 85)],
        Color::LightGreen => [(0, 255, 0), (85, 255, 85)],
        Color::LightYellow => [(255, 255, 0), (255, 255, 85)],
        Color::LightMagenta => [(255, 0, 255), (255, 85, 255)],
        Color::LightCyan => [(0, 255, 255), (85, 255, 255)],
        other => panic!("{other:?} does not stand out from every ground"),
    }
}

#[test]
fn every_role_has_contrast_in_sixteen_colours() {
    for (ground, back) in [(Ground::Dark, (0, 0, 0)), (Ground::Light, (0xff, 0xff, 0xff))] {
        let theme = Theme { depth: Depth::Sixteen, ground };
        for role in Role::ALL {
            let style = theme.style(role);
            assert!(style.bg.is_none());
            let Some(colour) = style.fg.filter(|colour| *colour != Color::Reset) else { continue };
            for text in sixteen(colour) {
                assert!(contrast(text, back) >= 4.5, "{role:?} as {colour:?} on {ground:?}");
            }
        }
    }
}

#[test]
fn without_colour_nothing_is_coloured_and_marks_still_show() {
    let theme = Theme { depth: Depth::None, ground: Ground::Dark };
    for role in Role::ALL {
        assert_eq!((theme.style(role).fg, theme.style(role).bg), (None, None), "{role:?}");
    }
    for role in [Role::Selected, Role::ErrorSpan, Role::First, Role::Second] {
        assert_ne!(theme.style(role).add_modifier, Modifier::empty(), "{role:?}");
    }
    assert_ne!(theme.style(Role::First), theme.style(Role::Second));
}

#[test]
fn the_environment_chooses_depth_and_ground() {
    let with = |pairs: &'static [(&str, &str)]| {
        Theme::detect(|name| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    };
    assert_eq!(with(&[("TERM", "xterm-256color")]).depth, Depth::Palette);
    assert_eq!(with(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]).depth, Depth::True);
    assert_eq!(with(&[("TERM", "linux")]).depth, Depth::Sixteen);
    assert_eq!(with(&[("TERM", "xterm-256color"), ("NO_COLOR", "1")]).depth, Depth::None);
    assert_eq!(with(&[("COLORFGBG", "0;15")]).ground, Ground::Light);
    assert_eq!(with(&[("COLORFGBG", "15;0")]).ground, Ground::Dark);
}

/// What a listener makes of an answer as it comes through the keys.
fn heard(answer: &str) -> Vec<Heard> {
    let mut listener = Listener::default();
    let key = |(at, letter): (usize, char)| match (at, letter) {
        (0, _) | (_, '\\') => KeyEvent::new(KeyCode::Char(letter), KeyModifiers::ALT),
        (_, '\x07') => KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL),
        _ => KeyEvent::from(KeyCode::Char(letter)),
    };
    answer.chars().enumerate().map(key).map(|key| listener.hear(Event::Key(key))).collect()
}

#[test]
fn the_terminal_reports_its_ground_and_keys_stay_keys() {
    let last = |answer: &str| heard(answer).pop();
    assert_eq!(last("]11;rgb:ffff/ffff/ffff\\"), Some(Heard::Ground(Ground::Light)));
    assert_eq!(last("]11;rgb:1e/1e/2e\x07"), Some(Heard::Ground(Ground::Dark)));
    let given = |answer: &str| match last(answer) {
        Some(Heard::Events(events)) => events.len(),
        _ => 0,
    };
    assert_eq!(given("]x"), 2, "Alt-] and a letter are two keys");
    assert_eq!(given("]11;rgb:zz/1e/2e\\"), 17, "no colour, no answer");
    let long = heard("]11;rgb:00000000000000000000000000000000");
    let most = long.iter().map(|heard| if let Heard::Events(events) = heard { events.len() } else { 0 }).max();
    assert_eq!(most, Some(33), "an answer has an end");
}
