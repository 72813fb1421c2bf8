//! Another workspace: foreign objects look exactly like missing ones, byte for byte, wherever they are referenced.

use serde_json::{Value, json};
use tidings_http::routes::{Route, RouteScope};

use super::lasting;
use super::requests::Requests;
use crate::support::seed::{Seed, absent};

/// Requests the seed's objects with the neighbour's `full` key, in every position of the route's path; returns the
/// number of cases.
pub async fn see_nothing(route: &Route, requests: &Requests, seed: &Seed, neighbour: &Seed) -> usize {
    if route.scope == RouteScope::Signed {
        // Its URL is the secret and belongs to no key.
        return 0;
    }
    if route.operation_id == "put_secret" {
        // With a name that exists in another workspace, it creates a separate secret.
        return 0;
    }
    if requests.status_of_absent() == 409 || route.operation_id == "bulk_contacts" {
        // It is only for sandboxes and references nothing; or it references objects only in its body, which is tested
        // below.
        return 0;
    }
    let client = &neighbour.client;
    let body = requests.body("a neighbour");
    let (theirs, own, nobodys) = (requests.ids_in(seed), requests.ids_in(neighbour), requests.absent_ids());
    if theirs.is_empty() {
        let reply = client.call(route.method.as_str(), route.path, body.as_ref()).await;
        assert!(reply.status < 300, "{} {}: {}", route.method, route.path, reply.text);
        let shown = seed.ids().find(|id| id.contains('_') && reply.text.contains(id));
        assert_eq!(shown, None, "{} {} shows another workspace's object", route.method, route.path);
        return 1;
    }

    let mut foreign = vec![(theirs.clone(), nobodys.clone())];
    for place in 0..theirs.len() {
        if theirs[place] == own[place] {
            // A number that exists in both workspaces, such as the first version, is not foreign.
            continue;
        }
        let replace = |id: &String| {
            let mut ids = own.clone();
            ids[place].clone_from(id);
            ids
        };
        foreign.push((replace(&theirs[place]), replace(&nobodys[place])));
    }
    foreign.extend(requests.names_in(seed, "acme").into_iter().map(|ids| (ids, nobodys.clone())));
    for (ids, unknown) in &foreign {
        let (path, unknown) = (requests.path(ids), requests.path(unknown));
        let reply = client.call(route.method.as_str(), &path, body.as_ref()).await;
        assert_eq!(reply.status, 404, "{} {path} from another workspace: {}", route.method, reply.text);
        let nothing = client.call(route.method.as_str(), &unknown, body.as_ref()).await;
        assert_eq!(
            lasting(&reply),
            lasting(&nothing),
            "{} {path}: the response differs from that for an unknown object",
            route.method
        );
    }
    foreign.len()
}

