//! Two first messages of an unknown contact, a moment apart: one contact, one conversation, one flow.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Value, json};

use super::pace::{dice_of, each, judge, races, run, start_in};
use super::setup::{Setup, id, text};
use crate::support::{Patience, Store};

const AT_ONCE: usize = 16;
const TEXTS: [&str; 2] = ["hi, it is me", "hi, are you there?"];
/// The last message, sent after both were acknowledged: once it is processed, so are they.
const LAST: &str = "bye";
const REPLY: &str = "was a reply";
const NOTHING: &str = "started nothing";

/// Returns a flow that either message starts. It takes one reply, and its runs stay live.
fn greeting() -> Value {
    json!({"start": "ask", "triggers": [{"type": "keyword", "match": "starts_with", "keywords": ["hi"]}],
        "settings": {"reentry": "skip"}, "nodes": [
        {"id": "ask", "type": "ask", "message": {"type": "text", "text": "Yes?"}, "expect": "text",
            "save_to": "vars.reply", "next": "later"},
        {"id": "later", "type": "delay", "for": "P1D", "next": "end"}, {"id": "end", "type": "end"}]})
}

/// Returns a flow that the last message starts, unless a run waits for it.
fn parting() -> Value {
    json!({"start": "end", "triggers": [{"type": "keyword", "keywords": [LAST]}],
        "nodes": [{"id": "end", "type": "end"}]})
}

/// The objects after all races.
struct Found {
    contacts: BTreeMap<String, Value>,
    conversations: BTreeMap<String, Value>,
    /// Runs by contact.
    greetings: BTreeMap<String, Value>,
    /// Contacts that started a flow with their last message.
    parted: BTreeSet<String>,
}

/// Sends both messages, up to a tenth of a second apart; returns whether one was acknowledged before the other was
/// sent.
async fn both(setup: &Setup, number: usize) -> bool {
    let mut dice = dice_of(number);
    // Half of them as close together as possible.
    let gap = dice.below(if number.is_multiple_of(2) { 3 } else { 101 }) as i64;
    let (address, heard) = (format!("+{number}"), std::cell::Cell::new(false));
    let first = async {
        setup.says(&address, &format!("first-{number}"), TEXTS[0]).await.expect(202);
        heard.set(true);
    };
    let second = async {
        start_in(gap).await;
        let was_heard = heard.get();
        setup.says(&address, &format!("second-{number}"), TEXTS[1]).await.expect(202);
        was_heard
    };
    let ((), in_turn) = futures::join!(first, second);
    setup.says(&address, &format!("last-{number}"), LAST).await.expect(202);
    in_turn
}

/// Checks the objects of one contact; returns which message came first, and the effect of the other.
async fn check(setup: &Setup, found: &Found, number: usize, in_turn: bool) -> (&'static str, &'static str) {
    let contact = id(&found.contacts[&format!("+{number}")]);
    let path = format!("/api/v1/conversations/{}/messages?sort=created_at", id(&found.conversations[&contact]));
    let messages = setup.all(&path).await;
    let said: Vec<String> =
        messages.iter().filter(|it| it["direction"] == "inbound").map(|it| text(it, "text")).collect();
    let turned = said == [TEXTS[1], TEXTS[0], LAST];
    assert!(said == [TEXTS[0], TEXTS[1], LAST] || turned && !in_turn, "{said:?}, in turn: {in_turn}");
    // The second message was the reply or started nothing; the last one went to one of the two flows.
    let reply = found.greetings[&contact]["vars"]["reply"].as_str();
    // Of two concurrent messages, the one with the higher ID may be committed and start the flow first.
    let is_reply = |reply: &str| reply == said[1] || !in_turn && reply == said[0];
    assert!(reply.is_none_or(|reply| is_reply(reply) || reply == LAST), "{reply:?} after {said:?}, in turn: {in_turn}");
    assert_eq!(found.parted.contains(&contact), reply != Some(LAST));
    let fate = if reply.is_some_and(is_reply) { REPLY } else { NOTHING };
    (if turned { "the second" } else { "the first" }, fate)
}

pub async fn two_first_messages_create_one_contact(store: Store) {
    let setup = Setup::open(store).await;
    let (greeting, parting) = (setup.flow(greeting()).await, setup.flow(parting()).await);
    let said = run(AT_ONCE, async |number| (number, both(&setup, number).await)).await;
    let greetings = format!("/api/v1/flow-runs?flow_id={greeting}");
    let partings = format!("/api/v1/flow-runs?flow_id={parting}&status=completed");
    let parted = all_was_heard(&setup, &greetings, &partings).await;

    let address = |contact: &Value| text(&contact["identities"][0], "address");
    let found = Found {
        contacts: setup.all_by("/api/v1/contacts", address).await,
        conversations: setup.all_by("/api/v1/conversations", |it| text(it, "contact_id")).await,
        greetings: setup.all_by(&greetings, |run| text(run, "contact_id")).await,
        parted,
    };
    let counts = [found.contacts.len(), found.conversations.len(), found.greetings.len()];
    assert_eq!(counts, [races(); 3]);
    let checked = each(AT_ONCE, said, async |(number, in_turn)| check(&setup, &found, number, in_turn).await).await;
    let winners: Vec<&str> = checked.iter().map(|(winner, _)| *winner).collect();
    judge("Two first messages", &setup, &winners, &["the first", "the second"]);
    let fates: Vec<&str> = checked.iter().map(|(_, fate)| *fate).collect();
    judge("The later of them", &setup, &fates, &[]);
}

/// Waits until the last message of each contact is a reply or started a flow; returns the contacts that started one. It
/// waits as long as their number grows.
async fn all_was_heard(setup: &Setup, greetings: &str, partings: &str) -> BTreeSet<String> {
    let mut patience = Patience::new();
    loop {
        let parted = setup.all_by(partings, |run| text(run, "contact_id")).await;
        let answers = setup.all(greetings).await.iter().filter(|run| run["vars"]["reply"] == LAST).count();
        let heard = answers + parted.len();
        if heard == races() {
            return parted.into_keys().collect();
        }
        assert!(patience.allows(heard), "{answers} and {} of the last messages were heard", parted.len());
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}
