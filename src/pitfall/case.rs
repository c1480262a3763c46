//! Everything a pitfall may look at, and the tools all of them need.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::engine::{Command, Database, Host, Run};
use crate::error::CommandPath;
use crate::pitfall::question;
use crate::pitfall::{Question, wording};
use crate::plan::Explain;
use crate::query::{Collation, Filter, Matcher, Witness};
use crate::shell::{Ran, Script, literal};
use crate::store::{AttributeFacts, Direction, Profile};
use crate::value::{Bson, Document, RawDocument, View, compare};

/// One run of a text: its tree, its commands, the data before and after, and the data's facts.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The text's tree.
    pub script: &'a Script,
    /// The commands in order.
    pub ran: &'a [Ran],
    /// The data as it was.
    pub before: &'a Database,
    /// The data as it is.
    pub after: &'a Database,
    profiles: &'a BTreeMap<String, Profile>,
}

impl<'a> Case<'a> {
    pub(super) fn new(
        script: &'a Script,
        ran: &'a [Ran],
        before: &'a Database,
        after: &'a Database,
        profiles: &'a BTreeMap<String, Profile>,
    ) -> Self {
        Self { script, ran, before, after, profiles }
    }

    /// Every filter that was asked, in order.
    #[must_use]
    pub fn questions(&self) -> Vec<Question<'a>> {
        self.ran.iter().flat_map(question::of).collect()
    }

    /// The facts of a collection's present data.
    #[must_use]
    pub fn profile(&self, collection: &str) -> Option<&'a Profile> {
        self.profiles.get(collection)
    }

    /// The attribute arrays of a collection.
    #[must_use]
    pub fn attributes(&self, collection: &str) -> &'a [AttributeFacts] {
        self.profile(collection).map_or(&[], Profile::attributes)
    }

    /// The bytes that a path of a command was typed at, or the call's.
    #[must_use]
    pub fn span(&self, ran: &Ran, path: &CommandPath) -> Range<usize> {
        ran.places.span(path).or_else(|| ran.span.clone()).unwrap_or_default()
    }

    /// The documents of a collection that match, in record order, as they were before the text wrote (a text that builds
    /// its own data is judged on what it built).
    #[must_use]
    pub fn matching(&self, collection: &str, filter: &Filter) -> Vec<&'a RawDocument> {
        let Ok(matcher) = Matcher::new(filter, Collation::simple()) else { return Vec::new() };
        self.documents(collection).filter(|document| matcher.matches(*document)).collect()
    }

    /// The documents of a collection: before the text ran, or after where it was empty before.
    pub fn documents(&self, collection: &str) -> impl Iterator<Item = &'a RawDocument> + use<'a> {
        let before = self.before.collection(collection).filter(|before| !before.is_empty());
        let held = before.or_else(|| self.after.collection(collection));
        held.into_iter().flat_map(|held| held.scan(Direction::Ascending)).map(|(_, document)| document)
    }

    /// The documents a question looked through: those before the text, unless the text wrote before asking.
    #[must_use]
    pub fn seen(&self, question: &Question<'_>) -> Vec<&'a RawDocument> {
        let earlier = self.ran.iter().take_while(|ran| !std::ptr::eq(*ran, question.ran));
        let wrote = earlier.filter_map(|ran| ran.result.as_ref().ok()).any(|run| !run.writes.documents.is_empty());
        let database = if wrote { self.after } else { self.before };
        let held = database.collection(question.collection).into_iter();
        held.flat_map(|held| held.scan(Direction::Ascending)).map(|(_, document)| document).collect()
    }

    /// Why a document matches.
    #[must_use]
    pub fn witness(&self, filter: &Filter, document: &RawDocument) -> Option<Witness> {
        let matcher = Matcher::new(filter, Collation::simple()).ok()?;
        let mut witness = Witness::default();
        matcher.judge(document, &mut witness).then_some(witness)
    }

    /// Runs a command on a fork of the data after the text.
    #[must_use]
    pub fn run(&self, command: &Command) -> Option<Run> {
        self.after.clone().run(command).ok()
    }

    /// The plan a command ran with, or was explained with.
    #[must_use]
    pub fn explain(&self, ran: &'a Ran) -> Option<&'a Explain> {
        ran.result.as_ref().ok()?.explain.as_deref()
    }

    /// The whole text with these bytes replaced.
    #[must_use]
    pub fn replaced(&self, span: &Range<usize>, with: &str) -> Option<String> {
        let text = self.script.text();
        Some(format!("{}{with}{}", text.get(..span.start)?, text.get(span.end..)?))
    }

    /// The whole text with a question's filter written anew; none where the filter was not typed as a literal.
    #[must_use]
    pub fn with_filter(&self, question: &Question<'_>, filter: &Document) -> Option<String> {
        let node = question.ran.places.literal(&question.at)?;
        self.replaced(&self.script.node(node).span, &literal(&Bson::Document(wording::plain(filter))))
    }
}

/// The `_id` of a document.
#[must_use]
pub fn id(document: &RawDocument) -> Bson {
    document.get("_id").ok().flatten().map_or(Bson::Null, |value| View::from(value).to_bson())
}

/// The `_id`s of documents.
#[must_use]
pub fn ids(documents: &[&RawDocument]) -> Vec<Bson> {
    documents.iter().map(|document| id(document)).collect()
}

/// The values of one list that the other lacks, by MongoDB's equality.
#[must_use]
pub fn only_in<'v>(list: &'v [Bson], other: &[Bson]) -> Vec<&'v Bson> {
    let mut sorted: Vec<View<'_>> = other.iter().map(View::from).collect();
    sorted.sort_by(|a, b| compare(*a, *b));
    let known = |value: &Bson| sorted.binary_search_by(|held| compare(*held, View::from(value))).is_ok();
    list.iter().filter(|value| !known(value)).collect()
}

/// Whether two lists hold the same values, order aside.
#[must_use]
pub fn same(left: &[Bson], right: &[Bson]) -> bool {
    left.len() == right.len() && only_in(left, right).is_empty() && only_in(right, left).is_empty()
}

/// A value as mongosh writes it.
#[must_use]
pub fn shown(value: &Bson) -> String {
    literal(value)
}
