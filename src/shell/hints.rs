//! What to type instead where a script or a command failed: nearest names, missing quotes, methods of something else.

use super::misuse::Misuse;
use super::names::{self, nearest};
use super::operators;
use super::positions::is_update_option;
use super::script::{NodeId, Script, Span, Syntax};
use super::slips;
use crate::error::{CommandError, CommandPath, ErrorCode, Step};
use crate::words::{Lang, Words};

const MEANT: Words = Words::new("Did you mean {name}?", "Meintest du {name}?");
const PATH: Words =
    Words::new("A field path is a text: type \"{name}\".", "Ein Feldpfad ist ein Text: tippe \"{name}\".");
const QUOTES: Words = Words::new(
    "If {name} is a text, it needs quotes: \"{name}\".",
    "Wenn {name} ein Text ist, braucht er Anführungszeichen: \"{name}\".",
);
const NEEDS_DB: Words = Words::new(
    "A collection is reached through db: type db.{name}.",
    "Eine Collection erreicht man über db: tippe db.{name}.",
);
const UNKNOWN: Words = Words::new(
    "Nothing of this name is known here; help shows what there is.",
    "Nichts dieses Namens ist hier bekannt; help zeigt, was es gibt.",
);
const LITERAL: Words = Words::new("Here this is written {name}.", "Hier schreibt man das {name}.");
const OF_COLLECTION: Words = Words::new(
    "{method} belongs to a collection: type db.NAME.{method}(…), with the collection's name.",
    "{method} gehört zu einer Collection: tippe db.NAME.{method}(…), mit dem Namen der Collection.",
);
const OF_CURSOR: Words = Words::new(
    "{method} belongs to a cursor: type db.NAME.find({…}).{method}(…).",
    "{method} gehört zu einem Cursor: tippe db.NAME.find({…}).{method}(…).",
);
const AS_STAGE: Words = Words::new(
    "The cursor of an aggregation has no {method}: type {stage} as a stage of the pipeline.",
    "Der Cursor einer Aggregation hat kein {method}: tippe {stage} als Stufe der Pipeline.",
);
const NEEDS_SET: Words = Words::new(
    "To change fields type {wanted}; a whole new document is given to replaceOne.",
    "Um Felder zu ändern, tippe {wanted}; ein ganz neues Dokument nimmt replaceOne.",
);
const NEEDS_NO_OPERATORS: Words = Words::new(
    "replaceOne takes a whole document; to change fields type updateOne.",
    "replaceOne nimmt ein ganzes Dokument; um Felder zu ändern, tippe updateOne.",
);
const SORT: Words = Words::new(
    "A sort names fields with 1 (ascending) or -1 (descending): type {price: 1}.",
    "Eine Sortierung nennt Felder mit 1 (aufsteigend) oder -1 (absteigend): tippe {price: 1}.",
);
const WITH_DOLLAR: Words =
    Words::new("Here it begins with a `$`: type {name}.", "Hier beginnt es mit einem `$`: tippe {name}.");
const ACCUMULATOR: Words = Words::new(
    "Beside _id each field of $group is computed by an accumulator: type {name}: {$sum: 1} or the like.",
    "Neben _id berechnet jedes Feld von $group ein Akkumulator: tippe {name}: {$sum: 1} oder dergleichen.",
);
const INTO_SET: Words = Words::new(
    "At the root of an update only operators stand: put {name} into $set.",
    "An der Wurzel einer Änderung stehen nur Operatoren: setze {name} in $set.",
);
const AN_OPTION: Words = Words::new(
    "{name} is an option: it stands behind the update, in a document of its own: {…}, {{name}: …}.",
    "{name} ist eine Option: Sie steht hinter der Änderung, in einem eigenen Dokument: {…}, {{name}: …}.",
);
const NO_WHERE: Words = Words::new(
    "$where runs JavaScript for each document, in MongoDB as well without any index; here it does not run: write the condition with operators, or with $expr.",
    "$where führt für jedes Dokument JavaScript aus, auch in MongoDB ohne jeden Index; hier läuft es nicht: Schreib die Bedingung mit Operatoren oder mit $expr.",
);
const ELSEWHERE_CALLED: Words = Words::new("In MongoDB this is {instead}.", "In MongoDB ist das {instead}.");
const NEEDS_LIST: Words = Words::new(
    "Type brackets around the documents, or insertOne for a single one.",
    "Tippe eckige Klammern um die Dokumente, oder insertOne für ein einzelnes.",
);
const NEEDS_ONE: Words =
    Words::new("For several documents type insertMany.", "Für mehrere Dokumente tippe insertMany.");
