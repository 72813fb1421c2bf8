//! The metrics of a process. No label contains a person, a path or an ID.

use std::sync::Arc;
use std::time::{Duration, Instant};

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder};
use tidings_domain::access::OutboundMode;
use tidings_domain::access::storage_usage::{StorageLevel, StoredLimits};
use tidings_domain::ports::{Clock, OutboundStore, StoreError};
use tidings_domain::time::Timestamp;
use tidings_http::MetricsPage;
use tidings_storage::Storage;

use crate::failure::Failure;
use crate::settings::Settings;
use crate::wiring::Adapters;

/// In seconds. A response that takes more than ten is an error.
const BUCKETS: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// The interval at which measurements are aggregated if no client reads the metrics.
const UPKEEP: Duration = Duration::from_secs(5);
/// The interval at which the backlog is counted.
const LOOK: Duration = Duration::from_secs(15);

/// Starts the metrics, if the settings enable them.
///
/// # Errors
/// [`Failure::Refused`].
pub(crate) fn begin(settings: &Settings, adapters: &Adapters) -> Result<Option<MetricsPage>, Failure> {
    if settings.metrics_address.is_none() && settings.metrics_token.is_none() {
        return Ok(None);
    }
    let builder = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), BUCKETS);
    let builder = builder.map_err(|error| Failure::with_advice(error.to_string()))?;
    let handle = builder.install_recorder().map_err(|error| Failure::with_advice(error.to_string()))?;
    describe();
    gauge!("tidings_build_info", "version" => env!("CARGO_PKG_VERSION"), "commit" => env!("TIDINGS_COMMIT")).set(1);

    let upkeep = handle.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(UPKEEP).await;
            upkeep.run_upkeep();
        }
    });
    let storage = Arc::clone(&adapters.storage);
    let watch = Watch {
        storage: Arc::clone(&storage),
        outbound: Arc::clone(&adapters.tidings.ports.outbound),
        clock: Arc::clone(&adapters.tidings.ports.clock),
        holds_all: settings.outbound == OutboundMode::Hold,
        stored_limits: settings.stored_limits,
    };
    tokio::spawn(watch.keep_looking());
    let began = Instant::now();
    let render = move || {
        gauge!("tidings_uptime_seconds").set(began.elapsed().as_secs_f64());
        let pool = storage.pool_status();
        gauge!("tidings_database_connections", "state" => "open").set(number(pool.size as u64));
        gauge!("tidings_database_connections", "state" => "idle").set(number(pool.idle as u64));
        gauge!("tidings_database_waiting").set(number(pool.waiting as u64));
        gauge!("tidings_database_searches", "state" => "running").set(number(pool.searches as u64));
        gauge!("tidings_database_searches", "state" => "waiting").set(number(pool.waiting_searches as u64));
        counter!("tidings_database_groups_given_up_total").absolute(pool.given_up);
        handle.render()
    };
    Ok(Some(MetricsPage::new(settings.metrics_token.clone(), Arc::new(render))))
}

/// Counts the backlog and the dead letters of all processes; each process reports the same numbers.
struct Watch {
    storage: Arc<Storage>,
    outbound: Arc<dyn OutboundStore>,
    clock: Arc<dyn Clock>,
    holds_all: bool,
    stored_limits: StoredLimits,
}

