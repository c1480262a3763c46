//! Presenting: a talk follows from its lesson and the cues, and a record of them gives the same bytes again.

use pegboard::course::{Cue, Lesson, Pack, Part, TalkRecord};
use pegboard::tui::Theme;
use pegboard::tui::present::{Aside, Cast, Prompt, Talk, draw, film, page, transcript};
use pegboard::tui::theme::{Depth, Ground};
use pegboard::words::Lang;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::terminal::{Terminal, home};

const THEME: Theme = Theme { depth: Depth::True, ground: Ground::Dark };

fn lesson(id: &str) -> Lesson {
    Pack::built_in().expect("the course reads").lesson(id).expect("the lesson exists").clone()
}

fn stage(talk: &Talk, width: u16, height: u16) -> String {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    draw(talk, &Aside::default(), THEME, area, &mut buffer);
    super::text(&buffer)
}

fn shown(talk: &Talk) -> String {
    page(talk, 76, &Aside::default()).read_out()
}

/// Goes on to the first result of the lesson.
fn first_result(talk: &mut Talk) {
    while !matches!(talk.beat().part, Part::Outcome(_)) {
        assert!(talk.hear(&Cue::Next));
    }
}

#[test]
fn every_beat_of_the_course_can_be_shown_in_both_languages() {
    let pack = Pack::built_in().expect("the course reads");
    for lesson in &pack.lessons {
        for lang in [Lang::En, Lang::De] {
            let mut talk = Talk::new(lesson, lang);
            loop {
                assert!(!stage(&talk, 80, 24).trim().is_empty());
                let prompt = Prompt::of(&talk, talk.minutes(), 0, None);
                assert_eq!(prompt.next.is_empty(), talk.coming().is_none(), "{} {:?}", lesson.id, talk.beat());
                if !talk.hear(&Cue::Next) {
                    break;
                }
            }
            assert_eq!(talk.coming(), None);
        }
    }
}

#[test]
fn a_statement_is_typed_and_its_result_is_computed() {
    let mut talk = Talk::new(&lesson("idea"), Lang::En);
    while talk.typing().is_none() {
        assert!(talk.hear(&Cue::Next));
    }
    let statement = talk.typing().expect("a statement is typed").to_owned();
    let begun = page(&talk, 76, &Aside { typed: Some(4), ..Aside::default() }).read_out();
    assert!(begun.contains(&format!("{}▌", &statement[..4])), "{begun}");
    assert!(talk.hear(&Cue::Next));
    let answer = shown(&talk);
    assert!(answer.contains("Developer Laptop") && answer.contains("nReturned 1"), "{answer}");
    assert!(talk.hear(&Cue::View(1)));
    assert!(shown(&talk).contains("COLLSCAN"));
}

#[test]
fn a_detour_leaves_nothing_behind() {
    let mut talk = Talk::new(&lesson("idea"), Lang::En);
    first_result(&mut talk);
    let before = shown(&talk);
    assert!(talk.hear(&Cue::Detour));
    assert!(!talk.hear(&Cue::Next), "the lesson waits");
    assert!(talk.hear(&Cue::Run("db.flat.drop(); const statement = 1; db.flat.countDocuments()".into())));
    assert!(shown(&talk).contains('0'));
    assert!(talk.hear(&Cue::Return));
    assert_eq!(shown(&talk), before);
    assert!(!talk.hear(&Cue::Return), "there is nothing to come back from");
}

#[test]
fn going_back_gives_the_data_of_then() {
    let mut talk = Talk::new(&lesson("idea"), Lang::En);
    first_result(&mut talk);
    let before = shown(&talk);
    for _ in 0..8 {
        assert!(talk.hear(&Cue::Next));
    }
    for _ in 0..8 {
        assert!(talk.hear(&Cue::Back));
    }
    assert_eq!(shown(&talk), before);
}

fn record() -> TalkRecord {
    let mut record = TalkRecord::new("idea", "course@1", "en", (80, 24));
    let next = (1..=8).map(|at| (at * 1500, Cue::Next));
    record.cues = next.collect();
    record.cues.push((13_000, Cue::Detour));
    record.cues.push((16_000, Cue::Run("db.flat.insertOne({name: 'Odd\\u{1b}[31m <&> 😀'})".into())));
    record.cues.extend([(17_000, Cue::View(4)), (18_000, Cue::Return), (19_000, Cue::Back), (20_000, Cue::Scroll(2))]);
    record
}

