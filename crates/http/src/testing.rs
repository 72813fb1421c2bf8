//! A server with mocked ports. An unexpected call of a port panics, and the client gets 500.

use std::rc::Rc;
use std::sync::Arc;

use actix_web::App;
use actix_web::dev::ServiceResponse;
use actix_web::http::Method;
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use bytes::Bytes;
use futures::future::LocalBoxFuture;
use serde_json::Value;
use tidings_domain::Tidings;
use tidings_domain::access::storage_usage::StoredLimits;
use tidings_domain::access::usage::UsageRecord;
use tidings_domain::access::{
    ApiKey, KeyHolder, Membership, Plan, Role, Scope, Session, SessionHolder, SigningKey, User, Workspace,
};
use tidings_domain::ids::{KeyId, SessionId, SigningKeyId, TypedId, UserId, WorkspaceId};
use tidings_domain::memory::{CountingTokens, FixedClock, PlainPasswords, PlainSigner};
use tidings_domain::ports::{
    MockAccessQueries, MockAccountQueries, MockCatalogQueries, MockChannelQueries, MockContactQueries,
    MockConversationQueries, MockErasureQueries, MockEventQueries, MockFieldQueries, MockFlowQueries,
    MockIdempotencyQueries, MockLedger, MockMemberQueries, MockMergeQueries, MockOutboundStore, MockReferenceQueries,
    MockSealer, MockSecrets, MockSequenceQueries, MockTagQueries, MockUsageStore, MockWebhookQueries, Ports, SealError,
    Sealer,
};
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::sender::{MockAddressPolicy, MockWebhookSender};
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::pipeline::route::Route;
use crate::{HttpSettings, Limits, State, configure};

/// Keys of the test's workspace.
pub(crate) const READ: &str = "key-1";
pub(crate) const WRITE: &str = "key-2";
pub(crate) const FULL: &str = "key-3";
/// A `full` key of another workspace.
pub(crate) const OTHER: &str = "key-4";

/// The access token of an operator who owns the test's workspace.
pub(crate) fn owner() -> String {
    person(1)
}

/// The access token of user `number`; see [`session`].
pub(crate) fn person(number: u128) -> String {
    let (key, user, session) = (id::<SigningKeyId>(1), id::<UserId>(number), id::<SessionId>(number));
    format!("{key}.{user}.{session}.0.99999999999")
}

fn id<I: TypedId>(number: u128) -> I {
    I::from_uuid(Uuid::from_u128(number))
}

/// Returns a credential with full access to a route.
pub(crate) fn opener(route: &Route) -> String {
    if route.scope.required().is_some() { FULL.to_owned() } else { owner() }
}

/// Returns a path for the template. It names only the test's workspace, and no other object.
pub(crate) fn path_of(template: &str) -> String {
    template.replace("{ws}", &workspace_id(1).to_string()).replace(['{', '}'], "")
}

/// The session of a user: 1 is owner of workspace 1 and operator; 2 admin; 3 member; 4 viewer; 5 owner of workspace 2;
/// 6 owner of both.
pub(crate) fn session(number: u128) -> Option<SessionHolder> {
    let places: &[(u128, Role)] = match number {
        1 => &[(1, Role::Owner)],
        2 => &[(1, Role::Admin)],
        3 => &[(1, Role::Member)],
        4 => &[(1, Role::Viewer)],
        5 => &[(2, Role::Owner)],
        6 => &[(1, Role::Owner), (2, Role::Owner)],
        _ => return None,
    };
    let now = Timestamp::EPOCH_2026;
    let user = User {
        operator: number == 1,
        ..User::new(id(number), "ada@example.com".parse().unwrap(), "Ada", "right", now)
    };
    let membership =
        |(workspace, role): &(u128, Role)| Membership { workspace: workspace_row(*workspace), role: *role };
    let session = Session::new(id(number), user.id, now);
    Some(SessionHolder { session, user, memberships: places.iter().map(membership).collect() })
}

pub(crate) fn workspace_row(number: u128) -> Workspace {
    Workspace::new(workspace_id(number), "Test", Plan::Starter, Timestamp::EPOCH_2026)
}

