//! The front door: all use cases over one bag of ports.

use std::sync::Arc;

use crate::access::{AccessService, LoginService};
use crate::analytics::AnalyticsService;
use crate::channels::ChannelService;
use crate::contacts::ContactService;
use crate::conversations::{ConversationService, InboundService, OptOutWords};
use crate::events::FeedService;
use crate::fields::{BotFieldService, FieldService};
use crate::flows::FlowService;
use crate::platform::PlatformService;
use crate::ports::Ports;
use crate::retention::Retention;
use crate::sequences::{EnrollmentService, SequenceService};
use crate::tags::TagService;
use crate::webhooks::{RetrySchedule, WebhookService};
use crate::work::Worker;

/// What whoever runs the service decides about its use cases.
#[derive(Debug, Clone, Default)]
pub struct TidingsSettings {
    /// The words by which contacts say that they want no more messages, or want them again.
    pub opt_out_words: OptOutWords,
    /// For how long what has happened is kept.
    pub retention: Retention,
    /// When deliveries that failed are tried again.
    pub retries: RetrySchedule,
}

/// All use cases, and the work that falls due. A clone shares the same ports.
#[derive(Clone)]
#[allow(missing_docs, reason = "each is named after its subject")]
pub struct Tidings {
    /// What the use cases ask of the outside.
    pub ports: Arc<Ports>,
    pub access: AccessService,
    pub login: LoginService,
    pub platform: PlatformService,
    pub contacts: ContactService,
    pub tags: TagService,
    pub fields: FieldService,
    pub bot_fields: BotFieldService,
    pub channels: ChannelService,
    pub conversations: ConversationService,
    pub inbound: InboundService,
    pub flows: FlowService,
    pub sequences: SequenceService,
    pub enrollments: EnrollmentService,
    pub webhooks: WebhookService,
    pub analytics: AnalyticsService,
    pub feed: FeedService,
    pub worker: Worker,
}

impl Tidings {
    /// All use cases over these ports.
    pub fn new(ports: Ports) -> Self {
        Self::with(ports, TidingsSettings::default())
    }

    /// All use cases over these ports, with these settings.
    pub fn with(ports: Ports, settings: TidingsSettings) -> Self {
        let TidingsSettings { opt_out_words, retention, retries } = settings;
        let shared = Arc::new(ports);
        let ports = || Arc::clone(&shared);
        Self {
            access: AccessService { ports: ports() },
            login: LoginService { ports: ports() },
            platform: PlatformService { ports: ports() },
            contacts: ContactService { ports: ports() },
            tags: TagService { ports: ports() },
            fields: FieldService { ports: ports() },
            bot_fields: BotFieldService { ports: ports() },
            channels: ChannelService { ports: ports() },
            conversations: ConversationService { ports: ports() },
            inbound: InboundService { ports: ports(), words: opt_out_words },
            flows: FlowService { ports: ports() },
            sequences: SequenceService { ports: ports() },
            enrollments: EnrollmentService { ports: ports() },
            webhooks: WebhookService { ports: ports(), retention },
            analytics: AnalyticsService { ports: ports() },
            feed: FeedService { ports: ports() },
            worker: Worker { ports: ports(), schedule: retries },
            ports: shared,
        }
    }
}
