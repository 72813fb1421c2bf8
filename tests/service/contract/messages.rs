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

/// A failed message is sent again once, as a new message of the same conversation. Both name each other.
pub async fn a_failed_message_is_sent_again_once(server: &Server) {
    let workspace = server.new_workspace("Resends");
    let client = server.client().with_key(Some(&server.new_key(&workspace, "write")));
    let made = client.post("/api/v1/contacts", &json!({"external_id": "sandbox-fail-1"})).await.expect(201);
    let send = format!("/api/v1/contacts/{}/send-message", made["id"].as_str().unwrap());
    let sent = client.post(&send, &json!({"type": "text", "text": "Hi"})).await;
    let location = sent.header("location").unwrap().to_owned();
    let failed = client.until(&location, |it| it["status"] == "failed").await;
    assert_eq!((&failed["resend_of"], &failed["resent_as"]), (&json!(null), &json!(null)));

    let again = client.post(&format!("{location}/resend"), &json!({})).await;
    let path = again.header("location").unwrap().to_owned();
    let copy = again.expect(202);
    assert_eq!((&copy["text"], &copy["conversation_id"]), (&failed["text"], &failed["conversation_id"]));
    assert_eq!((&copy["resend_of"], &copy["status"]), (&failed["id"], &json!("queued")));
    assert_eq!(client.get(&location).await.expect(200)["resent_as"], copy["id"]);
    let repeated = client.post(&format!("{location}/resend"), &json!({})).await.expect(200);
    assert_eq!(repeated["id"], copy["id"]);

    // The copy is a message like any other: it fails, too, and can be sent again.
    client.until(&path, |it| it["status"] == "failed").await;
    let third = client.post(&format!("{path}/resend"), &json!({})).await.expect(202);
    assert_eq!(third["resend_of"], copy["id"]);

    let reader = client.with_key(Some(&server.new_key(&workspace, "read")));
    reader.post(&format!("{path}/resend"), &json!({})).await.expect(403);
    let ada = client.post("/api/v1/contacts", &json!({"external_id": "ada"})).await.expect(201);
    let send = format!("/api/v1/contacts/{}/send-message", ada["id"].as_str().unwrap());
    let sent = client.post(&send, &json!({"type": "text", "text": "Hi"})).await;
    let location = sent.header("location").unwrap();
    client.until(location, |it| it["status"] == "sent" || it["status"] == "read").await;
    assert_eq!(client.post(&format!("{location}/resend"), &json!({})).await.code(), "not_resendable");
}
