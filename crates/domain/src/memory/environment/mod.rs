//! Minimal implementations of the ports other than the store.

pub(super) mod ambient;
pub(super) mod credentials;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::{
    CountingIds, CountingSecrets, CountingTokens, FixedClock, FixedRandomness, PlainPasswords, PlainSealer, PlainSigner,
};
use crate::channels::{Channel, ChannelType, Connector, Connectors, Outbound, SANDBOX, SendOutcome};
use crate::flows::caller::{CallOutcome, HttpCall, HttpCaller};
use crate::ids::WorkspaceId;
use crate::ports::{Clock, Environment, Ports, Store};
use crate::trial::TestAnswer;
use crate::webhooks::sender::{AddressPolicy, AttemptOutcome, AttemptResult, DeliveryAttempt, WebhookSender};

/// A policy that allows every address.
#[derive(Debug, Default)]
pub struct AnyAddress;

impl AddressPolicy for AnyAddress {
    fn check(&self, _: &str) -> Result<(), String> {
        Ok(())
    }
}

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

    async fn test(&self, _: &Channel) -> TestAnswer {
        TestAnswer::default()
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        SendOutcome::Accepted { provider_message_id: None }
    }
}

impl Environment {
    /// An environment without secrets and network traffic: IDs count, randomness is fixed, sealed and signed values are
    /// readable, and everything sent is accepted and discarded.
    pub fn plain(clock: Arc<dyn Clock>) -> Self {
        Self {
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
            connectors: Connectors::one(Arc::new(WillingProvider)),
        }
    }
}

impl Ports {
    /// The ports of a store in a [plain](Environment::plain) environment with a fixed time. Override the relevant ones
    /// by name.
    pub fn of(store: Arc<impl Store>) -> Self {
        Self::over(store, Environment::plain(Arc::new(FixedClock::default())))
    }
}