const NEEDS_BRACES: Words =
    Words::new("Here a document belongs: type {found}.", "Hierher gehört ein Dokument: tippe {found}.");
const NO_METHOD: Words = Words::new("There is no method {method}.", "Es gibt keine Methode {method}.");
const DASHED: Words = Words::new(
    "A collection name with a dash needs brackets: db[\"{name}\"].",
    "Ein Collection-Name mit Bindestrich braucht Klammern: db[\"{name}\"].",
);
const NO_COLLECTION: Words = Words::new(
    "There is no collection `{name}`, so nothing can match.",
    "Es gibt keine Collection `{name}`, also passt nichts.",
);

/// The name that is not defined, where a message says so.
fn undefined_name(message: &str) -> Option<&str> {
    message.strip_suffix(" is not defined").map(|name| name.trim_matches('\''))
}

/// The hint for an exception of the script at a byte.
pub(super) fn exception(
    script: &Script,
    class: &str,
    message: &str,
    at: Option<usize>,
    lang: Lang,
) -> (Option<String>, Option<Span>) {
    if let (Some(name), "ReferenceError") = (undefined_name(message), class) {
        return (Some(undefined(script, name, at, lang)), None);
    }
    let called = at.filter(|_| message.ends_with("not a function")).and_then(|at| called(script, at));
    match called {
        Some((object, name, span)) => (Some(no_method(script, object, &name, lang)), Some(span)),
        None => (None, None),
    }
}

/// What to type instead of a call that was refused unsent, and which argument is to blame.
pub(super) fn misused(
    script: &Script,
    misuse: &Misuse,
    at: Option<usize>,
    lang: Lang,
) -> (Option<String>, Option<Span>) {
    let place = at.and_then(|at| argument(script, at, misuse.position()));
    let hint = match misuse {
        Misuse::NoOperators => Some(NEEDS_SET.fill(lang, &[("wanted", "{$set: {…}}")])),
        Misuse::Operators { .. } => Some(NEEDS_NO_OPERATORS.get(lang).to_owned()),
        Misuse::SortFormat(_) | Misuse::SortDirection(_) => Some(SORT.get(lang).to_owned()),
        Misuse::NoList => Some(NEEDS_LIST.get(lang).to_owned()),
        Misuse::Type { wanted: "object", found: "array", method, .. } if method.ends_with(".insertOne") => {
            Some(NEEDS_ONE.get(lang).to_owned())
        }
        Misuse::Type { wanted: "object", .. } => {
            let found = place.clone().map(|place| script.text()[place].trim().to_owned()).unwrap_or_default();
            let short = found.len() < 40 && !found.contains(['{', '[']);
            short.then(|| NEEDS_BRACES.fill(lang, &[("found", &braced(&found))]))
        }
        Misuse::Type { .. } => None,
    };
    (hint, place)
}

/// `a = 1` is meant as `{a: 1}`, a bare value as the value of a field.
fn braced(found: &str) -> String {
    match found.split_once('=') {
        Some((key, value)) => format!("{{{}: {}}}", key.trim(), value.trim_start_matches('=').trim()),
        None if found.is_empty() => "{…}".to_owned(),
        None => format!("{{…: {found}}}"),
    }
}

