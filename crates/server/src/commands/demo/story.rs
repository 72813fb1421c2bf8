//! The steps of the demo.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tidings_credentials::system::SystemClock;
use tidings_domain::ports::Clock;
use tidings_egress::signing::{SigningSecret, sign};

use super::api::Api;
use super::mock_services::{MockServices, ReceivedRequests};
use super::{Outcome, PATIENCE};
use crate::failure::Failure;
use crate::output::print_line;

/// The contact's address at the provider.
const ADDRESS: &str = "+49 30 901820";

pub(super) struct Story {
    api: Api,
    services: MockServices,
    json: bool,
    steps: Vec<String>,
}

/// The objects that were set up before the first message.
struct Stage {
    inbound: String,
    channel_secret: String,
}

impl Story {
    pub(super) fn new(api: Api, services: MockServices, json: bool) -> Self {
        Self { api, services, json, steps: Vec::new() }
    }

    /// Prints a completed step.
    pub(super) fn say(&mut self, step: &str) {
        if self.json {
            print_line(&json!({ "step": step }).to_string());
        } else {
            print_line(&format!("  ✓ {step}"));
        }
        self.steps.push(step.to_owned());
    }

    pub(super) fn steps(self) -> Vec<String> {
        self.steps
    }

    /// Runs all steps.
    pub(super) async fn play(&mut self) -> Result<Outcome, Failure> {
        let stage = self.set_the_stage().await?;
        self.inbound(&stage, "in-1", "hello").await?;
        self.say("a contact sent `hello` over the http channel");
        self.wait_for_message("Hi Ada!", 1).await?;
        self.wait_for_message("Which email address may we use?", 1).await?;
        self.say("the flow replied, and asked for an email address");

        self.inbound(&stage, "in-2", "not an email address").await?;
        self.wait_for_message("Which email address may we use?", 2).await?;
        self.say("the flow asked again after an invalid reply");

        self.inbound(&stage, "in-3", "ada@example.com").await?;
        self.say("the contact replied with an email address");
        self.wait_for_message("Thank you, ada@example.com. You are in.", 1).await?;
        self.say("the flow saved the reply, waited two seconds, branched, and tagged the contact");
        self.wait_for_message("How was your first day, Ada?", 1).await?;
        self.say("the sequence sent its step after its delay");

        self.check_the_contact().await?;
        let received = self.check_the_events().await?;
        let repeated = received.events.values().filter(|(_, times)| *times > 1).count();
        Ok(Outcome {
            workspace_id: String::new(),
            steps: Vec::new(),
            messages: received.messages.len(),
            events: received.events.len(),
            repeated,
        })
    }

    async fn set_the_stage(&mut self) -> Result<Stage, Failure> {
        let to = self.services.address.clone();
        let webhook = json!({ "url": format!("{to}/webhook"), "events": ["*"] });
        let webhook = self.api.post("/api/v1/webhooks", webhook).await?;
        self.services.webhook_secret(parse(&text(&webhook, "/secret")?)?);
        self.say("subscribed a receiver to all events");

        let channel = json!({
            "kind": "http", "name": "Demo", "is_default": true, "config": { "url": format!("{to}/provider") },
        });
        let channel = self.api.post("/api/v1/channels", channel).await?;
        let channel_secret = text(&channel, "/secret")?;
        self.services.channel_secret(parse(&channel_secret)?);
        let (inbound, channel) = (text(&channel, "/inbound_path")?, text(&channel, "/id")?);
        self.api.post(&format!("/api/v1/channels/{channel}/connect"), json!({})).await?;
        self.say("connected a channel of kind `http`");

        self.api.post("/api/v1/tags", json!({ "name": "vip" })).await?;
        self.api.post("/api/v1/custom-fields", json!({ "name": "Plan", "key": "plan", "type": "text" })).await?;
        let sequence = self.api.post("/api/v1/sequences", sequence()).await?;
        let sequence = text(&sequence, "/id")?;
        let flow = json!({ "name": "Welcome", "definition": flow(&sequence) });
        let flow = text(&self.api.post("/api/v1/flows", flow).await?, "/id")?;
        self.api.post(&format!("/api/v1/flows/{flow}/publish"), json!({})).await?;
        self.say("published a sequence, and a flow with the keyword `hello`");
        Ok(Stage { inbound, channel_secret })
    }

    /// Sends a message of the contact, signed by the provider.
    async fn inbound(&self, stage: &Stage, id: &str, words: &str) -> Result<(), Failure> {
        let now = SystemClock.now();
        let body = json!({
            "type": "message", "id": id, "text": words, "timestamp": now,
            "from": { "address": ADDRESS, "name": "Ada" },
        });
        let body = body.to_string();
        let signatures = sign(&[parse(&stage.channel_secret)?], id, now.unix_seconds(), body.as_bytes());
        let headers = [
            ("webhook-id", id.to_owned()),
            ("webhook-timestamp", now.unix_seconds().to_string()),
            ("webhook-signature", signatures.standard),
        ];
        self.api.inbound(&stage.inbound, body, &headers).await.map(|_| ())
    }

