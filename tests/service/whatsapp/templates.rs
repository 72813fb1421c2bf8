//! The templates of the WhatsApp Business account.

use serde_json::json;

use super::{GraphApi, Line, PUBLIC};
use crate::support::{Server, Store};

pub(super) async fn templates_are_listed_from_a_copy(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = GraphApi::start(&server).await;
    let line = Line::open(&server, &api).await;
    let path = format!("{}/templates", line.path());
    let list = line.client.get(&path).await.expect(200);
    let template = &list["data"][0];
    assert_eq!((&template["name"], &template["status"]), (&json!("order_ready"), &json!("APPROVED")), "{list}");
    assert_eq!(template["parameters"], json!([{"name": "1", "type": "text"}]));
    assert_eq!(line.client.get(&path).await.expect(200)["fetched_at"], list["fetched_at"]);
    let asked = || {
        let calls = &api.meta.lock().unwrap().calls;
        calls.iter().filter(|call| call.line.contains("/message_templates")).count()
    };
    assert_eq!(asked(), 1);
    // A change of the channel makes the copy invalid.
    line.client.call("PATCH", &line.path(), Some(&json!({"name": "Shop"}))).await.expect(200);
    line.client.get(&path).await.expect(200);
    assert_eq!(asked(), 2);
}
