//! Names that a command asks for and the data do not have: what is said where nothing was found, or nothing sorted.

use std::cell::Cell;

use bson::{Bson, Document};

use super::names::nearest;
use super::operators;
use crate::engine::{Aggregate, Command, Modify, Reply, Run};
use crate::error::CommandPath;
use crate::store::{AttributeFacts, AttributeRole, Profile, usual_role};
use crate::value::array_index;
use crate::words::{Lang, Words};

const UNKNOWN: Words = Words::new(
    "No document has `{path}`. Did you mean `{near}`? {n documents} {n|has|have} it.",
    "Kein Dokument hat `{path}`. Meintest du `{near}`? {n Dokumente} {n|hat|haben} es.",
);
const SIBLINGS: Words = Words::new(
    "No document has `{path}`; in `{above}` there are {list}.",
    "Kein Dokument hat `{path}`; in `{above}` gibt es {list}.",
);
const OPERATOR: Words = Words::new(
    "`{path}` is compared with an object here, and 0 of {n documents} have `{name}` in it: the operator is `${name}`.",
    "`{path}` wird hier mit einem Objekt verglichen, und 0 von {n Dokumenten} haben `{name}` darin: der Operator ist `${name}`.",
);
const NO_FIELD: Words = Words::new(
    "0 documents have a field `{path}`: the operator is `${name}`. Type {wanted}.",
    "0 Dokumente haben ein Feld `{path}`: der Operator ist `${name}`. Tippe {wanted}.",
);
const CONSTANT: Words = Words::new(
    "\"{path}\" is only a text here: the value of the field is \"${path}\", which {n documents} {n|has|have}.",
    "\"{path}\" ist hier nur ein Text: der Wert des Feldes ist \"${path}\", das {n Dokumente} {n|hat|haben}.",
);
const SWAPPED: Words = Words::new(
    "`{asked}` is no `{key}` in `{array}`, but `{other}` is one, in {n documents}: are `{key}` and `{value}` swapped?",
    "`{asked}` ist kein `{key}` in `{array}`, aber `{other}` ist einer, in {n Dokumenten}: sind `{key}` und `{value}` vertauscht?",
);
const NO_KEY: Words = Words::new(
    "No element of `{array}` has `{key}`: \"{asked}\". Did you mean \"{near}\"? {n documents} {n|has|have} it.",
    "Kein Element von `{array}` hat `{key}`: \"{asked}\". Meintest du \"{near}\"? {n Dokumente} {n|hat|haben} es.",
);

/// Fields of a sub-document that are listed where none is near.
const LISTED: usize = 4;

/// Stages behind which a document still has its stored fields where they were.
const KEEPING: [&str; 6] = ["$match", "$sort", "$limit", "$skip", "$sample", "$unwind"];

/// A remark on a name, and where in the command that stands.
pub(super) struct Remark {
    pub(super) at: CommandPath,
    pub(super) message: String,
}

/// The remark on the first name of a command that no document has: of a filter where nothing was found, of a sort, a
/// projection or an expression in any case.
pub(super) fn remark(command: &Command, run: &Run, facts: &Profile, lang: Lang) -> Option<Remark> {
    if facts.documents() == 0 {
        return None;
    }
    let look = Look { facts: Some(facts), holds: &|path| facts.path(path).is_some(), doubtful: Cell::default(), lang };
    let found = nothing(run).then(|| look.asked(command)).flatten();
    let pulled = || pulled(command, run).and_then(|pull| look.pulled(pull));
    found.or_else(pulled).or_else(|| look.read(command))
}

/// Whether facts are worth counting for a command: it found nothing, or it names what no document `holds`.
pub(super) fn is_doubtful(command: &Command, run: &Run, holds: &dyn Fn(&str) -> bool) -> bool {
    let look = Look { facts: None, holds, doubtful: Cell::default(), lang: Lang::En };
    // What is found without facts is the doubt alone.
    nothing(run) || pulled(command, run).is_some() || (look.read(command).is_none() && look.doubtful.get())
}

