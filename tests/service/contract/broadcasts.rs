//! Broadcasts over HTTP: preview, send, pause, cancel, and events.

use serde_json::{Value, json};

use crate::support::{Client, Server};

fn id(made: &Value) -> &str {
    made["id"].as_str().unwrap()
}

async fn contacts(client: &Client, count: usize) -> Vec<String> {
    let mut made = Vec::new();
    for number in 0..count {
        let contact = json!({"first_name": format!("C{number}"), "external_id": format!("c{number}")});
        made.push(id(&client.post("/api/v1/contacts", &contact).await.expect(201)).to_owned());
    }
    made
}

async fn draft(client: &Client, more: Value) -> String {
    let mut body = json!({"name": "News", "audience": {"all": []},
        "message": {"type": "text", "text": "Hi {{ contact.first_name }}"}});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = client.post("/api/v1/broadcasts", &body).await.expect(201);
    assert_eq!(made["status"], "draft");
    format!("/api/v1/broadcasts/{}", id(&made))
}

async fn captured(client: &Client) -> Vec<Value> {
    let channels = client.get("/api/v1/channels").await.expect(200);
    let path = format!("/api/v1/channels/{}/captured?limit=100", id(&channels["data"][0]));
    client.get(&path).await.expect(200)["data"].as_array().unwrap().clone()
}

/// Every contact gets a personalised message once, others are counted by reason, and the feed contains the end of the
/// broadcast.
pub async fn a_broadcast_reaches_every_contact_once(server: &Server) {
    let client = server.new_client("Broadcasts", "full");
    let people = contacts(&client, 5).await;
    let blocked = format!("/api/v1/contacts/{}", people[4]);
    client.call("PATCH", &blocked, Some(&json!({"status": "blocked"}))).await.expect(200);
    let path = draft(&client, json!({})).await;
    let preview = client.post(&format!("{path}/preview"), &json!({})).await.expect(200);
    assert_eq!((&preview["contact_count"], &preview["suppressed"]), (&json!(5), &json!({"blocked": 1})));
    let sample = preview["sample"].as_array().unwrap();
    let texts: Vec<_> = sample.iter().filter_map(|it| it["message"]["text"].as_str()).collect();
    assert_eq!((sample.len(), texts.len()), (5, 4));
    assert!(texts.contains(&"Hi C0"), "{texts:?}");
    assert_eq!(captured(&client).await, Vec::<Value>::new());

    let changed = client.post(&format!("{path}/send"), &json!({"expected_count": 7})).await.expect(409);
    assert_eq!((&changed["code"], &changed["count"]), (&json!("audience_changed"), &json!(5)));
    let sent = client.post(&format!("{path}/send"), &json!({"expected_count": 5})).await.expect(202);
    assert_eq!(sent["status"], "scheduled");
    let done = client.until(&path, |it| it["status"] == "completed").await;
    let stats =
        json!({"targeted": 5, "sent": 4, "delivered": 0, "read": 0, "failed": 0, "suppressed": 1, "uncertain": 0});
    assert_eq!(done["stats"], stats);
    let messages = captured(&client).await;
    assert_eq!(messages.len(), 4);
    for message in &messages {
        let sender = json!({"type": "broadcast", "id": id(&done)});
        assert_eq!((&message["conversation_id"], &message["sender"]), (&Value::Null, &sender));
    }
    let feed = client.until("/api/v1/events?types=broadcast.completed", |it| it["data"][0].is_object()).await;
    assert_eq!(feed["data"][0]["data"]["object"]["stats"], stats);
    let conversations = client.get("/api/v1/conversations").await.expect(200);
    assert_eq!(conversations["data"], json!([]), "a broadcast opens no conversation");
    for (action, code) in [("send", "broadcast_status"), ("pause", "broadcast_status"), ("cancel", "broadcast_status")]
    {
        let refused = client.post(&format!("{path}/{action}"), &json!({})).await.expect(409);
        assert_eq!(refused["code"], code, "{action}");
    }
    client.call("PATCH", &path, Some(&json!({"name": "Old"}))).await.expect(409);

    // A direct message to a recipient opens the conversation, which adopts the broadcast's message.
    let hello = json!({"type": "text", "text": "Hello"});
    let hello = client.post(&format!("/api/v1/contacts/{}/send-message", people[0]), &hello).await.expect(202);
    let messages = format!("/api/v1/conversations/{}/messages", hello["conversation_id"].as_str().unwrap());
    let said = client.get(&messages).await.expect(200);
    let senders: Vec<_> = said["data"].as_array().unwrap().iter().map(|it| &it["sender"]["type"]).collect();
    assert_eq!(senders, ["api_key", "broadcast"]);
}

