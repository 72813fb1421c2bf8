//! Files: uploads in both forms, downloads in parts, links, and deletion.

use serde_json::json;

use crate::support::{Reply, Server};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n0123456789";

/// The headers with which a browser stores a file and does not show it.
fn assert_guarded(reply: &Reply) {
    assert!(reply.header("content-disposition").unwrap().starts_with("attachment; filename=\"cat.png\""));
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(reply.header("content-security-policy"), Some("default-src 'none'; sandbox"));
    assert!(reply.header("cache-control").unwrap().starts_with("private"));
    assert_eq!(reply.header("content-type"), Some("image/png"));
}

/// A file keeps its bytes and gets the type of its content. A range selects a part.
pub async fn a_file_is_uploaded_and_downloaded(server: &Server) {
    let client = server.new_client("Files", "full");
    let kind = [("content-type", "text/html")];
    let made = client.send("POST", "/api/v1/media?name=../cat.png", &kind, Some(PNG.to_vec())).await.unwrap();
    let path = made.header("location").unwrap().to_owned();
    let made = made.expect(201);
    assert_eq!(
        (&made["name"], &made["mime_type"], &made["size"]),
        (&json!("cat.png"), &json!("image/png"), &json!(18))
    );
    assert_eq!(made["url"], path.as_str());
    let whole = client.get(&path).await;
    assert_eq!((whole.status, whole.bytes.as_slice()), (200, PNG));
    assert_eq!(whole.header("content-length"), Some("18"));
    assert_guarded(&whole);

    let ranged = async |range: &str| client.send("GET", &path, &[("range", range)], None).await.unwrap();
    let part = ranged("bytes=8-11").await;
    assert_eq!((part.status, part.bytes.as_slice()), (206, b"0123".as_slice()));
    assert_eq!(part.header("content-range"), Some("bytes 8-11/18"));
    assert_guarded(&part);
    assert_eq!(ranged("bytes=-2").await.bytes, b"89");
    let after = ranged("bytes=18-").await;
    assert_eq!((after.status, after.code().as_str()), (416, "range_not_satisfiable"));
    assert_eq!(after.header("content-range"), Some("bytes */18"));
    let head = client.send("HEAD", &path, &[], None).await.unwrap();
    assert_eq!((head.status, head.header("content-length"), head.bytes.len()), (200, Some("18"), 0));

    server.new_client("Other files", "full").get(&path).await.expect(404);
    client.delete(&path).await.expect(204);
    client.get(&path).await.expect(404);
    client.send("POST", "/api/v1/media", &kind, Some(Vec::new())).await.unwrap().expect(422);
}

/// A form has one part with the file and its name.
pub async fn a_form_uploads_a_file(server: &Server) {
    let client = server.new_client("Forms", "write");
    let form = |name: &str| {
        let head = format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"cat.png\"\r\n\r\n");
        [head.as_bytes(), PNG, b"\r\n--x--\r\n"].concat()
    };
    let kind = [("content-type", "multipart/form-data; boundary=x")];
    let send = async |body: Vec<u8>| client.send("POST", "/api/v1/media", &kind, Some(body)).await.unwrap();
    let made = send(form("file")).await.expect(201);
    assert_eq!((&made["name"], &made["size"]), (&json!("cat.png"), &json!(18)));
    assert_eq!(client.get(made["url"].as_str().unwrap()).await.bytes, PNG);
    assert_eq!(send(form("other")).await.expect(400)["code"], "bad_request");
    assert_eq!(send(PNG.to_vec()).await.expect(400)["code"], "bad_request");
    let unbound = [("content-type", "multipart/form-data")];
    client.send("POST", "/api/v1/media", &unbound, Some(form("file"))).await.unwrap().expect(415);
}

/// A repeated upload with the same idempotency key returns the first file.
pub async fn a_repeated_upload_returns_the_first_file(server: &Server) {
    let client = server.new_client("Repeated files", "write");
    let send = async |bytes: &[u8]| {
        let headers = [("idempotency-key", "one"), ("content-type", "image/png")];
        client.send("POST", "/api/v1/media?name=a.png", &headers, Some(bytes.to_vec())).await.unwrap()
    };
    let (first, again) = (send(PNG).await.expect(201), send(PNG).await);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.expect(201)["id"], first["id"]);
    assert_eq!(send(b"other").await.expect(422)["code"], "idempotency_key_reused");
}

/// A link works without a key. Other tokens do not.
pub async fn a_link_shows_a_file_without_a_key(server: &Server) {
    let client = server.new_client("Links", "write");
    let kind = [("content-type", "image/png")];
    let made = client.send("POST", "/api/v1/media?name=cat.png", &kind, Some(PNG.to_vec())).await.unwrap().expect(201);
    let path = format!("{}/link", made["url"].as_str().unwrap());
    let link = client.post(&path, &json!({"expires_in": "PT1H"})).await.expect(200);
    let url = link["url"].as_str().unwrap();
    let url = &url[url.find("/m/").unwrap()..];
    let anyone = client.with_key(None);
    let shown = anyone.get(url).await;
    assert_eq!((shown.status, shown.bytes.as_slice()), (200, PNG));
    assert_guarded(&shown);
    let mut changed = url.to_owned();
    let last = if changed.pop() == Some('A') { 'E' } else { 'A' };
    changed.push(last);
    for wrong in [changed.as_str(), "/m/x", "/m/AAAA"] {
        assert_eq!(anyone.get(wrong).await.expect(404)["code"], "not_found", "{wrong}");
    }
    for life in ["PT0S", "P8D", "soon"] {
        client.post(&path, &json!({"expires_in": life})).await.expect(422);
    }
}

/// A message names a file by its ID. The file then cannot be deleted, and other workspaces cannot use it.
pub async fn a_message_uses_a_file(server: &Server) {
    let client = server.new_client("Attached files", "full");
    let made = client.send("POST", "/api/v1/media?name=cat.png", &[], Some(PNG.to_vec())).await.unwrap().expect(201);
    let contact = client.create("/api/v1/contacts", &json!({"first_name": "Ada"})).await;
    let send = format!("/api/v1/contacts/{contact}/send-message");
    let body = json!({"type": "image", "attachments": [{"media_id": made["id"]}]});
    let sent = client.post(&send, &body).await.expect(202);
    let shown = json!([{"media_id": made["id"], "url": made["url"], "name": "cat.png", "mime_type": "image/png"}]);
    assert_eq!(sent["attachments"], shown);
    let path = format!("/api/v1/messages/{}", sent["id"].as_str().unwrap());
    client.until(&path, |message| message["status"] == "sent").await;
    assert_eq!(client.delete(made["url"].as_str().unwrap()).await.expect(409)["code"], "in_use");

    let other = server.new_client("Other attached files", "full");
    let contact = other.create("/api/v1/contacts", &json!({"first_name": "Bob"})).await;
    let refused = other.post(&format!("/api/v1/contacts/{contact}/send-message"), &body).await.expect(422);
    assert_eq!(refused["errors"][0]["pointer"], "/attachments/0/media_id");
    assert_eq!(refused["errors"][0]["code"], "unknown_media");
}
