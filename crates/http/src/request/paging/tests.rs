//! Tests of lists and their pages.

use std::sync::{Arc, Mutex};

use actix_web::http::Method;
use tidings_domain::contacts::Contact;
use tidings_domain::ids::TypedId;
use tidings_domain::pagination::{Page, Position, Sort, SortBy, SortKey, SortedRequest, Total};
use tidings_domain::tags::Tag;
use tidings_domain::testing::a_contact;
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use super::{payload, position};
use crate::testing::{Api, FULL, Mocks, OTHER};

const NOW: Timestamp = Timestamp::EPOCH_2026;
const PLACE: Position<SortKey> = Position { at: SortKey::Time(Some(NOW)), id: Uuid::from_u128(7) };
const OLDEST_FIRST: Sort = Sort { by: SortBy::CreatedAt, descending: false };
const CONVERSATION: &str = "/api/v1/conversations/conv_01h455vb4pex5vsknk084sn02q/messages";

/// Returns a server with endless lists: there is always a next page, after [`PLACE`].
fn endless(request: SortedRequest) -> Api {
    let mut ports = Mocks::with_keys();
    let next = Some(PLACE);
    ports.tags.expect_list().withf(move |_, _, asked| *asked == request).returning(move |_, _, _| {
        let tags = vec![Tag::new(tidings_domain::ids::TypedId::from_uuid(PLACE.id), "vip", NOW)];
        Ok(Page { items: tags, next: next.clone(), ..Page::default() })
    });
    ports
        .contacts
        .expect_list()
        .returning(|_, _, _| Ok(Page { items: Vec::new(), next: Some(PLACE), ..Page::default() }));
    ports.serve()
}

/// Returns the URL of the next page from `Link`.
fn next(link: Option<&str>) -> String {
    let link = link.expect("a next page").strip_prefix('<').unwrap();
    link.strip_suffix(">; rel=\"next\"").unwrap().to_owned()
}

#[test]
fn positions_round_trip() {
    let text = |text: Option<&str>| SortKey::Text(text.map(str::to_owned));
    let collated = [None, Some(Vec::new()), Some(vec![1, 0xff])].map(SortKey::Collated);
    let others = [PLACE.at, SortKey::Time(None), text(None), text(Some("")), text(Some("zoë 世界"))];
    for at in others.into_iter().chain(collated) {
        let place = Position { at, id: PLACE.id };
        assert_eq!(position(&payload(&place)), Some(place));
    }
    let place = Position { at: NOW, id: PLACE.id };
    assert_eq!(position(&payload(&place)), Some(place));
    assert_eq!(position::<Timestamp>(&[0; 23]), None);
    assert_eq!(position::<Timestamp>(&[0; 25]), None);
    for wrong in [&b""[..], b"t1", b"T1234567", b"s1", b"S\xff", b"c1", b"x"] {
        let payload = [wrong, PLACE.id.as_bytes()].concat();
        assert_eq!(position::<SortKey>(&payload), None, "{wrong:?}");
    }
}

#[actix_web::test]
async fn links_to_the_next_page_with_the_same_parameters() {
    let first = endless(SortedRequest { limit: 2, order: OLDEST_FIRST, after: None, counted: false });
    let reply = first.get("/api/v1/tags?sort=created_at&limit=2").await;
    let (body, link) = (reply.json(), next(reply.header("link")));
    assert_eq!(body["data"][0]["name"], "vip");
    assert_eq!(link, format!("/api/v1/tags?limit=2&sort=created_at&cursor={}", body["next_cursor"].as_str().unwrap()));
    let second = endless(SortedRequest { limit: 2, order: OLDEST_FIRST, after: Some(PLACE), counted: false });
    assert_eq!(second.get(&link).await.status, 200);
}

