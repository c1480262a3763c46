//! A filter that a command asked, wherever it stood: of a find, a count, a write, or the first stages of a pipeline.

use std::borrow::Cow;

use crate::engine::{Command, Modify};
use crate::error::{CommandPath, Step};
use crate::pitfall::elements::{prefixed, wanted};
use crate::pitfall::exchange::field;
use crate::pitfall::stored::{Stored, stored};
use crate::proof::written;
use crate::query::{Collation, Filter, Matcher, Predicate, Test};
use crate::shell::Ran;
use crate::value::{Bson, Document, Path};

/// One filter with its place.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    /// The command it belongs to.
    pub ran: &'a Ran,
    /// The command itself; of an explain, the one explained.
    pub command: &'a Command,
    /// The collection.
    pub collection: &'a str,
    /// The filter as it was sent; of one that chooses elements, what it asks of the document.
    pub filter: Cow<'a, Document>,
    /// The filter in normal form.
    pub tree: Filter,
    /// How it compares text.
    pub collation: Collation,
    /// Its place in the command: `filter`, or `pipeline.0.$match`.
    pub at: CommandPath,
    /// What it chooses.
    pub form: Form,
}

/// What a filter chooses, and so how its tree is typed.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// Documents.
    Documents,
    /// Elements of arrays that stages before it took apart, the last one first.
    Unwound(Vec<Path>),
    /// Elements of an array, under the identifier of an array filter.
    Identified(Path, String),
}

impl Form {
    /// A filter on documents as it is typed in this form; none where the form cannot say it.
    #[must_use]
    pub fn typed(&self, filter: &Document) -> Option<Document> {
        match self {
            Self::Documents => Some(filter.clone()),
            Self::Unwound(arrays) => Some(written(&Stored::typed(arrays, Filter::parse(filter).ok()?).normalised())),
            Self::Identified(array, name) => match Filter::parse(filter).ok()? {
                Filter::Field(Predicate { path, test: Test::ElemMatchObject(inner) }) if path == *array => {
                    Some(written(&prefixed(&inner, &Path::new(name))))
                }
                _ => None,
            },
        }
    }
}

/// The filters of a command that parse and choose stored documents.
#[must_use]
pub fn of(ran: &Ran) -> Vec<Question<'_>> {
    let command = ran.command.explained();
    match command {
        Command::Aggregate(aggregate) => {
            let Some(collection) = &aggregate.collection else { return Vec::new() };
            let questions = matches(&aggregate.pipeline).flat_map(|(position, filter)| {
                let question = question(ran, collection, filter, match_place(position)).into_iter();
                question.filter(move |own| {
                    let before = &aggregate.pipeline[..position];
                    stored(own.tree.clone(), before).is_some_and(|stored| stored.unwound.is_empty())
                })
            });
            questions.collect()
        }
        _ => match (command.collection(), command.filter()) {
            (Some(collection), Some(filter)) => question(ran, collection, filter, CommandPath::argument("filter")),
            _ => Vec::new(),
        },
    }
}

/// The filters of a command that choose elements of stored arrays, as what they ask of documents: `$match` behind
/// `$unwind`, and array filters.
#[must_use]
pub fn of_elements(ran: &Ran) -> Vec<Question<'_>> {
    let command = ran.command.explained();
    let (collection, filters) = match command {
        Command::Aggregate(aggregate) => {
            let Some(collection) = &aggregate.collection else { return Vec::new() };
            let unwound = |(position, filter)| unwound(ran, collection, &aggregate.pipeline, position, filter);
            return matches(&aggregate.pipeline).filter_map(unwound).collect();
        }
        Command::Update(update) => (&update.collection, &update.spec.array_filters),
        Command::FindAndModify(modify) => (&modify.collection, &modify.array_filters),
        _ => return Vec::new(),
    };
    let Some(Modify::Operators(operators)) = command.modify() else { return Vec::new() };
    let filters = filters.iter().enumerate();
    filters.filter_map(|(position, filter)| identified(ran, collection, operators, position, filter)).collect()
}

fn unwound<'a>(
    ran: &'a Ran,
    collection: &'a str,
    pipeline: &[Document],
    position: usize,
    filter: &'a Document,
) -> Option<Question<'a>> {
    let own = question(ran, collection, filter, match_place(position)).pop()?;
    let stored = stored(own.tree.clone(), &pipeline[..position]).filter(|stored| !stored.unwound.is_empty())?;
    let filter = Cow::Owned(stored.tree.to_document());
    Some(Question { filter, tree: stored.tree, form: Form::Unwound(stored.unwound), ..own })
}

