//! The bench: a host that answers from the home design and keeps twins beside it.
//!
//! All designs live in one database: the home collection under the data set's name, each twin as `NAME_FORM`
//! (`products_flat`), so that a rephrased statement can be typed and run. Whatever is typed against any of them is asked of
//! the others: a read is rephrased when the duel is looked at; a write is replayed at once as reshaped documents.
//!
//! Indexes: no design begins with one of its own. An index made in one design gives the others what serves the same
//! questions: `{specs.k, specs.v}` serves every key, so the flat design gets one index for every key in the data, up to the
//! ceiling of 64, and the wildcard design its one wildcard index. Keys that come later have no index in the flat
//! design until someone makes one. An index dropped here is dropped there when no other index here needs it.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::engine::{
    Command, CreateIndexes, Database, Delete, Host, IndexRequest, Insert, Modify, Reply, Run, Update, UpdateSpec,
    WrittenDocument,
};
use crate::error::CommandError;
use crate::store::{Collection, Direction};
use crate::value::{Bson, Document, RawDocument, Source, doc};
use crate::words::Lang;

use super::data;
use super::duel::Duel;
use super::facts::{DataSet, Entity, ranked_keys};
use super::form::{Design, Form, Place};
use super::judge::{self, Question};
use super::loss::Loss;
use super::reason::Note;
use super::rephrase::{Ground, Keys, index_counterparts};
use super::reshape::{bytes_of, owner_of, pour, read};

/// So many documents tell which design a collection is in.
const SAMPLE: usize = 50;

/// A database with several designs of the same facts, and the latest statement compared on all of them.
#[derive(Debug, Clone)]
pub struct Bench {
    database: Database,
    families: Vec<Family>,
    lang: Lang,
    asked: Option<Box<Asked>>,
    /// The latest statement, where it was on a collection without twins.
    alone: Option<Box<(Command, Run)>>,
}

/// The latest statement on a collection of some family, and its duel once it was looked at.
#[derive(Debug, Clone)]
struct Asked {
    question: Question,
    duel: OnceCell<Duel>,
}

/// The designs of one data set; the first is home.
#[derive(Debug, Clone)]
pub(super) struct Family {
    pub(super) members: Vec<Member>,
}

/// One design with its collection.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) design: Design,
    pub(super) collection: String,
    /// What it does not hold, by entity.
    pub(super) losses: BTreeMap<Vec<u8>, Vec<Loss>>,
    /// The latest write that it refused.
    pub(super) refusal: Option<CommandError>,
}

impl Bench {
    /// Pours a data set into its home design and the twins. Facts that a design cannot hold are reported in its column.
    #[must_use]
    pub fn new(home: Design, twins: Vec<Design>, data: &DataSet, source: Source) -> Self {
        let mut bench = Self::empty(source);
        bench.add(home, twins, &data.name, &data.entities);
        bench
    }

    /// A bench with a data set in the designs it names itself.
    #[must_use]
    pub fn of(data: &DataSet, source: Source) -> Self {
        Self::new(data.home_design(), data.twin_designs(), data, source)
    }

    /// A bench without data; families are added with [`Bench::add`].
    #[must_use]
    pub fn empty(source: Source) -> Self {
        Self { database: Database::new(source), families: Vec::new(), lang: Lang::En, asked: None, alone: None }
    }

    /// Adds facts under a collection name, in a home design and twins.
    pub fn add(&mut self, home: Design, twins: Vec<Design>, name: &str, entities: &[Entity]) {
        let member =
            |design: Design, collection: String| Member { design, collection, losses: BTreeMap::new(), refusal: None };
        let mut members = vec![member(home, name.to_owned())];
        members.extend(twins.into_iter().map(|twin| {
            let collection = twin_collection(name, twin.form);
            member(twin, collection)
        }));
        for member in &mut members {
            member.fill(&mut self.database, entities);
        }
        self.families.push(Family { members });
    }

    /// Adds documents as they are under a collection name; the twins get them reshaped.
    pub fn add_documents(&mut self, home: Design, twins: Vec<Design>, name: &str, documents: Vec<Document>) {
        self.add(home, twins, name, &[]);
        let insert = Insert { collection: name.to_owned(), documents, ordered: false };
        // Refused documents are simply not there; what is there is replayed.
        let _ = self.run(&Command::Insert(insert));
        self.asked = None;
    }

