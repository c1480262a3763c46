//! An `$expr` that compares a path through an array with a scalar.

use crate::engine::{Aggregate, Command, Reply};
use crate::error::CommandPath;
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::all_values;
use crate::pitfall::made;
use crate::pitfall::memo::State;
use crate::pitfall::verdict::{Verdict, proof};
use crate::pitfall::{Level, Pitfall, Question, Sighting};
use crate::query::Filter;
use crate::shell::Ran;
use crate::store::Profile;
use crate::value::{AnyDocument, Bson, Document, Path, RawDocument, View, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "expr-on-array-path",
    level: Level::WrongResult,
    weight: 15,
    title: Words::new("$expr with a path through an array", "$expr mit einem Pfad durch ein Array"),
    explanation: Words::new(
        "In expressions a path through an array is the array of all values, and an array is greater than any number or string. Expressions do not look into elements.",
        "In Ausdrücken ist ein Pfad durch ein Array das Array aller Werte, und ein Array ist größer als jede Zahl und jeder String. Ausdrücke schauen nicht in die Elemente.",
    ),
    message: Words::new(
        "`{path}` is the array {values} in _id {id}; compared with {literal} it is always greater. {n} of {m results} {n|is|are} due to that alone.",
        "`{path}` ist in _id {id} das Array {values}; verglichen mit {literal} ist es immer größer. {n} von {m Ergebnissen} {n|kommt|kommen} nur daher.",
    ),
    cure: Words::new(
        "Use match syntax with `$elemMatch`, or `$filter` and `$anyElementTrue` over `$map`.",
        "Nimm die Match-Schreibweise mit `$elemMatch` oder `$filter` und `$anyElementTrue` über `$map`.",
    ),
    example: r#"db.c.find({$expr: {$gt: ["$specs.v", 100]}})"#,
    detect,
};

/// Said where documents are left out for it.
const LEFT_OUT: Words = Words::new(
    "`{path}` is the array {values} in _id {id}; compared with {literal} it is always greater. {left documents} with \
     such an element {left|was|were} left out.",
    "`{path}` ist in _id {id} das Array {values}; verglichen mit {literal} ist es immer größer. {left Dokumente} mit \
     einem solchen Element {left|fehlt|fehlen}.",
);

/// Said of `$eq`.
const NEVER: Words = Words::new(
    "`{path}` is the array {values} in _id {id}, which is never equal to {literal}. {left} {left|document|documents} with \
     such an element {left|was|were} left out.",
    "`{path}` ist in _id {id} das Array {values}, und das ist nie gleich {literal}. {left} {left|Dokument|Dokumente} mit \
     einem solchen Element {left|fehlt|fehlen}.",
);

/// Said of `$ne`.
const ALWAYS: Words = Words::new(
    "`{path}` is the array {values} in _id {id}, which is never equal to {literal}, so that `$ne` always holds. {n} of {m} \
     {m|result is|results are} due to that alone.",
    "`{path}` ist in _id {id} das Array {values}, und das ist nie gleich {literal}; `$ne` gilt daher immer. {n} von {m} \
     {m|Ergebnis kommt|Ergebnissen kommen} nur daher.",
);

/// Said of stages of a pipeline that ask for equality.
const IN_ROWS: Words = Words::new(
    "`{path}` is the array {values} in _id {id}, which is never equal to {literal}. {n} of {m} {m|row|rows} would be others if the \
     elements were compared one by one.",
    "`{path}` ist in _id {id} das Array {values}, und das ist nie gleich {literal}. {n} von {m} {m|Zeile|Zeilen} wären andere, würden die \
     Elemente einzeln verglichen.",
);

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let filters = case.questions().iter().filter_map(|question| sight(case, question));
    let pipelines = case.ran.iter().chain(case.update_pipelines()).filter_map(|ran| in_stages(case, ran));
    filters.chain(pipelines).collect()
}

/// One comparison of an expression.
struct Compared<'f> {
    operator: &'f str,
    path: &'f str,
    literal: &'f Bson,
    /// Whether it has to hold by itself.
    alone: bool,
}

