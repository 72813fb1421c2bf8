//! Options that contacts use.

use serde_json::{Value, json};

use crate::support::Server;

/// Removing a used option is rejected with its users. By force it disappears from all contacts at once, and a job
/// creates an event for each change.
pub async fn removes_a_used_option_only_by_force(server: &Server) {
    let workspace = server.new_workspace("Options");
    let client = server.client().with_key(Some(&server.new_key(&workspace, "full")));
    for (key, kind) in [("plan", "select"), ("colours", "multi_select")] {
        let field = json!({"key": key, "name": key, "type": kind, "options": ["gold", "silver", "tin"]});
        client.post("/api/v1/custom-fields", &field).await.expect(201);
    }
    let mut contacts = Vec::new();
    for plan in ["gold", "gold", "silver"] {
        let values = json!({"plan": plan, "colours": [plan, "tin"]});
        let made = client.post("/api/v1/contacts", &json!({"custom_fields": values})).await.expect(201);
        contacts.push(format!("/api/v1/contacts/{}", made["id"].as_str().unwrap()));
    }
    let definition = json!({"start": "set", "nodes": [
        {"id": "set", "type": "set_field", "field": "custom_fields.plan", "value": "silver", "next": "end"},
        {"id": "end", "type": "end"}]});
    let flow = client.publish_flow("Promote", &definition).await;

    let plan = "/api/v1/custom-fields/plan";
    let only = |options: &[&str]| json!({"options": options});
    let refused = client.call("PATCH", plan, Some(&only(&["silver", "tin"]))).await;
    assert_eq!((refused.code().as_str(), &refused.expect(409)["contacts"]), ("in_use", &json!(2)));
    assert_eq!(refused.json()["dependents"], json!([]), "no flow uses `gold`");
    let refused = client.call("PATCH", plan, Some(&only(&["gold", "tin"]))).await.expect(409);
    let promote = json!([{"type": "flow", "id": flow, "name": "Promote"}]);
    assert_eq!((&refused["contacts"], &refused["dependents"]), (&json!(1), &promote));
    // Unused options can be removed without force, and the remaining ones can be reordered.
    client.call("PATCH", plan, Some(&only(&["silver", "gold"]))).await.expect(200);

    let writer = client.with_key(Some(&server.new_key(&workspace, "write")));
    let forced = format!("{plan}?force=true");
    let forbidden = writer.call("PATCH", &forced, Some(&only(&["silver"]))).await;
    assert_eq!(
        (forbidden.code().as_str(), &forbidden.expect(403)["required_scope"]),
        ("insufficient_scope", &json!("full"))
    );

    client.call("PATCH", &forced, Some(&only(&["silver"]))).await.expect(200);
    for contact in &contacts[..2] {
        assert_eq!(client.get(contact).await.expect(200)["custom_fields"]["plan"], Value::Null);
    }
    let rows = |page: Value| page["data"].as_array().unwrap().len();
    assert_eq!(rows(client.get("/api/v1/contacts?custom_fields.plan%5Bexists%5D=true").await.expect(200)), 1);
    let without = json!({"filter": {"field": "custom_fields.plan", "op": "not_exists"}});
    assert_eq!(rows(client.post("/api/v1/contacts/search", &without).await.expect(200)), 2);
    client.call("PUT", "/api/v1/custom-fields/colours?force=true", Some(&only(&["silver", "gold"]))).await.expect(200);

    // One event for each contact and field, with the removed value.
    let changed = |page: &Value| {
        let told = page["data"].as_array().unwrap().iter().filter(|event| event["type"] == "contact.field_changed");
        told.map(|event| event["data"].clone()).collect::<Vec<_>>()
    };
    let page = client.until("/api/v1/events?limit=100", |page| changed(page).len() >= 5).await;
    let told = changed(&page);
    assert_eq!(told.len(), 5);
    let of = |key: &str| told.iter().filter(|data| data["field"]["key"] == key).collect::<Vec<_>>();
    for data in of("plan") {
        assert_eq!((&data["previous"], &data["value"]), (&json!("gold"), &Value::Null), "{data}");
    }
    for data in of("colours") {
        let kept = data["value"].as_array().unwrap();
        assert!(data["previous"] == json!([kept[0], "tin"]), "{data}");
        assert_eq!(data["object"]["custom_fields"]["colours"], json!(kept), "{data}");
    }
    assert_eq!((of("plan").len(), of("colours").len()), (2, 3));
    let contact = client.get(&contacts[0]).await.expect(200);
    assert_eq!((&contact["version"], &contact["custom_fields"]), (&json!(3), &json!({"colours": ["gold"]})));

    // The option can be added again after it is removed everywhere.
    let again = only(&["silver", "gold"]);
    let mut answer = client.call("PATCH", plan, Some(&again)).await;
    while answer.status == 422 {
        assert_eq!(answer.json()["errors"][0]["code"], "being_removed");
        answer = client.call("PATCH", plan, Some(&again)).await;
    }
    answer.expect(200);
    assert_eq!(client.get(&contacts[0]).await.expect(200)["custom_fields"]["plan"], Value::Null);
}
