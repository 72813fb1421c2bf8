//! `tidings serve`: from the settings to the last answer.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::{App, HttpServer};
use tidings_credentials::system::SystemIds;
use tidings_domain::ports::Ids;
use tidings_engine::Engine;
use tidings_http::{MetricsPage, State};
use tokio::time::{Instant, timeout_at};

use super::block_on;
use crate::cli::Role;
use crate::credentials_file::{self, Credentials};
use crate::failure::Failure;
use crate::logging;
use crate::output::{print_json, print_line};
use crate::settings::Settings;
use crate::sole_server::SoleServer;
use crate::wiring::Adapters;
use crate::{metrics, readiness};

/// How long what was begun may take to end.
const GRACE: Duration = Duration::from_secs(25);

/// Serves until it is asked to stop.
pub(crate) fn serve(role: Role, json: bool) -> Result<(), Failure> {
    let settings = Settings::load()?;
    logging::begin_serving(&settings).map_err(Failure::doing("cannot begin to log"))?;
    // Where one is there already, it is the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let outcome = block_on(run(&settings, role, json));
    logging::end();
    outcome
}

async fn run(settings: &Settings, role: Role, json: bool) -> Result<(), Failure> {
    let _sole_server = sole_server(settings, role)?;
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
    let freed = adapters.storage.free_own_leases(adapters.clock.now()).await;
    freed.map_err(tidings_domain::Error::from)?;
    let outside = adapters.outside(settings)?;

    let engine = (role != Role::Api).then(|| adapters.engine(settings, &outside));
    let mut http = adapters.http_settings(settings);
    let limiter = if role == Role::Engine { None } else { adapters.shared_limiter(settings, &instance)? };
    let pulse = engine.as_ref().map(Engine::pulse);
    let outbound = adapters.outbound(settings);
    http.checks = readiness::checks(&adapters, pulse, limiter.clone(), settings.instances, outbound);
    if let Some(limiter) = limiter {
        http.limiter = limiter;
    }
    http.metrics = metrics::begin(settings, &adapters)?;
    if let (Some(address), Some(page)) = (settings.metrics_address, &http.metrics) {
        tokio::spawn(bind_metrics(address, page)?);
    }

    let state = State::new(adapters.services(settings, &outside), http);
    let server = if role == Role::Engine { None } else { Some(bind(settings, &state)?) };
    if let Some((_, address)) = &server {
        welcome(settings, &adapters, *address, json).await?;
    }
    let usage = server.is_some().then(|| tokio::spawn(state.clone().keep_usage()));
    let engine = engine.map(Engine::start);
    tracing::info!(role = role.as_str(), environment = settings.environment, "serving");

    let (handle, mut serving) = match server {
        Some((server, _)) => (Some(server.handle()), tokio::spawn(server)),
        None => (None, tokio::spawn(std::future::pending())),
    };
    let broken = tokio::select! {
        asked = asked_to_stop() => asked.map_err(Failure::doing("cannot hear signals")).err(),
        ended = &mut serving => Some(Failure::refused(format!("the HTTP server broke off: {ended:?}"))),
    };

    state.drain();
    tracing::info!("stopping; what was begun has {} s to end", GRACE.as_secs());
    let deadline = Instant::now() + GRACE;
    let ending = async {
        // The API answers meanwhile, so that load balancers see it become unready.
        if let Some(engine) = engine {
            engine.stop().await;
        }
        if let Some(handle) = handle {
            handle.stop(true).await;
        }
    };
    tokio::select! {
        _ = timeout_at(deadline, ending) => tracing::info!("stopped"),
        _ = asked_to_stop() => tracing::warn!("asked to stop a second time: stopped without waiting"),
    }
    if let Some(usage) = usage {
        usage.abort();
        state.write_usage().await;
    }
    broken.map_or(Ok(()), Err)
}

/// A name that no other process has.
fn instance() -> String {
    let id = SystemIds.next().simple().to_string();
    // The end is random.
    id.chars().skip(16).collect()
}

