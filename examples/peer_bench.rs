//! Runs the peer benchmark's workloads over the public API: `peer_bench STAGE PREFIX [BUDGET_S] [RUN]` with STAGE one of
//! main, steps, agg, ins; or `peer_bench correct CASES.json`. Prints one JSON line a workload.
//!
//! `PEER_BENCH_ENGINE=ours-doc` decodes every answer to documents; by default answers stay BSON bytes.

use harness::{Bench, correct, run_stage};
use mimalloc::MiMalloc;
use ours::Ours;

/// The program's own allocator.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[path = "peer_bench/harness.rs"]
#[expect(
    dead_code,
    clippy::pedantic,
    clippy::style,
    reason = "the harness is the one all engines are measured with, kept as it is but for the type of an answer"
)]
mod harness;
#[path = "peer_bench/ours.rs"]
mod ours;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = std::env::var("PEER_BENCH_ENGINE").unwrap_or_else(|_| "ours".into());
    let mut engine = Ours::default();
    engine.decode = name == "ours-doc";
    match arguments.first().map(String::as_str) {
        None | Some("--help") => {
            eprintln!("peer_bench STAGE PREFIX [BUDGET_S] [RUN]\npeer_bench correct CASES.json");
        }
        Some("correct") => correct(&name, &mut engine, &arguments[1]),
        Some(_) => {
            let bench = Bench::new(&name, env!("CARGO_PKG_VERSION"), &arguments);
            run_stage(&bench, &mut engine);
        }
    }
}
