//! Segments: named conditions that can be counted and filter lists.

use serde_json::{Value, json};

use crate::support::Server;

fn id(made: &Value) -> &str {
    made["id"].as_str().unwrap()
}

/// A segment counts its current contacts, is updated with `If-Match`, and filters the list of contacts.
pub async fn a_segment_counts_and_filters_contacts(server: &Server) {
    let client = server.new_client("Segments", "full");
    for (name, locale) in [("Ana", "pt-PT"), ("Bia", "pt-BR"), ("Carl", "de")] {
        client.post("/api/v1/contacts", &json!({"first_name": name, "locale": locale})).await.expect(201);
    }
    let condition = json!({"field": "locale", "op": "starts_with", "value": "pt"});
    let reply = client.post("/api/v1/segments", &json!({"name": "Lusophones", "condition": condition})).await;
    let (path, etag) = (reply.header("location").unwrap().to_owned(), reply.header("etag").unwrap().to_owned());
    let made = reply.expect(201);
    assert_eq!((&made["contact_count"], &made["contact_count_is_capped"]), (&json!(2), &json!(false)));
    assert_eq!((&made["condition"], &made["version"]), (&condition, &json!(1)));
    let mut shown = client.get(&path).await.expect(200);
    shown["counted_at"] = made["counted_at"].clone();
    assert_eq!(shown, made);

    client.post("/api/v1/contacts", &json!({"first_name": "Davi", "locale": "pt-BR"})).await.expect(201);
    let counted = client.get(&path).await.expect(200);
    assert_eq!((&counted["contact_count"], &counted["version"]), (&json!(3), &json!(1)));
    // A list returns the last stored count.
    assert_eq!(client.get("/api/v1/segments").await.expect(200)["data"], json!([made]));

    let filtered = |more: &str| format!("/api/v1/contacts?segment={}&sort=name&include=total{more}", id(&made));
    let list = client.get(&filtered("")).await.expect(200);
    let names = |list: &Value| {
        let rows = list["data"].as_array().unwrap().iter();
        rows.map(|it| it["first_name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        (names(&list), &list["total"]),
        (vec!["Ana".to_owned(), "Bia".to_owned(), "Davi".to_owned()], &json!(3))
    );
    assert_eq!(names(&client.get(&filtered("&q=bia")).await.expect(200)), ["Bia"]);
    let first = client.get(&filtered("&limit=2")).await.expect(200);
    let next = first["next_cursor"].as_str().unwrap();
    assert_eq!(names(&client.get(&filtered(&format!("&limit=2&cursor={next}"))).await.expect(200)), ["Davi"]);

    // The count does not change the version.
    let body = json!({"condition": {"field": "locale", "op": "eq", "value": "de"}}).to_string().into_bytes();
    let headers = [("content-type", "application/json"), ("if-match", etag.as_str())];
    let changed = client.send("PATCH", &path, &headers, Some(body.clone())).await.unwrap().expect(200);
    assert_eq!((&changed["contact_count"], &changed["version"]), (&json!(1), &json!(2)));
    client.send("PATCH", &path, &headers, Some(body)).await.unwrap().expect(412);
    client.delete(&path).await.expect(204);
    client.get(&path).await.expect(404);
    let gone = client.get(&filtered("")).await.expect(422);
    assert_eq!(
        (&gone["errors"][0]["parameter"], &gone["errors"][0]["code"]),
        (&json!("segment"), &json!("unknown_segment"))
    );
}
