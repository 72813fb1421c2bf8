//! Messages and notes in the conversation.

use super::{ActionTrace, StepWriter};
use crate::conversations::{Content, MessageStatus, Recipient, describe_files};
use crate::retry::AttemptError;
use crate::step_outcome::StepOutcome;

/// Adds a message or note to the conversation; creates the conversation if necessary.
pub(super) async fn send(step: &mut StepWriter<'_>, mut content: Box<Content>) -> Result<ActionTrace, AttemptError> {
    let Some(channel) = step.context.channel.as_ref() else { return Ok(ActionTrace::default()) };
    // A file that was deleted in the meantime is reported when the message is sent.
    describe_files(step.ports, step.access, &mut content).await?;
    let recipient = Recipient { contact: &step.contact, channel, conversation: step.conversation.as_ref() };
    let sent = recipient.add_message(step.set, *content, step.access, &*step.ports.clock, &*step.ports.ids);
    let outcome = match (sent.message.status, &sent.message.error) {
        (MessageStatus::Suppressed, Some(error)) => StepOutcome::Suppressed.with(&error.code),
        (MessageStatus::Received, _) => StepOutcome::Noted.text().to_owned(),
        _ => StepOutcome::Queued.text().to_owned(),
    };
    step.conversation = Some(sent.conversation);
    Ok(ActionTrace { message: Some(sent.message.id), ..ActionTrace::with(outcome) })
}
