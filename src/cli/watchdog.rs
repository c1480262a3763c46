//! The last resort of a script that nothing inside can stop: the program says which limit it was and ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::shell::{Limit, Limits, processor_time};
use crate::words::Lang;

/// How long the script's own limits may take to stop it.
const GRACE: Duration = Duration::from_millis(800);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(50);

/// A thread that ends the program unless it is told in time that the script has ended.
pub(super) struct Watchdog(Arc<AtomicBool>);

impl Watchdog {
    /// Begins to watch.
    pub(super) fn start(limits: &Limits, json: bool, lang: Lang) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let (told, limits) = (Arc::clone(&ended), limits.clone());
        std::thread::spawn(move || watch(&told, &limits, json, lang));
        Self(ended)
    }

    /// The script has ended.
    pub(super) fn stop(self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

fn watch(ended: &AtomicBool, limits: &Limits, json: bool, lang: Lang) {
    let (worked, began) = (processor_time(), Instant::now());
    while !ended.load(Ordering::SeqCst) {
        std::thread::sleep(PAUSE);
        if processor_time().saturating_sub(worked) > limits.time + GRACE {
            give_up(ended, Limit::Time, limits, json, lang);
        } else if began.elapsed() > limits.wall + GRACE {
            give_up(ended, Limit::Wall, limits, json, lang);
        }
    }
}

fn give_up(ended: &AtomicBool, limit: Limit, limits: &Limits, json: bool, lang: Lang) {
    if ended.load(Ordering::SeqCst) {
        return;
    }
    let message = limit.words().fill(lang, &[("limit", &limits.size(limit))]);
    if json {
        eprintln!("{}", serde_json::json!({ "error": { "name": "LimitError", "message": message } }));
    } else {
        eprintln!("error: LimitError: {message}");
    }
    std::process::exit(1);
}
