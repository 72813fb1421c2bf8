//! The wiring of adapters to ports.

use std::sync::Arc;

use tidings_channels::{ChannelPace, connectors};
use tidings_credentials::access_token::Ed25519Signer;
use tidings_credentials::passwords::Argon2Passwords;
use tidings_credentials::secrets::RandomSecrets;

use tidings_credentials::system::{SystemIds, SystemRandomness};
use tidings_domain::access::OutboundMode;
use tidings_domain::hints::{HintingLedger, Hints};
use tidings_domain::ports::{Clock, Environment, MediaFiles, OutboundStore, Ports};
use tidings_egress::{Egress, EgressSettings};
use tidings_engine::{Wake, WakingLedger};
use tidings_storage::Storage;
use tidings_webhook_sender::{FlowCaller, HttpWebhookSender};

use crate::failure::Failure;
use crate::master_key::Keys;
use crate::media_store::MediaStore;
use crate::outbound::HeldBySetting;
use crate::settings::Settings;
use crate::wiring::authorities::extra_authorities;

/// Returns the ports of a process, with this clock.
///
/// # Errors
/// [`Failure::Refused`] if TLS cannot be set up, or if `egress.extra_ca_file` is invalid.
pub(super) fn ports(
    settings: &Settings,
    storage: &Arc<Storage>,
    keys: &Keys,
    media: &Arc<dyn MediaStore>,
    (wake, hints, pace): (&Wake, &Arc<Hints>, &Arc<ChannelPace>),
    clock: Arc<dyn Clock>,
) -> Result<Ports, Failure> {
    let (egress, sealer) = (egress(settings)?, Arc::new(keys.sealer()));
    let webhooks = Arc::new(HttpWebhookSender::new(egress.clone(), clock.clone()));
    let caller = Arc::new(FlowCaller::new(egress.clone(), clock.clone()));
    let public_url = settings.public_url.as_ref().map(ToString::to_string).unwrap_or_default();
    let media_files: Arc<dyn MediaFiles> = media.clone();
    let connectors = connectors(egress, clock.clone(), sealer.clone(), media_files.clone(), &public_url);
    let outbound: Arc<dyn OutboundStore> = match settings.outbound {
        OutboundMode::Send => storage.clone(),
        OutboundMode::Hold => Arc::new(HeldBySetting { store: storage.clone(), since: clock.now() }),
    };
    let ledger = Arc::new(HintingLedger::new(storage.clone(), Arc::clone(hints)));
    let ledger = Arc::new(WakingLedger::new(ledger, wake.clone(), clock.clone()));
    let environment = Environment {
        clock,
        ids: Arc::new(SystemIds),
        random: Arc::new(SystemRandomness::default()),
        secrets: Arc::new(RandomSecrets::new()),
        sealer,
        passwords: Arc::new(Argon2Passwords::new()),
        tokens: Arc::new(keys.tokens()),
        signer: Arc::new(Ed25519Signer::new(settings.issuer.clone())),
        addresses: webhooks.clone(),
        sender: webhooks,
        caller,
        media_files,
        pacer: pace.clone(),
        connectors,
    };
    Ok(Ports { outbound, ..Ports::over(storage.clone(), environment).through(ledger) })
}

/// Returns the client for outgoing calls, with the address filter.
fn egress(settings: &Settings) -> Result<Egress, Failure> {
    let settings = EgressSettings { authorities: extra_authorities(settings)?, ..egress_settings(settings) };
    Egress::new(settings).map_err(|error| Failure::with_advice(error.to_string()))
}

/// Returns the settings of outgoing calls, without the authorities of `egress.extra_ca_file`.
pub(crate) fn egress_settings(settings: &Settings) -> EgressSettings {
    // If the service is bound to one address, calls could reach it there. `allow_loopback` decides about loopback.
    let own = Some(settings.address.ip()).filter(|ip| !ip.is_unspecified() && !ip.is_loopback());
    EgressSettings {
        allow_loopback: settings.allow_loopback,
        own_addresses: own.into_iter().collect(),
        allowed_networks: settings.allowed_networks.clone(),
        plain_http_hosts: settings.plain_http_hosts.clone(),
        ..EgressSettings::default()
    }
}
