//! The state and the settings that all requests share.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use tidings_domain::Tidings;
use tidings_domain::access::storage_usage::StoredLimits;
use tidings_domain::access::{KeyHolder, Plan, RateWindowsInProcess};
use tidings_domain::channels::ChannelType;
use tidings_domain::hints::Hints;
use tidings_domain::ids::{ChannelId, ContactId, WorkspaceId};
use tidings_domain::ports::RateLimiter;
use tidings_domain::retention::Retention;
use utoipa::openapi::OpenApi;

use crate::auth::caller::{Person, Remembered};
use crate::auth::origin::Origin;
use crate::connections::ConnectionTimeouts;
use crate::connections::client_address::TrustedProxies;
use crate::events::live::Streams;
use crate::limits::byte_budget::ByteBudget;
use crate::limits::compute_pool::ComputePool;
use crate::limits::inbound_limits::InboundLimits;
use crate::limits::rate_windows::RateWindows;
use crate::limits::stored_sums::StoredSums;
use crate::limits::unknown_tokens::UnknownTokens;
use crate::limits::workspace_limit::{MAX_EXPORTS, WorkspaceLimit};
use crate::pages::panel::Panel;
use crate::pipeline::cors::CorsOrigins;
use crate::pipeline::guide::Guide;
use crate::pipeline::monitoring::MetricsPage;
use crate::pipeline::readiness::Checks;
use crate::pipeline::usage_log::UsageBuffer;
use crate::request::cursor::CursorKey;

/// Maximum number of requests of a workspace that call other services at the same time. Each can occupy a connection
/// for many seconds.
pub(crate) const MAX_CALLS: usize = 16;
/// Maximum number of calls to providers of a workspace that acknowledge inbound requests at the same time.
const MAX_ACKNOWLEDGEMENTS: usize = 32;
/// Maximum number of large bodies that the inbound addresses of a workspace receive at the same time. Each is in memory
/// as a whole, up to 25 MiB.
const MAX_LARGE_INBOUND: usize = 4;
/// Maximum size in bytes of all large bodies that inbound addresses receive at the same time: five of the largest mails.
/// The mail in a form and its files occupy as much again, each.
const MAX_INBOUND_BYTES: usize = 128 * 1024 * 1024;
/// Maximum number of files that a workspace uploads at the same time.
const MAX_UPLOADS: usize = 8;

/// Requests per rolling minute, by plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is named after its plan")]
pub struct Limits {
    pub starter: u32,
    pub pro: u32,
    pub business: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { starter: 600, pro: 2_000, business: 10_000 }
    }
}

/// Requests per minute in a sandbox, for every plan.
const SANDBOX_LIMIT: u32 = 600;

impl Limits {
    /// Returns the limit of a workspace on this plan.
    pub fn of(&self, workspace: WorkspaceId, plan: Plan) -> u32 {
        match plan {
            _ if workspace.is_sandbox() => SANDBOX_LIMIT,
            Plan::Starter => self.starter,
            Plan::Pro => self.pro,
            Plan::Business => self.business,
        }
    }
}

