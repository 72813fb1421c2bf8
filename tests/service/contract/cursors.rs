//! Cursors of lists sorted by name.

use serde_json::json;
use tidings_credentials::master_key::MasterKey;
use tidings_domain::pagination::{Sort, SortBy};
use tidings_http::cursor::CursorKey;

use crate::support::server::MASTER_KEY;
use crate::support::{Client, Server};

const CONTACTS: &str = "/api/v1/contacts";
const TAGS: &str = "/api/v1/tags";

async fn next_cursor(client: &Client, path: &str) -> String {
    let page = client.get(path).await.expect(200);
    page["next_cursor"].as_str().unwrap_or_else(|| panic!("{path} has only one page")).to_owned()
}

async fn names(client: &Client, path: &str, member: &str) -> Vec<String> {
    let (mut names, mut next) = (Vec::new(), path.to_owned());
    loop {
        let page = client.get(&next).await.expect(200);
        names.extend(page["data"].as_array().unwrap().iter().map(|row| row[member].as_str().unwrap().to_owned()));
        match page["next_cursor"].as_str() {
            Some(cursor) => next = format!("{path}&cursor={cursor}"),
            None => return names,
        }
    }
}

/// The server rejects a cursor of the previous sort order, of another list or order. The client then starts the list
/// again.
pub async fn rejects_cursors_of_another_order_or_list(server: &Server) {
    let workspace = server.new_workspace("Cursors");
    let client = server.client().with_key(Some(&server.new_key(&workspace, "full")));
    for name in ["Zoë", "Álvaro", "Bo"] {
        client.post(CONTACTS, &json!({"first_name": name})).await.expect(201);
        client.post(TAGS, &json!({"name": name})).await.expect(201);
    }
    let key = CursorKey::new(MasterKey::from_base64(MASTER_KEY).unwrap().derive("cursor"));
    let order = Sort { by: SortBy::Name, descending: false };
    for (list, member, other) in [(CONTACTS, "first_name", TAGS), (TAGS, "name", CONTACTS)] {
        let path = format!("{list}?sort=name&limit=1");
        let cursor = next_cursor(&client, &path).await;
        // The route, the path, no filters, and the order.
        let binding = format!("{list} {list}  {order:?}");
        let payload = key.open(&binding, &workspace, &cursor).unwrap();
        assert_eq!(key.seal(&binding, &workspace, &payload), cursor, "{list}: the test creates the same cursors");
        assert_eq!(payload[0], b'C', "{list}: the cursor contains a sort key");
        // An earlier release stored a folded name instead of the sort key. The last 16 bytes are the ID of the row.
        let (_, id) = payload.split_at(payload.len() - 16);
        let folded = [b"Sbo".as_slice(), id].concat();
        let unnamed = [b"s".as_slice(), id].concat();

        let wrong = [
            key.seal(&binding, &workspace, &folded),
            key.seal(&binding, &workspace, &unnamed),
            next_cursor(&client, &format!("{other}?sort=name&limit=1")).await,
            next_cursor(&client, &format!("{list}?sort=-name&limit=1")).await,
            next_cursor(&client, &format!("{list}?sort=created_at&limit=1")).await,
        ];
        for wrong in &wrong {
            let reply = client.get(&format!("{path}&cursor={wrong}")).await;
            assert_eq!(
                (reply.status, reply.code().as_str()),
                (400, "invalid_cursor"),
                "{list} {wrong}: {}",
                reply.text
            );
        }
        let second = client.get(&format!("{path}&cursor={cursor}")).await.expect(200);
        assert_eq!(second["data"][0][member], "Bo", "{list}: the cursor is still valid");
        assert_eq!(names(&client, &path, member).await, ["Álvaro", "Bo", "Zoë"], "{list}");
    }
}