fn sight(case: &Case<'_>, question: &Question<'_>) -> Option<Sighting> {
    let profile = case.profile(question.collection)?;
    let mut expressions = Vec::new();
    expressions_in(&question.filter, &mut expressions);
    let all: Vec<Compared<'_>> = expressions.into_iter().flat_map(comparisons).collect();
    let compared = all.iter().find(|compared| crosses(profile, compared.path))?;
    let cured = in_match_syntax(&question.filter).or_else(|| element_by_element(&question.filter, profile));
    let meant = cured.as_ref().and_then(|cured| Filter::parse(cured).ok());
    let verdict = Verdict::of(case, question, meant.as_ref().unwrap_or(&question.tree))?;
    let path = Path::new(compared.path);
    let values_in = |document: &RawDocument| -> Vec<Bson> {
        all_values(View::Document(document.into()), &path).iter().map(View::to_bson).collect()
    };
    let holding = || case.seen(question).iter().copied().find(|document| !values_in(document).is_empty());
    let document = verdict.misjudged().or_else(|| verdict.learner.first().copied()).or_else(holding)?;
    let values = values_in(document);
    let mut evidence = verdict.evidence(Vec::new());
    if let Some(matcher) = meant.as_ref().filter(|_| verdict.is_right()).and_then(|meant| question.matcher(meant)) {
        let holds = |document: &RawDocument| !values_in(document).is_empty();
        evidence.extend(made::judged(case, question, meant.as_ref()?, &|own| holds(own).then(|| matcher.matches(own))));
    }
    Some(Sighting {
        span: case.span(question.ran, &question.at.field("$expr")),
        values: vec![
            ("path", compared.path.to_owned()),
            ("values", shown(&Bson::Array(values))),
            ("id", shown(&id(document))),
            ("literal", shown(compared.literal)),
            ("n", verdict.extra.len().to_string()),
            ("m", verdict.learner.len().to_string()),
            ("left", verdict.missed.len().to_string()),
        ],
        words: match compared.operator {
            "$eq" => Some(NEVER),
            "$ne" => Some(ALWAYS),
            _ => (verdict.extra.is_empty() && !verdict.missed.is_empty()).then_some(LEFT_OUT),
        },
        evidence,
        fix: cured.and_then(|cured| case.with_filter(question, &cured)),
        level: meant.and_then(|_| verdict.level()),
        ..Sighting::default()
    })
}

/// The `$expr` of a filter, also those of its alternatives.
fn expressions_in<'f>(filter: &'f Document, found: &mut Vec<&'f Document>) {
    for (name, value) in filter {
        match value {
            Bson::Document(expression) if name == "$expr" => found.push(expression),
            Bson::Array(parts) if name.starts_with('$') => {
                parts.iter().filter_map(Bson::as_document).for_each(|part| expressions_in(part, found));
            }
            _ => {}
        }
    }
}

/// A comparison in the first stage that computes something of the stored documents.
fn in_stages(case: &Case<'_>, ran: &Ran) -> Option<Sighting> {
    let Command::Aggregate(aggregate) = ran.command.explained() else { return None };
    let collection = aggregate.collection.as_deref()?;
    let profile = case.profile(collection)?;
    let computes =
        |stage: &Document| !stage.keys().all(|name| ["$match", "$sort", "$limit", "$skip"].contains(&&**name));
    let at = aggregate.pipeline.iter().position(computes)?;
    let stage = &aggregate.pipeline[at];
    let known = ["$project", "$set", "$addFields", "$group"].iter().any(|name| stage.contains_key(name));
    let all = comparisons(stage);
    let compared = all.iter().find(|compared| known && crosses(profile, compared.path))?;
    let path = Path::new(compared.path);
    let documents = case.documents(collection);
    let values_in = |document: &RawDocument| -> Vec<Bson> {
        all_values(View::Document(document.into()), &path).iter().map(View::to_bson).collect()
    };
    let mut pipeline = aggregate.pipeline.clone();
    pipeline[at] = element_by_element(stage, profile)?;
    let rows = misread(case, ran, aggregate, &pipeline)?;
    let stored = |row: &Bson| documents.iter().copied().find(|document| id(document) == *row);
    let of_row = rows.wrong.iter().find_map(stored).filter(|document| !values_in(document).is_empty());
    let document = of_row.or_else(|| documents.iter().copied().find(|document| !values_in(document).is_empty()))?;
    let values = shown(&Bson::Array(values_in(document)));
    let proven = of_row.and_then(|document| proof(document, vec![(compared.path.to_owned(), values.clone())]));
    Some(Sighting {
        span: case.span(ran, &CommandPath::argument("pipeline").index(at)),
        values: vec![
            ("path", compared.path.to_owned()),
            ("values", values.clone()),
            ("id", shown(&id(document))),
            ("literal", shown(compared.literal)),
            ("n", rows.wrong.len().to_string()),
            ("m", rows.all.to_string()),
        ],
        evidence: proven.into_iter().collect(),
        fix: case.with_stages(ran, &aggregate.pipeline, &pipeline),
        level: rows.wrong.is_empty().then_some(Level::Risk),
        words: ["$eq", "$ne"].contains(&compared.operator).then_some(IN_ROWS),
        ..Sighting::default()
    })
}

