//! The service without the loops of its engine: tests decide when jobs run.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_http::Request;
use actix_web::dev::{Service, ServiceResponse};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, test, web};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tidings_credentials::system::SystemClock;
use tidings_domain::access::{Access, NewKey, NewWorkspace, Plan, Scope};
use tidings_domain::ports::{ClaimRequest, Clock, EngineStore, Pool};
use tidings_domain::time::Timestamp;
use tidings_domain::work::Worker;
use tidings_egress::signing::{SigningSecret, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP, sign};
use tidings_http::State;
use tidings_storage::Storage;
use uuid::Uuid;

use crate::settings::Settings;
use crate::wiring::Adapters;

const MASTER_KEY: &str = "c2l4dGVlbiBieXRlcyBhbmQgc2l4dGVlbiBtb3JlISE=";
/// There is no other engine, so the lease of an abandoned job can expire immediately.
const LEASE: Duration = Duration::from_millis(1);

/// A clock one day behind. Deferred jobs are then due immediately by the databases' clocks.
struct Yesterday;

impl Clock for Yesterday {
    fn now(&self) -> Timestamp {
        SystemClock.now().minus(Duration::from_secs(24 * 3_600))
    }
}

/// The number of requests with each ID, of an event or of a message to the provider.
type Received = Arc<Mutex<BTreeMap<String, usize>>>;

/// Handles a request like the server.
type Answer = Rc<dyn AsyncApp>;

#[derive(Debug, Clone)]
pub(super) struct Reply {
    status: u16,
    pub(super) body: Value,
}

impl Reply {
    /// Whether the request succeeded. Any other response must be a 503 that states the known outcome.
    pub(super) fn is_done(&self) -> bool {
        match (self.status, self.body["code"].as_str()) {
            (200..300, _) => true,
            (503, Some("unavailable" | "outcome_unknown")) => false,
            _ => panic!("{self:?}"),
        }
    }

    /// Whether the response says that nothing was changed.
    pub(super) fn is_undone(&self) -> bool {
        self.body["code"] == "unavailable"
    }
}

#[async_trait::async_trait(?Send)]
trait AsyncApp {
    async fn answer(&self, request: Request) -> Reply;
}

struct Running<S>(S);

#[async_trait::async_trait(?Send)]
impl<S> AsyncApp for Running<S>
where
    S: Service<Request, Response = ServiceResponse, Error = actix_web::Error>,
{
    async fn answer(&self, request: Request) -> Reply {
        let response = test::call_service(&self.0, request).await;
        let status = response.status().as_u16();
        let body = test::read_body(response).await;
        Reply { status, body: serde_json::from_slice(&body).unwrap_or_default() }
    }
}

pub(super) struct Setup {
    app: Answer,
    key: String,
    storage: Arc<Storage>,
    worker: Worker,
    received: Received,
    pub(super) receiver: String,
    /// A published flow with a tag, a message and the end.
    pub(super) flow: String,
    /// A webhook for events of tags, which no test checks.
    pub(super) quiet_webhook: String,
    pub(super) webhook: String,
    /// An `http` channel whose provider is the receiver.
    pub(super) channel: String,
    /// The path of its inbound address, and its signing secret.
    inbound: (String, String),
    made: Cell<usize>,
    feed: RefCell<(i64, HashMap<String, Vec<String>>)>,
}