/// The settings of the API.
#[derive(Clone)]
pub struct HttpSettings {
    /// Requests per minute, by plan.
    pub limits: Limits,
    /// Bytes of stored text, by plan.
    pub stored_limits: StoredLimits,
    /// Maximum number of sign-in attempts per minute and client network, and of invalid keys and tokens.
    pub login_limit: u32,
    /// Maximum number of requests per minute of a user in a workspace.
    pub person_limit: u32,
    /// The key that authenticates cursors: 32 unguessable bytes, the same on every instance.
    pub cursor_key: [u8; 32],
    /// Earlier cursor keys; their cursors are still accepted.
    pub earlier_cursor_keys: Vec<[u8; 32]>,
    /// The time limits of connections.
    pub timeouts: ConnectionTimeouts,
    /// The trusted proxies.
    pub proxies: TrustedProxies,
    /// The origins of other pages that may call the API.
    pub cors: CorsOrigins,
    /// Maximum number of requests per minute and client network to public pages.
    pub page_limit: u32,
    /// The rate limiter; by default, each process has its own count.
    pub limiter: Arc<dyn RateLimiter>,
    /// The page with the metrics, if there is one.
    pub metrics: Option<MetricsPage>,
    /// The checks of `/readyz` in addition to the store.
    pub checks: Checks,
    /// Maximum number of verified requests per rolling minute to the inbound address of a channel; `None` for the limit
    /// of its type.
    pub inbound_limit: Option<u32>,
    /// The public origin of this server, with which its links start.
    pub public_origin: Option<Origin>,
    /// The panel; without it, `/` redirects to `/docs`.
    pub panel: Option<Panel>,
    /// The documentation at `/docs/guide`; 404 without it.
    pub guide: Option<Guide>,
    /// Retention of the usage log in days.
    pub usage_days: u32,
    /// Grace period of a deleted workspace in days.
    pub deleted_days: u32,
    /// The hints about changes by this process, for streams.
    pub hints: Arc<Hints>,
}

impl HttpSettings {
    /// Returns the defaults with this cursor key.
    pub fn new(cursor_key: [u8; 32]) -> Self {
        Self {
            limits: Limits::default(),
            stored_limits: StoredLimits::default(),
            login_limit: 60,
            person_limit: 600,
            cursor_key,
            earlier_cursor_keys: Vec::new(),
            timeouts: ConnectionTimeouts::default(),
            proxies: TrustedProxies::default(),
            cors: CorsOrigins::default(),
            page_limit: 600,
            limiter: Arc::new(RateWindowsInProcess::default()),
            inbound_limit: None,
            metrics: None,
            checks: Checks::default(),
            public_origin: None,
            panel: None,
            guide: None,
            usage_days: Retention::default().usage,
            deleted_days: Retention::default().deleted_workspaces,
            hints: Arc::default(),
        }
    }
}