/// An argument of the call around a byte.
fn argument(script: &Script, at: usize, position: usize) -> Option<Span> {
    // A place between two calls of a chain belongs to the later one.
    let around = script.nodes().filter(|(_, node)| node.span.start <= at && at < node.span.end);
    let calls = around.filter_map(|(_, node)| match &node.syntax {
        Syntax::Call { arguments, .. } => Some((node.span.len(), arguments)),
        _ => None,
    });
    let (_, arguments) = calls.min_by_key(|(length, _)| *length)?;
    arguments.get(position).map(|id| script.node(*id).span.clone())
}

fn undefined(script: &Script, name: &str, at: Option<usize>, lang: Lang) -> String {
    if name.starts_with('$') {
        return PATH.fill(lang, &[("name", name)]);
    }
    if let Some(advice) = slips::program(name, lang) {
        return advice;
    }
    if let Some(dashed) = at.and_then(|at| dashed_collection(script, name, at)) {
        return DASHED.fill(lang, &[("name", &dashed)]);
    }
    let behind = at.and_then(|at| script.text().get(at..)).and_then(|rest| rest.strip_prefix(name));
    let member = behind.and_then(|behind| behind.trim_start().strip_prefix('.'));
    if member.is_some_and(|member| names::COLLECTION.iter().any(|method| member.trim_start().starts_with(method))) {
        return NEEDS_DB.fill(lang, &[("name", name)]);
    }
    if names::COLLECTION.contains(&name) {
        return OF_COLLECTION.fill(lang, &[("method", name)]);
    }
    let literal = match name {
        "True" | "TRUE" => Some("true"),
        "False" | "FALSE" => Some("false"),
        "None" | "NULL" | "Null" | "nil" => Some("null"),
        _ => None,
    };
    if let Some(literal) = literal {
        return LITERAL.fill(lang, &[("name", literal)]);
    }
    if behind.is_some_and(|behind| behind.trim_start().starts_with("> db")) {
        return slips::prompt(&format!("{name}>"), lang);
    }
    if let Some(near) = nearest(name, names::GLOBAL.iter().copied().chain(declared(script))) {
        return MEANT.fill(lang, &[("name", near)]);
    }
    let alone = at.is_some_and(|at| script.statements().iter().any(|id| script.node(*id).span.start == at));
    if alone { UNKNOWN.get(lang).to_owned() } else { QUOTES.fill(lang, &[("name", name)]) }
}

fn declared(script: &Script) -> impl Iterator<Item = &str> {
    script.nodes().filter_map(|(_, node)| {
        if let Syntax::Declaration { name, .. } = &node.syntax { Some(name.as_str()) } else { None }
    })
}

/// `db.my-items.find()` reads as a subtraction: the collection whose name ends with what stands at a byte.
fn dashed_collection(script: &Script, name: &str, at: usize) -> Option<String> {
    let sides = |(id, _)| subtraction(script, id).filter(|(_, right)| script.node(*right).span.start == at);
    let (left, _) = script.nodes().find_map(sides)?;
    Some(format!("{}-{name}", dashed(script, left)?))
}

/// The sides of a subtraction.
fn subtraction(script: &Script, id: NodeId) -> Option<(NodeId, NodeId)> {
    let Syntax::Other(parts) = &script.node(id).syntax else { return None };
    let &[left, right] = parts.as_slice() else { return None };
    let between = script.text().get(script.node(left).span.end..script.node(right).span.start)?;
    (between.trim() == "-").then_some((left, right))
}

/// The name of a collection as far as it was read, up to a dash.
fn dashed(script: &Script, id: NodeId) -> Option<String> {
    match &script.node(id).syntax {
        Syntax::Member { object, name, .. } => is_database(script, *object).then(|| name.clone()),
        Syntax::Name(name) => Some(name.clone()),
        _ => {
            let (left, right) = subtraction(script, id)?;
            Some(format!("{}-{}", dashed(script, left)?, dashed(script, right)?))
        }
    }
}

/// What is called around a byte and is no function, as it was typed.
pub(super) fn uncallable(script: &Script, at: Option<usize>) -> Option<String> {
    let (object, name, _) = called(script, at?)?;
    let object = script.source(object);
    (object.len() < 60 && !object.contains('\n')).then(|| format!("{object}.{name}"))
}

