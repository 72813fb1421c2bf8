//! The client. The process has one, and its clones share its connections.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::Method;
use reqwest::header::HeaderMap;
use rustls::{ClientConfig, RootCertStore};
use url::{Host, Url};

use crate::address_filter::{AddressFilter, AddressRefusal};
use crate::authorities::Authorities;
use crate::body::Body;
use crate::failure::{CallError, EgressError};
use crate::lookup::{CheckedResolver, FOUND, ResolvedHost};
use crate::lookup_shares::LookupShares;
use crate::network::Network;
use crate::resolve::{Resolve, SystemResolver};
use crate::tls;

#[cfg(test)]
mod tests;

/// The addresses that may be called, and the bounds of calls. The default is documented for webhooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EgressSettings {
    /// Allows `http:` and loopback addresses; for development only.
    pub allow_loopback: bool,
    /// The addresses of this service; they are never called.
    pub own_addresses: Vec<IpAddr>,
    /// Private networks that the operator allows; none.
    pub allowed_networks: Vec<Network>,
    /// Hosts that may be called by `http:`, as [`AddressFilter::plain_http_host`] returns them; none.
    pub plain_http_hosts: Vec<String>,
    /// Allows `http:` and every address; false. Only for a client that calls addresses from the settings of the
    /// operator.
    pub any_address: bool,
    /// Certificate authorities that are trusted in addition to the public ones; none.
    pub authorities: Authorities,
    /// The longest wait for a name look-up; 3 s.
    pub lookup_time_out: Duration,
    /// The longest wait for an open connection: look-up, TCP and TLS together; 5 s.
    pub connect_time_out: Duration,
    /// The time after which an idle connection is closed; 4 s. Many servers close theirs after 5 s (Node's
    /// `server.keepAliveTimeout`, Apache's `KeepAliveTimeout`). If a request meets the end of its connection, it is not
    /// known whether the request arrived.
    pub keep_idle: Duration,
    /// The longest wait for the whole answer, from the look-up to the last byte of the body; 15 s.
    pub total_time_out: Duration,
    /// The number of bytes of an answer's body that are read; 16 KiB. The connection is closed before the rest.
    pub read_limit: usize,
    /// The number of these bytes that are returned; 4 KiB.
    pub keep_limit: usize,
}

impl Default for EgressSettings {
    fn default() -> Self {
        Self {
            allow_loopback: false,
            own_addresses: Vec::new(),
            allowed_networks: Vec::new(),
            plain_http_hosts: Vec::new(),
            any_address: false,
            authorities: Authorities::default(),
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
    /// Returns the address filter of these settings.
    pub fn address_filter(&self) -> AddressFilter {
        AddressFilter::new(self.allow_loopback, self.own_addresses.clone())
            .opening(self.allowed_networks.clone())
            .with_plain_http(self.plain_http_hosts.clone())
            .allowing_any_address(self.any_address)
    }
}

/// A `POST`.
#[derive(Debug, Clone)]
pub struct Request {
    /// An absolute URL; checked again on every call.
    pub url: String,
    /// Headers, in addition to those that HTTP itself needs.
    pub headers: HeaderMap,
    /// The body, sent as it is.
    pub body: Bytes,
}

/// A response with its bounded body. All of it arrived in time.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The HTTP status; 3xx too, since redirects are not followed.
    pub status: u16,
    /// All headers of the answer.
    pub headers: HeaderMap,
    /// The first bytes of the body, at most [`EgressSettings::keep_limit`], never decompressed.
    pub body: Bytes,
}

/// A call of any method. Its answer is read as a whole.
#[derive(Debug, Clone)]
pub struct Call {
    /// The method.
    pub method: Method,
    /// An absolute URL; checked again on every call.
    pub url: String,
    /// Headers, in addition to those that HTTP itself needs.
    pub headers: HeaderMap,
    /// The body, sent as it is; `None` if there is no body.
    pub body: Option<Bytes>,
    /// The largest body of the answer, in bytes.
    pub most: usize,
}

/// The response to a [`Call`]. It arrived in time.
#[derive(Debug, Clone)]
pub struct WholeAnswer {
    /// The HTTP status; 3xx too, since redirects are not followed.
    pub status: u16,
    /// All headers of the answer.
    pub headers: HeaderMap,
    /// The body, never decompressed; `None` if it is larger than [`Call::most`].
    pub body: Option<Bytes>,
}

/// The client could not be built; only a defect of the TLS set-up causes it.
#[derive(Debug, thiserror::Error)]
#[error("the HTTP client could not be set up: {0}")]
pub struct SetupError(String);

/// The guarded HTTP client. A clone shares connections with its original.
#[derive(Debug, Clone)]
pub struct Egress {
    pub(crate) address_filter: Arc<AddressFilter>,
    pub(crate) resolver: CheckedResolver,
    client: reqwest::Client,
    /// TLS of connections that do not use HTTP.
    pub(crate) tls: Arc<ClientConfig>,
    pub(crate) settings: Arc<EgressSettings>,
}

impl Egress {
    /// A client that looks names up with the operating system and trusts the public authorities.
    ///
    /// # Errors
    /// [`SetupError`] if TLS cannot be set up.
    pub fn new(settings: EgressSettings) -> Result<Self, SetupError> {
        Self::with_resolver(settings, Arc::new(SystemResolver::new()))
    }

