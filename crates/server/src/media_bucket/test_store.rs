//! A bucket in memory, with the part of the API of S3 that is used.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use reqwest::Url;
use rusty_s3::{Bucket, Credentials, UrlStyle};
use tidings_egress::{Egress, EgressSettings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use super::MediaBucket;
use crate::settings::S3Settings;

/// The time at which all objects were written.
pub(super) const WRITTEN: &str = "2026-06-01T12:00:00.000Z";
pub(super) const SECRET: &str = "hunter2";
const NAMESPACE: &str = "http://s3.amazonaws.com/doc/2006-03-01/";
/// The smallest part, except the last one.
const LEAST_PART: usize = 5 * 1024 * 1024;
/// The largest number of keys of a page.
const PAGE: usize = 2;

#[derive(Default)]
pub(super) struct State {
    pub(super) objects: BTreeMap<String, Vec<u8>>,
    /// The parts of unfinished uploads.
    pub(super) uploads: BTreeMap<String, BTreeMap<u16, Vec<u8>>>,
    /// Method and URL of each call.
    pub(super) calls: Vec<(String, Url)>,
    /// Responses to the next calls, which change nothing.
    answers: VecDeque<(u16, String)>,
}

pub(super) struct TestStore {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    called: Arc<Notify>,
}

struct Response {
    status: u16,
    tag: Option<String>,
    body: Vec<u8>,
}

impl TestStore {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let store =
            Self { address: listener.local_addr().unwrap(), state: Arc::default(), called: Arc::new(Notify::new()) };
        let (state, called) = (Arc::clone(&store.state), Arc::clone(&store.called));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&state), Arc::clone(&called)));
            }
        });
        store
    }

    /// Returns the bucket `files` with the prefix `t/`.
    pub(super) fn bucket(&self) -> MediaBucket {
        let endpoint = format!("http://{}", self.address).parse().unwrap();
        let bucket = Bucket::new(endpoint, UrlStyle::Path, "files", "us-east-1").unwrap();
        let credentials = Credentials::new("key", SECRET);
        let egress = EgressSettings { any_address: true, ..EgressSettings::default() };
        MediaBucket::new(S3Settings { bucket, prefix: "t/".to_owned(), credentials }, Egress::new(egress).unwrap())
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Answers the next call with this error.
    pub(super) fn refuse(&self, status: u16, code: &str) {
        self.state().answers.push_back((status, error(code)));
    }

    /// Waits until a call leads to this state.
    pub(super) async fn until(&self, wanted: impl Fn(&State) -> bool) {
        loop {
            let called = self.called.notified();
            if wanted(&self.state()) {
                return;
            }
            called.await;
        }
    }
}

fn error(code: &str) -> String {
    format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>{SECRET}</Message></Error>")
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>, called: Arc<Notify>) {
    while let Some((head, body)) = read_request(&mut stream).await {
        let mut words = head.split(' ');
        let (method, target) = (words.next().unwrap().to_owned(), words.next().unwrap());
        let url = Url::parse(&format!("http://store{target}")).unwrap();
        let range = head.lines().find_map(|line| line.strip_prefix("range: bytes="));
        let response = {
            let mut state = state.lock().unwrap();
            state.calls.push((method.clone(), url.clone()));
            match state.answers.pop_front() {
                Some((status, body)) => Response { status, tag: None, body: body.into_bytes() },
                None => state.respond(&method, &url, range, body),
            }
        };
        let tag = response.tag.map(|tag| format!("etag: \"{tag}\"\r\n")).unwrap_or_default();
        let (status, length) = (response.status, response.body.len());
        let head = format!("HTTP/1.1 {status} Status\r\n{tag}content-length: {length}\r\n\r\n");
        called.notify_waiters();
        if stream.write_all(&[head.into_bytes(), response.body].concat()).await.is_err() {
            return;
        }
    }
}

/// Returns the head and the body; `None` at the end of the connection.
async fn read_request(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).unwrap();
    assert!(!head.starts_with('P') || head.contains("content-length: "), "S3 requires the length: {head}");
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
    let mut body = vec![0; length.parse().unwrap()];
    stream.read_exact(&mut body).await.ok()?;
    Some((head, body))
}

