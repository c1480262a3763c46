//! A field name with a dot in it, read as a path.

use crate::pitfall::grain::each_question;
use crate::pitfall::{Case, Evidence, Level, Pitfall, Question, Sighting};
use crate::store::Profile;
use crate::value::Path;
use crate::words::Words;

pub(super) const PITFALL: Pitfall = Pitfall {
    id: "dots-in-keys",
    level: Level::Risk,
    weight: 12,
    title: Words::new("Dots in field names", "Punkte in Feldnamen"),
    explanation: Words::new(
        "The server stores such names, but a filter splits at every dot; only `$getField` in an expression can name them.",
        "Der Server speichert solche Namen, aber ein Filter trennt an jedem Punkt; nur `$getField` in einem Ausdruck kann \
         sie nennen.",
    ),
    message: Words::new(
        "`{name}` was read as {segments} and matched nothing there; {n documents} {n|has|have} a field with a dot in its name.",
        "`{name}` wurde als {segments} gelesen und fand dort nichts; {n Dokumente} {n|hat|haben} ein Feld mit einem Punkt im Namen.",
    ),
    cure: Words::new(
        "As a value the text is harmless: `{k: \"usb-c 3.1\", v: 2}`.",
        "Als Wert ist der Text harmlos: `{k: \"usb-c 3.1\", v: 2}`.",
    ),
    example: r#"db.c.find({"ports.usb-c 3.1": 2})"#,
    detect: |case| each_question(case, sight),
};

fn sight(case: &Case<'_>, question: &Question<'_>) -> Option<Sighting> {
    let profile = case.profile(question.collection)?;
    let path = question.tree.paths().into_iter().find(|path| is_one_name(path, profile))?;
    let documents = profile.path(&path.to_string())?.documents;
    let segments: Vec<String> = path.parts().iter().map(|part| format!("`{part}`")).collect();
    Some(Sighting {
        span: case.span(question.ran, &question.at.field(&path.to_string())),
        values: vec![("name", path.to_string()), ("segments", segments.join(" → ")), ("n", documents.to_string())],
        evidence: vec![Evidence::Counts {
            of: path.to_string(),
            counts: vec![
                ("found".into(), case.matching(question, &question.tree).len() as u64),
                ("documents with the name".into(), documents),
            ],
        }],
        ..Sighting::default()
    })
}

/// Whether the whole path is in the data and a part of its way is not: then a stored name has a dot.
fn is_one_name(path: &Path, profile: &Profile) -> bool {
    let parts = path.parts();
    let way = |length: usize| Path::from_parts(parts[..length].to_vec()).to_string();
    profile.path(&path.to_string()).is_some() && (1..parts.len()).any(|length| profile.path(&way(length)).is_none())
}
