//! The cost of attacks for others: memory and response times. In a debug build or on a busy machine the figures mean
//! little, so they are asserted only if `TIDINGS_TEST_FIGURES` is set, as in `make soak`.

use std::time::{Duration, Instant};

use futures::future::{Either, select};

use crate::support::{Client, Server};

/// The largest growth of memory over the idle process, in bytes.
const MOST_MEMORY: u64 = 64 << 20;
/// The longest response time of a cheap request.
const LONGEST_WAIT: Duration = Duration::from_millis(200);
/// The interval of the measurements.
const PAUSE: Duration = Duration::from_millis(20);

/// The measurements of a period.
#[derive(Debug, Default)]
pub struct Figures {
    idle: u64,
    most: u64,
    after: u64,
    longest_wait: Duration,
    looks: u32,
}

impl Figures {
    /// Measures a server with liveness checks while a future runs.
    pub async fn of<T>(server: &Server, something: impl Future<Output = T>) -> (T, Self) {
        let (idle, client) = (server.memory(), server.client().with_key(None));
        let mut figures = Self { idle, most: idle, ..Self::default() };
        let mut something = std::pin::pin!(something);
        let outcome = loop {
            match select(something, Box::pin(figures.look(server, &client))).await {
                Either::Left((outcome, _)) => break outcome,
                Either::Right(((), rest)) => something = rest,
            }
        };
        figures.after = server.memory();
        (outcome, figures)
    }

    async fn look(&mut self, server: &Server, client: &Client) {
        tokio::time::sleep(PAUSE).await;
        let asked = Instant::now();
        client.get("/healthz").await.expect(200);
        self.longest_wait = self.longest_wait.max(asked.elapsed());
        self.most = self.most.max(server.memory());
        self.looks += 1;
    }

    /// Prints the figures, and asserts them if requested.
    pub fn tell(&self, of: &str) {
        let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        println!(
            "{of}: memory idle {:.1} MiB, at the most {:.1}, afterwards {:.1}; others waited {:.1} ms at the most ({} looks)",
            mib(self.idle),
            mib(self.most),
            mib(self.after),
            self.longest_wait.as_secs_f64() * 1e3,
            self.looks,
        );
        if std::env::var_os("TIDINGS_TEST_FIGURES").is_some() {
            assert!(self.most <= self.idle + MOST_MEMORY, "{of}: too much memory: {self:?}");
            assert!(self.longest_wait <= LONGEST_WAIT, "{of}: others waited too long: {self:?}");
        }
    }
}
