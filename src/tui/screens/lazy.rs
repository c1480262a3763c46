//! A list too long to be written out: an item is written when it is looked at, and found by a text that is read beside the
//! screen while the learner begins to type.

use std::fmt;
use std::thread::{JoinHandle, spawn};

use crate::tui::screens::menu::Item;

/// Items by their number.
pub struct Lazy {
    count: usize,
    write: Box<dyn Fn(usize) -> Item>,
    texts: Texts,
}

/// What the items are found by, in small letters.
enum Texts {
    Coming(JoinHandle<Vec<String>>),
    Here(Vec<String>),
}

impl fmt::Debug for Lazy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lazy").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Lazy {
    /// So many items, how each is written, and the text it is found by.
    #[must_use]
    pub fn new(
        count: usize,
        write: impl Fn(usize) -> Item + 'static,
        read: impl Fn(usize) -> String + Send + 'static,
    ) -> Self {
        let texts = spawn(move || (0..count).map(|number| read(number).to_lowercase()).collect());
        Self { count, write: Box::new(write), texts: Texts::Coming(texts) }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// An item by its number.
    #[must_use]
    pub fn item(&self, number: usize) -> Item {
        (self.write)(number)
    }

    /// The numbers of the items whose text holds what is searched, in order; those where a word begins with it come first.
    pub fn search(&mut self, query: &str) -> Vec<usize> {
        let query = query.to_lowercase();
        let inside = |text: &str, at: usize| text[..at].ends_with(char::is_alphanumeric);
        let (mut first, mut rest) = (Vec::new(), Vec::new());
        for (number, text) in self.texts().iter().enumerate() {
            match text.match_indices(&query).map(|(at, _)| inside(text, at)).min() {
                Some(false) => first.push(number),
                Some(true) => rest.push(number),
                None => {}
            }
        }
        first.append(&mut rest);
        first
    }

    fn texts(&mut self) -> &[String] {
        let texts = match std::mem::replace(&mut self.texts, Texts::Here(Vec::new())) {
            Texts::Coming(thread) => thread.join().unwrap_or_default(),
            Texts::Here(texts) => texts,
        };
        self.texts = Texts::Here(texts);
        match &self.texts {
            Texts::Here(texts) => texts,
            Texts::Coming(_) => &[],
        }
    }
}
