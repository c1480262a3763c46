//! Arguments and exit codes: 0 done, 1 a result below the asked line or a failed statement, 2 usage, 3 could not grade.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod app;
mod clock;
mod duel;
mod grade;
mod grade_all;
mod info;
mod lab;
mod lessons;
mod load;
mod out;
mod pack;
mod paths;
mod pictures;
mod pitfalls;
mod present;
mod progress;
mod prompt;
mod report;
mod shell;
mod watchdog;
mod why;

const EXIT_USAGE: u8 = 2;
const EXIT_NOT_GRADED: u8 = 3;

/// Learn how MongoDB documents should be shaped.
#[derive(Debug, Parser)]
#[command(version, about, disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Words in reading order, without a drawn screen.
    #[arg(long)]
    plain: bool,
    /// A pack's folder in place of the built-in course.
    #[arg(long, value_name = "DIR")]
    pack: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Task>,
}

/// What can be done without the terminal app.
#[derive(Debug, Subcommand)]
enum Task {
    /// Ask one question of every design and compare.
    Duel(duel::DuelArguments),
    /// Build every design at growing sizes and measure what it costs.
    Lab(lab::LabArguments),
    /// Say why documents match a filter or not.
    Why(why::WhyArguments),
    /// List the lessons.
    Lessons(lessons::Course),
    /// Read a lesson.
    Lesson(lessons::ReadLesson),
    /// List the exercises.
    Exercises(lessons::Course),
    /// Read an exercise.
    Exercise(lessons::ReadExercise),
    /// List the pitfalls, or read one.
    Pitfalls(pitfalls::Wanted),
    /// Run mongosh text: given, from a file, from standard input, or typed.
    Shell(shell::Statements),
    /// Print version, paths and what the terminal can do.
    Info,
    /// Print the completion script of a shell.
    Completions(info::Completions),
    /// Print the manual page.
    Man,
    /// Write pictures of the screens as SVG, dark and light.
    Pictures(pictures::Pictures),
    /// Grade an answer, or a folder of them.
    Grade(Box<grade::Grade>),
    /// Make or prove a pack.
    Pack(pack::PackArgs),
    /// Present a lesson on a big screen.
    Present(present::Present),
    /// Show, export, merge or reset progress.
    Progress(progress::ProgressArgs),
}

impl Task {
    fn run(&self) -> ExitCode {
        let done = match self {
            Self::Duel(args) => duel::run(args),
            Self::Lab(args) => lab::run(args),
            Self::Why(args) => why::run(args),
            Self::Lessons(course) => lessons::list_lessons(course),
            Self::Lesson(args) => lessons::lesson(args),
            Self::Exercises(course) => lessons::list_exercises(course),
            Self::Exercise(args) => lessons::exercise(args),
            Self::Pitfalls(wanted) => pitfalls::run(wanted),
            Self::Shell(args) => return shell::run(args),
            Self::Info => told(info::info()),
            Self::Completions(wanted) => {
                info::completions::<Arguments>(wanted);
                Ok(())
            }
            Self::Man => told(info::man::<Arguments>().map_err(Into::into)),
            Self::Pictures(wanted) => told(pictures::write(wanted)),
            Self::Grade(args) => grade::run(args),
            Self::Pack(args) => pack::run(args),
            Self::Present(args) => present::run(args),
            Self::Progress(args) => progress::run(args),
        };
        done.err().unwrap_or(ExitCode::SUCCESS)
    }
}

/// Runs the program with the process's own arguments.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match arguments.command {
        Some(task) => task.run(),
        None => app::run(arguments.plain, arguments.pack.as_deref()).unwrap_or_else(|error| failed(&error)),
    }
}

fn told(result: anyhow::Result<()>) -> Result<(), ExitCode> {
    result.map_err(|error| failed(&error))
}

fn failed(error: &anyhow::Error) -> ExitCode {
    let is_broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    if error.chain().any(|cause| cause.downcast_ref().is_some_and(is_broken)) {
        // Nobody reads any more, as in `… | head -1`.
        return ExitCode::SUCCESS;
    }
    eprintln!("pegboard: {error:#}");
    ExitCode::FAILURE
}
