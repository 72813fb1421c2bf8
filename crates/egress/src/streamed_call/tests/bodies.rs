//! Streamed bodies, sizes and time limits.

use super::*;

#[tokio::test]
async fn streams_a_body_of_unknown_length_in_chunks() {
    let server = TestServer::start(Reply::ok()).await;
    let body = Body::stream(pieces(&["one,", "two"]));
    let answer = egress().call_streamed(put(server.url("127.0.0.1"), body)).await.unwrap();
    assert_eq!((answer.status, &answer.body.read_rest().await.unwrap()[..]), (200, &b"ok"[..]));
    let request = server.requests().remove(0);
    assert!(request.starts_with("PUT /hook HTTP/1.1\r\n"), "{request}");
    assert!(request.ends_with("\r\n\r\n4\r\none,\r\n3\r\ntwo\r\n0\r\n\r\n"), "{request}");
}

#[tokio::test]
async fn announces_the_length_of_a_sized_body() {
    let server = TestServer::start(Reply::ok()).await;
    let body = Body::sized(pieces(&["one,", "two"]), 7);
    egress().call_streamed(put(server.url("127.0.0.1"), body)).await.unwrap();
    let request = server.requests().remove(0);
    assert!(request.contains("content-length: 7\r\n") && request.ends_with("\r\n\r\none,two"), "{request}");
    assert!(!request.contains("transfer-encoding"), "{request}");
}

#[tokio::test]
async fn sends_a_form_with_its_length() {
    let server = TestServer::start(Reply::ok()).await;
    let form = Multipart::new().unwrap().text("chat_id", "42");
    let form = form.file("photo", "ä.png", "image/png", Body::sized(pieces(&["png"]), 3)).unwrap();
    let (media_type, body) = form.into_body();
    let length = body.length().unwrap();
    let mut call = put(server.url("127.0.0.1"), body);
    call.headers.insert("content-type", media_type);
    egress().call_streamed(call).await.unwrap();
    let request = server.requests().remove(0);
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("content-type: multipart/form-data; boundary=tidings-"), "{head}");
    assert!(head.contains(&format!("content-length: {length}")), "{head}");
    assert_eq!(body.len() as u64, length);
    assert!(body.contains("filename=\"ä.png\"\r\nContent-Type: image/png\r\n\r\npng\r\n--tidings-"), "{body}");
}

#[tokio::test]
async fn fails_if_the_source_fails_or_has_another_length() {
    let broken = pieces(&["one,"]).chain(stream::iter([Err(io::Error::other("hunter2"))]));
    for body in
        [Body::stream(broken), Body::sized(pieces(&["one,"]), 7), Body::sized(pieces(&["one,", "two", "three"]), 7)]
    {
        let server = TestServer::start(Reply::ok()).await;
        let failed = egress().call_streamed(put(server.url("127.0.0.1"), body)).await.unwrap_err();
        let sentence = "The body of the request could not be read to its end.";
        assert_eq!(failed.error, EgressError::Failed(sentence.to_owned()));
        assert!(failed.may_have_arrived);
        assert!(server.requests().is_empty());
    }
}

#[tokio::test]
async fn streams_a_response_larger_than_memory_bounds_of_other_calls() {
    let length = 3_000_000;
    let reply = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{}", "y".repeat(length));
    let server = TestServer::start(Reply::text(&reply)).await;
    let mut call = get(server.url("127.0.0.1"));
    call.bounds.max_body = length as u64;
    let answer = egress().call_streamed(call).await.unwrap();
    let chunks: Vec<Bytes> = answer.body.into_stream().try_collect().await.unwrap();
    assert!(chunks.len() > 1);
    assert_eq!(chunks.iter().map(Bytes::len).sum::<usize>(), length);
}

#[tokio::test]
async fn rejects_an_announced_length_before_it_reads_the_body() {
    let server = TestServer::start(Reply::Endless).await;
    let mut answer = egress().call_streamed(get(server.url("127.0.0.1"))).await.unwrap();
    assert_eq!(answer.body.chunk().await, Err(AnswerBodyError::TooLarge { max_body: 1024 * 1024 }));
    assert_eq!(answer.body.chunk().await, Ok(None));
    server.hung_up().await;
}

