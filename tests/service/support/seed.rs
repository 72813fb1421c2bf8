//! A workspace with one object of each type and without pending work.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tidings_credentials::system::{SystemClock, SystemIds};
use tidings_domain::ids::{JobId, TagId, TypedId};
use tidings_domain::ports::{Change, ChangeSet, Clock, Ids, Job, JobChange, Ledger, NewJob};
use tidings_http::routes::{ROUTES, Route};
use tidings_storage::{Storage, StorageSettings};

use super::{Client, Receiver, Server};

/// The suffix of an ID that no object has.
const NOBODY: &str = "01h455vb4pex5vsknk084sn02q";

/// Returns an ID of this type without an object.
pub fn absent(kind: &str) -> String {
    match kind {
        // Versions are numbers.
        "number" => "4711".to_owned(),
        kind => format!("{kind}_{NOBODY}"),
    }
}

/// Returns the type of the IDs after `/collection/` in a path.
pub fn kind_under(collection: &str) -> &'static str {
    match collection {
        "contacts" => "contact",
        "bulk" => "bulk",
        "imports" => "imp",
        "tags" => "tag",
        "custom-fields" => "field",
        "bot-fields" => "botfield",
        "secrets" => "secret",
        "conversations" => "conv",
        "messages" => "msg",
        "channels" => "chan",
        "inbound" | "m" => "token",
        "media" => "media",
        "workspaces" => "ws",
        "members" => "user",
        "api-keys" => "key",
        "invitations" | "reset-links" => "token",
        "sessions" => "sess",
        "flows" => "flow",
        "flow-runs" => "run",
        "versions" => "number",
        "segments" => "seg",
        "saved-replies" => "reply",
        "broadcasts" => "bcast",
        "sequences" => "seq",
        "webhooks" => "hook",
        "deliveries" => "dlv",
        "jobs" => "job",
        other => panic!("add the prefix of the IDs below /{other}/ here"),
    }
}

/// Returns the route's path with an ID for each parameter, in order.
pub fn with_ids(route: &Route, mut id: impl FnMut(&'static str) -> String) -> String {
    let mut collection = "";
    let segments = route.path.split('/').map(|segment| {
        let before = std::mem::replace(&mut collection, segment);
        if segment.starts_with('{') { id(kind_under(before)) } else { segment.to_owned() }
    });
    segments.collect::<Vec<_>>().join("/")
}

/// Returns the routes that a key can read.
fn seen_by_keys() -> impl Iterator<Item = &'static Route> {
    ROUTES.iter().filter(|route| route.method == "GET" && route.scope.required().is_some())
}

/// Returns the collections with objects that a key reads by ID alone, with the type of the ID.
pub fn collections() -> impl Iterator<Item = (&'static str, &'static str)> {
    let alone = seen_by_keys().filter(|route| route.path.matches('{').count() == 1);
    alone.filter_map(|route| {
        let collection = route.path.strip_suffix("/{id}")?;
        Some((collection, kind_under(collection.rsplit('/').next()?)))
    })
}

/// A workspace with its keys and one object of every type.
pub struct Seed {
    pub workspace: String,
    pub read: String,
    pub write: String,
    pub full: String,
    pub client: Client,
    storage: Arc<Storage>,
    /// IDs by type, as in `contact_…`.
    ids: BTreeMap<&'static str, String>,
}

