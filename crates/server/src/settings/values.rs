//! The validation of settings.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;
use tidings_credentials::master_key::MasterKey;
use tidings_domain::access::OutboundMode;
use tidings_domain::access::storage_usage::StoredLimits;
use tidings_domain::conversations::ConfirmationTexts;
use tidings_domain::retention::Retention;
use tidings_http::{ConnectionBounds, ConnectionTimeouts, CorsOrigins, Origin, TrustedProxies};

use super::checks::{coarse, content_days, days, host, lease, network, positive_time, retry_schedule, time, within};
use super::error::wrong;
use super::media::Media;
use super::{LogFormat, SQLITE, Settings, SettingsError};

/// The settings as written.
#[derive(Deserialize)]
pub(super) struct Raw {
    http: Http,
    shutdown: Shutdown,
    auth: Auth,
    storage: Storage,
    engine: Engine,
    egress: Egress,
    webhooks: Webhooks,
    channels: Channels,
    media: Media,
    secrets: Secrets,
    limits: Limits,
    redis: Redis,
    metrics: Metrics,
    panel: Panel,
    retention: Kept,
    log: Log,
}

#[derive(Deserialize)]
struct Http {
    address: String,
    workers: usize,
    public_url: String,
    connections: usize,
    connections_per_address: usize,
    trusted_proxies: Vec<String>,
    cors_origins: Vec<String>,
    timeouts: Timeouts,
}

#[derive(Deserialize)]
struct Timeouts {
    keep_alive: String,
    head: String,
    body: String,
    handling: String,
    unread: String,
    write: String,
    answer: String,
}

#[derive(Deserialize)]
struct Shutdown {
    drain: String,
}

#[derive(Deserialize)]
struct Auth {
    issuer: String,
    attempts_per_minute: u32,
}

#[derive(Deserialize)]
struct Storage {
    url: String,
    pool_size: usize,
    search_timeout: String,
}

#[derive(Deserialize)]
struct Engine {
    concurrency: usize,
    lease: String,
    outbound: String,
}

#[derive(Deserialize)]
struct Egress {
    allow_loopback: bool,
    allowed_networks: Vec<String>,
    plain_http_hosts: Vec<String>,
    extra_ca_file: String,
}

#[derive(Deserialize)]
struct Webhooks {
    retry_schedule: Vec<String>,
}

#[derive(Deserialize)]
struct Channels {
    opt_out_words: Vec<String>,
    opt_out_confirmation: OptOutConfirmation,
}

#[derive(Deserialize)]
struct OptOutConfirmation {
    enabled: bool,
    en: String,
    de: String,
    fr: String,
    es: String,
    pt: String,
}

impl OptOutConfirmation {
    fn validated(&self) -> Result<ConfirmationTexts, SettingsError> {
        let texts = [
            ("channels.opt_out_confirmation.en", "en", &self.en),
            ("channels.opt_out_confirmation.de", "de", &self.de),
            ("channels.opt_out_confirmation.fr", "fr", &self.fr),
            ("channels.opt_out_confirmation.es", "es", &self.es),
            ("channels.opt_out_confirmation.pt", "pt", &self.pt),
        ];
        for (key, _, text) in texts {
            if text.chars().count() > LONGEST_CONFIRMATION || text.contains(char::is_control) {
                return Err(wrong(key, format!("expected at most {LONGEST_CONFIRMATION} characters in one line")));
            }
        }
        let enabled = texts.into_iter().filter(|_| self.enabled);
        Ok(ConfirmationTexts::new(enabled.map(|(_, language, text)| (language, text.as_str()))))
    }
}

#[derive(Deserialize)]
struct Secrets {
    master_key: String,
    previous_keys: Vec<String>,
}

#[derive(Deserialize)]
struct Redis {
    url: String,
}

#[derive(Deserialize)]
struct Metrics {
    address: String,
    token: String,
}

#[derive(Deserialize)]
struct Limits {
    instances: u32,
    plans: Plans,
    stored_bytes: PlanBytes,
    media_bytes: PlanBytes,
    inbound: u32,
    person: u32,
    pages: u32,
}

#[derive(Deserialize)]
struct Plans {
    starter: u32,
    pro: u32,
    business: u32,
}

#[derive(Deserialize)]
struct PlanBytes {
    starter: u64,
    pro: u64,
    business: u64,
}

impl PlanBytes {
    fn limits(&self) -> StoredLimits {
        StoredLimits { starter: self.starter, pro: self.pro, business: self.business }
    }
}

#[derive(Deserialize)]
struct Panel {
    enabled: bool,
}

#[derive(Deserialize)]
struct Kept {
    events: u32,
    deliveries: u32,
    usage: u32,
    traces: u32,
    custom_events: u32,
    runs: u32,
    recipients: u32,
    audit_log: u32,
    deleted_workspaces: u32,
    messages: u32,
    conversations: u32,
    deleted_contacts: u32,
}

