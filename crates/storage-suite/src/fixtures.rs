//! Test objects with defaults for all fields that a case does not set.

mod catalog;
mod deliveries;
mod flows;
mod messages;
mod places;
mod work;
mod world;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tidings_domain::ids::TypedId;
use tidings_domain::ports::{CommitError, Conflict};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

pub use catalog::{a_bot_field, a_field, a_saved_reply, a_secret, a_segment};
pub use deliveries::{a_delivery, a_replay, a_webhook, an_answer, an_event, nothing};
pub use flows::{a_custom_event, a_flow, a_flow_version, a_run, a_schedule, a_sequence, an_enrollment};
pub use messages::{a_conversation, a_message, an_inbound_message, an_unparsed_request};
pub use places::{a_channel, a_key, a_sandbox, a_user, an_http_channel, an_invitation};
pub use work::{a_broadcast, a_bulk_operation, an_import};
pub use world::World;

/// The time of all cases: in the past of every real clock.
pub const NOW: Timestamp = Timestamp::EPOCH_2026;

/// Returns the time `seconds` after [`NOW`].
pub fn at(seconds: u64) -> Timestamp {
    NOW.plus(Duration::from_secs(seconds))
}

/// Returns a new ID, greater than all earlier ones: a UUIDv7 with a counter.
pub fn id<I: TypedId>() -> I {
    I::from_uuid(uuid())
}

/// As [`id`], without a type.
pub fn uuid() -> Uuid {
    static MADE: AtomicU64 = AtomicU64::new(1);
    let number = u128::from(MADE.fetch_add(1, Ordering::SeqCst));
    let millis = u128::try_from(NOW.millis()).unwrap() + (number >> 12);
    Uuid::from_u128(millis << 80 | 7 << 76 | (number & 0xfff) << 64 | 0b10 << 62 | number)
}

/// Returns the conflict of a commit.
#[track_caller]
pub fn conflict(outcome: Result<(), CommitError>) -> Conflict {
    match outcome {
        Err(CommitError::Conflict(conflict)) => conflict,
        other => panic!("expected a conflict, not {other:?}"),
    }
}
