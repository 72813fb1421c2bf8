//! The bag of ports: all that use cases ask of the outside, each port named once.

use std::sync::Arc;
use std::time::Duration;

use super::{
    AccessQueries, AccountQueries, AnalyticsQueries, AuditQueries, BroadcastQueries, BulkQueries, CatalogQueries,
    ChannelQueries, Clock, ContactQueries, ConversationQueries, EngineStore, ErasureQueries, EventQueries,
    FieldQueries, FlowQueries, IdempotencyQueries, Ids, ImportQueries, JobQueries, Ledger, ListenerQueries,
    MemberQueries, MergeQueries, OpaqueTokens, OptOutQueries, OutboundStore, Passwords, Randomness, ReferenceQueries,
    SandboxQueries, SealedStore, Sealer, SecretQueries, Secrets, SegmentQueries, SequenceQueries, StoredQueries,
    TagQueries, TimelineQueries, TokenSigner, UsageStore, WebhookQueries,
};
use crate::channels::Connectors;
use crate::events::RelayingLedger;
use crate::flows::caller::HttpCaller;
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
        MockListenerQueries, MockMemberQueries, MockMergeQueries, MockOpaqueTokens, MockOptOutQueries,
        MockOutboundStore, MockPasswords, MockRandomness, MockReferenceQueries, MockSandboxQueries, MockSealedStore,
        MockSealer, MockSecretQueries, MockSecrets, MockSegmentQueries, MockSequenceQueries, MockStoredQueries,
        MockTagQueries, MockTimelineQueries, MockTokenSigner, MockUsageStore, MockWebhookQueries,
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
        /// What keeps everything: the ledger, and every port that reads or tends what it wrote. Whatever has all of
        /// these ports is a store.
        pub trait Store: 'static $(+ $store)* $($(+ StoredQueries<crate::$module::$object>)?)* {}

        impl<S: 'static $(+ $store)* $($(+ StoredQueries<crate::$module::$object>)?)*> Store for S {}

        /// All that use cases ask of the outside. Every service takes it, and asks those ports that it needs. A port is
        /// replaced by naming it: `Ports { clock, ..ports }`.
        #[derive(Clone)]
        pub struct Ports {
            $($(#[$kept_doc])* pub $kept: Arc<dyn $store>,)*
            $($(
                #[doc = concat!("Reads objects of the kind `", stringify!($object), "`.")]
                pub $table: Arc<dyn StoredQueries<crate::$module::$object>>,
            )?)*
            $($(#[$given_doc])* pub $given: Arc<dyn $giver>,)*
            /// The connectors: one for each type of channel that is served.
            pub connectors: Connectors,
            /// Lets requests about one contact wait for each other.
            pub turns: Arc<Turns>,
            /// Whether runs note by what their nodes chose their ways: for who tries flows out.
            pub explains: bool,
            /// By how much the clock is ahead of the store's, by which what is queued falls due.
            pub ahead: Duration,
        }

        /// What use cases need beside a store.
        #[derive(Clone)]
        pub struct Environment {
            $($(#[$given_doc])* pub $given: Arc<dyn $giver>,)*
            /// The connectors: one for each type of channel that is served.
            pub connectors: Connectors,
        }

        impl Ports {
            /// The ports of one store, and those of its environment. What is written is relayed to those who listen.
            pub fn over<S: Store>(store: Arc<S>, environment: Environment) -> Self {
                let Environment { $($given,)* connectors } = environment;
                let ports = Self { $($kept: store.clone(),)* $($($table: store.clone() as Arc<dyn StoredQueries<crate::$module::$object>>,)?)* $($given,)* connectors, turns: Arc::default(), explains: false, ahead: Duration::ZERO };
                let ledger = ports.ledger.clone();
                ports.through(ledger)
            }

            /// The same, with a ledger between the one that relays and the store.
            pub fn through(self, ledger: Arc<dyn Ledger>) -> Self {
                let ledger = SandboxLedger::new(ledger, self.sandboxes.clone(), self.clock.clone());
                let ledger = RelayingLedger::new(Arc::new(ledger), self.listeners.clone(), self.ids.clone());
                Self { ledger: Arc::new(ledger), ..self }
            }

            /// Ports of which none is expected to be asked: each is a mock, which a test replaces by one that knows the
            /// answer.
            #[cfg(any(test, feature = "mocks"))]
            pub fn mocked() -> Self {
                Self {
                    $($kept: Arc::new($kept_mock::new()),)*
                    $($($table: Arc::new(MockStoredQueries::<crate::$module::$object>::new()),)?)*
                    $($given: Arc::new($given_mock::new()),)*
                    connectors: Connectors::default(),
                    turns: Arc::default(),
                    explains: false,
                    ahead: Duration::ZERO,
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
        /// Reads people and their sessions.
        accounts: AccountQueries, MockAccountQueries;
        /// Reads members and invitations.
        members: MemberQueries, MockMemberQueries;
        /// Reads the audit log.
        audit: AuditQueries, MockAuditQueries;
        /// Keeps the log of requests.
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
        /// Reads jobs that are not done yet.
        jobs: JobQueries, MockJobQueries;
        /// Reads what names what.
        references: ReferenceQueries, MockReferenceQueries;
        /// Reads what flows name.
        catalog: CatalogQueries, MockCatalogQueries;
        /// Reads channels.
        channels: ChannelQueries, MockChannelQueries;
        /// Reads conversations and messages.
        conversations: ConversationQueries, MockConversationQueries;
        /// Reads flows and runs.
        flows: FlowQueries, MockFlowQueries;
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
        /// Reads who listens to events.
        listeners: ListenerQueries, MockListenerQueries;
        /// Reads counters of what happened.
        analytics: AnalyticsQueries, MockAnalyticsQueries;
        /// Reads what happened with contacts.
        timeline: TimelineQueries, MockTimelineQueries;
        /// Reads how the erasing of people stands.
        erasures: ErasureQueries, MockErasureQueries;
        /// Reads what became of contacts that were merged.
        merges: MergeQueries, MockMergeQueries;
        /// Reads what is remembered of those who opted out and are gone.
        opt_outs: OptOutQueries, MockOptOutQueries;
        /// Gives out due work.
        engine: EngineStore, MockEngineStore;
        /// Holds back what would leave.
        outbound: OutboundStore, MockOutboundStore;
        /// Reads the clocks of sandboxes.
        sandboxes: SandboxQueries, MockSandboxQueries;
        /// Reads and replaces sealed values.
        sealed: SealedStore, MockSealedStore;
    }
    environment {
        /// Tells the time.
        clock: Clock, MockClock;
        /// Makes ids.
        ids: Ids, MockIds;
        /// Makes random numbers.
        random: Randomness, MockRandomness;
        /// Makes secrets.
        secrets: Secrets, MockSecrets;
        /// Seals secrets at rest.
        sealer: Sealer, MockSealer;
        /// Hashes passwords.
        passwords: Passwords, MockPasswords;
        /// Makes opaque tokens.
        tokens: OpaqueTokens, MockOpaqueTokens;
        /// Signs access tokens.
        signer: TokenSigner, MockTokenSigner;
        /// Tells which addresses may be called.
        addresses: AddressPolicy, MockAddressPolicy;
        /// Sends deliveries to webhooks.
        sender: WebhookSender, MockWebhookSender;
        /// Makes the calls of flows.
        caller: HttpCaller, MockHttpCaller;
    }
});
