//! Two concurrent starts of one flow with mode `skip`: one run, which both responses contain.

use serde_json::{Value, json};

use super::pace::{dice_of, judge, races, run, start_in};
use super::setup::{Setup, id, text};
use crate::support::{Reply, Store};

const AT_ONCE: usize = 8;
const SIDES: [&str; 2] = ["one", "the other"];

/// Returns a flow with long-running runs.
fn waiting() -> Value {
    json!({"start": "later", "settings": {"reentry": "parallel"}, "nodes": [
        {"id": "later", "type": "delay", "for": "P1D", "next": "end"}, {"id": "end", "type": "end"}]})
}

async fn start(setup: &Setup, contact: &str, flow: &str, who: &str, offset: i64) -> Reply {
    start_in(offset).await;
    let body = json!({"flow_id": flow, "mode": "skip", "vars": {"who": who}});
    setup.post(&format!("/api/v1/contacts/{contact}/start-flow"), body).await
}

/// Starts twice; returns which request created the run, and the run's ID.
async fn once(setup: &Setup, flow: &str, number: usize) -> (&'static str, String) {
    let contact = setup.contact(&format!("+{number}")).await;
    let offset = dice_of(number).within(2);
    let (one, other) =
        futures::join!(start(setup, &contact, flow, SIDES[0], offset), start(setup, &contact, flow, SIDES[1], -offset));
    let (winner, begun, lives) = match (one.status, other.status) {
        (202, 200) => (SIDES[0], one.json(), other.json()),
        (200, 202) => (SIDES[1], other.json(), one.json()),
        _ => panic!("{} {}, {} {}", one.status, one.text, other.status, other.text),
    };
    assert_eq!(id(&begun), id(&lives));
    assert_eq!([&begun["vars"]["who"], &lives["vars"]["who"]], [winner, winner]);
    assert_eq!([&begun["contact_id"], &lives["contact_id"]], [contact.as_str(), contact.as_str()]);
    (winner, id(&begun))
}

pub async fn two_starts_create_one_run(store: Store) {
    let setup = Setup::open(store).await;
    let flow = setup.flow(waiting()).await;
    let started = run(AT_ONCE, |number| once(&setup, &flow, number)).await;
    let path = format!("/api/v1/flow-runs?flow_id={flow}");
    setup.all_when(&path, races(), |run| run["status"] == "waiting").await;
    let runs = setup.all_by(&path, |run| text(run, "contact_id")).await;
    for (_, begun) in &started {
        assert!(runs.values().any(|run| run["id"] == begun.as_str()), "the run {begun} is missing");
    }
    let winners: Vec<&str> = started.iter().map(|(winner, _)| *winner).collect();
    judge("Two starts", &setup, &winners, &SIDES);
}
