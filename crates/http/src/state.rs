//! What all requests share.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use tidings_domain::Tidings;
use tidings_domain::access::stored::StoredLimits;
use tidings_domain::access::{KeyHolder, Plan, RateWindowsInProcess};
use tidings_domain::hints::Hints;
use tidings_domain::ids::WorkspaceId;
use tidings_domain::ports::RateLimiter;
use tidings_domain::retention::Retention;
use utoipa::openapi::OpenApi;

use crate::auth::origin::Origin;
use crate::caller::{Person, Remembered};
use crate::client_address::TrustedProxies;
use crate::compute_pool::ComputePool;
use crate::connections::Patience;
use crate::cors::CorsOrigins;
use crate::cursor::CursorKey;
use crate::guide::Guide;
use crate::inbound_limits::InboundRateWindows;
use crate::live::Streams;
use crate::monitoring::MetricsPage;
use crate::one_per_workspace::OnePerWorkspace;
use crate::panel::Panel;
use crate::rate_windows::RateWindows;
use crate::readiness::Checks;
use crate::stored_sums::StoredSums;
use crate::usage_log::UsageBuffer;

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

/// Requests a minute in a sandbox, whatever the plan.
const SANDBOX_LIMIT: u32 = 600;

impl Limits {
    /// The limit of a workspace that pays for this plan.
    pub fn of(&self, workspace: WorkspaceId, plan: Plan) -> u32 {
        match plan {
            _ if workspace.is_sandbox() => SANDBOX_LIMIT,
            Plan::Starter => self.starter,
            Plan::Pro => self.pro,
            Plan::Business => self.business,
        }
    }
}

/// What the operator decides.
#[derive(Clone)]
pub struct HttpSettings {
    /// Requests per minute, by plan.
    pub limits: Limits,
    /// Bytes of stored text, by plan.
    pub stored_limits: StoredLimits,
    /// How many times a minute one address may try to sign in; and how many keys and tokens that open
    /// nothing it may come with.
    pub login_limit: u32,
    /// How many requests a minute a person may make in a workspace.
    pub person_limit: u32,
    /// 32 unguessable bytes, the same on every instance: cursors are authenticated with them.
    pub cursor_key: [u8; 32],
    /// The cursor keys before, whose cursors still open.
    pub earlier_cursor_keys: Vec<[u8; 32]>,
    /// How long clients may keep the server waiting.
    pub patience: Patience,
    /// Whose word about the address of a client is taken.
    pub proxies: TrustedProxies,
    /// Which pages of other origins may speak to the API.
    pub cors: CorsOrigins,
    /// How many requests a minute one address may make to pages that are open to all.
    pub page_limit: u32,
    /// Who counts requests; by default each process for itself.
    pub limiter: Arc<dyn RateLimiter>,
    /// The page with the metrics, if there is one.
    pub metrics: Option<MetricsPage>,
    /// What `/readyz` looks at besides the store.
    pub checks: Checks,
    /// How many requests in a rolling minute a channel's inbound address takes.
    pub inbound_limit: u32,
    /// By which origin clients reach this server: links that it gives begin with it.
    pub public_origin: Option<Origin>,
    /// What people open in a browser; without it `/` leads to `/docs`.
    pub panel: Option<Panel>,
    /// The documentation at `/docs/guide`; 404 without it.
    pub guide: Option<Guide>,
    /// For how many days the log of requests is kept.
    pub usage_days: u32,
    /// For how many days a deleted workspace can be restored.
    pub deleted_days: u32,
    /// What this process changes, for who watches a workspace.
    pub hints: Arc<Hints>,
}

