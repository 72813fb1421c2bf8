//! What is done later, with its ports.

use std::sync::Arc;

use tidings_domain::access::OutboundMode;
use tidings_domain::analytics::Projector;
use tidings_domain::flows::{EventTriggers, RunExecutor, Starter};
use tidings_domain::sequences::{EnrollmentExecutor, SequenceExits, SequenceReviewer};
use tidings_domain::webhooks::RetrySchedule;
use tidings_domain::work::{
    ConversationWaker, DeliveryExecutor, InboundRouter, MessageSender, Relay, Replayer, Sweeper, Worker,
};
use tidings_engine::{Engine, EngineSettings};

use super::{Adapters, Outside};
use crate::settings::Settings;

impl Adapters {
    /// Who does what falls due.
    pub(crate) fn worker(&self, settings: &Settings, outside: &Outside) -> Worker {
        let Self { storage, ledger, clock, ids, random, .. } = self;
        let starter = Starter { flows: storage.clone(), clock: clock.clone(), ids: ids.clone() };
        let runs = RunExecutor {
            access: storage.clone(),
            flows: storage.clone(),
            contacts: storage.clone(),
            tags: storage.clone(),
            fields: storage.clone(),
            channels: storage.clone(),
            conversations: storage.clone(),
            enrollments: Some(self.enrollments_in_flows()),
            ledger: ledger.clone(),
            clock: clock.clone(),
            ids: ids.clone(),
        };
        let triggers = EventTriggers {
            flows: storage.clone(),
            contacts: storage.clone(),
            fields: storage.clone(),
            tags: storage.clone(),
            starter: starter.clone(),
        };
        Worker {
            inbound: InboundRouter {
                conversations: storage.clone(),
                contacts: storage.clone(),
                flows: storage.clone(),
                runs: runs.clone(),
                starter: starter.clone(),
                ledger: ledger.clone(),
            },
            waker: ConversationWaker { conversations: storage.clone(), ledger: ledger.clone(), clock: clock.clone() },
            relay: Relay {
                engine: storage.clone(),
                webhooks: storage.clone(),
                reactions: vec![
                    Arc::new(Projector { ids: ids.clone() }),
                    Arc::new(triggers),
                    Arc::new(SequenceExits { sequences: storage.clone(), clock: clock.clone(), ids: ids.clone() }),
                ],
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
            },
            runs,
            enrollments: EnrollmentExecutor {
                sequences: storage.clone(),
                contacts: storage.clone(),
                starter: starter.clone(),
                fields: storage.clone(),
                channels: storage.clone(),
                conversations: storage.clone(),
                access: storage.clone(),
                conditions: self.exit_conditions(),
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
            },
            sequences: SequenceReviewer {
                sequences: storage.clone(),
                contacts: storage.clone(),
                access: storage.clone(),
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
            },
            sender: MessageSender {
                conversations: storage.clone(),
                contacts: storage.clone(),
                channels: storage.clone(),
                connectors: outside.connectors.clone(),
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
            },
            deliveries: DeliveryExecutor {
                engine: storage.clone(),
                webhooks: storage.clone(),
                sender: Arc::new(outside.webhooks.clone()),
                sealer: Arc::new(self.keys.sealer()),
                schedule: RetrySchedule { waits: settings.retry_schedule.clone() },
                ledger: ledger.clone(),
                clock: clock.clone(),
                random: random.clone(),
                ids: ids.clone(),
            },
            replayer: Replayer {
                webhooks: storage.clone(),
                ledger: ledger.clone(),
                clock: clock.clone(),
                ids: ids.clone(),
            },
            sweeper: Sweeper {
                contacts: storage.clone(),
                ids: ids.clone(),
                tags: storage.clone(),
                fields: storage.clone(),
                ledger: ledger.clone(),
                clock: clock.clone(),
            },
            outbound: self.outbound(settings),
            ledger: ledger.clone(),
            clock: clock.clone(),
            random: random.clone(),
        }
    }

    /// The loops that run what falls due.
    pub(crate) fn engine(&self, settings: &Settings, outside: &Outside) -> Engine {
        let engine = EngineSettings {
            concurrency: settings.concurrency,
            lease: settings.lease,
            heartbeat: settings.lease / 3,
            holds_outbound: settings.outbound == OutboundMode::Hold,
            retention: settings.retention,
            ..EngineSettings::default()
        };
        let (store, worker) = (self.storage.clone(), Arc::new(self.worker(settings, outside)));
        Engine::new(engine, store, worker, self.clock.clone(), self.random.clone(), self.wake.clone())
    }
}
