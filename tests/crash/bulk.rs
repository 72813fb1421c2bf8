//! kill -9 in the middle of a bulk operation: it goes on where it was, and no contact is changed twice.

use serde_json::{Value, json};

use crate::support::{Server, Store};

const CONTACTS: usize = 2_400;

pub async fn a_killed_bulk_operation_goes_on(store: Store, kills: usize) {
    // What a killed process had claimed is free again when its lease is over.
    let settings = [("TIDINGS__LIMITS__PLANS__BUSINESS", "10000000"), ("TIDINGS__ENGINE__LEASE", "PT5S")];
    let mut server = Server::start(store, &settings);
    let mut table = "external_id,first_name\n".to_owned();
    (0..CONTACTS).for_each(|row| table.push_str(&format!("c{row},Ada\n")));
    let import = server.client().post("/api/v1/contacts/import", &Value::String(table)).await.expect(202);
    let import = format!("/api/v1/contacts/imports/{}", import["id"].as_str().unwrap());
    server.client().until(&import, |it| it["status"] == "completed").await;
    let tag = server.client().post("/api/v1/tags", &json!({"name": "all"})).await.expect(201);
    let untagged = json!({"not": {"field": "tags", "op": "has", "value": "all"}});
    let body = json!({"filter": untagged, "action": {"type": "tag", "tag_id": tag["id"]}});
    let started = server.client().post("/api/v1/contacts/bulk", &body).await.expect(202);
    let path = format!("/api/v1/contacts/bulk/{}", started["id"].as_str().unwrap());
    for kill in 1..=kills {
        let goal = (CONTACTS * kill / (kills + 1)) as i64;
        let operation = server.client().until(&path, |it| it["done"].as_i64().unwrap() >= goal).await;
        println!("killed at {} of {CONTACTS}", operation["done"]);
        server.kill();
        server.serve();
    }
    let client = server.client();
    let done = client.until(&path, |it| it["status"] == "completed").await;
    assert_eq!((&done["done"], &done["changed"]), (&CONTACTS.into(), &CONTACTS.into()), "{done}");
    assert_eq!(client.get("/api/v1/contacts?limit=1&tag=all&include=total").await.expect(200)["total"], CONTACTS);
    let once = client.get("/api/v1/contacts?limit=100&tag=all").await.expect(200);
    let versions: Vec<_> = once["data"].as_array().unwrap().iter().map(|it| it["version"].clone()).collect();
    assert_eq!(versions, vec![json!(2); 100], "each is changed once");
}
