//! Two plans side by side: stages paired by role, counts, ratios with their bands, and the reason for the difference.
//!
//! Any two explains can be compared: two designs, two indexes, before and after, a learner's answer and the model's.

use crate::plan::{Explain, IndexBounds, OrderedIntervals, PlanNode, Stage};
use crate::value::Path;
use crate::words::{Lang, Words};

/// What a stage is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Finds candidates: COLLSCAN, IXSCAN, IDHACK and the counting and distinct scans.
    Scan,
    /// Joins the candidates of several scans.
    Join,
    /// Reads documents.
    Fetch,
    /// Orders.
    Sort,
    /// Shapes or cuts the result.
    Shape,
    /// Writes.
    Write,
}

impl Role {
    /// The role of a stage.
    #[must_use]
    pub fn of(stage: &Stage) -> Self {
        match stage {
            Stage::Eof
            | Stage::CollScan { .. }
            | Stage::IdHack { .. }
            | Stage::IxScan { .. }
            | Stage::FastCount
            | Stage::CountScan(_)
            | Stage::DistinctScan { .. } => Self::Scan,
            Stage::Or | Stage::SortMerge { .. } | Stage::Subplan => Self::Join,
            Stage::Fetch { .. } => Self::Fetch,
            Stage::Sort { .. } => Self::Sort,
            Stage::Limit(_) | Stage::Skip(_) | Stage::Projection { .. } | Stage::ReturnKey | Stage::Count => {
                Self::Shape
            }
            Stage::Update | Stage::Delete => Self::Write,
        }
    }

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Scan => "scan",
            Self::Join => "join",
            Self::Fetch => "fetch",
            Self::Sort => "sort",
            Self::Shape => "shape",
            Self::Write => "write",
        }
    }
}

/// How good a ratio is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Band {
    /// At least 50 % of what was read was wanted; or less than 5 keys per document.
    Good,
    /// At least 10 %.
    Fair,
    /// At least 1 %; or 5 keys per document and more.
    Poor,
    /// Less than 1 %; or 20 keys per document and more.
    Bad,
}

impl Band {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Fair => "fair",
            Self::Poor => "poor",
            Self::Bad => "bad",
        }
    }

    /// The word for it in a language.
    #[must_use]
    pub fn text(self, lang: Lang) -> &'static str {
        let german = match self {
            Self::Good => "gut",
            Self::Fair => "mäßig",
            Self::Poor => "schwach",
            Self::Bad => "schlecht",
        };
        Words::new(self.name(), german).get(lang)
    }

    /// The band of a share of wanted things among those read: 50, 10 and 1 %.
    #[must_use]
    pub fn of_efficiency(share: f64) -> Self {
        match share {
            share if share >= 0.5 => Self::Good,
            share if share >= 0.1 => Self::Fair,
            share if share >= 0.01 => Self::Poor,
            _ => Self::Bad,
        }
    }

    /// The band of keys read per different document: 5 and 20 times.
    #[must_use]
    pub fn of_expansion(times: f64) -> Self {
        match times {
            times if times < 5.0 => Self::Good,
            times if times < 20.0 => Self::Poor,
            _ => Self::Bad,
        }
    }
}

/// A ratio with its band.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio {
    /// The value.
    pub value: f64,
    /// How good it is.
    pub band: Band,
}

/// The figures of one plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// Index keys read.
    pub keys: u64,
    /// Documents read.
    pub docs: u64,
    /// Results.
    pub returned: u64,
    /// Results per key or document read, whichever was read more; none where nothing was read.
    pub efficiency: Option<Ratio>,
    /// Keys read per different document they led to; none without an index scan.
    pub expansion: Option<Ratio>,
    /// Whether results were sorted in memory.
    pub sorts: bool,
    /// How the documents were found.
    pub access: Access,
}

/// How a plan found its documents, from worst to best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Every document was read.
    CollectionScan,
    /// An index was read from end to end.
    WholeIndex,
    /// The first part of the key was bounded, a later one that the index has was not.
    PartlyBounded,
    /// Every part of the key was bounded.
    FullyBounded,
    /// By `_id`, by the collection's own count, or not at all.
    Direct,
}

