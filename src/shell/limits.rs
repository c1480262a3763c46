//! What a script may use up: steps, work in the store, time, memory, output and text, and which of them stopped it.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rquickjs::Runtime;

use crate::words::Words;

/// `QuickJS` asks the interrupt handler once in so many branches and calls.
const STEPS_PER_POLL: u64 = 10_000;

/// What one text may use up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Loop turns and calls of the script; the count is rounded up to the next ten thousand.
    pub steps: u64,
    /// Work in the store, in the units of [`Allowance`](crate::value::Allowance); none for no limit.
    pub work: Option<u64>,
    /// Time spent computing; where the system does not tell it, and ten times as much anywhere, time gone by.
    pub time: Duration,
    /// Bytes that the script's own values may take.
    pub memory: usize,
    /// Bytes printed.
    pub output: usize,
    /// Bytes of the text itself.
    pub text: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 2_000_000_000,
            work: None,
            time: Duration::from_secs(5),
            memory: 128 << 20,
            output: 8 << 20,
            text: 16 << 20,
        }
    }
}

/// Which limit stopped a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`Limits::steps`]
    Steps,
    /// [`Limits::work`]
    Work,
    /// [`Limits::time`]
    Time,
    /// [`Limits::memory`]
    Memory,
    /// [`Limits::output`]
    Output,
    /// [`Limits::text`]
    Text,
    /// The depth of calls.
    Depth,
}

impl Limit {
    /// The sentence that names the limit; `{limit}` is its size.
    #[must_use]
    pub fn words(self) -> Words {
        match self {
            Self::Steps => Words::new(
                "Stopped at the step limit ({limit} loop turns and calls): the script seems to run without end.",
                "Angehalten an der Schrittgrenze ({limit} Schleifenrunden und Aufrufe): das Skript läuft wohl endlos.",
            ),
            Self::Work => Words::new(
                "Stopped at the work limit ({limit} keys, documents and values examined): the statements ask for far too much.",
                "Angehalten an der Arbeitsgrenze ({limit} Schlüssel, Dokumente und Werte gelesen): Die Anweisungen verlangen viel zu viel.",
            ),
            Self::Time => Words::new(
                "Stopped at the time limit ({limit}): the script seems to run without end.",
                "Angehalten an der Zeitgrenze ({limit}): das Skript läuft wohl endlos.",
            ),
            Self::Memory => Words::new(
                "Stopped at the memory limit ({limit}): the script builds values that are too large.",
                "Angehalten an der Speichergrenze ({limit}): das Skript baut zu große Werte auf.",
            ),
            Self::Output => Words::new(
                "Stopped at the output limit ({limit}): the script prints too much.",
                "Angehalten an der Ausgabegrenze ({limit}): das Skript gibt zu viel aus.",
            ),
            Self::Text => Words::new(
                "The text is over the size limit ({limit}); nothing was run. Load large data with --data instead.",
                "Der Text ist über der Größengrenze ({limit}); nichts wurde ausgeführt. Große Daten lädt --data.",
            ),
            Self::Depth => Words::new(
                "Stopped at the call depth limit: a function calls itself without end, or a value is nested too deeply.",
                "Angehalten an der Grenze der Aufruftiefe: eine Funktion ruft sich endlos selbst auf, oder ein Wert ist zu tief verschachtelt.",
            ),
        }
    }
}

impl Limits {
    /// The size of one limit as people write it.
    #[must_use]
    pub fn size(&self, limit: Limit) -> String {
        match limit {
            Limit::Steps => self.steps.to_string(),
            Limit::Work => self.work.map_or_else(String::new, |work| work.to_string()),
            Limit::Time => format!("{} s", self.time.as_secs_f64()),
            Limit::Memory => mebibytes(self.memory),
            Limit::Output => mebibytes(self.output),
            Limit::Text => mebibytes(self.text),
            Limit::Depth => String::new(),
        }
    }
}

/// How long this thread has been computing, where the system tells (Linux: scheduler statistics, `man 5 proc`).
fn computed() -> Option<Duration> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    statistics.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

fn mebibytes(bytes: usize) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{bytes} bytes") }
}

/// Counts one run against its limits.
#[derive(Debug)]
pub(super) struct Meter {
    limits: Limits,
    polls: Cell<u64>,
    started: Cell<Instant>,
    computed: Cell<Option<Duration>>,
    printed: Cell<usize>,
    hit: Cell<Option<Limit>>,
}

impl Meter {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            polls: Cell::new(0),
            started: Cell::new(Instant::now()),
            computed: Cell::new(computed()),
            printed: Cell::new(0),
            hit: Cell::new(None),
        }
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Starts counting anew.
    pub(super) fn restart(&self) {
        self.polls.set(0);
        self.printed.set(0);
        self.hit.set(None);
        self.started.set(Instant::now());
        self.computed.set(computed());
    }

    /// The limit that was reached, if one was.
    pub(super) fn hit(&self) -> Option<Limit> {
        self.hit.get()
    }

    /// Marks a limit as reached; the script is stopped at its next step.
    pub(super) fn reach(&self, limit: Limit) {
        if self.hit.get().is_none() {
            self.hit.set(Some(limit));
        }
    }

    /// Counts printed bytes; false once there are too many.
    pub(super) fn print(&self, bytes: usize) -> bool {
        self.printed.set(self.printed.get().saturating_add(bytes));
        if self.printed.get() > self.limits.output {
            self.reach(Limit::Output);
        }
        self.hit.get().is_none()
    }

    /// Looks at the clock; true when the run has to stop.
    pub(super) fn check(&self) -> bool {
        if self.started.get().elapsed() > self.limits.time && self.is_overdue() {
            self.reach(Limit::Time);
        }
        self.hit.get().is_some()
    }

    /// Whether the time that went by was spent computing, and not waiting for other programs.
    fn is_overdue(&self) -> bool {
        let waited_enough = self.started.get().elapsed() > self.limits.time.saturating_mul(10);
        let spent = computed().zip(self.computed.get()).map(|(now, before)| now.saturating_sub(before));
        waited_enough || spent.is_none_or(|spent| spent > self.limits.time)
    }

    fn poll(&self) -> bool {
        self.polls.set(self.polls.get() + 1);
        if self.polls.get().saturating_mul(STEPS_PER_POLL) > self.limits.steps {
            self.reach(Limit::Steps);
        }
        self.check()
    }

    /// Puts a runtime under this meter.
    pub(super) fn watch(self: &Rc<Self>, runtime: &Runtime) {
        let meter = Rc::clone(self);
        runtime.set_memory_limit(self.limits.memory);
        runtime.set_interrupt_handler(Some(Box::new(move || meter.poll())));
    }
}
