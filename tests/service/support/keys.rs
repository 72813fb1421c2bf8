//! Invalid keys.

use secrecy::ExposeSecret;
use tidings_credentials::key::{ApiKey, Mode};
use tidings_credentials::random::SystemRandom;

use super::{Client, Server};

/// Returns a key with a valid checksum that no workspace has.
pub fn unknown() -> String {
    ApiKey::generate(Mode::Live, &SystemRandom::new()).text().expose_secret().to_owned()
}

/// Replaces one character of the key, so its checksum is wrong.
pub fn mistyped(key: &str) -> String {
    let place = "tdg_live_".len() + 4;
    let other = if key.as_bytes()[place] == b'x' { "y" } else { "x" };
    format!("{}{other}{}", &key[..place], &key[place + 1..])
}

/// Returns the key without its last character.
pub fn truncated(key: &str) -> String {
    key[..key.len() - 1].to_owned()
}

/// Creates, uses and revokes a `full` key, and waits until the server rejects it, at most five seconds.
pub async fn revoked(server: &Server, workspace: &str) -> String {
    let made = server.command(&["key", "create", "--workspace", workspace, "--scope", "full", "--name", "revoked"]);
    let (id, key) = (made["id"].as_str().unwrap(), made["key"].as_str().unwrap().to_owned());
    let client = Client::new(&server.base, Some(&key));
    client.get("/api/v1/me").await.expect(200);
    server.command(&["key", "revoke", "--workspace", workspace, id]);
    client.until_refused("/api/v1/me").await;
    key
}
