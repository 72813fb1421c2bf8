//! The set of ports that use cases need, each named once.

use std::sync::Arc;
use std::time::Duration;

use super::{
    AccessQueries, AccountQueries, AnalyticsQueries, AuditQueries, BroadcastQueries, BulkQueries, CatalogQueries,
    ChangeSet, ChannelQueries, Clock, ContactQueries, ConversationQueries, EngineStore, ErasureQueries, EventQueries,
    FieldQueries, FlowQueries, IdempotencyQueries, Ids, ImportQueries, JobQueries, Ledger, ListenerQueries, MediaFiles,
    MediaQueries, MemberQueries, MergeQueries, OpaqueTokens, OptOutQueries, OutboundStore, Passwords, Randomness,
    ReferenceQueries, SandboxQueries, SealedStore, Sealer, SecretQueries, Secrets, SegmentQueries, SendPacer,
    SequenceQueries, StoredQueries, TagQueries, TimelineQueries, TokenSigner, UsageStore, WebhookQueries,
};
use crate::access::Access;
use crate::audit::AuditDraft;
use crate::channels::Connectors;
use crate::events::{EventDraft, RelayingLedger};
use crate::flows::caller::HttpCaller;
use crate::ids::EventId;
use crate::media::MediaLimits;
use crate::sandboxes::SandboxLedger;
use crate::turns::Turns;
use crate::webhooks::sender::{AddressPolicy, WebhookSender};
#[cfg(any(test, feature = "mocks"))]
use crate::{
    flows::caller::MockHttpCaller,
    ports::{
        MockAccessQueries, MockAccountQueries, MockAnalyticsQueries, MockAuditQueries, MockBroadcastQueries,
        MockBulkQueries, MockCatalogQueries, MockChannelQueries, MockClock, MockContactQueries,
        MockConversationQueries, MockEngineStore, MockErasureQueries, MockEventQueries, MockFieldQueries,
        MockFlowQueries, MockIdempotencyQueries, MockIds, MockImportQueries, MockJobQueries, MockLedger,
        MockListenerQueries, MockMediaFiles, MockMediaQueries, MockMemberQueries, MockMergeQueries, MockOpaqueTokens,
        MockOptOutQueries, MockOutboundStore, MockPasswords, MockRandomness, MockReferenceQueries, MockSandboxQueries,
        MockSealedStore, MockSealer, MockSecretQueries, MockSecrets, MockSegmentQueries, MockSendPacer,
        MockSequenceQueries, MockStoredQueries, MockTagQueries, MockTimelineQueries, MockTokenSigner, MockUsageStore,
        MockWebhookQueries,
    },
    webhooks::sender::{MockAddressPolicy, MockWebhookSender},
};