    /// Waits until the contact has received this text at least `times` times.
    async fn wait_for_message(&self, words: &str, times: usize) -> Result<ReceivedRequests, Failure> {
        let what = format!("the message “{words}”");
        self.services.until(&what, |it| it.messages.iter().filter(|(_, text)| text == words).count() >= times).await
    }

    async fn check_the_contact(&mut self) -> Result<(), Failure> {
        let found = self.api.get("/api/v1/contacts/email:ada%40example.com").await?;
        let tagged = found.pointer("/tags/0/name").and_then(Value::as_str) == Some("vip");
        let plan = found.pointer("/custom_fields/plan").and_then(Value::as_str) == Some("gold");
        if !tagged || !plan {
            return Err(Failure::with_advice(format!("the contact does not have the expected tag and plan: {found}")));
        }
        self.say("the contact has the email address, the plan and the tag `vip`");
        Ok(())
    }

    /// Checks that the receiver got all events of the feed, and the contact got each message once.
    async fn check_the_events(&mut self) -> Result<ReceivedRequests, Failure> {
        let wanted = ["sequence.completed", "flow.completed", "contact.tag_added"];
        self.services
            .until("the end of the flow and of the sequence", |it| {
                wanted.iter().all(|kind| it.events.values().any(|(event, _)| event["type"] == **kind))
            })
            .await?;
        let mut feed = BTreeSet::new();
        let ends = tokio::time::Instant::now() + PATIENCE;
        // Events get their position about a second after the commit. So the feed is read until it contains all received
        // events.
        loop {
            let mut after = 0;
            loop {
                let page = self.api.get(&format!("/api/v1/events?after={after}&limit=100")).await?;
                let rows = page.get("data").and_then(Value::as_array).cloned().unwrap_or_default();
                feed.extend(rows.iter().filter_map(|row| row.get("id")?.as_str().map(ToOwned::to_owned)));
                match rows.last().and_then(|row| row.get("position")?.as_i64()) {
                    Some(position) => after = position,
                    None => break,
                }
            }
            let received = self.services.until("any event", |_| true).await?;
            if received.events.keys().all(|id| feed.contains(id)) {
                break;
            }
            if tokio::time::Instant::now() >= ends {
                return Err(Failure::with_advice("an event arrived that is missing in the feed"));
            }
            tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        }
        let all = |it: &ReceivedRequests| feed.iter().all(|id| it.events.contains_key(id));
        let received = self.services.until("each event of the feed", all).await?;
        if let Some(why) = received.refused.first() {
            return Err(Failure::with_advice(format!("a request arrived that could not be verified: {why}")));
        }
        let ids: BTreeSet<_> = received.messages.iter().map(|(id, _)| id).collect();
        if ids.len() != received.messages.len() {
            return Err(Failure::with_advice("a message reached the contact twice"));
        }
        self.say(&format!("all {} events of the feed arrived, verified", feed.len()));
        Ok(received)
    }
}

fn text(value: &Value, pointer: &str) -> Result<String, Failure> {
    let found = value.pointer(pointer).and_then(Value::as_str).map(ToOwned::to_owned);
    found.ok_or_else(|| Failure::with_advice(format!("the response has no {pointer}: {value}")))
}

fn parse(secret: &str) -> Result<SigningSecret, Failure> {
    SigningSecret::parse(secret).map_err(|error| Failure::with_advice(error.to_string()))
}

fn sequence() -> Value {
    json!({
        "name": "First days", "status": "active",
        "steps": [{
            "id": "first-day", "delay": "PT3S",
            "action": { "type": "send_message", "message": {
                "type": "text", "text": "How was your first day, {{ contact.first_name }}?" } },
        }],
        "exit_on": ["unsubscribe"], "reenroll": "never", "time_zone": "workspace",
    })
}

fn flow(sequence: &str) -> Value {
    let send = |words: &str| json!({ "type": "text", "text": words });
    json!({
        "triggers": [{ "type": "keyword", "match": "exact", "keywords": ["hello"] }],
        "start": "greet",
        "nodes": [
            { "id": "greet", "type": "send_message", "message": send("Hi {{ contact.first_name | default('there') }}!"),
              "next": "ask" },
            { "id": "ask", "type": "ask", "message": send("Which email address may we use?"),
              "expect": "email", "save_to": "contact.email", "attempts": 2, "timeout": "PT24H", "next": "wait", "on_timeout": "end",
              "on_invalid": "end" },
            { "id": "wait", "type": "delay", "for": "PT2S", "next": "plan" },
            { "id": "plan", "type": "set_field", "field": "custom_fields.plan", "value": "gold", "next": "which" },
            { "id": "which", "type": "branch", "otherwise": "end", "branches": [
                { "when": { "field": "custom_fields.plan", "op": "eq", "value": "gold" }, "next": "tag" }] },
            { "id": "tag", "type": "add_tag", "tag": "vip", "next": "enroll" },
            { "id": "enroll", "type": "enroll_sequence", "sequence": sequence, "next": "thanks" },
            { "id": "thanks", "type": "send_message",
              "message": send("Thank you, {{ contact.email }}. You are in."), "next": "end" },
            { "id": "end", "type": "end" },
        ],
    })
}
