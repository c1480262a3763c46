//! Designs: reshaping, rephrasing, and the law that binds them.

mod facts;
mod law;
mod rephrase;
