//! A database on which no query may read a whole table.

use std::time::{Duration, Instant};

use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::databases::{PostgresDatabase, Session};

/// A database with a schema. At its end, the test fails if a query has read a whole table. PostgreSQL does so only
/// without a suitable index, because the session settings forbid it (decision 9). The store must be closed by then.
pub(super) struct Watched {
    database: PostgresDatabase,
    /// The number of full reads of each table before the test. Migrations cause some when they build indexes.
    before: Vec<String>,
}

/// Tables that are read as a whole on purpose: uncounted facts in any order, the few signing keys, and the list of all
/// workspaces.
const ASKED_FOR_WHOLE: &str = "'analytics_facts', 'signing_keys', 'workspaces'";

impl Watched {
    pub(super) async fn new() -> Self {
        let database = PostgresDatabase::migrated(a_schema).await;
        let before = reads_of_whole_tables(&database.url()).await;
        Self { database, before }
    }

    pub(super) fn url(&self) -> String {
        self.database.url()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let url = self.url();
        let after = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(reads_of_whole_tables(&url))
        });
        assert_eq!(after.join().expect("an answer"), self.before, "tables, and how often they were read as a whole");
    }
}

async fn reads_of_whole_tables(url: &str) -> Vec<String> {
    let session = Session::open(url).await;
    sessions_have_ended(&session).await;
    let reads = format!(
        "SELECT relname || ': ' || seq_scan FROM pg_stat_user_tables \
         WHERE relname NOT IN ({ASKED_FOR_WHOLE}) ORDER BY relname"
    );
    let reads = session.texts(&reads).await;
    session.close().await;
    reads
}

/// Waits for the end of the store's sessions. PostgreSQL has then counted their reads.
async fn sessions_have_ended(session: &Session) {
    let sessions = "SELECT pid::text FROM pg_stat_activity \
                    WHERE datname = current_database() AND application_name LIKE 'tidings%'";
    let begun = Instant::now();
    while !session.texts(sessions).await.is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60), "a session does not end");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

async fn a_schema(url: String) {
    let storage = Storage::open(&StorageSettings::new(url)).await.expect("a store");
    storage.migrate().await.expect("a schema");
}
