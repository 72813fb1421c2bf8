//! A client of the REST API.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use super::Patience;

#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    key: Option<String>,
}

/// A complete response, or the first chunk of a stream.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
    pub text: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text))
    }

    /// Returns the JSON of the response, which must have this status.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        if self.text.is_empty() { Value::Null } else { self.json() }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }
}

impl Client {
    pub fn new(base: &str, key: Option<&str>) -> Self {
        Self::from_address(base, key, None)
    }

    /// Creates a client with this local address.
    pub fn from_address(base: &str, key: Option<&str>, address: Option<IpAddr>) -> Self {
        // An error means that it is installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // The server closes connections that are idle for five seconds, possibly just when one is reused.
        let http = reqwest::Client::builder()
            .timeout(Duration::from_secs(30))
            .pool_idle_timeout(Duration::from_millis(500))
            .no_proxy()
            // The servers of tests use plain HTTP; loading the system's certificates takes time.
            .tls_certs_only([])
            .local_address(address)
            .build()
            .unwrap();
        Self { http, base: base.to_owned(), key: key.map(ToOwned::to_owned) }
    }

    /// Returns a client of the same server with another key.
    pub fn with_key(&self, key: Option<&str>) -> Self {
        Self { key: key.map(ToOwned::to_owned), ..self.clone() }
    }

    /// Sends a request unchanged; `Err` if no complete response arrived.
    pub async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Vec<u8>>,
    ) -> Result<Reply, reqwest::Error> {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = self.http.request(method, format!("{}{path}", self.base));
        if let Some(key) = &self.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.body(body);
        }
        let mut answer = request.send().await?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        // A stream has no end, so only its first chunk is read.
        let is_live = headers.get("content-type").is_some_and(|it| it == "text/event-stream");
        let bytes = match is_live {
            true => answer.chunk().await?.unwrap_or_default().to_vec(),
            false => answer.bytes().await?.to_vec(),
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(Reply { status, headers, bytes, text })
    }

    pub async fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Reply {
        let (kind, bytes) = match body {
            None => (None, None),
            // A JSON string as the body is a CSV table.
            Some(Value::String(table)) => (Some("text/csv"), Some(table.clone().into_bytes())),
            Some(body) => (Some("application/json"), Some(serde_json::to_vec(body).unwrap())),
        };
        let headers: Vec<(&str, &str)> = kind.into_iter().map(|kind| ("content-type", kind)).collect();
        let headers = headers.as_slice();
        self.send(method, path, headers, bytes).await.unwrap_or_else(|error| panic!("{method} {path}: {error:?}"))
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.call("GET", path, None).await
    }

    /// Returns the objects of a page.
    pub async fn list(&self, path: &str) -> Vec<Value> {
        self.get(path).await.expect(200)["data"].as_array().unwrap().clone()
    }

    /// Returns the only object of a list.
    pub async fn only(&self, path: &str) -> Value {
        let mut list = self.list(path).await;
        assert_eq!(list.len(), 1, "{path}: {list:?}");
        list.remove(0)
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.call("POST", path, Some(body)).await
    }

    /// Creates an object; returns its ID.
    pub async fn create(&self, path: &str, body: &Value) -> String {
        self.post(path, body).await.expect(201)["id"].as_str().unwrap().to_owned()
    }

    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        self.call("PUT", path, Some(body)).await
    }

    pub async fn delete(&self, path: &str) -> Reply {
        self.call("DELETE", path, None).await
    }

    /// Creates and publishes a flow; returns its ID.
    pub async fn publish_flow(&self, name: &str, definition: &Value) -> String {
        let flow = self.create("/api/v1/flows", &json!({"name": name, "definition": definition})).await;
        self.post(&format!("/api/v1/flows/{flow}/publish"), &json!({})).await.expect(200);
        flow
    }

    /// Repeats the request until the response has this status, as long as the responses change.
    pub async fn until_status(&self, path: &str, status: u16) -> Reply {
        self.until_reply(path, |reply| reply.status == status).await
    }

    /// Repeats the request until the response matches, as long as the responses change.
    pub async fn until(&self, path: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        self.until_reply(path, |reply| reply.status == 200 && wanted(&reply.json())).await.json()
    }

    /// Repeats the request until its credential is rejected, which must happen within five seconds.
    pub async fn until_refused(&self, path: &str) {
        let (began, bound) = (Instant::now(), Duration::from_secs(5));
        loop {
            let asked = Instant::now();
            let reply = self.get(path).await;
            if reply.status == 401 {
                return;
            }
            assert!(asked - began < bound, "{path} stays {} for {bound:?}: {}", reply.status, reply.text);
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }

    /// Repeats the request until the response matches; fails once the responses no longer change.
    async fn until_reply(&self, path: &str, wanted: impl Fn(&Reply) -> bool) -> Reply {
        let mut patience = Patience::new();
        loop {
            let reply = self.get(path).await;
            if wanted(&reply) {
                return reply;
            }
            let may_wait = patience.allows((reply.status, reply.text.clone()));
            assert!(may_wait, "{path} stays {}: {}", reply.status, reply.text);
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }
}
