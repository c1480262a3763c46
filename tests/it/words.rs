//! Sentences in two languages, their places and their plurals.

use pegboard::words::{Lang, Words};

const FOUND: Words = Words::new("{n documents} in {where}", "{n Dokumente} in {where}");
const LEFT: Words = Words::new(
    "{n changed documents} {n|was|were} left; {m fish}",
    "{n geänderten Dokumenten} {n|blieb|blieben}; {m Fische}",
);

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

#[test]
fn words_before_a_noun_stay_and_a_verb_goes_with_it() {
    let said = |lang, n: &str| LEFT.fill(lang, &[("n", n), ("m", "1")]);
    assert_eq!(said(Lang::En, "1"), "1 changed document was left; {m fish}");
    assert_eq!(said(Lang::En, "2"), "2 changed documents were left; {m fish}");
    assert_eq!(said(Lang::De, "1"), "1 geänderten Dokument blieb; {m Fische}");
}