/// The collection of a command that names fields; none where there is nothing to remark on.
pub(super) fn collection<'c>(command: &'c Command, run: &Run) -> Option<&'c str> {
    let asks = match command {
        Command::Find(find) => nothing(run) || find.sort.is_some() || find.projection.is_some(),
        Command::Aggregate(_) => true,
        Command::Update(_) => nothing(run) || pulled(command, run).is_some(),
        Command::Count(_) | Command::Distinct(_) | Command::Delete(_) | Command::FindAndModify(_) => nothing(run),
        _ => false,
    };
    command.collection().filter(|_| asks)
}

/// Whether a command found nothing.
fn nothing(run: &Run) -> bool {
    match &run.reply {
        Reply::Documents(documents) => documents.is_empty(),
        Reply::Values(values) => values.is_empty(),
        Reply::Count(count) | Reply::Deleted(count) => *count == 0,
        Reply::Updated(update) => update.matched == 0 && update.upserted.is_none(),
        Reply::Document(document) => document.is_none(),
        _ => false,
    }
}

/// The `$pull` of an update that changed nothing.
fn pulled<'c>(command: &'c Command, run: &Run) -> Option<&'c Document> {
    let (Reply::Updated(update), Some(Modify::Operators(operators))) = (&run.reply, command.modify()) else {
        return None;
    };
    operators.get_document("$pull").ok().filter(|_| update.modified == 0 && update.upserted.is_none())
}

struct Look<'a> {
    /// None where only doubts are looked for.
    facts: Option<&'a Profile>,
    /// Whether some document has a path.
    holds: &'a dyn Fn(&str) -> bool,
    /// Whether a name was met that may be worth a remark.
    doubtful: Cell<bool>,
    lang: Lang,
}

/// What a filter wants texts to equal, by path.
type Texts<'f> = Vec<(String, &'f str, CommandPath)>;