#[tokio::test]
async fn stops_reading_at_the_largest_size() {
    let server = TestServer::start(Reply::Unannounced).await;
    let mut call = get(server.url("127.0.0.1"));
    call.bounds.max_body = 100_000;
    let mut answer = egress().call_streamed(call).await.unwrap();
    let mut read = 0;
    let error = loop {
        match answer.body.chunk().await {
            Ok(chunk) => read += chunk.unwrap().len(),
            Err(error) => break error,
        }
    };
    assert_eq!(error, AnswerBodyError::TooLarge { max_body: 100_000 });
    assert!(read <= 100_000, "{read}");
    server.hung_up().await;
}

#[tokio::test]
async fn accepts_a_body_of_exactly_the_largest_size() {
    let server = TestServer::start(Reply::text("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfull")).await;
    for (max_body, whole) in [(4, Ok(Bytes::from_static(b"full"))), (3, Err(AnswerBodyError::TooLarge { max_body: 3 }))]
    {
        let mut call = get(server.url("127.0.0.1"));
        call.bounds.max_body = max_body;
        assert_eq!(egress().call_streamed(call).await.unwrap().body.read_rest().await, whole);
    }
}

#[tokio::test]
async fn reports_a_response_that_ends_too_early() {
    let server = TestServer::start(Reply::Cut(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf".to_vec())).await;
    let answer = egress().call_streamed(get(server.url("127.0.0.1"))).await.unwrap();
    assert!(matches!(answer.body.read_rest().await, Err(AnswerBodyError::Failed(_))));
}

#[tokio::test]
async fn limits_the_wait_for_the_head() {
    let server = TestServer::start(Reply::Silence).await;
    let mut call = get(server.url("127.0.0.1"));
    call.bounds.head = Duration::from_millis(100);
    let failed = egress().call_streamed(call).await.unwrap_err();
    assert_eq!(failed, CallError { error: EgressError::TimedOut, may_have_arrived: true });
}

#[tokio::test]
async fn limits_the_wait_for_the_source_of_a_request() {
    let server = TestServer::start(Reply::ok()).await;
    let mut call = put(server.url("127.0.0.1"), Body::stream(stream::pending()));
    call.bounds.head = Duration::from_millis(100);
    assert_eq!(egress().call_streamed(call).await.unwrap_err().error, EgressError::TimedOut);
}

#[tokio::test]
async fn limits_the_wait_for_the_next_bytes() {
    let server = TestServer::start(Reply::text("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf")).await;
    let mut call = get(server.url("127.0.0.1"));
    call.bounds.idle = Duration::from_millis(100);
    let mut answer = egress().call_streamed(call).await.unwrap();
    assert_eq!(answer.body.chunk().await, Ok(Some(Bytes::from_static(b"half"))));
    assert_eq!(answer.body.chunk().await, Err(AnswerBodyError::TimedOut));
    assert_eq!(answer.body.chunk().await, Ok(None));
    server.hung_up().await;
}

#[tokio::test]
async fn limits_the_whole_time_of_a_body_that_drips() {
    let server = TestServer::start(Reply::Drip).await;
    let mut call = get(server.url("127.0.0.1"));
    call.bounds.total = Duration::from_millis(200);
    let answer = egress().call_streamed(call).await.unwrap();
    assert_eq!(answer.body.read_rest().await, Err(AnswerBodyError::TimedOut));
    server.hung_up().await;
}

#[tokio::test]
async fn continues_after_a_caller_stopped_waiting() {
    let server = TestServer::start(Reply::text("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf")).await;
    let mut call = get(server.url("127.0.0.1"));
    call.bounds.idle = Duration::from_millis(300);
    let mut answer = egress().call_streamed(call).await.unwrap();
    answer.body.chunk().await.unwrap();
    assert!(tokio::time::timeout(Duration::from_millis(20), answer.body.chunk()).await.is_err());
    assert_eq!(answer.body.chunk().await, Err(AnswerBodyError::TimedOut), "the body must not end without an error");
}
