//! Changes by contacts to earlier messages.

use super::InboundService;
use crate::access::Access;
use crate::channels::Channel;
use crate::contacts::ContactRef;
use crate::conversations::revisions::MAX_EMOJI;
use crate::conversations::{
    Direction, MAX_REACTIONS, Message, MessageReaction, MessageType, Original, Revision, RevisionKind, Revisions,
};
use crate::error::Error;
use crate::ids::MediaId;
use crate::outcome::Done;
use crate::ports::{Change, ChangeSet, ConversationChange, Row, StoreError};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;

/// The effect of a change on a message.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Revised {
    /// The message is the same: the event is repeated or late, or does not apply to the message.
    Unchanged,
    /// The message changed. It does not name these files any more.
    Changed(Vec<MediaId>),
}

impl InboundService {
    /// Applies a contact's change to an earlier message: an edit, a deletion or a reaction. No flow starts or continues,
    /// no event is sent, and the conversation does not change. Files that no other message of the contact uses become
    /// unused. A repeated or late change has no effect, and neither has one that does not apply to the message.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the channel has no such message with the contact: it is of another system, or arrives
    /// later. [`Error::Store`].
    pub async fn revise(
        &self,
        access: &Access,
        channel: &Channel,
        revision: &Revision,
    ) -> Result<Done<Message>, Error> {
        retry_on_conflict(|| async {
            let found = self.revised_message(access, channel, revision).await?;
            let mut message = found.ok_or(Error::NotFound)?;
            let released = match apply(revision, &mut message, self.ports.clock.now()) {
                Revised::Unchanged => return Ok(Done::unchanged(message)),
                Revised::Changed(released) => released,
            };
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::Update(Row::Message(Box::new(message.clone()))));
            for media in released {
                let (message, contact) = (message.id, message.contact);
                set.change(Change::Conversation(ConversationChange::ReleaseMedia { media, message, contact }));
            }
            self.ports.ledger.commit(set).await?;
            Ok::<_, AttemptError>(Done::accepted(message))
        })
        .await
    }

    /// Returns the message that a contact changed. A message with another contact is not returned.
    async fn revised_message(
        &self,
        access: &Access,
        channel: &Channel,
        revision: &Revision,
    ) -> Result<Option<Message>, StoreError> {
        let names = [(Direction::Inbound, &revision.received), (Direction::Outbound, &revision.sent)];
        for (direction, name) in names {
            let Some(name) = name else { continue };
            let found = self.ports.conversations.by_provider_id(access, channel.id, direction, name).await?;
            let Some(message) = found else { continue };
            let contact = self.ports.contacts.find(access, &ContactRef::Id(message.contact)).await?;
            let sender = self.ports.contacts.by_identity(access, channel.id, &revision.address).await?;
            let is_of_another = sender.is_some_and(|it| it.id != message.contact);
            return Ok(Some(message).filter(|_| contact.is_some() && !is_of_another));
        }
        Ok(None)
    }
}

/// Applies a contact's change to a message.
fn apply(revision: &Revision, message: &mut Message, now: Timestamp) -> Revised {
    let at = revision.at.map_or(now, |at| at.min(now));
    let is_own = message.direction == Direction::Inbound;
    let Revisions { edited_at, reacted_at, deleted_at, events, .. } = &message.revisions;
    if deleted_at.is_some() || events.contains(&revision.id) {
        return Revised::Unchanged;
    }
    let mut released = Vec::new();
    match &revision.change {
        RevisionKind::Edit(text) => {
            let is_late = edited_at.is_some_and(|last| at < last);
            let is_bare = text.is_none() && message.content.kind == MessageType::Text;
            if !is_own || is_late || is_bare || *text == message.content.text {
                return Revised::Unchanged;
            }
            let earlier = std::mem::replace(&mut message.content.text, text.clone());
            message.content.original = Original::default();
            message.revisions.keep_text(earlier, at);
            message.choice = None;
            message.revisions.edited_at = Some(at);
        }
        RevisionKind::Delete => {
            if !is_own {
                return Revised::Unchanged;
            }
            released.extend(message.content.files().map(|(_, media)| media));
            message.content.text = None;
            message.choice = None;
            message.content.subject = None;
            message.content.original = Original::default();
            message.content.attachments.clear();
            message.revisions.edits.clear();
            message.revisions.deleted_at = Some(at);
        }
        RevisionKind::React(emojis) => {
            let emojis = emojis.iter().map(|emoji| emoji.chars().take(MAX_EMOJI).collect::<String>());
            let emojis: Vec<String> = emojis.filter(|emoji| !emoji.is_empty()).take(MAX_REACTIONS).collect();
            let is_late = reacted_at.is_some_and(|last| at < last);
            if is_late || message.revisions.reactions.iter().map(|it| &it.emoji).eq(&emojis) {
                return Revised::Unchanged;
            }
            message.revisions.reactions = emojis.into_iter().map(|emoji| MessageReaction { emoji, at }).collect();
            message.revisions.reacted_at = Some(at);
        }
    }
    message.revisions.remember(&revision.id);
    message.touch(now);
    Revised::Changed(released)
}