impl Setup {
    pub(super) async fn new(url: &str) -> Self {
        let variables = HashMap::from([
            ("TIDINGS__STORAGE__URL".to_owned(), url.to_owned()),
            ("TIDINGS__SECRETS__MASTER_KEY".to_owned(), MASTER_KEY.to_owned()),
            ("TIDINGS__EGRESS__ALLOW_LOOPBACK".to_owned(), "true".to_owned()),
            ("TIDINGS__LIMITS__PLANS__BUSINESS".to_owned(), "1000000".to_owned()),
        ]);
        let settings = Settings::load_from("development", Path::new("/nonexistent"), Some(variables)).unwrap();
        let adapters = Adapters::open_at(&settings, None, Arc::new(Yesterday)).await.unwrap();
        adapters.storage.migrate().await.unwrap();
        let access = &adapters.tidings.access;
        let workspace = NewWorkspace { name: "acme".to_owned(), plan: Plan::Business };
        let workspace = access.create_workspace(workspace).await.unwrap();
        let key = NewKey { name: "test".to_owned(), scope: Scope::Full, expires_at: None };
        let key = access.create_key(&Access::system(workspace.id), key).await.unwrap();

        let state = State::new(adapters.tidings.clone(), adapters.http_settings(&settings));
        let app = App::new().configure(|config| tidings_http::configure(config, &state));
        let app = test::init_service(app).await;
        let received = Received::default();
        let mut setup = Self {
            app: Rc::new(Running(app)),
            key: key.text.expose_secret().to_owned(),
            storage: adapters.storage.clone(),
            worker: adapters.tidings.worker.clone(),
            receiver: receiver(&received),
            received,
            flow: String::new(),
            quiet_webhook: String::new(),
            webhook: String::new(),
            channel: String::new(),
            inbound: Default::default(),
            made: Cell::new(0),
            feed: RefCell::default(),
        };
        setup.furnish().await;
        setup
    }

    async fn furnish(&mut self) {
        self.post("/api/v1/tags", json!({"name": "stepped"})).await;
        let definition = json!({"start": "tag", "nodes": [
            {"id": "tag", "type": "add_tag", "tag": "stepped", "next": "say"},
            {"id": "say", "type": "send_message", "message": {"type": "text", "text": "Hi"}, "next": "end"},
            {"id": "end", "type": "end"}]});
        let flow = self.post("/api/v1/flows", json!({"name": "Step", "definition": definition})).await;
        self.flow = id(&flow);
        self.post(&format!("/api/v1/flows/{}/publish", self.flow), json!({})).await;
        let hook = async |kind: &str| {
            let hook = json!({"url": self.receiver, "events": [kind]});
            id(&self.post("/api/v1/webhooks", hook).await)
        };
        let (quiet, loud) = (hook("conversation.resolved").await, hook("contact.created").await);
        (self.quiet_webhook, self.webhook) = (quiet, loud);
        let channel = json!({"kind": "http", "name": "Ours", "config": {"url": self.receiver}});
        let channel = self.post("/api/v1/channels", channel).await;
        let text = |name: &str| channel[name].as_str().unwrap().to_owned();
        self.channel = id(&channel);
        self.inbound = (text("inbound_path"), text("secret"));
        let connected = self.ask("POST", &format!("/api/v1/channels/{}/connect", self.channel), None, None).await;
        assert_eq!(connected.body["status"], "connected", "{connected:?}");
    }

    pub(super) async fn ask(&self, method: &str, path: &str, key: Option<&str>, body: Option<Value>) -> Reply {
        let mut request = test::TestRequest::with_uri(path)
            .method(method.parse().unwrap())
            .peer_addr("127.0.0.1:9".parse().unwrap())
            .insert_header(("authorization", format!("Bearer {}", self.key)));
        if let Some(key) = key {
            request = request.insert_header(("idempotency-key", key));
        }
        if let Some(body) = body {
            request = request.set_json(body);
        }
        self.app.answer(request.to_request()).await
    }

    /// Posts a signed message of a contact. Its text, its ID and the address of the contact are the name.
    pub(super) async fn hear(&self, name: &str) -> Reply {
        let (path, secret) = &self.inbound;
        let body = json!({"type": "message", "id": name, "from": {"address": name}, "text": name}).to_string();
        let at = Yesterday.now().unix_seconds();
        let signature = sign(&[SigningSecret::parse(secret).unwrap()], name, at, body.as_bytes()).standard;
        let request = test::TestRequest::post()
            .uri(path)
            .peer_addr("127.0.0.1:9".parse().unwrap())
            .insert_header(("content-type", "application/json"))
            .insert_header((WEBHOOK_ID, name))
            .insert_header((WEBHOOK_TIMESTAMP, at.to_string()))
            .insert_header((WEBHOOK_SIGNATURE, signature))
            .set_payload(body);
        self.app.answer(request.to_request()).await
    }

