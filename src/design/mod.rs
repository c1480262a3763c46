//! One set of facts in several designs, and one question asked of all of them.
