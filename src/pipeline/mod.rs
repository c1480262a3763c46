//! Aggregation pipelines, one file per stage.
