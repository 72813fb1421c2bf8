//! Reads and sends messages.

use crate::conversations::Content;
use crate::flows::definition::{Fields, FlowFields, Mentioned};
use crate::flows::interpret::{Interpreter, NodeOutcome};
use crate::flows::{Effect, Words};
use crate::read::Input;

/// Reads messages in nodes.
pub(in crate::flows::nodes) trait MessageFields {
    /// Reads a message in the form of `POST /contacts/:id/send-message`, with templates as texts.
    fn message(&mut self, name: &str) -> Option<Words>;
}

impl MessageFields for Fields<'_> {
    fn message(&mut self, name: &str) -> Option<Words> {
        let Some(written) = self.get(name) else {
            self.wrong(name, "required", "is required");
            return None;
        };
        let words = self.take(name, written, |written: Input<'_>| Words::parse(written))?;
        for (place, template) in words.templates() {
            self.looks_up(&format!("{name}{place}"), template);
        }
        for (place, media) in words.files() {
            self.mention(Mentioned::Media, &format!("{name}{place}"), &media.to_string());
        }
        Some(words)
    }
}

impl Interpreter<'_> {
    /// Sends a message.
    ///
    /// # Errors
    /// The end of the run if the message cannot be sent.
    pub(in crate::flows::nodes) fn say(&mut self, at: &str, words: &Words) -> Result<(), NodeOutcome> {
        self.ask(at, words, &[], None)
    }

    /// Sends a message with these answers as quick replies, if the channel supports that many, and with an example
    /// after its text.
    ///
    /// # Errors
    /// The end of the run if the message cannot be sent.
    pub(in crate::flows::nodes) fn ask(
        &mut self,
        at: &str,
        words: &Words,
        answers: &[String],
        example: Option<&str>,
    ) -> Result<(), NodeOutcome> {
        if !self.environment.has_channel {
            return Err(NodeOutcome::failed("no_channel", "the workspace has no channel to send on".to_owned(), at));
        }
        let content = words.render(&self.template_values());
        let mut content = content.map_err(|error| NodeOutcome::failed("template_error", error.to_string(), at))?;
        content.offer(answers, self.environment.quick_replies);
        let content = match example {
            Some(example) => with_example(content, example),
            None => content,
        };
        self.effect(Effect::Send(Box::new(content)));
        Ok(())
    }
}

/// Returns the message with an example after its text, or unchanged if it has no text or would become too long.
fn with_example(content: Content, example: &str) -> Content {
    let text = content.text.as_ref().map(|text| format!("{} {example}", text.trim_end()));
    let longer = Content { text, ..content.clone() };
    if content.text.is_some() && longer.check().is_empty() { longer } else { content }
}
