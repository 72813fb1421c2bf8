//! Tests of the parameters of lists of contacts.

use std::sync::{Arc, Mutex};

use actix_web::http::Method;
use serde_json::json;
use tidings_domain::contacts::{ContactFilter, ContactStatus, Deleted, FieldMatch, MatchPattern};
use tidings_domain::fields::FieldKind;
use tidings_domain::ids::{FieldId, TagId, TypedId};
use tidings_domain::pagination::{Page, Position, Sort, SortBy, SortedRequest, Total};
use tidings_domain::tags::Tag;
use tidings_domain::testing::{a_channel, a_contact};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use super::tests::{CONTACTS, a_field, a_store, errors, told};
use crate::testing::Mocks;

#[actix_web::test]
async fn passes_normalised_filters_to_the_store() {
    let (tag, plan) = (TagId::from_uuid(Uuid::from_u128(9)), FieldId::from_uuid(Uuid::from_u128(5)));
    let expected = ContactFilter {
        words: vec!["ada".to_owned(), "lovelace".to_owned()],
        status: Some(ContactStatus::Blocked),
        subscribed: Some(false),
        channel: a_channel().id.into(),
        opted_in: None,
        unreached: None,
        updated_after: "2026-01-01T00:00:00Z".parse().ok(),
        updated_before: "2026-03-01T00:00:00Z".parse().ok(),
        deleted: Deleted::Include,
        selection: None,
        email: "ada@example.com".parse().ok(),
        phone: "+49301234567".parse().ok(),
        external_id: "crm 1".parse().ok(),
        tags: vec![tag, "tag_01h455vb4pex5vsknk084sn02q".parse().unwrap()],
        fields: vec![
            FieldMatch { field: plan, pattern: MatchPattern::Equal("gold".to_owned()) },
            FieldMatch { field: plan, pattern: MatchPattern::Not(Box::new(MatchPattern::Equal("x".to_owned()))) },
            FieldMatch { field: plan, pattern: MatchPattern::Any },
        ],
        created_after: "2026-01-01T01:00:00+01:00".parse().ok(),
        created_before: "2026-02-01T00:00:00Z".parse().ok(),
    };
    let mut ports = Mocks::with_keys();
    ports
        .tags
        .expect_by_ids()
        .returning(|_, ids| Ok(ids.iter().map(|id| Tag::new(*id, "other", Timestamp::EPOCH_2026)).collect()));
    ports.fields.expect_all().returning(|_| Ok(vec![a_field("plan", FieldKind::Text)]));
    ports
        .tags
        .expect_by_name_keys()
        .withf(|_, keys| keys == ["vip"])
        .returning(move |_, _| Ok(vec![Tag::new(tag, "Vip", Timestamp::EPOCH_2026)]));
    ports
        .contacts
        .expect_list()
        .withf(move |_, filter, page| {
            let order = Sort { by: SortBy::LastMessageAt, descending: true };
            *filter == expected && *page == SortedRequest { order, ..SortedRequest::default() }
        })
        .returning(|_, _, _| Ok(Page { items: vec![a_contact().build()], next: None, ..Page::default() }));
    let query = format!(
        "email=ADA@example.com&phone=%2B49%2030%201234567&external_id=crm%201&tag=VIP&tag=tag_01h455vb4pex5vsknk084sn02q&custom_fields.plan=Gold\
         &created_after=2026-01-01T01:00:00+01:00&created_before=2026-02-01T00:00:00Z&q=+L%C3%96velace++Ada+ada\
         &status=blocked&subscribed=false&channel_id={}&updated_after=2026-01-01T00:00:00Z\
         &updated_before=2026-03-01T00:00:00Z&deleted=include&custom_fields.plan[ne]=X&custom_fields.plan[exists]=true\
         &sort=-last_message_at",
        a_channel().id
    );
    let reply = ports.serve().get(&format!("{CONTACTS}?{query}")).await;
    assert_eq!(reply.status, 200, "{:?}", reply.body);
    assert_eq!(reply.json()["data"].as_array().map(Vec::len), Some(1));
}

#[actix_web::test]
async fn returns_the_total_only_if_requested() {
    for (counted, total, is_capped) in [(3, 3, false), (10_000, 10_000, false), (10_001, 10_000, true)] {
        let (mut ports, _) = a_store();
        ports
            .contacts
            .expect_list()
            .returning(move |_, _, page| Ok(Page::default().of_total(page.counted.then(|| Total::of(counted)))));
        let api = ports.serve();
        let reply = api.get(&format!("{CONTACTS}?include=total")).await.json();
        assert_eq!((&reply["total"], &reply["total_is_capped"]), (&json!(total), &json!(is_capped)));
        assert_eq!(api.get(CONTACTS).await.json().get("total"), None);
    }
}

#[actix_web::test]
async fn rejects_a_filter_by_an_unknown_tag() {
    let (ports, _) = a_store();
    let reply = ports.serve().get(&format!("{CONTACTS}?tag=nobody")).await;
    assert_eq!(errors(&reply), [("tag".to_owned(), "unknown_tag".to_owned())]);
}

