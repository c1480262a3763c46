//! Lessons, exercises, packs and progress.
