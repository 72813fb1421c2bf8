//! Tests of the usage log.

use std::sync::{Arc, Mutex};

use actix_web::http::Method;
use futures::executor::block_on;
use serde_json::{Value, json};
use tidings_domain::access::usage::{RequestError, UsageRecord};
use tidings_domain::ids::TypedId;
use tidings_domain::memory::MemoryStore;
use tidings_domain::pagination::{Page, Position};
use tidings_domain::ports::{MockUsageStore, UsageStore};
use uuid::Uuid;

use super::*;
use crate::testing::{Api, Mocks, Reply, WRITE, owner, workspace_id};

const NOW: Timestamp = Timestamp::EPOCH_2026;
const KEY: &str = "key_00000000000000000000000002";
const USER: &str = "user_00000000000000000000000001";

fn ago(seconds: u64) -> Timestamp {
    NOW.minus(Duration::from_secs(seconds))
}

fn path(rest: &str) -> String {
    format!("/platform/workspaces/{}/usage{rest}", workspace_id(1))
}

async fn ask(api: &Api, rest: &str) -> Reply {
    api.call(Method::GET, &path(rest), &owner()).await
}

/// Returns a request of the workspace, from this many seconds ago.
fn a_request(seconds: u64) -> UsageRecord {
    UsageRecord {
        workspace: workspace_id(1),
        id: Uuid::from_u128(seconds.into()),
        at: ago(seconds),
        key: Some(KEY.parse().unwrap()),
        user: None,
        method: "GET".to_owned(),
        route: "/api/v1/tags".to_owned(),
        status: 200,
        duration_ms: 4,
        request_id: request_id(seconds),
        address: "192.0.2.7".to_owned(),
        error_code: None,
        errors: Vec::new(),
    }
}

/// Returns the ID of a request from this many seconds ago.
fn request_id(seconds: u64) -> String {
    let millis = u128::try_from(ago(seconds).millis()).unwrap();
    RequestId::from_uuid(Uuid::from_u128(millis << 80 | 7 << 76 | 0b10 << 62)).to_string()
}

fn a_refusal(seconds: u64) -> UsageRecord {
    let errors = vec![RequestError::new(Some("/email"), None, "invalid_format")];
    let (method, route) = ("POST".to_owned(), "/api/v1/contacts".to_owned());
    let error_code = Some("validation_failed".to_owned());
    UsageRecord { method, route, status: 422, error_code, errors, ..a_request(seconds) }
}

/// Returns a server whose log contains these requests.
fn serve(requests: Vec<UsageRecord>) -> Api {
    let store = Arc::new(MemoryStore::new());
    block_on(store.record(requests, vec![])).unwrap();
    let mut ports = Mocks::with_keys();
    let usage = &mut ports.usage;
    let it = store.clone();
    usage.expect_list().returning(move |access, filter, page| block_on(it.list(access, filter, page)));
    let it = store.clone();
    usage.expect_minutes().returning(move |access, filter, span| block_on(it.minutes(access, filter, span)));
    let it = store.clone();
    usage.expect_quarters().returning(move |access, filter, span| block_on(it.quarters(access, filter, span)));
    let it = store.clone();
    usage.expect_errors().returning(move |access, filter, span, most| block_on(it.errors(access, filter, span, most)));
    let it = store;
    usage.expect_keys().returning(move |access, span, most| block_on(it.keys(access, span, most)));
    ports.serve()
}

#[actix_web::test]
async fn records_errors_without_the_values_sent() {
    let written = Arc::new(Mutex::new(Vec::new()));
    let mut ports = Mocks::with_keys();
    let kept = written.clone();
    ports.usage.expect_record().returning(move |requests, _| {
        kept.lock().unwrap().extend(requests);
        Ok(())
    });
    let api = ports.serve();
    let body = r#"{"email":"s3cret","phone":"s3cret","locale":"s3cret","time_zone":"s3cret","subscribed":"s3cret"}"#;
    let refused = api.json_as(Method::POST, "/api/v1/contacts", body, WRITE).await;
    assert_eq!((refused.status, refused.errors().len() > 3), (422, true));
    assert_eq!(api.call(Method::GET, "/api/v1/contacts?limit=s3cret", WRITE).await.status, 422);
    assert_eq!(api.call(Method::DELETE, "/api/v1/contacts/s3cret", WRITE).await.status, 403);
    assert_eq!(api.call(Method::GET, "/api/v1/event-types", WRITE).await.status, 200);
    api.state.write_usage().await;
    let written = written.lock().unwrap();
    let told = |place: usize| {
        let it: &UsageRecord = &written[place];
        (it.status, it.error_code.clone(), serde_json::to_value(&it.errors).unwrap())
    };
    let code = |code: &str| Some(code.to_owned());
    let first: Vec<Value> = refused.json()["errors"].as_array().unwrap()[..3].to_vec();
    let places: Vec<Value> = first.iter().map(|it| json!({"pointer": it["pointer"], "code": it["code"]})).collect();
    assert_eq!(told(0), (422, code("validation_failed"), json!(places)));
    let limit = json!([{"parameter": "limit", "code": "wrong_type"}]);
    assert_eq!(told(1), (422, code("validation_failed"), limit));
    assert_eq!(told(2), (403, code("insufficient_scope"), json!([])));
    assert_eq!(told(3), (200, None, json!([])));
    assert!(!format!("{written:?}").contains("s3cret"));
}