    /// The language of the duel's words.
    #[must_use]
    pub fn in_language(mut self, lang: Lang) -> Self {
        self.lang = lang;
        self
    }

    /// The database with all collections.
    #[must_use]
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// The designs of the family that a collection belongs to, home first, with their collections.
    #[must_use]
    pub fn designs_of(&self, collection: &str) -> Vec<(&Design, &str)> {
        let family = self.family_of(collection).map(|(family, _)| &self.families[family]);
        family
            .into_iter()
            .flat_map(|family| family.members.iter().map(|m| (&m.design, m.collection.as_str())))
            .collect()
    }

    /// The latest statement on a collection with twins, compared; computed when first looked at.
    #[must_use]
    pub fn duel(&self) -> Option<&Duel> {
        let asked = self.asked.as_deref()?;
        Some(asked.duel.get_or_init(|| judge::judge(&asked.question, self.lang)))
    }

    /// The latest statement about documents. A collection without twins is taken for the design its documents look like.
    pub(super) fn question(&self) -> Option<Question> {
        let Some((command, run)) = self.alone.as_deref() else {
            return self.asked.as_deref().map(|asked| asked.question.clone());
        };
        let collection = collection_of(command)?.to_owned();
        let records = self.database.collection(&collection)?.scan(Direction::Ascending);
        let sample: Vec<_> = records.take(SAMPLE).filter_map(|(_, raw)| decoded(raw)).collect();
        let member = Member { design: data::guess(&sample).0, collection, losses: BTreeMap::new(), refusal: None };
        Some(Question {
            database: self.database.clone(),
            before: None,
            family: Family { members: vec![member] },
            from: 0,
            command: command.clone(),
            run: run.clone(),
        })
    }

    fn family_of(&self, collection: &str) -> Option<(usize, usize)> {
        self.families.iter().enumerate().find_map(|(at, family)| Some((at, family.position(collection)?)))
    }

    /// Replays what a write did on one member onto the others.
    fn replay(&mut self, family: usize, from: usize, written: &[WrittenDocument]) {
        if written.is_empty() {
            return;
        }
        let design = self.families[family].members[from].design.clone();
        let changes = Changes::of(&design, &self.database, &self.families[family].members[from].collection, written);
        for (at, member) in self.families[family].members.iter_mut().enumerate() {
            if at != from {
                member.refusal = None;
                member.apply(&mut self.database, &changes);
            }
        }
    }

    /// Gives the twins the indexes that serve what the new ones serve here, and takes away what nothing here needs.
    fn follow_indexes(&mut self, family: usize, from: usize, before: &[IndexRequest]) {
        let now = indexes_of(&self.database, &self.families[family].members[from].collection);
        if now == before {
            return;
        }
        let gone: Vec<_> = before.iter().filter(|index| !now.contains(index)).collect();
        let come: Vec<_> = now.iter().filter(|index| !before.contains(index)).collect();
        let mut commands = Vec::new();
        for at in (0..self.families[family].members.len()).filter(|&at| at != from) {
            let counterparts = |requests: &[&IndexRequest]| self.counterparts(family, from, at, requests);
            let needed = counterparts(&now.iter().collect::<Vec<_>>());
            let dropped = counterparts(&gone);
            let dropped = dropped.into_iter().filter(|index| !needed.iter().any(|other| other.keys == index.keys));
            let collection = &self.families[family].members[at].collection;
            commands.extend(
                dropped.map(|index| Command::DropIndexes { collection: collection.clone(), index: index.keys.into() }),
            );
            commands.extend(counterparts(&come).into_iter().map(|index| {
                Command::CreateIndexes(CreateIndexes { collection: collection.clone(), indexes: vec![index] })
            }));
        }
        for command in commands {
            // An index may be gone already, and one too many is refused: the learner works on the twin too.
            let _ = self.database.run(&command);
        }
    }

    fn counterparts(&self, family: usize, from: usize, to: usize, requests: &[&IndexRequest]) -> Vec<IndexRequest> {
        let (home, twin) = (&self.families[family].members[from], &self.families[family].members[to]);
        let find = || keys_of(&self.database, home);
        let keys = Keys::new(&find);
        let ground = Ground { from: &home.design, to: &twin.design, collection: &twin.collection, keys: &keys };
        let made = requests.iter().filter_map(|request| index_counterparts(&ground, request).ok());
        made.flat_map(|made| made.0).collect()
    }

