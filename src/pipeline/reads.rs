//! What a pipeline reads of the documents it is given (`Pipeline::getDependencies` and `DocumentSource::getDependencies` of
//! each stage, `src/mongo/db/pipeline/`).

use crate::query::Filter;
use crate::query::expr::Reads;
use crate::value::{Document, Path};

use super::shape::Policy;
use super::stage::Stage;
use super::whole::{Pipeline, Placed};

/// What a stage tells of the fields that it and those behind it need (`DepsTracker::State`).
enum Needs {
    /// What it reads itself; the documents pass on, so that stages behind it may read more.
    SeeNext,
    /// What it reads itself, and nothing else: it makes new documents.
    Exhaustive,
    /// Whatever there is.
    Everything,
}

impl Pipeline {
    /// What the stages read up to the first one that makes new documents; none where the documents get through to the end.
    pub(super) fn reads(&self) -> Option<Reads> {
        let mut reads = Reads::default();
        for Placed { stage, .. } in &self.stages {
            match needs(stage, &mut reads) {
                Needs::SeeNext => {}
                Needs::Exhaustive => return Some(reads),
                Needs::Everything => return None,
            }
        }
        None
    }
}

fn needs(stage: &Stage, reads: &mut Reads) -> Needs {
    match stage {
        Stage::Match(stage) => filter_reads(&stage.filter, reads),
        Stage::Sort(sort) => reads.paths.extend(sort.pattern.keys().map(|path| Path::new(path))),
        Stage::Unwind(unwind) => reads.paths.extend([unwind.path.clone()]),
        Stage::AddFields(shape, _) => shape.reads(reads),
        Stage::Project(shape) if shape.policy == Policy::Exclude => {}
        Stage::Lookup(lookup) => lookup.reads(reads),
        Stage::GraphLookup(lookup) => lookup.reads(reads),
        Stage::SetWindowFields(window) => window.reads(reads),
        Stage::Densify(densify) => densify.reads(reads),
        Stage::Limit(_) | Stage::Skip(_) | Stage::Sample(_) | Stage::UnionWith(_) => {}
        Stage::Project(shape) => {
            shape.reads(reads);
            return Needs::Exhaustive;
        }
        Stage::Group(group) => {
            group.reads(reads);
            return Needs::Exhaustive;
        }
        Stage::BucketAuto(buckets) => {
            buckets.reads(reads);
            return Needs::Exhaustive;
        }
        Stage::ReplaceRoot(expression) => {
            expression.reads(reads);
            return Needs::Exhaustive;
        }
        Stage::Facet(facet) => {
            facet.reads(reads);
            return Needs::Exhaustive;
        }
        Stage::Redact(..) | Stage::Documents(_) | Stage::Statistics(..) | Stage::Target(_) => return Needs::Everything,
    }
    Needs::SeeNext
}

/// The fields that are read, as an inclusion; none where whole documents are (`DepsTracker::toProjectionWithoutMetadata`).
pub(super) fn as_inclusion(reads: &Reads) -> Option<Document> {
    if reads.whole {
        return None;
    }
    let mut fields = Document::new();
    let needs_id = reads.paths.iter().any(|path| &*path.parts()[0] == "_id");
    let mut last: Option<&Path> = None;
    for path in &reads.paths {
        if last.is_some_and(|last| last.is_prefix_of(path)) {
            continue;
        }
        fields.insert(path.to_string(), 1);
        last = Some(path);
    }
    if !needs_id {
        fields.insert("_id", 0);
    }
    Some(fields)
}

/// Adds the paths that a filter tests.
pub(super) fn filter_reads(filter: &Filter, reads: &mut Reads) {
    match filter {
        Filter::And(parts) | Filter::Or(parts) | Filter::Nor(parts) => {
            for part in parts {
                filter_reads(part, reads);
            }
        }
        Filter::Not(part) => filter_reads(part, reads),
        Filter::Field(predicate) => {
            reads.paths.insert(predicate.path.clone());
        }
        Filter::Expr(expression) => expression.reads(reads),
        Filter::JsonSchema(_) => reads.whole = true,
        Filter::Constant(_) => {}
    }
}
