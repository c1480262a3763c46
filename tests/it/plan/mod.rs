//! The planner: bounds, candidates, choice, counts, explain.

mod cache;
mod candidates;
mod notation;
mod random;
