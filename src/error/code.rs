//! MongoDB's error numbers and code names (`src/mongo/base/error_codes.yml`, 7.0).

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal),+ $(,)?) => {
        /// A MongoDB error code: the named ones, and the bare numbers of single checks (`uassert(40415, …)`), which
        /// the server calls `Location40415`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorCode {
            $($(#[$doc])* $name,)+
            /// A numbered check without a name of its own.
            Location(i32),
        }

        impl ErrorCode {
            /// MongoDB's number.
            #[must_use]
            pub fn number(self) -> i32 {
                match self {
                    $(Self::$name => $number,)+
                    Self::Location(number) => number,
                }
            }

            /// MongoDB's code name, such as `TypeMismatch` or `Location40415`.
            #[must_use]
            pub fn name(self) -> String {
                match self {
                    $(Self::$name => stringify!($name).to_owned(),)+
                    Self::Location(number) => format!("Location{number}"),
                }
            }
        }

        /// The named code of this number, or else the numbered check.
        impl From<i32> for ErrorCode {
            fn from(number: i32) -> Self {
                match number {
                    $($number => Self::$name,)+
                    other => Self::Location(other),
                }
            }
        }
    };
}

codes! {
    /// A value the command cannot use.
    BadValue = 2,
    /// Text that does not parse.
    FailedToParse = 9,
    /// A value of the wrong BSON type.
    TypeMismatch = 14,
    /// A number out of range for its use.
    Overflow = 15,
    /// An illegal operation on this collection or state.
    IllegalOperation = 20,
    /// A namespace or index that does not exist.
    NamespaceNotFound = 26,
    /// An index that does not exist.
    IndexNotFound = 27,
    /// A path that crosses a value it cannot go through.
    PathNotViable = 28,
    /// Two update operators on overlapping paths.
    ConflictingUpdateOperators = 40,
    /// A namespace that exists already.
    NamespaceExists = 48,
    /// A field name beginning with `$` where none may.
    DollarPrefixedFieldName = 52,
    /// An `_id` of a type that is not allowed.
    InvalidIdField = 53,
    /// An empty field name in a path.
    EmptyFieldName = 56,
    /// A command the server does not know.
    CommandNotFound = 59,
    /// An update of an immutable field.
    ImmutableField = 66,
    /// An index that cannot be created as asked.
    CannotCreateIndex = 67,
    /// Options that contradict each other.
    InvalidOptions = 72,
    /// A namespace name that is not allowed.
    InvalidNamespace = 73,
    /// An index with other options under this name.
    IndexOptionsConflict = 85,
    /// An index with other keys under this name.
    IndexKeySpecsConflict = 86,
    /// An operation stopped by a limit on time.
    MaxTimeMSExpired = 50,
    /// A span of time that no long holds in milliseconds.
    DurationOverflow = 159,
    /// Two arrays in one compound index.
    CannotIndexParallelArrays = 171,
    /// A pipeline operator that is not allowed here.
    InvalidPipelineOperator = 168,
    /// A query outside the command's reach.
    QueryFeatureNotAllowed = 224,
    /// A conversion that cannot be done.
    ConversionFailure = 241,
    /// No plan exists for the query.
    NoQueryExecutionPlans = 291,
    /// A blocking stage over its memory limit.
    QueryExceededMemoryLimitNoDiskUseAllowed = 292,
    /// A document or command over 16 MiB.
    BSONObjectTooLarge = 10334,
    /// An operation over its memory limit.
    ExceededMemoryLimit = 146,
    /// A unique index that holds this key already.
    DuplicateKey = 11000,
    /// A cursor whose collection is gone.
    QueryPlanKilled = 175,
    /// An operation interrupted.
    Interrupted = 11601,
    /// An upsert whose filter fixes one field twice.
    NotSingleValueField = 54,
    /// An upsert that fixes only a part of an immutable field.
    NotExactValueField = 111,
    /// An array that would have to be filled up too far.
    CannotBackfillArray = 34,
    /// A database reference with wrong parts.
    InvalidDBRef = 55,
    /// An index option the server does not know.
    InvalidIndexSpecificationOption = 197,
    /// A key pattern that several indexes share.
    AmbiguousIndexKeyPattern = 181,
    /// Something the server knows and this store does not.
    NotImplemented = 238,
    /// A batch that is empty or too long.
    InvalidLength = 16,
}
