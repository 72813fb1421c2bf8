//! An opt-out against queued messages: a message is never sent if its send did not begin before the opt-out.

use std::sync::OnceLock;

use serde_json::{Value, json};

use super::pace::{Handicap, dice_of, judge, now, run, start_in};
use super::setup::{Setup, id, millis, text};
use crate::support::Store;

const AT_ONCE: usize = 8;
const SEND: &str = "the send";
const OPT_OUT: &str = "the opt-out";
/// The opt-out came before the message was queued.
const EARLY_OPT_OUT: &str = "the opt-out, early";

/// The two ways to opt out, used in turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// With a message of the contact.
    Word,
    /// With an API request.
    Api,
}

struct Race {
    setup: Setup,
    /// One for each way.
    handicaps: [Handicap; 2],
}

struct Ended {
    way: Way,
    /// The side that won for the second of three messages.
    winner: &'static str,
    went_out: Vec<String>,
}

/// The state after the opt-out.
struct Left {
    /// The time of its acknowledgement.
    at: i64,
    /// The messages of the conversation after that.
    seen: Vec<Value>,
}

impl Race {
    /// Sends three messages while the contact opts out.
    async fn once(&self, number: usize) -> Ended {
        let way = if number.is_multiple_of(2) { Way::Word } else { Way::Api };
        let address = format!("+{number}");
        let contact = format!("/api/v1/contacts/{}", self.setup.contact(&address).await);
        let first = self.send(&contact).await;
        let messages = format!("/api/v1/conversations/{}/messages", text(&first, "conversation_id"));
        let handicap = &self.handicaps[number % 2];
        let offset = handicap.draw(&mut dice_of(number));
        let gone = OnceLock::new();
        let sending = async {
            start_in(-offset).await;
            let mut sent = vec![first];
            while sent.len() < 3 {
                let is_gone = gone.get().is_some();
                let message = self.send(&contact).await;
                assert!(!is_gone || is_suppressed(&message), "{message}");
                sent.push(message);
            }
            sent
        };
        let leaving = async {
            start_in(offset).await;
            self.leave(way, &contact, &address, number).await;
            let at = now();
            gone.set(()).unwrap();
            Left { at, seen: self.setup.all(&messages).await }
        };
        let (sent, left) = futures::join!(sending, leaving);
        let refused = self.send(&contact).await;
        assert!(is_suppressed(&refused), "{refused}");
        let ids: Vec<String> = sent.iter().map(id).collect();
        let went_out = self.check(&messages, way, &ids, &left).await;
        let winner = match went_out.contains(&ids[1]) {
            true => SEND,
            false if sent[1]["status"] == "queued" => OPT_OUT,
            false => EARLY_OPT_OUT,
        };
        handicap.note(winner != SEND);
        Ended { way, winner, went_out }
    }

    async fn send(&self, contact: &str) -> Value {
        let body = json!({"type": "text", "text": "News"});
        self.setup.post(&format!("{contact}/send-message"), body).await.expect(202)
    }

    async fn leave(&self, way: Way, contact: &str, address: &str, number: usize) {
        match way {
            Way::Word => self.setup.says(address, &format!("leaves-{number}"), "stop").await.expect(202),
            Way::Api => self.setup.call("PATCH", contact, json!({"subscribed": false})).await.expect(200),
        };
    }

    /// Checks that each message is sent if its send began in time, and is suppressed otherwise; returns the sent ones.
    async fn check(&self, messages: &str, way: Way, ids: &[String], left: &Left) -> Vec<String> {
        let is_settled = |it: &Value| !matches!(it["status"].as_str(), Some("queued" | "sending"));
        let count = ids.len() + 1 + usize::from(way == Way::Word);
        let all = self.setup.all_when(messages, count, is_settled).await;
        let of = |id: &String| all.iter().find(|it| it["id"] == id.as_str()).unwrap();
        let went_out: Vec<String> = ids.iter().filter(|id| of(id)["status"] == "sent").cloned().collect();
        assert_eq!(
            went_out,
            ids[..went_out.len()],
            "messages are sent in order, and none after a suppressed one: {all:?}"
        );
        for id in &went_out {
            assert!(millis(&since(of(id), "sending")) <= left.at, "{} after {}", of(id), left.at);
        }
        for id in &ids[went_out.len()..] {
            assert!(is_suppressed(of(id)), "{}", of(id));
        }
        for seen in left.seen.iter().filter(|it| it["status"] == "queued") {
            assert!(!went_out.contains(&id(seen)), "a message that was still queued at the opt-out was sent: {seen}");
        }
        went_out
    }
}

/// Whether the message was suppressed because of the opt-out.
fn is_suppressed(message: &Value) -> bool {
    message["status"] == "suppressed" && message["error"]["code"] == "unsubscribed"
}

fn since(message: &Value, status: &str) -> Value {
    let history = message["status_history"].as_array().unwrap();
    history.iter().find(|it| it["status"] == status).unwrap_or_else(|| panic!("{message}"))["at"].clone()
}

pub async fn sends_nothing_after_an_opt_out(store: Store) {
    let setup = Setup::open(store).await;
    let handicaps = [(); 2].map(|()| Handicap::new(10, 10));
    let race = Race { setup, handicaps };
    let ended = run(AT_ONCE, |number| race.once(number)).await;
    race.setup.provider_got(&ended.iter().flat_map(|it| it.went_out.iter().cloned()).collect());
    let by = |way: Way| ended.iter().filter(|it| it.way == way).map(|it| it.winner).collect::<Vec<_>>();
    judge("Send against opt-out by a word", &race.setup, &by(Way::Word), &[SEND, OPT_OUT]);
    judge("Send against opt-out by the API", &race.setup, &by(Way::Api), &[SEND, OPT_OUT]);
}
