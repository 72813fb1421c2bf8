//! Which adapter stands behind which port: the one place that knows them all.

mod engine;
#[cfg(test)]
mod failpoints;
mod services;

use std::sync::Arc;

use tidings_channels::{HttpConnector, SandboxConnector};
use tidings_credentials::access_token::Ed25519Signer;
use tidings_credentials::passwords::Argon2Passwords;
use tidings_credentials::secrets::RandomSecrets;
use tidings_credentials::system::{SystemClock, SystemIds, SystemRandomness};
use tidings_domain::access::{AccessService, LoginService, OutboundMode, WindowsInProcess};
use tidings_domain::channels::Connector;
use tidings_domain::platform::PlatformService;
use tidings_domain::ports::{Clock, Ids, Ledger, OpaqueTokens, OutboundStore, Passwords, Randomness, Secrets};
use tidings_domain::sealing::{Canary, HeaderSealing, KeyFinding, Resealing};
use tidings_domain::sequences::{ExitConditions, FlowEnrollments};
use tidings_egress::{Egress, EgressSettings};
use tidings_engine::{Wake, WakingLedger};
use tidings_http::{HttpSettings, Limits, Panel, PanelFile};
use tidings_limits_redis::{SharedLimiter, SharedLimits};
use tidings_storage::{Storage, StorageError, StorageSettings};
use tidings_webhook_sender::HttpWebhookSender;

use crate::failure::Failure;
use crate::master_key::Keys;
use crate::outbound::HeldBySetting;
use crate::settings::Settings;

/// What is said where a pooler stands between here and PostgreSQL.
pub(crate) const SHARED_SESSIONS: &str = "a pooler gives the sessions of this database to others between transactions \
    (PgBouncer with pool_mode = transaction or statement). Prepared statements, time limits and the lock of migrations \
    belong to a session. Point storage.url to PostgreSQL itself, or give this database pool_mode = session.";

/// The adapters of one process.
pub(crate) struct Adapters {
    pub(crate) storage: Arc<Storage>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Randomness>,
    pub(crate) wake: Wake,
    ids: Arc<dyn Ids>,
    secrets: Arc<dyn Secrets>,
    ledger: Arc<dyn Ledger>,
    passwords: Arc<dyn Passwords>,
    tokens: Arc<dyn OpaqueTokens>,
    issuer: String,
    pub(crate) keys: Keys,
}

/// What speaks with the outside.
pub(crate) struct Outside {
    /// Sends webhooks.
    webhooks: HttpWebhookSender,
    /// Carry messages, one for each kind of channel.
    connectors: Vec<Arc<dyn Connector>>,
}

impl Adapters {
    /// Finds the master key and opens the database, whatever the state of its schema; but not by a pooler that gives its
    /// sessions to others.
    ///
    /// # Errors
    /// [`Failure`].
    pub(crate) async fn open(settings: &Settings) -> Result<Self, Failure> {
        Self::open_as(settings, None).await
    }

