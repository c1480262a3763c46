//! The shell itself: one JavaScript engine under a meter, fed one text after the other.

use std::cell::{Ref, RefCell, RefMut};
use std::rc::Rc;
use std::sync::Arc;

use bson::Bson;
use rquickjs::context::EvalOptions;
use rquickjs::promise::PromiseState;
use rquickjs::{Context, Ctx, Function, Object, Persistent, Runtime, Value};

use super::api;
use super::edit::{self, Edited};
use super::failure::{Failure, FailureKind};
use super::hints;
use super::lex::{self, Token, TokenKind};
use super::limits::{Brake, Limit, Limits, Meter};
use super::outcome::{Outcome, Shown, print_value};
use super::parse;
use super::script::Script;
use super::session::{BATCH, Kept, Rest, Session, UNRUN};
use super::slips;
use super::tools::{Probe, Tools};
use super::tree::{Tree, tree};
use crate::engine::Host;
use crate::value::Allowance;
use crate::words::Lang;

/// Brackets nested deeper are refused before they are read; a document may have a fifth of these levels at most.
const NESTING: usize = 1000;
/// Names that one text may declare: the engine looks each up among all.
const NAMES: usize = 10_000;
/// Bytes beyond which a text is compiled before its tree is read.
const LONG_TEXT: usize = 1 << 16;
/// Digits of one number.
const DIGITS: usize = 10_000;

const GUARD: &str = include_str!("js/guard.js");
const PRELUDE: &str = include_str!("js/prelude.js");

/// A mongosh session over any host: variables, the current database and open cursors live on from text to text.
pub struct Shell<H> {
    // Held values have to go before the engine they live in.
    tools: Persistent<Object<'static>>,
    context: Context,
    runtime: Runtime,
    meter: Rc<Meter>,
    session: Rc<RefCell<Session>>,
    kept: Rc<RefCell<Kept<H>>>,
    /// Whether a text has brought whole numbers of any length into play.
    long_numbers: bool,
}

