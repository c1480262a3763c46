//! Documents that a `$graphLookup` or `$lookup` reaches: what a filter inside it judges has to be met first.

use crate::engine::Command;
use crate::pitfall::Case;
use crate::pitfall::elements::value_at;
use crate::value::{Bson, Document, Path};

/// A field of the documents that are joined, and where the value it has to equal comes from.
struct Link<'c> {
    outer: &'c str,
    from: &'c str,
    /// The field that a document is reached from.
    start: &'c str,
    /// The field that it is reached by.
    to: &'c str,
}

/// The documents of a collection changed so that each is reached; none where no stage of the commands joins it.
pub(super) fn linked(
    case: &Case<'_>,
    commands: &[Command],
    collection: &str,
    pool: &[Document],
) -> Option<Vec<Document>> {
    let link = commands.iter().flat_map(links).find(|link| link.from == collection)?;
    let mut linked = pool.to_vec();
    if link.outer == collection {
        // Every document leads to every one.
        let all: Vec<Bson> = pool.iter().filter_map(|document| document.get(link.to).cloned()).collect();
        for document in &mut linked {
            document.insert(link.start, all.clone());
        }
    } else {
        let path = Path::new(link.start);
        let documents = case.documents(link.outer);
        let start = documents.iter().find_map(|document| value_at(document, &path))?.to_bson();
        for document in &mut linked {
            document.insert(link.to, start.clone());
        }
    }
    Some(linked)
}

fn links(command: &Command) -> Vec<Link<'_>> {
    let Command::Aggregate(aggregate) = command.explained() else { return Vec::new() };
    let Some(outer) = aggregate.collection.as_deref() else { return Vec::new() };
    aggregate.pipeline.iter().filter_map(|stage| link_of(stage, outer)).collect()
}

/// The link of a stage between plain fields.
fn link_of<'c>(stage: &'c Document, outer: &'c str) -> Option<Link<'c>> {
    let (name, operand) = stage.iter().next()?;
    let operand = operand.as_document()?;
    let text = |field: &str| operand.get_str(field).ok();
    let (start, to) = match name.as_str() {
        "$graphLookup" => (text("startWith")?.strip_prefix('$')?, text("connectToField")?),
        "$lookup" => (text("localField")?, text("foreignField")?),
        _ => return None,
    };
    let plain = |name: &str| !name.contains('.') && !name.starts_with('$') && name != "_id";
    let from = text("from")?;
    (plain(start) && (plain(to) || from == outer && to == "_id")).then_some(Link { outer, from, start, to })
}