    /// What a member's collection holds now and did not hold before.
    fn written_since(&self, before: &Database, family: usize, member: usize) -> Vec<WrittenDocument> {
        let name = &self.families[family].members[member].collection;
        let (Some(now), Some(before)) = (self.database.collection(name), before.collection(name)) else {
            return Vec::new();
        };
        let shared: Arc<str> = name.as_str().into();
        let owned = |raw: Option<&RawDocument>| raw.map(ToOwned::to_owned);
        now.changes_since(before)
            .map(|(was, is)| WrittenDocument { collection: Arc::clone(&shared), before: owned(was), after: owned(is) })
            .collect()
    }

    /// Lets the twins follow what `$out` and `$merge` wrote.
    fn follow_stages(&mut self, written: &[WrittenDocument]) {
        for part in written.chunk_by(|one, other| one.collection == other.collection) {
            if let Some((family, from)) = part.first().and_then(|first| self.family_of(&first.collection)) {
                self.replay(family, from, part);
            }
        }
    }

    fn drop_twins(&mut self, family: usize, from: usize) {
        let family = &mut self.families[family];
        for member in family.members.iter_mut().enumerate().filter(|(at, _)| *at != from).map(|(_, member)| member) {
            member.losses.clear();
            let drop = Command::DropCollection { collection: member.collection.clone() };
            // A collection that is not there is as good as dropped.
            let _ = self.database.run(&drop);
        }
    }

    fn remember(&mut self, family: usize, from: usize, before: Option<Database>, command: &Command, run: &Run) {
        let question = Question {
            database: self.database.clone(),
            before,
            family: self.families[family].clone(),
            from,
            command: command.clone(),
            run: run.clone(),
        };
        self.asked = Some(Box::new(Asked { question, duel: OnceCell::new() }));
    }
}

impl Host for Bench {
    fn run(&mut self, command: &Command) -> Result<Run, CommandError> {
        let place = collection_of(command).and_then(|name| self.family_of(name));
        let Some((family, from)) = place else {
            let result = self.database.run(command);
            if let (Ok(run), Some(_)) = (&result, collection_of(command)) {
                self.follow_stages(&run.writes.documents);
                self.alone = Some(Box::new((command.clone(), run.clone())));
            }
            return result;
        };
        let reads = is_read(command);
        let before = (!reads).then(|| self.database.clone());
        let here = &self.families[family].members[from].collection;
        let indexes = if reads { Vec::new() } else { indexes_of(&self.database, here) };
        let result = self.database.run(command);
        match (&result, command, &before) {
            (Ok(_), Command::DropCollection { .. }, _) => self.drop_twins(family, from),
            (Ok(run), _, Some(_)) => {
                self.replay(family, from, &run.writes.documents);
                self.follow_indexes(family, from, &indexes);
            }
            // A refused bulk keeps what it did before the refusal; the twins follow what is there.
            (Err(_), _, Some(before)) => {
                let written = self.written_since(before, family, from);
                self.replay(family, from, &written);
            }
            (Ok(run), _, None) => self.follow_stages(&run.writes.documents),
            (Err(_), _, None) => {}
        }
        if let Ok(run) = &result {
            self.alone = None;
            self.remember(family, from, before, command, run);
        }
        result
    }

    fn source(&mut self) -> &mut Source {
        self.database.source()
    }
}

/// The collection of a twin.
#[must_use]
pub fn twin_collection(home: &str, form: Form) -> String {
    format!("{home}_{}", form.name())
}

/// The collection a command speaks of.
pub(super) fn collection_of(command: &Command) -> Option<&str> {
    match command {
        Command::Find(find) => Some(&find.collection),
        Command::Aggregate(aggregate) => aggregate.collection.as_deref(),
        Command::Count(count) => Some(&count.collection),
        Command::Distinct(distinct) => Some(&distinct.collection),
        Command::Insert(insert) => Some(&insert.collection),
        Command::Update(update) => Some(&update.collection),
        Command::Delete(delete) => Some(&delete.collection),
        Command::FindAndModify(modify) => Some(&modify.collection),
        Command::BulkWrite(bulk) => Some(&bulk.collection),
        Command::CreateIndexes(create) => Some(&create.collection),
        Command::EstimatedCount { collection }
        | Command::DropIndexes { collection, .. }
        | Command::HideIndex { collection, .. }
        | Command::DropCollection { collection } => Some(collection),
        Command::Explain { command, .. } => collection_of(command),
        _ => None,
    }
}

