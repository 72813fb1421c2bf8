//! What is swept, and what must hold of it whatever fails.

use serde_json::{Value, json};

use super::Operation;
use super::scene::{Reply, Scene, id};

/// `POST /contacts`.
pub(super) struct Create;

impl Operation for Create {
    type Subject = String;
    type Told = Reply;

    async fn prepare(&self, scene: &Scene) -> String {
        scene.name()
    }

    async fn act(&self, scene: &Scene, name: &String) -> Reply {
        scene.ask("POST", "/api/v1/contacts", None, Some(json!({"external_id": name}))).await
    }

    async fn check(&self, scene: &Scene, name: String, told: Reply) {
        let found = scene.find(&format!("/api/v1/contacts/external_id:{name}")).await;
        assert!(!told.is_done() || found.is_some(), "what was acknowledged is there");
        assert!(!told.is_undone() || found.is_none(), "what was refused is not: {told:?}");
        if let Some(contact) = found {
            assert_eq!(scene.events(&id(&contact)).await, ["contact.created"]);
        }
        scene.settle().await;
    }
}

/// The same with an `Idempotency-Key`, repeated when nothing fails any more.
pub(super) struct Once;

impl Once {
    async fn ask(&self, scene: &Scene, name: &str) -> Reply {
        scene.ask("POST", "/api/v1/contacts", Some(name), Some(json!({"external_id": name}))).await
    }
}

impl Operation for Once {
    type Subject = String;
    type Told = Reply;

    async fn prepare(&self, scene: &Scene) -> String {
        scene.name()
    }

    async fn act(&self, scene: &Scene, name: &String) -> Reply {
        self.ask(scene, name).await
    }

    async fn check(&self, scene: &Scene, name: String, told: Reply) {
        let again = self.ask(scene, &name).await;
        assert!(again.is_done(), "{again:?}");
        assert!(!told.is_done() || told.body == again.body, "the answer is the same: {told:?} {again:?}");
        let found = scene.get(&format!("/api/v1/contacts/external_id:{name}")).await;
        assert_eq!(id(&found), id(&again.body));
        assert_eq!(scene.events(&id(&found)).await, ["contact.created"]);
        scene.settle().await;
    }
}

/// `POST /webhooks/{id}/rotate-secret` with an `Idempotency-Key`, repeated when nothing fails any more.
pub(super) struct Rotate;

impl Rotate {
    async fn ask(&self, scene: &Scene, name: &str) -> Reply {
        let path = format!("/api/v1/webhooks/{}/rotate-secret", scene.quiet_webhook);
        scene.ask("POST", &path, Some(name), Some(json!({}))).await
    }

    async fn version(&self, scene: &Scene) -> i64 {
        scene.get(&format!("/api/v1/webhooks/{}", scene.quiet_webhook)).await["version"].as_i64().unwrap()
    }
}

impl Operation for Rotate {
    type Subject = (String, i64);
    type Told = Reply;

    async fn prepare(&self, scene: &Scene) -> (String, i64) {
        (scene.name(), self.version(scene).await)
    }

    async fn act(&self, scene: &Scene, (name, _): &(String, i64)) -> Reply {
        self.ask(scene, name).await
    }

    async fn check(&self, scene: &Scene, (name, before): (String, i64), told: Reply) {
        let then = self.version(scene).await;
        assert!(!told.is_undone() || then == before, "what was refused was not done: {told:?}");
        let again = self.ask(scene, &name).await;
        assert!(again.is_done() && again.body["secret"].is_string(), "{again:?}");
        assert!(!told.is_done() || told.body == again.body, "the secret that was told is the one");
        assert_eq!(self.version(scene).await, before + 1, "it changed once");
    }
}

/// A run from its first step to its last, with a tag and a message on the way.
pub(super) struct Step;

impl Operation for Step {
    type Subject = (String, String);
    type Told = ();

    async fn prepare(&self, scene: &Scene) -> (String, String) {
        let contact = id(&scene.post("/api/v1/contacts", json!({"external_id": scene.name()})).await);
        scene.settle().await;
        let start = json!({"flow_id": scene.flow});
        let run = id(&scene.post(&format!("/api/v1/contacts/{contact}/start-flow"), start).await);
        (contact, run)
    }

    async fn act(&self, scene: &Scene, _: &(String, String)) {
        while scene.round().await > 0 {}
    }

    async fn check(&self, scene: &Scene, (contact, run): (String, String), (): ()) {
        scene.settle().await;
        let run = scene.get(&format!("/api/v1/flow-runs/{run}")).await;
        assert_eq!(run["status"], "completed", "{run}");
        assert_eq!(scene.events(&id(&run)).await, ["flow.completed", "flow.started"]);
        assert_eq!(scene.events(&contact).await, ["contact.created", "contact.tag_added"]);
        let shown = scene.get(&format!("/api/v1/contacts/{contact}")).await;
        assert_eq!(shown["tags"].as_array().map(Vec::len), Some(1), "{shown}");

        let conversations = scene.get(&format!("/api/v1/conversations?contact_id={contact}")).await;
        let conversations = conversations["data"].as_array().unwrap();
        assert_eq!(conversations.len(), 1);
        let messages = scene.get(&format!("/api/v1/conversations/{}/messages", id(&conversations[0]))).await;
        let messages = messages["data"].as_array().unwrap();
        assert!(messages.len() == 1 && went_out(&messages[0]), "{messages:?}");
        assert_eq!(scene.events(&id(&messages[0])).await, ["message.sent"]);
    }
}

/// The sandbox takes everything at once.
fn went_out(message: &Value) -> bool {
    matches!(message["status"].as_str(), Some("sent" | "delivered" | "read"))
}

/// A webhook hears of a new contact.
pub(super) struct Deliver;

impl Operation for Deliver {
    type Subject = String;
    type Told = ();

    async fn prepare(&self, scene: &Scene) -> String {
        scene.settle().await;
        id(&scene.post("/api/v1/contacts", json!({"external_id": scene.name()})).await)
    }

    async fn act(&self, scene: &Scene, _: &String) {
        while scene.round().await > 0 {}
    }

    async fn check(&self, scene: &Scene, contact: String, (): ()) {
        scene.settle().await;
        assert_eq!(scene.events(&contact).await, ["contact.created"]);
        let list = scene.get(&format!("/api/v1/webhooks/{}/deliveries?limit=1", scene.webhook)).await;
        let delivery = &list["data"][0];
        assert_eq!(delivery["status"], "succeeded", "{delivery}");
        let event = delivery["event_id"].as_str().unwrap();
        let came = scene.came(event);
        let attempts = delivery["attempt_count"].as_u64().unwrap();
        assert!(came >= 1 && attempts >= 1, "it came {came} times, by {attempts} attempts");
    }
}