#[test]
fn a_replayed_record_gives_the_same_bytes() {
    let (record, lesson) = (record(), lesson("idea"));
    let again = TalkRecord::read("talk.jsonl", &record.to_text()).expect("a record reads what it wrote");
    assert_eq!(again, record);
    for cast in [Cast::V2, Cast::V3] {
        let one = film(&record, Talk::new(&lesson, Lang::En), cast, THEME);
        assert_eq!(one, film(&again, Talk::new(&lesson, Lang::En), cast, THEME));
    }
    let text = transcript(&record, Talk::new(&lesson, Lang::En));
    assert_eq!(text, transcript(&again, Talk::new(&lesson, Lang::En)));
    assert!(text.contains("acknowledged: true") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn a_film_shows_in_a_terminal_what_the_stage_shows() {
    let (record, lesson) = (record(), lesson("idea"));
    let mut talk = Talk::new(&lesson, Lang::En);
    record.cues.iter().for_each(|(_, cue)| _ = talk.hear(cue));
    let wanted = stage(&talk, 80, 24);
    let cells = |count: u16| std::num::NonZeroU16::new(count).expect("a terminal has cells");
    let mut screen = vt100::Parser::new(cells(24), cells(80), 0);
    let film = film(&record, Talk::new(&lesson, Lang::En), Cast::V2, THEME);
    let mut lines = film.lines();
    let head: serde_json::Value = serde_json::from_str(lines.next().unwrap_or_default()).expect("a head");
    assert_eq!(
        (head["version"].as_i64(), head["width"].as_i64(), head["height"].as_i64()),
        (Some(2), Some(80), Some(24))
    );
    let mut before = 0.0;
    for line in lines {
        let (time, kind, data): (f64, String, String) = serde_json::from_str(line).expect("an event");
        assert!(time >= before && kind == "o");
        before = time;
        screen.process(data.as_bytes());
    }
    let rows = |text: &str| text.lines().take(23).map(|row| row.trim_end().to_owned()).collect::<Vec<_>>();
    let mut seen = rows(&screen.screen().contents());
    seen.resize(23, String::new());
    let mut wanted = rows(&wanted);
    wanted.resize(23, String::new());
    assert_eq!(seen, wanted);
}

#[test]
fn what_is_no_record_is_refused_with_its_line() {
    let text = record().to_text();
    let at = |text: &str| TalkRecord::read("talk.jsonl", text).expect_err("no record").to_string();
    assert!(at("").starts_with("talk.jsonl:1:"), "{}", at(""));
    assert!(at(&text.replace("talk/v1", "talk/v9")).contains("talk/v9"));
    assert!(at(&text.replace("[80,24]", "[80,0]")).contains("size"));
    assert!(at(&text.replacen("[3000,\"next\"]", "[3000,\"fly\"]", 1)).starts_with("talk.jsonl:3:"));
    assert!(at(&text.replacen("[3000,", "[30,", 1)).starts_with("talk.jsonl:3:"));
}

#[test]
fn a_short_presentation_in_a_terminal() {
    let home = home();
    let record = home.path().join("talk.jsonl");
    let file = record.display().to_string();
    let mut terminal = Terminal::with(home.path(), 24, 80, &["present", "idea", "--record", &file]);
    terminal.see("Afterwards you can");
    let mut notes = Terminal::with(home.path(), 24, 80, &["present", "idea", "--notes"]);
    notes.see("Step 1 of");
    terminal.send(" ");
    terminal.see("A shop keeps its goods");
    notes.see("2 of");
    terminal.send("d");
    terminal.see("Detour");
    terminal.send("6 * 7\r");
    terminal.see("42");
    terminal.send("\x1b");
    terminal.see("A shop keeps its goods");
    terminal.send("q");
    assert!(terminal.end());
    assert!(terminal.is_restored());
    notes.see("Nobody presents");
    notes.send("q");
    assert!(notes.end());
    let kept = std::fs::read_to_string(record).expect("the record was kept");
    assert!(kept.lines().any(|line| line.contains("6 * 7")), "{kept}");
    let mut again = Terminal::with(home.path(), 24, 80, &["present", "--replay", &file]);
    again.see("A shop keeps its goods");
    again.send("q");
    assert!(again.end());
}

#[test]
fn a_text_keeps_the_answer_it_speaks_of() {
    let mut talk = Talk::new(&lesson("elemmatch"), Lang::En);
    let mut kept = 0;
    loop {
        let screen = stage(&talk, 80, 24);
        let answered = shown(&talk).contains("[1 Result]");
        assert_eq!(screen.contains("Tab view"), answered, "{screen}");
        if answered && matches!(talk.beat().part, Part::Block(_)) {
            kept += 1;
            assert!(talk.hear(&Cue::View(2)), "its views can be looked at");
            let pitfalls = shown(&talk);
            assert!(pitfalls.contains("[3 Pitfalls]"));
            assert_eq!(pitfalls.contains("! cross-element-match\n"), pitfalls.contains("◄ 1: "), "{pitfalls}");
        }
        if !talk.hear(&Cue::Next) {
            break;
        }
    }
    assert!(kept > 0);
    let record = TalkRecord { cues: (0..9).map(|at| (at, Cue::Next)).collect(), ..record() };
    let text = transcript(&record, Talk::new(&lesson("elemmatch"), Lang::En));
    let mut again = Talk::new(&lesson("elemmatch"), Lang::En);
    let is_outcome = |(_, cue): &&(u64, Cue)| again.hear(cue) && matches!(again.beat().part, Part::Outcome(_));
    let outcomes = record.cues.iter().filter(is_outcome).count();
    assert!((1..=outcomes).contains(&text.matches("[1 Result]").count()), "an answer is written once:\n{text}");
}
