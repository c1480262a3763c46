//! A question beside what it seems to ask: both results on the documents it looked through.

use crate::pitfall::case::{Case, id, ids, shown};
use crate::pitfall::{Evidence, Level, Question, Sighting};
use crate::proof::written;
use crate::query::Filter;
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
    /// Judges every document by both filters.
    #[must_use]
    pub fn of(case: &Case<'a>, question: &Question<'_>, meant: &Filter) -> Option<Self> {
        let judged = case.judged(question, meant)?;
        Self::parted(case, question, judged.iter().copied())
    }

    /// Judges every document by the question's filter and by another judgement.
    #[must_use]
    pub fn by(case: &Case<'a>, question: &Question<'_>, meant: impl Fn(&'a RawDocument) -> bool) -> Option<Self> {
        let documents = case.seen(question);
        Self::parted(case, question, documents.iter().map(|document| meant(document)))
    }

    fn parted(case: &Case<'a>, question: &Question<'_>, meant: impl Iterator<Item = bool>) -> Option<Self> {
        let judged = case.judged(question, &question.tree)?;
        let mut verdict = Self::default();
        for ((document, found), meant) in case.seen(question).iter().copied().zip(judged.iter()).zip(meant) {
            match (*found, meant) {
                (true, true) => {
                    verdict.learner.push(document);
                    verdict.meant.push(document);
                }
                (true, false) => {
                    verdict.learner.push(document);
                    verdict.extra.push(document);
                }
                (false, true) => {
                    verdict.meant.push(document);
                    verdict.missed.push(document);
                }
                (false, false) => {}
            }
        }
        Some(verdict)
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
        }
    }

    /// Both results, and the first misjudged document.
    #[must_use]
    pub fn evidence(&self, deciding: Vec<(String, String)>) -> Vec<Evidence> {
        let mut evidence = vec![Evidence::Results { learner: ids(&self.learner), meant: ids(&self.meant) }];
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
