//! Texts, questions and counters of flows.

use serde_json::{Value, json};

use crate::support::{Person, Server};

/// A preview returns the same text as a send, needs `write`, and stores nothing.
pub async fn previews_a_text_as_it_is_sent(server: &Server) {
    let workspace = server.new_workspace("Texts");
    let writer = server.client().with_key(Some(&server.new_key(&workspace, "write")));
    let reader = server.client().with_key(Some(&server.new_key(&workspace, "read")));
    let ada = json!({"first_name": "Ada", "external_id": "ada", "time_zone": "Asia/Tokyo"});
    let ada = writer.post("/api/v1/contacts", &ada).await.expect(201);
    let text = "Hi {{ contact.first_name|default('you') }}: {{ vars.sum|number(2, ',', '.') }} by {{ event.due|date('%d.%m. %H:%M') }}";
    let body = |contact: Value| json!({"template": text, "contact_id": contact, "vars": {"sum": 1234.5}, "event": {"due": "2026-01-31T20:00:00Z"}});
    let render = "/api/v1/templates/render";
    let shown = writer.post(render, &body(ada["id"].clone())).await.expect(200);
    assert_eq!(shown, json!({"text": "Hi Ada: 1.234,50 by 01.02. 05:00", "unknown_names": []}));
    assert_eq!(writer.post(render, &body(json!("external_id:ada"))).await.expect(200), shown);
    let read_only = reader.post(render, &body(Value::Null)).await;
    assert_eq!((read_only.status, read_only.code()), (403, "insufficient_scope".to_owned()));
    let nobody = writer.post(render, &body(Value::Null)).await.expect(200);
    assert_eq!(nobody["text"], "Hi you: 1.234,50 by 31.01. 20:00");

    let misspelled = writer.post(render, &json!({"template": "Hi {{ contact.frist_name }}!"})).await.expect(200);
    assert_eq!(misspelled, json!({"text": "Hi !", "unknown_names": ["contact.frist_name"]}));

    let refused = async |body: Value| {
        let told = writer.post(render, &body).await.expect(422)["errors"][0].clone();
        (told["pointer"].clone(), told["code"].clone(), told["message"].as_str().unwrap().to_owned())
    };
    let (pointer, code, message) = refused(json!({"template": "{{ now|date('%Q') }}"})).await;
    assert_eq!((pointer, code), (json!("/template"), json!("template_error")));
    assert!(message.contains("%Q is not a directive of date formats"), "{message}");
    let (pointer, code, _) = refused(json!({"template": "Hi", "contact_id": "external_id:eve"})).await;
    assert_eq!((pointer, code), (json!("/contact_id"), json!("unknown_contact")));
    assert_eq!(writer.get(&format!("/api/v1/contacts/{}", ada["id"].as_str().unwrap())).await.expect(200), ada);
}

/// The options of a choice are quick replies of its message; a counter is based on its previous value.
pub async fn offers_options_as_quick_replies_and_increments_fields(server: &Server) {
    let client = server.new_client("Choices", "write");
    for field in [
        json!({"key": "visits", "name": "Visits", "type": "number"}),
        json!({"key": "colours", "name": "Colours", "type": "multi_select", "options": ["Red", "Green"]}),
        json!({"key": "seen", "name": "Seen", "type": "boolean"}),
    ] {
        client.post("/api/v1/custom-fields", &field).await.expect(201);
    }
    let set = |id: &str, field: &str, operation: &str, value: Value, next: &str| {
        let mut node = json!({"id": id, "type": "set_field", "field": field, "operation": operation, "next": next});
        if !value.is_null() {
            node["value"] = value;
        }
        node
    };
    let mut nodes = json!([
        set("count", "custom_fields.visits", "increment", json!(1), "mark"),
        set("mark", "custom_fields.colours", "append", json!("Green"), "see"),
        set("see", "custom_fields.seen", "toggle", Value::Null, "ask"),
        {"id": "ask", "type": "ask", "message": {"type": "text", "text": "Which?"}, "expect": "select",
         "options": ["Gold", "Silver"], "save_to": "vars.plan", "next": "say"},
        {"id": "say", "type": "send_message", "message": {"type": "text", "text": "{{ vars.plan }}"}, "next": "end"},
        {"id": "end", "type": "end"},
    ]);
    let flow = client.publish_flow("Choices", &json!({"start": "count", "nodes": nodes})).await;
    let path = format!("/api/v1/contacts/{}", client.create("/api/v1/contacts", &json!({"first_name": "Ada"})).await);
    for visit in 1..=2 {
        let start = json!({"flow_id": flow, "mode": "restart"});
        client.post(&format!("{path}/start-flow"), &start).await.expect(202);
        let fields = client.get(&path).await.expect(200)["custom_fields"].clone();
        assert_eq!(fields, json!({"visits": visit, "colours": ["Green"], "seen": visit == 1}));
    }
    let conversations = client.get("/api/v1/conversations").await.expect(200);
    let messages = format!("/api/v1/conversations/{}/messages", conversations["data"][0]["id"].as_str().unwrap());
    let message = client.get(&messages).await.expect(200)["data"][0].clone();
    let titles = json!([{"title": "Gold", "payload": null}, {"title": "Silver", "payload": null}]);
    assert_eq!((&message["text"], &message["quick_replies"]), (&json!("Which?"), &titles));

    nodes[0]["field"] = json!("custom_fields.colours");
    let definition = json!({"start": "count", "nodes": nodes});
    let found = client.post("/api/v1/flows/validate", &json!({"definition": definition})).await.expect(200);
    let finding = &found["findings"][0];
    assert_eq!((&finding["pointer"], &finding["code"]), (&json!("/nodes/0/operation"), &json!("not_allowed")));
    assert!(finding["hint"].as_str().unwrap().contains("number"), "{finding}");
}

/// Keywords and options match without diacritics if nothing else matches.
pub async fn keywords_and_options_ignore_diacritics(server: &Server) {
    let workspace = server.new_workspace("Diacritics");
    let owner = Person::new(server, &workspace, "owner").client(server).await;
    let (client, _) = server.new_sandbox(&owner, &workspace).await;
    let definition = json!({"start": "ask",
        "triggers": [{"type": "keyword", "match": "starts_with", "keywords": ["Straße"]}], "nodes": [
            {"id": "ask", "type": "ask", "message": {"type": "text", "text": "What?"}, "expect": "select",
             "options": ["Café", "Tee"], "save_to": "vars.drink", "next": "end"},
            {"id": "end", "type": "end"}]});
    client.publish_flow("Drinks", &definition).await;
    let contact = client.create("/api/v1/contacts", &json!({"first_name": "Ada"})).await;
    let says = async |text: &str| {
        client.post("/api/v1/sandbox/inbound", &json!({"contact": contact, "text": text})).await.expect(202);
    };
    says("strasse bitte").await;
    let runs = format!("/api/v1/flow-runs?contact_id={contact}");
    client.until(&runs, |runs| runs["data"][0]["wait"]["kind"] == "reply").await;
    says("cafe").await;
    let runs = client.until(&runs, |runs| runs["data"][0]["status"] == "completed").await;
    assert_eq!(runs["data"][0]["vars"]["drink"], "Café", "{runs}");
}
