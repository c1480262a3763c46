//! Conditions on one name that were typed apart, brought together: as text, in the learner's own words.

/// What a name was given, as typed.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Typed {
    /// Operators with their operands.
    Tests(Vec<(String, String)>),
    /// A value to be equal to.
    Literal(String),
    /// The parts of `$and`, `$or` or `$nor`.
    List(Vec<String>),
    /// What cannot be told: a name, a call, a regular expression.
    Other(String),
}

/// One name in an object of conditions, with everything that was typed for it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    /// The name.
    pub name: String,
    /// The name as typed.
    pub key: String,
    /// What it was given, in order.
    pub typed: Vec<Typed>,
}

/// What several equalities on one name ask for together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Several {
    /// A list of values holds all of them.
    All,
    /// A single value is one of them.
    In,
}

impl Typed {
    /// As it is typed.
    pub fn text(&self) -> String {
        match self {
            Self::Tests(tests) => {
                let tests: Vec<String> = tests.iter().map(|(name, operand)| format!("{name}: {operand}")).collect();
                format!("{{{}}}", tests.join(", "))
            }
            Self::List(parts) => listed(parts),
            Self::Literal(text) | Self::Other(text) => text.clone(),
        }
    }

    /// Both in one; none where they cannot stand in one object.
    fn with(&self, more: &Self) -> Option<Self> {
        match (self, more) {
            (held, more) if held == more => Some(held.clone()),
            (Self::Tests(held), Self::Tests(more)) => together(held, more).map(Self::Tests),
            _ => None,
        }
    }
}

/// Operators with their operands.
type Tests = [(String, String)];

/// The tests of two objects in one: different operators stand side by side, and some take both their operands in a list.
fn together(held: &[(String, String)], more: &[(String, String)]) -> Option<Vec<(String, String)>> {
    if more.iter().all(|(name, _)| held.iter().all(|(own, _)| own != name)) {
        return Some([held, more].concat());
    }
    let elements = |tests: &Tests| match tests {
        [(name, operand)] if name == "$elemMatch" => Some(vec![format!("{{$elemMatch: {operand}}}")]),
        [(name, operand)] if name == "$all" => inner(operand),
        _ => None,
    };
    let denied = |tests: &Tests| match tests {
        [(name, operand)] if name == "$ne" => Some(vec![operand.clone()]),
        [(name, operand)] if name == "$nin" => inner(operand),
        _ => None,
    };
    let both = |each: &dyn Fn(&Tests) -> Option<Vec<String>>| Some([each(held)?, each(more)?].concat());
    let one = |name: &str, parts: &[String]| vec![(name.to_owned(), listed(parts))];
    both(&elements).map(|parts| one("$all", &parts)).or_else(|| both(&denied).map(|parts| one("$nin", &parts)))
}

/// What stands between the brackets of a list, as one piece; none for anything else.
fn inner(list: &str) -> Option<Vec<String>> {
    let inside = list.strip_prefix('[')?.strip_suffix(']')?.trim().trim_end_matches(',');
    Some(vec![inside.to_owned()])
}

/// A list literal.
pub(super) fn listed(parts: &[String]) -> String {
    format!("[{}]", parts.join(", "))
}

impl Part {
    /// Whether more can be said of the name in the same object, by the same kind of condition.
    pub fn fits(&self, more: &Typed) -> bool {
        self.typed.iter().any(|held| held.with(more).is_some())
    }

    /// Says more of the name.
    pub fn add(&mut self, more: Typed) {
        if let Some((held, both)) = self.typed.iter_mut().find_map(|held| held.with(&more).map(|both| (held, both))) {
            *held = both;
        } else if let ("$and" | "$nor", Some(Typed::List(held)), Typed::List(more)) =
            (self.name.as_str(), self.typed.first_mut(), &more)
        {
            held.extend(more.iter().cloned());
        } else {
            self.typed.push(more);
        }
    }