/// A pause takes effect within a second; a cancelled broadcast creates no further messages.
pub async fn a_broadcast_is_paused_resumed_and_cancelled(server: &Server) {
    let client = server.new_client("Pauses", "full");
    contacts(&client, 30).await;
    let path = draft(&client, json!({"rate_per_minute": 120})).await;
    client.post(&format!("{path}/send"), &json!({})).await.expect(202);
    client.until(&path, |it| it["stats"]["sent"].as_i64() > Some(2)).await;
    let paused = client.post(&format!("{path}/pause"), &json!({})).await.expect(200);
    assert_eq!(paused["status"], "paused");
    let held = captured(&client).await.len();
    client.post(&format!("{path}/pause"), &json!({})).await.expect(200);
    let resumed = client.post(&format!("{path}/resume"), &json!({})).await.expect(200);
    assert_eq!(resumed["status"], "sending");
    client.until(&path, |it| it["stats"]["sent"].as_u64() > Some(held as u64 + 1)).await;
    let cancelled = client.post(&format!("{path}/cancel"), &json!({})).await.expect(200);
    assert_eq!(cancelled["status"], "cancelled");
    let sent = captured(&client).await;
    assert!(sent.len() < 30, "{}", sent.len());
    client.post(&format!("{path}/resume"), &json!({})).await.expect(409);
    client.delete(&path).await.expect(409);

    let later = draft(&client, json!({"scheduled_at": "2999-01-01T00:00:00Z", "time_zone": "contact"})).await;
    client.post(&format!("{later}/send"), &json!({})).await.expect(202);
    client.call("PATCH", &later, Some(&json!({"name": "Old"}))).await.expect(409);
    client.delete(&later).await.expect(409);
    client.post(&format!("{later}/cancel"), &json!({})).await.expect(200);
    client.delete(&later).await.expect(204);
    client.get(&later).await.expect(404);
}

/// Referenced objects are in use until the broadcast ends, a test is sent only to the given contacts, and errors are
/// reported with their place.
pub async fn broadcasts_lock_references_send_tests_and_report_errors(server: &Server) {
    let client = server.new_client("Names of broadcasts", "full");
    let people = contacts(&client, 2).await;
    let segment = json!({"name": "All", "condition": {"field": "first_name", "op": "exists"}});
    let segment = client.post("/api/v1/segments", &segment).await.expect(201);
    let path = draft(&client, json!({"audience": {"segment_id": id(&segment)}})).await;
    let of_segment = format!("/api/v1/segments/{}", id(&segment));
    let refused = client.delete(&of_segment).await.expect(409);
    assert_eq!(refused["dependents"][0]["type"], "broadcast");
    let tested = client.post(&format!("{path}/test"), &json!({"contact_ids": [people[1]]})).await.expect(202);
    assert_eq!(
        (&tested["messages"][0]["text"], &tested["messages"][0]["contact_id"]),
        (&json!("Hi C1"), &json!(people[1]))
    );
    let six = vec![people[0].clone(); 6];
    client.post(&format!("{path}/test"), &json!({"contact_ids": six})).await.expect(422);
    client.post(&format!("{path}/send"), &json!({})).await.expect(202);
    client.until(&path, |it| it["status"] == "completed").await;
    client.delete(&of_segment).await.expect(204);

    let wrong = json!({"name": "", "audience": {"field": "nobody", "op": "exists"}, "rate_per_minute": 0,
        "message": {"type": "text", "text": "{{ x"}});
    let errors = client.post("/api/v1/broadcasts", &wrong).await.expect(422)["errors"].clone();
    let pointers: Vec<_> = errors.as_array().unwrap().iter().map(|it| it["pointer"].as_str().unwrap()).collect();
    assert_eq!(pointers, ["/name", "/rate_per_minute"]);
    let wrong = json!({"name": "A", "audience": {"field": "nobody", "op": "exists"}, "channel_id": "chan_01h455vb4pex5vsknk084sn02q",
        "message": {"type": "text", "text": "{{ x"}});
    let errors = client.post("/api/v1/broadcasts", &wrong).await.expect(422)["errors"].clone();
    let pointers: Vec<_> = errors.as_array().unwrap().iter().map(|it| it["pointer"].as_str().unwrap()).collect();
    assert_eq!(pointers, ["/message/text", "/audience/field", "/channel_id"]);
    let misspelled = json!({"name": "A", "audience": {"all": []},
        "message": {"type": "text", "text": "Hi {{ contact.frist_name }} {{ custom_fields.none }}",
            "quick_replies": [{"title": "{{ vars.x }}", "payload": "x"}]}});
    let errors = client.post("/api/v1/broadcasts", &misspelled).await.expect(422)["errors"].clone();
    let told: Vec<_> = errors.as_array().unwrap().iter().map(|it| (&it["pointer"], &it["code"])).collect();
    let (text, title) = (json!("/message/text"), json!("/message/quick_replies/0/title"));
    let code = json!("unknown_name");
    assert_eq!(told, [(&text, &code), (&text, &code), (&title, &code)], "{errors}");
    assert!(errors[0]["message"].as_str().unwrap().contains("did you mean `contact.first_name` or"), "{errors}");
}

