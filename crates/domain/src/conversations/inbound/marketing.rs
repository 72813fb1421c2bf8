//! Contacts who stop or resume marketing messages at the provider.

use super::InboundService;
use super::sender::spellings;
use crate::access::{Access, Actor};
use crate::channels::Channel;
use crate::conversations::MarketingChange;
use crate::error::Error;
use crate::ports::{Change, ChangeSet, Row};
use crate::retry::{AttemptError, retry_on_conflict};

impl InboundService {
    /// Stores that a contact stopped or resumed marketing messages on the channel. A repetition has no effect, and
    /// neither has a change of a contact without a conversation on the channel.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn change_marketing(
        &self,
        access: &Access,
        channel: &Channel,
        change: &MarketingChange,
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut contact = None;
            for address in spellings(&change.addresses) {
                contact = self.ports.contacts.by_identity(access, channel.id, &address).await?;
                if contact.is_some() {
                    break;
                }
            }
            let Some(contact) = contact else { return Ok(()) };
            let found = self.ports.conversations.between(access, contact.id, channel.id).await?;
            let Some(mut conversation) = found else { return Ok(()) };
            let now = self.ports.clock.now();
            let marketing = conversation.marketing.joined(change.preference(now));
            if marketing != conversation.marketing {
                conversation.marketing = marketing;
                conversation.version += 1;
                conversation.updated_at = now.max(conversation.updated_at);
                let access = access.acting_as(Actor::contact(contact.id));
                let mut set = ChangeSet::new(access.workspace());
                set.change(Change::Update(Row::Conversation(conversation)));
                self.ports.ledger.commit(set).await?;
            }
            Ok::<_, AttemptError>(())
        })
        .await
    }
}
