//! Sentences in two languages, their places and their plurals.

use pegboard::words::{Lang, Words};

const FOUND: Words = Words::new("{n} {n|document|documents} in {where}", "{n} {n|Dokument|Dokumente} in {where}");

#[test]
fn a_word_goes_with_its_number() {
    let said = |lang, n: &str| FOUND.fill(lang, &[("n", n), ("where", "{n}")]);
    assert_eq!(said(Lang::En, "1"), "1 document in {n}");
    assert_eq!(said(Lang::En, "0"), "0 documents in {n}");
    assert_eq!(said(Lang::De, "1"), "1 Dokument in {n}");
    assert_eq!(said(Lang::De, "21"), "21 Dokumente in {n}");
}

#[test]
fn a_place_without_a_value_stays() {
    assert_eq!(FOUND.fill(Lang::En, &[]), FOUND.en);
}