/// The innermost method call around a byte whose method nobody knows: its object, the method, and where it stands.
fn called(script: &Script, at: usize) -> Option<(NodeId, String, Span)> {
    let mut found: Vec<((bool, usize), NodeId, String, Span)> = Vec::new();
    for (_, node) in script.nodes() {
        let Syntax::Call { callee, .. } = &node.syntax else { continue };
        let Syntax::Member { object, name, name_span } = &script.node(*callee).syntax else { continue };
        if node.span.start <= at && at <= node.span.end {
            let known = methods(script, *object).contains(&name.as_str());
            found.push(((known, node.span.len()), *object, name.clone(), name_span.clone()));
        }
    }
    let (_, object, name, span) = found.into_iter().min_by_key(|(rank, ..)| *rank)?;
    Some((object, name, span))
}

/// Whether an expression gives the database.
fn is_database(script: &Script, id: NodeId) -> bool {
    match &script.node(id).syntax {
        Syntax::Name(name) => name == "db",
        _ => method_called(script, id).is_some_and(|(_, name)| name == "getSiblingDB"),
    }
}

/// The method that an expression calls, with its object.
fn method_called(script: &Script, id: NodeId) -> Option<(NodeId, &str)> {
    let Syntax::Call { callee, .. } = &script.node(id).syntax else { return None };
    let Syntax::Member { object, name, .. } = &script.node(*callee).syntax else { return None };
    Some((*object, name))
}

/// Whether an expression gives the cursor of an aggregation.
fn is_aggregation(script: &Script, id: NodeId) -> bool {
    method_called(script, id).is_some_and(|(object, name)| name == "aggregate" || is_aggregation(script, object))
}

/// The methods of what an expression gives.
fn methods(script: &Script, id: NodeId) -> &'static [&'static str] {
    if is_database(script, id) {
        return names::DATABASE;
    }
    match method_called(script, id) {
        Some((object, name)) if names::CURSOR.contains(&name) && is_aggregation(script, object) => names::AGGREGATION,
        Some((_, name)) => names::given_by(name),
        None => names::COLLECTION,
    }
}

fn no_method(script: &Script, object: NodeId, name: &str, lang: Lang) -> String {
    if is_database(script, object) && names::COLLECTION.contains(&name) {
        return OF_COLLECTION.fill(lang, &[("method", name)]);
    }
    if is_aggregation(script, object)
        && let Some(stage) = stage_of(name)
    {
        return AS_STAGE.fill(lang, &[("method", name), ("stage", &stage)]);
    }
    let calls = matches!(script.node(object).syntax, Syntax::Call { .. });
    if !calls && names::CURSOR.contains(&name) {
        return OF_CURSOR.fill(lang, &[("method", name)]);
    }
    if let Some((_, instead)) = SYNONYMS.iter().find(|(other, _)| *other == name) {
        return ELSEWHERE_CALLED.fill(lang, &[("instead", instead)]);
    }
    match nearest(name, methods(script, object).iter().copied()) {
        Some(near) => MEANT.fill(lang, &[("name", near)]),
        None => NO_METHOD.fill(lang, &[("method", name)]),
    }
}

/// Methods of other databases and libraries, and what they are called here.
const SYNONYMS: &[(&str, &str)] = &[
    ("all", "find() or toArray()"),
    ("add", "insertOne({…})"),
    ("create", "insertOne({…})"),
    ("delete", "deleteOne({…}) or deleteMany({…})"),
    ("deleteAll", "deleteMany({})"),
    ("exec", "toArray()"),
    ("fetch", "find({…})"),
    ("filter", "find({…})"),
    ("findAll", "find({})"),
    ("findAndUpdate", "findOneAndUpdate({…}, {$set: {…}})"),
    ("findById", "findOne({_id: …})"),
    ("findMany", "find({…})"),
    ("first", "findOne({…}) or limit(1)"),
    ("get", "findOne({…})"),
    ("group", "aggregate([{$group: {…}}])"),
    ("groupBy", "aggregate([{$group: {…}}])"),
    ("length", "itcount(), or toArray().length"),
    ("order", "sort({…: 1})"),
    ("orderBy", "sort({…: 1})"),
    ("removeOne", "deleteOne({…})"),
    ("select", "find({…}, {…: 1})"),
    ("sum", "aggregate([{$group: {_id: null, sum: {$sum: \"$…\"}}}])"),
    ("avg", "aggregate([{$group: {_id: null, avg: {$avg: \"$…\"}}}])"),
    ("truncate", "deleteMany({})"),
    ("updateAll", "updateMany({…}, {$set: {…}})"),
    ("upsert", "updateOne({…}, {$set: {…}}, {upsert: true})"),
    ("where", "find({…})"),
];

