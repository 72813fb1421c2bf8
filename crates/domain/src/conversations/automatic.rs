//! Messages to contacts that neither a person nor a client of the API decided to send.

use std::time::Duration;

use super::MessageStatus;
use crate::access::ActorKind;

/// How long a message can be queued before it is sent, with some reserve: a channel waits for its provider for at most 7
/// days.
pub const LONGEST_QUEUED: Duration = Duration::from_secs(8 * 86_400);

/// Whether the messages of this sender are automatic.
pub fn is_automatic(sender: ActorKind) -> bool {
    match sender {
        ActorKind::Flow | ActorKind::Sequence | ActorKind::Schedule | ActorKind::Broadcast | ActorKind::System => true,
        ActorKind::ApiKey | ActorKind::User | ActorKind::Contact => false,
    }
}

/// Whether the contact may have a message with this status.
pub fn may_have_arrived(status: MessageStatus) -> bool {
    use MessageStatus::{Delivered, Failed, Queued, Read, Received, Sending, Sent, Suppressed, Uncertain};
    match status {
        Uncertain | Sent | Delivered | Read => true,
        Queued | Sending | Failed | Suppressed | Received => false,
    }
}
