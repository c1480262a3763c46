//! The filter as explain shows it (`MatchExpression::serialize`).

use super::filter::{Bits, Comparison, Filter, InList, Predicate, Regex, Test, TypeSet};
use crate::value::{Bson, Document, Path, doc, whole};

impl Filter {
    /// The filter as explain shows it: every comparison spelled out, AND and OR as lists.
    #[must_use]
    pub fn to_document(&self) -> Document {
        match self {
            Self::And(parts) if parts.is_empty() => Document::new(),
            Self::And(parts) => doc! {"$and": list(parts)},
            Self::Or(parts) => doc! {"$or": list(parts)},
            Self::Nor(parts) => doc! {"$nor": list(parts)},
            Self::Not(part) => negation(part),
            Self::Field(predicate) => doc! {predicate.path.to_string(): predicate.test.to_document()},
            Self::Expr(expression) => doc! {"$expr": expression.to_bson()},
            Self::JsonSchema(schema) => doc! {"$jsonSchema": schema.clone()},
            Self::Constant(true) => doc! {"$alwaysTrue": 1},
            Self::Constant(false) => doc! {"$alwaysFalse": 1},
        }
    }
}

fn list(parts: &[Filter]) -> Vec<Bson> {
    parts.iter().map(|part| Bson::Document(part.to_document())).collect()
}

/// `$not` beside the path where the part speaks of one path only, and names no operator twice, else `$nor`.
fn negation(part: &Filter) -> Document {
    if matches!(part, Filter::And(parts) if parts.is_empty()) {
        return doc! {"$alwaysFalse": 1};
    }
    let beside = single_path(part).and_then(|(path, tests)| Some(doc! {path.to_string(): {"$not": merged(&tests)?}}));
    beside.unwrap_or_else(|| doc! {"$nor": [part.to_document()]})
}

fn single_path(part: &Filter) -> Option<(&Path, Vec<&Test>)> {
    match part {
        Filter::Field(Predicate { path, test }) => Some((path, vec![test])),
        Filter::And(parts) => {
            let (path, _) = single_path(parts.first()?)?;
            let test = |part| match part {
                &Filter::Field(Predicate { path: ref own, ref test }) if own == path => Some(test),
                _ => None,
            };
            Some((path, parts.iter().map(test).collect::<Option<_>>()?))
        }
        _ => None,
    }
}

/// All operators in one document; none where one of them would stand in it twice.
fn merged(tests: &[&Test]) -> Option<Document> {
    let mut operators = tests.iter().flat_map(|test| test.to_document());
    operators.try_fold(Document::new(), |mut merged, (name, operand)| {
        merged.insert(name, operand).is_none().then_some(merged)
    })
}

impl Test {
    /// The operators beside the path, such as `{$gte: 5}`.
    #[must_use]
    pub fn to_document(&self) -> Document {
        match self {
            Self::Compare(comparison, literal) => doc! {comparison.name(): literal.clone()},
            Self::In(list) => doc! {"$in": list.to_array()},
            Self::Exists => doc! {"$exists": true},
            Self::Type(set) => doc! {"$type": set.to_array()},
            Self::Mod(divisor, remainder) => doc! {"$mod": [whole(*divisor), whole(*remainder)]},
            Self::Regex(regex) => regex.to_document(),
            Self::Size(size) => doc! {"$size": whole(*size)},
            Self::Bits(bits, positions) => {
                doc! {bits.name(): positions.iter().map(|at| i64::from(*at)).map(whole).collect::<Vec<_>>()}
            }
            Self::ElemMatchObject(filter) => doc! {"$elemMatch": filter.to_document()},
            Self::ElemMatchValue(parts) => doc! {"$elemMatch": element_tests(parts)},
        }
    }
}

/// The operators of the value form stand side by side, without the empty path of their parts.
fn element_tests(parts: &[Filter]) -> Document {
    let operators = |part: &Filter| match part.to_document().into_iter().next() {
        Some((path, Bson::Document(operators))) if path.is_empty() => operators,
        Some((name, value)) => doc! {name: value},
        None => Document::new(),
    };
    parts.iter().flat_map(operators).collect()
}

impl Comparison {
    /// MongoDB's name of the operator.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Eq => "$eq",
            Self::Lt => "$lt",
            Self::Lte => "$lte",
            Self::Gt => "$gt",
            Self::Gte => "$gte",
        }
    }
}

impl Bits {
    /// MongoDB's name of the operator.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AllSet => "$bitsAllSet",
            Self::AllClear => "$bitsAllClear",
            Self::AnySet => "$bitsAnySet",
            Self::AnyClear => "$bitsAnyClear",
        }
    }
}

impl InList {
    fn to_array(&self) -> Vec<Bson> {
        self.values.iter().cloned().chain(self.regexes.iter().map(Regex::to_bson)).collect()
    }
}

impl TypeSet {
    fn to_array(&self) -> Vec<Bson> {
        let numbers = self.all_numbers.then(|| Bson::String("number".into()));
        numbers.into_iter().chain(self.codes.iter().map(|code| Bson::Int32(*code))).collect()
    }
}

impl Regex {
    fn to_document(&self) -> Document {
        let mut document = doc! {"$regex": self.pattern.clone()};
        if !self.options.is_empty() {
            document.insert("$options", self.options.clone());
        }
        document
    }

    /// The expression as a BSON value.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        crate::value::View::Regex { pattern: &self.pattern, options: &self.options }.to_bson()
    }
}
