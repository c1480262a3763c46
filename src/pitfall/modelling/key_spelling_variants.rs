//! One attribute or value in several spellings.

use crate::error::{CommandPath, Step};
use crate::pitfall::case::{Case, id, shown};
use crate::pitfall::elements::{attributes, folded};
use crate::pitfall::literal::{literals, rewritten};
use crate::pitfall::touch::{Part, Touch};
use crate::pitfall::verdict::Verdict;
use crate::pitfall::{Evidence, Level, Pitfall, Question, Sighting};
use crate::query::Filter;
use crate::store::AttributeFacts;
use crate::value::{Bson, RawDocument, doc};
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "key-spelling-variants",
    level: Level::Risk,
    weight: 16,
    title: Words::new(
        "One attribute or value in several spellings",
        "Ein Attribut oder Wert in mehreren Schreibweisen",
    ),
    explanation: Words::new(
        "`Color`, `color` and `color ` are different values and lie in different parts of the index; each query sees one.",
        "`Color`, `color` und `color ` sind verschiedene Werte und liegen an verschiedenen Stellen im Index; jede Abfrage \
         sieht nur einen.",
    ),
    message: Words::new(
        "Your `{text}` found {n documents}; {m} more hold other spellings such as {variants}, for one _id {id}.",
        "Dein `{text}` fand {n Dokumente}; {m} weitere haben andere Schreibweisen wie {variants}, zum Beispiel _id {id}.",
    ),
    cure: Words::new(
        "Normalise on write (`$toLower`, `$trim`) and keep a list of allowed keys; a collation of strength 2 repairs case \
         only.",
        "Vereinheitliche beim Schreiben (`$toLower`, `$trim`) und führe eine Liste erlaubter Schlüssel; eine Collation der \
         Stärke 2 heilt nur Groß- und Kleinschreibung.",
    ),
    example: r#"db.c.find({specs: {$elemMatch: {k: "Color", v: "red"}}})"#,
    detect,
};

/// Said where the text is not looked for but written.
const STORED: Words = Words::new(
    "`{text}` is stored in {n documents} now; {m} {m|holds|hold} other spellings such as {variants}, for one _id {id}.",
    "`{text}` ist jetzt in {n Dokumenten} gespeichert; {m} {m|hat|haben} andere Schreibweisen wie {variants}, zum Beispiel _id {id}.",
);

fn detect(case: &Case<'_>) -> Vec<Sighting> {
    let asked = case.filters().filter(|question| question.command.collation().is_none());
    let pairs = asked.flat_map(|asked| case.attributes(asked.collection).iter().map(move |array| (asked, array)));
    let asked = pairs.filter_map(|(question, array)| sight(case, question, array));
    asked.chain(case.touches().iter().flat_map(|touch| stored(case, touch))).collect()
}

/// Keys that are stored beside other spellings of them.
fn stored(case: &Case<'_>, touch: &Touch<'_>) -> Vec<Sighting> {
    let arrays = case.attributes(touch.collection).iter();
    let keys = arrays.flat_map(|array| touch.keys(array, &[Part::Stored]).into_iter().map(move |key| (array, key)));
    keys.filter_map(|(array, key)| stored_key(case, touch, array, key)).collect()
}

