//! All integration tests, one binary.

<<<<<<< HEAD
mod course;
=======
mod shell;
>>>>>>> 3dae127 (Place running calls by their method and test the shell over a listing host)
mod tidy;