impl<H: Host + Clone + 'static> Shell<H> {
    /// A fresh session.
    ///
    /// # Panics
    /// When the JavaScript engine cannot be set up, which only a lack of memory causes.
    #[must_use]
    pub fn new(host: H, limits: Limits) -> Self {
        let kept = Rc::new(RefCell::new(Kept::new(host)));
        let meter = Rc::new(Meter::new(limits));
        let session = Rc::new(RefCell::new(Session::new(kept.clone(), Rc::clone(&meter))));
        let Engine { tools, context, runtime } = engine(&session, &meter);
        Self { tools, context, runtime, meter, session, kept, long_numbers: false }
    }

    /// Begins with a fresh engine: one whose promises have queued work without end would go on with it. Variables are lost.
    fn renew(&mut self) {
        self.session.borrow_mut().cursors.clear();
        self.meter.restart();
        let Engine { tools, context, runtime } = engine(&self.session, &self.meter);
        // What is held has to go before the engine it lives in.
        self.tools = tools;
        self.context = context;
        self.runtime = runtime;
    }

    /// Chooses the language of the shell's own sentences; MongoDB's messages stay as they are.
    pub fn set_lang(&mut self, lang: Lang) {
        self.session.borrow_mut().lang = lang;
    }

    /// Chooses whether values that the script prints are coloured.
    pub fn set_colors(&mut self, colors: bool) {
        self.session.borrow_mut().colors = colors;
    }

    /// What stops a running text.
    #[must_use]
    pub fn brake(&self) -> Brake {
        self.meter.brake()
    }

    /// The name of the current database.
    #[must_use]
    pub fn database_name(&self) -> String {
        self.session.borrow().database.clone()
    }

    /// The host.
    #[must_use]
    pub fn host(&self) -> Ref<'_, H> {
        Ref::map(self.kept.borrow(), |kept| &kept.host)
    }

    /// The host, to be changed between texts.
    pub fn host_mut(&mut self) -> RefMut<'_, H> {
        RefMut::map(self.kept.borrow_mut(), |kept| &mut kept.host)
    }

    /// Runs a text: one statement or a whole script.
    pub fn run(&mut self, text: &str) -> Outcome {
        self.meter.restart();
        self.allow(Allowance::new(self.meter.limits().work).while_patient(self.meter.patience()));
        let value = self.evaluate(text);
        self.allow(Allowance::default());
        let session = &mut *self.session.borrow_mut();
        let (ran, unlisted) = session.ran.take();
        Outcome {
            script: Arc::clone(&session.script),
            ran,
            unlisted,
            printed: std::mem::take(&mut session.printed),
            notes: std::mem::take(&mut session.notes),
            value,
            quit: session.quit,
        }
    }

    /// Lets the host do so much work.
    fn allow(&self, allowance: Allowance) {
        self.kept.borrow_mut().host.source().allow(allowance);
    }

    fn evaluate(&mut self, text: &str) -> Result<Shown, Failure> {
        if text.len() > self.meter.limits().text {
            self.session.borrow_mut().begin(Arc::default());
            return Err(self.stopped(Limit::Text));
        }
        let tokens = lex::tokens(text);
        if let Some(limit) = hostile(text, &tokens) {
            self.session.borrow_mut().begin(Arc::default());
            return Err(self.reached(limit));
        }
        let mut lines = edit::shell_lines(text, &tokens);
        // A long text that is broken is slow to read: whether it is one is known before, unless it waits for something.
        let first = text.len() > LONG_TEXT && !tokens.iter().any(|token| text[token.span.clone()] == *"await");
        if first {
            self.session.borrow_mut().begin(Arc::new(Script::bare(text)));
            self.compile(text, &Edited::new(text, lines.clone()))?;
        }
        let script = Arc::new(parse::read(text, &edit::mask(text, &lines), &mut || self.meter.check()));
        lines.extend(edit::awaits(&script));
        self.long_numbers |= edit::uses_long_numbers(text, &tokens);
        self.session.borrow_mut().begin(Arc::clone(&script));
        if let Some(limit) = self.meter.hit() {
            return Err(self.stopped(limit));
        }
        if !first {
            self.compile(text, &Edited::new(text, lines.clone()))?;
        }
        if let Some(limit) = self.meter.check().then(|| self.meter.hit()).flatten() {
            return Err(self.stopped(limit));
        }
        self.prepare(text, &script, lines);
        let result = self.context.with(|ctx| {
            let functions = self.tools.clone().restore(&ctx).expect("the tools belong to this engine");
            let tools = Tools { functions, meter: Rc::clone(&self.meter) };
            let result = self.evaluate_tagged(&ctx).and_then(|value| settle(&ctx, &self.meter, value));
            self.meter.begin_reading();
            match result.and_then(|value| self.show(&tools, &value)) {
                Ok(shown) => Ok(shown),
                Err(error) => Err(self.failure(&tools, &error)),
            }
        });
        match (self.meter.hit(), result) {
            (Some(limit), _) => {
                if self.runtime.is_job_pending() {
                    self.renew();
                }
                Err(self.stopped(limit))
            }
            (None, Err(None)) if self.ran_out(&script) => Err(self.reached(Limit::Memory)),
            (None, result) => result.map_err(|failure| failure.unwrap_or_else(|| uncaught("null".to_owned()))),
        }
    }

    /// Compiles the text without running it: errors of tagged text could stand elsewhere or show our own names.
    fn compile(&self, text: &str, plain: &Edited) -> Result<(), Failure> {
        if let Some(at) = text.find('\0') {
            return Err(syntax_failure("unexpected NUL byte".to_owned(), at..at + 1));
        }
        let wrapped = format!("(function(){{\n{}\n}})", plain.text);
        self.context.with(|ctx| {
            let compiled: rquickjs::Result<Value<'_>> = ctx.eval_with_options(wrapped, options("compile"));
            if compiled.is_ok() {
                return Ok(());
            }
            let error = ctx.catch();
            let Some(exception) = error.as_exception() else { return Ok(()) };
            let message = exception.message().unwrap_or_default();
            match message.as_str() {
                text if text.contains("call stack") || text.contains("stack overflow") => {
                    return Err(self.reached(Limit::Depth));
                }
                "out of memory" => return Err(self.reached(Limit::Memory)),
                _ => {}
            }
            let place = exception.stack().as_deref().and_then(|stack| place(stack, "compile"));
            let at = place.map_or(text.len(), |(line, column)| plain.source_offset(line.saturating_sub(1), column));
            let mut failure = syntax_failure(message, token_span(text, at));
            if let Some(slip) = slips::find(text, at, self.session.borrow().lang) {
                failure.span = Some(slip.span);
                if slip.whole {
                    failure.message = slip.advice;
                } else {
                    failure.hint = Some(slip.advice);
                }
            }
            Err(failure)
        })
    }

    fn prepare(&self, text: &str, script: &Script, mut edits: Vec<edit::Edit>) {
        let session = &mut *self.session.borrow_mut();
        if script.is_whole() {
            edits.extend(edit::tags(script, session.base, self.long_numbers));
        }
        session.edited = Edited::new(text, edits);
    }

    fn evaluate_tagged<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<Value<'js>> {
        let (text, file) = {
            let session = self.session.borrow();
            (session.edited.text.clone(), session.file.clone())
        };
        ctx.eval_with_options(text, options(&file))
    }

    fn show<'js>(&self, tools: &Tools<'js>, value: &Value<'js>) -> rquickjs::Result<Shown> {
        if value.is_undefined() {
            return Ok(Shown::Nothing);
        }
        if let Some(object) = value.as_object()
            && let Probe::Kind(kind, data) = tools.probe(object)?
        {
            match kind.as_str() {
                "cursor" => return self.show_cursor(tools, object, data.get(1)?, data.get(3)?),
                "text" => return Ok(Shown::Text(data.get(1)?)),
                _ => {}
            }
        }
        Ok(match tree(tools, value)? {
            Tree::Word(word) => Shown::Text(word),
            shown if is_explain(&shown) => Shown::Whole(shown),
            shown => Shown::Value(shown),
        })
    }

    fn show_cursor<'js>(
        &self,
        tools: &Tools<'js>,
        cursor: &Object<'js>,
        id: u32,
        mapped: bool,
    ) -> rquickjs::Result<Shown> {
        if !mapped {
            let shown = api::read_on(&mut self.session.borrow_mut(), id, BATCH);
            return shown.map_err(|refusal| api::raise(tools, refusal));
        }
        let to_array: Function<'js> = cursor.get("toArray")?;
        let all: Value<'js> = to_array.call((rquickjs::function::This(cursor.clone()),))?;
        let Bson::Array(documents) = tree(tools, &all)?.to_bson() else { return Ok(Shown::Nothing) };
        let rest = documents.get(BATCH..).unwrap_or_default().to_vec();
        self.session.borrow_mut().shown = Rest::Mapped(rest);
        Ok(Shown::Documents { documents, batch: BATCH })
    }

    fn stopped(&self, limit: Limit) -> Failure {
        let mut session = self.session.borrow_mut();
        session.restore();
        let limits = self.meter.limits();
        let message = limit.words().fill(session.lang, &[("limit", &limits.size(limit))]);
        let statement = session.script.statements().get(session.statement);
        let span = statement.map(|id| session.script.node(*id).span.clone());
        Failure { kind: FailureKind::Limit(limit), message, span, hint: None }
    }

    /// What is told of an error; none where `null` was thrown.
    fn failure(&self, tools: &Tools<'_>, error: &rquickjs::Error) -> Option<Failure> {
        if let Some(limit) = self.meter.hit() {
            return Some(self.stopped(limit));
        }
        let ctx = tools.ctx();
        if !matches!(error, rquickjs::Error::Exception) {
            return Some(Failure {
                kind: FailureKind::Script("Error".to_owned()),
                message: error.to_string(),
                span: None,
                hint: None,
            });
        }
        let thrown = ctx.catch();
        match thrown.as_object().filter(|object| object.is_error()) {
            Some(object) => Some(self.thrown_error(tools, object)),
            None if thrown.is_null() => None,
            None => Some(thrown_value(tools, &thrown)),
        }
    }

    fn thrown_error<'js>(&self, tools: &Tools<'js>, object: &Object<'js>) -> Failure {
        let class = object.get::<_, String>("name").unwrap_or_else(|_| "Error".to_owned());
        let message = object.get::<_, String>("message").unwrap_or_default();
        match (class.as_str(), message.as_str()) {
            ("InternalError", "out of memory" | "string too long") => return self.reached(Limit::Memory),
            ("RangeError", text) if text.contains("call stack") => return self.reached(Limit::Depth),
            ("InternalError", text) if text.contains("stack overflow") => return self.reached(Limit::Depth),
            _ => {}
        }
        self.thrown(tools, object, class, message)
    }

    /// The engine throws `null` where memory does not even suffice for an error; a script with a `throw` may do so too.
    fn ran_out(&self, script: &Script) -> bool {
        let used = usize::try_from(self.runtime.memory_usage().malloc_size).unwrap_or_default();
        let text = script.text();
        let throws =
            lex::tokens(text).iter().any(|token| token.kind == TokenKind::Word && text[token.span.clone()] == *"throw");
        !throws || used > self.meter.limits().memory / 2
    }

    fn reached(&self, limit: Limit) -> Failure {
        self.meter.reach(limit);
        self.stopped(limit)
    }

    fn thrown<'js>(&self, tools: &Tools<'js>, object: &Object<'js>, class: String, message: String) -> Failure {
        let session = self.session.borrow();
        let run = match tools.probe(object) {
            Ok(Probe::Kind(kind, data)) if kind == "error" => data.get::<Option<usize>>(1).ok().flatten(),
            _ => None,
        };
        let refused = run.and_then(|run| session.refused.get(run.checked_sub(UNRUN)?));
        let refused = refused.map(|refused| (refused.error.clone(), refused.span.clone()));
        let ran = run.and_then(|run| session.ran.get(run)).map(|ran| {
            let error = api::refusal_of(ran);
            let span = ran.places.span(&error.at).or_else(|| ran.span.clone());
            let hint = hints::command(&error, ran.places.written(&error.at), session.lang);
            (error, span, hint)
        });
        let refused = refused.map(|(error, span)| {
            let hint = hints::command(&error, None, session.lang);
            (error, span, hint)
        });
        if let Some((error, span, hint)) = refused.or(ran) {
            return Failure { kind: FailureKind::Command(class, Box::new(error)), message, span, hint };
        }
        let stack = object.get::<_, String>("stack").unwrap_or_default();
        let at = session.offset(&stack);
        let (hint, place) = match run.and_then(|run| session.misuse(run)) {
            Some(misuse) => hints::misused(&session.script, misuse, at, session.lang),
            None => hints::exception(&session.script, &class, &message, at, session.lang),
        };
        let message = match hints::uncallable(&session.script, at).filter(|_| message == "not a function") {
            Some(name) => format!("{name} is not a function"),
            None => message,
        };
        let span = place.or_else(|| at.map(|at| token_span(session.script.text(), at)));
        Failure { kind: FailureKind::Script(class), message, span, hint }
    }
}

