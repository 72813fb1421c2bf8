//! Ports: what the domain asks of the outside. Adapters implement them; tests mock them.

mod ambient;
mod changes;
mod engine;
mod errors;
mod limits;
mod queries;

pub use ambient::{Clock, Ids, NewApiKey, NewToken, Randomness, SealError, Sealer, Secrets};
pub use changes::{
    Change, ChangeSet, Counted, Guard, IdempotencyRecord, Ledger, MAX_BYTES, MAX_ROWS, Object, StoredBody,
};
pub use engine::{Claim, ClaimRequest, ClaimedJob, EngineStore, JobKind, NewJob, Pool, StoredEvent};
pub use errors::{CommitError, Conflict, StoreError, UniqueKey};
pub use limits::{LimitedClient, RateLimiter};
pub use queries::{
    AccessQueries, AnalyticsQueries, ChannelQueries, ContactQueries, ConversationQueries, EventQueries, FieldQueries,
    FlowQueries, IdempotencyQueries, MemberQueries, ReferenceQueries, SequenceQueries, TagQueries, WebhookQueries,
};

#[cfg(any(test, feature = "mocks"))]
pub use {
    ambient::{MockClock, MockIds, MockRandomness, MockSealer, MockSecrets},
    changes::MockLedger,
    engine::MockEngineStore,
    limits::MockRateLimiter,
    queries::{
        MockAccessQueries, MockAnalyticsQueries, MockChannelQueries, MockContactQueries, MockConversationQueries,
        MockEventQueries, MockFieldQueries, MockFlowQueries, MockIdempotencyQueries, MockMemberQueries,
        MockReferenceQueries, MockSequenceQueries, MockTagQueries, MockWebhookQueries,
    },
};
