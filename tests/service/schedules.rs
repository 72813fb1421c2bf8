//! Flows with a schedule, on the binary: after downtime, with kills, and with several engines.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use tidings_domain::access::Access;
use tidings_domain::flows::FlowSchedule;
use tidings_domain::ids::{FlowId, WorkspaceId};
use tidings_domain::ports::{Change, ChangeSet, FlowChange, Job, NewJob, Ports};
use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::fixtures::id;

use crate::support::people::OFTEN;
use crate::support::{Client, Server, Store};

/// The size of the audience: more than two portions.
const CHOSEN: usize = 230;

/// Opens the ports of a server's store while the server is stopped.
async fn ports(server: &Server) -> Ports {
    let storage = Storage::open(&StorageSettings::new(server.url())).await.unwrap();
    Ports::of(storage)
}

async fn planned(ports: &Ports, access: &Access, flow: FlowId) -> FlowSchedule {
    ports.flows.schedule(access, flow).await.unwrap().unwrap()
}

/// Plans the flow as if it had been due this long ago and no engine had run since.
async fn due_since(ports: &Ports, access: &Access, flow: FlowId, ago: Duration) -> FlowSchedule {
    let planned = planned(ports, access, flow).await;
    let missed = FlowSchedule { visit: planned.visit + 1, next_at: planned.next_at.map(|at| at.minus(ago)), ..planned };
    let mut set = ChangeSet::new(access.workspace());
    set.change(Change::Flow(FlowChange::PutSchedule(missed)));
    let job = Job::FireSchedule { flow, visit: missed.visit };
    set.jobs.push(NewJob::new(id(), job, missed.next_at.unwrap()));
    ports.ledger.commit(set).await.unwrap();
    planned
}

async fn starts(client: &Client, flow: &str) -> BTreeMap<String, usize> {
    let mut starts = BTreeMap::new();
    let mut path = format!("/api/v1/flow-runs?flow_id={flow}&limit=100");
    loop {
        let page = client.get(&path).await.expect(200);
        for run in page["data"].as_array().unwrap() {
            assert_eq!(run["started_by"], json!({"type": "schedule", "id": flow}), "{run}");
            *starts.entry(run["contact_id"].as_str().unwrap().to_owned()).or_default() += 1;
        }
        let Some(cursor) = page["next_cursor"].as_str() else { return starts };
        path = format!("/api/v1/flow-runs?flow_id={flow}&limit=100&cursor={cursor}");
    }
}

async fn fires_once_after_down_time(store: Store) {
    let is_shared = matches!(store, Store::Postgres(_));
    let mut server = Server::start(store, &[OFTEN]);
    let client = server.client();
    client.post("/api/v1/tags", &json!({"name": "vip"})).await.expect(201);
    for number in 0..CHOSEN + 20 {
        let tags = if number < CHOSEN { vec!["vip"] } else { vec![] };
        client.post("/api/v1/contacts", &json!({"first_name": "Ada", "tags": tags})).await.expect(201);
    }
    // Twelve hours away, so the schedule does not fire during the test.
    let made =
        client.get("/api/v1/contacts?limit=1").await.expect(200)["data"][0]["created_at"].as_str().unwrap().to_owned();
    let hour = (made[11..13].parse::<u32>().unwrap() + 12) % 24;
    let definition = json!({
        "triggers": [{"type": "schedule", "cron": format!("0 {hour} * * *"), "audience": {"field": "tags", "op": "has", "value": "vip"}}],
        "start": "note", "nodes": [
            {"id": "note", "type": "set_field", "field": "custom_fields.seen", "value": "yes", "next": "end"},
            {"id": "end", "type": "end"}],
        "settings": {"reentry": "parallel"}});
    let field = json!({"key": "seen", "name": "Seen", "type": "text"});
    client.post("/api/v1/custom-fields", &field).await.expect(201);
    let path = client.publish_flow("Daily", &definition).await;
    server.kill();

    let access = Access::system(server.workspace.parse::<WorkspaceId>().unwrap());
    let flow: FlowId = path.parse().unwrap();
    // No engine ran for nine days: only the last of nine firings is made up for.
    let ago = Duration::from_secs(9 * 86_400);
    let before = {
        let ports = ports(&server).await;
        due_since(&ports, &access, flow, ago).await
    };
    server.serve();
    // Killed repeatedly while portions are processed. If there may be other engines, a lease has to expire first.
    let kills: &[u64] = if is_shared { &[40] } else { &[1, 40, 120, 170] };
    for most in kills.iter().copied() {
        let client = server.client();
        let began = |page: &Value| page["total"].as_u64().is_some_and(|total| total >= most);
        client.until(&format!("/api/v1/flow-runs?flow_id={path}&include=total&limit=1"), began).await;
        server.kill();
        server.serve();
    }
    let twin = is_shared.then(|| server.twin());
    let client = server.client();
    let all = |page: &Value| page["total"].as_u64() == Some(CHOSEN as u64);
    client.until(&format!("/api/v1/flow-runs?flow_id={path}&status=completed&include=total&limit=1"), all).await;
    let starts = starts(&client, &path).await;
    assert_eq!((starts.len(), starts.values().max()), (CHOSEN, Some(&1)));
    drop(twin);
    server.kill();
    let ports = ports(&server).await;
    assert_eq!(ports.flows.recipients(&access, flow, 10).await.unwrap(), []);
    let after = planned(&ports, &access, flow).await;
    let day = Duration::from_secs(86_400);
    assert_eq!(after.next_at, before.next_at, "the next time does not change after an outage");
    assert_eq!(after.fired_at, before.next_at.map(|at| at.minus(day)), "only the latest missed time fires");
}

on_both! {
    fires_once_after_down_time,
}
