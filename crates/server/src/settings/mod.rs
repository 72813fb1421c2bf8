//! Settings: read in layers, and validated as a whole before use.

mod checks;
mod error;
mod layers;
mod media;
mod values;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use secrecy::SecretString;
use tidings_domain::access::OutboundMode;
use tidings_domain::access::storage_usage::StoredLimits;
use tidings_domain::conversations::ConfirmationTexts;
use tidings_domain::retention::Retention;
use tidings_egress::Network;
use tidings_http::{ConnectionBounds, ConnectionTimeouts, CorsOrigins, Origin, TrustedProxies};

pub use error::SettingsError;
pub use layers::Effective;
pub use media::S3Settings;

/// The environment if `TIDINGS_ENV` is not set.
const DEVELOPMENT: &str = "development";
const SQLITE: &str = "sqlite://";

/// All settings, validated. It has no `Debug`, because it contains secrets.
#[derive(Clone)]
pub struct Settings {
    /// `TIDINGS_ENV`: `development`, `production` or any other word.
    pub environment: String,
    /// The address of the API.
    pub address: SocketAddr,
    /// The number of request threads; `None` for one per core.
    pub workers: Option<usize>,
    /// The limits on the number of connections.
    pub connections: ConnectionBounds,
    /// The trusted proxies in front of this server.
    pub trusted_proxies: TrustedProxies,
    /// The origins of other pages that may call the API.
    pub cors_origins: CorsOrigins,
    /// The time limits of connections.
    pub timeouts: ConnectionTimeouts,
    /// The time after SIGTERM while requests are still served.
    pub drain: Duration,
    /// The public URL of this server.
    pub public_url: Option<Origin>,
    /// The issuer of access tokens.
    pub issuer: String,
    /// Maximum number of sign-in attempts per minute and client network.
    pub attempts_per_minute: u32,
    /// The URL of the database.
    pub storage_url: SecretString,
    /// The path of a `sqlite://` URL.
    pub sqlite_file: Option<PathBuf>,
    /// The number of open connections or readers. The request threads have further ones.
    pub pool_size: usize,
    /// The time limit of an expensive query of a request.
    pub search_timeout: Duration,
    /// The number of concurrent jobs in each pool.
    pub concurrency: usize,
    /// The duration of a claim, unless the engine extends it.
    pub lease: Duration,
    /// Whether channels and webhooks send.
    pub outbound: OutboundMode,
    /// Whether outgoing calls can reach this machine.
    pub allow_loopback: bool,
    /// Private networks that outgoing calls can reach.
    pub allowed_networks: Vec<Network>,
    /// Hosts that can be called with `http:`.
    pub plain_http_hosts: Vec<String>,
    /// The PEM file of certificate authorities that outgoing connections trust in addition to the public ones.
    pub extra_ca_file: Option<PathBuf>,
    /// The delay before each attempt of a delivery.
    pub retry_schedule: Vec<Duration>,
    /// The words with which contacts opt out.
    pub opt_out_words: Vec<String>,
    /// The texts that confirm an opt-out.
    pub opt_out_confirmation: ConfirmationTexts,
    /// Maximum number of requests per minute of a user in a workspace.
    pub person_limit: u32,
    /// Maximum number of requests per minute and client network to public pages.
    pub page_limit: u32,
    /// Maximum number of verified requests per minute to the inbound address of a channel; `None` for the limit of its
    /// type.
    pub inbound_limit: Option<u32>,
    /// The master key in base64, if it is set.
    pub master_key: Option<SecretString>,
    /// Previous master keys in base64, for decryption.
    pub previous_keys: Vec<SecretString>,
    /// Requests per minute of the plan Starter.
    pub starter: u32,
    /// Requests per minute of the plan Pro.
    pub pro: u32,
    /// Requests per minute of the plan Business.
    pub business: u32,
    /// Bytes of stored text, by plan.
    pub stored_limits: StoredLimits,
    /// The bucket of files; `None` if they are in a folder.
    pub s3: Option<S3Settings>,
    /// The folder of files, if it is set.
    pub media_folder: Option<PathBuf>,
    /// Maximum size of a file in bytes.
    pub max_media_bytes: u64,
    /// Bytes of files, by plan.
    pub media_limits: StoredLimits,
    /// The maximum number of instances with the API.
    pub instances: u32,
    /// The Redis with the rate limits and the pace of channels that several instances share.
    pub redis_url: Option<SecretString>,
    /// The address of the monitoring port.
    pub metrics_address: Option<SocketAddr>,
    /// The token for the metrics at the API's address.
    pub metrics_token: Option<SecretString>,
    /// Whether the panel is served.
    pub panel: bool,
    /// The retention of past data.
    pub retention: Retention,
    /// The format of the log.
    pub log_format: LogFormat,
    /// The lowest level in the log.
    pub log_level: tracing::Level,
}

/// The format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Text for humans.
    Text,
    /// One JSON object per line.
    Json,
}

/// Returns the environment from `TIDINGS_ENV`.
fn environment() -> String {
    let word = std::env::var("TIDINGS_ENV").ok().filter(|word| !word.is_empty());
    word.unwrap_or_else(|| DEVELOPMENT.to_owned())
}

impl Settings {
    /// Reads the settings of this process: the defaults, the files in `./config`, and the environment.
    ///
    /// # Errors
    /// [`SettingsError`] with the invalid setting.
    pub fn load() -> Result<Self, SettingsError> {
        Self::load_from(&environment(), Path::new("config"), None)
    }

    /// Returns the annotated defaults of all settings, in TOML.
    pub fn defaults() -> &'static str {
        layers::DEFAULTS
    }

    /// Returns the environment and all effective settings, valid or not, with hidden secrets.
    pub fn effective() -> (String, Vec<Effective>) {
        let environment = environment();
        let effective = Self::effective_in(&environment, Path::new("config"), None);
        (environment, effective)
    }

    /// Whether the environment is `development`.
    pub fn is_development(&self) -> bool {
        self.environment == DEVELOPMENT
    }

    /// Returns the folder of the files of messages: by default, beside the database.
    pub fn media_folder(&self) -> PathBuf {
        self.media_folder.clone().unwrap_or_else(|| self.data_folder().join("media"))
    }

    /// Returns the folder for files that belong to the database.
    pub fn data_folder(&self) -> PathBuf {
        match self.sqlite_file.as_deref().and_then(Path::parent) {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            Some(_) => PathBuf::from("."),
            None => PathBuf::from("./data"),
        }
    }
}