/// The shared state of a process. All workers count together.
pub struct State {
    pub(crate) services: Tidings,
    pub(crate) limits: Limits,
    pub(crate) stored_limits: StoredLimits,
    pub(crate) stored_sums: StoredSums,
    pub(crate) cursors: CursorKey,
    pub(crate) timeouts: ConnectionTimeouts,
    pub(crate) proxies: TrustedProxies,
    pub(crate) cors: CorsOrigins,
    pub(crate) page_limit: u32,
    pub(crate) login_limit: u32,
    pub(crate) person_limit: u32,
    pub(crate) keys: Remembered<KeyHolder>,
    pub(crate) people: Remembered<Person>,
    /// Requests without a credential, by client network and limit.
    pub(crate) addresses: RateWindows<(IpAddr, u32)>,
    /// Invalid credentials in headers, by client network.
    pub(crate) wrong: RateWindows<IpAddr>,
    /// Invalid tokens in paths and bodies, by client network.
    pub(crate) wrong_tokens: RateWindows<IpAddr>,
    /// Look-ups of new access tokens from client networks with many invalid credentials.
    pub(crate) token_lookups: RateWindows<IpAddr>,
    /// Requests to public pages, by client network.
    pub(crate) pages: RateWindows<IpAddr>,
    pub(crate) usage: UsageBuffer,
    pub(crate) pool: ComputePool,
    pub(crate) streams: Streams,
    /// Notifies streams of changes that are in no change set.
    pub(crate) hints: Arc<Hints>,
    pub(crate) limiter: Arc<dyn RateLimiter>,
    pub(crate) metrics: Option<MetricsPage>,
    pub(crate) checks: Checks,
    pub(crate) inbound: InboundLimits,
    pub(crate) inbound_limit: Option<u32>,
    /// Stamps of inbound messages, at most one each minute and channel.
    pub(crate) inbound_stamps: RateWindows<ChannelId>,
    pub(crate) unknown_tokens: UnknownTokens,
    /// Requests with valid unsubscribe links, by contact.
    pub(crate) opt_outs: RateWindows<ContactId>,
    pub(crate) public_origin: Option<Origin>,
    /// The prefix of this server's URLs: the configured origin, or empty.
    pub(crate) base: String,
    pub(crate) panel: Option<Panel>,
    pub(crate) guide: Option<Guide>,
    pub(crate) usage_days: u32,
    pub(crate) deleted_days: u32,
    /// Exports of whole workspaces.
    pub(crate) exports: WorkspaceLimit,
    /// Other exports, while their clients read them.
    pub(crate) streamed_exports: WorkspaceLimit,
    pub(crate) table_checks: WorkspaceLimit,
    /// Requests that call other services.
    pub(crate) calls: WorkspaceLimit,
    /// Calls to providers after inbound requests.
    pub(crate) acknowledgements: WorkspaceLimit,
    /// Large bodies of inbound requests, until their events are stored.
    pub(crate) large_inbound: WorkspaceLimit,
    /// The bytes of these bodies.
    pub(crate) inbound_bytes: ByteBudget,
    /// Files that are being received.
    pub(crate) uploads: WorkspaceLimit,
    /// Creates the OpenAPI document for these channel types; set when the routes are registered.
    pub(crate) document: OnceLock<fn(&[&'static ChannelType]) -> OpenApi>,
    draining: AtomicBool,
}

impl State {
    /// Creates the state of a process.
    pub fn new(services: Tidings, settings: HttpSettings) -> Arc<Self> {
        Arc::new(Self {
            services,
            limits: settings.limits,
            stored_limits: settings.stored_limits,
            stored_sums: StoredSums::default(),
            cursors: CursorKey::new(settings.cursor_key).opening(&settings.earlier_cursor_keys),
            timeouts: settings.timeouts,
            proxies: settings.proxies,
            cors: settings.cors,
            page_limit: settings.page_limit,
            login_limit: settings.login_limit,
            person_limit: settings.person_limit,
            keys: Remembered::default(),
            people: Remembered::default(),
            addresses: RateWindows::default(),
            wrong: RateWindows::default(),
            wrong_tokens: RateWindows::default(),
            token_lookups: RateWindows::default(),
            pages: RateWindows::default(),
            usage: UsageBuffer::default(),
            pool: ComputePool::default(),
            streams: Streams::new(Arc::clone(&settings.hints)),
            hints: settings.hints,
            limiter: settings.limiter,
            metrics: settings.metrics,
            checks: settings.checks,
            inbound: InboundLimits::default(),
            inbound_limit: settings.inbound_limit,
            inbound_stamps: RateWindows::default(),
            unknown_tokens: UnknownTokens::default(),
            opt_outs: RateWindows::default(),
            base: settings.public_origin.as_ref().map(ToString::to_string).unwrap_or_default(),
            public_origin: settings.public_origin,
            panel: settings.panel,
            guide: settings.guide,
            usage_days: settings.usage_days,
            deleted_days: settings.deleted_days,
            exports: WorkspaceLimit::new(1),
            streamed_exports: WorkspaceLimit::new(MAX_EXPORTS),
            table_checks: WorkspaceLimit::new(1),
            calls: WorkspaceLimit::new(MAX_CALLS),
            acknowledgements: WorkspaceLimit::new(MAX_ACKNOWLEDGEMENTS),
            large_inbound: WorkspaceLimit::new(MAX_LARGE_INBOUND),
            inbound_bytes: ByteBudget::new(MAX_INBOUND_BYTES),
            uploads: WorkspaceLimit::new(MAX_UPLOADS),
            document: OnceLock::new(),
            draining: AtomicBool::new(false),
        })
    }

    /// Starts to drain: `/readyz` returns 503 for load balancers, every response is the last one of its connection, and
    /// streams end.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
        self.streams.stop();
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }
}
