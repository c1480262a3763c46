//! `lab`: builds each design at growing sizes and says what it costs.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::out;
use crate::design::lab::{LARGEST, LabPlan, Progress, run as measure, to_json, to_text};
use crate::words::{Lang, Words};

const CANCELLED: Words = Words::new("The lab was cancelled.", "Das Labor wurde abgebrochen.");

/// What is measured.
#[derive(Debug, Args)]
pub(super) struct LabArguments {
    /// Entities at the largest size; a tenth and a hundredth are built too.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..=LARGEST.0))]
    entities: u64,
    /// Attributes of each entity.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number(LARGEST.1))]
    attributes: u32,
    /// Different attributes in all.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number(LARGEST.2))]
    keys: u32,
    /// Different values of each attribute.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = number(LARGEST.3))]
    values: u32,
    /// How many of a hundred operations are questions; the others are inserts.
    #[arg(long, value_name = "PERCENT", default_value_t = 90, value_parser = clap::value_parser!(u8).range(0..=100))]
    questions: u8,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
    /// `en` or `de`; the locale decides otherwise.
    #[arg(long, value_name = "LANG")]
    lang: Option<String>,
}

/// A number from 1 to the most the lab takes.
fn number(most: usize) -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::try_from(most).unwrap_or(i64::MAX))
}

/// Runs the lab with progress on a terminal; Ctrl-C cancels it.
pub(super) fn run(arguments: &LabArguments) -> Result<(), ExitCode> {
    let lang = arguments.lang.as_deref().map_or_else(super::lessons::locale, Lang::from_locale);
    let cancel = Arc::new(AtomicBool::new(false));
    // Where signals cannot be listened to, Ctrl-C ends the program as everywhere.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&cancel));
    let shown = std::io::stderr().is_terminal();
    let report = measure(&arguments.plan(), &mut |progress| tell(&progress, shown), &cancel);
    if shown {
        eprint!("\r\x1b[K");
    }
    let Some(report) = report else {
        eprintln!("pegboard: {}", CANCELLED.get(lang));
        return Err(ExitCode::FAILURE);
    };
    if arguments.json {
        out::text!("{:#}\n", to_json(&report));
    } else {
        out::text!("{}", to_text(&report, lang));
    }
    Ok(())
}

impl LabArguments {
    fn plan(&self) -> LabPlan {
        let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        LabPlan {
            sizes: LabPlan::sizes_up_to(self.entities),
            attributes: count(self.attributes),
            keys: count(self.keys),
            values: count(self.values),
            reads: self.questions,
            ..LabPlan::default()
        }
    }
}

fn tell(progress: &Progress, shown: bool) {
    if shown {
        let percent = progress.done * 100 / progress.all.max(1);
        eprint!("\r\x1b[K{percent} %  {}  {}", progress.contender.name(), progress.size);
        let _ = std::io::stderr().flush();
    }
}
