//! The database with all designs: statements run on one of them, the others follow, and the latest is kept for the duel.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::{Command, CreateIndexes, Database, Host, IndexRequest, Insert, Run, WrittenDocument};
use crate::error::CommandError;
use crate::store::{Direction, Profile};
use crate::value::{Document, RawDocument, Source};
use crate::words::{Lang, Words};

use super::changes::Changes;
use super::commands::{collection_of, indexes_of, is_read, may_write};
use super::member::{Family, Member, decoded, keys_of};
use crate::design::data;
use crate::design::duel::Duel;
use crate::design::facts::{DataSet, Entity};
use crate::design::form::{Design, Form};
use crate::design::judge::{self, Question};
use crate::design::rephrase::{Ground, Keys, index_counterparts};

/// So many documents tell which design a collection is in.
const SAMPLE: usize = 50;

const FOLLOWED: Words = Words::new(
    "`{here}` holds the same facts in another design, so what stands in {others} was changed with it. In MongoDB no collection follows another.",
    "`{here}` enthält dieselben Fakten in einem anderen Design, deshalb wurde auch geändert, was in {others} steht. In MongoDB folgt keine Collection einer anderen.",
);

/// A database with several designs of the same facts, and the latest statement compared on all of them.
#[derive(Debug, Clone)]
pub struct Bench {
    database: Database,
    families: Vec<Family>,
    lang: Lang,
    asked: Option<Box<Asked>>,
    /// The family and the member of it that the latest command wrote to, where that is a twin.
    followed: Option<(usize, usize)>,
    /// The latest statement, where it was on a collection without twins.
    alone: Option<Box<(Command, Run)>>,
}

/// The latest statement on a collection of some family, and its duel once it was looked at.
#[derive(Debug, Clone)]
struct Asked {
    question: Question,
    duel: OnceCell<Duel>,
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
        Self {
            database: Database::new(source),
            families: Vec::new(),
            lang: Lang::En,
            asked: None,
            followed: None,
            alone: None,
        }
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
        if let Some(asked) = &mut self.asked {
            asked.duel = OnceCell::new();
        }
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

    /// The latest statement compared, where it was on a collection with twins; computed when first looked at.
    #[must_use]
    pub fn duel(&self) -> Option<&Duel> {
        let asked = self.asked.as_deref().filter(|_| self.alone.is_none())?;
        Some(asked.duel.get_or_init(|| judge::judge(&asked.question, self.lang)))
    }

    /// The latest statement about documents. A collection without twins is taken for the design its documents look like.
    pub(in crate::design) fn question(&self) -> Option<Question> {
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

    /// Lets the twins follow what a refused command wrote before it was refused: an update of many, a bulk, a `$merge`.
    fn follow_refused(&mut self, before: &Database) {
        let members = self.families.iter().enumerate();
        let members = members.flat_map(|(at, family)| (0..family.members.len()).map(move |member| (at, member)));
        let written = |(family, from)| (family, from, self.written_since(before, family, from));
        // One command writes to one collection.
        let wrote = members.map(written).find(|(.., written)| !written.is_empty());
        if let Some((family, from, written)) = wrote {
            self.replay(family, from, &written);
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
        self.followed = None;
        let place = collection_of(command).and_then(|name| self.family_of(name));
        let before = may_write(command).then(|| self.database.clone());
        let indexes = place.filter(|_| !is_read(command)).map(|(family, from)| {
            let here = &self.families[family].members[from].collection;
            indexes_of(&self.database, here)
        });
        let result = self.database.run(command);
        let Ok(run) = &result else {
            if let Some(before) = &before {
                self.follow_refused(before);
            }
            return result;
        };
        let Some((family, from)) = place else {
            if collection_of(command).is_some() {
                self.follow_stages(&run.writes.documents);
                self.alone = Some(Box::new((command.clone(), run.clone())));
            }
            return result;
        };
        match (command, &indexes) {
            (Command::DropCollection { .. }, _) => {
                self.drop_twins(family, from);
                self.followed = Some((family, from));
            }
            (_, Some(indexes)) => {
                self.replay(family, from, &run.writes.documents);
                self.follow_indexes(family, from, indexes);
                let here = &self.families[family].members[from].collection;
                let changed = !run.writes.documents.is_empty() || indexes_of(&self.database, here) != *indexes;
                self.followed = Some((family, from)).filter(|_| changed);
            }
            (_, None) => self.follow_stages(&run.writes.documents),
        }
        self.alone = None;
        self.remember(family, from, before.filter(|_| !is_read(command)), command, run);
        result
    }

    fn holds(&self, collection: &str, path: &str) -> bool {
        self.database.holds(collection, path)
    }

    fn learn(&self, collection: &str, facts: &mut Profile) -> bool {
        self.database.learn(collection, facts)
    }

    fn source(&mut self) -> &mut Source {
        self.database.source()
    }

    /// The home that a learner works on needs no word: its twins are there to follow.
    fn followers(&self, lang: Lang) -> Option<String> {
        let (family, from) = self.followed.filter(|(_, from)| *from != 0)?;
        let members = &self.families[family].members;
        let others = members.iter().enumerate().filter(|(at, _)| *at != from);
        let others: Vec<_> = others.map(|(_, member)| format!("`{}`", member.collection)).collect();
        let (here, others) = (members[from].collection.as_str(), others.join(", "));
        Some(FOLLOWED.fill(lang, &[("here", here), ("others", &others)]))
    }
}

/// The collection of a twin.
#[must_use]
pub fn twin_collection(home: &str, form: Form) -> String {
    format!("{home}_{}", form.name())
}