#[actix_web::test]
async fn rejects_invalid_filters() {
    let (ports, _) = a_store();
    let api = ports.serve();
    let errors = async |query: &str| errors(&api.get(&format!("{CONTACTS}?{query}")).await);
    let wrong = errors(
        "email=ada&phone=1&external_id=&created_after=yesterday&tag=&q=+&status=dead&subscribed=1&channel_id=x\
         &updated_before=2026&deleted=yes&segment=x&group=x&sort=email&include=all",
    );
    let expected = [
        ("sort", "invalid_value"),
        ("include", "invalid_value"),
        ("q", "blank"),
        ("email", "invalid_format"),
        ("phone", "invalid_format"),
        ("external_id", "invalid_format"),
        ("created_after", "invalid_format"),
        ("updated_before", "invalid_format"),
        ("status", "invalid_value"),
        ("subscribed", "wrong_type"),
        ("channel_id", "invalid_id"),
        ("segment", "invalid_id"),
        ("deleted", "invalid_value"),
        ("tag", "blank"),
        ("group", "unknown_parameter"),
    ];
    assert_eq!(wrong.await, told(&expected));
    let expected = [("custom_fields.plna", "unknown_parameter"), ("custom_fields.age", "invalid_format")];
    assert_eq!(errors("custom_fields.plna=gold&custom_fields.age=old").await, told(&expected));
    for (parameter, value, code) in [
        ("custom_fields.age[gt]", "old", "invalid_format"),
        ("custom_fields.age[above]", "1", "invalid_operator"),
        ("custom_fields.plan[gte]", "gold", "invalid_operator"),
        ("custom_fields.age[exists]", "1", "invalid_format"),
        ("custom_fields.agee[gte]", "1", "unknown_parameter"),
        ("custom_fields.age[gte", "1", "unknown_parameter"),
    ] {
        assert_eq!(errors(&format!("{parameter}={value}")).await, told(&[(parameter, code)]));
    }
}

#[actix_web::test]
async fn passes_the_condition_of_a_search_to_the_store() {
    let (mut ports, sets) = a_store();
    ports.fields.expect_bot_all().returning(|_| Ok(Vec::new()));
    ports.access.expect_workspace().returning(|_| Ok(None));
    let tag = Tag::new(TagId::from_uuid(Uuid::from_u128(9)), "vip", Timestamp::EPOCH_2026);
    ports.tags.checkpoint();
    ports.tags.expect_by_name_keys().withf(|_, names| names == ["vip"]).returning(move |_, _| Ok(vec![tag.clone()]));
    let asked: Arc<Mutex<Vec<(ContactFilter, u32)>>> = Arc::default();
    let noted = Arc::clone(&asked);
    ports.contacts.expect_list().returning(move |_, filter, page| {
        noted.lock().unwrap().push((filter.clone(), page.limit));
        let contact = a_contact().named("Ada").build();
        let next = Some(Position { at: contact.sort_key(SortBy::CreatedAt), id: contact.id.uuid() });
        Ok(Page { items: vec![contact], next: next.filter(|_| page.after.is_none()), ..Page::default() })
    });
    let api = ports.serve();
    let filter = json!({"all": [{"field": "tags", "op": "has", "value": "VIP"}, {"field": "custom_fields.age", "op": "gte", "value": 18}]});
    let search =
        async |body: serde_json::Value| api.json(Method::POST, "/api/v1/contacts/search", &body.to_string()).await;
    let reply = search(json!({"filter": filter, "limit": 1})).await;
    assert_eq!(reply.status, 200, "{:?}", reply.body);
    assert_eq!((reply.json()["data"][0]["first_name"].clone(), reply.header("link")), (json!("Ada"), None));
    let cursor = reply.json()["next_cursor"].as_str().unwrap().to_owned();
    // The order of an object's members does not matter.
    let same = json!({"all": [{"value": "VIP", "op": "has", "field": "tags"}, {"op": "gte", "field": "custom_fields.age", "value": 18}]});
    let next = search(json!({"filter": same, "limit": 1, "cursor": cursor})).await;
    assert_eq!((next.status, &next.json()["next_cursor"]), (200, &json!(null)));
    let other = search(json!({"filter": {"all": []}, "cursor": cursor})).await;
    assert_eq!(other.problem(), (400, "invalid_cursor".into()));
    let asked = asked.lock().unwrap();
    assert_eq!((asked.len(), asked[0].1, &asked[0].0), (2, 1, &asked[1].0));
    assert!(asked[0].0.selection.is_some());
    assert!(sets.lock().unwrap().is_empty(), "a search commits nothing");
}

#[actix_web::test]
async fn reports_errors_of_a_condition_below_filter() {
    let (mut ports, _) = a_store();
    ports.fields.expect_bot_all().returning(|_| Ok(Vec::new()));
    let body = json!({"filter": {"any": [{"field": "custom_fields.aeg", "op": "gt", "value": 1}, {"field": "name", "op": "gt", "value": "a"}]}});
    let reply = ports.serve().json(Method::POST, "/api/v1/contacts/search", &body.to_string()).await;
    assert_eq!(
        errors(&reply),
        told(&[("/filter/any/0/field", "unknown_field"), ("/filter/any/1/op", "unknown_operator")])
    );
    assert!(reply.json()["errors"][0]["message"].as_str().unwrap().contains("`age`"));
}
