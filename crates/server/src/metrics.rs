//! What a process counts, and how it is shown. No label names a person, a path or an id.

use std::sync::Arc;
use std::time::{Duration, Instant};

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder};
use tidings_http::MetricsPage;
use tidings_storage::Storage;

use crate::failure::Failure;
use crate::settings::Settings;

/// Seconds; an answer that takes longer than ten is an error of its own.
const BUCKETS: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// How often what was measured is folded together when nobody asks.
const UPKEEP: Duration = Duration::from_secs(5);

/// Begins to count, if the settings say where the metrics are shown.
///
/// # Errors
/// [`Failure::Refused`].
pub(crate) fn begin(settings: &Settings, storage: &Arc<Storage>) -> Result<Option<MetricsPage>, Failure> {
    if settings.metrics_address.is_none() && settings.metrics_token.is_none() {
        return Ok(None);
    }
    let builder = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), BUCKETS);
    let builder = builder.map_err(|error| Failure::refused(error.to_string()))?;
    let handle = builder.install_recorder().map_err(|error| Failure::refused(error.to_string()))?;
    describe();
    gauge!("tidings_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1);

    let upkeep = handle.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(UPKEEP).await;
            upkeep.run_upkeep();
        }
    });
    let (began, storage) = (Instant::now(), Arc::clone(storage));
    let render = move || {
        gauge!("tidings_uptime_seconds").set(began.elapsed().as_secs_f64());
        if let Some(pool) = storage.pool_status() {
            let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
            gauge!("tidings_database_connections", "state" => "open").set(number(pool.size));
            gauge!("tidings_database_connections", "state" => "idle").set(number(pool.idle));
            gauge!("tidings_database_waiting").set(number(pool.waiting));
            counter!("tidings_database_groups_given_up_total").absolute(pool.given_up);
        }
        handle.render()
    };
    Ok(Some(MetricsPage::new(settings.metrics_token.clone(), Arc::new(render))))
}

fn describe() {
    describe_counter!("tidings_http_requests_total", "Requests, by template of the route, method and status.");
    describe_histogram!("tidings_http_request_duration_seconds", "From the head of a request to its answer.");
    describe_counter!("tidings_jobs_total", "Jobs that were tried, by kind and outcome.");
    describe_histogram!("tidings_job_duration_seconds", "One try at a job, by kind.");
    describe_gauge!("tidings_pool_running_jobs", "Jobs that run now, by pool.");
    describe_gauge!("tidings_pool_claimed_jobs", "Jobs that are claimed now, running or not, by pool.");
    describe_counter!("tidings_delivery_attempts_total", "Attempts at deliveries of webhooks, by outcome.");
    describe_histogram!("tidings_delivery_attempt_duration_seconds", "One attempt at a delivery.");
    describe_gauge!("tidings_database_connections", "Connections to PostgreSQL, by state.");
    describe_gauge!("tidings_database_waiting", "Tasks that wait for a connection to PostgreSQL.");
    describe_counter!(
        "tidings_database_groups_given_up_total",
        "Transactions of several change sets that were given up, because one of them contradicted."
    );
    describe_gauge!("tidings_uptime_seconds", "Since the process began to serve.");
    describe_gauge!("tidings_build_info", "The version, as a label.");
}
