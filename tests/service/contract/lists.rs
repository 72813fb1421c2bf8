//! Lists: the number of rows, and the end of a page.

use serde_json::{Value, json};
use tidings_http::routes::{ROUTES, RouteScope};

use crate::matrix::requests::Requests;
use crate::support::seed::Seed;
use crate::support::{Person, Receiver, Server};

/// Every list in the table of routes can be counted, except those marked as uncounted, which reject the parameter.
pub async fn every_list_returns_its_total(server: &Server) {
    let receiver = Receiver::start();
    let seed = Seed::new(server, "counted", &receiver).await;
    let owner = Person::new(server, &seed.workspace, "owner").client(server).await;
    let operator = Person::operator(server, &seed.workspace, "viewer").client(server).await;
    let mut lists = 0;
    for route in ROUTES.iter().filter(|route| route.traits.query) {
        let requests = Requests::of(route);
        let ids: Vec<_> = requests.kinds().iter().map(|kind| seed.id_or_absent(kind)).collect();
        let path = requests.path(&ids);
        let client = match route.scope {
            RouteScope::Operator => &operator,
            _ if route.path.starts_with("/platform") => &owner,
            _ => &seed.client,
        };
        let reply = client.get(&format!("{path}?include=total&limit=1")).await;
        if !route.traits.is_counted() {
            assert_eq!(reply.expect(422)["errors"][0]["code"], "unknown_parameter", "{path}");
            continue;
        }
        lists += 1;
        let page = reply.expect(200);
        let mut rows = page["data"].as_array().unwrap().len();
        let mut next = page["next_cursor"].clone();
        while let Some(cursor) = next.as_str() {
            let page = client.get(&format!("{path}?limit=1&cursor={cursor}")).await.expect(200);
            assert_eq!(page.get("total"), None, "{path}: the total was not requested");
            rows += page["data"].as_array().unwrap().len();
            next = page["next_cursor"].clone();
        }
        assert_eq!((&page["total"], &page["total_is_capped"]), (&json!(rows), &json!(false)), "{path}");
        // Only requests of a provider fill it; the tests of Telegram check its total.
        let is_fillable = !route.path.ends_with("/unparsed");
        assert!(rows > 0 || !is_fillable, "{path} is empty, so the test proves nothing");
    }
    assert!(lists >= 17, "{lists}");
}

/// A page ends at this size, whatever its limit; the remaining rows are on the next page.
pub async fn a_page_ends_at_four_mebibytes(server: &Server) {
    let client = server.new_client("Long rows", "full");
    for number in 0..30 {
        let field = json!({"key": format!("f{number}"), "name": "Note", "type": "text"});
        client.post("/api/v1/custom-fields", &field).await.expect(201);
    }
    // Characters of three bytes each.
    let values: serde_json::Map<String, Value> =
        (0..20).map(|number| (format!("f{number}"), json!("\u{4e16}".repeat(4_000)))).collect();
    for number in 0..25 {
        let contact = json!({"external_id": number.to_string(), "custom_fields": values});
        client.post("/api/v1/contacts", &contact).await.expect(201);
    }
    let (mut seen, mut pages, mut path) = (Vec::new(), 0, "/api/v1/contacts?limit=100&sort=created_at".to_owned());
    loop {
        let reply = client.get(&path).await;
        assert!(reply.bytes.len() <= (4 << 20) + 1_024, "{}", reply.bytes.len());
        let page = reply.expect(200);
        pages += 1;
        seen.extend(page["data"].as_array().unwrap().iter().map(|it| it["external_id"].as_str().unwrap().to_owned()));
        match page["next_cursor"].as_str() {
            Some(cursor) => path = format!("/api/v1/contacts?limit=100&sort=created_at&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(seen, (0..25).map(|number| number.to_string()).collect::<Vec<_>>());
    assert_eq!(pages, 2);
}
