//! The app secret is replaced while requests with the old one are on their way.

use serde_json::{Value, json};

use super::{ACCOUNT, APP_SECRET, GraphApi, Line, NUMBER, PUBLIC, TOKEN, signature, written};
use crate::support::{Server, Store};

const NEW_SECRET: &str = "0f7a53b7b0a94d5aa2fd8b6ac1a1b2c3";

impl Line {
    /// Posts a message that is signed with this secret; returns the status of the response.
    async fn says_by(&self, secret: &str, id: &str) -> u16 {
        let value = written(NUMBER, id, &json!({"type": "text", "text": {"body": id}}));
        let changes = json!([{"field": "messages", "value": value}]);
        let body = json!({"entry": [{"id": ACCOUNT, "changes": changes}]}).to_string();
        self.post(&body, Some(&signature(secret, &body))).await.status
    }
}

pub(super) async fn a_replaced_app_secret_is_accepted_until_its_overlap_ends(store: Store) {
    let server = Server::start(store, &[PUBLIC]);
    let api = GraphApi::start(&server).await;
    let line = Line::open(&server, &api).await;
    let patch = async |body: Value| line.client.call("PATCH", &line.path(), Some(&body)).await;
    let secret = |overlap: &str| json!({"secrets": {"app_secret": NEW_SECRET}, "overlap": overlap});
    for (body, code) in [
        (secret("P8D"), "out_of_range"),
        (secret("soon"), "invalid_format"),
        (json!({"name": "Shop", "overlap": "PT1H"}), "not_allowed"),
    ] {
        let error = patch(body).await.expect(422)["errors"][0].clone();
        assert_eq!((&error["pointer"], &error["code"]), (&json!("/overlap"), &json!(code)), "{error}");
    }
    assert_eq!(line.says_by(NEW_SECRET, "wamid.1").await, 401);

    let patched = patch(secret("PT1H")).await;
    assert!(!patched.text.contains(NEW_SECRET), "{}", patched.text);
    patched.expect(200);
    for (by, id) in [(APP_SECRET, "wamid.2"), (NEW_SECRET, "wamid.3")] {
        assert_eq!(line.says_by(by, id).await, 200, "{id}");
    }
    assert_eq!(line.says_by(TOKEN, "wamid.4").await, 401);
    assert_eq!(line.turn("connect").await.expect(200)["status"], "connected");
    assert_eq!(line.says_by(APP_SECRET, "wamid.5").await, 200);

    patch(secret("PT0S")).await.expect(200);
    assert_eq!(line.says_by(APP_SECRET, "wamid.6").await, 401);
    assert_eq!(line.says_by(NEW_SECRET, "wamid.7").await, 200);
    let list = line.client.get(&line.messages().await).await.expect(200);
    let texts: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(texts, ["wamid.2", "wamid.3", "wamid.5", "wamid.7"]);
}
