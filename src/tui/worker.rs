//! A thread that owns the shell: texts run there, so that the screen always answers, and one that does not end is left behind.

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;

use crate::design::Bench;
use crate::pitfall::Detector;
use crate::shell::{Brake, Limits, Shell};
use crate::words::Lang;

/// The name of the thread, by which a panic in it is told from one of the screen's.
pub const NAME: &str = "pegboard-work";

/// What a QuickJS call into the engine may need, as on the main thread.
const STACK: usize = 8 << 20;

/// The shell with what belongs to it.
pub struct Bay {
    /// The shell.
    pub shell: Shell<Bench>,
    /// What notices mistakes.
    pub detector: Detector,
}

type Task = Box<dyn FnOnce(&mut Bay) + Send>;

/// Does something on a thread of its own. Where no thread can be had it is dropped, and with it the channel it would answer on.
pub fn beside(work: impl FnOnce() + Send + 'static) {
    let _ = thread::Builder::new().name(NAME.into()).stack_size(STACK).spawn(work);
}

type Make = Box<dyn FnOnce() -> Bench + Send>;

/// The thread, to be given tasks. It begins with the first that cannot wait; dropping it lets it end after the task at hand.
pub struct Worker {
    lang: Lang,
    make: Cell<Option<Make>>,
    /// Tasks for a thread that has not begun.
    waiting: RefCell<Vec<Task>>,
    tasks: OnceCell<Sender<Task>>,
    /// What stops the text that runs, once the thread has a shell.
    brake: Arc<OnceLock<Brake>>,
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").field("awake", &self.tasks.get().is_some()).finish_non_exhaustive()
    }
}

impl Worker {
    /// A thread whose shell begins with the data that `make` gives; the thread makes them.
    #[must_use]
    pub fn new(make: impl FnOnce() -> Bench + Send + 'static, lang: Lang) -> Self {
        let make: Make = Box::new(make);
        Self {
            lang,
            make: Cell::new(Some(make)),
            waiting: RefCell::default(),
            tasks: OnceCell::new(),
            brake: Arc::default(),
        }
    }

    /// Gives a task and tells where its result comes; the channel closes without one where the task panics.
    pub fn ask<T: Send + 'static>(&self, task: impl FnOnce(&mut Bay) -> T + Send + 'static) -> Receiver<T> {
        let result = self.later(task);
        self.wake();
        result
    }

    /// Gives a task that may wait until something is asked.
    pub fn later<T: Send + 'static>(&self, task: impl FnOnce(&mut Bay) -> T + Send + 'static) -> Receiver<T> {
        let (sender, result) = channel();
        // Nobody may be waiting any more, which is no error.
        self.waiting.borrow_mut().push(Box::new(move |bay| _ = sender.send(task(bay))));
        result
    }

    /// Asks the text that runs to stop.
    pub fn stop(&self) {
        if let Some(brake) = self.brake.get() {
            brake.pull();
        }
    }

    /// Lets the thread do what waits.
    pub fn wake(&self) {
        let tasks = self.tasks.get_or_init(|| {
            let (sender, tasks) = channel();
            if let Some(make) = self.make.take() {
                begin(make, self.lang, tasks, Arc::clone(&self.brake));
            }
            sender
        });
        // A thread that has failed drops its tasks, and with them the channels that their results are waited for at.
        self.waiting.take().into_iter().for_each(|task| _ = tasks.send(task));
    }
}

fn begin(make: Make, lang: Lang, tasks: Receiver<Task>, brake: Arc<OnceLock<Brake>>) {
    beside(move || {
        let mut shell = Shell::new(make().in_language(lang), Limits::default());
        shell.set_lang(lang);
        // It is set once, by this thread.
        let _ = brake.set(shell.brake());
        let mut bay = Bay { shell, detector: Detector::new(lang) };
        for task in tasks {
            task(&mut bay);
        }
    });
}
