//! The adapters and use cases of a process.

mod authorities;
mod engine;
#[cfg(test)]
mod failpoints;
mod media;
mod ports;

use std::sync::Arc;
use std::time::Duration;

use tidings_channels::ChannelPace;
use tidings_credentials::system::SystemClock;
use tidings_domain::access::RateWindowsInProcess;
use tidings_domain::conversations::OptOutWords;
use tidings_domain::hints::{HintRelay, Hints};
use tidings_domain::media::MediaLimits;
use tidings_domain::ports::Clock;
use tidings_domain::sealing::{Canary, HeaderSealing, KeyFinding, Resealing};
use tidings_domain::webhooks::RetrySchedule;
use tidings_domain::{Tidings, TidingsSettings};
use tidings_engine::Wake;
use tidings_http::{Guide, HttpSettings, Limits, Panel, PanelFile};
use tidings_limits_redis::{SharedLimiter, SharedLimits, SharedPace};
use tidings_storage::{Storage, StorageError, StorageSettings};

use crate::failure::Failure;
use crate::hint_carrier::HintCarrier;
use crate::master_key::Keys;
use crate::media_store::MediaStore;
use crate::settings::Settings;

pub(crate) use authorities::extra_authorities;
pub(crate) use media::media_store;
pub(crate) use ports::egress_settings;

/// The message about a pooler in front of PostgreSQL.
pub(crate) const SHARED_SESSIONS: &str = "a pooler shares the sessions of this database between clients (PgBouncer \
                                          with pool_mode = transaction or statement). Prepared statements, time limits \
                                          and the migration lock belong to a session. Set storage.url to PostgreSQL \
                                          itself, or set pool_mode = session for this database.";

pub(crate) struct Adapters {
    /// The use cases, with the adapters as their ports.
    pub(crate) tidings: Tidings,
    pub(crate) storage: Arc<Storage>,
    pub(crate) keys: Keys,
    /// The store of files.
    pub(crate) media: Arc<dyn MediaStore>,
    wake: Wake,
    hints: Arc<Hints>,
    pace: Arc<ChannelPace>,
}

/// The batch time of commands: ten times that of the server. A running server waits as long for its next transaction.
const BATCH_TIME_OF_COMMANDS: Duration = Duration::from_millis(50);

impl Adapters {
    /// Finds the master key and opens the database, in any state of its schema. Rejects a pooler that shares sessions
    /// between clients.
    ///
    /// # Errors
    /// [`Failure`].
    pub(crate) async fn open(settings: &Settings) -> Result<Self, Failure> {
        Self::open_as(settings, None).await
    }

    /// Opens the adapters, as [`Adapters::open`]; `process` is the name of this process in the database.
    ///
    /// # Errors
    /// [`Failure`].
    pub(crate) async fn open_as(settings: &Settings, process: Option<String>) -> Result<Self, Failure> {
        Self::open_at(settings, process, Arc::new(SystemClock)).await
    }

    /// Opens the adapters with this clock.
    async fn open_at(settings: &Settings, process: Option<String>, clock: Arc<dyn Clock>) -> Result<Self, Failure> {
        use secrecy::ExposeSecret;
        let keys = Keys::find(settings)?;
        let url = settings.storage_url.expose_secret().to_owned();
        let usual = StorageSettings::new(url);
        // Only the server is named. A command writes many rows, and no client waits for one of its commits.
        let batch_time = if process.is_some() { usual.batch_time } else { BATCH_TIME_OF_COMMANDS };
        let storage = StorageSettings {
            batch_time,
            pool_size: settings.pool_size,
            search_timeout: settings.search_timeout,
            process,
            ..usual
        };
        let storage = Storage::open(&storage).await?;
        if storage.shares_sessions().await? {
            return Err(Failure::with_advice(SHARED_SESSIONS));
        }
        let (wake, hints) = (Wake::new(), Arc::new(Hints::default()));
        let (media, pace) = (media_store(settings)?, Arc::new(ChannelPace::default()));
        let ports = ports::ports(settings, &storage, &keys, &media, (&wake, &hints, &pace), clock)?;
        let use_cases = TidingsSettings {
            opt_out_words: OptOutWords::new(settings.opt_out_words.iter().map(String::as_str))
                .confirmed_by(settings.opt_out_confirmation.clone()),
            retention: settings.retention,
            retries: RetrySchedule { waits: settings.retry_schedule.clone() },
            public_url: settings.public_url.as_ref().map(ToString::to_string).unwrap_or_default(),
            media: MediaLimits { max_bytes: settings.max_media_bytes, total: settings.media_limits },
        };
        Ok(Self { tidings: Tidings::with(ports, use_cases), storage, keys, media, wake, hints, pace })
    }

    /// Rejects a database with a schema older than this program.
    ///
    /// # Errors
    /// [`Failure`].
    pub(crate) async fn require_schema(&self) -> Result<(), Failure> {
        match self.storage.missing_migrations().await? {
            0 => Ok(()),
            pending if self.storage.may_migrate().await.map_err(tidings_domain::Error::from)? => {
                Err(Failure::with_advice(format!(
                    "the database schema is older than this program (pending migrations: {pending}). Run `tidings \
                     migrate` first."
                )))
            }
            pending => Err(StorageError::MayNotMigrate(pending).into()),
        }
    }

