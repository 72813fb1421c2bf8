//! The sandbox: a simulated provider that accepts every message, sends nothing, and simulates the contact's side.

use std::time::Duration;

use async_trait::async_trait;
use tidings_domain::channels::{Act, ChannelType, Connector, Outbound, RetryScope, SANDBOX, ScheduledAct, SendOutcome};

/// The error code of a rejected message.
pub const REJECTED: &str = "sandbox_rejected";
/// The delay of a simulated reply.
pub const ANSWERS_AFTER: Duration = Duration::from_secs(1);
/// The delay of each step of a slow provider.
pub const SLOW_STEP: Duration = Duration::from_secs(30);
/// The time until a report follows an uncertain outcome.
pub const REPORTS_AFTER: Duration = Duration::from_secs(60);

/// The behaviour of the sandbox towards a contact. The prefix of the contact's external ID selects it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behaviour {
    /// Every message is rejected.
    Fail,
    /// Messages are accepted after 30 seconds; delivery and read reports take longer.
    Slow,
    /// The contact opts out after the first message.
    OptOut,
    /// The contact replies to every message.
    Reply,
    /// The outcome of every message is uncertain until a report says that it was delivered.
    Uncertain,
    /// The outcome of every message is uncertain until a report says that it failed.
    UncertainFailed,
}

impl Behaviour {
    /// The external ID prefixes with their behaviours. The first match applies, so longer prefixes come first.
    const ALL: [(&str, Self); 6] = [
        ("sandbox-fail", Self::Fail),
        ("sandbox-slow", Self::Slow),
        ("sandbox-optout", Self::OptOut),
        ("sandbox-reply", Self::Reply),
        ("sandbox-uncertain-failed", Self::UncertainFailed),
        ("sandbox-uncertain", Self::Uncertain),
    ];

    fn of(message: &Outbound) -> Option<Self> {
        let external_id = message.external_id.as_deref()?;
        Self::ALL.into_iter().find(|(beginning, _)| external_id.starts_with(beginning)).map(|(_, it)| it)
    }
}

/// Accepts every message and sends nothing outside this machine.
///
/// The prefix of the contact's external ID selects the behaviour: see `docs/reference/sandbox.md`. The provider message
/// ID is `sandbox-` and the message's ID.
#[derive(Debug, Clone, Copy, Default)]
pub struct SandboxConnector;

#[async_trait]
impl Connector for SandboxConnector {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn is_local(&self) -> bool {
        true
    }

    fn plays(&self, message: &Outbound) -> Vec<ScheduledAct> {
        let after = |after, act| ScheduledAct { after, act };
        match Behaviour::of(message) {
            None | Some(Behaviour::Fail) => Vec::new(),
            Some(Behaviour::Uncertain) => vec![after(REPORTS_AFTER, Act::Deliver)],
            Some(Behaviour::UncertainFailed) => {
                let why = "the sandbox simulates a lost message, because the external_id of the contact starts with \
                           sandbox-uncertain-failed";
                vec![after(REPORTS_AFTER, Act::Fail(why.to_owned()))]
            }
            Some(Behaviour::Slow) => vec![after(SLOW_STEP, Act::Deliver), after(SLOW_STEP * 2, Act::Read)],
            Some(Behaviour::OptOut) => vec![after(ANSWERS_AFTER, Act::Leave)],
            Some(Behaviour::Reply) => {
                let choice = message.content.quick_replies.first().map(|reply| reply.title.clone());
                vec![after(ANSWERS_AFTER, Act::Say(choice.unwrap_or_else(|| "ok".to_owned())))]
            }
        }
    }

