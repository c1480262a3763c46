//! What a script may use up: steps, work in the store, processor time, memory, output and text, and which of them stopped it.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cpu_time::{ProcessTime, ThreadTime};
use rquickjs::Runtime;

use crate::words::Words;

/// `QuickJS` asks the interrupt handler once in so many branches and calls.
const STEPS_PER_POLL: u64 = 10_000;

/// The clock is looked at once in so many bytes read.
const READ_PER_LOOK: usize = 1 << 18;

/// What one text may use up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Loop turns and calls of the script; the count is rounded up to the next ten thousand.
    pub steps: u64,
    /// Work in the store, in the units of [`Allowance`](crate::value::Allowance); none for no limit.
    pub work: Option<u64>,
    /// Processor time of the thread, reading the text included: a busy machine takes nothing away.
    pub time: Duration,
    /// Time by the clock, the last resort where a script waits more than it works.
    pub wall: Duration,
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
            wall: Duration::from_secs(120),
            memory: 128 << 20,
            output: 8 << 20,
            text: 16 << 20,
        }
    }
}

/// The processor time that the program has used so far, all threads together.
#[must_use]
pub fn processor_time() -> Duration {
    ProcessTime::now().as_duration()
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
    /// [`Limits::wall`]
    Wall,
    /// [`Limits::memory`]
    Memory,
    /// [`Limits::output`]
    Output,
    /// [`Limits::text`]
    Text,
    /// The depth of calls, brackets and values.
    Depth,
    /// The number of names declared.
    Names,
    /// None of these: somebody asked for it.
    Asked,
}

impl Limit {
    /// The sentence that names the limit; `{limit}` is its size.
    #[must_use]
    pub fn words(self) -> Words {
        match self {
            Self::Steps => Words::new(
                "Stopped at the step limit ({limit loop turns} and calls): the script seems to run without end.",
                "Angehalten an der Schrittgrenze ({limit Schleifenrunden} und Aufrufe): das Skript läuft wohl endlos.",
            ),
            Self::Work => Words::new(
                "Stopped at the work limit ({limit keys}, documents and values examined): the statements ask for far too much.",
                "Angehalten an der Arbeitsgrenze ({limit Schlüssel}, Dokumente und Werte gelesen): Die Anweisungen verlangen viel zu viel.",
            ),
            Self::Time => Words::new(
                "Stopped at the time limit ({limit} of processor time): the script seems to run without end.",
                "Angehalten an der Zeitgrenze ({limit} Rechenzeit): das Skript läuft wohl endlos.",
            ),
            Self::Wall => Words::new(
                "Stopped after {limit} by the clock: the machine is too busy to finish this script.",
                "Angehalten nach {limit} auf der Uhr: der Rechner ist zu beschäftigt für dieses Skript.",
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
            Self::Names => Words::new(
                "The text declares too many names; nothing was run. Load large data with --data instead.",
                "Der Text vereinbart zu viele Namen; nichts wurde ausgeführt. Große Daten lädt --data.",
            ),
            Self::Asked => Words::new(
                "Stopped as you asked; what the statement had changed was taken back.",
                "Angehalten, wie gewünscht; was die Anweisung geändert hatte, ist zurückgenommen.",
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
            Limit::Wall => format!("{} s", self.wall.as_secs_f64()),
            Limit::Memory => mebibytes(self.memory),
            Limit::Output => mebibytes(self.output),
            Limit::Text => mebibytes(self.text),
            Limit::Depth | Limit::Names | Limit::Asked => String::new(),
        }
    }
}

fn mebibytes(bytes: usize) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{bytes} bytes") }
}

/// Stops what a shell is running, from another thread or a signal's handler.
#[derive(Debug, Clone)]
pub struct Brake(Arc<AtomicBool>);

impl Brake {
    /// Asks the running text to stop; the next text begins afresh.
    pub fn pull(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Counts one run against its limits.
#[derive(Debug)]
pub(super) struct Meter {
    limits: Limits,
    polls: Cell<u64>,
    started: Cell<(ThreadTime, Instant)>,
    asked: Arc<AtomicBool>,
    printed: Cell<usize>,
    /// Bytes of the values read in the call that runs, and when the clock was last looked at.
    read: Cell<usize>,
    looked: Cell<usize>,
    hit: Cell<Option<Limit>>,
}

impl Meter {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            polls: Cell::new(0),
            started: Cell::new((ThreadTime::now(), Instant::now())),
            asked: Arc::default(),
            printed: Cell::new(0),
            read: Cell::new(0),
            looked: Cell::new(0),
            hit: Cell::new(None),
        }
    }

    pub(super) fn brake(&self) -> Brake {
        Brake(Arc::clone(&self.asked))
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Starts counting anew.
    pub(super) fn restart(&self) {
        self.polls.set(0);
        self.printed.set(0);
        self.hit.set(None);
        self.started.set((ThreadTime::now(), Instant::now()));
        self.asked.store(false, Ordering::Relaxed);
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

    /// Begins to read the values of a call.
    pub(super) fn begin_reading(&self) {
        self.read.set(0);
        self.looked.set(0);
    }

    /// Counts bytes of a value that leaves the script; false once there are too many or the time is over.
    pub(super) fn read(&self, bytes: usize) -> bool {
        self.read.set(self.read.get().saturating_add(bytes));
        if self.read.get() > self.limits.memory {
            self.reach(Limit::Memory);
        }
        if self.read.get() - self.looked.get() > READ_PER_LOOK {
            self.looked.set(self.read.get());
            self.check();
        }
        self.hit.get().is_none()
    }

    /// Looks at the clocks; true when the run has to stop.
    pub(super) fn check(&self) -> bool {
        let (worked, began) = self.started.get();
        if self.asked.load(Ordering::Relaxed) {
            self.reach(Limit::Asked);
        } else if worked.elapsed() > self.limits.time {
            self.reach(Limit::Time);
        } else if began.elapsed() > self.limits.wall {
            self.reach(Limit::Wall);
        }
        self.hit.get().is_some()
    }

    /// Tells, on the thread of this meter, whether a command may go on. Where work is counted, that stops it, at the same
    /// place on every machine, and its time does not.
    pub(super) fn patience(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let asked = Arc::clone(&self.asked);
        let end = self.limits.work.is_none().then(|| ThreadTime::now().as_duration() + self.limits.time);
        let (began, wall) = (Instant::now(), self.limits.wall);
        move || {
            let over = end.is_some_and(|end| ThreadTime::now().as_duration() > end) || began.elapsed() > wall;
            !over && !asked.load(Ordering::Relaxed)
        }
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
