//! Every colour role against its ground.

use pegboard::tui::theme::{Depth, Ground, Rgb, contrast, palette_colour};
use pegboard::tui::{Role, Theme};
use ratatui::style::{Color, Modifier};

const DARK: Rgb = (0x1e, 0x1e, 0x2e);
const LIGHT: Rgb = (0xff, 0xff, 0xff);

fn shown(colour: Color) -> Option<Rgb> {
    match colour {
        Color::Rgb(red, green, blue) => Some((red, green, blue)),
        Color::Indexed(number) => Some(palette_colour(number)),
        _ => None,
    }
}

#[test]
fn every_role_has_contrast() {
    for depth in [Depth::True, Depth::Palette] {
        for (ground, back) in [(Ground::Dark, DARK), (Ground::Light, LIGHT)] {
            let theme = Theme { depth, ground };
            for role in Role::ALL {
                let style = theme.style(role);
                let back = style.bg.and_then(shown).unwrap_or(back);
                let text = style.fg.and_then(shown).unwrap_or(if ground == Ground::Dark {
                    (0xd0, 0xd0, 0xd0)
                } else {
                    (0, 0, 0)
                });
                let ratio = contrast(text, back);
                assert!(ratio >= 4.5, "{role:?} on {ground:?} with {depth:?}: {ratio:.2}");
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