    /// Returns the check of the master key against the store.
    pub(crate) fn canary(&self) -> Canary {
        Canary { store: self.storage.clone(), sealer: Arc::new(self.keys.sealer()) }
    }

    /// Rejects a database with secrets of another key.
    ///
    /// # Errors
    /// [`Failure::Refused`].
    pub(crate) fn require_right_key(&self, finding: &KeyFinding) -> Result<(), Failure> {
        match finding {
            KeyFinding::Wrong(sealed) => Err(Failure::with_advice(self.keys.wrong(sealed))),
            KeyFinding::Unmarked | KeyFinding::Right | KeyFinding::Earlier => Ok(()),
        }
    }

    /// Encrypts headers of webhooks that an earlier release stored in plain text.
    ///
    /// # Errors
    /// [`Failure::UseCase`].
    pub(crate) async fn seal_headers(&self) -> Result<(), Failure> {
        let sealing = HeaderSealing { store: self.storage.clone(), sealer: Arc::new(self.keys.sealer()) };
        let sealed = sealing.run().await.map_err(tidings_domain::Error::from)?;
        if sealed > 0 {
            tracing::info!(webhooks = sealed, "the headers of webhooks were encrypted");
        }
        Ok(())
    }

    /// Returns the operation that encrypts all secrets with the current master key.
    pub(crate) fn resealing(&self) -> Resealing {
        Resealing { store: self.storage.clone(), sealer: Arc::new(self.keys.sealer()) }
    }

    pub(crate) fn new_password(&self) -> secrecy::SecretString {
        self.tidings.ports.tokens.password()
    }

    pub(crate) fn http_settings(&self, settings: &Settings) -> HttpSettings {
        let (cursor_key, earlier_cursor_keys) = self.keys.derive("cursor");
        let limits = Limits { starter: settings.starter, pro: settings.pro, business: settings.business };
        let limiter = Arc::new(RateWindowsInProcess::one_of(settings.instances));
        HttpSettings {
            limits,
            stored_limits: settings.stored_limits,
            login_limit: settings.attempts_per_minute,
            limiter,
            person_limit: settings.person_limit,
            inbound_limit: settings.inbound_limit,
            page_limit: settings.page_limit,
            timeouts: settings.timeouts,
            proxies: settings.trusted_proxies.clone(),
            cors: settings.cors_origins.clone(),
            public_origin: settings.public_url.clone(),
            panel: settings.panel.then(panel),
            guide: Some(Guide {
                page: tidings_guide::page,
                search: tidings_guide::search,
                style: tidings_guide::STYLE,
            }),
            usage_days: settings.retention.usage,
            deleted_days: settings.retention.deleted_workspaces,
            hints: Arc::clone(&self.hints),
            earlier_cursor_keys,
            ..HttpSettings::new(cursor_key)
        }
    }

    /// Starts to exchange hints with the other processes, if the database supports several.
    pub(crate) fn carry_hints(&self) -> Option<HintCarrier> {
        let (bus, ports) = (self.storage.hint_bus()?, &self.tidings.ports);
        let relay = HintRelay::new(Arc::clone(&self.hints), ports.ids.next());
        Some(HintCarrier::begin(bus, relay, ports.clock.clone()))
    }

    /// Returns the rate limiter that several instances share, if it is configured.
    ///
    /// # Errors
    /// [`Failure::Refused`].
    pub(crate) fn shared_limiter(
        &self,
        settings: &Settings,
        instance: &str,
    ) -> Result<Option<Arc<SharedLimiter>>, Failure> {
        let Some(shared) = shared_limits(settings, instance) else { return Ok(None) };
        let limiter = SharedLimiter::start(shared, self.tidings.ports.clock.clone());
        Ok(Some(Arc::new(limiter.map_err(|error| Failure::with_advice(error.to_string()))?)))
    }

    /// Shares the pace of channels with other instances, if that is configured.
    ///
    /// # Errors
    /// [`Failure::Refused`].
    pub(crate) fn share_pace(&self, settings: &Settings, instance: &str) -> Result<(), Failure> {
        let Some(shared) = shared_limits(settings, instance) else { return Ok(()) };
        let buckets = SharedPace::start(shared).map_err(|error| Failure::with_advice(error.to_string()))?;
        self.pace.share(Arc::new(buckets));
        Ok(())
    }
}

fn shared_limits(settings: &Settings, instance: &str) -> Option<SharedLimits> {
    let url = settings.redis_url.clone()?;
    Some(SharedLimits { url, instance: instance.to_owned(), instances: settings.instances })
}

fn panel() -> Panel {
    let file = |tidings_panel::File { path, content_type, bytes, gzip, immutable }| PanelFile {
        path,
        content_type,
        bytes,
        gzip,
        immutable,
    };
    Panel::new(tidings_panel::files().into_iter().map(file))
}
