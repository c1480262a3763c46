//! Designs: reshaping, rephrasing, and the law that binds them.

mod bench;
mod duels;
mod facts;
mod lab;
mod law;
mod rephrase;
