//! The operations of users: a valid and an invalid request to each, compared with the document.

use serde_json::{Value, json};
use tidings_http::routes::{BodyKind, ROUTES, Route};

use super::schema::Document;
use super::{compare, fits};
use crate::support::{Client, Person, Server};

fn route(operation: &str) -> &'static Route {
    ROUTES.iter().find(|route| route.operation_id == operation).unwrap_or_else(|| panic!("no {operation}"))
}

/// A sequence of operations that use the results of earlier ones.
struct Story<'a> {
    document: &'a Document,
    client: Client,
    workspace: String,
    told: Vec<&'static str>,
    compared: usize,
}

impl Story<'_> {
    fn path_of(&self, operation: &str, rest: &[&str]) -> (&'static Route, String) {
        let route = route(operation);
        let mut rest = rest.iter();
        let segments = route.path.split('/').map(|segment| match segment {
            "{ws}" => self.workspace.as_str(),
            other if other.starts_with('{') => rest.next().unwrap(),
            other => other,
        });
        (route, segments.collect::<Vec<_>>().join("/"))
    }

    /// Sends a request and compares the response; `rest` contains the IDs after the workspace.
    async fn ask(&mut self, operation: &'static str, rest: &[&str], body: Value, status: u16) -> Value {
        let (route, path) = self.path_of(operation, rest);
        let body = Some(body).filter(|body| !body.is_null());
        if let Some(body) = &body {
            assert_eq!(
                fits(self.document, route, body),
                status < 400 || [401, 409, 410].contains(&status),
                "{operation}: {body}"
            );
        }
        let reply = self.client.call(route.method.as_str(), &path, body.as_ref()).await;
        let case = format!("{} {path} {body:?}", route.method);
        assert_eq!(reply.status, status, "{case}: {}", reply.text);
        compare(self.document, route, &reply, &case);
        self.compared += 1;
        if status < 400 {
            self.told.push(operation);
        }
        reply.expect(status)
    }

    /// The same for a text response.
    async fn ask_for_text(&mut self, operation: &'static str, rest: &[&str]) {
        let (route, path) = self.path_of(operation, rest);
        let reply = self.client.call(route.method.as_str(), &path, None).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text);
        compare(self.document, route, &reply, &path);
        self.compared += 1;
        self.told.push(operation);
    }

    fn text(value: &Value, name: &str) -> String {
        value[name].as_str().unwrap().to_owned()
    }
}

/// Runs the operations that need a key of a sandbox.
async fn in_the_sandbox(it: &mut Story<'_>, server: &Server) {
    let sandbox = it.ask("get_sandbox", &[], Value::Null, 200).await;
    let keys = format!("/platform/workspaces/{}/api-keys", Story::text(&sandbox, "id"));
    let key = it.client.post(&keys, &json!({"name": "CI", "scope": "full"})).await.expect(201);
    let inside = server.client().with_key(key["key"].as_str());
    let outside = std::mem::replace(&mut it.client, inside);
    it.ask("get_sandbox_clock", &[], Value::Null, 200).await;
    it.ask("move_sandbox_clock", &[], json!({"advance": "PT1H"}), 200).await;
    it.ask("move_sandbox_clock", &[], json!({"advance": 5}), 422).await;
    it.ask("play_sandbox_inbound", &[], json!({"contact": "eve", "text": "Hello"}), 202).await;
    it.ask("reset_sandbox", &[], Value::Null, 200).await;
    it.client = outside;
}

