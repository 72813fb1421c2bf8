//! Test jobs by number, a clock that follows tokio's time, and the context of a loop.

mod scripted;
mod store;

use std::sync::Arc;
use std::time::Duration;

use tidings_domain::ids::{
    ChannelId, ContactId, ConversationId, DeliveryId, EventId, JobId, MessageId, TypedId, WebhookId, WorkspaceId,
};
use tidings_domain::memory::FixedRandomness;
use tidings_domain::ports::{ClaimedJob, Clock, EngineStore, Job};
use tidings_domain::time::Timestamp;
use tokio::time::Instant;
use uuid::Uuid;

use crate::perform::Perform;
use crate::pool::LoopContext;
use crate::settings::EngineSettings;
use crate::wake::Wake;
pub(crate) use scripted::{Script, Scripted};
pub(crate) use store::JobsInMemory;

pub(crate) fn a_job(number: u128) -> ClaimedJob {
    ClaimedJob {
        id: JobId::from_uuid(Uuid::from_u128(number)),
        workspace: WorkspaceId::from_uuid(Uuid::nil()),
        job: Job::RelayEvent { event: EventId::from_uuid(Uuid::from_u128(number)), depth: 0 },
        token: 0,
        attempts: 0,
        delivery: None,
    }
}

pub(crate) fn a_delivery(number: u128, hook: u128) -> ClaimedJob {
    let (delivery, webhook) =
        (DeliveryId::from_uuid(Uuid::from_u128(number)), WebhookId::from_uuid(Uuid::from_u128(hook)));
    ClaimedJob { job: Job::AttemptDelivery { delivery, webhook, round: 0 }, ..a_job(number) }
}

/// Returns the send of a message by a channel, outside of a conversation.
pub(crate) fn a_send_by(channel: u128, number: u128) -> ClaimedJob {
    let message = MessageId::from_uuid(Uuid::from_u128(number));
    let channel = Some(ChannelId::from_uuid(Uuid::from_u128(channel)));
    ClaimedJob { job: Job::SendMessage { message, conversation: None, channel, depth: 0 }, ..a_job(number) }
}

/// Returns the fetch of a file from the provider of a channel.
pub(crate) fn a_fetch_by(channel: u128, number: u128) -> ClaimedJob {
    let message = MessageId::from_uuid(Uuid::from_u128(number));
    let channel = Some(ChannelId::from_uuid(Uuid::from_u128(channel)));
    ClaimedJob { job: Job::FetchMedia { message, channel }, ..a_job(number) }
}

/// Returns the dependencies of a loop around a store and a performer, without a warm-up.
pub(crate) fn loop_context(store: impl EngineStore + 'static, performer: impl Perform + 'static) -> LoopContext {
    LoopContext {
        settings: EngineSettings { warm_up: Duration::ZERO, ..EngineSettings::default() },
        store: Arc::new(store),
        performer: Arc::new(performer),
        clock: Arc::new(TokioClock::default()),
        random: Arc::new(FixedRandomness(1.0)),
        wake: Wake::new(),
        heartbeat: crate::Heartbeat::new(),
    }
}

/// A clock that starts on 1 January 2026 and follows tokio's time.
pub(crate) struct TokioClock(Instant);

impl Default for TokioClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for TokioClock {
    fn now(&self) -> Timestamp {
        Timestamp::EPOCH_2026.plus(self.0.elapsed())
    }
}

pub(crate) fn a_send(number: u128) -> Job {
    let id = Uuid::from_u128(number);
    Job::SendMessage {
        message: MessageId::from_uuid(id),
        conversation: Some(ConversationId::from_uuid(id)),
        channel: None,
        depth: 0,
    }
}

/// Returns the poll of a channel.
pub(crate) fn a_poll(number: u128) -> Job {
    Job::PollChannel { channel: ChannelId::from_uuid(Uuid::from_u128(number)), round: 0 }
}

pub(crate) fn an_inbound(number: u128) -> Job {
    let id = Uuid::from_u128(number);
    Job::RouteInbound { message: MessageId::from_uuid(id), contact: ContactId::from_uuid(id) }
}
