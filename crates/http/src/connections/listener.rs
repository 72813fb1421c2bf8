//! The listener: binds an address and serves the routes there.

use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_http::{ConnectionType, HttpService, Payload, Protocol, Request};
use actix_server::Server;
use actix_service::{IntoServiceFactory, Service, ServiceFactoryExt, apply_fn_factory, fn_service, map_config};
use actix_web::dev::{AppConfig, ServiceResponse};
use actix_web::web::ServiceConfig;
use actix_web::{App, Error};
use tokio::net::{TcpSocket, TcpStream};

use super::connection_limits::{ConnectionBounds, ConnectionLimits};
use super::connection_state::{ConnectionState, ConnectionTimeouts};
use super::refusal::{Refusals, TOLD_AT_ONCE};
use super::stream::Connection;
use super::watchdog::watch_this_thread;
use crate::connections::client_address::TrustedProxies;
use crate::pipeline::state::State;

/// The maximum number of connections that wait to be accepted.
const BACKLOG: u32 = 1_024;

/// After the last connection was accepted, requests can begin for this long.
const LAST_REQUESTS: Duration = Duration::from_secs(1);
/// The server library's own limit on an unread body is this much longer than the connection's.
const BEHIND: Duration = Duration::from_secs(1);

/// The address of the server and the limits of its connections.
#[derive(Debug, Clone)]
pub struct Listener {
    /// The address and port.
    pub address: SocketAddr,
    /// The number of worker threads; `None` for one per core.
    pub workers: Option<usize>,
    /// The limits on the number of connections.
    pub bounds: ConnectionBounds,
    /// The time limits of connections.
    pub timeouts: ConnectionTimeouts,
    /// The proxies whose connections are not counted by address.
    pub trusted: TrustedProxies,
    /// Time limit for running requests when the server stops.
    pub grace: Duration,
}

/// Returns a server of these routes and its address. Responses close their connections after `state` starts to drain.
///
/// # Errors
/// If the address cannot be bound.
pub fn listen<F>(listener: Listener, state: &Arc<State>, configure: F) -> io::Result<(Server, SocketAddr)>
where
    F: Fn(&mut ServiceConfig) + Clone + Send + 'static,
{
    let Listener { address, workers, bounds, timeouts, trusted, grace } = listener;
    let socket = bind(address)?;
    let bound = socket.local_addr()?;
    let workers = workers.or_else(|| std::thread::available_parallelism().ok().map(Into::into)).unwrap_or(2);
    let (limits, refusals, state) = (ConnectionLimits::new(bounds, trusted), Refusals::new(), Arc::clone(state));
    let server = Server::build()
        .workers(workers)
        // Includes connections that are accepted only to be refused. Further ones wait in the system's backlog.
        .max_concurrent_connections((bounds.all + 2 * TOLD_AT_ONCE).div_ceil(workers))
        .disable_signals()
        .shutdown_timeout(grace.as_secs());
    let stopping = server.graceful_shutdown_signal();
    let server = server.listen("http", socket, move || {
        let (state, configure, stopping) = (Arc::clone(&state), configure.clone(), stopping.clone());
        let (limits, refusals) = (Arc::clone(&limits), refusals.clone());
        watch_this_thread();
        let app = App::new().configure(|config| configure(config)).into_factory();
        let app = map_config(app, |()| AppConfig::default());
        let timed = apply_fn_factory(app, move |request, app: &_| timed(request, app, &state));
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move {
                    stopping.notified().await;
                    // The last connections also get a response, which then announces the close.
                    tokio::time::sleep(LAST_REQUESTS).await;
                }
            })
            .keep_alive(timeouts.keep_alive)
            .client_request_timeout(timeouts.head)
            // Longer than the limit of the connection itself, which is the one that is counted.
            .client_disconnect_timeout(timeouts.unread + BEHIND)
            .on_connect_ext(|connection: &Connection, data| {
                data.insert(Rc::clone(connection.state()));
            })
            .finish(timed.map_err(|error: Error| error.error_response()));
        fn_service(move |io| admit(io, Arc::clone(&limits), refusals.clone(), timeouts)).and_then(http)
    })?;
    Ok((server.run(), bound))
}

fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // On other systems, this option lets another program bind the same address.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)?.into_std()
}

/// Assigns a slot to a connection, or reports that there is none.
async fn admit(
    io: TcpStream,
    limits: Arc<ConnectionLimits>,
    refusals: Refusals,
    timeouts: ConnectionTimeouts,
) -> Result<(Connection, Protocol, Option<SocketAddr>), actix_http::error::DispatchError> {
    let peer = io.peer_addr()?;
    match limits.take(peer.ip()) {
        Ok(permit) => Ok((Connection::new(io, ConnectionState::new(timeouts), permit), Protocol::Http1, Some(peer))),
        Err(full) => {
            refusals.refuse(io, full).await;
            Err(io::Error::from(io::ErrorKind::ConnectionRefused).into())
        }
    }
}

/// Handles a request, and updates the state of its connection.
fn timed<S>(
    request: Request,
    app: &S,
    state: &Arc<State>,
) -> impl Future<Output = Result<ServiceResponse, Error>> + use<S>
where
    S: Service<Request, Response = ServiceResponse, Error = Error>,
{
    let mut request = request;
    let has_body = matches!(request.payload(), Payload::H1 { .. });
    let connection = request.conn_data::<Rc<ConnectionState>>().cloned();
    if let Some(connection) = &connection {
        connection.begin(has_body);
    }
    let state = Arc::clone(state);
    let answering = app.call(request);
    async move {
        let mut answer = answering.await?;
        let is_last = connection.is_some_and(|connection| connection.answered(Instant::now()));
        if is_last || state.is_draining() {
            answer.response_mut().head_mut().set_connection_type(ConnectionType::Close);
        }
        Ok(answer)
    }
}
