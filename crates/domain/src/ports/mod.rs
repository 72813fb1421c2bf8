//! Ports: interfaces between the domain and the outside. Adapters implement them; tests mock them.

mod accounts;
mod ambient;
mod automation_queries;
mod bag;
mod bulk;
mod changes;
mod claim;
mod claimed_job;
mod credentials;
mod engine;
mod erasures;
mod errors;
mod hint_bus;
mod imports;
mod jobs;
mod limits;
mod media;
mod merges;
mod opt_outs;
mod outbound;
mod pace;
mod queries;
mod sandboxes;
mod sealed;
mod stored;
mod timeline;

/// The changes of each subject, for [`Change`].
pub use crate::{
    access::{AccessChange, AccountChange, Founding},
    analytics::AnalyticsChange,
    broadcasts::BroadcastChange,
    channels::ChannelChange,
    contacts::ContactChange,
    conversations::ConversationChange,
    erasures::ErasureChange,
    fields::FieldChange,
    flows::FlowChange,
    imports::ImportChange,
    merges::MergeChange,
    opt_outs::OptOutChange,
    references::ReferenceChange,
    sandboxes::SandboxChange,
    sequences::SequenceChange,
    tags::TagChange,
    webhooks::WebhookChange,
};
pub use accounts::{AccountQueries, UsageStore};
pub use ambient::{Clock, Ids, NewApiKey, NewToken, Randomness, SealError, SealedBy, Sealer, Secrets};
pub use automation_queries::{BroadcastQueries, FlowQueries, SegmentQueries, SequenceQueries};
pub use bag::{Environment, Ports, Store};
pub use bulk::BulkQueries;
pub use changes::{
    Change, ChangeSet, Counted, Due, Guard, HeldUntil, IdempotencyRecord, JobChange, Ledger, MAX_BYTES, MAX_ROWS,
    Object, RecordKey, RejectedChangeSet, Row, RowEffect, ShownObject, StoredBody,
};
pub use claim::{Claim, HeldClaim};
pub use claimed_job::ClaimedJob;
pub use credentials::{AccessClaims, OpaqueToken, OpaqueTokens, Passwords, TokenSigner, TooBusy, Waiting};
pub use engine::{ClaimRequest, ConnectedChannel, DeletedContact, EngineStore, Lease, StoredEvent, SweepPlace};
pub use erasures::ErasureQueries;
pub use errors::{CommitError, Conflict, StoreError, UniqueKey};
pub use hint_bus::{HintBus, HintBusConnection};
pub use imports::ImportQueries;
pub(crate) use jobs::for_each_job;
pub use jobs::{ExtraIds, Job, JobColumns, JobKind, NewJob, Pool, PortionPlace};
pub use limits::{LimitedClient, RateLimiter};
pub use media::{FilePlace, FileWriter, MediaFiles, MediaQueries, WrittenFile};
pub use merges::MergeQueries;
pub use opt_outs::{OptOutQueries, Remembered};
pub use outbound::{OutboundStore, PausedBy, Pauses, StoreHold};
pub use pace::{Booking, BucketCall, PacedCall, RefusedCall, SendPacer, SharedBuckets, Urgency};
pub use queries::{
    AccessQueries, AnalyticsQueries, AuditQueries, CatalogQueries, ChannelQueries, ContactQueries, ConversationQueries,
    EventQueries, FieldQueries, IdempotencyQueries, JobQueries, ListenerQueries, MemberQueries, ReferenceQueries,
    SecretQueries, TagQueries, WebhookQueries,
};
pub use sandboxes::{Agenda, SandboxQueries};
pub use sealed::{PlainHeaders, SealedKind, SealedPlace, SealedRow, SealedStore, SealedValue};
pub use stored::StoredQueries;
pub use timeline::TimelineQueries;

#[cfg(any(test, feature = "mocks"))]
pub use {
    accounts::{MockAccountQueries, MockUsageStore},
    ambient::{MockClock, MockIds, MockRandomness, MockSealer, MockSecrets},
    automation_queries::{MockBroadcastQueries, MockFlowQueries, MockSegmentQueries, MockSequenceQueries},
    bulk::MockBulkQueries,
    changes::MockLedger,
    credentials::{MockOpaqueTokens, MockPasswords, MockTokenSigner},
    engine::MockEngineStore,
    erasures::MockErasureQueries,
    hint_bus::{MockHintBus, MockHintBusConnection},
    imports::MockImportQueries,
    limits::MockRateLimiter,
    media::{MockMediaFiles, MockMediaQueries},
    merges::MockMergeQueries,
    opt_outs::MockOptOutQueries,
    outbound::MockOutboundStore,
    pace::MockSendPacer,
    queries::{
        MockAccessQueries, MockAnalyticsQueries, MockAuditQueries, MockCatalogQueries, MockChannelQueries,
        MockContactQueries, MockConversationQueries, MockEventQueries, MockFieldQueries, MockIdempotencyQueries,
        MockJobQueries, MockListenerQueries, MockMemberQueries, MockReferenceQueries, MockSecretQueries,
        MockTagQueries, MockWebhookQueries,
    },
    sandboxes::MockSandboxQueries,
    sealed::MockSealedStore,
    stored::MockStoredQueries,
    timeline::MockTimelineQueries,
};
