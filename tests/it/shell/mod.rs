//! The shell through its public API.

mod command_line;
mod editing;
mod golden;
mod limits;
mod pasted;
mod print;
mod run;
mod slips;
mod terminal;
mod unmet;
