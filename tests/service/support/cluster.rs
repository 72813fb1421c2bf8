//! A PostgreSQL cluster of one test, which can be stopped and restarted.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A cluster, run by `tests/bin/with-postgres` until its standard input ends.
pub struct Cluster {
    holder: Child,
    /// The URL of its database.
    pub url: String,
    control: String,
}

impl Cluster {
    pub fn start() -> Self {
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/bin/with-postgres");
        let mut command = Command::new(script);
        command.args(["sh", "-c", "echo \"$TEST_DATABASE_URL\"; echo \"$TEST_POSTGRES_CONTROL\"; cat"]);
        command.env_remove("TEST_DATABASE_URL").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut holder = command.spawn().unwrap();
        let mut lines = BufReader::new(holder.stdout.take().unwrap()).lines();
        let mut line = || lines.next().expect("with-postgres sets the address of the cluster").unwrap();
        let (url, control) = (line(), line());
        Self { holder, url, control }
    }

    /// Stops it as a failing machine would.
    pub async fn stop(&self) {
        self.control("stop").await;
    }

    /// Restarts it, and waits until it accepts connections.
    pub async fn begin(&self) {
        self.control("start").await;
    }

    async fn control(&self, what: &'static str) {
        let script = self.control.clone();
        let run = move || Command::new(&script).arg(what).stdout(Stdio::null()).status().unwrap();
        let status = tokio::task::spawn_blocking(run).await.unwrap();
        assert!(status.success(), "{what}: {status}");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.holder.stdin.take());
        let _ = self.holder.wait();
    }
}