/// A SQLite file has one server, which does everything.
fn sole_server(settings: &Settings, role: Role) -> Result<Option<SoleServer>, Failure> {
    let Some(database) = &settings.sqlite_file else { return Ok(None) };
    if role != Role::All {
        return Err(Failure::refused(
            "a SQLite file has one server, so that --role api or engine alone needs PostgreSQL (storage.url)",
        ));
    }
    SoleServer::of(database).map(Some)
}

fn bind(settings: &Settings, state: &Arc<State>) -> Result<(Server, SocketAddr), Failure> {
    let state = state.clone();
    let server = HttpServer::new(move || App::new().configure(|config| tidings_http::configure(config, &state)));
    let server = match settings.workers {
        Some(workers) => server.workers(workers),
        None => server,
    };
    let server = server.disable_signals().shutdown_timeout(GRACE.as_secs()).bind(settings.address);
    let server = server.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => Failure::refused(format!(
            "{} is taken by another program. Stop it, or set http.address (TIDINGS__HTTP__ADDRESS=127.0.0.1:8081).",
            settings.address
        )),
        _ => Failure::refused(format!("cannot serve at http.address {}: {error}", settings.address)),
    })?;
    let address = server.addrs().first().copied().unwrap_or(settings.address);
    Ok((server.run(), address))
}

/// The metrics on a port of their own.
fn bind_metrics(address: SocketAddr, page: &MetricsPage) -> Result<Server, Failure> {
    let page = page.clone();
    let server = HttpServer::new(move || App::new().configure(|it| tidings_http::configure_metrics(it, &page)));
    let server = server.workers(1).disable_signals().bind(address);
    let server =
        server.map_err(|error| Failure::refused(format!("cannot serve at metrics.address {address}: {error}")))?;
    Ok(server.run())
}

async fn asked_to_stop() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            asked = tokio::signal::ctrl_c() => asked,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

/// Says where the API is; on a developer's empty database also makes what a first request needs.
async fn welcome(settings: &Settings, adapters: &Adapters, bound: SocketAddr, json: bool) -> Result<(), Failure> {
    let access = adapters.access();
    let address = format!("http://{}", reachable(bound));
    if settings.is_development() && access.is_empty().await? {
        let credentials = credentials_file::make(settings, adapters, address).await?;
        if json {
            print_json(&credentials);
        } else {
            print_line(&first_words(&credentials, settings));
        }
    } else if json {
        print_json(&serde_json::json!({ "address": address }));
    } else {
        let workspaces = access.access.workspaces(None).await.map_err(tidings_domain::Error::from)?;
        let first = workspaces.first().map(|workspace| workspace.id.to_string());
        print_line(&later_words(&address, first, settings));
    }
    Ok(())
}

/// An address that a client on this machine can use.
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
        true => format!("Panel      {address}/   sign in with the owner's e-mail and password below\n  "),
        false => String::new(),
    };
    format!(
        "Tidings is set up and serves.\n\n  \
         Address    {address}\n  \
         {panel}\
         Workspace  {workspace} ({workspace_id})\n  \
         Owner      {email}\n  \
         Password   {password}\n  \
         Key        {key}\n             \
         It may do everything. It and the password are shown this once and kept in {file}.\n\n\
         Try it:\n\n  \
         curl -s {address}/api/v1/me -H 'Authorization: Bearer {key}'\n\n\
         Ctrl-C stops it."
    )
}

fn later_words(address: &str, workspace: Option<String>, settings: &Settings) -> String {
    let program = std::env::args().next().unwrap_or_else(|| "tidings".to_owned());
    let Some(workspace) = workspace else {
        return format!(
            "Tidings serves {address}. There is no workspace yet; make one:\n  \
             {program} workspace create --name NAME --plan starter"
        );
    };
    let file = credentials_file::kept_at(settings);
    let kept = match file.exists() {
        true => format!("  The key of the first start is in {}.\n", file.display()),
        false => String::new(),
    };
    let panel = match settings.panel {
        true => format!("  The panel is at {address}/ for everybody with a password.\n"),
        false => String::new(),
    };
    format!(
        "Tidings is set up and serves {address}.\n{panel}{kept}  \
         Another key: {program} key create --workspace {workspace} --scope full --name NAME"
    )
}
