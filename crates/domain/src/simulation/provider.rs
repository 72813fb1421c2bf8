//! Takes every message in place of providers.

use async_trait::async_trait;

use crate::channels::{Channel, ChannelKind, Connector, Outbound, SendOutcome};
use crate::trial::Trial;

/// Takes every message of one kind of channel; it goes nowhere.
pub(super) struct SilentProvider(pub(super) ChannelKind);

#[async_trait]
impl Connector for SilentProvider {
    fn kind(&self) -> ChannelKind {
        self.0
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    async fn test(&self, _: &Channel) -> Trial {
        Trial::default()
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        SendOutcome::Accepted { provider_message_id: None }
    }
}
