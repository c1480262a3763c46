//! Rebuilds the crate when a file is added to the built-in course; `include_dir` alone sees changed files only.

fn main() {
    println!("cargo::rerun-if-changed=lessons");
    println!("cargo::rerun-if-changed=exercises");
}
