//! Large letters out of half blocks: each letter is three by five dots, two dots a row.

/// The letters that can be shown large; each row of dots is an octal digit, the leftmost dot is worth 4.
const LETTERS: &[(&str, u32)] = &[
    ("A", 0o25755),
    ("B", 0o65656),
    ("C", 0o34443),
    ("D", 0o65556),
    ("E", 0o74647),
    ("F", 0o74644),
    ("G", 0o34553),
    ("H", 0o55755),
    ("I", 0o72227),
    ("J", 0o11152),
    ("K", 0o55655),
    ("L", 0o44447),
    ("M", 0o57755),
    ("N", 0o65555),
    ("O", 0o25552),
    ("P", 0o65644),
    ("Q", 0o25563),
    ("R", 0o65655),
    ("S", 0o34216),
    ("T", 0o72222),
    ("U", 0o55557),
    ("V", 0o55552),
    ("W", 0o55775),
    ("X", 0o55255),
    ("Y", 0o55222),
    ("Z", 0o71247),
    ("Ä", 0o50757),
    ("Ö", 0o50757),
    ("Ü", 0o50557),
    ("ẞ", 0o65656),
    ("0", 0o75557),
    ("1", 0o26227),
    ("2", 0o61247),
    ("3", 0o61216),
    ("4", 0o55711),
    ("5", 0o74616),
    ("6", 0o34757),
    ("7", 0o71222),
    ("8", 0o75757),
    ("9", 0o75716),
    (".", 0o00002),
    (",", 0o00024),
    (":", 0o02020),
    (";", 0o02024),
    ("!", 0o22202),
    ("?", 0o61202),
    ("'", 0o22000),
    ("’", 0o22000),
    ("\"", 0o55000),
    ("-", 0o00700),
    ("–", 0o00700),
    ("+", 0o02720),
    ("*", 0o05250),
    ("/", 0o11244),
    ("$", 0o36736),
    ("=", 0o07070),
    ("<", 0o12421),
    (">", 0o42124),
    ("(", 0o12221),
    (")", 0o42224),
    ("_", 0o00007),
    ("{", 0o32623),
    ("}", 0o62326),
    ("[", 0o64446),
    ("]", 0o31113),
    ("&", 0o25253),
    ("%", 0o51245),
    (" ", 0),
];

/// Columns of a letter with the gap behind it.
const WIDTH: usize = 4;

/// A text in large letters, broken between words to a width; none where a letter has no large form or a word is too long.
pub(super) fn rows(text: &str, width: usize) -> Option<Vec<String>> {
    let text = text.replace('ß', "ẞ").to_uppercase();
    let room = width / WIDTH;
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut()?;
        let length = word.chars().count();
        if length > room {
            return None;
        }
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + length <= room {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    let drawn: Option<Vec<[String; 3]>> = lines.iter().map(|line| large(line)).collect();
    Some(drawn?.into_iter().flat_map(|rows| rows.into_iter().chain([String::new()])).collect())
}

fn large(line: &str) -> Option<[String; 3]> {
    let letters: Vec<u32> = line.chars().map(dots).collect::<Option<_>>()?;
    let row = |upper: u32, lower: Option<u32>| -> String {
        let letter = |dots: &u32| {
            let digit = |at: u32| (dots >> (3 * (4 - at))) & 7;
            let (above, below) = (digit(upper), lower.map_or(0, digit));
            (0..3)
                .rev()
                .map(|bit| half((above >> bit) & 1 == 1, (below >> bit) & 1 == 1))
                .chain([' '])
                .collect::<String>()
        };
        letters.iter().map(letter).collect::<String>().trim_end().to_owned()
    };
    Some([row(0, Some(1)), row(2, Some(3)), row(4, None)])
}

fn dots(letter: char) -> Option<u32> {
    LETTERS.iter().find(|(known, _)| known.starts_with(letter)).map(|(_, dots)| *dots)
}

fn half(above: bool, below: bool) -> char {
    match (above, below) {
        (true, true) => '█',
        (true, false) => '▀',
        (false, true) => '▄',
        (false, false) => ' ',
    }
}