/// Rows that a pipeline gives otherwise than another one.
struct Misread {
    /// The `_id`s of those rows.
    wrong: Vec<Bson>,
    /// How many rows it gives.
    all: usize,
}

/// The rows that are others where elements are compared one by one.
fn misread(case: &Case<'_>, ran: &Ran, aggregate: &Aggregate, pipeline: &[Document]) -> Option<Misread> {
    // The pipelines of updates are no commands of the text; what they read is the data before.
    let is_typed = case.ran.iter().any(|own| std::ptr::eq(own, ran));
    let state = if is_typed { case.state(ran, aggregate.collection.as_deref()?) } else { State::Before };
    let meant = Command::Aggregate(Aggregate { pipeline: pipeline.to_vec(), ..aggregate.clone() });
    let meant = case.run_on(state, &meant)?;
    let (Reply::Documents(typed), Reply::Documents(meant)) = (&ran.result.as_ref().ok()?.reply, &meant.reply) else {
        return None;
    };
    let unlike =
        |(at, own): &(usize, &AnyDocument)| meant.get(*at).is_none_or(|other| own.as_bytes() != other.as_bytes());
    let wrong = typed.iter().enumerate().filter(unlike).map(|(_, own)| id(own));
    Some(Misread { wrong: wrong.collect(), all: typed.len() })
}

/// A filter or stage with each such comparison asked of the elements one by one; none where one of them cannot be.
fn element_by_element(document: &Document, profile: &Profile) -> Option<Document> {
    let value = |(name, value): (&String, &Bson)| Some((name.clone(), each_compared(value, profile)?));
    document.iter().map(value).collect()
}

fn each_compared(value: &Bson, profile: &Profile) -> Option<Bson> {
    match value {
        Bson::Array(list) => {
            list.iter().map(|value| each_compared(value, profile)).collect::<Option<_>>().map(Bson::Array)
        }
        Bson::Document(inner) => {
            let single = inner.iter().next().filter(|_| inner.len() == 1);
            let compared = single.and_then(|(operator, operands)| comparison(operator, operands, true));
            match compared.filter(|compared| crosses(profile, compared.path)) {
                Some(compared) => any_element(&compared, profile),
                None => element_by_element(inner, profile).map(Bson::Document),
            }
        }
        other => Some(other.clone()),
    }
}

/// Whether all values at a path that are neither missing nor null are arrays of values that are none.
fn holds_arrays_alone(profile: &Profile, path: &str) -> bool {
    let (Some(facts), Some(arrays)) = (profile.path(path), profile.arrays().get(path)) else { return false };
    let counted = |kind: &str| facts.types.get(kind).copied().unwrap_or_default();
    let bare = facts.types.values().sum::<u64>().saturating_sub(arrays.arrays() + arrays.elements);
    bare <= counted("null") && counted("array") == arrays.arrays()
}

