//! Pipelines rewritten: on random data they give what their stages give one after the other, each alone and so not rewritten.

use std::fmt::Write as _;

use pegboard::engine::Database;
use pegboard::shell::{Limits, Shell, Shown};
use pegboard::value::{Bson, Source};

struct Dice(Source);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        usize::try_from(self.0.next_u64() % sides as u64).expect("small")
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len())]
    }

    fn document(&mut self, unique: usize) -> String {
        let mut text = format!("{{_id: {unique}, u: {unique}");
        let fields: [(&str, &[&str]); 5] = [
            ("a", &["null", "0", "1", "2", "[1, 2]", "[]", "{x: 1}", "[{x: 1}, {x: 2}]", "'t'"]),
            ("c", &["null", "0", "1", "2"]),
            ("d", &["null", "[]", "[1, 2]", "[{k: 1}, {k: 2}]", "1", "[[1]]"]),
            ("b", &["{x: 1}", "{x: null}", "{}", "1"]),
            ("q", &["1", "2", "[1]"]),
        ];
        for (name, values) in fields {
            if self.roll(6) > 0 {
                write!(text, ", {name}: {}", self.pick(values)).expect("text");
            }
        }
        text + "}"
    }

    fn filter(&mut self) -> String {
        let value =
            self.pick(&["null", "0", "1", "2", "[1, 2]", "{$gt: 0}", "{$ne: 1}", "{$in: [null, 1]}", "{$lte: 1}"]);
        let path = self.pick(&[
            "a", "c", "d", "q", "q.x", "a.x", "_id", "_id.x", "_id.y", "m", "n", "d.k", "a.0", "i", "l.c", "b.x",
        ]);
        match self.roll(12) {
            0 => format!("{{$or: [{}, {}]}}", self.filter(), self.filter()),
            1 => format!("{{$nor: [{}, {}]}}", self.filter(), self.filter()),
            2 | 3 => format!("{{$and: [{}, {}]}}", self.filter(), self.filter()),
            4 => format!(
                "{{$expr: {{{}: ['${path}', {}]}}}}",
                self.pick(&["$eq", "$gt", "$lte"]),
                self.pick(&["null", "1", "2"])
            ),
            5 => format!("{{'{path}': {{$exists: {}}}}}", self.pick(&["true", "false"])),
            6 => format!("{{'{path}': {{$type: '{}'}}}}", self.pick(&["int", "null", "array"])),
            7 => format!("{{'{path}': {{$elemMatch: {{$gte: 1}}}}}}"),
            8 => format!("{{'{path}': {{$elemMatch: {{x: 1}}}}}}"),
            _ => format!("{{'{path}': {value}}}"),
        }
    }

    fn stage(&mut self) -> String {
        match self.roll(13) {
            0..=3 => format!("{{$match: {}}}", self.filter()),
            4 => format!(
                "{{$project: {}}}",
                self.pick(&["{u: 1, a: 1, c: 1}", "{u: 1, q: '$a', d: 1}", "{d: 0}", "{u: 1, m: '$_id.x', n: 1}", "{u: 1, 'b.x': 1, q: '$$ROOT.c'}", "{u: 1, a: 1, q: '$b.x'}"])
            ),
            5 => format!(
                "{{$addFields: {}}}",
                self.pick(&["{q: '$a'}", "{q: '$c', a: 1}", "{q: '$$ROOT.a'}", "{m: {$ifNull: ['$c', 5]}}", "{'b.x': '$c'}", "{q: '$b.x'}", "{a: '$q', q: '$a'}"])
            ),
            6 => format!("{{$unwind: {}}}", self.pick(&["'$d'", "{path: '$d', preserveNullAndEmptyArrays: true}", "{path: '$a', includeArrayIndex: 'i'}", "'$l'"])),
            7 => format!("{{$sort: {}}}", self.pick(&["{c: 1, u: 1}", "{u: -1}", "{c: -1, u: -1}", "{m: 1, u: 1}"])),
            8 => format!("{{{}: {}}}", self.pick(&["$limit", "$skip"]), 1 + self.roll(9)),
            9 => format!(
                "{{$group: {{_id: {}, n: {{$sum: 1}}, u: {{$first: '$u'}}}}}}",
                self.pick(&["'$a'", "'$c'", "{x: '$a', y: '$c'}", "{x: {y: '$c'}}", "'$b.x'", "'$$ROOT.q'", "null"])
            ),
            10 => format!("{{$unionWith: {}}}", self.pick(&["'other'", "{coll: 'other', pipeline: [{$match: {c: 1}}]}"])),
            11 => format!(
                "{{$redact: {}}}",
                self.pick(&["'$$KEEP'", "{$cond: [{$eq: ['$x', 1]}, '$$PRUNE', '$$DESCEND']}", "{$cond: [{$eq: ['$k', 1]}, '$$PRUNE', '$$DESCEND']}"])
            ),
            _ => self
                .pick(&[
                    "{$lookup: {from: 'other', localField: 'c', foreignField: 'c', as: 'l'}}",
                    "{$setWindowFields: {partitionBy: '$c', sortBy: {u: 1}, output: {n: {$documentNumber: {}}}}}",
                    "{$setWindowFields: {partitionBy: {$ifNull: ['$c', 7]}, sortBy: {u: -1}, output: {m: {$sum: '$u'}}}}",
                    "{$densify: {field: 'u', range: {step: 3, bounds: 'full'}}}",
                ])
                .to_owned(),
        }
    }

    fn script(&mut self) -> String {
        let list = |dice: &mut Self, from: usize, count: usize| {
            (0..count).map(|at| dice.document(from + at)).collect::<Vec<_>>().join(", ")
        };
        let (own, other) = (list(self, 1, 9), list(self, 101, 4));
        let count = 2 + self.roll(4);
        let stages = (0..count).map(|_| self.stage()).collect::<Vec<_>>().join(", ");
        format!(
            "db.c.insertMany([{own}]); db.other.insertMany([{other}]);\nconst stages = [{stages}];\n\
             let alone = db.c.find().toArray();\n\
             for (const s of stages) alone = db.aggregate([{{$documents: alone.map(d => ({{$literal: d}}))}}, s]).toArray();\n\
             const at_once = db.c.aggregate(stages).toArray(); [at_once, alone]"
        )
    }
}

/// The script where both ways differ, with what they give.
fn difference(script: &str) -> Option<String> {
    let outcome = Shell::new(Database::new(Source::seeded(1)), Limits::default()).run(script);
    match outcome.value.as_ref().map(Shown::to_bson) {
        Ok(Bson::Array(both)) if both[0] == both[1] => None,
        Ok(both) => Some(format!("{script}\n{both}")),
        // A stage may refuse what is made up for it, such as two arrays to sort by.
        Err(failure) => failure.code().is_none().then(|| format!("{script}\n{}", failure.message)),
    }
}

#[test]
fn rewritten_pipelines_give_the_same() {
    let cases = std::env::var("REWRITTEN_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(400);
    let mut dice = Dice(Source::seeded(7));
    let wrong: Vec<String> = (0..cases).filter_map(|_| difference(&dice.script())).take(3).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