impl HttpSettings {
    /// The defaults, with this cursor key.
    pub fn new(cursor_key: [u8; 32]) -> Self {
        Self {
            limits: Limits::default(),
            stored_limits: StoredLimits::default(),
            login_limit: 60,
            person_limit: 600,
            cursor_key,
            earlier_cursor_keys: Vec::new(),
            patience: Patience::default(),
            proxies: TrustedProxies::default(),
            cors: CorsOrigins::default(),
            page_limit: 600,
            limiter: Arc::new(RateWindowsInProcess::default()),
            inbound_limit: 1_200,
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

/// What all requests share: one per process, so that all workers count together.
pub struct State {
    pub(crate) services: Tidings,
    pub(crate) limits: Limits,
    pub(crate) stored_limits: StoredLimits,
    pub(crate) stored_sums: StoredSums,
    pub(crate) cursors: CursorKey,
    pub(crate) patience: Patience,
    pub(crate) proxies: TrustedProxies,
    pub(crate) cors: CorsOrigins,
    pub(crate) page_limit: u32,
    pub(crate) login_limit: u32,
    pub(crate) person_limit: u32,
    pub(crate) keys: Remembered<KeyHolder>,
    pub(crate) people: Remembered<Person>,
    /// Requests without a credential, by address and by how many it may make.
    pub(crate) addresses: RateWindows<(IpAddr, u32)>,
    /// Credentials that opened nothing, by address.
    pub(crate) wrong: RateWindows<IpAddr>,
    /// Requests to pages that are open to all, by address.
    pub(crate) pages: RateWindows<IpAddr>,
    pub(crate) usage: UsageBuffer,
    pub(crate) pool: ComputePool,
    pub(crate) streams: Streams,
    /// Tells who watches a workspace what happens that no change set tells.
    pub(crate) hints: Arc<Hints>,
    pub(crate) limiter: Arc<dyn RateLimiter>,
    pub(crate) metrics: Option<MetricsPage>,
    pub(crate) checks: Checks,
    pub(crate) inbound: InboundRateWindows,
    pub(crate) inbound_limit: u32,
    pub(crate) public_origin: Option<Origin>,
    /// What addresses of this server begin with: its origin where the operator says it, else nothing.
    pub(crate) base: String,
    pub(crate) panel: Option<Panel>,
    pub(crate) guide: Option<Guide>,
    pub(crate) usage_days: u32,
    pub(crate) deleted_days: u32,
    pub(crate) exports: OnePerWorkspace,
    /// Checks of tables, which compute much.
    pub(crate) table_checks: OnePerWorkspace,
    /// What makes the document of the API; who registers the routes says it.
    pub(crate) document: OnceLock<fn() -> OpenApi>,
    draining: AtomicBool,
}

impl State {
    /// The state of a process that has served nothing yet.
    pub fn new(services: Tidings, settings: HttpSettings) -> Arc<Self> {
        Arc::new(Self {
            services,
            limits: settings.limits,
            stored_limits: settings.stored_limits,
            stored_sums: StoredSums::default(),
            cursors: CursorKey::new(settings.cursor_key).opening(&settings.earlier_cursor_keys),
            patience: settings.patience,
            proxies: settings.proxies,
            cors: settings.cors,
            page_limit: settings.page_limit,
            login_limit: settings.login_limit,
            person_limit: settings.person_limit,
            keys: Remembered::default(),
            people: Remembered::default(),
            addresses: RateWindows::default(),
            wrong: RateWindows::default(),
            pages: RateWindows::default(),
            usage: UsageBuffer::default(),
            pool: ComputePool::default(),
            streams: Streams::new(Arc::clone(&settings.hints)),
            hints: settings.hints,
            limiter: settings.limiter,
            metrics: settings.metrics,
            checks: settings.checks,
            inbound: InboundRateWindows::default(),
            inbound_limit: settings.inbound_limit,
            base: settings.public_origin.as_ref().map(ToString::to_string).unwrap_or_default(),
            public_origin: settings.public_origin,
            panel: settings.panel,
            guide: settings.guide,
            usage_days: settings.usage_days,
            deleted_days: settings.deleted_days,
            exports: OnePerWorkspace::default(),
            table_checks: OnePerWorkspace::default(),
            document: OnceLock::new(),
            draining: AtomicBool::new(false),
        })
    }

    /// Makes `/readyz` answer 503 from now on, so that load balancers stop sending requests before
    /// the server stops, and every answer the last one of its connection. Streams end.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
        self.streams.stop();
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }
}
