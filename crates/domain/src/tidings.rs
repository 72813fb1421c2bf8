//! The entry point: all use cases over one set of ports.

use std::sync::Arc;

use crate::access::{AccessService, ActorGuardedLedger, LoginService};
use crate::analytics::AnalyticsService;
use crate::broadcasts::BroadcastService;
use crate::bulk::BulkService;
use crate::channels::ChannelService;
use crate::contacts::ContactService;
use crate::conversations::{ConversationService, InboundService, OptOutWords};
use crate::custom_events::CustomEventService;
use crate::disclosure::DisclosureService;
use crate::erasures::ErasureService;
use crate::events::FeedService;
use crate::fields::{BotFieldService, FieldService};
use crate::flows::{FlowService, TemplateService};
use crate::ids::WorkspaceId;
use crate::imports::ImportService;
use crate::jobs::JobService;
use crate::media::{MediaLimits, MediaService};
use crate::merges::MergeService;
use crate::platform::PlatformService;
use crate::ports::{Guard, Ports, StoreError};
use crate::retention::Retention;
use crate::sandboxes::SandboxService;
use crate::saved_replies::SavedReplyService;
use crate::secrets::SecretService;
use crate::segments::SegmentService;
use crate::sequences::{EnrollmentService, SequenceService};
use crate::simulation::SimulationService;
use crate::tags::TagService;
use crate::time::Timestamp;
use crate::timeline::TimelineService;
use crate::webhooks::{RetrySchedule, WebhookService};
use crate::work::{DueWork, Worker};

/// Settings of an operator for the use cases.
#[derive(Debug, Clone, Default)]
pub struct TidingsSettings {
    /// The words that opt contacts out or in.
    pub opt_out_words: OptOutWords,
    /// The retention periods.
    pub retention: Retention,
    /// The retry schedule of failed deliveries.
    pub retries: RetrySchedule,
    /// Public URL of the server without a path, below which providers call channels and links to files begin; empty if
    /// it is unknown.
    pub public_url: String,
    /// The limits of files.
    pub media: MediaLimits,
}

/// All use cases, and the worker for due jobs. Clones share the ports.
#[derive(Clone)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each is named after its subject")]
pub struct Tidings {
    /// The ports of the use cases.
    pub ports: Arc<Ports>,
    pub access: AccessService,
    pub login: LoginService,
    pub platform: PlatformService,
    pub contacts: ContactService,
    pub custom_events: CustomEventService,
    pub disclosure: DisclosureService,
    pub erasures: ErasureService,
    pub merges: MergeService,
    pub tags: TagService,
    pub fields: FieldService,
    pub bot_fields: BotFieldService,
    pub secrets: SecretService,
    /// Unfinished jobs.
    pub jobs: JobService,
    pub channels: ChannelService,
    pub conversations: ConversationService,
    /// Files of messages.
    pub media: MediaService,
    pub inbound: InboundService,
    pub flows: FlowService,
    pub templates: TemplateService,
    pub segments: SegmentService,
    /// Clocks of sandboxes.
    pub sandboxes: SandboxService,
    /// Text templates for agents.
    pub saved_replies: SavedReplyService,
    pub broadcasts: BroadcastService,
    /// Bulk operations on contacts.
    pub bulk: BulkService,
    /// Imports of tables of contacts.
    pub imports: ImportService,
    pub sequences: SequenceService,
    pub enrollments: EnrollmentService,
    pub simulations: SimulationService,
    pub webhooks: WebhookService,
    pub analytics: AnalyticsService,
    pub feed: FeedService,
    pub timeline: TimelineService,
    pub worker: Worker,
}

impl Tidings {
    /// Returns all use cases over these ports.
    pub fn new(ports: Ports) -> Self {
        Self::with(ports, TidingsSettings::default())
    }

    /// Returns all use cases over these ports, with these settings.
    pub fn with(ports: Ports, settings: TidingsSettings) -> Self {
        let public_url = Arc::from(settings.public_url.as_str());
        Self::over(Arc::new(Ports { public_url, media_limits: settings.media, ..ports }), settings)
    }