/// Which of two plans read less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cheaper {
    /// The first.
    Left,
    /// The second.
    Right,
    /// Both read the same number of keys and documents.
    Neither,
}

/// Why one plan read less than the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// They read the same.
    Equal,
    /// The dearer one has no index for it and reads every document.
    NoIndex,
    /// The dearer one reads a whole index.
    WholeIndex,
    /// The dearer one's bounds hold only a part of the key.
    KeyOnly,
    /// The cheaper one answers from the index alone.
    Covered,
    /// The dearer one reads several entries of one document.
    Multikey,
    /// The dearer one needs several scans.
    SeveralScans,
    /// The dearer one's answer is in more documents, and it reads no others.
    MoreDocuments,
    /// The dearer one has to read more candidates for the same question.
    MoreCandidates,
}

/// Two stages of one role, one of each plan; one side may have none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The role.
    pub role: Role,
    /// The stage of the first plan.
    pub left: Option<StageFigures>,
    /// The stage of the second.
    pub right: Option<StageFigures>,
}

/// A stage with what it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageFigures {
    /// MongoDB's name.
    pub stage: &'static str,
    /// Keys it read.
    pub keys: u64,
    /// Documents it read.
    pub docs: u64,
    /// Results it passed on.
    pub advanced: u64,
}

/// Two plans compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Stages paired by role, from the scans up.
    pub pairs: Vec<Pair>,
    /// The first plan's figures.
    pub left: Measure,
    /// The second plan's.
    pub right: Measure,
    /// Which one read fewer keys and documents together.
    pub cheaper: Cheaper,
    /// Why.
    pub reason: Reason,
}

/// Compares two plans. Sameness of the answers is not judged here: that comes first, and elsewhere.
#[must_use]
pub fn compare(left: &Explain, right: &Explain) -> Comparison {
    let (left_figures, right_figures) = (measure(left), measure(right));
    let cheaper = match reads(&left_figures).cmp(&reads(&right_figures)) {
        std::cmp::Ordering::Less => Cheaper::Left,
        std::cmp::Ordering::Greater => Cheaper::Right,
        std::cmp::Ordering::Equal => Cheaper::Neither,
    };
    let reason = match cheaper {
        Cheaper::Neither => Reason::Equal,
        Cheaper::Left => reason(left, &left_figures, right, &right_figures),
        Cheaper::Right => reason(right, &right_figures, left, &left_figures),
    };
    Comparison { pairs: pair(&left.winning, &right.winning), left: left_figures, right: right_figures, cheaper, reason }
}

fn reads(measure: &Measure) -> u64 {
    measure.keys + measure.docs
}

