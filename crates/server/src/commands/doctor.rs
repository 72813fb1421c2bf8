//! `tidings doctor`: checks the conditions for running the service, and gives advice.

mod channels;
mod egress;
mod flows;
mod media;
mod network;
mod report;
mod secrets;
mod storage_limits;
mod webhooks;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use secrecy::ExposeSecret;
use tidings_credentials::system::SystemClock;
use tidings_domain::access::OutboundMode;
use tidings_domain::ports::{Clock, OutboundStore, Pauses};
use tidings_domain::time::Timestamp;
use tidings_storage::{SharedEmail, Storage, StorageError, StorageSettings};

use super::block_on;
use crate::failure::Failure;
use crate::logging;
use crate::master_key::Keys;
use crate::output::print_json;
use crate::readiness::SERVER_PROCESS;
use crate::settings::Settings;
use crate::sole_server::SoleServer;
use crate::wiring::SHARED_SESSIONS;
use channels::look_at_channels;
use egress::look_at_egress;
use flows::look_at_flows;
use media::look_at_media;
use network::{look_at_port, look_at_public_url, look_at_redis};
use report::{Report, Status};
use secrets::look_at_secrets;
use storage_limits::look_at_storage_limits;
use webhooks::look_at_webhooks;

/// The maximum difference of clocks. Beyond it, leases or tokens can expire early.
const SKEW: Duration = Duration::from_secs(5);

/// Runs all checks, prints the report, and fails if a check failed.
pub(crate) fn doctor(json: bool) -> Result<(), Failure> {
    let (environment, effective) = Settings::effective();
    let mut report = Report { ok: false, environment, checks: Vec::new(), settings: effective };
    match Settings::load() {
        Err(error) => {
            report.wrong("settings", error.to_string(), "Correct this setting. `tidings settings` describes each one.")
        }
        Ok(settings) => {
            logging::begin(&settings);
            let _ = rustls::crypto::ring::default_provider().install_default();
            report.fine("settings", "all settings are valid");
            look(&mut report, &settings)?;
        }
    }
    let wrong = report.checks.iter().filter(|check| check.status == Status::Wrong).count();
    report.ok = wrong == 0;
    if json {
        print_json(&report);
    } else {
        report.print();
    }
    match wrong {
        0 => Ok(()),
        1 => Err(Failure::with_advice("one check failed; see above")),
        wrong => Err(Failure::with_advice(format!("{wrong} checks failed; see above"))),
    }
}

fn look(report: &mut Report, settings: &Settings) -> Result<(), Failure> {
    // A developer's first start creates the database and the key; the check must not.
    let is_new = settings.sqlite_file.as_deref().is_some_and(|file| !file.exists());
    let keys = look_at_master_key(report, settings, is_new);
    let servers = match settings.sqlite_file.as_deref().filter(|_| is_new) {
        Some(file) => {
            look_for_place(report, settings, file);
            0
        }
        None => block_on(look_at_storage(report, settings, keys))?,
    };
    block_on(look_at_media(report, settings))?;
    // A SQLite database has only one server, which then also listens on the configured ports.
    let server = settings.sqlite_file.as_deref().and_then(SoleServer::running_server);
    let may_be_ours = match &server {
        Some(server) => {
            report.fine("server", &format!("{server} runs on this database"));
            true
        }
        None => settings.sqlite_file.is_none() && servers > 0,
    };
    look_at_egress(report, settings);
    look_at_public_url(report, settings);
    look_at_port(report, ("port", "http.address"), settings.address, may_be_ours);
    if let Some(address) = settings.metrics_address {
        look_at_port(report, ("metrics", "metrics.address"), address, may_be_ours);
    }
    if let Some(url) = &settings.redis_url {
        block_on(look_at_redis(report, url.expose_secret()))?;
    }
    Ok(())
}

fn look_at_master_key(report: &mut Report, settings: &Settings, is_new: bool) -> Option<Keys> {
    if settings.master_key.is_none() && is_new && settings.is_development() {
        report.fine("master_key", "the first `tidings serve` creates a key next to the database");
        return None;
    }
    match Keys::find(settings) {
        Ok(keys) => {
            report.fine("master_key", &format!("found (ID {})", keys.id()));
            Some(keys)
        }
        Err(error) => {
            report.wrong("master_key", "no usable master key", &error.to_string());
            None
        }
    }
}

fn look_for_place(report: &mut Report, settings: &Settings, file: &Path) {
    let found = format!("{} does not exist yet", file.display());
    if settings.is_development() {
        report.fine("storage", &format!("{found}; the first `tidings serve` creates it"));
    } else {
        report.wrong("storage", found, "Run `tidings migrate`, or correct storage.url (TIDINGS__STORAGE__URL).");
    }
}