/// Runs all operations of users; returns the number of compared responses.
pub async fn are_answered_as_documented(server: &Server, document: &Document) -> usize {
    let workspace = server.new_workspace("People");
    let ada = Person::operator(server, &workspace, "owner");
    let nobody = Client::new(&server.base, None);
    let mut it = Story { document, client: nobody.clone(), workspace, told: vec![], compared: 0 };
    let null = Value::Null;

    let wrong = json!({"email": ada.email, "password": "wrong"});
    it.ask("login", &[], wrong, 401).await;
    let right = json!({"email": ada.email, "password": ada.password});
    let tokens = it.ask("login", &[], right, 200).await;
    let refresh = Story::text(&tokens, "refresh_token");
    let tokens = it.ask("refresh", &[], json!({"refresh_token": refresh}), 200).await;
    it.ask("refresh", &[], json!({"refresh_token": "nonsense"}), 401).await;
    it.ask("refresh", &[], null.clone(), 401).await;
    let kept = json!({"email": ada.email, "password": ada.password, "cookie": true});
    assert_eq!(it.ask("login", &[], kept, 200).await.get("refresh_token"), None);
    it.client = nobody.with_key(tokens["access_token"].as_str());
    it.ask("get_account", &[], null.clone(), 200).await;
    let sessions = it.ask("list_sessions", &[], null.clone(), 200).await;
    let other = sessions["data"].as_array().unwrap().iter().find(|it| it["current"] == false).unwrap();
    let other = Story::text(other, "id");
    it.ask("end_session", &[&other], null.clone(), 204).await;
    it.ask("end_session", &[&other], null.clone(), 404).await;
    it.ask("list_workspaces", &[], null.clone(), 200).await;
    it.ask("create_workspace", &[], json!({"name": "New", "plan": "pro"}), 201).await;
    it.ask("get_workspace", &[], null.clone(), 200).await;
    it.ask("patch_workspace", &[], json!({"name": "Renamed", "plan": "business", "time_zone": "Europe/Berlin"}), 200)
        .await;
    it.ask("set_workspace_outbound", &[], json!({"mode": "hold"}), 200).await;
    it.ask("set_workspace_outbound", &[], json!({"mode": "send"}), 200).await;
    it.ask("get_sandbox", &[], null.clone(), 404).await;
    it.ask("create_sandbox", &[], null.clone(), 201).await;
    it.ask("create_sandbox", &[], null.clone(), 200).await;
    it.ask("get_sandbox", &[], null.clone(), 200).await;
    it.ask("play_inbound", &[], json!({"contact": "eve", "text": "Hello"}), 202).await;
    it.ask("get_clock_of_sandbox", &[], null.clone(), 200).await;
    it.ask("move_clock_of_sandbox", &[], json!({"advance": "PT1H"}), 200).await;
    it.ask("move_clock_of_sandbox", &[], json!({"until": 5}), 422).await;
    it.ask("reset_sandbox_of_workspace", &[], null.clone(), 200).await;
    in_the_sandbox(&mut it, server).await;
    it.ask("list_members", &[], null.clone(), 200).await;
    let invited = it.ask("invite_member", &[], json!({"email": "eve@example.com", "role": "viewer"}), 201).await;
    let token = Story::text(&invited, "invitation_token");
    let account = json!({"name": "Eve", "password": "a password of Eve's"});
    let accepting = Client::new(&server.base, None);
    let signed_in = std::mem::replace(&mut it.client, accepting);
    it.ask("get_invitation", &[&token], null.clone(), 200).await;
    it.ask("get_invitation", &["tdg_token_nonsense"], null.clone(), 404).await;
    let eve = Story::text(&it.ask("accept_invitation", &[&token], account.clone(), 201).await, "id");
    it.ask("accept_invitation", &["tdg_token_nonsense"], json!({"name": "Eve", "password": "short"}), 422).await;
    it.client = signed_in;
    let link = it.ask("create_reset_link", &[&eve], null.clone(), 201).await;
    it.ask("create_reset_link", &[&ada.id], null.clone(), 422).await;
    let link = Story::text(&link, "reset_token");
    let signed_in = std::mem::replace(&mut it.client, Client::new(&server.base, None));
    it.ask("get_reset_link", &[&link], null.clone(), 200).await;
    it.ask("reset_password", &[&link], json!({"password": "short"}), 422).await;
    it.ask("reset_password", &[&link], json!({"password": "remembered from now on"}), 200).await;
    it.ask("get_reset_link", &[&link], null.clone(), 404).await;
    it.client = signed_in;
    it.ask("invite_member", &[], json!({"email": "eve@example.com", "role": "viewer"}), 409).await;
    it.ask("patch_member", &[&eve], json!({"role": "admin"}), 200).await;
    it.ask("patch_member", &[&ada.id], json!({"role": "viewer"}), 409).await;
    it.ask("delete_member", &[&ada.id], null.clone(), 409).await;
    it.ask("delete_member", &[&eve], null.clone(), 204).await;
    it.ask("delete_member", &[&eve], null.clone(), 404).await;
    it.ask("list_api_keys", &[], null.clone(), 200).await;
    let key = json!({"name": "CI", "scope": "write", "expires_at": "2099-01-01T00:00:00.000Z"});
    let key = Story::text(&it.ask("create_api_key", &[], key, 201).await, "id");
    let rotated = it.ask("rotate_api_key", &[&key], json!({"overlap": "PT1H"}), 201).await;
    it.ask("delete_api_key", &[&key], null.clone(), 204).await;
    it.ask("delete_api_key", &[&key], null.clone(), 404).await;
    let usage = format!("/platform/workspaces/{}/usage", it.workspace);
    it.client.until(&usage, |list| !list["data"].as_array().unwrap().is_empty()).await;
    it.ask("list_usage", &[], null.clone(), 200).await;
    it.ask("list_audit_log", &[], null.clone(), 200).await;
    it.ask("summarise_usage", &[], null.clone(), 200).await;
    it.ask("get_storage", &[], null.clone(), 200).await;
    // The log contains errors by now.
    let refused = format!("{usage}?status_class=4xx&error_code=not_found");
    it.client.until(&refused, |list| !list["data"].as_array().unwrap().is_empty()).await;
    for operation in ["count_usage", "list_usage_errors", "list_usage_by_key"] {
        it.ask(operation, &[], null.clone(), 200).await;
    }
    it.ask_for_text("export_usage", &[]).await;
    it.ask_for_text("export_workspace", &[]).await;
    let name = Story::text(&it.ask("get_workspace", &[], null.clone(), 200).await, "name");
    it.ask("delete_workspace", &[], json!({"name": name}), 200).await;
    it.ask("delete_workspace", &[], json!({"name": name}), 410).await;
    it.ask("restore_workspace", &[], json!({"outbound": "send"}), 200).await;
    it.ask("list_platform_audit_log", &[], null.clone(), 200).await;
    assert!(rotated["key"].as_str().unwrap().starts_with("tdg_live_"));
    it.ask("patch_account", &[], json!({"name": "Ada Lovelace"}), 200).await;
    it.ask("patch_account", &[], json!({"email": 5}), 422).await;
    let moved = json!({"email": "ada.l@example.com", "current_password": ada.password});
    let account = it.ask("patch_account", &[], moved, 200).await;
    assert_eq!(
        (&account["user"]["name"], &account["user"]["email"]),
        (&json!("Ada Lovelace"), &json!("ada.l@example.com"))
    );
    let taken = json!({"email": "eve@example.com", "current_password": ada.password});
    it.ask("patch_account", &[], taken, 409).await;
    let new = json!({"current_password": ada.password, "new_password": "another password"});
    it.ask("change_password", &[], json!({"current_password": "x"}), 422).await;
    it.ask("change_password", &[], new, 204).await;

    // Every route for users with a body rejects an undocumented field.
    for route in ROUTES.iter().filter(|route| route.scope.required().is_none() && !route.scope.is_open()) {
        let path = route.path.replace("{ws}", &it.workspace).replace("{id}", "user_01h455vb4pex5vsknk084sn02q");
        if route.traits.body != BodyKind::None {
            let body = json!({"nobody": 1});
            assert!(!fits(document, route, &body), "{}", route.operation_id);
            let reply = it.client.call(route.method.as_str(), &path, Some(&body)).await;
            assert_eq!(reply.status, 422, "{}: {}", route.operation_id, reply.text);
            compare(document, route, &reply, route.operation_id);
        }
        let reply = nobody.call(route.method.as_str(), &path, None).await;
        assert_eq!(reply.status, 401, "{}", route.operation_id);
        compare(document, route, &reply, route.operation_id);
        it.compared += 2;
    }
    it.ask("logout", &[], null, 204).await;

    let of_people = ROUTES.iter().filter(|it| it.scope.required().is_none());
    let of_people = of_people.filter(|it| it.path.starts_with("/auth/") || it.path.starts_with("/platform/"));
    for route in of_people {
        assert!(it.told.contains(&route.operation_id), "the test does not cover {}", route.operation_id);
    }
    it.compared
}
