//! Demoted or removed members and revoked keys cannot change permissions, not even during the seconds while a cache
//! still admits their other requests.

use futures::future::join_all;
use serde_json::{Value, json};
use tidings_http::routes::{BodyKind, ROUTES, Route};

use super::{nobody, text};
use crate::matrix::requests::Requests;
use crate::support::people::OFTEN;
use crate::support::{Client, Person, Server, Store};

/// Workspace routes for members that change no permissions, because they only simulate in the sandbox.
const OF_THE_SANDBOX: [&str; 3] = ["play_inbound", "move_clock_of_sandbox", "reset_sandbox_of_workspace"];

#[test]
fn every_route_that_changes_permissions_is_privileged() {
    for route in ROUTES {
        let changes = route.method != "GET" && !route.traits.reads;
        let of_platform = route.path.starts_with("/platform/workspaces/{ws}") && changes;
        let of_secrets = route.path.starts_with("/api/v1/") && changes && route.traits.secret;
        let expected = (of_platform || of_secrets) && !OF_THE_SANDBOX.contains(&route.operation_id);
        assert!(!expected || route.traits.privileged, "{} must read its caller as stored", route.operation_id);
    }
}

/// Returns a body that the route accepts. IDs in the path may belong to no object.
fn body_of(route: &'static Route, unique: &str) -> Option<Value> {
    Some(match route.operation_id {
        "patch_workspace" => json!({"name": unique}),
        "set_workspace_outbound" => json!({"mode": "hold"}),
        "delete_workspace" => json!({"name": unique}),
        "restore_workspace" => json!({}),
        "invite_member" => json!({"email": format!("{unique}@example.com"), "role": "admin"}),
        "patch_member" => json!({"role": "admin"}),
        "create_api_key" => json!({"name": unique, "scope": "full"}),
        "rotate_api_key" => json!({}),
        _ if route.traits.body == BodyKind::None => return None,
        _ => return Requests::of(route).body(unique),
    })
}

fn privileged() -> impl Iterator<Item = &'static Route> {
    ROUTES.iter().filter(|route| route.traits.privileged)
}

/// Sends a request to every privileged route. `own` is the caller's user ID, used in paths of members.
async fn try_all(client: &Client, server: &Server, own: &str, unique: &str) -> Vec<(String, u16)> {
    let mut outcomes = Vec::new();
    for route in privileged() {
        let path = Requests::of(route).path_in_workspace(&server.workspace);
        let path = if route.operation_id == "patch_member" {
            format!("/platform/workspaces/{}/members/{own}", server.workspace)
        } else {
            path
        };
        let reply = client.call(route.method.as_str(), &path, body_of(route, unique).as_ref()).await;
        outcomes.push((format!("{} by {unique}", route.operation_id), reply.status));
    }
    outcomes
}

async fn demoted_or_removed_users_restore_nothing(store: Store) {
    let server = Server::start(store, &[OFTEN]);
    let owner = Person::new(&server, &server.workspace, "owner").client(&server).await;
    let members = format!("/platform/workspaces/{}/members", server.workspace);
    // The cache contains both users when they lose their permissions.
    let [demoted, removed] = ["admin", "owner"].map(|role| Person::new(&server, &server.workspace, role));
    let [by_demoted, by_removed] = [demoted.client(&server).await, removed.client(&server).await];
    for client in [&by_demoted, &by_removed] {
        client.get(&members).await.expect(200);
    }
    let keys = format!("/platform/workspaces/{}/api-keys", server.workspace);
    let key = owner.post(&keys, &json!({"name": "CI", "scope": "full"})).await.expect(201);
    let by_key = nobody(&server).with_key(key["key"].as_str());
    by_key.get("/api/v1/me").await.expect(200);

    owner.call("PATCH", &format!("{members}/{}", demoted.id), Some(&json!({"role": "viewer"}))).await.expect(200);
    for (case, status) in try_all(&by_demoted, &server, &demoted.id, "demoted").await {
        assert_eq!(status, 403, "{case}");
    }
    owner.delete(&format!("{members}/{}", removed.id)).await.expect(204);
    for (case, status) in try_all(&by_removed, &server, &removed.id, "removed").await {
        assert!([403, 404, 422].contains(&status), "{case}: {status}");
    }
    owner.delete(&format!("{keys}/{}", text(&key, "id"))).await.expect(204);
    for (case, status) in try_all(&by_key, &server, &demoted.id, "revoked").await {
        assert_eq!(status, 401, "{case}");
    }
    let workspace = owner.get(&format!("/platform/workspaces/{}", server.workspace)).await.expect(200);
    assert_eq!((&workspace["name"], &workspace["outbound"]), (&json!("Test"), &json!("send")));
    let roles = owner.get(&members).await.expect(200);
    let roles: Vec<&Value> = roles["data"].as_array().unwrap().iter().map(|it| &it["role"]).collect();
    assert!(!roles.contains(&&json!("admin")) && roles.len() == 2, "{roles:?}");
    assert_eq!(
        owner.get(&keys).await.expect(200)["data"].as_array().unwrap().len(),
        1,
        "only the key of the server is left"
    );

    of_a_race_nothing_commits_afterwards(&server, &owner).await;
}

/// An admin creates keys as fast as possible while being demoted: after the response to the demotion, no key is
/// created.
async fn of_a_race_nothing_commits_afterwards(server: &Server, owner: &Client) {
    let [members, keys] = ["members", "api-keys"];
    let path = |part: &str| format!("/platform/workspaces/{}/{part}", server.workspace);
    let admin = Person::new(server, &server.workspace, "admin");
    let client = admin.client(server).await;
    let count =
        async || owner.get(&format!("{}?limit=100", path(keys))).await.expect(200)["data"].as_array().unwrap().len();
    for round in 0..5 {
        let body = json!({"name": format!("{round}"), "scope": "full"});
        let role = |role: &str| {
            let (path, body) = (format!("{}/{}", path(members), admin.id), json!({"role": role}));
            async move { owner.call("PATCH", &path, Some(&body)).await.expect(200) }
        };
        let keys_path = path(keys);
        let acts = join_all((0..6).map(|_| client.post(&keys_path, &body)));
        let (acts, at_demotion) = tokio::join!(acts, async {
            role("viewer").await;
            count().await
        });
        assert!(
            acts.iter().all(|it| [201, 403].contains(&it.status)),
            "{:?}",
            acts.iter().map(|it| it.status).collect::<Vec<_>>()
        );
        assert_eq!(count().await, at_demotion, "round {round}");
        role("admin").await;
    }
}

on_both! {
    demoted_or_removed_users_restore_nothing,
}
