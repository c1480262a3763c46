//! Asks every design the question, judges sameness first, then cost, and puts the report together.

use crate::engine::{Command, Database, Find, Host, Run};
use crate::words::Lang;

use super::answer::Answer;
use super::bench::{Bench, Family, Member, is_read, keys_of};
use super::column::{cost, loser_lines, plan_lines, storage};
use super::duel::{Column, Duel, Kind, Sameness};
use super::lines::{lines, versus_lines};
use super::loss::loss_lines;
use super::reason::{NoCounterpart, Note};
use super::rephrase::{Ground, Keys, Rephrased, rephrase};
use super::writing::writing;
use crate::shell::to_statement;

/// A statement that was run at one member of a family, and the state to ask the others in.
#[derive(Debug, Clone)]
pub(super) struct Question {
    /// After the statement.
    pub(super) database: Database,
    /// Before it, where it wrote.
    pub(super) before: Option<Database>,
    pub(super) family: Family,
    /// The member it was typed for.
    pub(super) from: usize,
    pub(super) command: Command,
    pub(super) run: Run,
}

/// One member's part: its column, and its answer where it has one.
pub(super) struct Side {
    pub(super) column: Column,
    pub(super) answer: Option<Answer>,
}

/// Compares.
pub(super) fn judge(question: &Question, lang: Lang) -> Duel {
    let asked = question.command.explained();
    let kind = kind_of(asked);
    let members = &question.family.members;
    let home = &members[question.from];
    let find = || keys_of(question.state(), home);
    let keys = Keys::new(&find);
    let mut order: Vec<_> = (0..members.len()).filter(|&at| at != question.from).collect();
    order.insert(0, question.from);
    let sides: Vec<_> = order
        .into_iter()
        .map(|at| if at == question.from { question.home(asked, lang) } else { question.twin(asked, at, &keys, lang) })
        .collect();
    let same = sameness(&sides);
    let columns: Vec<_> = sides.into_iter().map(|side| side.column).collect();
    Duel { statement: to_statement(asked), kind, lines: lines(kind, &same, &columns, lang), columns, same }
}

/// Sets the latest statements of several benches beside each other, each under its name: before and after an index, one
/// wording and another, a learner's answer and the model's. None where one of them has no statement about its facts.
#[must_use]
pub fn versus(sides: &[(&str, &Bench)], lang: Lang) -> Option<Duel> {
    let questions: Option<Vec<_>> = sides.iter().map(|(name, bench)| Some((*name, bench.question()?))).collect();
    let questions = questions?;
    let asked: Vec<_> = questions.iter().map(|(_, question)| question.command.explained()).collect();
    let kind = asked.iter().map(|command| kind_of(command)).find(|kind| *kind != Kind::Read).unwrap_or(Kind::Read);
    let side = |(name, question): &(&str, Question)| {
        let mut side = question.home(question.command.explained(), lang);
        (*name).clone_into(&mut side.column.name);
        side
    };
    let sides: Vec<_> = questions.iter().map(side).collect();
    let same = sameness(&sides);
    let columns: Vec<_> = sides.into_iter().map(|side| side.column).collect();
    let statements: Vec<_> = asked.into_iter().map(to_statement).collect();
    Some(Duel {
        statement: statements.join("\n"),
        kind,
        lines: versus_lines(kind, &same, &columns, lang),
        columns,
        same,
    })
}

fn kind_of(command: &Command) -> Kind {
    match command {
        _ if is_read(command) => Kind::Read,
        Command::Insert(_)
        | Command::Update(_)
        | Command::Delete(_)
        | Command::FindAndModify(_)
        | Command::BulkWrite(_) => Kind::Write,
        _ => Kind::Admin,
    }
}

impl Question {
    /// The state the statement was asked in.
    fn state(&self) -> &Database {
        self.before.as_ref().unwrap_or(&self.database)
    }

    fn home(&self, asked: &Command, lang: Lang) -> Side {
        let member = &self.family.members[self.from];
        let run = if *asked == self.command { Ok(self.run.clone()) } else { self.state().clone().run(asked) };
        let mut column = self.column(member, lang);
        column.home = true;
        column.statement = Some(to_statement(asked));
        column.command = Some(asked.clone());
        let answer = run.ok().map(|run| self.answered(&mut column, member, asked, asked, &run, lang));
        Side { column, answer }
    }

