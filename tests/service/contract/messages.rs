//! Single messages.

use serde_json::json;

use crate::support::Server;

/// `Location` is the path of the message itself, and a note is marked as internal.
pub async fn messages_have_a_location_and_notes_are_internal(server: &Server) {
    let client = server.new_client("Messages", "full");
    let path = format!("/api/v1/contacts/{}", client.create("/api/v1/contacts", &json!({"external_id": "ada"})).await);
    let sent = client.post(&format!("{path}/send-message"), &json!({"type": "text", "text": "Hi"})).await;
    let message = sent.expect(202);
    let location = sent.header("location").unwrap().to_owned();
    assert_eq!(location, format!("/api/v1/messages/{}", message["id"].as_str().unwrap()));
    let shown = client.until(&location, |it| it["status"] == "read" || it["status"] == "sent").await;
    assert_eq!((&shown["id"], &shown["direction"]), (&message["id"], &json!("outbound")));

    let messages = format!("/api/v1/conversations/{}/messages", message["conversation_id"].as_str().unwrap());
    let note = client.post(&messages, &json!({"type": "note", "text": "Call her"})).await;
    let shown = client.get(note.header("location").unwrap()).await.expect(200);
    assert_eq!(shown, note.expect(202));
    let words = [&shown["direction"], &shown["status"], &shown["status_history"][0]["status"]];
    assert_eq!(words, [&json!("internal"), &json!("noted"), &json!("noted")]);

    let other = server.new_workspace("Others");
    let other = client.with_key(Some(&server.new_key(&other, "full")));
    assert_eq!(other.get(&location).await.code(), "not_found");
}
