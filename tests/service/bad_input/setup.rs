//! The objects that exist before the invalid requests.

use serde_json::{Value, json};

use crate::support::seed::Seed;
use crate::support::{Client, Receiver, Server, Store, keys};

/// A server with a filled workspace, a neighbour, and further objects for invalid requests.
pub struct Setup {
    _server: Server,
    pub client: Client,
    pub seed: Seed,
    pub neighbour: Seed,
    pub revoked: String,
    /// A contact with 100 tags.
    pub laden: String,
    /// A flow that was never published.
    pub draft: String,
    /// The tag named `later`.
    later: String,
}

/// Custom fields in addition to the seed's `plan`, one of each type.
pub const FIELDS: [(&str, &str); 9] = [
    ("age", "number"),
    ("vegan", "boolean"),
    ("born", "date"),
    ("seen", "datetime"),
    ("second_email", "email"),
    ("fax", "phone"),
    ("homepage", "url"),
    ("size", "select"),
    ("colours", "multi_select"),
];

impl Setup {
    pub async fn new(store: Store) -> Self {
        let server = Server::start(store, &[("TIDINGS__LIMITS__PLANS__BUSINESS", "1000000")]);
        let receiver = Receiver::start();
        let seed = Seed::new(&server, "acme", &receiver).await;
        let neighbour = Seed::new(&server, "umbrella", &receiver).await;
        let revoked = keys::revoked(&server, &seed.workspace).await;
        let client = Client::new(&server.base, Some(&seed.full));
        for (key, kind) in FIELDS {
            let mut field = json!({"key": key, "name": key, "type": kind});
            if key == "size" || key == "colours" {
                field["options"] = json!(["red", "green"]);
            }
            if key == "age" {
                field["validation"] = json!({"min": 0, "max": 150});
            }
            client.post("/api/v1/custom-fields", &field).await.expect(201);
        }
        let tags: Vec<String> = (0..100).map(|number| format!("tag {number}")).collect();
        let laden = client.post("/api/v1/contacts", &json!({"external_id": "laden", "tags": tags})).await;
        let draft = client.post("/api/v1/flows", &json!({"name": "Draft"})).await;
        let id = |made: Value| made["id"].as_str().unwrap().to_owned();
        let (laden, draft) = (id(laden.expect(201)), id(draft.expect(201)));
        // A second contact: the neighbour's list needs more than one page, too.
        let grace = json!({"first_name": "Grace"});
        client.with_key(Some(&neighbour.full)).post("/api/v1/contacts", &grace).await.expect(201);
        let later = id(client.post("/api/v1/tags", &json!({"name": "later"})).await.expect(201));
        Self { _server: server, client, seed, neighbour, revoked, laden, draft, later }
    }

    pub fn contact(&self) -> String {
        format!("/api/v1/contacts/{}", self.seed.id("contact"))
    }

    /// The path of the flow that was never published.
    pub fn draft(&self) -> String {
        format!("/api/v1/flows/{}", self.draft)
    }

    pub fn later_tag(&self) -> String {
        format!("/api/v1/tags/{}", self.later)
    }

    /// Returns every list and object of the workspace, as GET returns them.
    pub async fn everything(&self) -> Vec<(String, Option<String>, String)> {
        self.seed.everything().await
    }
}

/// Describes the first difference.
pub fn difference(before: &[(String, Option<String>, String)], after: &[(String, Option<String>, String)]) -> String {
    let changed = before.iter().zip(after).find(|(before, after)| before != after);
    changed.map_or_else(String::new, |(before, after)| format!("{}: {} is now {}", before.0, before.2, after.2))
}