impl Seed {
    /// Fills a new workspace of a running server and waits until all of its work is done.
    pub async fn new(server: &Server, name: &str, receiver: &Receiver) -> Self {
        let workspace = server.new_workspace(name);
        let key = |scope: &str| server.new_key(&workspace, scope);
        let (read, write, full) = (key("read"), key("write"), key("full"));
        let client = Client::new(&server.base, Some(&full));
        let settings = StorageSettings { pool_size: 1, ..StorageSettings::new(server.url()) };
        let (storage, ids) = (Storage::open(&settings).await.unwrap(), BTreeMap::new());
        let mut seed = Self { workspace, read, write, full, client: client.clone(), storage, ids };
        let made = |object: &Value| object["id"].as_str().unwrap().to_owned();

        let hook = json!({"url": receiver.url, "events": ["message.sent"]});
        seed.ids.insert("hook", made(&client.post("/api/v1/webhooks", &hook).await.expect(201)));
        seed.ids.insert("tag", made(&client.post("/api/v1/tags", &json!({"name": "vip"})).await.expect(201)));
        let field = json!({"name": "Plan", "type": "text"});
        seed.ids.insert("field", made(&client.post("/api/v1/custom-fields", &field).await.expect(201)));
        let bot_field = json!({"name": "Season", "type": "text", "value": "winter"});
        seed.ids.insert("botfield", made(&client.post("/api/v1/bot-fields", &bot_field).await.expect(201)));
        let secret =
            format!("TOKEN_OF_{}", name.to_ascii_uppercase().replace(|it: char| !it.is_ascii_alphanumeric(), "_"));
        let value = json!({"value": "a value of nobody", "hosts": ["api.example.com"]});
        client.call("PUT", &format!("/api/v1/secrets/{secret}"), Some(&value)).await.expect(201);
        seed.ids.insert("secret", secret);
        let contact = json!({
            "external_id": format!("{name}-ada"), "email": format!("ada@{name}.example"), "phone": "+49301234567",
            "tags": [seed.id("tag")], "custom_fields": {"plan": "gold"},
        });
        seed.ids.insert("contact", made(&client.post("/api/v1/contacts", &contact).await.expect(201)));
        let table = format!("external_id,email\n{name}-ada,ada@{name}.example\n,not an address\n");
        let import = client.post("/api/v1/contacts/import", &Value::String(table)).await.expect(202);
        seed.ids.insert("imp", made(&import));
        client.until(&format!("/api/v1/contacts/imports/{}", seed.id("imp")), |it| it["status"] == "completed").await;
        let nobody = json!({"field": "first_name", "op": "eq", "value": "Nobody"});
        let bulk = json!({"filter": nobody, "action": {"type": "tag", "tag_id": seed.id("tag")}});
        let bulk = client.post("/api/v1/contacts/bulk", &bulk).await.expect(202);
        seed.ids.insert("bulk", made(&bulk));
        client.until(&format!("/api/v1/contacts/bulk/{}", seed.id("bulk")), |it| it["status"] == "completed").await;
        let definition = json!({"start": "tag", "nodes": [
            {"id": "tag", "type": "add_tag", "tag": "vip", "next": "end"}, {"id": "end", "type": "end"}]});
        seed.ids.insert("flow", client.publish_flow("Welcome", &definition).await);

        let segment =
            json!({"name": "Golden", "condition": {"field": "custom_fields.plan", "op": "eq", "value": "gold"}});
        seed.ids.insert("seg", made(&client.post("/api/v1/segments", &segment).await.expect(201)));
        let reply =
            json!({"name": "Hours", "text": "Hi {{ contact.first_name | default('there') }}, we are open from 9."});
        seed.ids.insert("reply", made(&client.post("/api/v1/saved-replies", &reply).await.expect(201)));
        let file = Value::String("A file".to_owned());
        seed.ids.insert("media", made(&client.post("/api/v1/media", &file).await.expect(201)));
        let broadcast = json!({"name": "News", "audience": {"segment_id": seed.id("seg")},
            "message": {"type": "text", "text": "Hi {{ contact.first_name }}"}});
        seed.ids.insert("bcast", made(&client.post("/api/v1/broadcasts", &broadcast).await.expect(201)));
        let contact = format!("/api/v1/contacts/{}", seed.id("contact"));
        let sequence = json!({"name": "Drip", "status": "active", "exit_on": [], "steps": [{"id": "later", "delay": "P9D",
            "action": {"type": "send_message", "message": {"type": "text", "text": "Hi"}}}]});
        seed.ids.insert("seq", made(&client.post("/api/v1/sequences", &sequence).await.expect(201)));
        let enrolled = format!("{contact}/sequences/{}", seed.id("seq"));
        seed.ids.insert("enr", made(&client.post(&enrolled, &json!({})).await.expect(201)));
        let message = json!({"type": "text", "text": "Hello"});
        let message = client.post(&format!("{contact}/send-message"), &message).await.expect(202);
        for (kind, member) in [("msg", "id"), ("conv", "conversation_id"), ("chan", "channel_id")] {
            seed.ids.insert(kind, message[member].as_str().unwrap().to_owned());
        }
        seed.ids.insert("number", "1".to_owned());
        let job = seed.dead_job().await;
        seed.ids.insert("job", job);
        let run = client.post(&format!("{contact}/start-flow"), &json!({"flow_id": seed.id("flow")})).await;
        seed.ids.insert("run", made(&run.expect(202)));

        let messages = format!("/api/v1/conversations/{}/messages", seed.id("conv"));
        client.until(&messages, |list| list["data"][0]["status"] == "sent").await;
        client.until(&format!("/api/v1/flow-runs/{}", seed.id("run")), |run| run["status"] == "completed").await;
        let deliveries = format!("/api/v1/webhooks/{}/deliveries", seed.id("hook"));
        let list = client.until(&deliveries, |list| list["data"][0]["status"] == "succeeded").await;
        seed.ids.insert("dlv", made(&list["data"][0]));
        seed
    }

