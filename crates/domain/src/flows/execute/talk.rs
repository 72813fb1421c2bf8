//! What a run does to the conversation: it speaks, notes, hands over, resolves.

use super::RunExecutor;
use super::context::StepContext;
use crate::access::Access;
use crate::contacts::Contact;
use crate::conversations::{Content, Conversation, ConversationView, MessageStatus, Recipient};
use crate::events::{EventDraft, EventKind};
use crate::flows::Effect;
use crate::ids::MessageId;
use crate::ports::{Change, ChangeSet, Row};

impl RunExecutor {
    /// Adds a message; returns it with what came of it.
    pub(super) fn say(
        &self,
        access: &Access,
        (context, contact): (&StepContext, &Contact),
        conversation: &mut Option<Conversation>,
        content: Content,
        set: &mut ChangeSet,
    ) -> Option<(MessageId, String)> {
        let channel = context.channel.as_ref()?;
        let recipient = Recipient { contact, channel, conversation: conversation.as_ref() };
        let sent = recipient.add_message(set, content, access, &*self.ports.clock, &*self.ports.ids);
        let outcome = match (sent.message.status, &sent.message.error) {
            (MessageStatus::Suppressed, Some(error)) => format!("suppressed: {}", error.code),
            (MessageStatus::Received, _) => "noted".to_owned(),
            _ => "queued".to_owned(),
        };
        *conversation = Some(sent.conversation);
        Some((sent.message.id, outcome))
    }

    /// Resolves the conversation or hands it to people; returns what came of it.
    pub(super) fn change_conversation(
        &self,
        access: &Access,
        conversation: &mut Option<Conversation>,
        effect: &Effect,
        set: &mut ChangeSet,
    ) -> String {
        let Some(conversation) = conversation else { return "there is no conversation".to_owned() };
        let now = self.ports.clock.now();
        let (changed, told, outcome) = match effect {
            Effect::ResolveConversation => {
                (conversation.resolve(now), Some(EventKind::ConversationResolved), "resolved")
            }
            Effect::AssignConversation(Some(user)) => {
                let changed = user.parse().is_ok_and(|user| conversation.assign(Some(user), now));
                (changed, Some(EventKind::ConversationAssigned), "assigned")
            }
            _ => (conversation.escalate(now), None, "handed to people"),
        };
        if !changed {
            return "already so".to_owned();
        }
        set.change(Change::Update(Row::Conversation(conversation.clone())));
        if let Some(kind) = told {
            let event = EventDraft::new(kind, &ConversationView::from(&*conversation)).about(conversation.contact);
            set.tell(event, access, &*self.ports.clock, &*self.ports.ids);
        }
        outcome.to_owned()
    }
}