impl Look<'_> {
    /// The conditions of a command that found nothing.
    fn asked(&self, command: &Command) -> Option<Remark> {
        let filter = || self.filter(command.filter()?, &CommandPath::argument("filter"));
        match command {
            Command::Distinct(distinct) => {
                filter().or_else(|| self.unknown(&distinct.key, CommandPath::argument("key")))
            }
            Command::Aggregate(aggregate) => {
                let mut matches = stored(aggregate).filter_map(|(at, name, operand)| {
                    (name == "$match").then(|| self.filter(operand.as_document()?, &at)).flatten()
                });
                matches.next()
            }
            _ => filter(),
        }
    }

    /// The conditions of a `$pull`, which speak of elements.
    fn pulled(&self, pull: &Document) -> Option<Remark> {
        let at = CommandPath::argument("update").field("$pull");
        pull.iter().find_map(|(array, asked)| {
            let mut texts = Texts::new();
            self.conditions(asked.as_document()?, array, &at.field(array), &mut texts).or_else(|| self.keys(&texts))
        })
    }

    fn filter(&self, filter: &Document, at: &CommandPath) -> Option<Remark> {
        let mut texts = Texts::new();
        self.conditions(filter, "", at, &mut texts).or_else(|| self.keys(&texts))
    }

    /// The first condition that names what is not there; the texts that are to be equalled on the way.
    fn conditions<'f>(
        &self,
        filter: &'f Document,
        above: &str,
        at: &CommandPath,
        texts: &mut Texts<'f>,
    ) -> Option<Remark> {
        filter.iter().find_map(|(name, value)| {
            let here = at.field(name);
            match (name.as_str(), value) {
                ("$and" | "$or", Bson::Array(parts)) => parts.iter().enumerate().find_map(|(position, part)| {
                    self.conditions(part.as_document()?, above, &here.index(position), texts)
                }),
                ("$expr", expression) => self.expression(expression, &here),
                _ if name.starts_with('$') => None,
                _ if is_bare_operator(name, value) && !(self.holds)(&joined(above, name)) => {
                    self.without_dollar(above, name, here)
                }
                _ => self.condition(&joined(above, name), value, here, texts),
            }
        })
    }

    fn condition<'f>(&self, path: &str, value: &'f Bson, at: CommandPath, texts: &mut Texts<'f>) -> Option<Remark> {
        let tests = value.as_document().filter(|tests| tests.keys().any(|name| name.starts_with('$')));
        let Some(tests) = tests else {
            if let Some(text) = value.as_str() {
                texts.push((path.to_owned(), text, at.clone()));
            }
            return self.bare_operator(path, value, &at).or_else(|| self.unknown(path, at));
        };
        let positive = tests.iter().any(|(name, operand)| !is_negative(name, operand));
        let unknown = positive.then(|| self.unknown(path, at.clone())).flatten();
        unknown.or_else(|| {
            tests.iter().find_map(|(name, operand)| match (name.as_str(), operand) {
                ("$elemMatch", Bson::Document(inner)) => self.conditions(inner, path, &at.field(name), texts),
                ("$all", Bson::Array(parts)) => parts.iter().enumerate().find_map(|(position, part)| {
                    let inner = part.as_document()?.get_document("$elemMatch").ok()?;
                    self.conditions(inner, path, &at.field(name).index(position).field("$elemMatch"), texts)
                }),
                ("$eq", Bson::String(text)) => {
                    texts.push((path.to_owned(), text, at.field(name)));
                    None
                }
                _ => None,
            })
        })
    }

    /// An operator that lacks its dollar sign is a field that no document has.
    fn without_dollar(&self, above: &str, name: &str, at: CommandPath) -> Option<Remark> {
        let facts = self.facts?;
        let array = facts.attributes().iter().map(|array| array.path.as_str()).find(|_| above.is_empty());
        let wanted = match name {
            "and" | "or" | "nor" => format!("{{${name}: [{{…}}, {{…}}]}}"),
            "expr" => "{$expr: {…}}".to_owned(),
            _ => format!("{{{}: {{${name}: {{…}}}}}}", array.unwrap_or("…")),
        };
        Some(self.remark(at, NO_FIELD, &[("path", &joined(above, name)), ("name", name), ("wanted", &wanted)]))
    }

    /// An operator that lacks its dollar sign is a field of an object that is to be equalled.
    fn bare_operator(&self, path: &str, value: &Bson, at: &CommandPath) -> Option<Remark> {
        let object = value.as_document()?;
        let (name, _) = object.iter().next()?;
        let is_operator = |name: &String| operators::ON_FIELD.contains(&&*format!("${name}"));
        let held = object.keys().any(|name| (self.holds)(&joined(path, name)));
        let documents = self.facts?.documents().to_string();
        let all = object.keys().all(is_operator) && !held;
        all.then(|| self.remark(at.field(name), OPERATOR, &[("path", path), ("name", name), ("n", &documents)]))
    }

    /// A key of an attribute array that no element has.
    fn keys(&self, texts: &Texts<'_>) -> Option<Remark> {
        self.facts?.attributes().iter().find_map(|array| {
            let place = |field: &str| joined(&array.path, field);
            let (key_place, value_place) = (place(&array.key), place(&array.value));
            let mut keys =
                texts.iter().filter(|(path, asked, _)| *path == key_place && !array.keys.contains_key(*asked));
            let (_, asked, at) = keys.next()?;
            let swapped = texts.iter().find(|(path, other, _)| *path == value_place && array.keys.contains_key(*other));
            match swapped {
                Some((_, other, _)) => Some(self.swapped(array, asked, other, at)),
                None => self.near_key(array, asked, at),
            }
        })
    }

    fn swapped(&self, array: &AttributeFacts, asked: &str, other: &str, at: &CommandPath) -> Remark {
        let documents = array.keys.get(other).map_or(0, |facts| facts.documents).to_string();
        let values = [
            ("asked", asked),
            ("other", other),
            ("array", &array.path),
            ("key", &array.key),
            ("value", &array.value),
            ("n", &documents),
        ];
        self.remark(at.clone(), SWAPPED, &values)
    }

    fn near_key(&self, array: &AttributeFacts, asked: &str, at: &CommandPath) -> Option<Remark> {
        let near = nearest(asked, array.keys.keys().map(String::as_str))?;
        let documents = array.keys.get(near)?.documents.to_string();
        let values =
            [("array", array.path.as_str()), ("key", &array.key), ("asked", asked), ("near", near), ("n", &documents)];
        Some(self.remark(at.clone(), NO_KEY, &values))
    }

    /// The fields that a command sorts by, shows or reckons with.
    fn read(&self, command: &Command) -> Option<Remark> {
        match command {
            Command::Find(find) => {
                let sort = find.sort.as_ref().and_then(|sort| self.named(sort, &CommandPath::argument("sort")));
                let shown = || self.shown(find.projection.as_ref()?, &CommandPath::argument("projection"));
                sort.or_else(shown)
            }
            Command::Aggregate(aggregate) => self.pipeline(aggregate),
            _ => None,
        }
    }

    fn pipeline(&self, aggregate: &Aggregate) -> Option<Remark> {
        let kept = stored(aggregate).count();
        let all = aggregate.pipeline.iter().enumerate().take(kept + 1);
        all.filter_map(|(position, stage)| Some((position, stage.iter().next()?))).find_map(
            |(position, (name, operand))| {
                let at = CommandPath::argument("pipeline").index(position).field(name);
                match (name.as_str(), operand) {
                    ("$sort", Bson::Document(sort)) => self.named(sort, &at),
                    ("$group", Bson::Document(group)) => self.group(group, &at),
                    ("$project", Bson::Document(projection)) => self.shown(projection, &at),
                    ("$unwind", Bson::String(path)) => self.field_path(path, &at),
                    ("$unwind", Bson::Document(options)) => {
                        self.field_path(options.get_str("path").ok()?, &at.field("path"))
                    }
                    ("$sortByCount", expression) => self.expression(expression, &at),
                    _ => None,
                }
            },
        )
    }

    /// Names that stand for fields of stored documents.
    fn named(&self, names: &Document, at: &CommandPath) -> Option<Remark> {
        let plain = |value: &Bson| !matches!(value, Bson::Document(_));
        names.iter().filter(|(_, value)| plain(value)).find_map(|(name, _)| self.near(name, at.field(name)))
    }

    /// A projection: fields that are kept or left out, and expressions.
    fn shown(&self, projection: &Document, at: &CommandPath) -> Option<Remark> {
        projection.iter().find_map(|(name, value)| match value {
            Bson::Document(_) | Bson::Array(_) | Bson::String(_) => self.expression(value, &at.field(name)),
            _ => self.near(name.strip_suffix(".$").unwrap_or(name), at.field(name)),
        })
    }

    fn group(&self, group: &Document, at: &CommandPath) -> Option<Remark> {
        group.iter().find_map(|(name, value)| {
            let here = at.field(name);
            let operand = value.as_document().filter(|_| name != "_id").and_then(|own| own.iter().next());
            match (name.as_str(), operand) {
                ("_id", _) => self.constant(value, &here),
                (_, Some((operator, operand))) => self.constant(operand, &here.field(operator)),
                _ => None,
            }
            .or_else(|| self.expression(value, &here))
        })
    }

    /// A text where only a value of the document makes sense.
    fn constant(&self, value: &Bson, at: &CommandPath) -> Option<Remark> {
        let path = value.as_str().filter(|path| (self.holds)(path))?;
        self.doubtful.set(true);
        let documents = self.facts?.path(path)?.documents.to_string();
        Some(self.remark(at.clone(), CONSTANT, &[("path", path), ("n", &documents)]))
    }

    /// The field paths in an expression, and dotted ones that stand there as mere texts.
    fn expression(&self, expression: &Bson, at: &CommandPath) -> Option<Remark> {
        match expression {
            Bson::String(text) if text.starts_with('$') => self.field_path(text, at),
            Bson::String(text) if text.contains('.') => self.constant(expression, at),
            Bson::Array(parts) => {
                parts.iter().enumerate().find_map(|(position, part)| self.expression(part, &at.index(position)))
            }
            Bson::Document(parts) => parts
                .iter()
                .filter(|(name, _)| !matches!(name.as_str(), "$literal" | "$getField" | "$setField" | "format"))
                .find_map(|(name, part)| self.expression(part, &at.field(name))),
            _ => None,
        }
    }

    fn field_path(&self, text: &str, at: &CommandPath) -> Option<Remark> {
        let path = text.strip_prefix('$').filter(|path| !path.starts_with('$'))?;
        self.near(path, at.clone())
    }

    /// A path that no document has, with the nearest one that there is, or with its siblings.
    fn unknown(&self, path: &str, at: CommandPath) -> Option<Remark> {
        self.near(path, at.clone()).or_else(|| self.siblings(path, at))
    }

    fn near(&self, path: &str, at: CommandPath) -> Option<Remark> {
        let path = without_positions(path);
        if path == "_id" || (self.holds)(&path) {
            return None;
        }
        self.doubtful.set(true);
        let facts = self.facts?;
        let near = self.nearest(facts, &path)?;
        let documents = facts.path(&near)?.documents.to_string();
        Some(self.remark(at, UNKNOWN, &[("path", &path), ("near", &near), ("n", &documents)]))
    }

    /// The path with its first unknown part exchanged for the nearest name beside it, or a longer path that ends with it.
    fn nearest(&self, facts: &Profile, path: &str) -> Option<String> {
        let (above, wrong, rest) = self.parted(path)?;
        let names: Vec<&str> = facts.field_names(above).map(|(name, _)| name).collect();
        let whole = |name: &str| joined(&joined(above, name), rest).trim_end_matches('.').to_owned();
        let fits = |name: &&str| facts.path(&whole(name)).is_some();
        let fitting = || names.iter().copied().filter(fits);
        let in_role = || {
            let array = facts.attribute_array(above)?;
            let field = match usual_role(wrong)? {
                AttributeRole::Key => &array.key,
                AttributeRole::Value => &array.value,
                AttributeRole::Unit => array.unit.as_ref()?,
            };
            Some(field.as_str())
        };
        // Every name of a letter or two is near every other one.
        let near = || nearest(wrong, fitting()).filter(|_| wrong.chars().count() > 2);
        if let Some(near) = near().or_else(in_role) {
            return Some(whole(near));
        }
        let end = format!(".{path}");
        let mut longer = facts.paths().keys().filter(|known| known.ends_with(&end));
        longer.next().filter(|_| longer.next().is_none()).cloned()
    }

    /// A path cut at its first part that is not there.
    fn parted<'p>(&self, path: &'p str) -> Option<(&'p str, &'p str, &'p str)> {
        let mut ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
        let end = ends.find(|end| !(self.holds)(&path[..*end]))?;
        let (above, wrong) = path[..end].rsplit_once('.').unwrap_or(("", &path[..end]));
        Some((above, wrong, path[end..].trim_start_matches('.')))
    }

    fn siblings(&self, path: &str, at: CommandPath) -> Option<Remark> {
        let path = without_positions(path);
        if (self.holds)(&path) {
            return None;
        }
        let (above, ..) = self.parted(&path).filter(|(above, ..)| !above.is_empty())?;
        let names: Vec<String> =
            self.facts?.field_names(above).map(|(name, documents)| format!("`{name}` ({documents})")).collect();
        let few = (1..=LISTED).contains(&names.len());
        few.then(|| self.remark(at, SIBLINGS, &[("path", &path), ("above", above), ("list", &names.join(", "))]))
    }

    fn remark(&self, at: CommandPath, words: Words, values: &[(&str, &str)]) -> Remark {
        Remark { at, message: words.fill(self.lang, values) }
    }
}

