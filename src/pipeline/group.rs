//! `$group`: documents by key, values gathered per group.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::error::{CommandError, Result};
use crate::query::expr::{Accumulator, Context, Expression, Reads, Root, Scope, Value};
use crate::value::{Bson, DocView, Document, DocumentBuilder, Followed, Packed, Path, View, doc, type_alias};

use super::accumulate::{Gather, Progress};
use super::flow::{Run, Stream, each, gathered};
use super::row::Row;
use crate::query::expr::{write_key, write_text_key};

/// The stage.
#[derive(Debug, Clone)]
pub struct Group {
    /// The key.
    pub key: Expression,
    /// Fields of the output in order.
    pub fields: Vec<(String, Gather)>,
}

impl Group {
    /// Parses the stage.
    ///
    /// # Errors
    /// 15947, 15948, 15955 and the refusals of accumulators.
    pub fn parse(value: &Bson, scope: &Scope) -> Result<Self> {
        let Bson::Document(document) = value else {
            return Err(CommandError::new(15947, "a group's fields must be specified in an object"));
        };
        let (mut key, mut fields) = (None, Vec::new());
        for (name, value) in document {
            if name == "_id" {
                key = Some(Expression::parse(value, scope).map_err(|error| error.inside_field("_id"))?);
            } else {
                let gather = Gather::parse(name, value, scope).map_err(|error| error.inside_field(name))?;
                fields.push((name.clone(), gather));
            }
        }
        let key = key.ok_or_else(|| CommandError::new(15955, "a group specification must include an _id"))?;
        Ok(Self { key, fields })
    }

    /// The stage as explain shows it.
    #[must_use]
    pub fn to_bson(&self) -> Bson {
        let mut shown = Document::from_iter([("_id".to_owned(), self.key.to_bson())]);
        shown.extend(self.fields.iter().map(|(name, gather)| (name.clone(), gather.to_bson())));
        Bson::Document(shown)
    }

    /// The stage as explain shows it where the planner gives one document per key: each makes a group by itself.
    #[must_use]
    pub fn to_transformation(&self) -> Document {
        let mut root = Document::from_iter([("_id".to_owned(), self.key.to_bson())]);
        root.extend(self.fields.iter().filter_map(|(name, gather)| Some((name.clone(), gather.operand()?.to_bson()))));
        doc! {"$groupByDistinctScan": {"newRoot": root}}
    }

    /// Folds constants.
    ///
    /// # Errors
    /// Constant parts that fail.
    pub fn fold(&mut self, context: &Context) -> Result<()> {
        self.key.fold(context).map_err(|error| error.inside_field("_id"))?;
        let fold =
            |(name, gather): &mut (String, Gather)| gather.fold(context).map_err(|error| error.inside_field(name));
        self.fields.iter_mut().try_for_each(fold)
    }

    /// Adds what the stage reads.
    pub fn reads(&self, reads: &mut Reads) {
        self.key.reads(reads);
        self.fields.iter().for_each(|(_, gather)| gather.reads(reads));
    }

    /// The path before the stage that holds what a path in `_id` does: the key is one field of the document, or written out
    /// with such fields in it (`DocumentSourceGroup::getModifiedPaths`).
    #[must_use]
    pub fn origin(&self, path: &Path) -> Option<Path> {
        let (first, rest) = path.parts().split_first()?;
        if &**first == "_id" { self.key.origin(rest) } else { None }
    }

    /// Whether a path leads to a field of a key that is written out.
    #[must_use]
    pub fn writes_out(&self, path: &Path) -> bool {
        match path.parts() {
            [id, name] => &**id == "_id" && self.key.has_field(name),
            _ => false,
        }
    }

    /// The key's path where every field is `$first` of the group (or every one `$last`), so that one document per key will do
    /// (server: `rewriteGroupAsTransformOnFirstDocument`).
    #[must_use]
    pub fn one_per_key(&self) -> Option<(&Path, Accumulator)> {
        let path = self.key.only_path()?;
        let mut ends = self.fields.iter().map(|(_, gather)| gather.end_of_group());
        let first = ends.next().unwrap_or(Some(Accumulator::First))?;
        ends.all(|end| end == Some(first)).then_some((path, first))
    }