/// The stage that does what a method of a find cursor does.
fn stage_of(method: &str) -> Option<String> {
    matches!(method, "limit" | "count" | "project").then(|| format!("{{${method}: …}}"))
}

/// A stage of a name that none has.
const NO_SUCH_STAGE: ErrorCode = ErrorCode::Location(40324);

/// Operators of other databases and languages, and how one asks for them here.
const OPERATOR_SYNONYMS: &[(&str, &str)] = &[
    ("$any", "$elemMatch: {…}"),
    ("$between", "{$gte: …, $lte: …}"),
    ("$contains", "$elemMatch: {…} for an element, /…/ for a part of a text"),
    ("$endsWith", "/…$/"),
    ("$greaterThan", "$gt: …"),
    ("$ilike", "/…/i"),
    ("$is", "$eq: …"),
    ("$isNull", "$eq: null"),
    ("$len", "$size: …"),
    ("$length", "$size: …"),
    ("$lessThan", "$lt: …"),
    ("$like", "/…/"),
    ("$matches", "$regex: …"),
    ("$notIn", "$nin: […]"),
    ("$notNull", "$ne: null"),
    ("$some", "$elemMatch: {…}"),
    ("$startsWith", "/^…/"),
    ("$xor", "$or: […] with $nor: […]"),
];

/// A field of `$group` that is no document with an accumulator.
const NO_ACCUMULATOR: ErrorCode = ErrorCode::Location(40234);

/// A `$unwind` of a path without a dollar sign.
const NO_PATH_TO_UNWIND: ErrorCode = ErrorCode::Location(28818);

/// Stages with accumulators.
const GROUPING: [&str; 4] = ["$group", "$bucket", "$bucketAuto", "$setWindowFields"];

/// The operators that may stand at a place in a command.
fn possible(path: &CommandPath, wrong: &str) -> Vec<&'static [&'static str]> {
    let steps: Vec<&Step> = match path.0.as_slice() {
        [Step::Field(list), Step::Index(_), rest @ ..] if list == "operations" => rest.iter().collect(),
        all => all.iter().collect(),
    };
    let named = |wanted: &str| steps.iter().any(|step| matches!(step, Step::Field(name) if name == wanted));
    let Some(Step::Field(argument)) = steps.first() else { return vec![] };
    if named("$expr") {
        return vec![&operators::EXPRESSION];
    }
    match (argument.as_str(), steps.get(1..).unwrap_or_default()) {
        ("filter" | "arrayFilters", _) => vec![&operators::FILTER],
        ("projection", _) => vec![&operators::EXPRESSION, &operators::PROJECTION],
        ("update" | "pipeline", [Step::Index(_), rest @ ..]) => match rest {
            [] => vec![&operators::STAGE],
            [Step::Field(stage), ..] if stage == wrong => vec![&operators::STAGE],
            [Step::Field(stage), ..] if stage == "$match" => vec![&operators::FILTER],
            [Step::Field(stage), ..] if GROUPING.contains(&stage.as_str()) => {
                vec![&operators::WINDOW, &operators::EXPRESSION]
            }
            _ => vec![&operators::EXPRESSION, &operators::FILTER],
        },
        ("update", _) => vec![&operators::UPDATE, &operators::FILTER],
        _ => vec![],
    }
}

