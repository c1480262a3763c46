//! Patterns from PCRE's language (manual: *$regex*, "Extended Regex Options"; `pcre2pattern`) into that of the engine.
//!
//! The two differ over texts that hold other than ASCII or end in a newline: in PCRE `\w`, `\d`, `\s` and `\b` know ASCII
//! only unless `(*UCP)` leads the pattern, and `$` also stands before a final newline. For all other texts the engine's own
//! forms mean the same and run faster; [`Reading`] says for which texts a pattern is translated.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

/// The texts that a translated pattern is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// ASCII that does not end in a newline.
    Plain,
    /// Any.
    Any,
}

/// Horizontal white space (`\h`), without the brackets of a class.
const HORIZONTAL: &str = r"\t\x20\x{A0}\x{1680}\x{180E}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}";
/// Vertical white space (`\v`), without the brackets of a class.
const VERTICAL: &str = r"\n\x0B\f\r\x{85}\x{2028}\x{2029}";
/// The end, or before a newline at the end.
const END: &str = r"(?=\n?\z)";
/// A word boundary between ASCII letters, digits and underscores and all else, and its opposite.
const BOUNDARY: &str =
    r"(?:(?<=(?-i:[0-9A-Za-z_]))(?!(?-i:[0-9A-Za-z_]))|(?<!(?-i:[0-9A-Za-z_]))(?=(?-i:[0-9A-Za-z_])))";
const NO_BOUNDARY: &str =
    r"(?:(?<=(?-i:[0-9A-Za-z_]))(?=(?-i:[0-9A-Za-z_]))|(?<!(?-i:[0-9A-Za-z_]))(?!(?-i:[0-9A-Za-z_])))";

/// The named classes that `(*UCP)` makes Unicode ones.
const UNICODE_CLASSES: [(&str, &str); 7] = [
    ("alpha", r"\p{L}"),
    ("alnum", r"\p{L}\p{N}"),
    ("digit", r"\p{Nd}"),
    ("lower", r"\p{Ll}"),
    ("upper", r"\p{Lu}"),
    ("space", r"\s"),
    ("word", r"\p{L}\p{N}_"),
];

/// A pattern with its option letters in the engine's language, where `x` is obeyed already: the engine would drop white
/// space inside brackets too. What is no pattern in either language stays none.
pub(super) fn translated(pattern: &str, options: &str, reading: Reading) -> String {
    let (body, ucp) = without_verbs(pattern);
    let flags = Flags { lines: options.contains('m'), spaced: options.contains('x') };
    // An option of the whole engine could not be taken back for the classes that know ASCII only.
    let out = String::from(if options.contains('i') { "(?i)" } else { "" });
    let mut translator = Translator { rest: body.chars().peekable(), out, reading, ucp, flags, outer: Vec::new() };
    translator.run();
    translator.out
}

/// The pattern behind the verbs it may begin with, and whether `(*UCP)` is among them.
fn without_verbs(mut pattern: &str) -> (&str, bool) {
    let mut ucp = false;
    while let Some((rest, verb)) =
        ["(*UCP)", "(*UTF8)", "(*UTF)"].iter().find_map(|verb| Some((pattern.strip_prefix(verb)?, verb)))
    {
        ucp |= *verb == "(*UCP)";
        pattern = rest;
    }
    (pattern, ucp)
}

/// The options that change what the rest of a pattern means.
#[derive(Debug, Clone, Copy)]
struct Flags {
    /// `m`
    lines: bool,
    /// `x`
    spaced: bool,
}

struct Translator<'p> {
    rest: Peekable<Chars<'p>>,
    out: String,
    reading: Reading,
    ucp: bool,
    flags: Flags,
    /// The options outside each group that is open.
    outer: Vec<Flags>,
}