/// The limit that a text would break through while it is read, where nothing can stop it.
fn hostile(text: &str, tokens: &[Token]) -> Option<Limit> {
    if lex::depth(tokens, text) > NESTING {
        return Some(Limit::Depth);
    }
    if lex::declared(tokens, text) > NAMES {
        return Some(Limit::Names);
    }
    let endless = |token: &Token| token.kind == TokenKind::Number && token.span.len() > DIGITS;
    tokens.iter().any(endless).then_some(Limit::Memory)
}

/// Something else than an error was thrown.
fn thrown_value<'js>(tools: &Tools<'js>, thrown: &Value<'js>) -> Failure {
    let message = tree(tools, thrown).map_or_else(|_| "thrown".to_owned(), |tree| print_value(&tree, false));
    uncaught(message)
}

fn uncaught(message: String) -> Failure {
    Failure { kind: FailureKind::Script("Uncaught".to_owned()), message, span: None, hint: None }
}

/// Explain output is shown uncut.
fn is_explain(tree: &Tree) -> bool {
    let Tree::Object { fields, .. } = tree else { return false };
    fields.iter().any(|(name, _)| name == "queryPlanner" || name == "stages")
        && fields.iter().any(|(name, _)| name == "ok")
}

/// A JavaScript engine with its prelude.
struct Engine {
    tools: Persistent<Object<'static>>,
    context: Context,
    runtime: Runtime,
}

