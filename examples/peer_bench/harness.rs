//! The Rust half of the harness: clock, budget, JSON lines, and the workloads over a trait that a
//! MongoDB-like engine fills in (`Engine`).
use bson::{Bson, Document, doc};
use pegboard::value::AnyDocument;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::time::Instant;

pub struct Bench {
    pub engine: String,
    pub version: String,
    pub stage: String,
    pub pre: String,
    pub budget: f64,
    pub run: i64,
    pub q: Value,
    pub n: usize,
}

pub fn cpu() -> f64 {
    cpu_time::ProcessTime::now().as_duration().as_secs_f64()
}
/// A figure of the process in KiB; 0 where the system has no `/proc`.
pub fn status(key: &str) -> i64 {
    let s = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let figure = |l: &str| l.split_whitespace().nth(1)?.parse().ok();
    s.lines().find(|l| l.starts_with(key)).and_then(figure).unwrap_or(0)
}
/// Resident memory.
pub fn rss() -> i64 {
    status("VmRSS")
}
/// A stopwatch for wall and processor time.
#[derive(Clone, Copy, Default)]
pub struct Took {
    pub wall: f64,
    pub cpu: f64,
}
pub struct Clock(Instant, f64);
impl Clock {
    pub fn start() -> Self {
        Clock(Instant::now(), cpu())
    }
    pub fn stop(&self) -> Took {
        Took { wall: self.0.elapsed().as_secs_f64(), cpu: cpu() - self.1 }
    }
}
impl std::ops::AddAssign for Took {
    fn add_assign(&mut self, o: Took) {
        self.wall += o.wall;
        self.cpu += o.cpu;
    }
}

/// JSON number -> int32, int64 or double, as a driver would send it.
pub fn to_bson(v: &Value) -> Bson {
    match v {
        Value::Null => Bson::Null,
        Value::Bool(b) => Bson::Boolean(*b),
        Value::Number(n) => match n.as_i64() {
            Some(i) if i as i32 as i64 == i => Bson::Int32(i as i32),
            Some(i) => Bson::Int64(i),
            None => Bson::Double(n.as_f64().unwrap()),
        },
        Value::String(s) => Bson::String(s.clone()),
        Value::Array(a) => Bson::Array(a.iter().map(to_bson).collect()),
        Value::Object(o) => Bson::Document(o.iter().map(|(k, v)| (k.clone(), to_bson(v))).collect()),
    }
}
pub fn to_doc(v: &Value) -> Document {
    match to_bson(v) {
        Bson::Document(d) => d,
        _ => panic!("not an object"),
    }
}
/// Batches of up to 1,000 parsed lines.
pub fn batches(path: &str) -> impl Iterator<Item = Vec<Value>> {
    let mut lines =
        BufReader::with_capacity(1 << 16, std::fs::File::open(path).unwrap_or_else(|e| panic!("{path}: {e}"))).lines();
    std::iter::from_fn(move || {
        let v: Vec<Value> = lines.by_ref().take(1000).map(|l| serde_json::from_str(&l.unwrap()).unwrap()).collect();
        (!v.is_empty()).then_some(v)
    })
}

