//! Secrets are created, replaced, listed and deleted, and never returned.

use serde_json::{Value, json};

use crate::support::Server;

const PATH: &str = "/api/v1/secrets/SHOP_TOKEN";
const VALUE: &str = "no answer has this value";

fn secret(value: &str, host: &str) -> Value {
    json!({"value": value, "hosts": [host]})
}

/// A secret is created, replaced with `If-Match`, listed and deleted; no response contains the value.
pub async fn stores_a_secret_and_never_returns_its_value(server: &Server) {
    let client = server.new_client("Secrets", "full");
    let reply = client.call("PUT", PATH, Some(&secret(VALUE, "API.Example.com"))).await;
    let etag = reply.header("etag").unwrap().to_owned();
    assert_eq!(reply.header("location"), Some(PATH));
    let made = reply.expect(201);
    assert_eq!((&made["name"], &made["version"]), (&json!("SHOP_TOKEN"), &json!(1)));
    assert_eq!(made["hosts"], json!(["api.example.com"]));
    assert_eq!(client.get(PATH).await.expect(200), made);

    let body = secret(VALUE, "b.example.com").to_string().into_bytes();
    let put = async |headers: &[(&str, &str)]| {
        let headers = [&[("content-type", "application/json")][..], headers].concat();
        client.send("PUT", PATH, &headers, Some(body.clone())).await.unwrap()
    };
    put(&[("if-none-match", "*")]).await.expect(412);
    let replaced = put(&[("if-match", &etag)]).await.expect(200);
    assert_eq!((&replaced["version"], &replaced["hosts"]), (&json!(2), &json!(["b.example.com"])));
    put(&[("if-match", &etag)]).await.expect(412);

    let listed = client.get("/api/v1/secrets").await.expect(200);
    assert_eq!(listed["data"], json!([replaced]));
    for shown in [&made, &replaced, &listed] {
        assert!(!shown.to_string().contains("value"), "{shown}");
    }
    client.delete(PATH).await.expect(204);
    client.get(PATH).await.expect(404);
    put(&[("if-match", "*")]).await.expect(412);
    client.delete(PATH).await.expect(404);
}

/// An invalid secret is rejected with all errors.
pub async fn rejects_an_invalid_secret_with_all_errors(server: &Server) {
    let client = server.new_client("Forms of secrets", "full");
    let refused = async |path: &str, body: &Value| {
        let reply = client.call("PUT", path, Some(body)).await.expect(422);
        let errors = reply["errors"].as_array().unwrap().iter();
        assert!(!reply.to_string().contains(VALUE), "{reply}");
        errors.map(|error| error["pointer"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(refused("/api/v1/secrets/shop-token", &secret(VALUE, "a.example")).await, ["/name"]);
    assert_eq!(refused(PATH, &json!({"value": "", "hosts": []})).await, ["/value", "/hosts"]);
    assert_eq!(refused(PATH, &secret(VALUE, "169.254.169.254")).await, ["/hosts/0"]);
    client.get(PATH).await.expect(404);
}
