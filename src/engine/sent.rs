//! Commands as drivers send them, which explain repeats: every part that was given, and none that was not.

use crate::engine::count_documents::as_aggregate;
use crate::engine::{Aggregate, Command, Count, Delete, Distinct, Find, FindAndModify, Modify, Update};
use crate::value::{Bson, Document, doc, whole};

/// Parts of a command by name, as far as they were given.
struct Sent(Document);

impl Sent {
    fn part<T: Clone + Into<Bson>>(mut self, name: &str, part: Option<&T>) -> Self {
        if let Some(part) = part {
            self.0.insert(name, part.clone());
        }
        self
    }

    /// A whole number: an int where it is one.
    fn number(mut self, name: &str, number: Option<i64>) -> Self {
        if let Some(number) = number {
            self.0.insert(name, whole(number));
        }
        self
    }

    /// A switch that is off unless it is given.
    fn switch(mut self, name: &str, on: bool) -> Self {
        if on {
            self.0.insert(name, true);
        }
        self
    }

    fn list(mut self, name: &str, list: &[Document]) -> Self {
        if !list.is_empty() {
            self.0.insert(name, list.to_vec());
        }
        self
    }
}

/// The command as it is sent to a database, `countDocuments` as the pipeline that it is; empty for one that the server does
/// not explain.
pub(super) fn sent(command: &Command, database: &str) -> Document {
    let Sent(mut sent) = match command {
        Command::Find(find) => of_find(find),
        Command::Aggregate(aggregate) => of_aggregate(aggregate),
        Command::Count(count) if count.as_pipeline => of_aggregate(&as_aggregate(count)),
        Command::Count(count) => of_count(count),
        Command::Distinct(distinct) => of_distinct(distinct),
        Command::Update(update) => of_update(update),
        Command::Delete(delete) => of_delete(delete),
        Command::FindAndModify(modify) => of_find_and_modify(modify),
        _ => return Document::new(),
    };
    sent.insert("$db", database);
    sent
}

fn of_find(find: &Find) -> Sent {
    Sent(doc! { "find": &find.collection, "filter": find.filter.clone() })
        .part("sort", find.sort.as_ref())
        .part("projection", find.projection.as_ref())
        .part("hint", find.hint.as_ref())
        .number("skip", find.skip)
        .number("limit", find.limit)
        .part("comment", find.comment.as_ref())
        .part("max", find.max.as_ref())
        .part("min", find.min.as_ref())
        .switch("returnKey", find.return_key)
        .switch("showRecordId", find.show_record_id)
        .part("collation", find.collation.as_ref())
        .part("let", find.variables.as_ref())
}

fn of_aggregate(aggregate: &Aggregate) -> Sent {
    let target = aggregate.collection.as_deref().map_or(Bson::Int32(1), Bson::from);
    Sent(doc! { "aggregate": target, "pipeline": aggregate.pipeline.clone(), "cursor": {} })
        .part("hint", aggregate.hint.as_ref())
        .part("let", aggregate.variables.as_ref())
        .part("collation", aggregate.collation.as_ref())
        .part("comment", aggregate.comment.as_ref())
}

fn of_count(count: &Count) -> Sent {
    Sent(doc! { "count": &count.collection, "query": count.filter.clone() })
        .number("skip", count.skip)
        .number("limit", count.limit)
        .part("hint", count.hint.as_ref())
        .part("collation", count.collation.as_ref())
}

fn of_distinct(distinct: &Distinct) -> Sent {
    Sent(doc! { "distinct": &distinct.collection, "key": &distinct.key, "query": distinct.filter.clone() })
        .part("hint", distinct.hint.as_ref())
        .part("collation", distinct.collation.as_ref())
}

fn of_update(Update { collection, spec }: &Update) -> Sent {
    let entry =
        doc! { "q": spec.filter.clone(), "u": modification(&spec.modify), "multi": spec.multi, "upsert": spec.upsert };
    let Sent(entry) = Sent(entry)
        .part("hint", spec.hint.as_ref())
        .list("arrayFilters", &spec.array_filters)
        .part("collation", spec.collation.as_ref());
    Sent(doc! { "update": collection, "updates": [entry] }).part("let", spec.variables.as_ref())
}

fn of_delete(delete: &Delete) -> Sent {
    let Sent(entry) = Sent(doc! { "q": delete.filter.clone(), "limit": i32::from(!delete.multi) })
        .part("hint", delete.hint.as_ref())
        .part("collation", delete.collation.as_ref());
    Sent(doc! { "delete": &delete.collection, "deletes": [entry] })
}

fn of_find_and_modify(modify: &FindAndModify) -> Sent {
    Sent(doc! { "findAndModify": &modify.collection, "query": modify.filter.clone() })
        .switch("remove", modify.modify.is_none())
        .part("update", modify.modify.as_ref().map(modification).as_ref())
        .part("sort", modify.sort.as_ref())
        .part("fields", modify.projection.as_ref())
        .switch("new", modify.return_new)
        .switch("upsert", modify.upsert)
        .part("hint", modify.hint.as_ref())
        .list("arrayFilters", &modify.array_filters)
        .part("collation", modify.collation.as_ref())
        .part("let", modify.variables.as_ref())
}

fn modification(modify: &Modify) -> Bson {
    match modify {
        Modify::Operators(document) | Modify::Replacement(document) => Bson::Document(document.clone()),
        Modify::Pipeline(stages) => Bson::from(stages.clone()),
    }
}
