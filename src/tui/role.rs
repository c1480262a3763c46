//! What a piece of text means; the theme alone knows how a meaning looks.

/// The meaning of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Role {
    /// Running text.
    #[default]
    Text,
    /// Less important than what stands around it.
    Quiet,
    /// A screen's or a pane's name.
    Title,
    /// A heading inside a page.
    Heading,
    /// Stressed words.
    Strong,
    /// A key to press.
    Key,
    /// A link, or a line that does something on Enter.
    Link,
    /// The line or item the cursor is on.
    Selected,
    /// Good news: a check passed, the cheaper side.
    Good,
    /// Bad news: an error, a check that failed, the dearer side.
    Bad,
    /// A warning or a pitfall.
    Warning,
    /// A neutral remark.
    Info,
    /// A figure that was measured.
    Figure,
    /// What is drawn and says nothing: bars, signs of folds. The plain mode leaves it out.
    Drawing,
    /// The frame of a pane.
    Frame,
    /// The frame of the pane that has the keys.
    FrameActive,
    /// The first of two things told apart.
    First,
    /// The second of two things told apart.
    Second,
    /// A place in the editor that an error speaks of.
    ErrorSpan,
    /// A place in the editor that a finding speaks of.
    WarningSpan,
    /// Selected text in the editor, and hits of a search.
    Marked,
    /// Code without a closer meaning: names, brackets.
    Code,
    /// A field name.
    Field,
    /// An operator that starts with `$`.
    Operator,
    /// A method or function name.
    Method,
    /// A keyword or constant of the language.
    Keyword,
    /// A string literal.
    Literal,
    /// A number, date or id literal.
    Number,
    /// A comment.
    Comment,
}

impl Role {
    /// Every role, in the order they are declared in.
    pub const ALL: [Self; 29] = [
        Self::Text,
        Self::Quiet,
        Self::Title,
        Self::Heading,
        Self::Strong,
        Self::Key,
        Self::Link,
        Self::Selected,
        Self::Good,
        Self::Bad,
        Self::Warning,
        Self::Info,
        Self::Figure,
        Self::Drawing,
        Self::Frame,
        Self::FrameActive,
        Self::First,
        Self::Second,
        Self::ErrorSpan,
        Self::WarningSpan,
        Self::Marked,
        Self::Code,
        Self::Field,
        Self::Operator,
        Self::Method,
        Self::Keyword,
        Self::Literal,
        Self::Number,
        Self::Comment,
    ];
}
