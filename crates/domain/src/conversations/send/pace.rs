//! The pace of a channel. A message that must wait for it stays as it is.

use std::time::Duration;

use super::super::Message;
use super::MessageSender;
use crate::access::{Access, ActorKind};
use crate::channels::{Connector, Outbound, RetryScope, SendOutcome};
use crate::ports::{ChangeSet, ClaimedJob, PacedCall, RefusedCall, Urgency};
use crate::retry::AttemptError;
use crate::work::ignore_lost_claim;

/// The wait of the other messages of a channel, if the provider states none.
const SHORTEST_WAIT: Duration = Duration::from_secs(10);

impl MessageSender {
    /// Waits for the pace of the channel and the recipient, before the start of the call is stored. Returns false if
    /// the message must wait longer: its job is put off, which does not count as an attempt.
    pub(super) async fn await_pace(
        &self,
        access: &Access,
        job: &ClaimedJob,
        connector: &dyn Connector,
        (message, sender): (&Outbound, ActorKind),
    ) -> Result<bool, AttemptError> {
        let pace = connector.pace(&message.channel);
        let (channel, address) = (message.channel.id, message.address.clone());
        let call = PacedCall { channel, address, pace, urgency: urgency_of(sender) };
        let Err(wait) = self.ports.pacer.admit(&call).await else { return Ok(true) };
        let mut set = ChangeSet::new(access.workspace());
        set.change(job.reschedule(self.ports.clock.now().plus(wait), None));
        ignore_lost_claim(self.ports.ledger.commit(set).await)?;
        Ok(false)
    }

    /// Lets the other messages of a channel wait, if the provider did not accept this one now for a reason that applies
    /// to them. Otherwise each of them would be refused, and use up its attempts.
    pub(super) fn put_off_others(&self, message: &Message, outcome: &SendOutcome) {
        let SendOutcome::TryLater { after, scope, .. } = outcome else { return };
        match scope {
            RetryScope::Recipient => {}
            RetryScope::Channel | RetryScope::Unstated => {
                let address = message.address.clone().unwrap_or_default();
                let wait = after.unwrap_or(SHORTEST_WAIT);
                let refused = RefusedCall { channel: message.channel, address, scope: *scope, wait };
                self.ports.pacer.put_off(&refused);
            }
        }
    }
}

/// Returns the urgency of the messages of a sender.
fn urgency_of(sender: ActorKind) -> Urgency {
    match sender {
        ActorKind::User | ActorKind::ApiKey | ActorKind::Contact | ActorKind::System => Urgency::Direct,
        ActorKind::Flow | ActorKind::Sequence | ActorKind::Schedule => Urgency::Flow,
        ActorKind::Broadcast => Urgency::Broadcast,
    }
}
