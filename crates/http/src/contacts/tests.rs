//! Tests of requests for contacts.

use std::sync::{Arc, Mutex};

use actix_web::http::Method;
use serde_json::json;
use tidings_domain::catalog::Catalog;
use tidings_domain::fields::{CustomField, FieldKind};
use tidings_domain::ids::{FieldId, TypedId};
use tidings_domain::pagination::Page;
use tidings_domain::ports::{Change, ChangeSet, CommitError, Conflict, Row, UniqueKey};
use tidings_domain::stored::StoredRow;
use tidings_domain::tags::Tag;
use tidings_domain::testing::{a_channel, a_contact};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::limits::workspace_limit::MAX_EXPORTS;
use crate::testing::{Mocks, Reply, workspace_id};

pub(super) const CONTACTS: &str = "/api/v1/contacts";
const CONTACT: &str = "/api/v1/contacts/contact_01h455vb4pex5vsknk084sn02q";
const TAG: &str = "tag_01h455vb4pex5vsknk084sn02q";

pub(super) fn a_field(key: &str, kind: FieldKind) -> CustomField {
    CustomField::new(FieldId::from_uuid(Uuid::from_u128(5)), key, kind, Timestamp::EPOCH_2026)
}

/// Returns mocks with a contact, the fields `plan` and `age` and the default channel. They accept and record every
/// commit.
pub(super) fn a_store() -> (Mocks, Arc<Mutex<Vec<ChangeSet>>>) {
    let mut ports = Mocks::with_keys();
    let sets: Arc<Mutex<Vec<ChangeSet>>> = Arc::default();
    let committed = Arc::clone(&sets);
    ports.ledger.expect_commit().returning(move |set| {
        committed.lock().unwrap().push(set);
        Ok(())
    });
    ports.contacts.expect_find().returning(|_, _| Ok(Some(a_contact().named("Ada").tagged("vip").build())));
    let catalog = Arc::new(Catalog { channels: vec![a_channel()], ..Catalog::default() });
    ports.catalog.expect_catalog().returning(move |_| Ok(catalog.clone()));
    ports.channels.expect_default_channel().returning(|_| Ok(Some(a_channel())));
    ports
        .fields
        .expect_all()
        .returning(|_| Ok(vec![a_field("plan", FieldKind::Text), a_field("age", FieldKind::Number)]));
    ports.tags.expect_by_name_keys().returning(|_, _| Ok(Vec::new()));
    ports
        .tags
        .expect_by_ids()
        .returning(|_, ids| Ok(ids.iter().map(|id| Tag::new(*id, "other", Timestamp::EPOCH_2026)).collect()));
    (ports, sets)
}

pub(super) fn errors(reply: &Reply) -> Vec<(String, String)> {
    assert_eq!(reply.problem(), (422, "validation_failed".into()));
    reply.errors()
}

pub(super) fn told(errors: &[(&str, &str)]) -> Vec<(String, String)> {
    errors.iter().map(|(place, code)| ((*place).to_owned(), (*code).to_owned())).collect()
}

#[actix_web::test]
async fn limits_the_exports_that_a_workspace_reads() {
    let (mut ports, _) = a_store();
    ports.contacts.expect_list().returning(|_, _, _| Ok(Page::default()));
    let api = ports.serve();
    let begin = || api.state.streamed_exports.begin(workspace_id(1)).unwrap();
    let mut running: Vec<_> = (1..MAX_EXPORTS).map(|_| begin()).collect();
    let path = "/api/v1/contacts/export";
    for _ in 0..2 {
        assert_eq!(api.get(path).await.status, 200, "an export that was read to its end does not count");
    }
    running.push(begin());
    for path in [path, &format!("{CONTACT}/export")] {
        let refused = api.get(path).await;
        assert_eq!(refused.problem(), (429, "search_limit".into()), "{path}");
        assert_eq!(refused.header("retry-after"), Some("10"));
    }
}

