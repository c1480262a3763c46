//! Mistakes noticed, proven on the learner's own data, and cured.
//!
//! One file per pitfall: id, words, detection. Every detection looks at what is really there: the statement's tree with
//! spans and repeated keys, the commands it ran with their results, plans and writes, and the facts of the data. Nothing is
//! decided by comparing text. A [`Detector`] keeps the facts up to date and asks every pitfall of the [`table`].

mod as_expression;
mod case;
mod chosen;
mod conversion;
mod days;
mod detector;
mod edit;
mod elements;
mod entries;
mod entry;
mod exchange;
mod finding;
mod found;
mod grain;
mod inquiry;
mod linked;
mod literal;
mod made;
mod memo;
mod moments;
mod pair;
mod parts;
mod put;
mod question;
mod report;
mod rewrite;
mod stored;
mod touch;
mod verdict;
mod wording;
mod work;

mod aggregating;
mod breaking;
mod indexing;
mod migrating;
mod modelling;
mod querying;
mod updating;

pub use breaking::{Break, Choice, Quiz, breaks, quizzes};
pub use case::Case;
pub use detector::{Detector, Work};
pub use entry::{Pitfall, Sighting, is_of_shape, table};
pub use finding::{Evidence, Finding, Level};
pub use inquiry::Inquiry;
pub use question::Question;
pub use report::{IN_FULL, Report, Shown, remarks, sort};
