//! The learner's text: its tree, its evaluation, printing, completion, and what to say when it is wrong.