    fn twin(&self, asked: &Command, at: usize, keys: &Keys<'_>, lang: Lang) -> Side {
        let home = &self.family.members[self.from];
        let member = &self.family.members[at];
        let mut column = self.column(member, lang);
        let ground = Ground { from: &home.design, to: &member.design, collection: &member.collection, keys };
        let filled = with_ids(asked, &self.run);
        let (answer, mut notes) = match rephrase(&ground, &filled) {
            Ok(Rephrased { command, notes }) => {
                column.statement = Some(to_statement(&command));
                column.command = Some(command.clone());
                match self.state().clone().run(&command) {
                    Ok(run) => (Some(self.answered(&mut column, member, asked, &command, &run, lang)), notes),
                    Err(error) => (None, [notes, vec![Note::Refused(error.message)]].concat()),
                }
            }
            Err(reason) => {
                column.reason = Some((reason.id(), reason.text(lang)));
                let replayed = kind_of(asked) == Kind::Write && reason != NoCounterpart::NotAboutFacts;
                (None, if replayed { vec![Note::Replayed] } else { Vec::new() })
            }
        };
        if kind_of(asked) == Kind::Write {
            notes.extend(member.refusal_note().filter(|note| !notes.contains(note)));
        }
        column.notes = notes.iter().map(|note| (note.id(), note.text(lang))).collect();
        Side { column, answer }
    }

    /// A column with all that does not depend on the statement.
    fn column(&self, member: &Member, lang: Lang) -> Column {
        let home = &self.family.members[self.from];
        Column {
            name: member.design.form.name().to_owned(),
            form: member.design.form,
            collection: member.collection.clone(),
            home: false,
            statement: None,
            command: None,
            reason: None,
            notes: Vec::new(),
            stages: Vec::new(),
            bounds: Vec::new(),
            cost: super::duel::Cost::default(),
            storage: storage(&self.database, &member.collection),
            writing: writing(&self.database, home, member),
            losers: Vec::new(),
            losses: loss_lines(&member.all_losses(), lang),
            explain: None,
        }
    }

    /// Fills in what a run tells, and gives its answer.
    fn answered(
        &self,
        column: &mut Column,
        member: &Member,
        asked: &Command,
        command: &Command,
        run: &Run,
        lang: Lang,
    ) -> Answer {
        let answer = match without_cut(command) {
            Some(whole) => self.state().clone().run(&whole).ok().map(|whole| Answer::of(asked, &member.design, &whole)),
            None => None,
        };
        let answer = answer.unwrap_or_else(|| Answer::of(asked, &member.design, run));
        column.cost = cost(run, answer.size());
        if let Some(explain) = &run.explain {
            (column.stages, column.bounds) = plan_lines(&explain.winning, lang);
            column.losers = loser_lines(explain, lang);
            column.explain = Some(explain.clone());
        }
        answer
    }
}

/// The same question without projection, skip and limit, where it has any: which entities it is about.
fn without_cut(command: &Command) -> Option<Command> {
    let Command::Find(find) = command else { return None };
    let cut = find.projection.is_some() || find.skip.is_some() || find.limit.is_some() || find.return_key;
    cut.then(|| {
        let whole = Find { projection: None, skip: None, limit: None, sort: None, return_key: false, ..find.clone() };
        Command::Find(whole)
    })
}

/// An insert with the `_id`s that the documents got.
fn with_ids(asked: &Command, run: &Run) -> Command {
    let Command::Insert(insert) = asked else { return asked.clone() };
    let mut insert = insert.clone();
    let written = run.writes.documents.iter().filter_map(|change| change.after.as_ref());
    let written: Vec<_> = written.filter_map(|raw| crate::value::Document::try_from(raw.as_ref()).ok()).collect();
    if written.len() == insert.documents.len() {
        insert.documents = written;
    }
    Command::Insert(insert)
}

fn sameness(sides: &[Side]) -> Sameness {
    let Some(home) = sides.first().and_then(|side| side.answer.as_ref()) else { return Sameness::Alone };
    let twins: Vec<_> = sides[1..].iter().filter_map(|side| Some((side, side.answer.as_ref()?))).collect();
    if twins.is_empty() {
        return Sameness::Alone;
    }
    let differences: Vec<_> =
        twins.into_iter().filter_map(|(side, answer)| home.difference(&side.column.name, answer)).collect();
    if differences.is_empty() { Sameness::Same(home.size()) } else { Sameness::Different(differences) }
}
