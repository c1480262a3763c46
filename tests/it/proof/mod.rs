//! Proof by documents, through the public interface of `proof`.

mod said;