#[actix_web::test]
async fn lists_codes_and_pointers_and_accepts_every_filter() {
    let by_person = UsageRecord { key: None, user: Some(USER.parse().unwrap()), ..a_request(30) };
    let api = serve(vec![a_request(10), a_refusal(20), by_person]);
    let all = ask(&api, "").await.json();
    assert_eq!(all["data"].as_array().unwrap().len(), 3);
    let (fine, wrong) = (&all["data"][0], &all["data"][1]);
    assert_eq!((&fine["error_code"], &fine["errors"]), (&Value::Null, &json!([])));
    let errors = json!([{"pointer": "/email", "code": "invalid_format"}]);
    assert_eq!((&wrong["error_code"], &wrong["errors"]), (&json!("validation_failed"), &errors));
    for (filters, shown) in [
        (format!("?key_id={KEY}"), vec![10, 20]),
        (format!("?user_id={USER}"), vec![30]),
        ("?caller=key".to_owned(), vec![10, 20]),
        ("?caller=person".to_owned(), vec![30]),
        ("?method=POST&route=%2Fapi%2Fv1%2Fcontacts".to_owned(), vec![20]),
        ("?status=422".to_owned(), vec![20]),
        ("?status_class=4xx&error_code=validation_failed".to_owned(), vec![20]),
        ("?status_class=2xx&error_code=validation_failed".to_owned(), vec![]),
        (format!("?request_id={}", request_id(10)), vec![10]),
        (format!("?from={}&to={}", ago(20), ago(10)), vec![20]),
    ] {
        let reply = ask(&api, &filters).await;
        let times: Vec<_> = reply.json()["data"].as_array().unwrap().iter().map(|it| it["at"].clone()).collect();
        assert_eq!(times, shown.into_iter().map(|seconds| json!(ago(seconds))).collect::<Vec<_>>(), "{filters}");
    }
}

