//! The status and the assignee of the conversation.

use super::{ActionTrace, StepWriter};
use crate::conversations::{ConversationView, Handler};
use crate::events::{EventDraft, EventKind};
use crate::ids::{JobId, TypedId, UserId};
use crate::ports::{Change, Job, NewJob, Row};
use crate::retry::AttemptError;
use crate::step_outcome::StepOutcome;

pub(super) async fn resolve(step: &mut StepWriter<'_>) -> Result<ActionTrace, AttemptError> {
    let now = step.ports.clock.now();
    let Some(conversation) = &mut step.conversation else {
        return Ok(ActionTrace::with(StepOutcome::NoConversation.text()));
    };
    let had_people = conversation.handler == Handler::Human;
    let changed = conversation.resolve(now);
    if changed && had_people {
        let wake = Job::WakeConversation { conversation: conversation.id };
        step.set.jobs.push(NewJob::new(JobId::from_uuid(step.ports.ids.next()), wake, now));
    }
    Ok(write(step, changed, Some(EventKind::ConversationResolved), StepOutcome::Resolved.text()))
}

/// Hands the conversation over to a member, or to members without an assignee. A former member or a viewer is not
/// assigned; the conversation then has no assignee, and any member can answer the contact.
pub(super) async fn assign(step: &mut StepWriter<'_>, user: Option<String>) -> Result<ActionTrace, AttemptError> {
    let now = step.ports.clock.now();
    let fault = match &user {
        Some(user) => refusal(step, user).await?,
        None => None,
    };
    let Some(conversation) = &mut step.conversation else {
        return Ok(ActionTrace::with(StepOutcome::NoConversation.text()));
    };
    Ok(match (user, fault) {
        (Some(_), Some(code)) => {
            let changed = conversation.escalate(now);
            write(step, changed, None, StepOutcome::HandedOver.text()).after(&StepOutcome::Failed.with(code))
        }
        (Some(user), None) => {
            let changed = user.parse().is_ok_and(|user| conversation.hand_over(user, now));
            write(step, changed, Some(EventKind::ConversationAssigned), StepOutcome::Assigned.text())
        }
        (None, _) => {
            let changed = conversation.escalate(now);
            write(step, changed, None, StepOutcome::HandedOver.text())
        }
    })
}

/// Returns the code of the reason why a user cannot be assigned, if any.
async fn refusal(step: &StepWriter<'_>, user: &str) -> Result<Option<&'static str>, AttemptError> {
    let role = match user.parse::<UserId>() {
        Ok(user) => step.ports.members.role(step.access, user).await?,
        Err(_) => None,
    };
    Ok(match role {
        None => Some("unknown_member"),
        Some(role) => (!role.is_assignable()).then_some("not_assignable"),
    })
}

/// Stores the conversation if it changed.
fn write(step: &mut StepWriter<'_>, changed: bool, told: Option<EventKind>, outcome: &str) -> ActionTrace {
    let Some(conversation) = step.conversation.as_ref().filter(|_| changed) else {
        return ActionTrace::with(StepOutcome::Unchanged.text());
    };
    let event = told.map(|kind| EventDraft::new(kind, &ConversationView::from(conversation)));
    step.set.change(Change::Update(Row::Conversation(conversation.clone())));
    event.into_iter().for_each(|event| step.tell(event));
    ActionTrace::with(outcome)
}
