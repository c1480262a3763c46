//! What a run says of the facts, apart from the form its documents have: the basis for judging sameness.

use std::collections::BTreeMap;

use crate::engine::{Command, Reply, Run};
use crate::value::{Bson, Document, View, compare};

use super::duel::Difference;
use super::form::Design;
use super::reshape::{bytes_of, owner_of};

/// How many examples a difference shows.
const SHOWN: usize = 5;

/// An answer that can be compared between designs.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Answer {
    /// Entities, by the bytes of their owner, with the owner itself.
    Entities(BTreeMap<Vec<u8>, Bson>),
    /// A count.
    Count(u64),
    /// Values or computed documents, in order.
    Values(Vec<Bson>),
}

impl Answer {
    /// The answer of a run. `asked` is the home command, which tells what its documents mean; `run` may be a counterpart's.
    pub(super) fn of(asked: &Command, design: &Design, run: &Run) -> Self {
        match (&run.reply, asked) {
            (Reply::Count(count), _) => Self::Count(*count),
            (Reply::Values(values), _) => Self::values(values.clone()),
            (Reply::Documents(_), Command::Count(_)) => Self::Count(counted(&documents(run))),
            (Reply::Documents(_), Command::Distinct(_)) => {
                Self::values(documents(run).iter().filter_map(|document| document.get("_id").cloned()).collect())
            }
            (Reply::Documents(_), Command::Aggregate(aggregate)) if !keeps_entities(&aggregate.pipeline) => {
                Self::values(documents(run).into_iter().map(Bson::Document).collect())
            }
            (Reply::Documents(_), _) => Self::entities(design, &documents(run)),
            _ => Self::written(design, run),
        }
    }

    fn entities(design: &Design, documents: &[Document]) -> Self {
        let owners = documents.iter().map(|document| owner_of(design, document));
        Self::Entities(owners.map(|owner| (bytes_of(&owner), owner)).collect())
    }

    /// The entities that a write touched.
    fn written(design: &Design, run: &Run) -> Self {
        let sides = run.writes.documents.iter().map(|change| change.after.as_ref().or(change.before.as_ref()));
        let documents: Vec<_> = sides.flatten().filter_map(|raw| Document::try_from(raw.as_ref()).ok()).collect();
        Self::entities(design, &documents)
    }

    fn values(mut values: Vec<Bson>) -> Self {
        values.sort_by(|a, b| compare(View::from(a), View::from(b)));
        Self::Values(values)
    }

    /// How many entities, values, or what count.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Entities(entities) => entities.len(),
            Self::Values(values) => values.len(),
            Self::Count(count) => usize::try_from(*count).unwrap_or(usize::MAX),
        }
    }

    /// How the twin's answer differs from this one; none where it does not.
    pub(super) fn difference(&self, name: &str, twin: &Self) -> Option<Difference> {
        let show = |values: Vec<&Bson>| -> (Vec<String>, usize) {
            (values.iter().take(SHOWN).map(|value| crate::shell::literal(value)).collect(), values.len())
        };
        let (home_only, twin_only) = match (self, twin) {
            (Self::Entities(home), Self::Entities(twin)) => {
                (missing(home, twin).collect::<Vec<_>>(), missing(twin, home).collect::<Vec<_>>())
            }
            (Self::Values(home), Self::Values(twin)) => (absent(home, twin), absent(twin, home)),
            (Self::Count(home), Self::Count(twin)) => {
                let only = |mine: u64, other: u64| if mine == other { Vec::new() } else { vec![mine.to_string()] };
                let (only_home, only_twin) = (only(*home, *twin), only(*twin, *home));
                let gap = |a: u64, b: u64| usize::try_from(a.saturating_sub(b)).unwrap_or(usize::MAX);
                return (home != twin).then(|| Difference {
                    name: name.to_owned(),
                    only_home,
                    only_twin,
                    missing: gap(*home, *twin),
                    extra: gap(*twin, *home),
                });
            }
            // A count beside documents: nothing of one side is on the other.
            _ => {
                let (missing, extra) = (self.size(), twin.size());
                let nothing = Vec::new;
                return Some(Difference {
                    name: name.to_owned(),
                    only_home: nothing(),
                    only_twin: nothing(),
                    missing,
                    extra,
                });
            }
        };
        let ((only_home, missing), (only_twin, extra)) = (show(home_only), show(twin_only));
        (missing + extra > 0).then_some(Difference { name: name.to_owned(), only_home, only_twin, missing, extra })
    }
}

fn missing<'a>(
    mine: &'a BTreeMap<Vec<u8>, Bson>,
    others: &'a BTreeMap<Vec<u8>, Bson>,
) -> impl Iterator<Item = &'a Bson> {
    mine.iter().filter(|(key, _)| !others.contains_key(*key)).map(|(_, owner)| owner)
}

/// The values of the first list that the second does not have as often; both are sorted.
fn absent<'a>(mine: &'a [Bson], others: &[Bson]) -> Vec<&'a Bson> {
    let mut at = 0;
    let mut gone = Vec::new();
    for value in mine {
        while at < others.len() && compare(View::from(&others[at]), View::from(value)).is_lt() {
            at += 1;
        }
        if at < others.len() && compare(View::from(&others[at]), View::from(value)).is_eq() {
            at += 1;
        } else {
            gone.push(value);
        }
    }
    gone
}

/// Whether a pipeline's documents are still those of the collection.
fn keeps_entities(pipeline: &[Document]) -> bool {
    const KEEPING: [&str; 9] =
        ["$match", "$sort", "$skip", "$limit", "$project", "$set", "$addFields", "$unset", "$sample"];
    pipeline.iter().all(|stage| stage.keys().all(|name| KEEPING.contains(&name.as_str())))
}

/// The documents of a reply.
pub(super) fn documents(run: &Run) -> Vec<Document> {
    match &run.reply {
        Reply::Documents(raw) => raw.iter().filter_map(|raw| Document::try_from(raw.as_ref()).ok()).collect(),
        _ => Vec::new(),
    }
}

/// The figure of `{$count: "n"}`; no document means none.
fn counted(documents: &[Document]) -> u64 {
    let figure = documents.first().and_then(|document| document.get("n"));
    let figure = figure.and_then(|n| n.as_i64().or_else(|| n.as_i32().map(i64::from)));
    figure.and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
}
