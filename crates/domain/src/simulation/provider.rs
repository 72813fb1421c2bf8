//! The simulated provider of channels.

use async_trait::async_trait;

use crate::channels::{ChannelType, Connector, Outbound, SendOutcome};

/// Accepts every message on channels of one type and sends none.
pub(crate) struct SilentProvider(pub(crate) &'static ChannelType);

#[async_trait]
impl Connector for SilentProvider {
    fn channel_type(&self) -> &'static ChannelType {
        self.0
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        SendOutcome::Accepted { provider_message_id: None }
    }
}
