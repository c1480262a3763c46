//! The kinds of match expressions in the server's order, which is the order of siblings (`MatchExpression::MatchType`).

use super::filter::{Bits, Comparison, Filter, Test};

/// A kind of match expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the kinds are named after their operators")]
pub enum MatchType {
    And,
    Or,
    ElemMatchObject,
    ElemMatchValue,
    Size,
    Eq,
    Lte,
    Lt,
    Gt,
    Gte,
    Regex,
    Mod,
    Exists,
    In,
    BitsAllSet,
    BitsAllClear,
    BitsAnySet,
    BitsAnyClear,
    Not,
    Nor,
    Type,
    Expression,
    AlwaysFalse,
    AlwaysTrue,
    InternalExprEq,
    InternalExprGt,
    InternalExprGte,
    InternalExprLt,
    InternalExprLte,
    /// The server makes a tree of internal kinds of it, which come last.
    JsonSchema,
}

impl Filter {
    /// The filter's kind.
    #[must_use]
    pub fn match_type(&self) -> MatchType {
        match self {
            Self::And(_) => MatchType::And,
            Self::Or(_) => MatchType::Or,
            Self::Nor(_) => MatchType::Nor,
            Self::Not(_) => MatchType::Not,
            Self::Field(predicate) => predicate.test.match_type(),
            Self::Expr(_) => MatchType::Expression,
            Self::JsonSchema(_) => MatchType::JsonSchema,
            Self::Constant(false) => MatchType::AlwaysFalse,
            Self::Constant(true) => MatchType::AlwaysTrue,
        }
    }
}

impl Test {
    /// The test's kind.
    #[must_use]
    pub fn match_type(&self) -> MatchType {
        match self {
            Self::ElemMatchObject(_) => MatchType::ElemMatchObject,
            Self::ElemMatchValue(_) => MatchType::ElemMatchValue,
            Self::Size(_) => MatchType::Size,
            Self::Compare(Comparison::Eq, _) => MatchType::Eq,
            Self::Compare(Comparison::Lte, _) => MatchType::Lte,
            Self::Compare(Comparison::Lt, _) => MatchType::Lt,
            Self::Compare(Comparison::Gt, _) => MatchType::Gt,
            Self::Compare(Comparison::Gte, _) => MatchType::Gte,
            Self::Regex(_) => MatchType::Regex,
            Self::Mod(..) => MatchType::Mod,
            Self::Exists => MatchType::Exists,
            Self::In(_) => MatchType::In,
            Self::Bits(Bits::AllSet, _) => MatchType::BitsAllSet,
            Self::Bits(Bits::AllClear, _) => MatchType::BitsAllClear,
            Self::Bits(Bits::AnySet, _) => MatchType::BitsAnySet,
            Self::Bits(Bits::AnyClear, _) => MatchType::BitsAnyClear,
            Self::Type(_) => MatchType::Type,
        }
    }
}
