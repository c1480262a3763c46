//! The instant that `--fixed-clock` names.

use crate::words::{Lang, Words};

const NO_INSTANT: Words = Words::new(
    "--fixed-clock wants an instant such as 2026-01-15T09:30:00Z, not {text}.",
    "--fixed-clock will einen Zeitpunkt wie 2026-01-15T09:30:00Z, nicht {text}.",
);

/// The instant of a text in milliseconds since 1970; what is no instant is answered in words.
pub(super) fn instant(text: &str, lang: Lang) -> Result<i64, String> {
    let instant = text.parse::<jiff::Timestamp>();
    instant.map(jiff::Timestamp::as_millisecond).map_err(|_| NO_INSTANT.fill(lang, &[("text", text)]))
}
