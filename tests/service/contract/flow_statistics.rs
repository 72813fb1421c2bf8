//! Statistics of the nodes of a flow.

use serde_json::{Value, json};

use crate::support::{Client, Server};

async fn published(client: &Client, name: &str, definition: &Value) -> String {
    format!("/api/v1/flows/{}", client.publish_flow(name, definition).await)
}

async fn starts(client: &Client, flow: &str, contact: &str) {
    let start = json!({"flow_id": flow.trim_start_matches("/api/v1/flows/")});
    client.post(&format!("/api/v1/contacts/external_id:{contact}/start-flow"), &start).await.expect(202);
}

fn waiting(event: &str) -> Value {
    json!({"start": "wait", "nodes": [
        {"id": "wait", "type": "wait_for_event", "custom_event": event, "timeout": "P1D", "next": "end", "on_timeout": "end"},
        {"id": "end", "type": "end"}]})
}

fn node<'v>(statistics: &'v Value, id: &str) -> &'v Value {
    statistics["nodes"].as_array().unwrap().iter().find(|node| node["id"] == id).unwrap_or(&Value::Null)
}

/// Each node counts its entries, its exits and the waiting runs; for one version, and for a period.
pub async fn counts_entries_exits_and_waits_of_nodes(server: &Server) {
    let client = server.new_client("Statistics", "full");
    let flow = published(&client, "Wait", &waiting("order.paid")).await;
    let path = format!("{flow}/statistics");
    assert_eq!(client.get(&path).await.expect(200)["nodes"], json!([]));
    for contact in ["ada", "bob", "eve"] {
        client.post("/api/v1/contacts", &json!({"external_id": contact})).await.expect(201);
        starts(&client, &flow, contact).await;
    }
    let paid = json!({"name": "order.paid", "data": {}});
    client.post("/api/v1/contacts/external_id:ada/events", &paid).await.expect(201);
    let told =
        client.until(&path, |it| node(it, "end")["entered"].as_i64() >= Some(1) && node(it, "wait")["entered"] == 3);
    let told = told.await;
    let wait = node(&told, "wait");
    assert_eq!(
        (&wait["left"], &wait["waiting"], &wait["failed"]),
        (&json!({"next": 1}), &json!(2), &json!(0)),
        "{told}"
    );
    assert!(wait["median_seconds"].as_f64().is_some_and(|it| it < 60.0), "{told}");
    assert_eq!(
        node(&told, "end"),
        &json!({"id": "end", "entered": 1, "left": {}, "failed": 0, "waiting": 0, "median_seconds": null})
    );
    assert!(told["as_of"].is_string() && told["version"].is_null() && told["from"].is_null(), "{told}");

    let patch = json!({"definition": waiting("order.sent")});
    client.call("PATCH", &flow, Some(&patch)).await.expect(200);
    client.post(&format!("{flow}/publish"), &json!({"running": "pin"})).await.expect(200);
    let of_version = async |number: i64| client.get(&format!("{path}?version={number}")).await.expect(200);
    assert_eq!(node(&of_version(1).await, "wait")["waiting"], 2);
    assert_eq!(of_version(2).await["nodes"], json!([]));
    client.get(&format!("{path}?version=3")).await.expect(404);
    let spans = [
        ("from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z", 0),
        ("from=2020-01-01T00:00:00Z&to=2020-04-02T00:00:00Z", 0),
    ];
    for (span, entered) in spans {
        let told = client.get(&format!("{path}?{span}")).await.expect(200);
        assert_eq!(
            (node(&told, "wait")["entered"].as_i64(), &node(&told, "wait")["waiting"]),
            (Some(entered), &json!(2))
        );
    }
    let since = client.get(&flow).await.expect(200)["created_at"].as_str().unwrap().to_owned();
    let told = client.get(&format!("{path}?from={since}")).await.expect(200);
    assert_eq!(node(&told, "wait")["entered"], 3, "{told}");
    for (query, parameter, code) in [
        ("to=2020-01-02T00:00:00Z", "to", "missing_from"),
        ("from=2020-01-02T00:00:00Z&to=2020-01-01T00:00:00Z", "from", "out_of_range"),
        ("from=2020-01-01T00:00:00Z&to=2020-05-01T00:00:00Z", "from", "out_of_range"),
        ("version=0", "version", "out_of_range"),
    ] {
        let refused = client.get(&format!("{path}?{query}")).await.expect(422);
        let error = &refused["errors"][0];
        assert_eq!((&error["parameter"], &error["code"]), (&json!(parameter), &json!(code)), "{query}: {refused}");
    }
}
