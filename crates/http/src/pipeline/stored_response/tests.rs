//! Tests of large responses in idempotency records.

use serde_json::json;
use tidings_domain::ids::{ContactId, TypedId};
use tidings_domain::ports::StoredBody;
use uuid::Uuid;

use super::*;
use crate::routes::ROUTES;

fn route(operation: &str) -> &'static Route {
    ROUTES.iter().find(|route| route.operation_id == operation).unwrap()
}

#[test]
fn finds_the_object_of_a_response_by_its_request_path() {
    let cases = [
        ("add_contact_tag", "/api/v1/contacts/external_id:ada/tags", "contact_1", "/api/v1/contacts/contact_1"),
        (
            "set_contact_field",
            "/api/v1/contacts/contact_1/custom-fields/plan",
            "contact_1",
            "/api/v1/contacts/contact_1",
        ),
        ("merge_contact", "/api/v1/contacts/contact_1/merge", "contact_2", "/api/v1/contacts/contact_2"),
        ("restore_flow_version", "/api/v1/flows/flow_1/versions/3/restore", "flow_1", "/api/v1/flows/flow_1"),
        (
            "pause_enrollment",
            "/api/v1/contacts/contact_1/sequences/seq_1/pause",
            "enr_1",
            "/api/v1/contacts/contact_1/sequences/seq_1",
        ),
        (
            "replay_delivery",
            "/api/v1/webhooks/hook_1/deliveries/dlv_1/replay",
            "dlv_1",
            "/api/v1/webhooks/hook_1/deliveries/dlv_1",
        ),
    ];
    for (operation, path, id, expected) in cases {
        let answer = Answer::json(&json!({"id": id, "version": 7}));
        let object = shown_object(route(operation), path, &answer);
        let expected = ShownObject { path: expected.to_owned(), id: id.to_owned(), version: Some(7) };
        assert_eq!(object, Some(expected), "{operation}");
    }
    let answer = Answer::json(&json!({"id": "msg_1"})).located("/api/v1/messages/msg_1".to_owned());
    let object = shown_object(route("send_message"), "/api/v1/contacts/contact_1/send-message", &answer).unwrap();
    assert_eq!((object.path.as_str(), object.version), ("/api/v1/messages/msg_1", None));
    let answer = Answer::json(&json!({"outcomes": []}));
    assert_eq!(shown_object(route("batch_contacts"), "/api/v1/contacts/batch", &answer), None);
}

#[test]
fn compressed_bodies_name_their_contacts_and_round_trip() {
    let ids: Vec<String> = (1..=3).map(|number| ContactId::from_uuid(Uuid::from_u128(number)).to_string()).collect();
    let body = json!({"contacts": ids, "note": "contact_short", "filler": "x".repeat(100_000)}).to_string();
    let packed = compress::gzip_with_comment(body.as_bytes(), &contacts_in(body.as_bytes()), MOST).unwrap();
    assert!(packed.len() < 1_000);
    assert_eq!(compress::unpack(&packed).as_deref(), Some(body.as_bytes()));
    let stored = StoredBody::Gzip(packed);
    for id in &ids {
        assert!(stored.names(id.parse().unwrap()), "{id}");
    }
    assert!(!stored.names(ContactId::from_uuid(Uuid::from_u128(4))));
    assert_eq!(compress::gzip_with_comment(body.as_bytes(), "", 50), None, "compression stops at the limit");
}
