//! The sandbox: a provider that takes every message and reaches nobody.

use async_trait::async_trait;
use tidings_domain::channels::{Channel, ChannelKind, Connector, Outbound, SendOutcome};

/// A contact whose external id begins so is refused, so that `message.failed` can be tried out.
pub const FAILING_PREFIX: &str = "sandbox-fail";
/// The code of that refusal.
pub const REJECTED: &str = "sandbox_rejected";

/// Takes every message and keeps it in the house: nothing leaves the machine.
///
/// Messages to contacts whose external id begins with [`FAILING_PREFIX`] are rejected with the code
/// [`REJECTED`]. The provider's name for a message is `sandbox-` and the message's id.
#[derive(Debug, Clone, Copy, Default)]
pub struct SandboxConnector;

#[async_trait]
impl Connector for SandboxConnector {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Sandbox
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn is_local(&self) -> bool {
        true
    }

    async fn test(&self, _: &Channel) -> tidings_domain::trial::Trial {
        tidings_domain::trial::Trial::default()
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        if message.external_id.is_some_and(|id| id.starts_with(FAILING_PREFIX)) {
            return SendOutcome::Rejected {
                code: REJECTED.to_owned(),
                message: format!("The sandbox refuses contacts whose external_id begins with {FAILING_PREFIX}."),
            };
        }
        SendOutcome::Accepted { provider_message_id: Some(format!("sandbox-{}", message.message)) }
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;
    use tidings_domain::conversations::Content;
    use tidings_domain::ids::{ChannelId, MessageId, TypedId};
    use tidings_domain::time::Timestamp;
    use uuid::Uuid;

    use super::*;

    fn sent_to(external_id: Option<&str>) -> SendOutcome {
        block_on(SandboxConnector.send(Outbound {
            channel: Channel::sandbox(ChannelId::from_uuid(Uuid::nil()), true, Timestamp::EPOCH_2026),
            message: MessageId::from_uuid(Uuid::from_u128(0x01890a5d_ac96_774b_bcce_b302099a8057)),
            address: "contact_1".to_owned(),
            external_id: external_id.map(str::to_owned),
            content: Content::text("Hello"),
            created_at: Timestamp::EPOCH_2026,
        }))
    }

    #[test]
    fn every_message_is_accepted_under_a_name_made_from_its_id() {
        let accepted =
            SendOutcome::Accepted { provider_message_id: Some("sandbox-msg_01h455vb4pex5vsknk084sn02q".to_owned()) };
        for external_id in [None, Some("crm-1"), Some("not-sandbox-fail"), Some("Sandbox-Fail")] {
            assert_eq!(sent_to(external_id), accepted, "{external_id:?}");
        }
    }

    #[test]
    fn contacts_made_to_fail_are_rejected_for_good() {
        for external_id in ["sandbox-fail", "sandbox-fail-7"] {
            let outcome = sent_to(Some(external_id));
            assert!(matches!(outcome, SendOutcome::Rejected { code, .. } if code == "sandbox_rejected"));
        }
    }

    #[test]
    fn it_serves_sandbox_channels_and_may_be_asked_twice() {
        assert_eq!((SandboxConnector.kind(), SandboxConnector.is_idempotent()), (ChannelKind::Sandbox, true));
    }
}