macro_rules! ports {
    (
        [store { $($(#[$kept_doc:meta])* $kept:ident: $store:ident, $kept_mock:ident;)* }
        environment { $($(#[$given_doc:meta])* $given:ident: $giver:ident, $given_mock:ident;)* }]
        [$(
            $(#[$doc:meta])*
            $name:ident in $module:ident {
                id: $id:ident = $prefix:literal, table: $table:ident, hint: $word:literal $audience:ident,
                limit: $limit:literal $counted:literal, unique: $unique:tt, audit: $audit:tt,
                text: $text:tt beside $beside:tt, bytes: $bytes:tt, reads: [$($object:ident as $view:ident)?],
            }
        )*]
    ) => {
        /// A store: the ledger, and every port that reads or maintains its data.
        pub trait Store: 'static $(+ $store)* $($(+ StoredQueries<crate::$module::$object>)?)* {}

        impl<S: 'static $(+ $store)* $($(+ StoredQueries<crate::$module::$object>)?)*> Store for S {}

        /// The ports of all use cases. Each service takes the whole set and uses the ports that it needs. Name a port
        /// to replace it: `Ports { clock, ..ports }`.
        #[derive(Clone)]
        pub struct Ports {
            $($(#[$kept_doc])* pub $kept: Arc<dyn $store>,)*
            $($(
                #[doc = concat!("Reads objects of the kind `", stringify!($object), "`.")]
                pub $table: Arc<dyn StoredQueries<crate::$module::$object>>,
            )?)*
            $($(#[$given_doc])* pub $given: Arc<dyn $giver>,)*
            /// The connectors, one for each supported channel type.
            pub connectors: Connectors,
            /// The queues of requests and jobs about the same object.
            pub turns: Arc<Turns>,
            /// Whether runs record why their nodes chose a branch. Only simulations set it.
            pub explains: bool,
            /// The lead of the clock over the store's clock, which decides when jobs are due.
            pub ahead: Duration,
            /// The public URL of the server, with which links to files begin; empty if it is unknown.
            pub public_url: Arc<str>,
            /// The limits of files.
            pub media_limits: MediaLimits,
        }

        /// The ports of use cases that are not part of a store.
        #[derive(Clone)]
        pub struct Environment {
            $($(#[$given_doc])* pub $given: Arc<dyn $giver>,)*
            /// The connectors, one for each supported channel type.
            pub connectors: Connectors,
        }

        impl Ports {
            /// Combines a store with an environment. Committed events are relayed to their listeners.
            pub fn over<S: Store>(store: Arc<S>, environment: Environment) -> Self {
                let Environment { $($given,)* connectors } = environment;
                let ports = Self { $($kept: store.clone(),)* $($($table: store.clone() as Arc<dyn StoredQueries<crate::$module::$object>>,)?)* $($given,)* connectors, turns: Arc::default(), explains: false, ahead: Duration::ZERO, public_url: Arc::default(), media_limits: MediaLimits::default() };
                let ledger = ports.ledger.clone();
                ports.through(ledger)
            }

            /// Replaces the store's ledger, below the ledgers that relay events and shift sandbox clocks.
            pub fn through(self, ledger: Arc<dyn Ledger>) -> Self {
                let ledger = SandboxLedger::new(ledger, self.sandboxes.clone(), self.clock.clone());
                let ledger = RelayingLedger::new(Arc::new(ledger), self.listeners.clone(), self.ids.clone());
                Self { ledger: Arc::new(ledger), ..self }
            }

            /// Returns mocks that expect no call, also of the clock and the IDs.
            #[cfg(any(test, feature = "mocks"))]
            pub(crate) fn strictly_mocked() -> Self {
                Self {
                    $($kept: Arc::new($kept_mock::new()),)*
                    $($($table: Arc::new(MockStoredQueries::<crate::$module::$object>::new()),)?)*
                    $($given: Arc::new($given_mock::new()),)*
                    connectors: Connectors::default(),
                    turns: Arc::default(),
                    explains: false,
                    ahead: Duration::ZERO,
                    public_url: Arc::default(),
                    media_limits: MediaLimits::default(),
                }
            }
        }
    };
}

crate::for_each_stored!(ports {
    store {
        /// Writes change sets.
        ledger: Ledger, MockLedger;
        /// Reads workspaces and keys.
        access: AccessQueries, MockAccessQueries;
        /// Reads users and their sessions.
        accounts: AccountQueries, MockAccountQueries;
        /// Reads members and invitations.
        members: MemberQueries, MockMemberQueries;
        /// Reads the audit log.
        audit: AuditQueries, MockAuditQueries;
        /// Reads and writes the usage log.
        usage: UsageStore, MockUsageStore;
        /// Reads idempotency records.
        idempotency: IdempotencyQueries, MockIdempotencyQueries;
        /// Reads contacts.
        contacts: ContactQueries, MockContactQueries;
        /// Reads tags.
        tags: TagQueries, MockTagQueries;
        /// Reads custom fields and bot fields.
        fields: FieldQueries, MockFieldQueries;
        /// Reads secrets of workspaces.
        workspace_secrets: SecretQueries, MockSecretQueries;
        /// Reads unfinished jobs.
        jobs: JobQueries, MockJobQueries;
        /// Reads references between objects.
        references: ReferenceQueries, MockReferenceQueries;
        /// Reads the objects that flows refer to.
        catalog: CatalogQueries, MockCatalogQueries;
        /// Reads channels.
        channels: ChannelQueries, MockChannelQueries;
        /// Reads conversations and messages.
        conversations: ConversationQueries, MockConversationQueries;
        /// Reads flows and runs.
        flows: FlowQueries, MockFlowQueries;
        /// Reads files, without their bytes.
        media: MediaQueries, MockMediaQueries;
        /// Reads segments.
        segments: SegmentQueries, MockSegmentQueries;
        /// Reads broadcasts and their recipients.
        broadcasts: BroadcastQueries, MockBroadcastQueries;
        /// Reads bulk operations.
        bulk: BulkQueries, MockBulkQueries;
        /// Reads imports.
        imports: ImportQueries, MockImportQueries;
        /// Reads sequences and enrollments.
        sequences: SequenceQueries, MockSequenceQueries;
        /// Reads webhooks and deliveries.
        webhooks: WebhookQueries, MockWebhookQueries;
        /// Reads the feed of events.
        events: EventQueries, MockEventQueries;
        /// Reads listeners of events.
        listeners: ListenerQueries, MockListenerQueries;
        /// Reads analytics counters.
        analytics: AnalyticsQueries, MockAnalyticsQueries;
        /// Reads timelines of contacts.
        timeline: TimelineQueries, MockTimelineQueries;
        /// Reads the progress of erasures.
        erasures: ErasureQueries, MockErasureQueries;
        /// Reads merges of contacts.
        merges: MergeQueries, MockMergeQueries;
        /// Reads opt-outs of deleted contacts.
        opt_outs: OptOutQueries, MockOptOutQueries;
        /// Claims due jobs.
        engine: EngineStore, MockEngineStore;
        /// Reads and sets pauses of outbound sending.
        outbound: OutboundStore, MockOutboundStore;
        /// Reads the clocks of sandboxes.
        sandboxes: SandboxQueries, MockSandboxQueries;
        /// Reads and replaces sealed values.
        sealed: SealedStore, MockSealedStore;
    }
    environment {
        /// Returns the time.
        clock: Clock, MockClock;
        /// Generates IDs.
        ids: Ids, MockIds;
        /// Generates random numbers.
        random: Randomness, MockRandomness;
        /// Generates secrets.
        secrets: Secrets, MockSecrets;
        /// Encrypts secrets at rest.
        sealer: Sealer, MockSealer;
        /// Hashes passwords.
        passwords: Passwords, MockPasswords;
        /// Generates opaque tokens.
        tokens: OpaqueTokens, MockOpaqueTokens;
        /// Signs access tokens.
        signer: TokenSigner, MockTokenSigner;
        /// Decides which addresses may be called.
        addresses: AddressPolicy, MockAddressPolicy;
        /// Sends deliveries to webhooks.
        sender: WebhookSender, MockWebhookSender;
        /// Makes the HTTP calls of flows.
        caller: HttpCaller, MockHttpCaller;
        /// Stores the bytes of files.
        media_files: MediaFiles, MockMediaFiles;
        /// Spreads the calls of channels over time.
        pacer: SendPacer, MockSendPacer;
    }
});

impl Ports {
    /// Adds an event to a set, as [`ChangeSet::tell`] with this clock and these IDs.
    pub(crate) fn add_event(&self, draft: EventDraft, access: &Access, set: &mut ChangeSet) -> EventId {
        set.tell(draft, access, &*self.clock, &*self.ids)
    }

    /// Adds an entry to the audit log to a set, as [`ChangeSet::audit`] with this clock and these IDs.
    pub(crate) fn add_audit(&self, draft: impl Into<Option<AuditDraft>>, access: &Access, set: &mut ChangeSet) {
        set.audit(draft, access, &*self.clock, &*self.ids);
    }
}