/// An array filter as `$elemMatch` on the array that its identifier stands behind.
fn identified<'a>(
    ran: &'a Ran,
    collection: &'a str,
    operators: &Document,
    position: usize,
    filter: &'a Document,
) -> Option<Question<'a>> {
    let at = CommandPath::argument("arrayFilters").index(position);
    let own = question(ran, collection, filter, at).pop()?;
    let name = own.tree.paths().first()?.parts().first()?.to_string();
    let array = named_array(operators, &format!("$[{name}]"))?;
    let inner = Filter::parse(&without(filter, &name)?).ok()?;
    let tree = field(array.clone(), Test::ElemMatchObject(Box::new(inner)));
    let filter = Cow::Owned(tree.to_document());
    Some(Question { filter, tree, form: Form::Identified(array, name), ..own })
}

/// The array before a positional part of an update's paths, where no other stands before it.
pub(super) fn named_array(operators: &Document, part: &str) -> Option<Path> {
    let mut paths =
        operators.values().filter_map(Bson::as_document).flat_map(Document::keys).map(|name| Path::new(name));
    let array = |path: Path| {
        let at = path.parts().iter().position(|own| own.starts_with('$'))?;
        (*path.parts()[at] == *part).then(|| Path::from_parts(path.parts()[..at].to_vec()))
    };
    paths.find_map(array)
}

/// An array filter with its paths begun at the element; none where it asks for the element itself.
fn without(filter: &Document, name: &str) -> Option<Document> {
    let entry = |(path, value): (&String, &Bson)| match value {
        Bson::Array(parts) if path.starts_with('$') => {
            let parts: Option<Vec<Bson>> =
                parts.iter().map(|part| Some(Bson::Document(without(part.as_document()?, name)?))).collect();
            Some((path.clone(), Bson::Array(parts?)))
        }
        _ => Some((path.strip_prefix(name)?.strip_prefix('.')?.to_owned(), value.clone())),
    };
    filter.iter().map(entry).collect()
}

/// The place of a `$match` in its command.
fn match_place(position: usize) -> CommandPath {
    CommandPath(vec![Step::Field("pipeline".into()), Step::Index(position), Step::Field("$match".into())])
}

/// The `$match` stages of a pipeline.
fn matches(pipeline: &[Document]) -> impl Iterator<Item = (usize, &Document)> {
    let stages = pipeline.iter().enumerate();
    stages.filter_map(|(position, stage)| Some((position, stage.get("$match").and_then(Bson::as_document)?)))
}

fn question<'a>(ran: &'a Ran, collection: &'a str, filter: &'a Document, at: CommandPath) -> Vec<Question<'a>> {
    let command = ran.command.explained();
    let collation = Collation::parse(command.collation()).unwrap_or_default();
    let own = Cow::Borrowed(filter);
    let question =
        |tree| Question { ran, command, collection, filter: own, tree, collation, at, form: Form::Documents };
    Filter::parse(filter).map(question).into_iter().collect()
}

impl Question<'_> {
    /// Judges documents by a filter as this question would; none where the filter cannot be asked.
    #[must_use]
    pub fn matcher(&self, filter: &Filter) -> Option<Matcher> {
        Matcher::new(filter, self.collation.clone()).ok()
    }

    /// The same command with another filter in this place.
    #[must_use]
    pub fn with(&self, filter: Document) -> Command {
        let mut command = self.command.clone();
        if let Command::Aggregate(aggregate) = &mut command {
            if let Some(Step::Index(position)) = self.at.0.get(1) {
                aggregate.pipeline[*position].insert("$match", filter);
            }
        } else if let Some(own) = command.filter_mut() {
            *own = filter;
        }
        command
    }

    /// Whether the filter asks for one document by its `_id`.
    #[must_use]
    pub fn names_one(&self) -> bool {
        wanted(&self.tree, &Path::new("_id")).is_some()
    }

    /// Whether the command only reads.
    #[must_use]
    pub fn reads(&self) -> bool {
        matches!(self.command, Command::Find(_) | Command::Count(_) | Command::Distinct(_) | Command::Aggregate(_))
    }

    /// What the command writes, if it is an update.
    #[must_use]
    pub fn modify(&self) -> Option<&Modify> {
        self.command.modify()
    }
}
