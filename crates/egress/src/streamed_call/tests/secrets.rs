//! Secrets in URLs and headers are in no error, no `Debug` text and no log line.

use std::sync::Mutex;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;

use super::*;

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'writer> MakeWriter<'writer> for Log {
    type Writer = Self;

    fn make_writer(&'writer self) -> Self {
        self.clone()
    }
}

/// The levels are the most detailed ones that the server can be set to.
fn record(log: &Log) -> tracing::subscriber::DefaultGuard {
    let layer = tracing_subscriber::fmt::layer().with_writer(log.clone()).with_ansi(false);
    let levels = Targets::new().with_default(LevelFilter::WARN).with_target("tidings", LevelFilter::TRACE);
    tracing::subscriber::set_default(tracing_subscriber::registry().with(levels).with(layer))
}

#[tokio::test]
async fn a_secret_is_in_no_error_and_in_no_log_line() {
    let log = Log::default();
    let guard = record(&log);
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let cut = TestServer::start(Reply::Cut(b"HTTP/1.1 200 OK\r\n".to_vec())).await;
    let garbage = TestServer::start(Reply::text("SMTP ready\r\n\r\n")).await;
    let silent = TestServer::start(Reply::Silence).await;
    let away = TestServer::start(redirect_to("http://10.0.0.1/bothunter2/x")).await;
    let scheme = TestServer::start(redirect_to("gopher://127.0.0.1/bothunter2/x")).await;
    let untrusted = TestServer::start_tls().await;
    let missing = egress_with(development(), &Answers::new(&[]));
    let long = format!("http://127.0.0.1/bothunter2/{}", "x".repeat(3_000));
    for (egress, base) in [
        (egress(), format!("http://{closed}")),
        (egress(), format!("http://{}", cut.address)),
        (egress(), format!("http://{}", garbage.address)),
        (egress(), format!("http://{}", silent.address)),
        (egress(), format!("http://{}", away.address)),
        (egress(), format!("http://{}", scheme.address)),
        (egress(), format!("https://other.test:{}", untrusted.address.port())),
        (egress(), "https://10.0.0.1".to_owned()),
        (egress(), "ftp://files.test".to_owned()),
        (egress(), "https://files.test:99999".to_owned()),
        (egress(), long),
        (missing, "https://missing.test".to_owned()),
    ] {
        let mut call = following(format!("{base}/bothunter2/getFile?sig=hunter2"));
        call.headers.insert("authorization", HeaderValue::from_static("Bearer hunter2"));
        call.bounds.head = Duration::from_millis(500);
        assert!(!format!("{call:?}").contains("hunter2"), "{call:?}");
        let failed = egress.call_streamed(call).await.unwrap_err();
        assert!(!format!("{failed:?} {failed}").contains("hunter2"), "{base}: {failed:?}");
    }
    drop(guard);
    let written = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(written.contains("call failed"), "the log was not recorded: {written}");
    assert!(!written.contains("hunter2"), "{written}");
}

#[tokio::test]
async fn a_secret_is_not_in_the_debug_text_of_a_response() {
    let server = TestServer::start(Reply::ok()).await;
    let url = server.url("127.0.0.1").replace("/hook", "/bothunter2/getMe");
    let answer = egress().call_streamed(get(url)).await.unwrap();
    assert!(server.requests()[0].starts_with("GET /bothunter2/getMe HTTP/1.1\r\n"));
    assert!(!format!("{answer:?}").contains("hunter2"), "{answer:?}");
}
