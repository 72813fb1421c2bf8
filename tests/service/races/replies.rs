//! A reply against the timeout of the question: exactly one edge is taken, and the reply is stored.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::pace::{Handicap, dice_of, each, judge, now, run, start_in};
use super::setup::{Setup, id, millis, text};
use crate::support::Store;

const AT_ONCE: usize = 24;
const REPLY: &str = "the reply";
const TIME_OUT: &str = "the time-out";

/// The timeouts in seconds. If it is too late to send a reply at its time, later questions use the next longer timeout;
/// otherwise no reply could win on a busy machine.
const TIMES: [u8; 3] = [1, 4, 16];

/// Returns a flow that asks, sends one message for a reply and another for a timeout, and adds a tag for either.
fn asking(seconds: u8) -> Value {
    let say = |id: &str, text: &str, next: &str| json!({"id": id, "type": "send_message", "message": {"type": "text", "text": text}, "next": next});
    let tag = |id: &str| json!({"id": format!("tag_{id}"), "type": "add_tag", "tag": id, "next": "end"});
    json!({"start": "ask", "nodes": [
        {"id": "ask", "type": "ask", "message": {"type": "text", "text": "Your colour?"}, "expect": "text",
            "save_to": "vars.colour", "timeout": format!("PT{seconds}S"), "next": "thank", "on_timeout": "regret"},
        say("thank", "Thank you for {{ vars.colour }}", "tag_answered"), tag("answered"),
        say("regret", "Another time", "tag_late"), tag("late"),
        {"id": "end", "type": "end"}]})
}

/// Returns the flow that a late reply starts.
fn listening() -> Value {
    json!({"start": "say", "triggers": [{"type": "keyword", "match": "exact", "keywords": ["blue"]}], "nodes": [
        {"id": "say", "type": "send_message", "message": {"type": "text", "text": "Blue it is"}, "next": "end"},
        {"id": "end", "type": "end"}]})
}

struct Race {
    setup: Setup,
    /// A flow for each of [`TIMES`].
    asking: Vec<String>,
    /// The index of the flow to start.
    time: AtomicUsize,
    handicap: Handicap,
}

/// The result of one question.
struct Asked {
    contact: String,
    winner: &'static str,
}

impl Race {
    /// Asks, replies at the timeout, and returns which edge was taken.
    async fn once(&self, number: usize) -> Asked {
        let address = format!("+{number}");
        let contact = self.setup.contact(&address).await;
        let time = self.time.load(Ordering::Relaxed);
        let start = json!({"flow_id": self.asking[time]});
        let run = id(&self.setup.post(&format!("/api/v1/contacts/{contact}/start-flow"), start).await.expect(202));
        let asked = self.setup.run_when(&run, |run| run["status"] != "active").await;
        let runs_out = if asked["status"] == "waiting" { millis(&asked["wait"]["until"]) } else { now() };
        let wait = runs_out - now() + self.handicap.draw(&mut dice_of(number));
        if wait < 0 {
            self.time.fetch_max((time + 1).min(TIMES.len() - 1), Ordering::Relaxed);
        }
        start_in(wait).await;
        self.setup.says(&address, &format!("reply-{number}"), "blue").await.expect(202);

        let over = self.setup.run_when(&run, |run| !matches!(run["status"].as_str(), Some("active" | "waiting"))).await;
        assert_eq!(over["status"], "completed", "{over}");
        let winner = if over["vars"]["colour"] == "blue" { REPLY } else { TIME_OUT };
        self.handicap.note(winner == REPLY);
        one_edge_was_taken(&over, winner);
        Asked { contact, winner }
    }

    /// Compares the stored objects with the winners.
    async fn check(&self, asked: &[Asked], listening: &str) {
        let late: BTreeSet<&str> =
            asked.iter().filter(|it| it.winner == TIME_OUT).map(|it| it.contact.as_str()).collect();
        let runs = format!("/api/v1/flow-runs?flow_id={listening}");
        let runs = self.setup.all_when(&runs, late.len(), |run| run["status"] == "completed").await;
        let heard: BTreeSet<String> = runs.iter().map(|run| text(run, "contact_id")).collect();
        assert!(heard.iter().eq(late.iter()), "a late reply starts the other flow, an answer does not");
        let mut runs = 0;
        for flow in &self.asking {
            runs += self.setup.all_by(&format!("/api/v1/flow-runs?flow_id={flow}"), id).await.len();
        }
        assert_eq!(runs, asked.len());

        let contacts = self.setup.all_by("/api/v1/contacts", id).await;
        let conversations = self.setup.all_by("/api/v1/conversations", |it| text(it, "contact_id")).await;
        let sent = each(AT_ONCE, asked, |it| self.check_one(it, &contacts, &conversations)).await;
        self.setup.provider_got(&sent.into_iter().flatten().collect());
    }

    /// Checks that each effect happened once; returns the sent messages.
    async fn check_one(
        &self,
        asked: &Asked,
        contacts: &BTreeMap<String, Value>,
        conversations: &BTreeMap<String, Value>,
    ) -> Vec<String> {
        let (tag, said): (_, &[&str]) = match asked.winner {
            REPLY => ("answered", &["Thank you for blue", "Your colour?", "blue"]),
            _ => ("late", &["Another time", "Blue it is", "Your colour?", "blue"]),
        };
        let tags = contacts[&asked.contact]["tags"].as_array().unwrap();
        assert!(tags.len() == 1 && tags[0]["name"] == tag, "{tags:?}");
        let path = format!("/api/v1/conversations/{}/messages", id(&conversations[&asked.contact]));
        let settled = |it: &Value| it["status"] == "sent" || it["direction"] == "inbound";
        let messages = self.setup.all_when(&path, said.len(), settled).await;
        let mut texts: Vec<String> = messages.iter().map(|it| text(it, "text")).collect();
        texts.sort();
        assert_eq!(texts, said);
        messages.iter().filter(|it| it["direction"] == "outbound").map(id).collect()
    }
}

/// Checks that the run left its question once and executed the following nodes once.
fn one_edge_was_taken(run: &Value, winner: &str) {
    let steps: Vec<(&str, Option<&str>)> = run["trace"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["node_id"].as_str().unwrap(), it["exit"].as_str()))
        .collect();
    let (edge, told, tag) = match winner {
        REPLY => ("next", "thank", "tag_answered"),
        _ => ("on_timeout", "regret", "tag_late"),
    };
    let next = Some("next");
    assert_eq!(steps, [("ask", None), ("ask", Some(edge)), (told, next), (tag, next), ("end", None)], "{run}");
}

pub async fn a_reply_and_a_timeout_take_one_edge(store: Store) {
    let setup = Setup::open(store).await;
    for name in ["answered", "late"] {
        setup.post("/api/v1/tags", json!({"name": name})).await.expect(201);
    }
    let mut asking = Vec::new();
    for seconds in TIMES {
        asking.push(setup.flow(self::asking(seconds)).await);
    }
    let listening = setup.flow(listening()).await;
    let race = Race { setup, asking, time: AtomicUsize::new(0), handicap: Handicap::new(0, 8) };
    let asked = run(AT_ONCE, |number| race.once(number)).await;
    race.check(&asked, &listening).await;
    let winners: Vec<&str> = asked.iter().map(|it| it.winner).collect();
    judge("Reply against time-out", &race.setup, &winners, &[REPLY, TIME_OUT]);
}