    /// Opens the stage.
    pub fn open<'s>(&'s self, input: Stream<'s>, run: Run<'s>) -> Stream<'s> {
        gathered(input, move |input| self.collect(input, run))
    }

    fn collect<'s>(&'s self, mut input: Stream<'s>, run: Run<'s>) -> Result<Stream<'s>> {
        let mut groups = Groups { stage: self, run, places: HashMap::default(), list: Vec::new(), scratch: Vec::new() };
        let mut added = Ok(());
        input.visit(&mut |row| {
            added = groups.add(row);
            added.is_ok()
        })?;
        added?;
        if let Some(meter) = run.meter {
            let held = |at: usize| groups.list.iter().map(|group| group.progress[at].memory() as u64).sum();
            *meter.held.borrow_mut() = (0..self.fields.len()).map(held).collect();
        }
        let mut list = groups.list.into_iter();
        Ok(each(move || {
            let row = list.next().map(|group| self.document(&group));
            if let (Some(meter), Some(row)) = (run.meter, &row) {
                meter.add_bytes(row.raw().as_bytes().len());
            }
            Ok(row)
        }))
    }

    fn document<'s>(&self, group: &OneGroup) -> Row<'s> {
        let mut document = DocumentBuilder::new();
        document.append("_id", group.key.view());
        for ((name, gather), progress) in self.fields.iter().zip(&group.progress) {
            let value = gather.value(progress);
            document.append(name, value.or_null());
        }
        Row::built(document)
    }
}

struct OneGroup {
    key: Packed,
    progress: Vec<Progress>,
}

/// The groups so far, in the order their first document came.
struct Groups<'s> {
    stage: &'s Group,
    run: Run<'s>,
    places: HashMap<Box<[u8]>, usize, RandomState>,
    list: Vec<OneGroup>,
    scratch: Vec<u8>,
}

impl Groups<'_> {
    fn add(&mut self, row: &Row<'_>) -> Result<()> {
        let (stage, context) = (self.stage, self.run.context);
        let root = row.root();
        let place = match self.known_text(root) {
            Some(place) => place,
            None => self.place(&stage.key.evaluate(&context.env(root)).map_err(|error| error.inside_field("_id"))?)?,
        };
        let group = &mut self.list[place];
        for ((name, gather), progress) in stage.fields.iter().zip(&mut group.progress) {
            gather.add(progress, root, context).map_err(|error| error.inside_field(name))?;
        }
        Ok(())
    }

    /// The group of a key that is stored text and was met before, found without decoding anything.
    fn known_text(&mut self, root: Root<'_>) -> Option<usize> {
        let plain = self.run.context.collation().is_simple();
        let text = self.stage.key.stored(root).filter(|_| plain)?.text()?;
        self.scratch.clear();
        write_text_key(&mut self.scratch, text);
        self.places.get(self.scratch.as_slice()).copied()
    }

    /// The group of a key; a missing key is the group of null.
    fn place(&mut self, key: &Value<'_>) -> Result<usize> {
        let view = key.or_null();
        self.scratch.clear();
        write_key(&mut self.scratch, Some(view), self.run.context.collation());
        if let Some(place) = self.places.get(self.scratch.as_slice()) {
            return Ok(*place);
        }
        let place = self.list.len();
        let nothing = Document::new();
        let group: Root<'_> = match view {
            View::Document(document) => Root::Document(document),
            _ => Root::Document(DocView::Owned(&nothing)),
        };
        let start = |(_, gather): &(String, Gather)| gather.start(group, self.run.context);
        let progress = self.stage.fields.iter().map(start).collect::<Result<_>>()?;
        self.places.insert(self.scratch.as_slice().into(), place);
        self.list.push(OneGroup { key: Packed::new(view), progress });
        Ok(place)
    }
}

/// What a stage says of an operand that is no document.
pub fn need_document<'d>(value: &'d Bson, code: i32, message: &str) -> Result<&'d Document> {
    match value {
        Bson::Document(document) => Ok(document),
        other => Err(CommandError::new(code, format!("{message}{}", type_alias(other.into())))),
    }
}