/// Whether some element meets a comparison, or for `$ne` none its opposite; none where other values than arrays are
/// stored there, or arrays in arrays.
fn any_element(compared: &Compared<'_>, profile: &Profile) -> Option<Bson> {
    let parts = Path::new(compared.path).parts().to_vec();
    let prefix = |length: usize| Path::from_parts(parts[..length].to_vec()).to_string();
    let mut arrays = (1..=parts.len()).filter(|length| profile.arrays().contains_key(&prefix(*length)));
    let (at, None) = (arrays.next()?, arrays.next()) else { return None };
    if !holds_arrays_alone(profile, &prefix(at)) {
        return None;
    }
    let element = std::iter::once("$$e").chain(parts[at..].iter().map(|part| &**part)).collect::<Vec<_>>().join(".");
    let negated = compared.operator == "$ne";
    let operator = if negated { "$eq" } else { compared.operator };
    let test = doc! {operator: [element, compared.literal.clone()]};
    let input = doc! {"$ifNull": [format!("${}", prefix(at)), []]};
    let any = doc! {"$anyElementTrue": [{"$map": {"input": input, "as": "e", "in": test}}]};
    Some(
        if negated {
            doc! {"$not": [any]}
        } else {
            any
        }
        .into(),
    )
}

/// The filter with the comparisons in match syntax, each where its `$expr` stands; none where an expression holds more, or
/// a path is asked already.
fn in_match_syntax(filter: &Document) -> Option<Document> {
    let mut cured = Document::new();
    for (name, value) in filter {
        match value {
            Bson::Document(expression) if name == "$expr" => {
                for compared in comparisons(expression) {
                    let test = doc! {compared.operator: compared.literal.clone()};
                    if !compared.alone || cured.insert(compared.path, test).is_some() {
                        return None;
                    }
                }
            }
            Bson::Array(parts) if ["$and", "$or", "$nor"].contains(&name.as_str()) => {
                let parts = parts.iter().map(|part| Some(in_match_syntax(part.as_document()?)?.into()));
                cured.insert(name, Bson::Array(parts.collect::<Option<_>>()?));
            }
            other => {
                if cured.insert(name, other.clone()).is_some() {
                    return None;
                }
            }
        }
    }
    Some(cured)
}

/// The comparisons of a path with a scalar literal in an expression.
fn comparisons(expression: &Document) -> Vec<Compared<'_>> {
    let mut found = Vec::new();
    gather(expression, true, &mut found);
    found
}

/// Comparisons that all have to hold stand alone; those below `$or`, `$not` and other operators do not.
fn gather<'f>(expression: &'f Document, alone: bool, found: &mut Vec<Compared<'f>>) {
    for (operator, operand) in expression {
        if let Some(compared) = comparison(operator, operand, alone && expression.len() == 1) {
            found.push(compared);
            continue;
        }
        let alone = alone && operator == "$and";
        let list = if let Bson::Array(list) = operand { list.as_slice() } else { std::slice::from_ref(operand) };
        list.iter().filter_map(Bson::as_document).for_each(|inner| gather(inner, alone, found));
    }
}

fn comparison<'f>(operator: &'f str, operands: &'f Bson, alone: bool) -> Option<Compared<'f>> {
    let at = OPERATORS.iter().position(|(own, _)| *own == operator)?;
    let (operator, path, literal) = match operands.as_array()?.as_slice() {
        [Bson::String(path), literal] if path.starts_with('$') => (operator, path, literal),
        [literal, Bson::String(path)] if path.starts_with('$') => (OPERATORS[at].1, path, literal),
        _ => return None,
    };
    let path = path.strip_prefix('$').filter(|path| !path.starts_with('$'))?;
    let scalar = match literal {
        Bson::Array(_) | Bson::Document(_) => false,
        Bson::String(text) => !text.starts_with('$'),
        _ => true,
    };
    scalar.then_some(Compared { operator, path, literal, alone })
}

/// Comparisons, and what they are called with the operands exchanged.
const OPERATORS: [(&str, &str); 6] =
    [("$eq", "$eq"), ("$ne", "$ne"), ("$gt", "$lt"), ("$gte", "$lte"), ("$lt", "$gt"), ("$lte", "$gte")];

fn crosses(profile: &Profile, path: &str) -> bool {
    let path = Path::new(path);
    let prefixes = (1..=path.parts().len()).map(|length| Path::from_parts(path.parts()[..length].to_vec()));
    prefixes.into_iter().any(|prefix| profile.arrays().contains_key(&prefix.to_string()))
}
