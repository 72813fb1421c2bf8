//! The client: one for the whole process, so that connections are kept and used again.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::Method;
use reqwest::header::HeaderMap;
use rustls::RootCertStore;
use url::{Host, Url};

use crate::failure::{CallError, EgressError};
use crate::lookup::{CheckedResolver, FOUND, Found};
use crate::network::Network;
use crate::resolve::{Resolve, SystemResolver};
use crate::tls;
use crate::wall::{Refused, Wall};

#[cfg(test)]
mod tests;

/// How calls are bounded. The default is what is promised for webhooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EgressSettings {
    /// Lets `http:` and loopback addresses through; for development only.
    pub allow_loopback: bool,
    /// Where this service itself is reached; never called.
    pub own_addresses: Vec<IpAddr>,
    /// Private networks in which the operator lets calls go; none.
    pub allowed_networks: Vec<Network>,
    /// Hosts that may be called by `http:`, as [`Wall::plain_http_host`] returns them; none.
    pub plain_http_hosts: Vec<String>,
    /// The longest wait for a name look-up; 3 s.
    pub lookup_time_out: Duration,
    /// The longest wait for an open connection: look-up, TCP and TLS together; 5 s.
    pub connect_time_out: Duration,
    /// How long a connection is kept that nothing is sent on; 4 s. Many servers close theirs after 5 s (Node's
    /// `server.keepAliveTimeout`, Apache's `KeepAliveTimeout`), and whether a request arrived that met the end of its
    /// connection is not known.
    pub keep_idle: Duration,
    /// The longest wait for the whole answer, from the look-up to the last byte of the body; 15 s.
    pub total_time_out: Duration,
    /// How many bytes of an answer's body are read before the rest is given up; 16 KiB.
    pub read_limit: usize,
    /// How many of the bytes read are kept; 4 KiB.
    pub keep_limit: usize,
}

impl Default for EgressSettings {
    fn default() -> Self {
        Self {
            allow_loopback: false,
            own_addresses: Vec::new(),
            allowed_networks: Vec::new(),
            plain_http_hosts: Vec::new(),
            lookup_time_out: Duration::from_secs(3),
            connect_time_out: Duration::from_secs(5),
            keep_idle: Duration::from_secs(4),
            total_time_out: Duration::from_secs(15),
            read_limit: 16 * 1024,
            keep_limit: 4 * 1024,
        }
    }
}

impl EgressSettings {
    /// The wall that they make.
    pub fn wall(&self) -> Wall {
        Wall::new(self.allow_loopback, self.own_addresses.clone())
            .opening(self.allowed_networks.clone())
            .with_plain_http(self.plain_http_hosts.clone())
    }
}

/// A `POST`, ready to go.
#[derive(Debug, Clone)]
pub struct Request {
    /// An absolute URL; checked again on every call.
    pub url: String,
    /// Headers, in addition to those that HTTP itself needs.
    pub headers: HeaderMap,
    /// The body, sent as it is.
    pub body: Bytes,
}

/// What came back: status, headers and the bounded body arrived in time.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The HTTP status; 3xx too, since redirects are not followed.
    pub status: u16,
    /// All headers of the answer.
    pub headers: HeaderMap,
    /// The first bytes of the body, at most [`EgressSettings::keep_limit`], never decompressed.
    pub body: Bytes,
}

/// A call of any method, ready to go, whose answer is read as a whole.
#[derive(Debug, Clone)]
pub struct Call {
    /// What it asks for.
    pub method: Method,
    /// An absolute URL; checked again on every call.
    pub url: String,
    /// Headers, in addition to those that HTTP itself needs.
    pub headers: HeaderMap,
    /// The body, sent as it is; none where there is none.
    pub body: Option<Bytes>,
    /// The most bytes of the answer's body.
    pub most: usize,
}

/// What came back of a [`Call`] in time.
#[derive(Debug, Clone)]
pub struct WholeAnswer {
    /// The HTTP status; 3xx too, since redirects are not followed.
    pub status: u16,
    /// All headers of the answer.
    pub headers: HeaderMap,
    /// The body, never decompressed; `None` where it is longer than it may be, and was not read to its end.
    pub body: Option<Bytes>,
}

/// The client could not be built; only a defect of the TLS set-up causes it.
#[derive(Debug, thiserror::Error)]
#[error("the HTTP client could not be set up: {0}")]
pub struct SetupError(String);

/// The guarded HTTP client. A clone shares connections with its original.
#[derive(Debug, Clone)]
pub struct Egress {
    wall: Arc<Wall>,
    resolver: CheckedResolver,
    client: reqwest::Client,
    settings: Arc<EgressSettings>,
}

impl Egress {
    /// A client that looks names up with the operating system and trusts the public authorities.
    ///
    /// # Errors
    /// [`SetupError`] if TLS cannot be set up.
    pub fn new(settings: EgressSettings) -> Result<Self, SetupError> {
        Self::with_resolver(settings, Arc::new(SystemResolver::new()))
    }

