//! Saved replies: named texts for agents.

use serde_json::json;

use crate::support::Server;

/// Names are unique; a text must be a valid template and is rendered for a contact; updates use `If-Match`.
pub async fn saved_replies_have_unique_names_and_valid_texts(server: &Server) {
    let workspace = server.new_workspace("Saved replies");
    let client = server.client().with_key(Some(&server.new_key(&workspace, "full")));
    let body = json!({"name": "Hours", "text": "Hi {{ contact.first_name }}, from 9."});
    let reply = client.post("/api/v1/saved-replies", &body).await;
    let (path, etag) = (reply.header("location").unwrap().to_owned(), reply.header("etag").unwrap().to_owned());
    let made = reply.expect(201);
    assert_eq!((&made["name"], &made["text"], &made["version"]), (&body["name"], &body["text"], &json!(1)));
    assert_eq!(client.get(&path).await.expect(200), made);
    assert_eq!(client.get("/api/v1/saved-replies?include=total").await.expect(200)["data"], json!([made]));

    let taken = client.post("/api/v1/saved-replies", &json!({"name": "hOURS", "text": "x"})).await.expect(409);
    assert_eq!((&taken["code"], &taken["existing_id"]), (&json!("name_taken"), &made["id"]));
    for (wrong, pointer, code) in [
        (json!({"name": "A", "text": "{{ contact."}), "/text", "template_error"),
        (json!({"name": "A", "text": "Hi {{ contact.frist_name }}"}), "/text", "unknown_name"),
        (json!({"name": "A", "text": ""}), "/text", "blank"),
        (json!({"name": "A", "text": "x".repeat(4_097)}), "/text", "too_long"),
        (json!({"name": " ", "text": "x"}), "/name", "blank"),
        (json!({"text": "x"}), "/name", "required"),
    ] {
        let refused = client.post("/api/v1/saved-replies", &wrong).await.expect(422);
        let error = &refused["errors"][0];
        assert_eq!((&error["pointer"], &error["code"]), (&json!(pointer), &json!(code)), "{wrong}");
    }

    let ada = client.post("/api/v1/contacts", &json!({"first_name": "Ada"})).await.expect(201);
    let rendered = json!({"template": made["text"], "contact_id": ada["id"]});
    let rendered = client.post("/api/v1/templates/render", &rendered).await.expect(200);
    assert_eq!(rendered["text"], "Hi Ada, from 9.");

    let change = json!({"text": "From 10."}).to_string().into_bytes();
    let headers = [("content-type", "application/json"), ("if-match", etag.as_str())];
    let changed = client.send("PATCH", &path, &headers, Some(change.clone())).await.unwrap().expect(200);
    assert_eq!((&changed["name"], &changed["text"]), (&json!("Hours"), &json!("From 10.")));
    client.send("PATCH", &path, &headers, Some(change)).await.unwrap().expect(412);
    let writer = server.client().with_key(Some(&server.new_key(&workspace, "write")));
    writer.delete(&path).await.expect(403);
    client.delete(&path).await.expect(204);
    client.get(&path).await.expect(404);
}
