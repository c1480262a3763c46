//! What the detector says: a finding with its place, its sentence, its evidence and its cure.

use std::ops::Range;

use serde_json::{Value, json};

use crate::value::{Bson, Document, JsonMode, to_json};
use crate::words::Words;

/// How much a pitfall matters; the order is the order of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The answer or the stored data is not what the statement seems to ask for.
    WrongResult,
    /// The server answers with an error.
    Refused,
    /// Right answer, needless work.
    Cost,
    /// Nothing happened yet; the shape of the data or the index will bite later.
    Risk,
    /// Right and cheap, but commonly misread.
    Surprise,
    /// Something worth knowing.
    Hint,
}

impl Level {
    /// The level's stable name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.words().en
    }

    /// What it is called.
    #[must_use]
    pub fn words(self) -> Words {
        match self {
            Self::WrongResult => Words::new("wrong result", "falsches Ergebnis"),
            Self::Refused => Words::new("refused", "abgelehnt"),
            Self::Cost => Words::new("cost", "Kosten"),
            Self::Risk => Words::new("risk", "Risiko"),
            Self::Surprise => Words::new("surprise", "Überraschung"),
            Self::Hint => Words::new("hint", "Hinweis"),
        }
    }
}

/// A pitfall noticed in one statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The pitfall's stable id, such as `cross-element-match`.
    pub id: &'static str,
    /// Its level on the present data.
    pub level: Level,
    /// Its weight inside the level; 25 is the heaviest.
    pub weight: u8,
    /// Bytes of the learner's text that it speaks of.
    pub span: Range<usize>,
    /// One or two sentences with at least one number or `_id` from the data.
    pub message: String,
    /// What proves it.
    pub evidence: Vec<Evidence>,
    /// The learner's whole text with the mistake cured, where one can be written.
    pub fix: Option<String>,
}

/// One piece of proof, as values.
#[derive(Debug, Clone, PartialEq)]
pub enum Evidence {
    /// The ids two statements give, and what set them apart.
    Results {
        /// Ids of the learner's statement.
        learner: Vec<Bson>,
        /// Ids of what it seems to ask for.
        meant: Vec<Bson>,
    },
    /// A document that the statement misjudges, with the parts that decided.
    Document {
        /// The document.
        document: Document,
        /// Dotted paths with positions, such as `specs.1.v`, and what each did.
        deciding: Vec<(String, String)>,
        /// Whether it was made for the proof, the present data having none.
        made: bool,
    },
    /// Index bounds of two forms, by key part.
    Bounds {
        /// The learner's.
        learner: Vec<(String, Vec<String>)>,
        /// The cured form's.
        cured: Vec<(String, Vec<String>)>,
    },
    /// Work of two forms: keys examined, documents examined, returned.
    Cost {
        /// The learner's.
        learner: [u64; 3],
        /// The cured form's.
        cured: [u64; 3],
    },
    /// A document before and after a write.
    Write {
        /// As it was.
        before: Option<Document>,
        /// As it is.
        after: Option<Document>,
    },
    /// Named counts, such as types of one key or entries with null.
    Counts {
        /// What is counted.
        of: String,
        /// Each name with its count.
        counts: Vec<(String, u64)>,
    },
    /// Values in the order one reading gives and in the order another gives.
    Orders {
        /// As MongoDB sees them.
        stored: Vec<Bson>,
        /// As the learner means them.
        meant: Vec<Bson>,
    },
    /// The server's refusal.
    Refusal {
        /// Number.
        code: i32,
        /// Sentence.
        message: String,
    },
}

impl Finding {
    /// The finding as `--findings` prints it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "level": self.level.name(),
            "span": {"start": self.span.start, "end": self.span.end},
            "message": self.message,
            "evidence": self.evidence.iter().map(Evidence::to_json).collect::<Vec<_>>(),
            "fix": self.fix,
        })
    }
}

impl Evidence {
    /// The piece as JSON; values as relaxed Extended JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::Results { learner, meant } => {
                json!({"kind": "results", "learner": values(learner), "meant": values(meant)})
            }
            Self::Document { document, deciding, made } => {
                let deciding: Vec<Value> =
                    deciding.iter().map(|(path, role)| json!({"path": path, "role": role})).collect();
                json!({"kind": "document", "document": tree(document), "deciding": deciding, "made": made})
            }
            Self::Bounds { learner, cured } => {
                json!({"kind": "bounds", "learner": bounds(learner), "cured": bounds(cured)})
            }
            Self::Cost { learner, cured } => json!({"kind": "cost", "learner": cost(*learner), "cured": cost(*cured)}),
            Self::Write { before, after } => {
                json!({"kind": "write", "before": before.as_ref().map(tree), "after": after.as_ref().map(tree)})
            }
            Self::Counts { of, counts } => {
                let counts: serde_json::Map<String, Value> =
                    counts.iter().map(|(name, count)| (name.clone(), json!(count))).collect();
                json!({"kind": "counts", "of": of, "counts": counts})
            }
            Self::Orders { stored, meant } => {
                json!({"kind": "orders", "stored": values(stored), "meant": values(meant)})
            }
            Self::Refusal { code, message } => json!({"kind": "refusal", "code": code, "message": message}),
        }
    }
}

fn values(list: &[Bson]) -> Value {
    list.iter().map(|value| to_json(value, JsonMode::Relaxed)).collect()
}

fn tree(document: &Document) -> Value {
    to_json(&Bson::Document(document.clone()), JsonMode::Relaxed)
}

fn bounds(parts: &[(String, Vec<String>)]) -> Value {
    parts.iter().map(|(part, intervals)| (part.clone(), json!(intervals))).collect::<serde_json::Map<_, _>>().into()
}

fn cost([keys, documents, returned]: [u64; 3]) -> Value {
    json!({"totalKeysExamined": keys, "totalDocsExamined": documents, "nReturned": returned})
}
