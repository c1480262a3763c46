//! `aggregate` for another design: the leading matches are rephrased, and stages that rebuild the original form go before
//! the rest where the rest speaks of attributes.

use crate::engine::{Aggregate, Command};
use crate::value::{Bson, Document, doc};

use super::bridge::bridge;
use super::read::{mentions, read_filter};
use super::select::open_elements;
use super::{Ground, Rephrased, same_documents};
use crate::design::form::Place;
use crate::design::reason::{NoCounterpart, Note};

pub(super) fn aggregate(ground: &Ground<'_>, aggregate: &Aggregate) -> Result<Rephrased, NoCounterpart> {
    let leading = aggregate.pipeline.iter().take_while(|stage| match_of(stage).is_some()).count();
    let (matches, rest) = aggregate.pipeline.split_at(leading);
    let mut notes = Vec::new();
    let mut pipeline = Vec::with_capacity(aggregate.pipeline.len() + 3);
    for filter in matches.iter().filter_map(match_of) {
        let ask = read_filter(ground.from, filter)?;
        let mut writer = ground.writer();
        pipeline.push(doc! {"$match": writer.filter(&ask)?});
        notes.append(&mut writer.notes);
    }
    let about = rest.iter().any(|stage| mentions(ground.from, &Bson::Document(stage.clone())));
    let rest = if ground.from.form.place() == ground.to.form.place() || !about && same_documents(ground) {
        rest
    } else {
        notes.push(Note::Bridged);
        bridged(ground, matches, rest, &mut pipeline)
    };
    pipeline.extend(rest.iter().cloned());
    let hint = aggregate.hint.as_ref().map(|_| notes.push(Note::HintDropped)).and(None);
    notes.dedup();
    let other = Aggregate { collection: Some(ground.collection.into()), pipeline, hint, ..aggregate.clone() };
    Ok(Rephrased { command: Command::Aggregate(other), notes })
}

fn match_of(stage: &Document) -> Option<&Document> {
    stage.get_document("$match").ok().filter(|_| stage.len() == 1)
}

/// Puts the bridge in; gives what of the rest is still to be done.
fn bridged<'a>(
    ground: &Ground<'_>,
    matches: &[Document],
    rest: &'a [Document],
    pipeline: &mut Vec<Document>,
) -> &'a [Document] {
    pipeline.extend(bridge(ground.from, ground.to, matches));
    let rows_of_array = ground.to.form.place() == Place::Rows && ground.from.form.place() == Place::Elements;
    let array = format!("${}", ground.from.layout.array);
    match rest {
        [first, others @ ..] if rows_of_array && first.get_str("$unwind").is_ok_and(|path| path == array) => {
            open_elements(ground, pipeline);
            others
        }
        _ => rest,
    }
}
