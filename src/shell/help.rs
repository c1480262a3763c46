//! The help texts of the shell.

use super::names;
use crate::words::{Lang, Words};

const SHELL: Words = Words::new(
    "Shell help:\n\
     \n\
     \x20   show collections            the collections of this database\n\
     \x20   show dbs                    the databases\n\
     \x20   use NAME                    go to another database\n\
     \x20   it                          the next documents of the last cursor\n\
     \x20   exit                        leave the shell\n\
     \n\
     \x20   db.help()                   methods of the database\n\
     \x20   db.NAME.help()              methods of a collection\n\
     \x20   db.NAME.find().help()       methods of a cursor\n\
     \n\
     \x20   db.NAME.find({price: {$lt: 10}}).sort({price: 1})\n\
     \x20   db.NAME.find({…}).explain(\"executionStats\")",
    "Hilfe der Shell:\n\
     \n\
     \x20   show collections            die Collections dieser Datenbank\n\
     \x20   show dbs                    die Datenbanken\n\
     \x20   use NAME                    in eine andere Datenbank wechseln\n\
     \x20   it                          die nächsten Dokumente des letzten Cursors\n\
     \x20   exit                        die Shell verlassen\n\
     \n\
     \x20   db.help()                   Methoden der Datenbank\n\
     \x20   db.NAME.help()              Methoden einer Collection\n\
     \x20   db.NAME.find().help()       Methoden eines Cursors\n\
     \n\
     \x20   db.NAME.find({price: {$lt: 10}}).sort({price: 1})\n\
     \x20   db.NAME.find({…}).explain(\"executionStats\")",
);
const METHODS: Words = Words::new("Methods of {of}:", "Methoden von {of}:");

/// The help of the shell as a whole, or of one kind of object.
pub(super) fn help(kind: &str, lang: Lang) -> String {
    let (of, names) = match kind {
        "collection" => ("db.NAME", names::COLLECTION),
        "database" => ("db", names::DATABASE),
        "cursor" => ("db.NAME.find()", names::CURSOR),
        "explainable" => {
            ("db.NAME.explain()", &["find", "findOne", "aggregate", "count", "distinct", "updateOne", "deleteOne"][..])
        }
        "planCache" => ("db.NAME.getPlanCache()", &["list", "clear"][..]),
        _ => return SHELL.get(lang).to_owned(),
    };
    let list: Vec<String> = names.iter().map(|name| format!("    {name}()")).collect();
    format!("{}\n{}", METHODS.fill(lang, &[("of", of)]), list.join("\n"))
}