/// Whether a command only looks.
pub(super) fn is_read(command: &Command) -> bool {
    matches!(
        command,
        Command::Find(_)
            | Command::Aggregate(_)
            | Command::Count(_)
            | Command::Distinct(_)
            | Command::EstimatedCount { .. }
            | Command::Explain { .. }
    )
}

/// A collection's indexes as they were asked for, without `_id_`.
pub(super) fn indexes_of(database: &Database, collection: &str) -> Vec<IndexRequest> {
    let indexes = database.collection(collection).map(Collection::indexes).unwrap_or_default();
    let requests = indexes.iter().filter(|index| index.name() != "_id_").map(|index| {
        let mut options = index.specification();
        let keys = options.remove("key").and_then(|keys| keys.as_document().cloned()).unwrap_or_default();
        options.remove("v");
        IndexRequest { keys, options }
    });
    requests.collect()
}

/// All keys in a member's data, the most frequent first.
pub(super) fn keys_of(database: &Database, member: &Member) -> Vec<String> {
    let entities = read(&member.design, &documents_of(database, &member.collection)).made;
    ranked_keys(entities.iter().flat_map(|entity| entity.attributes.iter().map(|held| held.key.as_str())))
}

/// All documents of a collection.
pub(super) fn documents_of(database: &Database, collection: &str) -> Vec<Document> {
    let collection = database.collection(collection);
    let records = collection.into_iter().flat_map(|found| found.scan(Direction::Ascending));
    records.filter_map(|(_, raw)| decoded(raw)).collect()
}

fn decoded(raw: &RawDocument) -> Option<Document> {
    Document::try_from(raw).ok()
}

impl Family {
    fn position(&self, collection: &str) -> Option<usize> {
        self.members.iter().position(|member| member.collection == collection)
    }
}

/// What a write did, as entities that went and entities as they are now.
struct Changes {
    /// Whole entities to take away: `_id` and owner.
    gone: Vec<(Bson, Bson)>,
    /// Entities as they are now.
    now: Vec<Entity>,
    /// Whether the writing side keeps rows.
    rows: bool,
}

impl Changes {
    fn of(design: &Design, database: &Database, collection: &str, written: &[WrittenDocument]) -> Self {
        let side = |document: &Option<crate::value::RawDocumentBuf>| document.as_deref().and_then(decoded);
        if design.form.place() == Place::Rows {
            let touched = written.iter().flat_map(|change| [side(&change.before), side(&change.after)]).flatten();
            return Self::of_rows(design, database, collection, touched.map(|row| owner_of(design, &row)).collect());
        }
        let gone = written.iter().filter_map(|change| side(&change.before));
        let gone = gone.map(|document| (id_of(&document), owner_of(design, &document))).collect();
        let now: Vec<_> = written.iter().filter_map(|change| side(&change.after)).collect();
        Self { gone, now: read(design, &now).made, rows: false }
    }

    /// Rows tell of an entity together: those of every owner touched are read again.
    fn of_rows(design: &Design, database: &Database, collection: &str, mut owners: Vec<Bson>) -> Self {
        owners.sort_by_key(bytes_of);
        owners.dedup();
        let wanted: Vec<_> = owners.iter().map(bytes_of).collect();
        let of_owner = |row: &Document| wanted.binary_search(&bytes_of(&owner_of(design, row))).is_ok();
        let rows: Vec<_> = documents_of(database, collection).into_iter().filter(of_owner).collect();
        let gone = owners.into_iter().map(|owner| (owner.clone(), owner)).collect();
        Self { gone, now: read(design, &rows).made, rows: true }
    }
}

fn id_of(document: &Document) -> Bson {
    document.get("_id").cloned().unwrap_or(Bson::Null)
}

impl Member {
    fn fill(&mut self, database: &mut Database, entities: &[Entity]) {
        let mut documents = Vec::with_capacity(entities.len());
        for entity in entities {
            documents.append(&mut self.poured(entity));
        }
        if documents.is_empty() {
            let create = Command::CreateCollection { collection: self.collection.clone(), options: doc! {} };
            self.refusal = database.run(&create).err();
        } else {
            self.insert(database, documents);
        }
    }

