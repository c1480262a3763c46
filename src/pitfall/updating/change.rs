//! An update by operators: what it sets where, which documents it changed, and how it is written anew.

use std::ops::Range;

use super::in_place::in_place;
use crate::engine::{Command, Modify, Update, WrittenDocument};
use crate::error::{CommandError, CommandPath};
use crate::pitfall::case::id;
use crate::pitfall::elements::condition;
use crate::pitfall::{Case, Evidence, Question, Sighting};
use crate::query::Filter;
use crate::shell::{literal, to_statement};
use crate::value::{Bson, Document, Path, RawDocument};

/// One update by operators.
#[derive(Debug, Clone)]
pub(in crate::pitfall) struct Change<'a> {
    pub(in crate::pitfall) question: Question<'a>,
    pub(in crate::pitfall) operators: &'a Document,
    pub(in crate::pitfall) array_filters: &'a [Document],
    pub(in crate::pitfall) upsert: bool,
}

/// One operator's operand for one path.
#[derive(Debug, Clone)]
pub(in crate::pitfall) struct Target<'a> {
    pub(in crate::pitfall) operator: &'a str,
    pub(in crate::pitfall) name: &'a str,
    pub(in crate::pitfall) path: Path,
    pub(in crate::pitfall) operand: &'a Bson,
}

/// A path cut at the first positional part.
#[derive(Debug, Clone)]
pub(in crate::pitfall) struct Cut {
    pub(in crate::pitfall) array: Path,
    pub(in crate::pitfall) positional: String,
    pub(in crate::pitfall) rest: Path,
}

/// The updates by operators that ran.
pub(in crate::pitfall) fn changes<'a>(case: &Case<'a>) -> Vec<Change<'a>> {
    case.questions().iter().cloned().filter_map(change).collect()
}

/// The first thing to say of each update's targets.
pub(in crate::pitfall) fn each_target<'a>(
    case: &Case<'a>,
    sight: impl Fn(&Case<'a>, &Change<'a>, &Target<'_>) -> Option<Sighting>,
) -> Vec<Sighting> {
    each_change(case, |case, change| change.targets().find_map(|target| sight(case, change, &target)))
}

/// Each update by operators.
pub(in crate::pitfall) fn each_change<'a>(
    case: &Case<'a>,
    sight: impl Fn(&Case<'a>, &Change<'a>) -> Option<Sighting>,
) -> Vec<Sighting> {
    changes(case).iter().filter_map(|change| sight(case, change)).collect()
}

fn change(question: Question<'_>) -> Option<Change<'_>> {
    let (modify, array_filters, upsert) = match question.command {
        Command::Update(Update { spec, .. }) => (&spec.modify, &spec.array_filters, spec.upsert),
        Command::FindAndModify(modify) => (modify.modify.as_ref()?, &modify.array_filters, modify.upsert),
        _ => return None,
    };
    let Modify::Operators(operators) = modify else { return None };
    Some(Change { question, operators, array_filters, upsert })
}

/// The documents that a question's command wrote.
pub(in crate::pitfall) fn written<'a>(question: &Question<'a>) -> &'a [WrittenDocument] {
    question.ran.result.as_ref().map_or(&[], |run| &run.writes.documents)
}

/// The documents changed, before and after.
pub(in crate::pitfall) fn pairs<'a>(
    question: &Question<'a>,
) -> impl Iterator<Item = (&'a RawDocument, &'a RawDocument)> + use<'a> {
    written(question).iter().filter_map(|written| Some((&**written.before.as_ref()?, &**written.after.as_ref()?)))
}

/// A changed document as evidence.
pub(in crate::pitfall) fn write(before: &RawDocument, after: &RawDocument) -> Evidence {
    Evidence::Write { before: Document::try_from(before).ok(), after: Document::try_from(after).ok() }
}

impl<'a> Change<'a> {
    pub(in crate::pitfall) fn targets(&self) -> impl Iterator<Item = Target<'a>> + use<'a> {
        let fields = |operand: &'a Bson| operand.as_document().into_iter().flatten();
        self.operators.iter().flat_map(move |(operator, operands)| {
            let target = move |(name, operand): (&'a String, &'a Bson)| Target {
                operator: operator.as_str(),
                name: name.as_str(),
                path: Path::new(name),
                operand,
            };
            fields(operands).map(target)
        })
    }