    /// Returns the use cases with the clock of a workspace, if it differs: for a sandbox with a moved clock.
    ///
    /// # Errors
    /// [`StoreError`] if the clock cannot be read; no other clock may be used then.
    pub async fn in_time_of(&self, workspace: WorkspaceId) -> Result<Option<Self>, StoreError> {
        let ports = self.ports.in_time_of(workspace).await?;
        Ok(ports.map(|ports| Self::over(Arc::new(ports), self.settings())))
    }

    /// Returns the use cases with an additional guard: changes to this workspace commit only while `actor` holds.
    #[must_use]
    pub fn while_standing(&self, workspace: WorkspaceId, actor: Guard) -> Self {
        let ledger = ActorGuardedLedger::new(Arc::clone(&self.ports.ledger), workspace, actor);
        let ports = Ports { ledger: Arc::new(ledger), ..(*self.ports).clone() };
        Self::over(Arc::new(ports), self.settings())
    }

    fn settings(&self) -> TidingsSettings {
        TidingsSettings {
            opt_out_words: self.inbound.words.clone(),
            retention: self.webhooks.retention,
            retries: self.worker.schedule.clone(),
            public_url: self.channels.public_url.clone(),
            media: self.ports.media_limits,
        }
    }

    fn over(shared: Arc<Ports>, settings: TidingsSettings) -> Self {
        let TidingsSettings { opt_out_words, retention, retries, public_url, media: _ } = settings;
        let ports = || Arc::clone(&shared);
        Self {
            access: AccessService { ports: ports() },
            login: LoginService { ports: ports() },
            platform: PlatformService { ports: ports() },
            contacts: ContactService { ports: ports() },
            custom_events: CustomEventService { ports: ports() },
            disclosure: DisclosureService { ports: ports() },
            erasures: ErasureService { ports: ports() },
            merges: MergeService { ports: ports() },
            tags: TagService { ports: ports() },
            fields: FieldService { ports: ports() },
            bot_fields: BotFieldService { ports: ports() },
            secrets: SecretService { ports: ports() },
            jobs: JobService { ports: ports() },
            channels: ChannelService { ports: ports(), public_url, templates: Arc::default() },
            conversations: ConversationService { ports: ports() },
            media: MediaService { ports: ports() },
            inbound: InboundService { ports: ports(), words: opt_out_words.clone() },
            flows: FlowService { ports: ports() },
            templates: TemplateService { ports: ports() },
            segments: SegmentService { ports: ports() },
            sandboxes: SandboxService { ports: ports() },
            saved_replies: SavedReplyService { ports: ports() },
            bulk: BulkService { ports: ports() },
            imports: ImportService { ports: ports() },
            broadcasts: BroadcastService { ports: ports() },
            sequences: SequenceService { ports: ports() },
            enrollments: EnrollmentService { ports: ports() },
            simulations: SimulationService { ports: ports(), words: opt_out_words.clone() },
            webhooks: WebhookService { ports: ports(), retention },
            analytics: AnalyticsService { ports: ports() },
            feed: FeedService { ports: ports() },
            timeline: TimelineService { ports: ports() },
            worker: Worker { ports: ports(), schedule: retries, words: opt_out_words },
            ports: shared,
        }
    }

    /// Runs all jobs that are due at `now`, see [`Worker::run_due`], for programs without an engine. With virtual time,
    /// set the clock of the ports first.
    ///
    /// # Errors
    /// [`StoreError`]; the remaining jobs stay due.
    pub async fn run_due(&self, now: Timestamp) -> Result<DueWork, StoreError> {
        self.worker.run_due(now).await
    }

    /// Returns when the next job is due, see [`Worker::next_due`].
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn next_due(&self) -> Result<Option<Timestamp>, StoreError> {
        self.worker.next_due().await
    }
}
