//! The planner: bounds, candidates, choice, counts, explain.

mod random;
