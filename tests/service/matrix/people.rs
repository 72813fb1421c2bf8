//! The platform API: every route for users, with every role, with keys, and from another workspace.

use tidings_http::routes::{BodyKind, ROUTES, Route, RouteScope};

use super::lasting;
use super::requests::Requests;
use crate::support::people::Person;
use crate::support::seed::Seed;
use crate::support::{Reply, Server};

/// Whether a route is only for users.
pub fn is_for_people(route: &Route) -> bool {
    !route.scope.is_open() && route.scope.required().is_none()
}

/// The contract's table of roles, written independently of the product: the lowest rank of viewer, member, admin and
/// owner that is allowed; and whether an operator is allowed without it.
fn needed(route: &Route) -> (usize, bool) {
    match route.operation_id {
        "logout" | "get_account" | "patch_account" | "change_password" | "list_sessions" | "end_session"
        | "list_workspaces" => (0, true),
        "create_workspace" | "list_platform_audit_log" => (9, true),
        "delete_workspace" | "restore_workspace" => (4, true),
        "export_workspace" => (3, true),
        "get_workspace" | "get_storage" => (1, true),
        "patch_workspace" | "set_workspace_outbound" | "create_reset_link" => (3, true),
        _ => (3, false),
    }
}

fn assert_problem(reply: &Reply, status: u16, code: &str, case: &str) {
    assert_eq!((reply.status, reply.code().as_str()), (status, code), "{case}: {}", reply.text);
}

/// Requests every route for users; returns the number of cases.
pub async fn rule_as_their_roles_say(server: &Server, seed: &Seed, neighbour: &Seed) -> usize {
    let mut people = Vec::new();
    for (rank, role) in ["viewer", "member", "admin", "owner"].into_iter().enumerate() {
        people.push((role, rank + 1, false, Person::new(server, &seed.workspace, role).client(server).await));
    }
    let outsider = Person::new(server, &neighbour.workspace, "owner").client(server).await;
    let operator = Person::operator(server, &neighbour.workspace, "viewer").client(server).await;
    people.push(("an outsider", 0, false, outsider));
    people.push(("an operator", 0, true, operator));

    let mut cases = 0;
    for route in ROUTES.iter().filter(|route| is_for_people(route)) {
        let requests = Requests::of(route);
        // An invalid query, because a sign-out would end the token, which the next routes need.
        let harmless = if route.operation_id == "logout" { "?nonsense=1" } else { "" };
        let path = format!("{}{harmless}", requests.path_in_workspace(&seed.workspace));
        let method = route.method.as_str();
        let (rank_needed, for_operators) = needed(route);
        let mut unauthorized = None;
        for (name, key) in [("no key", None), ("a full key", Some(&seed.full)), ("a neighbour", Some(&neighbour.full))]
        {
            let case = format!("{method} {path} with {name}");
            let reply = seed.client.with_key(key.map(String::as_str)).call(method, &path, None).await;
            assert_problem(&reply, 401, "unauthorized", &case);
            let bytes = lasting(&reply);
            assert_eq!(unauthorized.get_or_insert_with(|| bytes.clone()), &bytes, "{case}");
            cases += 1;
        }
        for (name, rank, operator, client) in &people {
            let case = format!("{method} {path} by {name}");
            // An unknown field, so permitted requests change nothing.
            let body =
                if route.traits.body == BodyKind::None { None } else { Some(serde_json::json!({"nonsense": 1})) };
            let reply = client.call(method, &path, body.as_ref()).await;
            let allowed = *rank >= rank_needed || (*operator && for_operators);
            if !allowed && *rank == 0 && route.path.contains("{ws}") {
                assert_problem(&reply, 404, "not_found", &case);
                let absent = requests.path_in_workspace("ws_01h455vb4pex5vsknk084sn02q");
                let nothing = client.call(method, &absent, body.as_ref()).await;
                assert_eq!(
                    lasting(&reply),
                    lasting(&nothing),
                    "{case}: the response differs from that for an unknown object"
                );
            } else if !allowed {
                assert_problem(&reply, 403, "insufficient_role", &case);
            } else {
                assert!(![401, 403].contains(&reply.status), "{case}: {}", reply.text);
                if body.is_some() {
                    assert_problem(&reply, 422, "validation_failed", &case);
                }
            }
            assert!(reply.header("ratelimit").is_some(), "{case}: every request of a user is counted");
            cases += 1;
        }
    }
    cases
}

/// The operation "leave": a user of every role can delete their own membership, and a viewer no other. The last owner
/// stays. Returns the number of cases.
pub async fn everybody_may_leave(server: &Server) -> usize {
    let workspace = server.new_workspace("Left");
    let path = |person: &Person| format!("/platform/workspaces/{workspace}/members/{}", person.id);
    let last = Person::new(server, &workspace, "owner");
    let roles = ["viewer", "member", "admin", "owner"];
    for role in roles {
        let person = Person::new(server, &workspace, role);
        let client = person.client(server).await;
        if ["viewer", "member"].contains(&role) {
            assert_problem(&client.delete(&path(&last)).await, 403, "insufficient_role", role);
        }
        client.delete(&path(&person)).await.expect(204);
        client.delete(&path(&person)).await.expect(404);
    }
    assert_problem(&last.client(server).await.delete(&path(&last)).await, 409, "last_owner", "the last owner");
    let operator = Person::operator(server, &server.workspace, "viewer").client(server).await;
    assert_problem(&operator.delete(&path(&last)).await, 404, "not_found", "an operator");
    roles.len() + 2
}

/// Returns the scopes of routes outside `/api/v1`, written independently of the product.
pub fn expected_scope(route: &Route) -> Option<RouteScope> {
    Some(match route.operation_id {
        "login" => RouteScope::Login,
        "refresh" | "get_invitation" | "accept_invitation" | "get_reset_link" | "reset_password" => RouteScope::Token,
        "open_media_link" => RouteScope::Token,
        "logout" | "get_account" | "patch_account" | "change_password" => RouteScope::SignedIn,
        "list_sessions" | "end_session" => RouteScope::SignedIn,
        "list_workspaces" => RouteScope::SignedIn,
        "create_workspace" | "list_platform_audit_log" => RouteScope::Operator,
        "delete_workspace" | "restore_workspace" | "export_workspace" => RouteScope::AdminOrOperator,
        "get_workspace" | "get_storage" => RouteScope::Viewer,
        "patch_workspace" | "set_workspace_outbound" | "create_reset_link" => RouteScope::AdminOrOperator,
        "delete_member" => RouteScope::AdminOrSelf,
        _ if route.path.starts_with("/platform/workspaces/{ws}/") => RouteScope::Admin,
        _ => return None,
    })
}
