//! Messages in both directions on a channel with a provider that does not recognise repeats.

use serde_json::json;

use super::Operation;
use super::setup::{Reply, Setup, id};

/// The first message of a stranger, which the provider repeats after the failure.
pub(super) struct Receive;

impl Operation for Receive {
    type Subject = (String, u64);
    type Told = Reply;

    async fn prepare(&self, setup: &Setup) -> (String, u64) {
        (setup.name(), setup.count_contacts().await)
    }

    async fn act(&self, setup: &Setup, (name, _): &(String, u64)) -> Reply {
        setup.hear(name).await
    }

    async fn check(&self, setup: &Setup, (name, before): (String, u64), reply: Reply) {
        let stored = setup.count_contacts().await - before;
        assert!(!reply.is_done() || stored == 1, "the acknowledged message is stored: {reply:?}");
        assert!(!reply.is_undone() || stored == 0, "the refused message is not stored: {reply:?}");
        let again = setup.hear(&name).await;
        assert!(again.is_done(), "{again:?}");
        assert!(
            !reply.is_done() || reply.body == again.body,
            "both responses name the same message: {reply:?} {again:?}"
        );
        setup.finish_due_work().await;

        assert_eq!(setup.count_contacts().await, before + 1, "one contact");
        let message = again.body["message_id"].as_str().unwrap();
        assert_eq!(setup.events(message).await, ["message.received"]);
        let message = setup.get(&format!("/api/v1/messages/{message}")).await;
        let path = format!("/api/v1/conversations/{}", message["conversation_id"].as_str().unwrap());
        let conversation = setup.get(&path).await;
        assert_eq!(setup.events(conversation["contact_id"].as_str().unwrap()).await, ["contact.created"]);
        let messages = setup.get(&format!("{path}/messages")).await;
        assert_eq!(messages["data"].as_array().map(Vec::len), Some(1), "{messages}");
    }
}

/// A message to the provider, which counts its requests.
pub(super) struct SendOnce;

impl Operation for SendOnce {
    type Subject = String;
    type Told = ();

    async fn prepare(&self, setup: &Setup) -> String {
        let identity = json!({"channel_id": setup.channel, "address": setup.name()});
        let contact = id(&setup.post("/api/v1/contacts", json!({"identities": [identity]})).await);
        setup.finish_due_work().await;
        let message = json!({"type": "text", "text": "Hi", "channel_id": setup.channel});
        id(&setup.post(&format!("/api/v1/contacts/{contact}/send-message"), message).await)
    }

    async fn act(&self, setup: &Setup, _: &String) {
        while setup.round().await > 0 {}
    }

    async fn check(&self, setup: &Setup, message: String, (): ()) {
        setup.finish_due_work().await;
        let stored = setup.get(&format!("/api/v1/messages/{message}")).await;
        let (came, events) = (setup.came(&message), setup.events(&message).await);
        match stored["status"].as_str() {
            Some("sent") => assert_eq!((came, events), (1, vec!["message.sent".to_owned()]), "{stored}"),
            Some("uncertain") => assert!(came <= 1 && events.is_empty(), "it came {came} times: {events:?} {stored}"),
            _ => panic!("the message has no outcome: {stored}"),
        }
    }
}