#[actix_web::test]
async fn rejects_a_cursor_from_before_names_had_sort_keys() {
    let mut ports = Mocks::with_keys();
    let mut have = [false, false, true, true].into_iter();
    ports.contacts.expect_names_have_sort_keys().returning(move || Ok(have.next().unwrap()));
    ports.contacts.expect_list().returning(|_, _, page| {
        let at = a_contact().named("Zoë").build().sort_key(page.order.by);
        Ok(Page { items: Vec::new(), next: Some(Position { at, id: PLACE.id }), ..Page::default() })
    });
    let api = ports.serve();
    let first = api.get("/api/v1/contacts?sort=name").await;
    let second = next(first.header("link"));
    assert_eq!(api.get(&second).await.status, 200, "the order did not change");
    assert_eq!(api.get(&second).await.problem(), (400, "invalid_cursor".into()));
    let anew = api.get("/api/v1/contacts?sort=name").await;
    assert_eq!(anew.status, 200);
    assert_ne!(next(anew.header("link")), second);
}

#[actix_web::test]
async fn returns_no_cursor_on_the_last_page() {
    let mut ports = Mocks::with_keys();
    ports
        .tags
        .expect_list()
        .withf(|_, _, asked| *asked == SortedRequest::default())
        .returning(|_, _, _| Ok(Page::default()));
    let reply = ports.serve().get("/api/v1/tags").await;
    assert_eq!((&reply.body[..], reply.header("link")), (&br#"{"data":[],"next_cursor":null}"#[..], None));
}

#[actix_web::test]
async fn accepts_a_cursor_only_for_its_list_filters_and_workspace() {
    let api = endless(SortedRequest::default());
    let cursor = api.get("/api/v1/contacts?email=ada@example.com").await.json()["next_cursor"].clone();
    let cursor = cursor.as_str().unwrap();
    let good = [
        format!("/api/v1/contacts?email=ada@example.com&cursor={cursor}"),
        format!("/api/v1/contacts?limit=7&cursor={cursor}&email=ada%40example.com&sort=-created_at"),
    ];
    for path in good {
        assert_eq!(api.get(&path).await.status, 200, "{path}");
    }
    let bad = [
        format!("/api/v1/contacts?cursor={cursor}"),
        format!("/api/v1/contacts?email=bob@example.com&cursor={cursor}"),
        format!("/api/v1/contacts?email=ada@example.com&sort=created_at&cursor={cursor}"),
        format!("/api/v1/contacts?email=ada@example.com&sort=-name&cursor={cursor}"),
        format!("/api/v1/tags?cursor={cursor}"),
        format!("{CONVERSATION}?cursor={cursor}"),
        "/api/v1/contacts?cursor=".to_owned(),
    ];
    for path in bad {
        assert_eq!(api.get(&path).await.problem(), (400, "invalid_cursor".into()), "{path}");
    }
    let foreign = format!("/api/v1/contacts?email=ada@example.com&cursor={cursor}");
    assert_eq!(api.call(Method::GET, &foreign, OTHER).await.problem(), (400, "invalid_cursor".into()));
    assert_eq!(api.call(Method::GET, &foreign, FULL).await.status, 200);
}

#[actix_web::test]
async fn reports_an_invalid_cursor_with_other_errors() {
    let api = Mocks::with_keys().serve();
    for path in ["/api/v1/contacts?cursor=x&limit=0&emial=a", "/api/v1/tags?cursor=x&limit=0&emial=a"] {
        let reply = api.get(path).await;
        assert_eq!(reply.problem(), (422, "validation_failed".into()), "{path}");
        let expected = [("limit", "out_of_range"), ("cursor", "invalid_cursor"), ("emial", "unknown_parameter")];
        assert_eq!(reply.errors(), expected.map(|(place, code)| (place.to_owned(), code.to_owned())), "{path}");
    }
}

/// The maximum size of a list's response, including the text around the rows.
const MOST: usize = (4 << 20) + 1_024;

/// Follows the links of a list; returns the numbers of its rows, and the size of each page.
async fn walked(api: &Api, path: &str, number: impl Fn(&serde_json::Value) -> usize) -> (Vec<usize>, Vec<usize>) {
    let (mut numbers, mut lengths, mut next) = (Vec::new(), Vec::new(), Some(path.to_owned()));
    while let Some(path) = next {
        let reply = api.get(&path).await;
        lengths.push(reply.body.len());
        numbers.extend(reply.json()["data"].as_array().unwrap().iter().map(&number));
        next = reply.header("link").map(|link| self::next(Some(link)));
    }
    (numbers, lengths)
}

#[actix_web::test]
async fn ends_a_page_at_four_mebibytes() {
    // The row in the middle exceeds the size of a page.
    let long = |number: usize| "x".repeat(if number == 40 { 5 << 20 } else { 150_000 });
    let rows: Vec<Contact> = (0..90)
        .map(|number| {
            let mut contact = a_contact().build();
            contact.id = TypedId::from_uuid(Uuid::from_u128(number as u128));
            contact.external_id = format!("{number}").parse().ok();
            contact.custom_fields = [("note".to_owned(), long(number).into())].into();
            contact
        })
        .collect();
    let (mut ports, asked) = (Mocks::with_keys(), Arc::new(Mutex::new(Vec::new())));
    let noted = Arc::clone(&asked);
    ports.contacts.expect_list().returning(move |_, _, page| {
        noted.lock().unwrap().push(page.limit);
        let begin = page.after.map_or(0, |after| after.id.as_u128() as usize + 1);
        let found = rows.iter().skip(begin).take(page.limit as usize + 1).cloned().collect();
        Ok(Page::cut(found, page.limit, |it| Position { at: it.sort_key(SortBy::CreatedAt), id: it.id.uuid() }))
    });
    let api = ports.serve();
    let number = |row: &serde_json::Value| row["external_id"].as_str().unwrap().parse().unwrap();
    let (numbers, mut lengths) = walked(&api, "/api/v1/contacts?limit=100", number).await;
    assert_eq!(numbers, (0..90).collect::<Vec<_>>());
    let longest = lengths.iter().position(|length| *length > 5 << 20).expect("the page of one row");
    lengths.remove(longest);
    assert!(lengths.iter().all(|length| *length <= MOST), "{lengths:?}");
    assert_eq!(lengths.iter().filter(|length| **length > MOST - 152_000).count(), lengths.len() - 2, "{lengths:?}");
    // Reads only about as many rows as fit.
    assert!(asked.lock().unwrap().iter().all(|limit| *limit <= 28), "{asked:?}");
}

#[actix_web::test]
async fn reads_short_rows_in_few_queries() {
    let (mut ports, asked) = (Mocks::with_keys(), Arc::new(Mutex::new(Vec::new())));
    let noted = Arc::clone(&asked);
    ports.contacts.expect_list().returning(move |_, _, page| {
        noted.lock().unwrap().push((page.limit, page.counted));
        let found = (0..=page.limit).map(|_| a_contact().build()).collect();
        let page = Page::cut(found, page.limit, |it| Position { at: it.sort_key(SortBy::CreatedAt), id: it.id.uuid() });
        Ok(page.of_total(Some(Total::of(12_000))))
    });
    let api = ports.serve();
    for limit in [10, 25, 100] {
        let page = api.get(&format!("/api/v1/contacts?include=total&limit={limit}")).await.json();
        assert_eq!(page["data"].as_array().unwrap().len(), limit);
        assert_eq!((&page["total"], &page["total_is_capped"]), (&10_000.into(), &true.into()));
    }
    assert_eq!(*asked.lock().unwrap(), [(10, true), (25, true), (25, true), (75, false)]);
}

#[actix_web::test]
async fn ends_pages_of_tags_at_the_same_size() {
    let mut ports = Mocks::with_keys();
    ports.tags.expect_list().returning(|_, _, page| {
        let begin = page.after.map_or(0, |after| after.id.as_u128() + 1);
        let tag = |number| Tag {
            description: Some("x".repeat(60_000)),
            ..Tag::new(TypedId::from_uuid(Uuid::from_u128(number)), &number.to_string(), NOW)
        };
        let found = (begin..100.min(begin + u128::from(page.limit) + 1)).map(tag).collect();
        Ok(Page::cut(found, page.limit, |it| Position { at: it.sort_key(SortBy::CreatedAt), id: it.id.uuid() }))
    });
    let api = ports.serve();
    let number = |row: &serde_json::Value| row["name"].as_str().unwrap().parse().unwrap();
    let (numbers, lengths) = walked(&api, "/api/v1/tags?limit=100", number).await;
    assert_eq!(numbers, (0..100).collect::<Vec<_>>());
    assert!(lengths.len() == 2 && lengths.iter().all(|length| *length <= MOST), "{lengths:?}");
}