/// References the seed's objects in bodies and filters with the neighbour's `full` key; returns the number of cases.
pub async fn cannot_name(seed: &Seed, neighbour: &Seed) -> usize {
    let client = &neighbour.client;
    let contact = format!("/api/v1/contacts/{}", neighbour.id("contact"));
    type Body = fn(&str) -> Value;
    let bodies: [(String, &str, Body, &str); 20] = [
        (
            "/api/v1/contacts".to_owned(),
            "chan",
            |id| json!({"identities": [{"channel_id": id, "address": "a"}]}),
            "/identities/0/channel_id",
        ),
        ("/api/v1/contacts".to_owned(), "tag", |id| json!({"tags": [id]}), "/tags/0"),
        (format!("{contact}/tags"), "tag", |id| json!({"tag_id": id}), "/tag_id"),
        (
            format!("{contact}/send-message"),
            "chan",
            |id| json!({"type": "text", "text": "Hello", "channel_id": id}),
            "/channel_id",
        ),
        (format!("{contact}/start-flow"), "flow", |id| json!({"flow_id": id}), "/flow_id"),
        (
            "/api/v1/sequences".to_owned(),
            "flow",
            |id| json!({"name": "Foreign", "steps": [{"id": "a", "delay": "P1D", "action": {"type": "start_flow", "flow_id": id}}]}),
            "/steps/0/action/flow_id",
        ),
        (
            "/api/v1/sequences".to_owned(),
            "tag",
            |id| json!({"name": "Foreign", "exit_when": {"field": "tags", "op": "has", "value": id}}),
            "/exit_when/value",
        ),
        (
            "/api/v1/segments".to_owned(),
            "tag",
            |id| json!({"name": "Foreign", "condition": {"field": "tags", "op": "has", "value": id}}),
            "/condition/value",
        ),
        (
            "/api/v1/broadcasts".to_owned(),
            "seg",
            |id| json!({"name": "Foreign", "audience": {"segment_id": id}, "message": {"type": "text", "text": "Hi"}}),
            "/audience/segment_id",
        ),
        (
            "/api/v1/broadcasts".to_owned(),
            "chan",
            |id| json!({"name": "Foreign", "audience": {"any": []}, "channel_id": id, "message": {"type": "text", "text": "Hi"}}),
            "/channel_id",
        ),
        (
            format!("/api/v1/broadcasts/{}/test", neighbour.id("bcast")),
            "contact",
            |id| json!({"contact_ids": [id]}),
            "/contact_ids/0",
        ),
        (
            "/api/v1/templates/render".to_owned(),
            "contact",
            |id| json!({"template": "Hi {{ contact.id }}", "contact_id": id}),
            "/contact_id",
        ),
        (
            format!("/api/v1/flows/{}/simulate", neighbour.id("flow")),
            "contact",
            |id| json!({"contact_id": id}),
            "/contact_id",
        ),
        (
            format!("/api/v1/sequences/{}/simulate", neighbour.id("seq")),
            "contact",
            |id| json!({"contact_id": id}),
            "/contact_id",
        ),
        (
            "/api/v1/contacts/bulk".to_owned(),
            "tag",
            |id| json!({"filter": {"any": []}, "action": {"type": "untag", "tag_id": id}}),
            "/action/tag_id",
        ),
        (
            "/api/v1/contacts/bulk".to_owned(),
            "flow",
            |id| json!({"filter": {"any": []}, "action": {"type": "start_flow", "flow_id": id}}),
            "/action/flow_id",
        ),
        (
            "/api/v1/contacts/bulk/preview".to_owned(),
            "seq",
            |id| json!({"filter": {"any": []}, "action": {"type": "enroll", "sequence_id": id}}),
            "/action/sequence_id",
        ),
        (
            "/api/v1/contacts/bulk/preview".to_owned(),
            "field",
            |id| json!({"filter": {"any": []}, "action": {"type": "clear_field", "field": id}}),
            "/action/field",
        ),
        (
            "/api/v1/contacts/bulk".to_owned(),
            "seg",
            |id| json!({"filter": {"segment_id": id}, "action": {"type": "delete"}, "expected_count": 1}),
            "/filter/segment_id",
        ),
        (
            "/api/v1/contacts/search".to_owned(),
            "tag",
            |id| json!({"filter": {"not": {"field": "tags", "op": "has", "value": id}}}),
            "/filter/not/value",
        ),
    ];
    let mut cases = 0;
    for (path, kind, body, pointer) in bodies {
        let reply = client.post(&path, &body(seed.id(kind))).await;
        assert_eq!(reply.expect(422)["errors"][0]["pointer"], pointer, "{path}");
        let nothing = client.post(&path, &body(&absent(kind))).await;
        // An error repeats the ID of the request.
        let without_id = |reply, id: &str| lasting(reply).replace(id, "ID");
        let (reply, nothing) = (without_id(&reply, seed.id(kind)), without_id(&nothing, &absent(kind)));
        assert_eq!(reply, nothing, "{path} shows a {kind} of another workspace");
        cases += 1;
    }

    // A draft is not checked; publishing it resolves its references.
    let definition = json!({"start": "tag", "nodes": [
        {"id": "tag", "type": "add_tag", "tag": seed.id("tag"), "next": "end"}, {"id": "end", "type": "end"}]});
    let flow = json!({"name": "Foreign", "definition": definition});
    let flow = client.create("/api/v1/flows", &flow).await;
    let reply = client.post(&format!("/api/v1/flows/{flow}/publish"), &json!({})).await;
    assert_eq!(reply.expect(422)["errors"][0]["pointer"], "/definition/nodes/0/tag");

    let by_tag = async |tag: &str| client.get(&format!("/api/v1/contacts?tag={tag}")).await;
    let (theirs, nobodys) = (by_tag(seed.id("tag")).await, by_tag(&absent("tag")).await);
    // The message repeats the ID of the request.
    let theirs = theirs.expect(422)["errors"].to_string().replace(seed.id("tag"), &absent("tag"));
    assert_eq!(theirs, nobodys.expect(422)["errors"].to_string());

    let by_segment = async |segment: &str| client.get(&format!("/api/v1/contacts?segment={segment}")).await;
    let (theirs, nobodys) = (by_segment(seed.id("seg")).await, by_segment(&absent("seg")).await);
    assert_eq!(theirs.expect(422)["errors"], nobodys.expect(422)["errors"]);

    for filter in [
        "/api/v1/contacts?external_id=acme-ada".to_owned(),
        "/api/v1/contacts?email=ada%40acme.example".to_owned(),
        format!("/api/v1/contacts?channel_id={}", seed.id("chan")),
        "/api/v1/contacts?q=acme-ada&deleted=include".to_owned(),
        format!("/api/v1/conversations?contact_id={}", seed.id("contact")),
        format!("/api/v1/conversations?channel_id={}", seed.id("chan")),
    ] {
        let list = client.get(&filter).await.expect(200);
        assert_eq!(list["data"], json!([]), "{filter} finds objects of another workspace");
        cases += 1;
    }
    cases + 1
}