/// The stages of a pipeline as long as documents have their stored fields: place, name and operand.
fn stored(aggregate: &Aggregate) -> impl Iterator<Item = (CommandPath, &str, &Bson)> {
    let stages = aggregate.pipeline.iter().enumerate();
    let stages = stages.map_while(|(position, stage)| {
        let (name, operand) = stage.iter().next()?;
        Some((CommandPath::argument("pipeline").index(position).field(name), name.as_str(), operand))
    });
    stages.take_while(|(_, name, operand)| KEEPING.contains(name) && !adds(operand))
}

/// Whether a `$unwind` adds a field of its own.
fn adds(operand: &Bson) -> bool {
    operand.as_document().is_some_and(|options| options.contains_key("includeArrayIndex"))
}

/// Whether a name with its value reads like an operator that lacks its dollar sign.
fn is_bare_operator(name: &str, value: &Bson) -> bool {
    match (name, value) {
        ("elemMatch" | "not" | "expr", Bson::Document(_)) => true,
        ("and" | "or" | "nor", Bson::Array(parts)) => parts.iter().all(|part| matches!(part, Bson::Document(_))),
        _ => false,
    }
}

/// Whether a test is also met by documents without the path.
fn is_negative(name: &str, operand: &Bson) -> bool {
    matches!(name, "$ne" | "$nin" | "$not")
        || (name == "$exists" && !matches!(operand, Bson::Boolean(true) | Bson::Int32(1)))
}

fn joined(above: &str, name: &str) -> String {
    if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") }
}

/// A path as the facts know it.
fn without_positions(path: &str) -> String {
    path.split('.').filter(|part| array_index(part).is_none()).collect::<Vec<_>>().join(".")
}