impl Bench {
    /// args: STAGE PREFIX [BUDGET_S] [RUN]
    pub fn new(engine: &str, version: &str, args: &[String]) -> Bench {
        let pre = args[1].clone();
        let q: Value = serde_json::from_slice(&std::fs::read(format!("{pre}.queries.json")).unwrap()).unwrap();
        Bench {
            engine: engine.into(),
            version: version.into(),
            stage: args[0].clone(),
            pre,
            budget: args.get(2).map_or(60.0, |s| s.parse().unwrap()),
            run: args.get(3).map_or(1, |s| s.parse().unwrap()),
            n: q["n"].as_u64().unwrap() as usize,
            q,
        }
    }
    pub fn emit(&self, workload: &str, ops: f64, t: Took, note: &str, extra: Value) {
        let mut o = json!({"engine": self.engine, "version": self.version, "workload": workload, "n": self.n,
            "ops": ops, "seconds": (t.wall * 1e6).round() / 1e6, "cpu_seconds": (t.cpu * 1e6).round() / 1e6,
            "peak_rss_kb": status("VmHWM"), "note": note, "run": self.run,
            "load": std::fs::read_to_string("/proc/loadavg").ok().and_then(|s| s.split(' ').next().and_then(|x| x.parse::<f64>().ok()))});
        for (k, v) in extra.as_object().unwrap() {
            o[k] = v.clone();
        }
        println!("{o}");
    }
    pub fn unsupported(&self, workload: &str, why: &str) {
        self.emit(
            workload,
            0.0,
            Took::default(),
            &why.replace('\n', " ").chars().take(200).collect::<String>(),
            json!({"unsupported": true}),
        );
    }
    /// `f(item)` returns the size of the answer; the item's last element is the right one.
    pub fn looped(
        &self,
        workload: &str,
        list: &str,
        cap: usize,
        expect: bool,
        note: &str,
        mut f: impl FnMut(&[Value]) -> Result<usize, String>,
    ) {
        let items: Vec<&Vec<Value>> =
            self.q[list].as_array().unwrap().iter().map(|x| x.as_array().unwrap()).take(cap).collect();
        let (mut done, mut wrong, mut hits) = (0usize, 0usize, 0usize);
        let c = Clock::start();
        for it in &items {
            match f(it) {
                Ok(h) => {
                    done += 1;
                    hits += h;
                    if expect && Some(h as u64) != it[it.len() - 1].as_u64() {
                        wrong += 1;
                    }
                }
                Err(e) => return self.unsupported(workload, &e),
            }
            let w = c.0.elapsed().as_secs_f64();
            if w > self.budget && (w > 5.0 * self.budget || c.stop().cpu > self.budget) {
                break; // the budget is processor time: a busy machine does not shorten the sample
            }
        }
        self.emit(
            workload,
            done as f64,
            c.stop(),
            note,
            json!({"hits": hits, "wrong": wrong, "truncated": done < items.len()}),
        );
    }
    /// Times only the insert call, which gets parsed documents.
    pub fn load<T>(
        &self,
        workload: &str,
        path: &str,
        limit: usize,
        conv: impl Fn(&Value) -> T,
        mut insert: impl FnMut(Vec<T>) -> Result<(), String>,
    ) -> bool {
        let (mut t, mut done, mut timed) = (Took::default(), 0usize, 0usize);
        let hard = Instant::now();
        for mut b in batches(path) {
            b.truncate(limit - done);
            if b.is_empty() {
                break;
            }
            let docs: Vec<T> = b.iter().map(&conv).collect();
            let c = Clock::start();
            if let Err(e) = insert(docs) {
                self.unsupported(workload, &e);
                return false;
            }
            let d = c.stop();
            done += b.len();
            if t.cpu < self.budget {
                t += d;
                timed += b.len();
            }
            if done >= limit || (limit < self.n && t.cpu >= self.budget) || hard.elapsed().as_secs() > 300 {
                break;
            }
        }
        self.emit(workload, timed as f64, t, "", json!({"truncated": timed < limit.min(self.n), "loaded": done}));
        done >= limit.min(self.n)
    }
    pub fn groups_ok(&self, got: &std::collections::HashMap<String, f64>, want: &str) -> usize {
        let w = self.q[want].as_object().unwrap();
        let ok = w.len() == got.len()
            && w.iter().all(|(k, v)| {
                got.get(k).is_some_and(|x| (x - v.as_f64().unwrap()).abs() <= 1e-6 * v.as_f64().unwrap().abs().max(1.0))
            });
        if ok { 0 } else { 1 }
    }
    /// Runs an aggregation up to three times.
    pub fn agg(
        &self,
        workload: &str,
        ops: usize,
        want: &str,
        note: &str,
        mut f: impl FnMut() -> Result<std::collections::HashMap<String, f64>, String>,
    ) {
        let c = Clock::start();
        let (mut runs, mut last) = (0, Default::default());
        while runs < 3 && (runs == 0 || c.stop().cpu < self.budget / 3.0) {
            match f() {
                Ok(m) => last = m,
                Err(e) => return self.unsupported(workload, &e),
            }
            runs += 1;
        }
        self.emit(workload, (ops * runs) as f64, c.stop(), note, json!({"wrong": self.groups_ok(&last, want)}));
    }
    pub fn memory(&self, base: i64, loaded: i64, index_bytes: Option<i64>, note: &str) {
        let idx = rss();
        self.emit(
            "memory",
            1.0,
            Took { wall: 1.0, cpu: 1.0 },
            note,
            json!({"base_kb": base, "loaded_kb": loaded, "indexed_kb": idx, "index_bytes": index_bytes}),
        );
    }
}