    /// The literals it is to equal.
    pub fn literals(&self) -> impl Iterator<Item = &str> {
        self.typed.iter().filter_map(|typed| if let Typed::Literal(text) = typed { Some(text.as_str()) } else { None })
    }

    /// Several equalities as one condition.
    fn settle(&mut self, several: Several) {
        let literals: Vec<String> = self.literals().map(str::to_owned).collect();
        if literals.len() > 1 {
            let name = if several == Several::All { "$all" } else { "$in" };
            self.typed.retain(|typed| !matches!(typed, Typed::Literal(_)));
            self.add(Typed::Tests(vec![(name.to_owned(), listed(&literals))]));
        }
    }
}

/// The parts with each name once; what is typed again is added to what stands there.
pub(super) fn gathered(parts: impl IntoIterator<Item = Part>) -> Vec<Part> {
    let mut all: Vec<Part> = Vec::new();
    for part in parts {
        match all.iter_mut().find(|held| held.name == part.name) {
            Some(held) => part.typed.into_iter().for_each(|typed| held.add(typed)),
            None => all.push(part),
        }
    }
    all
}

/// The parts as one object literal, where every name stands once: what one name cannot say at once goes into `$and`.
pub(super) fn object(parts: Vec<Part>, several: impl Fn(&str) -> Several) -> String {
    let mut entries: Vec<(String, String)> = Vec::new();
    let mut apart: Vec<String> = Vec::new();
    let mut list = None;
    for mut part in gathered(parts) {
        part.settle(several(&part.name));
        match part.typed.as_slice() {
            [Typed::List(held)] if part.name == "$and" => {
                list = Some(entries.len());
                apart.splice(0..0, held.iter().cloned());
                entries.push((part.key, String::new()));
            }
            [only] => entries.push((part.key, only.text())),
            all => apart.extend(all.iter().map(|typed| format!("{{{}: {}}}", part.key, typed.text()))),
        }
    }
    match list {
        Some(at) => entries[at].1 = listed(&apart),
        None if !apart.is_empty() => entries.push(("$and".to_owned(), listed(&apart))),
        None => {}
    }
    let entries: Vec<String> = entries.into_iter().map(|(key, value)| entry(&key, &value)).collect();
    format!("{{{}}}", entries.join(", "))
}

/// A shorthand stands for both name and value.
fn entry(key: &str, value: &str) -> String {
    if key == value { key.to_owned() } else { format!("{key}: {value}") }
}

/// The conditions on one element set apart into as many elements as they speak of: a new one begins where a name is given
/// again what the element cannot have besides. `key` is the name that tells elements apart; an element whose key was not
/// typed again has the one before it.
pub(super) fn elements(parts: Vec<Part>, key: Option<&str>) -> Vec<Vec<Part>> {
    let pivot = key.map(str::to_owned).or_else(|| pivot(&parts));
    let is_pivot = |part: &Part| pivot.as_deref() == Some(part.name.as_str());
    let several = parts.iter().filter(|part| is_pivot(part)).count() > 1;
    let mut elements: Vec<Vec<Part>> = vec![Vec::new()];
    for part in parts {
        let last = elements.len() - 1;
        let current = &mut elements[last];
        match current.iter_mut().find(|held| held.name == part.name) {
            None => current.push(part),
            Some(held) if !several || part.typed.iter().all(|typed| held.fits(typed)) => {
                part.typed.into_iter().for_each(|typed| held.add(typed));
            }
            Some(_) => elements.push(vec![part]),
        }
    }
    for at in 1..elements.len() {
        if !elements[at].iter().any(is_pivot) {
            let inherited = elements[at - 1].iter().find(|part| is_pivot(part)).cloned();
            elements[at].splice(0..0, inherited);
        }
    }
    elements
}

/// The first name that is to equal different values.
fn pivot(parts: &[Part]) -> Option<String> {
    let differs = |part: &&Part| {
        let others = parts.iter().filter(|other| other.name == part.name);
        part.literals().next().is_some_and(|own| others.flat_map(Part::literals).any(|more| more != own))
    };
    parts.iter().find(differs).map(|part| part.name.clone())
}