/// The hint for a refused command: a dollar sign that lacks, or the nearest operator to a name that none has, of those that
/// fit its place. The literal is what was written at the place to blame.
pub(super) fn command(error: &CommandError, literal: Option<&Syntax>, lang: Lang) -> Option<String> {
    if let Some(hint) = missing_dollar(error, literal, lang) {
        return Some(hint);
    }
    let Some(Step::Field(wrong)) = error.at.0.last() else { return None };
    if wrong == "$where" {
        return Some(NO_WHERE.get(lang).to_owned());
    }
    if !wrong.starts_with('$') || operators::operators().any(|known| known == wrong) {
        return None;
    }
    if let Some((_, instead)) = OPERATOR_SYNONYMS.iter().find(|(other, _)| *other == wrong) {
        return Some(ELSEWHERE_CALLED.fill(lang, &[("instead", instead)]));
    }
    let fitting = possible(&error.at, wrong);
    let near = if fitting.is_empty() {
        nearest(wrong, operators::operators())
    } else {
        nearest(wrong, fitting.into_iter().flatten().copied())
    }?;
    Some(MEANT.fill(lang, &[("name", near)]))
}

/// A stage, path or operator that lacks its dollar sign, or a field where operators stand.
fn missing_dollar(error: &CommandError, literal: Option<&Syntax>, lang: Lang) -> Option<String> {
    let dollar = |name: &str| Some(WITH_DOLLAR.fill(lang, &[("name", name)]));
    match (error.code, error.at.0.as_slice(), literal) {
        (NO_SUCH_STAGE, [.., Step::Field(stage)], _) if !stage.starts_with('$') => {
            let with = format!("${stage}");
            let near = operators::STAGE.iter().copied().find(|known| *known == with);
            dollar(near.or_else(|| nearest(&with, operators::STAGE.iter().copied()))?)
        }
        (NO_ACCUMULATOR, [.., Step::Field(field)], _) => Some(ACCUMULATOR.fill(lang, &[("name", field)])),
        (NO_PATH_TO_UNWIND, _, Some(Syntax::Text(path))) => dollar(&format!("\"${path}\"")),
        (ErrorCode::FailedToParse, [.., Step::Field(update), Step::Field(field)], _)
            if update == "update" && !field.starts_with('$') =>
        {
            let words = if is_update_option(field) { AN_OPTION } else { INTO_SET };
            Some(words.fill(lang, &[("name", field)]))
        }
        // `{$gte: 1, lte: 2}`: beside an operator only operators stand.
        (ErrorCode::BadValue, [Step::Field(filter), _, .., Step::Field(name)], _)
            if filter == "filter" && !name.starts_with('$') =>
        {
            let (with, known) = (format!("${name}"), || operators::FILTER.iter().copied());
            dollar(known().find(|known| *known == with).or_else(|| nearest(&with, known()))?)
        }
        _ => None,
    }
}

/// Methods of a collection that mongosh warns of once a session, and what it names in their place.
const DEPRECATED: [(&str, &str); 4] = [
    ("count", "countDocuments or estimatedDocumentCount"),
    ("insert", "insertOne, insertMany, or bulkWrite"),
    ("update", "updateOne, updateMany, or bulkWrite"),
    ("remove", "deleteOne, deleteMany, findOneAndDelete, or bulkWrite"),
];

/// mongosh's warning of a method of old.
pub(super) fn deprecated(method: &str) -> Option<String> {
    let (name, instead) = DEPRECATED.iter().find(|(name, _)| *name == method)?;
    Some(format!("DeprecationWarning: Collection.{name}() is deprecated. Use {instead}."))
}

/// The note on a collection that does not exist.
pub(super) fn missing_collection<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, lang: Lang) -> String {
    let note = NO_COLLECTION.fill(lang, &[("name", name)]);
    match nearest(name, known) {
        Some(near) => format!("{note} {}", MEANT.fill(lang, &[("name", &format!("`{near}`"))])),
        None => note,
    }
}