fn engine(session: &Rc<RefCell<Session>>, meter: &Rc<Meter>) -> Engine {
    let runtime = Runtime::new().expect("a JavaScript engine needs only memory");
    // The whole stack of a thread is two mebibytes; a call into the host needs part of the rest.
    runtime.set_max_stack_size(1 << 20);
    let context = Context::full(&runtime).expect("a JavaScript context needs only memory");
    let tools = context.with(|ctx| {
        let tools = rquickjs::CatchResultExt::catch(prelude(&ctx, session, meter), &ctx);
        Persistent::save(&ctx, tools.expect("the prelude runs in a fresh context"))
    });
    meter.watch(&runtime);
    Engine { tools, context, runtime }
}

fn prelude<'js>(ctx: &Ctx<'js>, session: &Rc<RefCell<Session>>, meter: &Rc<Meter>) -> rquickjs::Result<Object<'js>> {
    let host = Function::new(ctx.clone(), api::host_function(Rc::clone(session), Rc::clone(meter)))?;
    let setup: Function<'js> = ctx.eval_with_options(PRELUDE, options("pegboard"))?;
    let tools = setup.call((host,))?;
    let meter = Rc::clone(meter);
    let watched = Rc::clone(&meter);
    let refuse = Function::new(ctx.clone(), move |ctx: Ctx<'js>, limit: String| refuse(&meter, &ctx, &limit))?;
    let pause = Function::new(ctx.clone(), move |ctx: Ctx<'js>| {
        if watched.check() { Err(rquickjs::Exception::throw_message(&ctx, "a limit is reached")) } else { Ok(()) }
    })?;
    let is_proxy = Function::new(ctx.clone(), |value: Value<'js>| value.is_proxy())?;
    let guard: Function<'js> = ctx.eval_with_options(GUARD, options("pegboard"))?;
    guard.call::<_, ()>((is_proxy, refuse, pause))?;
    Ok(tools)
}