/// What a MongoDB-like engine gives. Each method works on the collection `c`.
pub trait Engine {
    fn insert_many(&mut self, c: &str, docs: Vec<Document>) -> Result<(), String>;
    fn create_index(&mut self, c: &str, keys: Document) -> Result<(), String>;
    /// All matching documents, owned by the caller. limit 0 = none.
    fn find(
        &mut self,
        c: &str,
        filter: Document,
        sort: Option<Document>,
        limit: usize,
    ) -> Result<Vec<AnyDocument>, String>;
    fn update_one(
        &mut self,
        c: &str,
        filter: Document,
        update: Document,
        array_filters: Option<Vec<Document>>,
        upsert: bool,
    ) -> Result<u64, String>;
    fn aggregate(&mut self, c: &str, pipeline: Vec<Document>) -> Result<Vec<Document>, String>;
    fn count(&mut self, c: &str) -> Result<u64, String>;
    fn drop(&mut self, c: &str);
    fn index_bytes(&mut self) -> Option<i64> {
        None
    }
    /// How many of one query each of point, range and all are not answered from the index.
    fn check_explain(&mut self, _bench: &Bench) -> Option<usize> {
        None
    }
}

fn em(k: &Value, cond: Bson) -> Document {
    doc! {"specs": {"$elemMatch": {"k": k.as_str().unwrap(), "v": cond}}}
}
pub fn num(b: &Bson) -> f64 {
    match b {
        Bson::Int32(i) => *i as f64,
        Bson::Int64(i) => *i as f64,
        Bson::Double(d) => *d,
        _ => f64::NAN,
    }
}