/// Recipients are listed by status with their reasons, and a repeat is sent only to recipients who did not get the
/// message.
pub async fn repeats_a_broadcast_only_for_contacts_that_missed_it(server: &Server) {
    let client = server.new_client("Repeats of broadcasts", "full");
    let people = contacts(&client, 3).await;
    let fails = json!({"first_name": "Fails", "external_id": "sandbox-fail-1"});
    let fails = id(&client.post("/api/v1/contacts", &fails).await.expect(201)).to_owned();
    let off = format!("/api/v1/contacts/{}", people[2]);
    client.call("PATCH", &off, Some(&json!({"subscribed": false}))).await.expect(200);
    let path = draft(&client, json!({})).await;
    assert_eq!(client.post(&format!("{path}/repeat"), &json!({})).await.expect(409)["code"], "broadcast_status");
    client.post(&format!("{path}/send"), &json!({})).await.expect(202);
    client.until(&path, |it| it["status"] == "completed").await;

    let recipients = async |query: &str| {
        let list = client.get(&format!("{path}/recipients{query}")).await.expect(200);
        list["data"].as_array().unwrap().clone()
    };
    let failed = recipients("?status=failed").await;
    assert_eq!(
        (failed.len(), &failed[0]["contact_id"], &failed[0]["message_status"]),
        (1, &json!(fails), &json!("failed"))
    );
    assert!(failed[0]["error"]["code"].is_string() && failed[0]["message_id"].is_string(), "{failed:?}");
    let suppressed = recipients("?status=suppressed").await;
    assert_eq!(
        (&suppressed[0]["contact_id"], &suppressed[0]["error"]["code"]),
        (&json!(people[2]), &json!("unsubscribed"))
    );
    assert_eq!((recipients("?status=sent").await.len(), recipients("?status=waiting").await.len()), (2, 0));
    let all = recipients("?sort=created_at").await;
    let contacts: Vec<_> = all.iter().map(|it| it["contact_id"].as_str().unwrap()).collect();
    assert_eq!(contacts, [&people[0], &people[1], &people[2], &fails]);
    client.get(&format!("{path}/recipients?status=read")).await.expect(422);
    let first = client.get(&format!("{path}/recipients?limit=3")).await.expect(200);
    let rest = format!("{path}/recipients?limit=3&cursor={}", first["next_cursor"].as_str().unwrap());
    assert_eq!(client.get(&rest).await.expect(200)["data"].as_array().unwrap().len(), 1);

    let repeat = client.post(&format!("{path}/repeat"), &json!({})).await.expect(201);
    assert_eq!((&repeat["status"], repeat["repeats"].as_str()), (&json!("draft"), path.rsplit('/').next()));
    let again = format!("/api/v1/broadcasts/{}", id(&repeat));
    let preview = client.post(&format!("{again}/preview"), &json!({})).await.expect(200);
    assert_eq!((&preview["contact_count"], &preview["sample"][0]["contact_id"]), (&json!(1), &json!(fails)));
    let corrected = json!({"external_id": "corrected"});
    client.call("PATCH", &format!("/api/v1/contacts/{fails}"), Some(&corrected)).await.expect(200);
    client.post(&format!("{again}/send"), &json!({"expected_count": 1})).await.expect(202);
    let done = client.until(&again, |it| it["status"] == "completed").await;
    assert_eq!((&done["stats"]["targeted"], &done["stats"]["sent"]), (&json!(1), &json!(1)));
    for ended in [&path, &again] {
        assert_eq!(client.post(&format!("{ended}/repeat"), &json!({})).await.expect(409)["code"], "no_recipients");
    }
    assert_eq!(captured(&client).await.len(), 3);
}
