//! Lists filtered by name and by status.

use serde_json::{Value, json};

use crate::support::{Client, Server};

/// Returns the names of the rows that match `query`.
async fn called(client: &Client, path: &str, query: &str) -> Vec<String> {
    let page = client.get(&format!("{path}?sort=created_at&{query}")).await.expect(200);
    let rows = page["data"].as_array().unwrap().iter();
    rows.map(|row| row.get("name").unwrap_or(&row["url"]).as_str().unwrap().to_owned()).collect()
}

/// `q`, `name` and `status` have the same effect in all lists that support them.
pub async fn filters_lists_by_name_and_status(server: &Server) {
    let workspace = server.new_workspace("Narrowed");
    let client = server.client().with_key(Some(&server.new_key(&workspace, "full")));
    let all = json!({"all": []});
    let message = json!({"type": "text", "text": "Hi"});
    let made: [(&str, Value); 6] = [
        ("/api/v1/tags", json!({})),
        ("/api/v1/flows", json!({})),
        ("/api/v1/sequences", json!({"steps": []})),
        ("/api/v1/segments", json!({"condition": {"field": "email", "op": "exists"}})),
        ("/api/v1/channels", json!({"kind": "sandbox"})),
        ("/api/v1/broadcasts", json!({"audience": all, "message": message})),
    ];
    for (path, rest) in &made {
        for name in ["Spring sale", "50% off", "5 000 off"] {
            let mut body = rest.clone();
            body["name"] = json!(name);
            client.post(path, &body).await.expect(201);
        }
        assert_eq!(called(&client, path, "q=OFF").await, ["50% off", "5 000 off"], "{path}");
        assert_eq!(called(&client, path, "q=0%25").await, ["50% off"], "{path}");
        assert_eq!(called(&client, path, "q=spr%C3%AFng").await, ["Spring sale"], "{path}");
        assert_eq!(called(&client, path, "q=g_s").await, Vec::<String>::new(), "{path}");
        assert_eq!(called(&client, path, "name=spring%20SALE").await, ["Spring sale"], "{path}");
        assert_eq!(called(&client, path, "name=spring").await, Vec::<String>::new(), "{path}");
        assert_eq!(called(&client, path, "name=50%25%20off&q=spring").await, Vec::<String>::new(), "{path}");

        // Page by page; a cursor is valid only for the same filters.
        let first = client.get(&format!("{path}?sort=created_at&q=off&limit=1&include=total")).await.expect(200);
        assert_eq!((&first["data"][0]["name"], &first["total"]), (&json!("50% off"), &json!(2)), "{path}");
        let cursor = first["next_cursor"].as_str().unwrap();
        let next = format!("{path}?sort=created_at&limit=1&cursor={cursor}");
        let second = client.get(&format!("{next}&q=off")).await.expect(200);
        assert_eq!((&second["data"][0]["name"], &second["next_cursor"]), (&json!("5 000 off"), &json!(null)), "{path}");
        for other in ["&q=of", "", "&name=off"] {
            assert_eq!(client.get(&format!("{next}{other}")).await.expect(400)["code"], "invalid_cursor", "{path}");
        }
    }
    for (url, description) in [("https://example.com/A_hook", "Billing"), ("https://example.com/b", "Stock")] {
        let body = json!({"url": url, "events": ["*"], "description": description});
        client.post("/api/v1/webhooks", &body).await.expect(201);
    }
    let hooks = "/api/v1/webhooks";
    assert_eq!(called(&client, hooks, "q=a_HOOK").await, ["https://example.com/A_hook"]);
    assert_eq!(called(&client, hooks, "q=stock").await, ["https://example.com/b"]);
    for (path, status, other, count) in [
        ("/api/v1/flows", "draft", "active", 3),
        ("/api/v1/sequences", "draft", "archived", 3),
        ("/api/v1/broadcasts", "draft", "sending", 3),
        (hooks, "active", "disabled", 2),
        // Includes the channel that every workspace has from the start.
        ("/api/v1/channels", "connected", "connecting", 4),
    ] {
        assert_eq!(called(&client, path, &format!("status={status}")).await.len(), count, "{path}");
        assert_eq!(called(&client, path, &format!("status={other}")).await, Vec::<String>::new(), "{path}");
        let wrong = client.get(&format!("{path}?status=gone")).await.expect(422);
        let error = &wrong["errors"][0];
        assert_eq!((&error["parameter"], &error["code"]), (&json!("status"), &json!("invalid_value")));
        assert!(error["message"].as_str().unwrap().contains(status), "{error}");
    }
}

/// `channel_id` lists the active flows with a keyword trigger that names the channel.
pub async fn lists_flows_with_keywords_on_a_channel(server: &Server) {
    let client = server.new_client("Keywords", "full");
    let test = client.create("/api/v1/channels", &json!({"kind": "sandbox", "name": "Test"})).await;
    let other = client.create("/api/v1/channels", &json!({"kind": "sandbox", "name": "Other"})).await;
    let starts = |keyword: &str, channels: Value| {
        let trigger = json!({"type": "keyword", "keywords": [keyword], "channel_ids": channels});
        json!({"triggers": [trigger], "start": "end", "nodes": [{"id": "end", "type": "end"}]})
    };
    client.publish_flow("On test", &starts("one", json!([test]))).await;
    client.publish_flow("On both", &starts("two", json!([other, test]))).await;
    client.publish_flow("On other", &starts("three", json!([other]))).await;
    client.publish_flow("Everywhere", &starts("four", json!([]))).await;
    let paused = client.publish_flow("Paused", &starts("five", json!([test]))).await;
    client.call("POST", &format!("/api/v1/flows/{paused}/pause"), None).await.expect(200);
    client.create("/api/v1/flows", &json!({"name": "Draft", "definition": starts("six", json!([test]))})).await;

    let flows = "/api/v1/flows";
    assert_eq!(called(&client, flows, &format!("channel_id={test}")).await, ["On test", "On both"]);
    assert_eq!(called(&client, flows, &format!("channel_id={test}&q=both")).await, ["On both"]);
    assert_eq!(called(&client, flows, &format!("channel_id={other}")).await, ["On both", "On other"]);
    let wrong = client.get(&format!("{flows}?channel_id={test}&finding=secret_not_bare")).await.expect(422);
    let error = &wrong["errors"][0];
    assert_eq!((&error["parameter"], &error["code"]), (&json!("channel_id"), &json!("not_allowed")), "{wrong}");
}