#[derive(Default)]
pub(crate) struct Mocks {
    pub access: MockAccessQueries,
    pub accounts: MockAccountQueries,
    pub members: MockMemberQueries,
    pub usage: MockUsageStore,
    pub catalog: MockCatalogQueries,
    pub channels: MockChannelQueries,
    pub contacts: MockContactQueries,
    pub conversations: MockConversationQueries,
    pub erasures: MockErasureQueries,
    pub merges: MockMergeQueries,
    pub fields: MockFieldQueries,
    pub flows: MockFlowQueries,
    pub idempotency: MockIdempotencyQueries,
    pub ledger: MockLedger,
    pub references: MockReferenceQueries,
    pub sequences: MockSequenceQueries,
    pub tags: MockTagQueries,
    pub webhooks: MockWebhookQueries,
    pub events: MockEventQueries,
    pub addresses: MockAddressPolicy,
    pub sender: MockWebhookSender,
    pub limits: Limits,
    pub timeouts: Option<crate::ConnectionTimeouts>,
    pub proxies: crate::TrustedProxies,
    pub cors: crate::CorsOrigins,
    pub page_limit: Option<u32>,
    pub metrics: Option<crate::MetricsPage>,
    pub checks: crate::Checks,
    pub public_origin: Option<crate::Origin>,
    pub panel: Option<crate::Panel>,
    pub guide: Option<crate::Guide>,
}

pub(crate) struct Api {
    pub state: Arc<State>,
    pub clock: Arc<FixedClock>,
    app: OnceCell<Answering>,
}

/// The routes, created once: without optimisation, it takes long.
type Answering = Box<dyn Fn(TestRequest) -> LocalBoxFuture<'static, ServiceResponse>>;

pub(crate) struct Reply {
    pub status: u16,
    pub headers: actix_web::http::header::HeaderMap,
    pub body: Bytes,
}

impl Mocks {
    /// Returns mocks that expect no calls except look-ups of credentials.
    pub fn with_keys() -> Self {
        let mut ports = Self::default();
        ports.access.expect_key_by_digest().returning(|digest| Ok(holder(digest[0])));
        ports.accounts.expect_signing_key().returning(|id| {
            let created_at = Timestamp::EPOCH_2026;
            let sealed = sealer().seal(b"key", &SigningKey::seal_context(id));
            Ok((id == self::id(1)).then_some(SigningKey { id, sealed, created_at }))
        });
        ports.accounts.expect_session().returning(|id| Ok(session(id.uuid().as_u128())));
        // No contact was merged.
        ports.merges.expect_get().returning(|_, _| Ok(None));
        ports
    }

    /// Returns a server with these ports.
    pub fn serve(self) -> Api {
        let clock = Arc::new(FixedClock::default());
        let mut outbound = MockOutboundStore::new();
        outbound.expect_paused_by().returning(|_| Ok(None));
        outbound.expect_deleted_until().returning(|_| Ok(None));
        let ports = Ports {
            access: Arc::new(self.access),
            accounts: Arc::new(self.accounts),
            members: Arc::new(self.members),
            usage: Arc::new(self.usage),
            catalog: Arc::new(self.catalog),
            channels: Arc::new(self.channels),
            contacts: Arc::new(self.contacts),
            conversations: Arc::new(self.conversations),
            erasures: Arc::new(self.erasures),
            merges: Arc::new(self.merges),
            fields: Arc::new(self.fields),
            flows: Arc::new(self.flows),
            idempotency: Arc::new(self.idempotency),
            ledger: Arc::new(self.ledger),
            references: Arc::new(self.references),
            sequences: Arc::new(self.sequences),
            tags: Arc::new(self.tags),
            webhooks: Arc::new(self.webhooks),
            events: Arc::new(self.events),
            addresses: Arc::new(self.addresses),
            sender: Arc::new(self.sender),
            outbound: Arc::new(outbound),
            secrets: Arc::new(secrets()),
            sealer: Arc::new(sealer()),
            clock: clock.clone(),
            passwords: Arc::new(PlainPasswords::default()),
            tokens: Arc::new(CountingTokens::default()),
            signer: Arc::new(PlainSigner),
            ..Ports::mocked()
        };
        // The mocked store does not report its size.
        let stored_limits = StoredLimits { starter: 0, pro: 0, business: 0 };
        let mut settings = HttpSettings { limits: self.limits, stored_limits, ..HttpSettings::new([7; 32]) };
        (settings.metrics, settings.checks) = (self.metrics, self.checks);
        (settings.panel, settings.guide) = (self.panel, self.guide);
        settings.public_origin = self.public_origin;
        settings.timeouts = self.timeouts.unwrap_or_default();
        (settings.proxies, settings.cors) = (self.proxies, self.cors);
        settings.page_limit = self.page_limit.unwrap_or(settings.page_limit);
        Api { state: State::new(Tidings::new(ports), settings), clock, app: OnceCell::new() }
    }
}