    pub(super) async fn count_contacts(&self) -> u64 {
        let page = self.get("/api/v1/contacts?include=total&limit=1").await;
        page["total"].as_u64().unwrap()
    }

    pub(super) async fn get(&self, path: &str) -> Value {
        let reply = self.ask("GET", path, None, None).await;
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        reply.body
    }

    /// Returns the object at a path, if it exists.
    pub(super) async fn find(&self, path: &str) -> Option<Value> {
        let reply = self.ask("GET", path, None, None).await;
        assert!(reply.status == 200 || reply.status == 404, "{path}: {reply:?}");
        (reply.status == 200).then_some(reply.body)
    }

    pub(super) async fn post(&self, path: &str, body: Value) -> Value {
        let reply = self.ask("POST", path, None, Some(body)).await;
        assert!(reply.is_done(), "{path}: {reply:?}");
        reply.body
    }

    pub(super) fn name(&self) -> String {
        self.made.set(self.made.get() + 1);
        format!("name-{}-end", self.made.get())
    }

    /// Claims and runs due jobs. Failed ones are released, or their lease expires. Returns the number of jobs.
    pub(super) async fn round(&self) -> usize {
        let mut count = 0;
        for pool in Pool::ALL {
            let request = ClaimRequest::new(pool, 16, LEASE, SystemClock.now());
            for job in self.storage.claim(request).await.unwrap_or_default() {
                count += 1;
                if let Err(error) = self.worker.perform(&job).await {
                    let _ = self.worker.give_back(&job, &error).await;
                }
            }
        }
        count
    }

    /// Runs all due jobs, including abandoned ones.
    pub(super) async fn finish_due_work(&self) {
        loop {
            while self.round().await > 0 {}
            tokio::time::sleep(2 * LEASE).await;
            if self.round().await == 0 {
                break;
            }
        }
        for pool in Pool::ALL {
            assert_eq!(self.storage.next_due(pool).await.unwrap(), None, "nothing is left to be done");
        }
    }

    /// Returns the types of all events about this object in the feed.
    pub(super) async fn events(&self, object: &str) -> Vec<String> {
        let (now, hour) = (SystemClock.now(), Duration::from_secs(3_600));
        while self.storage.number_events(Uuid::from_u128(1), hour, 1_000, now).await.unwrap() > 0 {}
        loop {
            let after = self.feed.borrow().0;
            let page = self.get(&format!("/api/v1/events?after={after}")).await;
            let mut feed = self.feed.borrow_mut();
            for event in page["data"].as_array().unwrap() {
                let kind = event["type"].as_str().unwrap().to_owned();
                feed.1.entry(id(&event["data"]["object"])).or_default().push(kind);
            }
            feed.0 = page["next_after"].as_i64().unwrap();
            if page["has_more"] == false {
                break;
            }
        }
        let mut kinds = self.feed.borrow().1.get(object).cloned().unwrap_or_default();
        kinds.sort();
        kinds
    }

    /// Returns the number of requests with this ID.
    pub(super) fn came(&self, id: &str) -> usize {
        self.received.lock().unwrap().get(id).copied().unwrap_or_default()
    }
}

pub(super) fn id(object: &Value) -> String {
    object["id"].as_str().unwrap_or_default().to_owned()
}

/// Starts a receiver of webhooks. Returns its URL.
fn receiver(received: &Received) -> String {
    let kept = web::Data::from(Arc::clone(received));
    let server = HttpServer::new(move || App::new().app_data(kept.clone()).default_service(web::to(receive)));
    let server = server.workers(1).bind("127.0.0.1:0").unwrap();
    let address = server.addrs()[0];
    actix_web::rt::spawn(server.run());
    format!("http://{address}/hook")
}

async fn receive(request: HttpRequest, kept: web::Data<Mutex<BTreeMap<String, usize>>>) -> HttpResponse {
    let event = request.headers().get("webhook-id").unwrap().to_str().unwrap().to_owned();
    *kept.lock().unwrap().entry(event).or_default() += 1;
    HttpResponse::NoContent().finish()
}
