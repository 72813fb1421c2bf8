//! The effects of a contact's words, a time zone and the last outcome of a broadcast, over HTTP on both databases.

use serde_json::{Value, json};
use tidings_domain::time::Timestamp;

use crate::support::{Client, Person, Server, Store};

/// Returns a client of the sandbox of a new server's workspace.
async fn sandbox(server: &Server) -> (Client, Client, String) {
    let owner = Person::new(server, &server.workspace, "owner").client(server).await;
    let (client, sandbox) = server.new_sandbox(&owner, &server.workspace).await;
    (client, owner, format!("/platform/workspaces/{sandbox}"))
}

fn id(made: &Value) -> &str {
    made["id"].as_str().unwrap()
}

async fn contact(client: &Client, body: &Value) -> Value {
    client.post("/api/v1/contacts", body).await.expect(201)
}

async fn says(client: &Client, contact: &Value, text: &str) {
    client.post("/api/v1/sandbox/inbound", &json!({"contact": id(contact), "text": text})).await.expect(202);
    client.post("/api/v1/sandbox/clock", &json!({"advance": "PT1S"})).await.expect(200);
}

async fn opted_in(client: &Client, contact: &Value) -> Value {
    let found = client.get(&format!("/api/v1/contacts/{}", id(contact))).await.expect(200);
    found["identities"][0]["opted_in"].clone()
}

/// Publishes a flow of these nodes, starting with the first.
async fn flow(client: &Client, nodes: Value) -> Value {
    let definition = json!({"start": nodes[0]["id"], "nodes": nodes});
    let made = client.post("/api/v1/flows", &json!({"name": "Flow", "definition": definition})).await.expect(201);
    client.post(&format!("/api/v1/flows/{}/publish", id(&made)), &json!({})).await.expect(200)
}

/// Starts the flow for a contact; returns the path of the run.
async fn run(client: &Client, flow: &Value, contact: &Value) -> String {
    let path = format!("/api/v1/contacts/{}/start-flow", id(contact));
    let run = client.post(&path, &json!({"flow_id": id(flow)})).await.expect(202);
    client.post("/api/v1/sandbox/clock", &json!({"advance": "PT1S"})).await.expect(200);
    format!("/api/v1/flow-runs/{}", id(&run))
}

fn asking(more: &Value) -> Value {
    let mut ask = json!({"id": "ask", "type": "ask", "message": {"type": "text", "text": "Keep your order?"},
        "save_to": "vars.answer", "next": "end"});
    ask.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!([ask, {"id": "end", "type": "end"}])
}

async fn opt_out_words_count_only_as_whole_messages(store: Store) {
    let server = Server::start(store, &[]);
    let (client, owner, path) = sandbox(&server).await;
    let ada = contact(&client, &json!({"first_name": "Ada"})).await;
    for text in ["Stop.", "ＳＴＯＰ", "STOP 🛑", "Stop. Thank you", "stop-all", "OPTOUT", "Abmelden, bitte"] {
        says(&client, &ada, text).await;
        assert_eq!(opted_in(&client, &ada).await, false, "{text}");
        says(&client, &ada, "Start!").await;
        assert_eq!(opted_in(&client, &ada).await, true, "{text}");
    }
    for text in ["Stop by at 5?", "don't stop", "cancel my order", "end of May", "avmeld"] {
        says(&client, &ada, text).await;
        assert_eq!(opted_in(&client, &ada).await, true, "{text}");
    }

    let wrong = owner.call("PATCH", &path, Some(&json!({"opt_out_words": ["START", "🛑"]}))).await.expect(422);
    assert_eq!(wrong["errors"][1]["pointer"], "/opt_out_words/1", "{wrong}");
    let set = owner.call("PATCH", &path, Some(&json!({"opt_out_words": ["Avmeld"]}))).await.expect(200);
    assert_eq!(set["opt_out_words"], json!(["Avmeld"]));
    says(&client, &ada, "AVMELD!").await;
    assert_eq!(opted_in(&client, &ada).await, false);
    says(&client, &ada, "start").await;

    // CANCEL answers a question that offers it as an option. STOP never does.
    let select = json!({"expect": "select", "options": ["Keep", "Cancel", "Stop"]});
    let question = flow(&client, asking(&select)).await;
    let answered = run(&client, &question, &ada).await;
    says(&client, &ada, "cancel").await;
    let answered = client.get(&answered).await.expect(200);
    assert_eq!((&answered["status"], &answered["vars"]["answer"]), (&json!("completed"), &json!("Cancel")));
    assert_eq!(opted_in(&client, &ada).await, true);
    let waiting = run(&client, &question, &ada).await;
    says(&client, &ada, "Stop").await;
    assert_eq!(client.get(&waiting).await.expect(200)["status"], "waiting");
    assert_eq!(opted_in(&client, &ada).await, false);
}

