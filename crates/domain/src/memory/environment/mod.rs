//! Minimal implementations of the ports other than the store.

pub(super) mod ambient;
pub(super) mod any_address;
pub(super) mod credentials;
pub(super) mod files;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::{CountingIds, FixedClock, FixedRandomness, MemoryFiles, MemoryStore};
use crate::channels::{ChannelType, Connector, Connectors, Outbound, SANDBOX, SendOutcome};
use crate::flows::caller::{CallOutcome, HttpCall, HttpCaller};
use crate::ids::WorkspaceId;
#[cfg(any(test, feature = "mocks"))]
use crate::ports::Store;
use crate::ports::{Clock, Environment, PacedCall, Ports, SendPacer};
use crate::webhooks::sender::{AttemptOutcome, AttemptResult, DeliveryAttempt, WebhookSender};
use any_address::AnyAddress;
use credentials::{CountingSecrets, CountingTokens, PlainPasswords, PlainSealer, PlainSigner};

/// A stub for webhook receivers: answers 204 to each delivery, without network traffic.
#[derive(Debug, Default)]
pub struct WillingReceiver;

#[async_trait]
impl WebhookSender for WillingReceiver {
    async fn send(&self, _: DeliveryAttempt) -> AttemptResult {
        AttemptResult {
            outcome: AttemptOutcome::Answered { status: 204, retry_after: None },
            duration: Duration::ZERO,
            response_headers: Vec::new(),
            response_body: String::new(),
        }
    }
}

/// A stub for HTTP services that flows call: answers 200 with an empty object, without network traffic.
#[derive(Debug, Default)]
pub struct WillingService;

#[async_trait]
impl HttpCaller for WillingService {
    async fn call(&self, _: WorkspaceId, _: HttpCall) -> CallOutcome {
        CallOutcome::Answered { status: 200, retry_after: None, body: Some(b"{}".to_vec()) }
    }
}

/// A stub for providers: accepts every message on sandbox channels, without network traffic.
#[derive(Debug, Default)]
pub struct WillingProvider;

#[async_trait]
impl Connector for WillingProvider {
    fn channel_type(&self) -> &'static ChannelType {
        &SANDBOX
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn is_local(&self) -> bool {
        true
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        SendOutcome::Accepted { provider_message_id: None }
    }
}

/// A stub for the pace of channels: no call waits.
#[derive(Debug, Default)]
struct Unpaced;

#[async_trait]
impl SendPacer for Unpaced {
    async fn admit(&self, _: &PacedCall) -> Result<(), Duration> {
        Ok(())
    }
}

/// Returns an environment without secrets and network traffic: IDs count, randomness is fixed, sealed and signed values
/// are readable, and everything sent is accepted and discarded.
pub(crate) fn plain_environment(clock: Arc<dyn Clock>) -> Environment {
    Environment {
        media_files: Arc::new(MemoryFiles::new(Arc::clone(&clock))),
        clock,
        ids: Arc::new(CountingIds::default()),
        random: Arc::new(FixedRandomness(0.5)),
        secrets: Arc::new(CountingSecrets::default()),
        sealer: Arc::new(PlainSealer),
        passwords: Arc::new(PlainPasswords::default()),
        tokens: Arc::new(CountingTokens::default()),
        signer: Arc::new(PlainSigner),
        addresses: Arc::new(AnyAddress),
        sender: Arc::new(WillingReceiver),
        caller: Arc::new(WillingService),
        pacer: Arc::new(Unpaced),
        connectors: Connectors::one(Arc::new(WillingProvider)),
    }
}

#[cfg(any(test, feature = "mocks"))]
impl Environment {
    /// Returns an environment for tests of stores that keep their data. It has no secrets and no network traffic: IDs
    /// count, randomness is fixed, sealed and signed values are readable, and everything sent is accepted and
    /// discarded.
    pub fn plain(clock: Arc<dyn Clock>) -> Self {
        plain_environment(clock)
    }
}

impl Ports {
    /// Returns the ports of a store in memory, for evaluation and tests. The time is fixed, IDs count, and everything
    /// sent is accepted and discarded. Sealed and signed values are readable: only the memory of this process contains
    /// them. Replace the relevant ports by name: `Ports { clock, ..Ports::in_memory(store) }`.
    pub fn in_memory(store: Arc<MemoryStore>) -> Self {
        Self::over(store, plain_environment(Arc::new(FixedClock::default())))
    }

    /// Returns the ports of any store in a [plain](Environment::plain) environment with a fixed time, for tests of that
    /// store. Replace the relevant ports by name.
    #[cfg(any(test, feature = "mocks"))]
    pub fn of(store: Arc<impl Store>) -> Self {
        Self::over(store, Environment::plain(Arc::new(FixedClock::default())))
    }
}
