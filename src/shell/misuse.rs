//! What mongosh and its driver refuse before any command is sent, where there is advice on it.

/// A call that is refused unsent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Misuse {
    /// An argument of another type than the one wanted.
    Type {
        /// The argument's position.
        position: usize,
        wanted: &'static str,
        found: &'static str,
        /// The method with its class, such as `Collection.find`.
        method: String,
    },
    /// A change without update operators.
    NoOperators,
    /// A whole document with update operators in it.
    Operators {
        /// The driver words it in two ways: "contain", in a bulk write "use".
        verb: &'static str,
    },
    /// A value that is no sort.
    SortFormat(String),
    /// A direction that is none.
    SortDirection(String),
    /// One document in the place of a list of them.
    NoList,
}

impl Misuse {
    /// The name of the error.
    pub(super) fn class(&self) -> &'static str {
        match self {
            Self::Type { .. } => "MongoshInvalidInputError",
            _ => "MongoInvalidArgumentError",
        }
    }

    /// The error's message.
    pub(super) fn message(&self) -> String {
        match self {
            Self::Type { position, wanted, found, method } => format!(
                "[COMMON-10001] Argument at position {position} must be of type {wanted}, got {found} instead ({method})"
            ),
            Self::NoOperators => "Update document requires atomic operators".to_owned(),
            Self::Operators { verb } => format!("Replacement document must not {verb} atomic operators"),
            Self::SortFormat(value) => format!("Invalid sort format: {value} Sort must be a valid object"),
            Self::SortDirection(value) => format!("Invalid sort direction: {value}"),
            Self::NoList => "Argument \"docs\" must be an array of documents".to_owned(),
        }
    }

    /// The position of the argument that is to blame.
    pub(super) fn position(&self) -> usize {
        match self {
            Self::Type { position, .. } => *position,
            Self::NoOperators | Self::Operators { .. } => 1,
            Self::SortFormat(_) | Self::SortDirection(_) | Self::NoList => 0,
        }
    }
}
