//! Random tests draw the same cases at every run, so that a run tells of the change it is run for and of nothing else;
//! `PROPTEST_RNG_SEED` draws others, `PROPTEST_CASES` more.

use proptest::test_runner::{Config, RngSeed};

/// So many cases (of `PROPTEST_CASES`, where it asks for a number), drawn from one seed.
pub fn cases(usual: u32) -> Config {
    let mut config = Config::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = usual;
    }
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(1207);
    }
    config
}