    /// The same with another resolver. What it answers is checked as well.
    ///
    /// # Errors
    /// [`SetupError`] if TLS cannot be set up.
    pub fn with_resolver(settings: EgressSettings, resolver: Arc<dyn Resolve>) -> Result<Self, SetupError> {
        Self::build(settings, resolver, tls::public_roots())
    }

    fn build(settings: EgressSettings, resolver: Arc<dyn Resolve>, roots: RootCertStore) -> Result<Self, SetupError> {
        let wall = Arc::new(settings.wall());
        let checked = CheckedResolver { wall: Arc::clone(&wall), resolver, time_out: settings.lookup_time_out };
        let tls = tls::client_config(roots).map_err(|error| SetupError(error.to_string()))?;
        #[expect(clippy::disallowed_methods, reason = "this is the wall that the others are sent to")]
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .dns_resolver(checked.clone())
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .connect_timeout(settings.connect_time_out)
            // Briefly for another reason, too: a kept connection leads where its name led when it was opened.
            .pool_idle_timeout(settings.keep_idle)
            .pool_max_idle_per_host(8)
            .build()
            .map_err(|error| SetupError(error.to_string()))?;
        Ok(Self { wall, resolver: checked, client, settings: Arc::new(settings) })
    }

    /// Checks a URL without looking its name up: for the moment when it is entered.
    ///
    /// # Errors
    /// [`Refused`] with a sentence for the person who entered it.
    pub fn check(&self, url: &str) -> Result<Url, Refused> {
        self.wall.check_url(url)
    }

    /// Checks the URL and sends the body to it, once.
    ///
    /// # Errors
    /// [`EgressError::Forbidden`] if the wall refuses the URL or any address of its name, [`EgressError::TimedOut`]
    /// and [`EgressError::Failed`] if no complete answer came.
    pub async fn post(&self, request: Request) -> Result<Answer, EgressError> {
        self.call(request).await.map_err(|failed| failed.error)
    }

    /// As [`Egress::post`]; the error also tells whether the request may have arrived, for callers that may not send
    /// twice.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn call(&self, request: Request) -> Result<Answer, CallError> {
        // The HTTP client does not ask its resolver about literal addresses: they are checked here.
        let url = self.check(&request.url)?;
        self.in_time(async {
            let response = self.send(Method::POST, url, request.headers, Some(request.body)).await?;
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            let body = self.read(response).await?;
            Ok(Answer { status, headers, body })
        })
        .await
    }

    /// Checks the URL and makes the call, once; reads the answer as a whole or not at all.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn fetch(&self, call: Call) -> Result<WholeAnswer, CallError> {
        let url = self.check(&call.url)?;
        self.in_time(async {
            let response = self.send(call.method, url, call.headers, call.body).await?;
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            let body = read_whole(response, call.most).await?;
            Ok(WholeAnswer { status, headers, body })
        })
        .await
    }

    async fn in_time<T>(&self, exchange: impl Future<Output = Result<T, CallError>>) -> Result<T, CallError> {
        let timed_out = CallError { error: EgressError::TimedOut, may_have_arrived: true };
        tokio::time::timeout(self.settings.total_time_out, exchange).await.unwrap_or(Err(timed_out))
    }

    /// Sends a request whose URL was checked, and waits for the head of the answer.
    async fn send(
        &self,
        method: Method,
        url: Url,
        headers: HeaderMap,
        body: Option<Bytes>,
    ) -> Result<reqwest::Response, CallError> {
        // Every call looks its host up, be a connection kept or not: a name that leads astray is refused at once.
        let found = match url.host() {
            Some(Host::Domain(name)) => Found { addresses: self.resolver.look_up(name).await?, name: name.to_owned() },
            _ => Found { name: String::new(), addresses: Vec::new() },
        };
        let request = self.client.request(method, url).headers(headers);
        let sending = match body {
            Some(body) => request.body(body),
            None => request,
        };
        Ok(FOUND.scope(found, sending.send()).await?)
    }

    /// Reads on after `keep_limit`, because a connection whose answer was read to its end can be used again.
    async fn read(&self, mut response: reqwest::Response) -> Result<Bytes, CallError> {
        let (mut read, mut kept) = (0_usize, BytesMut::new());
        while read < self.settings.read_limit {
            let Some(chunk) = response.chunk().await? else { break };
            read = read.saturating_add(chunk.len());
            let room = self.settings.keep_limit.saturating_sub(kept.len());
            kept.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
        }
        Ok(kept.freeze())
    }
}

/// The body, unless it is longer than that.
async fn read_whole(mut response: reqwest::Response, most: usize) -> Result<Option<Bytes>, CallError> {
    let mut whole = BytesMut::new();
    while let Some(chunk) = response.chunk().await? {
        if whole.len().saturating_add(chunk.len()) > most {
            return Ok(None);
        }
        whole.extend_from_slice(&chunk);
    }
    Ok(Some(whole.freeze()))
}
