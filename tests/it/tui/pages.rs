//! Pages: wrapping, reading order, documents that fold, and the columns of a duel.

use std::sync::Arc;

use bson::{Bson, doc};
use pegboard::tui::{Line, Mark, Page, Reading, Role, Target, documents, long, markdown};

/// The rows of a page at a width.
fn rows(page: &Page, width: usize) -> Vec<String> {
    page.rows(width).into_iter().map(|(_, row)| row.text().trim_end().to_owned()).collect()
}

#[test]
fn words_wrap_between_words_and_hang() {
    let mut page = Page::new();
    page.line(Line::of(Role::Text, "• one two three four").hang(2));
    assert_eq!(rows(&page, 10), ["• one two", "  three", "  four"]);
}

#[test]
fn code_breaks_anywhere_and_nothing_is_lost() {
    let mut page = Page::new();
    page.line(Line::of(Role::Code, "db.products.find({ ram: 16 })").code());
    assert_eq!(rows(&page, 12).concat().replace(' ', ""), "db.products.find({ram:16})");
}

#[test]
fn wide_characters_take_two_columns() {
    let mut page = Page::new();
    page.line(Line::of(Role::Code, "漢字漢字").code());
    assert_eq!(rows(&page, 5), ["漢字", "漢字"]);
}

#[test]
fn columns_stand_side_by_side_and_are_read_one_after_the_other() {
    let column = |texts: &[&str]| {
        let mut page = Page::new();
        for text in texts {
            page.say(Role::Text, *text);
        }
        page
    };
    let mut page = Page::new();
    page.beside(&[column(&["flat", "COLLSCAN"]), column(&["kv", "FETCH", "IXSCAN"])]);
    assert_eq!(rows(&page, 23), ["flat       │ kv", "COLLSCAN   │ FETCH", "           │ IXSCAN"]);
    assert_eq!(page.read_out(), "flat\nCOLLSCAN\n\nkv\nFETCH\nIXSCAN\n");
}

fn laptop() -> Bson {
    Bson::Document(doc! {
        "_id": 1, "name": "Developer Laptop",
        "specs": [{ "k": "ram", "v": 8, "u": "GB" }, { "k": "storage", "v": 16, "u": "GB" }],
    })
}

#[test]
fn what_does_not_fit_one_line_unfolds() {
    let page = documents(&[laptop()], &Reading::default());
    assert_eq!(
        page.text(),
        [
            "▾ {",
            "    _id: 1,",
            "    name: 'Developer Laptop',",
            "  ▾ specs: [",
            "    ▸ { k: 'ram', v: 8, u: 'GB' },",
            "    ▸ { k: 'storage', v: 16, u: 'GB' }",
            "    ]",
            "  }",
        ]
        .join("\n")
    );
}

#[test]
fn a_folded_document_says_how_much_it_hides() {
    let reading = Reading { switched: ["0".to_owned()].into(), ..Reading::default() };
    assert_eq!(documents(&[laptop()], &reading).text(), "▸ { _id: 1, name: 'Developer Laptop', … 1 }");
}

#[test]
fn many_documents_are_folded_at_first_and_one_unfolds() {
    let many = Arc::new(vec![laptop(); 300]);
    let page = long(&many, &Reading::default());
    assert_eq!(page.len(), 300);
    assert_eq!(page.get(299).map(|line| line.text()), Some("▸ { _id: 1, name: 'Developer Laptop', … 1 }".to_owned()));
    let page = long(&many, &Reading { switched: ["7".to_owned()].into(), ..Reading::default() });
    assert_eq!(page.len(), 307);
    assert_eq!(page.get(8).map(|line| line.text()), Some("    _id: 1,".to_owned()));
    assert_eq!(page.heights(80).len(), 307);
    assert_eq!(page.text().lines().count(), 307);
}

#[test]
fn marks_say_in_words_why_an_element_is_marked() {
    let mark = |role, note: &str| Mark { role, note: note.into() };
    let marks = [
        ("0.specs.0".to_owned(), mark(Role::First, "1 specs.k: 'ram'")),
        ("0.specs.1".to_owned(), mark(Role::Second, "2 specs.v: 16")),
    ];
    let page = documents(&[laptop()], &Reading { marks: marks.into(), ..Reading::default() });
    assert!(page.text().contains("{ k: 'ram', v: 8, u: 'GB' },  ◄ 1 specs.k: 'ram'"));
    assert!(page.text().contains("{ k: 'storage', v: 16, u: 'GB' }  ◄ 2 specs.v: 16"));
}

#[test]
fn lesson_text_keeps_its_structure() {
    let page = markdown::page(
        "# Title\n\nSome *stressed* `code`.\n\n- one\n- two\n  1. deep\n\n> quoted\n\n```js\ndb.a.find()\n```\n\n| a | b |\n|---|---|\n| 1 | 22 |\n",
    );
    assert_eq!(
        page.text(),
        [
            "Title",
            "",
            "Some stressed code.",
            "",
            "• one",
            "• two",
            "  1. deep",
            "",
            "> quoted",
            "",
            "▸ db.a.find()",
            "",
            "a  b",
            "1  22",
        ]
        .join("\n")
    );
    let targets: Vec<&Target> = page.lines.iter().filter_map(|line| line.target.as_ref()).collect();
    assert_eq!(targets, [&Target::Take("db.a.find()".into())]);
}

#[test]
fn control_characters_never_reach_the_screen() {
    let page = documents(&[Bson::Document(doc! { "a": "\u{1b}[31mred\u{7}" })], &Reading::default());
    assert!(!page.text().contains(char::is_control), "{:?}", page.text());
}
