//! Messages: how they are read and said.

use crate::flows::definition::Fields;
use crate::flows::interpret::{Interpreter, Turn};
use crate::flows::{Effect, Words};
use crate::read::Input;

impl Fields<'_> {
    /// A message, as `POST /contacts/:id/send-message` takes it, with templates for texts.
    pub(in crate::flows::nodes) fn message(&mut self, name: &str) -> Option<Words> {
        let Some(written) = self.get(name) else {
            self.wrong(name, "required", "is required");
            return None;
        };
        let words = self.take(name, written, |written: Input<'_>| Words::parse(written))?;
        for (place, template) in words.templates() {
            self.looks_up(&format!("{name}{place}"), template);
        }
        Some(words)
    }
}

impl Interpreter<'_> {
    /// Sends a message.
    ///
    /// # Errors
    /// How the run ends where it cannot be sent.
    pub(in crate::flows::nodes) fn say(&mut self, at: &str, words: &Words) -> Result<(), Turn> {
        if !self.environment.has_channel {
            return Err(Turn::failed("no_channel", "the workspace has no channel to send on".to_owned(), at));
        }
        let said = self.with_eval_context(|eval| words.render(&eval.template_values()));
        let content = said.map_err(|error| Turn::failed("template_error", error.to_string(), at))?;
        self.effect(Effect::Send(Box::new(content)));
        Ok(())
    }
}
