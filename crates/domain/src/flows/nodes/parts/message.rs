//! Messages: how they are read, said and sent.

use crate::conversations::{Content, MessageStatus, Recipient};
use crate::flows::definition::Fields;
use crate::flows::execute::{Done, StepWriter};
use crate::flows::interpret::{Interpreter, Turn};
use crate::flows::{Effect, Words};
use crate::read::Input;
use crate::retry::AttemptError;

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

/// Adds a message, or a note, to the conversation, which it begins where there is none.
pub(in crate::flows::nodes) async fn send(
    step: &mut StepWriter<'_>,
    content: Box<Content>,
) -> Result<Done, AttemptError> {
    let Some(channel) = step.context.channel.as_ref() else { return Ok(Done::default()) };
    let recipient = Recipient { contact: &step.contact, channel, conversation: step.conversation.as_ref() };
    let sent = recipient.add_message(step.set, *content, step.access, &*step.ports.clock, &*step.ports.ids);
    let outcome = match (sent.message.status, &sent.message.error) {
        (MessageStatus::Suppressed, Some(error)) => format!("suppressed: {}", error.code),
        (MessageStatus::Received, _) => "noted".to_owned(),
        _ => "queued".to_owned(),
    };
    step.conversation = Some(sent.conversation);
    Ok(Done { outcome: Some(outcome), message: Some(sent.message.id) })
}
