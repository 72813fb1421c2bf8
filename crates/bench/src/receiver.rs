//! The receiver of webhooks: a plain actix-web server that counts deliveries, detects duplicates and verifies
//! signatures.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use anyhow::{Context, Result, bail};
use tidings_egress::signing::{SigningSecret, WEBHOOK_ID, verify};
use tokio::sync::Notify;

/// One in this many signatures is verified, because the limit's side verifies none.
const VERIFIED: u64 = 16;
/// Endpoints below this path answer slowly.
const SLOW: &str = "slow";
/// The delay of slow endpoints, shorter than the timeout for a provider.
const SLOWLY: Duration = Duration::from_secs(10);

/// The received deliveries.
#[derive(Default)]
struct Seen {
    arrived: AtomicU64,
    verified: AtomicU64,
    refused: AtomicU64,
    /// Hashes of the path and ID of each delivery.
    distinct: Mutex<HashSet<u64>>,
    secrets: Mutex<HashMap<String, SigningSecret>>,
    /// The times of the first and the last arrival.
    between: Mutex<Option<(Instant, Instant)>>,
    /// Notified at each arrival.
    arrival: Notify,
}

/// A receiver on its own port and threads.
#[derive(Clone)]
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    seen: Arc<Seen>,
}

impl Receiver {
    /// Starts the receiver; it runs until the program ends.
    ///
    /// # Errors
    /// No port is free.
    pub(crate) fn start() -> Result<Self> {
        let seen = Arc::new(Seen::default());
        let data = web::Data::from(Arc::clone(&seen));
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let serve = move || {
            let app = move || App::new().app_data(data.clone()).default_service(web::to(receive));
            let server = async { HttpServer::new(app).workers(1).disable_signals().listen(listener)?.run().await };
            actix_web::rt::System::new().block_on(server)
        };
        std::thread::Builder::new().name("receiver".to_owned()).spawn(serve)?;
        Ok(Self { address, seen })
    }

    pub(crate) fn url(&self, end: &str) -> String {
        format!("http://{}/{end}", self.address)
    }

    /// Returns the URL of an endpoint that accepts everything and answers after ten seconds. Its deliveries are not
    /// counted.
    pub(crate) fn slow_url(&self, end: &str) -> String {
        self.url(&format!("{SLOW}/{end}"))
    }

    /// Expects deliveries at this endpoint to be signed with this secret.
    ///
    /// # Errors
    /// The text is not a secret.
    pub(crate) fn expect(&self, end: &str, secret: &str) -> Result<()> {
        let secret = SigningSecret::parse(secret)?;
        lock(&self.seen.secrets).insert(format!("/{end}"), secret);
        Ok(())
    }

    /// Resets everything except the secrets.
    pub(crate) fn clear(&self) {
        for count in [&self.seen.arrived, &self.seen.verified, &self.seen.refused] {
            count.store(0, Ordering::SeqCst);
        }
        lock(&self.seen.distinct).clear();
        *lock(&self.seen.between) = None;
    }

    pub(crate) fn arrived(&self) -> u64 {
        self.seen.arrived.load(Ordering::SeqCst)
    }

    /// Waits until `expected` deliveries have arrived; returns the seconds between the first and the last.
    ///
    /// # Errors
    /// Deliveries are missing, duplicated or not signed.
    pub(crate) async fn all(&self, expected: u64) -> Result<f64> {
        let (mut last, mut since) = (0, Instant::now());
        while self.arrived() < expected {
            tokio::time::sleep(Duration::from_millis(2)).await;
            if self.arrived() != last {
                (last, since) = (self.arrived(), Instant::now());
            } else if since.elapsed() > Duration::from_secs(30) {
                bail!("{last} of {expected} deliveries arrived, then none for 30 seconds");
            }
        }
        let (arrived, distinct) = (self.arrived(), lock(&self.seen.distinct).len());
        if arrived != expected || u64::try_from(distinct)? != expected {
            bail!("{arrived} deliveries arrived, {distinct} of them distinct, but {expected} were accepted");
        }
        if self.seen.refused.load(Ordering::SeqCst) > 0 {
            bail!("a delivery had an invalid signature");
        }
        let between = lock(&self.seen.between).context("when they arrived")?;
        Ok(between.1.duration_since(between.0).as_secs_f64())
    }

    /// Waits for delivery number `number`; returns its time of arrival.
    ///
    /// # Errors
    /// It does not arrive.
    pub(crate) async fn nth(&self, number: u64) -> Result<Instant> {
        let arrived = async {
            while self.arrived() < number {
                self.seen.arrival.notified().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), arrived).await.context("a delivery did not arrive")?;
        Ok(lock(&self.seen.between).context("when it arrived")?.1)
    }

    pub(crate) fn verified(&self) -> u64 {
        self.seen.verified.load(Ordering::SeqCst)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn receive(request: HttpRequest, body: web::Bytes, seen: web::Data<Seen>) -> HttpResponse {
    if request.path().trim_start_matches('/').starts_with(SLOW) {
        tokio::time::sleep(SLOWLY).await;
        return HttpResponse::NoContent().finish();
    }
    let now = Instant::now();
    let header = |name: &str| request.headers().get(name).and_then(|it| it.to_str().ok());
    let mut place = DefaultHasher::new();
    (request.path(), header(WEBHOOK_ID)).hash(&mut place);
    lock(&seen.distinct).insert(place.finish());
    if place.finish().is_multiple_of(VERIFIED)
        && let Some(secret) = lock(&seen.secrets).get(request.path())
    {
        let signed = verify(secret, header, &body, unix_seconds()).is_ok();
        let count = if signed { &seen.verified } else { &seen.refused };
        count.fetch_add(1, Ordering::SeqCst);
    }
    let mut between = lock(&seen.between);
    *between = Some((between.map_or(now, |it| it.0), now));
    drop(between);
    seen.arrived.fetch_add(1, Ordering::SeqCst);
    seen.arrival.notify_one();
    HttpResponse::NoContent().finish()
}

#[expect(clippy::disallowed_methods, reason = "a receiver knows the time by its own clock")]
fn unix_seconds() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
