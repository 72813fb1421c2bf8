//! The operations, and their invariants under failures.

use serde_json::{Value, json};

use super::Operation;
use super::setup::{Reply, Setup, id};

/// `POST /contacts`.
pub(super) struct Create;

impl Operation for Create {
    type Subject = String;
    type Told = Reply;

    async fn prepare(&self, setup: &Setup) -> String {
        setup.name()
    }

    async fn act(&self, setup: &Setup, name: &String) -> Reply {
        setup.ask("POST", "/api/v1/contacts", None, Some(json!({"external_id": name}))).await
    }

    async fn check(&self, setup: &Setup, name: String, reply: Reply) {
        let found = setup.find(&format!("/api/v1/contacts/external_id:{name}")).await;
        assert!(!reply.is_done() || found.is_some(), "the acknowledged contact exists");
        assert!(!reply.is_undone() || found.is_none(), "the refused contact does not exist: {reply:?}");
        if let Some(contact) = found {
            assert_eq!(setup.events(&id(&contact)).await, ["contact.created"]);
        }
        setup.finish_due_work().await;
    }
}

/// The same with an `Idempotency-Key`, retried after the failure.
pub(super) struct Once;

impl Once {
    async fn ask(&self, setup: &Setup, name: &str) -> Reply {
        setup.ask("POST", "/api/v1/contacts", Some(name), Some(json!({"external_id": name}))).await
    }
}

impl Operation for Once {
    type Subject = String;
    type Told = Reply;

    async fn prepare(&self, setup: &Setup) -> String {
        setup.name()
    }

    async fn act(&self, setup: &Setup, name: &String) -> Reply {
        self.ask(setup, name).await
    }

    async fn check(&self, setup: &Setup, name: String, reply: Reply) {
        let again = self.ask(setup, &name).await;
        assert!(again.is_done(), "{again:?}");
        assert!(!reply.is_done() || reply.body == again.body, "both responses are equal: {reply:?} {again:?}");
        let found = setup.get(&format!("/api/v1/contacts/external_id:{name}")).await;
        assert_eq!(id(&found), id(&again.body));
        assert_eq!(setup.events(&id(&found)).await, ["contact.created"]);
        setup.finish_due_work().await;
    }
}

/// `POST /webhooks/{id}/rotate-secret` with an `Idempotency-Key`, retried after the failure.
pub(super) struct Rotate;

impl Rotate {
    async fn ask(&self, setup: &Setup, name: &str) -> Reply {
        let path = format!("/api/v1/webhooks/{}/rotate-secret", setup.quiet_webhook);
        setup.ask("POST", &path, Some(name), Some(json!({}))).await
    }

    async fn version(&self, setup: &Setup) -> i64 {
        setup.get(&format!("/api/v1/webhooks/{}", setup.quiet_webhook)).await["version"].as_i64().unwrap()
    }
}

impl Operation for Rotate {
    type Subject = (String, i64);
    type Told = Reply;

    async fn prepare(&self, setup: &Setup) -> (String, i64) {
        (setup.name(), self.version(setup).await)
    }

    async fn act(&self, setup: &Setup, (name, _): &(String, i64)) -> Reply {
        self.ask(setup, name).await
    }

    async fn check(&self, setup: &Setup, (name, before): (String, i64), reply: Reply) {
        let then = self.version(setup).await;
        assert!(!reply.is_undone() || then == before, "the refused change was not made: {reply:?}");
        let again = self.ask(setup, &name).await;
        assert!(again.is_done() && again.body["secret"].is_string(), "{again:?}");
        assert!(!reply.is_done() || reply.body == again.body, "both responses contain the same secret");
        assert_eq!(self.version(setup).await, before + 1, "it changed once");
    }
}

/// A complete run, with a tag and a message.
pub(super) struct Step;

impl Operation for Step {
    type Subject = (String, String);
    type Told = ();

    async fn prepare(&self, setup: &Setup) -> (String, String) {
        let contact = id(&setup.post("/api/v1/contacts", json!({"external_id": setup.name()})).await);
        setup.finish_due_work().await;
        let start = json!({"flow_id": setup.flow});
        let run = id(&setup.post(&format!("/api/v1/contacts/{contact}/start-flow"), start).await);
        (contact, run)
    }

    async fn act(&self, setup: &Setup, _: &(String, String)) {
        while setup.round().await > 0 {}
    }

    async fn check(&self, setup: &Setup, (contact, run): (String, String), (): ()) {
        setup.finish_due_work().await;
        let run = setup.get(&format!("/api/v1/flow-runs/{run}")).await;
        assert_eq!(run["status"], "completed", "{run}");
        assert_eq!(setup.events(&id(&run)).await, ["flow.completed", "flow.started"]);
        assert_eq!(setup.events(&contact).await, ["contact.created", "contact.tag_added"]);
        let shown = setup.get(&format!("/api/v1/contacts/{contact}")).await;
        assert_eq!(shown["tags"].as_array().map(Vec::len), Some(1), "{shown}");

        let conversations = setup.get(&format!("/api/v1/conversations?contact_id={contact}")).await;
        let conversations = conversations["data"].as_array().unwrap();
        assert_eq!(conversations.len(), 1);
        let messages = setup.get(&format!("/api/v1/conversations/{}/messages", id(&conversations[0]))).await;
        let messages = messages["data"].as_array().unwrap();
        assert!(messages.len() == 1 && went_out(&messages[0]), "{messages:?}");
        assert_eq!(setup.events(&id(&messages[0])).await, ["message.sent"]);
    }
}

/// The sandbox accepts all messages immediately.
fn went_out(message: &Value) -> bool {
    matches!(message["status"].as_str(), Some("sent" | "delivered" | "read"))
}

/// The delivery of a new contact to a webhook.
pub(super) struct Deliver;

impl Operation for Deliver {
    type Subject = String;
    type Told = ();

    async fn prepare(&self, setup: &Setup) -> String {
        setup.finish_due_work().await;
        id(&setup.post("/api/v1/contacts", json!({"external_id": setup.name()})).await)
    }

    async fn act(&self, setup: &Setup, _: &String) {
        while setup.round().await > 0 {}
    }

    async fn check(&self, setup: &Setup, contact: String, (): ()) {
        setup.finish_due_work().await;
        assert_eq!(setup.events(&contact).await, ["contact.created"]);
        let list = setup.get(&format!("/api/v1/webhooks/{}/deliveries?limit=1", setup.webhook)).await;
        let delivery = &list["data"][0];
        assert_eq!(delivery["status"], "succeeded", "{delivery}");
        let event = delivery["event_id"].as_str().unwrap();
        let came = setup.came(event);
        let attempts = delivery["attempt_count"].as_u64().unwrap();
        assert!(came >= 1 && attempts >= 1, "it came {came} times, by {attempts} attempts");
    }
}
