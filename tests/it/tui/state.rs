//! What is kept between starts, and by two windows at once.

use std::fs;

use pegboard::tui::Settings;
use pegboard::words::Lang;

fn read(path: &std::path::Path) -> Settings {
    Settings::read(path, Lang::En).expect("a folder that can be read").0
}

#[test]
fn two_windows_keep_what_each_has_set_and_what_neither_knows() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("settings.json");
    fs::write(&path, "{\"future\": [1], \"mouse\": true}").expect("a file");
    let (mut one, mut other) = (read(&path), read(&path));
    one.mouse = false;
    one.write(&path).expect("written");
    other.learning = false;
    other.write(&path).expect("written");
    let kept = read(&path);
    assert!(!kept.mouse && !kept.learning);
    assert!(fs::read_to_string(&path).expect("a file").contains("future"));
}

#[test]
fn settings_that_did_not_change_are_not_written() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("settings.json");
    let mut settings = read(&path);
    settings.write(&path).expect("written");
    fs::remove_file(&path).expect("a file");
    settings.write(&path).expect("nothing to write");
    assert!(!path.exists());
}

#[test]
fn every_damaged_file_is_kept_under_a_name_of_its_own() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("settings.json");
    for (number, text) in ["[]", "{\"mouse\": 5}", "no JSON", ""].into_iter().enumerate() {
        fs::write(&path, text).expect("a file");
        let (_, aside) = Settings::read(&path, Lang::En).expect("a folder that can be written");
        let aside = aside.expect("the file is set aside");
        assert!(aside.ends_with(format!("settings.damaged-{}", number + 1)));
        assert_eq!(fs::read_to_string(aside).expect("kept"), text);
    }
}
