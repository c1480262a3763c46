//! Mistakes noticed, proven on the learner's own data, and cured.
