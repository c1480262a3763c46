//! The planner: bounds, candidates, choice, counts, explain.

mod cache;
mod notation;
mod random;
