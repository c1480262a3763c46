//! The last question of a text with the documents it looked through, to be asked why each matched or not.

use serde_json::{Map, Value, json};

use std::borrow::Cow;
use std::sync::Arc;

use super::question::{self, Question};
use crate::engine::{Command, Database};
use crate::error::{CommandError, Result};
use crate::proof::{Said, said};
use crate::query::{Filter, Matcher, Why};
use crate::shell::{Outcome, Ran, literal};
use crate::store::Direction;
use crate::value::{Bson, DocView, Document, JsonMode, RawDocumentBuf, View, doc, equal, to_json};
use crate::words::Lang;

/// A question that was asked, and what it was asked of.
#[derive(Debug, Clone)]
pub struct Inquiry {
    /// The collection.
    pub collection: String,
    /// The filter as it was sent.
    pub filter: Document,
    /// How it compares text, where it says so.
    pub collation: Option<Document>,
    /// The documents it looked through, in record order.
    pub documents: Arc<Vec<RawDocumentBuf>>,
    /// Whether what the question belongs to has changed documents since: those here are as they were before.
    pub changed: bool,
    matcher: Matcher,
}

impl Inquiry {
    /// The last filter that a text asked; none where it asked none. `before` and `after` are the data before and after it.
    ///
    /// # Errors
    /// A collation or `let` that cannot be read.
    #[must_use = "this only looks"]
    pub fn of(outcome: &Outcome, before: &Database, after: &Database) -> Option<Result<Self>> {
        let question = outcome.ran.iter().rev().find_map(last)?;
        let mut earlier = outcome.ran.iter().take_while(|ran| !std::ptr::eq(*ran, question.ran));
        let wrote = |ran: &Ran| ran.result.as_ref().is_ok_and(|run| !run.writes.documents.is_empty());
        let wrote_earlier = earlier.any(wrote);
        let changed = !wrote_earlier && wrote(question.ran);
        Some(Self::new(&question, if wrote_earlier { after } else { before }, changed))
    }

    fn new(question: &Question<'_>, database: &Database, changed: bool) -> Result<Self> {
        let context = database.context(question.command)?;
        let filter = Filter::as_written(&question.filter, &context.scope())?;
        let held = database.collection(question.collection).into_iter();
        let records = held.flat_map(|held| held.scan(Direction::Ascending));
        Ok(Self {
            collection: question.collection.to_owned(),
            filter: question.filter.clone().into_owned(),
            collation: question.command.collation().cloned(),
            documents: Arc::new(records.map(|(_, document)| document.to_owned()).collect()),
            changed,
            matcher: Matcher::with_context(&filter, context)?,
        })
    }

    /// The position of the document with an `_id`.
    #[must_use]
    pub fn find(&self, id: &Bson) -> Option<usize> {
        let is_it =
            |document: &RawDocumentBuf| equal(DocView::from(document).get("_id").unwrap_or(View::Null), View::from(id));
        self.documents.iter().position(is_it)
    }

    /// The position of the document with an `_id`, written as mongosh writes values; a text may stand without quotes.
    #[must_use]
    pub fn find_written(&self, id: &str) -> Option<usize> {
        self.documents.iter().position(|document| match id_of(document) {
            Bson::String(own) if own == id => true,
            own => literal(&own) == id || matches!(&own, Bson::ObjectId(own) if own.to_hex() == id),
        })
    }

    /// A document by its position, taken apart.
    #[must_use]
    pub fn document(&self, at: usize) -> Option<Document> {
        Document::try_from(self.documents.get(at)?.as_ref()).ok()
    }

    /// Whether a document matches; false for a position where there is none.
    #[must_use]
    pub fn matches(&self, at: usize) -> bool {
        self.documents.get(at).is_some_and(|document| self.matcher.matches(document))
    }

    /// The first document that matches and the first that does not, as far as there are any.
    #[must_use]
    pub fn examples(&self) -> Vec<usize> {
        let first = |wanted: bool| (0..self.documents.len()).find(|at| self.matches(*at) == wanted);
        [first(true), first(false)].into_iter().flatten().collect()
    }

    /// Why a document matches or not; none for a position where there is none.
    ///
    /// # Errors
    /// The error of an `$expr` that fails on it.
    #[must_use = "this only looks"]
    pub fn why(&self, at: usize) -> Option<Result<Why>> {
        Some(self.matcher.why(self.documents.get(at)?))
    }

    /// Why, in words.
    ///
    /// # Errors
    /// Those of the filter on this document.
    pub fn said(&self, at: usize, lang: Lang) -> std::result::Result<Vec<Said>, CommandError> {
        let (Some(why), Some(document)) = (self.why(at), self.documents.get(at)) else { return Ok(Vec::new()) };
        Ok(said(&why?, &id_of(document), lang))
    }

    /// Why some documents match or not, as JSON.
    #[must_use]
    pub fn to_json(&self, positions: &[usize]) -> Value {
        let one = |at: &usize| {
            let id = to_json(&id_of(self.documents.get(*at)?), JsonMode::Relaxed);
            Some(match self.why(*at)? {
                Ok(why) => json!({"_id": id, "matches": why.holds, "why": why.to_json()}),
                Err(error) => json!({"_id": id, "error": {"code": error.code.number(), "message": error.message}}),
            })
        };
        let tree = |document: &Document| to_json(&Bson::Document(document.clone()), JsonMode::Relaxed);
        let mut whole = Map::new();
        whole.insert("collection".into(), self.collection.clone().into());
        whole.insert("filter".into(), tree(&self.filter));
        whole.extend(self.collation.iter().map(|collation| ("collation".into(), tree(collation))));
        whole.insert("documents".into(), positions.iter().filter_map(one).collect());
        whole.into()
    }
}

/// The last filter of a command; the `$match` stages of a pipeline ask together, unless documents are passed over between them.
fn last(ran: &Ran) -> Option<Question<'_>> {
    let mut questions = question::of(ran);
    let mut last = questions.pop()?;
    let Command::Aggregate(aggregate) = last.command else { return Some(last) };
    let passes_over = |stage: &Document| ["$limit", "$skip", "$sample"].iter().any(|name| stage.contains_key(*name));
    if !questions.is_empty() && !aggregate.pipeline.iter().any(passes_over) {
        let all = questions.iter().chain([&last]).map(|own| Bson::Document(own.filter.clone().into_owned()));
        last.filter = Cow::Owned(doc! {"$and": all.collect::<Vec<_>>()});
    }
    Some(last)
}

fn id_of(document: &RawDocumentBuf) -> Bson {
    DocView::from(document).get("_id").map_or(Bson::Null, |id| id.to_bson())
}