impl State {
    fn respond(&mut self, method: &str, url: &Url, range: Option<&str>, body: Vec<u8>) -> Response {
        let query: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
        let key = url.path().strip_prefix("/files/").unwrap().to_owned();
        let upload = query.get("uploadId").cloned();
        match (method, upload) {
            ("GET", None) if query.contains_key("list-type") => ok(self.list(&query)),
            ("GET", None) => self.read(&key, range.unwrap()),
            ("PUT", None) => {
                self.objects.insert(key, body);
                Response { tag: Some("whole".to_owned()), ..ok(String::new()) }
            }
            ("PUT", Some(upload)) => {
                let number: u16 = query["partNumber"].parse().unwrap();
                self.uploads.get_mut(&upload).unwrap().insert(number, body);
                Response { tag: Some(format!("part-{number}")), ..ok(String::new()) }
            }
            ("POST", None) => {
                let id = format!("upload-{}", self.uploads.len());
                self.uploads.insert(id.clone(), BTreeMap::new());
                ok(format!(
                    "<InitiateMultipartUploadResult xmlns=\"{NAMESPACE}\"><UploadId>{id}</UploadId>\
                     </InitiateMultipartUploadResult>"
                ))
            }
            ("POST", Some(upload)) => self.complete(key, &upload, &String::from_utf8(body).unwrap()),
            ("DELETE", None) => {
                self.objects.remove(&key);
                Response { status: 204, ..ok(String::new()) }
            }
            ("DELETE", Some(upload)) => {
                self.uploads.remove(&upload);
                Response { status: 204, ..ok(String::new()) }
            }
            other => panic!("unexpected call: {other:?}"),
        }
    }

    fn read(&self, key: &str, range: &str) -> Response {
        let Some(bytes) = self.objects.get(key) else { return failed(404, "NoSuchKey") };
        let (first, last) = range.split_once('-').unwrap();
        let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
        match bytes.get(first..bytes.len().min(last.saturating_add(1))) {
            Some(part) if !part.is_empty() => Response { status: 206, tag: None, body: part.to_vec() },
            _ => failed(416, "InvalidRange"),
        }
    }

    fn complete(&mut self, key: String, upload: &str, body: &str) -> Response {
        let parts = self.uploads.remove(upload).unwrap();
        for number in parts.keys() {
            assert!(body.contains(&format!("part-{number}")), "{body}");
        }
        if parts.values().rev().skip(1).any(|part| part.len() < LEAST_PART) {
            return failed(400, "EntityTooSmall");
        }
        self.objects.insert(key, parts.into_values().collect::<Vec<_>>().concat());
        ok(format!(
            "<CompleteMultipartUploadResult xmlns=\"{NAMESPACE}\"><ETag>\"all\"</ETag>\
             </CompleteMultipartUploadResult>"
        ))
    }

    fn list(&self, query: &BTreeMap<String, String>) -> String {
        let after = query.get("continuation-token").or(query.get("start-after")).cloned().unwrap_or_default();
        let keys = self.objects.keys().filter(|key| key.starts_with(&query["prefix"]) && **key > after);
        let keys: Vec<&String> = keys.collect();
        let page: Vec<&String> = keys.iter().copied().take(PAGE).collect();
        let contents: String = page
            .iter()
            .map(|key| format!("<Contents><Key>{key}</Key><LastModified>{WRITTEN}</LastModified></Contents>"))
            .collect();
        let is_truncated = keys.len() > page.len();
        let token = page.last().filter(|_| is_truncated);
        let token = token.map(|key| format!("<NextContinuationToken>{key}</NextContinuationToken>"));
        format!(
            "<ListBucketResult xmlns=\"{NAMESPACE}\"><IsTruncated>{is_truncated}</IsTruncated>{contents}{}\
             </ListBucketResult>",
            token.unwrap_or_default()
        )
    }
}

fn ok(body: String) -> Response {
    Response { status: 200, tag: None, body: body.into_bytes() }
}

fn failed(status: u16, code: &str) -> Response {
    Response { status, tag: None, body: error(code).into_bytes() }
}
