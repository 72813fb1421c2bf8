//! The limits of requests in a minute: of updates, which Telegram repeats after 503, and of requests without the secret.

use serde_json::Value;

use super::{BotApi, Line, PUBLIC, TOKEN, written};
use crate::support::{Server, Store};

/// Maximum number of requests without a valid signature in a minute.
const UNSIGNED: usize = 120;

pub async fn requests_over_the_limit_are_answered_503(store: Store) {
    let server = Server::start(store, &[PUBLIC, ("TIDINGS__LIMITS__INBOUND", "2")]);
    let api = BotApi::start().await;
    let line = Line::open(&server, &api, TOKEN).await;
    for _ in 0..UNSIGNED {
        assert_eq!(line.update_with(&written(1, "forged"), Some("wrong")).await.status, 401);
    }
    let refused = line.update_with(&written(1, "forged"), None).await;
    assert_eq!((refused.status, refused.code().as_str()), (429, "rate_limited"), "{}", refused.text);
    // Forged requests do not use up the limit of Telegram.
    line.says(1, "one").await;
    line.says(2, "two").await;
    let over = line.update(&written(3, "three")).await;
    assert_eq!((over.status, over.code().as_str()), (503, "unavailable"), "{}", over.text);
    assert!(over.header("retry-after").is_some());
    let list = line.client.get(&line.messages().await).await.expect(200);
    let texts: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|it| &it["text"]).collect();
    assert_eq!(texts, ["one", "two"]);
}
