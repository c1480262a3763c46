//! A question beside what it seems to ask: both results on the documents it looked through.

use crate::pitfall::case::{Case, id, ids, shown};
use crate::pitfall::{Evidence, Level, Question, Sighting};
use crate::proof::written;
use crate::query::Filter;
use crate::store::RecordId;
use crate::value::{Document, RawDocument};

/// Two results, and where they part.
#[derive(Debug, Default)]
pub struct Verdict<'a> {
    /// What the learner's filter finds.
    pub learner: Vec<&'a RawDocument>,
    /// What it seems to ask for.
    pub meant: Vec<&'a RawDocument>,
    /// Found, but not meant.
    pub extra: Vec<&'a RawDocument>,
    /// Meant, but not found.
    pub missed: Vec<&'a RawDocument>,
}

impl<'a> Verdict<'a> {
    /// Finds the documents of both filters.
    #[must_use]
    pub fn of(case: &Case<'a>, question: &Question<'_>, meant: &Filter) -> Option<Self> {
        let (learner, meant) = (case.found(question, &question.tree)?, case.found(question, meant)?);
        let lacks = |list: &[(RecordId, &'a RawDocument)], record: &RecordId| {
            list.binary_search_by(|(own, _)| own.cmp(record)).is_err()
        };
        let documents = |list: &[(RecordId, &'a RawDocument)], without: Option<&[(RecordId, &'a RawDocument)]>| {
            let wanted = |record: &RecordId| without.is_none_or(|other| lacks(other, record));
            list.iter().filter(|(record, _)| wanted(record)).map(|(_, document)| *document).collect()
        };
        Some(Self {
            extra: documents(&learner, Some(&meant[..])),
            missed: documents(&meant, Some(&learner[..])),
            learner: documents(&learner, None),
            meant: documents(&meant, None),
        })
    }

    /// Finds the question's documents and judges all by another judgement.
    #[must_use]
    pub fn by(case: &Case<'a>, question: &Question<'_>, meant: impl Fn(&'a RawDocument) -> bool) -> Self {
        let mut verdict = Self { learner: case.matching(question, &question.tree), ..Self::default() };
        let mut found = verdict.learner.iter().peekable();
        for document in case.seen(question).iter().copied() {
            let is_found = found.next_if(|own| std::ptr::eq(**own, document)).is_some();
            let is_meant = meant(document);
            if is_meant {
                verdict.meant.push(document);
            }
            match (is_found, is_meant) {
                (true, false) => verdict.extra.push(document),
                (false, true) => verdict.missed.push(document),
                _ => {}
            }
        }
        verdict
    }

    /// Whether the answer is right on these documents.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.extra.is_empty() && self.missed.is_empty()
    }

    /// A risk where the answer happens to be right; else the pitfall's own level.
    #[must_use]
    pub fn level(&self) -> Option<Level> {
        self.is_right().then_some(Level::Risk)
    }

    /// The first document that is misjudged.
    #[must_use]
    pub fn misjudged(&self) -> Option<&'a RawDocument> {
        self.extra.first().or_else(|| self.missed.first()).copied()
    }

    /// The `_id` of the first document that is misjudged, or found.
    #[must_use]
    pub fn example(&self) -> String {
        let document = self.misjudged().or_else(|| self.learner.first().copied());
        document.map(|document| shown(&id(document))).unwrap_or_default()
    }

    /// The `_id` of the first misjudged document in brackets; empty where there is none.
    #[must_use]
    pub fn bracketed(&self) -> String {
        self.misjudged().map(|document| format!(" (_id {})", shown(&id(document)))).unwrap_or_default()
    }

    /// The sighting of a filter that should be another one; milder where both answers are the same.
    #[must_use]
    pub fn sighting(
        &self,
        case: &Case<'_>,
        question: &Question<'_>,
        meant: &Filter,
        values: Vec<(&'static str, String)>,
    ) -> Sighting {
        Sighting {
            span: case.span(question.ran, &question.at),
            values,
            evidence: self.evidence(Vec::new()),
            fix: case.with_filter(question, &written(meant)),
            level: self.level(),
            ..Sighting::default()
        }
    }

    /// Both results.
    #[must_use]
    pub fn results(&self) -> Vec<Evidence> {
        vec![Evidence::Results { learner: ids(&self.learner), meant: ids(&self.meant) }]
    }

    /// Both results, and the first misjudged document.
    #[must_use]
    pub fn evidence(&self, deciding: Vec<(String, String)>) -> Vec<Evidence> {
        let mut evidence = self.results();
        evidence.extend(self.misjudged().and_then(|document| proof(document, deciding)));
        evidence
    }
}

/// A document as proof.
#[must_use]
pub fn proof(document: &RawDocument, deciding: Vec<(String, String)>) -> Option<Evidence> {
    let document = Document::try_from(document).ok()?;
    Some(Evidence::Document { document, deciding, made: false })
}