    /// Creates a dead-lettered job in the store, because no request creates one.
    pub async fn dead_job(&self) -> String {
        let (id, tag) = (JobId::from_uuid(SystemIds.next()), TagId::from_uuid(SystemIds.next()));
        let lease = Some(Duration::from_secs(3_600));
        let mut set = ChangeSet::new(self.workspace.parse().unwrap());
        set.jobs.push(NewJob { lease, ..NewJob::new(id, Job::SweepTag { tag }, SystemClock.now()) });
        self.storage.commit(set.clone()).await.unwrap();
        let (error, at) = ("the store was unavailable".to_owned(), SystemClock.now());
        set.jobs.clear();
        set.change(Change::Job(JobChange::Bury { job: id, token: NewJob::FIRST_TOKEN, error, at }));
        self.storage.commit(set).await.unwrap();
        id.to_string()
    }

    pub fn id(&self, kind: &str) -> &str {
        self.ids.get(kind).map(String::as_str).unwrap_or_else(|| panic!("there is no {kind} in the seed"))
    }

    /// Returns the ID of its object of this type, or one without an object.
    pub fn id_or_absent(&self, kind: &str) -> String {
        match kind {
            "ws" => self.workspace.clone(),
            kind => self.ids.get(kind).cloned().unwrap_or_else(|| absent(kind)),
        }
    }

    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.ids.values().map(String::as_str)
    }

    /// Returns everything that its `full` key can read: path, entity tag and body of every object and list.
    pub async fn everything(&self) -> Vec<(String, Option<String>, String)> {
        let mut seen = Vec::new();
        for path in self.paths() {
            let reply = self.client.get(&path).await;
            assert_eq!(reply.status, 200, "{path}: {}", reply.text);
            let body = without_instant(without_instant(reply.text.clone(), "as_of"), "counted_at");
            // The entity tag of a body with such a time also changes with each response.
            let tag = reply.header("etag").filter(|_| body == reply.text).map(ToOwned::to_owned);
            seen.push((path, tag, body));
        }
        seen
    }

    /// Returns the lists that its `full` key can read, with its objects in their paths.
    pub fn lists(&self) -> impl Iterator<Item = (&'static Route, String)> {
        seen_by_keys().filter(|route| route.traits.query).map(|route| (route, self.path_of(route)))
    }

    fn paths(&self) -> Vec<String> {
        let objects = seen_by_keys().filter(|route| !route.traits.query && route.path.contains('{'));
        let objects = objects.map(|route| self.path_of(route));
        objects.chain(self.lists().map(|(_, path)| format!("{path}?limit=100"))).collect()
    }

    fn path_of(&self, route: &Route) -> String {
        with_ids(route, |kind| self.id(kind).to_owned())
    }
}

/// Removes the times with this name from a body, because they differ in each response.
fn without_instant(body: String, name: &str) -> String {
    let begin = format!("\"{name}\":\"");
    let mut parts = body.split(begin.as_str());
    let mut without = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        without.push_str(&begin);
        without.push_str(part.find('"').map_or(part, |end| &part[end..]));
    }
    without
}
