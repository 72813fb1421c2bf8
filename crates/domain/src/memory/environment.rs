//! What use cases need beside a store, in its plainest form.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::{
    CountingIds, CountingSecrets, CountingTokens, FixedClock, FixedRandomness, PlainPasswords, PlainSealer, PlainSigner,
};
use crate::channels::{Channel, ChannelType, Connector, Connectors, Outbound, SANDBOX, SendOutcome};
use crate::flows::caller::{CallOutcome, HttpCall, HttpCaller};
use crate::ports::{Clock, Environment, Ports, Store};
use crate::trial::Trial;
use crate::webhooks::sender::{AddressPolicy, AttemptOutcome, AttemptResult, DeliveryAttempt, WebhookSender};

/// Every address may be called.
#[derive(Debug, Default)]
pub struct AnyAddress;

impl AddressPolicy for AnyAddress {
    fn check(&self, _: &str) -> Result<(), String> {
        Ok(())
    }
}

/// Stands for all receivers of webhooks: it answers 204 to each delivery, and nothing leaves the process.
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

/// Stands for all that flows call: it answers 200 with an empty object, and nothing leaves the process.
#[derive(Debug, Default)]
pub struct WillingService;

#[async_trait]
impl HttpCaller for WillingService {
    async fn call(&self, _: HttpCall) -> CallOutcome {
        CallOutcome::Answered { status: 200, retry_after: None, body: Some(b"{}".to_vec()) }
    }
}

/// Takes every message of sandbox channels, and nothing leaves the process.
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

    async fn test(&self, _: &Channel) -> Trial {
        Trial::default()
    }

    async fn send(&self, _: Outbound) -> SendOutcome {
        SendOutcome::Accepted { provider_message_id: None }
    }
}

impl Environment {
    /// An environment without secrets and without an outside: ids count, chance is always the same, everybody can guess
    /// what is sealed or signed, and whatever is sent is taken and goes nowhere.
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
    /// The ports of a store in a [plain](Environment::plain) environment, where it is always the same instant. Whatever
    /// matters is replaced by naming it.
    pub fn of(store: Arc<impl Store>) -> Self {
        Self::over(store, Environment::plain(Arc::new(FixedClock::default())))
    }
}
