//! Judging by behaviour, and the reports teachers' tools read.
