//! The literal beginning a regular expression asks for (`src/mongo/db/query/analyze_regex.cpp`).

use crate::query::Regex;

/// The text every match begins with, and whether the regex asks for nothing else.
///
/// Only an anchored pattern has one: it begins with `^`, or with `\A`, which also bears the flag `m`. The flags `s` and
/// `x` are understood, any other (such as `i`) makes the beginning unusable, and so does a `|`.
pub(super) fn literal_prefix(regex: &Regex) -> Option<(String, bool)> {
    let (body, multiline) = match regex.pattern.strip_prefix("\\A") {
        Some(body) => (body, true),
        None => (regex.pattern.strip_prefix('^')?, false),
    };
    let usable = regex.options.chars().all(|flag| matches!(flag, 's' | 'x') || (flag == 'm' && multiline));
    if !usable || body.contains('|') {
        return None;
    }
    let (prefix, exact) = scan(body, regex.options.contains('x'));
    (!prefix.is_empty()).then_some((prefix, exact))
}

/// Collects characters that stand for themselves, until one that does not.
fn scan(body: &str, extended: bool) -> (String, bool) {
    let mut prefix = String::new();
    let mut rest = body.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            // These two make the last character optional.
            '*' | '?' => {
                prefix.pop();
                return (prefix, false);
            }
            '\\' => match rest.next() {
                Some('Q') => quote(&mut rest, &mut prefix),
                Some(escaped) if !escaped.is_ascii_alphanumeric() => prefix.push(escaped),
                _ => return (prefix, false),
            },
            '^' | '$' | '.' | '[' | '(' | ')' | '+' | '{' => return (prefix, false),
            '#' if extended => return (prefix, false),
            space if extended && space.is_ascii_whitespace() => {}
            literal => prefix.push(literal),
        }
    }
    (prefix, true)
}

/// Takes everything up to `\E` as it stands.
fn quote(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, prefix: &mut String) {
    while let Some(next) = rest.next() {
        if next == '\\' && rest.peek() == Some(&'E') {
            rest.next();
            return;
        }
        prefix.push(next);
    }
}

/// The least text above all that begin with the prefix; none where the last character has no successor.
pub(super) fn successor(prefix: &str) -> Option<String> {
    let mut text = prefix.to_owned();
    while let Some(last) = text.pop() {
        let next = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32);
        if let Some(next) = next {
            text.push(next);
            return Some(text);
        }
    }
    None
}
