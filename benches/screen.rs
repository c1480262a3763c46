//! How quick the screen is, measured over a pseudo-terminal: the first frame, each key over 10,000 documents at 200×60, and
//! what an idle screen costs. `PEGBOARD=PATH cargo bench --bench screen` measures another build of the program.

use std::time::{Duration, Instant};

use terminal::{Terminal, home, program};

#[path = "../tests/it/tui/terminal.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod terminal;

/// What ends every frame.
const FRAME: &[u8] = b"\x1b[?2026l";

/// So many starts, and presses of each key.
const TIMES: usize = 15;

const FILL: &str = "db.big.insertMany(Array.from({length: 10000}, (_, i) => ({_id: i, name: 'item ' + i, \
    specs: [{k: 'ram', v: i % 64}, {k: 'color', v: 'red'}]}))); db.big.find().toArray()";

/// Keys over the result, each with its name.
const KEYS: [(&str, &str); 14] = [
    ("down", "\x1b[B"),
    ("page down", "\x1b[6~"),
    ("end", "\x1b[F"),
    ("start", "\x1b[H"),
    ("unfold, fold", "\r"),
    ("shape", "s"),
    ("page down", "\x1b[6~"),
    ("view", "l"),
    ("view back", "h"),
    ("to the editor", "\x1bOR"),
    ("type a letter", "x"),
    ("palette, back", "\x10"),
    ("course map, back", "\x1b[20~"),
    ("help, back", "\x1bOP"),
];

fn frames(terminal: &Terminal) -> usize {
    terminal.raw.windows(FRAME.len()).filter(|part| *part == FRAME).count()
}

/// Waits for the next whole frame.
fn next_frame(terminal: &mut Terminal, before: usize) {
    while frames(terminal) <= before {
        let bytes = terminal.output.recv_timeout(Duration::from_secs(60)).expect("the program draws");
        terminal.take(&bytes);
    }
}

/// Takes what is still written until nothing comes for a while.
fn calm(terminal: &mut Terminal, quiet: Duration) {
    while let Ok(bytes) = terminal.output.recv_timeout(quiet) {
        terminal.take(&bytes);
    }
    terminal.raw.clear();
}

/// How long a key takes until its frame is whole.
fn press(terminal: &mut Terminal, keys: &str) -> Duration {
    let before = frames(terminal);
    let start = Instant::now();
    terminal.send(keys);
    next_frame(terminal, before);
    let taken = start.elapsed();
    calm(terminal, Duration::from_millis(30));
    taken
}

fn report(name: &str, mut taken: Vec<Duration>) {
    taken.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let middle = taken[taken.len() / 2];
    println!("{name:20} {:7.1} ms  least {:.1}, most {:.1}", ms(middle), ms(taken[0]), ms(taken[taken.len() - 1]));
}

/// Processor time of a process so far, in ticks of 10 ms; none where the system does not tell.
fn ticks(process: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

fn main() {
    let home = home();
    let command = || {
        let mut command = program(home.path());
        if let Some(other) = std::env::var_os("PEGBOARD") {
            command.get_argv_mut()[0] = other;
        }
        command
    };
    let start = |_| {
        let start = Instant::now();
        let mut terminal = Terminal::start(command(), 60, 200);
        next_frame(&mut terminal, 0);
        let taken = start.elapsed();
        terminal.send("\r\x11");
        terminal.end();
        taken
    };
    report("first frame", (0..TIMES).map(start).collect());

    let mut terminal = Terminal::start(command(), 60, 200);
    next_frame(&mut terminal, 0);
    terminal.send(&format!("\r\x1bOR\x0c\x1b[200~{FILL}\x1b[201~\x1b[15~"));
    terminal.see("10000 documents");
    calm(&mut terminal, Duration::from_millis(300));
    press(&mut terminal, "\x1bOS");
    for (name, key) in KEYS {
        let back = name.ends_with(", back");
        let once = |_| {
            let taken = press(&mut terminal, key);
            if back {
                press(&mut terminal, "\x1b");
            }
            taken
        };
        report(name, (0..TIMES).map(once).collect());
    }
    calm(&mut terminal, Duration::from_secs(2));
    if let Some((process, before)) = terminal.child.process_id().and_then(|id| Some((id, ticks(id)?))) {
        std::thread::sleep(Duration::from_secs(5));
        println!("{:20} {} ticks of 10 ms in 5 s", "idle", ticks(process).unwrap_or(before) - before);
    }
    terminal.send("\x11");
    terminal.end();
}