    /// The documents of an entity; its losses are kept.
    fn poured(&mut self, entity: &Entity) -> Vec<Document> {
        let poured = pour(&self.design, entity);
        let id = bytes_of(&entity.id);
        if poured.losses.is_empty() {
            self.losses.remove(&id);
        } else {
            self.losses.insert(id, poured.losses);
        }
        poured.made
    }

    fn insert(&mut self, database: &mut Database, documents: Vec<Document>) {
        let insert = Insert { collection: self.collection.clone(), documents, ordered: false };
        let result = database.run(&Command::Insert(insert));
        self.note(result);
    }

    fn note(&mut self, result: Result<Run, CommandError>) {
        let failure = match result {
            Err(error) => Some(error),
            Ok(run) => match run.reply {
                Reply::Inserted { mut failures, .. } if !failures.is_empty() => Some(failures.remove(0).error),
                _ => None,
            },
        };
        if failure.is_some() {
            self.refusal = failure;
        }
    }

    fn apply(&mut self, database: &mut Database, changes: &Changes) {
        let mut now = changes.now.clone();
        if changes.rows && self.design.form.place() != Place::Rows {
            self.keep_ids(database, &mut now);
        }
        let in_place = !changes.rows && self.design.form.place() != Place::Rows;
        let (mut gone, mut fresh) = (Vec::new(), Vec::new());
        let kept: BTreeSet<_> = now.iter().filter(|_| in_place).map(|entity| bytes_of(&entity.id)).collect();
        let known: BTreeSet<_> = changes.gone.iter().map(|(id, _)| bytes_of(id)).collect();
        for (id, owner) in &changes.gone {
            if !kept.contains(&bytes_of(id)) {
                self.losses.remove(&bytes_of(id));
                gone.push(if self.design.layout.owner == "_id" { id.clone() } else { owner.clone() });
            }
        }
        self.remove(database, gone);
        for entity in &now {
            let documents = self.poured(entity);
            match <[Document; 1]>::try_from(documents) {
                Ok([document]) if in_place && known.contains(&bytes_of(&entity.id)) => {
                    self.replace(database, &entity.id, document);
                }
                Ok(documents) => fresh.extend(documents),
                Err(documents) => fresh.extend(documents),
            }
        }
        if !fresh.is_empty() {
            self.insert(database, fresh);
        }
    }

    /// Takes away all documents of these owners.
    fn remove(&mut self, database: &mut Database, owners: Vec<Bson>) {
        if owners.is_empty() {
            return;
        }
        let path = match (self.design.form.place(), self.design.layout.owner.as_str()) {
            (Place::Rows, "_id") => "_id.entity",
            (_, owner) => owner,
        };
        let filter = Document::from_iter([(path.to_owned(), Bson::Document(doc! {"$in": owners}))]);
        let delete = Delete { collection: self.collection.clone(), filter, multi: true, ..Delete::default() };
        let result = database.run(&Command::Delete(delete));
        self.note(result);
    }

    fn replace(&mut self, database: &mut Database, id: &Bson, document: Document) {
        let spec = UpdateSpec {
            filter: doc! {"_id": id.clone()},
            modify: Modify::Replacement(document),
            multi: false,
            upsert: true,
            array_filters: Vec::new(),
            collation: None,
            hint: None,
            variables: None,
        };
        let result = database.run(&Command::Update(Update { collection: self.collection.clone(), spec }));
        self.note(result);
    }

    /// An entity rebuilt from rows keeps the `_id` its document already has.
    fn keep_ids(&self, database: &Database, entities: &mut [Entity]) {
        let documents = documents_of(database, &self.collection);
        for entity in entities {
            let owner = entity.common.get(&self.design.layout.owner);
            let known = documents.iter().find(|document| document.get(&self.design.layout.owner) == owner);
            if let Some(known) = known.filter(|_| owner.is_some()) {
                entity.id = id_of(known);
            }
        }
    }

    /// What is lost here, all entities together.
    pub(super) fn all_losses(&self) -> Vec<Loss> {
        self.losses.values().flatten().cloned().collect()
    }

    /// A note for the latest write that was refused here.
    pub(super) fn refusal_note(&self) -> Option<Note> {
        self.refusal.as_ref().map(|error| Note::Refused(error.message.clone()))
    }
}