impl Watch {
    async fn keep_looking(self) {
        let mut failing = false;
        loop {
            match self.look().await {
                Ok(()) => failing = false,
                Err(error) if !std::mem::replace(&mut failing, true) => {
                    tracing::warn!(%error, "metrics: the backlog cannot be counted");
                }
                Err(_) => {}
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn look(&self) -> Result<(), StoreError> {
        let now = self.clock.now();
        let backlog = self.storage.backlog(now, self.holds_all).await?;
        let pauses = self.outbound.pauses().await?;
        let age = |since: Option<Timestamp>| since.map_or(0.0, |since| now.since(since).as_secs_f64());
        for (kind, it) in backlog.kinds {
            gauge!("tidings_due_jobs", "kind" => kind).set(number(it.due));
            gauge!("tidings_oldest_due_job_age_seconds", "kind" => kind).set(age(it.oldest_due));
            gauge!("tidings_held_jobs", "kind" => kind).set(number(it.held));
            gauge!("tidings_dead_jobs", "kind" => kind).set(number(it.dead));
        }
        gauge!("tidings_unnumbered_events").set(number(backlog.unnumbered_events));
        gauge!("tidings_feed_lag_seconds").set(age(backlog.oldest_unnumbered));
        gauge!("tidings_disabled_webhooks").set(number(backlog.disabled_webhooks));
        gauge!("tidings_outbound_held").set(u32::from(pauses.store.is_some()));
        gauge!("tidings_held_workspaces").set(number(pauses.workspaces));
        for (kind, bytes) in self.storage.stored_bytes().await?.by_kind() {
            gauge!("tidings_stored_bytes", "kind" => kind).set(bytes as f64);
        }
        let (mut near, mut full) = (0, 0);
        for it in self.storage.largest_workspaces().await? {
            match StorageLevel::of(it.total, self.stored_limits.of(it.plan)) {
                StorageLevel::Ok => {}
                StorageLevel::NearLimit => near += 1,
                StorageLevel::Full => full += 1,
            }
        }
        gauge!("tidings_workspaces_near_storage_limit", "level" => "near_limit").set(number(near));
        gauge!("tidings_workspaces_near_storage_limit", "level" => "full").set(number(full));
        gauge!("tidings_backlog_looked_at_seconds").set(self.clock.now().unix_seconds() as f64);
        Ok(())
    }
}

fn number(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn describe() {
    describe_counter!("tidings_http_requests_total", "Requests by route template, method and status.");
    describe_histogram!("tidings_http_request_duration_seconds", "Time from the head of a request to its response.");
    describe_gauge!("tidings_http_connections", "Open connections.");
    describe_counter!("tidings_http_connections_refused_total", "Refused connections by limit.");
    describe_counter!(
        "tidings_http_connections_cut_total",
        "Connections closed because the client was too slow, by reason."
    );
    describe_counter!("tidings_jobs_total", "Attempted jobs by kind and outcome.");
    describe_histogram!("tidings_job_duration_seconds", "Duration of one attempt at a job, by kind.");
    describe_gauge!("tidings_pool_running_jobs", "Running jobs by pool.");
    describe_gauge!("tidings_pool_claimed_jobs", "Claimed jobs, running or not, by pool.");
    describe_counter!("tidings_delivery_attempts_total", "Attempts at webhook deliveries by outcome.");
    describe_histogram!("tidings_delivery_attempt_duration_seconds", "Duration of one attempt at a delivery.");
    describe_counter!(
        "tidings_inbound_unparsed_total",
        "Signed requests of providers that were not understood, by channel type."
    );
    describe_counter!(
        "tidings_inbound_ignored_total",
        "Edits, deletions and reactions of contacts to unknown messages, by channel type."
    );
    describe_counter!("tidings_inbound_events_total", "Events in requests of providers, by channel type.");
    describe_counter!(
        "tidings_channel_sends_total",
        "Calls that sent a part of a message, by channel type and outcome."
    );
    describe_histogram!(
        "tidings_channel_send_duration_seconds",
        "Duration of one call that sends a part of a message."
    );
    describe_counter!("tidings_flow_calls_total", "HTTP calls of flows by outcome.");
    describe_histogram!("tidings_flow_call_duration_seconds", "Duration of one HTTP call of a flow.");
    describe_gauge!("tidings_due_jobs", "Due jobs that are not claimed, by kind, up to 10000 per pool.");
    describe_gauge!("tidings_oldest_due_job_age_seconds", "Age of the oldest due job, by kind.");
    describe_gauge!("tidings_held_jobs", "Due messages and deliveries that are paused, by kind, up to 10000 per pool.");
    describe_gauge!("tidings_dead_jobs", "Dead-lettered jobs by kind.");
    describe_gauge!("tidings_unnumbered_events", "Committed events that are not in the feed yet.");
    describe_gauge!("tidings_feed_lag_seconds", "Age of the oldest event that is not in the feed yet.");
    describe_gauge!(
        "tidings_disabled_webhooks",
        "Webhooks that were disabled after long failure, or because the receiver answered 410."
    );
    describe_gauge!("tidings_outbound_held", "1 while outbound sending is paused.");
    describe_gauge!("tidings_held_workspaces", "Workspaces with paused sending.");
    describe_gauge!(
        "tidings_backlog_looked_at_seconds",
        "Time of the last count of the backlog, in seconds since 1970."
    );
    describe_gauge!(
        "tidings_database_connections",
        "Connections to PostgreSQL or reading threads of SQLite, by state."
    );
    describe_gauge!("tidings_database_waiting", "Tasks that wait for a connection or a reading thread.");
    describe_gauge!("tidings_database_searches", "Expensive queries, by state.");
    describe_gauge!("tidings_database_writable", "1 if the last test write succeeded, otherwise 0.");
    describe_histogram!(
        "tidings_database_write_probe_duration_seconds",
        "Duration of the test write, which runs every five seconds."
    );
    describe_counter!(
        "tidings_database_groups_given_up_total",
        "Transactions of several change sets that were abandoned, because one change set conflicted."
    );
    describe_gauge!("tidings_hints_connected", "1 while hints are exchanged with other processes, otherwise 0.");
    describe_gauge!("tidings_stored_bytes", "Stored text of all workspaces at the last measurement, by kind.");
    describe_gauge!(
        "tidings_workspaces_near_storage_limit",
        "Workspaces above 80 % of the bytes that their plan allows (near_limit), and at the limit (full)."
    );
    describe_gauge!("tidings_uptime_seconds", "Time since the process started to serve.");
    describe_gauge!("tidings_build_info", "The version, as a label.");
}
