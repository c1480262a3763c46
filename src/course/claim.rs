//! What a lesson says of a block, so that it can be proven: `returns=3 stage=IXSCAN finding=cross-element-match`.

use super::fence::Attribute;
use super::problem::Problem;

/// One fact that must hold after a block has run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// So many documents or values come back, or the counted number is this.
    Returns(u64),
    /// The printed value of the last statement contains this text.
    Prints(String),
    /// The `_id`s, as they print, in any order.
    Ids(Vec<String>),
    /// The winning plan has this stage.
    Stage(String),
    /// The winning plan lacks this stage.
    NoStage(String),
    /// The winning plan scans this index.
    Index(String),
    /// So many index keys are examined.
    Keys(u64),
    /// So many documents are examined.
    Docs(u64),
    /// The bounds of a path, `path:[a, b]`, as explain prints them.
    Bounds {
        /// The indexed path.
        path: String,
        /// The intervals, joined by `;`.
        intervals: String,
    },
    /// This finding is reported.
    Finding(String),
    /// This finding is not reported; `any` means none at all.
    NoFinding(String),
    /// The statement is refused with this code or code name.
    Error(String),
    /// So many documents are changed, inserted or deleted.
    Changed(u64),
}

impl Claim {
    /// Reads one attribute of an info string.
    pub(super) fn read(attribute: &Attribute, file: &str, line: usize) -> Result<Self, Problem> {
        let Attribute { name, value, column } = attribute;
        let refuse = |message: String| Problem::new(file, line, *column, message);
        let number = || {
            let wrong = |_| refuse(format!("`{name}` needs a whole number, not `{value}`"));
            value.parse::<u64>().map_err(wrong)
        };
        Ok(match name.as_str() {
            "returns" => Self::Returns(number()?),
            "keys" => Self::Keys(number()?),
            "docs" => Self::Docs(number()?),
            "changed" => Self::Changed(number()?),
            "prints" => Self::Prints(value.clone()),
            "ids" => Self::Ids(value.split_whitespace().map(str::to_owned).collect()),
            "stage" => Self::Stage(value.clone()),
            "no-stage" => Self::NoStage(value.clone()),
            "index" => Self::Index(value.clone()),
            "finding" => Self::Finding(value.clone()),
            "no-finding" => Self::NoFinding(value.clone()),
            "error" => Self::Error(value.clone()),
            "bounds" => {
                let (path, intervals) =
                    value.split_once(':').ok_or_else(|| refuse("`bounds` is written path:[low, high]".into()))?;
                Self::Bounds { path: path.into(), intervals: intervals.into() }
            }
            _ => return Err(refuse(format!("`{name}` is no claim; known are {KNOWN}"))),
        })
    }
}

const KNOWN: &str =
    "returns, ids, prints, stage, no-stage, index, keys, docs, bounds, finding, no-finding, error, changed";