pub fn run_stage<E: Engine>(b: &Bench, e: &mut E) {
    let pre = &b.pre;
    fn hits<E: Engine>(e: &mut E, f: Document, limit: usize) -> Result<usize, String> {
        e.find("products", f, None, limit).map(|v| std::hint::black_box(v).len())
    }
    // first on a collection of a tenth of the documents; the whole one only if that fits the budget
    let run_agg = |e: &mut E, w: &str, file: &str, ops: usize, want: &str, key: &str, pipe: Vec<Document>| {
        let mut go = || -> Result<Option<Took>, String> {
            let total = batches(file).map(|b| b.len()).sum::<usize>();
            let mut left = (total / 10).max(1);
            for v in batches(file) {
                let part: Vec<Document> = v.iter().take(left).map(to_doc).collect();
                left -= part.len();
                if !part.is_empty() {
                    e.insert_many(&format!("{w}_part"), part)?;
                }
            }
            let t = Clock::start();
            e.aggregate(&format!("{w}_part"), pipe.clone())?;
            let t = t.stop();
            if t.cpu * 10.0 > 6.0 * b.budget {
                return Ok(Some(t));
            }
            for v in batches(file) {
                e.insert_many(w, v.iter().map(to_doc).collect())?;
            }
            Ok(None)
        };
        match go() {
            Err(x) => b.unsupported(w, &x),
            Ok(Some(t)) => {
                b.emit(w, ops as f64 / 10.0, t, "measured on a collection of n/10", json!({"truncated": true}))
            }
            Ok(None) => b.agg(w, ops, want, "", || {
                let rows = e.aggregate(w, pipe.clone())?;
                Ok(rows
                    .iter()
                    .map(|r| (r.get_str("_id").unwrap_or("?").to_string(), r.get(key).map_or(f64::NAN, num)))
                    .collect())
            }),
        }
    };
    match b.stage.as_str() {
        "main" => {
            let base = rss();
            if !b.load("insert", &format!("{pre}.jsonl"), usize::MAX, to_doc, |d| e.insert_many("products", d)) {
                return;
            }
            let loaded = rss();
            b.looped("scan_point", "point", 100, true, "no index", |p| hits(e, em(&p[0], to_bson(&p[1])), 0));
            let c = Clock::start();
            match e.create_index("products", doc! {"specs.k": 1, "specs.v": 1}) {
                Ok(()) => b.emit("index_build", b.n as f64, c.stop(), "", json!({})),
                Err(x) => b.unsupported("index_build", &x),
            }
            let ib = e.index_bytes();
            b.memory(base, loaded, ib, "");
            if let Some(wrong) = e.check_explain(b) {
                b.emit("check_explain", 3.0, Took::default(), "", json!({"wrong": wrong}));
            }
            b.looped("point", "point", usize::MAX, true, "", |p| hits(e, em(&p[0], to_bson(&p[1])), 0));
            b.looped("page", "page", usize::MAX, true, "limit 20", |p| hits(e, em(&p[0], to_bson(&p[1])), 20));
            b.looped("range", "range", usize::MAX, true, "", |p| {
                hits(e, em(&p[0], Bson::Document(doc! {"$gte": to_bson(&p[1]), "$lt": to_bson(&p[2])})), 0)
            });
            b.looped("all", "all", usize::MAX, true, "", |p| {
                hits(
                    e,
                    doc! {"specs": {"$all": [
                    {"$elemMatch": {"k": p[0].as_str().unwrap(), "v": to_bson(&p[1])}},
                    {"$elemMatch": {"k": p[2].as_str().unwrap(), "v": to_bson(&p[3])}}]}},
                    0,
                )
            });
            let mut done: Vec<(Bson, Value, Bson)> = vec![];
            b.looped("update_af", "update", usize::MAX, false, "", |p| {
                let r = e.update_one(
                    "products",
                    doc! {"_id": to_bson(&p[0])},
                    doc! {"$set": {"specs.$[x].v": to_bson(&p[2])}},
                    Some(vec![doc! {"x.k": p[1].as_str().unwrap()}]),
                    false,
                )?;
                done.push((to_bson(&p[0]), p[1].clone(), to_bson(&p[2])));
                Ok(r as usize)
            });
            let (mut bad, mut seen, mut checked) = (0, std::collections::HashSet::new(), 0);
            for (id, k, v) in done.iter().rev() {
                if checked < 50 && seen.insert((id.to_string(), k.to_string())) {
                    checked += 1;
                    let mut f = em(k, v.clone());
                    f.insert("_id", id.clone());
                    if hits(e, f, 0) != Ok(1) {
                        bad += 1;
                    }
                }
            }
            b.emit("check_update_af", checked as f64, Took::default(), "", json!({"wrong": bad}));
        }
        "steps" => {
            for nm in ["day", "map"] {
                for v in batches(&format!("{pre}.steps_{nm}.jsonl")) {
                    e.insert_many(&format!("steps_{nm}"), v.iter().map(to_doc).collect()).unwrap();
                }
            }
            let _ = e.create_index("steps_day", doc! {"person": 1, "date": 1});
            b.looped("inc_day", "inc", usize::MAX, false, "", |p| {
                e.update_one(
                    "steps_day",
                    doc! {"person": to_bson(&p[0]), "date": to_bson(&p[1])},
                    doc! {"$inc": {"steps": to_bson(&p[2])}},
                    None,
                    true,
                )
                .map(|_| 1)
            });
            b.looped("inc_map", "inc", usize::MAX, false, "", |p| {
                e.update_one(
                    "steps_map",
                    doc! {"_id": to_bson(&p[3])},
                    doc! {"$inc": {format!("steps.{}", p[1].as_str().unwrap()): to_bson(&p[2])}},
                    None,
                    true,
                )
                .map(|_| 1)
            });
        }
        "agg" => {
            let ns = b.q["steps_docs"].as_u64().unwrap() as usize;
            let g = |d: &str, s: &str| doc! {"$group": {"_id": {"$substr": [d, 0, 7]}, "avg": {"$avg": s}}};
            let file = |nm: &str| format!("{pre}.steps_{nm}.jsonl");
            run_agg(e, "agg_month_day", &file("day"), ns, "month_avg", "avg", vec![g("$date", "$steps")]);
            run_agg(
                e,
                "agg_month_array",
                &file("array"),
                ns,
                "month_avg",
                "avg",
                vec![doc! {"$unwind": "$days"}, g("$days.date", "$days.steps")],
            );
            run_agg(
                e,
                "agg_month_map",
                &file("map"),
                ns,
                "month_avg",
                "avg",
                vec![doc! {"$project": {"d": {"$objectToArray": "$steps"}}}, doc! {"$unwind": "$d"}, g("$d.k", "$d.v")],
            );
            run_agg(
                e,
                "agg_unwind",
                &format!("{pre}.jsonl"),
                b.n,
                "unwind_groups",
                "n",
                vec![doc! {"$unwind": "$specs"}, doc! {"$group": {"_id": "$specs.k", "n": {"$sum": 1}}}],
            );
        }
        "ins" => {
            let cap = b.n.min(20000);
            let fields: Vec<String> =
                b.q["flat_fields"].as_array().unwrap().iter().map(|x| x.as_str().unwrap().into()).collect();
            for m in [0, 1, 20, 60] {
                let (w, c) = (format!("ins_idx{m}"), format!("flat{m}"));
                if let Some(x) = fields[..m].iter().find_map(|f| e.create_index(&c, doc! {f: 1}).err()) {
                    b.unsupported(&w, &x);
                    continue;
                }
                b.load(&w, &format!("{pre}.flat.jsonl"), cap, to_doc, |d| e.insert_many(&c, d));
                e.drop(&c);
            }
            match e.create_index("kv1", doc! {"specs.k": 1, "specs.v": 1}) {
                Ok(()) => {
                    b.load("ins_kv1", &format!("{pre}.jsonl"), cap, to_doc, |d| e.insert_many("kv1", d));
                }
                Err(x) => b.unsupported("ins_kv1", &x),
            }
        }
        x => panic!("no stage {x}"),
    }
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => x.as_f64() == y.as_f64(),
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(p, q)| same(p, q)),
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(k, v)| y.get(k).is_some_and(|w| same(v, w)))
        }
        _ => a == b,
    }
}
fn whole(d: AnyDocument) -> Document {
    Document::try_from(&*d).unwrap()
}
fn plain(d: Document) -> Value {
    pegboard::value::to_json(&Bson::Document(d), pegboard::value::JsonMode::Relaxed)
}
/// The small correctness set (correctness.json): one JSON line a case.
pub fn correct<E: Engine>(name: &str, e: &mut E, path: &str) {
    let t: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let out = |case: &str, idx: bool, want: &Value, got: Result<Value, String>, ordered: bool| {
        let mut want = want.clone();
        let (ok, got) = match got {
            Err(x) => (Value::Null, json!(x.chars().take(120).collect::<String>())),
            Ok(mut g) => {
                if !ordered {
                    for v in [&mut g, &mut want] {
                        v.as_array_mut()
                            .unwrap()
                            .sort_by_key(|x| x.as_i64().map_or(x.to_string(), |i| format!("{i:05}")));
                    }
                }
                let ok = same(&g, &want);
                (json!(ok), if ok { Value::Null } else { g })
            }
        };
        println!("{}", json!({"engine": name, "workload": "correct", "case": case, "idx": idx, "ok": ok, "got": got}));
    };
    let docs = |v: &Value| v.as_array().unwrap().iter().map(to_doc).collect::<Vec<_>>();
    e.insert_many("c", docs(&t["docs"])).unwrap();
    let cases = t["cases"].as_array().unwrap();
    for idx in [false, true] {
        if idx {
            if let Err(x) = e.create_index("c", doc! {"specs.k": 1, "specs.v": 1}) {
                out("create_index", true, &Value::Null, Err(x), true);
                break;
            }
        }
        for k in cases.iter().filter(|k| k["op"] == "find") {
            let sort = k.get("sort").map(to_doc);
            let ordered = sort.is_some();
            let got = e
                .find("c", to_doc(&k["filter"]), sort, 0)
                .map(|v| Value::Array(v.into_iter().map(|d| plain(whole(d))["_id"].clone()).collect()));
            out(k["name"].as_str().unwrap(), idx, &k["ids"], got, ordered);
        }
    }
    for (i, k) in cases.iter().enumerate().filter(|(_, k)| k["op"] != "find") {
        let c = format!("u{i}");
        if !k["docs"].as_array().unwrap().is_empty() {
            e.insert_many(&c, docs(&k["docs"])).unwrap();
        }
        if k["op"] == "findx" {
            for idx in [false, true] {
                if idx {
                    if let Err(x) = e.create_index(&c, to_doc(&k["index"])) {
                        out(k["name"].as_str().unwrap(), true, &Value::Null, Err(x), true);
                        continue;
                    }
                }
                let got = e
                    .find(&c, to_doc(&k["filter"]), None, 0)
                    .map(|v| Value::Array(v.into_iter().map(|d| plain(whole(d))["_id"].clone()).collect()));
                out(k["name"].as_str().unwrap(), idx, &k["ids"], got, false);
            }
            continue;
        }
        let upsert = k["upsert"] == true;
        let got = if k["op"] == "update" {
            e.update_one(&c, to_doc(&k["filter"]), to_doc(&k["update"]), k.get("arrayFilters").map(docs), upsert)
                .and_then(|_| e.find(&c, Document::new(), None, 0).map(|v| v.into_iter().map(whole).collect()))
        } else {
            e.aggregate(&c, docs(&k["pipeline"]))
        };
        let got = got.map(|v| {
            Value::Array(
                v.into_iter()
                    .map(|mut d| {
                        if upsert {
                            d.remove("_id");
                        }
                        plain(d)
                    })
                    .collect(),
            )
        });
        out(k["name"].as_str().unwrap(), false, &k["expect"], got, false);
    }
}