    pub(in crate::pitfall) fn refusal(&self) -> Option<&'a CommandError> {
        self.question.ran.result.as_ref().err()
    }

    /// The bytes of a target's path in the text.
    pub(in crate::pitfall) fn span(&self, case: &Case<'_>, target: &Target<'_>) -> Range<usize> {
        let update = CommandPath::argument("update");
        case.span(self.question.ran, &update.field(target.operator).field(target.name))
    }

    /// What the filter asks of an element of the array.
    pub(in crate::pitfall) fn condition(&self, array: &Path) -> Option<Filter> {
        condition(&self.question.tree, array)
    }

    /// The documents that the filter finds.
    pub(in crate::pitfall) fn matching<'c>(&self, case: &Case<'c>) -> Vec<&'c RawDocument> {
        case.matching(&self.question, &self.question.tree)
    }

    /// The operators with one target renamed and given another operand.
    pub(in crate::pitfall) fn with_target(
        &self,
        target: &Target<'_>,
        operator: &str,
        path: &str,
        operand: Bson,
    ) -> Document {
        let mut operators = self.operators.clone();
        if let Some(Bson::Document(own)) = operators.get_mut(target.operator) {
            own.remove(target.name);
            if own.is_empty() {
                operators.remove(target.operator);
            }
        }
        let slot = operators.entry(operator.to_owned()).or_insert_with(|| Bson::Document(Document::new()));
        if let Bson::Document(slot) = slot {
            slot.insert(path, operand);
        }
        operators
    }

    /// The whole text with the update document written anew.
    pub(in crate::pitfall) fn with_update(&self, case: &Case<'_>, update: &Bson) -> Option<String> {
        case.with_argument(self.question.ran, "update", update)
    }

    /// The whole text with this call replaced by another command.
    pub(in crate::pitfall) fn with_command(&self, case: &Case<'_>, command: &Command) -> Option<String> {
        in_place(case, self, command).or_else(|| case.with_command(self.question.ran, command))
    }

    /// The whole text with this call replaced by several; none where it is one operation of a bulk write, or stands for a
    /// value that is used.
    pub(in crate::pitfall) fn with_commands(&self, case: &Case<'_>, commands: &[Command]) -> Option<String> {
        let span = self.question.ran.span.as_ref().filter(|_| !case.is_operation(self.question.ran))?;
        let statement = case.script.statement_at(span.start)?;
        let whole = case.script.node(statement).span.clone();
        let is_alone =
            whole.start == span.start && case.script.text()[span.end..whole.end].trim_matches([';', ' ']).is_empty();
        let text: Vec<String> = commands.iter().map(to_statement).collect();
        is_alone.then(|| case.replaced(span, &text.join("; "))).flatten()
    }

    /// The command with other operators and array filters.
    pub(in crate::pitfall) fn command(&self, operators: Document, array_filters: Vec<Document>) -> Command {
        let mut command = self.question.command.clone();
        match &mut command {
            Command::Update(update) => {
                update.spec.modify = Modify::Operators(operators);
                update.spec.array_filters = array_filters;
            }
            Command::FindAndModify(modify) => {
                modify.modify = Some(Modify::Operators(operators));
                modify.array_filters = array_filters;
            }
            _ => {}
        }
        command
    }

    /// An identifier that no array filter uses yet.
    pub(in crate::pitfall) fn free_identifier(&self) -> String {
        let used = |name: &str| {
            self.array_filters.iter().flat_map(Document::keys).any(|key| key.split('.').next() == Some(name))
        };
        ["e", "f", "g"].into_iter().find(|name| !used(name)).unwrap_or("other").to_owned()
    }
}

impl Target<'_> {
    /// Whether it takes elements out of an array by what they hold; its path is that of the array, never of an element.
    pub(in crate::pitfall) fn pulls(&self) -> bool {
        ["$pull", "$pullAll"].contains(&self.operator)
    }

    /// The path cut at its first `$`, `$[]` or `$[id]`.
    pub(in crate::pitfall) fn cut(&self) -> Option<Cut> {
        let parts = self.path.parts();
        let at = parts.iter().position(|part| part.starts_with('$'))?;
        Some(Cut {
            array: Path::from_parts(parts[..at].to_vec()),
            positional: parts[at].to_string(),
            rest: Path::from_parts(parts[at + 1..].to_vec()),
        })
    }
}

impl Cut {
    /// The path with another positional part.
    pub(in crate::pitfall) fn with(&self, positional: &str) -> String {
        self.array.join(&Path::new(positional)).join(&self.rest).to_string()
    }
}

/// A document's `_id` for a message.
pub(in crate::pitfall) fn shown_id(document: &RawDocument) -> String {
    literal(&id(document))
}