#[actix_web::test]
async fn creates_a_contact_with_all_attributes() {
    let (ports, sets) = a_store();
    let body = json!({
        "external_id": "crm-1", "first_name": "Ada", "last_name": null, "email": "Ada@Example.com",
        "phone": "+49 30 1234567", "locale": "en", "time_zone": "Europe/Berlin", "status": "blocked",
        "subscribed": false, "tags": ["vip"], "custom_fields": {"plan": "gold", "age": null},
        "avatar_url": "https://Example.com/ada.png",
    });
    let reply = ports.serve().json(Method::POST, CONTACTS, &body.to_string()).await;
    assert_eq!(reply.status, 201, "{:?}", reply.body);
    let made = reply.json();
    assert_eq!(reply.header("location"), Some(format!("{CONTACTS}/{}", made["id"].as_str().unwrap()).as_str()));
    assert!(reply.header("etag").unwrap().starts_with("\"1-"));
    assert_eq!((&made["email"], &made["phone"]), (&json!("ada@example.com"), &json!("+49301234567")));
    assert_eq!(made["avatar_url"], "https://example.com/ada.png");
    assert_eq!((&made["status"], &made["subscribed"]), (&json!("blocked"), &json!(false)));
    assert_eq!((&made["tags"][0]["name"], &made["custom_fields"]), (&json!("vip"), &json!({"plan": "gold"})));
    assert_eq!(sets.lock().unwrap().len(), 1);
}

#[actix_web::test]
async fn reports_all_errors_of_a_contact_together() {
    let api = Mocks::with_keys().serve();
    let body = json!({
        "id": "x", "frist_name": "Ada", "first_name": "", "last_name": "x".repeat(101), "email": "ada",
        "phone": 7, "time_zone": "Mars", "avatar_url": "http://a.io/a.png", "status": "asleep", "subscribed": "yes", "tags": ["ok", "", 1],
        "custom_fields": {"list": vec![0; 101]},
    });
    let expected = [
        ("/first_name", "blank"),
        ("/last_name", "too_long"),
        ("/email", "invalid_format"),
        ("/phone", "wrong_type"),
        ("/time_zone", "invalid_format"),
        ("/avatar_url", "invalid_format"),
        ("/status", "invalid_value"),
        ("/subscribed", "wrong_type"),
        ("/tags/1", "blank"),
        ("/tags/2", "wrong_type"),
        ("/custom_fields/list", "too_many"),
    ];
    let mut errors = errors(&api.json(Method::POST, CONTACTS, &body.to_string()).await);
    let mut expected = told(&expected);
    expected.extend(told(&[("/id", "unknown_field"), ("/frist_name", "unknown_field")]));
    errors.sort();
    expected.sort();
    assert_eq!(errors, expected);
}

