//! The engine: the loops that run due jobs.

use std::sync::Arc;

use tidings_domain::access::OutboundMode;
use tidings_engine::{Engine, EngineSettings};

use super::Adapters;
use crate::settings::Settings;

impl Adapters {
    pub(crate) fn engine(&self, settings: &Settings) -> Engine {
        let engine = EngineSettings {
            concurrency: settings.concurrency,
            lease: settings.lease,
            heartbeat: settings.lease / 3,
            holds_outbound: settings.outbound == OutboundMode::Hold,
            retention: settings.retention,
            ..EngineSettings::default()
        };
        let (ports, worker) = (&self.tidings.ports, Arc::new(self.tidings.worker.clone()));
        let (store, clock, random) = (ports.engine.clone(), ports.clock.clone(), ports.random.clone());
        Engine::new(engine, store, worker, clock, random, self.wake.clone())
    }
}
