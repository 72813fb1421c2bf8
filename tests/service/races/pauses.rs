//! A pause against queued messages of the flow: a message waits if its send did not begin before the pause, and is sent
//! once when the flow is resumed.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::pace::{Handicap, dice_of, each, judge, now, races, start_in};
use super::setup::{Setup, id, millis, text};
use crate::support::Store;

/// The number of concurrent flows, each with one contact at a time.
const FLOWS: usize = 16;
/// A contact can start a flow at most ten times an hour.
const ROUNDS_OF_A_CONTACT: usize = 8;
const MESSAGES: usize = 3;
const SEND: &str = "the send";
const PAUSE: &str = "the pause";

/// One flow with its current contact.
struct Lane<'s> {
    setup: &'s Setup,
    handicap: &'s Handicap,
    flow: String,
    contact: String,
    /// The path of the newest messages of the contact's conversation.
    messages: String,
    /// All messages that must be sent.
    sent: BTreeSet<String>,
}

/// The state after the pause.
struct Paused {
    /// The time of its acknowledgement.
    at: i64,
    /// The messages of the round after that.
    seen: Vec<Value>,
}

impl<'s> Lane<'s> {
    async fn open(setup: &'s Setup, handicap: &'s Handicap) -> Self {
        let say = |place: usize| {
            let next = if place < MESSAGES { format!("say_{}", place + 1) } else { "end".to_owned() };
            let text = format!("{{{{ vars.race }}}}.{place}");
            json!({"id": format!("say_{place}"), "type": "send_message", "message": {"type": "text", "text": text}, "next": next})
        };
        let mut nodes: Vec<Value> = (1..=MESSAGES).map(say).collect();
        nodes.push(json!({"id": "end", "type": "end"}));
        let flow = setup.flow(json!({"start": "say_1", "nodes": nodes})).await;
        let (contact, messages, sent) = (String::new(), String::new(), BTreeSet::new());
        Self { setup, handicap, flow, contact, messages, sent }
    }

    /// Switches to a new contact and opens its conversation.
    async fn take_contact(&mut self, number: usize) {
        self.contact = self.setup.contact(&format!("+{number}")).await;
        let hello = self.say().await;
        self.messages = format!("/api/v1/conversations/{}/messages?limit=10", text(&hello, "conversation_id"));
    }

    /// Sends a message outside the flow.
    async fn say(&mut self) -> Value {
        let body = json!({"type": "text", "text": "Hello"});
        let said = self.setup.post(&format!("/api/v1/contacts/{}/send-message", self.contact), body).await.expect(202);
        self.sent.insert(id(&said));
        said
    }

    async fn turn(&self, how: &str) {
        self.setup.post(&format!("/api/v1/flows/{}/{how}", self.flow), Value::Null).await.expect(200);
    }

    /// Returns the messages of a race in order.
    async fn seen(&self, number: usize) -> Vec<Value> {
        of_race(&self.setup.get(&self.messages).await, number)
    }

    /// Pauses the flow while it has messages to send, and resumes it; returns the side that won for the second message.
    async fn once(&mut self, number: usize) -> &'static str {
        let body = json!({"flow_id": self.flow, "vars": {"race": number.to_string()}});
        self.setup.post(&format!("/api/v1/contacts/{}/start-flow", self.contact), body).await.expect(202);
        start_in(self.handicap.draw(&mut dice_of(number))).await;
        self.turn("pause").await;
        let at = now();
        let paused = Paused { at, seen: self.seen(number).await };
        let went_out = self.hold(number, &paused).await;
        let resumed_at = now();
        self.turn("resume").await;
        self.release(number, &went_out, resumed_at).await;
        let winner = if went_out.len() > 1 { SEND } else { PAUSE };
        self.handicap.note(winner == PAUSE);
        winner
    }

    /// Checks that messages that waited at the pause still wait after a later message was sent; returns the others.
    async fn hold(&mut self, number: usize, paused: &Paused) -> Vec<String> {
        let later = id(&self.say().await);
        self.setup.when(&format!("/api/v1/messages/{later}"), |it| it["status"] == "sent").await;
        let went_out: Vec<String> = paused.seen.iter().filter(|it| !is_queued(it)).map(id).collect();
        for message in self.seen(number).await {
            match went_out.contains(&id(&message)) {
                true => {
                    assert_eq!(message["status"], "sent", "{message}");
                    assert!(since(&message, "sending") <= paused.at, "{message} after {}", paused.at);
                }
                false => assert!(is_queued(&message), "a paused flow sent {message}"),
            }
        }
        went_out
    }

    /// Checks that each message is sent once and in order, and held ones only after the flow was resumed.
    async fn release(&mut self, number: usize, went_out: &[String], resumed_at: i64) {
        let are_sent = |all: &[Value]| all.len() == MESSAGES && all.iter().all(|it| it["status"] == "sent");
        let all = of_race(&self.setup.when(&self.messages, |page| are_sent(&of_race(page, number))).await, number);
        let ids: Vec<String> = all.iter().map(id).collect();
        assert_eq!(went_out, &ids[..went_out.len()], "messages are sent in order: {all:?}");
        let began: Vec<i64> = all.iter().map(|it| since(it, "sending")).collect();
        assert!(began.is_sorted(), "messages are sent in order: {all:?}");
        for message in &all {
            let history: Vec<_> =
                message["status_history"].as_array().unwrap().iter().map(|it| it["status"].clone()).collect();
            assert_eq!(history, ["queued", "sending", "sent"], "{message}");
        }
        assert!(began[went_out.len()..].iter().all(|began| *began >= resumed_at), "{all:?} before {resumed_at}");
        self.sent.extend(ids);
    }
}

/// Returns the messages of a race on a page, in order.
fn of_race(page: &Value, number: usize) -> Vec<Value> {
    let words = |place: usize| format!("{number}.{place}");
    let said = |words: String| page["data"].as_array().unwrap().iter().find(move |it| it["text"] == words.as_str());
    (1..=MESSAGES).filter_map(|place| said(words(place))).cloned().collect()
}

/// Whether the message had no other status than queued.
fn is_queued(message: &Value) -> bool {
    message["status"] == "queued" && message["status_history"].as_array().is_some_and(|history| history.len() == 1)
}

fn since(message: &Value, status: &str) -> i64 {
    let history = message["status_history"].as_array().unwrap();
    millis(&history.iter().find(|it| it["status"] == status).unwrap_or_else(|| panic!("{message}"))["at"])
}

/// Runs the races of one flow one after another; returns the winners and the messages that must be sent.
async fn in_lane(setup: &Setup, handicap: &Handicap, first: usize) -> (Vec<&'static str>, BTreeSet<String>) {
    let (mut lane, mut winners) = (Lane::open(setup, handicap).await, Vec::new());
    for (round, number) in (first..races()).step_by(FLOWS).enumerate() {
        if round % ROUNDS_OF_A_CONTACT == 0 {
            lane.take_contact(number).await;
        }
        winners.push(lane.once(number).await);
    }
    (winners, lane.sent)
}

pub async fn pauses_hold_unsent_messages(store: Store) {
    let (setup, handicap) = (Setup::open(store).await, Handicap::new(10, 10));
    let raced = each(FLOWS, 0..FLOWS, |first| in_lane(&setup, &handicap, first)).await;
    let (winners, sent): (Vec<_>, Vec<_>) = raced.into_iter().unzip();
    setup.provider_got(&sent.into_iter().flatten().collect());
    judge("Send against pause", &setup, &winners.concat(), &[SEND, PAUSE]);
}
