//! Projections of `find`.

use pegboard::query::expr::Context;
use pegboard::query::{Collation, Filter, Matcher, Projection, Witness};
use pegboard::value::DocView;

use super::document;

fn projected(filter: &str, spec: &str, of: &str) -> Result<String, i32> {
    let code = |error: pegboard::error::CommandError| error.code.number();
    let filter = Filter::parse(&document(filter)).map_err(code)?;
    let projection = Projection::parse(&document(spec), &Context::default()).map_err(code)?;
    let matcher = Matcher::new(&filter, Collation::simple()).map_err(code)?;
    let mut witness = Witness::default();
    matcher.judge(&document(of), &mut witness);
    let out = projection.apply(&document(of), witness.position(), &Context::default()).map_err(code)?;
    Ok(DocView::from(&out).to_document().to_string())
}

fn check(filter: &str, spec: &str, of: &str, expected: &str) {
    assert_eq!(projected(filter, spec, of), Ok(document(expected).to_string()), "{spec} of {of}");
}

fn refuse(filter: &str, spec: &str, code: i32) {
    assert_eq!(projected(filter, spec, "{_id: 1, a: [1]}"), Err(code), "{spec}");
}

/// Manual, *Project Fields to Return from Query*; server test `projection_executor_test.cpp`.
#[test]
fn fields_stay_go_and_are_computed_in_the_servers_order() {
    check("{}", "{}", "{_id: 1, a: 2}", "{_id: 1, a: 2}");
    check("{}", "{b: 1}", "{_id: 1, a: 2, b: 3}", "{_id: 1, b: 3}");
    check("{}", "{c: 1, b: 1, _id: 0}", "{_id: 1, b: 2, c: 3}", "{b: 2, c: 3}");
    check("{}", "{a: 0}", "{_id: 1, a: 2, b: 3}", "{_id: 1, b: 3}");
    check("{}", "{_id: 1, a: 0}", "{_id: 1, a: 2, b: 3}", "{_id: 1, b: 3}");
    check("{}", "{'a.b': 1}", "{_id: 1, a: [1, {b: 2, c: 3}, [{b: 4}]]}", "{_id: 1, a: [{b: 2}, [{b: 4}]]}");
    check("{}", "{'a.b': 0}", "{_id: 1, a: [1, {b: 2, c: 3}]}", "{_id: 1, a: [1, {c: 3}]}");
    check("{}", "{a: {b: 1}}", "{_id: 1, a: {b: 2, c: 3}}", "{_id: 1, a: {b: 2}}");
    check("{}", "{n: {$add: ['$a', 1]}, b: 1}", "{_id: 1, a: 2, b: 3}", "{_id: 1, b: 3, n: 3}");
    check("{}", "{'a.n': '$b', 'a.x': 1}", "{_id: 1, a: {x: 1, y: 2}, b: 3}", "{_id: 1, a: {x: 1, n: 3}}");
    check("{}", "{t: 'new'}", "{_id: 1, a: 2}", "{_id: 1, t: 'new'}");
}

/// Manual, *$slice (projection)*, *$elemMatch (projection)*, *$ (projection)*.
#[test]
fn arrays_are_sliced_and_searched() {
    check("{}", "{a: {$slice: 2}}", "{_id: 1, a: [1, 2, 3], b: 4}", "{_id: 1, a: [1, 2], b: 4}");
    check("{}", "{a: {$slice: -2}}", "{_id: 1, a: [1, 2, 3]}", "{_id: 1, a: [2, 3]}");
    check("{}", "{a: {$slice: [1, 1]}}", "{_id: 1, a: [1, 2, 3]}", "{_id: 1, a: [2]}");
    check("{}", "{a: {$slice: [-2, 1]}}", "{_id: 1, a: [1, 2, 3]}", "{_id: 1, a: [2]}");
    check("{}", "{a: {$slice: 1}, _id: 1}", "{_id: 1, a: [1, 2], b: 3}", "{_id: 1, a: [1]}");
    check("{}", "{'a.b': {$slice: 1}}", "{_id: 1, a: {b: [1, 2], c: 3}}", "{_id: 1, a: {b: [1], c: 3}}");
    check("{}", "{a: {$elemMatch: {$gt: 1}}, b: 1}", "{_id: 1, a: [1, 2, 3], b: 4}", "{_id: 1, b: 4, a: [2]}");
    check("{}", "{a: {$elemMatch: {$gt: 9}}}", "{_id: 1, a: [1]}", "{_id: 1}");
    check("{a: {$gt: 1}}", "{'a.$': 1}", "{_id: 1, a: [1, 2, 3], b: 4}", "{_id: 1, a: [2]}");
    check("{'a.b': 2}", "{'a.b.$': 1}", "{_id: 1, a: [{b: 1}, {b: 2, c: 3}]}", "{_id: 1, a: [{b: 2}]}");
}

/// Server test `projection_ast_test.cpp`.
#[test]
fn contradicting_projections_are_refused() {
    refuse("{}", "{a: 1, b: 0}", 31254);
    refuse("{}", "{a: 0, b: 1}", 31253);
    refuse("{}", "{a: 1, 'a.b': 1}", 31249);
    refuse("{}", "{'a.b': 1, a: 1}", 31250);
    refuse("{}", "{'a.': 1}", 40353);
    refuse("{}", "{'$x': 1}", 16410);
    refuse("{}", "{a: {}}", 51270);
    refuse("{'t.x': 2}", "{'t.$.y': 1}", 31394);
    refuse("{'t.x': 2}", "{t: {'u.$.y': 1}}", 31394);
    refuse("{a: 1}", "{'a.$.$': 1}", 31394);
    refuse("{a: 1}", "{'a.$': 0}", 31395);
    refuse("{a: 1}", "{'a.$': 'x'}", 31308);
    refuse("{a: 1}", "{'a.$': {b: 1}}", 31271);
    refuse("{a: 1}", "{'.$': 1}", 5_392_900);
    refuse("{a: 1, b: 1}", "{'a.$': 1, 'b.$': 1}", 31276);
    refuse("{a: 1}", "{b: {$elemMatch: {x: 1}}, 'a.$': 1}", 31256);
    refuse("{a: 1}", "{'a.$': 1, b: {$elemMatch: {x: 1}}}", 31255);
    refuse("{}", "{'a.b': {$elemMatch: {x: 1}}}", 31275);
    refuse("{}", "{a: {$elemMatch: 1}}", 31274);
    refuse("{}", "{a: {$slice: [1, 0]}}", 28724);
    refuse("{}", "{a: {$foo: 1}}", 31325);
    refuse("{}", "{a: 0, b: {$add: [1, 2]}}", 31252);
    refuse("{}", "{a: {$meta: 'textScore'}}", 40218);
}
