//! The request log, as used to diagnose errors.

use std::time::Duration;

use serde_json::{Value, json};
use tidings_domain::time::Timestamp;

use super::text;
use crate::support::people::OFTEN;
use crate::support::{Person, Server, Store};

/// A value that is sent and must not be in the log.
const SECRET: &str = "ada.lovelace.at.example.com";

async fn logs_rejected_requests_without_their_values(store: Store) {
    let server = Server::start(store, &[OFTEN]);
    let ada = Person::new(&server, &server.workspace, "owner").client(&server).await;
    let client = server.client();
    let wrong = json!({"email": SECRET, "first_name": [SECRET], "locale": SECRET, "phone": SECRET});
    let refused = client.post("/api/v1/contacts", &wrong).await;
    let request_id = refused.header("x-request-id").unwrap().to_owned();
    assert_eq!(refused.expect(422)["errors"].as_array().unwrap().len(), 4);
    client.get(&format!("/api/v1/contacts?limit={SECRET}")).await.expect(422);
    client.get("/api/v1/tags").await.expect(200);

    let usage = format!("/platform/workspaces/{}/usage", server.workspace);
    let refusals = format!("{usage}?status_class=4xx&error_code=validation_failed");
    let seen = ada.until(&refusals, |list| list["data"].as_array().unwrap().len() == 2).await;
    assert!(!seen.to_string().contains(SECRET), "the log contains no values: {seen}");
    assert_eq!(seen["data"][0]["errors"], json!([{"parameter": "limit", "code": "wrong_type"}]));
    let errors = refused.json()["errors"].as_array().unwrap()[..3].to_vec();
    let places: Vec<Value> = errors.iter().map(|it| json!({"pointer": it["pointer"], "code": it["code"]})).collect();
    assert_eq!(seen["data"][1]["errors"], json!(places), "the log stores the first three of four errors");
    let found = ada.get(&format!("{usage}?request_id={request_id}")).await.expect(200);
    assert_eq!(found["data"].as_array().unwrap(), &seen["data"].as_array().unwrap()[1..]);
    let fine = ada.until(&format!("{usage}?route=%2Fapi%2Fv1%2Ftags"), |list| list["data"][0].is_object()).await;
    assert_eq!((&fine["data"][0]["error_code"], &fine["data"][0]["errors"]), (&Value::Null, &json!([])));

    let key = text(&found["data"][0], "key_id");
    let sums = ["requests", "client_errors", "server_errors"];
    let added = |data: &Value| {
        sums.map(|name| data.as_array().unwrap().iter().map(|it| it[name].as_i64().unwrap()).sum::<i64>())
    };
    let came: Timestamp = text(&found["data"][0], "at").parse().unwrap();
    for seconds in [3_000, 86_400, 30 * 86_400] {
        let from = came.minus(Duration::from_secs(seconds));
        let histogram = ada.get(&format!("{usage}/histogram?from={from}&key_id={key}")).await.expect(200);
        assert_eq!(added(&histogram["data"]), [3, 2, 0], "{histogram}");
    }
    let groups = ada.get(&format!("{usage}/errors?key_id={key}")).await.expect(200);
    let mut groups: Vec<_> =
        groups["data"].as_array().unwrap().iter().map(|it| (text(it, "method"), it.clone())).collect();
    groups.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(groups.len(), 2);
    for (method, group) in groups {
        assert_eq!((&group["error_code"], &group["status"]), (&json!("validation_failed"), &json!(422)));
        assert_eq!((&group["route"], &group["requests"]), (&json!("/api/v1/contacts"), &json!(1)), "{method}");
    }
    let keys = ada.get(&format!("{usage}/keys")).await.expect(200);
    let of_key = keys["data"].as_array().unwrap().iter().find(|it| it["key_id"] == key.as_str()).unwrap();
    assert_eq!(added(&json!([of_key])), [3, 2, 0]);
    let export = ada.get(&format!("{usage}/export?request_id={request_id}")).await;
    assert_eq!((export.status, export.header("content-type")), (200, Some("text/csv; charset=utf-8")));
    assert!(export.text.contains("422") && export.text.contains("validation_failed"), "{}", export.text);
    assert_eq!((export.text.lines().count(), export.text.contains(SECRET)), (2, false));
}

on_both! {
    logs_rejected_requests_without_their_values,
}
