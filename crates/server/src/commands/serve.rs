//! `tidings serve`: from the settings to the last response.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::{Server, ServerHandle};
use tidings_credentials::system::SystemIds;
use tidings_domain::ports::Ids;
use tidings_engine::{Engine, RunningEngine};
use tidings_http::{ConnectionBounds, Listener, MetricsPage, State};
use tokio::time::{Instant, timeout_at};

use super::block_on;
use crate::cli::Role;
use crate::credentials_file::{self, Credentials};
use crate::failure::Failure;
use crate::logging;
use crate::media_probe::MediaProbe;
use crate::output::{print_json, print_line};
use crate::settings::{LogFormat, Settings};
use crate::sole_server::SoleServer;
use crate::wiring::Adapters;
use crate::write_probe::WriteProbe;
use crate::{descriptors, metrics, readiness};

/// Time limit for running requests and jobs after the server stops accepting requests.
const GRACE: Duration = Duration::from_secs(20);
/// The limits of connections to the monitoring port.
const MONITORING: ConnectionBounds = ConnectionBounds { all: 64, of_one_address: 64 };

/// Serves until a signal.
pub(crate) fn serve(role: Role, json: bool) -> Result<(), Failure> {
    let settings = Settings::load()?;
    logging::begin_serving(&settings).map_err(Failure::while_doing("cannot start logging"))?;
    // A provider that is already installed is the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let outcome = block_on(run(&settings, role, json));
    logging::end();
    outcome
}

async fn run(settings: &Settings, role: Role, json: bool) -> Result<(), Failure> {
    let bounds = descriptors::connections(settings, descriptors::raise());
    let _sole_server = sole_server(settings, role)?;
    // Other folders may be shared on purpose.
    if settings.sqlite_file.is_some() && settings.data_folder() == Path::new("./data") {
        tidings_storage::restrict(&settings.data_folder(), 0o700);
    }
    let instance = instance();
    let process = match role {
        Role::Engine => format!("tidings-engine-{instance}"),
        Role::All | Role::Api => format!("{}{instance}", readiness::API_PROCESS),
    };
    let adapters = Adapters::open_as(settings, Some(process)).await?;
    if settings.is_development() {
        adapters.storage.migrate().await?;
    } else {
        adapters.require_schema().await?;
    }
    let finding = adapters.canary().look_and_mark().await.map_err(tidings_domain::Error::from)?;
    adapters.require_right_key(&finding)?;
    adapters.seal_headers().await?;
    let freed = adapters.storage.free_own_leases(adapters.tidings.ports.clock.now()).await;
    freed.map_err(tidings_domain::Error::from)?;
    if let Some(host) = adapters.storage.plaintext_host().await {
        tracing::warn!(host, "connections to PostgreSQL on another machine do not use TLS: {}", super::PLAINTEXT);
    }

    let engine = (role != Role::Api).then(|| adapters.engine(settings));
    if engine.is_some() {
        adapters.share_pace(settings, &instance)?;
    }
    let mut http = adapters.http_settings(settings);
    let limiter = if role == Role::Engine { None } else { adapters.shared_limiter(settings, &instance)? };
    let heartbeat = engine.as_ref().map(Engine::heartbeat);
    http.metrics = metrics::begin(settings, &adapters)?;
    let writes = WriteProbe::begin(adapters.storage.clone(), adapters.tidings.ports.clock.clone()).await;
    let media = MediaProbe::begin(adapters.media.clone());
    http.checks = readiness::checks(&adapters, heartbeat, limiter.clone(), settings.instances, (writes, media));
    if let Some(limiter) = limiter {
        http.limiter = limiter;
    }
    let page = http.metrics.clone();
    let state = State::new(adapters.tidings.clone(), http);
    if let (Some(address), Some(page)) = (settings.metrics_address, page) {
        tokio::spawn(monitoring(settings, address, &state, page)?);
    }
    let server = if role == Role::Engine { None } else { Some(bind(settings, &state, bounds)?) };
    if let Some((_, address)) = &server {
        welcome(settings, &adapters, *address, json).await?;
    }
    let hints = adapters.carry_hints();
    let usage = server.is_some().then(|| tokio::spawn(state.clone().keep_usage()));
    let engine = engine.map(Engine::start);
    tracing::info!(
        role = role.as_str(),
        environment = settings.environment,
        connections = bounds.all,
        connections_per_address = bounds.of_one_address,
        "serving"
    );

    let (handle, mut serving) = match server {
        Some((server, _)) => (Some(server.handle()), tokio::spawn(server)),
        None => (None, tokio::spawn(std::future::pending())),
    };
    let (mut drain, mut broken) = (Duration::ZERO, None);
    tokio::select! {
        signal = wait_for_stop_signal() => match signal {
            // After Ctrl-C, there is no wait for load balancers.
            Ok(StopSignal::ToTerminate) if handle.is_some() => drain = settings.drain,
            Ok(_) => {}
            Err(error) => broken = Some(Failure::while_doing("cannot listen for signals")(error)),
        },
        ended = &mut serving => broken = Some(Failure::with_advice(format!("the HTTP server stopped: {ended:?}"))),
    }

    state.drain();
    tracing::info!(drain = drain.as_secs_f64(), "stopping; running work has {} s to finish", (drain + GRACE).as_secs());
    let deadline = Instant::now() + drain + GRACE;
    tokio::select! {
        _ = timeout_at(deadline, end(engine, handle, drain)) => tracing::info!("stopped"),
        _ = wait_for_stop_signal() => tracing::warn!("second stop signal: stopping without waiting"),
    }
    if let Some(hints) = hints {
        hints.end().await;
    }
    if let Some(usage) = usage {
        usage.abort();
        state.write_usage().await;
    }
    broken.map_or(Ok(()), Err)
}