#[actix_web::test]
async fn reports_invalid_values_by_parameter() {
    let api = Mocks::with_keys().serve();
    let long_ago = ago(32 * 86_400);
    for (rest, parameter, code) in [
        ("?status_class=4XX", "status_class", "invalid_value"),
        ("?error_code=", "error_code", "blank"),
        ("?caller=user", "caller", "invalid_value"),
        ("?request_id=nonsense", "request_id", "invalid_id"),
        ("?request_id=key_00000000000000000000000002", "request_id", "invalid_id"),
        ("?user_id=nonsense", "user_id", "invalid_id"),
        ("?status=99", "status", "out_of_range"),
        ("/histogram?status=404", "status", "unknown_parameter"),
        ("/histogram?request_id=x", "request_id", "unknown_parameter"),
        ("/histogram?from=yesterday", "from", "invalid_format"),
        (&format!("/histogram?from={long_ago}"), "from", "out_of_range"),
        (&format!("/histogram?user_id={USER}&from={}", ago(7_201)), "user_id", "out_of_range"),
        ("/histogram?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "from", "out_of_range"),
        ("/errors?user_id=x", "user_id", "unknown_parameter"),
        (&format!("/errors?from={long_ago}"), "from", "out_of_range"),
        ("/keys?method=GET", "method", "unknown_parameter"),
        (&format!("/keys?from={long_ago}"), "from", "out_of_range"),
        ("/export?limit=5", "limit", "unknown_parameter"),
        ("/export?status_class=6xx", "status_class", "invalid_value"),
    ] {
        let reply = ask(&api, rest).await;
        assert_eq!((reply.status, reply.errors()), (422, vec![(parameter.to_owned(), code.to_owned())]), "{rest}");
    }
    for (rest, near) in [
        ("?error_cod=x", "`error_code`"),
        ("/histogram?status_clas=4xx", "`status_class`"),
        ("/errors?methd=GET", "`method`"),
        ("/keys?form=x", "`from`"),
        ("/export?usr_id=x", "`user_id`"),
    ] {
        let reply = ask(&api, rest).await;
        let message = reply.json()["errors"][0]["message"].as_str().unwrap().to_owned();
        assert!(reply.status == 422 && message.contains(near), "{rest}: {message}");
    }
}

#[actix_web::test]
async fn chooses_the_histogram_interval_by_the_span() {
    let by_person = UsageRecord { key: None, user: Some(USER.parse().unwrap()), ..a_request(61) };
    let failed = UsageRecord { status: 503, ..a_request(7_300) };
    let api = serve(vec![a_request(30), a_refusal(20), by_person, failed]);
    let bucket = |seconds, requests, client_errors, server_errors| json!({"at": ago(seconds), "requests": requests, "client_errors": client_errors, "server_errors": server_errors});
    let hour = ask(&api, "/histogram").await.json();
    let data = [bucket(120, 1, 0, 0), bucket(60, 2, 1, 0)];
    assert_eq!(hour, json!({"from": ago(3_600), "to": NOW, "interval": "PT1M", "data": data}));
    let person = ask(&api, &format!("/histogram?user_id={USER}")).await.json();
    assert_eq!(person["data"], json!([bucket(120, 1, 0, 0)]));
    let day = ask(&api, &format!("/histogram?from={}", ago(86_400 - 60))).await.json();
    let data = [bucket(8_100, 1, 0, 1), bucket(900, 3, 1, 0)];
    assert_eq!(day, json!({"from": ago(86_400), "to": NOW, "interval": "PT15M", "data": data}));
    let month = ask(&api, &format!("/histogram?from={}&status_class=5xx", ago(31 * 86_400))).await.json();
    assert_eq!((&month["interval"], &month["data"]), (&json!("P1D"), &json!([bucket(86_400, 1, 0, 1)])));
}

#[actix_web::test]
async fn sums_requests_by_error_and_by_key() {
    let gone = UsageRecord { status: 404, error_code: Some("not_found".to_owned()), ..a_request(90_000) };
    let api = serve(vec![a_request(10), a_refusal(20), a_refusal(2_000), gone]);
    let group = json!({
        "error_code": "validation_failed", "status": 422, "method": "POST", "route": "/api/v1/contacts", "requests": 2,
        "last_at": ago(20),
    });
    assert_eq!(ask(&api, "/errors").await.json(), json!({"data": [group]}), "the default span is one day");
    let longer = ask(&api, &format!("/errors?from={}&method=GET", ago(100_000))).await.json();
    assert_eq!((longer["data"].as_array().unwrap().len(), &longer["data"][0]["status"]), (1, &json!(404)));
    let key = json!({"key_id": KEY, "requests": 3, "client_errors": 2, "server_errors": 0, "last_at": ago(10)});
    assert_eq!(ask(&api, "/keys").await.json(), json!({"data": [key]}));
}

#[actix_web::test]
async fn exports_the_log_as_csv() {
    let formula =
        UsageRecord { address: "=cmd()".to_owned(), key: None, user: Some(USER.parse().unwrap()), ..a_request(30) };
    let api = serve(vec![a_request(10), a_refusal(20), formula]);
    let reply = ask(&api, "/export").await;
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/csv; charset=utf-8")));
    assert_eq!(reply.header("content-disposition"), Some("attachment; filename=\"usage.csv\""));
    let (first, second, third) = (request_id(10), request_id(20), request_id(30));
    let lines = [
        "at,method,route,status,duration_ms,key_id,user_id,error_code,errors,request_id,address".to_owned(),
        format!("{},GET,/api/v1/tags,200,4,{KEY},,,,{first},192.0.2.7", ago(10)),
        format!(
            "{},POST,/api/v1/contacts,422,4,{KEY},,validation_failed,\
             \"[{{\"\"pointer\"\":\"\"/email\"\",\"\"code\"\":\"\"invalid_format\"\"}}]\",{second},192.0.2.7",
            ago(20)
        ),
        format!("{},GET,/api/v1/tags,200,4,,{USER},,,{third},'=cmd()", ago(30)),
        String::new(),
    ];
    assert_eq!(String::from_utf8(reply.body.to_vec()).unwrap(), lines.join("\r\n"));
    let chosen = ask(&api, "/export?status_class=4xx").await;
    assert_eq!(String::from_utf8(chosen.body.to_vec()).unwrap().lines().count(), 2);
}

#[actix_web::test]
async fn exports_the_newest_10_000_rows_in_pages() {
    let mut usage = MockUsageStore::new();
    usage.expect_list().times(100).returning(|_, _, page| {
        assert_eq!(page.limit, 100);
        let begin = page.after.map_or(0, |after| u64::try_from(after.id.as_u128()).unwrap() + 1);
        let items: Vec<_> = (begin..begin + 100).map(a_request).collect();
        let next = items.last().map(|it| Position { at: it.at, id: it.id });
        Ok(Page { items, next, ..Page::default() })
    });
    let api = Mocks { usage, ..Mocks::with_keys() }.serve();
    let reply = ask(&api, "/export").await;
    let text = String::from_utf8(reply.body.to_vec()).unwrap();
    assert_eq!(text.lines().count(), 10_001, "the header and the newest 10 000 rows");
    assert!(text.lines().last().unwrap().starts_with(&ago(9_999).to_string()));
}
