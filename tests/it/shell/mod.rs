//! The shell through its public API.

mod run;
