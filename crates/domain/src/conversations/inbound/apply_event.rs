//! The dispatch of a provider's event to its use case.

use super::InboundService;
use crate::access::Access;
use crate::channels::Channel;
use crate::conversations::{InboundEvent, Message};
use crate::error::Error;
use crate::outcome::Done;

impl InboundService {
    /// Stores an event of a provider. Returns the message, if the event is about one.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the event is about an unknown message, and the errors of [`InboundService::receive`].
    pub async fn apply(
        &self,
        access: &Access,
        channel: &Channel,
        event: InboundEvent,
    ) -> Result<Option<Done<Message>>, Error> {
        match event {
            InboundEvent::Message(message) => self.receive(access, channel, *message).await.map(Some),
            InboundEvent::Press(message, button) => {
                self.receive_press(access, channel, *message, &button).await.map(Some)
            }
            InboundEvent::OptOut(message) => self.receive_opt_out(access, channel, *message).await.map(Some),
            InboundEvent::Automatic(message) => self.receive_automatic(access, channel, *message).await.map(Some),
            InboundEvent::Revision(revision) => self.revise(access, channel, &revision).await.map(Some),
            InboundEvent::AddressChange(change) => self.change_address(access, channel, &change).await.map(|()| None),
            InboundEvent::Marketing(change) => self.change_marketing(access, channel, &change).await.map(|()| None),
            InboundEvent::Status(report) => self.report(access, channel, &report).await.map(Some),
            InboundEvent::Blocked(block) => self.block(access, channel, &block).await.map(|()| None),
            InboundEvent::Unblocked(unblock) => self.unblock(access, channel, &unblock).await.map(|()| None),
            InboundEvent::Complaint(complaint) => self.complain(access, channel, &complaint).await.map(|()| None),
        }
    }
}
