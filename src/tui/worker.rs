//! A thread that owns the shell: texts run there, so that the screen always answers, and one that does not end is left behind.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::design::Bench;
use crate::pitfall::Detector;
use crate::shell::{Limits, Shell};
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

/// The thread, to be given tasks; dropping it lets the thread end after the task at hand.
#[derive(Debug)]
pub struct Worker(Sender<Task>);

impl Worker {
    /// A thread whose shell begins with the data that `make` gives; the thread makes them.
    #[must_use]
    pub fn start(make: impl FnOnce() -> Bench + Send + 'static, lang: Lang) -> Self {
        let (sender, tasks) = channel::<Task>();
        let work = move || {
            let mut shell = Shell::new(make().in_language(lang), Limits::default());
            shell.set_lang(lang);
            let mut bay = Bay { shell, detector: Detector::new(lang) };
            tasks.into_iter().for_each(|task| task(&mut bay));
        };
        beside(work);
        Self(sender)
    }

    /// Gives a task and tells where its result comes; the channel closes without one where the task panics.
    pub fn ask<T: Send + 'static>(&self, task: impl FnOnce(&mut Bay) -> T + Send + 'static) -> Receiver<T> {
        let (sender, result) = channel();
        // Nobody may be waiting any more, which is no error.
        let _ = self.0.send(Box::new(move |bay| _ = sender.send(task(bay))));
        result
    }
}