fn stored_key(case: &Case<'_>, touch: &Touch<'_>, array: &AttributeFacts, key: &str) -> Option<Sighting> {
    let others = array.keys.iter().filter(|(held, _)| *held != key && alike(held, key));
    let variants: Vec<(&String, u64)> = others.map(|(held, facts)| (held, facts.documents)).collect();
    let is_variant = |held: &str| variants.iter().any(|(variant, _)| *variant == held);
    let holds = |document: &&&RawDocument| attributes(document, array).iter().any(|element| is_variant(element.key));
    let documents = case.present(touch.collection);
    let example = documents.iter().find(holds).filter(|_| !variants.is_empty())?;
    let at = touch.place_of_key(array, key);
    // `$pull` looks for a key as a filter does; what it found is gone.
    let sought = at.0.contains(&Step::Field("$pull".to_owned()));
    let now = array.keys.get(key).map_or(0, |facts| facts.documents);
    let before = || Some(case.facts_before(touch.collection)?.attribute_array(&array.path)?.keys.get(key)?.documents);
    let own = if sought { before().unwrap_or_default() } else { now };
    let (usual, most) = variants.iter().max_by_key(|(_, count)| *count).copied()?;
    let clear = variants.iter().filter(|(_, count)| *count == most).count() == 1 && most > own;
    let listed: Vec<String> = variants.iter().map(|(variant, _)| format!("`{variant}`")).collect();
    let counts = variants.iter().map(|(variant, count)| ((*variant).clone(), *count));
    Some(Sighting {
        span: case.span(touch.ran, &at),
        values: vec![
            ("text", key.to_owned()),
            ("n", own.to_string()),
            ("m", variants.iter().map(|(_, count)| count).sum::<u64>().to_string()),
            ("variants", listed.join(", ")),
            ("id", shown(&id(example))),
        ],
        evidence: vec![Evidence::Counts {
            of: format!("{}.{}", array.path, array.key),
            counts: counts.chain([(key.to_owned(), own)]).collect(),
        }],
        fix: clear.then(|| respelt(case, touch, &at, usual)).flatten(),
        words: (!sought).then_some(STORED),
        ..Sighting::default()
    })
}

/// The text with a key in another spelling; none where a later command would find something else by it.
fn respelt(case: &Case<'_>, touch: &Touch<'_>, at: &CommandPath, usual: &str) -> Option<String> {
    let mut later = case.ran.iter().skip_while(|ran| !std::ptr::eq(*ran, touch.ran)).skip(1);
    if later.any(|ran| ran.command.collection() == Some(touch.collection)) {
        return None;
    }
    let span = touch.ran.places.value(at)?;
    case.replaced(&span, &shown(&Bson::from(usual)))
}

/// A text that a filter asks for, and the other spellings of it in the data.
struct Spelling {
    path: String,
    text: String,
    variants: Vec<String>,
}

fn spellings(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Vec<Spelling> {
    let texts = case.profile(question.collection).and_then(|profile| profile.arrays().get(&array.path));
    let fields = [&array.key, &array.value].into_iter();
    let held = fields.filter_map(|field| Some((field, &texts?.fields.get(field)?.texts)));
    held.flat_map(|(field, texts)| {
        let path = format!("{}.{field}", array.path);
        literals(&question.filter, &path).into_iter().map(move |text| {
            let others = texts.keys().filter(|held| **held != text && alike(held, &text));
            Spelling { path: path.clone(), variants: others.cloned().collect(), text }
        })
    })
    .filter(|spelling| !spelling.variants.is_empty())
    .collect()
}

fn sight(case: &Case<'_>, question: &Question<'_>, array: &AttributeFacts) -> Option<Sighting> {
    let spellings = spellings(case, question, array);
    let first = spellings.first()?;
    let meant = spellings.iter().fold(question.filter.clone().into_owned(), |filter, spelling| {
        let all = std::iter::once(&spelling.text).chain(&spelling.variants).map(|text| Bson::from(text.as_str()));
        let any = Bson::Document(doc! {"$in": all.collect::<Vec<_>>()});
        rewritten(&filter, &spelling.path, "", &spelling.text, &any)
    });
    let verdict = Verdict::of(case, question, &Filter::parse(&meant).ok()?)?;
    let example = id(verdict.missed.first()?);
    let listed: Vec<String> = first.variants.iter().map(|variant| format!("`{variant}`")).collect();
    Some(Sighting {
        span: case.span(question.ran, &question.at),
        values: vec![
            ("text", first.text.clone()),
            ("n", verdict.learner.len().to_string()),
            ("m", verdict.missed.len().to_string()),
            ("variants", listed.join(", ")),
            ("id", shown(&example)),
        ],
        evidence: verdict.evidence(Vec::new()),
        fix: case.with_filter(question, &meant),
        // Documents are missed already.
        level: Some(Level::WrongResult),
        ..Sighting::default()
    })
}

/// Whether two texts are the same but for their spelling.
fn alike(one: &str, other: &str) -> bool {
    folded(one) == folded(other)
}
