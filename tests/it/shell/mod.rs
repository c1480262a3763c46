//! The shell through its public API.

mod editing;
mod limits;
mod print;
mod run;
mod slips;