impl Api {
    pub async fn send(&self, request: TestRequest) -> Reply {
        let app = self.app.get_or_init(|| async {
            let app = Rc::new(init_service(App::new().configure(|config| configure(config, &self.state))).await);
            let answer = move |request: TestRequest| -> LocalBoxFuture<'static, ServiceResponse> {
                let app = Rc::clone(&app);
                Box::pin(async move { call_service(&*app, request.to_request()).await })
            };
            Box::new(answer) as Answering
        });
        let answer = app.await(request).await;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        Reply { status, headers, body: read_body(answer).await }
    }

    pub async fn call(&self, method: Method, path: &str, key: &str) -> Reply {
        self.send(request(method, path, key)).await
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.call(Method::GET, path, FULL).await
    }

    pub async fn json(&self, method: Method, path: &str, body: &str) -> Reply {
        self.json_as(method, path, body, FULL).await
    }

    pub async fn json_as(&self, method: Method, path: &str, body: &str, credential: &str) -> Reply {
        self.send(request(method, path, credential).insert_header(JSON).set_payload(body.to_owned())).await
    }
}

pub(crate) const JSON: (&str, &str) = ("content-type", "application/json");

pub(crate) fn request(method: Method, path: &str, key: &str) -> TestRequest {
    TestRequest::with_uri(path).method(method).insert_header(("authorization", format!("Bearer {key}")))
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{:?}", self.body))
    }

    /// Returns status and code of a problem, and checks its form.
    pub fn problem(&self) -> (u16, String) {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{}: {:?}", self.status, self.body);
        let body = self.json();
        assert_eq!(body["status"], self.status);
        assert_eq!(body["request_id"], self.header("x-request-id").unwrap());
        (self.status, body["code"].as_str().unwrap().to_owned())
    }

    /// Returns pointer or parameter, and code, of each error.
    pub fn errors(&self) -> Vec<(String, String)> {
        let body = self.json();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let place = |error: &Value| text(error.get("pointer").unwrap_or(&error["parameter"]));
        body["errors"].as_array().unwrap().iter().map(|error| (place(error), text(&error["code"]))).collect()
    }
}

/// Returns the holder of the key `key-<number>`.
pub(crate) fn holder(number: u8) -> Option<KeyHolder> {
    let (scope, workspace) = match number {
        1 => (Scope::Read, 1),
        2 => (Scope::Write, 1),
        3 => (Scope::Full, 1),
        4 => (Scope::Full, 2),
        _ => return None,
    };
    let id = KeyId::from_uuid(Uuid::from_u128(number.into()));
    let key = ApiKey {
        id,
        lineage: id,
        workspace: workspace_id(workspace),
        name: "test".to_owned(),
        scope,
        digest: [number; 32],
        prefix: "tdg_live_".to_owned(),
        last_four: "abcd".to_owned(),
        created_at: Timestamp::EPOCH_2026,
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
        last_used_address: None,
        updated_at: Timestamp::EPOCH_2026,
        version: 1,
    };
    Some(KeyHolder { key, workspace_name: "Test".to_owned(), plan: Plan::Starter })
}

pub(crate) fn workspace_id(number: u128) -> WorkspaceId {
    WorkspaceId::from_uuid(Uuid::from_u128(number))
}

/// Returns a request of a workspace in the usage log.
pub(crate) fn a_request(workspace: u128, route: &str) -> UsageRecord {
    UsageRecord {
        workspace: workspace_id(workspace),
        id: Uuid::nil(),
        at: Timestamp::EPOCH_2026,
        key: Some(id(2)),
        user: None,
        method: "GET".to_owned(),
        route: route.to_owned(),
        status: 200,
        duration_ms: 4,
        request_id: "req_00000000000000000000000002".to_owned(),
        address: "192.0.2.7".to_owned(),
        error_code: None,
        errors: Vec::new(),
    }
}

/// Returns mocks that accept `key-<number>` as keys and `inbound-<number>` as inbound tokens, and reject all other
/// texts.
fn secrets() -> MockSecrets {
    let mut secrets = MockSecrets::new();
    secrets.expect_key_digest().returning(|text| Some([text.strip_prefix("key-")?.parse().ok()?; 32]));
    secrets.expect_inbound_digest().returning(|text| Some([text.strip_prefix("inbound-")?.parse().ok()?; 32]));
    secrets.expect_webhook_secret().returning(|| "whsec_dGVzdA==".to_owned().into());
    secrets
}

/// Returns a mock that seals by prepending the context.
fn sealer() -> MockSealer {
    let mut sealer = MockSealer::new();
    sealer.expect_seal().returning(|plain, context| [context.as_bytes(), b"|", plain].concat());
    sealer.expect_open().returning(|sealed, context| {
        let plain = sealed.strip_prefix([context.as_bytes(), b"|"].concat().as_slice());
        plain.map(<[u8]>::to_vec).ok_or(SealError)
    });
    sealer
}