    /// The same, under a name by which the database knows this process.
    ///
    /// # Errors
    /// [`Failure`].
    pub(crate) async fn open_as(settings: &Settings, process: Option<String>) -> Result<Self, Failure> {
        use secrecy::ExposeSecret;
        let keys = Keys::find(settings)?;
        let url = settings.storage_url.expose_secret().to_owned();
        let storage = StorageSettings { pool_size: settings.pool_size, process, ..StorageSettings::new(url) };
        let storage = Storage::open(&storage).await?;
        if storage.shares_sessions().await? {
            return Err(Failure::refused(SHARED_SESSIONS));
        }
        let wake = Wake::new();
        Ok(Self {
            ledger: Arc::new(WakingLedger::new(storage.clone(), wake.clone(), Arc::new(SystemClock))),
            storage,
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandomness::default()),
            wake,
            ids: Arc::new(SystemIds),
            secrets: Arc::new(RandomSecrets::new()),
            passwords: Arc::new(Argon2Passwords::new()),
            tokens: Arc::new(keys.tokens()),
            issuer: settings.issuer.clone(),
            keys,
        })
    }

    /// Refuses a database whose schema is older than this program.
    ///
    /// # Errors
    /// [`Failure`].
    pub(crate) async fn require_schema(&self) -> Result<(), Failure> {
        match self.storage.pending_migrations().await? {
            0 => Ok(()),
            pending if self.storage.may_migrate().await.map_err(tidings_domain::Error::from)? => {
                Err(Failure::refused(format!(
                    "the database's schema is older than this program (migrations to apply: {pending}). Run `tidings \
                     migrate` first."
                )))
            }
            pending => Err(StorageError::MayNotMigrate(pending).into()),
        }
    }

    /// Tells whether the master key is the store's.
    pub(crate) fn canary(&self) -> Canary {
        Canary { store: self.storage.clone(), sealer: Arc::new(self.keys.sealer()) }
    }

    /// Refuses a database whose secrets are sealed by another key.
    ///
    /// # Errors
    /// [`Failure::Refused`].
    pub(crate) fn require_right_key(&self, finding: &KeyFinding) -> Result<(), Failure> {
        match finding {
            KeyFinding::Wrong(sealed) => Err(Failure::refused(self.keys.wrong(sealed))),
            KeyFinding::Unmarked | KeyFinding::Right | KeyFinding::Earlier => Ok(()),
        }
    }

    /// Seals headers of webhooks that a release before kept as they were.
    ///
    /// # Errors
    /// [`Failure::UseCase`].
    pub(crate) async fn seal_headers(&self) -> Result<(), Failure> {
        let sealing = HeaderSealing { store: self.storage.clone(), sealer: Arc::new(self.keys.sealer()) };
        let sealed = sealing.run().await.map_err(tidings_domain::Error::from)?;
        if sealed > 0 {
            tracing::info!(webhooks = sealed, "the headers of webhooks were sealed");
        }
        Ok(())
    }

    /// Seals by the present master key what earlier ones sealed.
    pub(crate) fn resealing(&self) -> Resealing {
        Resealing { store: self.storage.clone(), sealer: Arc::new(self.keys.sealer()) }
    }

    /// Use cases of workspaces and keys.
    pub(crate) fn access(&self) -> AccessService {
        AccessService {
            access: self.storage.clone(),
            ledger: self.ledger.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
            secrets: self.secrets.clone(),
        }
    }

    /// What sequences ask about contacts.
    fn exit_conditions(&self) -> ExitConditions {
        let storage = &self.storage;
        ExitConditions { fields: storage.clone(), tags: storage.clone(), conversations: storage.clone() }
    }

    /// Sequences as flows need them.
    fn enrollments_in_flows(&self) -> Arc<FlowEnrollments> {
        let storage = &self.storage;
        Arc::new(FlowEnrollments {
            sequences: storage.clone(),
            contacts: storage.clone(),
            access: storage.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        })
    }

    /// Signing in and out.
    pub(crate) fn login(&self) -> LoginService {
        LoginService {
            accounts: self.storage.clone(),
            ledger: self.ledger.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
            passwords: self.passwords.clone(),
            signer: Arc::new(Ed25519Signer::new(self.issuer.clone())),
            tokens: self.tokens.clone(),
            sealer: Arc::new(self.keys.sealer()),
        }
    }

    /// What people do about their workspaces.
    pub(crate) fn platform(&self) -> PlatformService {
        PlatformService {
            access: self.storage.clone(),
            accounts: self.storage.clone(),
            members: self.storage.clone(),
            usage: self.storage.clone(),
            passwords: self.passwords.clone(),
            tokens: self.tokens.clone(),
            secrets: self.secrets.clone(),
            ledger: self.ledger.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        }
    }

    /// A password that nobody can guess.
    pub(crate) fn new_password(&self) -> secrecy::SecretString {
        self.tokens.password()
    }

    /// Whether what is sent leaves.
    pub(crate) fn outbound(&self, settings: &Settings) -> Arc<dyn OutboundStore> {
        match settings.outbound {
            OutboundMode::Send => self.storage.clone(),
            OutboundMode::Hold => Arc::new(HeldBySetting { store: self.storage.clone(), since: self.clock.now() }),
        }
    }

    /// What the operator decides about the API.
    pub(crate) fn http_settings(&self, settings: &Settings) -> HttpSettings {
        let (cursor_key, earlier_cursor_keys) = self.keys.derive("cursor");
        let limits = Limits { starter: settings.starter, pro: settings.pro, business: settings.business };
        let limiter = Arc::new(WindowsInProcess::one_of(settings.instances));
        HttpSettings {
            limits,
            login_limit: settings.attempts_per_minute,
            limiter,
            person_limit: settings.person_limit,
            inbound_limit: settings.inbound_limit,
            page_limit: settings.page_limit,
            patience: settings.patience,
            proxies: settings.trusted_proxies.clone(),
            cors: settings.cors_origins.clone(),
            public_origin: settings.public_url.clone(),
            panel: settings.panel.then(panel),
            usage_days: settings.retention.usage,
            earlier_cursor_keys,
            ..HttpSettings::new(cursor_key)
        }
    }

    /// The count that several instances share, if the settings name one.
    ///
    /// # Errors
    /// [`Failure::Refused`].
    pub(crate) fn shared_limiter(
        &self,
        settings: &Settings,
        instance: &str,
    ) -> Result<Option<Arc<SharedLimiter>>, Failure> {
        let Some(url) = settings.redis_url.clone() else { return Ok(None) };
        let shared = SharedLimits { url, instance: instance.to_owned(), instances: settings.instances };
        let limiter = SharedLimiter::start(shared, self.clock.clone());
        Ok(Some(Arc::new(limiter.map_err(|error| Failure::refused(error.to_string()))?)))
    }

    /// What speaks with the outside, behind the address wall.
    ///
    /// # Errors
    /// [`Failure::Refused`] where TLS cannot be set up.
    pub(crate) fn outside(&self, settings: &Settings) -> Result<Outside, Failure> {
        // Bound to one address, the service is reached there; loopback is for allow_loopback to decide.
        let own = Some(settings.address.ip()).filter(|ip| !ip.is_unspecified() && !ip.is_loopback());
        let egress = Egress::new(EgressSettings {
            allow_loopback: settings.allow_loopback,
            own_addresses: own.into_iter().collect(),
            allowed_networks: settings.allowed_networks.clone(),
            plain_http_hosts: settings.plain_http_hosts.clone(),
            ..EgressSettings::default()
        });
        let egress = egress.map_err(|error| Failure::refused(error.to_string()))?;
        let sealer = Arc::new(self.keys.sealer());
        let http = HttpConnector::new(egress.clone(), self.clock.clone(), sealer);
        Ok(Outside {
            webhooks: HttpWebhookSender::new(egress, self.clock.clone()),
            connectors: vec![Arc::new(SandboxConnector), Arc::new(http)],
        })
    }
}

/// The panel that was compiled in.
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
