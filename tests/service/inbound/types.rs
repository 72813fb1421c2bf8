//! The supported types of channels.

use serde_json::json;

use crate::support::{Server, Store};

/// Lists the supported types, with the schema of their channels' configuration.
pub(super) async fn channel_types_describe_their_configuration(store: Store) {
    let server = Server::start(store, &[]);
    let client = server.client();
    let list = client.get("/api/v1/channel-types").await.expect(200);
    let [sandbox, http, telegram, whatsapp, sms, email] = &list["data"].as_array().unwrap()[..] else {
        panic!("{list}")
    };
    assert_eq!((&telegram["kind"], &telegram["limits"]["unit"]), (&json!("telegram"), &json!("utf16")));
    assert_eq!(telegram["secrets_schema"]["required"], json!(["bot_token"]));
    assert_eq!((&whatsapp["kind"], &whatsapp["limits"]["unit"]), (&json!("whatsapp"), &json!("characters")));
    assert_eq!(whatsapp["fixed"], json!(["phone_number_id", "waba_id"]));
    assert_eq!(whatsapp["secrets_schema"]["required"], json!(["access_token", "app_secret"]));
    assert_eq!((&sms["kind"], &sms["limits"]["unit"]), (&json!("sms"), &json!("characters")));
    assert_eq!(sms["config_schema"]["required"], json!(["account_sid"]));
    assert_eq!(sms["fixed"], json!(["provider", "account_sid", "from", "messaging_service_sid"]));
    assert_eq!(sms["secrets_schema"]["properties"]["api_key"]["required"], json!(["sid", "secret"]));
    assert_eq!((&email["kind"], &email["config_schema"]["required"]), (&json!("email"), &json!(["from", "smtp"])));
    assert_eq!(email["fixed"], json!(["from.address"]));
    let smtp = &email["config_schema"]["properties"]["smtp"];
    assert_eq!((&smtp["type"], &smtp["required"]), (&json!("object"), &json!(["host"])));
    assert_eq!((&sandbox["kind"], &sandbox["config_schema"]["properties"]), (&json!("sandbox"), &json!({})));
    assert_eq!((&http["kind"], &http["title"], &http["fixed"]), (&json!("http"), &json!("HTTP"), &json!([])));
    assert_eq!(http["config_schema"]["required"], json!(["url"]));
    assert_eq!(http["config_schema"]["properties"]["url"]["maxLength"], 2_048);
    let url = "https://example.com/messages";
    for (body, pointer, code) in [
        (json!({"kind": "http"}), "/config/url", "required"),
        (json!({"kind": "http", "config": {"url": ""}}), "/config/url", "blank"),
        (json!({"kind": "http", "config": {"url": url, "way": "polling"}}), "/config/way", "unknown_field"),
        (json!({"kind": "http", "config": {"url": url, "mode": "webhook"}}), "/config/mode", "not_allowed"),
        (json!({"kind": "http", "config": {"url": url}, "secrets": {"a": "b"}}), "/secrets/a", "unknown_field"),
        (json!({"kind": "sandbox", "config": {"url": url}}), "/config/url", "not_allowed"),
    ] {
        let wrong = client.post("/api/v1/channels", &body).await.expect(422);
        assert_eq!(
            (&wrong["errors"][0]["pointer"], &wrong["errors"][0]["code"]),
            (&json!(pointer), &json!(code)),
            "{body}"
        );
    }
    let sandbox = client.post("/api/v1/channels", &json!({"kind": "sandbox"})).await.expect(201);
    assert_eq!((&sandbox["name"], &sandbox["config"]), (&json!("Sandbox"), &json!({"url": null})));
    let path = format!("/api/v1/channels/{}", sandbox["id"].as_str().unwrap());
    let patch = json!({"config": {"url": url}});
    let wrong = client.call("PATCH", &path, Some(&patch)).await.expect(422);
    assert_eq!(wrong["errors"][0]["message"], "`config.url` is only allowed for `http` channels");
    let patch = json!({"secrets": {"bot_token": "1:a"}});
    let wrong = client.call("PATCH", &path, Some(&patch)).await.expect(422);
    assert_eq!(wrong["errors"][0]["pointer"], "/secrets/bot_token");
}