    /// The same with another resolver. Its answers are checked as well.
    ///
    /// # Errors
    /// [`SetupError`] if TLS cannot be set up.
    pub fn with_resolver(settings: EgressSettings, resolver: Arc<dyn Resolve>) -> Result<Self, SetupError> {
        let mut roots = tls::public_roots();
        settings.authorities.add_to(&mut roots);
        Self::build(settings, resolver, roots)
    }

    fn build(settings: EgressSettings, resolver: Arc<dyn Resolve>, roots: RootCertStore) -> Result<Self, SetupError> {
        let address_filter = Arc::new(settings.address_filter());
        let checked = CheckedResolver {
            address_filter: Arc::clone(&address_filter),
            resolver,
            time_out: settings.lookup_time_out,
            shares: LookupShares::default(),
            workspace: None,
        };
        let tls = tls::client_config(roots).map_err(|error| SetupError(error.to_string()))?;
        let sockets = Arc::new(tls::without_protocols(tls.clone()));
        #[expect(clippy::disallowed_methods, reason = "this is the client that the others are sent to")]
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .dns_resolver(checked.clone())
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .connect_timeout(settings.connect_time_out)
            // Also short for another reason: an idle connection leads to the address that its name had when it was
            // opened.
            .pool_idle_timeout(settings.keep_idle)
            .pool_max_idle_per_host(8)
            .build()
            .map_err(|error| SetupError(error.to_string()))?;
        Ok(Self { address_filter, resolver: checked, client, tls: sockets, settings: Arc::new(settings) })
    }

    /// Returns a client for calls of a workspace, named by the bits of its ID. It shares connections with this one. At
    /// most 32 names are looked up for a workspace at the same time. Further look-ups wait for
    /// [`EgressSettings::lookup_time_out`], then the call fails.
    #[must_use]
    pub fn for_workspace(&self, workspace: u128) -> Self {
        let resolver = CheckedResolver { workspace: Some(workspace), ..self.resolver.clone() };
        Self { resolver, ..self.clone() }
    }

    /// Checks a URL without looking its name up: for the moment when it is entered.
    ///
    /// # Errors
    /// [`AddressRefusal`] with a sentence for the person who entered it.
    pub fn check(&self, url: &str) -> Result<Url, AddressRefusal> {
        self.address_filter.check_url(url)
    }

    /// Checks the URL and sends the body to it, once.
    ///
    /// # Errors
    /// [`EgressError::Forbidden`] if the address filter refuses the URL or any address of its name,
    /// [`EgressError::TimedOut`] and [`EgressError::Failed`] if no complete answer came.
    pub async fn post(&self, request: Request) -> Result<Answer, EgressError> {
        self.call(request).await.map_err(|failed| failed.error)
    }

    /// As [`Egress::post`]. The error also says whether the request may have arrived, for callers that may not send
    /// it again.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn call(&self, request: Request) -> Result<Answer, CallError> {
        // The HTTP client does not ask its resolver about literal addresses: they are checked here.
        let url = self.check(&request.url)?;
        self.in_time(async {
            let response = self.send(Method::POST, url, request.headers, request.body.into()).await?;
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
            let body = call.body.map_or_else(Body::empty, Body::from);
            let response = self.send(call.method, url, call.headers, body).await?;
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            let body = read_whole(response, call.most).await?;
            Ok(WholeAnswer { status, headers, body })
        })
        .await
    }

    async fn in_time<T>(&self, call: impl Future<Output = Result<T, CallError>>) -> Result<T, CallError> {
        let timed_out = CallError { error: EgressError::TimedOut, may_have_arrived: true };
        tokio::time::timeout(self.settings.total_time_out, call).await.unwrap_or(Err(timed_out))
    }

    /// Sends a request to a checked URL, and waits for the head of the answer.
    pub(crate) async fn send(
        &self,
        method: Method,
        url: Url,
        headers: HeaderMap,
        body: Body,
    ) -> Result<reqwest::Response, CallError> {
        // Every call looks its host up, even if an open connection is reused: a name that now resolves to a forbidden
        // address is refused at once.
        let found = match url.host() {
            Some(Host::Domain(name)) => {
                ResolvedHost { addresses: self.resolver.look_up(name).await?, name: name.to_owned() }
            }
            _ => ResolvedHost { name: String::new(), addresses: Vec::new() },
        };
        let request = body.attach(self.client.request(method, url).headers(headers));
        Ok(FOUND.scope(found, request.send()).await?)
    }

    /// Continues after `keep_limit`: a connection can be used again if its answer was read to the end.
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

/// The body; `None` if it is larger than `most` bytes.
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