/// Stops a script at a limit from inside one of its calls.
fn refuse(meter: &Meter, ctx: &Ctx<'_>, limit: &str) -> rquickjs::Result<()> {
    meter.reach(match limit {
        "memory" => Limit::Memory,
        "text" => Limit::Text,
        _ => Limit::Time,
    });
    Err(rquickjs::Exception::throw_message(ctx, limit))
}

fn options(file: &str) -> EvalOptions {
    let mut options = EvalOptions::default();
    options.strict = false;
    options.filename = Some(file.to_owned());
    options
}

/// Runs what promises have queued; a text whose value is a promise has the promise's value.
fn settle<'js>(ctx: &Ctx<'js>, meter: &Meter, value: Value<'js>) -> rquickjs::Result<Value<'js>> {
    while !meter.check() && ctx.execute_pending_job() {}
    match value.as_promise() {
        Some(promise) if promise.state() != PromiseState::Pending => promise.result().unwrap_or(Ok(value.clone())),
        _ => Ok(value),
    }
}

fn syntax_failure(message: String, span: super::script::Span) -> Failure {
    Failure { kind: FailureKind::Syntax, message, span: Some(span), hint: None }
}

/// The first place in a file that a stack names.
fn place(stack: &str, file: &str) -> Option<(usize, usize)> {
    let (_, rest) = stack.split_once(&format!("{file}:"))?;
    let numbers = rest.split(|letter: char| !letter.is_ascii_digit() && letter != ':').next()?;
    let (line, column) = numbers.split_once(':')?;
    Some((line.parse().ok()?, column.parse().ok()?))
}

/// The word or sign that starts at or covers a byte.
fn token_span(text: &str, at: usize) -> super::script::Span {
    let tokens = super::lex::tokens(text);
    let covering = tokens.iter().find(|token| token.span.contains(&at) || token.span.start >= at);
    covering.map_or(text.len()..text.len(), |token| token.span.clone())
}
