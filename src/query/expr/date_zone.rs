//! The time zones that a date text may name: offsets and abbreviations, but no identifiers
//! (`timezonedatabase_gettzinfowrapper`, `src/mongo/db/query/datetime/date_time_support.cpp`).

use super::zone::Zone;

/// The zone written behind a date.
pub(super) struct Written {
    pub zone: Zone,
    /// The abbreviation in capitals; none for an offset.
    pub abbreviation: Option<String>,
}

/// Minutes east of Greenwich by abbreviation.
const ABBREVIATIONS: &[(&str, i64)] = &[
    ("UTC", 0),
    ("GMT", 0),
    ("WET", 0),
    ("BST", 60),
    ("WEST", 60),
    ("CET", 60),
    ("MET", 60),
    ("WAT", 60),
    ("CEST", 120),
    ("MEST", 120),
    ("EET", 120),
    ("CAT", 120),
    ("IST", 120),
    ("SAST", 120),
    ("EEST", 180),
    ("EAT", 180),
    ("IDT", 180),
    ("MSK", 180),
    ("MSD", 240),
    ("PKT", 300),
    ("WIB", 420),
    ("AWST", 480),
    ("HKT", 480),
    ("WITA", 480),
    ("JST", 540),
    ("KST", 540),
    ("WIT", 540),
    ("ACST", 570),
    ("AEST", 600),
    ("ACDT", 630),
    ("AEDT", 660),
    ("NZST", 720),
    ("NZDT", 780),
    ("NDT", -150),
    ("ADT", -180),
    ("NST", -210),
    ("AST", -240),
    ("EDT", -240),
    ("EST", -300),
    ("CDT", -300),
    ("CST", -360),
    ("MDT", -360),
    ("MST", -420),
    ("PDT", -420),
    ("AKDT", -480),
    ("PST", -480),
    ("AKST", -540),
    ("HDT", -540),
    ("HST", -600),
];

/// The zone of an abbreviation, in whatever case; a single letter is a military zone.
pub(super) fn abbreviated(word: &str) -> Option<Written> {
    let name = word.to_ascii_uppercase();
    let named = ABBREVIATIONS.iter().find(|(known, _)| *known == name).map(|(_, minutes)| *minutes);
    let minutes = named.or_else(|| military(&name).map(|hours| hours * 60))?;
    Some(Written { zone: Zone::Fixed(minutes * 60), abbreviation: Some(name) })
}

/// From A to M eastward without J, from N to Y westward, Z for none.
fn military(name: &str) -> Option<i64> {
    let &[letter] = name.as_bytes() else { return None };
    let place = i64::from(letter);
    match letter {
        b'A'..=b'I' => Some(place - i64::from(b'A') + 1),
        b'K'..=b'M' => Some(place - i64::from(b'K') + 10),
        b'N'..=b'Y' => Some(i64::from(b'N') - place - 1),
        b'Z' => Some(0),
        _ => None,
    }
}