    async fn send(&self, message: Outbound) -> SendOutcome {
        match Behaviour::of(&message) {
            Some(Behaviour::Fail) => SendOutcome::Rejected {
                code: REJECTED.to_owned(),
                message: "The sandbox simulates a rejection, because the external_id of the contact starts with \
                          sandbox-fail."
                    .into(),
            },
            Some(Behaviour::Uncertain | Behaviour::UncertainFailed) => SendOutcome::Unknown {
                message:
                    "the sandbox simulates an unknown outcome, because the external_id of the contact starts with \
                     sandbox-uncertain"
                        .into(),
            },
            Some(Behaviour::Slow) if message.attempts == 0 => SendOutcome::TryLater {
                after: Some(SLOW_STEP),
                scope: RetryScope::Recipient,
                message: "the sandbox simulates a slow provider, because the external_id of the contact starts with \
                          sandbox-slow"
                    .into(),
            },
            None | Some(Behaviour::Slow | Behaviour::OptOut | Behaviour::Reply) => {
                SendOutcome::Accepted { provider_message_id: Some(format!("sandbox-{}", message.message)) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;
    use tidings_domain::channels::{Channel, SendContext};
    use tidings_domain::conversations::{Content, QuickReply};
    use tidings_domain::ids::{ChannelId, MessageId, TypedId};
    use tidings_domain::time::Timestamp;
    use uuid::Uuid;

    use super::*;

    fn to(external_id: Option<&str>) -> Outbound {
        Outbound {
            channel: Channel::sandbox(ChannelId::from_uuid(Uuid::nil()), true, Timestamp::EPOCH_2026),
            message: MessageId::from_uuid(Uuid::from_u128(0x01890a5d_ac96_774b_bcce_b302099a8057)),
            address: "contact_1".to_owned(),
            external_id: external_id.map(str::to_owned),
            content: Content::text("Hello"),
            created_at: Timestamp::EPOCH_2026,
            attempts: 0,
            context: SendContext::default(),
        }
    }

    fn send_outcome(message: &Outbound) -> SendOutcome {
        block_on(SandboxConnector.send(message.clone()))
    }

    fn accepted() -> SendOutcome {
        SendOutcome::Accepted { provider_message_id: Some("sandbox-msg_01h455vb4pex5vsknk084sn02q".to_owned()) }
    }

    #[test]
    fn accepts_messages_to_ordinary_contacts() {
        for external_id in [None, Some("crm-1"), Some("not-sandbox-fail"), Some("Sandbox-Fail"), Some("sandbox-")] {
            let message = to(external_id);
            assert_eq!(send_outcome(&message), accepted(), "{external_id:?}");
            assert_eq!(SandboxConnector.plays(&message), [], "{external_id:?}");
        }
    }

    #[test]
    fn rejects_messages_to_failing_contacts() {
        for external_id in ["sandbox-fail", "sandbox-fail-7"] {
            let outcome = send_outcome(&to(Some(external_id)));
            assert!(matches!(outcome, SendOutcome::Rejected { code, .. } if code == "sandbox_rejected"));
        }
    }

    #[test]
    fn reports_an_uncertain_message_a_minute_later() {
        for (external_id, arrives) in
            [("sandbox-uncertain", true), ("sandbox-uncertain-1", true), ("sandbox-uncertain-failed-1", false)]
        {
            let message = to(Some(external_id));
            assert!(matches!(send_outcome(&message), SendOutcome::Unknown { .. }), "{external_id}");
            let plays = SandboxConnector.plays(&message);
            assert_eq!(plays.iter().map(|it| it.after).collect::<Vec<_>>(), [REPORTS_AFTER], "{external_id}");
            assert_eq!(plays[0].act == Act::Deliver, arrives, "{external_id}");
            assert_eq!(matches!(plays[0].act, Act::Fail(_)), !arrives, "{external_id}");
        }
    }

    #[test]
    fn postpones_a_slow_message_once_and_reports_later() {
        let first = to(Some("sandbox-slow"));
        let seconds = |seconds| Duration::from_secs(seconds);
        assert!(
            matches!(send_outcome(&first), SendOutcome::TryLater { after: Some(after), .. } if after == seconds(30))
        );
        let again = Outbound { attempts: 1, ..first };
        assert_eq!(send_outcome(&again), accepted());
        let plays = [(30, Act::Deliver), (60, Act::Read)];
        assert_eq!(
            SandboxConnector.plays(&again),
            plays.map(|(after, act)| ScheduledAct { after: seconds(after), act })
        );
    }

    #[test]
    fn simulates_replies_and_opt_outs() {
        let act = |message: &Outbound| {
            assert_eq!(send_outcome(message), accepted());
            SandboxConnector.plays(message).into_iter().map(|it| it.act).collect::<Vec<_>>()
        };
        assert_eq!(act(&to(Some("sandbox-optout-1"))), [Act::Leave]);
        let mut asked = to(Some("sandbox-reply"));
        assert_eq!(act(&asked), [Act::Say("ok".to_owned())]);
        let choices = ["Some", "None"].map(|title| QuickReply { title: title.to_owned(), payload: None });
        asked.content.quick_replies = choices.to_vec();
        assert_eq!(act(&asked), [Act::Say("Some".to_owned())]);
    }

    #[test]
    fn serves_sandbox_channels_and_is_idempotent() {
        assert_eq!((SandboxConnector.kind(), SandboxConnector.is_idempotent()), (SANDBOX.kind, true));
    }
}