/// The figures of a plan.
#[must_use]
pub fn measure(explain: &Explain) -> Measure {
    let nodes = walk(&explain.winning);
    let keys = nodes.iter().map(|node| node.work.keys_examined).sum();
    let docs = nodes.iter().map(|node| node.work.docs_examined).sum();
    let dropped: u64 = nodes.iter().map(|node| node.work.dups_dropped).sum();
    let scans = nodes.iter().any(|node| matches!(node.stage, Stage::IxScan { .. }));
    Measure {
        keys,
        docs,
        returned: explain.returned,
        efficiency: efficiency(explain.returned, keys, docs),
        expansion: scans.then(|| expansion(keys, dropped)).flatten(),
        sorts: nodes.iter().any(|node| matches!(node.stage, Stage::Sort { .. })),
        access: nodes.iter().filter_map(|node| access(&node.stage)).min().unwrap_or(Access::Direct),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a ratio for people; counts stay far below 2^53")]
pub(super) fn quotient(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn efficiency(returned: u64, keys: u64, docs: u64) -> Option<Ratio> {
    let value = quotient(returned, keys.max(docs))?;
    Some(Ratio { value, band: Band::of_efficiency(value) })
}

fn expansion(keys: u64, dropped: u64) -> Option<Ratio> {
    let value = quotient(keys, keys.saturating_sub(dropped))?;
    Some(Ratio { value, band: Band::of_expansion(value) })
}

/// All nodes of a plan, root first.
pub(super) fn walk(root: &PlanNode) -> Vec<&PlanNode> {
    let mut found = vec![root];
    let mut at = 0;
    while at < found.len() {
        found.extend(&found[at].inputs);
        at += 1;
    }
    found
}

fn access(stage: &Stage) -> Option<Access> {
    match stage {
        Stage::CollScan { .. } => Some(Access::CollectionScan),
        Stage::IxScan { scan, .. } | Stage::CountScan(scan) | Stage::DistinctScan { scan, .. } => {
            Some(bounds_access(&scan.bounds))
        }
        Stage::IdHack { .. } | Stage::FastCount | Stage::Eof => Some(Access::Direct),
        _ => None,
    }
}

fn bounds_access(bounds: &IndexBounds) -> Access {
    let open = |(_, part): &(Path, OrderedIntervals)| part.is_all();
    match bounds.parts.iter().filter(|part| open(part)).count() {
        0 => Access::FullyBounded,
        _ if bounds.parts.first().is_some_and(open) => Access::WholeIndex,
        _ => Access::PartlyBounded,
    }
}

fn count_of(explain: &Explain, wanted: impl Fn(&Stage) -> bool) -> usize {
    walk(&explain.winning).into_iter().filter(|node| wanted(&node.stage)).count()
}

/// Why the first plan, which read less, did.
fn reason(good: &Explain, good_figures: &Measure, bad: &Explain, bad_figures: &Measure) -> Reason {
    let fetches = |explain| count_of(explain, |stage| matches!(stage, Stage::Fetch { .. }));
    let scans = |explain| count_of(explain, |stage| Role::of(stage) == Role::Scan);
    let times = |measure: &Measure| measure.expansion.map_or(1.0, |ratio| ratio.value);
    if bad_figures.returned > good_figures.returned && bad_figures.docs == bad_figures.returned {
        return Reason::MoreDocuments;
    }
    if bad_figures.access < good_figures.access {
        return match bad_figures.access {
            Access::CollectionScan => Reason::NoIndex,
            Access::WholeIndex => Reason::WholeIndex,
            _ => Reason::KeyOnly,
        };
    }
    if fetches(good) == 0 && good_figures.docs == 0 && bad_figures.docs > 0 {
        return Reason::Covered;
    }
    if scans(bad) > scans(good) {
        return Reason::SeveralScans;
    }
    if times(bad_figures) > times(good_figures) {
        return Reason::Multikey;
    }
    Reason::MoreCandidates
}

/// Pairs the stages of two plans, role by role, in the order in which they work.
fn pair(left: &PlanNode, right: &PlanNode) -> Vec<Pair> {
    let figures = |root| {
        let mut list: Vec<_> =
            walk(root).into_iter().map(|node| (Role::of(&node.stage), stage_figures(node))).collect();
        list.reverse();
        list
    };
    let (left, right) = (figures(left), figures(right));
    let of_role = |list: &[(Role, StageFigures)], wanted| -> Vec<StageFigures> {
        list.iter().filter(|(role, _)| *role == wanted).map(|(_, stage)| stage.clone()).collect()
    };
    let mut pairs = Vec::new();
    for role in [Role::Scan, Role::Join, Role::Fetch, Role::Sort, Role::Shape, Role::Write] {
        let (left, right) = (of_role(&left, role), of_role(&right, role));
        for at in 0..left.len().max(right.len()) {
            pairs.push(Pair { role, left: left.get(at).cloned(), right: right.get(at).cloned() });
        }
    }
    pairs
}

fn stage_figures(node: &PlanNode) -> StageFigures {
    StageFigures {
        stage: node.stage.name(),
        keys: node.work.keys_examined,
        docs: node.work.docs_examined,
        advanced: node.work.advanced,
    }
}
