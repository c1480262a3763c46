//! A filter as a drawing of its tree, which is how the server's refusals quote one (`MatchExpression::debugString`).

use super::filter::{Filter, InList, Predicate, Regex, Test};
use crate::value::shown;

impl Filter {
    /// One line for each test and operator, four spaces deeper below what holds it; the last line ends as well.
    #[must_use]
    pub fn outline(&self) -> String {
        let mut lines = String::new();
        draw(self, 0, &mut lines);
        lines
    }
}

fn line(text: &str, depth: usize, lines: &mut String) {
    lines.push_str(&" ".repeat(4 * depth));
    lines.push_str(text);
    lines.push('\n');
}

fn draw(filter: &Filter, depth: usize, lines: &mut String) {
    match filter {
        Filter::And(parts) => branches("$and", parts, depth, lines),
        Filter::Or(parts) => branches("$or", parts, depth, lines),
        Filter::Nor(parts) => branches("$nor", parts, depth, lines),
        Filter::Not(part) => branches("$not", std::slice::from_ref(part), depth, lines),
        Filter::Field(predicate) => test(predicate, depth, lines),
        Filter::Expr(_) | Filter::JsonSchema(_) | Filter::Constant(_) => {
            line(&shown(&bson::Bson::Document(filter.to_document())).to_string(), depth, lines);
        }
    }
}

fn branches(name: &str, parts: &[Filter], depth: usize, lines: &mut String) {
    line(name, depth, lines);
    for part in parts {
        draw(part, depth + 1, lines);
    }
}

fn test(Predicate { path, test }: &Predicate, depth: usize, lines: &mut String) {
    let (inner, text) = match test {
        Test::ElemMatchObject(filter) => (std::slice::from_ref(&**filter), "$elemMatch (obj)".to_owned()),
        Test::ElemMatchValue(parts) => (parts.as_slice(), "$elemMatch (value)".to_owned()),
        plain => (&[][..], words(plain)),
    };
    line(&format!("{path} {text}"), depth, lines);
    for part in inner {
        draw(part, depth + 1, lines);
    }
}

/// A test that holds no others.
fn words(test: &Test) -> String {
    match test {
        Test::Compare(comparison, literal) => format!("{} {}", comparison.name(), shown(literal)),
        Test::In(list) => in_list(list),
        Test::Exists => "exists".to_owned(),
        Test::Mod(divisor, remainder) => format!("mod {divisor} % x == {remainder}"),
        Test::Regex(Regex { pattern, options }) => format!("regex /{pattern}/{options}"),
        Test::Size(size) => format!("$size : {size}"),
        Test::Bits(bits, positions) => {
            let positions: Vec<String> = positions.iter().map(u32::to_string).collect();
            format!("{}: [{}]", bits.name(), positions.join(", "))
        }
        Test::Type(_) | Test::ElemMatchObject(_) | Test::ElemMatchValue(_) => {
            shown(&bson::Bson::Document(test.to_document())).to_string()
        }
    }
}

fn in_list(list: &InList) -> String {
    let values = list.values.iter().map(|value| format!("{} ", shown(value)));
    let regexes = list.regexes.iter().map(|regex| format!("/{}/{} ", regex.pattern, regex.options));
    format!("$in [ {}]", values.chain(regexes).collect::<String>())
}
