//! The one redirect, and addresses that are not called.

use super::*;

#[tokio::test]
async fn follows_one_redirect_without_credentials() {
    let files = TestServer::start(Reply::text("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfile")).await;
    let server = TestServer::start(redirect_to(&files.url("127.0.0.1"))).await;
    let mut call = following(server.url("127.0.0.1"));
    for (name, value) in [("authorization", "Basic hunter2"), ("x-api-key", "hunter2"), ("accept", "image/*")] {
        call.headers.insert(name, HeaderValue::from_static(value));
    }
    let answer = egress().call_streamed(call).await.unwrap();
    assert_eq!((answer.status, &answer.body.read_rest().await.unwrap()[..]), (200, &b"file"[..]));
    let (first, second) = (server.requests().remove(0), files.requests().remove(0));
    assert!(first.contains("authorization: Basic hunter2\r\n") && first.contains("x-api-key: hunter2\r\n"), "{first}");
    assert!(!second.contains("hunter2") && second.contains("accept: image/*\r\n"), "{second}");
    assert!(!second.contains("referer"), "{second}");
}

#[tokio::test]
async fn sends_no_credentials_to_the_same_host_either() {
    let server = TestServer::start(redirect_to("/again")).await;
    let mut call = following(server.url("127.0.0.1"));
    call.headers.insert("authorization", HeaderValue::from_static("Basic hunter2"));
    assert_eq!(egress().call_streamed(call).await.unwrap().status, 307);
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests[1].starts_with("GET /again ") && !requests[1].contains("hunter2"), "{requests:?}");
}

#[tokio::test]
async fn returns_a_second_redirect_as_the_response() {
    let canary = TestServer::start(Reply::ok()).await;
    let second = TestServer::start(redirect_to(&canary.url("127.0.0.1"))).await;
    let first = TestServer::start(redirect_to(&second.url("127.0.0.1"))).await;
    let answer = egress().call_streamed(following(first.url("127.0.0.1"))).await.unwrap();
    assert_eq!(answer.status, 307);
    assert_eq!(canary.connections_before_probe().await, 0);
}

#[tokio::test]
async fn follows_no_redirect_of_other_methods_or_without_permission() {
    let canary = TestServer::start(Reply::ok()).await;
    let server = TestServer::start(redirect_to(&canary.url("127.0.0.1"))).await;
    let url = server.url("127.0.0.1");
    let post = StreamedCall { follow_one_redirect: true, ..StreamedCall::new(Method::POST, url.clone()) };
    let with_body = StreamedCall { body: Bytes::from_static(b"x").into(), ..following(url.clone()) };
    for call in [get(url), post, with_body] {
        assert_eq!(egress().call_streamed(call).await.unwrap().status, 307);
    }
    assert_eq!(canary.connections_before_probe().await, 0);
}

#[tokio::test]
async fn rejects_a_redirect_from_https_to_http() {
    let canary = TestServer::start(Reply::ok()).await;
    let to = redirect_to(&canary.url("127.0.0.1"));
    let server = TestServer::start_at("127.0.0.1:0", to, Some(acceptor(&[]))).await;
    let url = server.url("receiver.test").replace("http:", "https:");
    let failed = egress().call_streamed(following(url)).await.unwrap_err();
    let sentence = "The response redirects from https:// to another scheme, which is not followed.";
    assert_eq!(failed.error, EgressError::Forbidden(sentence.to_owned()));
    assert!(failed.may_have_arrived);
    assert_eq!(canary.connections_before_probe().await, 0);
}

#[tokio::test]
async fn rejects_a_redirect_to_a_forbidden_address() {
    for location in ["http://10.0.0.1/", "http://169.254.169.254/latest", "http://[fe80::1]/"] {
        let server = TestServer::start(redirect_to(location)).await;
        let failed = egress().call_streamed(following(server.url("127.0.0.1"))).await.unwrap_err();
        assert!(matches!(failed.error, EgressError::Forbidden(_)), "{location}: {failed:?}");
        assert!(failed.may_have_arrived, "the first request arrived");
    }
    let server = TestServer::start(redirect_to("http://inside.test/")).await;
    let resolver = Answers::new(&[&["10.0.0.1"]]);
    let failed =
        egress_with(development(), &resolver).call_streamed(following(server.url("127.0.0.1"))).await.unwrap_err();
    let sentence = "inside.test resolves to an address that is never called.";
    assert_eq!(failed.error, EgressError::Forbidden(sentence.to_owned()));
    assert!(failed.may_have_arrived);
}

#[tokio::test]
async fn rejects_a_private_address_and_sends_nothing() {
    let canary = TestServer::start(Reply::ok()).await;
    let resolver = Answers::new(&[&["127.0.0.1"]]);
    let egress = egress_with(EgressSettings::default(), &resolver);
    for host in ["127.0.0.1", "localhost", "10.0.0.1", "rebind.test"] {
        let url = canary.url(host).replace("http:", "https:");
        let failed = egress.call_streamed(get(url)).await.unwrap_err();
        assert!(matches!(failed.error, EgressError::Forbidden(_)), "{host}: {failed:?}");
        assert!(!failed.may_have_arrived);
    }
    assert_eq!(canary.connections_before_probe().await, 0);
}
