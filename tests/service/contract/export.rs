//! Export of all contacts as CSV or NDJSON, in any number.

use serde_json::{Value, json};

use crate::support::{Client, Server};

const PATH: &str = "/api/v1/contacts/export";

/// Creates more contacts than one read returns, `c0` to `c249`, every tenth with a tag.
async fn fill(client: &Client) {
    client.post("/api/v1/custom-fields", &json!({"name": "Plan", "type": "text"})).await.expect(201);
    for batch in 0..3 {
        let operations: Vec<Value> = (batch * 100..(batch * 100 + 100).min(250))
            .map(|n| {
                let tags: &[&str] = if n % 10 == 0 { &["tenth"] } else { &[] };
                let custom_fields = json!({"plan": format!("=plan {n}")});
                let contact = json!({"external_id": format!("c{n}"), "tags": tags, "custom_fields": custom_fields});
                json!({"action": "create", "contact": contact})
            })
            .collect();
        client.post("/api/v1/contacts/batch", &json!({"operations": operations})).await.expect(200);
    }
}

/// Each contact is on one line, in the form of the API.
pub async fn every_contact_is_exported_once(server: &Server) {
    let client = server.new_client("Export", "full");
    fill(&client).await;
    let reply = client.get(&format!("{PATH}?format=ndjson")).await;
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/x-ndjson")));
    assert_eq!(reply.header("content-disposition"), Some("attachment; filename=\"contacts.ndjson\""));
    let lines: Vec<Value> = reply.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut named: Vec<&str> = lines.iter().map(|it| it["external_id"].as_str().unwrap()).collect();
    named.sort_unstable();
    named.dedup();
    assert_eq!((lines.len(), named.len()), (250, 250));
    for line in lines.iter().step_by(50) {
        assert_eq!(*line, client.get(&format!("/api/v1/contacts/{}", line["id"].as_str().unwrap())).await.expect(200));
    }
    let tenth = client.get(&format!("{PATH}?format=ndjson&tag=tenth")).await;
    assert_eq!(tenth.text.lines().count(), 25);
}

/// The table has a header line, a column for each custom field, and no formulas.
pub async fn exports_contacts_as_a_table(server: &Server) {
    let client = server.new_client("Table", "full");
    fill(&client).await;
    let reply = client.get(PATH).await;
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/csv; charset=utf-8")));
    let mut lines = reply.text.split("\r\n");
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!((names[0], *names.last().unwrap()), ("id", "custom_fields.plan"));
    let c7 = lines.find(|line| line.contains(",c7,")).unwrap();
    assert!(c7.ends_with(",'=plan 7"), "{c7}");
    assert_eq!(c7.split(',').count(), names.len());
    assert_eq!(reply.text.matches("\r\n").count(), 251);
    let empty = client.get(&format!("{PATH}?external_id=nobody")).await;
    assert_eq!(empty.text, format!("{}\r\n", names.join(",")));
    client.get(&format!("{PATH}?format=xml")).await.expect(422);
    client.get(&format!("{PATH}?limit=5")).await.expect(422);
}
