//! Whose the conversation is, and whether it is over.

use super::{Done, StepWriter};
use crate::conversations::{ConversationView, Handler};
use crate::events::{EventDraft, EventKind};
use crate::ids::{JobId, TypedId};
use crate::ports::{Change, Job, NewJob, Row};
use crate::retry::AttemptError;

/// Resolves the conversation.
pub(super) async fn resolve(step: &mut StepWriter<'_>) -> Result<Done, AttemptError> {
    let now = step.ports.clock.now();
    let Some(conversation) = &mut step.conversation else { return Ok(Done::with(NONE)) };
    let had_people = conversation.handler == Handler::Human;
    let changed = conversation.resolve(now);
    if changed && had_people {
        let wake = Job::WakeConversation { conversation: conversation.id };
        step.set.jobs.push(NewJob::new(JobId::from_uuid(step.ports.ids.next()), wake, now));
    }
    Ok(write(step, changed, Some(EventKind::ConversationResolved), "resolved"))
}

/// Hands the conversation to a member, or to nobody in particular.
pub(super) async fn assign(step: &mut StepWriter<'_>, user: Option<String>) -> Result<Done, AttemptError> {
    let now = step.ports.clock.now();
    let Some(conversation) = &mut step.conversation else { return Ok(Done::with(NONE)) };
    let (changed, told, outcome) = match user {
        Some(user) => {
            let changed = user.parse().is_ok_and(|user| conversation.hand_over(user, now));
            (changed, Some(EventKind::ConversationAssigned), "assigned")
        }
        None => (conversation.escalate(now), None, "handed over to agents"),
    };
    Ok(write(step, changed, told, outcome))
}

const NONE: &str = "no conversation";

/// Writes the conversation where it changed.
fn write(step: &mut StepWriter<'_>, changed: bool, told: Option<EventKind>, outcome: &str) -> Done {
    let Some(conversation) = step.conversation.as_ref().filter(|_| changed) else { return Done::with("unchanged") };
    let event = told.map(|kind| EventDraft::new(kind, &ConversationView::from(conversation)));
    step.set.change(Change::Update(Row::Conversation(conversation.clone())));
    event.into_iter().for_each(|event| step.tell(event));
    Done::with(outcome)
}