/// Checks the database. Returns the number of servers that are connected to it.
async fn look_at_storage(report: &mut Report, settings: &Settings, keys: Option<Keys>) -> Result<u32, Failure> {
    let url = settings.storage_url.expose_secret().to_owned();
    let kind = if settings.sqlite_file.is_some() { "SQLite" } else { "PostgreSQL" };
    let storage = match Storage::open(&StorageSettings { pool_size: 1, ..StorageSettings::new(url) }).await {
        Ok(storage) => storage,
        Err(error) => {
            report.wrong("storage", error.to_string(), "Correct storage.url (TIDINGS__STORAGE__URL).");
            return Ok(0);
        }
    };
    let before = SystemClock.now();
    let database = match storage.clock(before).await {
        Ok(database) => database,
        Err(error) => {
            let advice = "Start the database, or correct storage.url (TIDINGS__STORAGE__URL).";
            report.wrong("storage", format!("{kind} does not respond: {error}"), advice);
            return Ok(0);
        }
    };
    report.fine("storage", &format!("{kind} responds"));
    if let Some(host) = storage.plaintext_host().await {
        report.warn("tls", &format!("connections to {host} do not use TLS"), super::PLAINTEXT);
    }
    match storage.shares_sessions().await {
        Ok(false) => {}
        Ok(true) => report.wrong("sessions", "database sessions are shared with other clients", SHARED_SESSIONS),
        Err(error) => report.wrong("sessions", error.to_string(), "Check the log of the database."),
    }
    look_at_clock(report, before, database, SystemClock.now());
    match storage.missing_migrations().await {
        Ok(0) => {
            match storage.pending_migrations().await {
                Ok(left @ 1..) => report.warn(
                    "migrations",
                    &format!("{left} pending migrations remove what the previous release uses"),
                    "Stop all processes of that release, and run `tidings migrate`.",
                ),
                Ok(0) | Err(_) => report.fine("migrations", "the schema is up to date"),
            }
            look_at_outbound(report, settings, &storage).await;
            look_at_flows(report, &storage).await;
            look_at_emails(report, &storage).await;
            look_at_webhooks(report, settings, &storage).await;
            look_at_channels(report, &storage).await;
            look_at_storage_limits(report, settings, &storage).await;
            if let Some(keys) = keys {
                look_at_secrets(report, Arc::clone(&storage), &keys).await;
            }
        }
        Ok(pending) if settings.is_development() => {
            report.fine(
                "migrations",
                &format!("{pending} migrations are pending; `tidings serve` applies them in development"),
            );
        }
        Ok(pending) => {
            let advice = match storage.may_migrate().await {
                Ok(false) => "Run `tidings migrate` with the role that owns the tables.",
                Ok(true) | Err(_) => "Run `tidings migrate`.",
            };
            report.wrong("migrations", format!("{pending} migrations are pending"), advice);
        }
        Err(error @ StorageError::TooOld) => {
            report.wrong("migrations", error.to_string(), "docs/how-to/upgrade.md describes the steps.");
        }
        Err(error) => report.wrong("migrations", error.to_string(), "Check the log of the database."),
    }
    // A pooler can hide the connected servers.
    Ok(storage.processes(SERVER_PROCESS).await.unwrap_or(0))
}

async fn look_at_outbound(report: &mut Report, settings: &Settings, storage: &Storage) {
    if settings.outbound == OutboundMode::Hold {
        let advice = "To enable sending, set TIDINGS__ENGINE__OUTBOUND=send.";
        return report.warn("outbound", "the setting engine.outbound pauses outbound sending", advice);
    }
    match storage.pauses().await {
        Ok(Pauses { store: Some(hold), .. }) => report.warn(
            "outbound",
            &format!("outbound sending is paused since {}: {}", hold.since, hold.reason),
            "To resume sending, run `tidings outbound send`.",
        ),
        Ok(Pauses { store: None, .. }) => report.fine("outbound", "outbound sending is enabled"),
        Err(error) => report.wrong("outbound", error.to_string(), "Check the log of the database."),
    }
}

/// Checks for contacts with the same email address in two spellings, from before addresses were normalised.
async fn look_at_emails(report: &mut Report, storage: &Storage) {
    let pairs = match storage.shared_emails().await {
        Ok(pairs) => pairs,
        Err(error) => return report.wrong("emails", error.to_string(), "Check the log of the database."),
    };
    if pairs.is_empty() {
        return report.fine("emails", "no two contacts have the same address in different spellings");
    }
    let pair = |it: &SharedEmail| format!("{} and {} ({})", it.found, it.other, it.workspace);
    let pairs: Vec<String> = pairs.iter().map(pair).collect();
    report.warn(
        "emails",
        &format!("contacts with the same address in different spellings: {}", pairs.join(", ")),
        "Merge each pair with `POST /api/v1/contacts/{id}/merge`. Look-ups by the address return the first contact.",
    );
}

/// Compares the clocks. `database` was read between `before` and `after`.
fn look_at_clock(report: &mut Report, before: Timestamp, database: Timestamp, after: Timestamp) {
    let apart = before.since(database).max(database.since(after));
    if apart > SKEW {
        let found = format!("the clocks of this machine and of the database differ by {} s", apart.as_secs());
        report.wrong("clock", found, "Synchronise both machines with the same time source (NTP).");
    } else {
        report.fine("clock", "the clocks of this machine and of the database match");
    }
}