/// Stops the engine. Stops the server after the drain time, so that load balancers first notice that this process is
/// not ready.
async fn end(engine: Option<RunningEngine>, server: Option<ServerHandle>, drain: Duration) {
    let engine = async {
        if let Some(engine) = engine {
            engine.stop().await;
        }
    };
    // In the meantime requests are served, each on a connection that closes with its response.
    tokio::join!(engine, tokio::time::sleep(drain));
    if let Some(server) = server {
        server.stop(true).await;
    }
}

/// Returns a unique name of this process.
fn instance() -> String {
    let id = SystemIds.next().simple().to_string();
    // The second half of the ID is random.
    id.chars().skip(16).collect()
}

/// Locks a SQLite file. It has one server, with all roles.
fn sole_server(settings: &Settings, role: Role) -> Result<Option<SoleServer>, Failure> {
    let Some(database) = &settings.sqlite_file else { return Ok(None) };
    if role != Role::All {
        return Err(Failure::with_advice(
            "only one server can use a SQLite file; --role api or --role engine alone requires PostgreSQL \
             (storage.url)",
        ));
    }
    SoleServer::of(database).map(Some)
}

fn bind(settings: &Settings, state: &Arc<State>, bounds: ConnectionBounds) -> Result<(Server, SocketAddr), Failure> {
    let (listener, routes) = (listener(settings, settings.address, bounds), Arc::clone(state));
    let bound = tidings_http::listen(listener, state, move |config| tidings_http::configure(config, &routes));
    bound.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => Failure::with_advice(format!(
            "{} is used by another program. Stop it, or set http.address (TIDINGS__HTTP__ADDRESS=127.0.0.1:8081).",
            settings.address
        )),
        _ => Failure::with_advice(format!("cannot listen on http.address {}: {error}", settings.address)),
    })
}

/// Starts the server of the monitoring port.
fn monitoring(
    settings: &Settings,
    address: SocketAddr,
    state: &Arc<State>,
    page: MetricsPage,
) -> Result<Server, Failure> {
    let (listener, of_routes) = (listener(settings, address, MONITORING), Arc::clone(state));
    let listener = Listener { workers: Some(1), ..listener };
    let configure = move |config: &mut _| tidings_http::configure_monitoring(config, &of_routes, &page);
    let bound = tidings_http::listen(listener, state, configure);
    let (server, _) =
        bound.map_err(|error| Failure::with_advice(format!("cannot listen on metrics.address {address}: {error}")))?;
    Ok(server)
}