impl Translator<'_> {
    fn run(&mut self) {
        while let Some(next) = self.rest.next() {
            match next {
                '\\' => self.escape(),
                '[' => self.class(),
                '(' => self.group(),
                ')' => {
                    self.flags = self.outer.pop().unwrap_or(self.flags);
                    self.out.push(')');
                }
                '{' if !self.is_quantifier() => self.out.push_str("\\{"),
                '$' if self.any() && !self.flags.lines => self.out.push_str(END),
                // A newline at the very end begins no line.
                '^' if self.any() && self.flags.lines => self.out.push_str(r"(?:\A|(?<=\n)(?!\z))"),
                '#' if self.flags.spaced => while self.rest.next().is_some_and(|skipped| skipped != '\n') {},
                space if self.flags.spaced && space.is_ascii_whitespace() => {}
                other => self.out.push(other),
            }
        }
    }

    /// Whether `{2}`, `{2,}` or `{2,3}` begins here; any other brace is a character.
    fn is_quantifier(&self) -> bool {
        let inside: String = self.rest.clone().take_while(|next| *next != '}').take(12).collect();
        let (least, most) = inside.split_once(',').unwrap_or((&inside, ""));
        let closed = self.rest.clone().nth(inside.chars().count()) == Some('}');
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        closed && !least.is_empty() && digits(least) && digits(most)
    }

    fn any(&self) -> bool {
        self.reading == Reading::Any
    }

    /// Whether the short classes have to be kept from knowing more than ASCII.
    fn narrow(&self) -> bool {
        self.any() && !self.ucp
    }

    fn escape(&mut self) {
        let Some(letter) = self.rest.next() else { return self.out.push('\\') };
        match letter {
            'Q' => self.quoted(),
            'E' => {}
            'h' | 'v' | 'H' | 'V' => self.bracketed(letter),
            'd' | 'w' | 's' | 'D' | 'W' | 'S' if self.narrow() => {
                self.out.push_str("(?-i:");
                self.bracketed(letter);
                self.out.push(')');
            }
            'b' if self.narrow() => self.out.push_str(BOUNDARY),
            'B' if self.narrow() => self.out.push_str(NO_BOUNDARY),
            'R' => self.out.push_str(r"(?>\r\n|[\n\x0B\f\r\x{85}\x{2028}\x{2029}])"),
            'N' => self.out.push_str(r"[^\n]"),
            'Z' => self.out.push_str(if self.any() { END } else { r"\z" }),
            'x' | 'p' | 'P' | 'k' => self.in_braces(letter),
            'c' => self.control(),
            'o' => self.octal_in_braces(),
            '0'..='7' => self.octal(letter),
            'g' => self.reference(),
            // The engine has a meaning of its own for these.
            '<' | '>' => self.out.push(letter),
            other => self.out.extend(['\\', other]),
        }
    }

    /// An escape with what may stand in braces behind it: they are no quantifier.
    fn in_braces(&mut self, letter: char) {
        self.out.extend(['\\', letter]);
        if self.rest.next_if_eq(&'{').is_none() {
            return;
        }
        let named = letter == 'k';
        self.out.push(if named { '<' } else { '{' });
        while let Some(next) = self.rest.next_if(|next| *next != '}') {
            self.out.push(next);
        }
        if self.rest.next().is_some() {
            self.out.push(if named { '>' } else { '}' });
        }
    }

    /// `\cA` is the character whose code has the bit of 64 turned.
    fn control(&mut self) {
        match self.rest.next_if(char::is_ascii) {
            Some(letter) => self.code_point(u32::from(letter.to_ascii_uppercase()) ^ 64),
            None => self.out.push_str("\\c"),
        }
    }

    /// `\o{141}`
    fn octal_in_braces(&mut self) {
        let mut ahead = self.rest.clone();
        let opened = ahead.next() == Some('{');
        let digits: String = ahead.by_ref().take_while(|next| *next != '}').collect();
        match u32::from_str_radix(&digits, 8) {
            Ok(code) if opened => {
                self.rest = ahead;
                self.code_point(code);
            }
            _ => self.out.push_str("\\o"),
        }
    }

    /// `\0` with up to two digits behind it, or three octal digits; other numbers refer back to groups.
    fn octal(&mut self, first: char) {
        let mut digits = String::from(first);
        let mut ahead = self.rest.clone();
        while digits.len() < 3
            && let Some(digit) = ahead.next_if(|next| matches!(next, '0'..='7'))
        {
            digits.push(digit);
        }
        match u32::from_str_radix(&digits, 8) {
            Ok(code) if first == '0' || digits.len() == 3 => {
                self.rest = ahead;
                self.code_point(code);
            }
            _ => self.out.extend(['\\', first]),
        }
    }

    /// `\g1`, `\g{1}` and `\g{name}` refer back to groups; the engine calls groups so.
    fn reference(&mut self) {
        let mut ahead = self.rest.clone();
        let braced = ahead.next_if_eq(&'{').is_some();
        let mut name = String::new();
        while let Some(letter) = ahead.next_if(|next| if braced { *next != '}' } else { next.is_ascii_digit() }) {
            name.push(letter);
        }
        if name.is_empty() || (braced && ahead.next() != Some('}')) {
            return self.out.push_str("\\g");
        }
        self.rest = ahead;
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            self.out.extend(["(?:\\", &name, ")"]);
        } else {
            self.out.extend(["\\k<", &name, ">"]);
        }
    }

    fn code_point(&mut self, code: u32) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, "\\x{{{code:X}}}");
    }

    /// A short class as a class in brackets.
    fn bracketed(&mut self, letter: char) {
        self.out.push_str(if letter.is_ascii_uppercase() { "[^" } else { "[" });
        self.out.push_str(members(letter));
        self.out.push(']');
    }

    /// Everything up to `\E` as it stands.
    fn quoted(&mut self) {
        while let Some(literal) = self.quoted_char() {
            if !literal.is_alphanumeric() && literal.is_ascii() {
                self.out.push('\\');
            }
            self.out.push(literal);
        }
    }

    fn quoted_char(&mut self) -> Option<char> {
        let next = self.rest.next()?;
        let closed = next == '\\' && self.rest.next_if_eq(&'E').is_some();
        (!closed).then_some(next)
    }

    /// What stands behind `[`: every bracket and every operator of the engine's classes is a character here.
    fn class(&mut self) {
        self.out.push('[');
        self.out.extend(self.rest.next_if_eq(&'^'));
        if self.rest.next_if_eq(&']').is_some() {
            self.out.push_str("\\]");
        }
        while let Some(next) = self.rest.next() {
            match next {
                ']' => return self.out.push(']'),
                '\\' => self.class_escape(),
                '[' if self.rest.peek() == Some(&':') => self.named_class(),
                other => self.class_char(other),
            }
        }
    }

    fn class_char(&mut self, literal: char) {
        match literal {
            '[' | ']' | '\\' | '^' => self.out.extend(['\\', literal]),
            '&' | '~' => self.out.extend(['[', literal, ']']),
            other => self.out.push(other),
        }
    }

    fn class_escape(&mut self) {
        let Some(letter) = self.rest.next() else { return self.out.push('\\') };
        match letter {
            'Q' => {
                while let Some(literal) = self.quoted_char() {
                    if literal == '-' { self.out.push_str("[-]") } else { self.class_char(literal) }
                }
            }
            'E' => {}
            'h' | 'v' => self.out.push_str(members(letter)),
            'H' | 'V' => self.bracketed(letter),
            'd' | 'w' | 's' if self.narrow() => self.out.push_str(members(letter)),
            'D' | 'W' | 'S' if self.narrow() => self.bracketed(letter),
            // The engine would take it for the sign of a range.
            '-' => self.out.push_str("[-]"),
            '&' | '~' => self.class_char(letter),
            other => self.out.extend(['\\', other]),
        }
    }

    /// `[:alpha:]` and its like; what only begins so is a bracket and a colon.
    fn named_class(&mut self) {
        let mut ahead = self.rest.clone();
        ahead.next();
        let mut name = String::new();
        while let Some(letter) = ahead.next_if(|letter| letter.is_ascii_lowercase() || *letter == '^') {
            name.push(letter);
        }
        if ahead.next() != Some(':') || ahead.next() != Some(']') {
            return self.class_char('[');
        }
        self.rest = ahead;
        let unicode = UNICODE_CLASSES.iter().find(|(known, _)| self.ucp && *known == name);
        match unicode {
            Some((_, members)) => self.out.push_str(members),
            None => self.out.extend(["[:", &name, ":]"]),
        }
    }

    /// What stands behind `(`: the options that it may set hold for the group, or for the rest of the one around it.
    fn group(&mut self) {
        let mut ahead = self.rest.clone();
        if ahead.next() == Some('?') && ahead.peek() == Some(&'#') {
            while self.rest.next().is_some_and(|skipped| skipped != ')') {}
            return;
        }
        self.outer.push(self.flags);
        if self.rest.next_if_eq(&'?').is_none() {
            return self.out.push('(');
        }
        let (letters, flags) = self.options();
        match self.rest.peek() {
            Some(')') => {
                self.rest.next();
                self.outer.pop();
                self.flags = flags;
                if !letters.is_empty() {
                    self.out.extend(["(?", &letters, ")"]);
                }
                return;
            }
            Some(':') => self.flags = flags,
            _ => {}
        }
        self.out.extend(["(?", &letters]);
    }

    /// The letters behind `(?`, without the `x` that is obeyed here, and what they make of the options.
    fn options(&mut self) -> (String, Flags) {
        let (mut letters, mut flags, mut set) = (String::new(), self.flags, true);
        while let Some(letter) = self.rest.next_if(|letter| letter.is_ascii_lowercase() || *letter == '-') {
            match letter {
                '-' => set = false,
                'm' => flags.lines = set,
                'x' => flags.spaced = set,
                _ => {}
            }
            if letter != 'x' {
                letters.push(letter);
            }
        }
        (letters.trim_end_matches('-').to_owned(), flags)
    }
}

/// The members of a short class, whether it names them or all others.
fn members(letter: char) -> &'static str {
    match letter.to_ascii_lowercase() {
        'd' => "0-9",
        'w' => "0-9A-Za-z_",
        's' => r"\t\n\x0B\f\r\x20",
        'h' => HORIZONTAL,
        _ => VERTICAL,
    }
}
