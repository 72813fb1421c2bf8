//! Load from many connections, each with one request in progress.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use futures::future::try_join_all;
use hdrhistogram::Histogram;

use super::{Answer, Connection};
use crate::rounds::Done;

/// The requests of a scenario and the check of their responses. Requests are numbered from 0.
pub(crate) trait Traffic: Send + Sync + 'static {
    fn write(&self, number: u64, request: &mut Vec<u8>);

    /// Checks a response.
    ///
    /// # Errors
    /// A wrong response ends the run.
    fn check(&self, number: u64, answer: Answer<'_>) -> Result<()>;

    /// Whether the next request may be sent. Connections wait while it may not.
    fn is_open(&self) -> bool {
        true
    }
}

/// The interval at which a waiting connection checks whether it may continue.
const CLOSED: Duration = Duration::from_millis(2);

/// The end of a load.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Until {
    Time(Duration),
    Requests(u64),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    pub(crate) address: SocketAddr,
    pub(crate) connections: usize,
    pub(crate) until: Until,
}

struct Shared {
    traffic: Arc<dyn Traffic>,
    next: AtomicU64,
    deadline: Option<Instant>,
    most: u64,
}

impl Load {
    /// Sends requests until the end of the load.
    ///
    /// # Errors
    /// The first wrong response.
    pub(crate) async fn run(self, traffic: Arc<dyn Traffic>) -> Result<Done> {
        let (deadline, most) = match self.until {
            Until::Time(time) => (Some(Instant::now() + time), u64::MAX),
            Until::Requests(count) => (None, count),
        };
        let shared = Arc::new(Shared { traffic, next: AtomicU64::new(0), deadline, most });
        // As many threads as pgbench gets, each with a separate runtime.
        let threads = self.connections.min(std::thread::available_parallelism()?.get());
        let began = Instant::now();
        let workers = (0..threads).map(|thread| {
            let connections = self.connections / threads + usize::from(thread < self.connections % threads);
            let shared = Arc::clone(&shared);
            tokio::task::spawn_blocking(move || work(self.address, connections, &shared))
        });
        let mut latencies = Histogram::<u64>::new(3)?;
        for worker in workers.collect::<Vec<_>>() {
            latencies.add(worker.await??)?;
        }
        let seconds = began.elapsed().as_secs_f64();
        let at = |quantile: f64| Some(latencies.value_at_quantile(quantile) as f64 / 1_000.0);
        Ok(Done { operations: latencies.len(), seconds, p50_ms: at(0.5), p99_ms: at(0.99) })
    }
}

fn work(address: SocketAddr, connections: usize, shared: &Shared) -> Result<Histogram<u64>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let asked = runtime.block_on(try_join_all((0..connections).map(|_| ask(address, shared))))?;
    let mut latencies = Histogram::new(3)?;
    for some in asked {
        latencies.add(some)?;
    }
    Ok(latencies)
}

async fn ask(address: SocketAddr, shared: &Shared) -> Result<Histogram<u64>> {
    let mut connection = Connection::open(address).await?;
    let (mut latencies, mut request) = (Histogram::new(3)?, Vec::with_capacity(2_048));
    loop {
        while !shared.traffic.is_open() && shared.deadline.is_none_or(|deadline| Instant::now() < deadline) {
            tokio::time::sleep(CLOSED).await;
        }
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        let began = Instant::now();
        if number >= shared.most || shared.deadline.is_some_and(|deadline| began >= deadline) {
            return Ok(latencies);
        }
        request.clear();
        shared.traffic.write(number, &mut request);
        let answer = connection.exchange(&request).await.with_context(|| format!("request {number}"))?;
        latencies.record(u64::try_from(began.elapsed().as_micros())?)?;
        shared.traffic.check(number, answer)?;
    }
}