fn listener(settings: &Settings, address: SocketAddr, bounds: ConnectionBounds) -> Listener {
    Listener {
        address,
        workers: settings.workers,
        bounds,
        timeouts: settings.timeouts,
        trusted: settings.trusted_proxies.clone(),
        grace: GRACE,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopSignal {
    /// Ctrl-C.
    ToInterrupt,
    /// SIGTERM.
    ToTerminate,
}

pub(crate) async fn wait_for_stop_signal() -> io::Result<StopSignal> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            interrupt = tokio::signal::ctrl_c() => interrupt.map(|()| StopSignal::ToInterrupt),
            _ = terminate.recv() => Ok(StopSignal::ToTerminate),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await.map(|()| StopSignal::ToInterrupt)
}

/// Prints the address of the API. In development, an empty database also gets a workspace and a key.
async fn welcome(settings: &Settings, adapters: &Adapters, bound: SocketAddr, json: bool) -> Result<(), Failure> {
    let access = &adapters.tidings.access;
    let address = format!("http://{}", reachable(bound));
    // A reader of JSON lines gets only the log, without secrets.
    let is_json_log = settings.log_format == LogFormat::Json;
    if settings.is_development() && access.is_empty().await? {
        let credentials = credentials_file::make(settings, adapters, address).await?;
        if json {
            print_json(&credentials);
        } else if is_json_log {
            let file = credentials_file::kept_at(settings).display().to_string();
            tracing::info!(
                address = credentials.address,
                credentials_file = file,
                "created the first workspace, user and key"
            );
        } else {
            print_line(&first_words(&credentials, settings));
        }
    } else if json {
        print_json(&serde_json::json!({ "address": address }));
    } else if !is_json_log {
        let workspaces = adapters.tidings.ports.access.workspaces(None).await.map_err(tidings_domain::Error::from)?;
        let first = workspaces.first().map(|workspace| workspace.id.to_string());
        print_line(&later_words(&address, first, settings));
    }
    Ok(())
}

/// Returns the address for a client on this machine.
pub(super) fn reachable(bound: SocketAddr) -> SocketAddr {
    match bound {
        SocketAddr::V4(it) if it.ip().is_unspecified() => SocketAddr::from(([127, 0, 0, 1], it.port())),
        SocketAddr::V6(it) if it.ip().is_unspecified() => SocketAddr::from(([0, 0, 0, 0, 0, 0, 0, 1], it.port())),
        address => address,
    }
}

fn first_words(made: &Credentials, settings: &Settings) -> String {
    let Credentials { address, workspace, workspace_id, key, email, password, .. } = made;
    let file = credentials_file::kept_at(settings);
    let file = file.display();
    let panel = match settings.panel {
        true => format!("Panel      {address}/   sign in with the owner's email and password below\n  "),
        false => String::new(),
    };
    format!(
        "Tidings is running.\n\n  \
         Address    {address}\n  \
         {panel}\
         Workspace  {workspace} ({workspace_id})\n  \
         Owner      {email}\n  \
         Password   {password}\n  \
         Key        {key}\n             \
         The key has full access. The key and the password are shown once, and stored in {file}.\n\n\
         Try it:\n\n  \
         curl -s {address}/api/v1/me -H 'Authorization: Bearer {key}'\n\n\
         Press Ctrl-C to stop."
    )
}

fn later_words(address: &str, workspace: Option<String>, settings: &Settings) -> String {
    let program = std::env::args().next().unwrap_or_else(|| "tidings".to_owned());
    let Some(workspace) = workspace else {
        return format!(
            "Tidings is running at {address}. There is no workspace yet; create one:\n  \
             {program} workspace create --name NAME --plan starter"
        );
    };
    let file = credentials_file::kept_at(settings);
    let kept = match file.exists() {
        true => format!("  The key of the first start is in {}.\n", file.display()),
        false => String::new(),
    };
    let panel = match settings.panel {
        true => format!("  The panel is at {address}/ for all users with a password.\n"),
        false => String::new(),
    };
    format!(
        "Tidings is running at {address}.\n{panel}{kept}  \
         To create another key: {program} key create --workspace {workspace} --scope full --name NAME"
    )
}