#[derive(Deserialize)]
struct Log {
    format: String,
    level: String,
}

/// With the wait for a slot, it stays below the time limit of responses.
const LONGEST_SEARCH: Duration = Duration::from_secs(6);

/// Maximum number of characters of a confirmation of an opt-out.
const LONGEST_CONFIRMATION: usize = 320;

/// The largest accepted maximum size of a file: 1 GiB.
const MAX_MEDIA: u64 = 1024 * 1024 * 1024;

impl Timeouts {
    fn validated(&self) -> Result<ConnectionTimeouts, SettingsError> {
        Ok(ConnectionTimeouts {
            keep_alive: coarse("http.timeouts.keep_alive", &self.keep_alive)?,
            head: coarse("http.timeouts.head", &self.head)?,
            body: positive_time("http.timeouts.body", &self.body)?,
            handling: positive_time("http.timeouts.handling", &self.handling)?,
            unread: positive_time("http.timeouts.unread", &self.unread)?,
            write: positive_time("http.timeouts.write", &self.write)?,
            answer: positive_time("http.timeouts.answer", &self.answer)?,
        })
    }
}

impl Raw {
    pub(super) fn validated(self, environment: &str) -> Result<Settings, SettingsError> {
        let address = self.http.address.parse();
        let address =
            address.map_err(|_| wrong("http.address", "expected an IP address and a port, such as 127.0.0.1:8080"))?;
        let public_url = Some(self.http.public_url).filter(|url| !url.is_empty());
        let public_url = public_url.map(|url| Origin::of_url(&url)).transpose();
        let public_url = public_url.map_err(|error| wrong("http.public_url", error.to_string()))?;
        let sqlite_file = self.storage.url.strip_prefix(SQLITE).map(PathBuf::from);
        let is_postgres = ["postgres://", "postgresql://"].iter().any(|scheme| self.storage.url.starts_with(scheme));
        if !is_postgres && sqlite_file.as_ref().is_none_or(|path| path.file_name().is_none()) {
            return Err(wrong("storage.url", "expected sqlite://PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE"));
        }
        // Special names of other programs. Here they would create a file of that name.
        let path = sqlite_file.as_deref().map(Path::to_string_lossy).unwrap_or_default();
        if path.starts_with(':') || path.contains('?') {
            return Err(wrong("storage.url", "expected sqlite://PATH of one file on disk, without parameters"));
        }
        let trusted_proxies = TrustedProxies::read(self.http.trusted_proxies.iter().map(String::as_str));
        let trusted_proxies = trusted_proxies.map_err(|error| wrong("http.trusted_proxies", error.to_string()))?;
        let cors_origins = CorsOrigins::read(self.http.cors_origins.iter().map(String::as_str));
        let cors_origins = cors_origins.map_err(|error| wrong("http.cors_origins", error.to_string()))?;
        let connections = |key, value| within(key, value, 1, 1_000_000);
        let connections = ConnectionBounds {
            all: connections("http.connections", self.http.connections)?,
            of_one_address: connections("http.connections_per_address", self.http.connections_per_address)?,
        };
        let plan = |key, limit| if limit == 0 { Err(wrong(key, "expected 1 or more")) } else { Ok(limit) };
        let master_key = Some(self.secrets.master_key).filter(|key| !key.is_empty());
        if let Some(key) = &master_key {
            MasterKey::from_base64(key).map_err(|error| wrong("secrets.master_key", error.to_string()))?;
        }
        for key in &self.secrets.previous_keys {
            MasterKey::from_base64(key).map_err(|error| wrong("secrets.previous_keys", error.to_string()))?;
        }
        let redis_url = Some(self.redis.url).filter(|url| !url.is_empty());
        if redis_url.as_ref().is_some_and(|url| !["redis://", "rediss://"].iter().any(|it| url.starts_with(it))) {
            return Err(wrong("redis.url", "expected redis://:PASSWORD@HOST:PORT/DATABASE, or rediss:// with TLS"));
        }
        let metrics_address = Some(self.metrics.address).filter(|address| !address.is_empty());
        let metrics_address = metrics_address.map(|address| address.parse()).transpose();
        let metrics_address = metrics_address
            .map_err(|_| wrong("metrics.address", "expected an IP address and a port, such as 127.0.0.1:9464"))?;
        let metrics_token = Some(self.metrics.token).filter(|token| !token.is_empty());
        if metrics_token
            .as_ref()
            .is_some_and(|token| token.len() < 16 || !token.bytes().all(|it| it.is_ascii_graphic()))
        {
            return Err(wrong("metrics.token", "expected 16 or more visible ASCII characters"));
        }
        Ok(Settings {
            environment: environment.to_owned(),
            address,
            workers: Some(within("http.workers", self.http.workers, 0, 1_024)?).filter(|workers| *workers > 0),
            connections,
            trusted_proxies,
            cors_origins,
            timeouts: self.http.timeouts.validated()?,
            drain: time("shutdown.drain", &self.shutdown.drain, Duration::from_secs(600))?,
            public_url,
            issuer: Some(self.auth.issuer)
                .filter(|issuer| (1..=200).contains(&issuer.chars().count()))
                .ok_or_else(|| wrong("auth.issuer", "expected 1 to 200 characters"))?,
            attempts_per_minute: match self.auth.attempts_per_minute {
                0 => return Err(wrong("auth.attempts_per_minute", "expected 1 or more")),
                attempts => attempts,
            },
            storage_url: self.storage.url.into(),
            sqlite_file,
            pool_size: within("storage.pool_size", self.storage.pool_size, 1, 1_000)?,
            search_timeout: time("storage.search_timeout", &self.storage.search_timeout, LONGEST_SEARCH)?,
            concurrency: within("engine.concurrency", self.engine.concurrency, 1, 1_000)?,
            lease: lease(&self.engine.lease)?,
            outbound: OutboundMode::parse(&self.engine.outbound)
                .ok_or_else(|| wrong("engine.outbound", "expected send or hold"))?,
            allow_loopback: self.egress.allow_loopback,
            allowed_networks: self
                .egress
                .allowed_networks
                .iter()
                .map(|text| network(text))
                .collect::<Result<_, _>>()?,
            plain_http_hosts: self.egress.plain_http_hosts.iter().map(|text| host(text)).collect::<Result<_, _>>()?,
            extra_ca_file: Some(self.egress.extra_ca_file).filter(|path| !path.is_empty()).map(PathBuf::from),
            retry_schedule: retry_schedule(&self.webhooks.retry_schedule)?,
            opt_out_confirmation: self.channels.opt_out_confirmation.validated()?,
            opt_out_words: self.channels.opt_out_words,
            person_limit: plan("limits.person", self.limits.person)?,
            page_limit: plan("limits.pages", self.limits.pages)?,
            inbound_limit: Some(self.limits.inbound).filter(|limit| *limit > 0),
            master_key: master_key.map(Into::into),
            previous_keys: self.secrets.previous_keys.into_iter().map(Into::into).collect(),
            starter: plan("limits.plans.starter", self.limits.plans.starter)?,
            pro: plan("limits.plans.pro", self.limits.plans.pro)?,
            business: plan("limits.plans.business", self.limits.plans.business)?,
            stored_limits: self.limits.stored_bytes.limits(),
            s3: self.media.bucket()?,
            media_folder: Some(self.media.folder).filter(|path| !path.is_empty()).map(PathBuf::from),
            max_media_bytes: match self.media.max_bytes {
                bytes @ 1..=MAX_MEDIA => bytes,
                _ => return Err(wrong("media.max_bytes", format!("expected 1 to {MAX_MEDIA}"))),
            },
            media_limits: self.limits.media_bytes.limits(),
            instances: u32::try_from(within("limits.instances", self.limits.instances as usize, 1, 1_000)?)
                .unwrap_or(1),
            redis_url: redis_url.map(Into::into),
            metrics_address,
            metrics_token: metrics_token.map(Into::into),
            panel: self.panel.enabled,
            retention: Retention {
                events: days("retention.events", self.retention.events)?,
                deliveries: days("retention.deliveries", self.retention.deliveries)?,
                usage: days("retention.usage", self.retention.usage)?,
                traces: days("retention.traces", self.retention.traces)?,
                custom_events: days("retention.custom_events", self.retention.custom_events)?,
                runs: days("retention.runs", self.retention.runs)?,
                recipients: days("retention.recipients", self.retention.recipients)?,
                audit_log: days("retention.audit_log", self.retention.audit_log)?,
                deleted_workspaces: days("retention.deleted_workspaces", self.retention.deleted_workspaces)?,
                messages: content_days("retention.messages", self.retention.messages)?,
                conversations: content_days("retention.conversations", self.retention.conversations)?,
                deleted_contacts: content_days("retention.deleted_contacts", self.retention.deleted_contacts)?,
            },
            log_format: match self.log.format.as_str() {
                "text" => LogFormat::Text,
                "json" => LogFormat::Json,
                _ => return Err(wrong("log.format", "expected text or json")),
            },
            log_level: tracing::Level::from_str(&self.log.level)
                .ok()
                .filter(|_| self.log.level.parse::<u8>().is_err())
                .ok_or_else(|| wrong("log.level", "expected error, warn, info, debug or trace"))?,
        })
    }
}