async fn local_time_broadcasts_wait_without_polling(store: Store) {
    let server = Server::start(store, &[]);
    let (client, ..) = sandbox(&server).await;
    for zone in ["Asia/Tokyo", "Europe/Berlin", "America/New_York"] {
        contact(&client, &json!({"first_name": zone, "time_zone": zone})).await;
    }
    let clock = client.get("/api/v1/sandbox/clock").await.expect(200);
    let now: Timestamp = clock["now"].as_str().unwrap().parse().unwrap();
    let day = Timestamp::from_millis(now.millis() + 86_400_000);
    let body = json!({"name": "News", "audience": {"all": []}, "time_zone": "contact", "scheduled_at": day.to_string(),
        "message": {"type": "text", "text": "Hi"}});
    let made = client.post("/api/v1/broadcasts", &body).await.expect(201);
    let path = format!("/api/v1/broadcasts/{}", id(&made));
    client.post(&format!("{path}/send"), &json!({})).await.expect(202);
    let until = Timestamp::from_millis(now.millis() + 129_600_000).to_string();
    let mut steps = 0;
    loop {
        let moved = client.post("/api/v1/sandbox/clock", &json!({"until": until})).await.expect(200);
        steps += moved["steps"].as_u64().unwrap();
        if moved["arrived"] == true {
            break;
        }
    }
    assert!(steps < 30, "{steps}");
    let done = client.get(&path).await.expect(200);
    assert_eq!(done["status"], "completed");
    let stats =
        json!({"targeted": 3, "sent": 3, "delivered": 0, "read": 0, "failed": 0, "suppressed": 0, "uncertain": 0});
    assert_eq!(client.until(&path, |it| it["stats"]["sent"] == 3).await["stats"], stats);
    let left = client.get("/api/v1/jobs?limit=100").await.expect(200);
    let kinds: Vec<&Value> = left["data"].as_array().unwrap().iter().map(|it| &it["kind"]).collect();
    assert!(!kinds.contains(&&json!("close_broadcast")), "{kinds:?}");
}

async fn days_follow_the_time_zone_of_the_contact(store: Store) {
    let server = Server::start(store, &[]);
    let (client, ..) = sandbox(&server).await;
    let field = json!({"key": "day", "name": "Day", "type": "date"});
    client.post("/api/v1/custom-fields", &field).await.expect(201);
    // The day before daylight saving time starts in Berlin.
    client.post("/api/v1/sandbox/clock", &json!({"until": "2029-03-24T12:30:00Z"})).await.expect(200);
    for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin"] {
        let day = json!({"first_name": zone, "time_zone": zone, "custom_fields": {"day": "2029-03-25"}});
        contact(&client, &day).await;
    }
    for (op, value, expected) in
        [("within_last", "PT0S", vec!["Pacific/Kiritimati"]), ("within_last", "P3650D", vec!["Pacific/Kiritimati"])]
    {
        let filter = json!({"filter": {"field": "custom_fields.day", "op": op, "value": value}});
        let found = client.post("/api/v1/contacts/search", &filter).await.expect(200);
        let names: Vec<&Value> = found["data"].as_array().unwrap().iter().map(|it| &it["first_name"]).collect();
        assert_eq!(names, expected, "{value}");
    }

    let berlin = client.get("/api/v1/contacts?limit=100").await.expect(200);
    let berlin =
        berlin["data"].as_array().unwrap().iter().find(|it| it["time_zone"] == "Europe/Berlin").unwrap().clone();
    let end = json!({"id": "end", "type": "end"});
    for (span, until) in [("P1D", "2029-03-25T11:"), ("PT24H", "2029-03-25T12:"), ("P1DT12H", "2029-03-25T23:")] {
        let waits = flow(&client, json!([{"id": "wait", "type": "delay", "for": span, "next": "end"}, end])).await;
        let run = client.get(&run(&client, &waits, &berlin).await).await.expect(200);
        assert!(run["wait"]["until"].as_str().unwrap().starts_with(until), "{span}: {run}");
        let message = json!({"type": "text", "text": "Hi"});
        let steps = json!([{"id": "a", "delay": span, "action": {"type": "send_message", "message": message}}]);
        let body = json!({"name": "Drip", "status": "active", "steps": steps});
        let drip = client.post("/api/v1/sequences", &body).await.expect(201);
        let path = format!("/api/v1/contacts/{}/sequences/{}", id(&berlin), id(&drip));
        let enrolled = client.call("POST", &path, None).await.expect(201);
        assert!(enrolled["next_run_at"].as_str().unwrap().starts_with(until), "{span}: {enrolled}");
    }
}

on_both! {
    days_follow_the_time_zone_of_the_contact,
    opt_out_words_count_only_as_whole_messages,
    local_time_broadcasts_wait_without_polling,
}
