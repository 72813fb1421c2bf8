//! Keys, members and invitations of another workspace, addressed below the own workspace.

use serde_json::{Value, json};

use super::lasting;
use crate::support::people::OFTEN;
use crate::support::{Person, Server, Store};

/// The suffix of an ID that does not exist.
const NOBODY: &str = "01h455vb4pex5vsknk084sn02q";

fn id(value: &Value) -> String {
    value["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_404_for_objects_of_another_workspace() {
    let server = Server::start(Store::sqlite().await, &[OFTEN]);
    let other = server.new_workspace("Umbrella");
    let (own, theirs) = (format!("/platform/workspaces/{}", server.workspace), format!("/platform/workspaces/{other}"));
    let ada = Person::new(&server, &server.workspace, "owner").client(&server).await;
    let bob = Person::new(&server, &other, "owner");
    let bobs = bob.client(&server).await;
    let key = json!({"name": "CI", "scope": "full"});
    let key = id(&bobs.post(&format!("{theirs}/api-keys"), &key).await.expect(201));
    let eve = json!({"email": "eve@example.com", "role": "viewer"});
    let eve = id(&bobs.post(&format!("{theirs}/members"), &eve).await.expect(201));

    let role = json!({"role": "viewer"});
    for (method, collection, named, rest, body) in [
        ("DELETE", "api-keys", &key, "", None),
        ("POST", "api-keys", &key, "/rotate", Some(json!({}))),
        ("PATCH", "members", &bob.id, "", Some(role)),
        ("DELETE", "members", &bob.id, "", None),
        ("DELETE", "members", &eve, "", None),
    ] {
        let path = |id: &str| format!("{own}/{collection}/{id}{rest}");
        let reply = ada.call(method, &path(named), body.as_ref()).await;
        assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"), "{method} {}", path(named));
        let kind = named.split_once('_').unwrap().0;
        let nothing = ada.call(method, &path(&format!("{kind}_{NOBODY}")), body.as_ref()).await;
        assert_eq!(
            lasting(&reply),
            lasting(&nothing),
            "{method} {}: the response differs from that for an unknown object",
            path(named)
        );
    }
    let used = ada.get(&format!("{own}/usage?key_id={key}")).await.expect(200);
    assert_eq!(used["data"], json!([]));

    let keys = bobs.get(&format!("{theirs}/api-keys")).await.expect(200);
    assert!(keys["data"].as_array().unwrap().iter().any(|it| id(it) == key));
    let members = bobs.get(&format!("{theirs}/members")).await.expect(200);
    let members: Vec<(String, &Value)> =
        members["data"].as_array().unwrap().iter().map(|it| (id(it), &it["role"])).collect();
    assert_eq!(members, [(eve, &json!("viewer")), (bob.id, &json!("owner"))]);
}
