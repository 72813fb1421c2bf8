//! The use cases behind the API, with their ports.

use std::sync::Arc;

use tidings_channels::StandardSignatures;
use tidings_domain::analytics::AnalyticsService;
use tidings_domain::channels::ChannelService;
use tidings_domain::contacts::ContactService;
use tidings_domain::conversations::{ConversationService, InboundService, OptOutWords};
use tidings_domain::events::FeedService;
use tidings_domain::fields::{BotFieldService, FieldService};
use tidings_domain::flows::FlowService;
use tidings_domain::sequences::{EnrollmentService, SequenceService};
use tidings_domain::tags::TagService;
use tidings_domain::webhooks::WebhookService;
use tidings_http::Services;

use super::{Adapters, Outside};
use crate::settings::Settings;

impl Adapters {
    /// What the API offers.
    pub(crate) fn services(&self, settings: &Settings, outside: &Outside) -> Services {
        let Self { storage, ledger, clock, ids, .. } = self;
        let sealer = Arc::new(self.keys.sealer());
        Services {
            access: self.access(),
            login: self.login(),
            platform: self.platform(),
            usage: storage.clone(),
            contacts: ContactService {
                contacts: storage.clone(),
                tags: storage.clone(),
                fields: storage.clone(),
                channels: storage.clone(),
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
            },
            tags: TagService {
                tags: storage.clone(),
                references: storage.clone(),
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
            },
            fields: FieldService {
                fields: storage.clone(),
                references: storage.clone(),
                flows: storage.clone(),
                sequences: storage.clone(),
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
            },
            bot_fields: BotFieldService {
                fields: storage.clone(),
                references: storage.clone(),
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
            },
            channels: ChannelService {
                channels: storage.clone(),
                conversations: storage.clone(),
                references: storage.clone(),
                connectors: outside.connectors.clone(),
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
                secrets: self.secrets.clone(),
                sealer: sealer.clone(),
                addresses: Arc::new(outside.webhooks.clone()),
            },
            inbound: InboundService {
                channels: storage.clone(),
                contacts: storage.clone(),
                conversations: storage.clone(),
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
                sealer: sealer.clone(),
                signatures: Arc::new(StandardSignatures),
                words: OptOutWords::new(settings.opt_out_words.iter().map(String::as_str)),
            },
            conversations: ConversationService {
                contacts: storage.clone(),
                channels: storage.clone(),
                conversations: storage.clone(),
                members: storage.clone(),
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
            },
            flows: FlowService {
                flows: storage.clone(),
                tags: storage.clone(),
                fields: storage.clone(),
                channels: storage.clone(),
                contacts: storage.clone(),
                enrollments: Some(self.enrollments_in_flows()),
                references: storage.clone(),
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
            },
            sequences: SequenceService {
                sequences: storage.clone(),
                flows: storage.clone(),
                conditions: self.exit_conditions(),
                references: storage.clone(),
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
            },
            enrollments: EnrollmentService {
                sequences: storage.clone(),
                contacts: storage.clone(),
                access: storage.clone(),
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
            },
            webhooks: WebhookService {
                webhooks: storage.clone(),
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
                secrets: self.secrets.clone(),
                sealer: sealer.clone(),
                addresses: Arc::new(outside.webhooks.clone()),
                sender: Arc::new(outside.webhooks.clone()),
                outbound: self.outbound(settings),
                retention: settings.retention,
            },
            feed: FeedService { events: storage.clone() },
            analytics: AnalyticsService { analytics: storage.clone(), clock: clock.clone() },
            idempotency: storage.clone(),
            sealer,
            clock: clock.clone(),
            ids: ids.clone(),
        }
    }
}
