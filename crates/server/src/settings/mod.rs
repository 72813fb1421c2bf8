//! Settings: read in layers, checked whole, and only then used.

mod error;
mod layers;
mod values;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use secrecy::SecretString;
use tidings_domain::access::OutboundMode;
use tidings_domain::access::stored::StoredLimits;
use tidings_domain::retention::Retention;
use tidings_egress::Network;
use tidings_http::{Bounds, CorsOrigins, Origin, Patience, TrustedProxies};

pub use error::SettingsError;
pub use layers::Effective;

/// The environment where `TIDINGS_ENV` is not set.
const DEVELOPMENT: &str = "development";
const SQLITE: &str = "sqlite://";

/// Every setting, valid. It has no `Debug`, as it holds secrets.
#[derive(Clone)]
pub struct Settings {
    /// `TIDINGS_ENV`: `development`, `production` or any other word.
    pub environment: String,
    /// Where the API is served.
    pub address: SocketAddr,
    /// How many threads answer requests; `None` for one each core.
    pub workers: Option<usize>,
    /// How many connections are kept at the most.
    pub connections: Bounds,
    /// The proxies that stand before this server.
    pub trusted_proxies: TrustedProxies,
    /// Which pages of other origins may speak to the API.
    pub cors_origins: CorsOrigins,
    /// How long clients may keep the server waiting.
    pub patience: Patience,
    /// How long requests are still answered after SIGTERM.
    pub drain: Duration,
    /// By which address browsers reach this server, where one is set.
    pub public_url: Option<Origin>,
    /// Who signs access tokens.
    pub issuer: String,
    /// How many requests a minute one address may make to sign in.
    pub attempts_per_minute: u32,
    /// Where everything is kept.
    pub storage_url: SecretString,
    /// The path in a `sqlite://` address.
    pub sqlite_file: Option<PathBuf>,
    /// How many connections or readers are kept open, those of the threads that answer requests apart.
    pub pool_size: usize,
    /// The time limit of an expensive query of a request.
    pub search_timeout: Duration,
    /// How many jobs run at once in each pool.
    pub concurrency: usize,
    /// For how long an engine has what it claimed, unless it says that it is still at it.
    pub lease: Duration,
    /// Whether anything leaves by channels and webhooks.
    pub outbound: OutboundMode,
    /// Whether webhooks may call this machine itself.
    pub allow_loopback: bool,
    /// Private networks in which calls may go.
    pub allowed_networks: Vec<Network>,
    /// Hosts that may be called by `http:`.
    pub plain_http_hosts: Vec<String>,
    /// The PEM file of certificate authorities that outgoing connections trust in addition to the public ones.
    pub extra_ca_file: Option<PathBuf>,
    /// The wait before each attempt at a delivery.
    pub retry_schedule: Vec<Duration>,
    /// By which words contacts opt out.
    pub opt_out_words: Vec<String>,
    /// Requests a minute of a person in a workspace.
    pub person_limit: u32,
    /// Requests a minute of an address to what is open to all.
    pub page_limit: u32,
    /// Requests a minute to the inbound address of a channel.
    pub inbound_limit: u32,
    /// The master key in base64, where one is set.
    pub master_key: Option<SecretString>,
    /// Master keys in base64 that still open what they sealed.
    pub previous_keys: Vec<SecretString>,
    /// Requests a minute of the plan Starter.
    pub starter: u32,
    /// Requests a minute of the plan Pro.
    pub pro: u32,
    /// Requests a minute of the plan Business.
    pub business: u32,
    /// Bytes of stored text, by plan.
    pub stored_limits: StoredLimits,
    /// How many instances answer requests at the most.
    pub instances: u32,
    /// Where several instances count together.
    pub redis_url: Option<SecretString>,
    /// Where metrics are served on a port of their own.
    pub metrics_address: Option<SocketAddr>,
    /// Who may see the metrics beside the API.
    pub metrics_token: Option<SecretString>,
    /// Whether the panel is served.
    pub panel: bool,
    /// For how long what has happened is kept.
    pub retention: Retention,
    /// How the log looks.
    pub log_format: LogFormat,
    /// What the log leaves out.
    pub log_level: tracing::Level,
}

/// How the log looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One object on a line.
    Json,
}

/// `TIDINGS_ENV`.
fn environment() -> String {
    let word = std::env::var("TIDINGS_ENV").ok().filter(|word| !word.is_empty());
    word.unwrap_or_else(|| DEVELOPMENT.to_owned())
}

impl Settings {
    /// Reads the settings of this process: the defaults, the files below `./config`, the environment.
    ///
    /// # Errors
    /// [`SettingsError`] names the setting that is wrong.
    pub fn load() -> Result<Self, SettingsError> {
        Self::load_from(&environment(), Path::new("config"), None)
    }

    /// The annotated defaults of all settings: a file of settings in TOML.
    pub fn defaults() -> &'static str {
        layers::DEFAULTS
    }

    /// The environment and every setting as it stands, secrets hidden, whether it is valid or not.
    pub fn effective() -> (String, Vec<Effective>) {
        let environment = environment();
        let effective = Self::effective_in(&environment, Path::new("config"), None);
        (environment, effective)
    }

    /// Whether this is a developer's machine.
    pub fn is_development(&self) -> bool {
        self.environment == DEVELOPMENT
    }

    /// The folder of what belongs to the database but not into it.
    pub fn data_folder(&self) -> PathBuf {
        match self.sqlite_file.as_deref().and_then(Path::parent) {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            Some(_) => PathBuf::from("."),
            None => PathBuf::from("./data"),
        }
    }
}
