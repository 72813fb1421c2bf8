//! A use of a file and its release, while another session has a transaction.

use std::time::{Duration, Instant};

use tidings_domain::media::MediaUse;
use tidings_domain::ports::{Change, ConversationChange, SweepPlace};
use tidings_storage_suite::Ports;
use tidings_storage_suite::databases::{PostgresDatabase, texts};
use tidings_storage_suite::expiry;
use tidings_storage_suite::fixtures::{World, at, uuid};

use super::migrated;

/// Waits until a session waits for a lock of another one.
async fn a_session_waits(url: &str) {
    let waiting = "SELECT pid::text FROM pg_stat_activity \
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let begun = Instant::now();
    while texts(url, waiting).await.is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no session waits");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Runs `act` while another session has a transaction with these statements. It is committed when `act` waits for it.
async fn beside<T>(url: &str, statements: &str, act: impl Future<Output = T>) -> T {
    let (mut other, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let transaction = other.transaction().await.unwrap();
    transaction.batch_execute(statements).await.unwrap();
    let end = async {
        a_session_waits(url).await;
        transaction.commit().await.unwrap();
    };
    tokio::join!(act, end).0
}

/// A file is not lost if a message uses it while the last other message with it is deleted, in either order.
#[tokio::test]
async fn a_use_of_a_file_and_its_release_do_not_overlap() {
    let database = PostgresDatabase::new().await;
    let (ports, url) = (Ports::of(migrated(&database).await), database.url());
    let world = World::new(&ports).await;
    let (media, contact) = expiry::a_file_of_an_old_message(&world).await;
    let used_by = async || ports.media.get(&world.access, media).await.unwrap().unwrap().used_by;

    let release = "UPDATE media SET contact_id = NULL, version = version + 1";
    let again = Change::Conversation(ConversationChange::UseMedia { media, contact });
    beside(&url, release, world.add(again)).await;
    assert_eq!(used_by().await, MediaUse::Contact(contact), "the use follows the release");

    let repeat = format!(
        "UPDATE media SET version = version; \
         INSERT INTO messages SELECT (jsonb_populate_record(m, jsonb_build_object( \
             'id', '{}'::text, 'created_at', m.created_at + interval '1 day'))).* \
         FROM messages m WHERE m.parts LIKE '%media:%'",
        uuid()
    );
    beside(&url, &repeat, async {
        ports.engine.expire_messages(SweepPlace::before(at(0)), at(4), 9).await.unwrap();
    })
    .await;
    assert_eq!(used_by().await, MediaUse::Contact(contact), "the release follows the use");
    let messages = texts(&url, "SELECT count(*)::text FROM messages WHERE parts LIKE '%media:%'").await;
    assert_eq!(messages, ["1"], "the old message was deleted");
}
