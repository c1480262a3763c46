//! What the prelude offers the host: telling objects apart and making the ones JavaScript does not have.

use std::rc::Rc;

use rquickjs::{Array, Ctx, Function, Object, Result, Value};

use super::limits::Meter;

/// What an object is, as its private fields and its prototype tell.
pub(super) enum Probe<'js> {
    /// A plain object or an array, with the number of its literal.
    Plain(Option<u32>),
    /// Anything else: a kind and its data.
    Kind(String, Array<'js>),
}

/// The prelude's functions, and the meter that reading values counts on.
#[derive(Clone)]
pub(super) struct Tools<'js> {
    pub(super) functions: Object<'js>,
    pub(super) meter: Rc<Meter>,
}

impl<'js> Tools<'js> {
    pub(super) fn ctx(&self) -> &Ctx<'js> {
        self.functions.ctx()
    }

    fn function(&self, name: &str) -> Result<Function<'js>> {
        self.functions.get(name)
    }

    pub(super) fn probe(&self, object: &Object<'js>) -> Result<Probe<'js>> {
        let told: Value<'js> = self.function("probe")?.call((object.clone(),))?;
        if let Some(id) = told.as_int() {
            return Ok(Probe::Plain(u32::try_from(id).ok()));
        }
        let Some(told) = told.into_array() else { return Ok(Probe::Plain(None)) };
        Ok(Probe::Kind(told.get(0)?, told))
    }

    /// A BSON value that JavaScript has no type for.
    pub(super) fn boxed(&self, kind: &str, data: impl rquickjs::IntoJs<'js>) -> Result<Value<'js>> {
        self.function("box")?.call((kind, data))
    }

    pub(super) fn date(&self, millis: i64) -> Result<Value<'js>> {
        #[expect(clippy::cast_precision_loss, reason = "JavaScript dates are doubles; its range is far below 2^53")]
        let millis = millis as f64;
        self.function("date")?.call((millis,))
    }

    pub(super) fn regexp(&self, pattern: &str, flags: &str) -> Result<Value<'js>> {
        self.function("regexp")?.call((pattern, flags))
    }

    /// An error object of a class by name, with further fields and, for a refused command, its number.
    pub(super) fn error(
        &self,
        class: &str,
        message: &str,
        more: Option<Value<'js>>,
        run: Option<u32>,
    ) -> Result<Value<'js>> {
        self.function("raise")?.call((class, message, more, run))
    }

    /// Counts the bytes of a value that is read; an exception once there are too many or the time is over.
    pub(super) fn count(&self, bytes: usize) -> Result<()> {
        if self.meter.read(bytes) {
            return Ok(());
        }
        let error = self.error("MongoshLimitError", "a limit is reached", None, None)?;
        Err(self.ctx().throw(error))
    }

    /// A value in one line of text, for what only JavaScript has.
    pub(super) fn describe(&self, value: &Value<'js>) -> Result<String> {
        self.function("describe")?.call((value.clone(),))
    }

    /// A text that is shown as it is, such as help.
    pub(super) fn text(&self, text: &str) -> Result<Value<'js>> {
        self.function("text")?.call((text,))
    }

    /// The caller's stack as text.
    pub(super) fn trace(&self) -> Result<String> {
        self.function("trace")?.call(())
    }
}