#[actix_web::test]
async fn reports_errors_of_custom_fields_with_the_others() {
    let (ports, sets) = a_store();
    let api = ports.serve();
    let body = json!({"email": "ada", "custom_fields": {"age": "old", "pln": "gold", "plan": "gold"}}).to_string();
    let expected = told(&[
        ("/email", "invalid_format"),
        ("/custom_fields/age", "wrong_type"),
        ("/custom_fields/pln", "unknown_field"),
    ]);
    assert_eq!(errors(&api.json(Method::POST, CONTACTS, &body).await), expected);
    assert_eq!(errors(&api.json(Method::PATCH, CONTACT, &body).await), expected);
    let named = api.json(Method::POST, CONTACTS, r#"{"name":"Ada"}"#).await;
    let message = &named.json()["errors"][0]["message"];
    assert_eq!(message, "is read-only; did you mean `first_name` or `last_name`?");
    assert!(sets.lock().unwrap().is_empty());
}

#[actix_web::test]
async fn names_the_existing_contact_of_a_taken_address() {
    let mut ports = Mocks::with_keys();
    ports.catalog.expect_catalog().returning(|_| Ok(Arc::default()));
    ports.contacts.expect_find().returning(|_, _| Ok(Some(a_contact().build())));
    ports.ledger.expect_commit().returning(|_| Err(CommitError::Conflict(Conflict::Exists(UniqueKey::ContactEmail))));
    let reply = ports.serve().json(Method::POST, CONTACTS, r#"{"email":"ada@example.com"}"#).await;
    assert_eq!(reply.problem(), (409, "contact_exists".into()));
    assert_eq!(reply.json()["existing_id"], json!(a_contact().build().id));
}

#[actix_web::test]
async fn merges_alike_with_put_and_patch() {
    for (method, kind) in [
        (Method::PUT, "application/json"),
        (Method::PATCH, "application/json"),
        (Method::PATCH, "application/merge-patch+json"),
    ] {
        let (ports, _) = a_store();
        let request = crate::testing::request(method.clone(), CONTACT, crate::testing::FULL);
        let request = request.insert_header(("content-type", kind)).set_payload(r#"{"last_name":"Lovelace"}"#);
        let reply = ports.serve().send(request).await;
        assert_eq!(reply.json()["name"], "Ada Lovelace", "{method} {kind}");
        assert!(reply.header("etag").unwrap().starts_with("\"2-"));
    }
    let (ports, sets) = a_store();
    let api = ports.serve();
    let cleared = api.json(Method::PATCH, CONTACT, r#"{"first_name":null}"#).await;
    assert_eq!((cleared.status, &cleared.json()["name"]), (200, &json!(null)));
    let unchanged = api.json(Method::PATCH, CONTACT, "{}").await;
    assert_eq!((unchanged.status, &unchanged.json()["version"]), (200, &json!(1)));
    assert_eq!(sets.lock().unwrap().len(), 1);
}

#[actix_web::test]
async fn adds_a_tag_by_either_id_or_name() {
    let (ports, sets) = a_store();
    let api = ports.serve();
    let path = format!("{CONTACT}/tags");
    let reply = api.json(Method::POST, &path, r#"{"name":"new"}"#).await;
    assert_eq!((reply.status, &reply.json()["tags"][1]["name"]), (201, &json!("new")));
    assert!(
        sets.lock().unwrap()[0]
            .changes
            .iter()
            .any(|change| matches!(change, Change::Insert(Row::Stored(StoredRow::Tag(tag))) if tag.name == "new"))
    );
    for (body, expected) in [
        ("{}".to_owned(), [("", "required")]),
        (format!(r#"{{"tag_id":"{TAG}","name":"x"}}"#), [("/name", "not_allowed")]),
        (r#"{"tag_id":"vip"}"#.to_owned(), [("/tag_id", "invalid_id")]),
        (r#"{"name":null}"#.to_owned(), [("/name", "null_not_allowed")]),
    ] {
        assert_eq!(errors(&api.json(Method::POST, &path, &body).await), told(&expected), "{body}");
    }
}

#[actix_web::test]
async fn answers_200_for_an_existing_tag_and_404_for_a_missing_one() {
    let mut ports = Mocks::with_keys();
    let carried = a_contact().tagged("vip").build().tags[0].clone();
    ports.contacts.expect_find().returning(|_, _| Ok(Some(a_contact().tagged("vip").build())));
    ports.tags.expect_by_ids().returning(|_, ids| Ok(vec![Tag::new(ids[0], "vip", Timestamp::EPOCH_2026)]));
    let api = ports.serve();
    let body = json!({"tag_id": carried.id}).to_string();
    assert_eq!(api.json(Method::POST, &format!("{CONTACT}/tags"), &body).await.status, 200);
    let absent = api.call(Method::DELETE, &format!("{CONTACT}/tags/{TAG}"), crate::testing::FULL).await;
    assert_eq!(absent.problem(), (404, "not_found".into()));
}

#[actix_web::test]
async fn requires_a_value_that_may_be_null() {
    let (mut ports, _) = a_store();
    ports.fields.expect_get().returning(|_, _| Ok(Some(a_field("age", FieldKind::Number))));
    let api = ports.serve();
    let path = format!("{CONTACT}/custom-fields/age");
    let set = api.json(Method::POST, &path, r#"{"value":36}"#).await;
    assert_eq!((set.status, &set.json()["custom_fields"]["age"]), (200, &json!(36)));
    assert_eq!(api.json(Method::POST, &path, r#"{"value":null}"#).await.status, 200);
    assert_eq!(errors(&api.json(Method::POST, &path, "{}").await), told(&[("/value", "required")]));
    assert_eq!(errors(&api.json(Method::POST, &path, r#"{"value":"x"}"#).await), told(&[("/value", "wrong_type")]));
}

#[actix_web::test]
async fn accepts_a_message_and_validates_its_form() {
    let (mut ports, _) = a_store();
    ports.conversations.expect_between().returning(|_, _, _| Ok(None));
    ports.conversations.expect_last_used().returning(|_, _| Ok(None));
    let api = ports.serve();
    let path = format!("{CONTACT}/send-message");
    let sent = api.json(Method::POST, &path, r#"{"type":"text","text":"Hi"}"#).await;
    assert_eq!((sent.status, &sent.json()["text"]), (202, &json!("Hi")));
    let message = sent.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(sent.header("location"), Some(format!("/api/v1/messages/{message}").as_str()));
    let long = json!({"type": "sms", "text": "x".repeat(4_097), "channel_id": TAG, "template": {}}).to_string();
    let expected = [
        ("/type", "invalid_value"),
        ("/text", "too_long"),
        ("/template/name", "required"),
        ("/channel_id", "invalid_id"),
    ];
    assert_eq!(errors(&api.json(Method::POST, &path, &long).await), told(&expected));
}

#[actix_web::test]
async fn requires_a_flow_to_start() {
    let api = Mocks::with_keys().serve();
    let body = r#"{"vars":[],"mode":"again"}"#;
    let expected = [("/flow_id", "required"), ("/vars", "wrong_type"), ("/mode", "invalid_value")];
    let reply = api.json(Method::POST, &format!("{CONTACT}/start-flow"), body).await;
    assert_eq!(errors(&reply), told(&expected));
}

#[actix_web::test]
async fn returns_a_custom_event_as_stored_and_validates_its_form() {
    let (ports, _) = a_store();
    let api = ports.serve();
    let path = format!("{CONTACT}/events");
    let told_of = api.json(Method::POST, &path, r#"{"name":"order.paid","data":{"total":7.50}}"#).await;
    let event = told_of.json();
    assert_eq!((told_of.status, &event["name"], &event["data"]["total"]), (201, &json!("order.paid"), &json!(7.5)));
    assert_eq!(api.json(Method::POST, &path, r#"{"name":"order.paid"}"#).await.json()["data"], json!({}));
    let wrong = async |body: serde_json::Value| errors(&api.json(Method::POST, &path, &body.to_string()).await);
    assert_eq!(wrong(json!({"data": []})).await, told(&[("/name", "required"), ("/data", "wrong_type")]));
    assert_eq!(wrong(json!({"name": "Order Paid"})).await, told(&[("/name", "invalid_format")]));
    assert_eq!(wrong(json!({"name": "contact.created"})).await, told(&[("/name", "not_allowed")]));
    let long = json!({"name": "order.paid", "data": {"text": "x".repeat(16 * 1024)}});
    assert_eq!(wrong(long).await, told(&[("/data", "too_long")]));
}

#[actix_web::test]
async fn updates_an_existing_contact_by_upsert() {
    let (ports, sets) = a_store();
    let api = ports.serve();
    let path = format!("{CONTACTS}?on_conflict=update");
    let body = r#"{"email":"ada@example.com","first_name":null,"last_name":"Lovelace","tags":["new"]}"#;
    let reply = api.json(Method::POST, &path, body).await;
    assert_eq!((reply.status, &reply.json()["name"]), (200, &json!("Lovelace")), "{:?}", reply.body);
    assert_eq!(reply.json()["tags"].as_array().map(Vec::len), Some(2));
    assert!(reply.header("location").unwrap().ends_with(&a_contact().build().id.to_string()));
    assert!(reply.header("etag").unwrap().starts_with("\"2-"));
    assert_eq!(sets.lock().unwrap().len(), 1);
    let made = api.json(Method::POST, &path, r#"{"first_name":"Nobody"}"#).await;
    assert_eq!(made.status, 201, "a contact without identifiers is created");
    let wrong = api.json(Method::POST, &format!("{CONTACTS}?on_conflict=merge&dry_run=1"), r#"{"email":"x"}"#).await;
    let expected = [("on_conflict", "invalid_value"), ("dry_run", "unknown_parameter"), ("/email", "invalid_format")];
    assert_eq!(errors(&wrong), told(&expected));
}

#[actix_web::test]
async fn reports_errors_of_identities_at_their_pointers() {
    let (mut ports, sets) = a_store();
    let sandbox = a_channel().id;
    ports.channels.expect_get().returning(move |_, id| Ok((id == sandbox).then(a_channel)));
    let api = ports.serve();
    let own = a_contact().build().id;
    let body = json!({"identities": [{"channel_id": sandbox, "address": own, "opted_in": false}]});
    let reply = api.json(Method::PATCH, CONTACT, &body.to_string()).await;
    let at = reply.json()["identities"][0]["opt_out"]["at"].clone();
    assert!(at.is_string(), "{:?}", reply.body);
    let opt_out = json!({"source": "api", "at": at});
    let stored = json!([{
        "channel_id": sandbox, "address": own, "aliases": [], "opted_in": false, "opt_out": opt_out,
        "undeliverable_since": null}]);
    assert_eq!(reply.json()["identities"], stored, "{:?}", reply.body);
    assert_eq!(sets.lock().unwrap().len(), 1);
    let form = json!({"identities": [
        {"channel_id": "x", "address": " a", "opted_in": 1, "channel": 1}, {"address": null}, 7]});
    let expected = [
        ("/identities/0/channel", "unknown_field"),
        ("/identities/0/channel_id", "invalid_id"),
        ("/identities/0/address", "invalid_format"),
        ("/identities/0/opted_in", "wrong_type"),
        ("/identities/1/channel_id", "required"),
        ("/identities/1/address", "null_not_allowed"),
        ("/identities/2", "wrong_type"),
    ];
    let (mut told_errors, mut expected) =
        (errors(&api.json(Method::POST, CONTACTS, &form.to_string()).await), told(&expected));
    told_errors.sort();
    expected.sort();
    assert_eq!(told_errors, expected);
    let unknown = json!({"identities": [
        {"channel_id": "chan_01h455vb4pex5vsknk084sn02q", "address": "a"}, {"channel_id": sandbox, "address": "b"}]});
    let expected = [("/identities/0/channel_id", "unknown_channel"), ("/identities/1/address", "not_allowed")];
    for (method, path) in [(Method::POST, CONTACTS), (Method::PATCH, CONTACT), (Method::PUT, CONTACT)] {
        assert_eq!(errors(&api.json(method, path, &unknown.to_string()).await), told(&expected));
    }
}

#[actix_web::test]
async fn restores_a_deleted_contact_only_by_id() {
    let deleted = || {
        let mut contact = a_contact().named("Ada").build();
        contact.deleted_at = Some(Timestamp::EPOCH_2026);
        contact.version = 2;
        contact
    };
    let mut ports = Mocks::with_keys();
    ports.contacts.expect_find().returning(|_, _| Ok(None));
    ports.contacts.expect_find_deleted().returning(move |_, _| Ok(Some(deleted())));
    ports.erasures.expect_get().returning(|_, _| Ok(None));
    ports.catalog.expect_catalog().returning(|_| Ok(Arc::default()));
    ports.ledger.expect_commit().times(1).returning(|_| Ok(()));
    let api = ports.serve();
    let path = format!("{CONTACT}/restore");
    let stale = crate::testing::request(Method::POST, &path, crate::testing::FULL);
    let stale = api.send(stale.insert_header(("if-match", "\"1-x\""))).await;
    assert_eq!(stale.problem(), (412, "precondition_failed".into()));
    let reply = api.call(Method::POST, &path, crate::testing::FULL).await;
    assert_eq!((reply.status, &reply.json()["deleted_at"]), (200, &json!(null)), "{:?}", reply.body);
    assert!(reply.header("etag").unwrap().starts_with("\"3-"));
    let by_name = api.call(Method::POST, &format!("{CONTACTS}/external_id:x/restore"), crate::testing::FULL).await;
    assert_eq!(by_name.problem(), (404, "not_found".into()));
}
